/**
 * Repairs a path that a change of the mesh has cut: small searches around each gap join the remaining parts.
 *
 * A rebuilt tile has new polygons, so that all paths through it have a gap there, even where the surface is unchanged.
 * The polygons before and after the gap are kept. When a search reaches its limit, or the path becomes much longer, the
 * agent searches its whole path instead.
 *
 * In: the corridor, cut off before the first gap; its column of refs still has those of the path before the change.
 * Out: the repaired corridor, or the result 0.
 * Cost: linear in the path; at most `GAP_NODES` polygons for each gap, and all gaps together at most the budget. No
 * allocation after warm-up.
 * Based on: own.
 */
import { crossingNow } from '../../corridor/rebase.ts';
import { setCorridor } from '../../corridor/corridor.ts';
import { closestPointOnPoly } from '../../../mesh/ground.ts';
import { polyIndexOf } from '../../../mesh/ref.ts';
import type { PolyRef } from '../../../mesh/types.ts';
import { passesFilter } from '../../../query/filter.ts';
import type { QueryFilter } from '../../../query/filter.ts';
import { findCorridor } from '../../../query/path/a-star.ts';
import { NO_CROSSING, createCorridor, reservePolys } from '../../../query/path/corridor.ts';
import { createSearchState } from '../../../query/search-state.ts';
import { AGENT_PARTIAL, AGENT_STALE_CORNERS } from '../state/types.ts';
import type { OldPath } from '../state/search-types.ts';
import type { Crowd } from '../state/types.ts';
import { cancelRequest } from './record.ts';

/** Polygons that the search around a gap may visit. */
const GAP_NODES = 96;
/** A repaired path longer than `MOST_LONGER` times the old path plus `LONGER_RADII` radii is searched again. */
const MOST_LONGER = 1.5;
const LONGER_RADII = 8;

/** The repaired path, the path around a gap, and scratch points. */
const mended = createCorridor();
const around = createCorridor();
const state = createSearchState();
/** The part of `mended` that was found around the last gap. */
let aroundFrom = 0;
let aroundTo = 0;
const from = new Float64Array(3);
const to = new Float64Array(3);

/** Notes the path of an agent before a change cuts it. Its refs stay in the column of the corridor. */
export function keepPath(out: OldPath, crowd: Crowd, slot: number): void {
  const { corridor, left, position, target } = crowd.corridors[slot];
  const { count } = corridor;
  out.count = count;
  out.cost = corridor.cost;
  out.length = count > 1 ? left[0] : 0;
  if (count !== 1) return;
  const dx = target[0] - position[0];
  const dy = target[1] - position[1];
  const dz = target[2] - position[2];
  out.length = Math.sqrt(dx * dx + dy * dy + dz * dz);
}

/**
 * Repairs the path of an agent whose corridor begins at its polygon. Returns the number of visited polygons, or 0 when
 * the path could not be repaired. Cancels a waiting request for the path.
 */
export function repairPath(crowd: Crowd, slot: number, old: OldPath, budget: number): number {
  const { agents, mesh } = crowd;
  const c = crowd.corridors[slot];
  const { refs } = c;
  const goalPoly = agents.goalPoly[slot];
  if ((agents.flags[slot] & AGENT_PARTIAL) !== 0 || goalPoly < 0 || old.count === 0) return 0;
  const filter = crowd.filters[agents.filter[slot]];
  for (let k = 0; k < 3; k++) to[k] = agents.goal[3 * slot + k];
  mended.count = aroundFrom = aroundTo = 0;
  const { polys, crossings, count } = c.corridor;
  for (let i = 0; i < count; i++) append(polys[i], i > 0 ? crossings[i - 1] : NO_CROSSING, 0, 0);
  let visited = 1;
  let next = firstAfter(refs, old.count, mended.polys[mended.count - 1], crowd);
  for (;;) {
    // Append the old path up to its next gap.
    while (next < old.count && mended.polys[mended.count - 1] !== goalPoly) {
      const poly = openPoly(crowd, refs[next], filter);
      const crossing =
        poly < 0 ? NO_CROSSING : crossingNow(mesh, mended.polys[mended.count - 1], poly, NO_CROSSING, filter);
      if (crossing === NO_CROSSING) break;
      append(poly, crossing, aroundFrom, aroundTo);
      next++;
    }
    if (mended.polys[mended.count - 1] === goalPoly) break;
    while (next < old.count && openPoly(crowd, refs[next], filter) < 0) next++;
    const rejoin = next < old.count ? openPoly(crowd, refs[next], filter) : goalPoly;
    if (!goAround(crowd, filter, rejoin, Math.min(GAP_NODES, budget - visited))) return 0;
    visited += state.expandedCount;
    next++;
  }
  mended.outcome = 'complete';
  mended.cost = old.cost;
  mended.visitedCount = visited;
  if (!setCorridor(c, mesh, mended, to)) return 0;
  agents.flags[slot] |= AGENT_STALE_CORNERS;
  if (c.left[0] > MOST_LONGER * old.length + LONGER_RADII * agents.radius[slot]) return 0;
  agents.targetDrift[slot] = 0;
  cancelRequest(crowd, slot);
  return visited;
}

/** Returns the index after a polygon on the old path, or 0. */
function firstAfter(refs: Float64Array, count: number, poly: number, { mesh }: Crowd): number {
  for (let i = count - 1; i >= 0; i--) if (polyIndexOf(mesh, refs[i] as PolyRef) === poly) return i + 1;
  return 0;
}

/** Returns the polygon of a ref if it still exists and passes the filter, otherwise -1. */
function openPoly({ mesh }: Crowd, ref: number, filter: QueryFilter): number {
  const poly = polyIndexOf(mesh, ref as PolyRef);
  return poly >= 0 && passesFilter(filter, mesh, poly) ? poly : -1;
}

/** Appends the path from the end of `mended` to a polygon. Returns false when it is not near. */
function goAround(crowd: Crowd, filter: QueryFilter, rejoin: number, nodes: number): boolean {
  const { mesh } = crowd;
  if (nodes <= 0) return false;
  const last = mended.polys[mended.count - 1];
  closestPointOnPoly(from, mesh, last, to);
  findCorridor(around, state, mesh, filter, last, from, rejoin, to, nodes);
  if (around.outcome !== 'complete') return false;
  aroundFrom = mended.count;
  for (let i = 1; i < around.count; i++) append(around.polys[i], around.crossings[i - 1], 0, aroundFrom);
  aroundFrom = Math.min(aroundFrom, mended.count);
  aroundTo = mended.count;
  return true;
}

/**
 * Appends a polygon to `mended`, and the crossing that leads to it. When indices `first` .. `end` - 1 already contain
 * the polygon, cuts off the loop back to it instead.
 */
function append(poly: number, crossing: number, first: number, end: number): void {
  for (let i = first; i < end && i < mended.count; i++) {
    if (mended.polys[i] !== poly) continue;
    mended.count = i + 1;
    return;
  }
  const at = mended.count;
  reservePolys(mended, at + 1);
  mended.polys[at] = poly;
  if (at > 0) mended.crossings[at - 1] = crossing;
  mended.count = at + 1;
}
