/** Judges bakes of one level with `verifyNavMesh` and with the walks that are known by construction. */
import type { NavMesh } from 'navkiln';
import { explainFaults, explainSurfaceFaults, verifyNavMesh } from 'navkiln/debug';
import type { VerifyResult } from 'navkiln/debug';
import { bakeWithPeer } from './recast-mesh.ts';
import { bakeLevel, surfaceOptions, voxelOptions } from './settings.ts';
import type { Setting } from './settings.ts';
import { nearOrigin } from './subjects.ts';
import type { Subject, SubjectLevel } from './subjects.ts';
import { findWalkFaults } from './walks.ts';

/** A judged bake: one line of out/truth.jsonl. */
export interface TruthRow {
  kind: string;
  name: string;
  setting: string;
  library: 'navkiln' | 'recast';
  coverage: number;
  overreach: number;
  lost: number;
  invented: number;
  falseDoors: number;
  invisibleWalls: number;
  /** Walks that are known by construction, and how many of them are answered wrongly. */
  walks: number;
  wrongWalks: number;
  firstWrongWalk?: string;
  /** Square units where an agent surely stands. */
  sureArea: number;
  /** Codes of the warnings of the bake's report. */
  warnings: string[];
  /** The largest faults: kind, cause, remedy and position. */
  places: string[];
  /** Whether `explainFaults` names the cause of the first places. */
  isExplained?: boolean;
  bakeMs: number;
  verifyMs: number;
  /** The bake or the verdict threw this error. */
  error?: string;
}

/** What a bake must meet to be right. */
export const PROMISE: Readonly<Record<'coverage' | 'overreach', number>> = { coverage: 0.995, overreach: 0.001 };

/**
 * 'right': within the promise. 'reported': it is not, and the report of the bake has warnings, or `explainFaults` names the cause. 'silent':
 * neither.
 */
export type Verdict = 'right' | 'reported' | 'silent';

export function verdictOf(row: TruthRow): Verdict {
  const isRight =
    row.error === undefined &&
    row.coverage >= PROMISE.coverage &&
    row.overreach <= PROMISE.overreach &&
    row.lost === 0 &&
    row.invented === 0 &&
    row.falseDoors === 0 &&
    row.invisibleWalls === 0 &&
    row.wrongWalks === 0;
  if (isRight) return 'right';
  return row.warnings.length > 0 || row.isExplained === true || row.error !== undefined ? 'reported' : 'silent';
}

const EMPTY = {
  coverage: 0,
  overreach: 0,
  lost: 0,
  invented: 0,
  falseDoors: 0,
  invisibleWalls: 0,
  walks: 0,
  wrongWalks: 0,
  sureArea: 0,
  warnings: [],
  places: [],
  bakeMs: 0,
  verifyMs: 0,
} satisfies Partial<TruthRow>;

/** Pairs of places and straight walks for each bake. */
const PAIRS = { random: 100, fixed: 300 };

/** Number of places that are explained, of bakes of navkiln that are not right. */
const EXPLAINED = 2;

const digits = (value: number): string => String(Number(value.toFixed(3)));

function placesOf({ places }: VerifyResult): string[] {
  return places
    .slice(0, 4)
    .map(
      ({ kind, area, position, cause, remedy }) =>
        `${kind} ${digits(area)} at ${position.map(digits).join()}: ${cause ?? '?'}${remedy === null ? '' : ` (${remedy})`}`,
    );
}

function judgeMesh(
  level: SubjectLevel,
  navMesh: NavMesh,
  isRandom: boolean,
): Partial<TruthRow> & { found: VerifyResult } {
  const begun = performance.now();
  const { agent } = level;
  const found = verifyNavMesh(level, navMesh, { seed: 1, pairs: isRandom ? PAIRS.random : PAIRS.fixed, agent });
  const verifyMs = performance.now() - begun;
  const faults = findWalkFaults(navMesh, level);
  return {
    found,
    coverage: found.coverage,
    overreach: found.overreach,
    lost: found.lost,
    invented: found.invented,
    falseDoors: found.falseDoors,
    invisibleWalls: found.invisibleWalls,
    sureArea: found.sureArea,
    walks: level.walks.length,
    wrongWalks: faults.length,
    ...(faults.length > 0 && {
      firstWrongWalk: `${faults[0].fault}: ${faults[0].answer}, from ${faults[0].walk.from.map(digits).join()} to ${faults[0].walk.to.map(digits).join()}`,
    }),
    places: placesOf(found),
    verifyMs,
  };
}

/** Judges a level with one setting: the bake of navkiln, and that of npm recast-navigation if `hasPeer`. */
export async function judge(
  subject: Subject,
  level: SubjectLevel,
  setting: Setting,
  hasPeer: boolean,
): Promise<TruthRow[]> {
  const isRandom = level.walks.length > 0;
  const base = { ...EMPTY, kind: subject.kind, name: subject.name, setting: setting.name };
  const rows: TruthRow[] = [];
  try {
    const { navMesh, warnings, ms } = bakeLevel(level, setting);
    const { found, ...figures } = judgeMesh(level, navMesh, isRandom);
    const row: TruthRow = { ...base, library: 'navkiln', ...figures, warnings, bakeMs: ms };
    rows.push(row);
    if (verdictOf(row) !== 'right') {
      const explained =
        setting.builder === 'voxel'
          ? explainFaults(level, navMesh, found, { bake: voxelOptions(level, setting), limit: EXPLAINED })
          : explainSurfaceFaults(level, navMesh, found, surfaceOptions(level, setting));
      row.places = placesOf(explained);
      row.isExplained =
        explained.places.length > 0 && explained.places.slice(0, EXPLAINED).every(({ cause }) => cause !== null);
    }
  } catch (error) {
    rows.push({ ...base, library: 'navkiln', error: (error as Error).message });
  }
  if (!hasPeer || setting.builder === 'surface') return rows;
  const near = nearOrigin(level);
  const begun = performance.now();
  const peer = await bakeWithPeer(near, setting);
  const bakeMs = performance.now() - begun;
  if (peer === undefined) rows.push({ ...base, library: 'recast', error: 'no mesh' });
  else {
    const { found: _, ...figures } = judgeMesh(near, peer, isRandom);
    rows.push({ ...base, library: 'recast', ...figures, bakeMs });
  }
  return rows;
}
