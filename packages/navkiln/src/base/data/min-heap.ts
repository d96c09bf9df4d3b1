/**
 * A priority queue of numbered items, smallest key first.
 *
 * A binary heap over two flat arrays that grow. It does not track the position of an item: a caller that
 * lowers a key pushes the item again and skips the stale entry later. The order of equal keys depends on the
 * order of pushes and pops and not on the items' numbers, so renumbered polygons come in the same order.
 *
 * Cost: O(log n) per item, no allocation once grown.
 * Based on: J. W. J. Williams, Algorithm 232: Heapsort, 1964.
 */
export interface MinHeap {
  count: number;
  /** items[0 .. count - 1]; the arrays may be longer. */
  items: Int32Array;
  keys: Float64Array;
}

export function createMinHeap(): MinHeap {
  return { count: 0, items: new Int32Array(0), keys: new Float64Array(0) };
}

/**
 * Inserts an item with the key itemKeys[item]. The key is read from an array since a passed number would be
 * allocated.
 */
export function pushItem(heap: MinHeap, item: number, itemKeys: Float64Array): void {
  let at = heap.count++;
  if (at === heap.items.length) growHeap(heap);
  const { items, keys } = heap;
  const key = itemKeys[item];
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const parentKey = keys[parent];
    if (parentKey <= key) break;
    items[at] = items[parent];
    keys[at] = parentKey;
    at = parent;
  }
  items[at] = item;
  keys[at] = key;
}

/** Removes and returns the item with the smallest key. The heap must not be empty. */
export function popItem(heap: MinHeap): number {
  const { items, keys } = heap;
  const top = items[0];
  const size = --heap.count;
  const item = items[size];
  const key = keys[size];
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= size) break;
    const right = child + 1;
    if (right < size && keys[right] < keys[child]) child = right;
    const childKey = keys[child];
    if (key <= childKey) break;
    items[at] = items[child];
    keys[at] = childKey;
    at = child;
  }
  items[at] = item;
  keys[at] = key;
  return top;
}

function growHeap(heap: MinHeap): void {
  const capacity = Math.max(64, 2 * heap.items.length);
  const items = new Int32Array(capacity);
  items.set(heap.items);
  const keys = new Float64Array(capacity);
  keys.set(heap.keys);
  heap.items = items;
  heap.keys = keys;
}
