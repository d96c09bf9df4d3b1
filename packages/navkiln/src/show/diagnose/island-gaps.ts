/**
 * Finds where two islands of a mesh nearly meet: a step that is a little too high, a gap narrower than two cells.
 *
 * Stairs and ramps that miss a floor leave the floor as an island. Places where borders face each other are measured on the triangles, and
 * then changes are tried until one joins the islands: the climb, the cell height, a closed gap.
 *
 * In: a level, the options of its bake, and the mesh. Out: places, with the change that joins them.
 * Cost: linear in the borders of islands and in the triangles, and up to about ten bakes of a few meters for each place. Nothing for a mesh
 *   of one island.
 * Based on: own.
 */
import type { BuildOptions, TriangleInput } from '../../build/voxel/options.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { findIslands } from '../../query/islands.ts';
import { boxOfLevel, leastIslandArea } from './sizes.ts';
import { sinDegrees, cosDegrees } from '../../base/math/degrees.ts';
import { finerCellHeight } from './cell-height.ts';
import { plain } from './empty/reason.ts';
import { findFacing } from './gaps/facing.ts';
import type { Facing } from './gaps/facing.ts';
import { clipAround, tryJoin } from './gaps/join.ts';
import type { Baked, Clip, JoinChange } from './gaps/join.ts';
import { placeText } from './text.ts';
import { measureGap } from './gaps/measure-gap.ts';
import type { MeasuredGap } from './gaps/measure-gap.ts';

/** A place where two islands nearly meet, and what joins them. */
export interface IslandGap {
  /** 'step': a step higher than the climb. 'gap': no floor between them. 'rounding': `cellHeight` rounds the climb to less than the step. */
  kind: 'step' | 'gap' | 'rounding';
  /** The middle of the step or gap. */
  position: [number, number, number];
  /** Height of the step, world units. */
  step: number;
  /** Width of the gap in plan, world units; 0 for a step. */
  gap: number;
  /** Square units of the smaller island. */
  area: number;
  /** Options that join the islands, by path; empty if closing the gap suffices. They were tried. */
  changes: Record<string, number>;
  /** One sentence with the remedy. */
  message: string;
}

/** The result of `findIslandGaps`. */
export interface IslandGaps {
  /** Those of the largest islands first. */
  gaps: IslandGap[];
  /** Places that were not looked at, since there are too many. */
  untriedCount: number;
}

/** A step is missed by less than this number of climbs. */
const MOST_CLIMBS = 2;
/** Widest gap in cells. */
const MOST_GAP_CELLS = 2;
/** Cells that filters, rounding and simplified outlines take, besides the radius on both sides. */
const LOST_CELLS = 5;
const MOST_PLACES = 512;
const MOST_TRIALS = 32;
const MOST_PLACES_A_PAIR = 6;
const EPSILON = 1e-6;

/** Returns the places where islands of a mesh nearly meet. */
export function findIslandGaps(input: TriangleInput, options: BuildOptions, mesh: NavMesh): IslandGaps {
  const none: IslandGaps = { gaps: [], untriedCount: 0 };
  if (mesh.polyCount === 0 || !(mesh.cellSize > 0)) return none;
  const { islands, islandOfPoly } = findIslands(mesh);
  if (islands.length < 2) return none;
  const { cellSize, agent } = mesh;
  const radius = Math.ceil(agent.radius / cellSize - EPSILON) * cellSize;
  const reach = 2 * radius + (MOST_GAP_CELLS + LOST_CELLS) * cellSize;
  const slope = Math.min(agent.maxSlopeDegrees, 60);
  const rise = MOST_CLIMBS * agent.maxClimb + (reach * sinDegrees(slope)) / cosDegrees(slope);
  const least = leastIslandArea(agent);
  const counts = new Map<string, number>();
  const places = findFacing(mesh, islandOfPoly, { reach, rise })
    .sort((p, q) => p.islands[1] - q.islands[1] || p.score - q.score)
    .filter(({ islands: pair }) => {
      const key = pair.join();
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return counts.get(key)! <= MOST_PLACES_A_PAIR && islands[pair[1]].area >= least;
    });
  const looked = places.slice(0, MOST_PLACES);
  const clips = clipAround(input, looked, reach + radius + 8 * cellSize);
  const baked = { input, options, mesh, ...(options.bounds ?? boxOfLevel(input)) };
  const near = looked.flatMap((place, k) => {
    const measured = measureGap(clips[k].corners, place, { agent, cellSize });
    if (measured === undefined) return [];
    const changes = changesFor(baked, measured);
    const isNear =
      changes.length > 0 &&
      measured.step <= MOST_CLIMBS * agent.maxClimb * (1 + EPSILON) &&
      measured.gap <= MOST_GAP_CELLS * cellSize * (1 + EPSILON);
    return isNear ? [{ place, measured, clip: clips[k], changes }] : [];
  });
  const gaps = near.slice(0, MOST_TRIALS).flatMap((one) => gapAt(baked, one, islands[one.place.islands[1]].area) ?? []);
  return { gaps, untriedCount: places.length - looked.length + Math.max(0, near.length - MOST_TRIALS) };
}

/** A place with a small step or gap. */
interface NearPlace {
  place: Facing;
  measured: MeasuredGap;
  clip: Clip;
  /** What may join both sides. */
  changes: JoinChange[];
}

/** Returns what joins two islands at a place. Undefined: nothing that was tried does. */
function gapAt(
  baked: Baked,
  { place, measured, clip, changes: toTry }: NearPlace,
  area: number,
): IslandGap | undefined {
  const { step, gap, position } = measured;
  // Both sides must be there, and apart.
  if (tryJoin(baked, clip, place, measured, {}) !== false) return undefined;
  const change = toTry.find((one) => tryJoin(baked, clip, place, measured, one) === true);
  if (change === undefined) return undefined;
  const kind = change.isClosed === true ? 'gap' : change.cellHeight === undefined ? 'step' : 'rounding';
  const changes: Record<string, number> = {};
  if (change.maxClimb !== undefined) changes['agent.maxClimb'] = change.maxClimb;
  if (change.cellHeight !== undefined) changes['cellHeight'] = change.cellHeight;
  const found = { kind, position, step, gap: kind === 'gap' ? gap : 0, area, changes } as const;
  return { ...found, position: [...position], message: sentenceOf(found, baked) };
}

/** Returns the changes that may join, the smallest first. */
function changesFor({ options, mesh }: Baked, { step, gap }: MeasuredGap): JoinChange[] {
  const { maxClimb, height } = mesh.agent;
  const { cellHeight } = mesh;
  const changes: JoinChange[] = [];
  const isGap = gap > 0;
  if (options.cellHeight !== undefined && step <= maxClimb * (1 + EPSILON)) {
    const finer = finerCellHeight(maxClimb, cellHeight);
    if (finer !== undefined) changes.push({ cellHeight: finer });
  }
  if (step <= maxClimb * (1 + EPSILON)) return isGap ? [...changes, { isClosed: true }] : changes;
  // Heights are rounded to cells, so a climb a cell higher may be needed.
  const climbs = [step, step * 1.05, step + cellHeight, step * 1.2]
    .map((value) => roundUp(value))
    .concat([1, 2].map((more) => (Math.ceil(step / cellHeight - EPSILON) - 1 + more) * cellHeight).map(roundUp))
    .filter((value) => value < height * 0.75)
    .sort((a, b) => a - b);
  for (const climb of new Set(climbs)) changes.push({ maxClimb: climb });
  if (isGap) for (const climb of new Set(climbs)) changes.push({ maxClimb: climb, isClosed: true });
  return changes;
}

/** Rounds up to two digits. */
function roundUp(value: number): number {
  const rounded = Number(value.toPrecision(2));
  const unit = Number(`1e${value.toExponential().split('e')[1]}`) / 10;
  return rounded >= value * (1 - EPSILON) ? rounded : Number((rounded + unit).toPrecision(2));
}

function sentenceOf({ kind, position, step, gap, area, changes }: Omit<IslandGap, 'message'>, { mesh }: Baked): string {
  const { maxClimb } = mesh.agent;
  const where = `at ${placeText(position)}`;
  const part = `a part of ${plain(area)} square units`;
  const climb = changes['agent.maxClimb'];
  if (kind === 'rounding') {
    const rounded = plain(Math.floor(maxClimb / mesh.cellHeight + EPSILON) * mesh.cellHeight);
    const cause = `cellHeight ${plain(mesh.cellHeight)} rounds the climb of ${plain(maxClimb)} down to ${rounded}`;
    return `${cause}, so a step of ${plain(step)} ${where} keeps ${part} apart; cellHeight ${changes['cellHeight']} joins it`;
  }
  if (kind === 'step')
    return `a step of ${plain(step)} ${where} keeps ${part} apart, ${plain(step - maxClimb)} above the climb; agent.maxClimb ${climb} joins it`;
  const also = climb === undefined ? '' : ` and agent.maxClimb is ${climb}`;
  return `a gap of ${plain(gap)} ${where} keeps ${part} apart; they join when the gap is closed${also}`;
}
