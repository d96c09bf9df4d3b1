import { describe, expect, it } from 'vitest';
import { findMapScene, mapScenes } from '../src/index.ts';

describe.each(mapScenes.map((scene) => [scene.name, scene] as const))('map %s', (_name, scene) => {
  const rings = ({ polygons, obstacles = [] }: ReturnType<typeof scene.create>): [number, number][][] => [
    ...polygons.flatMap(({ outline, holes = [] }) => [outline, ...holes]),
    ...obstacles,
  ];

  it('has rings of finite points, equal in every run', () => {
    const map = scene.create();
    expect(rings(map).length).toBeGreaterThan(0);
    for (const ring of rings(map)) {
      expect(ring.length).toBeGreaterThanOrEqual(3);
      expect(ring.flat().every(Number.isFinite)).toBe(true);
    }
    expect(scene.create()).toEqual(map);
  });

  it('has more points at a larger scale, where scale applies', () => {
    const count = (scale: number): number => rings(scene.create(undefined, scale)).flat().length;
    if (scene.scalable) expect(count(3) / count(1)).toBeGreaterThan(2);
    else expect(count(3)).toBe(count(1));
  });
});

describe('findMapScene', () => {
  it('lists the maps for an unknown name', () => {
    expect(() => findMapScene('nowhere')).toThrow(/no map 'nowhere'.*coast-map/);
  });
});
