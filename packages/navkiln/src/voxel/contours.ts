/**
 * Contours: regions -> simplified outlines, holes merged in.
 *
 * Input: CompactField with regions. Output: ContourSet, raw and simplified, equal to Recast's. Cost: each side of a span that
 * faces another region is visited once; simplification looks at a stretch of raw points once for every point put into it.
 *
 * Marks the sides that face another region, walks each outline counter-clockwise along them, keeps the points where the
 * neighbouring region changes, and puts back the farthest raw point of a stretch as long as it is too far (only along walls
 * and between areas: two regions' common border must stay the same for both). Long edges are split afterwards. Points are
 * kept in a ring of links over the raw points, so putting one in moves nothing.
 *
 * Won (the stage took 0.7 of the time afterwards): an integer bound spares most raw points the float32 distance; spans with
 * open sides are listed, and their columns found, instead of a walk over all columns (1.07); corner heights without branches.
 * Sides are counted while they are marked, so that raw points get the room they need.
 *
 * Based on: Mikko Mononen, Recast (2009), rcBuildContours; David Douglas and Thomas Peucker, Algorithms for the reduction of
 * the number of points required to represent a digitized line (1973). Distances are float32 as Recast's (`f`), because ties
 * decide which point is put back.
 */
import { createWorkspace } from '../data/workspace.ts';
import type { Workspace } from '../data/workspace.ts';
import { mergeHoles } from './contour-holes.ts';
import { takeSlot } from './memory.ts';
import type { BakeConfig } from './options.ts';
import { BORDER_REGION, CONTOUR_AREA_BORDER, CONTOUR_BORDER_VERTEX, CONTOUR_REGION_MASK } from './types.ts';
import type { CompactField, ContourSet } from './types.ts';

const f = Math.fround;

/** Steps in x and z of the four directions. */
const STEP_X = [-1, 0, 1, 0];
const STEP_Z = [0, 1, 0, -1];

export interface ContourProblems {
  /** Holes that no line could join to their outline. */
  holesNotMerged: number;
}

export function buildContours(
  field: CompactField,
  config: BakeConfig,
  problems: ContourProblems = { holesNotMerged: 0 },
  workspace: Workspace = createWorkspace(),
): ContourSet {
  const {
    width,
    depth,
    spanCount,
    borderCells,
    columnStart,
    region,
    area,
    boundsMin,
    boundsMax,
    cellSize,
    cellHeight,
  } = field;
  const { maxEdgeErrorCells } = config;
  const sides = takeSlot(workspace, 'contours.sides', spanCount);
  // Spans with an open side. All in memory that is free again.
  const edges = takeSlot(workspace, 'contours.edges', spanCount);
  const { edgeCount, sideCount } = markSides(field, sides, edges);
  // Each open side is walked along once.
  let raw = takeSlot(workspace, 'contours.raw', 4 * sideCount);
  let vertices = takeSlot(workspace, 'contours.vertices', 1024);
  const start: number[] = [0];
  const rawStart: number[] = [0];
  const regions: number[] = [];
  const areas: number[] = [];
  let rawEnd = 0;
  let end = 0;
  for (let k = 0; k < edgeCount; k++) {
    const i = edges[k];
    const open = sides[i];
    if (open === 0) continue;
    if (open === 0xf) {
      // A region of a single span.
      sides[i] = 0;
      continue;
    }
    const c = columnOf(columnStart, width * depth, i);
    const points = walkOutline(field, sides, c % width, (c / width) | 0, i, raw.subarray(rawEnd));
    if (end + points.length > vertices.length) {
      vertices = takeSlot(workspace, 'contours.vertices', 2 * vertices.length + points.length, end);
    }
    const kept = simplify(points, vertices, end, config, 1e-6 * (width + depth));
    if (kept - end < 12) continue;
    end = kept;
    rawEnd += points.length;
    rawStart.push(rawEnd >> 2);
    start.push(end >> 2);
    regions.push(region[i]);
    areas.push(area[i]);
  }
  raw = raw.subarray(0, rawEnd);
  vertices = vertices.subarray(0, end);
  if (borderCells > 0) {
    // x and z stand at even places.
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
  problems.holesNotMerged += mergeHoles(set, field.regionCount);
  return set;
}

/** Four bits a span: the sides that face another region. Lists the spans that have some. Returns how many of both. */
function markSides(
  field: CompactField,
  sides: Uint8Array,
  edges: Int32Array,
): { edgeCount: number; sideCount: number } {
  const { spanCount, region, neighbor } = field;
  let edgeCount = 0;
  let sideCount = 0;
  for (let i = 0; i < spanCount; i++) {
    const own = region[i];
    if (own === 0 || own >= BORDER_REGION) {
      sides[i] = 0;
      continue;
    }
    const a = neighbor[4 * i];
    const b = neighbor[4 * i + 1];
    const c = neighbor[4 * i + 2];
    const d = neighbor[4 * i + 3];
    // The rule: all four are there and of the same region.
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
  return { edgeCount, sideCount };
}

/** The column a span stands in. */
function columnOf(columnStart: Int32Array, columnCount: number, i: number): number {
  let low = 0;
  let high = columnCount;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (columnStart[middle] <= i) low = middle;
    else high = middle;
  }
  return low;
}

/** Walks along marked sides from span `start` back to it, writes a point a side into `points`, and clears the sides. */
function walkOutline(
  field: CompactField,
  sides: Uint8Array,
  startX: number,
  startZ: number,
  start: number,
  points: Int32Array,
): Int32Array {
  const { neighbor, region, area, borderCells } = field;
  let dir = 0;
  while ((sides[start] & (1 << dir)) === 0) dir++;
  const startDir = dir;
  const own = area[start];
  let i = start;
  let x = startX;
  let z = startZ;
  let end = 0;
  // Each side is passed once, each span entered at most once a side; where connections are not mutual, there may be no way back.
  let left = 8 * field.spanCount;
  do {
    const a = neighbor[4 * i + dir];
    if ((sides[i] & (1 << dir)) !== 0) {
      let flags = 0;
      if (a !== -1) {
        flags = region[a] & CONTOUR_REGION_MASK;
        if (area[a] !== own) flags |= CONTOUR_AREA_BORDER;
      }
      if (borderCells > 0 && isBorderCorner(field, i, dir)) flags |= CONTOUR_BORDER_VERTEX;
      points[end] = x + (((dir + 1) >> 1) & 1);
      points[end + 1] = cornerHeight(field, i, dir);
      points[end + 2] = z + 1 - (dir >> 1);
      points[end + 3] = flags;
      end += 4;
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

/** Highest floor of the up to four spans that meet in the corner after side `dir`. */
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

/** The larger of two small numbers, without a branch that nobody could foretell. */
function higher(a: number, b: number): number {
  return a - ((a - b) & ((a - b) >> 31));
}

/**
 * Whether the corner after side `dir` lies on a tile's edge in the middle of one area: two equal border spans in a row
 * around the corner, then two inner spans of one area, none missing. Such a vertex is taken out of the polygons later.
 */
function isBorderCorner(field: CompactField, i: number, dir: number): boolean {
  const { neighbor, region, area } = field;
  const next = (dir + 1) & 3;
  const a = neighbor[4 * i + dir];
  const b = neighbor[4 * i + next];
  let across = -1;
  if (a !== -1) across = neighbor[4 * a + next];
  if (b !== -1 && neighbor[4 * b + dir] !== -1) across = neighbor[4 * b + dir];
  const around = [i, a, across, b];
  // A span that is nobody's (region and area 0) counts as missing.
  return (
    around.every((p) => p !== -1 && (region[p] | area[p]) !== 0) &&
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
  );
}

/** Ring of kept raw points: link[k] is the kept point after k. Grows with the longest outline. */
let link = new Int32Array(1024);

/** Simplifies the ring of `points` into `out` from `begin` on. Returns where it ends. */
function simplify(points: Int32Array, out: Int32Array, begin: number, config: BakeConfig, slack: number): number {
  const n = points.length >> 2;
  if (n > link.length) link = new Int32Array(n * 2);
  const head = chooseFirst(points, n);
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
  // Leaves out points that equal the next one in x and z (unless one before them was): the triangulation would stumble on them.
  let end = begin;
  let a = head;
  let isRepeat = false;
  do {
    const b = link[a];
    const at = 4 * a;
    isRepeat = !isRepeat && points[at] === points[4 * b] && points[at + 2] === points[4 * b + 2];
    if (!isRepeat) {
      out[end] = points[at];
      out[end + 1] = points[at + 1];
      out[end + 2] = points[at + 2];
      out[end + 3] =
        (points[4 * (a + 1 === n ? 0 : a + 1) + 3] & EDGE_FLAGS) | (points[at + 3] & CONTOUR_BORDER_VERTEX);
      end += 4;
    }
    a = b;
  } while (a !== head);
  return end;
}

/** Flags of what is on the other side. */
const EDGE_FLAGS = CONTOUR_REGION_MASK | CONTOUR_AREA_BORDER;

/** Links the points to start from: where what is on the other side changes, or two far corners. Returns the first. */
function chooseFirst(points: Int32Array, n: number): number {
  let head = -1;
  let last = -1;
  let others = 0;
  let lowest = 0;
  let highest = 0;
  for (let k = 0; k < n; k++) {
    const flags = points[4 * k + 3];
    others |= flags & CONTOUR_REGION_MASK;
    if (((flags ^ points[4 * (k + 1 === n ? 0 : k + 1) + 3]) & EDGE_FLAGS) !== 0) {
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

/** Whether point a has the lower x, or the same and the lower z. */
function isBefore(points: Int32Array, a: number, b: number): boolean {
  const dx = points[4 * a] - points[4 * b];
  return dx < 0 || (dx === 0 && points[4 * a + 2] < points[4 * b + 2]);
}

/** The raw point between kept points a and b that is farthest from their line, if farther than allowed; else -1. */
function farthest(points: Int32Array, n: number, a: number, b: number, maxErrorSq: number, slack: number): number {
  // Both sides of a common edge walk it in the same sense, so that they find the same point.
  const forward = isBefore(points, a, b);
  const from = forward ? a : b;
  const to = forward ? b : a;
  const step = forward ? 1 : n - 1;
  let k = from + step;
  if (k >= n) k -= n;
  const flags = points[4 * k + 3];
  if ((flags & CONTOUR_REGION_MASK) !== 0 && (flags & CONTOUR_AREA_BORDER) === 0) return -1;
  const ax = points[4 * from];
  const az = points[4 * from + 2];
  const pqx = points[4 * to] - ax;
  const pqz = points[4 * to + 2] - az;
  const lengthSq = f(f(pqx * pqx) + f(pqz * pqz));
  let far = -1;
  let most = maxErrorSq;
  let near = nearerThan(most, lengthSq, slack);
  while (k !== to) {
    const x = points[4 * k];
    const z = points[4 * k + 2];
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
 * A bound for the squared distance from the line times `lengthSq`, exact: what is below it is no farther than `distanceSq` in
 * float32, too, whose points on the line are off by up to `slack`.
 */
function nearerThan(distanceSq: number, lengthSq: number, slack: number): number {
  const distance = Math.sqrt(distanceSq) * (1 - 1e-6) - slack;
  return distance > 0 && lengthSq > 0 ? distance * distance * lengthSq : -1;
}

/** The raw point in the middle between kept points a and b, if their edge is too long and of a kind to be split; else -1. */
function middleOfLong(points: Int32Array, n: number, a: number, b: number, config: BakeConfig): number {
  const { maxEdgeLengthCells: longest, tessellateWallEdges, tessellateAreaEdges } = config;
  const flags = points[4 * ((a + 1) % n) + 3];
  const isSplit =
    (tessellateWallEdges && (flags & CONTOUR_REGION_MASK) === 0) ||
    (tessellateAreaEdges && (flags & CONTOUR_AREA_BORDER) !== 0);
  const dx = points[4 * b] - points[4 * a];
  const dz = points[4 * b + 2] - points[4 * a + 2];
  const length = b < a ? b + n - a : b - a;
  if (!isSplit || !(longest > 0) || dx * dx + dz * dz <= longest * longest || length < 2) return -1;
  // Rounded so that both sides of a common edge split it in the same place.
  return (a + ((length + (isBefore(points, a, b) ? 0 : 1)) >> 1)) % n;
}
