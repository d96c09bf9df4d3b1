/** Judges bakes of one level with `verifyNavMesh` and with the walks that are known by construction. */
import type { NavMesh } from 'navkiln';
import { verifyNavMesh } from 'navkiln/debug';
import { bakeWithPeer } from './recast-mesh.ts';
import { bakeLevel } from './settings.ts';
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
  bakeMs: number;
  verifyMs: number;
  /** The bake or the verdict threw this error. */
  error?: string;
}

/** What a bake must meet to be right. */
export const PROMISE: Readonly<Record<'coverage' | 'overreach', number>> = { coverage: 0.995, overreach: 0.001 };

/** 'right': within the promise. 'reported': it is not, and the report of the bake has warnings. 'silent': it has none. */
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
  return row.warnings.length > 0 || row.error !== undefined ? 'reported' : 'silent';
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

function judgeMesh(level: SubjectLevel, navMesh: NavMesh, isRandom: boolean): Partial<TruthRow> {
  const begun = performance.now();
  const { agent } = level;
  const found = verifyNavMesh(level, navMesh, { seed: 1, pairs: isRandom ? PAIRS.random : PAIRS.fixed, agent });
  const verifyMs = performance.now() - begun;
  const faults = findWalkFaults(navMesh, level);
  const digits = (value: number): string => String(Number(value.toFixed(3)));
  return {
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
    places: found.places
      .slice(0, 4)
      .map(
        ({ kind, area, position, cause, remedy }) =>
          `${kind} ${digits(area)} at ${position.map(digits).join()}: ${cause ?? '?'}${remedy === null ? '' : ` (${remedy})`}`,
      ),
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
    rows.push({ ...base, library: 'navkiln', ...judgeMesh(level, navMesh, isRandom), warnings, bakeMs: ms });
  } catch (error) {
    rows.push({ ...base, library: 'navkiln', error: (error as Error).message });
  }
  if (!hasPeer || setting.builder === 'surface') return rows;
  const near = nearOrigin(level);
  const begun = performance.now();
  const peer = await bakeWithPeer(near, setting);
  const bakeMs = performance.now() - begun;
  if (peer === undefined) rows.push({ ...base, library: 'recast', error: 'no mesh' });
  else rows.push({ ...base, library: 'recast', ...judgeMesh(near, peer, isRandom), bakeMs });
  return rows;
}
