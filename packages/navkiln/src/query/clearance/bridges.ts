/**
 * Marks bridges: edges that are the only connection to the triangles behind them. A search does not cross a bridge if the goal is not behind
 * it, since it would have to return over the same edge.
 *
 * A depth-first search numbers the triangles. An edge of its tree is a bridge if no other edge connects a triangle below it with a triangle
 * above it. The triangles below a bridge have consecutive numbers.
 *
 * In: triangles.
 * Out: the number of each triangle, and the last number below it; whether each half-edge is a bridge.
 * Cost: linear.
 * Based on: Robert Tarjan, A note on finding the bridges of a graph, 1974.
 */
import type { Clearance } from './types.ts';

type Bridges = Pick<Clearance, 'order' | 'last' | 'bridge'>;

/** Marks of half-edges of bridges: away from the start of the search, or back to it. */
const DOWN = 1;
const UP = 2;

export function findBridges(triangleCount: number, twin: Int32Array): Bridges {
  const order = new Int32Array(triangleCount).fill(-1);
  const last = new Int32Array(triangleCount);
  const bridge = new Uint8Array(3 * triangleCount);
  /** The lowest number that can be reached from the triangles below each triangle. */
  const low = new Int32Array(triangleCount);
  /** For each triangle: its half-edge through which the search came, and the next half-edge to visit. */
  const entry = new Int32Array(triangleCount).fill(-1);
  const at = new Uint8Array(triangleCount);
  let count = 0;
  for (let first = 0; first < triangleCount; first++) {
    if (order[first] >= 0) continue;
    order[first] = low[first] = count++;
    for (let t = first; t >= 0;) {
      if (at[t] < 3) {
        const h = 3 * t + at[t]++;
        const other = twin[h];
        if (other < 0 || h === entry[t]) continue;
        const next = (other / 3) | 0;
        if (order[next] >= 0) {
          low[t] = Math.min(low[t], order[next]);
          continue;
        }
        order[next] = low[next] = count++;
        entry[next] = other;
        t = next;
        continue;
      }
      last[t] = count - 1;
      if (entry[t] < 0) break;
      const above = (twin[entry[t]] / 3) | 0;
      low[above] = Math.min(low[above], low[t]);
      if (low[t] === order[t]) {
        bridge[entry[t]] = UP;
        bridge[twin[entry[t]]] = DOWN;
      }
      t = above;
    }
  }
  return { order, last, bridge };
}

/** Returns whether a path through a half-edge may lead to a triangle without returning. */
export function mayLead({ order, last, bridge, twin }: Clearance, h: number, goal: number): boolean {
  if (bridge[h] === 0) return true;
  const below = ((bridge[h] === DOWN ? twin[h] : h) / 3) | 0;
  const isBelow = order[goal] >= order[below] && order[goal] <= last[below];
  return isBelow === (bridge[h] === DOWN);
}
