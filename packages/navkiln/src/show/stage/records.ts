/**
 * Bakes one tile by voxels and keeps the result of every stage, for drawings of the pipeline and for explanations.
 *
 * The same functions run in the same order as in the bake, so every record is identical to that of the bake. The bake
 * reuses the memory of finished stages; here each record has its own memory.
 *
 * In: a level from `prepareTiles` and a tile. Out: the records of all stages.
 * Cost: the tile's bake, and copies of records that stages change in place.
 * Based on: own.
 */
import { checkFinite, checkRecord, refuse } from '../../base/data/refuse.ts';
import { createAreaCodes } from '../../build/voxel/area-codes.ts';
import { markVolume, medianFilterAreas } from '../../build/voxel/field/areas.ts';
import { cropToLevel, tileConfig } from '../../build/voxel/build-tile-grid.ts';
import type { PreparedTiles } from '../../build/voxel/build-tile.ts';
import { buildCompactField } from '../../build/voxel/field/compact.ts';
import { buildContours } from '../../build/voxel/contours/contours.ts';
import { buildDetailMesh } from '../../build/voxel/detail/detail.ts';
import { buildDistanceField } from '../../build/voxel/field/distance.ts';
import { erodeArea } from '../../build/voxel/field/erode.ts';
import { filterSpans } from '../../build/voxel/field/filter.ts';
import type { AreaVolume } from '../../build/voxel/options.ts';
import type { BakeConfig } from '../../build/voxel/bake-config.ts';
import { splitConcavePolys } from '../../build/voxel/polymesh/split-concave.ts';
import { buildPolyMesh } from '../../build/voxel/polymesh/polymesh.ts';
import { rasterize } from '../../build/voxel/rasterize/rasterize.ts';
import { rebaseVolume } from '../../build/voxel/rebase.ts';
import { buildRegions } from '../../build/voxel/regions/build.ts';
import type { CompactField, ContourSet, DetailMesh, Heightfield, PolyMesh } from '../../build/voxel/types.ts';

/** Triangles of a tile in coordinates relative to the tile's offset. */
export interface StageTriangles {
  positions: Float32Array;
  indices: Int32Array;
  /** Area id per triangle after the slope test; 0: not walkable. */
  areas: Uint8Array;
  /** Index of each triangle in the level. */
  source: Int32Array;
  /** Area ids of the input; undefined: all are `AREA_GROUND`. */
  given: ArrayLike<number> | undefined;
}

/** The records of all stages of one tile. */
export interface StageRecords {
  /** Coordinates of the tile. */
  x: number;
  z: number;
  /** Configuration of the tile, border included. World position = local position + config.offset. */
  config: BakeConfig;
  triangles: StageTriangles;
  /** Solid spans after rasterization, and after the filters. */
  solid: Heightfield;
  walkable: Heightfield;
  /** Areas of `field` before and after erosion. `field.area` is after volumes, with codes above 63 for named ones. */
  compactArea: Uint8Array;
  erodedArea: Uint8Array;
  /** The compact field after the last stage that changes it. */
  field: CompactField;
  /** Volumes in local coordinates. */
  volumes: readonly AreaVolume[];
  contours: ContourSet;
  polyMesh: PolyMesh;
  detail: DetailMesh;
  /** Times of the stages in the order they ran. */
  stages: { name: string; ms: number }[];
}

/** Returns the coordinates of the tile at a world position. It may be outside the level. */
export function tileOfPlace(level: PreparedTiles, point: ArrayLike<number>): [x: number, z: number] {
  checkRecord('tileOfPlace', 'level', level, 'areas', 'the result of prepareTiles');
  for (const axis of [0, 2]) checkFinite('tileOfPlace', `point[${axis}]`, point?.[axis]);
  const { tileCells, cellSize, boundsMin, offset } = level.config;
  if (tileCells === 0) return [0, 0];
  const along = (axis: number): number =>
    Math.floor((point[axis] - offset[axis] - boundsMin[axis]) / (tileCells * cellSize));
  return [along(0), along(2)];
}

/**
 * Bakes one tile and keeps the result of every stage.
 *
 * @param level from `prepareTiles`, whole or tiled
 * @throws RangeError when the level has no such tile
 */
export function recordStages(level: PreparedTiles, x: number = 0, z: number = 0): StageRecords {
  checkRecord('recordStages', 'level', level, 'areas', 'the result of prepareTiles');
  checkFinite('recordStages', 'x', x);
  checkFinite('recordStages', 'z', z);
  const { config: whole, prepared, options } = level;
  const isTile = x >= 0 && x < whole.tileCountX && z >= 0 && z < whole.tileCountZ && x % 1 === 0 && z % 1 === 0;
  if (!isTile) {
    const limits = `integers from 0 to ${whole.tileCountX - 1} and from 0 to ${whole.tileCountZ - 1}`;
    refuse('recordStages', 'the tile', [x, z], limits);
  }
  const stages: StageRecords['stages'] = [];
  const timed = <T>(name: string, work: () => T): T => {
    const start = performance.now();
    const result = work();
    stages.push({ name, ms: performance.now() - start });
    return result;
  };
  const isTiled = level.triangles !== undefined;
  const config = isTiled ? tileConfig(whole, x, z, prepared.given !== undefined) : whole;
  const triangles = timed('slope', () => trianglesOf(level, config, x, z));

  const solid = timed('rasterize', () => {
    const field = rasterize(triangles.positions, triangles.indices, triangles.areas, config);
    if (isTiled && (options.bounds || !whole.recast)) cropToLevel(field, whole, x, z);
    return field;
  });
  const walkable: Heightfield = { ...solid, spans: solid.spans.slice() };
  timed('filter', () => {
    filterSpans(walkable, config);
    options.obstacles?.cutHoles(walkable, level.obstacles, whole, x, z);
  });
  const field = timed('compact', () => buildCompactField(walkable, config));
  const compactArea = field.area.slice();
  timed('erode', () => erodeArea(field, config.walkableRadiusCells));
  const erodedArea = field.area.slice();
  const volumes = (options.volumes?.list ?? []).map((volume) => rebaseVolume(volume, config.offset));
  timed('areas', () => {
    if (config.medianAreas) medianFilterAreas(field);
    const codes = createAreaCodes();
    for (const volume of volumes) markVolume(field, volume, codes);
    options.obstacles?.markAreas(field, level.obstacles, whole, x, z, codes);
  });
  if (config.partition === 'watershed') timed('distance', () => buildDistanceField(field));
  timed('regions', () => buildRegions(field, config, options.partition));
  const problems = { holesNotMerged: 0, contoursNotTriangulated: 0, polygonsLimited: 0 };
  const contours = timed('contours', () => buildContours(field, config, problems));
  const polyMesh = timed('polymesh', () => splitConcavePolys(buildPolyMesh(contours, config, problems), contours));
  const detail = timed('detail', () => buildDetailMesh(polyMesh, field, config, problems));
  return {
    x,
    z,
    config,
    triangles,
    solid,
    walkable,
    compactArea,
    erodedArea,
    field,
    volumes,
    contours,
    polyMesh,
    detail,
    stages,
  };
}

/** Returns the triangles of a tile, even when none is walkable. The bake would stop there. */
function trianglesOf(level: PreparedTiles, config: BakeConfig, x: number, z: number): StageTriangles {
  const { prepared, areas: all, triangles, config: whole } = level;
  const { given, indices: allIndices, offset, triangleCount } = prepared;
  const tile = x + z * whole.tileCountX - (level.firstTile ?? 0);
  const source =
    triangles === undefined
      ? Int32Array.from({ length: triangleCount }, (_, t) => t)
      : triangles.list.slice(triangles.start[tile], triangles.start[tile + 1]);
  const indices = new Int32Array(3 * source.length);
  const areas = new Uint8Array(source.length);
  for (let i = 0; i < source.length; i++) {
    for (let k = 0; k < 3; k++) indices[3 * i + k] = allIndices[3 * source[i] + k];
    areas[i] = all[source[i]];
  }
  let { positions } = prepared;
  const own = config.offset;
  if (given !== undefined && (own[0] !== offset[0] || own[2] !== offset[2])) {
    positions = new Float32Array(3 * indices.length);
    for (let i = 0; i < indices.length; i++) {
      for (let k = 0; k < 3; k++) positions[3 * i + k] = given[3 * indices[i] + k] - own[k];
      indices[i] = i;
    }
  }
  return { positions, indices, areas, source, given: prepared.areas };
}
