/**
 * Compares paths with Detour's on the same polygons: 1,000 seeded pairs of points per level, on the mesh and
 * next to it. The statuses are equal, and none of our paths is longer. Shorter ones are counted. Lengths are
 * comparable only when both sides locate the ends at the same positions, so the ends are compared first, with
 * a bound on how often they differ.
 *
 * Lengths are measured as seen from above, because both funnel algorithms work in 2D. On straight stretches
 * rounding decides which points become corners, each with its own height. A longer path is accepted only when
 * its corridor costs no more than Detour's, by the cost that both searches minimize: two corridors that tie
 * within rounding.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolveConfig } from '../../src/build/voxel/config.ts';
import { prepareInput } from '../../src/build/voxel/input.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { initOracle, runRecast } from '../oracle/recast.ts';
import { findDetourPath, lengthOf } from './detour.ts';
import type { DetourPath, Point } from './detour.ts';
import { OBJ_NAMES, SCENE_NAMES, hasObjLevels, objLevel, sceneLevel } from './levels.ts';
import type { GoldenLevel } from './levels.ts';
import { meshOf } from './mesh-of.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 20240607);
const PAIRS = 1000;
const LENGTH_TOLERANCE = 1e-4;

const lines: string[] = [];

beforeAll(initOracle);
afterAll(() => console.log(`Paths against Detour, seed ${SEED}:\n  ${lines.join('\n  ')}`));

function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const near = (a: Point | number[], b: Point | number[]): boolean =>
  a.every((value, k) => Math.abs(value - b[k]) < 2e-3);

const flat = (points: readonly (readonly number[])[]): Point[] => points.map((p) => [p[0], 0, p[2]]);

/** Returns the length over the midpoints of the corridor's edges, which A* minimizes on both sides. */
function corridorCost(navMesh: NavMesh, path: DetourPath): number {
  const points: number[][] = [path.startPoint];
  for (let k = 0; k + 1 < path.polys.length; k++) {
    const poly = path.polys[k];
    const first = navMesh.polyEdgeStart[poly];
    const count = navMesh.polyVertexCount[poly];
    for (let e = 0; e < count; e++) {
      if (navMesh.edgeNeighbor[first + e] !== path.polys[k + 1]) continue;
      const a = navMesh.edgeVertex[first + e] * 3;
      const b = navMesh.edgeVertex[first + ((e + 1) % count)] * 3;
      points.push([0, 1, 2].map((axis) => (navMesh.vertices[a + axis] + navMesh.vertices[b + axis]) / 2));
      break;
    }
  }
  points.push(path.endPoint);
  return lengthOf(points);
}

function comparePaths(level: GoldenLevel): string[] {
  const config = resolveConfig(prepareInput(level.input), { ...level.options, recast: true });
  const oracle = runRecast(level.input, config, { navMesh: true });
  if (oracle.polyMesh!.polyCount === 0) return [];
  const mesh = oracle.polyMesh!;
  const navMesh = meshOf(config, mesh, oracle.detail!);
  const { query } = oracle.detour!;
  const random = createRandom(SEED);
  const { radius, height } = config.agent;
  const halfExtents: Point = [2 * radius + 0.5, height, 2 * radius + 0.5];

  const randomPoint = (offMesh: boolean): Point => {
    const p = Math.floor(random() * mesh.polyCount);
    const point: Point = [0, 0, 0];
    let sum = 0;
    for (let k = 0; k < mesh.maxVerticesPerPoly && mesh.polys[p * mesh.maxVerticesPerPoly + k] >= 0; k++) {
      const v = mesh.polys[p * mesh.maxVerticesPerPoly + k];
      const weight = random() + 1e-3;
      sum += weight;
      for (let axis = 0; axis < 3; axis++) point[axis] += weight * navMesh.vertices[v * 3 + axis];
    }
    for (let axis = 0; axis < 3; axis++) point[axis] = point[axis] / sum;
    // The polygon is flat, but the surface is not: a point on the mesh has the height of the detail mesh.
    point[1] = query.getPolyHeight(oracle.detour!.refOf(p), { x: point[0], y: point[1], z: point[2] }).height;
    for (let axis = 0; axis < 3; axis++) {
      point[axis] = Math.fround(
        point[axis] + (offMesh ? (random() - 0.5) * (axis === 1 ? height : 3 * halfExtents[0]) : 0),
      );
    }
    return point;
  };

  const failures: string[] = [];
  const counts = { complete: 0, partial: 0, none: 0, otherEnds: 0, shorter: 0, tied: 0, nearer: 0, further: 0 };
  for (let k = 0; k < PAIRS; k++) {
    const offMesh = k % 5 === 4;
    const start = randomPoint(offMesh);
    const end = randomPoint(offMesh);
    const ours = findPath(navMesh, start, end, { halfExtents });
    const theirs = findDetourPath(oracle.detour!, start, end, halfExtents, mesh.polyCount + 1);
    const where = `pair ${k}, from ${start.join(',')} to ${end.join(',')}`;
    const elsewhere = (): void => {
      counts.otherEnds++;
      if (offMesh) return;
      failures.push(
        `${where}: points on the mesh are located at ${ours.points[0]} and ${ours.points.at(-1)} instead of ` +
          `${theirs.startPoint} and ${theirs.endPoint}`,
      );
    };
    const insideBox = [
      [start, theirs.startPoint],
      [end, theirs.endPoint],
    ].every(([asked, got]) => asked!.every((value, axis) => Math.abs(value - got![axis]) <= halfExtents[axis] + 1e-4));
    if (theirs.status === 'none' && ours.status === 'none') {
      counts.none++;
      if (ours.reason !== theirs.reason) failures.push(`${where}: reason ${ours.reason} instead of ${theirs.reason}`);
      continue;
    }
    // Detour takes a polygon whose bounds overlap the box, however far its nearest point is. We search inside
    // the box.
    if (theirs.status !== 'partial' && !insideBox) {
      elsewhere();
      continue;
    }
    if (ours.status === 'none') {
      if (theirs.status === 'partial') {
        elsewhere();
        continue;
      }
      failures.push(`${where}: status none (${ours.reason}) instead of ${theirs.status}`);
      continue;
    }
    const first = ours.points[0];
    const last = ours.points[ours.points.length - 1];
    if (!near(first, theirs.startPoint) || (theirs.status === 'complete' && !near(last, theirs.endPoint))) {
      elsewhere();
      continue;
    }
    if (ours.status !== theirs.status) {
      failures.push(`${where}: status ${ours.status} (${ours.reason}) instead of ${theirs.status}`);
      continue;
    }
    counts[theirs.status]++;
    if (Math.abs(ours.length - lengthOf(ours.points)) > 1e-9 * (1 + ours.length)) {
      failures.push(`${where}: length is not that of the points`);
    }
    if (theirs.status === 'partial') {
      // Both end as near as they know. Detour judges a polygon by the midpoint of the edge through which it
      // was entered.
      const ourGap = lengthOf([last, end]);
      const theirGap = lengthOf([theirs.points.at(-1)!, end]);
      if (ourGap > theirGap + 0.01) counts.further++;
      else if (ourGap < theirGap - 0.01) counts.nearer++;
      continue;
    }
    const length = lengthOf(flat(ours.points));
    const other = lengthOf(flat(theirs.points));
    if (length > other * (1 + LENGTH_TOLERANCE)) {
      const theirCost = corridorCost(navMesh, theirs);
      if (ours.cost <= theirCost * (1 + 1e-6)) counts.tied++;
      else failures.push(`${where}: length ${length} instead of ${other}; cost ${ours.cost} instead of ${theirCost}`);
    } else if (length < other * (1 - LENGTH_TOLERANCE)) {
      counts.shorter++;
    }
  }
  oracle.detour!.destroy();
  lines.push(
    `${level.name}, ${mesh.polyCount} polygons: ${counts.complete} complete (${counts.shorter} shorter than Detour's, ` +
      `${counts.tied} longer in a corridor that costs no more), ${counts.partial} partial (${counts.nearer} end nearer than ` +
      `Detour's, ${counts.further} further), ${counts.none} without ends on the mesh, ${counts.otherEnds} with ends elsewhere; ` +
      `${failures.length} failures`,
  );
  if (counts.complete === 0) failures.push('no pair has a complete path');
  if (counts.further > 2 + counts.nearer / 5)
    failures.push(`${counts.further} partial paths end further from their goal`);
  if (counts.tied > PAIRS * 0.005) failures.push(`${counts.tied} of ${PAIRS} paths are longer`);
  if (counts.otherEnds > PAIRS * 0.05)
    failures.push(`${counts.otherEnds} of ${PAIRS} pairs were not located where Detour locates them`);
  return failures;
}

describe.skipIf(!hasObjLevels)(
  `real levels${hasObjLevels ? '' : ' (skipped: ../shared/levels does not exist)'}`,
  () => {
    it.each(OBJ_NAMES)('%s.obj', (name) => {
      expect(comparePaths(objLevel(name)).slice(0, 10)).toEqual([]);
    });
  },
);

describe('scenes', () => {
  it.each(SCENE_NAMES)('%s', (name) => {
    expect(comparePaths(sceneLevel(name)).slice(0, 10)).toEqual([]);
  });
});
