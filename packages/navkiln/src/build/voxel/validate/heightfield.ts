/**
 * Validates a Heightfield: returns a list of violations, empty for a valid one.
 *
 * Checked are sizes and column starts. In each column, spans must be in order from the bottom up, each with
 * its bottom below its top and a gap to the next: spans that touch are one.
 *
 * In: Heightfield. Out: violations.
 * Cost: one pass.
 * Based on: own.
 */
import { checkRecord } from '../../../base/data/refuse.ts';
import { SPAN_MAX_HEIGHT } from '../../../base/constants.ts';
import { spanBottom, spanTop } from '../types.ts';
import { checkBox, checkStarts, createComplain, isCount } from './violations.ts';
import type { Heightfield } from '../types.ts';
import type { StageViolation } from './violations.ts';

/** Returns the violations of a heightfield. */
export function validateHeightfield(field: Heightfield): StageViolation[] {
  checkRecord('validateHeightfield', 'field', field, 'spans', 'a Heightfield');
  const violations: StageViolation[] = [];
  const complain = createComplain(violations);
  const { width, depth, columnStart, spanCount, spans } = field;
  checkBox(field, complain);
  for (const key of ['width', 'depth', 'spanCount'] as const) {
    if (!isCount(field[key])) complain('size', key, -1, `is ${field[key]}, not a count`);
  }
  if (violations.some((one) => one.code === 'size')) return violations;
  if (spans.length < spanCount) complain('size', 'spans', -1, `has ${spans.length} entries, must have ${spanCount}`);
  else if (checkStarts('columnStart', columnStart, width * depth, spanCount, complain)) {
    for (let c = 0; c < width * depth; c++) {
      let ceiling = -1;
      for (let i = columnStart[c]; i < columnStart[c + 1]; i++) {
        const bottom = spanBottom(spans[i]);
        const top = spanTop(spans[i]);
        if (bottom >= top || top > SPAN_MAX_HEIGHT) {
          complain('span-empty', 'spans', i, `reaches from ${bottom} to ${top}; the bottom must be below the top`);
        }
        if (bottom <= ceiling) {
          complain('span-order', 'spans', i, `starts at ${bottom}, not above ${ceiling}, the top of the span below`);
        }
        ceiling = top;
      }
    }
  }
  return violations;
}
