/** The records of each stage of a bake. The oracle fills them from Recast, the tests from navkiln. */
import type { CompactField, ContourSet, DetailMesh, Heightfield, PolyMesh } from '../../src/build/voxel/types.ts';

/**
 * A stage that did not run or was not recorded is absent. All arrays are copies, so later stages do not
 * change them.
 */
export interface StageRecords {
  rasterized?: Heightfield;
  filtered?: Heightfield;
  /** As built: areas before erosion, without distances and regions. */
  compact?: CompactField;
  erodedArea?: Uint8Array;
  /** After the median filter and the volumes. */
  markedArea?: Uint8Array;
  /** Watershed only. */
  distance?: Uint16Array;
  maxDistance?: number;
  region?: Int32Array;
  regionCount?: number;
  contours?: ContourSet;
  polyMesh?: PolyMesh;
  detail?: DetailMesh;
}

/** The stages in order, with the names that the comparison uses. */
export const STAGE_NAMES = [
  'rasterize',
  'filter',
  'compact',
  'erode',
  'areas',
  'distance',
  'regions',
  'contours',
  'polymesh',
  'detail',
] as const;

export type StageName = (typeof STAGE_NAMES)[number];
