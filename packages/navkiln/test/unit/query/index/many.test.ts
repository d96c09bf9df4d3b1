/** Matrices of distances and the nearest targets, compared with single searches. */
import { describe, expect, it } from 'vitest';
import { buildNavMesh } from '../../../../src/entries/build.ts';
import { createRandom } from '../../../../src/base/data/random.ts';
import { addLink } from '../../../../src/mesh/change/links.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import { buildPathIndex } from '../../../../src/query/index/build.ts';
import { findDistances } from '../../../../src/query/index/many.ts';
import {
  createDistanceMatrix,
  createNearestTargets,
  findDistanceMatrix,
  findNearestTargets,
} from '../../../../src/query/index/nearest.ts';
import { refOf } from '../../../../src/mesh/ref.ts';
import { setFlags } from '../../../../src/query/area.ts';
import { createFilter } from '../../../../src/query/create-filter.ts';
import { findOptimalPath } from '../../../../src/query/optimal/optimal.ts';
import { findRandomPoint } from '../../../../src/query/random/random-point.ts';
import { findLevelScene } from 'navkiln-scenes';
import { expectNoAllocation } from '../../../allocation.ts';

type Point = [number, number, number];

const scene = findLevelScene('house');
const house = (): NavMesh =>
  buildNavMesh(scene.create(), { ...scene.options, tileSize: 48 * scene.options.cellSize! }).navMesh;

function placesOn(mesh: NavMesh, count: number, seed: number): Point[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => findRandomPoint(mesh, random)!.point);
}

/** A vertex of the mesh, where obstacles may touch. */
const vertexOf = (mesh: NavMesh, v: number): Point => [...mesh.vertices.subarray(3 * v, 3 * v + 3)] as Point;

function lengthOf(mesh: NavMesh, a: Point, b: Point): number {
  const path = findOptimalPath(mesh, a, b);
  return path.status === 'complete' ? path.cost : Infinity;
}

describe('findDistanceMatrix', () => {
  it('equals single searches, with links, after changes and with filters', () => {
    const mesh = house();
    const [a, b, c, d] = placesOn(mesh, 4, 9);
    addLink(mesh, { start: a, end: b, cost: 0.5 });
    addLink(mesh, { start: c, end: d, bothWays: true });
    const starts = [...placesOn(mesh, 6, 1), vertexOf(mesh, 5)];
    const targets = [...placesOn(mesh, 12, 2), vertexOf(mesh, 40), starts[0]];
    const out = createDistanceMatrix();
    for (const tier of ['table', 'graph'] as const) {
      const index = buildPathIndex(mesh, { tier });
      for (const isChanged of [false, true]) {
        if (isChanged) setFlags(mesh, refOf(mesh, 7), 0);
        findDistanceMatrix(out, index, mesh, starts.flat(), targets.flat());
        expect([out.startCount, out.targetCount]).toEqual([7, 14]);
        starts.forEach((from, i) =>
          targets.forEach((to, k) => {
            const want = lengthOf(mesh, from, to);
            const length = out.lengths[14 * i + k];
            if (want === Infinity) expect(length).toBe(Infinity);
            else expect(Math.abs(length - want)).toBeLessThan(1e-9 * Math.max(1, want));
          }),
        );
        expect(out.isExact).toBe(true);
        setFlags(mesh, refOf(mesh, 7), 1);
      }
    }
    const filter = createFilter({ areaCosts: { 5: 2 } });
    findDistanceMatrix(out, buildPathIndex(mesh), mesh, starts.flat(), targets.flat(), { filter });
    expect(out.isExact).toBe(false);
    expect(() => findDistanceMatrix(out, buildPathIndex(mesh), mesh, [1, 2], [])).toThrow('starts.length is 2');
    expect(() => findDistanceMatrix(out, buildPathIndex(mesh), mesh, [1, 2, NaN], [])).toThrow('starts[2] is NaN');
  });

  it('allocates nothing for a pair', () => {
    const mesh = house();
    const index = buildPathIndex(mesh);
    const [first] = placesOn(mesh, 1, 3);
    const from = Float64Array.from(
      placesOn(mesh, 30, 3)
        .filter((place) => lengthOf(mesh, first, place) < Infinity)
        .flat(),
    );
    const out = createDistanceMatrix();
    const nearest = createNearestTargets();
    const pairCount = (from.length / 3) ** 2;
    expect(pairCount).toBeGreaterThan(100);
    // A call reads its options into small objects, 5 bytes a pair where the compiler keeps them; a number for each pair would take 16.
    const run = (count: number): void => {
      for (let i = 0; i < count; i += pairCount) {
        findDistanceMatrix(out, index, mesh, from, from);
        findNearestTargets(nearest, index, mesh, first, from, { nearest: 3 });
      }
    };
    expectNoAllocation(run, 100 * pairCount, 8);
  });
});

describe('findNearestTargets', () => {
  it('equals sorting the distances, also where links are shorter than a straight line', () => {
    const mesh = house();
    const targets = placesOn(mesh, 60, 4);
    const out = createNearestTargets();
    for (const hasLinks of [false, true]) {
      if (hasLinks) {
        for (const [i, place] of placesOn(mesh, 6, 5).entries())
          addLink(mesh, { start: place, end: targets[7 * i], cost: 0.1 });
      }
      const index = buildPathIndex(mesh);
      for (const start of placesOn(mesh, 8, 6)) {
        const wants = targets.map((target) => lengthOf(mesh, start, target));
        const order = [...targets.keys()].filter((k) => wants[k] < Infinity).sort((a, b) => wants[a] - wants[b]);
        for (const nearest of [1, 5, undefined]) {
          findNearestTargets(out, index, mesh, start, targets.flat(), { nearest });
          expect([...out.targets.subarray(0, out.count)]).toEqual(order.slice(0, nearest));
          for (let i = 0; i < out.count; i++) expect(Math.abs(out.lengths[i] - wants[order[i]])).toBeLessThan(1e-9);
          expect(findDistances(index, mesh, start, targets, { nearest }).order).toEqual(order.slice(0, nearest));
        }
      }
    }
    expect(() => findNearestTargets(out, buildPathIndex(mesh), mesh, targets[0], [], { nearest: 0 })).toThrow(
      'findNearestTargets: options.nearest is 0; must be a number >= 1',
    );
  });
});
