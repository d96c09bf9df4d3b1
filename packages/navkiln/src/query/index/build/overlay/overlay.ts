/**
 * Builds the overlay of cells, which large meshes use instead of corners and cones.
 *
 * Steps: blocks, cells, gates, paths within each cell, lengths through each cell of the upper levels. A sliced build may stop after
 * each block and each cell.
 *
 * In: a mesh, the vertices of its portal ends.
 * Out: the overlay of an index.
 * Cost: O(n log n) for the cells; about 30 us per polygon for the paths within them.
 * Based on: own; see the files of this folder.
 */
import type { NavMesh } from '../../../../mesh/types.ts';
import { setInside } from '../../overlay/inside.ts';
import {
  STAMP,
  addStart,
  beginSearch,
  createGateSearch,
  isCellDirected,
  openCell,
  runSearch,
} from '../../overlay/search.ts';
import type { GateSearch } from '../../overlay/search.ts';
import { pathIndexBytes } from '../../file/bytes.ts';
import { areLinksMutual } from '../../links.ts';
import type { PathIndex } from '../../types.ts';
import { measureCell } from './cell-lengths.ts';
import { createCutter, cutCell } from './cell-mesh.ts';
import type { Cutter } from './cell-mesh.ts';
import { createBlocks, floodCells, halveBlock } from './cells.ts';
import type { Blocks } from './cells.ts';
import { measureFoldedCell } from './folded-cell.ts';
import { groupCells, measureCells, placeGates } from './gates.ts';

const inside = new Float64Array(3);

/** State of a build between slices. */
export interface OverlayBuild {
  step: 'blocks' | 'cells' | 'groups' | 'done';
  mesh: NavMesh;
  portalEnds: Int32Array;
  blocks: Blocks;
  cutter: Cutter;
  search: GateSearch;
  /** Polygons ordered by cell, and the first polygon of each cell. */
  polys: Int32Array;
  polyStart: Int32Array;
  /** The next cell. */
  next: number;
  /** Values of the finished cells, cell after cell. */
  corners: number[];
  hops: Uint16Array;
  hopCount: number;
  lengthCount: number;
}

export function beginOverlay(index: PathIndex, mesh: NavMesh, portalEnds: Int32Array): OverlayBuild {
  return {
    step: 'blocks',
    mesh,
    portalEnds,
    blocks: createBlocks(mesh, index),
    cutter: undefined as unknown as Cutter,
    search: createGateSearch(),
    polys: new Int32Array(0),
    polyStart: new Int32Array(0),
    next: 0,
    corners: [],
    hops: new Uint16Array(0),
    hopCount: 0,
    lengthCount: 0,
  };
}

/** Continues the build for about `left` polygons, and at least one block or cell. Returns the rest of `left`. */
export function continueOverlay(build: OverlayBuild, index: PathIndex, left: number): number {
  if (build.step === 'blocks') {
    const count = halveBlock(build.blocks);
    if (count === 0) divide(build, index);
    return left - count / 16;
  }
  if (build.step === 'cells') {
    const cell = build.next++;
    addCell(build, index, cell);
    if (build.next + 1 === build.polyStart.length) finishCells(build, index);
    return left - (build.polyStart[cell + 1] - build.polyStart[cell]);
  }
  const cell = build.next++;
  measureGroup(build, index, cell);
  if (build.next >= index.cellParent.length) build.step = 'done';
  return left - (index.cellGateStart[cell + 1] - index.cellGateStart[cell]);
}

/** Creates cells and gates from the blocks. */
function divide(build: OverlayBuild, index: PathIndex): void {
  const { mesh, blocks } = build;
  const cellBlock = floodCells(index, mesh, blocks);
  const cells = measureCells(index, blocks, cellBlock);
  placeGates(index, mesh, cells);
  groupCells(index, cells, blocks);
  index.gateCell = index.gatePoly.map((poly) => index.polyCell[poly]);
  const { polyCell, cellGateStart } = index;
  const cellCount = cellBlock.length;
  build.polyStart = new Int32Array(cellCount + 1);
  for (const cell of polyCell) if (cell >= 0) build.polyStart[cell + 1]++;
  for (let cell = 0; cell < cellCount; cell++) build.polyStart[cell + 1] += build.polyStart[cell];
  build.polys = new Int32Array(build.polyStart[cellCount]);
  const fill = build.polyStart.slice();
  for (let poly = 0; poly < polyCell.length; poly++)
    if (polyCell[poly] >= 0) build.polys[fill[polyCell[poly]]++] = poly;
  const allCount = index.cellParent.length;
  index.cellLengthStart = new Int32Array(allCount + 1);
  const isMutual = areLinksMutual(index);
  for (let cell = 0; cell < allCount; cell++) {
    const count = cellGateStart[cell + 1] - cellGateStart[cell];
    const size = isMutual || cell < cellCount ? (count * (count - 1)) / 2 : count * count;
    index.cellLengthStart[cell + 1] = index.cellLengthStart[cell] + size;
  }
  index.cellLengths = new Float32Array(index.cellLengthStart[allCount]);
  index.viaStart = new Int32Array(cellCount + 1);
  index.hopStart = new Int32Array(cellCount + 1);
  build.cutter = createCutter(mesh, polyCell, build.portalEnds);
  build.next = 0;
  build.step = cellCount > 0 ? 'cells' : 'done';
}

/** Adds the paths within a cell. */
function addCell(build: OverlayBuild, index: PathIndex, cell: number): void {
  const { cutter, corners, mesh } = build;
  const polys = build.polys.subarray(build.polyStart[cell], build.polyStart[cell + 1]);
  const part = cutCell(cutter, polys);
  const first = index.cellGateStart[cell];
  const count = index.cellGateStart[cell + 1] - first;
  const gates = { count, polys: new Int32Array(count), points: new Float64Array(2 * count) };
  for (let i = 0; i < count; i++) {
    const gate = index.cellGates[first + i];
    const poly = index.gatePoly[2 * gate + (index.gateCell[2 * gate] === cell ? 0 : 1)];
    gates.polys[i] = cutter.polyPlace[poly];
    setInside(inside, mesh, poly, index.gatePoint, gate);
    gates.points[2 * i] = inside[0];
    gates.points[2 * i + 1] = inside[2];
  }
  const paths = measureCell(part, gates) ?? measureFoldedCell(part, gates);
  index.cellLengths.set(paths.lengths, index.cellLengthStart[cell]);
  for (const corner of paths.corners) corners.push(corner);
  index.viaStart[cell + 1] = corners.length / 2;
  const hopCount = build.hopCount + paths.hops.length;
  if (build.hops.length < hopCount) {
    const larger = new Uint16Array(2 * hopCount);
    larger.set(build.hops);
    build.hops = larger;
  }
  build.hops.set(paths.hops, build.hopCount);
  build.hopCount = index.hopStart[cell + 1] = hopCount;
}

function finishCells(build: OverlayBuild, index: PathIndex): void {
  index.viaPoints = Float64Array.from(build.corners);
  const { hops, hopCount } = build;
  let largest = 0;
  for (let i = 0; i < hopCount; i++) largest = Math.max(largest, hops[i]);
  index.hops = largest < 256 ? Uint8Array.from(hops.subarray(0, hopCount)) : hops.slice(0, hopCount);
  build.corners = [];
  build.hops = new Uint16Array(0);
  build.step = build.next < index.cellParent.length ? 'groups' : 'done';
}

/** Measures the lengths between the gates of an upper-level cell, over the cells in it. */
function measureGroup(build: OverlayBuild, index: PathIndex, cell: number): void {
  const { search } = build;
  const { cellGateStart, cellGates, cellLengths, cellLengthStart } = index;
  const first = cellGateStart[cell];
  const count = cellGateStart[cell + 1] - first;
  const table = cellLengthStart[cell];
  const isDirected = isCellDirected(index, cell);
  for (let i = isDirected ? 0 : 1; i < count; i++) {
    const gate = cellGates[first + i];
    beginSearch(search, index);
    openCell(search, index, cell);
    search.length[gate] = 0;
    addStart(search, index, gate, -1);
    runSearch(search, index, cell, -1);
    const row = table + (isDirected ? i * count : (i * (i - 1)) / 2);
    for (let j = 0; j < (isDirected ? count : i); j++) {
      const other = cellGates[first + j];
      const isReached = search.nodes[4 * other + STAMP] === search.stamp;
      cellLengths[row + j] = isReached ? search.length[other] : Infinity;
    }
  }
}

/** Returns the current size of an overlay in bytes. */
export function overlayBytes({ corners, hopCount }: OverlayBuild, index: PathIndex): number {
  return pathIndexBytes(index) + 8 * corners.length + hopCount;
}

/** Returns a rough estimate of the progress, 0 to 1. */
export function overlayProgress({ step, next }: OverlayBuild, { cellParent }: PathIndex): number {
  return step === 'blocks' ? 0 : next / (cellParent.length + 1);
}
