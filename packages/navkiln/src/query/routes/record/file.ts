/**
 * Records of tiles as bytes. One file contains the records of a block of tiles.
 *
 * The arrays of all tiles are concatenated, field by field. Positions are stored in steps of the tile's side, heights
 * and lengths in steps of the largest value in the tile. So a record takes a few hundred bytes.
 *
 * In: records. Out: arrays and a text, and the reverse.
 * Cost: linear.
 * Based on: own.
 */
import type { RouteTile } from '../types.ts';

/** Fields in the order of the file, and the type of each number. */
const FIELDS = {
  cellArea: Uint8Array,
  cellFlags: Uint16Array,
  cellBox: Uint16Array,
  cellGate: Uint16Array,
  gatePoint: Uint16Array,
  gatePoly: Uint16Array,
  gateRun: Int32Array,
  pairs: Uint16Array,
  runSide: Uint8Array,
  runCell: Uint16Array,
  runStart: Uint16Array,
  runPoints: Uint16Array,
  lengths: Uint16Array,
} as const;
type Field = keyof typeof FIELDS;
const NAMES = /* @__PURE__ */ Object.keys(FIELDS) as Field[];
/** Largest number of steps. */
const STEPS = 65_535;

/** Records as a text and arrays. */
export interface PackedRoutes {
  text: string;
  arrays: (Uint8Array | Uint16Array | Int32Array)[];
}

/** The fields of each tile in the text. */
interface Head {
  x: number;
  z: number;
  layer: number;
  /** Names of cells; absent if all are ''. */
  names?: string[];
  /** The lowest height, and one step of heights. */
  low: number;
  rise: number;
  lengthStep: number;
  /** Number of values in each field. */
  counts: number[];
}

/** Returns the records of tiles of this size as a text and arrays. */
export function packRoutes(tiles: readonly RouteTile[], tileSize: number): PackedRoutes {
  const parts = NAMES.map((): number[] => []);
  const heads = tiles.map((tile): Head => {
    const heights = [...thirds(tile.cellBox), ...thirds(tile.gatePoint), ...seconds(tile.runPoints)];
    const low = heights.reduce((least, y) => Math.min(least, y), Infinity);
    const high = heights.reduce((most, y) => Math.max(most, y), -Infinity);
    const rise = high > low ? (high - low) / STEPS : 0;
    const across = (value: number): number => Math.min(STEPS, Math.max(0, Math.round((value / tileSize) * STEPS)));
    const up = (value: number): number => (rise > 0 ? Math.round((value - low) / rise) : 0);
    const counts = NAMES.map((name, i) => {
      const values = tile[name];
      for (let k = 0; k < values.length; k++) {
        const isHeight = name === 'runPoints' ? k % 2 === 1 : k % 3 === 1;
        const isPlace = name === 'cellBox' || name === 'gatePoint' || name === 'runPoints';
        parts[i].push(isPlace ? (isHeight ? up(values[k]) : across(values[k])) : values[k]);
      }
      return values.length;
    });
    const { x, z, layer, cellName, lengthStep } = tile;
    const names = cellName.some((name) => name !== '') ? { names: cellName } : {};
    return { x, z, layer, ...names, low: low === Infinity ? 0 : low, rise, lengthStep, counts };
  });
  return { text: JSON.stringify(heads), arrays: NAMES.map((name, i) => FIELDS[name].from(parts[i])) };
}

/** Returns records that were packed separately in the form that packing them together would give. */
export function joinRoutes(records: readonly PackedRoutes[]): PackedRoutes {
  const heads = records.map(({ text }) => text.slice(1, -1)).filter((text) => text !== '');
  const arrays = NAMES.map((name, i) => {
    const joined = new FIELDS[name](records.reduce((sum, one) => sum + one.arrays[i].length, 0));
    let at = 0;
    for (const { arrays: own } of records) {
      joined.set(own[i], at);
      at += own[i].length;
    }
    return joined;
  });
  return { text: `[${heads.join(',')}]`, arrays };
}

/** Returns packed records whose arrays are in `memory`, at the offsets in `places`. */
export function viewRoutes(text: string, memory: ArrayBuffer, places: readonly number[]): PackedRoutes {
  const heads = readHeads(text)!;
  const arrays = NAMES.map((name, i) => {
    const length = heads.reduce((sum, { counts }) => sum + counts[i], 0);
    return new FIELDS[name](memory, places[i], length);
  });
  return { text, arrays };
}

function thirds(values: Float32Array): Float32Array {
  return values.filter((_, i) => i % 3 === 1);
}

function seconds(values: Float32Array): Float32Array {
  return values.filter((_, i) => i % 2 === 1);
}

/** Returns the lengths in bytes of the arrays of a file with this text, or undefined when the text is invalid. */
export function lengthsOfRoutes(text: string): number[] | undefined {
  const heads = readHeads(text);
  return heads === undefined
    ? undefined
    : NAMES.map((name, i) => heads.reduce((sum, { counts }) => sum + counts[i], 0) * FIELDS[name].BYTES_PER_ELEMENT);
}

function readHeads(text: string): Head[] | undefined {
  let heads: (Head | null)[];
  try {
    heads = JSON.parse(text) as Head[];
  } catch {
    return undefined;
  }
  const isGood = (head: Head | null): boolean => {
    const { x, z, layer, names, low, rise, lengthStep, counts } = head ?? ({} as Head);
    return (
      [x, z, layer].every((value) => (value | 0) === value) &&
      (names === undefined || Array.isArray(names)) &&
      [low, rise, lengthStep].every(Number.isFinite) &&
      Array.isArray(counts) &&
      counts.length === NAMES.length &&
      counts.every((count) => Number.isInteger(count) && count >= 0)
    );
  };
  return Array.isArray(heads) && heads.every(isGood) ? (heads as Head[]) : undefined;
}

/** Returns the records in a text and the bytes of its arrays, or undefined when they are damaged. */
export function unpackRoutes(text: string, pieces: readonly ArrayBuffer[], tileSize: number): RouteTile[] | undefined {
  const heads = readHeads(text);
  if (heads === undefined) return undefined;
  const arrays = NAMES.map((name, i) => new FIELDS[name](pieces[i]));
  const at = NAMES.map(() => 0);
  const tiles = heads.map(({ x, z, layer, names, low, rise, lengthStep, counts }): RouteTile => {
    const own = Object.fromEntries(
      NAMES.map((name, i) => {
        const from = at[i];
        at[i] += counts[i];
        return [name, arrays[i].slice(from, at[i])];
      }),
    ) as Record<Field, Uint16Array>;
    const across = (value: number): number => (value / STEPS) * tileSize;
    const place = (values: Uint16Array, width: number): Float32Array =>
      Float32Array.from(values, (value, k) => (k % width === 1 ? low + value * rise : across(value)));
    const lengthStart = new Int32Array(own.cellArea.length + 1);
    for (let cell = 0; cell < own.cellArea.length; cell++) {
      const gates = own.cellGate[cell + 1] - own.cellGate[cell];
      lengthStart[cell + 1] = lengthStart[cell] + (gates * (gates - 1)) / 2;
    }
    return {
      x,
      z,
      layer,
      ...own,
      cellArea: Uint8Array.from(own.cellArea),
      runSide: Uint8Array.from(own.runSide),
      cellName: names ?? Array.from(own.cellArea, () => ''),
      cellBox: place(own.cellBox, 3),
      gatePoint: place(own.gatePoint, 3),
      gatePoly: Int32Array.from(own.gatePoly),
      gateRun: Int32Array.from(own.gateRun),
      runPoints: place(own.runPoints, 2),
      lengthStart,
      lengthStep,
    };
  });
  return tiles.every(isSound) ? tiles : undefined;
}

/** Returns whether all indices of a record are valid. */
function isSound(tile: RouteTile): boolean {
  const { cellArea, cellFlags, cellName, cellBox, cellGate, gatePoint, gatePoly, gateRun, pairs } = tile;
  const { runSide, runCell, runStart, runPoints, lengthStart, lengths } = tile;
  const cells = cellArea.length;
  const gates = gatePoly.length;
  const runs = runSide.length;
  const isOrdered = (values: Uint16Array, last: number): boolean =>
    values[0] === 0 && values.at(-1) === last && values.every((value, i) => i === 0 || value >= values[i - 1]);
  return (
    cellFlags.length === cells &&
    cellName.length === cells &&
    cellName.every((name) => typeof name === 'string') &&
    cellArea.every((area) => area < 64) &&
    cellBox.length === 6 * cells &&
    cellGate.length === cells + 1 &&
    isOrdered(cellGate, gates) &&
    gatePoint.length === 3 * gates &&
    gateRun.length === gates &&
    gateRun.every((run) => run < runs) &&
    pairs.length % 2 === 0 &&
    pairs.every((gate) => gate < gates) &&
    runSide.every((side) => side < 4) &&
    runCell.length === runs &&
    runCell.every((cell) => cell < cells) &&
    runStart.length === runs + 1 &&
    isOrdered(runStart, runPoints.length / 2) &&
    runStart.every((start, r) => r === 0 || start >= runStart[r - 1] + 2) &&
    lengths.length === lengthStart.at(-1)
  );
}
