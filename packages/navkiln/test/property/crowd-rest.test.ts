/**
 * Dense crowds come to rest: many agents whose goals are nearer to each other than their bodies, in the open or behind closed walls of
 * random shapes. The oracle reads statuses and positions alone.
 *
 * Runs few seeds; NAVKILN_FULL runs 60 of each kind from NAVKILN_SEED on.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createCrowd } from '../../src/agents/crowd/create.ts';
import { explainAgent } from '../../src/agents/crowd/explain.ts';
import { addAgent, getAgent } from '../../src/agents/crowd/orders/agents.ts';
import { moveAgentTo } from '../../src/agents/crowd/orders/orders.ts';
import type { AgentId, Crowd } from '../../src/agents/crowd/state/types.ts';
import { stepCrowd } from '../../src/agents/crowd/step.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import { gridTile, meshOf, seeded } from '../unit/meshes.ts';

const IS_FULL = process.env.NAVKILN_FULL !== undefined;
const FIRST = Number(process.env.NAVKILN_SEED ?? 201);
const TICKS_A_SECOND = 60;
const WIDTH = 24;
const DEPTH = 16;
const RESTING = ['arrived', 'settled', 'blocked'];

type IsOpen = (x: number, z: number) => boolean;

/** Closed walls, and a box of squares behind each: x, z, width, depth. */
const SHAPES: [IsOpen, [number, number, number, number]][] = [
  [(x) => x !== 13, [14, 0, 10, 16]],
  [(x, z) => !((x === 13 && z >= 5) || (z === 5 && x >= 13)), [14, 6, 10, 10]],
  // A room without a door, and an island behind a moat.
  [(x, z) => x < 12 || x > 18 || z < 4 || z > 10 || (x > 12 && x < 18 && z > 4 && z < 10), [13, 5, 5, 5]],
  [(x, z) => x < 10 || x > 16 || z < 4 || z > 10 || (x >= 12 && x <= 14 && z >= 6 && z <= 8), [12, 6, 3, 3]],
  [(x, z) => x + z !== 20 && x + z !== 21, [18, 6, 6, 10]],
  // A corridor that ends at the wall.
  [(x, z) => x !== 16 && !(x >= 10 && x < 16 && (z === 5 || z === 9)), [17, 0, 7, 16]],
];

/** Creates 20 to 49 agents; `hidden` is the share of goals behind the wall. */
function denseCrowd(seed: number, hidden: number): { crowd: Crowd; ids: AgentId[] } {
  const next = seeded(seed);
  const [isOpen, [left, top, width, depth]] = SHAPES[Math.floor(next() * SHAPES.length)];
  const crowd = createCrowd(meshOf(gridTile(WIDTH, DEPTH, isOpen)), { maxAgents: 64 });
  const count = 20 + Math.floor(next() * 30);
  const size = 0.25 + 0.15 * next();
  const speed = 0.8 + 2.2 * next();
  const spread = 0.4 + 1.2 * next();
  const groups = next() < 0.35 ? 2 : 1;
  const behind = [0, 1].map(() => [left + next() * Math.min(3, width), top + next() * depth]);
  const near = [3 + next() * 6, 2 + next() * 12];
  const ids: AgentId[] = [];
  for (let i = 0; i < count; i++) {
    const radius = size * (0.8 + 0.2 * next());
    const isFree = ([x, z]: number[]): boolean =>
      ids.every((id) => {
        const other = getAgent(crowd, id)!;
        return Math.hypot(other.position[0] - x, other.position[2] - z) > radius + other.radius;
      });
    let start = [0, 0];
    do start = [0.3 + next() * 9, 0.3 + next() * (DEPTH - 0.6)];
    while (!isFree(start));
    const id = addAgent(crowd, [start[0], 0, start[1]], { radius, maxSpeed: speed * (0.8 + 0.4 * next()) });
    const [x, z] = next() < hidden ? behind[i % groups] : near;
    const goal = [x + spread * (2 * next() - 1), 0, z + spread * (2 * next() - 1)] as const;
    expect(['accepted', 'off-mesh']).toContain(moveAgentTo(crowd, id, goal));
    ids.push(id);
  }
  return { crowd, ids: ids.filter((id) => getAgent(crowd, id)!.status !== 'idle') };
}

/** Steps until all agents have stood for 15 s. Returns after how many seconds they came to rest; Infinity: not in time. */
function secondsToRest(crowd: Crowd, ids: readonly AgentId[], most: number): number {
  let rest = Infinity;
  for (let tick = 1; tick <= most * TICKS_A_SECOND; tick++) {
    stepCrowd(crowd);
    const isResting = ids.every((id) => {
      const { status, velocity } = getAgent(crowd, id)!;
      return RESTING.includes(status) && velocity[0] === 0 && velocity[2] === 0;
    });
    rest = isResting ? Math.min(rest, tick) : Infinity;
    if (tick - rest >= 15 * TICKS_A_SECOND) return rest / TICKS_A_SECOND;
  }
  return rest === Infinity ? rest : rest / TICKS_A_SECOND;
}

describe('agents whose goals are nearer to each other than their bodies come to rest', () => {
  it.each([
    ['in the open', 0],
    ['with goals behind closed walls', 0.85],
    ['with half of the goals behind closed walls', 0.5],
  ])('%s', { timeout: 1_200_000 }, (_, hidden) => {
    for (let seed = FIRST; seed < FIRST + (IS_FULL ? 60 : 2); seed++) {
      const { crowd, ids } = denseCrowd(seed, hidden);
      expect(secondsToRest(crowd, ids, 180), `seed ${seed}`).toBeLessThan(165);
    }
  });

  /** Agents with goals in or behind a wall, and four with goals in front of it. */
  const atWall = (count: number, radius: number, maxSpeed: number, goalX: number) => {
    const crowd = createCrowd(meshOf(gridTile(31, 16, (x) => x < 14 || x >= 16)), { maxAgents: 64 });
    const send = (x: number, z: number, goal: readonly [number, number, number]): AgentId => {
      const id = addAgent(crowd, [x, 0, z], { radius, maxSpeed });
      moveAgentTo(crowd, id, goal);
      return id;
    };
    const behind = Array.from({ length: count }, (_, i) =>
      send(2 + (i % 6), 6 + Math.floor(i / 6), [goalX, 0, 7 + (i % 5) / 2]),
    );
    const front = Array.from({ length: 4 }, (_, i) => send(2 + i, 2, [13.5 - i / 2, 0, 7 + i / 2]));
    return { crowd, behind, front };
  };
  const sizes = IS_FULL ? [8, 16, 24, 32] : [32];
  const variants = sizes.flatMap((count) =>
    [0.4, 0.3].flatMap((radius) => [3, 1.4].map((speed) => [count, radius, speed])),
  );

  it.each(IS_FULL ? variants : variants.slice(0, 1))(
    '%i of radius %f at %f m/s at a wall',
    { timeout: 600_000 },
    (count, radius, speed) => {
      for (const goalX of [14, 17]) {
        const { crowd, behind, front } = atWall(count, radius, speed, goalX);
        expect(secondsToRest(crowd, [...behind, ...front], 125), `goals at ${goalX}`).toBeLessThan(110);
        for (const id of front) expect(['arrived', 'settled']).toContain(getAgent(crowd, id)!.status);
        for (const id of behind) {
          const { reason } = explainAgent(crowd, id);
          expect(goalX === 17 ? ['unreachable'] : ['arrived', 'settled']).toContain(reason);
        }
      }
    },
  );
});

/** A floor with rooms, some of them closed: boxes with two corners each; agents with start, goal and speed. */
interface ClosedDoors {
  radius: number;
  cellSize: number;
  width: number;
  depth: number;
  boxes: [number, number, number, number, number, number][];
  agents: [x: number, z: number, goalX: number, goalZ: number, maxSpeed: number][];
}

describe('closed doors', () => {
  it('an agent settles although one that cannot get away from its goal was asked to make room', () => {
    const file = new URL('closed-doors.json', import.meta.url);
    const { radius, cellSize, width, depth, boxes, agents } = JSON.parse(readFileSync(file, 'utf8')) as ClosedDoors;
    const positions: number[] = [];
    const indices: number[] = [];
    for (const [x0, y0, z0, x1, y1, z1] of boxes) {
      const first = positions.length / 3;
      for (const y of [y0, y1]) positions.push(x0, y, z0, x1, y, z0, x1, y, z1, x0, y, z1);
      for (const side of ['4765', '0123', '0451', '1562', '2673', '3740'])
        for (const k of [0, 1, 2, 0, 2, 3]) indices.push(first + Number(side[k]));
    }
    const level = { positions: new Float32Array(positions), indices: new Uint32Array(indices) };
    const bounds = { min: [-1, -0.5, -1] as const, max: [width + 1, 3, depth + 1] as const };
    const { navMesh } = buildNavMesh(level, { agent: { radius, height: 1.8, maxClimb: 0.4 }, cellSize, bounds });
    const crowd = createCrowd(navMesh, { maxAgents: agents.length });
    const ids = agents.map(([x, z, goalX, goalZ, maxSpeed]) => {
      const id = addAgent(crowd, [x, 0, z], { radius, maxSpeed });
      moveAgentTo(crowd, id, [goalX, 0, goalZ]);
      return id;
    });
    // Before, one agent walked to and fro beside its goal for ever.
    expect(secondsToRest(crowd, ids, 90)).toBeLessThan(60);
  });
});
