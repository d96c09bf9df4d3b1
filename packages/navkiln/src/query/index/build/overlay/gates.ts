/**
 * Places gates on the borders between cells: points through which paths lead from cell to cell.
 *
 *   +--------+--------+
 *   |        x        |      x: a gate in the middle of an edge between two cells. Long edges have several; gates closer to each
 *   | cell A x cell B |      other than a share of a cell's size are left out.
 *   |        x        |
 *   +--------+--------+
 *
 * A search from cell to cell uses only some of the gates. The gates of an upper level are a subset of these, further
 * apart.
 *
 * Each end of a link is a gate of the cell that it lies in, and of the larger cells that have only one end of the link.
 *
 * In: the cells of an index.
 * Out: its gates, ordered by the two cells, and the gates of each cell.
 * Cost: linear in the edges between cells; quadratic in the edges between the same two cells.
 * Based on: own; entrances of clusters in Adi Botea, Martin Müller, Jonathan Schaeffer, Near Optimal Hierarchical Path-Finding, 2004.
 */
import { otherEnd, portalCrossing, setCrossingEnds } from '../../../../mesh/crossing.ts';
import type { NavMesh } from '../../../../mesh/types.ts';
import { setLinkGates } from '../../links.ts';
import type { PathIndex } from '../../types.ts';
import { rootOf } from './cells.ts';
import type { Blocks } from './cells.ts';

/** Distance between gates, as a share of the size of the smaller cell. */
const SPACING = 0.07;
/**
 * Per level, from 1: distance between gates of searches. Gates of upper levels are closer relative to their cells,
 * because a search through large cells passes exactly through them.
 */
const SEARCH_SPACING = [0.22, 0.11, 0.07];
/** Maximum number of gates of one edge. */
const MAX_EACH = 8;
/** Number of values of a candidate: x, y, z and both polygons. */
const STRIDE = 5;

/** Cells of all levels while they are built, and their bounds: smallest x and z, largest x and z. */
export interface Cells {
  /** Per level, from 1: its first cell. The last element is the number of all cells. */
  levelStart: number[];
  /** Per cell: its block. */
  block: number[];
  bounds: number[];
  parent: number[];
}

const ends = new Float64Array(6);

/** Returns the cells of the lowest level with their bounds. */
export function measureCells({ polyCell }: PathIndex, { xs, zs }: Blocks, cellBlock: Int32Array): Cells {
  const bounds = Array.from(cellBlock, () => [Infinity, Infinity, -Infinity, -Infinity]).flat();
  for (let poly = 0; poly < polyCell.length; poly++) {
    const cell = polyCell[poly];
    if (cell >= 0) widen(bounds, cell, xs[poly], zs[poly], xs[poly], zs[poly]);
  }
  return {
    levelStart: [0, cellBlock.length],
    block: Array.from(cellBlock),
    bounds,
    parent: Array.from(cellBlock, () => -1),
  };
}

// oxlint-disable-next-line max-params -- a box is four numbers
function widen(bounds: number[], cell: number, minX: number, minZ: number, maxX: number, maxZ: number): void {
  bounds[4 * cell] = Math.min(bounds[4 * cell], minX);
  bounds[4 * cell + 1] = Math.min(bounds[4 * cell + 1], minZ);
  bounds[4 * cell + 2] = Math.max(bounds[4 * cell + 2], maxX);
  bounds[4 * cell + 3] = Math.max(bounds[4 * cell + 3], maxZ);
}

/** Returns the side of a square with the diagonal of the smaller of two cells. */
function sizeOf({ bounds }: Cells, a: number, b: number): number {
  let least = Infinity;
  for (const cell of [a, b]) {
    const dx = bounds[4 * cell + 2] - bounds[4 * cell];
    const dz = bounds[4 * cell + 3] - bounds[4 * cell + 1];
    least = Math.min(least, Math.sqrt((dx * dx + dz * dz) / 2));
  }
  return least;
}

/** Writes the gates between the cells of the lowest level into the index. */
export function placeGates(out: PathIndex, mesh: NavMesh, cells: Cells): void {
  const { polyCell } = out;
  const found: number[] = [];
  for (let poly = 0; poly < mesh.polyCount; poly++) {
    const cell = polyCell[poly];
    if (cell < 0) continue;
    const first = mesh.polyEdgeStart[poly];
    const end = first + mesh.polyVertexCount[poly];
    for (let e = first; e < end; e++) {
      const other = mesh.edgeNeighbor[e];
      if (other >= 0 && polyCell[other] > cell)
        addEdge(found, mesh, poly, e, other, sizeOf(cells, cell, polyCell[other]));
    }
    for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
      const other = mesh.portalPoly[l];
      if (polyCell[other] <= cell) continue;
      addEdge(found, mesh, poly, portalCrossing(l), other, sizeOf(cells, cell, polyCell[other]));
    }
  }
  const cellOf = (gate: number, side: number): number => polyCell[found[STRIDE * gate + 3 + side]];
  const order = Array.from({ length: found.length / STRIDE }, (_, gate) => gate);
  order.sort((a, b) => cellOf(a, 0) - cellOf(b, 0) || cellOf(a, 1) - cellOf(b, 1) || a - b);
  const kept: number[] = [];
  forEachPair(order, cellOf, (first, end) => {
    const size = sizeOf(cells, cellOf(order[first], 0), cellOf(order[first], 1));
    keepApart(kept, order.slice(first, end), found, STRIDE, SPACING * size);
  });
  const { linkPoly, points, cornerY } = out;
  const gateCount = kept.length + linkPoly.length;
  out.gatePoint = new Float64Array(3 * gateCount);
  out.gatePoly = new Int32Array(2 * gateCount);
  out.gateLevel = new Uint8Array(gateCount);
  out.gateLink = new Int32Array(gateCount).fill(-1);
  kept.forEach((at, gate) => {
    for (let k = 0; k < 3; k++) out.gatePoint[3 * gate + k] = found[STRIDE * at + k];
    for (let side = 0; side < 2; side++) out.gatePoly[2 * gate + side] = found[STRIDE * at + 3 + side];
  });
  linkPoly.forEach((poly, end) => {
    const gate = kept.length + end;
    out.gatePoint[3 * gate] = points[2 * end];
    out.gatePoint[3 * gate + 1] = cornerY[end];
    out.gatePoint[3 * gate + 2] = points[2 * end + 1];
    for (let side = 0; side < 2; side++) out.gatePoly[2 * gate + side] = poly;
    out.gateLevel[gate] = 1;
    out.gateLink[gate] = end;
  });
  setLinkGates(out);
}

/** Adds candidates for gates along an edge or portal between two cells. */
// oxlint-disable-next-line max-params -- an edge, and the polygons and cells on both sides
function addEdge(found: number[], mesh: NavMesh, poly: number, crossing: number, other: number, size: number): void {
  setCrossingEnds(ends, mesh, poly, crossing);
  const dx = ends[3] - ends[0];
  const dz = ends[5] - ends[2];
  const wanted = Math.ceil(Math.sqrt(dx * dx + dz * dz) / (2 * SPACING * size));
  const count = wanted >= 1 ? Math.min(MAX_EACH, wanted) : 1;
  for (let i = 0; i < count; i++) {
    const at = (i + 0.5) / count;
    for (let k = 0; k < 3; k++) found.push(ends[k] + at * (ends[3 + k] - ends[k]));
    found.push(poly, other);
  }
}

/** Calls `visit` with the range of each pair of cells in a list of gates ordered by cells. */
function forEachPair(
  gates: readonly number[],
  cellOf: (gate: number, side: number) => number,
  visit: (first: number, end: number) => void,
): void {
  for (let first = 0; first < gates.length;) {
    let end = first + 1;
    const isSame = (side: number): boolean => cellOf(gates[first], side) === cellOf(gates[end], side);
    while (end < gates.length && isSame(0) && isSame(1)) end++;
    visit(first, end);
    first = end;
  }
}

/** Adds gates to `kept` that are not within `reach` of a gate added before. */
function keepApart(
  kept: number[],
  gates: readonly number[],
  points: ArrayLike<number>,
  stride: number,
  reach: number,
): void {
  const begun = kept.length;
  for (const gate of gates) {
    let isFree = true;
    for (let i = begun; i < kept.length && isFree; i++) {
      let distanceSq = 0;
      for (let k = 0; k < 3; k++) {
        const d = points[stride * gate + k] - points[stride * kept[i] + k];
        distanceSq += d * d;
      }
      isFree = distanceSq >= reach * reach;
    }
    if (isFree) kept.push(gate);
  }
}

/** Groups cells into the cells of the upper levels, chooses the gates of each level, and lists the gates of each cell. */
export function groupCells(out: PathIndex, cells: Cells, { parents, levelCount }: Blocks): void {
  const { gatePoly, polyCell, gateLevel, gatePoint, linkGate } = out;
  const gateCount = gateLevel.length;
  // Per gate: the cells of the current level on both sides.
  const sides = Int32Array.from(gatePoly, (poly) => polyCell[poly]);
  const lists: number[][] = cells.block.map(() => []);
  for (let gate = 0; gate < gateCount; gate++) {
    lists[sides[2 * gate]].push(gate);
    if (out.gateLink[gate] < 0) lists[sides[2 * gate + 1]].push(gate);
  }
  for (let level = 1; level <= levelCount; level++) {
    if (level > 1) joinCells(cells, sides, parents);
    const border: number[] = [];
    for (let gate = 0; gate < gateCount; gate++) {
      if (gateLevel[gate] === level - 1 && sides[2 * gate] !== sides[2 * gate + 1]) border.push(gate);
    }
    const low = (gate: number): number => Math.min(sides[2 * gate], sides[2 * gate + 1]);
    const high = (gate: number): number => Math.max(sides[2 * gate], sides[2 * gate + 1]);
    border.sort((a, b) => low(a) - low(b) || high(a) - high(b) || a - b);
    const kept: number[] = [];
    forEachPair(
      border,
      (gate, side) => (side === 0 ? low(gate) : high(gate)),
      (first, end) => {
        const spacing = SEARCH_SPACING[Math.min(level, SEARCH_SPACING.length) - 1];
        const reach = spacing * sizeOf(cells, low(border[first]), high(border[first]));
        keepApart(kept, border.slice(first, end), gatePoint, 3, reach);
      },
    );
    for (const gate of kept) gateLevel[gate] = level;
    if (level === 1) continue;
    while (lists.length < cells.block.length) lists.push([]);
    linkGate.forEach((gate, end) => {
      const cell = sides[2 * gate];
      if (cell === sides[2 * linkGate[otherEnd(end)]]) return;
      gateLevel[gate] = level;
      lists[cell].push(gate);
    });
    for (const gate of kept.sort((a, b) => a - b)) {
      for (let side = 0; side < 2; side++) lists[sides[2 * gate + side]].push(gate);
    }
  }
  const places = sortByLevel(out);
  out.cellParent = Int32Array.from(cells.parent);
  out.cellGateStart = new Int32Array(lists.length + 1);
  lists.forEach((list, cell) => {
    out.cellGateStart[cell + 1] = out.cellGateStart[cell] + list.length;
  });
  out.cellGates = new Int32Array(out.cellGateStart[lists.length]);
  lists.forEach((list, cell) => {
    const renamed = Int32Array.from(list, (gate) => places[gate]).sort();
    out.cellGates.set(renamed, out.cellGateStart[cell]);
  });
}

/**
 * Numbers gates by decreasing level, so that the gates of a search are near each other in memory and come first in their cells. Returns
 * the new number of each gate.
 */
function sortByLevel(out: PathIndex): Int32Array {
  const { gatePoint, gatePoly, gateLevel, gateLink } = out;
  const order = Int32Array.from(gateLevel.keys()).sort((a, b) => gateLevel[b] - gateLevel[a] || a - b);
  const places = new Int32Array(order.length);
  out.gatePoint = new Float64Array(gatePoint.length);
  out.gatePoly = new Int32Array(gatePoly.length);
  out.gateLevel = new Uint8Array(gateLevel.length);
  out.gateLink = new Int32Array(gateLink.length);
  order.forEach((gate, place) => {
    places[gate] = place;
    for (let k = 0; k < 3; k++) out.gatePoint[3 * place + k] = gatePoint[3 * gate + k];
    for (let side = 0; side < 2; side++) out.gatePoly[2 * place + side] = gatePoly[2 * gate + side];
    out.gateLevel[place] = gateLevel[gate];
    out.gateLink[place] = gateLink[gate];
  });
  setLinkGates(out);
  return places;
}

/** Adds the cells of the next level: connected cells of one block. Afterwards, `sides` contains cells of that level. */
function joinCells(cells: Cells, sides: Int32Array, parents: readonly number[]): void {
  const { levelStart, block, bounds, parent } = cells;
  const end = block.length;
  const begin = levelStart[levelStart.length - 2];
  const into = Int32Array.from({ length: end }, (_, cell) => cell);
  for (let gate = 0; 2 * gate < sides.length; gate++) {
    const a = rootOf(into, sides[2 * gate]);
    const b = rootOf(into, sides[2 * gate + 1]);
    if (a !== b && parents[block[a]] === parents[block[b]]) into[Math.max(a, b)] = Math.min(a, b);
  }
  for (let cell = begin; cell < end; cell++) {
    const root = rootOf(into, cell);
    if (root === cell) {
      parent[cell] = block.length;
      block.push(parents[block[cell]]);
      parent.push(-1);
      bounds.push(Infinity, Infinity, -Infinity, -Infinity);
    } else {
      parent[cell] = parent[root];
    }
    const [minX, minZ, maxX, maxZ] = bounds.slice(4 * cell, 4 * cell + 4);
    widen(bounds, parent[cell], minX, minZ, maxX, maxZ);
  }
  levelStart.push(block.length);
  for (let i = 0; i < sides.length; i++) sides[i] = parent[sides[i]];
}
