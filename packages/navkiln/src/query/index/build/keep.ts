/**
 * Finds the corners whose cones an update can keep.
 *
 * The cones of a corner depend on the polygons that they enter, and on the exits of these polygons. A corner is kept if
 * each polygon around it, and each polygon that its cones enter, still exists with the same exits.
 *
 * In: an index of the mesh before the change, the corners of the current mesh.
 * Out: pairs of old and new corners, and the old cones in the order of corners.
 * Cost: linear in the old cones, the polygons and the vertices.
 * Based on: own.
 */
import type { NavMesh } from '../../../mesh/types.ts';
import { isSameTile } from '../identity.ts';
import type { PathIndex } from '../types.ts';
import type { Cones } from './cones.ts';
import { addCone } from './cones.ts';
import type { Ground, Sectors } from './sectors.ts';

/** Corners whose cones are kept. */
export interface Kept {
  old: PathIndex;
  /** Per new corner: the old corner, or -1; and the reverse. */
  oldOf: Int32Array;
  newOf: Int32Array;
  /** Cones of old corner o: coneList[i] for i = coneStart[o] .. coneStart[o + 1] - 1; and the polygon of each cone. */
  coneStart: Int32Array;
  coneList: Int32Array;
  conePoly: Int32Array;
  /** Per point of the old index: a vertex of the mesh at the same position, or -1. */
  vertexOf: Int32Array;
}

/** Returns the corners that are kept. `index` is the new index, which already lists its polygons. */
export function findKept(index: PathIndex, sectors: Sectors, ground: Ground, old: PathIndex): Kept {
  const { mesh } = ground;
  const isChanged = findChanged(index, mesh, old);
  const coneCount = old.cones.length / 3;
  const out: Kept = {
    old,
    oldOf: new Int32Array(sectors.cornerCount).fill(-1),
    newOf: new Int32Array(old.cornerCount).fill(-1),
    coneStart: new Int32Array(old.cornerCount + 1),
    coneList: new Int32Array(coneCount),
    conePoly: new Int32Array(coneCount),
    vertexOf: findVertices(ground, old),
  };
  const isLost = sortCones(out, isChanged);
  pairCorners(out, sectors, ground, isChanged, isLost);
  return out;
}

/** Returns for each polygon index whether that polygon or its exits have changed. */
function findChanged(index: PathIndex, mesh: NavMesh, old: PathIndex): Uint8Array {
  const isChanged = new Uint8Array(Math.max(old.polyCount, mesh.polyCount)).fill(1);
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1 || !isSameTile(old, mesh, slot)) continue;
    const end = mesh.tilePolyStart[slot] + mesh.tilePolyCount[slot];
    for (let poly = mesh.tilePolyStart[slot]; poly < end; poly++) {
      const isSame = old.polyOpen[poly] === index.polyOpen[poly] && old.polyExits[poly] === index.polyExits[poly];
      isChanged[poly] = isSame ? 0 : 1;
    }
  }
  return isChanged;
}

/** Returns a vertex of the mesh at each point of the old index, or -1. */
function findVertices({ mesh, xs, zs }: Ground, old: PathIndex): Int32Array {
  const places = new Map<number, number>();
  const keyOf = (x: number, z: number): number => x + KEY_SCALE * z;
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    const end = mesh.tileVertexStart[slot] + mesh.tileVertexCount[slot];
    for (let v = mesh.tileVertexStart[slot]; v < end; v++) {
      const key = keyOf(xs[v], zs[v]);
      if (!places.has(key)) places.set(key, v);
    }
  }
  const out = new Int32Array(old.points.length / 2);
  for (let point = 0; point < out.length; point++) {
    const x = old.points[2 * point];
    const z = old.points[2 * point + 1];
    const vertex = places.get(keyOf(x, z)) ?? -1;
    out[point] = vertex >= 0 && xs[vertex] === x && zs[vertex] === z ? vertex : -1;
  }
  return out;
}

/**
 * Arbitrary constant of the key of a position. Two positions rarely have the same key; one of them then counts as
 * unknown.
 */
const KEY_SCALE = 7919.123;

/** Sorts the old cones by corner. Returns for each corner whether it has a cone in a polygon that has changed. */
function sortCones(out: Kept, isChanged: Uint8Array): Uint8Array {
  const { old, coneStart, coneList, conePoly, vertexOf } = out;
  const { cones, polyCone } = old;
  const isLost = new Uint8Array(old.cornerCount);
  for (let poly = 0; poly + 1 < polyCone.length; poly++) {
    for (let i = polyCone[poly]; i < polyCone[poly + 1]; i++) {
      const corner = cones[3 * i];
      conePoly[i] = poly;
      coneStart[corner + 1]++;
      const right = cones[3 * i + 1];
      const left = cones[3 * i + 2];
      if (isChanged[poly] === 1 || vertexOf[right ^ (right >> 31)] < 0 || vertexOf[left ^ (left >> 31)] < 0) {
        isLost[corner] = 1;
      }
    }
  }
  for (let corner = 0; corner < old.cornerCount; corner++) coneStart[corner + 1] += coneStart[corner];
  const next = coneStart.slice();
  for (let i = 0; i < coneList.length; i++) coneList[next[cones[3 * i]]++] = i;
  return isLost;
}

/** Pairs new corners with old corners at the same position whose sectors begin with the same polygon. */
function pairCorners(
  out: Kept,
  sectors: Sectors,
  { mesh, xs, zs }: Ground,
  isChanged: Uint8Array,
  isLost: Uint8Array,
): void {
  const { old, oldOf, newOf } = out;
  const { points, cornerPoly, cornerCount } = old;
  const firstOf = new Int32Array(isChanged.length).fill(-1);
  const nextOf = new Int32Array(cornerCount);
  for (let corner = cornerCount - 1; corner >= 0; corner--) {
    nextOf[corner] = firstOf[cornerPoly[corner]];
    firstOf[cornerPoly[corner]] = corner;
  }
  const firstLinkEnd = cornerCount - old.linkPoly.length;
  for (let corner = 0; corner < sectors.cornerCount; corner++) {
    const vertex = sectors.vertex[corner];
    const isLinkEnd = vertex >= mesh.vertexCount;
    const first = sectors.itemStart[corner];
    let isSame = true;
    for (let item = first; item < sectors.itemStart[corner + 1]; item++) {
      if (isChanged[sectors.itemPoly[item]] === 1) isSame = false;
    }
    if (!isSame) continue;
    for (let o = firstOf[sectors.itemPoly[first]]; o >= 0; o = nextOf[o]) {
      if (isLost[o] === 1 || newOf[o] >= 0 || o >= firstLinkEnd !== isLinkEnd) continue;
      if (points[2 * o] !== xs[vertex] || points[2 * o + 1] !== zs[vertex]) continue;
      oldOf[corner] = o;
      newOf[o] = corner;
      break;
    }
  }
}

/** Adds the cones of a kept corner. */
export function copyCones(
  out: Cones,
  { old, oldOf, coneStart, coneList, conePoly, vertexOf }: Kept,
  corner: number,
): void {
  const { cones } = old;
  const o = oldOf[corner];
  const nameOf = (limit: number): number => (limit < 0 ? ~vertexOf[~limit] : vertexOf[limit]);
  for (let i = coneStart[o]; i < coneStart[o + 1]; i++) {
    const cone = coneList[i];
    addCone(out, conePoly[cone], corner, nameOf(cones[3 * cone + 1]), nameOf(cones[3 * cone + 2]));
  }
}
