/**
 * The form in which the validators of the bake's stages report, and the checks that several of them share.
 *
 * For tests and tools; a bake does not use them.
 *
 * In: records of stages. Out: lists of at most a thousand violations.
 * Cost: linear in the starts checked.
 * Based on: own.
 */

/** Kinds of violations of a stage's record. */
export type StageViolationCode =
  | 'scalar'
  | 'size'
  | 'column-start'
  | 'span-order'
  | 'span-empty'
  | 'area'
  | 'neighbor'
  | 'neighbor-fit'
  | 'not-reciprocal'
  | 'distance'
  | 'region'
  | 'region-area'
  | 'ring-size'
  | 'ring-repeat'
  | 'ring-step'
  | 'ring-outside'
  | 'flags'
  | 'not-on-outline'
  | 'vertex'
  | 'index'
  | 'not-convex'
  | 't-junction'
  | 'not-connected'
  | 'detail-flags'
  | 'detail-area'
  | 'detail-flipped'
  | 'detail-unused';

/** A violation of a stage's record, of the shape of a mesh's `Violation`. */
export interface StageViolation {
  code: StageViolationCode;
  /** Field and index, such as `neighbor[12]`. */
  where: string;
  /** One sentence. */
  message: string;
}

const MAX_VIOLATIONS = 1000;

/** Reports a violation. `index` -1: the field as a whole. */
export type Complain = (code: StageViolationCode, field: string, index: number, why: string) => void;

/** Returns a function that adds violations to the list, up to its limit. */
export function createComplain(violations: StageViolation[]): Complain {
  return (code, field, index, why) => {
    if (violations.length >= MAX_VIOLATIONS) return;
    const where = index < 0 ? field : `${field}[${index}]`;
    violations.push({ code, where, message: `${where}: ${why}` });
  };
}

interface Box {
  boundsMin: readonly [number, number, number];
  boundsMax: readonly [number, number, number];
  cellSize: number;
  cellHeight: number;
}

/** Checks that bounds are finite ranges and cells have a size. */
export function checkBox(box: Box, complain: Complain): void {
  for (let k = 0; k < 3; k++) {
    if (
      !(Number.isFinite(box.boundsMin[k]) && Number.isFinite(box.boundsMax[k]) && box.boundsMin[k] <= box.boundsMax[k])
    ) {
      complain('scalar', 'boundsMin', k, `bounds from ${box.boundsMin[k]} to ${box.boundsMax[k]} are no finite range`);
    }
  }
  for (const field of ['cellSize', 'cellHeight'] as const) {
    if (!(box[field] > 0 && Number.isFinite(box[field])))
      complain('scalar', field, -1, `is ${box[field]}, not a finite size`);
  }
}

/** Returns whether a value is a whole number >= 0. */
export function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0;
}

/**
 * Checks starts: from 0, never falling, ending at `total`. Returns false when their lists cannot be followed.
 */
export function checkStarts(
  field: string,
  starts: Int32Array,
  count: number,
  total: number,
  complain: Complain,
): boolean {
  if (starts.length < count + 1) {
    complain('size', field, -1, `has ${starts.length} entries, must have ${count + 1}`);
    return false;
  }
  if (starts[0] !== 0) {
    complain('column-start', field, 0, `is ${starts[0]}, must be 0`);
    return false;
  }
  for (let c = 0; c < count; c++) {
    if (starts[c + 1] < starts[c]) {
      complain('column-start', field, c + 1, `is ${starts[c + 1]}, less than the ${starts[c]} before`);
      return false;
    }
  }
  if (starts[count] !== total) {
    complain('column-start', field, count, `is ${starts[count]}, must be the ${total} that there are`);
    return false;
  }
  return true;
}
