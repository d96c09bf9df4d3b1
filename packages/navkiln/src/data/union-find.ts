/**
 * Union-find over numbered items: which of them belong together? `parent[i]` is an item of the same set, that of a root the root.
 *
 * The lower root becomes that of both, so no rank is stored, and parents lie before their children. Cost: nearly constant.
 * Based on: Robert Tarjan, Jan van Leeuwen, Worst-case Analysis of Set Union Algorithms, 1984 (path halving).
 */

/** The item that stands for the set of this one. */
export function rootOf(parent: Int32Array, item: number): number {
  while (parent[item] !== item) {
    parent[item] = parent[parent[item]];
    item = parent[item];
  }
  return item;
}

/** Makes the sets of two items one. */
export function unite(parent: Int32Array, a: number, b: number): void {
  const one = rootOf(parent, a);
  const two = rootOf(parent, b);
  if (one < two) parent[two] = one;
  else parent[one] = two;
}
