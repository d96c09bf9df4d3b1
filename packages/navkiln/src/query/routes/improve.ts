/**
 * Improves a path that was joined from parts. It searches again between corners of the line, across the points where
 * parts meet, and keeps results that cost less.
 *
 *   o---.       .---o      The line bends where a part did not know the rest; the search from its corner a to its
 *        a-.   b           corner b finds the way between them. The next one begins halfway from a to b.
 *           `-´
 *
 * In: a corridor and its line.
 * Out: a corridor and a line that cost no more.
 * Cost: two searches over polygons for every few tiles of the line.
 * Based on: own.
 * Tried: see docs/notes/routes.md.
 */
import type { NavMesh } from '../../mesh/types.ts';
import { estimateScale } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { findCorridor } from '../path/a-star.ts';
import { clearPolys, createCorridor, reservePolys } from '../path/corridor.ts';
import type { Corridor } from '../path/corridor.ts';
import { pullString } from '../path/funnel.ts';
import { lineCost, setLineCost } from '../path/line-cost.ts';
import { createPathLine } from '../path/path-line.ts';
import type { PathLine } from '../path/path-line.ts';
import type { SearchState } from '../search-state.ts';

/** Maximum number of nodes of a search. */
const MAX_NODES = 4096;
/** A part is replaced if the new cost is below this share of the old cost. */
const GAIN = 1 - 1e-4;
/** Parts that cost less than this times the lower bound stay unchanged. */
const STRAIGHT = 1.05;

/** A path from `start` to `end`. */
export interface Improvable {
  corridor: Corridor;
  line: PathLine;
  start: { point: Float64Array };
  end: { point: Float64Array };
}

const known = createCorridor();
const found = createCorridor();
const part = createPathLine();
const from = new Float64Array(3);
const to = new Float64Array(3);

/**
 * Kernel. Improves a path in parts between corners that are at most `reach` world units apart, where such corners
 * exist.
 */
export function improvePath(
  out: Improvable,
  mesh: NavMesh,
  state: SearchState,
  filter: QueryFilter,
  reach: number,
): void {
  const { corridor, line, start, end } = out;
  const scale = estimateScale(filter) * mesh.linkScale;
  for (let a = 0; a + 1 < line.count;) {
    const { points, places } = line;
    const b = lastWithin(line, a, reach);
    const next = b === line.count - 1 ? b : a + Math.max(1, (b - a) >> 1);
    const first = a === 0 ? 0 : places[a] >> 1;
    const last = places[b] >> 1;
    copyPart(known, corridor, first, last);
    for (let k = 0; k < 3; k++) {
      from[k] = points[3 * a + k];
      to[k] = points[3 * b + k];
    }
    a = next;
    const cost = costOfPart(mesh, filter, known);
    if (cost < STRAIGHT * scale * distance()) continue;
    findCorridor(found, state, mesh, filter, corridor.polys[first], from, corridor.polys[last], to, MAX_NODES);
    if (found.outcome !== 'complete' || state.isShort || isSame(known, found)) continue;
    if (costOfPart(mesh, filter, found) >= GAIN * cost) continue;
    replacePart(corridor, first, last);
    pullString(line, mesh, corridor, start.point, end.point);
  }
}

/** Returns the last corner b such that all corners from `a` to b are within `reach` of a. It is at least a + 1. */
function lastWithin({ points, count }: PathLine, a: number, reach: number): number {
  let b = a + 1;
  while (b + 1 < count) {
    const dx = points[3 * b + 3] - points[3 * a];
    const dz = points[3 * b + 5] - points[3 * a + 2];
    if (dx * dx + dz * dz > reach * reach) break;
    b++;
  }
  return b;
}

/** Returns the straight distance between the ends of the current part. */
function distance(): number {
  const [dx, dy, dz] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}

function copyPart(out: Corridor, { polys, crossings }: Corridor, first: number, last: number): void {
  clearPolys(out, last - first + 1);
  out.count = last - first + 1;
  for (let i = first; i <= last; i++) {
    out.polys[i - first] = polys[i];
    out.crossings[i - first] = crossings[i];
  }
}

function isSame(a: Corridor, b: Corridor): boolean {
  if (a.count !== b.count) return false;
  for (let i = 0; i < a.count; i++) if (a.polys[i] !== b.polys[i]) return false;
  for (let i = 0; i + 1 < a.count; i++) if (a.crossings[i] !== b.crossings[i]) return false;
  return true;
}

function costOfPart(mesh: NavMesh, filter: QueryFilter, corridor: Corridor): number {
  pullString(part, mesh, corridor, from, to);
  setLineCost(mesh, filter, corridor, part, -1);
  return lineCost[0];
}

/** Replaces the polygons from `first` to `last` by the corridor that was found. */
function replacePart(corridor: Corridor, first: number, last: number): void {
  const end = first + found.count - 1;
  reservePolys(corridor, corridor.count + end - last);
  corridor.polys.copyWithin(end, last, corridor.count);
  corridor.crossings.copyWithin(end, last, corridor.count);
  for (let i = 0; i + 1 < found.count; i++) {
    corridor.polys[first + i] = found.polys[i];
    corridor.crossings[first + i] = found.crossings[i];
  }
  corridor.count += end - last;
}
