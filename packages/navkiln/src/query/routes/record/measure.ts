/**
 * Measures a tile: creates its record for the route graph.
 *
 * In: a tile of a mesh.
 * Out: its cells, gates, runs, and the length between each two gates of a cell.
 * Cost: O(g m log m) in g gates and m polygons of a cell, and a funnel for each pair of gates; about 5 % of the tile's
 * bake.
 * Based on: own.
 */
import { hashWords } from '../../../base/data/hash.ts';
import { groupOfPoly, ownFlags } from '../../../mesh/named.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import { createCorridor } from '../../path/corridor.ts';
import { pullString } from '../../path/funnel.ts';
import { createPathLine } from '../../path/path-line.ts';
import { setLength } from '../../path/result.ts';
import { createSearchState } from '../../search-state.ts';
import type { RouteTile } from '../types.ts';
import { createTileCells, findCells, fitsAt } from './cells.ts';
import { placeGates } from './gates.ts';
import type { Gate } from './gates.ts';
import { findRuns } from './runs.ts';
import type { Run } from './runs.ts';
import { spreadInCell, traceInCell } from './spread.ts';

/** The largest value of `RouteTile.lengths`. */
const STEPS = 65_535;

const cells = createTileCells();
const state = createSearchState();
const corridor = createCorridor();
const line = createPathLine();
const from = new Float64Array(3);
const to = new Float64Array(3);
const pulled = { length: NaN };

/**
 * Returns the record of the tile in a slot, for the polygons on which a size fits; size -1: for all polygons.
 * `rounding`: minimum overlap of borders that counts.
 */
export function measureTile(mesh: NavMesh, slot: number, rounding: number, size: number = -1): RouteTile {
  findCells(cells, mesh, slot, size);
  const runs = findRuns(mesh, cells);
  const { list, pairs } = placeGates(mesh, cells, runs, rounding);
  const { origin, tileSize } = mesh;
  const x = mesh.tileX[slot];
  const z = mesh.tileZ[slot];
  const corner = [origin[0] + x * tileSize, origin[1], origin[2] + z * tileSize];
  const cellGate = new Uint16Array(cells.count + 1);
  for (const { cell } of list) cellGate[cell + 1]++;
  for (let cell = 0; cell < cells.count; cell++) cellGate[cell + 1] += cellGate[cell];
  return {
    x,
    z,
    layer: mesh.tileLayer[slot],
    ...describeCells(mesh, corner),
    cellGate,
    gatePoint: Float32Array.from(list.flatMap((gate) => [gate.x - corner[0], gate.y - corner[1], gate.z - corner[2]])),
    gatePoly: Int32Array.from(list, ({ poly }) => poly - mesh.tilePolyStart[slot]),
    gateRun: Int32Array.from(list, ({ run }) => run),
    pairs: Uint16Array.from(pairs),
    ...describeRuns(runs, corner),
    ...measureLengths(mesh, list, cellGate),
  };
}

/** Returns a hash of everything in a tile that its record depends on. */
export function hashTile(mesh: NavMesh, slot: number, size: number): number {
  const { polyLink, linkNext, linkAnchors, polyArea } = mesh;
  const start = mesh.tilePolyStart[slot];
  const count = mesh.tilePolyCount[slot];
  let words = new Uint32Array(count + 16);
  let used = 0;
  const add = (word: number): void => {
    if (used === words.length) {
      const larger = new Uint32Array(2 * used);
      larger.set(words);
      words = larger;
    }
    words[used++] = word;
  };
  for (let poly = start; poly < start + count; poly++) {
    const isOut = fitsAt(mesh, poly, size) ? 0 : 1 << 24;
    add(isOut | polyArea[poly] | ((mesh.polyGroup.size === 0 ? mesh.polyFlags[poly] : ownFlags(mesh, poly)) << 8));
    for (let linkEnd = polyLink[poly]; linkEnd >= 0; linkEnd = linkNext[linkEnd]) {
      add(linkEnd);
      add(poly - start);
      const place = new Uint32Array(linkAnchors.slice(6 * linkEnd, 6 * linkEnd + 6).buffer);
      for (const word of place) add(word);
    }
  }
  return hashWords(words, 0, used, mesh.tileGeneration[slot]);
}

function describeCells(
  mesh: NavMesh,
  corner: readonly number[],
): Pick<RouteTile, 'cellArea' | 'cellFlags' | 'cellName' | 'cellBox'> {
  const { count, cellOf, first, slot } = cells;
  const start = mesh.tilePolyStart[slot];
  const box = new Float64Array(6 * count);
  for (let cell = 0; cell < count; cell++) {
    for (let k = 0; k < 3; k++) {
      box[6 * cell + k] = Infinity;
      box[6 * cell + 3 + k] = -Infinity;
    }
  }
  for (let p = 0; p < mesh.tilePolyCount[slot]; p++) {
    const at = 6 * cellOf[p];
    if (at < 0) continue;
    const edgeStart = mesh.polyEdgeStart[start + p];
    for (let e = edgeStart; e < edgeStart + mesh.polyVertexCount[start + p]; e++) {
      for (let k = 0; k < 3; k++) {
        const value = mesh.vertices[3 * mesh.edgeVertex[e] + k] - corner[k];
        if (value < box[at + k]) box[at + k] = value;
        if (value > box[at + 3 + k]) box[at + 3 + k] = value;
      }
    }
  }
  const polys = Array.from(first.subarray(0, count), (poly) => start + poly);
  return {
    cellArea: Uint8Array.from(polys, (poly) => mesh.polyArea[poly]),
    cellFlags: Uint16Array.from(polys, (poly) => ownFlags(mesh, poly)),
    cellName: polys.map((poly) => groupOfPoly(mesh, poly)?.name ?? ''),
    cellBox: Float32Array.from(box),
  };
}

function describeRuns(
  runs: readonly Run[],
  corner: readonly number[],
): Pick<RouteTile, 'runSide' | 'runCell' | 'runStart' | 'runPoints'> {
  const points: number[] = [];
  const starts = [0];
  for (const { side, heights } of runs) {
    const base = corner[(side & 1) === 1 ? 0 : 2];
    heights.forEach((value, k) => points.push(value - (k % 2 === 0 ? base : corner[1])));
    starts.push(points.length / 2);
  }
  return {
    runSide: Uint8Array.from(runs, ({ side }) => side),
    runCell: Uint16Array.from(runs, ({ cell }) => cell),
    runStart: Uint16Array.from(starts),
    runPoints: Float32Array.from(points),
  };
}

/** Returns the lengths between the gates of each cell. */
function measureLengths(
  mesh: NavMesh,
  gates: readonly Gate[],
  cellGate: Uint16Array,
): Pick<RouteTile, 'lengthStart' | 'lengths' | 'lengthStep'> {
  const lengthStart = new Int32Array(cells.count + 1);
  const found: number[] = [];
  let longest = 0;
  for (let cell = 0; cell < cells.count; cell++) {
    for (let i = cellGate[cell] + 1; i < cellGate[cell + 1]; i++) {
      setPoint(from, gates[i]);
      spreadInCell(state, mesh, cells, gates[i].poly, from);
      for (let j = cellGate[cell]; j < i; j++) {
        setPoint(to, gates[j]);
        traceInCell(corridor, state, gates[j].poly);
        pullString(line, mesh, corridor, from, to);
        setLength(pulled, line);
        found.push(pulled.length);
        if (pulled.length > longest) longest = pulled.length;
      }
    }
    lengthStart[cell + 1] = found.length;
  }
  const lengthStep = longest / STEPS;
  const lengths = Uint16Array.from(found, (length) => (longest > 0 ? Math.round(length / lengthStep) : 0));
  return { lengthStart, lengths, lengthStep };
}

function setPoint(out: Float64Array, { x, y, z }: Gate): void {
  out[0] = x;
  out[1] = y;
  out[2] = z;
}
