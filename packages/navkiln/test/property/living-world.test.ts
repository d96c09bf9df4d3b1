/**
 * Agents walk on a world while obstacles, areas, levels and doors change at random. After each update the mesh equals that of a world
 * that is built from scratch, and each agent is on it. In long runs only the tiles that have changed are compared each time. From time to time the world rests, and each agent whose goal is reachable must
 * reach it. `npm run soak -- world` runs 10,000 operations with 500 agents.
 */
import { createVolumes } from '../../src/build/voxel/volumes.ts';
import { expect, it } from 'vitest';
import { createCrowd } from '../../src/agents/crowd/create.ts';
import { explainAgent } from '../../src/agents/crowd/explain.ts';
import { addAgent, getAgent, listAgents, teleportAgent } from '../../src/agents/crowd/orders/agents.ts';
import { moveAgentTo } from '../../src/agents/crowd/orders/orders.ts';
import { listEvents } from '../../src/agents/crowd/state/events.ts';
import type { AgentId, Crowd } from '../../src/agents/crowd/state/types.ts';
import { stepCrowd } from '../../src/agents/crowd/step.ts';
import { createRandom } from '../../src/base/data/random.ts';
import { listNames, setEnabled } from '../../src/mesh/change/enable.ts';
import { areOnOneIsland, refreshIslands } from '../../src/mesh/islands.ts';
import { polyIndexOf } from '../../src/mesh/ref.ts';
import { findTile, keyOfTile, tileOfKey } from '../../src/mesh/tiles/tile-grid.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { findRandomPoint } from '../../src/query/random/random-point.ts';
import type { AreaVolume, BuildOptions, Obstacle } from '../../src/build/voxel/options.ts';
import { createWorld } from '../../src/world/levels/create.ts';
import { addLevel, listLevels, removeLevel } from '../../src/world/levels/levels.ts';
import {
  addObstacle,
  getObstacle,
  listObstacles,
  moveObstacle,
  removeObstacle,
} from '../../src/world/levels/obstacles.ts';
import type { World } from '../../src/world/levels/types.ts';
import { isSameTile } from '../../src/world/levels/same.ts';
import { carvingOf, partsOf, updateWorld } from '../../src/world/levels/update.ts';
import { seeded } from '../unit/meshes.ts';
import { box, tilesOf } from '../unit/world/levels/level-cases.ts';
import type { Placed } from '../unit/world/levels/level-cases.ts';

/** Half of those of obstacles.test.ts, which has no agents. */
const OPERATIONS = Math.ceil(Number(process.env['NAVKILN_WORLD_OPERATIONS'] ?? 120) / 2);
const AGENTS = Number(process.env['NAVKILN_WORLD_AGENTS'] ?? 40);
const SEED = Number(process.env['NAVKILN_SEED'] ?? 1);
const END = performance.now() + 1000 * Number(process.env['NAVKILN_WORLD_SECONDS'] ?? 600);
/** Operations between two comparisons of the tiles that have changed. */
const PER_CHECK = 30;
/** Comparisons between two of the whole mesh, and operations between two rests: these take long with many agents. */
const CHECKS_PER_WHOLE = OPERATIONS > 300 ? 10 : 1;
const PER_REST = OPERATIONS > 300 ? 300 * Math.ceil(Math.min(900, OPERATIONS / 2) / 300) : PER_CHECK;
/** Seconds in which agents must reach their goals while the world rests: more agents queue at the doors. */
const REST_SECONDS = 150 + AGENTS;
const TICKS = 60;
const SIDE = Math.max(30, 1.6 * Math.sqrt(AGENTS) * 3);

/** Walls across the yard with two doors each. */
const WALLS = [0.25, 0.5, 0.75].map((share) => share * SIDE);
const volumes: AreaVolume[] = WALLS.flatMap((x, i) =>
  [0.3, 0.7].map((share, k): AreaVolume => ({
    type: 'box',
    name: `door ${i}${k}`,
    min: [x - 0.5, -1, share * SIDE - 1.5],
    max: [x + 0.5, 1, share * SIDE + 1.5],
  })),
);
const OPTIONS: BuildOptions = {
  agent: { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 },
  cellSize: 0.25,
  cellHeight: 0.125,
  tileSize: 8,
  volumes: createVolumes(volumes),
};

/** The yard and its walls, which stay. */
function yard(): Placed[] {
  const levels: Placed[] = [{ piece: box(SIDE, 0.5, SIDE), placement: { position: [0, -0.5, 0] } }];
  for (const x of WALLS) {
    const gaps = [0, 0.3 * SIDE - 1.5, 0.3 * SIDE + 1.5, 0.7 * SIDE - 1.5, 0.7 * SIDE + 1.5, SIDE];
    for (let k = 0; k < 6; k += 2) {
      const piece = box(0.3, 2.2, gaps[k + 1]! - gaps[k]!);
      levels.push({ piece, placement: { position: [x - 0.15, 0, gaps[k]!] } });
    }
  }
  return levels;
}

function randomObstacle(random: () => number): Obstacle {
  const roll = random();
  const size = (): number => 0.5 + 2.5 * random();
  const position = [SIDE * random(), 0.5, SIDE * random()];
  const rotation = 360 * random();
  if (roll < 0.25)
    return {
      type: 'cylinder',
      radius: size() / 2,
      height: 2,
      position,
      effect: 'area',
      area: 1 + Math.floor(5 * random()),
    };
  if (roll < 0.35)
    return {
      type: 'box',
      size: [3, 0.3, 3],
      position: [position[0]!, 0.15, position[2]!],
      rotation,
      effect: 'surface',
    };
  if (roll < 0.65) return { type: 'cylinder', radius: size() / 2, height: 2, position };
  return { type: 'box', size: [size(), 2, size()], position, rotation };
}

/** Changes the world at random. */
function edit(world: World, random: () => number, levels: Map<number, Placed>, fixedCount: number): string {
  const roll = random();
  const ids = listObstacles(world);
  const id = ids[Math.floor(random() * ids.length)];
  if (roll < 0.3) {
    const names = listNames(world.navMesh);
    const name = names[Math.floor(random() * names.length)]!;
    setEnabled(world.navMesh, name, random() < 0.6);
    return `switches ${name}`;
  }
  if (roll < 0.36) {
    const extra = listLevels(world).slice(fixedCount);
    if (extra.length < 3) {
      const placed = {
        piece: box(2 + 2 * random(), 0.3, 2 + 2 * random()),
        placement: { position: [(SIDE - 4) * random(), 0, (SIDE - 4) * random()] },
      };
      levels.set(addLevel(world, placed.piece, placed.placement), placed);
      return 'adds a level';
    }
    removeLevel(world, extra[0]!);
    levels.delete(extra[0]!);
    return 'removes a level';
  }
  if (id === undefined || (roll < 0.65 && ids.length < AGENTS / 4)) {
    addObstacle(world, randomObstacle(random) as never);
    return 'adds an obstacle';
  }
  if (roll < 0.85) {
    const { position, rotation } = randomObstacle(random);
    moveObstacle(world, id, { position, rotation });
    return 'moves an obstacle';
  }
  removeObstacle(world, id);
  return 'removes an obstacle';
}

/** Returns a world of the same levels and obstacles whose tiles are not built. */
function freshWorld(world: World, levels: Map<number, Placed>): World {
  const fresh = createWorld(OPTIONS);
  for (const id of listLevels(world)) addLevel(fresh, levels.get(id)!.piece, levels.get(id)!.placement);
  for (const id of listObstacles(world)) addObstacle(fresh, getObstacle(world, id)!);
  return fresh;
}

/** Compares the mesh with that of a world of the same levels and obstacles. */
function compareWithFresh(world: World, levels: Map<number, Placed>, what: string): void {
  const fresh = freshWorld(world, levels);
  updateWorld(fresh);
  const [ours, theirs] = [tilesOf(world.navMesh), tilesOf(fresh.navMesh)];
  expect([...ours.keys()].sort(), what).toEqual([...theirs.keys()].sort());
  for (const [place, text] of theirs) expect(ours.get(place) === text, `${what}, tile ${place}`).toBe(true);
}

/** Compares tiles of the mesh with those that the builder of a new world builds. */
function compareTiles(world: World, levels: Map<number, Placed>, keys: Iterable<number>, what: string): void {
  const fresh = freshWorld(world, levels);
  // Fits the heights, and builds one tile.
  updateWorld(fresh, { maxTiles: 1 });
  for (const key of keys) {
    const [x, z] = tileOfKey(key);
    const { tile } = fresh.builder.buildTile(x, z, partsOf(fresh, key), {
      ...carvingOf(fresh, key),
      layers: undefined,
    });
    const slot = findTile(world.navMesh, x, z);
    const isSame = tile === null ? slot < 0 : slot >= 0 && isSameTile(world.navMesh, slot, tile);
    expect(isSame, `${what}, tile ${x}, ${z}`).toBe(true);
  }
}

function expectSound(crowd: Crowd, what: string): void {
  for (const id of listAgents(crowd)) {
    const { position, velocity, status } = getAgent(crowd, id)!;
    const where = `${what}, agent ${id} (${status}) at ${position.join()}`;
    expect([...position, ...velocity].every(Number.isFinite), where).toBe(true);
    const { distance } = findNearest(crowd.mesh, position, { halfExtents: [1, 1, 1] });
    expect(distance, where).toBeLessThan(0.02);
  }
}

it(`${OPERATIONS} operations, ${AGENTS} agents, seed ${SEED}`, { timeout: 1000 * 7200 }, () => {
  const random = seeded(SEED);
  const points = createRandom(SEED);
  const world = createWorld(OPTIONS);
  const levels = new Map<number, Placed>();
  for (const placed of yard()) levels.set(addLevel(world, placed.piece, placed.placement), placed);
  const fixedCount = levels.size;
  const { navMesh } = updateWorld(world);
  const crowd = createCrowd(navMesh, { maxAgents: AGENTS });
  const goals = new Map<AgentId, [number, number, number]>();
  const sendAway = (id: AgentId): void => {
    const { point } = findRandomPoint(navMesh, points)!;
    if (moveAgentTo(crowd, id, point) === 'accepted') goals.set(id, [...point]);
  };
  for (let i = 0; i < AGENTS; i++) sendAway(addAgent(crowd, findRandomPoint(navMesh, points).point, { maxSpeed: 3 }));
  const counts: Record<string, number> = {
    relocated: 0,
    lost: 0,
    reached: 0,
    unreachable: 0,
    updates: 0,
    tiles: 0,
    wholes: 0,
  };
  const lost = new Set<AgentId>();
  const changed = new Set<number>();
  let done = 0;
  const step = (): void => {
    stepCrowd(crowd);
    for (const { kind, agent } of listEvents(crowd)) {
      if (kind === 'relocated' || kind === 'lost') counts[kind]!++;
      if (kind === 'lost') lost.add(agent);
      if (kind === 'found') lost.delete(agent);
    }
  };
  for (let operation = 0; operation < OPERATIONS && performance.now() < END; operation++) {
    done++;
    const what = `seed ${SEED}, operation ${operation} ${edit(world, random, levels, fixedCount)}`;
    for (let tick = Math.floor(10 * random()); tick > 0; tick--) step();
    if (random() < 0.4) {
      const roll = random();
      // One stage at a time, a few tiles, or all.
      const { rebuiltTiles } = updateWorld(world, roll < 0.2 ? { maxMs: 1e-9 } : roll < 0.4 ? { maxTiles: 2 } : {});
      for (const [x, z] of rebuiltTiles) changed.add(keyOfTile(x, z));
      counts['updates']!++;
      step();
      // No free position is near: behind walls on all sides, or on surface that was removed.
      for (const id of lost) {
        const { point } = findRandomPoint(navMesh, points);
        expect(teleportAgent(crowd, id, point), what).toBe('accepted');
      }
      lost.clear();
      step();
      lost.clear();
      expectSound(crowd, what);
    }
    if (operation % 3 === 0) for (const id of listAgents(crowd)) if (random() < 0.1) sendAway(id);
    if (operation % PER_CHECK !== PER_CHECK - 1) continue;
    for (const [x, z] of updateWorld(world).rebuiltTiles) changed.add(keyOfTile(x, z));
    // And some that should not have changed.
    const keys = [...world.seenBy.keys()];
    for (let k = 0; k < 4; k++) changed.add(keys[Math.floor(random() * keys.length)]!);
    compareTiles(world, levels, changed, what);
    counts['tiles']! += changed.size;
    changed.clear();
    if (((operation + 1) / PER_CHECK) % CHECKS_PER_WHOLE > 0) continue;
    compareWithFresh(world, levels, what);
    counts['wholes']!++;
    expect(validateNavMesh(navMesh), what).toEqual([]);
    if (operation % PER_REST !== PER_REST - 1) continue;
    step();
    for (const id of lost) teleportAgent(crowd, id, findRandomPoint(navMesh, points).point);
    lost.clear();
    const isDone = (id: AgentId): boolean => ['arrived', 'settled', 'blocked'].includes(getAgent(crowd, id)!.status);
    for (const id of listAgents(crowd)) sendAway(id);
    for (let tick = 0; tick < TICKS * REST_SECONDS && !(tick % 30 === 29 && listAgents(crowd).every(isDone)); tick++)
      step();
    expectSound(crowd, what);
    for (const id of listAgents(crowd)) {
      const { position, status, ref } = getAgent(crowd, id)!;
      // From its own polygon: islands may touch at a corner on which the agent stands.
      const [own, goal] = [ref, findNearest(navMesh, goals.get(id)!).ref].map((one) => polyIndexOf(navMesh, one));
      refreshIslands(navMesh);
      const isReachable = areOnOneIsland(navMesh, own!, goal!) === 1;
      counts[isReachable ? 'reached' : 'unreachable']!++;
      if (!isReachable) continue;
      const where = `${what}, agent ${id} at ${position.join()}, goal ${goals.get(id)!.join()}: ${explainAgent(crowd, id)?.message}`;
      expect(['arrived', 'settled'], where).toContain(status);
    }
  }
  console.info(`living world: ${done} operations, ${JSON.stringify(counts)}, ${crowd.searchCount} searches`);
  // A run that was out of time may have had no rest.
  if (done === OPERATIONS) expect(counts['reached']).toBeGreaterThan(AGENTS / 2);
});
