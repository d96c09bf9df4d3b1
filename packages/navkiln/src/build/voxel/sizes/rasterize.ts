/**
 * Rasterizes a tile for each pair of slope and climb among the sizes of a mesh.
 *
 * Bottoms and tops of spans are equal for all pairs, but areas differ: triangles that are too steep have no area, and where spans merge, the
 * climb decides which area remains. So each size gets the same spans as in a bake for it alone.
 *
 * In: area ids of triangles after the slope test for the steepest slope. Above each id, bits 6 and 7 count the other slopes for which the
 * triangle is flat enough, from steep to flat. Copies of the ids keep these bits; `rasterize` shifts them out.
 * Out: the spans of each pair.
 * Cost: a slope test for each further slope; a rasterization for each further climb. If triangles have several areas, a rasterization for
 *   each further pair.
 * Based on: own.
 */
import { AREA_NONE } from '../../../base/constants.ts';
import type { MeshSize } from '../../../mesh/types.ts';
import { cellsDown, heightInCells } from '../config.ts';
import type { BakeConfig } from '../bake-config.ts';
import type { LaidSpans } from '../options.ts';
import type { Heightfield } from '../types.ts';

/** Largest number of different slopes, since two bits count them. */
export const MOST_SLOPES = 4;
const SLOPE_SHIFT = 6;
const AREA_BITS = 63;
/** The bit offset of the area in a span, and the bits of a span below it. */
const AREA_SHIFT = 26;
const WITHOUT_AREA = 0x03ffffff;

/** Returns the slopes of sizes, the steepest first. */
export function slopesOf(sizes: readonly MeshSize[]): number[] {
  return [...new Set(sizes.map(({ maxSlopeDegrees }) => maxSlopeDegrees))].sort((a, b) => b - a);
}

/** Adds the counts of all slopes except the steepest to the areas of triangles. `marksOf` returns the areas after the test for a slope. */
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
  /** Index in `slopesOf`. */
  slope: number;
  walkableClimbCells: number;
}

/** Returns the pairs of slope and climb, and the index of each size's pair. */
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

/**
 * Returns the area id of all walkable triangles if it is the same for all; else 0. With one area, the count of slopes for which a triangle is
 * flat enough can replace the area. Where spans merge, the larger value remains, so for each slope the area of the flatter triangle remains.
 */
function onlyArea(areas: Uint8Array): number {
  let only = 0;
  for (let t = 0; t < areas.length; t++) {
    const area = areas[t] & AREA_BITS;
    if (area === AREA_NONE || area === only) continue;
    if (only !== 0) return 0;
    only = area;
  }
  return only;
}

/**
 * Rasterizes triangles for each pair. `lay` rasterizes them for given areas and a configuration. If `canShare` is true, spans depend only on
 * these two, so that one pass may serve several slopes.
 */
export function rasterizeClasses(
  areas: Uint8Array,
  config: BakeConfig,
  lay: (areas: Uint8Array, config: BakeConfig, index: number) => Heightfield,
  canShare: boolean = true,
): LaidSpans {
  const { classes } = classesOf(config);
  let solid: Heightfield | undefined;
  let climb = -1;
  const only = canShare && classes.length > 1 ? onlyArea(areas) : 0;
  const counts = only === 0 ? areas : areas.map((area) => (area === AREA_NONE ? 0 : (area >> SLOPE_SHIFT) + 1));
  /** Spans for all slopes and the last climb, with counts in place of areas. */
  let all: Uint32Array | undefined;
  const spans = classes.map(({ slope, walkableClimbCells }, k) => {
    if (only === 0) {
      const own =
        slope === 0 ? areas : areas.map((area) => (area >> SLOPE_SHIFT >= slope ? area & AREA_BITS : AREA_NONE));
      solid = lay(own, { ...config, walkableClimbCells }, k);
      return solid.spans.slice(0, solid.spanCount);
    }
    if (all === undefined || climb !== walkableClimbCells) {
      solid = lay(counts, { ...config, walkableClimbCells }, k);
      all = solid.spans.slice(0, solid.spanCount);
      climb = walkableClimbCells;
    }
    return withArea(all, slope, only);
  });
  if (classes.length === 1) return { solid: solid! };
  // `solid` gets the spans of the last pair, without counts.
  solid!.spans.set(spans.at(-1)!);
  return { solid: solid!, classes: spans };
}

/** Returns copies of spans without counts: a span with a count above `slope` gets the area, all others get no area. */
function withArea(spans: Uint32Array, slope: number, area: number): Uint32Array<ArrayBuffer> {
  const own = new Uint32Array(spans.length);
  for (let i = 0; i < spans.length; i++) {
    const span = spans[i];
    own[i] = (span & WITHOUT_AREA) | (span >>> AREA_SHIFT > slope ? area << AREA_SHIFT : 0);
  }
  return own;
}
