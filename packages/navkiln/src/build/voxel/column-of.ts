/** Finds the column of a span. */

/** Returns the column of span i: the last one that starts at or before it. */
export function columnOf(columnStart: Int32Array, i: number): number {
  let low = 0;
  let high = columnStart.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (columnStart[middle] <= i) low = middle;
    else high = middle;
  }
  return low;
}
