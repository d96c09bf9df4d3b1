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
import { spendPoints } from './budget.ts';
import type { PolygonBudget } from './budget.ts';
import { insertSegments } from './constrain.ts';
import { triangulatePoints } from './delaunay.ts';
import type { Rings, Triangulation } from './types.ts';

/** Roundings of crossings, tried in this order until one works: see constrain.ts. */
const SHIFTS = [0.5, 0.3, 0.7, 0.1, 0.9, 0.4, 0.6, 0.2, 0.8];

/**
 * @param weights how often each ring counts; default once
 * @param budget what points and crossings take memory from; default: without a limit
 */
export function triangulateRings(rings: Rings, weights?: ArrayLike<number>, budget?: PolygonBudget): Triangulation {
  if (weights !== undefined) checkNumbers('triangulateRings', 'weights', weights);
  checkRecord('triangulateRings', 'rings', rings, 'start', 'Rings');
  const { ringCount, start } = rings;
  const count = rings.x.length;
  const to = new Int32Array(count);
  const weight = new Int32Array(count);
  if (budget !== undefined) spendPoints(budget, count);
  for (const shift of SHIFTS) {
    const mesh = triangulatePoints(rings.x, rings.y, budget);
    const from = mesh.vertexOf;
    for (let r = 0; r < ringCount; r++) {
      const first = start[r];
      const last = start[r + 1] - 1;
      for (let i = first; i < last; i++) to[i] = from[i + 1];
      if (last >= first) to[last] = from[first];
      weight.fill(weights ? weights[r] : 1, first, last + 1);
    }
    if (insertSegments(mesh, { from, to, weight }, shift, budget)) return mesh;
  }
  throw new Error('triangulateRings: segments are bent without end; this is a bug in navkiln');
}

/** Returns the winding number of each triangle, at each of its half-edges; 0 outside the box. */
export function findWindings(mesh: Triangulation): Int32Array {
  checkRecord('findWindings', 'mesh', mesh, 'vertexEdge', 'a Triangulation');
  const { edgeCount, next, weight } = mesh;
  const winding = new Int32Array(2 * edgeCount);
  const seen = new Uint8Array(2 * edgeCount);
  const stack = new Int32Array(2 * edgeCount);
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
