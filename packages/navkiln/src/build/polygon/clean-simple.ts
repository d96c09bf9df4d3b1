/**
 * Stage 1, for most maps: computes the walkable area of rings that do not cross by one triangulation.
 *
 * Rings neither cross nor overlap when the triangulation had to add no vertex, no two segments share an edge, and
 * neither outlines less their holes nor obstacles cover a position twice. With several polygons, each hole has to lie
 * in its own outline: the region around the hole then lies inside the outline.
 *
 * In: a `GridMap`.
 * Out: what clean.ts computes in general, and the triangulation if it has no other vertices; undefined when a
 * condition does not hold.
 * Cost: one triangulation, a few passes over its edges.
 * Based on: own.
 */
import { areaSign } from './area.ts';
import type { PolygonBudget } from '../../base/plane/budget.ts';
import { mayBeTooDeep } from '../../base/plane/depth.ts';
import { TAKEN, borderRings, ringsOf } from '../../base/plane/overlay.ts';
import type { Paths } from '../../base/plane/overlay.ts';
import { findWindings, triangulateRings } from '../../base/plane/triangulate.ts';
import type { GridMap, GridRing } from './rings.ts';
import type { Rings, Triangulation } from '../../base/plane/types.ts';

/** Clean rings, and their triangulation if it is known. */
export interface CleanGround {
  rings: Rings;
  /** Triangulation of exactly these rings, and 1 for the triangles inside; absent: not known. */
  cut?: { triangulation: Triangulation; winding: Int32Array };
}

/** Edges 0 .. 3 of a triangulation are the sides of its box. */
export const BOX_EDGES = 4;

/** All rings of a map, with how much each counts. */
export interface MapRings {
  paths: Paths;
  /** How much each path counts: outlines 1, obstacles 65,536, holes -1; negated for clockwise rings. */
  weights: number[];
  /** Polygons and their rings by index in `paths`. */
  polygons: { outline: number; holes: number[] }[];
  /** As in `GridMap`. */
  joinCells: number;
}

/** All rings of a map in one triangulation. */
export interface MapTriangulation extends MapRings {
  mesh: Triangulation;
  /** Windings: outlines and holes in the lower 16 bits, obstacles above. */
  winding: Int32Array;
}

/**
 * Lists the rings of a map. Returns undefined when a ring has the area 0, so that it has no winding, and when windings may not
 * fit into their bits.
 */
export function listRings(map: GridMap): MapRings | undefined {
  const paths: Paths = [];
  const weights: number[] = [];
  const polygons: MapTriangulation['polygons'] = [];
  let isKnown = true;
  const add = ({ points }: GridRing, weight: number): number => {
    const sign = areaSign([points]);
    if (sign === 0) isKnown = false;
    weights.push(sign * weight);
    return paths.push(points) - 1;
  };
  for (const { outline, holes } of map.polygons) {
    if (outline.points.length === 0) continue;
    const inner = holes.filter(({ points }) => points.length > 0);
    polygons.push({ outline: add(outline, 1), holes: inner.map((hole) => add(hole, -1)) });
  }
  const groundCount = paths.length;
  for (const obstacle of map.obstacles) if (obstacle.points.length > 0) add(obstacle, TAKEN);
  return isKnown && !mayBeTooDeep(paths.slice(0, groundCount)) && !mayBeTooDeep(paths.slice(groundCount))
    ? { paths, weights, polygons, joinCells: map.joinCells }
    : undefined;
}

/** Triangulates all rings of a map. */
export function triangulateListed(all: MapRings, budget?: PolygonBudget): MapTriangulation {
  const mesh = triangulateRings(ringsOf(all.paths), all.weights, budget, all.joinCells);
  return { ...all, mesh, winding: findWindings(mesh) };
}

/**
 * Returns whether no winding number counts an outline less its holes, or an obstacle, more than once or below 0. Otherwise,
 * rings of one kind overlap or cross themselves. Replaces windings by 1 on walkable triangles, 2 in obstacles, 3 where both
 * overlap.
 */
export function areSimple(winding: Int32Array): boolean {
  // No branches: every second triangle is inside.
  let others = 0;
  for (let h = 0; h < winding.length; h++) {
    const ground = (winding[h] << 16) >> 16;
    const obstacles = (winding[h] - ground) >> 16;
    others |= ground | obstacles;
    winding[h] = ground | (obstacles << 1);
  }
  return (others & ~1) === 0;
}

/**
 * Returns whether rings meet at a vertex, so that one of them may touch or cross itself. Its parts that wind backwards could cancel
 * another ring, which windings do not show.
 *
 * @param isOnSide whether a vertex lies on a side of the tile, beyond which the triangulation ends
 */
export function haveJunctions(
  { edgeCount, vertexCount, fixed, origin }: Triangulation,
  isOnSide?: (vertex: number) => boolean,
): boolean {
  const ends = new Uint8Array(vertexCount);
  for (let e = BOX_EDGES; e < edgeCount; e++) {
    if (fixed[e] === 0) continue;
    const a = origin[2 * e];
    const b = origin[2 * e + 1];
    const isAtA = isOnSide?.(a) === true;
    const isAtB = isOnSide?.(b) === true;
    if (isAtA && isAtB) continue;
    ends[a] += isAtA ? 2 : 1;
    ends[b] += isAtB ? 2 : 1;
    if (ends[a] > 2 || ends[b] > 2) return true;
  }
  return false;
}

/** Returns the walkable area of rings that do not cross. */
export function cleanSimple({
  mesh,
  winding: sums,
  paths,
  weights,
  polygons,
}: MapTriangulation): CleanGround | undefined {
  if (mesh.splitCount > 0 || mesh.joinCount > 0 || mesh.vertexCount > lastOf(mesh.vertexOf) + 1 || hasDoubleEdge(mesh))
    return undefined;
  // The caller continues with the sums when they are not simple.
  const winding = sums.slice();
  if (!areSimple(winding)) return undefined;
  const input = ringsOf(paths);
  if (polygons.length > 1 && !areHolesNested(mesh, winding, polygons, input, weights)) return undefined;
  for (let h = 0; h < winding.length; h++) winding[h] &= ~(winding[h] >> 1) & 1;
  if (paths.length === 1) {
    const [points] = paths;
    return {
      rings: weights[0] > 0 ? input : ringsOf([points.slice().reverse()]),
      cut: { triangulation: mesh, winding },
    };
  }
  const rings = borderRings(mesh, winding);
  // Straight corners and rings outside the walkable area are not part of the border.
  return rings.x.length === input.x.length ? { rings, cut: { triangulation: mesh, winding } } : { rings };
}

function lastOf(vertexOf: Int32Array): number {
  let last = 0;
  for (let i = 0; i < vertexOf.length; i++) if (vertexOf[i] > last) last = vertexOf[i];
  return last;
}

/** Returns whether segments that cancel each other share an edge. */
function hasDoubleEdge({ edgeCount, fixed, weight }: Triangulation): boolean {
  for (let e = BOX_EDGES; e < edgeCount; e++) if (fixed[e] !== 0 && weight[e] === 0) return true;
  return false;
}

/** Returns whether each hole lies in the region inside its own outline. `winding & 1` is 1 in all such regions. */
function areHolesNested(
  mesh: Triangulation,
  winding: Int32Array,
  polygons: readonly { outline: number; holes: number[] }[],
  rings: Rings,
  weights: readonly number[],
): boolean {
  if (polygons.every(({ holes }) => holes.length === 0)) return true;
  const region = findRegions(mesh, winding);
  // The region on the walkable side of a ring.
  const regionOf = (ring: number): number => {
    const h = firstEdgeOf(mesh, rings, ring);
    return region[weights[ring] > 0 ? h : h ^ 1];
  };
  return polygons.every(({ outline, holes }) => {
    if (holes.length === 0) return true;
    const own = regionOf(outline);
    return holes.every((hole) => regionOf(hole) === own);
  });
}

/** Returns the region of each half-edge's triangle: triangles inside an outline that share edges; 0 elsewhere. */
function findRegions({ edgeCount, next }: Triangulation, winding: Int32Array): Int32Array {
  const region = new Int32Array(2 * edgeCount);
  const stack = new Int32Array(2 * edgeCount);
  let count = 0;
  for (let first = 0; first < 2 * edgeCount; first++) {
    if ((winding[first] & 1) === 0 || next[first] < 0 || region[first] !== 0) continue;
    count++;
    let top = 0;
    stack[top++] = first;
    region[first] = region[next[first]] = region[next[next[first]]] = count;
    while (top > 0) {
      let h = stack[--top];
      for (let k = 0; k < 3; k++, h = next[h]) {
        const t = h ^ 1;
        if (next[t] < 0 || (winding[t] & 1) === 0 || region[t] !== 0) continue;
        region[t] = region[next[t]] = region[next[next[t]]] = count;
        stack[top++] = t;
      }
    }
  }
  return region;
}

/** Returns the half-edge that leaves the first point of a ring towards the second. */
function firstEdgeOf(
  { vertexOf, vertexEdge, xs, ys, origin, next }: Triangulation,
  rings: Rings,
  ring: number,
): number {
  const a = vertexOf[rings.start[ring]];
  const b = vertexOf[rings.start[ring] + 1];
  const dx = xs[b] - xs[a];
  const dy = ys[b] - ys[a];
  let h = vertexEdge[a];
  for (;;) {
    const c = origin[h ^ 1];
    const cx = xs[c] - xs[a];
    const cy = ys[c] - ys[a];
    if (dx * cy === dy * cx && dx * cx + dy * cy > 0) return h;
    h = next[next[h]] ^ 1;
  }
}
