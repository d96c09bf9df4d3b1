/**
 * Finds nearly shortest paths over an overlay of cells.
 *
 * A search from gate to gate finds the cells. The best gate of each border is chosen, and the corners within each cell
 * are looked up. A walk along these points lists the polygons, and the funnel runs through them.
 *
 * In: an index with an overlay, both ends on the mesh.
 * Out: corridor and line.
 * Cost: linear in the polygons on the path, plus the search.
 * Based on: own; Adi Botea, Martin Müller, Jonathan Schaeffer, Near Optimal Hierarchical Path-Finding, 2004.
 */
import { isLinkCrossing, linkEndCrossing, linkEndOf, linkLength } from '../../../mesh/crossing.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import { passesFilter, passesLinkEnd } from '../../filter.ts';
import type { QueryFilter } from '../../filter.ts';
import { setLengths } from '../../optimal/optimal.ts';
import type { OptimalBuffer } from '../../optimal/optimal.ts';
import { findCorridor } from '../../path/a-star.ts';
import { NO_CROSSING, createCorridor, findCrossing, reservePolys } from '../../path/corridor.ts';
import type { Corridor } from '../../path/corridor.ts';
import { pullString } from '../../path/funnel.ts';
import { createRayHit } from '../../ray/hit.ts';
import type { RayHit } from '../../ray/hit.ts';
import { raycastInto } from '../../ray/raycast.ts';
import { isIndexedLink, isSameTile } from '../identity.ts';
import type { PathIndex } from '../types.ts';
import { createEndLengths, measureEnd } from './ends.ts';
import type { EndLengths } from './ends.ts';
import { setInside } from './inside.ts';
import { chooseGates, createLayers } from './layers.ts';
import type { Layers } from './layers.ts';
import { addStart, beginSearch, createGateSearch, openCell, runSearch, writeGates } from './search.ts';
import type { GateSearch } from './search.ts';

/** Memory of a query. */
export interface OverlayState {
  search: GateSearch;
  start: EndLengths;
  end: EndLengths;
  layers: Layers;
  hit: RayHit;
  /** A part of the corridor that was found by a search. */
  detour: Corridor;
}

/** Maximum number of polygons that a search visits to replace a blocked step. */
const MAX_DETOUR = 1024;
/** Number of last polygons of the corridor that are compared to find loops. */
const MAX_LOOP = 12;

const from = new Float64Array(3);
const to = new Float64Array(3);
const spot = new Float64Array(3);
const corner = new Float64Array(3);

export function createOverlayState(): OverlayState {
  return {
    search: createGateSearch(),
    start: createEndLengths(),
    end: createEndLengths(),
    layers: createLayers(),
    hit: createRayHit(),
    detour: createCorridor(),
  };
}

/**
 * Kernel. Finds the cells on the path between the located ends of `out`, and the gate of each border. Returns the
 * number of borders; 0: there is no path.
 */
export function findBorders(
  out: OptimalBuffer,
  state: OverlayState,
  index: PathIndex,
  mesh: NavMesh,
  filter: QueryFilter,
): number {
  const { search, start, end, layers } = state;
  if (index.polyCell[out.start.poly] < 0 || index.polyCell[out.end.poly] < 0) return 0;
  measureEnd(start, out.search, index, mesh, filter, out.start.poly, out.start.point);
  measureEnd(end, out.search, index, mesh, filter, out.end.poly, out.end.point);
  const { cellGateStart, cellGates, gateLevel } = index;
  beginSearch(search, index);
  openCell(search, index, start.cell);
  openCell(search, index, end.cell);
  search.end[0] = out.end.point[0];
  search.end[1] = out.end.point[2];
  const { stamp } = search;
  for (let i = cellGateStart[end.cell]; i < cellGateStart[end.cell + 1]; i++) {
    const gate = cellGates[i];
    search.endStamps[gate] = stamp;
    search.endLength[gate] = end.lengths[i - cellGateStart[end.cell]];
  }
  for (let i = cellGateStart[start.cell]; i < cellGateStart[start.cell + 1]; i++) {
    const gate = cellGates[i];
    const length = start.lengths[i - cellGateStart[start.cell]];
    if (gateLevel[gate] === 0 || length === Infinity) continue;
    search.length[gate] = length;
    addStart(search, index, gate, start.cell);
  }
  if (!runSearch(search, index, -1, gateLevel.length)) return 0;
  if (!writeGates(search, index)) return 0;
  return chooseGates(layers, index, search, start, end);
}

/**
 * Kernel. Writes corridor, line and lengths of `out` for the borders of the last `findBorders`. `isWhole`: the mesh has
 * not changed since the index was built. Returns false when the path is blocked.
 */
// oxlint-disable-next-line max-params -- kernel
export function writeOverlayPath(
  out: OptimalBuffer,
  state: OverlayState,
  index: PathIndex,
  mesh: NavMesh,
  filter: QueryFilter,
  isWhole: boolean,
): boolean {
  const borderCount = state.search.count;
  const { corridor, start, end } = out;
  const { layers, search } = state;
  corridor.count = 0;
  if (!append(corridor, mesh, start.poly)) return false;
  from.set(start.point);
  for (let border = 0; border < borderCount; border++) {
    const cell = border === 0 ? state.start.cell : search.cells[border - 1];
    const gate = index.cellGates[index.cellGateStart[cell] + layers.left[border]];
    const side = index.gateCell[2 * gate] === cell ? 0 : 1;
    const poly = index.gatePoly[2 * gate + side];
    const exit = search.exits[border];
    const isLink = exit !== search.gates[border];
    const next = index.gatePoly[isLink ? 2 * exit : 2 * gate + 1 - side];
    if (!isWhole && !(isSameTile(index, mesh, mesh.polyTile[poly]) && isSameTile(index, mesh, mesh.polyTile[next])))
      return false;
    if (!passesFilter(filter, mesh, poly) || !passesFilter(filter, mesh, next)) return false;
    setInside(to, mesh, poly, index.gatePoint, gate);
    if (border === 0) {
      if (!searchStep(corridor, state, out, mesh, filter, poly)) return false;
    } else if (!walkStep(corridor, state, out, index, mesh, filter, border, cell, poly)) {
      return false;
    }
    if (isLink) {
      const end = index.gateLink[gate];
      const linkEnd = 2 * index.linkSlot[end >> 1] + (end & 1);
      if (!isIndexedLink(index, mesh, linkEnd >> 1) || !passesLinkEnd(filter, mesh, linkEnd)) return false;
      cross(corridor, linkEnd, next);
    } else if (!append(corridor, mesh, next)) {
      return false;
    }
    setInside(from, mesh, next, index.gatePoint, isLink ? exit : gate);
  }
  to.set(end.point);
  if (!searchStep(corridor, state, out, mesh, filter, end.poly)) return false;
  pullString(out.line, mesh, corridor, start.point, end.point);
  setLengths(out);
  corridor.cost = out.planarLength;
  for (let i = 0; i + 1 < corridor.count; i++) {
    const crossing = corridor.crossings[i];
    if (isLinkCrossing(crossing)) corridor.cost += linkLength(mesh, linkEndOf(crossing));
  }
  return true;
}

/** Appends the polygons from `from` to `to` on `poly`, along the corners of the index between two gates of a cell. */
// oxlint-disable-next-line max-params -- kernel: a step is a border, a cell and a polygon
function walkStep(
  corridor: Corridor,
  state: OverlayState,
  out: OptimalBuffer,
  index: PathIndex,
  mesh: NavMesh,
  filter: QueryFilter,
  border: number,
  cell: number,
  poly: number,
): boolean {
  const { layers, hit } = state;
  const { hops, hopStart, viaStart, viaPoints, cellGateStart } = index;
  const count = cellGateStart[cell + 1] - cellGateStart[cell];
  const cornerCount = viaStart[cell + 1] - viaStart[cell];
  const row = hopStart[cell] + layers.left[border] * (count + cornerCount);
  let at = corridor.polys[corridor.count - 1];
  let hop = hops[row + layers.entered[border - 1]];
  spot.set(from);
  for (let steps = 0; steps <= cornerCount; steps++) {
    if (hop > 0) {
      const via = 2 * (viaStart[cell] + hop - 1);
      corner[0] = viaPoints[via];
      corner[2] = viaPoints[via + 1];
    } else {
      corner.set(to);
    }
    raycastInto(hit, mesh, at, spot, corner, filter, false);
    if (hit.status !== 'reached') break;
    let isJoined = true;
    for (let i = 1; i < hit.count && isJoined; i++) isJoined = append(corridor, mesh, hit.polys[i]);
    at = hit.poly;
    if (!isJoined || !append(corridor, mesh, at)) break;
    if (hop === 0) {
      if (at !== poly) break;
      return true;
    }
    spot.set(corner);
    hop = hops[row + count + hop - 1];
  }
  return searchStep(corridor, state, out, mesh, filter, poly);
}
/** Appends the polygons that a search finds from `from` to `to` on `poly`. */
function searchStep(
  corridor: Corridor,
  { detour }: OverlayState,
  out: OptimalBuffer,
  mesh: NavMesh,
  filter: QueryFilter,
  poly: number,
): boolean {
  const last = corridor.polys[corridor.count - 1];
  if (last === poly) return true;
  findCorridor(detour, out.search, mesh, filter, last, from, poly, to, MAX_DETOUR);
  if (detour.outcome !== 'complete') return false;
  for (let i = 1; i < detour.count; i++) {
    const crossing = detour.crossings[i - 1];
    if (isLinkCrossing(crossing)) cross(corridor, linkEndOf(crossing), detour.polys[i]);
    else if (!append(corridor, mesh, detour.polys[i])) return false;
  }
  return true;
}

/** Appends the polygon behind a link, or cuts off the loop that ends in it. */
function cross(corridor: Corridor, linkEnd: number, poly: number): void {
  if (endsLoop(corridor, poly)) return;
  const { count } = corridor;
  if (corridor.polys.length === count) reservePolys(corridor, count + 16);
  corridor.crossings[count - 1] = linkEndCrossing(linkEnd);
  corridor.polys[corridor.count++] = poly;
}

/** Returns whether a polygon is among the last ones of the corridor. If so, the corridor is cut to end with it. */
function endsLoop(corridor: Corridor, poly: number): boolean {
  const { count, polys } = corridor;
  for (let i = count - 1; i >= 0 && i >= count - MAX_LOOP; i--) {
    if (polys[i] !== poly) continue;
    corridor.count = i + 1;
    return true;
  }
  return false;
}

/** Appends a polygon, or cuts off the loop that ends in it. Returns false when it is not a neighbor of the last one. */
function append(corridor: Corridor, mesh: NavMesh, poly: number): boolean {
  if (endsLoop(corridor, poly)) return true;
  const { count, polys } = corridor;
  if (polys.length === count) reservePolys(corridor, count + 16);
  if (count > 0) {
    const crossing = findCrossing(mesh, polys[count - 1], poly);
    if (crossing === NO_CROSSING) return false;
    corridor.crossings[count - 1] = crossing;
  }
  corridor.polys[count] = poly;
  corridor.count++;
  return true;
}
