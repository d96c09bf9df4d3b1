/**
 * Pruning: closes the ground that cannot be reached from given places, as roofs, ledges and the insides of walls.
 *
 * Ground that the filter lets nobody on stays as it is, and what is reached only over it counts as not reached. Links lead the
 * way they lead. In: a mesh, places. Out: flags changed, counts, and what undoes it. Cost: a flood a seed that no other has
 * reached, and a pass over the polygons.
 *
 * Based on: the prune tool of RecastDemo (Mikko Mononen), which sets a flag.
 */
import type { NavMesh, PolyRef } from '../../navmesh/types.ts';
import { replaceFlags } from '../area.ts';
import type { FlagsBackup } from '../area.ts';
import { DEFAULT_FILTER, checkFlags, passesFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { createFlood, createFloodBounds, createFloodState, floodInto } from './flood.ts';
import { createNearestHit } from '../nearest/nearest.ts';
import { readPoint } from '../../math/point.ts';
import type { PointLike } from '../../math/point.ts';
import { locateStart } from '../nearest/start.ts';

export interface PruneOptions {
  /** Who walks there. */
  filter?: QueryFilter;
  /** What pruned ground gets as flags, 16 bits. Default 0: no filter lets anybody on. */
  flags?: number;
  /** Half the size of the box in which a seed may be moved onto the mesh. Default: see `defaultHalfExtents`. */
  halfExtents?: PointLike;
}

export interface PruneResult {
  /** 'no-seeds': no seed is near ground; nothing was changed. */
  status: 'complete' | 'no-seeds';
  /** Polygons that passed the filter and can be reached. */
  keptCount: number;
  prunedCount: number;
  /** Seeds, by their place in the list, that no ground is near. */
  missedSeeds: number[];
  /** What the pruned polygons had: `restoreFlags` undoes the pruning. */
  backup: FlagsBackup;
}

const seed = new Float64Array(3);
const hit = createNearestHit();
const flood = createFlood();
const state = createFloodState();
const bounds = createFloodBounds();

/**
 * Gives all ground that cannot be reached from any of the seeds (points, or refs of polygons) other flags. Throws a TypeError
 * or RangeError, before anything is changed, for seeds that are no points, stale refs, and flags beyond 16 bits.
 */
export function pruneUnreachable(
  mesh: NavMesh,
  seeds: readonly (PointLike | PolyRef)[],
  options: PruneOptions = {},
): PruneResult {
  const { filter = DEFAULT_FILTER, flags = 0, halfExtents } = options;
  checkFlags(flags, 'pruneUnreachable', 'options.flags');
  const isReached = new Uint8Array(mesh.polyCount);
  const missedSeeds: number[] = [];
  seeds.forEach((given, i) => {
    const startRef = typeof given === 'number' ? given : undefined;
    seed.fill(0);
    if (typeof given !== 'number') readPoint(seed, given, 'pruneUnreachable', `seed ${i}`);
    locateStart(hit, mesh, seed, { startRef, halfExtents }, filter, 'pruneUnreachable');
    const { poly } = hit;
    if (poly < 0) missedSeeds.push(i);
    if (poly < 0 || isReached[poly] === 1) return;
    floodInto(flood, state, mesh, filter, poly, hit.point, bounds);
    for (let k = 0; k < flood.count; k++) isReached[flood.polys[k]] = 1;
  });
  if (missedSeeds.length === seeds.length) {
    return { status: 'no-seeds', keptCount: 0, prunedCount: 0, missedSeeds, backup: replaceFlags(mesh, [], flags) };
  }
  const pruned: number[] = [];
  let keptCount = 0;
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    const end = mesh.tilePolyStart[slot] + mesh.tilePolyCount[slot];
    for (let poly = mesh.tilePolyStart[slot]; poly < end; poly++) {
      if (!passesFilter(filter, mesh, poly)) continue;
      if (isReached[poly] === 1) keptCount++;
      else pruned.push(poly);
    }
  }
  return {
    status: 'complete',
    keptCount,
    prunedCount: pruned.length,
    missedSeeds,
    backup: replaceFlags(mesh, pruned, flags),
  };
}
