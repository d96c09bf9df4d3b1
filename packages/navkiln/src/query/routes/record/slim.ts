/**
 * Reduces the records of a graph whose tiles never change. Drops the arrays for joining neighbors and those that the
 * graph has copied, and moves the rest into one buffer.
 *
 * In: records whose neighbors are also in the graph. Out: the same records with a third of their arrays.
 * Cost: linear in their cells and gates.
 * Based on: own.
 */
import type { RouteTile } from '../types.ts';

const BYTES = new Uint8Array(0);
const SHORTS = new Uint16Array(0);
const INTS = new Int32Array(0);
const FLOATS = new Float32Array(0);

/**
 * The arrays that remain, ordered by decreasing element size, so that each begins at a multiple of its element size.
 */
const KEPT = ['cellBox', 'gatePoly', 'lengthStart', 'cellGate', 'lengths', 'cellArea'] as const;

/** Reduces records. Afterwards, they cannot be joined with other records. */
export function slimTiles(tiles: readonly RouteTile[]): void {
  for (const tile of tiles) {
    tile.runSide = BYTES;
    tile.runCell = tile.runStart = tile.pairs = SHORTS;
    tile.runPoints = tile.gatePoint = FLOATS;
    // Kept for tiles with link ends, because these are searched when links change.
    if (tile.gateRun.every((run) => run > -2)) tile.gateRun = INTS;
    if (tile.cellName.some((name) => name !== '')) continue;
    tile.cellName = [];
    tile.cellFlags = SHORTS;
  }
  pool(tiles);
}

/** Moves the arrays of records into one buffer, because the overhead of a small typed array is larger than its data. */
function pool(tiles: readonly RouteTile[]): void {
  const memory = new ArrayBuffer(
    tiles.reduce((sum, tile) => KEPT.reduce((own, name) => own + tile[name].byteLength, sum), 0),
  );
  let at = 0;
  for (const name of KEPT) {
    for (const tile of tiles) {
      const own = tile[name];
      const View = own.constructor as new (memory: ArrayBuffer, at: number, length: number) => typeof own;
      const view = new View(memory, at, own.length);
      view.set(own as unknown as ArrayLike<number>);
      tile[name] = view as never;
      at += own.byteLength;
    }
  }
}
