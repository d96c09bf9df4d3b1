/**
 * Union-find over numbered items. `parent[i]` is an item of the same set; a root is its own parent.
 *
 * The lower root becomes the root of both sets, so no rank is stored and parents come before their children.
 *
 * Cost: nearly constant per operation.
 * Based on: Robert Tarjan, Jan van Leeuwen, Worst-case Analysis of Set Union Algorithms, 1984 (path halving).
 */

/** Returns the item that represents the set of `item`. */
export function rootOf(parent: Int32Array, item: number): number {
  while (parent[item] !== item) {
    parent[item] = parent[parent[item]];
    item = parent[item];
  }
  return item;
}

/** Unites the sets of two items. */
export function unite(parent: Int32Array, a: number, b: number): void {
  const one = rootOf(parent, a);
  const two = rootOf(parent, b);
  if (one < two) parent[two] = one;
  else parent[one] = two;
}
