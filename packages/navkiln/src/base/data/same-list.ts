/** Compares two lists item by item, by identity. */

/** Returns whether both lists have the same items in the same order. */
export function isSameList<T>(a: ArrayLike<T>, b: ArrayLike<T>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
