/**
 * Measures how much surface of a level each stage of a bake keeps, on a sample of its tiles.
 *
 * Runs the stages from rasterization to erosion of the bake, and then measures the connected pieces. Of large levels, tiles are sampled
 * that lie evenly over the grid. They have the cells of the bake, because erosion in coarser cells would remove more.
 *
 * In: triangles and options of a bake. Out: square units that are left after each stage.
 * Cost: a pass over the triangles, and the stages for at most a quarter of a million columns.
 * Based on: own.
 */
import { findLostPlace, walkableSpans } from './lost-place.ts';
import type { LostPlace } from './lost-place.ts';
import { boxOfLevel } from './sizes.ts';
import { rootOf, unite } from '../../base/data/union-find.ts';
import type { BakeConfig } from '../../build/voxel/bake-config.ts';
import { rasterizeTile } from '../../build/voxel/build-tile.ts';
import { buildCompactField } from '../../build/voxel/field/compact.ts';
import { erodeArea } from '../../build/voxel/field/erode.ts';
import { filterSpans } from '../../build/voxel/field/filter.ts';
import type { BuildOptions, TriangleInput } from '../../build/voxel/options.ts';
import { createBake, prepareSteps, runAll } from '../../build/voxel/prepare.ts';
import { createWorkspace } from '../../base/data/workspace.ts';
import type { CompactField, Heightfield } from '../../build/voxel/types.ts';

/** Square units of walkable surface that are left after each stage. */
export interface StageAreas {
  /** Flat enough. */
  slope: number;
  /** Below no ceiling that is lower than the agent. */
  headroom: number;
  /** Not next to a drop. */
  ledges: number;
  /** Farther from walls and drops than the radius. */
  radius: number;
  /** In pieces that are large enough: what the mesh covers. */
  pieces: number;
  /** Where most is lost: a position on the surface, in the square of eight cells that loses most. */
  lostAt?: [number, number, number];
}

/** Options of the bake that change the measures. */
export type TrialOptions = Pick<
  BuildOptions,
  | 'agent'
  | 'cellSize'
  | 'cellHeight'
  | 'regionMinArea'
  | 'filterLedges'
  | 'filterLowCeilings'
  | 'filterLowHangingObstacles'
  | 'bounds'
>;

/** Most columns of a trial; larger levels are sampled in tiles. */
const TRIAL_COLUMNS = 1 << 18;
const TILE_CELLS = 64;
const MOST_TILE_CELLS = 1024;
/** Most tiles of a grid that are sampled. */
const MOST_TILES = 1 << 20;

/** Returns the areas that stages leave. Undefined: the level is too large for a trial with these cells. */
export function measureStages(input: TriangleInput, options: TrialOptions): StageAreas | undefined {
  const areas: StageAreas = { slope: 0, headroom: 0, ledges: 0, radius: 0, pieces: 0 };
  const plan = planTrial(input, options);
  if (plan === undefined) return undefined;
  const bake = createBake('diagnoseBake', plan, createWorkspace());
  const level = runAll(prepareSteps(bake, input));
  const { tileCountX, tileCountZ } = level.config;
  const { triangles } = level;
  const tiles: number[] = [];
  for (let tile = 0; tile < tileCountX * tileCountZ; tile++)
    if (triangles === undefined || triangles.start[tile + 1] > triangles.start[tile]) tiles.push(tile);
  const side = TILE_CELLS + 2 * level.config.borderCells;
  const wanted = triangles === undefined ? 1 : Math.max(4, Math.floor(TRIAL_COLUMNS / (side * side)));
  const count = Math.min(wanted, tiles.length);
  let most = 0;
  for (let k = 0; k < count; k++) {
    const tile = tiles[Math.floor(((k + 0.5) * tiles.length) / count)];
    const x = tile % tileCountX;
    const laid = rasterizeTile(bake, level, x, (tile - x) / tileCountX);
    const lost = laid && addTile(areas, laid.solid, laid.config, tiles.length / count);
    if (lost === undefined || lost.count <= most) continue;
    most = lost.count;
    areas.lostAt = lost.position;
  }
  return areas;
}

/** Returns the options of a trial bake: in tiles if the level is large. */
function planTrial(input: TriangleInput, options: TrialOptions): BuildOptions | undefined {
  const { agent, cellSize, cellHeight, regionMinArea, bounds } = options;
  const { filterLedges, filterLowCeilings, filterLowHangingObstacles } = options;
  const given = { agent, cellSize, cellHeight, regionMinArea, bounds, filterLedges, filterLowCeilings };
  const all: BuildOptions = { ...given, filterLowHangingObstacles };
  const radius = agent?.radius ?? 0.4;
  const cell = cellSize ?? (radius > 0 ? radius / 2 : (agent?.height ?? 1.8) / 10);
  const { min, max } = boxOfLevel(input);
  const columns = Math.max(1, (max[0] - min[0]) / cell) * Math.max(1, (max[2] - min[2]) / cell);
  if (!(columns / (TILE_CELLS * TILE_CELLS) < MOST_TILES)) return undefined;
  if (columns <= TRIAL_COLUMNS) return all;
  const least = Math.ceil(radius / cell) + 9;
  if (least > MOST_TILE_CELLS) return undefined;
  return { ...all, tileSize: Math.max(TILE_CELLS, least) * cell };
}

/** Adds the areas of a tile, times `weight`. Returns where most is lost. */
function addTile(areas: StageAreas, solid: Heightfield, config: BakeConfig, weight: number): LostPlace | undefined {
  const unit = weight * config.cellSize * config.cellSize;
  areas.slope += unit * countSpans(solid, config);
  const flat = walkableSpans(solid, config);
  const low: Heightfield = { ...solid, spans: solid.spans.slice() };
  filterSpans(low, { ...config, filterLedges: false });
  areas.headroom += unit * countSpans(low, config);
  filterSpans(solid, config);
  areas.ledges += unit * countSpans(solid, config);
  const field = buildCompactField(solid, config);
  erodeArea(field, config.walkableRadiusCells);
  const { all, large } = countPieces(field, config.regionMinAreaCells);
  areas.radius += unit * all;
  areas.pieces += unit * large;
  return findLostPlace(flat, field, config);
}

/** Returns the number of walkable spans, borders left out. */
function countSpans({ width, depth, columnStart, spans }: Heightfield, { borderCells: border }: BakeConfig): number {
  let count = 0;
  for (let z = border; z < depth - border; z++) {
    for (let i = columnStart[border + z * width]; i < columnStart[width - border + z * width]; i++)
      if (spans[i] >>> 26 !== 0) count++;
  }
  return count;
}

/** Counts the spans that are left, and those of pieces that are not dropped. Pieces at the border of a tile are kept. */
function countPieces(field: CompactField, minCells: number): { all: number; large: number } {
  const { width, depth, columnStart, spanCount, area, neighbor, borderCells: border } = field;
  const parent = new Int32Array(spanCount);
  for (let i = 0; i < spanCount; i++) parent[i] = i;
  for (let i = 0; i < spanCount; i++) {
    if (area[i] === 0) continue;
    for (let k = 4 * i; k < 4 * i + 4; k++)
      if (neighbor[k] >= 0 && area[neighbor[k]] !== 0) unite(parent, i, neighbor[k]);
  }
  const cells = new Int32Array(spanCount);
  const isKept = new Uint8Array(spanCount);
  for (let z = 0; z < depth; z++) {
    for (let x = 0; x < width; x++) {
      const isInside = x >= border && x < width - border && z >= border && z < depth - border;
      for (let i = columnStart[x + z * width]; i < columnStart[x + z * width + 1]; i++) {
        if (area[i] === 0) continue;
        const root = rootOf(parent, i);
        if (isInside) cells[root]++;
        else isKept[root] = 1;
      }
    }
  }
  let all = 0;
  let large = 0;
  for (let i = 0; i < spanCount; i++) {
    all += cells[i];
    if (cells[i] >= minCells || isKept[i] === 1) large += cells[i];
  }
  return { all, large };
}
