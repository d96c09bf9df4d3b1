/**
 * Smoothsort in place, for the few sorts of the bake in which the order of equal keys shows in the result.
 *
 * Recast sorts with the C library's qsort, which does not define the order of equal keys. The library of
 * WebAssembly builds uses smoothsort. With the same sort, lines of equal length are tried in the same order,
 * and meshes come out equal. The array is a row of heaps whose sizes are Leonardo numbers, kept as a stack of
 * orders.
 *
 * In: a list and a comparison. Out: the list, sorted.
 * Cost: O(n log n), near O(n) on sorted input.
 * Based on: Edsger Dijkstra, Smoothsort, an alternative for sorting in situ (1981).
 */

/** Sizes of the heaps of order 0, 1, 2, …: each has a root and heaps of the two orders before it. */
const SIZE: number[] = [1, 1];
while (SIZE.length < 64) SIZE.push(SIZE[SIZE.length - 1] + SIZE[SIZE.length - 2] + 1);

/** Sorts a list in place. `compare` is negative when a comes before b. */
export function smoothSort<T>(list: T[], compare: (a: T, b: T) => number): void {
  const isLess = (a: number, b: number): boolean => compare(list[a], list[b]) < 0;
  const swap = (a: number, b: number): void => {
    [list[a], list[b]] = [list[b], list[a]];
  };
  /** Returns the larger of the two roots below the root at `head` of a heap. */
  const largest = (head: number, order: number): number => {
    const left = head - 1 - SIZE[order - 2];
    return isLess(left, head - 1) ? head - 1 : left;
  };
  /** Sinks the root at `head` of a heap to its position. */
  const settle = (head: number, order: number): void => {
    if (order < 2) return;
    const child = largest(head, order);
    if (!isLess(head, child)) return;
    swap(head, child);
    settle(child, child === head - 1 ? order - 2 : order - 1);
  };
  /** Moves the root at `head`, of the last heap of the row, left past larger roots, and sinks it there. */
  const rectify = (head: number, isHeap: boolean): void => {
    let at = orders.length - 1;
    for (; at > 0; at--) {
      const order = orders[at];
      const before = head - SIZE[order];
      if (!isLess(head, before) || (!isHeap && order > 1 && !isLess(largest(head, order), before))) break;
      swap(head, before);
      head = before;
      isHeap = false;
    }
    if (!isHeap) settle(head, orders[at]);
  };

  const last = list.length - 1;
  if (last < 1) return;
  const orders: number[] = [1];
  for (let head = 0; head < last; head++) {
    const order = orders.at(-1)!;
    if (orders.at(-2) === order + 1) {
      // The last two heaps and the next element become one heap.
      settle(head, order);
      orders.length -= 2;
      orders.push(order + 2);
    } else {
      // A heap that no element will join is ordered with the heaps before it.
      if (SIZE[order - 1] >= last - head) rectify(head, false);
      else settle(head, order);
      orders.push(order === 1 ? 0 : 1);
    }
  }
  rectify(last, false);
  for (let head = last; head > 0; head--) {
    const order = orders.pop()!;
    if (order < 2) continue;
    // The largest element is in place. Its two sub-heaps become heaps of the row.
    orders.push(order - 1);
    rectify(head - SIZE[order - 2] - 1, true);
    orders.push(order - 2);
    rectify(head - 1, true);
  }
}
