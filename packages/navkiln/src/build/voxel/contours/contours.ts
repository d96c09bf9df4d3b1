/**
 * Traces the outlines of regions, simplifies them, and merges holes into them.
 *
 * Sides of spans that face another region are marked, and each outline is walked counter-clockwise along them. Points
 * where the neighboring region changes are kept. Along walls and between areas, the farthest raw point of a stretch
 * is put back as long as it is too far from the simplified line. A common border of two regions stays the same for
 * both. Long edges are split afterwards. Kept points are a linked ring over the raw points, so that putting one in
 * moves nothing.
 *
 * In: CompactField with regions. Out: ContourSet, raw and simplified. With `recast`, equal to Recast's.
 * Cost: each marked side once, and a stretch of raw points once for every point put into it.
 * Based on: Mikko Mononen, Recast (2009), rcBuildContours; David Douglas and Thomas Peucker, Algorithms for
 *   the reduction of the number of points required to represent a digitized line (1973). Distances are
 *   float32 as Recast's (`f`), because ties decide which point is put back.
 * Tried: the float32 distance of every raw point, and a walk over all columns, take 1.4 times as long (`npm
 *   run bench -- --only bake --stages`). See docs/notes/voxel.md.
 */
import { createWorkspace } from '../../../base/data/workspace.ts';
import type { Workspace } from '../../../base/data/workspace.ts';
import { BATCH } from '../batch.ts';
import { columnOf } from '../column-of.ts';
import { mergeHoles } from './contour-holes.ts';
import { takeSlot } from '../memory.ts';
import type { BakeConfig } from '../bake-config.ts';
import { createRecord } from '../records.ts';
import { BORDER_REGION, CONTOUR_AREA_BORDER, CONTOUR_BORDER_VERTEX, CONTOUR_REGION_MASK } from '../types.ts';
import type { CompactField, ContourSet, KeepApart, Outlines } from '../types.ts';

const f = Math.fround;

/** Steps of the four directions. */
const STEP_X = [-1, 0, 1, 0];
const STEP_Z = [0, 1, 0, -1];

/** Numbers per point, and the offsets of y, z and flags in it; x is first. */
const STRIDE = 4;
const Y = 1;
const Z = 2;
const FLAGS = 3;

/** The four bits of a span whose sides all face another region. */
const ALL_SIDES = 0xf;

/** Numbers of the smallest contour: three points. */
const SMALLEST = 3 * STRIDE;

/** Counts of problems with contours. */
export interface ContourProblems {
  /** Holes that no line could join to their outline. */
  holesNotMerged: number;
}

/** Builds the contours of all regions. Without a workspace they get memory of their own. `keepApart`: changes what is kept. */
export function buildContours(
  field: CompactField,
  config: BakeConfig,
  problems: ContourProblems = { holesNotMerged: 0 },
  workspace: Workspace = createWorkspace(),
  keepApart?: KeepApart,
): ContourSet {
  const { width, depth, spanCount, borderCells, region, area, boundsMin, boundsMax, cellSize, cellHeight } = field;
  const { maxEdgeErrorCells } = config;
  const sides = takeSlot(workspace, 'contours.sides', spanCount);
  // There are rarely more than columns.
  const firstEdges = takeSlot(workspace, 'contours.edges', Math.min(spanCount, width * depth));
  const marked = createRecord((): Marked => ({ sides, edges: firstEdges, edgeCount: 0, sideCount: 0 }));
  for (let i = 0; i < spanCount; i += BATCH) {
    const { edgeCount } = marked;
    if (edgeCount + BATCH > marked.edges.length)
      marked.edges = takeSlot(workspace, 'contours.edges', spanCount, edgeCount);
    markSides(field, marked, i, Math.min(i + BATCH, spanCount));
  }
  const { edges, edgeCount, sideCount } = marked;
  // Each marked side gives one raw point.
  let raw = takeSlot(workspace, 'contours.raw', STRIDE * sideCount);
  const link = takeSlot(workspace, 'contours.link', sideCount);
  const outlines: Outlines = { points: raw, link, start: [0], head: [], span: [], width, depth };
  let rawEnd = 0;
  for (let k = 0; k < edgeCount; k++) {
    const i = edges[k];
    const open = sides[i];
    if (open === 0) continue;
    if (open === ALL_SIDES && field.sizes === undefined && (config.recast || !isAtBorder(field, i))) {
      // A region of a single span, which Recast leaves out. With sizes, it may be all that joins two strips along walls. On a tile's
      // border, it is the tip of a neighbor's floor: without it, the wall has a dent that stops slides.
      sides[i] = 0;
      continue;
    }
    const points = walkOutline(field, sides, i, raw.subarray(rawEnd), config);
    outlines.head.push(simplify(points, link.subarray(rawEnd / STRIDE), config, 1e-6 * (width + depth)));
    outlines.span.push(i);
    rawEnd += points.length;
    outlines.start.push(rawEnd / STRIDE);
  }
  keepApart?.(outlines, field, workspace);
  let vertices = takeSlot(workspace, 'contours.vertices', rawEnd);
  const start: number[] = [0];
  const rawStart: number[] = [0];
  const regions: number[] = [];
  const areas: number[] = [];
  let end = 0;
  rawEnd = 0;
  outlines.span.forEach((i, c) => {
    const kept = writePoints(outlines, c, vertices, end);
    if (kept - end < SMALLEST) return;
    end = kept;
    const [first, last] = [STRIDE * outlines.start[c], STRIDE * outlines.start[c + 1]];
    if (rawEnd < first) raw.copyWithin(rawEnd, first, last);
    rawEnd += last - first;
    rawStart.push(rawEnd / STRIDE);
    start.push(end / STRIDE);
    regions.push(region[i]);
    areas.push(area[i]);
  });
  raw = raw.subarray(0, rawEnd);
  vertices = vertices.subarray(0, end);
  if (borderCells > 0) {
    // x and z have even offsets.
    for (const list of [raw, vertices]) for (let k = 0; k < list.length; k += 2) list[k] -= borderCells;
  }
  const pad = f(borderCells * cellSize);
  const set: ContourSet = {
    boundsMin: [f(boundsMin[0] + pad), boundsMin[1], f(boundsMin[2] + pad)],
    boundsMax: [f(boundsMax[0] - pad), boundsMax[1], f(boundsMax[2] - pad)],
    width: width - 2 * borderCells,
    depth: depth - 2 * borderCells,
    cellSize,
    cellHeight,
    borderCells,
    maxEdgeErrorCells,
    count: regions.length,
    region: Int32Array.from(regions),
    area: Uint8Array.from(areas),
    start: Int32Array.from(start),
    vertices,
    rawStart: Int32Array.from(rawStart),
    raw,
  };
  problems.holesNotMerged += mergeHoles(set, field.regionCount, field.sizes !== undefined);
  return set;
}

interface Marked {
  /** Four bits per span: the sides that face another region. */
  sides: Uint8Array;
  /** The spans that have such a side. */
  edges: Int32Array;
  edgeCount: number;
  sideCount: number;
}

/** Marks the sides of spans first .. last - 1 that face another region. Ends with its loop, see batch.ts. */
function markSides(field: CompactField, marked: Marked, first: number, last: number): void {
  const { region, neighbor } = field;
  const { sides, edges } = marked;
  let { edgeCount, sideCount } = marked;
  for (let i = first; i < last; i++) {
    const own = region[i];
    if (own === 0 || own >= BORDER_REGION) {
      sides[i] = 0;
      continue;
    }
    const a = neighbor[4 * i];
    const b = neighbor[4 * i + 1];
    const c = neighbor[4 * i + 2];
    const d = neighbor[4 * i + 3];
    // The usual case: all four neighbors are of the same region.
    if ((a | b | c | d) >= 0 && ((region[a] ^ own) | (region[b] ^ own) | (region[c] ^ own) | (region[d] ^ own)) === 0) {
      sides[i] = 0;
    } else {
      const west = a === -1 || region[a] !== own ? 1 : 0;
      const south = b === -1 || region[b] !== own ? 1 : 0;
      const east = c === -1 || region[c] !== own ? 1 : 0;
      const north = d === -1 || region[d] !== own ? 1 : 0;
      sides[i] = west | (south << 1) | (east << 2) | (north << 3);
      sideCount += west + south + east + north;
      edges[edgeCount++] = i;
    }
  }
  marked.edgeCount = edgeCount;
  marked.sideCount = sideCount;
}

/** Returns whether the floor of span i goes on in a neighboring tile. */
function isAtBorder({ neighbor, region }: CompactField, i: number): boolean {
  for (let k = 4 * i; k < 4 * i + 4; k++) if (neighbor[k] !== -1 && region[neighbor[k]] >= BORDER_REGION) return true;
  return false;
}

/**
 * Walks along marked sides from span `start` back to it, writes a point per side into `points`, and clears
 * the sides.
 */
function walkOutline(
  field: CompactField,
  sides: Uint8Array,
  start: number,
  points: Int32Array,
  config: BakeConfig,
): Int32Array {
  const { neighbor, region, area, borderCells } = field;
  const lastX = field.width - borderCells;
  const lastZ = field.depth - borderCells;
  let dir = 0;
  while ((sides[start] & (1 << dir)) === 0) dir++;
  const startDir = dir;
  const own = area[start];
  let i = start;
  const c = columnOf(field.columnStart, start);
  let x = c % field.width;
  let z = (c / field.width) | 0;
  let end = 0;
  // Each side is passed once, and each span is entered at most once per side. Where connections are not
  // mutual, no route back may exist.
  let left = 8 * field.spanCount;
  do {
    const a = neighbor[4 * i + dir];
    if ((sides[i] & (1 << dir)) !== 0) {
      let flags = 0;
      if (a !== -1) {
        flags = region[a] & CONTOUR_REGION_MASK;
        if (area[a] !== own) flags |= CONTOUR_AREA_BORDER;
      }
      points[end] = x + (((dir + 1) >> 1) & 1);
      points[end + Y] = cornerHeight(field, i, dir);
      points[end + Z] = z + 1 - (dir >> 1);
      points[end + FLAGS] = flags;
      const px = points[end];
      const pz = points[end + Z];
      if (borderCells > 0 && (px === borderCells || pz === borderCells || px === lastX || pz === lastZ))
        adjustAtSide(field, config, points, end, i, dir);
      end += STRIDE;
      sides[i] &= ~(1 << dir);
      dir = (dir + 1) & 3;
    } else {
      if (a === -1) break;
      x += STEP_X[dir];
      z += STEP_Z[dir];
      i = a;
      dir = (dir + 3) & 3;
    }
  } while ((i !== start || dir !== startDir) && left-- > 0);
  return points.subarray(0, end);
}

/**
 * Changes a point on a side of the tile: the corner after side `dir` of span i.
 *
 * A corner within one area (around it are two equal border spans, then two inner spans of one area, and none is missing) is marked. The
 * polygon mesh removes it later.
 *
 * Where a wall has a step at the side, the regions of both tiles end at its inner corner. In every other crossing, both take the next
 * cell's corner instead. Otherwise outlines begin and end half a step inside of the wall, and tiles cover less than one tile.
 */
function adjustAtSide(
  field: CompactField,
  { tileParity, recast, maxEdgeErrorCells }: BakeConfig,
  points: Int32Array,
  at: number,
  i: number,
  dir: number,
): void {
  const { neighbor, region, area, borderCells: border, width, depth } = field;
  const to = (p: number, side: number): number => (p === -1 ? -1 : neighbor[4 * p + (side & 3)]);
  const idOf = (p: number): number => (p === -1 ? 0 : region[p]);
  const next = dir + 1;
  const [a, b] = [to(i, dir), to(i, next)];
  const viaB = to(b, dir);
  const around = [i, a, viaB === -1 ? to(a, next) : viaB, b];
  // A span without region and area counts as missing.
  if (
    around.every((p) => p !== -1 && region[p] | area[p]) &&
    around.some((p, k) => {
      const q = around[(k + 1) & 3];
      const r = around[(k + 2) & 3];
      const s = around[(k + 3) & 3];
      return (
        region[p] >= BORDER_REGION &&
        region[p] === region[q] &&
        area[p] === area[q] &&
        region[r] < BORDER_REGION &&
        region[s] < BORDER_REGION &&
        area[r] === area[s]
      );
    })
  )
    points[at + FLAGS] |= CONTOUR_BORDER_VERTEX;
  if (recast || maxEdgeErrorCells < 1 || (idOf(a) && idOf(b))) return;
  // Spans above which a wall begins, the directions of the other tile and of the wall. The step is in the border after the corner or before
  // it, or in the tile.
  const steps = [
    [i, next, dir],
    [i, dir, next],
    [to(to(i, next), dir), dir + 2, dir + 3],
    [to(to(i, dir + 3), dir), dir + 2, next],
  ];
  steps.forEach(([p, across, up], k) => {
    const low = to(p, across);
    const high = to(low, up);
    if (
      idOf(p) < BORDER_REGION === idOf(low) < BORDER_REGION ||
      idOf(low) !== idOf(high) ||
      idOf(to(p, up)) ||
      idOf(to(high, across + 2))
    )
      return;
    const axis = up & 1 ? Z : 0;
    const outer = points[at + axis] + (k < 3 ? ((up + 1) & 2) - 1 : 0);
    // Not beyond the tile's corner, and every other time.
    if (outer < border || outer > (axis ? depth : width) - border) return;
    if (((outer + tileParity! + +(points[at + Z - axis] > border)) & 1) === 0) return;
    if (k > 1) {
      points[at + FLAGS] = region[p] & CONTOUR_REGION_MASK;
    } else {
      points[at + axis] = outer;
      points[at + Y] = cornerHeight(field, high, (k ? up : up + 3) & 3);
    }
  });
}

/** Returns the highest floor of the up to four spans that meet in the corner after side `dir`. */
function cornerHeight(field: CompactField, i: number, dir: number): number {
  const { neighbor, y } = field;
  const next = (dir + 1) & 3;
  const a = neighbor[4 * i + dir];
  const b = neighbor[4 * i + next];
  let highest = y[i];
  if (a !== -1) {
    highest = higher(highest, y[a]);
    const ab = neighbor[4 * a + next];
    if (ab !== -1) highest = higher(highest, y[ab]);
  }
  if (b !== -1) {
    highest = higher(highest, y[b]);
    const ba = neighbor[4 * b + dir];
    if (ba !== -1) highest = higher(highest, y[ba]);
  }
  return highest;
}

/** Returns the larger of two small numbers, without a branch that would mispredict. */
function higher(a: number, b: number): number {
  return a - ((a - b) & ((a - b) >> 31));
}

/** Bits of a point's flags that tell what is on the other side. */
const EDGE_FLAGS = CONTOUR_REGION_MASK | CONTOUR_AREA_BORDER;

/** Chooses the points to keep: link[k] becomes the kept point after k. Returns one of them. */
function simplify(points: Int32Array, link: Int32Array, config: BakeConfig, slack: number): number {
  const n = points.length / STRIDE;
  const head = chooseFirst(points, link, n);
  const maxErrorSq = f(config.maxEdgeErrorCells * config.maxEdgeErrorCells);
  for (const isSplitting of [false, true]) {
    for (let a = head; ;) {
      const b = link[a];
      const middle = isSplitting ? middleOfLong(points, n, a, b, config) : farthest(points, n, a, b, maxErrorSq, slack);
      if (middle === -1) {
        a = b;
        if (a === head) break;
      } else {
        link[middle] = b;
        link[a] = middle;
      }
    }
  }
  return head;
}

/**
 * Writes the kept points of outline c into `out` from `begin` on. Drops points that equal the next one in x and z (unless the one before was
 * dropped), which triangulation cannot handle. Returns the end.
 */
function writePoints(outlines: Outlines, c: number, out: Int32Array, begin: number): number {
  const [first, last] = [outlines.start[c], outlines.start[c + 1]];
  const points = outlines.points.subarray(STRIDE * first, STRIDE * last);
  const link = outlines.link.subarray(first, last);
  const n = last - first;
  const head = outlines.head[c];
  let end = begin;
  let a = head;
  let isRepeat = false;
  do {
    const b = link[a];
    const at = STRIDE * a;
    isRepeat = !isRepeat && points[at] === points[STRIDE * b] && points[at + Z] === points[STRIDE * b + Z];
    if (!isRepeat) {
      out[end] = points[at];
      out[end + Y] = points[at + Y];
      out[end + Z] = points[at + Z];
      out[end + FLAGS] =
        (points[STRIDE * (a + 1 === n ? 0 : a + 1) + FLAGS] & EDGE_FLAGS) |
        (points[at + FLAGS] & CONTOUR_BORDER_VERTEX);
      end += STRIDE;
    }
    a = b;
  } while (a !== head);
  return end;
}

/**
 * Links the points to start from: those where the other side changes, or else the two outermost corners. Returns the first.
 */
function chooseFirst(points: Int32Array, link: Int32Array, n: number): number {
  let head = -1;
  let last = -1;
  let others = 0;
  let lowest = 0;
  let highest = 0;
  for (let k = 0; k < n; k++) {
    const flags = points[STRIDE * k + FLAGS];
    others |= flags & CONTOUR_REGION_MASK;
    const next = points[STRIDE * (k + 1 === n ? 0 : k + 1) + FLAGS];
    if (((flags ^ next) & EDGE_FLAGS) !== 0) {
      if (head === -1) head = k;
      else link[last] = k;
      last = k;
    }
    if (isBefore(points, k, lowest)) lowest = k;
    if (isBefore(points, highest, k)) highest = k;
  }
  if (others === 0 || head === -1) {
    head = lowest;
    last = highest;
    link[head] = last;
  }
  link[last] = head;
  return head;
}

/** Returns whether point a comes before b: by x, then by z. */
function isBefore(points: Int32Array, a: number, b: number): boolean {
  const dx = points[STRIDE * a] - points[STRIDE * b];
  return dx < 0 || (dx === 0 && points[STRIDE * a + Z] < points[STRIDE * b + Z]);
}

/**
 * Returns the raw point between kept points a and b that is farthest from their line; -1 when all are within
 * the error.
 */
function farthest(points: Int32Array, n: number, a: number, b: number, maxErrorSq: number, slack: number): number {
  // The regions on both sides of an edge walk it in the same direction, so that they find the same point.
  const forward = isBefore(points, a, b);
  const from = forward ? a : b;
  const to = forward ? b : a;
  const step = forward ? 1 : n - 1;
  let k = from + step;
  if (k >= n) k -= n;
  const flags = points[STRIDE * k + FLAGS];
  if ((flags & CONTOUR_REGION_MASK) !== 0 && (flags & CONTOUR_AREA_BORDER) === 0) return -1;
  const ax = points[STRIDE * from];
  const az = points[STRIDE * from + Z];
  const pqx = points[STRIDE * to] - ax;
  const pqz = points[STRIDE * to + Z] - az;
  const lengthSq = f(f(pqx * pqx) + f(pqz * pqz));
  let far = -1;
  let most = maxErrorSq;
  let near = nearerThan(most, lengthSq, slack);
  while (k !== to) {
    const x = points[STRIDE * k];
    const z = points[STRIDE * k + Z];
    const across = pqx * (z - az) - pqz * (x - ax);
    const along = pqx * (x - ax) + pqz * (z - az);
    if (along < 0 || along > lengthSq || across * across > near) {
      let t = f(f(pqx * (x - ax)) + f(pqz * (z - az)));
      if (lengthSq > 0) t = f(t / lengthSq);
      if (t < 0) t = 0;
      else if (t > 1) t = 1;
      const dx = f(f(ax + f(t * pqx)) - x);
      const dz = f(f(az + f(t * pqz)) - z);
      const distanceSq = f(f(dx * dx) + f(dz * dz));
      if (distanceSq > most) {
        most = distanceSq;
        near = nearerThan(most, lengthSq, slack);
        far = k;
      }
    }
    k += step;
    if (k >= n) k -= n;
  }
  return far;
}

/**
 * Returns an exact bound for the squared distance from the line times `lengthSq`. A point below it is no
 * farther than `distanceSq` in float32 either. `slack` is the error of float32 points on the line.
 */
function nearerThan(distanceSq: number, lengthSq: number, slack: number): number {
  const distance = Math.sqrt(distanceSq) * (1 - 1e-6) - slack;
  return distance > 0 && lengthSq > 0 ? distance * distance * lengthSq : -1;
}

/**
 * Returns the middle raw point between kept points a and b if their edge is too long and may be split; else
 * -1.
 */
function middleOfLong(points: Int32Array, n: number, a: number, b: number, config: BakeConfig): number {
  const { maxEdgeLengthCells: longest, tessellateWallEdges, tessellateAreaEdges } = config;
  const flags = points[STRIDE * ((a + 1) % n) + FLAGS];
  const isSplit =
    (tessellateWallEdges && (flags & CONTOUR_REGION_MASK) === 0) ||
    (tessellateAreaEdges && (flags & CONTOUR_AREA_BORDER) !== 0);
  const dx = points[STRIDE * b] - points[STRIDE * a];
  const dz = points[STRIDE * b + Z] - points[STRIDE * a + Z];
  const length = b < a ? b + n - a : b - a;
  if (!isSplit || !(longest > 0) || dx * dx + dz * dz <= longest * longest || length < 2) return -1;
  // Rounded so that the regions on both sides of an edge split it at the same point.
  return (a + ((length + (isBefore(points, a, b) ? 0 : 1)) >> 1)) % n;
}
