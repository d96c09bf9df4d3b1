/**
 * Cut: ground -> the same with no triangle in two squares of the grid of tiles.
 *
 * Corners within the tolerance of a line are on it already (points.ts); an edge meets a line in one place whichever triangle
 * asks, as it is computed from its lower place on. Cost: linear in triangles and pieces. Based on: own (cutting a convex ring
 * by a line: Ivan Sutherland, Gary Hodgman, Reentrant Polygon Clipping, 1974).
 */
import { planAt, pointAt } from './points.ts';
import { groundOf, isFlat } from './weld.ts';
import type { Ground, PointTable } from './types.ts';

/** The tile of a coordinate that is on no line. */
export function tileOf(value: number, tileSize: number): number {
  return Math.floor(value / tileSize);
}

export function cutGround(ground: Ground, table: PointTable): Ground {
  const { tileSize } = table;
  if (tileSize === 0) return ground;
  const { count } = ground;
  const crossing = new Int32Array(count);
  let crossingCount = 0;
  for (let t = 0; t < count; t++) {
    const [a, b, c] = [ground.corner[3 * t], ground.corner[3 * t + 1], ground.corner[3 * t + 2]];
    if (isInOne(table, table.planX, a, b, c) && isInOne(table, table.planZ, a, b, c)) continue;
    crossing[crossingCount++] = t;
  }
  if (crossingCount === 0) return ground;
  const corner: number[] = [];
  const source: number[] = [];
  const area: number[] = [];
  for (let i = 0; i < crossingCount; i++) {
    const t = crossing[i];
    const ring = Array.from(ground.corner.subarray(3 * t, 3 * t + 3));
    for (const strip of cutRing(ring, table, true)) {
      for (const piece of cutRing(strip, table, false)) {
        for (let k = 1; k + 1 < piece.length; k++) {
          if (isFlat(table, piece[0], piece[k], piece[k + 1])) continue;
          corner.push(piece[0], piece[k], piece[k + 1]);
          source.push(ground.source[t]);
          area.push(ground.area[t]);
        }
      }
    }
  }
  // Whole ones first, in their order.
  const kept = count - crossingCount;
  const out = groundOf(
    new Int32Array(3 * kept + corner.length), new Uint8Array(kept + area.length), new Int32Array(kept + area.length),
  );
  for (let t = 0, to = 0, i = 0; t < count; t++) {
    if (i < crossingCount && crossing[i] === t) {
      i++;
      continue;
    }
    for (let k = 0; k < 3; k++) out.corner[3 * to + k] = ground.corner[3 * t + k];
    out.source[to] = ground.source[t];
    out.area[to++] = ground.area[t];
  }
  out.corner.set(corner, 3 * kept);
  out.source.set(source, kept);
  out.area.set(area, kept);
  return out;
}

/** Do three points lie between two lines that follow each other? */
function isInOne({ tileSize, pointPlan }: PointTable, values: Float64Array, a: number, b: number, c: number): boolean {
  const u = values[pointPlan[a]];
  const v = values[pointPlan[b]];
  const w = values[pointPlan[c]];
  const low = u < v ? (u < w ? u : w) : v < w ? v : w;
  const high = u > v ? (u > w ? u : w) : v > w ? v : w;
  return high <= (Math.floor(low / tileSize) + 1) * tileSize;
}

/** Pieces of a convex ring between the lines across x, or across z. */
function cutRing(ring: number[], table: PointTable, isX: boolean): number[][] {
  const { tileSize, pointPlan } = table;
  let low = Infinity;
  let high = -Infinity;
  for (const point of ring) {
    const value = isX ? table.planX[pointPlan[point]] : table.planZ[pointPlan[point]];
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const first = Math.floor(low / tileSize) + 1;
  const pieces: number[][] = [];
  let rest = ring;
  for (let line = first; line * tileSize < high; line++) {
    const at = line * tileSize;
    const under: number[] = [];
    const over: number[] = [];
    for (let k = 0; k < rest.length; k++) {
      const a = rest[k];
      const b = rest[(k + 1) % rest.length];
      const [va, vb] = isX ? [table.planX[pointPlan[a]], table.planX[pointPlan[b]]]
        : [table.planZ[pointPlan[a]], table.planZ[pointPlan[b]]];
      if (va <= at) under.push(a);
      if (va >= at) over.push(a);
      if ((va < at && vb > at) || (va > at && vb < at)) {
        const point = crossing(table, a, b, at, isX);
        under.push(point);
        over.push(point);
      }
    }
    if (under.length > 2) pieces.push(under);
    rest = over;
  }
  if (rest.length > 2) pieces.push(rest);
  return pieces;
}

const spot = new Float64Array(3);

function crossing(table: PointTable, a: number, b: number, at: number, isX: boolean): number {
  const isTurned = table.pointPlan[a] > table.pointPlan[b];
  const from = isTurned ? b : a;
  const to = isTurned ? a : b;
  const p = table.pointPlan[from];
  const q = table.pointPlan[to];
  const { planX, planZ, pointY } = table;
  const t = isX ? (at - planX[p]) / (planX[q] - planX[p]) : (at - planZ[p]) / (planZ[q] - planZ[p]);
  spot[0] = isX ? at : planX[p] + t * (planX[q] - planX[p]);
  spot[1] = pointY[from] + t * (pointY[to] - pointY[from]);
  spot[2] = isX ? planZ[p] + t * (planZ[q] - planZ[p]) : at;
  return pointAt(table, planAt(table, spot), spot);
}
