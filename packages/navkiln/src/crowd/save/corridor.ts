/** Saves and restores corridors: polygons as refs, crossings relative to their polygon. */
import { isLinkCrossing, portalCrossing, portalOf } from '../../navmesh/crossing.ts';
import { polyIndexOf } from '../../navmesh/ref.ts';
import type { NavMesh, PolyRef } from '../../navmesh/types.ts';
import type { CorridorOutcome } from '../../query/path/corridor.ts';
import { reserveCorridor } from '../../corridor/splice.ts';
import type { PathCorridor } from '../../corridor/types.ts';
import { get, getAll, put, putAll, reserve } from './tape.ts';
import type { Tape } from './tape.ts';

/** The outcomes, indexed by the number that is saved. */
const OUTCOMES: readonly CorridorOutcome[] = ['complete', 'unreachable', 'budget'];

/** Writes a corridor to the shared tape. */
export function writeCorridor(c: PathCorridor, mesh: NavMesh): void {
  const { corridor, refs, left } = c;
  const { count, polys, crossings } = corridor;
  const isInStep = c.revision === mesh.revision;
  reserve(11 + 3 * count);
  put(count);
  put(isInStep ? 1 : 0);
  put(OUTCOMES.indexOf(corridor.outcome));
  put(corridor.cost);
  put(corridor.visitedCount);
  putAll(c.position, 0, 3);
  putAll(c.target, 0, 3);
  putAll(refs, 0, count);
  putAll(left, 0, count);
  for (let i = 0; i + 1 < count; i++) put(isInStep ? localCrossingOf(mesh, polys[i], crossings[i]) : crossings[i]);
}

/** Reads what `writeCorridor` wrote. */
export function readCorridor(c: PathCorridor, mesh: NavMesh, tape: Tape): void {
  const { corridor } = c;
  const count = get(tape);
  const isInStep = get(tape) === 1;
  corridor.outcome = OUTCOMES[get(tape)];
  corridor.cost = get(tape);
  corridor.visitedCount = get(tape);
  getAll(c.position, tape);
  getAll(c.target, tape);
  reserveCorridor(c, count);
  corridor.count = count;
  c.revision = mesh.revision - (isInStep ? 0 : 1);
  const { polys, crossings } = corridor;
  for (let i = 0; i < count; i++) {
    c.refs[i] = get(tape);
    polys[i] = polyIndexOf(mesh, c.refs[i] as PolyRef);
  }
  for (let i = 0; i < count; i++) c.left[i] = get(tape);
  for (let i = 0; i + 1 < count; i++) {
    const crossing = get(tape);
    crossings[i] = isInStep ? crossingAt(mesh, polys[i], crossing) : crossing;
  }
}

/**
 * Returns a crossing with its edge or portal counted within the polygon. Link ends keep their numbers in a
 * saved mesh.
 */
function localCrossingOf(mesh: NavMesh, poly: number, crossing: number): number {
  if (crossing >= 0) return crossing - mesh.polyEdgeStart[poly];
  if (isLinkCrossing(crossing)) return crossing;
  const portal = portalOf(crossing);
  let index = 0;
  for (let l = mesh.polyPortal[poly]; l >= 0 && l !== portal; l = mesh.portalNext[l]) index++;
  return portalCrossing(index);
}

/** The inverse of `localCrossingOf`. */
function crossingAt(mesh: NavMesh, poly: number, local: number): number {
  if (local >= 0) return mesh.polyEdgeStart[poly] + local;
  if (isLinkCrossing(local)) return local;
  let portal = mesh.polyPortal[poly];
  for (let left = portalOf(local); left > 0; left--) portal = mesh.portalNext[portal];
  return portalCrossing(portal);
}
