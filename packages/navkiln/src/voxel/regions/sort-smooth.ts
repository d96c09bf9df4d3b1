/**
 * Smoothsort, in place: for the few sorts of the bake in which equal keys are common and their order shows in the result.
 *
 * Recast sorts with the C library's qsort, which does not say what becomes of equal keys. The one library whose builds run
 * everywhere alike (WebAssembly's) sorts with smoothsort; with the same sort, lines of equal length are tried in the same
 * order, and meshes come out equal. O(n log n), near O(n) on sorted input.
 *
 * The array is a row of heaps of Leonardo sizes, kept as a stack of orders. Based on: Edsger Dijkstra, Smoothsort, an
 * alternative for sorting in situ (1981).
 */

/** Sizes of the heaps of order 0, 1, 2, …: each two before it and a root. */
const SIZE: number[] = [1, 1];
while (SIZE.length < 64) SIZE.push(SIZE[SIZE.length - 1] + SIZE[SIZE.length - 2] + 1);

export function smoothSort<T>(list: T[], compare: (a: T, b: T) => number): void {
  const isLess = (a: number, b: number): boolean => compare(list[a], list[b]) < 0;
  const swap = (a: number, b: number): void => {
    [list[a], list[b]] = [list[b], list[a]];
  };
  /** The larger of the two roots below the root at `head` of a heap. */
  const largest = (head: number, order: number): number => {
    const left = head - 1 - SIZE[order - 2];
    return isLess(left, head - 1) ? head - 1 : left;
  };
  /** Lets the root at `head` of a heap sink to its place. */
  const settle = (head: number, order: number): void => {
    if (order < 2) return;
    const child = largest(head, order);
    if (!isLess(head, child)) return;
    swap(head, child);
    settle(child, child === head - 1 ? order - 2 : order - 1);
  };
  /** Lets the root at `head`, of the last heap of the row, move left past larger roots, then sink there. */
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
      // The last two heaps and the next element become one.
      settle(head, order);
      orders.length -= 2;
      orders.push(order + 2);
    } else {
      // A heap that nothing will join any more is put in order with those before it.
      if (SIZE[order - 1] >= last - head) rectify(head, false);
      else settle(head, order);
      orders.push(order === 1 ? 0 : 1);
    }
  }
  rectify(last, false);
  for (let head = last; head > 0; head--) {
    const order = orders.pop()!;
    if (order < 2) continue;
    // The largest is in place; its two sub-heaps become heaps of the row.
    orders.push(order - 1);
    rectify(head - SIZE[order - 2] - 1, true);
    orders.push(order - 2);
    rectify(head - 1, true);
  }
}
