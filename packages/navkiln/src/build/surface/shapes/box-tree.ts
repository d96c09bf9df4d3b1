/**
 * Finds boxes near another one, seen from above, while boxes come, shrink and go.
 *
 * A loose quadtree: a box lies in the square with its center, in the row of squares that are just wider than it. So a
 * box is found in the square twice as wide around the same center, and each change costs one way down.
 *
 * In: boxes by number.
 * Out: the numbers of those that overlap a box, in ascending order.
 * Cost: O(depth) for each change, and for each box that is found if few are far longer than wide.
 * Based on: own; loose quadtrees are Thatcher Ulrich's (Game Programming Gems, 2000).
 */

/** Squares are halved this often at most. */
const MOST_DEPTH = 14;

export interface Box {
  x0: number;
  z0: number;
  x1: number;
  z1: number;
}

export interface BoxTree {
  /** Center of each node, and half of its width. */
  x: number[];
  z: number[];
  half: number[];
  /** Four for each node; 0: none. */
  child: number[];
  parent: number[];
  /** Boxes in a node and below it. */
  count: number[];
  items: number[][];
  /** The boxes, and the node of each. */
  boxes: Box[];
  node: number[];
}

/** Returns a tree for boxes within one. */
export function createBoxTree({ x0, z0, x1, z1 }: Box): BoxTree {
  return {
    x: [(x0 + x1) / 2],
    z: [(z0 + z1) / 2],
    half: [Math.max(x1 - x0, z1 - z0) / 2],
    child: [0, 0, 0, 0],
    parent: [-1],
    count: [0],
    items: [[]],
    boxes: [],
    node: [],
  };
}

/** Adds a box, or moves the one of this number. */
export function setBox(tree: BoxTree, item: number, box: Box): void {
  if (tree.node[item] >= 0) dropBox(tree, item);
  const size = Math.max(box.x1 - box.x0, box.z1 - box.z0);
  const bx = (box.x0 + box.x1) / 2;
  const bz = (box.z0 + box.z1) / 2;
  let node = 0;
  tree.count[0]++;
  for (let depth = 0; depth < MOST_DEPTH && size <= tree.half[node]; depth++) {
    const side = (bx > tree.x[node] ? 1 : 0) + (bz > tree.z[node] ? 2 : 0);
    const next = 4 * node + side;
    if (tree.child[next] === 0) tree.child[next] = addChild(tree, node, side);
    node = tree.child[next];
    tree.count[node]++;
  }
  tree.items[node].push(item);
  tree.boxes[item] = box;
  tree.node[item] = node;
}

/** Adds a quarter of a node: bit 0 of `side` is set beyond its center along x, bit 1 along z. */
function addChild(tree: BoxTree, node: number, side: number): number {
  const half = tree.half[node] / 2;
  tree.x.push(tree.x[node] + (side % 2 === 0 ? -half : half));
  tree.z.push(tree.z[node] + (side < 2 ? -half : half));
  tree.half.push(half);
  tree.child.push(0, 0, 0, 0);
  tree.count.push(0);
  tree.items.push([]);
  return tree.parent.push(node) - 1;
}

/** Removes a box. */
export function dropBox(tree: BoxTree, item: number): void {
  const items = tree.items[tree.node[item]];
  const last = items.pop()!;
  if (last !== item) items[items.indexOf(item)] = last;
  for (let node = tree.node[item]; node >= 0; node = tree.parent[node]) tree.count[node]--;
  tree.node[item] = -1;
}

/** Sets `out` to the numbers of all boxes that overlap one. Returns how many boxes and squares were looked at. */
export function findBoxes(tree: BoxTree, box: Box, out: number[]): number {
  out.length = 0;
  const looks = collect(tree, box, out, 0);
  out.sort((a, b) => a - b);
  return looks;
}

function collect(tree: BoxTree, box: Box, out: number[], node: number): number {
  const items = tree.items[node];
  let looks = items.length + 1;
  for (let i = 0; i < items.length; i++) {
    const { x0, z0, x1, z1 } = tree.boxes[items[i]];
    if (x0 < box.x1 && x1 > box.x0 && z0 < box.z1 && z1 > box.z0) out.push(items[i]);
  }
  for (let side = 0; side < 4; side++) {
    const child = tree.child[4 * node + side];
    if (child === 0 || tree.count[child] === 0) continue;
    const x = tree.x[child];
    const z = tree.z[child];
    // Boxes reach half of a square's width beyond it.
    const reach = 2 * tree.half[child];
    if (x - reach <= box.x1 && x + reach >= box.x0 && z - reach <= box.z1 && z + reach >= box.z0) {
      looks += collect(tree, box, out, child);
    }
  }
  return looks;
}
