/**
 * Validates a ContourSet: returns a list of violations, empty for a valid one.
 *
 * Rings must have three points or more, or none (a merged hole). No point may equal the one before it in x
 * and z. Raw rings must go cell by cell within the field. Each point of a ring must be a raw point of its
 * region. Flags must name another region and have no unknown marks.
 *
 * In: ContourSet. Out: violations.
 * Cost: linear in the points.
 * Based on: own.
 */
import { checkRecord } from '../../../base/data/refuse.ts';
import { AREA_COUNT, AREA_NONE } from '../../../base/constants.ts';
import { BORDER_REGION, CONTOUR_AREA_BORDER, CONTOUR_BORDER_VERTEX, CONTOUR_REGION_MASK } from '../types.ts';
import { checkBox, checkStarts, createComplain, isCount } from './violations.ts';
import type { ContourSet } from '../types.ts';
import type { Complain, StageViolation } from './violations.ts';

const KNOWN_FLAGS = CONTOUR_REGION_MASK | CONTOUR_BORDER_VERTEX | CONTOUR_AREA_BORDER;

/** Returns the violations of a contour set. */
export function validateContourSet(set: ContourSet): StageViolation[] {
  checkRecord('validateContourSet', 'set', set, 'rawStart', 'a ContourSet');
  const violations: StageViolation[] = [];
  const complain = createComplain(violations);
  const { count, region, area, start, rawStart, vertices, raw } = set;
  checkBox(set, complain);
  for (const key of ['width', 'depth', 'borderCells', 'count'] as const) {
    if (!isCount(set[key])) complain('size', key, -1, `is ${set[key]}, not a count`);
  }
  if (!(set.maxEdgeErrorCells >= 0)) {
    complain('scalar', 'maxEdgeErrorCells', -1, `is ${set.maxEdgeErrorCells}, must be 0 or more`);
  }
  for (const key of ['region', 'area'] as const) {
    if (set[key].length < count) complain('size', key, -1, `has ${set[key].length} entries, must have ${count}`);
  }
  if (violations.some((one) => one.code === 'size')) return violations;
  if (!checkStarts('start', start, count, vertices.length / 4, complain)) return violations;
  if (!checkStarts('rawStart', rawStart, count, raw.length / 4, complain)) return violations;

  const known = new Map<number, Set<string>>();
  for (let c = 0; c < count; c++) {
    if (!(region[c] > 0 && region[c] < BORDER_REGION))
      complain('region', 'region', c, `is ${region[c]}, not a region id`);
    if (area[c] === AREA_NONE || area[c] >= AREA_COUNT) {
      complain('area', 'area', c, `is ${area[c]}, must be 1 to ${AREA_COUNT - 1}`);
    }
    let positions = known.get(region[c]);
    if (positions === undefined) known.set(region[c], (positions = new Set()));
    for (let i = rawStart[c]; i < rawStart[c + 1]; i++) positions.add(textOf(raw, i));
    checkRaw(set, c, complain);
  }
  for (let c = 0; c < count; c++) checkRing(set, c, known.get(region[c])!, complain);
  return violations;
}

/** Returns a point as text, for messages and as a key. */
function textOf(points: Int32Array, i: number): string {
  return `${points[4 * i]},${points[4 * i + 1]},${points[4 * i + 2]}`;
}

function checkRing(set: ContourSet, c: number, positions: ReadonlySet<string>, complain: Complain): void {
  const { start, vertices: v } = set;
  const begin = start[c];
  const end = start[c + 1];
  if (end - begin > 0 && end - begin < 3) complain('ring-size', 'start', c, `starts a ring of ${end - begin} points`);
  for (let i = begin, before = end - 1; i < end; before = i++) {
    if (v[4 * i] === v[4 * before] && v[4 * i + 2] === v[4 * before + 2]) {
      complain('ring-repeat', 'vertices', 4 * i, `the point ${textOf(v, i)} equals the one before it in x and z`);
    }
    if (!positions.has(textOf(v, i))) {
      const what = `the point ${textOf(v, i)} is not on the outline of region ${set.region[c]}`;
      complain('not-on-outline', 'vertices', 4 * i, what);
    }
    checkFlags(set, c, 'vertices', v, i, complain);
  }
}

function checkRaw(set: ContourSet, c: number, complain: Complain): void {
  const { rawStart, raw, width, depth } = set;
  const begin = rawStart[c];
  const end = rawStart[c + 1];
  if (end - begin < 4) complain('ring-size', 'rawStart', c, `starts an outline of ${end - begin} points`);
  for (let i = begin, before = end - 1; i < end; before = i++) {
    const x = raw[4 * i];
    const z = raw[4 * i + 2];
    if (x < 0 || z < 0 || x > width || z > depth || raw[4 * i + 1] < 0) {
      complain(
        'ring-outside',
        'raw',
        4 * i,
        `the point ${textOf(raw, i)} is outside the field of ${width} x ${depth} cells`,
      );
    }
    // On a side of the tile, a point may be the next cell's corner.
    const mayBeMoved = isAtSide(set, 4 * i) || isAtSide(set, 4 * before);
    const step = Math.abs(x - raw[4 * before]) + Math.abs(z - raw[4 * before + 2]);
    if (step < 1 || step > (mayBeMoved ? 3 : 1)) {
      complain('ring-step', 'raw', 4 * i, `the point ${textOf(raw, i)} is not one cell from the one before it`);
    }
    checkFlags(set, c, 'raw', raw, i, complain);
  }
}

/** Returns whether the raw point at this offset is on a side of a tile with a border. */
function isAtSide({ borderCells, raw, width, depth }: ContourSet, at: number): boolean {
  return borderCells > 0 && [raw[at], raw[at + 2], width - raw[at], depth - raw[at + 2]].includes(0);
}

function checkFlags(
  set: ContourSet,
  c: number,
  field: string,
  points: Int32Array,
  i: number,
  complain: Complain,
): void {
  const flags = points[4 * i + 3];
  const other = flags & CONTOUR_REGION_MASK;
  const isMarked = set.borderCells === 0 && ((flags & CONTOUR_BORDER_VERTEX) !== 0 || other >= BORDER_REGION);
  if ((flags & ~KNOWN_FLAGS) !== 0 || other === set.region[c] || isMarked) {
    complain(
      'flags',
      field,
      4 * i + 3,
      `is ${flags}: unknown marks, the ring's own region, or a border that does not exist`,
    );
  }
}
