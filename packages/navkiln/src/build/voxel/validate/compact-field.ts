/**
 * Validates a CompactField: returns a list of violations, empty for a valid one.
 *
 * It checks sizes and column starts, the order of floors with separate open spaces, areas, and neighbors. Distances
 * must be 0 on borders of areas and only there. Each region must be within the count and of one area, and border
 * regions within the border. A neighbor must be the lowest floor of the next column within the climb whose common
 * open space fits the agent. Distances and regions are checked when they are present.
 *
 * In: CompactField. Out: violations.
 * Cost: the spans of a column times those of its neighbors.
 * Based on: own.
 */
import { checkRecord } from '../../../base/data/refuse.ts';
import { AREA_COUNT, AREA_NONE } from '../../../base/constants.ts';
import { BORDER_REGION } from '../types.ts';
import { checkBox, checkStarts, createComplain, isCount } from './violations.ts';
import type { CompactField } from '../types.ts';
import type { Complain, StageViolation } from './violations.ts';

const STEP_X = [-1, 0, 1, 0];
const STEP_Z = [0, 1, 0, -1];
/** Border regions have the ids BORDER_REGION + 1 .. BORDER_REGION + 4. */
const BORDER_IDS = 4;

/** Returns the violations of a compact field. */
export function validateCompactField(field: CompactField): StageViolation[] {
  checkRecord('validateCompactField', 'field', field, 'neighbor', 'a CompactField');
  const violations: StageViolation[] = [];
  const complain = createComplain(violations);
  checkBox(field, complain);
  checkSizes(field, complain);
  if (violations.some((one) => one.code === 'size')) return violations;
  if (!checkStarts('columnStart', field.columnStart, field.width * field.depth, field.spanCount, complain))
    return violations;
  checkSpans(field, complain);
  if (checkNeighbors(field, complain) && field.distance.length > 0) checkDistance(field, complain);
  if (field.region.length > 0) checkRegions(field, complain);
  return violations;
}

function checkSizes(field: CompactField, complain: Complain): void {
  const counts = [
    'width',
    'depth',
    'spanCount',
    'walkableHeightCells',
    'walkableClimbCells',
    'borderCells',
    'maxDistance',
    'regionCount',
  ] as const;
  for (const key of counts) if (!isCount(field[key])) complain('size', key, -1, `is ${field[key]}, not a count`);
  const lengths = [
    ['y', 1],
    ['height', 1],
    ['area', 1],
    ['neighbor', 4],
  ] as const;
  for (const [key, each] of lengths) {
    const needed = each * field.spanCount;
    if (!(field[key].length >= needed))
      complain('size', key, -1, `has ${field[key].length} entries, must have ${needed}`);
  }
  for (const key of ['distance', 'region'] as const) {
    const { length } = field[key];
    if (length !== 0 && length < field.spanCount) {
      complain('size', key, -1, `has ${length} entries, must have none or ${field.spanCount}`);
    }
  }
}

function checkSpans(field: CompactField, complain: Complain): void {
  const { width, depth, columnStart, y, height, area } = field;
  for (let c = 0; c < width * depth; c++) {
    for (let i = columnStart[c]; i < columnStart[c + 1]; i++) {
      if (height[i] === 0) complain('span-empty', 'height', i, 'is 0: no space is open above the floor');
      if (area[i] >= AREA_COUNT) complain('area', 'area', i, `is ${area[i]}, must be below ${AREA_COUNT}`);
      if (i > columnStart[c] && y[i] <= y[i - 1] + height[i - 1]) {
        complain(
          'span-order',
          'y',
          i,
          `is ${y[i]}, within the open space of the floor below, ${y[i - 1]} + ${height[i - 1]}`,
        );
      }
    }
  }
}

/** Checks neighbors. Returns whether all of them can be followed. */
function checkNeighbors(field: CompactField, complain: Complain): boolean {
  const { width, depth, columnStart, neighbor } = field;
  let isSound = true;
  for (let c = 0; c < width * depth; c++) {
    const x = c % width;
    const z = (c - x) / width;
    for (let i = columnStart[c]; i < columnStart[c + 1]; i++) {
      for (let dir = 0; dir < 4; dir++) {
        const at = 4 * i + dir;
        const a = neighbor[at];
        const nx = x + STEP_X[dir];
        const nz = z + STEP_Z[dir];
        const isOutside = nx < 0 || nz < 0 || nx >= width || nz >= depth;
        const low = isOutside ? 0 : columnStart[nx + nz * width];
        const high = isOutside ? 0 : columnStart[nx + nz * width + 1];
        if (a !== -1 && (a < low || a >= high)) {
          complain(
            'neighbor',
            'neighbor',
            at,
            `is ${a}, no span of the next column (${low} to ${high - 1}) and not -1`,
          );
          isSound = false;
          continue;
        }
        let lowest = -1;
        for (let k = low; k < high && lowest === -1; k++) if (fits(field, i, k)) lowest = k;
        if (a === lowest) continue;
        if (a === -1) {
          complain(
            'not-reciprocal',
            'neighbor',
            at,
            `is -1, though span ${lowest} next to it fits the agent and its climb`,
          );
        } else if (lowest === -1 || !fits(field, i, a)) {
          complain(
            'neighbor-fit',
            'neighbor',
            at,
            `is ${a}, which is too far up or down, or under too low a common ceiling`,
          );
        } else complain('neighbor-fit', 'neighbor', at, `is ${a}, though the lower span ${lowest} fits as well`);
      }
    }
  }
  return isSound;
}

/** Returns whether the agent fits between spans i and k and can climb from one to the other. */
function fits(field: CompactField, i: number, k: number): boolean {
  const { y, height, walkableHeightCells, walkableClimbCells } = field;
  const rise = y[k] - y[i];
  const ceiling = Math.min(y[i] + height[i], y[k] + height[k]);
  return Math.abs(rise) <= walkableClimbCells && ceiling - Math.max(y[i], y[k]) >= walkableHeightCells;
}

function checkDistance(field: CompactField, complain: Complain): void {
  const { spanCount, neighbor, area, distance, maxDistance } = field;
  for (let i = 0; i < spanCount; i++) {
    const d = distance[i];
    if (d > maxDistance) complain('distance', 'distance', i, `is ${d}, more than maxDistance, ${maxDistance}`);
    let inner = true;
    for (let e = 4 * i; e < 4 * i + 4; e++) if (neighbor[e] === -1 || area[neighbor[e]] !== area[i]) inner = false;
    if (inner !== d > 0)
      complain('distance', 'distance', i, `is ${d}; it must be 0 on the border of an area, and only there`);
  }
}

function checkRegions(field: CompactField, complain: Complain): void {
  const { width, depth, borderCells, columnStart, area, region, regionCount } = field;
  const areaOf = new Uint8Array(regionCount + 1);
  for (let c = 0; c < width * depth; c++) {
    const x = c % width;
    const z = (c - x) / width;
    const inBorder = x < borderCells || z < borderCells || x >= width - borderCells || z >= depth - borderCells;
    for (let i = columnStart[c]; i < columnStart[c + 1]; i++) {
      const id = region[i];
      if (id === 0) continue;
      if (area[i] === AREA_NONE) complain('region', 'region', i, `is ${id} on a span that is not walkable`);
      if (id >= BORDER_REGION && id <= BORDER_REGION + BORDER_IDS) {
        if (!inBorder) complain('region', 'region', i, `is ${id}, a border region, outside of the border`);
      } else if (!(id > 0 && id <= regionCount)) {
        complain('region', 'region', i, `is ${id}, must be 0 to ${regionCount} or a border region`);
      } else if (areaOf[id] === 0) areaOf[id] = area[i];
      else if (areaOf[id] !== area[i]) {
        complain('region-area', 'region', i, `is ${id}, whose area is ${areaOf[id]}, on a span of area ${area[i]}`);
      }
    }
  }
}
