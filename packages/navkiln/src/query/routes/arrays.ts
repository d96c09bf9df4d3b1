/** Typed arrays that grow. */

/** Returns an array with space for `count` numbers. It contains the values of `array`, followed by `filler`. */
export function grown<T extends Float64Array | Int32Array | Uint16Array | Uint8Array>(
  array: T,
  count: number,
  filler: number = 0,
): T {
  if (array.length >= count) return array;
  const size = Math.max(count, 2 * array.length, 64);
  const larger = new (array.constructor as new (length: number) => T)(size);
  larger.set(array as unknown as ArrayLike<number>);
  if (filler !== 0) larger.fill(filler, array.length);
  return larger;
}
