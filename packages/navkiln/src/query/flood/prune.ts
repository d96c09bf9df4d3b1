/**
 * Disables polygons that cannot be reached from given seeds, such as roofs, ledges and the insides of walls.
 *
 * Polygons that do not pass the filter keep their flags, and polygons behind them count as unreachable.
 * One-way links count in their direction only.
 *
 * In: a mesh and seeds.
 * Out: changed flags, counts, and a backup that undoes the change.
 * Cost: a flood for each seed that no earlier flood has reached, and a pass over all polygons.
 * Based on: the prune tool of RecastDemo (Mikko Mononen).
 */
import { checkMutableStates } from '../../mesh/check-mesh.ts';
import { checkArray, checkKeys } from '../../base/data/refuse.ts';
import type { SizeLike } from '../../mesh/sizes.ts';
import type { NavMesh, PolyRef } from '../../mesh/types.ts';
import { replaceFlags } from '../area.ts';
import type { FlagsBackup } from '../area.ts';
import { checkFlags, passesFilter, readFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { createFlood, createFloodBounds, createFloodState, floodInto } from './flood.ts';
import { agentHalfExtents, createNearestHit } from '../nearest/nearest.ts';
import { readPoint } from '../../base/math/point.ts';
import type { PointLike } from '../../base/math/point.ts';
import { locateStart } from '../nearest/start.ts';

/** Options of `pruneUnreachable`. */
export interface PruneOptions {
  /** Which polygons agents may walk on. Default: all that have a flag. */
  filter?: QueryFilter;
  /** The agent's size on a mesh with sizes; see `findSize`. Default: that of `filter`. */
  size?: SizeLike;
  /** The flags that pruned polygons get, 16 bits. Default 0: no filter passes them. */
  flags?: number;
  /**
   * Half the size of the box in which a seed may be moved onto the mesh, world units. Default: two agent radii
   * and two cells in x and z, the agent's height in y, also on the mesh of a 2D map.
   */
  halfExtents?: PointLike;
}

/** Result of `pruneUnreachable`. */
export interface PruneResult {
  /** 'no-seeds': no seed is on the mesh, and nothing was changed. */
  status: 'complete' | 'no-seeds';
  /** The number of polygons that pass the filter and can be reached. */
  keptCount: number;
  prunedCount: number;
  /** Indices of the seeds that are not on the mesh: no polygon is near the point, or the ref is stale. */
  missedSeeds: number[];
  /** The flags that the pruned polygons had. `restoreFlags` undoes the pruning. */
  backup: FlagsBackup;
}

const seed = new Float64Array(3);
const hit = createNearestHit();
const seedBox = new Float64Array(3);
const flood = createFlood();
const state = createFloodState();
const bounds = createFloodBounds();

/**
 * Sets other flags on all polygons that cannot be reached from any seed. A seed is a point or a polygon ref.
 *
 * Throws before it changes anything: a TypeError for invalid points, a RangeError for flags beyond 16 bits or
 * unknown options.
 */
export function pruneUnreachable(
  mesh: NavMesh,
  seeds: readonly (PointLike | PolyRef)[],
  options: PruneOptions = {},
): PruneResult {
  checkMutableStates('pruneUnreachable', mesh);
  checkArray('pruneUnreachable', 'seeds', seeds);
  checkKeys('pruneUnreachable', options, ['filter', 'size', 'flags', 'halfExtents']);
  const filter = readFilter('pruneUnreachable', options, mesh);
  // A seed far from the surface is a mistake, not a click.
  agentHalfExtents(seedBox, mesh, filter);
  const { flags = 0, halfExtents = seedBox } = options;
  checkFlags(flags, 'pruneUnreachable', 'options.flags');
  const isReached = new Uint8Array(mesh.polyCount);
  const missedSeeds: number[] = [];
  for (const [i, given] of seeds.entries()) {
    const startRef = typeof given === 'number' ? given : undefined;
    seed.fill(0);
    if (typeof given !== 'number') readPoint(seed, given, 'pruneUnreachable', `seeds[${i}]`);
    locateStart(hit, mesh, seed, { startRef, halfExtents }, filter, 'pruneUnreachable');
    const { poly } = hit;
    if (poly < 0) missedSeeds.push(i);
    if (poly < 0 || isReached[poly] === 1) continue;
    floodInto(flood, state, mesh, filter, poly, hit.point, bounds);
    for (let k = 0; k < flood.count; k++) isReached[flood.polys[k]] = 1;
  }
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
