/**
 * `npm run soak -- crossing [--seconds S] [--agents N] [--seed SEED] [--side METERS] [--budget MB]`: agents cross a streamed world in
 * real time, over HTTP, while 5 % of the requests fail, come late or are cut off.
 *
 * A world of hills, crates and ramps in tiles of 30 m is published with routes and served by a server of this process. 100 agents (default) walk
 * from corner to corner along routed paths for ten minutes; tiles around them and on their paths are loaded within a fixed number of
 * bytes. Fails when an agent stands for more than a second because a tile is missing, when there are more bytes than allowed, when the mesh
 * is invalid at the end, or when hardly any agent arrives anywhere.
 *
 * In: the built packages. Out: text. Cost: S seconds, and the bake of the world.
 * Based on: own.
 */
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { seeded } from '../seeded.mjs';
import { createPlain } from './memory.mjs';

const OPTIONS = {
  seconds: { type: 'string', default: '600' },
  agents: { type: 'string', default: '100' },
  seed: { type: 'string', default: '1' },
  side: { type: 'string', default: '900' },
  budget: { type: 'string', default: '' },
};
const TILE = 30;
const BAKE = { cellSize: 0.5, cellHeight: 0.25, tileSize: TILE, agent: { radius: 0.5, height: 2, maxClimb: 0.5 } };
const SPEED = 5;
const TICK = 1 / 20;
/** Share of requests that go wrong: a third each fail, come late, are cut off. */
const FAULTS = 0.05;
const LATE_MS = 700;
/** Distance from the last known point of a path at which the next part is asked for. */
const NEXT = 40;
/** Meters ahead that are loaded along a path. */
const AHEAD = 150;
const RADIUS = 20;
/** Seconds that an agent may stand for lack of a tile. */
const MOST_WAIT = 1;

/** Serves the files of a store, with faults. */
async function serve(files, next, count) {
  const server = createServer((request, response) => {
    const bytes = files.get(decodeURIComponent(request.url.slice(1)));
    count.requests++;
    if (bytes === undefined) return response.writeHead(404).end();
    const dice = request.url.includes('world.json') ? 1 : next();
    const headers = { 'content-length': bytes.length, 'cache-control': 'public, max-age=31536000, immutable' };
    if (dice >= FAULTS) return response.writeHead(200, headers).end(bytes);
    count.faults++;
    if (dice < FAULTS / 3) return response.writeHead(500).end();
    if (dice < (2 * FAULTS) / 3) return setTimeout(() => response.writeHead(200, headers).end(bytes), LATE_MS);
    response.writeHead(200, headers).write(bytes.subarray(0, bytes.length / 2));
    return setTimeout(() => response.destroy(), 20);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** Returns where an agent starts or goes: near a random border of the level. */
function place(next, side, edge) {
  const along = side * (0.05 + 0.9 * next());
  const near = side * (0.02 + 0.06 * next());
  return [
    [near, 3, along],
    [side - near, 3, along],
    [along, 3, near],
    [along, 3, side - near],
  ][edge];
}

/** Publishes a world, serves it, and opens it over HTTP. */
async function openOverHttp({ seed, side }, count) {
  const { openRouteGraph, routeGraphBytes } = await import('navkiln/routes');
  const { createHttpCache, createMemoryCache } = await import('navkiln/worker');
  const { openWorld, publishWorld } = await import('navkiln/world');
  const store = createMemoryCache({ maxBytes: 2 ** 32 });
  const { manifest } = await publishWorld(store, createPlain(side, seed), BAKE, { routes: true });
  const files = new Map();
  for (const name of await store.keys()) files.set(name, await store.get(name));
  const server = await serve(files, seeded(seed + 1), count);
  const world = await openWorld(createHttpCache(server.address, { readOnly: true }));
  const graph = await openRouteGraph(world);
  const bytes = routeGraphBytes(graph);
  const tiles = manifest.tiles.number.length;
  const sum = (list) => list.reduce((total, one) => total + one, 0);
  const total = sum(manifest.tiles.bytes);
  console.log(
    `${tiles} tiles, ${(total / 1e6).toFixed(1)} MB; routes: ${Math.round(sum(manifest.routes.bytes) / tiles)} bytes a tile in files, ` +
      `${Math.round((bytes.tiles + bytes.gates) / tiles)} in memory; seed ${seed}`,
  );
  return { world, graph, total, close: server.close };
}

/** Creates agents that go from edge to edge along routed paths, and counts what happens to them. */
async function createWalkers({ world, graph }, { agents, seed, side }) {
  const { findNearest } = await import('navkiln');
  const { addAgent, createCrowd, getAgent, moveAgentTo, stepCrowd } = await import('navkiln/crowd');
  const { continueRoutedPath, findRoutedPath } = await import('navkiln/routes');
  const next = seeded(seed);
  const crowd = createCrowd(world.navMesh, { maxAgents: agents, stepSeconds: TICK });
  const stats = { arrived: 0, parts: 0, walked: 0, lost: 0, worst: 0 };
  const walkers = Array.from({ length: agents }, (_, i) => ({
    id: 0,
    edge: i % 4,
    from: place(next, side, i % 4),
    wait: 0,
  }));

  /** Finds a path to a position at the opposite edge. */
  const leave = (walker, from) => {
    for (let attempt = 0; attempt < 10; attempt++) {
      const to = place(next, side, walker.edge ^ 1);
      const path = findRoutedPath(graph, world.navMesh, from, to, { halfExtents: [6, 8, 6] });
      stats.parts++;
      if (path.status === 'complete') return path;
    }
    return undefined;
  };
  const follow = (walker, path) => {
    walker.path = path;
    moveAgentTo(crowd, walker.id, path.points.at(-1));
  };
  /** Gives an agent a path, or the next part of it. */
  const guide = (walker) => {
    if (walker.id === 0) {
      // It enters the world once the first part of its path is loaded.
      const { ref, point } = findNearest(world.navMesh, walker.from, { halfExtents: [3, 8, 3] });
      const path = ref === 0 ? undefined : leave(walker, point);
      if (path === undefined) return;
      walker.path = path;
      if (!path.isWhole && path.length < NEXT) return;
      walker.id = addAgent(crowd, point, { maxSpeed: SPEED, radius: 0.5 });
      follow(walker, path);
      return;
    }
    const { position, status } = getAgent(crowd, walker.id);
    const goal = walker.path.points.at(-1);
    const left = Math.hypot(position[0] - goal[0], position[2] - goal[2]);
    if (walker.path.isWhole) {
      if (status !== 'arrived' && left > 1.5) return;
      // It has crossed the world, and goes back along another route.
      stats.arrived++;
      walker.edge ^= 1;
      follow(walker, leave(walker, position) ?? walker.path);
      return;
    }
    if (left > NEXT) return;
    const path = continueRoutedPath(walker.path, graph, world.navMesh, position);
    stats.parts++;
    if (path.status === 'complete') return follow(walker, path);
    stats.lost++;
    const other = leave(walker, position);
    if (other === undefined) throw new Error(`no path from ${position}: ${path.reason}`);
    follow(walker, other);
  };
  /** Counts how long an agent stands at the end of what is known of its path, and how far it walks. */
  const watch = (walker) => {
    if (walker.id === 0) return;
    const { position, velocity } = getAgent(crowd, walker.id);
    const goal = walker.path.points.at(-1);
    const speed = Math.hypot(velocity[0], velocity[2]);
    const isAtEnd = Math.hypot(position[0] - goal[0], position[2] - goal[2]) < 2;
    stats.walked += speed * TICK;
    walker.wait = !walker.path.isWhole && isAtEnd && speed < 0.2 ? walker.wait + TICK : 0;
    stats.worst = Math.max(stats.worst, walker.wait);
  };
  const points = () =>
    walkers.map((walker) => {
      const path = walker.path === undefined ? [] : [...walker.path.points.slice(1), ...walker.path.rest];
      if (walker.id === 0) return { position: walker.from, path };
      const { position, velocity } = getAgent(crowd, walker.id);
      return { position, velocity, path };
    });
  const step = (tick) => {
    // Twice a second, and ten times while it waits.
    for (const [i, walker] of walkers.entries()) if ((tick + i) % (walker.wait > 0 ? 2 : 10) === 0) guide(walker);
    stepCrowd(crowd);
    for (const walker of walkers) watch(walker);
  };
  return { stats, points, step };
}

export async function soak(args) {
  const { values } = parseArgs({ args, options: OPTIONS });
  const [seconds, agents, side, seed] = [values.seconds, values.agents, values.side, values.seed].map(Number);
  const { validateNavMesh } = await import('navkiln/debug');
  const { streamAround } = await import('navkiln/world');
  const count = { requests: 0, faults: 0 };
  const opened = await openOverHttp({ seed, side }, count);
  const { world, total } = opened;
  const maxBytes = values.budget === '' ? Math.round(total / 2) : Number(values.budget) * 1e6;
  const { stats, points, step } = await createWalkers(opened, { agents, seed, side });
  const options = { radius: RADIUS, ahead: AHEAD, maxBytes, maxRequests: 16 };
  let [bytes, leftOut] = [0, 0];
  const begun = performance.now();
  for (let tick = 0; tick * TICK < seconds; tick++) {
    const result = streamAround(world, points(), options);
    bytes = Math.max(bytes, result.bytes);
    leftOut = Math.max(leftOut, result.leftOutTiles);
    step(tick);
    const ahead = (tick + 1) * TICK * 1000 - (performance.now() - begun);
    await new Promise((done) => setTimeout(done, Math.max(0, ahead)));
  }
  const wrong = validateNavMesh(world.navMesh);
  opened.close();
  console.log(
    `${seconds} s: ${stats.arrived} crossings, ${Math.round(stats.walked)} m walked, ${stats.parts} parts of paths, ` +
      `${count.requests} requests, ${count.faults} faults; longest stop for a tile ${stats.worst.toFixed(2)} s; ` +
      `most bytes ${(bytes / 1e6).toFixed(2)} of ${(maxBytes / 1e6).toFixed(2)} MB; at most ${leftOut} tiles left out; ${stats.lost} paths lost`,
  );
  let failures = 0;
  const check = (isGood, text) => {
    if (isGood) return;
    console.error(`failed: ${text}`);
    failures++;
  };
  check(stats.worst <= MOST_WAIT, `an agent stood ${stats.worst.toFixed(2)} s for lack of a tile`);
  check(bytes <= maxBytes, `${bytes} bytes`);
  check(wrong.length === 0, `the mesh is invalid: ${wrong[0]?.message}`);
  check(stats.walked > 0.5 * SPEED * seconds * agents, 'the agents hardly moved');
  return failures > 0 ? 1 : 0;
}
