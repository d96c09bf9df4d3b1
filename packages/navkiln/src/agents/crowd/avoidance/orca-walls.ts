/**
 * Walls as constraints on a velocity: finds the wall that a velocity leads through, and the half-plane that prevents
 * this.
 *
 * The agent is a point here, because the mesh has been shrunk by its radius. The velocities that lead through a segment
 * within the horizon form a cone without its tip: all multiples, from 1 / horizon on, of the points of the segment. A
 * wall that the velocity does not cross adds nothing. A wall that it crosses adds the side of its cone that is nearest
 * to the velocity. This is its front, which lets the agent approach without reaching it within the horizon, or the line
 * of sight past an end that is free. An end is free when no other wall that faces the agent continues there. So no
 * velocity leads through the seam between two walls, and agents pass corners and door posts closely and at full speed.
 * An agent on a convex corner is on both walls and may move along either.
 *
 * A wall that the aimed velocity itself would hit counts for two ticks only. Either the path turns before that wall, or
 * the agent steps aside and should come as near to the wall as it can.
 *
 * In: walls and horizons of a scene, velocities.
 * Out: `wallHorizons`, rows of `lines`.
 * Cost: linear in the walls per call; quadratic in the walls that the velocity crosses, to find free ends.
 * Based on: van den Berg et al., Reciprocal n-Body Collision Avoidance, 2011, whose cone this is for radius
 * 0. Own: free ends, short horizons.
 * Tried: the full horizon for every wall. Agents then walk slowly along bends of narrow passages (`npm run bench --
 * --only crowd`).
 */
import {
  LINE_C,
  LINE_NX,
  LINE_NZ,
  LINE_STRIDE,
  SELF_RADIUS,
  SELF_STEP,
  SELF_WALL_HORIZON,
  WALL_STRIDE,
} from './scene.ts';
import type { AvoidanceScene } from './scene.ts';

/**
 * Epsilon as a share of the radius: rounding may cross a wall by it, and two ends of walls within it are the same
 * point.
 */
const EPSILON = 1 / 256;
/** Ticks for which a wall counts when the aimed velocity would hit it. */
const NEAR_STEPS = 2;

// Ends of a wall, as offsets into its row.
const START = 0;
const END = 2;

/**
 * Sets the time for which each wall counts. It is shorter when `aim` leads through the wall, and 0 when the wall does
 * not face the agent.
 */
export function setWallHorizons(scene: AvoidanceScene, aim: Float64Array): void {
  const { self, wallCount, wallHorizons } = scene;
  const horizon = self[SELF_WALL_HORIZON];
  const near = Math.min(horizon, NEAR_STEPS * self[SELF_STEP]);
  for (let k = 0; k < wallCount; k++) {
    wallHorizons[k] = 0;
    if (!isFacing(scene, k)) continue;
    wallHorizons[k] = horizon;
    if (leadsThrough(scene, k, aim)) wallHorizons[k] = near;
  }
}

/** Returns the first wall that velocity `v` leads through within its time, or -1. */
export function wallInTheWay(scene: AvoidanceScene, v: Float64Array): number {
  const { wallCount, wallHorizons } = scene;
  for (let k = 0; k < wallCount; k++) {
    if (wallHorizons[k] > 0 && leadsThrough(scene, k, v)) return k;
  }
  return -1;
}

/**
 * Writes line `row`: the side of wall k's cone that is nearest to velocity `v`. The wall no longer counts
 * afterwards.
 */
export function addWallLine(scene: AvoidanceScene, k: number, row: number, v: Float64Array): void {
  const { self, walls, wallHorizons, lines } = scene;
  const w = WALL_STRIDE * k;
  const x1 = walls[w];
  const z1 = walls[w + 1];
  const ux = walls[w + 2] - x1;
  const uz = walls[w + 3] - z1;
  const length = Math.sqrt(ux * ux + uz * uz);
  const distance = Math.max(0, (ux * z1 - uz * x1) / length);
  let nx = uz / length;
  let nz = -ux / length;
  let c = -distance / wallHorizons[k];
  wallHorizons[k] = 0;
  if (distance > EPSILON * self[SELF_RADIUS]) {
    let best = c - (nx * v[0] + nz * v[1]);
    for (let e = START; e <= END; e += 2) {
      const px = walls[w + e];
      const pz = walls[w + e + 1];
      const away = Math.sqrt(px * px + pz * pz);
      // The wall lies to the left of the line from the agent to its start, and to the right of the line to its end.
      const sign = e === START ? -1 : 1;
      const mx = (sign * pz) / away;
      const mz = (-sign * px) / away;
      const miss = -(mx * v[0] + mz * v[1]);
      if (miss >= best || joinedWall(scene, k, e) >= 0) continue;
      best = miss;
      nx = mx;
      nz = mz;
      c = 0;
    }
  } else {
    // On a convex corner, the agent may also move along the other wall.
    for (let e = START; e <= END; e += 2) {
      const px = walls[w + e];
      const pz = walls[w + e + 1];
      if (px * px + pz * pz > 4 * EPSILON * EPSILON * self[SELF_RADIUS] * self[SELF_RADIUS]) continue;
      const other = joinedWall(scene, k, e);
      if (other < 0 || !sticksOut(scene, k, e, other)) continue;
      const o = WALL_STRIDE * other;
      const ox = walls[o + 2] - walls[o];
      const oz = walls[o + 3] - walls[o + 1];
      const otherLength = Math.sqrt(ox * ox + oz * oz);
      if ((oz * v[0] - ox * v[1]) / otherLength <= nx * v[0] + nz * v[1]) continue;
      nx = oz / otherLength;
      nz = -ox / otherLength;
    }
  }
  const at = LINE_STRIDE * row;
  lines[at + LINE_NX] = nx;
  lines[at + LINE_NZ] = nz;
  lines[at + LINE_C] = c;
}

/** Returns whether the agent is on the walkable side of wall k, or on the wall. */
function isFacing(scene: AvoidanceScene, k: number): boolean {
  const { self, walls } = scene;
  const w = WALL_STRIDE * k;
  const ux = walls[w + 2] - walls[w];
  const uz = walls[w + 3] - walls[w + 1];
  const lengthSq = ux * ux + uz * uz;
  if (!(lengthSq > 0)) return false;
  const side = ux * walls[w + 1] - uz * walls[w];
  const epsilon = EPSILON * self[SELF_RADIUS];
  return side >= 0 || side * side <= epsilon * epsilon * lengthSq;
}

/** Returns whether velocity `v` leads through wall k within the wall's time. */
function leadsThrough(scene: AvoidanceScene, k: number, v: Float64Array): boolean {
  const { self, walls, wallHorizons } = scene;
  const w = WALL_STRIDE * k;
  const x1 = walls[w];
  const z1 = walls[w + 1];
  const ux = walls[w + 2] - x1;
  const uz = walls[w + 3] - z1;
  // Speed towards the wall and distance from it, both multiplied by its length.
  const approach = ux * v[1] - uz * v[0];
  const distance = Math.max(0, ux * z1 - uz * x1);
  if (!(approach * wallHorizons[k] > distance)) return false;
  const lengthSq = ux * ux + uz * uz;
  const along = ((v[0] * ux + v[1] * uz) * distance) / approach - x1 * ux - z1 * uz;
  const epsilon = EPSILON * self[SELF_RADIUS] * Math.sqrt(lengthSq);
  if (along < epsilon) return along >= -epsilon && isSeamInTheWay(scene, k, START, v);
  if (along > lengthSq - epsilon) return along <= lengthSq + epsilon && isSeamInTheWay(scene, k, END, v);
  return true;
}

/**
 * Returns whether velocity `v`, which leads to an end of wall k, hits a wall there. At a convex corner, `v` is allowed
 * unless it also leads behind the other wall.
 */
function isSeamInTheWay(scene: AvoidanceScene, k: number, end: number, v: Float64Array): boolean {
  const other = joinedWall(scene, k, end);
  if (other < 0) return false;
  if (!sticksOut(scene, k, end, other)) return true;
  const { walls } = scene;
  const w = WALL_STRIDE * other;
  return (walls[w + 2] - walls[w]) * v[1] - (walls[w + 3] - walls[w + 1]) * v[0] > 0;
}

/** Returns whether the corner between wall k and `other`, which continues at that end, points at the agent. */
function sticksOut({ walls }: AvoidanceScene, k: number, end: number, other: number): boolean {
  const a = WALL_STRIDE * (end === END ? k : other);
  const b = WALL_STRIDE * (end === END ? other : k);
  const ux = walls[a + 2] - walls[a];
  const uz = walls[a + 3] - walls[a + 1];
  return uz * (walls[b + 2] - walls[b]) - ux * (walls[b + 3] - walls[b + 1]) < 0;
}

/** Returns another wall that faces the agent and continues at the `START` or `END` of wall k, or -1. */
function joinedWall(scene: AvoidanceScene, k: number, end: number): number {
  const { self, walls, wallCount } = scene;
  const x = walls[WALL_STRIDE * k + end];
  const z = walls[WALL_STRIDE * k + end + 1];
  const epsilon = EPSILON * self[SELF_RADIUS];
  for (let j = 0; j < wallCount; j++) {
    if (j === k) continue;
    const w = WALL_STRIDE * j + END - end;
    const dx = walls[w] - x;
    const dz = walls[w + 1] - z;
    if (dx * dx + dz * dz <= epsilon * epsilon && isFacing(scene, j)) return j;
  }
  return -1;
}
