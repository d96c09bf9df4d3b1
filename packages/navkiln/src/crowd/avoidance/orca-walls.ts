/**
 * Walls as constraints on a velocity: which wall would be walked through, and by which half-plane it is kept.
 *
 * An agent is a point here, as the mesh has been shrunk by its radius. The velocities that lead through a segment within the
 * horizon are a cone cut off: all multiples, from 1 / horizon on, of the segment's points. A wall that lies in nobody's way
 * says nothing. One that is in the way gives the side of its cone nearest to the velocity: its front (come nearer only so that
 * it is not reached within the horizon) or, past an end that is free, the line of sight to that end. An end is free when no
 * other wall that faces the agent goes on there: so a velocity is never sent through the seam of two walls, and corners and
 * door posts are passed closely and at full speed.
 *
 * A wall that the velocity aimed at itself would meet counts for two ticks only: its path knows of that wall and turns before
 * it, or it goes aside to let somebody pass and shall come as near to the wall as it can. With the whole horizon nobody walked
 * quickly along a bend of a narrow passage, and counterflow two agents wide jammed.
 *
 * Cost: linear in the walls for each that is in the way; of those quadratic, to see which ends are free.
 * Based on: own; the cone is that of van den Berg and others, Reciprocal n-Body Collision Avoidance, 2011, for radius 0.
 */
import { LINE_STRIDE, SELF_RADIUS, SELF_STEP, SELF_WALL_HORIZON, WALL_STRIDE } from './scene.ts';
import type { AvoidanceScene } from './scene.ts';

/** Of the radius: how far a wall may be crossed by rounding, and how far ends that are one may be apart. */
const HAIR = 1 / 256;
/** Ticks that a wall counts which the velocity aimed at would meet. */
const NEAR_STEPS = 2;

/** Sets for how long each wall counts: less when `aim` goes through it, 0 when it does not face the agent. */
export function setWallHorizons(scene: AvoidanceScene, aim: Float64Array): void {
  const { self, wallCount, wallHorizons } = scene;
  const horizon = self[SELF_WALL_HORIZON];
  const near = Math.min(horizon, NEAR_STEPS * self[SELF_STEP]);
  for (let k = 0; k < wallCount; k++) {
    wallHorizons[k] = 0;
    if (!isFacing(scene, k)) continue;
    wallHorizons[k] = horizon;
    if (goesThrough(scene, k, aim)) wallHorizons[k] = near;
  }
}

/** The first wall that velocity `v` goes through in its time, or -1. */
export function wallInTheWay(scene: AvoidanceScene, v: Float64Array): number {
  const { wallCount, wallHorizons } = scene;
  for (let k = 0; k < wallCount; k++) {
    if (wallHorizons[k] > 0 && goesThrough(scene, k, v)) return k;
  }
  return -1;
}

/** Writes line `row`, which keeps wall k and is nearest to velocity `v` that does not; from then on the wall is done with. */
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
  if (distance > HAIR * self[SELF_RADIUS]) {
    let best = c - (nx * v[0] + nz * v[1]);
    for (let e = 0; e < 4; e += 2) {
      const px = walls[w + e];
      const pz = walls[w + e + 1];
      const away = Math.sqrt(px * px + pz * pz);
      // Seen from the agent, the wall lies to the right of the line of sight to its end, and to the left of that to its start.
      const sign = e === 0 ? -1 : 1;
      const mx = (sign * pz) / away;
      const mz = (-sign * px) / away;
      const miss = -(mx * v[0] + mz * v[1]);
      if (miss >= best || isJoined(scene, k, e)) continue;
      best = miss;
      nx = mx;
      nz = mz;
      c = 0;
    }
  }
  const at = LINE_STRIDE * row;
  lines[at] = nx;
  lines[at + 1] = nz;
  lines[at + 2] = c;
}

/** Is the agent on the walkable side of wall k, or on it? */
function isFacing(scene: AvoidanceScene, k: number): boolean {
  const { self, walls } = scene;
  const w = WALL_STRIDE * k;
  const ux = walls[w + 2] - walls[w];
  const uz = walls[w + 3] - walls[w + 1];
  const lengthSq = ux * ux + uz * uz;
  if (!(lengthSq > 0)) return false;
  const side = ux * walls[w + 1] - uz * walls[w];
  const hair = HAIR * self[SELF_RADIUS];
  return side >= 0 || side * side <= hair * hair * lengthSq;
}

/** Does velocity `v` lead through wall k within its horizon? */
function goesThrough(scene: AvoidanceScene, k: number, v: Float64Array): boolean {
  const { self, walls, wallHorizons } = scene;
  const w = WALL_STRIDE * k;
  const x1 = walls[w];
  const z1 = walls[w + 1];
  const ux = walls[w + 2] - x1;
  const uz = walls[w + 3] - z1;
  // Both times the wall's length: how fast it is approached, and how far it is.
  const approach = ux * v[1] - uz * v[0];
  const distance = Math.max(0, ux * z1 - uz * x1);
  if (!(approach * wallHorizons[k] > distance)) return false;
  const lengthSq = ux * ux + uz * uz;
  const along = ((v[0] * ux + v[1] * uz) * distance) / approach - x1 * ux - z1 * uz;
  const hair = HAIR * self[SELF_RADIUS] * Math.sqrt(lengthSq);
  if (along < hair) return along >= -hair && isJoined(scene, k, 0);
  if (along > lengthSq - hair) return along <= lengthSq + hair && isJoined(scene, k, 2);
  return true;
}

/** Does another wall that faces the agent go on where wall k starts (end 0) or ends (end 2)? */
function isJoined(scene: AvoidanceScene, k: number, end: number): boolean {
  const { self, walls, wallCount } = scene;
  const x = walls[WALL_STRIDE * k + end];
  const z = walls[WALL_STRIDE * k + end + 1];
  const hair = HAIR * self[SELF_RADIUS];
  for (let j = 0; j < wallCount; j++) {
    if (j === k) continue;
    const w = WALL_STRIDE * j + 2 - end;
    const dx = walls[w] - x;
    const dz = walls[w + 1] - z;
    if (dx * dx + dz * dz <= hair * hair && isFacing(scene, j)) return true;
  }
  return false;
}
