/**
 * Border: on the lines that a tile's square ends at, what belongs to different joints does not overlap.
 *
 * Tiles are joined by portals: where edges on both sides of their border overlap and are near enough in height, there is a way.
 * Within the tile edges are joined one to one, so that where ground is loose by less than the tolerance, the ends of two joints
 * that follow each other along the border may overlap by a little; and if the two are floors that nobody can step between, but
 * not more than a portal reaches apart, a way that is none would open. So the end of the joint that begins first is closed
 * there: it is beside a step too high in any case. Both tiles see the same, as places within the tolerance are one.
 *
 * Cost: O(n log n) in edges on the border. Based on: own.
 */
import { nextOf } from './match.ts';
import { addWall, applySplits, createSplits } from './splits.ts';
import type { Ground, PointTable } from './types.ts';

/** Overlaps up to this are closed, in tolerances: an edge at a slant to the border is as loose along it. */
const OVERLAP_TOLERANCES = 16;

interface Joint {
  h: number;
  from: number;
  to: number;
  /** Places of the two. */
  fromPlan: number;
  toPlan: number;
}

/** The ground cut where ends are closed, joined nowhere then; or undefined when there is nothing to close. */
export function closeOverlaps(ground: Ground, table: PointTable): Ground | undefined {
  const { square, planX, planZ, tolerance } = table;
  if (square === undefined) return undefined;
  const splits = createSplits(ground, table);
  for (const [across, along, line] of [
    [planX, planZ, square.x0],
    [planX, planZ, square.x1],
    [planZ, planX, square.z0],
    [planZ, planX, square.z1],
  ] as const) {
    const joints = jointsOn(ground, table, across, along, line).sort(
      (a, b) => a.from - b.from || a.to - b.to || a.h - b.h,
    );
    for (let i = 0; i < joints.length; i++) {
      const a = joints[i];
      for (let k = i + 1; k < joints.length && joints[k].from < a.to; k++) {
        const b = joints[k];
        const isSame = a.fromPlan === b.fromPlan && a.toPlan === b.toPlan;
        const end = b.to < a.to ? b : a;
        if (isSame || end.to - b.from > OVERLAP_TOLERANCES * tolerance || b.fromPlan === end.toPlan) continue;
        const closed = end === b ? b : a;
        addWall(splits, closed.h, b.fromPlan, end.toPlan);
        addWall(splits, ground.twin[closed.h], b.fromPlan, end.toPlan);
      }
    }
  }
  return splits.plan.length === 0 ? undefined : applySplits(ground, table, splits);
}

/** Joined edges on a line, one of each pair. */
function jointsOn(
  { corner, twin }: Ground,
  { pointPlan }: PointTable,
  across: Float64Array,
  along: Float64Array,
  line: number,
): Joint[] {
  const joints: Joint[] = [];
  for (let h = 0; h < twin.length; h++) {
    if (twin[h] <= h) continue;
    const p = pointPlan[corner[h]];
    const q = pointPlan[corner[nextOf(h)]];
    if (across[p] !== line || across[q] !== line) continue;
    const isTurned = along[p] > along[q];
    joints.push({
      h,
      from: along[isTurned ? q : p],
      to: along[isTurned ? p : q],
      fromPlan: isTurned ? q : p,
      toPlan: isTurned ? p : q,
    });
  }
  return joints;
}
