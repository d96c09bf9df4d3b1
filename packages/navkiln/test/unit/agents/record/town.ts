/** A crowd in a tower with links, doors, tiles and orders, for tests of recordings: a game that is repeatable by its seed. */
import { addLink, createRandom, findRandomPoint, loadNavMesh, nextRandom, saveNavMesh } from 'navkiln';
import type { LinkRef, NavMesh, Random } from 'navkiln';
import { buildNavMesh } from 'navkiln/build';
import { createCrowd } from 'navkiln/crowd';
import type { AgentId, Crowd } from 'navkiln/crowd';
import { createRecorder } from 'navkiln/record';
import type { Recorder, RecorderOptions } from 'navkiln/record';
import { findLevelScene } from 'navkiln-scenes';

export interface Game {
  crowd: Crowd;
  navMesh: NavMesh;
  recorder: Recorder;
  ids: AgentId[];
  links: LinkRef[];
  random: Random;
}

const scene = findLevelScene('tower');

let baked: Uint8Array | undefined;

/** Returns a new mesh: the same for each call. */
export function makeMesh(): NavMesh {
  baked ??= saveNavMesh(bake());
  return loadNavMesh(baked);
}

function bake(): NavMesh {
  const { navMesh } = buildNavMesh(scene.create(), { ...scene.options, tileSize: 48 * scene.options.cellSize });
  const random = createRandom(3);
  const pick = () => findRandomPoint(navMesh, random)!.point;
  for (let i = 0; i < 3; i++) addLink(navMesh, { start: pick(), end: pick(), bothWays: true, name: `link ${i}` });
  return navMesh;
}

/** Begins a game of `count` agents. */
export function beginGame(seed: number, count: number, options: RecorderOptions = {}, navMesh = makeMesh()): Game {
  const crowd = createCrowd(navMesh, { maxAgents: count, searchBudget: 500 });
  const recorder = createRecorder(crowd, { info: { seed }, ...options });
  const random = createRandom(seed);
  const game: Game = { crowd, navMesh, recorder, ids: [], links: [], random };
  for (let i = 0; i < count; i++) addOne(game);
  return game;
}

function pick({ navMesh, random }: Game): [number, number, number] {
  return findRandomPoint(navMesh, random)!.point;
}

function addOne(game: Game): void {
  const { crowd, recorder, random, ids } = game;
  const id = recorder.calls.addAgent(crowd, pick(game), { maxSpeed: 1 + nextRandom(random) });
  if (id === 0) return;
  ids.push(id);
  recorder.calls.moveAgentTo(crowd, id, pick(game));
}

/** Gives random orders of every kind, changes the mesh now and then, and advances the game by a tick. */
export function playTick(game: Game): void {
  const { crowd, navMesh, recorder, random, ids, links } = game;
  const { calls } = recorder;
  if (nextRandom(random) < 0.4) {
    const id = ids[Math.floor(nextRandom(random) * ids.length)]!;
    const other = ids[Math.floor(nextRandom(random) * ids.length)]!;
    const kind = Math.floor(nextRandom(random) * 16);
    if (kind < 5) calls.moveAgentTo(crowd, id, pick(game));
    else if (kind === 5 && id !== other) calls.followAgent(crowd, id, other, { distance: 2 });
    else if (kind === 6) calls.setAgentVelocity(crowd, id, [nextRandom(random) - 0.5, 0, nextRandom(random) - 0.5]);
    else if (kind === 7) calls.stopAgent(crowd, id);
    else if (kind === 8) calls.patrolAgent(crowd, id, [pick(game), pick(game)], { waitSeconds: 1 });
    else if (kind === 9) calls.queueAgentMove(crowd, id, pick(game));
    else if (kind === 10) calls.moveGroupTo(crowd, [id, other], pick(game), { formation: 'line' });
    else if (kind === 11) calls.teleportAgent(crowd, id, pick(game));
    else if (kind === 12) calls.setAgentOptions(crowd, id, { maxSpeed: 1 + nextRandom(random) });
    else if (kind === 13) (nextRandom(random) < 0.5 ? calls.pauseAgent : calls.resumeAgent)(crowd, id);
    else if (kind === 14) calls.moveAgentAlong(crowd, id, [pick(game), pick(game)]);
    else if (ids.length > 4) {
      calls.removeAgent(crowd, id);
      ids.splice(ids.indexOf(id), 1);
      addOne(game);
    }
  }
  const change = nextRandom(random);
  if (change < 0.004) links.push(calls.addLink(navMesh, { start: pick(game), end: pick(game), cost: 3 }));
  else if (change < 0.006 && links.length > 0) calls.removeLink(navMesh, links.shift()!);
  else if (change < 0.02)
    calls.setEnabled(navMesh, `link ${Math.floor(nextRandom(random) * 3)}`, nextRandom(random) < 0.5);
  calls.stepCrowd(crowd);
}
