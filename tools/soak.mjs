/**
 * `npm run soak [-- MINUTES [SEED]]`: runs the tests with many more seeds and cases than `npm test` has time
 * for, then random trials.
 *
 * SUITES below lists the tests and what is raised in each: the whole matrix of awkward levels and every
 * option set of every scene against Recast, 10,000 queries of each kind against Detour, random operations on
 * the runtime, 2D maps and shortest paths against brute force. After that, random levels with random options
 * are baked until the time is up (default 10 minutes): each mesh is validated, searched for random paths,
 * baked twice, saved and loaded, and its bytes are compared.
 *
 * Seeds and counts are printed, and the seed decides everything, so a failure can be repeated. Below one
 * minute, only the random trials run.
 *
 * `npm run soak -- FAMILY [OPTIONS]` runs one family of random trials instead. Each file of tools/soak/ is a family: it exports
 * `soak(args)`, which returns the exit status.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './files.mjs';
import { run } from './run.mjs';
import { seeded } from './seeded.mjs';
import { build, install, requireNode } from './setup.mjs';

requireNode();
await install();
await build();
const family = process.argv[2] ?? '';
if (/^[a-z-]+$/.test(family) && existsSync(join(ROOT, 'tools/soak', `${family}.mjs`))) {
  const { soak } = await import(`./soak/${family}.mjs`);
  process.exit(await soak(process.argv.slice(3)));
}

const { findPath, loadNavMesh, saveNavMesh } = await import('navkiln');
const { buildNavMesh, optionsFromSettings } = await import('navkiln/build');
const { validateNavMesh } = await import('navkiln/debug');
const { levelScenes } = await import('navkiln-scenes');

const minutes = Number(process.argv[2] ?? 10);
const firstSeed = Number(process.argv[3] ?? Math.floor(Math.random() * 1e9));
if (!(minutes > 0) || !Number.isInteger(firstSeed)) {
  console.error('usage: npm run soak -- MINUTES [SEED], as in: npm run soak -- 10 42');
  process.exit(2);
}

function randomOptions(base, next) {
  const radius = base.agent.radius * (0.5 + next());
  return {
    ...base,
    agent: { ...base.agent, radius, maxClimb: base.agent.maxClimb * (0.5 + next()), maxSlopeDegrees: 20 + 50 * next() },
    cellSize: base.cellSize * (0.8 + next()),
    cellHeight: base.cellHeight * (0.7 + next()),
    partition: ['watershed', 'monotone', 'layers'][Math.floor(next() * 3)],
    maxVerticesPerPoly: 3 + Math.floor(next() * 10),
    maxEdgeError: base.cellSize * (0.5 + 2 * next()),
  };
}

/** Runs one seed. Returns the fault as a text, or undefined. */
function trial(seed) {
  const next = seeded(seed);
  const scene = levelScenes[Math.floor(next() * levelScenes.length)];
  const level = scene.create(Math.floor(next() * 1e6));
  const settings = randomOptions(scene.options, next);
  const options = optionsFromSettings(settings);
  const { navMesh, report } = buildNavMesh(level, options);
  console.log(`seed ${seed}: ${scene.name}, ${settings.partition}, ${report.counts.polygons} polygons`);
  const violations = validateNavMesh(navMesh);
  if (violations.length > 0) return `invalid mesh: ${violations[0].message}`;
  const bytes = saveNavMesh(navMesh);
  if (Buffer.compare(bytes, saveNavMesh(buildNavMesh(level, options).navMesh)) !== 0)
    return 'a second bake has other bytes';
  if (Buffer.compare(bytes, saveNavMesh(loadNavMesh(bytes))) !== 0) return 'loading and saving again gives other bytes';
  if (navMesh.edgeCount === 0) return undefined;
  const vertex = () => {
    // A vertex of an edge: an outline that could not be triangulated leaves vertices without a polygon.
    const at = 3 * navMesh.edgeVertex[Math.floor(next() * navMesh.edgeCount)];
    return Array.from(navMesh.vertices.subarray(at, at + 3));
  };
  for (let i = 0; i < 200; i++) {
    const path = findPath(navMesh, vertex(), vertex());
    if (path.status === 'none') return `no path from a point of the mesh: ${path.reason}`;
    if (!path.points.every((point) => Array.from(point).every(Number.isFinite)))
      return 'a path has a point that is not finite';
    if (path.status === 'complete' && !Number.isFinite(path.length)) return `a path is ${path.length} long`;
  }
  return undefined;
}

const end = Date.now() + minutes * 60_000;
let failures = 0;
/** Returns the file of a test of the library. */
const test = (path) => `packages/navkiln/test/${path}.test.ts`;
/** Tests that run with more seeds and cases, set through environment variables. */
const SUITES = [
  {
    name: 'shared meshes',
    files: ['unit/world/share/share', 'unit/world/share/overlay', 'unit/world/worker/path-service'].map(test),
    env: { NAVKILN_SHARED_RUNS: '20', NAVKILN_SHARED_QUERIES: '1000000' },
  },
  { name: 'matrix', files: [test('golden/matrix')], env: { NAVKILN_MATRIX: '1' } },
  // Every option set and border of every scene. These do not depend on the seed.
  {
    name: 'scenes against Recast',
    files: ['golden/recast-exact', 'golden/recast-border', 'property/bake-validators', 'corpus/deviations'].map(test),
    env: { NAVKILN_FULL: '1' },
  },
  {
    name: 'commands of the README',
    files: ['packages/cli/test/documented-commands.test.ts'],
    env: { NAVKILN_FULL: '1' },
  },
  {
    name: 'random levels',
    files: ['golden/recast-random', 'property/field-stages', 'property/random-bakes'].map(test),
    env: { NAVKILN_CASES: '2000', NAVKILN_BAKES: '2000' },
  },
  {
    name: 'stairs and spirals',
    files: [test('property/climbs')],
    env: { NAVKILN_CLIMBS: '1000' },
  },
  {
    name: 'browser, growth and pictures',
    files: [test('browser/determinism'), 'packages/bench/test/growth.test.ts', test('unit/show/svg')],
    env: { NAVKILN_TICKS: '10000', NAVKILN_FULL: '1' },
  },
  {
    name: 'pictures and buildings as maps',
    files: [test('browser/svg-pictures'), test('unit/formats/geojson-levels')],
    env: { NAVKILN_PICTURE_COUNT: '300', NAVKILN_BUILDING_COUNT: '1000' },
  },
  {
    name: 'queries',
    files: ['queries', 'straight-paths', 'corridors', 'paths-tiled', 'tiles'].map((name) => test(`golden/${name}`)),
    env: { NAVKILN_QUERIES: '10000', NAVKILN_PAIRS: '1000', NAVKILN_TILES: '1' },
  },
  {
    name: 'tile borders and returned points',
    files: ['property/far-doors', 'property/tile-doors', 'property/tile-walls', 'property/returned-points'].map(test),
    env: {
      NAVKILN_FAR: '8',
      NAVKILN_TILE_DOORS: '100',
      NAVKILN_TILE_WALLS: '600',
      NAVKILN_RETURNED: '50',
      NAVKILN_SEED: String(firstSeed),
    },
  },
  {
    name: 'walks',
    files: ['smooth', 'walk', 'walk-detour', 'floods-detour'].map((name) => test(`property/${name}`)),
    env: { NAVKILN_WALKS: '400', NAVKILN_CALLS: '5000' },
  },
  {
    name: 'wrong calls and wrong saves',
    files: [test('fuzz/misuse'), test('unit/agents/characters/save-refusals')],
    env: { NAVKILN_MISUSE: '40', NAVKILN_REFUSALS: '5', NAVKILN_SEED: String(firstSeed) },
  },
  {
    name: 'sizes',
    files: ['sizes', 'sizes-rooms', 'size-islands', 'path-index-sizes', 'closed-areas', 'closed-links'].map((name) =>
      test(`property/${name}`),
    ),
    env: { NAVKILN_FULL: '1', NAVKILN_SIZES: '200', NAVKILN_SEED: String(firstSeed) },
  },
  { name: 'open sides of stairs', files: [test('property/surface-ledges')], env: { NAVKILN_LEDGES: '60' } },
  { name: 'lines on the ground', files: [test('property/ground-line')], env: { NAVKILN_GROUND: '200' } },
  { name: 'routes', files: [test('property/routes'), test('property/routes-sizes')], env: { NAVKILN_ROUTES: '200' } },
  { name: 'dead ends', files: [test('property/dead-ends')], env: { NAVKILN_PATHS: '100000' } },
  {
    name: 'path index',
    files: ['property/path-index', 'property/world-index', 'unit/query/index/overlay'].map(test),
    env: { NAVKILN_INDEX: '10000', NAVKILN_FULL: '1' },
  },
  {
    name: 'pages and memory',
    files: [
      'packages/bench/test/memory.test.ts',
      'packages/cli/test/bounded.test.ts',
      test('consumers/cli'),
      test('consumers/consumers'),
      test('browser/example-pages'),
      test('browser/stream'),
      ...[
        'ask',
        'crowd',
        'edit',
        'failures',
        'accessible',
        'accessible-more',
        'hostile',
        'map-editor',
        'map-path',
        'panels',
        'pictures',
        'pool',
        'result-card',
        'search-replay',
        'session',
        'stages',
        'studio',
        'walks/live',
        'walks/open',
        'walks/keep',
        'walks/million',
        'world-view',
      ].map((name) => `packages/studio/test/${name}.test.ts`),
    ],
    env: { NAVKILN_FULL: '1' },
  },
  {
    name: 'corridors',
    files: [test('property/corridor'), test('property/corridor-length')],
    env: { NAVKILN_FULL: '1', NAVKILN_CORRIDORS: String(Math.round(100_000 * Math.min(minutes, 10))) },
  },
  {
    name: 'map worlds',
    files: [test('property/map-worlds'), test('unit/world/worker/world')],
    env: { NAVKILN_FULL: '1', NAVKILN_WORLD_OPERATIONS: String(Math.round(5000 * Math.min(minutes, 10))) },
  },
  // Each of four worlds gets this many operations.
  {
    name: 'runtime',
    files: [test('property/runtime'), test('property/runtime-crowd')],
    env: {
      NAVKILN_OPERATIONS: String(Math.round(2500 * Math.min(minutes, 10))),
      NAVKILN_RUNTIME_OPERATIONS: String(Math.round(20_000 * Math.min(minutes, 10))),
    },
  },
  {
    name: 'searches',
    files: [
      'property/searches',
      'unit/agents/crowd/goal-field',
      'unit/agents/crowd/save',
      'unit/build/voxel/layers',
    ].map(test),
    env: {
      NAVKILN_OPERATIONS: String(Math.round(400 * Math.min(minutes, 10))),
      NAVKILN_FIELDS: '300',
      NAVKILN_CORRUPTIONS: '20000',
    },
  },
  {
    name: 'parsers',
    files: [
      ...['fuzz/obj', 'fuzz/load', 'fuzz/tiles', 'fuzz/stored-files', 'fuzz/detour-bin', 'fuzz/maps', 'fuzz/saves'].map(
        test,
      ),
      'packages/cli/test/scene-file.test.ts',
    ],
    env: { NAVKILN_SCENE_ROUNDS: '2000', NAVKILN_FUZZ: '20000', NAVKILN_MAP_MUTATIONS: '20000', NAVKILN_SAVES: '6000' },
  },
  {
    name: 'places',
    files: [test('unit/show/explain-position'), test('unit/show/explain-limits')],
    env: { NAVKILN_PLACES: '5000', NAVKILN_FULL: '1' },
  },
  // Verdicts of verifyNavMesh on doors, steps, ramps, ceilings and gaps, at random angles; about five minutes.
  {
    name: 'tiled',
    files: [test('property/tiled-blocks')],
    env: { NAVKILN_TILED: '3000', NAVKILN_SEED: String(firstSeed) },
  },
  { name: 'verdicts', files: [test('unit/show/verify/limits')], env: { NAVKILN_ANGLES: '100' } },
  // Every crowd scene at full size; about half a minute per seed.
  {
    name: 'crowds',
    files: [test('property/crowd-scenes'), test('unit/agents/crowd/changing-world'), test('unit/agents/crowd/touched')],
    env: {
      NAVKILN_CROWDS: String(Math.max(1, Math.round(minutes / 2))),
      NAVKILN_LOCAL_CHANGES: '60',
      NAVKILN_SEED: String(firstSeed),
    },
  },
  {
    name: 'automatic links',
    files: [
      test('property/links'),
      test('property/links-tiles'),
      test('property/links-sizes'),
      test('property/straight-links'),
      test('unit/build/links/sizes'),
      test('unit/build/links/analytic'),
      test('unit/build/links/world-links'),
    ],
    env: { NAVKILN_FULL: '1', NAVKILN_LINKS: '40', NAVKILN_STRAIGHT: '80', NAVKILN_SEED: String(firstSeed) },
  },
  {
    name: 'clearance',
    files: [test('property/clearance')],
    env: { NAVKILN_CLEARANCE: '160', NAVKILN_SEED: String(firstSeed) },
  },
  {
    name: 'several sizes',
    files: [test('unit/build/voxel/build-many')],
    env: { NAVKILN_FULL: '1' },
  },
  {
    name: 'doors, streams and depths',
    files: ['property/named-areas', 'unit/world/streaming/streaming', 'unit/build/polygon/depth'].map(test),
    env: { NAVKILN_FULL: '1' },
  },
  {
    name: 'junctions and promises of rest',
    files: ['property/junctions', 'property/crowd-promises', 'property/crowd-rest'].map(test),
    env: { NAVKILN_FULL: '1' },
  },
  {
    name: 'surface meshes',
    files: [
      'surface',
      'surface-voxel',
      'surface-ramps',
      'surface-overlaps',
      'surface-gaps',
      'surface-leaning',
      'surface-art',
      'surface-levels',
    ].map((name) => test(`property/${name}`)),
    env: {
      NAVKILN_SURFACE_SEEDS: '600',
      NAVKILN_SURFACE_PAIRS: '1000',
      NAVKILN_RAMP_SEEDS: '1000',
      NAVKILN_LEANING: '2000',
      NAVKILN_OVERLAP_SEEDS: '500',
      NAVKILN_SURFACE_LEVEL_SEEDS: '100',
      NAVKILN_ART_SEEDS: '5',
      NAVKILN_ART_TRIANGLES: '40000',
    },
  },
  {
    name: 'truth',
    files: ['packages/bench/test/truth.test.ts'],
    env: { NAVKILN_TRUTH: '10' },
  },
  {
    name: 'characters',
    files: [test('property/characters')],
    env: { NAVKILN_CHARACTERS: '1' },
  },
  {
    name: 'suspicious bakes',
    files: [test('unit/show/diagnose')],
    env: { NAVKILN_DOUBTS: '200', NAVKILN_SEED: String(firstSeed) },
  },
  {
    name: 'kits that miss a floor',
    files: [test('unit/show/island-gaps'), test('unit/show/coarse-cells')],
    env: { NAVKILN_KITS: '300', NAVKILN_STEPS: '9', NAVKILN_SEED: String(firstSeed) },
  },
  {
    name: 'guesses of axis and unit',
    files: [test('property/guesses')],
    env: { NAVKILN_GUESSES: '20', NAVKILN_SEED: String(firstSeed) },
  },
  {
    name: 'sides of materials',
    files: [test('unit/base/data/sides')],
    env: { NAVKILN_SIDES: '20000', NAVKILN_SEED: String(firstSeed) },
  },
  {
    name: 'levels',
    files: [
      test('unit/world/levels/levels'),
      test('unit/world/levels/level-surface'),
      test('unit/build/voxel/cut-field'),
    ],
    env: { NAVKILN_LEVEL_EDITS: '1000' },
  },
  {
    name: 'maps',
    files: [
      'polygon-maps',
      'polygon-tiles',
      'polygon-diagonal',
      'polygon-touching',
      'bad-maps',
      'grid-paths',
      'optimal',
      'optimal-large',
      'nearly-convex',
    ].map((name) => test(`property/${name}`)),
    env: {
      NAVKILN_MAPS: '300',
      NAVKILN_BAD_MAPS: '400',
      NAVKILN_TOUCHING: '10000',
      NAVKILN_GRIDS: '600',
      NAVKILN_OPTIMAL: '100000',
      NAVKILN_NEARLY: '100000',
    },
  },
];
if (minutes >= 1) {
  for (const { name, files, env } of SUITES) {
    console.log(`${name}: seed ${firstSeed}`);
    const done = await run('vitest', ['run', '--testTimeout', '600000', ...files], {
      env: { ...env, NAVKILN_SEED: String(firstSeed) },
    });
    if (done.status === 0) continue;
    failures++;
    console.error(
      `the ${name} of seed ${firstSeed} FAILED\n  again: npm run soak -- ${Math.min(minutes, 10)} ${firstSeed}`,
    );
  }
}
let runs = 0;
for (let seed = firstSeed; Date.now() < end && failures < 10; seed++) {
  runs++;
  let problem;
  try {
    problem = trial(seed);
  } catch (error) {
    problem = error instanceof Error ? error.stack : String(error);
  }
  if (problem === undefined) continue;
  failures++;
  console.error(`seed ${seed} FAILED: ${problem}\n  again: npm run soak -- 0.01 ${seed}`);
}
console.log(`${runs} trials from seed ${firstSeed}, ${failures} failed`);
process.exitCode = failures === 0 && runs > 0 ? 0 : 1;
