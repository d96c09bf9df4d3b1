/**
 * A crowd in the plane without a mesh: discs that go straight to their goals, and walls. Only the avoidance
 * kernel acts. Nobody is pushed apart or held back by walls, so that mistakes of the kernel show.
 */
import {
  NEIGHBOR_STRIDE,
  SELF_DESIRED_X,
  SELF_DESIRED_Z,
  SELF_HORIZON,
  SELF_MAX_SPEED,
  SELF_RADIUS,
  SELF_SIDE,
  SELF_STEP,
  SELF_VX,
  SELF_VZ,
  SELF_WALL_HORIZON,
  createAvoidanceScene,
} from '../../../../src/agents/crowd/avoidance/scene.ts';
import type { AvoidanceScene } from '../../../../src/agents/crowd/avoidance/scene.ts';

export interface PlaneAgent {
  x: number;
  z: number;
  vx: number;
  vz: number;
  goalX: number;
  goalZ: number;
  radius: number;
  maxSpeed: number;
  /** Share that others make for it: 0.5 half, 1 all. */
  share: number;
  /** Seconds, or -1. */
  arrivedAt: number;
  walked: number;
}

/** x1, z1, x2, z2, walkable to the left. */
export type PlaneWall = readonly [number, number, number, number];

export interface PlaneOptions {
  step?: number;
  horizon?: number;
  wallHorizon?: number;
  side?: number;
  neighbors?: number;
  /** World units per second squared. */
  acceleration?: number;
  walls?: readonly PlaneWall[];
  /** Removes agents that arrive. */
  leave?: boolean;
  /** Returns the share that agent i makes for agent j. Default: the `share` of j. */
  shareOf?: (i: number, j: number) => number;
}

export interface PlaneResult {
  seconds: number;
  arrived: number;
  /** Deepest overlap of two agents, in radii of the smaller one. */
  maxOverlap: number;
  /** Longest time for which two agents overlapped by more than 5 % of a radius, seconds. */
  longestOverlap: number;
  /** Number of steps through a wall. */
  leaks: number;
  infeasible: number;
}

export type Kernel = (out: Float64Array, scene: AvoidanceScene) => boolean | void;

export function planeAgent(
  x: number,
  z: number,
  goalX: number,
  goalZ: number,
  radius = 0.4,
  maxSpeed = 1.4,
): PlaneAgent {
  return { x, z, vx: 0, vz: 0, goalX, goalZ, radius, maxSpeed, share: 0.5, arrivedAt: -1, walked: 0 };
}

/**
 * Returns whether the step from (ax, az) to (bx, bz) leads through the wall from its walkable side, not
 * counting its ends.
 */
export function crosses(wall: PlaneWall, ax: number, az: number, bx: number, bz: number, epsilon = 0): boolean {
  const [x1, z1, x2, z2] = wall;
  const side = (x: number, z: number): number => (x2 - x1) * (z1 - z) - (z2 - z1) * (x1 - x);
  const length = Math.hypot(x2 - x1, z2 - z1);
  const a = side(ax, az) / length;
  const b = side(bx, bz) / length;
  if (a < -epsilon || b >= -epsilon) return false;
  const t = a / (a - b);
  const along = ((ax + t * (bx - ax) - x1) * (x2 - x1) + (az + t * (bz - az) - z1) * (z2 - z1)) / length;
  return along > epsilon && along < length - epsilon;
}

function wallDistanceSq([x1, z1, x2, z2]: PlaneWall, x: number, z: number): number {
  const ux = x2 - x1;
  const uz = z2 - z1;
  const t = Math.min(1, Math.max(0, ((x - x1) * ux + (z - z1) * uz) / (ux * ux + uz * uz)));
  return (x1 + t * ux - x) ** 2 + (z1 + t * uz - z) ** 2;
}

/** Runs until all agents have arrived or the time is up. Calls `watch` after each step. */
export function runPlane(
  agents: PlaneAgent[],
  kernel: Kernel,
  seconds: number,
  options: PlaneOptions = {},
  watch?: (time: number) => void,
): PlaneResult {
  const {
    step = 1 / 30,
    horizon = 2,
    wallHorizon = 0.3,
    side = -1,
    neighbors = 8,
    acceleration = 1e9,
    walls = [],
  } = options;
  const scene = createAvoidanceScene(neighbors, 8);
  const out = new Float64Array(2);
  const count = agents.length;
  const chosen = new Float64Array(2 * count);
  const overlapSince = new Map<number, number>();
  const result: PlaneResult = { seconds: 0, arrived: 0, maxOverlap: 0, longestOverlap: 0, leaks: 0, infeasible: 0 };
  const reach =
    2 * Math.max(...agents.map((agent) => agent.radius)) +
    horizon * 2 * Math.max(...agents.map((agent) => agent.maxSpeed));
  const near = new Int32Array(neighbors);
  const nearSq = new Float64Array(neighbors);
  for (let tick = 0; tick * step < seconds; tick++) {
    const order = agents.map((_, i) => i).sort((i, j) => agents[i].x - agents[j].x || i - j);
    const place = new Int32Array(count);
    order.forEach((i, at) => {
      place[i] = at;
    });
    const time = (tick + 1) * step;
    for (let i = 0; i < count; i++) {
      const a = agents[i];
      // Find the nearest agents by a sweep along x to both sides.
      let found = 0;
      for (const way of [-1, 1]) {
        for (let at = place[i] + way; at >= 0 && at < count; at += way) {
          const j = order[at];
          const b = agents[j];
          const limit = found < neighbors ? reach * reach : nearSq[found - 1];
          if ((b.x - a.x) ** 2 > limit) break;
          const d = (b.x - a.x) ** 2 + (b.z - a.z) ** 2;
          if (d >= limit) continue;
          let k = found < neighbors ? found++ : found - 1;
          for (; k > 0 && nearSq[k - 1] > d; k--) {
            near[k] = near[k - 1];
            nearSq[k] = nearSq[k - 1];
          }
          near[k] = j;
          nearSq[k] = d;
        }
      }
      const { self } = scene;
      const gx = a.goalX - a.x;
      const gz = a.goalZ - a.z;
      const left = Math.sqrt(gx * gx + gz * gz);
      const speed = Math.min(a.maxSpeed, left / step);
      self[SELF_VX] = a.vx;
      self[SELF_VZ] = a.vz;
      self[SELF_DESIRED_X] = left > 0 ? (gx / left) * speed : 0;
      self[SELF_DESIRED_Z] = left > 0 ? (gz / left) * speed : 0;
      self[SELF_RADIUS] = a.radius;
      self[SELF_MAX_SPEED] = a.maxSpeed;
      self[SELF_HORIZON] = horizon;
      self[SELF_WALL_HORIZON] = wallHorizon;
      self[SELF_STEP] = step;
      self[SELF_SIDE] = side;
      scene.neighborCount = found;
      for (let k = 0; k < scene.neighborCount; k++) {
        const b = agents[near[k]];
        const share = options.shareOf?.(i, near[k]) ?? b.share;
        scene.neighbors.set([b.x - a.x, b.z - a.z, b.vx, b.vz, b.radius, share], NEIGHBOR_STRIDE * k);
      }
      const nearWalls = walls.map((wall) => ({ wall, d: wallDistanceSq(wall, a.x, a.z) })).filter(({ d }) => d < 9);
      nearWalls.sort((p, q) => p.d - q.d);
      scene.wallCount = Math.min(8, nearWalls.length);
      for (let k = 0; k < scene.wallCount; k++) {
        const [x1, z1, x2, z2] = nearWalls[k].wall;
        scene.walls.set([x1 - a.x, z1 - a.z, x2 - a.x, z2 - a.z], 4 * k);
      }
      if (kernel(out, scene) === false) result.infeasible++;
      let ux = out[0] - a.vx;
      let uz = out[1] - a.vz;
      const change = Math.sqrt(ux * ux + uz * uz);
      const scale = change > acceleration * step ? (acceleration * step) / change : 1;
      ux *= scale;
      uz *= scale;
      chosen[2 * i] = scale === 1 ? out[0] : a.vx + ux;
      chosen[2 * i + 1] = scale === 1 ? out[1] : a.vz + uz;
    }
    for (let i = 0; i < count; i++) {
      const a = agents[i];
      a.vx = chosen[2 * i];
      a.vz = chosen[2 * i + 1];
      const x = a.x + a.vx * step;
      const z = a.z + a.vz * step;
      if (walls.some((wall) => crosses(wall, a.x, a.z, x, z, a.radius / 256))) result.leaks++;
      a.walked += Math.hypot(x - a.x, z - a.z);
      a.x = x;
      a.z = z;
      if (a.arrivedAt < 0 && Math.hypot(a.goalX - x, a.goalZ - z) < a.radius / 2) {
        a.arrivedAt = time;
        if (options.leave === true) a.x = a.goalX = 1e6 + 10 * i;
      }
    }
    for (const list of closePairs(agents)) {
      for (let p = 0; p < list.length; p += 2) {
        const [i, j] = [list[p], list[p + 1]];
        const [a, b] = [agents[i], agents[j]];
        const small = Math.min(a.radius, b.radius);
        const overlap = (a.radius + b.radius - Math.hypot(a.x - b.x, a.z - b.z)) / small;
        const key = i * count + j;
        if (overlap > result.maxOverlap) result.maxOverlap = overlap;
        if (overlap > 0.05) {
          if (!overlapSince.has(key)) overlapSince.set(key, time - step);
          result.longestOverlap = Math.max(result.longestOverlap, time - overlapSince.get(key)!);
        } else {
          overlapSince.delete(key);
        }
      }
    }
    result.seconds = time;
    result.arrived = agents.filter((agent) => agent.arrivedAt >= 0).length;
    watch?.(time);
    if (result.arrived === count) break;
  }
  return result;
}

/** Yields pairs that are near enough to touch, by a sweep along x. */
function* closePairs(agents: readonly PlaneAgent[]): Generator<number[]> {
  const order = agents.map((_, i) => i).sort((i, j) => agents[i].x - agents[j].x);
  const reach = 2 * Math.max(...agents.map((agent) => agent.radius));
  for (let p = 0; p < order.length; p++) {
    const pairs: number[] = [];
    for (let q = p + 1; q < order.length && agents[order[q]].x - agents[order[p]].x < reach; q++) {
      pairs.push(Math.min(order[p], order[q]), Math.max(order[p], order[q]));
    }
    yield pairs;
  }
}

/**
 * Returns `count` agents on a circle, each with its goal on the other side, 1.675 diameters apart as in
 * RVO2's example.
 */
export function circleAgents(count: number, radius = 0.4, maxSpeed = 1.4): PlaneAgent[] {
  const ring = (count * 5.0265 * (radius / 1.5)) / (2 * Math.PI);
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    const x = ring * Math.cos(angle);
    const z = ring * Math.sin(angle);
    return planeAgent(x, z, -x, -z, radius, maxSpeed);
  });
}
