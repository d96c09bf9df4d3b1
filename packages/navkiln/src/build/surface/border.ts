/**
 * Border stage: closes overlaps between different joints on the lines where a tile's square ends.
 *
 * Tiles are joined by portals: edges on both sides of the border are connected where they overlap and are
 * close in height. Inside the tile, edges are joined one to one. Where the surface is displaced by less than
 * the tolerance, the ends of two consecutive joints along the border may overlap slightly. If those are two
 * floors that no agent can step between, but within the height that portals accept, a false portal would
 * open. So the end of the joint that begins first is closed there; it lies next to a step that is too high
 * anyway. Both tiles compute the same result, since positions within the tolerance are one.
 *
 * In: conforming surface of a tile.
 * Out: the same, cut where ends are closed.
 * Cost: O(n log n) in edges on the border.
 * Based on: own.
 */
import { nextOf } from './weld/match.ts';
import { addWall, applySplits, createSplits } from './weld/splits.ts';
import type { Ground, PointTable, TileSquare } from './types.ts';

/**
 * Overlaps up to this length are closed, in tolerances: an edge at an angle to the border is displaced
 * further along it.
 */
const OVERLAP_TOLERANCES = 16;

interface Joint {
  h: number;
  /** Heights of both sides. */
  low: number;
  high: number;
  from: number;
  to: number;
  /** Positions of both ends. */
  fromPlan: number;
  toPlan: number;
}

/**
 * Returns the surface cut where ends are closed, with no joints there; or undefined when nothing is to be
 * closed. `most`: the largest difference in height of joints that a portal may connect.
 */
export function closeOverlaps(ground: Ground, table: PointTable, most: number): Ground | undefined {
  const { square, planX, planZ, tolerance } = table;
  if (square === undefined) return undefined;
  const splits = createSplits(ground, table);
  const edges = jointsOnLines(ground, table, square);
  for (const [across, along, line] of [
    [planX, planZ, square.x0],
    [planX, planZ, square.x1],
    [planZ, planX, square.z0],
    [planZ, planX, square.z1],
  ] as const) {
    const joints = jointsOn(edges, ground, table, across, along, line).sort(
      (a, b) => a.from - b.from || a.to - b.to || a.h - b.h,
    );
    for (let i = 0; i < joints.length; i++) {
      const a = joints[i];
      for (let k = i + 1; k < joints.length && joints[k].from < a.to; k++) {
        const b = joints[k];
        const isSame = a.fromPlan === b.fromPlan && a.toPlan === b.toPlan;
        const end = b.to < a.to ? b : a;
        if (b.low - a.high > most || a.low - b.high > most) continue;
        if (isSame || end.to - b.from > OVERLAP_TOLERANCES * tolerance || b.fromPlan === end.toPlan) continue;
        const closed = end === b ? b : a;
        addWall(splits, closed.h, b.fromPlan, end.toPlan);
        addWall(splits, ground.twin[closed.h], b.fromPlan, end.toPlan);
      }
    }
  }
  return splits.plan.length === 0 ? undefined : applySplits(ground, table, splits);
}

/** Returns the joined edges, one of each pair, that begin on a line of the square. */
function jointsOnLines({ corner, twin }: Ground, table: PointTable, { x0, z0, x1, z1 }: TileSquare): number[] {
  const { planX, planZ, pointPlan } = table;
  const edges: number[] = [];
  for (let h = 0; h < twin.length; h++) {
    if (twin[h] <= h) continue;
    const plan = pointPlan[corner[h]];
    const x = planX[plan];
    const z = planZ[plan];
    if (x === x0 || x === x1 || z === z0 || z === z1) edges.push(h);
  }
  return edges;
}

/** Returns those of the edges that are on a line. */
function jointsOn(
  edges: readonly number[],
  { corner, twin }: Ground,
  { pointPlan, pointY }: PointTable,
  across: Float64Array,
  along: Float64Array,
  line: number,
): Joint[] {
  const joints: Joint[] = [];
  for (const h of edges) {
    const p = pointPlan[corner[h]];
    const q = pointPlan[corner[nextOf(h)]];
    if (across[p] !== line || across[q] !== line) continue;
    const isTurned = along[p] > along[q];
    const ys = [corner[h], corner[nextOf(h)], corner[twin[h]], corner[nextOf(twin[h])]].map((point) => pointY[point]);
    joints.push({
      h,
      low: Math.min(...ys),
      high: Math.max(...ys),
      from: along[isTurned ? q : p],
      to: along[isTurned ? p : q],
      fromPlan: isTurned ? q : p,
      toPlan: isTurned ? p : q,
    });
  }
  return joints;
}
