/**
 * Builds a path index, at once or in slices.
 *
 * Steps: vertices of portal ends, corners, cones corner by corner, graph of corners, table row by row. Each step is a loop that a
 * sliced build leaves after a number of corners.
 *
 * In: a mesh, limits.
 * Out: a path index.
 * Cost: 20 to 90 us a polygon for corners, cones and graph; the table is quadratic in the corners.
 * Based on: own; see the files of build/.
 */
import { checkKeys, refuse } from '../data/refuse.ts';
import type { NavMesh } from '../navmesh/types.ts';
import { createCones, spreadCones } from './build/cones.ts';
import type { Cones } from './build/cones.ts';
import { joinCorners } from './build/graph.ts';
import { sortIntoGrid } from './build/grid.ts';
import { addHub, createLabelState, packLabels } from './build/labels.ts';
import type { LabelState } from './build/labels.ts';
import { packCones } from './build/pack.ts';
import { findPortalEnds } from './build/portal-ends.ts';
import { findSectors } from './build/sectors.ts';
import type { Ground, Sectors } from './build/sectors.ts';
import { createRowState, createTable, fillRow, tableEntryBytes } from './build/table.ts';
import type { RowState } from './build/table.ts';
import { emptyPathIndex } from './types.ts';
import type { PathIndex, PathIndexReason, PathIndexTier } from './types.ts';
import { stampMesh } from './identity.ts';

export interface PathIndexOptions {
  /** Most bytes that the index may take, above 0. Default: 64 MB (67,108,864). */
  maxBytes?: number;
  /** The tier to build. Default: the fastest one that fits into `maxBytes`. */
  tier?: 'table' | 'labels' | 'graph';
}

const INDEX_KEYS = ['maxBytes', 'tier'] as const satisfies readonly (keyof PathIndexOptions)[];
const DEFAULT_BYTES = 64 * 2 ** 20;
/** Above this many corners, no table is built unless asked for: its build time grows with the square. */
const MAX_TABLE_CORNERS = 2500;
/** Above this many corners, no labels are built unless asked for: it would take many seconds. */
const MAX_LABEL_CORNERS = 3000;
const LABEL_BYTES = 16;
const TIERS = ['table', 'labels', 'graph'];

/** A build that is under way. Pass it to `continuePathIndex` until that returns true; `index` is then complete. */
export interface PathIndexBuild {
  index: PathIndex;
  /** What is done, 0 to 1: a rough estimate. */
  progress: number;
  /** @internal */
  work: Work;
}

/** What a build holds between slices. */
interface Work {
  mesh: NavMesh;
  revision: number;
  maxBytes: number;
  tier: PathIndexTier | undefined;
  step: 'sectors' | 'cones' | 'graph' | 'rows' | 'hubs' | 'done';
  ground: Ground;
  sectors: Sectors;
  cones: Cones;
  /** The next start of `sectors`, row or hub. */
  next: number;
  rows: RowState;
  labels: LabelState;
}

/**
 * Returns an index of the mesh as it is now, for `findIndexedPath`. `index.tier` says what was built.
 *
 * Throws a RangeError for unknown keys and options out of range.
 */
export function buildPathIndex(mesh: NavMesh, options: PathIndexOptions = {}): PathIndex {
  const build = beginBuild(mesh, options, 'buildPathIndex');
  continuePathIndex(build);
  return build.index;
}

/** Starts a sliced build and does none of it. Throws as `buildPathIndex` does. */
export function startPathIndex(mesh: NavMesh, options: PathIndexOptions = {}): PathIndexBuild {
  return beginBuild(mesh, options, 'startPathIndex');
}

function beginBuild(mesh: NavMesh, options: PathIndexOptions, caller: string): PathIndexBuild {
  checkKeys(caller, options, INDEX_KEYS);
  const { maxBytes = DEFAULT_BYTES, tier } = options;
  if (!(maxBytes > 0)) refuse(caller, 'options.maxBytes', maxBytes, 'a number > 0');
  if (tier !== undefined && !TIERS.includes(tier)) refuse(caller, 'options.tier', tier, "'table', 'labels' or 'graph'");
  return { index: emptyPathIndex(), progress: 0, work: createWork(mesh, maxBytes, tier) };
}

function createWork(mesh: NavMesh, maxBytes: number, tier: PathIndexTier | undefined): Work {
  const none = new Float64Array(0);
  return {
    mesh,
    revision: mesh.revision,
    maxBytes,
    tier,
    step: 'sectors',
    ground: { mesh, xs: none, zs: none, portalEnds: new Int32Array(0) },
    sectors: undefined as unknown as Sectors,
    cones: createCones(),
    next: 0,
    rows: undefined as unknown as RowState,
    labels: undefined as unknown as LabelState,
  };
}

/**
 * Continues a build with up to `maxCorners` corners per step; without it, to the end. Returns true when the index is complete. If
 * the mesh has changed since the last slice, the build starts again.
 *
 * Throws a RangeError unless `maxCorners` is 1 or more.
 */
export function continuePathIndex(build: PathIndexBuild, maxCorners: number = Infinity): boolean {
  if (!(maxCorners >= 1)) refuse('continuePathIndex', 'maxCorners', maxCorners, 'a number >= 1');
  const { mesh, revision, maxBytes, tier } = build.work;
  if (build.work.step !== 'done' && revision !== mesh.revision) {
    build.index = emptyPathIndex();
    build.work = createWork(mesh, maxBytes, tier);
  }
  const { work } = build;
  let left = maxCorners;
  while (work.step !== 'done' && left > 0) {
    if (work.step === 'sectors') findCorners(build);
    else if (work.step === 'cones') left = spread(build, left);
    else if (work.step === 'graph') join(build);
    else if (work.step === 'rows') left = fillRows(build, left);
    else left = addHubs(build, left);
    if (maxCorners < Infinity && work.step === 'graph') break;
  }
  build.progress = progressOf(build);
  return work.step === 'done';
}

function progressOf({ index, work }: PathIndexBuild): number {
  if (work.step === 'done') return 1;
  if (work.step === 'sectors') return 0;
  if (work.step === 'rows' || work.step === 'hubs') return 0.5 + (0.5 * work.next) / index.cornerCount;
  return (0.5 * work.next) / Math.max(1, work.sectors.startCount);
}

function findCorners(build: PathIndexBuild): void {
  const { work, index } = build;
  const { mesh, ground } = work;
  stampMesh(index, mesh);
  const { vertices, reason } = findPortalEnds(mesh);
  if (reason !== '') {
    fail(build, reason);
    return;
  }
  ground.portalEnds = vertices;
  ground.xs = new Float64Array(mesh.vertexCount);
  ground.zs = new Float64Array(mesh.vertexCount);
  for (let v = 0; v < mesh.vertexCount; v++) {
    ground.xs[v] = mesh.vertices[3 * v];
    ground.zs[v] = mesh.vertices[3 * v + 2];
  }
  work.sectors = findSectors(ground);
  work.step = 'cones';
}

function spread(build: PathIndexBuild, left: number): number {
  const { work } = build;
  const { sectors, cones } = work;
  for (; work.next < sectors.startCount && left > 0; left--) {
    work.next = spreadCones(cones, work.ground, sectors, work.next);
    if (cones.isEndless) {
      fail(build, 'degenerate');
      return left;
    }
    if (12 * cones.count > work.maxBytes) {
      fail(build, 'max-bytes');
      return left;
    }
  }
  if (work.next === sectors.startCount) work.step = 'graph';
  return left;
}

function join(build: PathIndexBuild): void {
  const { work, index } = build;
  packCones(index, work.mesh, work.sectors, work.cones);
  work.cones = createCones();
  sortIntoGrid(index, work.mesh);
  joinCorners(index, work.sectors);
  const bytes = pathIndexBytes(index);
  if (bytes > work.maxBytes) {
    fail(build, 'max-bytes');
    return;
  }
  index.tier = 'graph';
  const { cornerCount } = index;
  const tableBytes = tableEntryBytes(index) * cornerCount * cornerCount;
  const isWanted = work.tier === undefined ? cornerCount <= MAX_TABLE_CORNERS : work.tier === 'table';
  if (isWanted && bytes + tableBytes <= work.maxBytes) {
    createTable(index);
    work.rows = createRowState(index);
    work.next = 0;
    work.step = 'rows';
    return;
  }
  const wantsLabels = work.tier === undefined ? cornerCount <= MAX_LABEL_CORNERS : work.tier === 'labels';
  if (!wantsLabels || cornerCount === 0) {
    work.step = 'done';
    return;
  }
  work.labels = createLabelState(index);
  work.next = 0;
  work.step = 'hubs';
}

/** Adds labels, as long as they fit; without room for all, the graph has to do. */
function addHubs(build: PathIndexBuild, left: number): number {
  const { work, index } = build;
  const room = work.maxBytes - pathIndexBytes(index) - 4 * (index.cornerCount + 1);
  for (; work.next < index.cornerCount && left > 0; left--) {
    addHub(index, work.labels, work.next++);
    if (LABEL_BYTES * work.labels.count > room) {
      work.step = 'done';
      return left;
    }
  }
  if (work.next === index.cornerCount) {
    packLabels(index, work.labels);
    index.tier = 'labels';
    work.step = 'done';
  }
  return left;
}

function fillRows(build: PathIndexBuild, left: number): number {
  const { work, index } = build;
  for (; work.next < index.cornerCount && left > 0; left--) fillRow(index, work.rows, work.next++);
  if (work.next === index.cornerCount) {
    index.tier = 'table';
    work.step = 'done';
  }
  return left;
}

/** Ends the build without an index. */
function fail(build: PathIndexBuild, reason: PathIndexReason): void {
  build.index = emptyPathIndex();
  build.index.reason = reason;
  stampMesh(build.index, build.work.mesh);
  build.work.step = 'done';
}

/** Returns the bytes that the arrays of an index take. */
export function pathIndexBytes(index: PathIndex): number {
  let bytes = 0;
  for (const value of Object.values(index)) if (ArrayBuffer.isView(value)) bytes += value.byteLength;
  return bytes;
}
