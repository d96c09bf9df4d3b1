/**
 * Optimal reciprocal collision avoidance: the velocity nearest to the desired one that collides with no wall, and with
 * no neighbor that takes its share of the avoidance.
 *
 * Every neighbor gives a half-plane of allowed velocities, n · v >= c. A wall gives one only when the velocity so far
 * leads through it. A linear program in two dimensions finds the nearest allowed velocity, line by line. When the
 * half-planes have no common point, it takes the velocity that violates the constraints of neighbors least: the largest
 * violation is smallest, and those of far neighbors count less. Walls and the maximum speed are always respected.
 *
 * Differences from the paper:
 * - The horizon of a neighbor is at most twice the time that the agent needs to cross the gap to it at maximum speed.
 *   With a single horizon, agents start slowly from rest in a dense crowd.
 * - Passing side: the desired velocity turns when neighbors block it, most when they come towards the agent. The center
 *   of a neighbor is shifted slightly to decide on a side. Both agents compute the same, so they choose the same side.
 * - Agents that overlap separate along the line between them, within three ticks.
 *
 * In: one agent's view (scene.ts).
 * Out: a velocity, and whether it satisfies all constraints.
 * Cost: linear in neighbors and walls when the desired velocity is allowed, which is then returned unchanged; otherwise
 * quadratic, and cubic when the half-planes have no common point. No allocation.
 * Based on: Jur van den Berg, Stephen Guy, Ming Lin, Dinesh Manocha, Reciprocal n-Body Collision Avoidance,
 * 2011 (truncated velocity obstacles, shared half-planes, program in the plane); Raimund Seidel,
 * Small-Dimensional Linear Programming and Convex Hulls Made Easy, 1991 (one constraint after the other).
 * Own: overlaps, passing side, shares, walls.
 * Tried: shifting the center of a neighbor by up to the sum of the radii, with half the turns. Dense open flow was 10 %
 * slower, and junctions 17 % (`npm run bench -- --only crowd-flow`).
 */
import { addWallLine, setWallHorizons, wallInTheWay } from './orca-walls.ts';
import {
  LINE_C,
  LINE_EASE,
  LINE_NX,
  LINE_NZ,
  LINE_STRIDE,
  NEIGHBOR_DX,
  NEIGHBOR_DZ,
  NEIGHBOR_RADIUS,
  NEIGHBOR_SHARE,
  NEIGHBOR_STRIDE,
  NEIGHBOR_VX,
  NEIGHBOR_VZ,
  SELF_DESIRED_X,
  SELF_DESIRED_Z,
  SELF_HORIZON,
  SELF_MAX_SPEED,
  SELF_RADIUS,
  SELF_SIDE,
  SELF_STEP,
  SELF_VX,
  SELF_VZ,
} from './scene.ts';
import type { AvoidanceScene } from './scene.ts';

/** Ticks within which agents that overlap separate. Fewer ticks push harder. */
const OVERLAP_STEPS = 3;
/**
 * Longest horizon of a neighbor, in multiples of the time that the agent needs to cross the gap to it at maximum speed.
 */
export const GAP_TIMES = 2;
/** Shortest horizon of a neighbor, seconds. */
export const LEAST_HORIZON = 0.15;
/** Shift of a far neighbor's center that decides on a side, in sums of the radii. */
const SIDE_SHIFT = 0.01;
/**
 * Tangents of the largest turns of the desired velocity to the passing side: for neighbors that block it, and for
 * oncoming neighbors.
 */
const TURN = 0.6;
const TURN_ONCOMING = 1.5;
/**
 * Each diameter of gap to a neighbor allows this much more violation of its constraint than a neighbor that touches.
 */
const EASE = 3;
/** Error allowed in velocities, as a share of the maximum speed. */
export const TOLERANCE = 1e-9;
/** Sine of the angle below which two lines count as parallel. */
const PARALLEL = 1e-9;

// Layout of `aim`.
/** The aimed velocity: the desired one within the maximum speed, turned to the passing side. */
const AIM_X = 0;
const AIM_Z = 1;
const AIM_MAX_SPEED = 2;
/** `TOLERANCE` in world units per second. */
const AIM_TOLERANCE = 3;
/** Tangent of the turn to the passing side. */
const AIM_TURN = 4;
/** The row after the last half-plane of a neighbor. */
const AIM_END = 5;
/**
 * Data of the current agent, for the functions below. An array, because V8 may allocate numbers passed between
 * functions.
 */
const aim = new Float64Array(6);
/** Direction in which `moveOnto` goes as far as possible. */
const toward = new Float64Array(2);
const trial = new Float64Array(2);

/**
 * Writes the chosen velocity (vx, vz) for `scene` to out[0], out[1]. Returns false when no velocity satisfies all
 * constraints. The chosen velocity then satisfies those of walls and violates those of neighbors least. All numbers
 * must be finite, and horizons and step must be above 0; they are not checked.
 *
 * @param byAim passes neighbors that stand and do not give way on the side of the desired velocity instead of the
 *   current one
 */
export function avoidByOrca(out: Float64Array, scene: AvoidanceScene, byAim: boolean = false): boolean {
  const { self, wallCount, neighborCount } = scene;
  const max = self[SELF_MAX_SPEED];
  let x = self[SELF_DESIRED_X];
  let z = self[SELF_DESIRED_Z];
  const speedSq = x * x + z * z;
  if (speedSq > max * max * (1 + TOLERANCE)) {
    const scale = max / Math.sqrt(speedSq);
    x *= scale;
    z *= scale;
  }
  out[0] = x;
  out[1] = z;
  aim[AIM_X] = x;
  aim[AIM_Z] = z;
  aim[AIM_MAX_SPEED] = max;
  aim[AIM_TOLERANCE] = TOLERANCE * max;
  aim[AIM_TURN] = 0;
  // The first `wallCount` rows are for walls, which are filled backwards. Rows of neighbors follow.
  const end = neighborCount > 0 ? addNeighborLines(scene, byAim) : wallCount;
  aim[AIM_END] = end;
  const turn = aim[AIM_TURN];
  if (turn !== 0) {
    const scale = 1 / Math.sqrt(1 + turn * turn);
    aim[AIM_X] = (x - turn * z) * scale;
    aim[AIM_Z] = (z + turn * x) * scale;
    out[0] = aim[AIM_X];
    out[1] = aim[AIM_Z];
  }
  return solve(out, scene, end);
}

/**
 * Writes the allowed velocity nearest to `aimed` instead of the desired one, with the half-planes of the last
 * `avoidByOrca`, which must have been for the same unchanged scene. `aimed` is no faster than the maximum speed.
 */
export function aimByOrca(out: Float64Array, scene: AvoidanceScene, aimed: Float64Array): boolean {
  const x = aimed[0];
  const z = aimed[1];
  aim[AIM_X] = x;
  aim[AIM_Z] = z;
  out[0] = x;
  out[1] = z;
  return solve(out, scene, aim[AIM_END]);
}

/** Moves `out`, the aim, to the nearest allowed velocity. Lines of neighbors end before row `end`. */
function solve(out: Float64Array, scene: AvoidanceScene, end: number): boolean {
  const { lines, wallCount } = scene;
  const tolerance = aim[AIM_TOLERANCE];
  let fits = true;
  for (let i = wallCount; i < end; i++) {
    const at = LINE_STRIDE * i;
    if (
      lines[at + LINE_NX] * out[0] + lines[at + LINE_NZ] * out[1] < lines[at + LINE_C] - tolerance &&
      !moveOnto(out, lines, wallCount, i, i, 0)
    ) {
      fits = false;
      missLeast(out, lines, wallCount, end, wallCount);
      break;
    }
  }
  if (wallCount === 0) return fits;
  let first = wallCount;
  setWallHorizons(scene, aim);
  for (let wall = wallInTheWay(scene, out); wall >= 0; wall = wallInTheWay(scene, out)) {
    first--;
    addWallLine(scene, wall, first, out);
    if (fits && moveOnto(out, lines, first, end, first, 0)) continue;
    fits = false;
    missLeast(out, lines, first, end, wallCount);
  }
  return fits;
}

/**
 * Writes the half-planes of neighbors, and sets how far the aim turns. Returns the row after the last one.
 */
function addNeighborLines(scene: AvoidanceScene, byAim: boolean): number {
  const { self, neighbors, neighborCount, lines } = scene;
  const vx = self[SELF_VX];
  const vz = self[SELF_VZ];
  const radius = self[SELF_RADIUS];
  const horizon = self[SELF_HORIZON];
  const perSpeed = GAP_TIMES / self[SELF_MAX_SPEED];
  const perOverlap = 1 / (OVERLAP_STEPS * self[SELF_STEP]);
  const easing = radius > 0 ? EASE / (2 * radius) : EASE;
  const shift = -SIDE_SHIFT * self[SELF_SIDE];
  const desiredX = aim[AIM_X];
  const desiredZ = aim[AIM_Z];
  const perMax = 2 / self[SELF_MAX_SPEED];
  let turn = 0;
  let row = scene.wallCount;
  for (let k = 0; k < neighborCount; k++) {
    const from = NEIGHBOR_STRIDE * k;
    const share = neighbors[from + NEIGHBOR_SHARE];
    if (!(share > 0)) continue;
    const dx = neighbors[from + NEIGHBOR_DX];
    const dz = neighbors[from + NEIGHBOR_DZ];
    const reach = radius + neighbors[from + NEIGHBOR_RADIUS];
    const otherX = neighbors[from + NEIGHBOR_VX];
    const otherZ = neighbors[from + NEIGHBOR_VZ];
    // A standing body does not depend on the current velocity of the agent.
    const isByAim = byAim && share === 1 && otherX === 0 && otherZ === 0;
    const ownX = isByAim ? desiredX : vx;
    const ownZ = isByAim ? desiredZ : vz;
    const rx = ownX - otherX;
    const rz = ownZ - otherZ;
    const distanceSq = dx * dx + dz * dz;
    const reachSq = reach * reach;
    let nx: number;
    let nz: number;
    // How much the relative velocity has to change along n.
    let change: number;
    let ease = 1;
    if (distanceSq > reachSq) {
      const distance = Math.sqrt(distanceSq);
      ease = 1 + easing * (distance - reach);
      let time = (distance - reach) * perSpeed;
      if (time < LEAST_HORIZON) time = LEAST_HORIZON;
      const perHorizon = 1 / (time < horizon ? time : horizon);
      // The relative velocity must stay out of the disc of radius reach / time around d / time, and out of all
      // multiples of that disc from 1 on. The nearest point of their border is on the disc or on one of the two
      // tangents from the origin. The center of a neighbor straight ahead is shifted to decide between the tangents.
      const perDistanceSq = 1 / distanceSq;
      const leg = Math.sqrt(distanceSq - reachSq) * perDistanceSq;
      const aside = shift * reach * perHorizon * leg;
      const wx = rx - aside * dz - dx * perHorizon;
      const wz = rz + aside * dx - dz * perHorizon;
      const along = wx * dx + wz * dz;
      const lengthSq = wx * wx + wz * wz;
      if (along < 0 && along * along > reachSq * lengthSq) {
        const perLength = 1 / Math.sqrt(lengthSq);
        nx = wx * perLength;
        nz = wz * perLength;
        change = (nx * dx + nz * dz + reach) * perHorizon - (nx * rx + nz * rz);
      } else {
        // The normal of a tangent: the direction away from the neighbor, turned by the angle whose sine is
        // reach / distance.
        const width = reach * perDistanceSq;
        if (dx * wz - dz * wx >= 0) {
          nx = -dz * leg - dx * width;
          nz = dx * leg - dz * width;
        } else {
          nx = dz * leg - dx * width;
          nz = -dx * leg - dz * width;
        }
        change = -(nx * rx + nz * rz);
      }
    } else {
      const distance = Math.sqrt(distanceSq);
      if (distance > 0) {
        nx = -dx / distance;
        nz = -dz / distance;
      } else {
        // At the same position, the agents separate along the relative velocity, or else along the desired one.
        const isMoving = rx * rx + rz * rz > 0;
        const gx = isMoving ? rx : self[SELF_DESIRED_X];
        const gz = isMoving ? rz : self[SELF_DESIRED_Z];
        const length = Math.sqrt(gx * gx + gz * gz);
        nx = length > 0 ? gx / length : 1 - 2 * (k & 1);
        nz = length > 0 ? gz / length : 0;
      }
      change = (reach - distance) * perOverlap - (nx * rx + nz * rz);
    }
    const at = LINE_STRIDE * row++;
    lines[at + LINE_NX] = nx;
    lines[at + LINE_NZ] = nz;
    const c = nx * ownX + nz * ownZ + share * change;
    lines[at + LINE_C] = c;
    lines[at + LINE_EASE] = ease;
    const miss = (c - nx * desiredX - nz * desiredZ) * perMax;
    if (miss > TOLERANCE) {
      const against = -(otherX * desiredX + otherZ * desiredZ) * perMax * perMax;
      const part = TURN + (TURN_ONCOMING - TURN) * (against < 0 ? 0 : against < 1 ? against : 1);
      const wish = miss < 1 ? part * miss : part;
      if (wish > turn) turn = wish;
    }
  }
  aim[AIM_TURN] = -self[SELF_SIDE] * turn;
  return row;
}

/**
 * Moves `out` to the best point of line `row` that lines first .. last - 1 and the maximum speed allow. This is the
 * point nearest to the aim, or, with `farthest` 1, the farthest point in direction `toward`. Returns false, and keeps
 * `out`, when they allow none.
 */
function moveOnto(
  out: Float64Array,
  lines: Float64Array,
  first: number,
  last: number,
  row: number,
  farthest: number,
): boolean {
  const at = LINE_STRIDE * row;
  const nx = lines[at + LINE_NX];
  const nz = lines[at + LINE_NZ];
  const c = lines[at + LINE_C];
  const max = aim[AIM_MAX_SPEED];
  const tolerance = aim[AIM_TOLERANCE];
  const halfSq = max * max - c * c;
  if (halfSq < 0) return false;
  // Points of the line are n * c + t * (-nz, nx), with t in low .. high.
  let high = Math.sqrt(halfSq);
  let low = -high;
  for (let j = first; j < last; j++) {
    if (j === row) continue;
    const other = LINE_STRIDE * j;
    const mx = lines[other + LINE_NX];
    const mz = lines[other + LINE_NZ];
    const slope = mz * nx - mx * nz;
    const rest = lines[other + LINE_C] - c * (mx * nx + mz * nz);
    if (slope > PARALLEL) {
      const t = rest / slope;
      if (t > low) low = t;
    } else if (slope < -PARALLEL) {
      const t = rest / slope;
      if (t < high) high = t;
    } else if (rest > tolerance) {
      return false;
    }
    if (low > high + tolerance) return false;
  }
  let t = aim[AIM_Z] * nx - aim[AIM_X] * nz;
  if (farthest === 1) {
    const gain = toward[1] * nx - toward[0] * nz;
    if (gain > PARALLEL) t = high;
    else if (gain < -PARALLEL) t = low;
  }
  t = t > high ? high : t;
  t = t < low ? low : t;
  out[0] = nx * c - nz * t;
  out[1] = nz * c + nx * t;
  return true;
}

/**
 * Writes the velocity with the smallest maximum violation of lines soft .. end - 1, each divided by its ease. Lines
 * first .. soft - 1 are satisfied.
 */
function missLeast(out: Float64Array, lines: Float64Array, first: number, end: number, soft: number): void {
  const tolerance = aim[AIM_TOLERANCE];
  out[0] = aim[AIM_X];
  out[1] = aim[AIM_Z];
  // First, skip the lines that can be satisfied together.
  let miss = 0;
  let row = first;
  for (; row < end; row++) {
    const at = LINE_STRIDE * row;
    if (lines[at + LINE_NX] * out[0] + lines[at + LINE_NZ] * out[1] >= lines[at + LINE_C] - tolerance) continue;
    if (moveOnto(out, lines, first, row, row, 0)) continue;
    if (row >= soft) break;
    // Walls always allow standing still, so this line only failed by rounding.
    out[0] = 0;
    out[1] = 0;
  }
  const half = lines.length / 2;
  const base = half / LINE_STRIDE;
  for (; row < end; row++) {
    const at = LINE_STRIDE * row;
    const nx = lines[at + LINE_NX];
    const nz = lines[at + LINE_NZ];
    const c = lines[at + LINE_C];
    const ease = lines[at + LINE_EASE];
    if (c - (nx * out[0] + nz * out[1]) <= (miss + tolerance) * ease) continue;
    // This line is violated most. Find the velocity that violates it least and violates no earlier line by more. This
    // is a linear program over the lines on which an earlier violation equals this one; they go into the second half of
    // `lines`.
    let count = 0;
    for (let j = first; j < row; j++) {
      const from = LINE_STRIDE * j;
      let mx = lines[from + LINE_NX];
      let mz = lines[from + LINE_NZ];
      let mc = lines[from + LINE_C];
      if (j >= soft) {
        const ratio = lines[from + LINE_EASE] / ease;
        mx -= nx * ratio;
        mz -= nz * ratio;
        mc -= c * ratio;
        const length = Math.sqrt(mx * mx + mz * mz);
        if (length < PARALLEL) continue;
        mx /= length;
        mz /= length;
        mc /= length;
      }
      const to = half + LINE_STRIDE * count++;
      lines[to + LINE_NX] = mx;
      lines[to + LINE_NZ] = mz;
      lines[to + LINE_C] = mc;
    }
    toward[0] = nx;
    toward[1] = nz;
    trial[0] = nx * aim[AIM_MAX_SPEED];
    trial[1] = nz * aim[AIM_MAX_SPEED];
    let isFound = true;
    for (let j = base; j < base + count && isFound; j++) {
      const from = LINE_STRIDE * j;
      if (lines[from + LINE_NX] * trial[0] + lines[from + LINE_NZ] * trial[1] >= lines[from + LINE_C] - tolerance)
        continue;
      isFound = moveOnto(trial, lines, base, j, j, 1);
    }
    if (!isFound) continue;
    out[0] = trial[0];
    out[1] = trial[1];
    miss = (c - (nx * out[0] + nz * out[1])) / ease;
  }
}
