/** Queries compared with Detour on the same mesh: nearest points, and paths that are never longer. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { levelScenes } from 'navkiln-scenes';
import { describe, expect, it } from 'vitest';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { seeded } from '../unit/meshes.ts';
import { bakePair } from './detour.ts';
import type { DetourBake } from './detour.ts';

const PAIRS = 400;
const AGENT = { radius: 0.6, height: 2, maxClimb: 0.9, maxSlopeDegrees: 45 };
const OBJ_BAKE: DetourBake = { agent: AGENT, cellSize: 0.3, cellHeight: 0.2 };
const LEVELS = join(import.meta.dirname, '../../../../../shared/levels');

interface Level {
  name: string;
  isThere: boolean;
  load: () => { positions: ArrayLike<number>; indices: ArrayLike<number> };
  bake: DetourBake;
}

const levels: Level[] = ['nav_test', 'dungeon'].map((name) => ({
  name: `${name}.obj`,
  isThere: existsSync(join(LEVELS, `${name}.obj`)),
  load: () => readObj(join(LEVELS, `${name}.obj`)),
  bake: OBJ_BAKE,
}));
for (const name of ['dungeon', 'terrain', 'tower', 'city']) {
  const scene = levelScenes.find((one) => one.name === name);
  if (scene === undefined) continue;
  const { cellSize = 0.3, cellHeight = 0.2, agent = {} } = scene.options;
  levels.push({
    name,
    isThere: true,
    load: () => scene.create(),
    bake: { agent: { ...AGENT, ...agent }, cellSize, cellHeight },
  });
}

describe('against Detour', () => {
  levels.forEach((level, index) => {
    const seed = 900 + index;
    it.skipIf(!level.isThere)(`${level.name}, seed ${seed}`, async () => {
      const { positions, indices } = level.load();
      const { mesh, query } = await bakePair(positions, indices, level.bake);
      expect(validateNavMesh(mesh)).toEqual([]);
      const random = seeded(seed);
      const halfExtents = [2 * level.bake.agent.radius, level.bake.agent.height, 2 * level.bake.agent.radius];
      const box = { x: halfExtents[0], y: halfExtents[1], z: halfExtents[2] };
      // Inside a polygon: on a shared edge, either library may start in either polygon.
      const spot = (): number[] => {
        const point = [0, 0, 0];
        const poly = Math.floor(random() * mesh.polyCount);
        let sum = 0;
        for (let k = 0; k < mesh.polyVertexCount[poly]; k++) {
          const weight = random() + 0.01;
          const v = 3 * mesh.edgeVertex[mesh.polyEdgeStart[poly] + k];
          for (let axis = 0; axis < 3; axis++) point[axis] += weight * mesh.vertices[v + axis];
          sum += weight;
        }
        return findNearest(
          mesh,
          point.map((value) => value / sum),
          { halfExtents },
        ).point.map(Math.fround);
      };
      let shorter = 0;
      let complete = 0;
      const longer: string[] = [];
      for (let i = 0; i < PAIRS; i++) {
        const a = spot();
        const b = spot();
        const ours = findPath(mesh, a, b, { halfExtents });
        const theirs = query.computePath(xyz(a), xyz(b), {
          halfExtents: box,
          maxPathPolys: 4096,
          maxStraightPathPoints: 4096,
        });
        expect(theirs.success).toBe(true);
        const end = theirs.path[theirs.path.length - 1];
        const isComplete = Math.abs(end.x - b[0]) + Math.abs(end.y - b[1]) + Math.abs(end.z - b[2]) < 1e-3;
        expect(ours.status, `${a} to ${b}`).toBe(isComplete ? 'complete' : 'partial');
        if (!isComplete) continue;
        complete++;
        const theirLength = lengthOf(theirs.path.map((p) => [p.x, p.y, p.z]));
        if (ours.length < theirLength * (1 - 1e-4) - 1e-4) shorter++;
        if (ours.length > theirLength * (1 + 1e-4) + 1e-4)
          longer.push(`${a} to ${b}: ${ours.length}, not ${theirLength}`);
      }
      let moved = 0;
      for (let i = 0; i < PAIRS; i++) {
        const b = mesh.tileBounds;
        const p = [0, 1, 2].map((k) => Math.fround(b[k] + (b[k + 3] - b[k]) * random()));
        const theirs = query.findNearestPoly(xyz(p), { halfExtents: box });
        const t = theirs.nearestPoint;
        const d = [t.x - p[0], t.y - p[1], t.z - p[2]].map(Math.abs);
        // Detour's may lie outside of the box.
        if (theirs.nearestRef === 0 || d.some((value, k) => value > halfExtents[k] - 1e-3)) continue;
        const ours = findNearest(mesh, p, { halfExtents });
        const score = (isOver: boolean, dy: number, distance: number): number =>
          isOver ? Math.max(dy - mesh.agent.maxClimb, 0) : distance;
        const best = score(theirs.isOverPoly, d[1], Math.sqrt(d[0] ** 2 + d[1] ** 2 + d[2] ** 2));
        expect(ours.found, `${p}`).toBe(true);
        expect(score(ours.isOver, Math.abs(ours.point[1] - p[1]), ours.distance), `${p}`).toBeLessThanOrEqual(
          best + 1e-3,
        );
        moved++;
      }
      expect(moved).toBeGreaterThan(0);
      console.info(
        `${level.name}: ${mesh.polyCount} polygons, ${complete} of ${PAIRS} complete, ${shorter} shorter, ${longer.length} longer`,
      );
      expect(longer).toEqual([]);
      expect(complete).toBeGreaterThan(0);
    });
  });
});

function xyz(p: number[]): { x: number; y: number; z: number } {
  return { x: p[0], y: p[1], z: p[2] };
}

function lengthOf(points: number[][]): number {
  let sum = 0;
  for (let i = 1; i < points.length; i++) {
    sum += Math.sqrt(points[i].reduce((s, value, k) => s + (value - points[i - 1][k]) ** 2, 0));
  }
  return sum;
}

function readObj(file: string): { positions: number[]; indices: number[] } {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [kind, ...rest] = line.trim().split(/\s+/);
    if (kind === 'v') positions.push(...rest.slice(0, 3).map(Number));
    if (kind !== 'f') continue;
    const corners = rest.map((corner) => parseInt(corner, 10) - 1);
    for (let k = 2; k < corners.length; k++) indices.push(corners[0], corners[k - 1], corners[k]);
  }
  return { positions, indices };
}
