/**
 * The velocity nearest to the desired one with which an agent collides neither with others, who do their share, nor with walls.
 *
 * In: one agent's view (avoidance.ts). Out: a velocity, and whether all could be satisfied. Every neighbour gives a half-plane of
 * velocities, n · v >= c; walls give one only when what was chosen so far would go through them. A linear program in two
 * dimensions finds the nearest velocity line by line. When the half-planes have nothing in common, the velocity that misses them
 * least is taken (the largest miss is the smallest that can be; of those farther away more is let pass), with walls and maximum
 * speed kept.
 *
 * Other than in the paper: (1) The horizon of a neighbour is at most twice the time its gap takes at maximum speed. With one
 * horizon the gap to one who stands shrinks by the same part again and again, and nobody gets going from rest: six on a circle
 * took 20 times as long. (2) The common side: a neighbour is aimed at beside its middle, and the desired velocity is turned when
 * others are in its way, most when they come towards it. Both see the same, so both choose the same side: counterflow two
 * agents wide, which jams with a turn of 0.1, clears in the time of an empty corridor. (3) Two that overlap part along the line
 * between them, within three ticks.
 *
 * Cost: linear in neighbours and walls when the desired velocity will do, which then comes back bit for bit; else quadratic, and
 * cubic when nothing is left. Node 20, random velocities: 0.1 us with 2 neighbours, 0.3 with 8 and 2 walls, 0.5 when they are
 * near, 0.75 in a jam. A tenth to a twentieth of sampled.ts. No allocation.
 *
 * Based on: Jur van den Berg, Stephen Guy, Ming Lin, Dinesh Manocha, Reciprocal n-Body Collision Avoidance, 2011 (velocity
 * obstacles cut off at a horizon, half-planes shared by both, program in the plane); Raimund Seidel, Small-Dimensional Linear
 * Programming and Convex Hulls Made Easy, 1991 (one constraint after the other). Own: overlaps, sides, shares, walls.
 */
import {
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
import { addWallLine, setWallHorizons, wallInTheWay } from './orca-walls.ts';

/** Ticks in which two that overlap shall have come apart. */
const OVERLAP_STEPS = 3;
/** The horizon of a neighbour: so many times as long as its gap takes to cross at maximum speed … */
const GAP_TIMES = 2;
/** … but no less than this, in seconds. */
const LEAST_HORIZON = 0.15;
/** Of the sum of the radii: how far beside its middle a far neighbour is aimed at when it is asked on which side to pass. */
const SIDE_SHIFT = 1;
/** Tangent: how far the desired velocity is turned to the common side at most, when others are in its way … */
const TURN = 0.3;
/** … and when they come towards it. */
const TURN_ONCOMING = 1;
/** How much more a neighbour may be missed for each diameter of a gap to it than one that is touched. */
const EASE = 3;
/** Of the maximum speed: what velocities may be off by. */
const TOLERANCE = 1e-9;
/** Sine of the angle below which two lines are parallel. */
const PARALLEL = 1e-9;

/**
 * The velocity aimed at (x, z), the maximum speed, the tolerance, how far the aim is turned. In an array, as numbers handed
 * over might be allocated.
 */
const aim = new Float64Array(5);

/**
 * Chooses out[0], out[1] (vx, vz) for `scene`. False when the constraints have no common velocity: then it is the one that
 * misses the neighbours' least; walls are kept. All numbers must be finite; horizons and step above 0.
 */
export function avoidByOrca(out: Float64Array, scene: AvoidanceScene): boolean {
  const { self, lines, wallCount, neighborCount } = scene;
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
  aim[0] = x;
  aim[1] = z;
  aim[2] = max;
  const tolerance = TOLERANCE * max;
  aim[3] = tolerance;
  aim[4] = 0;
  // Rows of neighbours come after room for the walls', which are filled from there down.
  const end = neighborCount > 0 ? addNeighborLines(scene) : wallCount;
  const turn = aim[4];
  if (turn !== 0) {
    const scale = 1 / Math.sqrt(1 + turn * turn);
    aim[0] = (x - turn * z) * scale;
    aim[1] = (z + turn * x) * scale;
    out[0] = aim[0];
    out[1] = aim[1];
  }
  let fits = true;
  for (let i = wallCount; i < end; i++) {
    const at = LINE_STRIDE * i;
    if (
      lines[at] * out[0] + lines[at + 1] * out[1] < lines[at + 2] - tolerance &&
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

/** Writes the half-planes of neighbours; returns the row after the last. Sets how far the aim is to be turned. */
function addNeighborLines(scene: AvoidanceScene): number {
  const { self, neighbors, neighborCount, lines } = scene;
  const vx = self[SELF_VX];
  const vz = self[SELF_VZ];
  const radius = self[SELF_RADIUS];
  const horizon = self[SELF_HORIZON];
  const perSpeed = GAP_TIMES / self[SELF_MAX_SPEED];
  const perOverlap = 1 / (OVERLAP_STEPS * self[SELF_STEP]);
  const easing = radius > 0 ? EASE / (2 * radius) : EASE;
  const shift = -SIDE_SHIFT * self[SELF_SIDE];
  const desiredX = aim[0];
  const desiredZ = aim[1];
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
    const rx = vx - neighbors[from + NEIGHBOR_VX];
    const rz = vz - neighbors[from + NEIGHBOR_VZ];
    const distanceSq = dx * dx + dz * dz;
    const reachSq = reach * reach;
    let nx: number;
    let nz: number;
    /** How much the relative velocity has to change along n. */
    let change: number;
    let ease = 1;
    if (distanceSq > reachSq) {
      const distance = Math.sqrt(distanceSq);
      ease = 1 + easing * (distance - reach);
      let time = (distance - reach) * perSpeed;
      if (time < LEAST_HORIZON) time = LEAST_HORIZON;
      const perHorizon = 1 / (time < horizon ? time : horizon);
      // What the relative velocity must not be in: the disc of radius reach / time around d / time, and all that is that disc
      // made longer. The nearest point of its border is on the disc or on one of the two tangents from 0.
      // The nearer the neighbour, the less is it aimed at beside: one at rest must not be sent to a tangent, which lets it
      // no nearer at all.
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
        // The normal of a tangent is the direction away, turned by the angle whose sine is reach / distance.
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
        // Apart in the direction they already go apart, else where this one wants to go.
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
    lines[at] = nx;
    lines[at + 1] = nz;
    const c = nx * vx + nz * vz + share * change;
    lines[at + 2] = c;
    lines[at + 3] = ease;
    const miss = (c - nx * desiredX - nz * desiredZ) * perMax;
    if (miss > TOLERANCE) {
      const against =
        -(neighbors[from + NEIGHBOR_VX] * desiredX + neighbors[from + NEIGHBOR_VZ] * desiredZ) * perMax * perMax;
      const part = TURN + (TURN_ONCOMING - TURN) * (against < 0 ? 0 : against < 1 ? against : 1);
      const wish = miss < 1 ? part * miss : part;
      if (wish > turn) turn = wish;
    }
  }
  aim[4] = -self[SELF_SIDE] * turn;
  return row;
}

/**
 * Moves out to the best place of line `row` that lines first .. last - 1 and the maximum speed leave: nearest to the aim, or,
 * with `farthest` 1, farthest in direction `toward`. False, and out stays, when they leave none.
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
  const nx = lines[at];
  const nz = lines[at + 1];
  const c = lines[at + 2];
  const max = aim[2];
  const tolerance = aim[3];
  const halfSq = max * max - c * c;
  if (halfSq < 0) return false;
  // Places of the line: n * c + t * (-nz, nx).
  let high = Math.sqrt(halfSq);
  let low = -high;
  for (let j = first; j < last; j++) {
    if (j === row) continue;
    const other = LINE_STRIDE * j;
    const mx = lines[other];
    const mz = lines[other + 1];
    const slope = mz * nx - mx * nz;
    const rest = lines[other + 2] - c * (mx * nx + mz * nz);
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
  let t = aim[1] * nx - aim[0] * nz;
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

const toward = new Float64Array(2);
const trial = new Float64Array(2);

/**
 * The velocity for which the largest miss of lines soft .. end - 1, each divided by its ease, is smallest, while lines
 * first .. soft - 1 are kept.
 */
function missLeast(out: Float64Array, lines: Float64Array, first: number, end: number, soft: number): void {
  const tolerance = aim[3];
  out[0] = aim[0];
  out[1] = aim[1];
  // A miss of 0 as long as it goes.
  let miss = 0;
  let row = first;
  for (; row < end; row++) {
    const at = LINE_STRIDE * row;
    if (lines[at] * out[0] + lines[at + 1] * out[1] >= lines[at + 2] - tolerance) continue;
    if (moveOnto(out, lines, first, row, row, 0)) continue;
    if (row >= soft) break;
    // Walls leave at least standing still; it was rounding.
    out[0] = 0;
    out[1] = 0;
  }
  const half = lines.length / 2;
  const base = half / LINE_STRIDE;
  for (; row < end; row++) {
    const at = LINE_STRIDE * row;
    const nx = lines[at];
    const nz = lines[at + 1];
    const c = lines[at + 2];
    const ease = lines[at + 3];
    if (c - (nx * out[0] + nz * out[1]) <= (miss + tolerance) * ease) continue;
    // This line is missed most: where, of the places in which no earlier one is missed by more, is it missed least?
    let count = 0;
    for (let j = first; j < row; j++) {
      const from = LINE_STRIDE * j;
      let mx = lines[from];
      let mz = lines[from + 1];
      let mc = lines[from + 2];
      if (j >= soft) {
        const ratio = lines[from + 3] / ease;
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
      lines[to] = mx;
      lines[to + 1] = mz;
      lines[to + 2] = mc;
    }
    toward[0] = nx;
    toward[1] = nz;
    trial[0] = nx * aim[2];
    trial[1] = nz * aim[2];
    let isFound = true;
    for (let j = base; j < base + count && isFound; j++) {
      const from = LINE_STRIDE * j;
      if (lines[from] * trial[0] + lines[from + 1] * trial[1] >= lines[from + 2] - tolerance) continue;
      isFound = moveOnto(trial, lines, base, j, j, 1);
    }
    if (!isFound) continue;
    out[0] = trial[0];
    out[1] = trial[1];
    miss = (c - (nx * out[0] + nz * out[1])) / ease;
  }
}
