/**
 * Hole merging: joins each hole of a region to its outline by a line walked forth and back, so that a region is one ring.
 *
 * Input and output: ContourSet; a merged hole keeps its place in the set with no vertices. Holes are taken from left to
 * right, each at its leftmost vertex that sees the outline, along the shortest line that crosses neither the outline nor a
 * hole that is still to come. Cost: holes x (outline + holes) for each line tried; usually the first is free, and the lines
 * need no sort (with it for each hole, regions with many holes took 4 times as long).
 *
 * Based on: Mikko Mononen, Recast (2009), mergeRegionHoles; David Eberly, Triangulation by ear clipping (2002). Recast
 * spares the edges at one outline vertex when it tests a line, and at the wrong one (it takes the hole's number for the
 * line's); here those that touch the line's end are spared, see docs/deviations.md. Lines of equal length are taken in the
 * order of Recast's sort (sort-smooth.ts).
 */
import { isInCone, samePlace, touch } from './integer-geometry.ts';
import { smoothSort } from './sort-smooth.ts';
import type { ContourSet } from './types.ts';

interface Hole {
  contour: number;
  leftX: number;
  leftZ: number;
  leftmost: number;
}

/** @returns how many holes could not be merged. */
export function mergeHoles(set: ContourSet, regionCount: number): number {
  const holesOf: Hole[][] = [];
  const outlineOf = new Int32Array(regionCount + 1).fill(-1);
  let holeCount = 0;
  for (let c = 0; c < set.count; c++) {
    const id = set.region[c]!;
    if (signedArea(set, c) < 0) {
      (holesOf[id] ??= []).push(describeHole(set, c));
      holeCount++;
    } else {
      outlineOf[id] = c;
    }
  }
  if (holeCount === 0) return 0;

  let failed = 0;
  const rings: Int32Array[] = [];
  for (let c = 0; c < set.count; c++) rings.push(set.vertices.slice(4 * set.start[c]!, 4 * set.start[c + 1]!));
  for (let id = 0; id <= regionCount; id++) {
    const holes = holesOf[id];
    if (holes === undefined) continue;
    const outline = outlineOf[id]!;
    if (outline === -1) {
      failed += holes.length;
      continue;
    }
    smoothSort(holes, (a, b) => (a.leftX === b.leftX ? a.leftZ - b.leftZ : a.leftX - b.leftX));
    for (let h = 0; h < holes.length; h++) if (!mergeHole(rings, outline, holes, h)) failed++;
  }

  let total = 0;
  for (let c = 0; c < set.count; c++) {
    set.start[c] = total;
    total += rings[c]!.length >> 2;
  }
  set.start[set.count] = total;
  set.vertices = new Int32Array(4 * total);
  for (let c = 0; c < set.count; c++) set.vertices.set(rings[c]!, 4 * set.start[c]!);
  return failed;
}

/** Area with Recast's rounding to whole cells: slivers of less than a cell and a half count as outlines. */
function signedArea(set: ContourSet, c: number): number {
  const { vertices, start } = set;
  const begin = start[c]!, end = start[c + 1]!;
  let area = 0;
  for (let i = begin, j = end - 1; i < end; j = i++) {
    area += vertices[4 * i]! * vertices[4 * j + 2]! - vertices[4 * j]! * vertices[4 * i + 2]!;
  }
  return Math.trunc((area + 1) / 2);
}

function describeHole(set: ContourSet, contour: number): Hole {
  const { vertices, start } = set;
  const begin = start[contour]!, end = start[contour + 1]!;
  const hole: Hole = { contour, leftX: vertices[4 * begin]!, leftZ: vertices[4 * begin + 2]!, leftmost: 0 };
  for (let i = begin + 1; i < end; i++) {
    const x = vertices[4 * i]!, z = vertices[4 * i + 2]!;
    if (x < hole.leftX || (x === hole.leftX && z < hole.leftZ)) {
      hole.leftX = x;
      hole.leftZ = z;
      hole.leftmost = i - begin;
    }
  }
  return hole;
}

function mergeHole(rings: Int32Array[], outline: number, holes: Hole[], h: number): boolean {
  const ring = rings[outline]!, hole = rings[holes[h]!.contour]!;
  const n = ring.length >> 2, m = hole.length >> 2;
  // One array for the line's ends: the corner of the hole at `corner`.
  const corner = ring.length;
  const both = new Int32Array(ring.length + 4);
  both.set(ring);
  for (let tried = 0; tried < m; tried++) {
    const at = (holes[h]!.leftmost + tried) % m;
    both.set(hole.subarray(4 * at, 4 * at + 4), corner);
    // One line shorter than all others, and free: the usual case by far.
    const nearest = nearestInSight(both, n, corner);
    if (nearest !== -1 && isFree(rings, both, n, nearest, corner, holes, h)) {
      return joinHole(rings, outline, nearest, holes[h]!, at);
    }
    const lines: { vertex: number; distanceSq: number }[] = [];
    for (let j = 0; j < n; j++) {
      if (seesCorner(both, n, j, corner)) lines.push({ vertex: j, distanceSq: lengthSq(both, j, corner) });
    }
    smoothSort(lines, (a, b) => a.distanceSq - b.distanceSq);
    for (const { vertex } of lines) {
      if (vertex !== nearest && isFree(rings, both, n, vertex, corner, holes, h)) {
        return joinHole(rings, outline, vertex, holes[h]!, at);
      }
    }
  }
  return false;
}

/** Whether the place at `corner` lies within the inner angle of the ring's vertex j. */
function seesCorner(v: Int32Array, n: number, j: number, corner: number): boolean {
  return isInCone(v, 4 * (j === 0 ? n - 1 : j - 1), 4 * j, 4 * (j + 1 === n ? 0 : j + 1), corner);
}

function lengthSq(v: Int32Array, j: number, corner: number): number {
  const dx = v[4 * j]! - v[corner]!, dz = v[4 * j + 2]! - v[corner + 2]!;
  return dx * dx + dz * dz;
}

/** The vertex that sees the corner from nearest by; -1: there is none, or several are as near, and the sort has to say. */
function nearestInSight(v: Int32Array, n: number, corner: number): number {
  let nearest = -1, least = Infinity;
  for (let j = 0; j < n; j++) {
    const distanceSq = lengthSq(v, j, corner);
    if (distanceSq > least || !seesCorner(v, n, j, corner)) continue;
    nearest = distanceSq === least ? -1 : j;
    least = distanceSq;
  }
  return nearest;
}

/** Whether the line from the ring's vertex to the corner crosses neither the ring nor a hole that is still to come. */
function isFree(
  rings: Int32Array[], v: Int32Array, n: number, vertex: number, corner: number, holes: Hole[], h: number,
): boolean {
  if (crossesRing(v, 4 * vertex, corner, v, n)) return false;
  for (let k = h; k < holes.length; k++) {
    const other = rings[holes[k]!.contour]!;
    if (crossesRing(v, 4 * vertex, corner, other, other.length >> 2)) return false;
  }
  return true;
}

function joinHole(rings: Int32Array[], outline: number, vertex: number, { contour }: Hole, at: number): true {
  rings[outline] = join(rings[outline]!, vertex, rings[contour]!, at);
  rings[contour] = new Int32Array(0);
  return true;
}

/** Scratch for a segment and an edge of another ring in one array. */
const four = new Int32Array(16);

/** Whether the segment p-q (in `v`) meets the ring; edges that share a place with an end do not count. */
function crossesRing(v: Int32Array, p: number, q: number, ring: Int32Array, n: number): boolean {
  const px = v[p]!, pz = v[p + 2]!, qx = v[q]!, qz = v[q + 2]!;
  four[0] = px; four[2] = pz;
  four[4] = qx; four[6] = qz;
  const x0 = px < qx ? px : qx, x1 = px < qx ? qx : px, z0 = pz < qz ? pz : qz, z1 = pz < qz ? qz : pz;
  for (let k = 0; k < n; k++) {
    const next = k + 1 === n ? 0 : k + 1;
    const ax = ring[4 * k]!, az = ring[4 * k + 2]!, bx = ring[4 * next]!, bz = ring[4 * next + 2]!;
    if ((ax < x0 && bx < x0) || (ax > x1 && bx > x1) || (az < z0 && bz < z0) || (az > z1 && bz > z1)) continue;
    four[8] = ax; four[10] = az;
    four[12] = bx; four[14] = bz;
    if (samePlace(four, 0, 8) || samePlace(four, 4, 8) || samePlace(four, 0, 12) || samePlace(four, 4, 12)) continue;
    if (touch(four, 0, 4, 8, 12)) return true;
  }
  return false;
}

/** Ring a from vertex i all round back to i, then b from j all round back to j. */
function join(a: Int32Array, i: number, b: Int32Array, j: number): Int32Array {
  const out = new Int32Array(a.length + b.length + 8);
  out.set(a.subarray(4 * i));
  out.set(a.subarray(0, 4 * i + 4), a.length - 4 * i);
  const base = a.length + 4;
  out.set(b.subarray(4 * j), base);
  out.set(b.subarray(0, 4 * j + 4), base + b.length - 4 * j);
  return out;
}
