/**
 * Checks the files of a plan that were read from a store. Their names are hashes of their content, which anybody can compute, so every
 * number is checked before it is used.
 *
 * In: parsed JSON of any content. Out: an error that describes the problem, or nothing.
 * Cost: linear.
 * Based on: own.
 */
import { AREA_COUNT, MAX_VERTICES_PER_POLY, SPAN_MAX_HEIGHT } from '../../../base/constants.ts';
import { leastBytes } from '../../../build/voxel/config.ts';
import type { PlacedObstacle } from '../../../build/voxel/options.ts';
import { optionsFromSent } from '../../../build/voxel/sent-options.ts';
import type { TileRow } from '../../worker/tile-row.ts';
import { checkHead, emptyTiles, isContentKey } from '../manifest.ts';
import type { PlanPart, PublicationPlan } from './types.ts';

/** Largest number of tiles of a world, and of bytes that the bake of a tile may take. */
const MAX_TILES = 2 ** 20;
const MAX_TILE_BYTES = 2 ** 32;

function isWhole(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Returns whether a value is a list of finite numbers. */
function areNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((number) => Number.isFinite(number));
}

function areTiles(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((number) => isWhole(number, 0, MAX_TILES * MAX_TILES));
}

function areKeys(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isContentKey);
}

/** Throws an Error for a plan that `planPublication` has not written. */
export function checkPlanFile(plan: PublicationPlan): void {
  const expect = (isGood: boolean, field: string): void => {
    if (!isGood) throw new Error(`its ${field} is not possible`);
  };
  const { sequence, head, tiles, plannedTiles, chunks, parts, setup, warnings, routes } = plan;
  for (const [field, value] of Object.entries({ tiles, plannedTiles, chunks }))
    expect(isWhole(value, 0, MAX_TILES), field);
  expect(areKeys(parts), 'parts');
  expect(Array.isArray(warnings) && warnings.every(isRecord), 'warnings');
  expect(routes === undefined || routes === true, 'routes');
  expect(isRecord(head), 'head');
  checkHead({ ...head, sequence, tiles: emptyTiles() });
  expect(isRecord(setup) && setup.kind === 'chunks' && isRecord(setup.options), 'setup');
  const { options, config, obstacles } = setup;
  expect(Array.isArray(obstacles), 'setup.obstacles');
  for (const obstacle of obstacles) expect(isObstacle(obstacle), 'setup.obstacles');
  expect(Array.isArray(options.volumes ?? []), 'setup.options.volumes');
  optionsFromSent(options);
  expect(isRecord(config), 'setup.config');
  for (const [field, value] of Object.entries(config)) {
    const isTriple = areNumbers(value) && value.length === 3;
    const isOther = typeof value === 'boolean' || field === 'agent' || field === 'partition' || field === 'sizes';
    expect((Number.isFinite(value) && (value as number) >= 0) || isTriple || isOther, `setup.config.${field}`);
  }
  const { tileCells, borderCells, tileCountX, tileCountZ } = config;
  expect(['watershed', 'monotone', 'layers'].includes(config.partition), 'setup.config.partition');
  for (const field of ['boundsMin', 'boundsMax', 'offset'] as const)
    expect(areNumbers(config[field]), `setup.config.${field}`);
  expect(isWhole(config.maxVerticesPerPoly, 3, MAX_VERTICES_PER_POLY), 'setup.config.maxVerticesPerPoly');
  for (const field of ['walkableHeightCells', 'walkableClimbCells'] as const)
    expect(isWhole(config[field], 0, SPAN_MAX_HEIGHT), `setup.config.${field}`);
  expect(isWhole(config.walkableRadiusCells, 0, borderCells), 'setup.config.walkableRadiusCells');
  const side = tileCells + 2 * borderCells;
  expect(tileCells > 0 && side % 1 === 0 && leastBytes(side, side) <= MAX_TILE_BYTES, 'setup.config.tileCells');
  expect(tileCountX === head.countX && tileCountZ === head.countZ, 'setup.config.tileCountX');
  const { cellSize, cellHeight } = config;
  expect(cellSize > 0 && cellHeight > 0, 'setup.config.cellSize');
}

function isObstacle(obstacle: PlacedObstacle | null): boolean {
  const { effect, area, isPrism, shape, positions, indices, bounds } = obstacle ?? ({} as Partial<PlacedObstacle>);
  if (!areNumbers(shape) || !areNumbers(positions) || !areNumbers(indices) || !areNumbers(bounds)) return false;
  const vertexCount = positions.length / 3;
  return (
    ['hole', 'area', 'surface'].includes(effect!) &&
    isWhole(area, 0, AREA_COUNT - 1) &&
    typeof isPrism === 'boolean' &&
    vertexCount % 1 === 0 &&
    indices.length % 3 === 0 &&
    indices.every((vertex) => isWhole(vertex, 0, vertexCount - 1)) &&
    bounds.length === 6
  );
}

/** Returns whether a value is a part of a plan. */
export function isPart({ tiles, chunks }: Partial<PlanPart>): boolean {
  return (
    areTiles(tiles?.number) &&
    areKeys(tiles?.key) &&
    tiles!.key.length === tiles!.number.length &&
    Array.isArray(chunks) &&
    chunks.every((chunk) => isContentKey(chunk?.key) && areTiles(chunk.tiles))
  );
}

/** Returns whether a value is a list of the rows of a chunk. */
export function areRows(value: unknown): value is TileRow[] {
  const isRow = (row: Partial<TileRow> | null): boolean =>
    isWhole(row?.bytes, 1, 2 ** 31) && isWhole(row!.polys, 0, 2 ** 16) && areNumbers([row!.minY, row!.maxY]);
  return Array.isArray(value) && value.every(isRow);
}
