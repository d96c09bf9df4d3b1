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
while (SIZE.length < 64) SIZE.push(SIZE[SIZE.length - 1]! + SIZE[SIZE.length - 2]! + 1);

export function smoothSort<T>(list: T[], compare: (a: T, b: T) => number): void {
  const last = list.length - 1;
  if (last < 1) return;
  const orders: number[] = [1];
  for (let head = 0; head < last; head++) {
    const order = orders[orders.length - 1]!;
    if (orders.length > 1 && orders[orders.length - 2] === order + 1) {
      // The last two heaps and the next element become one.
      settle(list, compare, head, order);
      orders.length -= 2;
      orders.push(order + 2);
    } else {
      // A heap that nothing will join any more is put in order with those before it.
      if (SIZE[order - 1]! >= last - head) rectify(list, compare, head, orders, orders.length, false);
      else settle(list, compare, head, order);
      orders.push(order === 1 ? 0 : 1);
    }
  }
  rectify(list, compare, last, orders, orders.length, false);
  for (let head = last; orders.length > 1 || orders[0] !== 1; head--) {
    const order = orders.pop()!;
    if (order <= 1) continue;
    // The largest is in place; its two sub-heaps become heaps of the row.
    orders.push(order - 1);
    rectify(list, compare, head - SIZE[order - 2]! - 1, orders, orders.length, true);
    orders.push(order - 2);
    rectify(list, compare, head - 1, orders, orders.length, true);
  }
}

/** Lets the root at `head` of a heap sink to its place. */
function settle<T>(list: T[], compare: (a: T, b: T) => number, head: number, order: number): void {
  const value = list[head]!;
  let hole = head, k = order;
  while (k > 1) {
    const right = hole - 1, left = hole - 1 - SIZE[k - 2]!;
    if (compare(value, list[left]!) >= 0 && compare(value, list[right]!) >= 0) break;
    if (compare(list[left]!, list[right]!) >= 0) {
      list[hole] = list[left]!;
      hole = left;
      k -= 1;
    } else {
      list[hole] = list[right]!;
      hole = right;
      k -= 2;
    }
  }
  list[hole] = value;
}

/** Lets the root at `head`, of the heap at `depth` of the row, move left past larger roots, then sink there. */
function rectify<T>(
  list: T[], compare: (a: T, b: T) => number, head: number, orders: number[], depth: number, isHeap: boolean,
): void {
  const value = list[head]!;
  let hole = head, at = depth - 1, heap = isHeap;
  while (at > 0) {
    const k = orders[at]!;
    const before = hole - SIZE[k]!;
    if (compare(list[before]!, value) <= 0) break;
    if (!heap && k > 1) {
      const right = hole - 1, left = hole - 1 - SIZE[k - 2]!;
      if (compare(list[right]!, list[before]!) >= 0 || compare(list[left]!, list[before]!) >= 0) break;
    }
    list[hole] = list[before]!;
    hole = before;
    at--;
    heap = false;
  }
  if (heap) return;
  list[hole] = value;
  settle(list, compare, hole, orders[at]!);
}
