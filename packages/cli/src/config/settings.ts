/** The settings of a bake as types. The schema in schema.ts checks them. */
import type { AgentSize, BuildSettings, SurfaceOptions } from 'navkiln/build';
import type { AutoLinkOptions } from 'navkiln/links';
import type { PolygonOptions } from 'navkiln/polygon';
import type { MapReadOptions } from '../loaders/map-options.ts';
import type { LevelSpec } from '../loaders/placement.ts';

/** Settings that only apply to 2D maps. */
export interface MapSettings
  extends
    Pick<PolygonOptions, 'mode' | 'maxVertices' | 'fillRule' | 'gridSize' | 'arcTolerance' | 'yAxis' | 'layers'>,
    MapReadOptions {}

/** Settings that only apply with `surface`. */
export type SurfaceSettings = Pick<
  SurfaceOptions,
  'weldTolerance' | 'maxGap' | 'islandMinArea' | 'mergeDegrees' | 'clearance'
>;

/**
 * A parsed configuration. The type checker compares it with the schema, which keeps the schema in step with
 * the library's options.
 */
export interface Config extends Omit<
  BuildSettings,
  'onProgress' | 'obstacles' | 'autoLinks' | 'keepReachable' | 'sizes'
> {
  $schema?: string;
  levels?: (string | LevelSpec)[];
  output?: string;
  map?: MapSettings;
  surface?: SurfaceSettings;
  autoLinks?: AutoLinkSettings;
  /** Positions; mesh that none of them leads to is left out. */
  keepReachable?: [number, number, number][];
  agentTypes?: AgentSize[];
}

/** Limits of automatic links as plain data. */
export type AutoLinkSettings = Omit<AutoLinkOptions, 'except'> & { except?: number[] };

/** The bake settings alone, for files that hold more than those. */
export type BakeFields = Omit<
  Config,
  '$schema' | 'levels' | 'output' | 'map' | 'links' | 'keepReachable' | 'agentTypes'
>;

/** A checked configuration. Its `levels` are records, with paths that can be opened. */
export interface BakeSettings {
  levels: LevelSpec[];
  output: string | undefined;
  options: BuildSettings;
  map?: MapSettings;
  surface?: SurfaceSettings;
  autoLinks?: AutoLinkSettings;
  keepReachable?: [number, number, number][];
  agentTypes?: AgentSize[];
  /** Whether triangles count from both sides, for levels without a value of their own. */
  twoSided?: boolean;
  /** Whether level and map files may name files outside of their folder. Default false. */
  allowOutside?: boolean;
}
