/**
 * Stage 2: triangulates rings on the grid (constrained Delaunay) and computes the winding number of each
 * triangle.
 *
 * Faces get their winding by flooding from the outside and adding the weights of crossed edges. That needs no
 * point-in-polygon test and accumulates no error.
 *
 * In: any rings: they may cross, touch and lie on each other.
 * Out: a `Triangulation` in which each ring runs along fixed edges, and winding numbers by half-edge.
 * Cost: see delaunay.ts and constrain.ts; windings take one pass.
 * Based on: own.
 */
import { checkNumbers, checkRecord } from '../data/refuse.ts';
import { createWorkspace, takeInt32, takeUint8 } from '../data/workspace.ts';
import type { Workspace } from '../data/workspace.ts';
import { spendPoints } from './budget.ts';
import type { PolygonBudget } from './budget.ts';
import { insertSegments } from './constrain.ts';
import type { Segments } from './constrain.ts';
import { triangulatePoints } from './delaunay.ts';
import { findTwins } from './join-near.ts';
import type { JoinRule } from './join-near.ts';
import type { Rings, Triangulation } from './types.ts';

/** Roundings of crossings, tried in this order until one works: see constrain.ts. */
const SHIFTS = [0.5, 0.3, 0.7, 0.1, 0.9, 0.4, 0.6, 0.2, 0.8];

/**
 * Triangulates rings.
 *
 * @param weights how often each ring counts; default once
 * @param budget charged for points and crossings; default: no limit
 * @param joinCells distance at which vertices and segments are joined; default 0
 */
export function triangulateRings(
  rings: Rings,
  weights?: ArrayLike<number>,
  budget?: PolygonBudget,
  joinCells: number = 0,
): Triangulation {
  if (weights !== undefined) checkNumbers('triangulateRings', 'weights', weights);
  checkRecord('triangulateRings', 'rings', rings, 'start', 'Rings');
  const { ringCount, start } = rings;
  const count = rings.x.length;
  const from = new Int32Array(count);
  const to = new Int32Array(count);
  const weight = new Int32Array(count);
  for (let r = 0; r < ringCount; r++) {
    const first = start[r];
    const last = start[r + 1] - 1;
    for (let i = first; i < last; i++) to[i] = i + 1;
    if (last >= first) to[last] = first;
    weight.fill(weights ? weights[r] : 1, first, last + 1);
  }
  for (let i = 0; i < count; i++) from[i] = i;
  return triangulateSegments(rings.x, rings.y, { from, to, weight }, { budget, join: { cells: joinCells } });
}

/** How segments are triangulated. */
export interface TriangulateRule {
  budget?: PolygonBudget;
  /** Joins what touches but for rounding. */
  join?: JoinRule;
  /** Memory that the result lives in until the next one; default: its own. */
  workspace?: Workspace;
}

/** Triangulates segments between points, which must be closed curves by their weights. @internal */
export function triangulateSegments(
  x: Int32Array,
  y: Int32Array,
  segments: Segments,
  { budget, join: wanted, workspace }: TriangulateRule = {},
): Triangulation {
  if (budget !== undefined) spendPoints(budget, x.length);
  const { from, to, weight } = segments;
  const start = new Int32Array(from.length);
  const end = new Int32Array(from.length);
  const join = wanted !== undefined && wanted.cells > 0 ? wanted : undefined;
  // Joining bends more segments, so what it cannot end is done without.
  for (const rule of join === undefined ? [undefined] : [join, undefined]) {
    for (const shift of SHIFTS) {
      const { mesh, leastSq } = triangulateJoined(x, y, segments, { budget, join: rule, workspace });
      const { vertexOf } = mesh;
      for (let k = 0; k < from.length; k++) {
        start[k] = vertexOf[from[k]];
        end[k] = vertexOf[to[k]];
      }
      const run = rule && { ...rule, moved: new Map<number, number>() };
      if (insertSegments(mesh, { from: start, to: end, weight }, { shift, join: run, leastSq, budget })) return mesh;
    }
  }
  throw new Error('triangulateRings: segments are bent without end; this is a bug in navkiln');
}

/** Triangulates points. Points next to each other become one. */
function triangulateJoined(
  x: Int32Array,
  y: Int32Array,
  segments: Segments,
  { budget, join, workspace }: TriangulateRule,
): { mesh: Triangulation; leastSq: number } {
  const mesh = triangulatePoints(x, y, budget, workspace);
  if (join === undefined) return { mesh, leastSq: 0 };
  const { twin, leastSq } = findTwins(mesh, join, segments);
  if (twin === undefined) return { mesh, leastSq };
  const { xs, ys, vertexOf } = mesh;
  const replaced = (of: Float64Array): Int32Array => x.map((_, i) => of[twin[vertexOf[i]]]);
  const joined = triangulatePoints(replaced(xs), replaced(ys), budget, workspace);
  joined.joinCount = twin.filter((to, v) => to !== v).length;
  return { mesh: joined, leastSq: 0 };
}

/** Returns the winding number of each triangle, at each of its half-edges; 0 outside the box. */
export function findWindings(mesh: Triangulation): Int32Array {
  checkRecord('findWindings', 'mesh', mesh, 'vertexEdge', 'a Triangulation');
  return windingsIn(mesh, createWorkspace());
}

/** Returns the same as `findWindings`, in the memory of a workspace until the next call. @internal */
export function windingsIn({ edgeCount, next, weight }: Triangulation, workspace: Workspace): Int32Array {
  const winding = takeInt32(workspace, 'winding', 2 * edgeCount).fill(0);
  const seen = takeUint8(workspace, 'seen', 2 * edgeCount).fill(0);
  const stack = takeInt32(workspace, 'stack', 2 * edgeCount);
  // Half-edge 0 is a side of the box, where the winding number is 0.
  let top = 0;
  stack[top++] = 0;
  seen[0] = seen[next[0]] = seen[next[next[0]]] = 1;
  while (top > 0) {
    let h = stack[--top];
    const here = winding[h];
    for (let k = 0; k < 3; k++, h = next[h]) {
      const t = h ^ 1;
      if (next[t] < 0 || seen[t] !== 0) continue;
      const n = next[t];
      const m = next[n];
      winding[t] = winding[n] = winding[m] = (h & 1) === 0 ? here - weight[h >> 1] : here + weight[h >> 1];
      seen[t] = seen[n] = seen[m] = 1;
      stack[top++] = t;
    }
  }
  return winding;
}
