/**
 * Places the gates of a tile on its runs, between its cells, and at the ends of links.
 *
 *   +--x----x----x--+      The border has gates at the same positions in both tiles that share it. A run too short to
 *   |               |      contain such a position has one gate in its middle.
 *   x     cell      x
 *
 * In: a tile of a mesh, its cells and runs.
 * Out: gates, ordered by cell, and the pairs of gates between cells of the tile.
 * Cost: linear in the tile, quadratic in the gates between two cells of the tile.
 * Based on: own; entrances of clusters in Adi Botea, Martin Müller, Jonathan Schaeffer, Near Optimal Hierarchical Path-Finding, 2004.
 */
import type { NavMesh } from '../../../mesh/types.ts';
import type { TileCells } from './cells.ts';
import type { Run } from './runs.ts';

/** Number of gates along an open side of a tile. */
export const GATES_PER_SIDE = 3;
/** Values of `run`. */
export const BETWEEN_CELLS = -1;
export const FIRST_LINK_END = -2;

export interface Gate {
  cell: number;
  /** Dense index. */
  poly: number;
  x: number;
  y: number;
  z: number;
  /** The run, as in `RouteTile.gateRun`. */
  run: number;
}

/** Gates in the order of cells, and pairs of indices of gates. */
export interface Gates {
  list: Gate[];
  pairs: number[];
}

/** Returns the gates of a tile. `rounding`: minimum length of a run that counts. */
export function placeGates(mesh: NavMesh, cells: TileCells, runs: readonly Run[], rounding: number): Gates {
  const found: Gate[] = [];
  runs.forEach((run, r) => addRun(found, mesh, cells.slot, run, r, rounding));
  const pairs = addInner(found, mesh, cells);
  addLinkEnds(found, mesh, cells);
  const order = found.map((_, i) => i).sort((a, b) => found[a].cell - found[b].cell || a - b);
  const place = new Int32Array(order.length);
  order.forEach((gate, i) => {
    place[gate] = i;
  });
  return { list: order.map((gate) => found[gate]), pairs: pairs.map((gate) => place[gate]) };
}

function addRun(found: Gate[], mesh: NavMesh, slot: number, run: Run, r: number, rounding: number): void {
  const { tileSize, origin } = mesh;
  const { at, side } = run;
  const low = at[0];
  const high = at[at.length - 1];
  if (!(high - low > 2 * rounding)) return;
  const isAlongX = (side & 1) === 1;
  const corner = isAlongX ? origin[0] + mesh.tileX[slot] * tileSize : origin[2] + mesh.tileZ[slot] * tileSize;
  let isEmpty = true;
  for (let k = 0; k < GATES_PER_SIDE; k++) {
    const t = corner + ((k + 0.5) / GATES_PER_SIDE) * tileSize;
    if (t <= low || t >= high) continue;
    found.push(gateOnRun(mesh, run, r, t));
    isEmpty = false;
  }
  if (isEmpty) found.push(gateOnRun(mesh, run, r, (low + high) / 2));
}

function gateOnRun(mesh: NavMesh, run: Run, r: number, t: number): Gate {
  const { at, y, polys, side, cell } = run;
  let i = 0;
  while (i + 2 < at.length && at[i + 1] < t) i++;
  const share = (t - at[i]) / (at[i + 1] - at[i]);
  const height = y[i] + share * (y[i + 1] - y[i]);
  const slot = mesh.polyTile[polys[i]];
  const { tileSize, origin, tileX, tileZ } = mesh;
  const isAlongX = (side & 1) === 1;
  // Sides 1 and 2 have the larger coordinates.
  const across = side === 1 || side === 2 ? 1 : 0;
  const x = isAlongX ? t : origin[0] + (tileX[slot] + across) * tileSize;
  const z = isAlongX ? origin[2] + (tileZ[slot] + across) * tileSize : t;
  return { cell, poly: polys[i], x, y: height, z, run: r };
}

/** Adds two gates at each gate position between cells of the tile. Returns their indices. */
function addInner(found: Gate[], mesh: NavMesh, { slot, cellOf, count }: TileCells): number[] {
  const pairs: number[] = [];
  if (count === 1) return pairs;
  const { vertices, edgeVertex, edgeNeighbor, polyEdgeStart, polyVertexCount } = mesh;
  const start = mesh.tilePolyStart[slot];
  const end = start + mesh.tilePolyCount[slot];
  const spacing = mesh.tileSize / GATES_PER_SIDE;
  const kept = new Map<number, Gate[]>();
  for (let poly = start; poly < end; poly++) {
    if (cellOf[poly - start] < 0) continue;
    const first = polyEdgeStart[poly];
    const last = first + polyVertexCount[poly];
    for (let e = first; e < last; e++) {
      const other = edgeNeighbor[e];
      if (other < poly || cellOf[other - start] < 0 || cellOf[other - start] === cellOf[poly - start]) continue;
      const a = 3 * edgeVertex[e];
      const b = 3 * edgeVertex[e + 1 === last ? first : e + 1];
      const key = keyOfPair(cellOf[poly - start], cellOf[other - start], count);
      let gates = kept.get(key);
      if (gates === undefined) kept.set(key, (gates = []));
      const dx = vertices[b] - vertices[a];
      const dz = vertices[b + 2] - vertices[a + 2];
      const each = Math.max(1, Math.round(Math.sqrt(dx * dx + dz * dz) / spacing));
      for (let k = 0; k < each; k++) {
        const t = (k + 0.5) / each;
        const x = vertices[a] + t * dx;
        const z = vertices[a + 2] + t * dz;
        const y = vertices[a + 1] + t * (vertices[b + 1] - vertices[a + 1]);
        if (gates.some((one) => isNear(one, x, z, 0.9 * spacing))) continue;
        const gate = { cell: cellOf[poly - start], poly, x, y, z, run: BETWEEN_CELLS };
        gates.push(gate);
        pairs.push(found.length, found.length + 1);
        found.push(gate, { ...gate, cell: cellOf[other - start], poly: other });
      }
    }
  }
  return pairs;
}

function isNear(gate: Gate, x: number, z: number, reach: number): boolean {
  const dx = gate.x - x;
  const dz = gate.z - z;
  return dx * dx + dz * dz < reach * reach;
}

function keyOfPair(a: number, b: number, count: number): number {
  return a < b ? a * count + b : b * count + a;
}

function addLinkEnds(found: Gate[], mesh: NavMesh, { slot, cellOf }: TileCells): void {
  const { polyLink, linkNext, linkAnchors } = mesh;
  const start = mesh.tilePolyStart[slot];
  const end = start + mesh.tilePolyCount[slot];
  for (let poly = start; poly < end; poly++) {
    for (let linkEnd = cellOf[poly - start] < 0 ? -1 : polyLink[poly]; linkEnd >= 0; linkEnd = linkNext[linkEnd]) {
      const middle = (k: number): number => (linkAnchors[6 * linkEnd + k] + linkAnchors[6 * linkEnd + 3 + k]) / 2;
      found.push({
        cell: cellOf[poly - start],
        poly,
        x: middle(0),
        y: middle(1),
        z: middle(2),
        run: FIRST_LINK_END - linkEnd,
      });
    }
  }
}
