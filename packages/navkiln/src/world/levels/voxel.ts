/**
 * Builds the tiles of a world by the voxel bake. Each tile equals that of `buildNavMesh` over all levels and obstacles
 * together.
 *
 * A tile depends only on the triangles that touch it and its border, on its position, and on the grid's origin. The
 * grid therefore must not follow the levels. With `bounds` it begins at their corner, as in `buildNavMesh`. Without
 * `bounds`, tile (0, 0) begins at x = z = 0, and heights count from a multiple of `HEIGHT_STEP` voxels below the lowest
 * corner. Half a step is subtracted, so that levels near height 0 do not alternate between two multiples. When the
 * multiple changes, all tiles are rebuilt.
 *
 * Positions are doubles, and each tile has its own origin, so a level gives the same tiles at any distance from the
 * world's origin.
 *
 * In: levels and tile coordinates. Out: tiles.
 * Cost: the bake of a tile; slopes are computed once per level.
 * Based on: own; the stages are those of build/voxel/build-tile.ts.
 */
import { none, plural } from '../../base/data/plural.ts';
import { refuse } from '../../base/data/refuse.ts';
import { SPAN_MAX_HEIGHT } from '../../base/constants.ts';
import { createWorkspace } from '../../base/data/workspace.ts';
import { bakeEroded, bakeSolid, beginStage, emptyCounts } from '../../build/voxel/build-tile.ts';
import type { Bake } from '../../build/voxel/build-tile.ts';
import { cropToLevel, tileConfig } from '../../build/voxel/build-tile-grid.ts';
import { buildCompactField } from '../../build/voxel/field/compact.ts';
import { resolveConfig } from '../../build/voxel/config.ts';
import { filterSpans } from '../../build/voxel/field/filter.ts';
import {
  explainCoarseInput,
  explainFlipped,
  isUpsideDown,
  markBySlope,
  prepareInput,
} from '../../build/voxel/input.ts';
import { packSpans, unpackSpans } from '../../build/voxel/obstacles/layers.ts';
import { BUILD_STAGES } from '../../build/voxel/options.ts';
import type { BakeConfig } from '../../build/voxel/bake-config.ts';
import type { BuildOptions, LaidSpans, Stage } from '../../build/voxel/options.ts';
import { rasterize } from '../../build/voxel/rasterize/rasterize.ts';
import { rebaseOffset } from '../../build/voxel/rebase.ts';
import { tileSettings } from '../../build/voxel/tile.ts';
import type { CompactField, Heightfield } from '../../build/voxel/types.ts';
import type { TileData } from '../../mesh/types.ts';
import { runAll } from '../../build/voxel/prepare.ts';
import { settingsOf } from '../../build/voxel/plain-options.ts';
import type { BuildSettings } from '../../build/voxel/plain-options.ts';
import { classesOf } from '../../build/voxel/sizes/rasterize.ts';
import type {
  BuiltTile,
  LevelBuilder,
  LevelPart,
  LevelWarning,
  PreparedLevel,
  TileCarving,
  WorldTriangles,
} from './builder.ts';
import type { KeptTiles, VoxelCarver } from './recarve.ts';

/** Distance between possible first rows, in voxels: an eighth of all rows. */
const HEIGHT_STEP = 1024;

/** The heights of all rows must be float32 numbers. */
const MOST_CELL_HEIGHT = 1e30;

/**
 * Creates a builder of voxel tiles. Throws for unknown or invalid options.
 *
 * @param isMoved whether each tile has an offset of its own; false for the tiles of a level in float32
 * @param keepsFields whether to keep the fields of tiles for the next change of their obstacles
 * @param carver carves obstacles; `addObstacle` sets it otherwise
 * @internal
 */
export function createVoxelBuilder(
  options: BuildOptions,
  isMoved: boolean = true,
  keepsFields: boolean = true,
  carver?: VoxelCarver,
): LevelBuilder {
  const positions = isMoved ? new Float64Array(0) : new Float32Array(0);
  const nothing = { positions, indices: new Uint32Array(0) };
  const { bounds, strict = false } = options;
  let config = resolveConfig(
    prepareInput(nothing, bounds),
    bounds === undefined ? { ...options, bounds: ORIGIN } : options,
  );
  const { cellSize, cellHeight, borderCells, tileCountX, tileCountZ } = config;
  const classCount = classCountOf(config);
  if (!(cellHeight < MOST_CELL_HEIGHT))
    refuse('createWorld', 'options.cellHeight', cellHeight, `< ${MOST_CELL_HEIGHT}`);
  const workspace = options.workspace ?? createWorkspace();
  let kept: KeptTiles | undefined;
  if (bounds === undefined) config = withHeights(config, -HEIGHT_STEP / 2);
  const report = (list: LevelWarning[], warning: LevelWarning): void => {
    if (strict) throw new Error(`levels: ${warning.message} (${warning.code}, ${warning.count})`);
    list.push(warning);
  };
  const builder: LevelBuilder = {
    settings: tileSettings(config),
    // One additional cell covers rounding.
    reach: (borderCells + 1) * cellSize,
    range: bounds === undefined ? undefined : [0, tileCountX - 1, 0, tileCountZ - 1],
    extent: bounds === undefined ? undefined : [bounds.min[0], bounds.min[2], bounds.max[0], bounds.max[2]],
    canCarve: true,
    carver,
    workerSetup: workerSetup(options, isMoved),
    checkLayers(packed, x, z) {
      const { widthCells, depthCells } = tileConfig(config, x, z, isMoved);
      unpackSpans(packed, new Int32Array(widthCells * depthCells + 1), classCount);
      if (x < 0 || x >= tileCountX || z < 0 || z >= tileCountZ)
        throw new Error('the layers of a tile are damaged: it is out of bounds');
    },
    prepareLevel: (level) => prepareLevel(level, options, config, report),
    fitHeight(minY, maxY) {
      const warnings: LevelWarning[] = [];
      let isRowMoved = false;
      if (bounds === undefined && minY < Infinity) {
        const step = HEIGHT_STEP * cellHeight;
        const row = Math.floor(minY / step + 0.5) * HEIGHT_STEP - HEIGHT_STEP / 2;
        const before = config.boundsMin[1] + config.offset[1];
        config = withHeights(config, row);
        isRowMoved = config.boundsMin[1] + config.offset[1] !== before;
        const rows = Math.ceil((maxY - row * cellHeight) / cellHeight);
        if (rows > SPAN_MAX_HEIGHT) {
          const remedy = ((maxY - minY) / (SPAN_MAX_HEIGHT - HEIGHT_STEP)).toPrecision(3);
          report(warnings, {
            code: 'height-clamped',
            stage: 'input',
            count: rows - SPAN_MAX_HEIGHT,
            where: {},
            message:
              `the levels are ${rows} cells high, of which ${SPAN_MAX_HEIGHT} are kept; ` +
              `use a cellHeight of at least ${remedy}`,
          });
        }
        builder.settings = tileSettings(config);
      }
      return { isMoved: isRowMoved, warnings };
    },
    buildTile: (x, z, parts, carving) => runAll(buildSteps(x, z, parts, carving)),
    // Other bakes may need the caller's workspace before a tile is continued.
    buildSteps: options.workspace === undefined ? buildSteps : undefined,
  };
  function* buildSteps(
    x: number,
    z: number,
    parts: readonly LevelPart[],
    carving: TileCarving,
  ): Generator<string, BuiltTile> {
    const warnings: LevelWarning[] = [];
    const bake: Bake = {
      options,
      workspace,
      counts: emptyCounts(),
      stage: BUILD_STAGES[0],
      emptyStage: 0,
      warn(code, count, say) {
        if (count > 0)
          report(warnings, { code, stage: bake.stage, count, message: say(count), where: { tile: [x, z] } });
      },
    };
    const place = { x, z, config: tileConfig(config, x, z, isMoved) };
    const { obstacles } = carving;
    const own = builder.carver as VoxelCarver | undefined;
    const level = { options: { ...options, obstacles: own?.carvingOf(obstacles) }, config, obstacles };
    const { layers } = carving;
    const lay = (): LaidTile | null => layTile(bake, config, place, parts, carving);
    if (layers === undefined || !keepsFields || own?.canCutField(config) !== true) {
      yield 'tile';
      const laid = lay();
      if (laid === null) return { tile: null, warnings };
      const tile = yield* stagesOfTile(bake, bakeSolid(bake, level, { ...place, ...laid.spans }));
      return { tile, warnings, layers: laid.layers };
    }
    const makeField = (): CompactField => {
      const { solid } = lay()!.spans;
      beginStage(bake, 'filter');
      filterSpans(solid, place.config);
      beginStage(bake, 'compact');
      return buildCompactField(solid, place.config, workspace);
    };
    return yield* own.recarveTile(
      (kept ??= own.createKeptTiles()),
      { x, z, level: config, layers, obstacles },
      workspace,
      makeField,
      function* (field) {
        return { tile: yield* stagesOfTile(bake, bakeEroded(bake, level, { ...place, field })), warnings, layers };
      },
    );
  }
  return builder;
}

/** What a worker needs to create the same builder. */
export interface VoxelSetup {
  options: BuildSettings;
  isMoved: boolean;
}

/** Leaves out options that cannot be sent to a worker, and those that tiles do not depend on. */
function workerSetup(options: BuildOptions, isMoved: boolean): VoxelSetup {
  const { workspace: _, onProgress: __, links: ___, autoLinks: ____, ...rest } = options;
  return { options: settingsOf(rest), isMoved };
}

/**
 * Runs the stages of a tile. Yields the name of each stage before it runs. Returns the tile's data; null: nothing is
 * walkable.
 */
function* stagesOfTile(bake: Bake, steps: Generator<Stage, TileData | undefined>): Generator<Stage, TileData | null> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value ?? null;
    bake.stage = step.value;
    yield step.value;
  }
}

/** The solid spans of a tile, and the packed spans of its levels. */
interface LaidTile {
  spans: LaidSpans;
  layers: Uint8Array<ArrayBuffer>;
}

/**
 * Returns the solid spans of a tile with the added surfaces, and the packed spans of its levels; null when nothing is
 * walkable. The levels are rasterized only if there are no packed spans.
 */
function layTile(
  { options, workspace }: Bake,
  config: BakeConfig,
  { x, z, config: own }: { x: number; z: number; config: BakeConfig },
  parts: readonly LevelPart[],
  { surfaces, layers: known, base }: TileCarving,
): LaidTile | null {
  const { widthCells: width, depthCells: depth, cellSize, cellHeight, boundsMin, boundsMax } = own;
  const size = { width, depth, cellSize, cellHeight, boundsMin, boundsMax };
  const unpack = (packed: Uint8Array<ArrayBuffer>): LaidSpans => {
    const { classes, ...spans } = unpackSpans(packed, new Int32Array(width * depth + 1), classCountOf(own));
    const solid = { ...size, ...spans };
    return classes === undefined ? { solid } : { solid, classes };
  };
  const add = (more: readonly LevelPart[], below?: Uint8Array<ArrayBuffer>): LaidSpans | null => {
    const { positions, indices, areas } = gatherParts(more, own.offset);
    if (below === undefined && surfaces.length === 0 && areas.every((area) => area === 0)) return null;
    const from = below === undefined ? undefined : unpack(below);
    if (from !== undefined && areas.length === 0) return from;
    const lay = (ids: Uint8Array, ownClass: BakeConfig, k: number): Heightfield => {
      const spans = from?.classes?.[k];
      const under = spans === undefined ? from?.solid : { ...from!.solid, spans };
      const solid = rasterize(positions, indices, ids, ownClass, workspace, under);
      if (options.bounds !== undefined) cropToLevel(solid, config, x, z);
      return solid;
    };
    return options.sizes?.rasterize(areas, own, lay, from === undefined) ?? { solid: lay(areas, own, 0) };
  };
  if (known !== undefined) return { spans: add(surfaces, known)!, layers: known };
  const spans = add(parts, base);
  if (spans === null) return null;
  const layers = packSpans(spans);
  return { spans: surfaces.length === 0 ? spans : add(surfaces, layers)!, layers };
}

/** Returns the number of classes of spans by slope and climb. */
function classCountOf(config: BakeConfig): number {
  return Math.max(1, classesOf(config).classes.length);
}

const ORIGIN = { min: [0, 0, 0], max: [0, 0, 0] };

/** Returns the config with heights relative to a row, up to the largest height of a span. */
function withHeights(config: BakeConfig, row: number): BakeConfig {
  const { cellHeight } = config;
  const min = row * cellHeight;
  const max = min + SPAN_MAX_HEIGHT * cellHeight;
  const offset = rebaseOffset({ min: [0, min, 0], max: [0, max, 0] });
  return {
    ...config,
    offset,
    boundsMin: [0, Math.fround(min - offset[1]), 0],
    boundsMax: [0, Math.fround(max - offset[1]), 0],
  };
}

function prepareLevel(
  level: WorldTriangles,
  { bounds, sizes }: BuildOptions,
  config: BakeConfig,
  report: (list: LevelWarning[], warning: LevelWarning) => void,
): PreparedLevel {
  const warnings: LevelWarning[] = [];
  const prepared = prepareInput(level, bounds);
  const { areas, walkableCount, flat } = markBySlope(prepared, config.maxSlopeDegrees);
  // A copy, because problems have already been counted.
  sizes?.mark(config, areas, (slope) => markBySlope({ ...prepared }, slope).areas);
  const { triangleCount, invalidCount, firstInvalid, degenerateCount, firstDegenerate, min, max, offset } = prepared;
  const warn = (code: LevelWarning['code'], count: number, triangle: number | undefined, message: string): void => {
    if (count > 0) {
      const where = triangle === undefined ? {} : { triangle };
      report(warnings, { code, stage: code.endsWith('-positions') ? 'input' : 'slope', count, message, where });
    }
  };
  warn(
    'invalid-positions',
    invalidCount,
    firstInvalid,
    `${plural(invalidCount, 'triangle')} with an infinite or NaN corner left out; the first is triangle ${firstInvalid}`,
  );
  const coarse = explainCoarseInput(prepared, config);
  if (coarse !== undefined) warn('coarse-positions', 1, undefined, coarse);
  warn(
    'degenerate-triangles',
    degenerateCount,
    firstDegenerate,
    `${plural(degenerateCount, 'triangle has', 'triangles have')} no area; the first is triangle ${firstDegenerate}`,
  );
  // A level may consist only of walls. Triangles that are walkable only from below indicate a wrong winding.
  if (isUpsideDown(flat)) {
    const message = explainFlipped(flat.downCount, flat);
    if (walkableCount > 0) warn('flipped-winding', flat.downCount, undefined, message);
    else {
      const whole = `${none(triangleCount, 'triangle')} is walkable: ${message}`;
      warn('no-walkable-triangles', triangleCount, undefined, whole);
    }
  }
  const isEmpty = triangleCount === 0;
  return {
    indices: prepared.indices,
    areas,
    warnings,
    minY: isEmpty ? Infinity : min[1] + offset[1],
    maxY: isEmpty ? -Infinity : max[1] + offset[1],
  };
}

/** Joins the triangles of all parts, as float32 relative to the tile's offset. */
function gatherParts(
  parts: readonly LevelPart[],
  [ox, oy, oz]: readonly [number, number, number],
): { positions: Float32Array; indices: Uint32Array; areas: Uint8Array } {
  let triangleCount = 0;
  for (const part of parts) triangleCount += part.to - part.from;
  const positions = new Float32Array(9 * triangleCount);
  const areas = new Uint8Array(triangleCount);
  const indices = new Uint32Array(3 * triangleCount);
  let t = 0;
  for (const part of parts) {
    const { list, to } = part;
    for (let i = part.from; i < to; i++, t++) {
      areas[t] = part.areas[list[i]];
      for (let k = 0; k < 3; k++) {
        const from = 3 * part.indices[3 * list[i] + k];
        const at = 9 * t + 3 * k;
        positions[at] = part.positions[from] - ox;
        positions[at + 1] = part.positions[from + 1] - oy;
        positions[at + 2] = part.positions[from + 2] - oz;
        indices[3 * t + k] = 3 * t + k;
      }
    }
  }
  return { positions, indices, areas };
}
