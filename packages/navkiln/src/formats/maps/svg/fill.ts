/**
 * Returns the area that a path fills, by its fill rule, as polygons with holes.
 *
 * A single ring under the rule 'nonzero' stays as it is. Other rings are overlaid on a grid; corners stay those that were given.
 *
 * In: rings, closed or not.
 * Out: polygons.
 * Cost: that of a triangulation; for each hole, one test in each outline around its box.
 * Based on: SVG 2, chapter 13.4.2; own code.
 */
import type { PolygonBudget } from '../../../base/plane/budget.ts';
import { MAX_GRID_EXTENT } from '../../../base/plane/grid-predicates.ts';
import { borderRings, ringsOf } from '../../../base/plane/overlay.ts';
import { findWindings, triangulateRings } from '../../../base/plane/triangulate.ts';
import type { ParsedPoint, ParsedPolygon, ParsedRing } from '../map.ts';
import { doubleArea } from '../rings.ts';

export function fillRings(given: readonly ParsedRing[], isEvenOdd: boolean, budget: PolygonBudget): ParsedPolygon[] {
  const rings = given.map(withoutRepeats).filter((ring) => ring.length >= 3);
  if (rings.length === 0) return [];
  if (rings.length === 1 && (!isEvenOdd || rings[0].length === 3)) {
    return doubleArea(rings[0]) === 0 ? [] : [{ outline: rings[0], holes: [] }];
  }
  const [minX, minY, maxX, maxY] = boundsOf(rings);
  const extent = Math.max(maxX - minX, maxY - minY);
  if (!(extent > 0)) return [];
  const step = stepFor(extent, Math.max(-minX, -minY, maxX, maxY));
  const centerX = Math.round((minX / 2 + maxX / 2) / step) * step;
  const centerY = Math.round((minY / 2 + maxY / 2) / step) * step;
  const originals = new Map<string, { point: ParsedPoint; at: number }>();
  const grid = rings.map((ring) =>
    ring.map((point) => {
      const x = Math.round((point[0] - centerX) / step) + 0;
      const y = Math.round((point[1] - centerY) / step) + 0;
      const key = `${x} ${y}`;
      if (!originals.has(key)) originals.set(key, { point, at: originals.size });
      return { x, y };
    }),
  );
  const mesh = triangulateRings(ringsOf(grid), undefined, budget);
  const winding = findWindings(mesh);
  for (let h = 0; h < winding.length; h++) {
    winding[h] = (isEvenOdd ? (winding[h] & 1) !== 0 : winding[h] !== 0) ? 1 : 0;
  }
  const border = borderRings(mesh, winding);
  const found = Array.from({ length: border.ringCount }, (_, r): ParsedRing => {
    const ring: ParsedRing = [];
    // Rings begin with the corner that came first, so that a map that is written and read again is the same.
    let first = 0;
    let least = Infinity;
    for (let k = border.start[r]; k < border.start[r + 1]; k++) {
      const [x, y] = [border.x[k], border.y[k]];
      const original = originals.get(`${x} ${y}`);
      if (original !== undefined && original.at < least) {
        least = original.at;
        first = ring.length;
      }
      ring.push(original?.point ?? [centerX + x * step, centerY + y * step]);
    }
    return [...ring.slice(first), ...ring.slice(0, first)];
  });
  return nest(found.filter((ring) => ring.length >= 3));
}

/** Returns the finest power of two at which the rings fit the grid of exact predicates. */
function stepFor(extent: number, farthest: number): number {
  let step = 1;
  const isEnough = (cell: number): boolean => extent / cell + 16 < MAX_GRID_EXTENT && farthest / cell < 2 ** 51;
  while (isEnough(step / 2) && step > 1e-150) step /= 2;
  while (!isEnough(step)) step *= 2;
  return step;
}

/** Assigns holes (clockwise with y up) to the smallest outline around them. */
function nest(rings: readonly ParsedRing[]): ParsedPolygon[] {
  const outlines = rings
    .filter((ring) => doubleArea(ring) > 0)
    .map((outline) => ({ outline, holes: [] as ParsedRing[] }));
  const boxes = outlines.map(({ outline }) => ({ box: boundsOf([outline]), area: doubleArea(outline) }));
  for (const hole of rings) {
    if (!(doubleArea(hole) < 0)) continue;
    const box = boundsOf([hole]);
    let best = -1;
    for (let k = 0; k < outlines.length; k++) {
      const around = boxes[k].box;
      if (around[0] > box[0] || around[1] > box[1] || around[2] < box[2] || around[3] < box[3]) continue;
      if (best >= 0 && boxes[best].area <= boxes[k].area) continue;
      if (isRingInside(hole, outlines[k].outline)) best = k;
    }
    if (best >= 0) outlines[best].holes.push(hole);
  }
  return outlines;
}

/** Returns whether a ring lies in another one that it does not cross. Corners may lie on it, so the middles of sides count, too. */
function isRingInside(inner: ParsedRing, outer: ParsedRing): boolean {
  let votes = 0;
  for (let k = 0; k < inner.length && Math.abs(votes) < 3; k++) {
    const [ax, ay] = inner[k];
    const [bx, by] = inner[(k + 1) % inner.length];
    votes += isPointInside([(ax + bx) / 2, (ay + by) / 2], outer) ? 1 : -1;
  }
  return votes > 0;
}

function isPointInside([x, y]: ParsedPoint, ring: ParsedRing): boolean {
  let isInside = false;
  let [ax, ay] = ring[ring.length - 1];
  for (const [bx, by] of ring) {
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) isInside = !isInside;
    [ax, ay] = [bx, by];
  }
  return isInside;
}

function withoutRepeats(ring: ParsedRing): ParsedRing {
  const kept = ring.filter(([x, y], i) => {
    const [u, v] = ring[(i + ring.length - 1) % ring.length];
    return x !== u || y !== v;
  });
  return kept.length === ring.length ? ring : kept;
}

export function boundsOf(rings: readonly ParsedRing[]): [minX: number, minY: number, maxX: number, maxY: number] {
  const bounds: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of rings) {
    for (const [x, y] of ring) {
      bounds[0] = Math.min(bounds[0], x);
      bounds[1] = Math.min(bounds[1], y);
      bounds[2] = Math.max(bounds[2], x);
      bounds[3] = Math.max(bounds[3], y);
    }
  }
  return bounds;
}
