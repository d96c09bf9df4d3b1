/**
 * Sorts the numbers 0 .. n - 1 by a key of 22 bits, lowest first, in two passes of 11 bits. Equal keys keep
 * the order of the numbers.
 *
 * Cost: linear.
 * Based on: Harold Seward, Information sorting in the application of electronic digital computers, 1954.
 */
const RADIX = 2048;

export function sortByKey(keys: Uint32Array): Int32Array {
  const n = keys.length;
  const low = new Int32Array(RADIX + 1);
  const high = new Int32Array(RADIX + 1);
  for (let i = 0; i < n; i++) {
    low[(keys[i] & (RADIX - 1)) + 1]++;
    high[(keys[i] >>> 11) + 1]++;
  }
  for (let k = 0; k < RADIX; k++) {
    low[k + 1] += low[k];
    high[k + 1] += high[k];
  }
  const first = new Int32Array(n);
  const second = new Int32Array(n);
  for (let i = 0; i < n; i++) first[low[keys[i] & (RADIX - 1)]++] = i;
  for (let k = 0; k < n; k++) second[high[keys[first[k]] >>> 11]++] = first[k];
  return second;
}
