/**
 * Builds the compact field: the open space above each walkable span, connected with its four neighbors.
 *
 * Two spans are connected when their floors differ by no more than the climb and the agent fits into their
 * common open space. If several spans of a column fit, the lowest one is taken. A span names its neighbor by
 * index, so that later stages read one number and there is no limit of 63 layers.
 *
 * An agent taller than its climb cannot fit twice next to one span, because the lower floor's ceiling lies
 * below the higher floor. So a connection found from one side holds from the other. One merge of two columns
 * then finds all connections, and a column of one span between two such columns, the usual case, is decided
 * without a loop or branch.
 *
 * Columns are filled in batches and connected by rows, in functions that end with their loop, see batch.ts.
 *
 * In: filtered Heightfield. Out: CompactField with y, height, area and neighbor.
 * Cost: one pass to fill and one to connect.
 * Based on: Mikko Mononen, Recast (2009), rcBuildCompactHeightfield.
 * Tried: a search per span and direction takes 1.6 to 2 times as long (`npm run bench -- --only bake
 *   --stages`). See docs/notes/voxel.md.
 */
import { createWorkspace } from '../../../base/data/workspace.ts';
import type { Workspace } from '../../../base/data/workspace.ts';
import { BATCH, earlyRowStep } from '../batch.ts';
import { takeSlot } from '../memory.ts';
import type { BakeConfig } from '../bake-config.ts';
import { createRecord } from '../records.ts';
import type { CompactField, Heightfield } from '../types.ts';

/** Largest height of an open space, voxels: it is stored in a byte. */
const MAX_OPEN = 255;

/** Builds the compact field of a filtered heightfield. Without a workspace it gets memory of its own. */
export function buildCompactField(
  solid: Heightfield,
  config: BakeConfig,
  workspace: Workspace = createWorkspace(),
): CompactField {
  const { width, depth, spanCount: solidCount, boundsMin, boundsMax, cellHeight } = solid;
  const { walkableHeightCells, walkableClimbCells, borderCells } = config;
  const columnStart = takeSlot(workspace, 'field.columnStart', width * depth + 1);
  const y = takeSlot(workspace, 'field.y', solidCount);
  const height = takeSlot(workspace, 'field.height', solidCount);
  const area = takeSlot(workspace, 'field.area', solidCount);
  columnStart[0] = 0;
  const filled = createRecord((): Filled => ({ columnStart, y, height, area }));
  const columnCount = width * depth;
  for (let c = 0; c < columnCount; c += BATCH) fillSpans(solid, filled, c, Math.min(c + BATCH, columnCount));
  const spanCount = columnStart[columnCount];
  const neighbor = takeSlot(workspace, 'field.neighbor', spanCount * 4);
  const noDistance = new Uint16Array(0);
  const noRegion = new Int32Array(0);
  const field = createRecord((): CompactField => ({
    width,
    depth,
    cellSize: solid.cellSize,
    cellHeight,
    boundsMin,
    boundsMax: [boundsMax[0], Math.fround(boundsMax[1] + Math.fround(walkableHeightCells * cellHeight)), boundsMax[2]],
    walkableHeightCells,
    walkableClimbCells,
    borderCells,
    columnStart,
    spanCount,
    y: y.subarray(0, spanCount),
    height: height.subarray(0, spanCount),
    area: area.subarray(0, spanCount),
    neighbor,
    distance: noDistance,
    maxDistance: 0,
    region: noRegion,
    regionCount: 0,
  }));
  const step = earlyRowStep(depth);
  for (const isEarly of [true, false]) {
    for (let z = 0; z < depth; z++) {
      if ((z % step === 0) !== isEarly) continue;
      // Connections of row z are written to it and to row z + 1.
      if (isEarly) clearRow(field, z);
      if (z + 1 < depth && (z + 1) % step !== 0) clearRow(field, z + 1);
      connectRow(field, z);
    }
  }
  return field;
}

/** The arrays of a compact field that its spans are written to. */
interface Filled {
  columnStart: Int32Array;
  y: Uint16Array;
  height: Uint8Array;
  area: Uint8Array;
}

/** Writes the walkable spans of columns first .. last - 1. */
function fillSpans(solid: Heightfield, filled: Filled, first: number, last: number): void {
  const { columnStart: solidStart, spans } = solid;
  const { columnStart, y, height, area } = filled;
  let spanCount = columnStart[first];
  let end = solidStart[first];
  for (let c = first + 1; c <= last; c++) {
    const begin = end;
    end = solidStart[c];
    if (end - begin === 1) {
      // Branch-free: a span that is not walkable is overwritten by the next one.
      const span = spans[begin];
      y[spanCount] = (span >>> 13) & 0x1fff;
      height[spanCount] = MAX_OPEN;
      area[spanCount] = span >>> 26;
      spanCount += ((span >>> 26) + 63) >>> 6;
    } else {
      for (let i = begin; i < end; i++) {
        const span = spans[i];
        if (span >>> 26 === 0) continue;
        const floor = (span >>> 13) & 0x1fff;
        const open = i + 1 < end ? (spans[i + 1] & 0x1fff) - floor : MAX_OPEN;
        y[spanCount] = floor;
        height[spanCount] = open > MAX_OPEN ? MAX_OPEN : open;
        area[spanCount] = span >>> 26;
        spanCount++;
      }
    }
    columnStart[c] = spanCount;
  }
}

/** Removes all connections of a row, just before others are written, while it is in the cache. */
function clearRow({ width, columnStart, neighbor }: CompactField, z: number): void {
  neighbor.fill(-1, 4 * columnStart[z * width], 4 * columnStart[(z + 1) * width]);
}

/** Connects each column of a row with the next columns at +x (east) and +z (south). */
function connectRow(field: CompactField, z: number): void {
  const { width, depth, columnStart, y, height, neighbor } = field;
  const { walkableHeightCells: heightCells, walkableClimbCells: climbCells } = field;
  const isUnique = climbCells < heightCells;
  const last = (z + 1) * width - 1;
  const isLastRow = z === depth - 1;
  let begin = 0;
  let end = columnStart[z * width];
  let eastEnd = columnStart[z * width + 1];
  let south = 0;
  let southEnd = isLastRow ? end : columnStart[last + 1];
  for (let c = z * width; c <= last; c++) {
    begin = end;
    end = eastEnd;
    if (c < last) eastEnd = columnStart[c + 2];
    south = southEnd;
    if (!isLastRow) southEnd = columnStart[c + width + 1];
    if (begin === end) continue;
    if (end - begin === 1 && eastEnd - end === 1 && southEnd - south === 1 && isUnique) {
      const floor = y[begin];
      const space = height[begin] - heightCells;
      // The mask of a negative sign turns an index into -1.
      const eastRise = y[end] - floor;
      const eastSpace = height[end] - heightCells;
      const noEast = fits(space, eastSpace, eastRise, climbCells) >> 31;
      neighbor[4 * begin + 2] = end | noEast;
      neighbor[4 * end] = begin | noEast;
      const southRise = y[south] - floor;
      const southSpace = height[south] - heightCells;
      const noSouth = fits(space, southSpace, southRise, climbCells) >> 31;
      neighbor[4 * begin + 1] = south | noSouth;
      neighbor[4 * south + 3] = begin | noSouth;
    } else if (isUnique) {
      join(y, height, neighbor, begin, end, end, eastEnd, 2, heightCells, climbCells);
      join(y, height, neighbor, begin, end, south, southEnd, 1, heightCells, climbCells);
    } else {
      connect(field, begin, end, end, eastEnd, 2);
      connect(field, end, eastEnd, begin, end, 0);
      connect(field, begin, end, south, southEnd, 1);
      connect(field, south, southEnd, begin, end, 3);
    }
  }
}

/** Returns a negative number when one of the conditions fails, each of which is a term >= 0. */
function fits(space: number, otherSpace: number, rise: number, climbCells: number): number {
  return space | otherSpace | (space - rise) | (otherSpace + rise) | (climbCells - rise) | (climbCells + rise);
}

/**
 * Connects spans i .. end - 1 of a column with spans k .. high - 1 of the next one, both ways. No span fits
 * two others.
 */
// oxlint-disable-next-line max-params -- hot loop: with a record, 1.1 times as long on city
function join(
  y: Uint16Array,
  height: Uint8Array,
  neighbor: Int32Array,
  i: number,
  end: number,
  k: number,
  high: number,
  dir: number,
  heightCells: number,
  climbCells: number,
): void {
  while (i < end && k < high) {
    const rise = y[k] - y[i];
    const space = height[i] - heightCells;
    const otherSpace = height[k] - heightCells;
    if (fits(space, otherSpace, rise, climbCells) >= 0) {
      neighbor[4 * i + dir] = k;
      neighbor[4 * k + (dir ^ 2)] = i;
      i++;
      k++;
    } else if (space < 0 || (rise > 0 && otherSpace >= 0)) i++;
    else k++;
  }
}

/**
 * Connects each of spans begin .. end - 1 with the lowest one that fits, one way: for a climb of the height
 * or more.
 */
function connect(field: CompactField, begin: number, end: number, low: number, high: number, dir: number): void {
  const { y, height, walkableHeightCells: heightCells, walkableClimbCells: climbCells } = field;
  for (let i = begin; i < end; i++) {
    for (let k = high - 1; k >= low; k--) {
      if (fits(height[i] - heightCells, height[k] - heightCells, y[k] - y[i], climbCells) >= 0) {
        field.neighbor[4 * i + dir] = k;
      }
    }
  }
}
