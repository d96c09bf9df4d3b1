/**
 * Builds a path index, in one call or in slices.
 *
 * Steps: vertices of portal ends, corners, cones corner by corner, graph of corners, table row by row; or an overlay, cell by cell. Each
 * step is a loop that a sliced build interrupts after a number of corners, or polygons.
 *
 * In: a mesh, limits.
 * Out: a path index.
 * Cost: 20 to 90 us a polygon for corners, cones and graph; the table is quadratic in the corners.
 * Based on: own; see the files of build/.
 */
import { checkKeys, checkRecord, refuse } from '../data/refuse.ts';
import { checkNavMesh } from '../navmesh/check-mesh.ts';
import type { NavMesh } from '../navmesh/types.ts';
import { offerCorridors } from './offer.ts';
import { createCones, spreadCones } from './build/cones.ts';
import type { Cones } from './build/cones.ts';
import { joinCorners } from './build/graph.ts';
import { sortIntoGrid } from './build/grid.ts';
import { addLinkEnds, listLinks, placeLinkEnds, rateLinks } from './build/link-ends.ts';
import { addHub, createLabelState, packLabels } from './build/labels.ts';
import type { LabelState } from './build/labels.ts';
import { beginOverlay, continueOverlay, overlayBytes, overlayProgress } from './build/overlay/overlay.ts';
import type { OverlayBuild } from './build/overlay/overlay.ts';
import { packCones } from './build/pack.ts';
import { findPortalEnds } from './build/portal-ends.ts';
import { copyCones, findKept } from './build/keep.ts';
import type { Kept } from './build/keep.ts';
import { START_STRIDE, findSectors } from './build/sectors.ts';
import type { Ground, Sectors } from './build/sectors.ts';
import { createRowState, createTable, fillRow, tableEntryBytes } from './build/table.ts';
import type { RowState } from './build/table.ts';
import { areLinksMutual } from './links.ts';
import { pathIndexBytes } from './bytes.ts';
import { emptyPathIndex } from './types.ts';
import type { PathIndex, PathIndexReason, PathIndexTier } from './types.ts';
import { renewMatch, stampMesh } from './identity.ts';

/** Options of `buildPathIndex`. */
export interface PathIndexOptions {
  /** Most bytes that the index may take, above 0. Default: 64 MB (67,108,864), or 128 bytes for each polygon if that is more. */
  maxBytes?: number;
  /**
   * The tier to build. Default: the fastest one that fits into `maxBytes`; an overlay above 100,000 polygons, and instead of a graph on which
   * a path takes longer than with `findPath`.
   */
  tier?: 'table' | 'labels' | 'graph' | 'overlay';
}

const INDEX_KEYS = ['maxBytes', 'tier'] as const satisfies readonly (keyof PathIndexOptions)[];
const DEFAULT_BYTES = 64 * 2 ** 20;
/** An overlay takes up to 100 bytes for each polygon. */
const DEFAULT_POLY_BYTES = 128;
/** Above this many corners, a table is built only if `tier` is 'table': its build time grows with the square. */
const MAX_TABLE_CORNERS = 2500;
/** Above this many corners, labels are built only if `tier` is 'labels': they take many seconds. */
const MAX_LABEL_CORNERS = 16_000;
/**
 * With more corners than this for each polygon, a search over the graph takes longer than `findPath`, so a larger index is an overlay
 * unless `tier` is 'graph'.
 */
const MAX_GRAPH_CORNERS = 0.5;
const LABEL_BYTES = 16;
/** Above this many polygons, an overlay is built unless `tier` selects another one. */
const MAX_GRAPH_POLYS = 100_000;
const TIERS = ['table', 'labels', 'graph', 'overlay'];

/** A build that is under way. Pass it to `continuePathIndex` until that returns true; `index` is then complete. */
export interface PathIndexBuild {
  index: PathIndex;
  /** What is done, 0 to 1: a rough estimate. */
  progress: number;
  /** @internal */
  work: Work;
}

/** State of a build between slices. */
interface Work {
  mesh: NavMesh;
  revision: number;
  maxBytes: number;
  tier: PathIndexTier | undefined;
  /** An index of the mesh as it was before, and the corners whose cones are taken from it. */
  old: PathIndex | undefined;
  kept: Kept | undefined;
  step: 'sectors' | 'cones' | 'graph' | 'rows' | 'hubs' | 'overlay' | 'done';
  ground: Ground;
  sectors: Sectors;
  cones: Cones;
  /** The next start of `sectors`, row or hub. */
  next: number;
  rows: RowState;
  labels: LabelState;
  overlay: OverlayBuild;
}

/**
 * Returns an index of the mesh as it is now, for `findIndexedPath`. `index.tier` is the tier that was built.
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

/** Starts a build that takes what it can from `old`, an index of the same mesh before it changed. @internal */
export function beginBuild(mesh: NavMesh, options: PathIndexOptions, caller: string, old?: PathIndex): PathIndexBuild {
  checkNavMesh(caller, mesh);
  checkKeys(caller, options, INDEX_KEYS);
  checkIndexLimits(caller, options);
  offerCorridors();
  const { maxBytes = Math.max(DEFAULT_BYTES, DEFAULT_POLY_BYTES * mesh.polyCount), tier } = options;
  return {
    index: emptyPathIndex(),
    progress: 0,
    work: createWork(mesh, maxBytes, tier, old?.tier === 'overlay' ? undefined : old),
  };
}

/** Throws a RangeError for options out of range. @internal */
export function checkIndexLimits(caller: string, { maxBytes, tier }: PathIndexOptions): void {
  if (maxBytes !== undefined && !(typeof maxBytes === 'number' && maxBytes > 0))
    refuse(caller, 'options.maxBytes', maxBytes, 'a number > 0');
  if (tier !== undefined && !TIERS.includes(tier))
    refuse(caller, 'options.tier', tier, "'table', 'labels', 'graph' or 'overlay'");
}

function createWork(
  mesh: NavMesh,
  maxBytes: number,
  tier: PathIndexTier | undefined,
  old: PathIndex | undefined,
): Work {
  const none = new Float64Array(0);
  return {
    mesh,
    revision: mesh.revision,
    maxBytes,
    tier,
    old,
    kept: undefined,
    step: 'sectors',
    ground: { mesh, xs: none, ys: none, zs: none, portalEnds: new Int32Array(0) },
    sectors: undefined as unknown as Sectors,
    cones: createCones(),
    next: 0,
    rows: undefined as unknown as RowState,
    labels: undefined as unknown as LabelState,
    overlay: undefined as unknown as OverlayBuild,
  };
}

/**
 * Continues a build with up to `maxCorners` corners per step; without it, to the end. Of an overlay, these are polygons. Returns true
 * when the index is complete. If the mesh has changed since the last slice, the build starts again. A build may be abandoned at any time:
 * the mesh has no reference to it, and queries search the mesh while `index.tier` is `'none'`.
 *
 * Throws a RangeError unless `maxCorners` is 1 or more.
 */
export function continuePathIndex(build: PathIndexBuild, maxCorners: number = Infinity): boolean {
  checkRecord('continuePathIndex', 'build', build?.work?.mesh, 'polyPortal', 'the result of startPathIndex');
  if (typeof maxCorners !== 'number' || !(maxCorners >= 1))
    refuse('continuePathIndex', 'maxCorners', maxCorners, 'a number >= 1');
  const { mesh, revision, maxBytes, tier, old } = build.work;
  if (build.work.step !== 'done' && revision !== mesh.revision) {
    build.index = emptyPathIndex();
    build.work = createWork(mesh, maxBytes, tier, old);
    build.progress = 0;
  }
  const { work } = build;
  let left = maxCorners;
  while (work.step !== 'done' && left > 0) {
    if (work.step === 'sectors') findCorners(build);
    else if (work.step === 'cones') left = spread(build, left);
    else if (work.step === 'graph') join(build);
    else if (work.step === 'rows') left = fillRows(build, left);
    else if (work.step === 'hubs') left = addHubs(build, left);
    else left = growOverlay(build, left);
    if (maxCorners < Infinity && work.step === 'graph') break;
  }
  build.progress = Math.max(build.progress, progressOf(build));
  // It may have been used before it was complete.
  if (work.step === 'done') renewMatch(build.index);
  return work.step === 'done';
}

function progressOf({ index, work }: PathIndexBuild): number {
  if (work.step === 'done') return 1;
  if (work.step === 'sectors') return 0;
  if (work.step === 'overlay') return overlayProgress(work.overlay, index);
  if (work.step === 'rows' || work.step === 'hubs') return 0.5 + (0.5 * work.next) / index.cornerCount;
  return (0.5 * work.next) / Math.max(1, work.sectors.startCount);
}

function findCorners(build: PathIndexBuild): void {
  const { work, index } = build;
  const { mesh, ground } = work;
  stampMesh(index, mesh);
  const { vertices, reason } = findPortalEnds(mesh);
  const mayBeOverlay = work.tier === undefined || work.tier === 'overlay';
  if (reason === 'degenerate' || (reason === 'overlap' && !mayBeOverlay)) {
    fail(build, reason);
    return;
  }
  ground.portalEnds = vertices;
  // The paths of an overlay are not exact anyway.
  const isOverlay = work.tier === 'overlay' || reason === 'overlap' || mesh.polyCount > MAX_GRAPH_POLYS;
  if (mayBeOverlay && isOverlay) {
    startOverlay(build);
    return;
  }
  listLinks(index, mesh);
  const count = mesh.vertexCount + index.linkPoly.length;
  ground.xs = new Float64Array(count);
  ground.ys = new Float64Array(count);
  ground.zs = new Float64Array(count);
  for (let v = 0; v < mesh.vertexCount; v++) {
    ground.xs[v] = mesh.vertices[3 * v];
    ground.ys[v] = mesh.vertices[3 * v + 1];
    ground.zs[v] = mesh.vertices[3 * v + 2];
  }
  work.sectors = findSectors(ground);
  addLinkEnds(work.sectors, ground, index);
  if (work.old !== undefined) work.kept = findKept(index, work.sectors, ground, work.old);
  work.step = 'cones';
}

function spread(build: PathIndexBuild, left: number): number {
  const { work } = build;
  const { sectors, cones } = work;
  for (; work.next < sectors.startCount && left > 0; left--) {
    const corner = sectors.starts[START_STRIDE * work.next];
    if (work.kept !== undefined && work.kept.oldOf[corner] >= 0) {
      copyCones(cones, work.kept, corner);
      do work.next++;
      while (work.next < sectors.startCount && sectors.starts[START_STRIDE * work.next] === corner);
    } else {
      work.next = spreadCones(cones, work.ground, sectors, work.next);
    }
    if (cones.isEndless) {
      giveUpGraph(build, 'degenerate');
      return left;
    }
    if (12 * cones.count > work.maxBytes) {
      giveUpGraph(build, 'max-bytes');
      return left;
    }
  }
  if (work.next === sectors.startCount) work.step = 'graph';
  return left;
}

function join(build: PathIndexBuild): void {
  const { work, index } = build;
  packCones(index, work.ground, work.sectors, work.cones);
  work.cones = createCones();
  sortIntoGrid(index, work.mesh);
  joinCorners(index, work.sectors, work.kept);
  work.kept = undefined;
  rateLinks(index);
  const bytes = pathIndexBytes(index);
  if (bytes > work.maxBytes) {
    giveUpGraph(build, 'max-bytes');
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
  if (!wantsLabels || cornerCount === 0 || !areLinksMutual(index)) {
    keepGraph(build);
    return;
  }
  work.labels = createLabelState(index);
  work.next = 0;
  work.step = 'hubs';
}

/** Ends with the graph, or continues with an overlay where a search over the graph is slow. */
function keepGraph(build: PathIndexBuild): void {
  const { work, index } = build;
  if (work.tier === undefined && index.cornerCount > MAX_TABLE_CORNERS) {
    let polyCount = 0;
    for (const isOpen of index.polyOpen) polyCount += +(isOpen > 0);
    if (index.cornerCount > MAX_GRAPH_CORNERS * polyCount) {
      giveUpGraph(build, 'max-bytes');
      return;
    }
  }
  work.step = 'done';
}

/** Adds labels, as long as they fit. */
function addHubs(build: PathIndexBuild, left: number): number {
  const { work, index } = build;
  const room = work.maxBytes - pathIndexBytes(index) - 4 * (index.cornerCount + 1);
  for (; work.next < index.cornerCount && left > 0; left--) {
    addHub(index, work.labels, work.next++);
    if (LABEL_BYTES * work.labels.count > room) {
      keepGraph(build);
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

/** Continues with an overlay, which is smaller and needs no lines of sight, unless `tier` selects another one. */
function giveUpGraph(build: PathIndexBuild, reason: PathIndexReason): void {
  const { work } = build;
  if (work.tier !== undefined) {
    fail(build, reason);
    return;
  }
  build.index = emptyPathIndex();
  stampMesh(build.index, work.mesh);
  work.cones = createCones();
  startOverlay(build);
}

function startOverlay({ work, index }: PathIndexBuild): void {
  listLinks(index, work.mesh);
  placeLinkEnds(index, work.mesh);
  work.overlay = beginOverlay(index, work.mesh, work.ground.portalEnds);
  work.step = 'overlay';
}

function growOverlay(build: PathIndexBuild, left: number): number {
  const { work, index } = build;
  const rest = continueOverlay(work.overlay, index, left);
  if (overlayBytes(work.overlay, index) > work.maxBytes) {
    fail(build, 'max-bytes');
  } else if (work.overlay.step === 'done') {
    index.tier = 'overlay';
    work.step = 'done';
  }
  return rest;
}

/** Ends the build without an index. */
function fail(build: PathIndexBuild, reason: PathIndexReason): void {
  build.index = emptyPathIndex();
  build.index.reason = reason;
  stampMesh(build.index, build.work.mesh);
  build.work.step = 'done';
}
