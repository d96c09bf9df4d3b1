/**
 * Inset: ground -> the ground that the middle of a body can be on: what is nearer to a wall than its radius is taken away.
 *
 * In: joined ground; its walls are the edges that nothing is joined to. From each triangle are taken, seen from above: beside
 * each wall nearby a rectangle as wide as the radius, and around corners that stick into the ground tangents of the circle
 * (farther out than the radius by two hundredths at most). So a distance counts straight and from above, whatever
 * the slope; and it counts only within a height that ground can climb on the way, so storeys do not see each other.
 * Out: ground joined nowhere. Cost: linear in triangles and pairs of triangle and wall nearby.
 *
 * Based on: own. (Offsetting outlines ring by ring needs ground that nowhere lies over itself.)
 */
import type { AgentShape } from '../navmesh/types.ts';
import { cosDegrees, sinDegrees } from '../math/degrees.ts';
import { subtractShape } from './convex.ts';
import type { Shape } from './convex.ts';
import { mergeGround } from './merge.ts';
import { forEachNear } from './near-segments.ts';
import { planeOf, replaceTriangles, setHeights } from './pieces.ts';
import { groupPoints } from './vertices.ts';
import type { Ground, PointTable } from './types.ts';

const SIDES = 16;
/** Cosine of 24 degrees: between directions nearer than this, two tangents follow the circle to two hundredths of its radius. */
const NARROW = 0.9135;
/** Slopes above this count as this when it is asked how high ground may climb within the radius. */
const STEEPEST = 60;

/** Shapes to take away, and between which heights. */
interface Cuts {
  shapes: Shape[];
  low: number[];
  high: number[];
}

export function insetGround(ground: Ground, table: PointTable, agent: AgentShape): Ground {
  const { corner, count } = ground;
  const { planX, planZ, pointPlan, pointY } = table;
  const cuts = findCuts(ground, table, agent);
  const boxes = new Float64Array(4 * (count + cuts.shapes.length));
  for (let t = 0; t < count; t++) {
    const plans = [0, 1, 2].map((k) => pointPlan[corner[3 * t + k]]);
    boxes[4 * t] = Math.min(planX[plans[0]], planX[plans[1]], planX[plans[2]]);
    boxes[4 * t + 1] = Math.min(planZ[plans[0]], planZ[plans[1]], planZ[plans[2]]);
    boxes[4 * t + 2] = Math.max(planX[plans[0]], planX[plans[1]], planX[plans[2]]);
    boxes[4 * t + 3] = Math.max(planZ[plans[0]], planZ[plans[1]], planZ[plans[2]]);
  }
  cuts.shapes.forEach((shape, i) => {
    const at = 4 * (count + i);
    boxes[at] = Math.min(...shape.map(([x]) => x));
    boxes[at + 1] = Math.min(...shape.map(([, z]) => z));
    boxes[at + 2] = Math.max(...shape.map(([x]) => x));
    boxes[at + 3] = Math.max(...shape.map(([, z]) => z));
  });
  const first = new Int32Array(count).fill(-1);
  const next: number[] = [];
  const item: number[] = [];
  forEachNear(boxes, 0, (i, j) => {
    if (i < count === j < count) return;
    const t = i < count ? i : j;
    const cut = (i < count ? j : i) - count;
    const [a, b, c] = [pointY[corner[3 * t]], pointY[corner[3 * t + 1]], pointY[corner[3 * t + 2]]];
    if (Math.max(a, b, c) < cuts.low[cut] || Math.min(a, b, c) > cuts.high[cut]) return;
    next.push(first[t]);
    first[t] = item.push(cut) - 1;
  });
  const xyz = new Float64Array(9);
  return replaceTriangles(ground, table, (t) => {
    if (first[t] < 0) return undefined;
    const list: number[] = [];
    for (let at = first[t]; at >= 0; at = next[at]) list.push(item[at]);
    list.sort((a, b) => a - b);
    for (let k = 0; k < 3; k++) {
      const point = corner[3 * t + k];
      xyz[3 * k] = planX[pointPlan[point]];
      xyz[3 * k + 1] = pointY[point];
      xyz[3 * k + 2] = planZ[pointPlan[point]];
    }
    let pieces: Shape[] = [[0, 1, 2].map((k) => [xyz[3 * k], xyz[3 * k + 2], 0])];
    for (const cut of list) {
      pieces = pieces.flatMap((piece) => subtractShape(piece, cuts.shapes[cut], table.tolerance) ?? [piece]);
    }
    setHeights(pieces, xyz, planeOf(xyz));
    return pieces;
  });
}

/**
 * Rectangles beside all walls, and around corners at which ground turns by more than half a turn what is between two of them.
 * Walls are those of merged pieces, as each cuts the ground around it.
 */
function findCuts(ground: Ground, table: PointTable, { radius, maxClimb, maxSlopeDegrees }: AgentShape): Cuts {
  const { planX, planZ, pointPlan, pointY } = table;
  const { corner } = ground;
  const { next, twin, gone } = mergeGround(ground, table, groupPoints(ground, table), 12, 1);
  const slope = Math.min(maxSlopeDegrees, STEEPEST);
  const climb = maxClimb + (radius * sinDegrees(slope)) / cosDegrees(slope);
  const cuts: Cuts = { shapes: [], low: [], high: [] };
  const add = (shape: Shape, from: number, to: number): void => {
    cuts.shapes.push(shape);
    cuts.low.push(Math.min(from, to) - climb);
    cuts.high.push(Math.max(from, to) + climb);
  };
  // The one wall that ends at each place, -1: none, -2: several.
  const wallTo = new Int32Array(table.planCount).fill(-1);
  const normal = new Float64Array(2 * twin.length);
  for (let h = 0; h < twin.length; h++) {
    if (twin[h] >= 0 || gone[h] === 1) continue;
    const from = pointPlan[corner[h]];
    const to = pointPlan[corner[next[h]]];
    wallTo[to] = wallTo[to] === -1 ? h : -2;
    const dx = planX[to] - planX[from];
    const dz = planZ[to] - planZ[from];
    const length = Math.sqrt(dx * dx + dz * dz);
    // Ground is on the left.
    normal[2 * h] = dz / length;
    normal[2 * h + 1] = -dx / length;
  }
  for (let h = 0; h < twin.length; h++) {
    if (twin[h] >= 0 || gone[h] === 1) continue;
    const a = corner[h];
    const b = corner[next[h]];
    const [ax, az] = [planX[pointPlan[a]], planZ[pointPlan[a]]];
    const [bx, bz] = [planX[pointPlan[b]], planZ[pointPlan[b]]];
    const nx = radius * normal[2 * h];
    const nz = radius * normal[2 * h + 1];
    add([[ax, az, 0], [bx, bz, 0], [bx + nx, bz + nz, 0], [ax + nx, az + nz, 0]], pointY[a], pointY[b]);
    const before = wallTo[pointPlan[a]];
    if (before === -2) add(polygonAround(ax, az, radius / cosDegrees(180 / SIDES)), pointY[a], pointY[a]);
    if (before < 0) continue;
    const one = [normal[2 * before], normal[2 * before + 1]];
    const two = [normal[2 * h], normal[2 * h + 1]];
    const turn = one[1] * two[0] - one[0] * two[1];
    const ahead = one[0] * two[0] + one[1] * two[1];
    // Not where ground has a corner of less than half a turn; but where a wall ends in the ground, a turn all the way back.
    if (turn >= 0 && (ahead > 0 || turn > -0.01 * ahead)) continue;
    const arc: Shape = [[ax, az, 0], [ax + radius * one[0], az + radius * one[1], 0]];
    addTangents(arc, ax, az, radius, one, two, [-one[1], one[0]]);
    arc.push([ax + nx, az + nz, 0]);
    add(arc, pointY[a], pointY[a]);
  }
  return cuts;
}

/**
 * Where tangents of the circle meet: one point for directions up to 24 degrees apart, else for both halves. `way`: along the
 * wall.
 */
function addTangents(
  arc: Shape, x: number, z: number, radius: number, from: readonly number[], to: readonly number[], way: readonly number[],
): void {
  const dot = from[0] * to[0] + from[1] * to[1];
  if (dot > NARROW) {
    const scale = radius / (1 + dot);
    arc.push([x + scale * (from[0] + to[0]), z + scale * (from[1] + to[1]), 0]);
    return;
  }
  const [mx, mz] = dot < -0.99 ? way : [from[0] + to[0], from[1] + to[1]];
  const length = Math.sqrt(mx * mx + mz * mz);
  const middle = [mx / length, mz / length];
  addTangents(arc, x, z, radius, from, middle, way);
  addTangents(arc, x, z, radius, middle, to, way);
}

function polygonAround(x: number, z: number, radius: number): Shape {
  return Array.from({ length: SIDES }, (_, k) => {
    const degrees = (360 * (k + 0.5)) / SIDES;
    return [x + radius * cosDegrees(degrees), z - radius * sinDegrees(degrees), 0];
  });
}
