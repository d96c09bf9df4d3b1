/**
 * `npm run soak -- memory [--km SIDE] [--seed SEED] [--seconds S]`: bakes a level of SIDE x SIDE km (default 4) in tiles of 30 m, one
 * at a time, and reports what stays in memory. Live memory after garbage collection must not grow with the number of tiles.
 *
 * A level of 4 km is 16 km² of ground with crates and ramps, in some 18,000 tiles. `--seconds` bounds the run; tiles that are not
 * baked by then are reported. The exit status is 1 when memory grows, 2 for wrong arguments.
 *
 * In: the built packages. Out: text. Cost: some milliseconds a tile.
 * Based on: own.
 */
import { parseArgs, types } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const OPTIONS = {
  km: { type: 'string', default: '4' },
  seed: { type: 'string', default: '1' },
  seconds: { type: 'string', default: '3600' },
};
const USAGE = 'usage: npm run soak -- memory [--km SIDE] [--seed SEED] [--seconds S]';
const TILE = 30;
const BAKE = { cellSize: 0.5, cellHeight: 0.25, tileSize: TILE, agent: { radius: 0.5, height: 2, maxClimb: 0.5 } };
/** Ground is made of squares of this side, with one crate or ramp each. */
const SQUARE = 32;
/** Live memory that may come and go between two samples. */
const SLACK_BYTES = 1 << 20;
const SAMPLES = 40;

/** Returns a level of `side` x `side` meters: gentle hills of 32 m squares, each with a crate or a ramp. */
export function createPlain(side, seed) {
  const squares = Math.ceil(side / SQUARE);
  const positions = new Float64Array(squares * squares * 10 * 3);
  const indices = new Uint32Array(squares * squares * 6 * 3);
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const height = (i, j) => ((i * 7 + j * 13) % 5) * 0.8;
  let vertex = 0;
  let index = 0;
  const add = (x, y, z) => {
    positions.set([x, y, z], 3 * vertex);
    return vertex++;
  };
  const quad = (a, b, c, d) => {
    indices.set([a, b, c, a, c, d], index);
    index += 6;
  };
  for (let i = 0; i < squares; i++) {
    for (let j = 0; j < squares; j++) {
      const [x, z] = [i * SQUARE, j * SQUARE];
      const corner = (a, b) => add(x + a * SQUARE, height(i + a, j + b), z + b * SQUARE);
      quad(corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0));
      const [cx, cz, size, top] = [x + 4 + 20 * next(), z + 4 + 20 * next(), 2 + 4 * next(), 4 + 2 * next()];
      const low = next() < 0.5 ? 0 : top;
      const roof = [add(cx, top, cz), add(cx, low, cz + size), add(cx + size, low, cz + size), add(cx + size, top, cz)];
      quad(...roof);
      const foot = [add(cx, 0, cz), add(cx + size, 0, cz)];
      quad(roof[0], roof[3], foot[1], foot[0]);
    }
  }
  return { positions, indices };
}

/** Returns the garbage collector, which Node hides by default. */
function exposeCollector() {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}

/**
 * Bakes the tiles of a plain one by one and drops them. Returns counts, the peak of the resident memory, and samples of the live
 * memory after garbage collection, in bytes, the first after a tenth of the tiles.
 */
export function measureTiles({ prepareTiles, buildPreparedTile }, { side, seed, samples = SAMPLES, until = Infinity }) {
  const collect = exposeCollector();
  const level = prepareTiles(createPlain(side, seed), BAKE);
  const { tileCountX, tileCountZ } = level.config;
  const total = tileCountX * tileCountZ;
  const step = Math.max(1, Math.floor(total / samples));
  const live = [];
  let [tiles, polygons, peak] = [0, 0, 0];
  for (let tile = 0; tile < total && performance.now() < until; tile++) {
    const data = buildPreparedTile(level, tile % tileCountX, Math.floor(tile / tileCountX));
    polygons += data?.polyCount ?? 0;
    tiles++;
    if (tile % step !== step - 1) continue;
    peak = Math.max(peak, process.memoryUsage.rss());
    collect();
    const { heapUsed, external } = process.memoryUsage();
    if (tile >= total / 10) live.push(heapUsed + external);
  }
  return { total, tiles, polygons, peak, live };
}

/** Returns how much the live memory of the second half of the samples exceeds that of the first half, at its lowest. */
export function growthOf(live) {
  const half = Math.floor(live.length / 2);
  return Math.min(...live.slice(half)) - Math.min(...live.slice(0, half));
}

export async function soak(args) {
  let values;
  try {
    ({ values } = parseArgs({ args, options: OPTIONS }));
  } catch (error) {
    console.error(`${types.isNativeError(error) ? error.message : error}\n${USAGE}`);
    return 2;
  }
  const [km, seed, seconds] = [values.km, values.seed, values.seconds].map(Number);
  if (!(km >= 0.1 && km <= 20) || !Number.isInteger(seed) || !(seconds > 0)) {
    console.error(USAGE);
    return 2;
  }
  const start = performance.now();
  const build = await import('navkiln/build');
  const before = process.memoryUsage.rss();
  const { total, tiles, polygons, peak, live } = measureTiles(build, {
    side: 1000 * km,
    seed,
    until: start + 1000 * seconds,
  });
  const mb = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MB`;
  console.log(
    `memory: ${km} x ${km} km, seed ${seed}: ${tiles} of ${total} tiles, ${polygons} polygons in ` +
      `${((performance.now() - start) / 1000).toFixed(0)} s; resident ${mb(before)} before, ${mb(peak)} at most`,
  );
  if (live.length < 4) {
    console.log('memory: too few tiles to compare; allow more --seconds');
    return 0;
  }
  const growth = growthOf(live);
  const isFlat = growth <= SLACK_BYTES;
  console.log(
    `live memory: ${mb(live[0])} first, ${mb(live.at(-1))} last, growth ${mb(growth)}${isFlat ? '' : ': FAILED'}`,
  );
  return isFlat ? 0 : 1;
}
