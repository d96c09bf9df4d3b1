/**
 * Moves the crossings of a path within its strip to where its cost is least.
 *
 * The cost is a convex function of the shares at joints: between two joints, a path is the taut line through the gates
 * in between (a funnel), whose length is convex in both of its ends. Newton's method with a tridiagonal matrix, since
 * each joint touches two others; shares that press against 0 or 1 are held there. At the minimum, paths bend at a
 * border as light does (Snell's law), or turn around ends of gates.
 *
 * In: a strip with shares at joints.
 * Out: the shares of least cost, the cost, and the corners of the line.
 * Cost: linear in the strip for each of 5 to 15 steps.
 * Based on: Dimitri Bertsekas, Projected Newton Methods for Optimization Problems with Simple Constraints, 1982.
 */
import { END_STRIDE } from './strip.ts';
import type { Strip } from './strip.ts';

/** Lengths are smoothed below this share of the path's length, so that they have a slope at 0. */
const SMOOTH = 1e-7;
const MOST_STEPS = 60;
/** The steps end when the next one is expected to save less than this share of the cost. */
const ENOUGH = 1e-9;

/** Corners of a taut line: x, z, and the crossing whose end it is: 2i right, 2i + 1 left, -1 none. */
export interface Corners {
  count: number;
  x: Float64Array;
  z: Float64Array;
  end: Int32Array;
}

/** Memory of the refinement. */
export interface Refined {
  cost: number;
  /** Number of joints, and their crossings. */
  jointCount: number;
  joints: Int32Array;
  /** Second derivative of the cost by the share of each joint. */
  bend: Float64Array;
}

export const refined: Refined = { cost: NaN, jointCount: 0, joints: new Int32Array(64), bend: new Float64Array(64) };

export const corners: Corners = {
  count: 0,
  x: new Float64Array(64),
  z: new Float64Array(64),
  end: new Int32Array(64),
};

/** Columns for each joint: slope, diagonal, next to the diagonal, step, share before the step. */
let slope = new Float64Array(64);
let beside = new Float64Array(64);
let step = new Float64Array(64);
let before = new Float64Array(64);
let upper = new Float64Array(64);
let held = new Uint8Array(64);
const sum = new Float64Array(2);
const point = new Float64Array(4);

function reserve(count: number): void {
  if (slope.length > count) return;
  const capacity = 2 * count + 16;
  slope = new Float64Array(capacity);
  beside = new Float64Array(capacity);
  step = new Float64Array(capacity);
  before = new Float64Array(capacity);
  upper = new Float64Array(capacity);
  held = new Uint8Array(capacity);
  refined.joints = new Int32Array(capacity);
  refined.bend = new Float64Array(capacity);
}

/** Refines the shares of a strip. Sets `refined`. */
export function refine(strip: Strip): void {
  reserve(strip.count);
  const { joints } = refined;
  let count = 0;
  for (let i = 0; i < strip.count; i++) if (strip.joint[i] !== 0) joints[count++] = i;
  refined.jointCount = count;
  measure(strip, 0, true);
  const smooth = SMOOTH * sum[1];
  for (let k = 0; k < MOST_STEPS; k++) {
    measure(strip, smooth, true);
    const cost = sum[0];
    if (!findStep(strip, cost) || !takeStep(strip, smooth, cost)) break;
  }
  measure(strip, 0, true);
  refined.cost = sum[0] + strip.linkCost;
}

/** Sets `sum` to the cost and length of the line, without links, and the derivatives if wanted. */
function measure(strip: Strip, smooth: number, hasSlopes: boolean): void {
  const { joints, jointCount, bend } = refined;
  sum[0] = sum[1] = 0;
  if (hasSlopes) {
    slope.fill(0, 0, jointCount);
    bend.fill(0, 0, jointCount);
    beside.fill(0, 0, jointCount);
  }
  for (let j = 0; j <= jointCount; j++) {
    const from = j === 0 ? -1 : joints[j - 1];
    const to = j === jointCount ? strip.count : joints[j];
    pull(strip, from, to);
    const weight = strip.weight[to];
    const { x, z, count } = corners;
    let length = 0;
    for (let c = 1; c < count; c++) {
      const dx = x[c] - x[c - 1];
      const dz = z[c] - z[c - 1];
      length += Math.sqrt(dx * dx + dz * dz);
    }
    if (count === 2) length = Math.sqrt(length * length + smooth * smooth);
    sum[0] += weight * length;
    sum[1] += length;
    if (hasSlopes) addSlopes(strip, j, weight, length, smooth);
  }
}

/** Adds the derivatives of the line before joint j, whose corners are set. */
function addSlopes(strip: Strip, j: number, weight: number, length: number, smooth: number): void {
  const { joints, jointCount, bend } = refined;
  const { ends } = strip;
  const { x, z, count } = corners;
  const floor = Math.max(smooth, 1e-300);
  // The direction of the first and of the last piece, and their lengths.
  let ux = x[1] - x[0];
  let uz = z[1] - z[0];
  const isStraight = count === 2;
  const ul = isStraight ? Math.max(length, floor) : Math.sqrt(ux * ux + uz * uz + floor * floor);
  ux /= ul;
  uz /= ul;
  let vx = x[count - 1] - x[count - 2];
  let vz = z[count - 1] - z[count - 2];
  const vl = isStraight ? ul : Math.sqrt(vx * vx + vz * vz + floor * floor);
  vx /= vl;
  vz /= vl;
  let ax = 0;
  let az = 0;
  if (j > 0) {
    const a = END_STRIDE * joints[j - 1] + 6;
    ax = ends[a + 3] - ends[a];
    az = ends[a + 5] - ends[a + 2];
    const along = ux * ax + uz * az;
    slope[j - 1] -= weight * along;
    bend[j - 1] += (weight * (ax * ax + az * az - along * along)) / ul;
  }
  if (j < jointCount) {
    const b = END_STRIDE * joints[j];
    const bx = ends[b + 3] - ends[b];
    const bz = ends[b + 5] - ends[b + 2];
    const along = vx * bx + vz * bz;
    slope[j] += weight * along;
    bend[j] += (weight * (bx * bx + bz * bz - along * along)) / vl;
    if (j > 0 && isStraight) {
      beside[j - 1] = (-weight * (ax * bx + az * bz - (ux * ax + uz * az) * along)) / ul;
    }
  }
}

/** Solves for the step of Newton's method. Returns false if it would save nothing. */
function findStep(strip: Strip, cost: number): boolean {
  const { joints, jointCount, bend } = refined;
  const { share, joint } = strip;
  for (let j = 0; j < jointCount; j++) {
    const t = share[joints[j]];
    held[j] = +(joint[joints[j]] === 2 || (t <= 0 && slope[j] >= 0) || (t >= 1 && slope[j] <= 0));
  }
  // Gaussian elimination of a tridiagonal matrix. A small ridge keeps it regular where a line runs along a gate.
  let saved = 0;
  let previous = 0;
  for (let j = 0; j < jointCount; j++) {
    if (held[j] !== 0) {
      upper[j] = step[j] = 0;
      previous = 0;
      continue;
    }
    const link = j > 0 && held[j - 1] === 0 ? beside[j - 1] : 0;
    const ridge = 1e-9 * bend[j] + 1e-9 * Math.abs(slope[j]) + 1e-300;
    let pivot = bend[j] + ridge - link * previous;
    if (!(pivot > ridge)) pivot = ridge;
    upper[j] = beside[j] / pivot;
    previous = upper[j];
    step[j] = (-slope[j] - (link === 0 ? 0 : link * step[j - 1])) / pivot;
  }
  for (let j = jointCount - 2; j >= 0; j--) {
    if (held[j] === 0 && held[j + 1] === 0) step[j] -= upper[j] * step[j + 1];
  }
  for (let j = 0; j < jointCount; j++) {
    if (held[j] !== 0) continue;
    const target = Math.min(Math.max(share[joints[j]] + step[j], 0), 1);
    saved -= slope[j] * (target - share[joints[j]]);
  }
  return saved > ENOUGH * cost;
}

/** Takes the step, shortened until it saves something. Returns false if no step does. */
function takeStep(strip: Strip, smooth: number, cost: number): boolean {
  const { joints, jointCount } = refined;
  const { share } = strip;
  for (let j = 0; j < jointCount; j++) before[j] = share[joints[j]];
  for (let factor = 1; factor > 1e-6; factor *= factor === 1 ? 0.5 : 0.35) {
    for (let j = 0; j < jointCount; j++) {
      share[joints[j]] = Math.min(Math.max(before[j] + factor * step[j], 0), 1);
    }
    measure(strip, smooth, false);
    if (sum[0] < cost) return true;
  }
  for (let j = 0; j < jointCount; j++) share[joints[j]] = before[j];
  return false;
}

/** Sets `point` to where the path crosses a joint (x, z), and `point[2]`, `point[3]` to where it continues. */
export function setJointPoint(strip: Strip, i: number): void {
  const { ends } = strip;
  const at = END_STRIDE * i;
  const t = strip.share[i];
  for (let side = 0; side < 2; side++) {
    const a = at + 6 * side;
    point[2 * side] = t === 1 ? ends[a + 3] : ends[a] + t * (ends[a + 3] - ends[a]);
    point[2 * side + 1] = t === 1 ? ends[a + 5] : ends[a + 2] + t * (ends[a + 5] - ends[a + 2]);
  }
}

/**
 * Sets `corners` to the taut line from crossing `from` (-1: the start) to crossing `to` (the count: the end), through
 * the gates in between.
 */
export function pull(strip: Strip, from: number, to: number): void {
  const { ends } = strip;
  let ax = strip.start[0];
  let az = strip.start[2];
  if (from >= 0) {
    setJointPoint(strip, from);
    ax = point[2];
    az = point[3];
  }
  let ex = strip.end[0];
  let ez = strip.end[2];
  if (to < strip.count) {
    setJointPoint(strip, to);
    ex = point[0];
    ez = point[1];
  }
  if (corners.x.length < to - from + 4) {
    const capacity = 2 * (to - from) + 16;
    corners.x = new Float64Array(capacity);
    corners.z = new Float64Array(capacity);
    corners.end = new Int32Array(capacity);
  }
  const { x, z, end } = corners;
  x[0] = ax;
  z[0] = az;
  end[0] = -1;
  let count = 1;
  // The funnel: its apex, and the gates of its left and right side.
  let lx = ax;
  let lz = az;
  let rx = ax;
  let rz = az;
  let left = from;
  let right = from;
  for (let i = from + 1; i <= to; i++) {
    // 1, -1: the line turns around the left or right side.
    let side = 0;
    if (i === to) {
      if ((rz - az) * (ex - ax) - (rx - ax) * (ez - az) < 0) side = -1;
      else if ((lz - az) * (ex - ax) - (lx - ax) * (ez - az) > 0) side = 1;
    } else {
      const at = END_STRIDE * i;
      const nrx = ends[at];
      const nrz = ends[at + 2];
      const nlx = ends[at + 3];
      const nlz = ends[at + 5];
      if ((rz - az) * (nrx - ax) - (rx - ax) * (nrz - az) >= 0) {
        const over = (lz - az) * (nrx - ax) - (lx - ax) * (nrz - az);
        const isAhead = (lx - ax) * (nrx - ax) + (lz - az) * (nrz - az) > 0;
        if (over > 0 || (over === 0 && isAhead)) {
          side = 1;
        } else {
          rx = nrx;
          rz = nrz;
          right = i;
        }
      }
      if (side === 0 && (lz - az) * (nlx - ax) - (lx - ax) * (nlz - az) <= 0) {
        const over = (rz - az) * (nlx - ax) - (rx - ax) * (nlz - az);
        const isAhead = (rx - ax) * (nlx - ax) + (rz - az) * (nlz - az) > 0;
        if (over < 0 || (over === 0 && isAhead)) {
          side = -1;
        } else {
          lx = nlx;
          lz = nlz;
          left = i;
        }
      }
    }
    if (side === 0) continue;
    i = side > 0 ? left : right;
    ax = rx = lx = side > 0 ? lx : rx;
    az = rz = lz = side > 0 ? lz : rz;
    left = right = i;
    x[count] = ax;
    z[count] = az;
    end[count++] = 2 * i + +(side > 0);
  }
  x[count] = ex;
  z[count] = ez;
  end[count++] = -1;
  corners.count = count;
}
