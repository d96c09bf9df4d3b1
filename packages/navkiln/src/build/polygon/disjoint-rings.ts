/**
 * Stage 1 without a triangulation: the walkable area of rings that neither touch nor cross, found with a grid.
 *
 * Segments of a cell are compared in pairs. Then each ring looks down from its leftmost point to the segment below, which
 * belongs to the ring around it or to a ring next to it. Rings are visited from left to right, so what is around that other
 * ring is found before. All decisions are exact.
 *
 * In: all rings of a map.
 * Out: what clean-simple.ts computes, with rings in the order of the input. Undefined when rings touch or cross, a
 * position is covered twice, a hole is not in its outline, or too many segments share cells.
 * Cost: linear on usual maps.
 * Based on: own.
 */
import type { MapRings } from './clean-simple.ts';
import { TAKEN, ringsOf } from '../../base/plane/overlay.ts';
import type { GridPoint, Rings } from '../../base/plane/types.ts';
import { createWallGrid } from './wall-grid.ts';
import type { WallGrid } from './wall-grid.ts';

/** Comparisons for each segment at most, on average. */
const MAX_COMPARED = 64;

/** Returns the walkable area of rings that neither touch nor cross; undefined when the caller has to triangulate them. */
export function cleanDisjoint(map: MapRings): Rings | undefined {
  const { paths, weights } = map;
  if (paths.length === 0) return undefined;
  const grid = createWallGrid(ringsOf(paths), 1);
  if (!areDisjoint(grid, map.joinCells) || (map.joinCells > 0 && isNearAcross(grid, map.joinCells))) return undefined;
  const isTurned = (ring: number, sign: number): boolean => weights[ring] * sign < 0;
  if (paths.length === 1) return isTurned(0, 1) ? ringsOf([paths[0].slice().reverse()]) : grid.rings;
  const sides = findSides(grid, map);
  if (sides === undefined) return undefined;
  const { kind, outer, inner } = sides;
  const border: GridPoint[][] = [];
  paths.forEach((path, ring) => {
    const isGround = inner[ring] === 1;
    if (isGround === (outer[ring] === 1)) return;
    const corners = withoutStraight(path);
    border.push(isTurned(ring, isGround ? kind[ring] : -kind[ring]) ? corners.reverse() : corners);
  });
  return ringsOf(border);
}

/**
 * Returns whether no two segments of a cell share a point or come nearer than a distance, except segments in a row, which do not
 * overlap.
 */
function areDisjoint({ rings: { x, y }, start, edge, after }: WallGrid, apart: number): boolean {
  for (let i = 0; i < x.length; i++) {
    const j = after[i];
    const k = after[j];
    const dx = x[j] - x[i];
    const dy = y[j] - y[i];
    const ex = x[k] - x[j];
    const ey = y[k] - y[j];
    if (dx * ey === dy * ex && dx * ex + dy * ey < 0) return false;
  }
  let left = MAX_COMPARED * x.length;
  for (let cell = 0; cell + 1 < start.length; cell++) {
    const first = start[cell];
    const end = start[cell + 1];
    left -= ((end - first) * (end - first)) / 2;
    if (left < 0) return false;
    for (let s = first + 1; s < end; s++) {
      const a = edge[s];
      const b = after[a];
      const ax = x[a];
      const ay = y[a];
      const bx = x[b];
      const by = y[b];
      const lowX = Math.min(ax, bx) - apart;
      const highX = Math.max(ax, bx) + apart;
      const lowY = Math.min(ay, by) - apart;
      const highY = Math.max(ay, by) + apart;
      const aside = apart * (highX - lowX + highY - lowY);
      for (let t = first; t < s; t++) {
        const c = edge[t];
        const d = after[c];
        const cx = x[c];
        const dx = x[d];
        if ((cx < lowX && dx < lowX) || (cx > highX && dx > highX)) continue;
        const cy = y[c];
        const dy = y[d];
        if ((cy < lowY && dy < lowY) || (cy > highY && dy > highY)) continue;
        if (b === c || d === a) continue;
        const sideC = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
        const sideD = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax);
        if ((sideC > aside && sideD > aside) || (sideC < -aside && sideD < -aside)) continue;
        const besides = apart * (Math.abs(dx - cx) + Math.abs(dy - cy));
        const sideA = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx);
        const sideB = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx);
        if ((sideA > besides && sideB > besides) || (sideA < -besides && sideB < -besides)) continue;
        return false;
      }
    }
  }
  return true;
}

/** Returns whether a point next to the line between two cells may be nearer than a distance to a segment behind it. */
function isNearAcross(
  { rings: { x, y }, minX, minY, side, columns, rows, start, edge, after }: WallGrid,
  apart: number,
): boolean {
  for (let i = 0; i < x.length; i++) {
    const px = x[i] - minX;
    const py = y[i] - minY;
    const column = Math.floor(px / side);
    const row = Math.floor(py / side);
    const x0 = Math.max(0, px - column * side < apart ? column - 1 : column);
    const x1 = Math.min(columns - 1, (column + 1) * side - px <= apart ? column + 1 : column);
    const y0 = Math.max(0, py - row * side < apart ? row - 1 : row);
    const y1 = Math.min(rows - 1, (row + 1) * side - py <= apart ? row + 1 : row);
    if (x0 === x1 && y0 === y1) continue;
    for (let r = y0; r <= y1; r++) {
      for (let k = start[r * columns + x0]; k < start[r * columns + x1 + 1]; k++) {
        const a = edge[k];
        const b = after[a];
        if (a === i || b === i) continue;
        const dx = x[b] - x[a];
        const dy = y[b] - y[a];
        if (x[i] < Math.min(x[a], x[b]) - apart || x[i] > Math.max(x[a], x[b]) + apart) continue;
        if (y[i] < Math.min(y[a], y[b]) - apart || y[i] > Math.max(y[a], y[b]) + apart) continue;
        if (Math.abs(dx * (y[i] - y[a]) - dy * (x[i] - x[a])) <= apart * (Math.abs(dx) + Math.abs(dy))) return true;
      }
    }
  }
  return false;
}

/** The two sides of each ring: 1 on the ground, 2 in an obstacle, 3 in an obstacle on the ground, 0 elsewhere. */
interface RingSides {
  /** How much a ring changes its inside: outlines 1, holes -1, obstacles `TAKEN`. */
  kind: Int32Array;
  outer: Uint8Array;
  inner: Uint8Array;
}

/** Returns undefined when outlines less their holes, or obstacles, overlap, and when a hole is not in its own outline. */
function findSides(grid: WallGrid, { paths, weights, polygons }: MapRings): RingSides | undefined {
  const kind = new Int32Array(paths.length).fill(TAKEN);
  const outlineOf = new Int32Array(paths.length).fill(-1);
  for (const { outline, holes } of polygons) {
    kind[outline] = 1;
    for (const hole of holes) {
      kind[hole] = -1;
      outlineOf[hole] = outline;
    }
  }
  const { x, y, start } = grid.rings;
  const lowest = Int32Array.from(paths, (_, ring) => {
    let best = start[ring];
    for (let i = best + 1; i < start[ring + 1]; i++) {
      if (x[i] < x[best] || (x[i] === x[best] && y[i] < y[best])) best = i;
    }
    return best;
  });
  const ringOf = new Int32Array(x.length);
  for (let ring = 0; ring < paths.length; ring++) ringOf.fill(ring, start[ring], start[ring + 1]);
  const order = Int32Array.from(paths, (_, ring) => ring).sort(
    (a, b) => x[lowest[a]] - x[lowest[b]] || y[lowest[a]] - y[lowest[b]],
  );
  const outer = new Uint8Array(paths.length);
  const inner = new Uint8Array(paths.length);
  // The nearest outline or hole around each ring.
  const around = new Int32Array(paths.length).fill(-1);
  for (const ring of order) {
    const below = segmentBelow(grid, lowest[ring]);
    if (below >= 0) {
      const other = ringOf[below];
      // A segment to the right has the inside of a counter-clockwise ring above it.
      const isInside = x[grid.after[below]] > x[below] === weights[other] * kind[other] > 0;
      outer[ring] = isInside ? inner[other] : outer[other];
      around[ring] = isInside && kind[other] !== TAKEN ? other : around[other];
    }
    const bit = kind[ring] === TAKEN ? 2 : 1;
    const isTaken = kind[ring] < 0;
    if (((outer[ring] & bit) !== 0) !== isTaken) return undefined;
    if (isTaken && polygons.length > 1 && around[ring] !== outlineOf[ring]) return undefined;
    inner[ring] = outer[ring] ^ bit;
  }
  return { kind, outer, inner };
}

/** Returns the highest segment below point i: the index of its first point; -1 when there is none. */
function segmentBelow({ rings: { x, y }, minX, minY, side, columns, start, edge, after }: WallGrid, i: number): number {
  const px = x[i];
  const py = y[i];
  const column = Math.floor((px - minX) / side);
  let best = -1;
  for (let row = Math.floor((py - minY) / side); row >= 0; row--) {
    const cell = row * columns + column;
    for (let k = start[cell]; k < start[cell + 1]; k++) {
      const s = edge[k];
      const t = after[s];
      if (x[s] > px === x[t] > px) continue;
      const l = x[s] < x[t] ? s : t;
      const r = s + t - l;
      // The point is on the left of a segment below it.
      if ((x[r] - x[l]) * (py - y[l]) - (y[r] - y[l]) * (px - x[l]) <= 0) continue;
      if (best < 0 || isAbove(x, y, l, r, best, after[best])) best = s;
    }
    if (best < 0) continue;
    const share = (px - x[best]) / (x[after[best]] - x[best]);
    if (y[best] + share * (y[after[best]] - y[best]) > minY + row * side + 1) break;
  }
  return best;
}

/** Returns whether the segment from l to r, to the right, is above the segment s, t. Some vertical line crosses both. */
function isAbove(x: Int32Array, y: Int32Array, l: number, r: number, s: number, t: number): boolean {
  const a = x[s] < x[t] ? s : t;
  const b = s + t - a;
  // Segments in a row may begin at the same point.
  const from = l === a ? r : l;
  if (x[l] >= x[a]) return (x[b] - x[a]) * (y[from] - y[a]) - (y[b] - y[a]) * (x[from] - x[a]) > 0;
  return (x[r] - x[l]) * (y[a] - y[l]) - (y[r] - y[l]) * (x[a] - x[l]) < 0;
}

/** Returns a copy of a ring without corners on straight lines. */
function withoutStraight(path: GridPoint[]): GridPoint[] {
  return path.filter((b, i) => {
    const a = path[(i + path.length - 1) % path.length];
    const c = path[(i + 1) % path.length];
    return (b.x - a.x) * (c.y - a.y) !== (b.y - a.y) * (c.x - a.x);
  });
}
