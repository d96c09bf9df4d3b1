/**
 * A level in doubles bakes to the same polygons at any position. When it is moved by multiples of 1,024
 * units, its vertices move exactly, volumes and bounds move with it, and paths have the same corners within a
 * millimeter. A level in float32 is baked as given, as in Recast.
 */
import { createVolumes } from '../../src/build/voxel/volumes.ts';
import { layersPartition } from '../../src/build/voxel/regions/layers.ts';
import { describe, expect, it } from 'vitest';
import { levelScenes } from '../../../scenes/src/index.ts';
import { createRandom } from '../../src/base/data/random.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { buildPathIndex } from '../../src/query/index/build.ts';
import { findIndexedPath } from '../../src/query/index/find.ts';
import type { PathIndex } from '../../src/query/index/types.ts';
import { explainPath } from '../../src/query/explain/explain.ts';
import { findPolysInCircle } from '../../src/query/flood/polys-in-circle.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { findOptimalPath } from '../../src/query/optimal/optimal.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { findRandomPoint } from '../../src/query/random/random-point.ts';
import { raycast } from '../../src/query/ray/raycast.ts';
import { findLocalNeighborhood } from '../../src/query/walk/neighborhood.ts';
import { moveAlongSurface } from '../../src/query/walk/slide.ts';
import { findDistanceToWall } from '../../src/query/walk/wall.ts';
import { buildNavMesh, resolveBake } from '../../src/build/voxel/build.ts';
import { runNavkiln } from '../golden/stages.ts';
import type { AreaVolume, BuildOptions } from '../../src/build/voxel/options.ts';

const SCENES = ['house', 'courtyard', 'islands', 'caves'];
/**
 * Multiples of 1,024: up to 100 km, where float32 has steps of 8 mm, then up to 1,000 km with steps of 6 cm.
 */
const STEPS = [
  [1, 0, 0],
  [0, 0, -1],
  [-2, 3, 5],
  [98, -1, -97],
  [-1000, 16, 977],
];

const moved = (point: readonly number[], by: readonly number[]): number[] => point.map((v, axis) => v + by[axis]);

function movedVolume(volume: AreaVolume, by: readonly number[]): AreaVolume {
  if (volume.type === 'box') return { ...volume, min: moved(volume.min, by), max: moved(volume.max, by) };
  if (volume.type === 'cylinder') return { ...volume, center: moved(volume.center, by) };
  const outline = volume.outline.map((p) => moved(p, [by[0], by[2]]));
  return { ...volume, outline, minY: volume.minY + by[1], maxY: volume.maxY + by[1] };
}

/** Returns everything but the positions. It must be equal byte by byte. */
function shapeOf(mesh: NavMesh): unknown {
  const { polyCount, vertexCount, edgeCount, detailVertexCount, detailTriCount } = mesh;
  return {
    polyCount,
    vertexCount,
    detailVertexCount,
    polyEdgeStart: mesh.polyEdgeStart.slice(0, polyCount),
    polyVertexCount: mesh.polyVertexCount.slice(0, polyCount),
    polyArea: mesh.polyArea.slice(0, polyCount),
    edgeVertex: mesh.edgeVertex.slice(0, edgeCount),
    edgeNeighbor: mesh.edgeNeighbor.slice(0, edgeCount),
    detailTris: mesh.detailTris.slice(0, 4 * detailTriCount),
  };
}

function differInPlace(
  actual: ArrayLike<number>,
  at: ArrayLike<number>,
  by: readonly number[],
  count: number,
): string | undefined {
  for (let k = 0; k < count; k++) {
    const expected = at[k] + by[k % 3];
    if (actual[k] !== expected) return `number ${k}: ${actual[k]} instead of ${expected}`;
  }
  return undefined;
}

/** Rounds all numbers of a record to hundredths of a millimeter. */
function rounded(record: Record<string, unknown>): unknown {
  return JSON.parse(JSON.stringify(record), (_, value: unknown) =>
    typeof value === 'number' ? Math.round(value * 1e5) / 1e5 + 0 : value,
  );
}

describe('far from the origin', () => {
  for (const name of SCENES) {
    it(`${name}: moves the polygons exactly and finds the same paths`, { timeout: 60_000 }, () => {
      const scene = levelScenes.find((candidate) => candidate.name === name)!;
      const { positions, indices } = scene.create();
      const cut: BuildOptions['bounds'] = { min: [2.25, -3, 1.5], max: [21.75, 12, 18.125] };
      const volumes: AreaVolume[] = [
        { type: 'box', area: 0, min: [3, -2, 3], max: [5.5, 4, 4] },
        { type: 'cylinder', area: 9, center: [9, -3, 9], radius: 3, height: 9 },
        {
          type: 'prism',
          area: 4,
          outline: [
            [12, 2],
            [14, 9],
            [10, 12],
          ],
          minY: -4,
          maxY: 8,
        },
      ];
      const whole: BuildOptions = scene.options;
      const part: BuildOptions = {
        ...scene.options,
        bounds: cut,
        volumes: createVolumes(volumes),
        partition: layersPartition,
      };
      const near = [buildNavMesh({ positions, indices }, whole), buildNavMesh({ positions, indices }, part)] as const;
      expect(near[0].report.config.offset).toEqual([0, 0, 0]);
      const { from, to } = scene.path;
      const path = findPath(near[0].navMesh, from, to);
      for (const steps of STEPS) {
        const by = steps.map((step) => step * 1024);
        const far = Float64Array.from(positions, (v, k) => v + by[k % 3]);
        const options: BuildOptions[] = [
          whole,
          {
            ...part,
            volumes: createVolumes(volumes.map((v) => movedVolume(v, by))),
            bounds: { min: moved(cut.min, by), max: moved(cut.max, by) },
          },
        ];
        options.forEach((change, which) => {
          // A plain array and a Float64Array bake to the same mesh.
          const { navMesh, report } = buildNavMesh({ positions: which === 0 ? far : Array.from(far), indices }, change);
          const expected = near[which].navMesh;
          expect(report.config.offset).toEqual(by);
          expect(shapeOf(navMesh)).toEqual(shapeOf(expected));
          expect(differInPlace(navMesh.vertices, expected.vertices, by, 3 * expected.vertexCount)).toBeUndefined();
          expect(differInPlace(navMesh.origin, expected.origin, by, 3)).toBeUndefined();
          const { detailVertices, detailVertexCount } = expected;
          expect(differInPlace(navMesh.detailVertices, detailVertices, by, 3 * detailVertexCount)).toBeUndefined();
          if (which !== 0) return;
          const there = findPath(navMesh, moved(from, by), moved(to, by));
          expect([there.status, there.points.length]).toEqual([path.status, path.points.length]);
          there.points.forEach((point, i) => {
            for (let axis = 0; axis < 3; axis++) {
              expect(Math.abs(point[axis] - by[axis] - path.points[i][axis])).toBeLessThan(1e-3);
            }
          });
        });
      }
    });
  }

  it('answers all queries as at the origin, up to 10,000 km away', { timeout: 60_000 }, () => {
    const { create, options } = levelScenes.find(({ name }) => name === 'house')!;
    const { positions, indices } = create();
    const near = buildNavMesh(
      { positions: Float64Array.from(positions), indices },
      { ...options, tileSize: 8 },
    ).navMesh;
    const nearIndex = buildPathIndex(near);
    const random = createRandom(1);
    const spots = Array.from({ length: 25 }, () => findRandomPoint(near, random).point);
    for (const steps of [
      [391, 0, -5683],
      [9765, 64, 9765],
      [-5078, 881, 3],
    ]) {
      const by = steps.map((step) => step * 1024);
      const level = { positions: Float64Array.from(positions, (v, k) => v + by[k % 3]), indices };
      const far = buildNavMesh(level, { ...options, tileSize: 8 }).navMesh;
      const farIndex = buildPathIndex(far);
      const back = (point: readonly number[]): number[] => point.map((v, k) => v - by[k]);
      spots.slice(1).forEach((to, i) => {
        const from = spots[i];
        const [there, end] = [from, to].map((point) => moved(point, by) as typeof to);
        const answers = (mesh: NavMesh, index: PathIndex, a: typeof to, b: typeof to): Record<string, unknown> => {
          const home = mesh === far ? back : (point: readonly number[]): readonly number[] => point;
          const ray = raycast(mesh, a, b);
          const slide = moveAlongSurface(mesh, a, b);
          const wall = findDistanceToWall(mesh, a, 20);
          return {
            nearest: home(findNearest(mesh, a).point),
            ray: [ray.status, ray.t],
            slide: [slide.status, ...home(slide.point)],
            wall: [wall.distance, ...wall.normal],
            circle: findPolysInCircle(mesh, a, 3).polys.length,
            neighborhood: findLocalNeighborhood(mesh, a, 2).polys.length,
            indexed: findIndexedPath(index, mesh, a, b).length,
            optimal: findOptimalPath(mesh, a, b).length,
            cause: explainPath(mesh, a, b).cause,
          };
        };
        const expected = answers(near, nearIndex, from, to);
        const actual = answers(far, farIndex, there, end);
        expect(rounded(actual)).toEqual(rounded(expected));
      });
    }
  });

  it('takes as offset the multiple of 1,024 nearest to the middle of the used, finite corners', () => {
    const offsetOf = (
      positions: ArrayLike<number>,
      options: BuildOptions = {},
      indices?: number[],
    ): readonly number[] => resolveBake(indices === undefined ? { positions } : { positions, indices }, options).offset;
    const at = (x: number, y: number, z: number): number[] => [x, y, z, x, y, z + 4, x + 4, y, z];
    expect(offsetOf(at(500, -500, 0))).toEqual([0, 0, 0]);
    expect(offsetOf(at(520, -520, 1535))).toEqual([1024, -1024, 2048]);
    expect(offsetOf(Float32Array.from(at(99_000, 99_000, 99_000)))).toEqual([0, 0, 0]);
    expect(offsetOf([...at(10_000, 0, 0), 1e30, 1e30, 1e30], {}, [0, 1, 2])).toEqual([10_240, 0, 0]);
    expect(offsetOf([...at(10_000, 0, 0), NaN, 7e5, 7e5, 7e5, 7e5, 7e5, 7e5, 7e5, 7e5])).toEqual([10_240, 0, 0]);
    // Float32 must distinguish the positions that are baked, not those that are given.
    const bounds = { min: [50_000, 0, 0], max: [50_010, 10, 10] };
    expect(offsetOf([...at(0, 0, 0), ...at(1e5, 0, 0)], { bounds })).toEqual([50_176, 0, 0]);
    expect(() => offsetOf(at(0, 0, 0), { bounds: { min: [], max: [] } })).toThrow(/options\.bounds/);
    expect(() => offsetOf(at(0, 0, 0), { bounds: {} as never })).toThrow(/options\.bounds/);
    expect(offsetOf([])).toEqual([0, 0, 0]);
  });

  it('gives local coordinates to runs of single stages', () => {
    const positions = [100_000, 0, 0, 100_000, 0, 9, 100_009, 0, 9];
    const { config, records } = runNavkiln({ positions }, { agent: { radius: 0.4 } });
    expect(config.offset).toEqual([100_352, 0, 0]);
    expect(config.boundsMin[0]).toBe(-352);
    expect(records.polyMesh!.polyCount).toBeGreaterThan(0);
  });
});
