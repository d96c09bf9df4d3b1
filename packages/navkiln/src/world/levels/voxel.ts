/**
 * Builds the tiles of a set of levels by the voxel bake: each tile equals that of `buildNavMesh` over all
 * levels together.
 *
 * A tile depends only on the triangles that touch it and its border, on its position, and on the grid's
 * origin. The grid therefore must not follow the levels. With `bounds` it begins at their corner, as in
 * `buildNavMesh`. Without, tile (0, 0) begins at x = z = 0, and heights count from a multiple of
 * `HEIGHT_STEP` voxels below the lowest corner. Half a step is subtracted, so that levels near height 0 do
 * not alternate between two multiples. When the multiple changes, all tiles are rebuilt.
 *
 * Positions are doubles and each tile is rebased by itself, so a level gives the same tiles at any distance
 * from the origin.
 *
 * In: levels and tile coordinates. Out: tiles.
 * Cost: that of a tile's bake; slopes are computed once per level.
 * Based on: own; the stages are those of voxel/build-tile.ts.
 */
import { none, plural } from '../../data/plural.ts';
import { refuse } from '../../data/refuse.ts';
import { SPAN_MAX_HEIGHT } from '../../constants.ts';
import { createWorkspace } from '../../data/workspace.ts';
import { bakeTile } from '../../voxel/build-tile.ts';
import { BUILD_STAGES } from '../../voxel/options.ts';
import type { Bake } from '../../voxel/build-tile.ts';
import { tileConfig } from '../../voxel/build-tile-grid.ts';
import { resolveConfig } from '../../voxel/config.ts';
import { explainFlipped, isUpsideDown, markBySlope, prepareInput } from '../../voxel/input.ts';
import type { PreparedInput } from '../../voxel/input.ts';
import type { BakeConfig, BuildOptions } from '../../voxel/options.ts';
import { rebaseOffset } from '../../voxel/rebase.ts';
import { tileSettings } from '../../voxel/tile.ts';
import type { LevelBuilder, LevelPart, LevelWarning, PreparedLevel, WorldTriangles } from './builder.ts';

/** Distance between possible first rows, in voxels: an eighth of all rows. */
const HEIGHT_STEP = 1024;

/** The heights of all rows must be float32 numbers. */
const MOST_CELL_HEIGHT = 1e30;

/** Creates a builder of voxel tiles. Throws for unknown or invalid options. @internal */
export function createVoxelBuilder(options: BuildOptions): LevelBuilder {
  const nothing = { positions: new Float64Array(0), indices: new Uint32Array(0) };
  const { bounds, strict = false } = options;
  let config = resolveConfig(
    prepareInput(nothing, bounds),
    bounds === undefined ? { ...options, bounds: ORIGIN } : options,
  );
  const { cellSize, cellHeight, borderCells, tileCountX, tileCountZ } = config;
  if (!(cellHeight < MOST_CELL_HEIGHT))
    refuse('createLevelSet', 'options.cellHeight', cellHeight, `< ${MOST_CELL_HEIGHT}`);
  const workspace = options.workspace ?? createWorkspace();
  if (bounds === undefined) config = withHeights(config, -HEIGHT_STEP / 2);
  const report = (list: LevelWarning[], warning: LevelWarning): void => {
    if (strict) throw new Error(`levels: ${warning.message} (${warning.code}, ${warning.count})`);
    list.push(warning);
  };
  const builder: LevelBuilder = {
    settings: tileSettings(config),
    // One cell more, against rounding.
    reach: (borderCells + 1) * cellSize,
    range: bounds === undefined ? undefined : [0, tileCountX - 1, 0, tileCountZ - 1],
    prepareLevel: (level) => prepareLevel(level, options, config.maxSlopeDegrees, report),
    fitHeight(minY, maxY) {
      const warnings: LevelWarning[] = [];
      let isMoved = false;
      if (bounds === undefined && minY < Infinity) {
        const step = HEIGHT_STEP * cellHeight;
        const row = Math.floor(minY / step + 0.5) * HEIGHT_STEP - HEIGHT_STEP / 2;
        const before = config.boundsMin[1] + config.offset[1];
        config = withHeights(config, row);
        isMoved = config.boundsMin[1] + config.offset[1] !== before;
        const rows = Math.ceil((maxY - row * cellHeight) / cellHeight);
        if (rows > SPAN_MAX_HEIGHT) {
          const remedy = ((maxY - minY) / (SPAN_MAX_HEIGHT - HEIGHT_STEP)).toPrecision(3);
          report(warnings, {
            code: 'height-clamped',
            stage: 'input',
            count: rows - SPAN_MAX_HEIGHT,
            where: {},
            message:
              `the levels together are ${rows} cells high, of which ${SPAN_MAX_HEIGHT} are kept; ` +
              `use a cellHeight of at least ${remedy}`,
          });
        }
        builder.settings = tileSettings(config);
      }
      return { isMoved, warnings };
    },
    buildTile(x, z, parts) {
      const warnings: LevelWarning[] = [];
      const counts = {
        triangles: 0,
        walkableTriangles: 0,
        columns: 0,
        spans: 0,
        walkableSpans: 0,
        regions: 0,
        contours: 0,
        polygons: 0,
        vertices: 0,
        detailVertices: 0,
        detailTriangles: 0,
        tiles: 0,
      };
      const bake: Bake = {
        options,
        workspace,
        counts,
        stage: BUILD_STAGES[0],
        emptyStage: 0,
        warn(code, count, say) {
          if (count > 0)
            report(warnings, { code, stage: bake.stage, count, message: say(count), where: { tile: [x, z] } });
        },
      };
      const triangles = gatherParts(parts, tileConfig(config, x, z, true).offset);
      const { prepared, areas } = triangles;
      const count = prepared.triangleCount;
      const list = Int32Array.from({ length: count }, (_, i) => i);
      const steps = bakeTile(
        bake,
        {
          options,
          config,
          prepared,
          areas,
          walkableCount: count,
          triangles: { start: Int32Array.of(0, count), list },
          firstTile: x + z * config.tileCountX,
        },
        x,
        z,
      );
      for (;;) {
        const step = steps.next();
        if (step.done === true) return { tile: step.value ?? null, warnings };
        bake.stage = step.value;
      }
    },
  };
  return builder;
}

const ORIGIN = { min: [0, 0, 0], max: [0, 0, 0] };

/** Returns the config with heights that count from a row, up to the greatest height of a span. */
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
  { bounds }: BuildOptions,
  maxSlopeDegrees: number,
  report: (list: LevelWarning[], warning: LevelWarning) => void,
): PreparedLevel {
  const warnings: LevelWarning[] = [];
  const prepared = prepareInput(level, bounds);
  const { areas, walkableCount, flat } = markBySlope(prepared, maxSlopeDegrees);
  const { triangleCount, invalidCount, firstInvalid, degenerateCount, firstDegenerate, min, max, offset } = prepared;
  const warn = (code: LevelWarning['code'], count: number, triangle: number | undefined, message: string): void => {
    if (count > 0) {
      const where = triangle === undefined ? {} : { triangle };
      report(warnings, { code, stage: code === 'invalid-positions' ? 'input' : 'slope', count, message, where });
    }
  };
  warn(
    'invalid-positions',
    invalidCount,
    firstInvalid,
    `${plural(invalidCount, 'triangle')} with an infinite or NaN corner left out; the first is triangle ${firstInvalid}`,
  );
  warn(
    'degenerate-triangles',
    degenerateCount,
    firstDegenerate,
    `${plural(degenerateCount, 'triangle has', 'triangles have')} no area; the first is triangle ${firstDegenerate}`,
  );
  // A level may consist of walls alone. Triangles that are walkable only from below indicate a wrong winding.
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
  offset: readonly [number, number, number],
): { prepared: PreparedInput; areas: Uint8Array } {
  let triangleCount = 0;
  for (const part of parts) triangleCount += part.to - part.from;
  const positions = new Float32Array(9 * triangleCount);
  const areas = new Uint8Array(triangleCount);
  const indices = new Uint32Array(3 * triangleCount);
  const [ox, oy, oz] = offset;
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
  const prepared: PreparedInput = {
    // Converted from doubles, relative to the tile's offset.
    positions,
    given: positions,
    offset,
    min: offset,
    max: offset,
    indices,
    triangleCount,
    areas: undefined,
    invalidCount: 0,
    firstInvalid: -1,
    degenerateCount: 0,
    firstDegenerate: -1,
  };
  return { prepared, areas };
}
