/** `navkiln/polygon`: builds a NavMesh from 2D maps, in one call or stage by stage, and answers queries on 2D maps. */
export { unprojectPoint } from '../formats/maps/geojson-projection.ts';
export type { MapProjection } from '../formats/maps/geojson-projection.ts';
export { parseGeoJson } from '../formats/maps/geojson.ts';
export type { GeoJsonMap, GeoJsonOptions } from '../formats/maps/geojson.ts';
export { parseGeoJsonLevels } from '../formats/maps/geojson/levels/levels.ts';
export type { GeoJsonLevel, GeoJsonLevelOptions, GeoJsonLevels } from '../formats/maps/geojson/levels/levels.ts';
export type { ConnectionCosts } from '../formats/maps/geojson/levels/connections.ts';
export { polygonsFromGrid } from '../formats/maps/grid-polygons.ts';
export type { GridOptions } from '../formats/maps/grid-polygons.ts';
export { polygonsFromMask } from '../formats/maps/mask.ts';
export type { MaskOptions, MaskPixels } from '../formats/maps/mask.ts';
export { parsePolygonMap } from '../formats/maps/map-json.ts';
export type {
  MapLayerReport,
  ParsedArea,
  ParsedLayer,
  ParsedLink,
  ParsedMap,
  ParsedMapWarning,
  ParsedMapWarningCode,
  ParsedPoint,
  ParsedPolygon,
  ParsedRing,
} from '../formats/maps/map.ts';
export { pickMapReadOptions, readMap } from '../formats/maps/read-map.ts';
export type { MapReadOptions } from '../formats/maps/read-map.ts';
export { parseSvg } from '../formats/maps/svg/svg.ts';
export type { SvgOptions } from '../formats/maps/svg/types.ts';
export { parseTiled } from '../formats/maps/tiled/tiled.ts';
export { readTmx } from '../formats/maps/tiled/tmx.ts';
export type { TiledOptions } from '../formats/maps/tiled/types.ts';
export type { PointLike2d } from '../base/math/point-2d.ts';
export { mapToMesh, meshToMap } from '../mesh/map-plane.ts';
export * as mapStages from './groups/map-stages.ts';
export { buildFromPolygons } from '../build/polygon/build.ts';
export { cutByDiagonals } from '../build/polygon/diagonal/diagonal.ts';
export type { DiagonalCuts } from '../build/polygon/diagonal/diagonal.ts';
export type { LineWeights } from '../build/polygon/diagonal/seek.ts';
export { buildFromLevels } from '../build/polygon/levels.ts';
export type {
  LevelConnection,
  LevelConnectionKind,
  LevelWarning,
  LevelsBuild,
  LevelsMap,
  LevelsOptions,
  MapLevel,
} from '../build/polygon/levels.ts';
export { findClosedPassages } from '../build/polygon/closed-passages.ts';
export { findNearMisses } from '../build/polygon/near-misses.ts';
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
} from '../build/polygon/options.ts';
export type { GridArea, GridMap, GridRing } from '../build/polygon/rings.ts';
export type {
  ConvexPieces,
  GridFrame,
  GridPoint,
  NamedPoints,
  NearMiss,
  Rings,
  Triangulation,
} from '../base/plane/types.ts';
export { findNearest2d } from '../query/map/nearest-2d.ts';
export type { NearestOptions2d, NearestResult2d } from '../query/map/nearest-2d.ts';
export { findPath2d } from '../query/map/path-2d.ts';
export type { Path2d, PathOptions2d } from '../query/map/path-2d.ts';
export { raycast2d } from '../query/map/raycast-2d.ts';
export type { RaycastOptions2d, RaycastResult2d } from '../query/map/raycast-2d.ts';
export { moveAlongSurface2d } from '../query/map/slide-2d.ts';
export type { SlideOptions2d, SlideResult2d } from '../query/map/slide-2d.ts';
