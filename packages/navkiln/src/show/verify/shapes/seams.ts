/**
 * Finds where connections are lost or invented: the seams between labelled sets that a graph joins.
 *
 * Labels spread from their items over the graph. Where two labels meet first, a seam lies. Each seam unites two
 * labels, so a set that falls into n labels has n - 1 seams.
 *
 * In: a graph, labels of some items. Out: seams.
 * Cost: linear in items and edges, and a sort of the meetings.
 * Based on: Joseph Kruskal, 1956, over distances between labels.
 */

/** Two labels of one connected set, and the items where they meet. */
export interface Seam {
  from: number;
  to: number;
  /** Labels at both items. */
  labels: [number, number];
}

/**
 * Finds the seams.
 *
 * @param labels of the items, -1: none. Overwritten by the nearest label
 * @param eachNeighbor calls back with the neighbors of an item
 */
export function findSeams(
  labels: Int32Array,
  eachNeighbor: (item: number, visit: (other: number) => void) => void,
): Seam[] {
  const distance = new Int32Array(labels.length);
  const queue: number[] = [];
  for (let p = 0; p < labels.length; p++) if (labels[p] >= 0) queue.push(p);
  const meetings = new Map<string, Seam & { length: number }>();
  for (let at = 0; at < queue.length; at++) {
    const p = queue[at];
    eachNeighbor(p, (q) => {
      if (labels[q] < 0) {
        labels[q] = labels[p];
        distance[q] = distance[p] + 1;
        queue.push(q);
      } else if (labels[q] !== labels[p]) {
        const a = Math.min(labels[p], labels[q]);
        const key = `${a},${labels[p] + labels[q] - a}`;
        const length = distance[p] + distance[q];
        if (length < (meetings.get(key)?.length ?? Infinity)) {
          meetings.set(key, { from: p, to: q, labels: [labels[p], labels[q]], length });
        }
      }
    });
  }
  const parent = new Map<number, number>();
  const root = (label: number): number => {
    let at = label;
    for (let up = parent.get(at); up !== undefined; up = parent.get(at)) at = up;
    return at;
  };
  const seams: Seam[] = [];
  for (const { from, to, labels: pair } of [...meetings.values()].sort(
    (a, b) => a.length - b.length || a.from - b.from,
  )) {
    const a = root(pair[0]);
    const b = root(pair[1]);
    if (a === b) continue;
    parent.set(a, b);
    seams.push({ from, to, labels: pair });
  }
  return seams;
}
