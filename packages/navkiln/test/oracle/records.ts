/** What each stage of a bake left behind, from whichever side: the oracle fills it from Recast, the tests from navkiln. */
import type { CompactField, ContourSet, DetailMesh, Heightfield, PolyMesh } from '../../src/voxel/types.ts';

/** A stage that was not run or not recorded is absent. All arrays are copies: later stages do not change them. */
export interface StageRecords {
  rasterized?: Heightfield;
  filtered?: Heightfield;
  /** As built: areas before erosion, no distances, no regions. */
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

/** The stages in order, as the comparer names them. */
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
