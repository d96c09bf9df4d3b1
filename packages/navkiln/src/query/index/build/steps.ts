/**
 * Builds the path index of one size, in slices.
 *
 * Steps: vertices of portal ends, corners, cones corner by corner, graph of corners, table row by row; or an overlay,
 * cell by cell. Each step is a loop that a sliced build interrupts after a number of corners or polygons.
 *
 * In: a mesh, a size, limits.
 * Out: a path index.
 * Cost: 20 to 90 us per polygon for corners, cones and graph; the table is quadratic in the corners.
 * Based on: own; see the other files of this folder.
 */
import type { NavMesh } from '../../../mesh/types.ts';
import { createCones, spreadCones } from './cones.ts';
import type { Cones } from './cones.ts';
import { joinCorners } from './graph.ts';
import { sortIntoGrid } from './grid.ts';
import { addLinkEnds, listLinks, placeLinkEnds, rateLinks } from './link-ends.ts';
import { addHub, createLabelState, packLabels } from './labels.ts';
import type { LabelState } from './labels.ts';
import { beginOverlay, continueOverlay, overlayBytes, overlayProgress } from './overlay/overlay.ts';
import type { OverlayBuild } from './overlay/overlay.ts';
import { packCones } from './pack.ts';
import { findPortalEnds } from './portal-ends.ts';
import { copyCones, findKept } from './keep.ts';
import type { Kept } from './keep.ts';
import { START_STRIDE, findSectors } from './sectors.ts';
import type { Ground, Sectors } from './sectors.ts';
import { createRowState, createTable, fillRow, tableEntryBytes } from './table.ts';
import type { RowState } from './table.ts';
import { areLinksMutual } from '../links.ts';
import { pathIndexBytes } from '../file/bytes.ts';
import { filterOf } from '../sizes.ts';
import { emptyPathIndex } from '../types.ts';
import type { PathIndex, PathIndexReason, PathIndexTier } from '../types.ts';
import { renewMatch, stampMesh } from '../identity.ts';

/**
 * Above this many corners, a table is built only if `tier` is 'table', because its build time grows with the square.
 */
export const MAX_TABLE_CORNERS = 2500;
/** Above this many corners, labels are built only if `tier` is 'labels', because they take many seconds. */
export const MAX_LABEL_CORNERS = 16_000;
/**
 * With more corners per polygon than this, a search over the graph takes longer than `findPath`. The index then is an
 * overlay unless `tier` is 'graph'.
 */
export const MAX_GRAPH_CORNERS = 0.5;
export const LABEL_BYTES = 16;
/** Above this many polygons, an overlay is built unless `tier` selects another tier. */
export const MAX_GRAPH_POLYS = 100_000;

/** A build of the index for one size. `index` is complete when `work.step` is 'done'; steps may replace it. */
export interface SizeBuild {
  index: PathIndex;
  work: Work;
}

/** State of a build between slices. */
export interface Work {
  mesh: NavMesh;
  /** Its index in `mesh.sizes`. */
  size: number;
  revision: number;
  maxBytes: number;
  tier: PathIndexTier | undefined;
  /** An index of an earlier state of the mesh, and the corners whose cones are taken from it. */
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

/** The input of all steps of a build. */
export type WorkInput = Pick<Work, 'mesh' | 'size' | 'maxBytes' | 'tier' | 'old'>;

/** Begins a build that reuses as much of `old` as possible. */
export function beginSize({ mesh, size, maxBytes, tier, old }: WorkInput): SizeBuild {
  return { index: emptyPathIndex(size), work: createWork({ mesh, size, maxBytes, tier, old }) };
}

function createWork({ mesh, size, maxBytes, tier, old }: WorkInput): Work {
  const none = new Float64Array(0);
  return {
    mesh,
    size,
    revision: mesh.revision,
    maxBytes,
    tier,
    // A build cannot reuse parts of an overlay.
    old: old?.tier === 'overlay' ? undefined : old,
    kept: undefined,
    step: 'sectors',
    ground: {
      mesh,
      filter: filterOf({ size }),
      xs: none,
      ys: none,
      zs: none,
      portalEnds: new Int32Array(0),
    },
    sectors: undefined as unknown as Sectors,
    cones: createCones(),
    next: 0,
    rows: undefined as unknown as RowState,
    labels: undefined as unknown as LabelState,
    overlay: undefined as unknown as OverlayBuild,
  };
}

/** Begins again if the mesh has changed since the last slice. */
export function renewSize(build: SizeBuild): void {
  const { work } = build;
  if (work.revision !== work.mesh.revision) Object.assign(build, beginSize(work));
}

/**
 * Continues a build with up to `maxCorners` corners per step (polygons for an overlay). Returns whether it is complete.
 */
export function continueSize(build: SizeBuild, maxCorners: number): boolean {
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
  // A query may have used the index before it was complete.
  if (work.step === 'done') renewMatch(build.index);
  return work.step === 'done';
}

/** Returns a rough estimate of the progress, 0 to 1. */
export function progressOf({ index, work }: SizeBuild): number {
  if (work.step === 'done') return 1;
  if (work.step === 'sectors') return 0;
  if (work.step === 'overlay') return overlayProgress(work.overlay, index);
  if (work.step === 'rows' || work.step === 'hubs') return 0.5 + (0.5 * work.next) / index.cornerCount;
  return (0.5 * work.next) / Math.max(1, work.sectors.startCount);
}

function findCorners(build: SizeBuild): void {
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
  // Overlapping portals do not matter to an overlay, whose paths are not exact.
  const isOverlay = work.tier === 'overlay' || reason === 'overlap' || mesh.polyCount > MAX_GRAPH_POLYS;
  if (mayBeOverlay && isOverlay) {
    startOverlay(build);
    return;
  }
  listLinks(index, mesh);
  placeVertices(ground, index.linkPoly.length);
  work.sectors = findSectors(ground);
  addLinkEnds(work.sectors, ground, index);
  if (work.old !== undefined) work.kept = findKept(index, work.sectors, ground, work.old);
  work.step = 'cones';
}

/** Sets the columns of a ground, with room for link ends. */
export function placeVertices(ground: Ground, linkEndCount: number): void {
  const { mesh } = ground;
  const count = mesh.vertexCount + linkEndCount;
  ground.xs = new Float64Array(count);
  ground.ys = new Float64Array(count);
  ground.zs = new Float64Array(count);
  for (let v = 0; v < mesh.vertexCount; v++) {
    ground.xs[v] = mesh.vertices[3 * v];
    ground.ys[v] = mesh.vertices[3 * v + 1];
    ground.zs[v] = mesh.vertices[3 * v + 2];
  }
}

function spread(build: SizeBuild, left: number): number {
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

function join(build: SizeBuild): void {
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
function keepGraph(build: SizeBuild): void {
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

/** Adds labels while they fit into `maxBytes`. */
function addHubs(build: SizeBuild, left: number): number {
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

function fillRows(build: SizeBuild, left: number): number {
  const { work, index } = build;
  for (; work.next < index.cornerCount && left > 0; left--) fillRow(index, work.rows, work.next++);
  if (work.next === index.cornerCount) {
    index.tier = 'table';
    work.step = 'done';
  }
  return left;
}

/** Continues with an overlay, which is smaller and needs no lines of sight, unless `tier` selects another tier. */
function giveUpGraph(build: SizeBuild, reason: PathIndexReason): void {
  const { work } = build;
  if (work.tier !== undefined) {
    fail(build, reason);
    return;
  }
  build.index = emptyPathIndex(build.work.size);
  stampMesh(build.index, work.mesh);
  work.cones = createCones();
  startOverlay(build);
}

function startOverlay({ work, index }: SizeBuild): void {
  listLinks(index, work.mesh);
  placeLinkEnds(index, work.mesh);
  work.overlay = beginOverlay(index, work.mesh, work.ground.portalEnds);
  work.step = 'overlay';
}

function growOverlay(build: SizeBuild, left: number): number {
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
function fail(build: SizeBuild, reason: PathIndexReason): void {
  build.index = emptyPathIndex(build.work.size);
  build.index.reason = reason;
  stampMesh(build.index, build.work.mesh);
  build.work.step = 'done';
}
