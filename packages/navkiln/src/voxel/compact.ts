/**
 * Compact field: solid spans -> the open space above each walkable span, connected with its four neighbours.
 *
 * Input: filtered Heightfield. Output: CompactField with y, height, area and direct neighbour indices. Two spans are
 * connected when the floors differ by no more than the climb and the common open space fits the agent; of several that do,
 * the lowest. Cost: one pass to fill, one to connect.
 *
 * Unlike Recast, which keeps six bits a direction, a span knows its neighbour by index: every later stage reads one number
 * instead of decoding one and adding a column's start, and there is no limit of 63 layers.
 *
 * An agent taller than its climb cannot fit beside one span twice (the lower floor's ceiling is below the higher floor), so a
 * connection found for one side holds for the other. One merge of two columns then finds all of theirs, and a column of one
 * span beside such columns, the usual case by far, is decided without a loop or a branch.
 *
 * Won, as time: all of this 0.56 (terrain), 0.62 (city), 0.5 (tower) of a search a span and direction; of that the merge and
 * the branchless test are half each, and -1 in a row just before its connections, when it stays in the cache, is 0.9. Lost:
 * handing floor and room on from column to column, or one test for three counts, no difference; east and south each decided
 * by itself, 0.95 to 1.14, depending on which level came first; no branch for what nobody can walk on in columns of several
 * spans, 1.1 on city. Filling and connecting are functions of their own with nothing after their loops: an engine that
 * compiles a loop while it runs gives up behind it, at each call again (up to 1.25 times the time on small levels).
 *
 * Based on: Mikko Mononen, Recast (2009), rcBuildCompactHeightfield.
 */
import { createWorkspace } from '../data/workspace.ts';
import type { Workspace } from '../data/workspace.ts';
import { takeSlot } from './memory.ts';
import type { BakeConfig } from './options.ts';
import type { CompactField, Heightfield } from './types.ts';

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
  const spanCount = fillSpans(solid, columnStart, y, height, area);
  const field: CompactField = {
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
    neighbor: takeSlot(workspace, 'field.neighbor', spanCount * 4),
    distance: new Uint16Array(0),
    maxDistance: 0,
    region: new Int32Array(0),
    regionCount: 0,
  };
  connectColumns(field);
  return field;
}

/** Writes the walkable spans and returns their number. */
function fillSpans(
  solid: Heightfield,
  columnStart: Int32Array,
  y: Uint16Array,
  height: Uint8Array,
  area: Uint8Array,
): number {
  const { columnStart: solidStart, spans } = solid;
  let spanCount = 0;
  let end = 0;
  columnStart[0] = 0;
  for (let c = 1; c < columnStart.length; c++) {
    const begin = end;
    end = solidStart[c];
    if (end - begin === 1) {
      // The next overwrites it if nobody can walk here.
      const span = spans[begin];
      y[spanCount] = (span >>> 13) & 0x1fff;
      height[spanCount] = 255;
      area[spanCount] = span >>> 26;
      spanCount += ((span >>> 26) + 63) >>> 6;
    } else {
      for (let i = begin; i < end; i++) {
        const span = spans[i];
        if (span >>> 26 === 0) continue;
        const floor = (span >>> 13) & 0x1fff;
        const open = i + 1 < end ? (spans[i + 1] & 0x1fff) - floor : 255;
        y[spanCount] = floor;
        height[spanCount] = open > 255 ? 255 : open;
        area[spanCount] = span >>> 26;
        spanCount++;
      }
    }
    columnStart[c] = spanCount;
  }
  return spanCount;
}

/** Connects each column with the next ones to the east and south. */
function connectColumns(field: CompactField): void {
  const { width, depth, columnStart, y, height, neighbor } = field;
  const { walkableHeightCells: heightCells, walkableClimbCells: climbCells } = field;
  neighbor.fill(-1, 0, 4 * columnStart[width]);
  const isUnique = climbCells < heightCells;
  for (let z = 0; z < depth; z++) {
    const last = (z + 1) * width - 1;
    const isLastRow = z === depth - 1;
    if (!isLastRow) neighbor.fill(-1, 4 * columnStart[last + 1], 4 * columnStart[last + 1 + width]);
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
        const room = height[begin] - heightCells;
        // The sign turns an index into -1.
        const eastRise = y[end] - floor;
        const eastRoom = height[end] - heightCells;
        const noEast = fits(room, eastRoom, eastRise, climbCells) >> 31;
        neighbor[4 * begin + 2] = end | noEast;
        neighbor[4 * end] = begin | noEast;
        const southRise = y[south] - floor;
        const southRoom = height[south] - heightCells;
        const noSouth = fits(room, southRoom, southRise, climbCells) >> 31;
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
}

/** Negative if one of its terms is, each a condition that fails. */
function fits(room: number, otherRoom: number, rise: number, climbCells: number): number {
  return room | otherRoom | (room - rise) | (otherRoom + rise) | (climbCells - rise) | (climbCells + rise);
}

/** Connects spans i .. end - 1 of a column with spans k .. high - 1 of the next one, both ways: no span fits two. */
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
    const room = height[i] - heightCells;
    const otherRoom = height[k] - heightCells;
    if (fits(room, otherRoom, rise, climbCells) >= 0) {
      neighbor[4 * i + dir] = k;
      neighbor[4 * k + (dir ^ 2)] = i;
      i++;
      k++;
    } else if (room < 0 || (rise > 0 && otherRoom >= 0)) i++;
    else k++;
  }
}

/** One way, for agents whose climb is their height or more: each of begin .. end - 1 with the lowest that fits. */
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
