/**
 * Adds starts and targets to an exact search.
 *
 * A position at a mesh corner lies on all polygons that share that corner. Where walls touch there, these
 * polygons are not connected to each other, and a path may start and end in any of them.
 *
 * In: a position on a polygon.
 * Out: start nodes, targets with their goals.
 * Cost: linear in the polygon's corners; at a corner also a walk through the tiles' trees.
 * Based on: own.
 */
import type { NavMesh } from '../../mesh/types.ts';
import { islandRelationFor } from '../connected.ts';
import type { QueryFilter } from '../filter.ts';
import { findNearestOnIsland } from '../nearest/on-island.ts';
import { createNearestHit } from '../nearest/nearest.ts';
import type { NearestHit } from '../nearest/nearest.ts';
import { bitsOf } from './corner.ts';
import { estimate, offerGoals } from './estimate.ts';
import { GOAL, LENGTH, NODE_STRIDE, ROOT, addFan, addGoal, addTarget, openBlocks, pushOpen } from './state.ts';
import type { OptimalState } from './state.ts';
import { addPoly, createPolyList, findPolysInBoxInto } from '../nearest/polys-in-box.ts';

/** Maximum rounding error of a point that was moved onto the mesh, as a share of its coordinates. */
const ROUNDING = 1e-14;
/** The polygons at the current position. */
const around = createPolyList();
const near = createPolyList();
const starts = createPolyList();
const reach = new Float64Array(3);
const other = createNearestHit();

/** Sets `around` to the polygons at a point. At a mesh corner it moves the point exactly onto the corner. */
function findAround(mesh: NavMesh, filter: QueryFilter, poly: number, point: Float64Array): void {
  around.count = 0;
  addPoly(around, poly);
  reach[0] = reach[2] = ROUNDING * (Math.abs(point[0]) + Math.abs(point[2]));
  const corner = cornerOf(mesh, poly, point);
  if (corner < 0) return;
  point[0] = mesh.vertices[3 * corner];
  point[2] = mesh.vertices[3 * corner + 2];
  reach[1] = mesh.agent.maxClimb;
  findPolysInBoxInto(near, mesh, point, reach, filter);
  for (let i = 0; i < near.count; i++) {
    if (near.polys[i] !== poly && cornerOf(mesh, near.polys[i], point) >= 0) addPoly(around, near.polys[i]);
  }
}

/** Returns the vertex of a polygon at a point, up to rounding, or -1. */
function cornerOf(mesh: NavMesh, poly: number, point: Float64Array): number {
  const { vertices, edgeVertex } = mesh;
  const epsilon = reach[0];
  const first = mesh.polyEdgeStart[poly];
  const end = first + mesh.polyVertexCount[poly];
  for (let e = first; e < end; e++) {
    const v = edgeVertex[e];
    const dx = vertices[3 * v] - point[0];
    const dz = vertices[3 * v + 2] - point[2];
    if (dx <= epsilon && dx >= -epsilon && dz <= epsilon && dz >= -epsilon) return v;
  }
  return -1;
}

/**
 * Returns whether two ends are connected, as `islandRelation` does. An end at a corner is moved to another
 * polygon of that corner when only that one is connected to the other end.
 */
export function joinEnds(mesh: NavMesh, filter: QueryFilter, start: NearestHit, end: NearestHit): number {
  const known = islandRelationFor(mesh, filter, start.poly, end.poly);
  if (known !== 0) return known;
  findAround(mesh, filter, start.poly, start.point);
  const startCount = around.count;
  for (let i = 0; i < startCount; i++) addPoly(starts, around.polys[i]);
  findAround(mesh, filter, end.poly, end.point);
  let isJoined = 0;
  for (let i = 0; i < startCount && isJoined === 0; i++) {
    for (let k = 0; k < around.count && isJoined === 0; k++) {
      if (islandRelationFor(mesh, filter, starts.polys[i], around.polys[k]) === 0) continue;
      start.poly = starts.polys[i];
      end.poly = around.polys[k];
      isJoined = 1;
    }
  }
  starts.count = 0;
  return isJoined;
}

/**
 * Sets `landing` to the point nearest to a given point that is reachable from a start. A start at a corner may use any
 * polygon there, and is moved to that polygon.
 */
export function findLanding(
  landing: NearestHit,
  mesh: NavMesh,
  filter: QueryFilter,
  start: NearestHit,
  point: Float64Array,
): void {
  findAround(mesh, filter, start.poly, start.point);
  findNearestOnIsland(landing, mesh, start.poly, point, filter);
  for (let i = 1; i < around.count; i++) {
    const poly = around.polys[i];
    if (islandRelationFor(mesh, filter, start.poly, poly) === 1) continue;
    findNearestOnIsland(other, mesh, poly, point, filter);
    if (other.distanceSq >= landing.distanceSq) continue;
    start.poly = poly;
    landing.poly = other.poly;
    landing.distanceSq = other.distanceSq;
    landing.point.set(other.point);
  }
}

/** Adds a target at a point of a polygon and returns its number. */
export function addEnd(
  state: OptimalState,
  mesh: NavMesh,
  filter: QueryFilter,
  poly: number,
  point: Float64Array,
): number {
  findAround(mesh, filter, poly, point);
  const target = addTarget(state, point);
  for (let i = 0; i < around.count; i++) {
    addGoal(state, around.polys[i], target);
    openBlocks(state, mesh, around.polys[i]);
  }
  return target;
}

/** Adds the start. All targets must have been added before. */
export function addStart(state: OptimalState, mesh: NavMesh, filter: QueryFilter, start: NearestHit): void {
  findAround(mesh, filter, start.poly, start.point);
  for (let i = 0; i < around.count; i++) openBlocks(state, mesh, around.polys[i]);
  for (let i = 0; i < around.count; i++) {
    const item = addFan(state, around.polys[i], -1, 0);
    const { node } = state;
    node[NODE_STRIDE * item + ROOT] = start.point[0];
    node[NODE_STRIDE * item + ROOT + 1] = start.point[2];
    node[NODE_STRIDE * item + LENGTH] = 0;
    const bits = bitsOf(state, mesh, filter, around.polys[i]);
    if ((bits & GOAL) !== 0) offerGoals(state, item);
    estimate(state, mesh, item);
    pushOpen(state, item);
  }
}
