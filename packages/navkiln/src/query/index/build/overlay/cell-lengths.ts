/**
 * Measures the shortest paths within a cell between its gates.
 *
 * The cell is a small mesh of its own: its corners, cones and graph are found as for a whole index. From each gate, lengths spread
 * over the graph. Only corners on a path between two gates are kept.
 *
 * In: a cell cut out of its mesh, its gates.
 * Out: the length between each two gates, and the corners in between.
 * Cost: linear in the gates times the edges of the graph.
 * Based on: own; see build/cones.ts.
 */
import { createMinHeap, popItem, pushItem } from '../../../../base/data/min-heap.ts';
import type { NavMesh } from '../../../../mesh/types.ts';
import { DEFAULT_FILTER } from '../../../filter.ts';
import { createRayHit } from '../../../ray/hit.ts';
import { raycastInto } from '../../../ray/raycast.ts';
import { createSeenCorners, findSeenCorners } from '../../lookup/seen.ts';
import type { SeenCorners } from '../../lookup/seen.ts';
import { seesEnd } from '../../lookup/sight.ts';
import { emptyPathIndex } from '../../types.ts';
import type { PathIndex } from '../../types.ts';
import { createCones, spreadCones } from '../cones.ts';
import { joinCorners } from '../graph.ts';
import { packCones } from '../pack.ts';
import { findSectors } from '../sectors.ts';

/** The gates of a cell: their polygons in the cell's mesh, and x and z a little inside these polygons. */
export interface CellGates {
  count: number;
  polys: Int32Array;
  points: Float64Array;
}

/** The paths within a cell. */
export interface CellPaths {
  cornerCount: number;
  /** Length between gates i and j < i: lengths[i * (i - 1) / 2 + j]; Infinity: no path. */
  lengths: Float32Array;
  /** x and z of the corners that are used. */
  corners: number[];
  /**
   * hops[to * (gates + corners) + from]: the next point after gate or corner `from` on the path to gate `to`. 0: that
   * gate; k + 1: corner k. Corners are numbered after the gates.
   */
  hops: Uint16Array;
}

const heap = createMinHeap();
const hit = createRayHit();
const from = new Float64Array(3);
const to = new Float64Array(3);
const ends = new Float64Array(4);

/** Returns the corners of a mesh without portals, or undefined if some lines of sight do not end. */
function indexCorners(mesh: NavMesh): PathIndex | undefined {
  const out = emptyPathIndex();
  const ground = {
    mesh,
    filter: DEFAULT_FILTER,
    xs: Float64Array.from({ length: mesh.vertexCount }, (_, v) => mesh.vertices[3 * v]),
    ys: Float64Array.from({ length: mesh.vertexCount }, (_, v) => mesh.vertices[3 * v + 1]),
    zs: Float64Array.from({ length: mesh.vertexCount }, (_, v) => mesh.vertices[3 * v + 2]),
    portalEnds: new Int32Array(0),
  };
  const sectors = findSectors(ground);
  const cones = createCones();
  for (let start = 0; start < sectors.startCount;) {
    start = spreadCones(cones, ground, sectors, start);
    if (cones.isEndless) return undefined;
  }
  packCones(out, ground, sectors, cones);
  joinCorners(out, sectors, undefined);
  return out;
}

/** Returns the paths between the gates of a cell, or undefined if some lines of sight do not end. */
export function measureCell(mesh: NavMesh, gates: CellGates): CellPaths | undefined {
  const index = indexCorners(mesh);
  if (index === undefined) return undefined;
  const { count } = gates;
  const { cornerCount, edgeStart, edgeTarget, edgeLength } = index;
  const seen = Array.from({ length: count }, (_, gate) => {
    const out = createSeenCorners();
    findSeenCorners(out, index, gates.polys[gate], gates.points, 2 * gate);
    return out;
  });
  const lengths = new Float32Array((count * (count - 1)) / 2);
  const length = new Float64Array(cornerCount);
  const next = new Int32Array(cornerCount);
  const isDone = new Uint8Array(cornerCount);
  // The same as `hops`, over all corners.
  const width = count + cornerCount;
  const follows = new Uint16Array(count * width);
  for (let gate = 0; gate < count; gate++) {
    length.fill(Infinity);
    isDone.fill(0);
    heap.count = 0;
    const { corners, lengths: reach, count: seenCount } = seen[gate];
    for (let i = 0; i < seenCount; i++) {
      if (reach[i] >= length[corners[i]]) continue;
      length[corners[i]] = reach[i];
      next[corners[i]] = -1;
      pushItem(heap, corners[i], length);
    }
    while (heap.count > 0) {
      const at = popItem(heap);
      if (isDone[at] === 1) continue;
      isDone[at] = 1;
      follows[gate * width + count + at] = next[at] + 1;
      for (let i = edgeStart[at]; i < edgeStart[at + 1]; i++) {
        const other = edgeTarget[i];
        const total = length[at] + edgeLength[i];
        if (total >= length[other]) continue;
        length[other] = total;
        next[other] = at;
        pushItem(heap, other, length);
      }
    }
    for (let other = 0; other < count; other++) {
      if (other === gate) continue;
      const isLater = other > gate;
      const place = isLater ? (other * (other - 1)) / 2 + gate : (gate * (gate - 1)) / 2 + other;
      // Straight lines were already found from the other gate.
      const isStraight = isLater ? isVisible(mesh, gates, gate, other) : follows[other * width + gate] === 0;
      if (isStraight) {
        if (isLater) lengths[place] = distanceOf(gates, gate, other);
        continue;
      }
      const best = bestCorner(seen[other], length);
      lengths[place] = best < 0 ? Infinity : length[best] + reachOf(seen[other], best);
      follows[gate * width + other] = best < 0 ? 0 : best + 1;
    }
  }
  return { lengths, ...keepUsed(index, follows, count) };
}

/** Returns the next corner of the shortest path from a gate, or -1. */
function bestCorner({ corners, lengths, count }: SeenCorners, length: Float64Array): number {
  let best = -1;
  let least = Infinity;
  for (let i = 0; i < count; i++) {
    const total = lengths[i] + length[corners[i]];
    if (total >= least) continue;
    least = total;
    best = corners[i];
  }
  return best;
}

function reachOf({ corners, lengths, count }: SeenCorners, corner: number): number {
  let least = Infinity;
  for (let i = 0; i < count; i++) if (corners[i] === corner) least = Math.min(least, lengths[i]);
  return least;
}

function distanceOf({ points }: CellGates, a: number, b: number): number {
  const dx = points[2 * a] - points[2 * b];
  const dz = points[2 * a + 1] - points[2 * b + 1];
  return Math.sqrt(dx * dx + dz * dz);
}

function isVisible(mesh: NavMesh, { polys, points }: CellGates, a: number, b: number): boolean {
  if (polys[a] === polys[b]) return true;
  ends[0] = from[0] = points[2 * a];
  ends[1] = from[2] = points[2 * a + 1];
  ends[2] = to[0] = points[2 * b];
  ends[3] = to[2] = points[2 * b + 1];
  const sees = seesEnd(mesh, DEFAULT_FILTER, polys[a], polys[b], ends);
  if (sees >= 0) return sees === 1;
  raycastInto(hit, mesh, polys[a], from, to, DEFAULT_FILTER, false);
  return hit.status === 'reached' && hit.poly === polys[b];
}

/** Returns the corners on paths between gates, and the hops between them. */
function keepUsed(
  { cornerCount, points }: PathIndex,
  follows: Uint16Array,
  count: number,
): Pick<CellPaths, 'cornerCount' | 'corners' | 'hops'> {
  const width = count + cornerCount;
  const place = new Int32Array(cornerCount).fill(-1);
  const used: number[] = [];
  for (let gate = 0; gate < count; gate++) {
    for (let other = 0; other < count; other++) {
      for (let hop = follows[gate * width + other]; hop > 0; hop = follows[gate * width + count + hop - 1]) {
        if (place[hop - 1] >= 0) continue;
        place[hop - 1] = used.length;
        used.push(hop - 1);
      }
    }
  }
  const rename = (hop: number): number => (hop > 0 ? place[hop - 1] + 1 : 0);
  const hops = new Uint16Array(count * (count + used.length));
  for (let gate = 0; gate < count; gate++) {
    const row = gate * (count + used.length);
    for (let other = 0; other < count; other++) hops[row + other] = rename(follows[gate * width + other]);
    used.forEach((corner, k) => {
      hops[row + count + k] = rename(follows[gate * width + count + corner]);
    });
  }
  return { cornerCount: used.length, corners: used.flatMap((c) => [points[2 * c], points[2 * c + 1]]), hops };
}
