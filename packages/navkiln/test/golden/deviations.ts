/**
 * Compares bakes without the option `recast` with those that have it, and names the deviations of docs/deviations.md that a level meets.
 * Without any, both must be equal.
 */
import { cutOverlaps } from '../../src/build/voxel/regions/overlaps.ts';
import { comparePolyMesh } from '../oracle/compare.ts';
import type { Heightfield } from '../../src/build/voxel/types.ts';
import type { StageRecords } from '../oracle/records.ts';

/** The deviations, each of which a level may meet. */
export const DEVIATIONS = [
  'triangles without area',
  'floors between voxels',
  'steps between ledges',
  'regions above themselves',
  'small layers',
] as const;

export type Deviation = (typeof DEVIATIONS)[number];

/**
 * Returns the deviations that a bake meets. `failure`: the records differ without one.
 *
 * @param own without `recast`
 * @param exact with `recast`
 */
export function deviationsOf(own: StageRecords, exact: StageRecords): { found: Deviation[]; failure?: string } {
  const found: Deviation[] = [];
  if (isDifferent(own.rasterized!.spans, exact.rasterized!.spans))
    found.push(isRounded(own.rasterized!, exact.rasterized!) ? 'floors between voxels' : 'triangles without area');
  else if (isDifferent(own.filtered!.spans, exact.filtered!.spans)) found.push('steps between ledges');
  const field = { ...exact.compact!, region: exact.region!.slice(), regionCount: exact.regionCount! };
  if (cutOverlaps(field) > 0) found.push('regions above themselves');
  else if (found.length === 0 && isDifferent(own.region!, exact.region!)) found.push('small layers');
  if (found.length > 0) return { found };
  const failure = comparePolyMesh(own.polyMesh!, exact.polyMesh!);
  return failure === undefined ? { found } : { found, failure: `without recast: ${failure}` };
}

function isDifferent(a: Uint32Array | Int32Array, b: Uint32Array | Int32Array): boolean {
  return a.length !== b.length || a.some((value, i) => value !== b[i]);
}

/** Returns whether the same spans differ by a voxel at most. */
function isRounded(own: Heightfield, exact: Heightfield): boolean {
  if (isDifferent(own.columnStart, exact.columnStart)) return false;
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1;
  return own.spans.every((span, i) => {
    const other = exact.spans[i];
    return near(span & 0x1fff, other & 0x1fff) && near((span >>> 13) & 0x1fff, (other >>> 13) & 0x1fff);
  });
}
