/**
 * A random run for the promises of rest: rooms with narrow doors, U-shapes and dead ends, agents of mixed sizes and speeds, which go
 * to random goals, several to the same one. Some are removed at their goals, and others are added meanwhile.
 *
 * Reads positions, goals, statuses and explanations alone.
 */
import { createCrowd } from '../../src/agents/crowd/create.ts';
import { explainAgent } from '../../src/agents/crowd/explain.ts';
import { addAgent, getAgent, listAgents, removeAgent } from '../../src/agents/crowd/orders/agents.ts';
import { moveAgentTo } from '../../src/agents/crowd/orders/orders.ts';
import type { AgentId, Crowd } from '../../src/agents/crowd/state/types.ts';
import { stepCrowd } from '../../src/agents/crowd/step.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { gridTile, meshOf, seeded } from '../unit/meshes.ts';

const WIDTH = 22;
const DEPTH = 16;
/** Time during which agents are added and removed, and after which all have to rest, seconds. */
const FLOW_SECONDS = 40;
const REST_SECONDS = 150;
/** Longest time for which an agent may wait in a line, held up or out of the way, seconds. */
const WAIT_SECONDS = 90;
/** Overlap, in radii of the smaller agent, and its longest time, seconds. */
const DEEP = 0.05;
const DEEP_SECONDS = 0.1;
const RESTING = ['arrived', 'settled', 'idle'];

export interface PromisesOptions {
  seed: number;
  stepSeconds?: number;
  /** Agents at first. */
  agents?: number;
}

/** Returns whether each square of a random level is open: rooms behind walls with doors of one square, and bars. */
function randomLevel(next: () => number): boolean[][] {
  const open = Array.from({ length: WIDTH }, () => new Array<boolean>(DEPTH).fill(true));
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  for (let x = int(4, 6); x < WIDTH - 3; x += int(4, 7)) {
    const thickness = int(1, 3);
    const doors = Array.from({ length: int(1, 2) }, () => int(1, DEPTH - 2));
    for (let k = 0; k < thickness && x + k < WIDTH - 2; k++)
      for (let z = 0; z < DEPTH; z++) if (!doors.includes(z)) open[x + k][z] = false;
    x += thickness;
  }
  // Three sides of a yard, or a bar.
  for (let k = 0; k < 3; k++) {
    const [x, z, size] = [int(1, WIDTH - 5), int(1, DEPTH - 5), int(2, 3)];
    for (let i = 0; i <= size; i++) {
      open[x + i][z] = false;
      if (k > 0) open[x + i][z + size] = open[x][z + i] = false;
    }
  }
  return open;
}

interface Walkable {
  mesh: NavMesh;
  /** Squares that are reachable from each other: the largest set. */
  squares: [number, number][];
}

function largestPart(open: boolean[][]): [number, number][] {
  const seen = open.map((column) => column.map((isOpen) => !isOpen));
  let best: [number, number][] = [];
  for (let x = 0; x < WIDTH; x++) {
    for (let z = 0; z < DEPTH; z++) {
      if (seen[x][z]) continue;
      const part: [number, number][] = [[x, z]];
      seen[x][z] = true;
      for (let i = 0; i < part.length; i++) {
        for (const [dx, dz] of [
          [1, 0],
          [-1, 0],
          [0, 1],
          [0, -1],
        ]) {
          const [a, b] = [part[i][0] + dx, part[i][1] + dz];
          if (seen[a]?.[b] !== false) continue;
          seen[a][b] = true;
          part.push([a, b]);
        }
      }
      if (part.length > best.length) best = part;
    }
  }
  return best;
}

function createLevel(next: () => number): Walkable {
  const open = randomLevel(next);
  return { mesh: meshOf(gridTile(WIDTH, DEPTH, (x, z) => open[x][z])), squares: largestPart(open) };
}

type Point = [number, number, number];

/** Runs a random crowd. Returns the promises that it broke, in words. */
export function breakPromises({ seed, stepSeconds = 1 / 60, agents = 0 }: PromisesOptions): string[] {
  const next = seeded(seed);
  const { mesh, squares } = createLevel(next);
  const crowd = createCrowd(mesh, { maxAgents: 128, stepSeconds });
  const base = 0.22 + 0.2 * next();
  const count = agents > 0 ? agents : 8 + Math.floor(next() * 24);
  const pointIn = (): Point => {
    const [x, z] = squares[Math.floor(next() * squares.length)];
    return [x + 0.1 + 0.8 * next(), 0, z + 0.1 + 0.8 * next()];
  };
  const shared = pointIn();
  const broken: string[] = [];
  const watch = createWatch(crowd, stepSeconds);
  const freePoint = (radius: number): Point | null => {
    for (let k = 0; k < 40; k++) {
      const point = pointIn();
      const isFree = listAgents(crowd).every((id) => {
        const other = getAgent(crowd, id)!;
        return Math.hypot(other.position[0] - point[0], other.position[2] - point[2]) > radius + base * 1.01;
      });
      if (isFree) return point;
    }
    return null;
  };
  const add = (): void => {
    const radius = base * (0.6 + 0.4 * next());
    const point = freePoint(radius);
    if (point === null) return;
    const id = addAgent(crowd, point, { radius, maxSpeed: 0.8 + next() });
    const kind = next();
    if (kind < 0.85) moveAgentTo(crowd, id, kind < 0.2 ? shared : pointIn());
  };
  for (let k = 0; k < count; k++) add();
  const flowTicks = Math.round(FLOW_SECONDS / stepSeconds);
  const every = Math.round(2 / stepSeconds);
  for (let tick = 1; tick <= flowTicks; tick++) {
    stepCrowd(crowd);
    watch(broken);
    if (tick % every !== 0) continue;
    const here = listAgents(crowd);
    const arrived = here.filter((id) => getAgent(crowd, id)!.status === 'arrived');
    if (next() < 0.3 && arrived.length > 0) removeAgent(crowd, arrived[Math.floor(next() * arrived.length)]);
    if (next() < 0.3) add();
    if (next() < 0.4) moveAgentTo(crowd, here[Math.floor(next() * here.length)], pointIn());
  }
  comeToRest(crowd, broken, watch, REST_SECONDS / stepSeconds);
  checkRest(crowd, broken, stepSeconds);
  // Whoever stands on a goal leaves: those that settled beside it have to get nearer, or nobody stands there.
  const middle = listAgents(crowd).filter((id) => getAgent(crowd, id)!.status === 'arrived');
  for (const id of middle.slice(0, 1 + (middle.length >> 1))) removeAgent(crowd, id);
  comeToRest(crowd, broken, watch, REST_SECONDS / stepSeconds);
  checkRest(crowd, broken, stepSeconds);
  return [...new Set(broken)];
}

/** Steps until all agents have rested and stood still for two seconds. */
function comeToRest(crowd: Crowd, broken: string[], watch: (broken: string[]) => void, ticks: number): void {
  const enough = Math.round(2 / crowd.stepSeconds);
  let resting = 0;
  for (let tick = 0; tick < ticks && resting < enough; tick++) {
    stepCrowd(crowd);
    watch(broken);
    const isResting = listAgents(crowd).every((id) => {
      const { status, velocity } = getAgent(crowd, id)!;
      return RESTING.includes(status) && velocity[0] === 0 && velocity[2] === 0;
    });
    resting = isResting ? resting + 1 : 0;
  }
}

/** Notes agents that do not rest, that move, and that settled without a reason. */
function checkRest(crowd: Crowd, broken: string[], stepSeconds: number): void {
  const ids = listAgents(crowd);
  for (const id of ids) {
    const { status } = getAgent(crowd, id)!;
    if (!RESTING.includes(status)) broken.push(`agent ${id} is ${status}: ${explainAgent(crowd, id).message}`);
    if (status === 'settled' && !isJustified(crowd, id)) broken.push(`agent ${id} settled without a reason`);
  }
  const before = ids.map((id) => getAgent(crowd, id)!.position);
  for (let tick = 0; tick < 3 / stepSeconds; tick++) stepCrowd(crowd);
  ids.forEach((id, i) => {
    const { position, radius } = getAgent(crowd, id)!;
    if (Math.hypot(position[0] - before[i][0], position[2] - before[i][2]) > 0.05 * radius)
      broken.push(`agent ${id} moves at rest`);
  });
}

/**
 * Returns whether a settled agent has a reason: it is at its goal, another one at rest is so near to its goal that it cannot arrive, or it touches one at
 * rest that is nearer to the goal.
 */
function isJustified(crowd: Crowd, id: AgentId): boolean {
  const own = getAgent(crowd, id)!;
  const goal = own.goal!;
  const away = (p: readonly number[], q: readonly number[]): number => Math.hypot(p[0] - q[0], p[2] - q[2]);
  if (away(own.position, goal) <= own.radius) return true;
  return listAgents(crowd).some((other) => {
    if (other === id) return false;
    const { position, radius, status } = getAgent(crowd, other)!;
    if (!RESTING.includes(status)) return false;
    const reach = own.radius + radius;
    if (away(position, goal) <= reach + 0.01) return true;
    return away(position, own.position) <= 1.9 * reach && away(position, goal) < away(own.position, goal);
  });
}

/** Returns what notes long waits and long overlaps after each tick. */
function createWatch(crowd: Crowd, stepSeconds: number): (broken: string[]) => void {
  const waits = new Map<AgentId, number>();
  const overlaps = new Map<string, number>();
  let tick = 0;
  return (broken) => {
    tick++;
    const ids = listAgents(crowd);
    const points = ids.map((id) => getAgent(crowd, id)!.position);
    const radii = ids.map((id) => getAgent(crowd, id)!.radius);
    for (let a = 0; a < ids.length; a++) {
      for (let b = 0; b < a; b++) {
        const gap = Math.hypot(points[a][0] - points[b][0], points[a][2] - points[b][2]) - radii[a] - radii[b];
        const key = `${ids[a]} ${ids[b]}`;
        if (gap >= -DEEP * Math.min(radii[a], radii[b])) {
          overlaps.delete(key);
          continue;
        }
        const seconds = (overlaps.get(key) ?? 0) + stepSeconds;
        overlaps.set(key, seconds);
        if (seconds > DEEP_SECONDS + stepSeconds) broken.push(`agents ${key} overlap`);
      }
    }
    if (tick % Math.round(1 / stepSeconds) !== 0) return;
    for (const id of ids) {
      const { reason, message: text } = explainAgent(crowd, id);
      const isWaiting = reason === 'in-line' || reason === 'held-up' || reason === 'yielding';
      const seconds = isWaiting ? (waits.get(id) ?? 0) + 1 : 0;
      waits.set(id, seconds);
      if (seconds === WAIT_SECONDS) broken.push(`agent ${id} waits for ${seconds} s: ${text}`);
      if (getAgent(crowd, id)!.status === 'gave-up') broken.push(`agent ${id} gave up`);
    }
  };
}
