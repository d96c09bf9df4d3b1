/**
 * `npm run soak -- tiles [--side METERS] [--tile METERS] [--cell METERS] [--seconds S] [--json]`: bakes a square terrain with blocks tile by
 * tile, keeps no tile, and measures memory: the promise is that it does not grow with the number of tiles.
 *
 * The terrain is 4,000 m wide by default, which is 17,956 tiles of 30 m. Memory is what the process holds after a garbage collection, measured
 * twenty times during the run, and the peak of the process. The exit status is 1 when the held memory of the second half of the run
 * exceeds that of the first half by more than 4 MiB, 2 for wrong arguments.
 *
 * In: the built packages. Out: text. Cost: about ten milliseconds per tile.
 * Based on: own.
 */
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const OPTIONS = {
  side: { type: 'string', default: '4000' },
  tile: { type: 'string', default: '30' },
  cell: { type: 'string', default: '0.5' },
  seconds: { type: 'string', default: '3600' },
  json: { type: 'boolean', default: false },
};
const USAGE = 'usage: npm run soak -- tiles [--side METERS] [--tile METERS] [--cell METERS] [--seconds S] [--json]';

const MIB = 2 ** 20;

/** Growth from the first to the second half of a run that passes: noise of the engine's own memory. */
const MOST_GROWTH = 4 * MIB;

/** Measurements of a run. */
const SAMPLES = 20;

/** Distance between points of the terrain, meters. */
const STEP = 10;

/** Returns a square of rolling terrain, and a block on every fourth square of its grid. */
export function createTerrain(side) {
  const count = Math.ceil(side / STEP);
  const positions = [];
  const indices = [];
  const heightAt = (x, z) => 2 + ((x * 7 + z * 13) % 11) / 11 + ((x * x + 3 * z) % 17) / 17;
  for (let z = 0; z <= count; z++) {
    for (let x = 0; x <= count; x++) positions.push(Math.min(x * STEP, side), heightAt(x, z), Math.min(z * STEP, side));
  }
  for (let z = 0; z < count; z++) {
    for (let x = 0; x < count; x++) {
      const a = x + z * (count + 1);
      const b = a + count + 1;
      indices.push(a, b, a + 1, a + 1, b, b + 1);
      if ((x + 2 * z) % 4 > 0) continue;
      const first = positions.length / 3;
      for (let k = 0; k < 8; k++) {
        positions.push(x * STEP + (k & 1 ? 7 : 3), k & 4 ? 8 : 0, z * STEP + (k & 2 ? 6 : 4));
      }
      for (const k of [4, 6, 5, 5, 6, 7, 0, 4, 1, 1, 4, 5, 2, 3, 6, 3, 7, 6, 0, 2, 4, 2, 6, 4, 1, 5, 3, 3, 5, 7]) {
        indices.push(first + k);
      }
    }
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

/**
 * Bakes the tiles of a level with `library` (`prepareTiles`, `buildPreparedTile`, `createWorkspace`) and drops each. Returns the tiles and
 * polygons, and the bytes held at even intervals, without those held before.
 */
export function bakeTiles(library, level, options, end = Infinity) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const held = () => {
    // The second collection finds what the first one's finalizers let go.
    collect();
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const prepared = library.prepareTiles(level, { ...options, workspace: library.createWorkspace() });
  const { tileCountX, tileCountZ } = prepared.config;
  const before = held();
  const total = tileCountX * tileCountZ;
  const samples = [];
  let tiles = 0;
  let polygons = 0;
  for (let tile = 0; tile < total && Date.now() < end; tile++) {
    const x = tile % tileCountX;
    const data = library.buildPreparedTile(prepared, x, (tile - x) / tileCountX);
    if (data !== null) {
      tiles++;
      polygons += data.polyCount;
    }
    if (tile + 1 >= ((samples.length + 1) * total) / SAMPLES) samples.push(held() - before);
  }
  const half = samples.length >> 1;
  const growth = Math.max(...samples.slice(half)) - Math.max(...samples.slice(0, half));
  return { tiles, polygons, total, samples, growth };
}

/** Runs the bake. Returns the exit status. */
export async function soak(args) {
  let values;
  try {
    ({ values } = parseArgs({ args, options: OPTIONS }));
  } catch {
    console.error(USAGE);
    return 2;
  }
  const [side, tileSize, cellSize, seconds] = ['side', 'tile', 'cell', 'seconds'].map((key) => Number(values[key]));
  if (!(side >= tileSize && tileSize > 0 && cellSize > 0 && seconds > 0)) {
    console.error(USAGE);
    return 2;
  }
  const library = await import('navkiln/build');
  const begun = Date.now();
  const options = { cellSize, cellHeight: 0.2, tileSize };
  const run = bakeTiles(library, createTerrain(side), options, begun + 1000 * seconds);
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  const ms = Date.now() - begun;
  const { tiles, total, samples, growth, polygons } = run;
  if (values.json) console.log(JSON.stringify({ side, tileSize, cellSize, ms, peakBytes, ...run }));
  else {
    const mib = (bytes) => `${(bytes / MIB).toFixed(1)} MiB`;
    console.log(
      `${(side * side) / 1e6} km² in ${tiles} of ${total} tiles of ${tileSize} m, ${polygons} polygons, ${(ms / tiles).toFixed(1)} ms per tile`,
    );
    console.log(`held after each twentieth: ${samples.map(mib).join(', ')}`);
    console.log(`growth from the first to the second half: ${mib(growth)}; peak of the process: ${mib(peakBytes)}`);
  }
  return growth > MOST_GROWTH ? 1 : 0;
}
