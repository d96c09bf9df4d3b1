/**
 * Joins each hole of a region to its outline by a line walked there and back, so that a region is one ring.
 *
 * Holes are joined from left to right, each at its leftmost vertex that sees the outline, along the shortest
 * line that crosses neither the outline nor a hole still to come. A merged hole stays in the set, without
 * vertices.
 *
 * In: ContourSet. Out: the same with holes merged.
 * Cost: holes x (outline + holes) per line tried. Usually the first line is free, and lines need no sort.
 * Based on: Mikko Mononen, Recast (2009), mergeRegionHoles; David Eberly, Triangulation by ear clipping
 *   (2002). Recast ignores the edges at one outline vertex when it tests a line, and takes the wrong vertex;
 *   see docs/deviations.md. Lines of equal length come in the order of Recast's sort (sort-smooth.ts).
 */
import { isInCone, samePlace, touch } from './integer-geometry.ts';
import { smoothSort } from '../regions/sort-smooth.ts';
import type { ContourSet } from '../types.ts';

/**
 * Merges all holes of a set. Returns the number of holes that could not be merged. With `isExact`, holes of half a cell count, too;
 * otherwise they count as outlines, as in Recast.
 */
export function mergeHoles(set: ContourSet, regionCount: number, isExact: boolean = false): number {
  const { count, region, start, vertices: v } = set;
  // Rings of offsets into the vertices, which do not move until the end.
  const rings: number[][] = [];
  const holesOf: number[][] = [];
  const outlineOf = new Int32Array(regionCount + 1).fill(-1);
  for (let c = 0; c < count; c++) {
    const ring: number[] = (rings[c] = []);
    for (let k = start[c]; k < start[c + 1]; k++) ring.push(4 * k);
    if (signedArea(v, ring, isExact) < 0) (holesOf[region[c]] ??= []).push(c);
    else outlineOf[region[c]] = c;
  }
  if (holesOf.length === 0) return 0;

  let failed = 0;
  holesOf.forEach((contours, id) => {
    // Each hole starts at its leftmost vertex.
    const holes = contours.map((contour) => ({ contour, ring: rotated(rings[contour], leftmost(v, rings[contour])) }));
    smoothSort(holes, (a, b) => v[a.ring[0]] - v[b.ring[0]] || v[a.ring[0] + 2] - v[b.ring[0] + 2]);
    const left = holes.map(({ ring }) => ring);
    const outline = outlineOf[id];
    for (const { contour } of holes) {
      const joined = outline === -1 ? undefined : join(v, rings[outline], left);
      left.shift();
      if (joined === undefined) {
        failed++;
      } else {
        rings[outline] = joined;
        rings[contour] = [];
      }
    }
  });

  let total = 0;
  set.vertices = new Int32Array(4 * rings.reduce((sum, ring) => sum + ring.length, 0));
  rings.forEach((ring, c) => {
    start[c] = total;
    for (const at of ring) set.vertices.set(v.subarray(at, at + 4), 4 * total++);
  });
  start[count] = total;
  return failed;
}

/**
 * Returns twice the area, or the area with Recast's rounding to whole cells: holes of less than a cell and a half count as
 * outlines.
 */
function signedArea(v: Int32Array, ring: number[], isExact: boolean): number {
  let area = 0;
  let b = ring.at(-1)!;
  for (const a of ring) {
    area += v[a] * v[b + 2] - v[b] * v[a + 2];
    b = a;
  }
  return isExact ? area : Math.trunc((area + 1) / 2);
}

/** Returns the position of the leftmost vertex in the ring; of several, the one with the least z. */
function leftmost(v: Int32Array, ring: number[]): number {
  let left = 0;
  ring.forEach((a, k) => {
    const b = ring[left];
    if (v[a] < v[b] || (v[a] === v[b] && v[a + 2] < v[b + 2])) left = k;
  });
  return left;
}

/** Returns the ring from position k on. */
function rotated(ring: number[], k: number): number[] {
  return [...ring.slice(k), ...ring.slice(0, k)];
}

/**
 * Returns the ring with the first of the holes joined to it; undefined when every line crosses the ring or a
 * hole.
 */
function join(v: Int32Array, ring: number[], holes: number[][]): number[] | undefined {
  const n = ring.length;
  const hole = holes[0];
  for (let at = 0; at < hole.length; at++) {
    const corner = hole[at];
    const lengthSq = (j: number): number => {
      const dx = v[ring[j]] - v[corner];
      const dz = v[ring[j] + 2] - v[corner + 2];
      return dx * dx + dz * dz;
    };
    const sees = (j: number): boolean =>
      isInCone(v, ring[j === 0 ? n - 1 : j - 1], ring[j], ring[j + 1 === n ? 0 : j + 1], corner);
    const isFree = (j: number): boolean =>
      !crosses(v, ring[j], corner, ring) && !holes.some((other) => crosses(v, ring[j], corner, other));
    // Usually the shortest line is free. Among lines of equal length the sort decides.
    let best = -1;
    let least = Infinity;
    for (let j = 0; j < n; j++) {
      const distanceSq = lengthSq(j);
      if (distanceSq > least || !sees(j)) continue;
      best = distanceSq === least ? -1 : j;
      least = distanceSq;
    }
    if (best === -1 || !isFree(best)) {
      const lines = ring.map((_, j) => j).filter(sees);
      smoothSort(lines, (a, b) => lengthSq(a) - lengthSq(b));
      best = lines.find((j) => j !== best && isFree(j)) ?? -1;
    }
    if (best !== -1) return [...rotated(ring, best), ring[best], ...rotated(hole, at), corner];
  }
  return undefined;
}

/** Returns whether the segment p-q meets the ring. Edges that share a position with an end do not count. */
function crosses(v: Int32Array, p: number, q: number, ring: number[]): boolean {
  const px = v[p];
  const pz = v[p + 2];
  const qx = v[q];
  const qz = v[q + 2];
  const x0 = px < qx ? px : qx;
  const x1 = px < qx ? qx : px;
  const z0 = pz < qz ? pz : qz;
  const z1 = pz < qz ? qz : pz;
  let a = ring.at(-1)!;
  for (const b of ring) {
    const ax = v[a];
    const az = v[a + 2];
    const bx = v[b];
    const bz = v[b + 2];
    if (
      (samePlace(v, a, b) ||
        !((ax < x0 && bx < x0) || (ax > x1 && bx > x1) || (az < z0 && bz < z0) || (az > z1 && bz > z1))) &&
      !samePlace(v, p, a) &&
      !samePlace(v, q, a) &&
      !samePlace(v, p, b) &&
      !samePlace(v, q, b) &&
      touch(v, p, q, a, b)
    )
      return true;
    a = b;
  }
  return false;
}
