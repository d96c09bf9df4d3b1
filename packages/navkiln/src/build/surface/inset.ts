/**
 * Inset stage: removes the surface that is closer to a wall than the agent's radius.
 *
 * Walls are edges without a joint. Shapes seen from above are subtracted from each triangle: a rectangle as wide as
 * the radius next to each nearby wall, and a polygon around each corner that points into the surface. The polygon is
 * made of tangents of the circle, at most two hundredths of the radius outside it. Distances are measured straight
 * and from above, on any slope. A wall counts only where the surface is within the height that an agent can climb over
 * the distance from the wall. So storeys do not affect each other, and a ramp passes over the line where the floor
 * below it ends for lack of headroom.
 *
 * In: joined surface.
 * Out: surface without joints.
 * Cost: linear in triangles and in pairs of triangle and nearby wall.
 * Based on: own. Offsetting outlines ring by ring does not work for surfaces that overlap themselves.
 */
import type { AgentShape } from '../../mesh/types.ts';
import { cosDegrees, sinDegrees } from '../../base/math/degrees.ts';
import { carve } from './shapes/carve.ts';
import { clipShape } from './shapes/convex.ts';
import type { Shape } from './shapes/convex.ts';
import { takeUint8 } from '../../base/data/workspace.ts';
import { markRings } from './holes.ts';
import { mergeGround } from './merge.ts';
import type { Pieces } from './merge.ts';
import { forEachNear } from './shapes/near-segments.ts';
import { sideOf } from './weld/own.ts';
import { planeOf, replaceTriangles, setHeights } from './weld/pieces.ts';
import { groupPoints } from './weld/vertices.ts';
import { isNarrower } from './weld/weld.ts';
import type { Ground, PointTable } from './types.ts';

const SIDES = 16;
/** Maximum number of corners of pieces that are cut as one. */
const MOST_CORNERS = 24;
/**
 * Cosine of 24 degrees: between directions closer than this, two tangents follow the circle to two hundredths
 * of its radius.
 */
const NARROW = 0.9135;
/** Steeper slopes count as this one for the height that the surface can climb within the radius. */
const STEEPEST = 60;

/**
 * Shapes to subtract, and the heights between which they can apply. Corners are x, z, the height of the wall there, and
 * the distance from it.
 */
interface Cuts {
  shapes: Shape[];
  low: number[];
  high: number[];
  /** The height that the surface can climb at once, and over a distance of 1. */
  climb: number;
  slope: number;
}

export function insetGround(ground: Ground, table: PointTable, agent: AgentShape): Ground {
  const { corner, twin, count } = ground;
  const { planX, planZ, pointPlan, pointY } = table;
  // Coplanar triangles are cut as one, except across the lines where the tile ends.
  const kind = new Int32Array(count);
  for (let t = 0; t < count; t++) kind[t] = 8 * ground.area[t] - sideOf(ground, table, t);
  const pieces = mergeGround(ground, table, groupPoints(ground, table), MOST_CORNERS, 0, kind);
  const { piece, next, gone } = pieces;
  const lost = findLost(ground, table, agent.radius);
  const cuts = findCuts(ground, table, pieces, agent, lost);
  const rings: number[][] = [];
  const pieceOf: number[] = [];
  const ringOf = new Int32Array(count).fill(-1);
  for (let h = 0; h < twin.length; h++) {
    const root = piece[(h / 3) | 0];
    if (gone[h] === 1 || ringOf[root] >= 0) continue;
    const ring: number[] = [];
    let at = h;
    do {
      ring.push(corner[at]);
      at = next[at];
    } while (at !== h);
    ringOf[root] = rings.push(ring) - 1;
    pieceOf.push(root);
  }
  const boxes = new Float64Array(4 * (rings.length + cuts.shapes.length));
  for (let i = 0; i < boxes.length; i++) boxes[i] = i % 4 < 2 ? Infinity : -Infinity;
  rings.forEach((ring, i) => {
    for (const point of ring) growBox(boxes, i, planX[pointPlan[point]], planZ[pointPlan[point]]);
  });
  cuts.shapes.forEach((shape, i) => {
    for (const corner of shape) growBox(boxes, rings.length + i, corner[0], corner[1]);
  });
  const lists: number[][] = rings.map(() => []);
  const low = new Float64Array(rings.length).fill(Infinity);
  const high = new Float64Array(rings.length).fill(-Infinity);
  rings.forEach((ring, i) => {
    for (const point of ring) {
      if (pointY[point] < low[i]) low[i] = pointY[point];
      if (pointY[point] > high[i]) high[i] = pointY[point];
    }
  });
  const visit = (i: number, j: number): boolean => {
    const ring = i < rings.length ? i : j;
    const cut = (i < rings.length ? j : i) - rings.length;
    if (high[ring] < cuts.low[cut] || low[ring] > cuts.high[cut]) return false;
    lists[ring].push(cut);
    return true;
  };
  forEachNear(boxes, 0, table.budget, visit, { from: rings.length, within: false });
  const shapesOf = rings.map((ring, i) =>
    lists[i].length === 0
      ? undefined
      : cutRing(
          ring,
          lists[i].sort((a, b) => a - b),
          cuts,
          pieceOf[i],
          ground,
          table,
        ),
  );
  // The first triangle of a piece represents all of it.
  return replaceTriangles(ground, table, (t) => {
    if (lost[t] === 1) return [];
    const shapes = shapesOf[ringOf[piece[t]]];
    return shapes === undefined || t === piece[t] ? shapes : [];
  });
}

/** Marks triangles without neighbors that are too narrow to stand on. Cuts leave some of them on top of others: they are no walls. */
function findLost({ count, corner, twin }: Ground, table: PointTable, radius: number): Uint8Array {
  const lost = takeUint8(table.workspace, 'inset.lost', count).fill(0);
  for (let t = 0, h = 0; t < count; t++, h += 3) {
    if (twin[h] >= 0 || twin[h + 1] >= 0 || twin[h + 2] >= 0) continue;
    if (isNarrower(table, corner[h], corner[h + 1], corner[h + 2], radius)) lost[t] = 1;
  }
  return lost;
}

function growBox(boxes: Float64Array, i: number, x: number, z: number): void {
  if (x < boxes[4 * i]) boxes[4 * i] = x;
  if (z < boxes[4 * i + 1]) boxes[4 * i + 1] = z;
  if (x > boxes[4 * i + 2]) boxes[4 * i + 2] = x;
  if (z > boxes[4 * i + 3]) boxes[4 * i + 3] = z;
}

const xyz = new Float64Array(9);

/** Returns what is left of a convex ring, in the plane of its first triangle. */
function cutRing(
  ring: readonly number[],
  list: readonly number[],
  cuts: Cuts,
  t: number,
  { corner }: Ground,
  { planX, planZ, pointPlan, pointY, tolerance, budget }: PointTable,
): Shape[] | undefined {
  for (let k = 0; k < 3; k++) {
    const point = corner[3 * t + k];
    xyz[3 * k] = planX[pointPlan[point]];
    xyz[3 * k + 1] = pointY[point];
    xyz[3 * k + 2] = planZ[pointPlan[point]];
  }
  const plane = planeOf(xyz);
  const whole: Shape = ring.map((point) => [planX[pointPlan[point]], planZ[pointPlan[point]], 0]);
  const reached = list
    .map((cut) => ({ shape: partInReach(cuts, cut, plane, tolerance), isWall: false }))
    .filter(({ shape }) => shape.length > 2);
  const pieces = carve(whole, reached, tolerance, budget);
  if (pieces === undefined) return undefined;
  setHeights(pieces, xyz, plane);
  return pieces;
}

/**
 * Returns the part of a cut where the plane of `xyz` is as close to the wall in height as an agent can climb from it.
 */
function partInReach({ shapes, climb, slope }: Cuts, cut: number, plane: readonly number[], tolerance: number): Shape {
  // Next to a wall of its own, the plane is in reach, however steep it is.
  const most = Math.max(slope, Math.sqrt(plane[1] * plane[1] + plane[2] * plane[2]));
  const shape = shapes[cut];
  const aboveWall = (corner: readonly number[]): number =>
    plane[0] + plane[1] * (corner[0] - xyz[0]) + plane[2] * (corner[1] - xyz[2]) - corner[2];
  const reachOf = (corner: readonly number[]): number => climb + 2 * tolerance + most * corner[3];
  let isWhole = true;
  for (const corner of shape) if (Math.abs(aboveWall(corner)) > reachOf(corner)) isWhole = false;
  if (isWhole) return shape;
  const bounds = shape.map((corner) => {
    const above = aboveWall(corner);
    const reach = reachOf(corner);
    return [corner[0], corner[1], above - reach, above + reach];
  });
  return clipShape(clipShape(bounds, 2, -1, 0), 3, 1, 0);
}

/**
 * Returns rectangles along all walls and, around corners where the surface turns by more than half a turn,
 * the area between two of them. Walls are those of merged pieces, since each cuts the surface around it. The
 * end of a tile's rim is no wall.
 */
function findCuts(
  ground: Ground,
  table: PointTable,
  { next, twin, gone }: Pieces,
  { radius, maxClimb, maxSlopeDegrees }: AgentShape,
  lost: Uint8Array,
): Cuts {
  const { planX, planZ, pointPlan, pointY } = table;
  const { corner } = ground;
  const slope = Math.min(maxSlopeDegrees, STEEPEST);
  const rise = sinDegrees(slope) / cosDegrees(slope);
  const reach = maxClimb + radius * rise;
  const cuts: Cuts = { shapes: [], low: [], high: [], climb: maxClimb, slope: rise };
  const arcs: Cuts = { ...cuts, shapes: [], low: [], high: [] };
  const add = (to: Cuts, shape: Shape, a: number, b: number): void => {
    to.shapes.push(shape);
    to.low.push(Math.min(a, b) - reach);
    to.high.push(Math.max(a, b) + reach);
  };
  const around = directionsAround();
  const away = radius / cosDegrees(180 / SIDES);
  // The only wall that ends at each position; -1: none, -2: several.
  const wallTo = new Int32Array(table.planCount).fill(-1);
  const normal = new Float64Array(2 * twin.length);
  const isRing = markRings(ground, table, reach);
  for (let h = 0; h < twin.length; h++) {
    if (twin[h] >= 0 || gone[h] === 1 || isRing[h] === 1 || lost[(h / 3) | 0] === 1) continue;
    const from = pointPlan[corner[h]];
    const to = pointPlan[corner[next[h]]];
    wallTo[to] = wallTo[to] === -1 ? h : -2;
    const dx = planX[to] - planX[from];
    const dz = planZ[to] - planZ[from];
    const length = Math.sqrt(dx * dx + dz * dz);
    // The surface is on the left.
    normal[2 * h] = dz / length;
    normal[2 * h + 1] = -dx / length;
  }
  for (let h = 0; h < twin.length; h++) {
    if (twin[h] >= 0 || gone[h] === 1 || isRing[h] === 1 || lost[(h / 3) | 0] === 1) continue;
    const a = corner[h];
    const b = corner[next[h]];
    const [ax, az] = [planX[pointPlan[a]], planZ[pointPlan[a]]];
    const [bx, bz] = [planX[pointPlan[b]], planZ[pointPlan[b]]];
    const nx = radius * normal[2 * h];
    const nz = radius * normal[2 * h + 1];
    // Starts with the side that faces the surface: what lies behind it stays in one piece.
    add(
      cuts,
      [
        [bx + nx, bz + nz, pointY[b], radius],
        [ax + nx, az + nz, pointY[a], radius],
        [ax, az, pointY[a], 0],
        [bx, bz, pointY[b], 0],
      ],
      pointY[a],
      pointY[b],
    );
    const before = wallTo[pointPlan[a]];
    const circle = { x: ax, y: pointY[a], z: az, radius };
    if (before === -2) {
      const polygon = around.map(([x, z]) => [ax + away * x, az - away * z, pointY[a], radius]);
      add(arcs, polygon, pointY[a], pointY[a]);
    }
    if (before < 0) continue;
    const one = [normal[2 * before], normal[2 * before + 1]];
    const two = [normal[2 * h], normal[2 * h + 1]];
    const turn = one[1] * two[0] - one[0] * two[1];
    const ahead = one[0] * two[0] + one[1] * two[1];
    // Skips corners where the surface turns by less than half a turn. A wall that ends in the surface turns
    // all the way back.
    if (turn >= 0 && (ahead > 0 || turn > -0.01 * ahead)) continue;
    const arc: Shape = [[ax + radius * one[0], az + radius * one[1], pointY[a], radius]];
    addTangents(arc, circle, one, two, [-one[1], one[0]]);
    arc.push([ax + nx, az + nz, pointY[a], radius], [ax, az, pointY[a], 0]);
    add(arcs, arc, pointY[a], pointY[a]);
  }
  // Corners only cut what the walls leave.
  return {
    ...cuts,
    shapes: cuts.shapes.concat(arcs.shapes),
    low: cuts.low.concat(arcs.low),
    high: cuts.high.concat(arcs.high),
  };
}

interface Circle {
  x: number;
  y: number;
  z: number;
  radius: number;
}

/**
 * Adds the intersections of tangents of the circle: one point for directions up to 24 degrees apart,
 * otherwise one for each half. `along`: the direction along the wall.
 */
function addTangents(
  arc: Shape,
  circle: Circle,
  from: readonly number[],
  to: readonly number[],
  along: readonly number[],
): void {
  const { x, y, z, radius } = circle;
  const dot = from[0] * to[0] + from[1] * to[1];
  if (dot > NARROW) {
    const scale = radius / (1 + dot);
    arc.push([x + scale * (from[0] + to[0]), z + scale * (from[1] + to[1]), y, radius]);
    return;
  }
  const [mx, mz] = dot < -0.99 ? along : [from[0] + to[0], from[1] + to[1]];
  const length = Math.sqrt(mx * mx + mz * mz);
  const middle = [mx / length, mz / length];
  addTangents(arc, circle, from, middle, along);
  addTangents(arc, circle, middle, to, along);
}

/** Returns the directions from the center of a regular polygon to its corners. */
function directionsAround(): readonly (readonly number[])[] {
  return Array.from({ length: SIDES }, (_, k) => {
    const degrees = (360 * (k + 0.5)) / SIDES;
    return [cosDegrees(degrees), sinDegrees(degrees)];
  });
}
