/**
 * Checks the path indexes that callers pass, by one property of the record.
 *
 * Based on: own.
 */
import { checkRecord } from '../../base/data/refuse.ts';
import type { PathIndex } from './types.ts';

/** Throws a TypeError unless `index` is a PathIndex with its typed arrays. */
export function checkIndex(caller: string, index: PathIndex): void {
  checkRecord(caller, 'index', index, 'polyCone', 'a PathIndex');
}
