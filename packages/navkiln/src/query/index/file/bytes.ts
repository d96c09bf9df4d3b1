/** Counts the bytes of a path index. */
import { checkIndex } from '../check-index.ts';
import type { PathIndex } from '../types.ts';

/** Returns the bytes of the arrays of an index, for all its sizes. */
export function pathIndexBytes(index: PathIndex): number {
  checkIndex('pathIndexBytes', index);
  let bytes = index.others.reduce((sum, other) => sum + pathIndexBytes(other), 0);
  for (const value of Object.values(index)) if (ArrayBuffer.isView(value)) bytes += value.byteLength;
  return bytes;
}
