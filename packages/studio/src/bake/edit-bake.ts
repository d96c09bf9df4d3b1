/**
 * Bakes a level with edits. After an edit it rebuilds only the tiles that the edit touches: tiles whose area,
 * with its border, overlaps a changed volume or shape, and tiles that the user adds or removes. Links are
 * added to the mesh again.
 *
 * In: a level, build options, edits, and the last bake in the context.
 * Out: a copy of the mesh with automatic links, pruned, its report, and the tiles that were rebuilt.
 * Cost: a full bake at first, then a bake of the touched tiles and a copy of the mesh.
 * Based on: own.
 */
import { addLink, addTile, listLinks, pruneUnreachable, removeLink, removeTile } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { bakeNavMesh, buildNavMesh, buildPreparedTile, optionsFromSettings, prepareTiles } from 'navkiln/build';
import type { AreaVolume, BuildSettings, BuildReport, BuildResult, TriangleInput } from 'navkiln/build';
import { findTile } from 'navkiln/kernel';
import { partTriangles, withParts } from '../state/parts.ts';
import { hasTile } from '../state/state.ts';
import type { LevelEdits } from '../state/state.ts';
import { boundsOfPoints } from './bounds.ts';
import type { HeldBake, HeldLevel, TaskContext } from './context.ts';

/** Levels of more tiles, or of several tiles and more triangles, are baked in a pool. */
const MANY_TILES = 16;
const MANY_TRIANGLES = 20_000;

export interface EditedBake {
  navMesh: NavMesh;
  report: BuildReport;
  rebuilt: [x: number, z: number][] | undefined;
}

export async function bakeEdited(
  level: HeldLevel,
  options: BuildSettings,
  edits: LevelEdits,
  context: TaskContext,
): Promise<EditedBake> {
  const { volumes: _volumes, links: _links, ...settings } = options;
  const hasParts = edits.parts.length > 0;
  const key = JSON.stringify([level.id, settings, hasParts]);
  const own = hasParts ? withRoom(level, options) : options;
  const held = context.baked;
  if (held?.key === key && held.prepared?.triangles !== undefined) {
    const rebuilt = rebake(held, level, own, edits);
    return { navMesh: await finished(held, level), report: held.report, rebuilt };
  }
  const input = withParts(level, edits.parts);
  const { navMesh, report } = await bakeWhole(input, own, context);
  if (report.warnings.some(({ code }) => /^empty|^low/.test(code))) {
    const { explainEmpty } = await import('./explain-empty.ts');
    explainEmpty(report, input, own, navMesh);
  }
  const baked: HeldBake = {
    key,
    options: own,
    edits,
    navMesh,
    report,
    prepared: options.tileSize ? prepareTiles(input, optionsFromSettings(own)) : undefined,
  };
  const { tileCountX, tileCountZ } = report.config;
  if (edits.tiles !== undefined) {
    for (let z = 0; z < tileCountZ; z++) {
      for (let x = 0; x < tileCountX; x++) if (!hasTile(edits.tiles, x, z)) removeTileAt(navMesh, x, z);
    }
    baked.report = { ...report, counts: { ...report.counts, ...countsOf(navMesh) } };
  }
  context.baked = baked;
  return { navMesh: await finished(baked, level), report: baked.report, rebuilt: undefined };
}

/** Bakes all tiles; a large level in a pool of workers. */
async function bakeWhole(input: TriangleInput, options: BuildSettings, context: TaskContext): Promise<BuildResult> {
  const { tileSize = 0, bounds = boundsOfPoints(input.positions) } = options;
  const { polite, signal, onProgress } = context;
  const full = optionsFromSettings(options);
  if (tileSize > 0) {
    const tiles = areaOf(bounds) / (tileSize * tileSize);
    const isLarge = tiles > MANY_TILES || (tiles > 1 && (input.indices?.length ?? 0) / 3 > MANY_TRIANGLES);
    const canShare = !polite && typeof Worker !== 'undefined' && navigator.hardwareConcurrency > 1;
    const { bakeTiles } = await import('./pool.ts');
    return bakeTiles(input, { ...full, signal }, isLarge && canShare, onProgress);
  }
  return polite ? bakeNavMesh(input, { ...full, signal, onProgress }) : buildNavMesh(input, { ...full, onProgress });
}

const areaOf = ({ min, max }: NonNullable<BuildSettings['bounds']>): number => (max[0] - min[0]) * (max[2] - min[2]);

/** How far shapes may rise above a level, world units. */
const HEADROOM = 40;

/** Fixes the bounds, so that the tile grid stays the same when shapes are added or moved. */
function withRoom({ positions, indices }: HeldLevel, options: BuildSettings): BuildSettings {
  if (options.bounds !== undefined || !options.tileSize) return options;
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (const index of indices) {
    for (let k = 0; k < 3; k++) {
      min[k] = Math.min(min[k], positions[3 * index + k]);
      max[k] = Math.max(max[k], positions[3 * index + k]);
    }
  }
  max[1] += HEADROOM;
  return { ...options, bounds: { min, max } };
}

function removeTileAt(navMesh: NavMesh, x: number, z: number): void {
  const slot = findTile(navMesh, x, z);
  if (slot >= 0) removeTile(navMesh, slot);
}

function rebake(held: HeldBake, level: HeldLevel, options: BuildSettings, edits: LevelEdits): [number, number][] {
  const start = performance.now();
  const { navMesh } = held;
  const { config } = held.prepared!;
  const tiles = tilesOfChanges(held, options, edits);
  if (changedOf(held.edits.parts, edits.parts).length > 0) {
    held.prepared = prepareTiles(withParts(level, edits.parts), optionsFromSettings(options));
  }
  held.prepared = { ...held.prepared!, options: optionsFromSettings(options) };
  for (let tile = 0; tile < config.tileCountX * config.tileCountZ; tile++) {
    const x = tile % config.tileCountX;
    const z = (tile - x) / config.tileCountX;
    const isWanted = hasTile(edits.tiles, x, z);
    if (isWanted && !hasTile(held.edits.tiles, x, z)) tiles.add(tile);
    else if (!isWanted) {
      tiles.delete(tile);
      removeTileAt(navMesh, x, z);
    }
  }
  const rebuilt: [number, number][] = [];
  for (const index of [...tiles].sort((a, b) => a - b)) {
    const x = index % config.tileCountX;
    const z = (index - x) / config.tileCountX;
    const tile = buildPreparedTile(held.prepared, x, z);
    removeTileAt(navMesh, x, z);
    if (tile !== null) addTile(navMesh, tile);
    rebuilt.push([x, z]);
  }
  if (JSON.stringify(held.options.links ?? []) !== JSON.stringify(options.links ?? [])) {
    for (const ref of listLinks(navMesh)) removeLink(navMesh, ref);
    for (const link of options.links ?? []) addLink(navMesh, link);
  }
  held.options = options;
  held.edits = edits;
  held.report = {
    ...held.report,
    totalMs: performance.now() - start,
    counts: { ...held.report.counts, ...countsOf(navMesh) },
  };
  return rebuilt;
}

/** Returns the tiles that changed volumes and shapes touch, as x + z * tileCountX. */
function tilesOfChanges(held: HeldBake, options: BuildSettings, edits: LevelEdits): Set<number> {
  const tiles = new Set<number>();
  const { boundsMin, offset, cellSize, tileCells, borderCells, tileCountX, tileCountZ } = held.prepared!.config;
  const size = tileCells * cellSize;
  const reach = (borderCells + 1) * cellSize;
  const tileOf = (value: number, axis: 0 | 2, count: number): number =>
    Math.min(count, Math.max(-1, Math.floor((value - offset[axis] - boundsMin[axis]) / size)));
  const mark = (min: readonly number[], max: readonly number[]): void => {
    const lastX = Math.min(tileCountX - 1, tileOf(max[0] + reach, 0, tileCountX));
    const lastZ = Math.min(tileCountZ - 1, tileOf(max[2] + reach, 2, tileCountZ));
    for (let z = Math.max(0, tileOf(min[2] - reach, 2, tileCountZ)); z <= lastZ; z++) {
      for (let x = Math.max(0, tileOf(min[0] - reach, 0, tileCountX)); x <= lastX; x++) {
        tiles.add(x + z * tileCountX);
      }
    }
  };
  for (const volume of changedOf(held.options.volumes ?? [], options.volumes ?? [])) mark(...boxOfVolume(volume));
  for (const part of changedOf(held.edits.parts, edits.parts)) {
    const { min, max } = boundsOfPoints(partTriangles(part));
    mark(min, max);
  }
  return tiles;
}

/**
 * Returns the items of both lists between their common beginning and their common end. Order matters, because
 * later volumes overwrite earlier ones.
 */
export function changedOf<T>(before: readonly T[], after: readonly T[]): T[] {
  const isSame = (a: T, b: T): boolean => JSON.stringify(a) === JSON.stringify(b);
  let head = 0;
  while (head < before.length && head < after.length && isSame(before[head], after[head])) head++;
  let tail = 0;
  const maxTail = Math.min(before.length, after.length) - head;
  while (tail < maxTail && isSame(before[before.length - 1 - tail], after[after.length - 1 - tail])) tail++;
  return [...before.slice(head, before.length - tail), ...after.slice(head, after.length - tail)];
}

type Box = [min: number[], max: number[]];

function boxOfVolume(volume: AreaVolume): Box {
  if (volume.type === 'box') return [[...volume.min], [...volume.max]];
  if (volume.type === 'cylinder') {
    const {
      center: [x = 0, y = 0, z = 0],
      radius,
      height,
    } = volume;
    return [
      [x - radius, y, z - radius],
      [x + radius, y + height, z + radius],
    ];
  }
  const min: [number, number, number] = [Infinity, volume.minY, Infinity];
  const max: [number, number, number] = [-Infinity, volume.maxY, -Infinity];
  for (const [x, z] of volume.outline) {
    min[0] = Math.min(min[0], x!);
    max[0] = Math.max(max[0], x!);
    min[2] = Math.min(min[2], z!);
    max[2] = Math.max(max[2], z!);
  }
  return [min, max];
}

function countsOf(mesh: NavMesh): Partial<BuildReport['counts']> {
  const counts = { polygons: 0, vertices: 0, detailVertices: 0, detailTriangles: 0, tiles: 0 };
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    counts.polygons += mesh.tilePolyCount[slot];
    counts.vertices += mesh.tileVertexCount[slot];
    counts.detailVertices += mesh.tileDetailVertexCount[slot];
    counts.detailTriangles += mesh.tileDetailTriCount[slot];
    counts.tiles++;
  }
  return counts;
}

/** Returns a copy with automatic links, pruned. The kept mesh stays as it was baked. */
async function finished({ navMesh, edits: { seeds, parts, autoLinks } }: HeldBake, level: HeldLevel): Promise<NavMesh> {
  const copy =
    autoLinks === undefined
      ? structuredClone(navMesh)
      : await (await import('./auto-links.ts')).withAutoLinks(navMesh, withParts(level, parts), autoLinks);
  if (seeds.length > 0) pruneUnreachable(copy, seeds);
  return copy;
}
