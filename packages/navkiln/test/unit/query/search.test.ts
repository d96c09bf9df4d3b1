/** Kernels of findPath compared with independent oracles, and their allocations. */
import { expectNoAllocation } from '../../allocation.ts';
import { describe, expect, it } from 'vitest';
import type { NavMesh } from '../../../src/mesh/types.ts';
import { findCorridor } from '../../../src/query/path/a-star.ts';
import { createCorridor } from '../../../src/query/path/corridor.ts';
import type { Corridor } from '../../../src/query/path/corridor.ts';
import { createFilter } from '../../../src/query/create-filter.ts';
import { DEFAULT_FILTER } from '../../../src/query/filter.ts';
import { createPathBuffer, findPathInto } from '../../../src/query/path/find-path.ts';
import type { PathQuery } from '../../../src/query/path/find-path.ts';
import { findMidpointPathInto } from '../../../src/query/path/midpoints.ts';
import { pullString } from '../../../src/query/path/funnel.ts';
import { createPathLine } from '../../../src/query/path/path-line.ts';
import { createNearestHit, findNearestInto } from '../../../src/query/nearest/nearest.ts';
import { beginSearch, createSearchState, popNode, pushOrLower } from '../../../src/query/search-state.ts';
import type { SearchState } from '../../../src/query/search-state.ts';
import { sideOfLine } from '../base/math/side-of-line.ts';
import { gridTile, meshOf, seeded, stripMesh } from '../meshes.ts';

function neighborsOf(mesh: NavMesh, poly: number): number[] {
  const first = mesh.polyEdgeStart[poly];
  return Array.from({ length: mesh.polyVertexCount[poly] }, (_, k) => mesh.edgeNeighbor[first + k]).filter(
    (q) => q >= 0,
  );
}

/** Returns the least cost to the end over the nodes that the search has placed, without an estimate. */
function dijkstra(
  mesh: NavMesh,
  state: SearchState,
  costs: Float64Array,
  start: number,
  end: number,
  goal: Float64Array,
): number {
  const at = (p: number): number[] => [...state.node.subarray(4 * p, 4 * p + 3)];
  const far = (a: number[], b: ArrayLike<number>): number =>
    Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2);
  const best = new Map([[start, 0]]);
  const done = new Set<number>();
  for (;;) {
    let next = -1;
    for (const [p, cost] of best) if (!done.has(p) && (next < 0 || cost < (best.get(next) ?? 0))) next = p;
    if (next < 0 || next === end) return best.get(end) ?? Infinity;
    done.add(next);
    for (const q of neighborsOf(mesh, next)) {
      if (state.nodeStamp[q] !== state.stamp) continue;
      let cost = (best.get(next) ?? 0) + costs[mesh.polyArea[next]] * far(at(next), at(q));
      if (q === end) cost += costs[mesh.polyArea[q]] * far(at(q), goal);
      if (cost < (best.get(q) ?? Infinity)) best.set(q, cost);
    }
  }
}

describe('findCorridor', () => {
  it('costs what Dijkstra finds, on random grids with random areas, some below 1', () => {
    const state = createSearchState();
    const corridor = createCorridor();
    let compared = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const random = seeded(seed);
      const size = 4 + Math.floor(random() * 14);
      const mesh = meshOf(
        gridTile(
          size,
          size,
          () => random() < 0.8,
          () => random(),
          () => 1 + Math.floor(random() * 4),
        ),
      );
      const filter = createFilter({ areaCosts: { 1: 0.2, 2: 1, 3: 2 + random(), 4: 10 } });
      for (let i = 0; i < 10; i++) {
        const [a, b] = [Math.floor(random() * mesh.polyCount), Math.floor(random() * mesh.polyCount)];
        const [start, end] = [a, b].map((p) => middleOf(mesh, p));
        findCorridor(corridor, state, mesh, filter, a, start, b, end, Infinity);
        checkCorridor(mesh, corridor, a);
        if (corridor.outcome !== 'complete' || a === b) continue;
        compared++;
        const expected = dijkstra(mesh, state, filter.areaCosts, a, b, end);
        expect(corridor.cost / expected, `seed ${seed}, pair ${i}`).toBeCloseTo(1, 12);
      }
    }
    expect(compared).toBeGreaterThan(200);
  });

  it('leads as near to the end as its budget allows, and visits no more', () => {
    const mesh = meshOf(gridTile(20, 20));
    const state = createSearchState();
    const corridor = createCorridor();
    for (const budget of [1, 2, 10, 50]) {
      findCorridor(corridor, state, mesh, DEFAULT_FILTER, 0, middleOf(mesh, 0), 399, middleOf(mesh, 399), budget);
      expect(corridor.outcome).toBe('budget');
      expect(corridor.visitedCount).toBe(budget);
      checkCorridor(mesh, corridor, 0);
    }
  });
});

function middleOf(mesh: NavMesh, poly: number): Float64Array {
  const out = new Float64Array(3);
  const count = mesh.polyVertexCount[poly];
  for (let k = 0; k < count; k++) {
    const v = 3 * mesh.edgeVertex[mesh.polyEdgeStart[poly] + k];
    for (let axis = 0; axis < 3; axis++) out[axis] += mesh.vertices[v + axis] / count;
  }
  return out;
}

function checkCorridor(mesh: NavMesh, corridor: Corridor, start: number): void {
  expect(corridor.polys[0]).toBe(start);
  for (let i = 1; i < corridor.count; i++) expect(mesh.edgeNeighbor[corridor.crossings[i - 1]]).toBe(corridor.polys[i]);
  expect(new Set(corridor.polys.subarray(0, corridor.count)).size).toBe(corridor.count);
}

describe('a search from a point that is NaN', () => {
  it('ends, also where the end cannot be reached', () => {
    // Costs of NaN improve on each other for ever.
    const mesh = meshOf(gridTile(4, 4));
    const corridor = createCorridor();
    const nowhere = Float64Array.of(NaN, 0, 1);
    const end = Float64Array.of(3.5, 0, 3.5);
    findCorridor(corridor, createSearchState(), mesh, DEFAULT_FILTER, 0, nowhere, 10_000, end, Infinity);
    expect(corridor).toMatchObject({ outcome: 'unreachable', count: 1 });
    const query = { start: nowhere, end: nowhere, halfExtents: end, filter: DEFAULT_FILTER, maxNodes: Infinity };
    findMidpointPathInto(createPathBuffer(), createSearchState(), mesh, query);
  });
});

describe('the heap', () => {
  it('returns nodes in the order of their keys, after keys were lowered', () => {
    const mesh = meshOf(gridTile(12, 12));
    for (let seed = 1; seed <= 50; seed++) {
      const random = seeded(seed);
      const state = createSearchState();
      beginSearch(state, mesh);
      state.nodeHeapIndex.fill(-1);
      const keys = new Map<number, number>();
      for (let i = 0; i < 300; i++) {
        const node = Math.floor(random() * 144);
        const key = Math.floor(random() * 50);
        if (random() < 0.25 && state.heapSize > 0) {
          const top = popNode(state);
          expect(keys.get(top), `seed ${seed}`).toBe(Math.min(...keys.values()));
          keys.delete(top);
        } else if (key < (keys.get(node) ?? Infinity)) {
          state.nodeCost[node] = key;
          pushOrLower(state, node);
          keys.set(node, key);
        }
        expect(state.heapSize).toBe(keys.size);
      }
    }
  });
});

/** Returns the shortest line through the portals, over all pairs of portal ends that see each other. Quadratic. */
function bruteString(mesh: NavMesh, corridor: Corridor, start: Float64Array, end: Float64Array): number {
  const points: { x: number; z: number; portal: number }[] = [{ x: start[0], z: start[2], portal: -1 }];
  const portals: number[][] = [];
  for (let i = 0; i < corridor.count - 1; i++) {
    const first = mesh.polyEdgeStart[corridor.polys[i]];
    const e = corridor.crossings[i];
    const next = e + 1 === first + mesh.polyVertexCount[corridor.polys[i]] ? first : e + 1;
    const [r, l] = [3 * mesh.edgeVertex[e], 3 * mesh.edgeVertex[next]];
    portals.push([mesh.vertices[r], mesh.vertices[r + 2], mesh.vertices[l], mesh.vertices[l + 2]]);
    for (const v of [r, l]) points.push({ x: mesh.vertices[v], z: mesh.vertices[v + 2], portal: i });
  }
  points.push({ x: end[0], z: end[2], portal: portals.length });
  const best = points.map((_, i) => (i === 0 ? 0 : Infinity));
  for (let b = 1; b < points.length; b++) {
    for (let a = 0; a < b; a++) {
      const [p, q] = [points[a], points[b]];
      const isClear = portals.every(
        ([rx, rz, lx, lz], i) =>
          i < p.portal ||
          i > q.portal ||
          (sideOfLine(p.x, p.z, q.x, q.z, lx, lz) >= 0 && sideOfLine(p.x, p.z, q.x, q.z, rx, rz) <= 0),
      );
      const length = Math.sqrt((p.x - q.x) ** 2 + (p.z - q.z) ** 2);
      if (isClear && best[a] + length < best[b]) best[b] = best[a] + length;
    }
  }
  return best[best.length - 1];
}

describe('pullString', () => {
  it('is as short as any line through the corridor', () => {
    const state = createSearchState();
    const corridor = createCorridor();
    const line = createPathLine();
    let turns = 0;
    for (let seed = 1; seed <= 80; seed++) {
      const random = seeded(seed);
      const size = 3 + Math.floor(random() * 10);
      // Vertices moved a little: polygons stay convex, portals are no longer in line.
      const tile = gridTile(size, size, () => random() < 0.75);
      if (seed % 2 === 0) tile.vertices = tile.vertices.map((v, i) => (i % 3 === 1 ? v : v + (random() - 0.5) * 0.3));
      const mesh = seed % 5 === 0 ? stripMesh(30, 0.2) : meshOf(tile);
      for (let i = 0; i < 10; i++) {
        const [a, b] = [Math.floor(random() * mesh.polyCount), Math.floor(random() * mesh.polyCount)];
        const [start, end] = [a, b].map((p) => middleOf(mesh, p));
        findCorridor(corridor, state, mesh, DEFAULT_FILTER, a, start, b, end, Infinity);
        if (corridor.outcome !== 'complete') continue;
        pullString(line, mesh, corridor, start, end);
        turns += line.count - 2;
        let length = 0;
        for (let k = 3; k < 3 * line.count; k += 3) {
          length += Math.sqrt(
            (line.points[k] - line.points[k - 3]) ** 2 + (line.points[k + 2] - line.points[k - 1]) ** 2,
          );
        }
        expect(length, `seed ${seed}, pair ${i}`).toBeCloseTo(bruteString(mesh, corridor, start, end), 9);
      }
    }
    expect(turns).toBeGreaterThan(100);
  });
});

describe('kernels', () => {
  it('allocate nothing after warm-up', () => {
    const mesh = meshOf(gridTile(30, 30, (x, z) => (x * 7 + z * 3) % 5 !== 0 || x % 4 === 0));
    const random = seeded(77);
    const points = Array.from({ length: 64 }, () => Float64Array.of(random() * 30, 0, random() * 30));
    const extents = Float64Array.of(1, 2, 1);
    const state = createSearchState();
    const buffer = createPathBuffer();
    const hit = createNearestHit();
    const query: PathQuery = {
      start: points[0],
      end: points[0],
      halfExtents: extents,
      filter: DEFAULT_FILTER,
      maxNodes: Infinity,
    };
    const run = (rounds: number): void => {
      for (let i = 0; i < rounds; i++) {
        findNearestInto(hit, mesh, points[i % 64], extents, DEFAULT_FILTER);
        query.start = points[i % 64];
        query.end = points[(i * 5 + 1) % 64];
        findPathInto(buffer, state, mesh, query);
      }
    };
    expectNoAllocation(run, 2000, 16);
  });
});
