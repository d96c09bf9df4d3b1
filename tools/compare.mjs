/**
 * `npm run compare -- REF [--only bake,path,…] [--scenes a,b] [--rounds N]`: measures the working tree
 * against another commit.
 *
 * Both builds are loaded into one process and take turns, in an order that alternates, so a disturbance of
 * the machine hits both. Each row shows the median of time(working tree) / time(REF) with its quartiles, and
 * whether both gave the same answer. Exit status: 0 all answers agree, 1 some differ, 2 usage.
 *
 * Functions that REF has under an older name are found through ADAPTERS. A benchmark whose functions REF
 * lacks is skipped.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readArguments } from './arguments.mjs';
import { firstDifference, sameMesh } from './compare-answers.mjs';
import { ROOT } from './files.mjs';
import { build, fail, install, requireNode } from './setup.mjs';
import { commitOf, hasSameDependencies, prepareWorktree } from './worktree.mjs';

/** Entries of the library that are merged into one record of functions. */
const ENTRIES = ['index', 'kernel', 'build', 'polygon', 'crowd'];

/** Today's name -> older names. */
const ADAPTERS = {
  moveAgentTo: ['moveTo'],
};

const PAIRS = 200;
const CROWD_TICKS = 30;
/** A measured run lasts at least this long, in milliseconds: short work is repeated. */
const MIN_RUN_MS = 10;
/** Rounds before the measured ones: the engine compiles both builds. */
const WARMUPS = 3;

const milliseconds = (ms) => (ms >= 100 ? ms.toFixed(0) : ms.toPrecision(3));

/** Loads every entry of a build. */
async function loadBuild(root) {
  const build = {};
  for (const entry of ENTRIES) {
    const file = join(root, 'packages', 'navkiln', 'dist', `${entry}.js`);
    if (existsSync(file)) Object.assign(build, await import(pathToFileURL(file).href));
  }
  for (const [name, olderNames] of Object.entries(ADAPTERS)) {
    const older = olderNames.find((known) => known in build);
    if (!(name in build) && older !== undefined) build[name] = build[older];
  }
  return build;
}

/** Returns pairs of points on a mesh. Both builds get the pairs of the working tree's mesh. */
function pairsOn(lib, navMesh) {
  const random = lib.createRandom(7);
  const draw = () => Array.from(lib.findRandomPoint(navMesh, random).point);
  return Array.from({ length: PAIRS }, () => [draw(), draw()]);
}

/** Returns a benchmark that builds 2D maps. Lengths in its options are shares of the map's size. */
function mapBench({ tileSize, radius }) {
  return {
    needs: ['buildFromPolygons', 'saveNavMesh'],
    scenes: ['rubble-map', 'coast-map'],
    kind: 'map',
    prepare(libs, scene) {
      const map = scene.create();
      const xs = map.polygons.flatMap(({ outline }) => outline.map(([x]) => x));
      const size =
        xs.reduce((high, x) => Math.max(high, x), -Infinity) - xs.reduce((low, x) => Math.min(low, x), Infinity);
      const options = { tileSize: tileSize && tileSize * size, radius: radius && radius * size };
      return libs.map((lib) => () => lib.buildFromPolygons(map, options).navMesh);
    },
    differ: sameMesh,
  };
}

/** Returns a benchmark that builds surface meshes, with the radius of the agent of the scene or another. */
function surfaceBench(radius) {
  return {
    needs: ['buildFromSurface', 'saveNavMesh'],
    scenes: ['house', 'dungeon', 'tower', 'city', 'caves'],
    prepare(libs, scene) {
      const level = scene.create();
      const agent = { ...scene.options.agent, ...radius };
      return libs.map((lib) => () => lib.buildFromSurface(level, { agent }).navMesh);
    },
    differ: sameMesh,
  };
}

/** Returns a benchmark that asks the same question about each pair of points, on each build's own mesh. */
function pairBench(name, ask) {
  return {
    needs: ['buildNavMesh', 'createRandom', 'findRandomPoint', name],
    scenes: ['dungeon', 'city', 'terrain', 'tower'],
    prepare(libs, scene) {
      const level = scene.create();
      const meshes = libs.map((lib) => lib.buildNavMesh(level, scene.options).navMesh);
      const pairs = pairsOn(libs[0], meshes[0]);
      return libs.map((lib, k) => () => pairs.map(([from, to]) => ask(lib, meshes[k], from, to)));
    },
    differ: (a, b) => firstDifference(a, b),
  };
}

const BENCHES = {
  bake: {
    needs: ['buildNavMesh', 'saveNavMesh'],
    scenes: ['dungeon', 'city', 'terrain', 'tower', 'caves'],
    prepare(libs, scene) {
      const level = scene.create();
      return libs.map((lib) => () => lib.buildNavMesh(level, scene.options).navMesh);
    },
    differ: sameMesh,
  },
  surface: surfaceBench({}),
  'surface-no-radius': surfaceBench({ radius: 0 }),
  map: mapBench({}),
  'map-tiles': mapBench({ tileSize: 0.15 }),
  'map-radius': mapBench({ radius: 0.002 }),
  nearest: pairBench('findNearest', (lib, mesh, from) => lib.findNearest(mesh, from)),
  path: pairBench('findPath', (lib, mesh, from, to) => lib.findPath(mesh, from, to)),
  optimal: pairBench('findOptimalPath', (lib, mesh, from, to) => lib.findOptimalPath(mesh, from, to)),
  raycast: pairBench('raycast', (lib, mesh, from, to) => lib.raycast(mesh, from, to)),
  crowd: {
    needs: ['buildNavMesh', 'createCrowd', 'addAgent', 'moveAgentTo', 'stepCrowd', 'hashCrowd'],
    scenes: ['crossroads', 'bottleneck', 'town'],
    kind: 'crowd',
    prepare: (libs, scene) => libs.map((lib) => crowdRun(lib, scene.create())),
    differ(a, b) {
      const moved = firstDifference(a.position, b.position, 'agents.position');
      return moved !== '' || a.hash === b.hash ? moved : 'positions are equal, hashes of the state differ';
    },
    isOneWay: true,
  },
};

/** Returns a function that runs some ticks of one crowd and returns the positions of its agents. */
function crowdRun(lib, { level, options, agents }) {
  const crowd = lib.createCrowd(lib.buildNavMesh(level, options).navMesh, { maxAgents: agents.length });
  for (const { position, goal, radius, height, maxSpeed, maxAcceleration } of agents) {
    const id = lib.addAgent(crowd, position, { radius, height, maxSpeed, maxAcceleration });
    if (goal !== undefined) lib.moveAgentTo(crowd, id, goal);
  }
  return () => {
    for (let tick = 0; tick < CROWD_TICKS; tick++) lib.stepCrowd(crowd);
    return { position: crowd.agents.position.slice(), hash: lib.hashCrowd(crowd) };
  };
}

/**
 * Returns how often a piece of work must run to fill the minimum time. Runs it a few times first, so that it is
 * compiled.
 */
function repetitions(work) {
  let shortest = Infinity;
  for (let i = 0; i < 3; i++) {
    const begin = performance.now();
    work();
    shortest = Math.min(shortest, performance.now() - begin);
  }
  return Math.max(1, Math.ceil(MIN_RUN_MS / shortest));
}

/**
 * Measures one benchmark on one scene. Returns a row of the table and the first difference of the answers, ''
 * for none.
 */
function measure({ harness, libs, bench, scene, rounds }) {
  const runs = bench.prepare(libs, scene);
  const times = bench.isOneWay === true ? 1 : repetitions(runs[0]);
  const results = [];
  let difference = '';
  const contenders = runs.map((work, k) => ({
    name: String(k),
    run() {
      for (let i = 1; i < times; i++) work();
      return work();
    },
    release(result) {
      results[k] = result;
      if (results.filter((known) => known !== undefined).length < runs.length) return;
      if (difference === '') difference = bench.differ(results[0], results[1], libs);
      results.length = 0;
    },
  }));
  const [now, before] = harness.measureInterleaved(contenders, { rounds, warmups: WARMUPS });
  const ratio = harness.ratioOf(now, before);
  const cells = [
    milliseconds(harness.spreadOf(now).median / times),
    milliseconds(harness.spreadOf(before).median / times),
    ratio.median.toFixed(3),
    `${ratio.q1.toFixed(3)}–${ratio.q3.toFixed(3)}`,
    difference === '' ? 'same' : 'DIFFERENT',
  ];
  return { cells, difference };
}

function usage(message) {
  console.error(
    `${message}\nusage: npm run compare -- REF [--only ${Object.keys(BENCHES).join(',')}] [--scenes a,b] [--rounds N]`,
  );
  process.exit(2);
}

async function main() {
  const { values, positionals } = readArguments(fileURLToPath(import.meta.url), {
    allowPositionals: true,
    options: { only: { type: 'string' }, scenes: { type: 'string' }, rounds: { type: 'string', default: '15' } },
  });
  const [ref, ...rest] = positionals;
  if (ref === undefined || rest.length > 0) usage('compare: name one commit, for example HEAD~10');
  const commit = commitOf(ref);
  if (commit === undefined) usage(`compare: no commit ${ref}`);
  const names = values.only?.split(',') ?? Object.keys(BENCHES);
  const unknown = names.find((name) => !(name in BENCHES));
  if (unknown !== undefined) usage(`compare: no benchmark ${unknown}`);
  const rounds = Number(values.rounds);
  if (!(Number.isInteger(rounds) && rounds > 0))
    usage(`compare: --rounds is ${values.rounds}; must be a whole number above 0`);

  requireNode();
  await install();
  await build();
  const worktree = await prepareWorktree(commit).catch((error) => fail(error.message));
  if (!hasSameDependencies(worktree))
    console.log(`${ref} locks other versions of its dependencies; the installed ones are used.`);

  const libs = [await loadBuild(ROOT), await loadBuild(worktree)];
  const harness = await import('../packages/bench/dist/harness.js');
  const { levelScenes, mapScenes, crowdScenes } = await import('navkiln-scenes');
  const scenesOf = { level: levelScenes, map: mapScenes, crowd: crowdScenes };
  const rows = [['benchmark, scene', 'ms', `ms of ${ref}`, 'ratio', 'quartiles', 'answers']];
  const notes = [];
  let differences = 0;
  for (const name of names) {
    const bench = BENCHES[name];
    const missing = bench.needs.filter((needed) => !(needed in libs[1]));
    if (missing.length > 0) {
      notes.push(`${name}: skipped: ${ref} has no ${missing.join(', ')}`);
      continue;
    }
    for (const sceneName of values.scenes?.split(',') ?? bench.scenes) {
      const scene = scenesOf[bench.kind ?? 'level'].find((known) => known.name === sceneName);
      if (scene === undefined) {
        notes.push(`${name}: skipped: there is no ${bench.kind ?? 'level'} scene ${sceneName}`);
        continue;
      }
      process.stderr.write(`${name}, ${sceneName}\n`);
      const { cells, difference } = measure({ harness, libs, bench, scene, rounds });
      rows.push([`${name}, ${sceneName}`, ...cells]);
      if (difference === '') continue;
      differences++;
      notes.push(`${name}, ${sceneName}: ${difference}`);
    }
  }
  console.log(
    `\nworking tree / ${ref} (${commit.slice(0, 12)}), ${rounds} rounds; a ratio below 1: the working tree is faster\n`,
  );
  console.log(harness.formatTable(rows));
  for (const note of notes) console.log(note);
  process.exitCode = differences > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
