/**
 * The record that every 2D map format is read into: walkable polygons with holes, obstacles, and warnings
 * about the file. `buildFromPolygons` accepts it as a map.
 */

/** [x, y]. Rings are closed without repeating their first point. */
export type ParsedPoint = [number, number];
/** The points of a ring, without the first one again at the end. */
export type ParsedRing = ParsedPoint[];

/** A polygon: its outline, and holes in it. */
export interface ParsedPolygon {
  outline: ParsedRing;
  holes: ParsedRing[];
}

/** A part of the ground with a name; see `MapArea`. */
export interface ParsedArea extends ParsedPolygon {
  name: string;
  cost?: number;
  enabled?: boolean;
}

/** A part of a map that can be switched on and off; see `MapLayer`. */
export interface ParsedLayer {
  name: string;
  enabled: boolean;
  polygons: ParsedPolygon[];
  obstacles: ParsedRing[];
  areas: ParsedArea[];
}

/** A link that leads one way, from a point to a point. */
export interface ParsedLink {
  start: ParsedPoint;
  end: ParsedPoint;
}

/** A 2D map that was read from a file; an input of `buildFromPolygons`. */
export interface ParsedMap {
  /** Walkable polygons. They may touch and overlap. */
  polygons: ParsedPolygon[];
  /**
   * Subtracted from the polygons. They may touch, overlap and stick out; a ring may touch itself (see
   * rings.ts).
   */
  obstacles: ParsedRing[];
  /** Absent: none. */
  areas?: ParsedArea[];
  /** Absent: none. */
  layers?: ParsedLayer[];
  /** Tiled maps: links over one-way tiles, which `addLink` adds to the mesh. Absent: none. */
  links?: ParsedLink[];
  /** Direction of y on a screen. */
  yAxis: 'up' | 'down';
  /** How far apart points may lie that should touch; see `PolygonMap`. Absent: as near as numbers can be. */
  precision?: number;
  warnings: ParsedMapWarning[];
  /** Tiled maps: what each layer was taken for. Absent for other formats. */
  layerReports?: MapLayerReport[];
}

/**
 * What the reader of Tiled maps took a layer for, with its counts. Shares are areas over the area of the whole map; shapes that overlap
 * count several times.
 */
export interface MapLayerReport {
  layer: string;
  kind: 'tiles' | 'objects';
  /** What its name, class, property or an option says: its shapes are walls, zones or floor. '': nothing. */
  mark: 'walls' | 'zones' | 'floor' | '';
  /** Tiles and shapes that block. */
  blocking: number;
  blockingShare: number;
  /** Tiles and shapes that do not block, areas and doors included. */
  free: number;
  freeShare: number;
  /** Classes of shapes that do not block. */
  classes: string[];
}

/**
 * A problem in a map file that the reader worked around. One entry per code, with the number of cases and the
 * first one.
 */
export interface ParsedMapWarning {
  code: ParsedMapWarningCode;
  count: number;
  /** One sentence: what was found, where first, and what the reader did. */
  message: string;
  /** Tiled maps: the layers that the warning is about. */
  layers?: MapLayerReport[];
  /** GeoJSON with several levels: the property that names them, its values, and whether `parseGeoJsonLevels` finds floors or rooms. */
  levels?: { property: string; values: string[]; hasFloors: boolean };
}

/** The code of a warning about a map file. */
export type ParsedMapWarningCode =
  | 'not-an-area'
  | 'ring-not-closed'
  | 'wide-area'
  | 'not-selected'
  | 'levels-merged'
  | 'buildings-walkable'
  | 'shape-without-area'
  | 'tileset-missing'
  | 'template-missing'
  | 'walls-guessed'
  | 'objects-not-walls'
  | 'nothing-blocks'
  | 'floor-guessed'
  | 'hidden-shapes'
  | 'path-damaged'
  | 'content-ignored'
  | 'mask-gray'
  | 'level-missing'
  | 'levels-unordered'
  | 'doors-missing'
  | 'rooms-without-door'
  | 'doors-unused'
  | 'tile-size-ignored'
  | 'layer-without-tiles'
  | 'cells-without-tiles'
  | 'property-ignored'
  | 'cost-ignored'
  | 'one-way-ignored'
  | 'one-way-links'
  | 'door-in-wall'
  | 'names-shared'
  | 'unknown-tile';
