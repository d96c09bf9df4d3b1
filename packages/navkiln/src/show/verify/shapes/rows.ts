/**
 * Sweeps the rows of a grid over the rings of a 2D map: which columns stand on walkable ground, and where a wall lies
 * between two of them, however thin it is.
 *
 * A ring contains what it winds around. Walls at which ground continues, as between two polygons that touch, are none.
 *
 * In: rings in columns of the grid. Out: bits per column.
 * Cost: O(n log n) in the points where edges cross rows.
 * Based on: own.
 */

/** A ring, in columns: u, v of each point. */
export interface FlatRing {
  points: Float64Array;
  /** Number of the polygon; -1: an obstacle. */
  polygon: number;
  isHole: boolean;
}

/** For each column: whether it is walkable, and whether something not walkable lies between it and the next in its row. */
export interface OpenRows {
  isOpen: Uint8Array;
  isCut: Uint8Array;
}

/** Gaps up to this many columns are none. */
const TOUCH = 1e-7;

/** Sweeps all rows. */
export function sweepRows(rings: readonly FlatRing[], polygonCount: number, width: number, depth: number): OpenRows {
  const start = new Uint32Array(depth + 1);
  crossRows(rings, depth, (v) => start[v]++);
  for (let v = 0, sum = 0; v <= depth; v++) {
    const here = start[v];
    start[v] = sum;
    sum += here;
  }
  const total = start[depth];
  const at = new Float64Array(total);
  const ring = new Int32Array(total);
  const turn = new Int8Array(total);
  const next = start.slice();
  crossRows(rings, depth, (v, u, r, direction) => {
    const k = next[v]++;
    at[k] = u;
    ring[k] = r;
    turn[k] = direction;
  });
  const open: OpenRows = { isOpen: new Uint8Array(width * depth), isCut: new Uint8Array(width * depth) };
  const windings = new Int32Array(rings.length);
  // Per polygon: 1 inside of its outline, less the holes around.
  const holes = new Int32Array(polygonCount);
  const outlines = new Uint8Array(polygonCount);
  for (let v = 0; v < depth; v++) {
    const order = Array.from({ length: start[v + 1] - start[v] }, (_, k) => start[v] + k).sort((a, b) => at[a] - at[b]);
    let grounds = 0;
    let obstacles = 0;
    let from = -Infinity;
    let last = -Infinity;
    let wasOpen = false;
    for (let n = 0; n < order.length;) {
      const u = at[order[n]];
      // Everything that crosses at one point counts at once.
      for (; n < order.length && at[order[n]] - u <= TOUCH; n++) {
        const r = ring[order[n]];
        const { polygon, isHole } = rings[r];
        const before = windings[r] !== 0;
        windings[r] += turn[order[n]];
        const after = windings[r] !== 0;
        if (before === after) continue;
        const change = after ? 1 : -1;
        if (polygon < 0) obstacles += change;
        else {
          const was = outlines[polygon] === 1 && holes[polygon] === 0;
          if (isHole) holes[polygon] += change;
          else outlines[polygon] = after ? 1 : 0;
          const is = outlines[polygon] === 1 && holes[polygon] === 0;
          grounds += Number(is) - Number(was);
        }
      }
      const isOpen = grounds > 0 && obstacles === 0;
      if (isOpen && !wasOpen) {
        from = u;
        markGap(open, v * width, width, last, from);
      } else if (!isOpen && wasOpen) {
        markOpen(open, v * width, width, from, u);
        last = u;
      }
      wasOpen = isOpen;
    }
  }
  return open;
}

function markOpen({ isOpen }: OpenRows, row: number, width: number, from: number, to: number): void {
  const end = Math.min(width - 1, Math.ceil(to) - 1);
  for (let u = Math.max(0, Math.ceil(from)); u <= end; u++) isOpen[row + u] = 1;
}

/** Cuts the ways that a gap touches. */
function markGap({ isCut }: OpenRows, row: number, width: number, from: number, to: number): void {
  if (to - from <= TOUCH) return;
  const end = Math.min(width - 1, Math.ceil(to) - 1);
  for (let u = Math.max(0, Math.floor(from)); u <= end; u++) isCut[row + u] = 1;
}

/** Calls back for each point where an edge crosses a row. */
function crossRows(
  rings: readonly FlatRing[],
  depth: number,
  visit: (v: number, u: number, ring: number, direction: number) => void,
): void {
  rings.forEach(({ points }, r) => {
    for (let k = 0; k < points.length; k += 2) {
      let a = k;
      let b = k + 2 === points.length ? 0 : k + 2;
      const direction = points[b + 1] > points[a + 1] ? 1 : -1;
      if (direction < 0) [a, b] = [b, a];
      const first = Math.max(0, Math.ceil(points[a + 1]));
      const last = Math.min(depth - 1, Math.ceil(points[b + 1]) - 1);
      for (let v = first; v <= last; v++) {
        const s = (v - points[a + 1]) / (points[b + 1] - points[a + 1]);
        visit(v, points[a] + s * (points[b] - points[a]), r, direction);
      }
    }
  });
}
