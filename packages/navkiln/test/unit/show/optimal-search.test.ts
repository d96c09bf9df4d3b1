/** Records of searches for shortest paths, compared with the search that runs at once, and with the geometry of the mesh. */
import { findLevelScene } from 'navkiln-scenes';
import { describe, expect, it } from 'vitest';
import { recordOptimalSearch } from '../../../src/show/optimal-search.ts';
import type { OptimalSearchNode, OptimalSearchRecord } from '../../../src/show/optimal-search.ts';
import type { NavMesh } from '../../../src/mesh/types.ts';
import { createOptimalBuffer, findOptimalPath, findOptimalPathInto } from '../../../src/query/optimal/optimal.ts';
import { createOptimalState } from '../../../src/query/optimal/state.ts';
import { createPathQuery, readPathQuery } from '../../../src/query/path/find-path.ts';
import { createFilter } from '../../../src/query/create-filter.ts';
import { createRandom } from '../../../src/base/data/random.ts';
import { findRandomPoint } from '../../../src/query/random/random-point.ts';
import { buildNavMesh } from '../../../src/build/voxel/build.ts';

const SEED = Number(process.env['NAVKILN_SEED'] ?? 20261126);

type Place = readonly [number, number, number];
const flat = (a: Place, b: Place): number => Math.hypot(a[0] - b[0], a[2] - b[2]);

function meshOf(name: string, tileSize: number): NavMesh {
  const scene = findLevelScene(name);
  return buildNavMesh(scene.create(), tileSize === 0 ? scene.options : { ...scene.options, tileSize }).navMesh;
}

/** Returns the distance of a position to a line through points, seen from above. */
function distanceToLine(points: readonly Place[], [x, y, z]: Place): number {
  let least = Infinity;
  for (let i = 1; i < points.length; i++) {
    const [[ax, , az], b] = [points[i - 1], points[i]];
    const [dx, dz] = [b[0] - ax, b[2] - az];
    const t = Math.min(1, Math.max(0, ((x - ax) * dx + (z - az) * dz) / (dx * dx + dz * dz || 1)));
    least = Math.min(least, flat([ax + t * dx, y, az + t * dz], [x, y, z]));
  }
  return least;
}

/** Returns the outline of a polygon, closed. */
function outlineOf(mesh: NavMesh, poly: number): Place[] {
  const count = mesh.polyVertexCount[poly];
  return Array.from({ length: count + 1 }, (_, k): Place => {
    const at = 3 * mesh.edgeVertex[mesh.polyEdgeStart[poly] + (k % count)];
    return [mesh.vertices[at], mesh.vertices[at + 1], mesh.vertices[at + 2]];
  });
}

/** Returns the length of the corners before a node, seen from above. */
function lengthTo({ nodes }: OptimalSearchRecord, node: OptimalSearchNode): number {
  let length = 0;
  for (let at = node; at.parent >= 0; at = nodes[at.parent]) length += flat(at.root, nodes[at.parent].root);
  return length;
}

/** Returns the number of nodes that the search expands when it runs at once. */
function expandedAtOnce(mesh: NavMesh, from: Place, to: Place): number {
  const [query, state] = [createPathQuery(), createOptimalState()];
  readPathQuery(query, mesh, from, to, {}, 'test');
  query.maxNodes = Infinity;
  findOptimalPathInto(createOptimalBuffer(), state, mesh, query);
  return state.visitedCount;
}

describe('recordOptimalSearch', () => {
  it.each([
    ['courtyard', 0],
    ['islands', 0],
    ['courtyard', 6],
  ])(`of %s with tiles of %i has the steps of findOptimalPath (seed ${SEED})`, (name, tileSize) => {
    const mesh = meshOf(name, tileSize);
    const random = createRandom(SEED);
    let steps = 0;
    for (let round = 0; round < 40; round++) {
      const [from, to] = [0, 1].map(() => findRandomPoint(mesh, random).point as Place);
      const record = recordOptimalSearch(mesh, from, to)!;
      const { nodes, order, counts, best, path } = record;
      expect(path).toEqual(findOptimalPath(mesh, from, to));
      expect([counts.length, best.length, record.isCut]).toEqual([order.length + 1, order.length + 1, false]);
      if (path.status !== 'complete') continue;
      expect(order).toHaveLength(expandedAtOnce(mesh, from, to));
      steps += order.length;
      // A node is known and kept before it is expanded. The estimates never fall, and none is above the result.
      const estimates = [0, ...order.map((item) => nodes[item].estimate), path.planarLength];
      const odd = order.filter(
        (item, step) =>
          !(
            item < counts[step] &&
            nodes[item].isKept &&
            estimates[step + 1] > estimates[step] - 1e-9 &&
            estimates[step + 1] < path.planarLength + 1e-9
          ),
      );
      expect(odd).toEqual([]);
      // The length is that of the corners, and both ends of the visible part are on the outline of the polygon.
      const wrong = nodes.filter((node) => {
        const outline = outlineOf(mesh, node.poly);
        const ends = node.right === node.root ? [] : [node.right, node.left];
        return !(
          Math.abs(node.length - lengthTo(record, node)) < 1e-9 &&
          ends.every((end) => distanceToLine(outline, end) < 1e-6)
        );
      });
      expect(wrong).toEqual([]);
      // The path has the corners before the best node; those on a straight line are left out.
      if (best.at(-1)! < 0) continue;
      for (let at = nodes[best.at(-1)!]; at.parent >= 0; at = nodes[at.parent])
        expect(distanceToLine(path.points as Place[], at.root)).toBeLessThan(1e-6);
    }
    expect(steps).toBeGreaterThan(100);
  });

  it('stops at a limit, and does not exist off the mesh or where costs differ', () => {
    const mesh = meshOf('islands', 0);
    const { from, to } = findLevelScene('islands').path;
    const { order, isCut } = recordOptimalSearch(mesh, from, to, {}, 7)!;
    expect([order.length, isCut]).toEqual([7, true]);
    expect(recordOptimalSearch(mesh, from, to)!.order.slice(0, 7)).toEqual(order);
    expect(recordOptimalSearch(mesh, from, [1e5, 0, 0])).toBeUndefined();
    const filter = createFilter({ areaCosts: { 5: 3 } });
    expect(recordOptimalSearch(mesh, from, to, { filter })).toBeUndefined();
  });
});
