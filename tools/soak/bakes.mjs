/**
 * `npm run soak -- bakes [--count N] [--seconds S] [--first SEED] [--kinds a,b]`: bakes N (default 1,000,000) tiny random levels and
 * maps from SEED (default 1) on, each with random options, and checks that every mesh is sound.
 *
 * The kinds take turns. `voxel`: triangle soups, broken floors and blocks through `buildNavMesh`, with all partitionings, tiles of a few
 * cells, edge errors from 0, detail on and off, cells from a millimeter to a kilometer, up to 100 km from the origin. `surface`: the same
 * kinds of triangles through `buildFromSurface`. `polygon`: overlapping and self-crossing rings through `buildFromPolygons`. `extreme`:
 * coordinates and options of up to 1e308, denormal, infinite or NaN, through all builders and level sets.
 *
 * A mesh is sound when `validateNavMesh` finds nothing, it loads from its bytes, saves again to the same bytes, and (every eighth
 * trial) a second bake has the same bytes. A trial may be refused by a RangeError that names a function and a remedy. Everything else is a
 * failure: it is printed with its kind and seed, and the exit status is 1. A trial that takes a minute of processor time is printed, too, and ends the
 * run.
 *
 * In: the built packages. Out: counts by outcome and kind, and the warnings of all reports.
 * Cost: about four milliseconds per trial.
 * Based on: own.
 */
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';

export const KINDS = ['voxel', 'surface', 'polygon', 'extreme'];

const OPTIONS = {
  count: { type: 'string', default: '1000000' },
  seconds: { type: 'string', default: '7200' },
  first: { type: 'string', default: '1' },
  kinds: { type: 'string', default: KINDS.join(',') },
};
const USAGE = `usage: npm run soak -- bakes [--count N] [--seconds S] [--first SEED] [--kinds ${KINDS.join(',')}]`;

/** Trials that take more processor time are taken to be endless, seconds. */
const MOST_SECONDS = 60;

/** Failures that are printed; further ones are counted. */
const MOST_FAILURES = 50;

/** Returns a generator of numbers in [low, high), uniform. */
function stream(seed) {
  let state = Math.imul(seed, 0x9e3779b1) | 0;
  return (low = 0, high = 1) => {
    state = (state + 0x9e3779b9) | 0;
    let h = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    h = Math.imul(h ^ (h >>> 15), 0x735a2d97);
    return low + ((high - low) * ((h ^ (h >>> 15)) >>> 0)) / 4294967296;
  };
}

const chance = (random, share) => random() < share;
const pick = (random, list) => list[Math.floor(random(0, list.length))];
const whole = (random, low, high) => Math.floor(random(low, high + 1));

/** Returns positions of random triangles; sides of about `size` units, heights of a few units. */
function soup(random, size) {
  const positions = [];
  const snap = pick(random, [0, 0, 1, 0.5]);
  const height = random(0, 0.6) * size;
  for (let t = whole(random, 2, 12); t > 0; t--) {
    for (let k = 0; k < 9; k++) {
      const value = random(0, k % 3 === 1 ? height : size);
      positions.push(snap > 0 && chance(random, 0.6) ? Math.round(value / snap) * snap : value);
    }
    // Mostly up.
    const p = positions.length - 9;
    const [ax, az, bx, bz, cx, cz] = [p, p + 2, p + 3, p + 5, p + 6, p + 8].map((i) => positions[i]);
    if ((bz - az) * (cx - ax) - (bx - ax) * (cz - az) < 0 && chance(random, 0.9)) {
      for (let k = 3; k < 6; k++) [positions[p + k], positions[p + k + 3]] = [positions[p + k + 3], positions[p + k]];
    }
  }
  return positions;
}

/** Returns positions of storeys of squares, some missing, each corner at its own height. */
function floors(random, size) {
  const positions = [];
  const count = whole(random, 1, 5);
  const side = size / count;
  const missing = random(0, 0.5);
  const bumps = chance(random, 0.4) ? 0 : random(0, 1);
  for (let storey = whole(random, 1, 2) - 1; storey >= 0; storey--) {
    const heights = Array.from({ length: (count + 1) ** 2 }, () => 2 * storey + random(0, bumps));
    const corner = (x, z) => [x * side, heights[x + z * (count + 1)], z * side];
    for (let z = 0; z < count; z++) {
      for (let x = 0; x < count; x++) {
        if (chance(random, missing)) continue;
        positions.push(...corner(x, z), ...corner(x, z + 1), ...corner(x + 1, z));
        positions.push(...corner(x + 1, z), ...corner(x, z + 1), ...corner(x + 1, z + 1));
      }
    }
  }
  return positions;
}

/** Returns positions of one floor with upright boxes on it. */
function blocks(random, size) {
  const positions = [];
  const quad = (a, b, c, d) => positions.push(...a, ...b, ...c, ...a, ...c, ...d);
  quad([0, 0, 0], [0, 0, size], [size, 0, size], [size, 0, 0]);
  for (let n = whole(random, 1, 8); n > 0; n--) {
    const [x, z, w, d] = [random(0, size), random(0, size), random(0, size / 3), random(0, size / 3)];
    const h = random(0.1, 2);
    quad([x, h, z], [x, h, z + d], [x + w, h, z + d], [x + w, h, z]);
    quad([x, 0, z], [x, 0, z + d], [x, h, z + d], [x, h, z]);
    quad([x + w, 0, z + d], [x + w, 0, z], [x + w, h, z], [x + w, h, z + d]);
    quad([x, 0, z + d], [x + w, 0, z + d], [x + w, h, z + d], [x, h, z + d]);
    quad([x + w, 0, z], [x, 0, z], [x, h, z], [x + w, h, z]);
  }
  return positions;
}

/** Returns a level in units, and how it is scaled and moved. */
function randomLevel(random) {
  const size = random(0.5, 5);
  const positions = pick(random, [soup, soup, floors, blocks])(random, size);
  const scale = chance(random, 0.6) ? 1 : 10 ** random(-3, 3);
  const far = chance(random, 0.75) ? 0 : 10 ** random(1, 5);
  const shift = [random(-far, far), random(-far, far) / 10, random(-far, far)];
  for (let k = 0; k < positions.length; k++) positions[k] = positions[k] * scale + shift[k % 3];
  // Float32 positions keep a few steps per cell only where the level is not too far away for its scale.
  const isFloat = far < 1000 * scale && chance(random, 0.4);
  return { positions: isFloat ? Float32Array.from(positions) : positions, size, scale, shift };
}

function randomVolumes(random, { size, scale, shift }) {
  return Array.from({ length: whole(random, 1, 3) }, () => {
    const area = whole(random, 0, 5);
    const at = [random(0, size), random(-1, 2), random(0, size)].map((v, axis) => v * scale + shift[axis]);
    const reach = random(0.1, size / 2) * scale;
    if (chance(random, 0.5)) return { type: 'cylinder', area, center: at, radius: reach, height: 3 * scale };
    return { type: 'box', area, min: at, max: at.map((v) => v + reach) };
  });
}

function voxelOptions(random, level) {
  const { size, scale } = level;
  // A bake has some 2,000 columns at most.
  const cell = (size / random(4, 36)) * scale;
  return {
    agent: {
      radius: chance(random, 0.7) ? 0 : random(0, 1.5) * cell,
      height: random(0.1, 1) * scale,
      maxClimb: random(0, 0.6) * scale,
      maxSlopeDegrees: random(45, 90),
    },
    cellSize: cell,
    cellHeight: random(0.03, 0.4) * scale,
    tileSize: chance(random, 0.55) ? 0 : cell * whole(random, 10, 24),
    partition: pick(random, ['watershed', 'monotone', 'layers']),
    maxEdgeLength: chance(random, 0.4) ? 0 : cell * random(1, 30),
    maxEdgeError: cell * (chance(random, 0.3) ? random(0, 0.6) : random(0.5, 4)),
    regionMinArea: chance(random, 0.6) ? 0 : cell * cell * random(0, 20),
    regionMergeArea: chance(random, 0.4) ? 0 : cell * cell * random(0, 400),
    maxVerticesPerPoly: whole(random, 3, 12),
    detailSampleDistance: chance(random, 0.6) ? 0 : cell * random(1, 8),
    detailMaxError: scale * random(0, 0.3),
    filterLowHangingObstacles: chance(random, 0.7),
    filterLedges: chance(random, 0.25),
    filterLowCeilings: chance(random, 0.7),
    medianAreas: chance(random, 0.2),
    tessellateWallEdges: chance(random, 0.6),
    tessellateAreaEdges: chance(random, 0.4),
    ...(chance(random, 0.35) ? { volumes: randomVolumes(random, level) } : {}),
  };
}

function surfaceOptions(random, { size, scale }) {
  return {
    agent: {
      radius: chance(random, 0.6) ? 0 : random(0, 0.2) * scale,
      height: random(0.1, 1) * scale,
      maxClimb: random(0, 0.6) * scale,
      maxSlopeDegrees: random(45, 90),
    },
    ...(chance(random, 0.5) ? {} : { weldTolerance: scale * 10 ** random(-5, -1) }),
    ...(chance(random, 0.5) ? {} : { clearance: chance(random, 0.5) }),
    islandMinArea: chance(random, 0.7) ? 0 : random(0, 0.5) * scale * scale,
    maxVerticesPerPoly: whole(random, 3, 12),
    mergeDegrees: random(0, 30),
    ...(chance(random, 0.5) ? {} : { tileSize: Math.max(size / whole(random, 1, 4), 10) * scale }),
  };
}

function randomRing(random, size, isMessy) {
  const count = whole(random, 3, isMessy ? 12 : 7);
  const [x, y, reach] = [random(0, size), random(0, size), random(0.05, 0.7) * size];
  const snap = pick(random, [0, 0.25, 1]);
  return Array.from({ length: count }, (_, k) => {
    // Around a circle by rational coordinates, or anywhere.
    const t = Math.tan(Math.PI * (k / count - 0.5) * 0.97);
    const away = reach * random(0.3, 1);
    const point = isMessy
      ? [random(0, size), random(0, size)]
      : [x + (away * (1 - t * t)) / (1 + t * t), y + (away * 2 * t) / (1 + t * t)];
    return snap > 0 ? point.map((v) => Math.round(v / snap) * snap) : point;
  });
}

function randomMap(random) {
  const size = random(1, 6);
  const scale = chance(random, 0.6) ? 1 : 10 ** random(-3, 3);
  const far = chance(random, 0.75) ? 0 : 10 ** random(1, 5);
  const shift = [random(-far, far), random(-far, far)];
  const ring = (isMessy) => randomRing(random, size, isMessy).map((p) => p.map((v, k) => v * scale + shift[k]));
  const rings = (most, isMessy) => Array.from({ length: whole(random, 0, most) }, () => ring(isMessy));
  const polygons = Array.from({ length: whole(random, 1, 3) }, () => ({
    outline: ring(chance(random, 0.3)),
    holes: rings(2, chance(random, 0.2)),
  }));
  return { map: { polygons, obstacles: rings(3, chance(random, 0.2)) }, size, scale };
}

function polygonOptions(random, { size, scale }, { cutByDiagonals }) {
  return {
    cutByDiagonals,
    radius: chance(random, 0.5) ? 0 : random(0, 0.15) * size * scale,
    mode: pick(random, ['delaunay', 'diagonal']),
    maxVertices: whole(random, 3, 16),
    fillRule: pick(random, ['nonzero', 'evenodd']),
    ...(chance(random, 0.7) ? {} : { gridSize: scale * 10 ** random(-6, -0.5) }),
    arcTolerance: random(0.005, 0.5),
    ...(chance(random, 0.5) ? {} : { tileSize: size * scale * random(0.1, 1) }),
  };
}

/** The start of a refusal: a function that the trial called. */
const CLEAR = /^(build\w+|createWorld|createSurfaceWorld|addLevel|moveLevel|updateWorld): /;

const EXTREMES = [
  0,
  -0,
  1,
  2,
  3,
  7,
  0.5,
  1e-3,
  1e-9,
  1e-30,
  1e-160,
  1e-300,
  5e-324,
  1e4,
  1e7,
  2 ** 31,
  2 ** 32,
  1e12,
  1e15,
  2 ** 53,
  1e18,
  1e20,
  1e30,
  3e38,
  1e60,
  1e99,
  1e100,
  1e150,
  1e154,
  1e300,
  Number.MAX_VALUE,
  NaN,
  Infinity,
];

/** Returns a coordinate: small, or now and then anything that a double can be. */
function extreme(random, share) {
  if (!chance(random, share)) return random(0, 4);
  const value = pick(random, EXTREMES) * (chance(random, 0.5) ? 1 : -1);
  return chance(random, 0.5) ? value : value * random(0.5, 1.5);
}

/** Returns options of which some are extreme. */
function extremeOptions(random, options) {
  const changed = { ...options };
  const share = pick(random, [0, 0, 0.1, 0.4]);
  for (const [key, value] of Object.entries(options)) {
    if (typeof value === 'number' && chance(random, share)) changed[key] = Math.abs(pick(random, EXTREMES));
    else if (key === 'agent') changed.agent = extremeOptions(random, value);
  }
  return changed;
}

/**
 * Returns a function that gives some level or map with extreme numbers to a builder and returns what it builds.
 */
function prepareExtreme(library, random) {
  const share = pick(random, [0.02, 0.1, 0.5]);
  const kind = pick(random, ['voxel', 'surface', 'polygon', 'levels']);
  if (kind === 'polygon') {
    const { map } = randomMap(random);
    const change = (ring) =>
      ring.map((point) => point.map((v) => (chance(random, share / 4) ? extreme(random, 1) : v)));
    const polygons = map.polygons.map(({ outline, holes }) => ({ outline: change(outline), holes: holes.map(change) }));
    const options = extremeOptions(random, polygonOptions(random, { size: 4, scale: 1 }, library));
    const obstacles = map.obstacles.map(change);
    return () => library.buildFromPolygons({ polygons, obstacles }, options);
  }
  const level = { positions: soup(random, 4), size: 4, scale: 1, shift: [0, 0, 0] };
  const positions = level.positions.map((v) => (chance(random, share) ? extreme(random, 1) : v));
  // Millions of tiles take minutes, which is no defect. Levels are baked in tiles, a few of them.
  if (kind === 'surface') {
    const options = { ...extremeOptions(random, surfaceOptions(random, level)), tileSize: 0 };
    return () => library.buildFromSurface({ positions }, options);
  }
  const options = { ...extremeOptions(random, voxelOptions(random, level)), memoryLimitBytes: 1 << 24 };
  if (kind === 'voxel')
    return () => library.buildNavMesh({ positions }, library.optionsFromSettings({ ...options, tileSize: 0 }));
  const isSurface = chance(random, 0.5);
  const { volumes: _, ...rest } = options;
  const setOptions = isSurface ? extremeOptions(random, surfaceOptions(random, level)) : rest;
  const placement = { position: [extreme(random, share), extreme(random, share), extreme(random, share)] };
  return () => {
    const create = isSurface ? library.createSurfaceWorld : library.createWorld;
    const set = create(library.optionsFromSettings({ ...setOptions, tileSize: setOptions.tileSize || 2 }));
    const warnings = [];
    const id = library.addLevel(set, { positions });
    warnings.push(...library.updateWorld(set, { maxTiles: 64 }).warnings);
    library.moveLevel(set, id, placement);
    warnings.push(...library.updateWorld(set, { maxTiles: 64 }).warnings);
    return { navMesh: set.navMesh, report: { warnings } };
  };
}

/**
 * Returns the function that runs one trial of a kind and seed. `library` has the builders, `validateNavMesh`, `saveNavMesh` and
 * `loadNavMesh`, built or from the sources.
 *
 * A trial returns its outcome ('sound', 'empty', 'refused' or 'failed'), what failed, and the report's warnings.
 */
export function createTrial(library) {
  const { buildNavMesh, buildFromSurface, buildFromPolygons, validateNavMesh, saveNavMesh, loadNavMesh } = library;

  /** Returns a function that builds the mesh of this kind and seed and returns it with its report. */
  function prepare(kind, seed) {
    const random = stream(3 * seed + KINDS.indexOf(kind));
    if (kind === 'extreme') return prepareExtreme(library, random);
    if (kind === 'polygon') {
      const source = randomMap(random);
      const options = polygonOptions(random, source, library);
      return () => buildFromPolygons(source.map, options);
    }
    const level = randomLevel(random);
    const { positions } = level;
    if (kind === 'surface') {
      const options = surfaceOptions(random, level);
      return () => buildFromSurface({ positions }, options);
    }
    const options = voxelOptions(random, level);
    return () => buildNavMesh({ positions }, library.optionsFromSettings(options));
  }

  return (kind, seed) => {
    const build = prepare(kind, seed);
    let mesh;
    let warnings = [];
    try {
      const built = build();
      mesh = built.navMesh;
      ({ warnings } = built.report);
    } catch (error) {
      const isClear = error instanceof RangeError && CLEAR.test(error.message);
      return { outcome: isClear ? 'refused' : 'failed', what: String(isClear ? error.message : error.stack), warnings };
    }
    const failed = (what) => ({ outcome: 'failed', what, warnings });
    const [violation] = validateNavMesh(mesh);
    if (violation !== undefined) return failed(`validateNavMesh: ${violation.code}: ${violation.message}`);
    const bytes = saveNavMesh(mesh);
    try {
      if (Buffer.compare(bytes, saveNavMesh(loadNavMesh(bytes.slice()))) !== 0)
        return failed('the loaded mesh differs');
    } catch (error) {
      return failed(error.message);
    }
    if (seed % 8 === 0 && Buffer.compare(bytes, saveNavMesh(build().navMesh)) !== 0)
      return failed('a second bake differs');
    return { outcome: mesh.polyCount === 0 ? 'empty' : 'sound', what: '', warnings };
  };
}

/**
 * Starts a thread that ends the process with status 1 when the numbers in the returned array (kind and seed of the trial that runs) stay
 * the same for too long.
 */
function startWatch(kinds) {
  const current = new Float64Array(new SharedArrayBuffer(16));
  const code = `
    const { workerData: { current, kinds } } = require('node:worker_threads');
    let [kind, seed, since] = [-1, -1, 0];
    setInterval(() => {
      if (current[0] !== kind || current[1] !== seed) [kind, seed, since] = [current[0], current[1], process.cpuUsage().user];
      else if (process.cpuUsage().user - since > ${1e6 * MOST_SECONDS}) {
        require('node:fs').writeSync(1, kinds[kind] + ' seed ' + seed + ' FAILED: it does not end\\n');
        process.kill(process.pid);
      }
    }, 1000);`;
  new Worker(code, { eval: true, workerData: { current, kinds } }).unref();
  return current;
}

/** Runs the trials. Returns the exit status. */
export async function soak(args) {
  let values;
  try {
    ({ values } = parseArgs({ args, options: OPTIONS }));
  } catch {
    console.error(USAGE);
    return 2;
  }
  const [count, seconds, first] = [values.count, values.seconds, values.first].map(Number);
  const kinds = values.kinds.split(',');
  if (!(count > 0 && seconds > 0 && Number.isInteger(first) && kinds.every((kind) => KINDS.includes(kind)))) {
    console.error(USAGE);
    return 2;
  }
  const { loadNavMesh, saveNavMesh } = await import('navkiln');
  const { buildFromSurface, buildNavMesh, optionsFromSettings } = await import('navkiln/build');
  const { buildFromPolygons, cutByDiagonals } = await import('navkiln/polygon');
  const { validateNavMesh } = await import('navkiln/debug');
  const world = await import('navkiln/world');
  const trial = createTrial({
    buildNavMesh,
    optionsFromSettings,
    buildFromSurface,
    buildFromPolygons,
    cutByDiagonals,
    validateNavMesh,
    saveNavMesh,
    loadNavMesh,
    ...world,
  });
  const current = startWatch(kinds);
  const end = Date.now() + 1000 * seconds;
  const outcomes = Object.fromEntries(kinds.map((kind) => [kind, { sound: 0, empty: 0, refused: 0, failed: 0 }]));
  const warningCounts = {};
  let failures = 0;
  let done = 0;
  for (; done < count && Date.now() < end; done++) {
    const kind = kinds[done % kinds.length];
    const seed = first + Math.floor(done / kinds.length);
    // oxlint-disable-next-line no-await-in-loop -- now and then, so that the watching thread can start
    if (done % 1000 === 0) await new Promise(setImmediate);
    current[0] = kinds.indexOf(kind);
    current[1] = seed;
    const { outcome, what, warnings } = trial(kind, seed);
    outcomes[kind][outcome]++;
    for (const { code } of warnings) warningCounts[code] = (warningCounts[code] ?? 0) + 1;
    if (outcome === 'failed' && failures++ < MOST_FAILURES) console.log(`${kind} seed ${seed} FAILED: ${what}`);
    if (done % 100_000 === 99_999) console.error(`${done + 1} trials, ${failures} failures`);
  }
  for (const kind of kinds) {
    const { sound, empty, refused, failed } = outcomes[kind];
    console.log(`${kind}: ${sound} sound, ${empty} empty, ${refused} refused, ${failed} failed`);
  }
  console.log(
    `warnings: ${
      Object.entries(warningCounts)
        .map(([code, n]) => `${code} ${n}`)
        .join(', ') || 'none'
    }`,
  );
  console.log(`${done} trials from seed ${first}, ${failures} failures`);
  return failures > 0 ? 1 : 0;
}
