/**
 * Random 2D maps of ten kinds. The mesh is valid, its pieces are convex, disjoint and conforming, and their
 * area is exactly that of the clean rings. A point is on the mesh where the given map is walkable. With a
 * radius, no vertex is closer to a wall. NAVKILN_MAPS sets the maps per kind (default 24), and NAVKILN_SEED
 * the first seed.
 */
import { findMapScene } from 'navkiln-scenes';
import { describe, expect, it } from 'vitest';
import { findNearest2d } from '../../src/query/map/nearest-2d.ts';
import { xOf, yOf } from '../../src/base/math/point-2d.ts';
import { meshToMap } from '../../src/mesh/map-plane.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { buildFromPolygons } from '../../src/build/polygon/build.ts';
import { findClosedPassages } from '../../src/build/polygon/closed-passages.ts';
import { seeded } from '../unit/meshes.ts';
import {
  allRings,
  checkConforming,
  checkShapes,
  distanceToRings,
  isGround,
  polysAt,
  ringsInWorld,
} from '../unit/build/polygon/map-oracle.ts';
import { KINDS, randomMap } from '../unit/build/polygon/random-maps.ts';
import type { Kind } from '../unit/build/polygon/random-maps.ts';

const MAPS = Number(process.env.NAVKILN_MAPS ?? 12);
const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const POINTS = 25;

function tryMap(kind: Kind, seed: number): { triangles: number; polygons: number } {
  const name = `${kind}, seed ${seed}`;
  const map = randomMap(kind, seed);
  const fillRule = seed % 3 === 0 ? 'evenodd' : 'nonzero';
  const gridSize = kind === 'tiny-grid' ? 1 : undefined;
  const { navMesh, report, stages } = buildFromPolygons(map, { fillRule, gridSize });
  const { frame } = report,
    bends = stages.triangulation!.splitCount;
  expect(validateNavMesh(navMesh), name).toEqual([]);
  expect(bends, `${name}: clean rings do not cross`).toBe(0);
  checkShapes(navMesh, frame, stages.ground, name);
  checkConforming(navMesh, frame, name);

  const random = seeded(seed + 77);
  const rings = allRings(map);
  const points = rings.flatMap((ring) => ring.map((point) => [xOf(point), yOf(point)] as const));
  for (let i = 0; i < POINTS; i++) {
    // Near a corner, to cover both sides.
    const [x, y] = points[Math.floor(random() * points.length)];
    const reach = 0.1 + 8 * random();
    const p = [x + reach * (random() - 0.5), y + reach * (random() - 0.5)] as const;
    if (distanceToRings(rings, p) < 3 * frame.gridSize) continue;
    expect(polysAt(navMesh, p), `${name}, at [${p.join(', ')}]`).toBe(isGround(map, p, fillRule) ? 1 : 0);
  }
  return { triangles: report.counts.triangles, polygons: report.counts.polygons };
}

describe.each(KINDS)('random maps: %s', (kind) => {
  it(`${MAPS} maps from seed ${SEED}`, () => {
    let triangles = 0,
      polygons = 0;
    for (let seed = SEED; seed < SEED + MAPS; seed++) {
      const one = tryMap(kind, seed);
      triangles += one.triangles;
      polygons += one.polygons;
    }
    if (MAPS > 100) console.info(`${kind}: ${(polygons / triangles).toFixed(3)} pieces a triangle`);
    if (!['tiny-grid', 'self-crossing'].includes(kind)) expect(polygons / triangles).toBeLessThan(0.55);
  });
});

describe('random maps with a radius', () => {
  it.each(KINDS.filter((kind) => kind !== 'tiny-grid'))('%s: keeps all vertices away from walls', (kind) => {
    for (let seed = SEED; seed < SEED + Math.ceil(MAPS / 4); seed++) {
      const name = `${kind}, seed ${seed}`,
        map = randomMap(kind, seed),
        radius = [0.05, 0.3, 1, 3][seed % 4];
      const { navMesh, report, stages } = buildFromPolygons(map, { radius, findClosedPassages });
      const {
        frame,
        config: { arcTolerance },
      } = report;
      expect(validateNavMesh(navMesh), name).toEqual([]);
      checkShapes(navMesh, frame, stages.ground, name);
      checkConforming(navMesh, frame, name);
      const walls = ringsInWorld(stages.clean, frame);
      for (let v = 0; v < navMesh.vertexCount; v++) {
        const p = meshToMap(navMesh, navMesh.vertices.subarray(3 * v, 3 * v + 3));
        expect(distanceToRings(walls, p), `${name}, vertex ${v}`).toBeGreaterThanOrEqual(radius - 6 * frame.gridSize);
      }
      // Each part but one of a region is behind a closed passage.
      const region = (vertex: number): number => {
        const [x, y] = meshToMap(navMesh, navMesh.vertices.subarray(3 * vertex, 3 * vertex + 3));
        const { poly } = findNearest2d(whole, [x, y]);
        return whole.polyIsland[poly];
      };
      const whole = buildFromPolygons(map).navMesh;
      const parts = new Map<number, number>();
      for (let poly = 0; poly < navMesh.polyCount; poly++) {
        parts.set(navMesh.polyIsland[poly], region(navMesh.edgeVertex[navMesh.polyEdgeStart[poly]]));
      }
      const [warning] = report.warnings.filter(({ code }) => code === 'closed-by-radius');
      expect(warning?.count ?? 0, name).toBe(parts.size - new Set(parts.values()).size);
      for (const { width, at } of warning?.passages ?? []) {
        expect(width, `${name}: at ${at}`).toBeLessThanOrEqual(2 * radius * (1 + 1e-9));
        // Ways to pockets in one triangle are not measured.
        if (width < 2 * radius * (1 - 1e-9))
          expect(distanceToRings(walls, at), `${name}: at ${at}`).toBeLessThan(width / 2 + 4 * frame.gridSize);
      }
      // And no more is taken away than the radius.
      const random = seeded(seed),
        corners = walls.flat();
      for (let i = 0; i < POINTS && corners.length > 0; i++) {
        const [x, y] = corners[Math.floor(random() * corners.length)];
        const p = [x + 4 * radius * (random() - 0.5), y + 4 * radius * (random() - 0.5)] as const;
        const distance = distanceToRings(walls, p);
        if (distance < radius - 6 * frame.gridSize) expect(polysAt(navMesh, p), name).toBe(0);
        else if (distance > radius * (1 + arcTolerance) + 4 * frame.gridSize) {
          expect(polysAt(navMesh, p), `${name}, at [${p.join(', ')}]`).toBe(isGround(map, p) ? 1 : 0);
        }
      }
    }
  });
});

describe('large maps', () => {
  it.each([
    ['coast-map', 1],
    ['grid-map', 40],
    ['rubble-map', 20],
    ['shapes-map', 30],
  ])('%s, scale %i', (scene, scale) => {
    for (let seed = SEED; seed < SEED + Math.ceil(MAPS / 100); seed++) {
      const name = `${scene}, seed ${seed}`;
      const { navMesh, report, stages } = buildFromPolygons(findMapScene(scene).create(seed, scale));
      expect(validateNavMesh(navMesh), name).toEqual([]);
      // A coast may touch itself.
      expect(
        report.warnings.filter((one) => one.code !== 'self-crossing'),
        name,
      ).toEqual([]);
      checkShapes(navMesh, report.frame, stages.ground, name);
      checkConforming(navMesh, report.frame, name);
      expect(report.counts.polygons / report.counts.triangles, name).toBeLessThan(0.55);
    }
  });
});
