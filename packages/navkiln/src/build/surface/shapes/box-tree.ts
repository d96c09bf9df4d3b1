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
  /** Center of the whole, and half of its width. */
  x: number;
  z: number;
  half: number;
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
    x: (x0 + x1) / 2,
    z: (z0 + z1) / 2,
    half: Math.max(x1 - x0, z1 - z0) / 2,
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
  let { x, z, half } = tree;
  let node = 0;
  tree.count[0]++;
  for (let depth = 0; depth < MOST_DEPTH && size <= half; depth++) {
    half /= 2;
    const side = (bx > x ? 1 : 0) + (bz > z ? 2 : 0);
    x += bx > x ? half : -half;
    z += bz > z ? half : -half;
    let next = tree.child[4 * node + side];
    if (next === 0) {
      next = tree.parent.push(node) - 1;
      tree.child[4 * node + side] = next;
      tree.child.push(0, 0, 0, 0);
      tree.count.push(0);
      tree.items.push([]);
    }
    node = next;
    tree.count[node]++;
  }
  tree.items[node].push(item);
  tree.boxes[item] = box;
  tree.node[item] = node;
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
  const looks = collect(tree, box, out, 0, tree.x, tree.z, tree.half);
  out.sort((a, b) => a - b);
  return looks;
}

function collect(tree: BoxTree, box: Box, out: number[], node: number, x: number, z: number, half: number): number {
  const items = tree.items[node];
  let looks = items.length + 1;
  for (let i = 0; i < items.length; i++) {
    const { x0, z0, x1, z1 } = tree.boxes[items[i]];
    if (x0 < box.x1 && x1 > box.x0 && z0 < box.z1 && z1 > box.z0) out.push(items[i]);
  }
  // The boxes of a child reach half of its width beyond it: `half`, from a center that is half of that away.
  const quarter = half / 2;
  for (let side = 0; side < 4; side++) {
    const child = tree.child[4 * node + side];
    if (child === 0 || tree.count[child] === 0) continue;
    const cx = side % 2 === 0 ? x - quarter : x + quarter;
    const cz = side < 2 ? z - quarter : z + quarter;
    if (cx - half > box.x1 || cx + half < box.x0 || cz - half > box.z1 || cz + half < box.z0) continue;
    looks += collect(tree, box, out, child, cx, cz, quarter);
  }
  return looks;
}
