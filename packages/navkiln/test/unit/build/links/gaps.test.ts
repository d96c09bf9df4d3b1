/**
 * Links over gaps of 2D maps. Oracle: the distance of islands by brute force over their outlines. Far below the limit a link joins them,
 * above it none does.
 */
import { describe, expect, it } from 'vitest';
import { addGapLinks } from '../../../../src/build/links/gaps.ts';
import { getLink, listLinks } from '../../../../src/mesh/change/links.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import { buildFromPolygons } from '../../../../src/build/polygon/build.ts';
import type { PolygonOptions } from '../../../../src/build/polygon/options.ts';
import { findPath2d } from '../../../../src/query/map/path-2d.ts';
import { rampMesh, seeded } from '../../meshes.ts';
import { distanceToSegment } from '../polygon/map-oracle.ts';

type P = [number, number];

const box = (x0: number, y0: number, x1: number, y1: number): P[] => [
  [x0, y0],
  [x1, y0],
  [x1, y1],
  [x0, y1],
];

/** Two islands of 9 by 10, `gap` apart. */
function islands(gap: number, options?: PolygonOptions): NavMesh {
  const outlines = [box(0, 0, 9, 10), box(9 + gap, 0, 18 + gap, 10)];
  return buildFromPolygons({ polygons: outlines.map((outline) => ({ outline })) }, options).navMesh;
}

describe('addGapLinks', () => {
  it('crosses a gap up to its limit, straight and at its length', () => {
    for (const [gap, count] of [
      [1.99, 1],
      [2.01, 0],
    ]) {
      const navMesh = islands(gap);
      const { links, report } = addGapLinks(navMesh, { maxDistance: 2 });
      expect(links.length > 0, `${gap}`).toBe(count > 0);
      expect(report.links.jump).toBe(links.length);
      expect(validateNavMesh(navMesh)).toEqual([]);
      const path = findPath2d(navMesh, [2, 5], [15, 5]);
      expect(path.status).toBe(count > 0 ? 'complete' : 'partial');
      if (count > 0) expect(path.length).toBeCloseTo(13, 1);
    }
  });

  it('counts the radius of the mesh on both sides', () => {
    const limits = { maxDistance: 3 };
    expect(addGapLinks(islands(2, { radius: 0.4 }), limits).links.length).toBeGreaterThan(0);
    expect(addGapLinks(islands(2.2, { radius: 0.4 }), limits).links).toEqual([]);
  });

  it('does not depend on the unit: pixels give what meters give', () => {
    const count = (scale: number): number => {
      const outlines = [box(0, 0, 9, 10), box(10, 0, 19, 10)].map((ring) =>
        ring.map(([x, y]): P => [scale * x, scale * y]),
      );
      const { navMesh } = buildFromPolygons({ polygons: outlines.map((outline) => ({ outline })) });
      const { links } = addGapLinks(navMesh, { maxDistance: 2 * scale, speed: 4 * scale });
      expect(links[0].cost).toBeCloseTo(scale, 6);
      expect(links[0].duration).toBeCloseTo(0.25, 6);
      return links.length;
    };
    expect(count(64)).toBe(count(1));
    expect(count(1 / 1024)).toBe(count(1));
  });

  it('leaves out gaps that a short walk leads around, and replaces what it added', () => {
    const { navMesh } = buildFromPolygons({
      polygons: [{ outline: box(0, 0, 30, 30) }],
      obstacles: [box(10, 10, 11, 11), box(20, -1, 21, 29)],
    });
    const options = { maxDistance: 1.5, minDetour: 2.5 };
    const first = addGapLinks(navMesh, { ...options, name: 'plank', area: 5 });
    expect(first.links.length).toBeGreaterThan(0);
    for (const { start } of first.links) expect(start[0][0]).toBeGreaterThan(15);
    for (const ref of listLinks(navMesh)) expect(getLink(navMesh, ref)).toMatchObject({ name: 'plank', area: 5 });
    expect(addGapLinks(navMesh, { ...options, name: 'plank', area: 5 })).toMatchObject({ added: 0, removed: 0 });
    const except = [first.links[0].id];
    expect(addGapLinks(navMesh, { ...options, except })).toMatchObject({ removed: 1 });
    expect(addGapLinks(navMesh, { maxDistance: 0.5 }).links).toEqual([]);
    expect(listLinks(navMesh)).toEqual([]);
  });

  it('joins random islands that are near each other, and exceeds no limit', () => {
    let near = 0;
    let joined = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const random = seeded(seed);
      const scale = Math.exp(10 * (random() - 0.5));
      const outlines = Array.from({ length: 2 + Math.floor(random() * 6) }, (): P[] => {
        const [x, y, sides, size, turn] = [40, 30, 6, 7, 7].map((most) => most * random());
        const corners = 3 + Math.floor(sides);
        return Array.from({ length: corners }, (_, i): P => {
          const angle = turn + (2 * Math.PI * i) / corners;
          return [scale * (x + (3 + size) * Math.cos(angle)), scale * (y + (3 + size) * Math.sin(angle))];
        });
      });
      const { navMesh } = buildFromPolygons({ polygons: outlines.map((outline) => ({ outline })) });
      const maxDistance = scale * (0.5 + 4 * random());
      const { links } = addGapLinks(navMesh, { maxDistance });
      expect(validateNavMesh(navMesh), `seed ${seed}`).toEqual([]);
      for (const { start, end } of links) {
        for (const [i, [ax, , az]] of start.entries()) {
          const [bx, , bz] = end[i];
          expect(Math.hypot(bx - ax, bz - az), `seed ${seed}`).toBeLessThanOrEqual(maxDistance * (1 + 1e-9));
        }
      }
      for (let i = 0; i < outlines.length; i++) {
        for (let k = i + 1; k < outlines.length; k++) {
          const gap = distanceOf(outlines[i], outlines[k]);
          if (gap < 0.05 * maxDistance || gap > 0.8 * maxDistance) continue;
          near++;
          if (findPath2d(navMesh, middleOf(outlines[i]), middleOf(outlines[k])).status === 'complete') joined++;
        }
      }
    }
    expect(near).toBeGreaterThan(60);
    expect(joined).toBeGreaterThanOrEqual(0.98 * near);
  });

  it('refuses meshes of levels and options that make no sense', () => {
    const navMesh = islands(1);
    const refuse = (mesh: unknown, options: unknown, message: string): void =>
      expect(() => addGapLinks(mesh as NavMesh, options as { maxDistance: number })).toThrow(message);
    refuse(rampMesh(), { maxDistance: 1 }, 'addGapLinks: mesh is that of a level');
    refuse(navMesh, {}, 'addGapLinks: options.maxDistance is undefined');
    refuse(navMesh, { maxDistance: 0 }, 'addGapLinks: options.maxDistance is 0');
    refuse(navMesh, { maxDistance: 1, jump: {} }, 'jump');
    refuse(navMesh, { maxDistance: 1, speed: Infinity }, 'addGapLinks: options.speed');
    refuse(navMesh, { maxDistance: 1, area: 0 }, 'addGapLinks: options.area is 0');
    expect(listLinks(navMesh)).toEqual([]);
  });
});

function distanceOf(a: readonly P[], b: readonly P[]): number {
  const over = (points: readonly P[], ring: readonly P[]): number =>
    Math.min(...points.flatMap((p) => ring.map((q, i) => distanceToSegment(p, q, ring[(i + 1) % ring.length]))));
  return Math.min(over(a, b), over(b, a));
}

function middleOf(ring: readonly P[]): P {
  return [ring.reduce((sum, [x]) => sum + x, 0) / ring.length, ring.reduce((sum, [, y]) => sum + y, 0) / ring.length];
}
