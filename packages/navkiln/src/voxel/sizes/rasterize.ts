/**
 * Rasterizes a tile once for each pair of slope and climb among the sizes of a mesh.
 *
 * Bottoms and tops of spans are equal for all of them, but areas are not: triangles that are too steep have none, and where spans join,
 * the climb decides whose area stays. So each size gets the spans of a bake for it alone.
 *
 * In: area ids of triangles after the slope test for the steepest slope. Above each id, bits 6 and 7 count the other slopes, from steep to
 * flat, for which the triangle is flat enough. They pass through all copies of the ids; `rasterize` shifts them out.
 * Out: the spans of each pair.
 * Cost: a slope test for each further slope; a rasterization for each further pair.
 * Based on: own.
 */
import { AREA_NONE } from '../../constants.ts';
import type { MeshSize } from '../../navmesh/types.ts';
import { cellsDown, heightInCells } from '../config.ts';
import type { BakeConfig, LaidSpans } from '../options.ts';
import type { Heightfield } from '../types.ts';

/** Two bits count slopes. */
export const MOST_SLOPES = 4;
const SLOPE_SHIFT = 6;
const AREA_BITS = 63;

/** Returns the slopes of sizes, the steepest first. */
export function slopesOf(sizes: readonly MeshSize[]): number[] {
  return [...new Set(sizes.map(({ maxSlopeDegrees }) => maxSlopeDegrees))].sort((a, b) => b - a);
}

/** Adds the bits of the slopes but the steepest to the areas of triangles. `marksOf`: their areas after the test for a slope. */
export function markSlopes(
  { sizes = [] }: BakeConfig,
  areas: Uint8Array,
  marksOf: (maxSlopeDegrees: number) => Uint8Array,
): void {
  for (const slope of slopesOf(sizes).slice(1)) {
    const marks = marksOf(slope);
    for (let t = 0; t < areas.length; t++) if (marks[t] !== AREA_NONE) areas[t] += 1 << SLOPE_SHIFT;
  }
}

/** A pair of slope and climb. */
interface RasterClass {
  /** Its place among the slopes. */
  slope: number;
  walkableClimbCells: number;
}

/** Returns the pairs of slope and climb, and the place of each size among them. */
export function classesOf({ sizes = [], cellHeight }: BakeConfig): { classes: RasterClass[]; classOf: number[] } {
  const slopes = slopesOf(sizes);
  const classes: RasterClass[] = [];
  const classOf = sizes.map(({ maxClimb, maxSlopeDegrees }) => {
    const slope = slopes.indexOf(maxSlopeDegrees);
    const walkableClimbCells = heightInCells(cellsDown(maxClimb, cellHeight));
    const known = classes.findIndex((one) => one.slope === slope && one.walkableClimbCells === walkableClimbCells);
    return known >= 0 ? known : classes.push({ slope, walkableClimbCells }) - 1;
  });
  return { classes, classOf };
}

/** Rasterizes triangles for each pair: `lay` does so for areas and a configuration. */
export function rasterizeClasses(
  areas: Uint8Array,
  config: BakeConfig,
  lay: (areas: Uint8Array, config: BakeConfig, index: number) => Heightfield,
): LaidSpans {
  const { classes } = classesOf(config);
  let solid: Heightfield | undefined;
  const spans = classes.map(({ slope, walkableClimbCells }, k) => {
    const own =
      slope === 0 ? areas : areas.map((area) => (area >> SLOPE_SHIFT >= slope ? area & AREA_BITS : AREA_NONE));
    solid = lay(own, { ...config, walkableClimbCells }, k);
    return solid.spans.slice(0, solid.spanCount);
  });
  return classes.length === 1 ? { solid: solid! } : { solid: solid!, classes: spans };
}
