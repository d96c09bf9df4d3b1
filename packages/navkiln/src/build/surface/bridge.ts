/**
 * Bridge stage: fills gaps that are narrower than an agent notices, so that the surface on both sides is joined.
 *
 * Between two edges that face each other across a gap, within a step in height, surface is added: a strip that goes on
 * from the higher edge, level across the gap. The strip is ground like any other. So the clearance stage removes it
 * where something stands in the gap, and walls block it. With a radius, it goes on at its ends as far as the gap is
 * wide, or small holes would remain where gaps cross.
 *
 * In: conforming surface of a tile and its rim, before it was cut.
 * Out: more triangles in the space of the weld stage.
 * Cost: that of finding the pairs.
 * Based on: own. A voxel bake, too, loses gaps narrower than a cell.
 * Tried: welding with a tolerance as wide as the gap, which also merges the corners of steps and posts.
 */
import { forEachFacing } from './facing.ts';
import type { Facing } from './facing.ts';
import { addGround } from './weld/weld.ts';
import type { WeldSpace } from './weld/weld.ts';
import type { Ground } from './types.ts';

/**
 * Called for a gap: its middle, its width, and the ground triangle next to it.
 */
export type OnGap = (x: number, y: number, z: number, gap: number, source: number) => void;

/** Edges whose directions differ by more (a tangent) are two sides of a corner. */
const MOST_SLOPE = 0.5;

export interface BridgeLimits {
  maxGap: number;
  /** The largest height of a step. */
  reach: number;
  /** Whether strips go on at their ends: overlaps are cleared, and an inset removes the ends that stick out. */
  extends: boolean;
}

/** Adds strips over gaps to the space. Returns their number. */
export function bridgeGaps(ground: Ground, space: WeldSpace, limits: BridgeLimits, onGap?: OnGap): number {
  const { table } = space;
  const strips: { corners: Float64Array; area: number; source: number }[] = [];
  forEachFacing(ground, table, limits.maxGap, (pair) => {
    if (!clipPair(pair, limits, table.tolerance)) return;
    const { e, f, low, high } = pair;
    if (limits.extends) extendPair(pair);
    const middle = (low + high) / 2;
    const isHigher = heightOver(pair, middle) >= 0;
    const t = ((isHigher ? e : f) / 3) | 0;
    strips.push({ corners: stripOf(pair, isHigher), area: ground.area[t], source: ground.source[t] });
    if (onGap === undefined) return;
    const across = (pair.gap + middle * pair.gapSlope) / 2;
    const x = pair.x + middle * pair.dx - across * pair.dz;
    const z = pair.z + middle * pair.dz + across * pair.dx;
    const { square } = table;
    if (square !== undefined && !(x >= square.x0 && x < square.x1 && z >= square.z0 && z < square.z1)) return;
    const widest = Math.max(pair.gap + low * pair.gapSlope, pair.gap + high * pair.gapSlope);
    const sources = [ground.source[(e / 3) | 0], ground.source[(f / 3) | 0]];
    onGap(x, pair.heightE + middle * pair.riseE, z, widest, Math.min(...sources));
  });
  for (const { corners, area, source } of strips) {
    addGround(space, corners.subarray(0, 9), area, source);
    corners.copyWithin(3, 6);
    addGround(space, corners.subarray(0, 9), area, source);
  }
  return strips.length;
}

/** Returns how much higher the first edge is. */
function heightOver(pair: Facing, u: number): number {
  return pair.heightE - pair.heightF + u * (pair.riseE - pair.riseF);
}

/** Shortens a pair to the part that is a gap within the limits. Returns whether there is any. */
function clipPair(pair: Facing, { maxGap, reach }: BridgeLimits, tolerance: number): boolean {
  if (Math.abs(pair.gapSlope) > MOST_SLOPE) return false;
  clipLinear(pair, pair.gap + tolerance, pair.gapSlope);
  clipLinear(pair, maxGap - pair.gap, -pair.gapSlope);
  const step = pair.heightE - pair.heightF;
  const change = pair.riseE - pair.riseF;
  clipLinear(pair, reach - step, -change);
  clipLinear(pair, reach + step, change);
  const atLow = pair.gap + pair.low * pair.gapSlope;
  const atHigh = pair.gap + pair.high * pair.gapSlope;
  return pair.high - pair.low > tolerance && Math.max(atLow, atHigh) > tolerance;
}

/** Moves the ends of a strip on by its width there. */
function extendPair(pair: Facing): void {
  const atLow = pair.gap + pair.low * pair.gapSlope;
  const atHigh = pair.gap + pair.high * pair.gapSlope;
  pair.low -= Math.max(0, atLow);
  pair.high += Math.max(0, atHigh);
}

/** Shortens a pair to the part where a linear function is not negative. */
function clipLinear(pair: Facing, value: number, change: number): void {
  const atLow = value + pair.low * change;
  const atHigh = value + pair.high * change;
  if (atLow >= 0 && atHigh >= 0) return;
  if (atLow < 0 && atHigh < 0) pair.high = pair.low;
  else if (atLow < 0) pair.low = -value / change;
  else pair.high = -value / change;
}

/** Returns the corners of a strip, counter-clockwise seen from above, xyz each. */
function stripOf(pair: Facing, isHigher: boolean): Float64Array {
  const corners = new Float64Array(12);
  const { low, high, x, z, dx, dz, gap, gapSlope } = pair;
  const put = (at: number, u: number, across: number): void => {
    corners[at] = x + u * dx - across * dz;
    corners[at + 1] = isHigher ? pair.heightE + u * pair.riseE : pair.heightF + u * pair.riseF;
    corners[at + 2] = z + u * dz + across * dx;
  };
  put(0, high, 0);
  put(3, low, 0);
  put(6, low, Math.max(0, gap + low * gapSlope));
  put(9, high, Math.max(0, gap + high * gapSlope));
  return corners;
}
