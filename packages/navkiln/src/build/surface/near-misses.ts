/**
 * Finds edges that nearly meet: surface on both sides of a crack, or of an overlap, that is slightly wider than the
 * surface is joined across. Such edges are probably meant to be joined.
 *
 * Two edges nearly meet when they face each other for longer than the gap between them, and are within a step in height
 * there. Wider gaps count only if they separate islands of the tile.
 *
 * In: conforming surface of a tile and its rim.
 * Out: one call per pair in the tile.
 * Cost: linear in the edges without a partner and in nearby pairs of them.
 * Based on: own.
 */
import { forEachFacing } from './facing.ts';
import type { OnGap } from './bridge.ts';
import { findIslands } from './islands.ts';
import type { Ground, PointTable } from './types.ts';

/** Wider cracks are taken for intended, in tolerances, unless they separate islands. */
export const NEAR_MISS_TOLERANCES = 10;

export interface MissLimits {
  /** Wider gaps than this are misses. */
  joined: number;
  /** Wider gaps than this are intended, even between islands. */
  widest: number;
  /** The largest height of a step. */
  reach: number;
}

export function findNearMisses(
  ground: Ground,
  table: PointTable,
  { joined, widest, reach }: MissLimits,
  onMiss: OnGap,
): void {
  const { tolerance, square } = table;
  const narrow = NEAR_MISS_TOLERANCES * tolerance;
  let root: Int32Array | undefined;
  forEachFacing(ground, table, Math.max(narrow, widest), (pair) => {
    const { e, f, low, high } = pair;
    const atLow = Math.abs(pair.gap + low * pair.gapSlope);
    const atHigh = Math.abs(pair.gap + high * pair.gapSlope);
    const gap = atLow > atHigh ? atLow : atHigh;
    if (!(gap > joined && (gap <= narrow || gap <= widest) && high - low > gap)) return;
    const middle = (low + high) / 2;
    const y = pair.heightE + middle * pair.riseE;
    if (Math.abs(y - pair.heightF - middle * pair.riseF) > reach) return;
    const across = (pair.gap + middle * pair.gapSlope) / 2;
    const x = pair.x + middle * pair.dx - across * pair.dz;
    const z = pair.z + middle * pair.dz + across * pair.dx;
    if (square !== undefined && !(x >= square.x0 && x < square.x1 && z >= square.z0 && z < square.z1)) return;
    const t = (e / 3) | 0;
    const other = (f / 3) | 0;
    if (gap > narrow) {
      root ??= findIslands(ground, table).root;
      if (root[t] === root[other]) return;
    }
    onMiss(x, y, z, gap, Math.min(ground.source[t], ground.source[other]));
  });
}
