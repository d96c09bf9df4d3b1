/**
 * A lockstep game that goes back and simulates again, compared with the same game that never went back: a world with obstacles,
 * a door, links and areas, characters that jump and follow targets, agents with all kinds of orders. Runs in Node and in Chromium.
 *
 * Orders of a tick follow from the seed, the tick and the state alone. A rollback goes back some ticks; two in three then
 * play a wrong future with other orders, and go back again. The hash after each rollback, and after the ticks
 * that follow it, must be that of the game that never went back.
 */
import {
  addLink,
  createFilter,
  createRandom,
  listLinks,
  nextRandom,
  removeLink,
  setArea,
  setEnabled,
  setLinkEnabled,
} from 'navkiln';
import { refOf } from 'navkiln/kernel';
import type { NavMesh } from 'navkiln';
import { createVolumes } from 'navkiln/build';
import {
  addAgent,
  createCrowd,
  followAgent,
  listAgents,
  listEvents,
  moveAgentTo,
  moveGroupTo,
  patrolAgent,
  pauseAgent,
  queueAgentMove,
  removeAgent,
  resumeAgent,
  sampling,
  setAgentOptions,
  setAgentVelocity,
  setCrowdFilter,
  setLinkTraffic,
  stopAgent,
  teleportAgent,
} from 'navkiln/crowd';
import type { Crowd } from 'navkiln/crowd';
import { createSnapshotRing } from 'navkiln/rollback';
import {
  addCharacter,
  addLevel,
  addObstacle,
  addTarget,
  createCharacters,
  createTargets,
  createProvisionalTiles,
  createWorld,
  followTarget,
  hashCharacters,
  jumpCharacter,
  listCharacterEvents,
  listCharacters,
  listObstacles,
  listTargets,
  moveObstacle,
  removeObstacle,
  removeTarget,
  setTargetPosition,
  stepCharacters,
  updateWorld,
} from 'navkiln/world';
import type { CharacterSet, World } from 'navkiln/world';

const SIZE = 24;
const MAX_AGENTS = 24;
/** Ticks that the ring keeps, and the most that a rollback goes back. */
const RING = 12;
const MOST_BACK = 9;
const DOORS = ['door', 'gate'];
const FILTERS = [createFilter(), createFilter({ areaCosts: { 2: 4, 3: 0.5 } })];

export interface Game {
  world: World;
  mesh: NavMesh;
  crowd: Crowd;
  set: CharacterSet;
}

/**
 * Plays a game of some ticks without and with rollbacks, four in five ticks. Returns their number, and hashes of some ticks. Throws an
 * Error at the first tick that differs.
 */
export function runRollbacks(ticks: number, seed: number = 1): Record<string, string> {
  const straight = createGame(seed);
  const expected: string[] = [hashGame(straight)];
  for (let tick = 1; tick <= ticks; tick++) {
    advance(straight, seed, 0);
    expected.push(hashGame(straight));
  }
  const game = createGame(seed);
  const ring = createSnapshotRing({ ticks: RING, world: game.world });
  const random = createRandom(seed);
  ring.capture(game.set);
  let rollbacks = 0;
  let resimulated = 0;
  const check = (): void => {
    const { tick } = game.crowd;
    const hash = hashGame(game);
    if (hash === expected[tick]) return;
    throw new Error(`seed ${seed}: tick ${tick} differs after ${rollbacks} rollbacks: ${hash}, not ${expected[tick]}`);
  };
  const rewind = (tick: number): void => {
    if (!ring.rewind(game.set, tick)) throw new Error(`seed ${seed}: the ring does not have tick ${tick}`);
    check();
  };
  const simulate = (to: number, branch: number): void => {
    while (game.crowd.tick < to) {
      advance(game, seed, branch);
      ring.capture(game.set);
    }
    if (branch === 0) check();
  };
  for (let tick = 1; tick <= ticks; tick++) {
    simulate(tick, 0);
    if (nextRandom(random) < 0.2) continue;
    rollbacks++;
    const least = Math.max(ring.firstTick, tick - MOST_BACK);
    const to = least + Math.floor((tick - least + 1) * nextRandom(random));
    rewind(to);
    if (nextRandom(random) < 0.67) {
      simulate(to + Math.ceil(4 * nextRandom(random)), rollbacks);
      rewind(to);
    }
    resimulated += tick - to;
    simulate(tick, 0);
  }
  const hashes: Record<string, string> = { rollbacks: `${rollbacks}, ${resimulated} ticks` };
  for (let tick = 0; tick <= ticks; tick += Math.ceil(ticks / 4)) hashes[`tick ${tick}`] = expected[tick];
  return hashes;
}

/** A floor with two walls, each with a named gap, and a platform that links lead to. Odd seeds cut obstacles before the rebuild. */
export function createGame(seed: number = 0): Game {
  const world = createWorld({
    provisional: seed % 2 === 1 ? createProvisionalTiles({ settleUpdates: 4 }) : undefined,
    agent: { radius: 0.4, height: 1.8, maxClimb: 0.4 },
    cellSize: 0.2,
    cellHeight: 0.2,
    tileSize: 8,
    bounds: { min: [0, -1, 0], max: [SIZE, 6, SIZE] },
    volumes: createVolumes([
      { type: 'box', name: 'door', min: [7, -1, 10], max: [9, 2, 14] },
      { type: 'box', name: 'gate', min: [15, -1, 3], max: [17, 2, 6] },
    ]),
  });
  addLevel(world, boxes([[0, -0.5, 0, SIZE, 0, SIZE]]));
  addLevel(
    world,
    boxes([
      [7.5, 0, 0, 8.5, 3, 10],
      [7.5, 0, 14, 8.5, 3, SIZE],
      [15.5, 0, 0, 16.5, 3, 3],
      [15.5, 0, 6, 16.5, 3, 20],
      [18, 0, 18, 22, 2.6, 22],
    ]),
  );
  updateWorld(world);
  const mesh = world.navMesh;
  const link = addLink(mesh, { start: [17.4, 0, 20], end: [18.6, 2.6, 20], bothWays: true });
  addLink(mesh, { start: [6, 0, 5], end: [10, 0, 5], bothWays: true });
  const crowd = createCrowd(mesh, {
    maxAgents: MAX_AGENTS,
    filters: [...FILTERS],
    behaviors: [sampling],
    searchBudget: 40,
  });
  setLinkTraffic(crowd, link, { capacity: 1, seconds: 1 });
  const set = createCharacters(crowd);
  const targets = createTargets(set);
  const game = { world, mesh, crowd, set };
  const random = createRandom(1);
  const pick = (): [number, number, number] => somewhere(random);
  for (let i = 0; i < 10; i++) addAgent(crowd, pick(), { filter: i % 2, radius: 0.3 });
  for (let i = 0; i < 5; i++) addCharacter(set, pick());
  for (let i = 0; i < 3; i++) addTarget(targets, i === 0 ? { character: listCharacters(set)[0] } : pick());
  for (const id of listAgents(crowd)) moveAgentTo(crowd, id, pick());
  for (const id of listCharacters(set).slice(1)) followTarget(set, id, listTargets(targets)[id % 3]);
  return game;
}

/** Gives the orders of the next tick and steps. `branch` 0 is the true future. */
export function advance(game: Game, seed: number, branch: number): void {
  const { crowd, set, world } = game;
  const random = createRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(crowd.tick + 1, 0x85ebca6b) ^ (branch * 7919));
  for (let left = Math.floor(3 * nextRandom(random)); left > 0; left--) act(game, random);
  updateWorld(world, { maxTiles: 2, seconds: 1 / 60 });
  stepCharacters(set);
}

type Random = ReturnType<typeof createRandom>;

function somewhere(random: Random): [number, number, number] {
  return [SIZE * nextRandom(random), 3 * nextRandom(random), SIZE * nextRandom(random)];
}

// oxlint-disable-next-line max-lines-per-function -- a list of orders
function act({ world, mesh, crowd, set }: Game, random: Random): void {
  const below = (n: number): number => Math.floor(n * nextRandom(random));
  const point = (): [number, number, number] => somewhere(random);
  const agents = listAgents(crowd);
  const characters = listCharacters(set);
  const targets = set.targets!;
  const pick = <T>(list: readonly T[]): T => list[below(list.length)];
  const id = pick(agents);
  const orders: (() => unknown)[] = [
    () => moveAgentTo(crowd, id, point()),
    () => moveAgentTo(crowd, id, point()),
    () => agents.slice(0, 12).forEach((one) => moveAgentTo(crowd, one, [20, 0, 2])),
    () => moveGroupTo(crowd, agents.slice(0, 5), point()),
    () => followAgent(crowd, id, pick(agents)),
    () => patrolAgent(crowd, id, [point(), point(), point()], { waitSeconds: 0.1 }),
    () => queueAgentMove(crowd, id, point()),
    () => setAgentVelocity(crowd, id, [nextRandom(random) - 0.5, 0, nextRandom(random) - 0.5]),
    () => stopAgent(crowd, id),
    () => teleportAgent(crowd, id, point()),
    () => (below(2) === 0 ? pauseAgent(crowd, id) : resumeAgent(crowd, id)),
    () => setAgentOptions(crowd, id, { radius: 0.2 + 0.3 * nextRandom(random), avoidance: pick(['orca', 'sampled']) }),
    () => addAgent(crowd, point(), { filter: below(2) }),
    () => addCharacter(set, point()),
    () => agents.length > 10 && removeAgent(crowd, id),
    () => setCrowdFilter(crowd, 1, createFilter({ areaCosts: { 2: 1 + below(8), 3: 0.5 } })),
    () => jumpCharacter(set, pick(characters), 3 + 3 * nextRandom(random)),
    () => followTarget(set, pick(characters), pick(listTargets(targets)) ?? 0),
    () => addTarget(targets, below(2) === 0 ? point() : { character: pick(characters) }),
    () => removeTarget(targets, pick(listTargets(targets)) ?? 0),
    () => setTargetPosition(targets, pick(listTargets(targets)) ?? 0, point()),
    () => setEnabled(mesh, pick(DOORS), below(2) === 0),
    () => setEnabled(mesh, pick(DOORS), below(2) === 0),
    () => addLink(mesh, { start: point(), end: point(), bothWays: below(2) === 0 }),
    () => setLinkTraffic(crowd, pick(listLinks(mesh)) ?? 0, { capacity: 1 + below(2), seconds: 0.5 }),
    () => listLinks(mesh).length > 3 && removeLink(mesh, pick(listLinks(mesh))),
    () => listLinks(mesh).length > 0 && setLinkEnabled(mesh, pick(listLinks(mesh)), below(2) === 0),
    () => setArea(mesh, refOf(mesh, pick(livePolys(mesh))), 1 + below(3)),
    () => addObstacle(world, { type: 'box', size: [2, 2, 2], position: point(), carveAfterSeconds: below(2) / 20 }),
    () => moveObstacle(world, pick(listObstacles(world)) ?? 0, { position: point(), rotation: below(90) }),
    () => listObstacles(world).length > 2 && removeObstacle(world, pick(listObstacles(world))),
  ];
  try {
    pick(orders)();
  } catch (error) {
    // Obstacles outside of the world are refused.
    if (!(error instanceof RangeError)) throw error;
  }
}

function livePolys(mesh: NavMesh): number[] {
  const polys: number[] = [];
  for (let slot = 0; slot < mesh.tileSlotCount; slot++)
    for (let p = 0; p < mesh.tilePolyCount[slot]; p++) polys.push(mesh.tilePolyStart[slot] + p);
  return polys;
}

/** Returns a hash of everything that is compared: characters, agents, targets, events, mesh and world. */
export function hashGame({ world, mesh, crowd, set }: Game): string {
  let hash = hashCharacters(set);
  const add = (value: number): void => {
    hash = Math.imul(hash ^ value, 0x01000193) >>> 0;
  };
  const { tileSlotCount, polyCount, linkCount } = mesh;
  for (let slot = 0; slot < tileSlotCount; slot++) add(mesh.tileGeneration[slot] + 65536 * mesh.tilePolyCount[slot]);
  for (let poly = 0; poly < polyCount; poly++) add(mesh.polyFlags[poly] + 65536 * mesh.polyArea[poly]);
  for (let link = 0; link < linkCount; link++) add(mesh.linkState[link] + 65536 * mesh.linkGeneration[link]);
  for (const { isEnabled, polys, links } of mesh.groups) add((isEnabled ? 1 : 0) + 2 * polys.size + 4096 * links.size);
  for (const event of listEvents(crowd)) for (const letter of JSON.stringify(event)) add(letter.charCodeAt(0));
  for (const event of listCharacterEvents(set)) for (const letter of event.kind) add(letter.charCodeAt(0));
  for (const [id, { waitSeconds, carved }] of world.obstacles) add(id + 1000 * waitSeconds + (carved === null ? 0 : 7));
  for (const key of world.queued) add(key);
  add(crowd.searchCount);
  return hash.toString(16);
}

/** Returns the triangles of boxes: least and largest x, y and z. */
function boxes(list: readonly (readonly number[])[]): { positions: number[]; indices: number[] } {
  const positions: number[] = [];
  const indices: number[] = [];
  const faces = [
    0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6,
  ];
  for (const [x0, y0, z0, x1, y1, z1] of list) {
    const first = positions.length / 3;
    // Corner k: bit 2 is x, bit 1 is z, bit 0 is y.
    for (let k = 0; k < 8; k++) positions.push(k & 4 ? x1 : x0, k & 1 ? y1 : y0, k & 2 ? z1 : z0);
    for (const face of faces) indices.push(first + face);
  }
  return { positions, indices };
}
