/** `navkiln/polygon`: builds a NavMesh from 2D maps, in one call or stage by stage, and answers queries on 2D maps. */
export { createProjection, projectPoint, unprojectPoint } from './io/geojson-projection.ts';
export type { MapProjection } from './io/geojson-projection.ts';
export { parseGeoJson } from './io/geojson.ts';
export type { GeoJsonMap, GeoJsonOptions } from './io/geojson.ts';
export { parseGeoJsonLevels } from './io/geojson/levels/levels.ts';
export type { GeoJsonLevel, GeoJsonLevelOptions, GeoJsonLevels } from './io/geojson/levels/levels.ts';
export type { ConnectionCosts } from './io/geojson/levels/connections.ts';
export { polygonsFromGrid } from './io/grid-polygons.ts';
export type { GridOptions } from './io/grid-polygons.ts';
export { polygonsFromMask } from './io/mask.ts';
export type { MaskOptions, MaskPixels } from './io/mask.ts';
export { guessMapFormat, parsePolygonMap } from './io/map-json.ts';
export type {
  MapLayerReport,
  ParsedArea,
  ParsedLayer,
  ParsedMap,
  ParsedMapWarning,
  ParsedMapWarningCode,
  ParsedPoint,
  ParsedPolygon,
  ParsedRing,
} from './io/map.ts';
export { pickMapReadOptions, readMap } from './io/read-map.ts';
export type { MapReadOptions } from './io/read-map.ts';
export { parseSvg } from './io/svg/svg.ts';
export type { SvgOptions } from './io/svg/types.ts';
export { parseTiled } from './io/tiled/tiled.ts';
export { readTmx } from './io/tiled/tmx.ts';
export type { TiledOptions } from './io/tiled/types.ts';
export type { PointLike2d } from './math/point-2d.ts';
export { mapToMesh, meshToMap } from './navmesh/map-plane.ts';
export { buildFromPolygons } from './polygon/build.ts';
export { cleanPolygons } from './polygon/clean.ts';
export { DIAGONAL_WEIGHTS, cutByDiagonals } from './polygon/diagonal/diagonal.ts';
export type { DiagonalCuts } from './polygon/diagonal/diagonal.ts';
export type { LineWeights } from './polygon/diagonal/seek.ts';
export { buildFromLevels } from './polygon/levels.ts';
export type {
  LevelConnection,
  LevelConnectionKind,
  LevelWarning,
  LevelsBuild,
  LevelsMap,
  LevelsOptions,
  MapLevel,
} from './polygon/levels.ts';
export { mergeTriangles } from './polygon/merge.ts';
export { findNearMisses } from './polygon/near-misses.ts';
export { insetWalkable } from './polygon/offset.ts';
export { POLYGON_DEFAULTS, POLYGON_STAGES, resolvePolygonOptions } from './polygon/options.ts';
export type {
  MapArea,
  MapLayer,
  MapPolygon,
  NamedArea,
  PolygonBuild,
  PolygonConfig,
  PolygonMap,
  PolygonMesh,
  PolygonOptions,
  PolygonReport,
  PolygonRing,
  PolygonStage,
  PolygonStageRecords,
  PolygonWarning,
  PolygonWarningCode,
  YAxis,
} from './polygon/options.ts';
export { readPolygonMap } from './polygon/rings.ts';
export type { GridArea, GridMap, GridRing } from './polygon/rings.ts';
export { tileFromPieces } from './polygon/tile.ts';
export { findWindings, triangulateRings } from './polygon/triangulate.ts';
export type {
  ConvexPieces,
  GridFrame,
  GridPoint,
  NamedPoints,
  NearMiss,
  Rings,
  Triangulation,
} from './polygon/types.ts';
export { findNearest2d } from './query/map/nearest-2d.ts';
export type { NearestOptions2d, NearestResult2d } from './query/map/nearest-2d.ts';
export { findPath2d } from './query/map/path-2d.ts';
export type { Path2d, PathOptions2d } from './query/map/path-2d.ts';
export { raycast2d } from './query/map/raycast-2d.ts';
export type { RaycastOptions2d, RaycastResult2d } from './query/map/raycast-2d.ts';
export { moveAlongSurface2d } from './query/map/slide-2d.ts';
export type { SlideOptions2d, SlideResult2d } from './query/map/slide-2d.ts';
