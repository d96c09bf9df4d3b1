import { describe, expect, it } from 'vitest';
import { findLevelScene, levelScenes } from '../src/index.ts';
import type { LevelMesh } from '../src/index.ts';

/** Returns the FNV-1a hash of the bytes. */
function hash(mesh: LevelMesh): string {
  let h = 0x811c9dc5;
  for (const array of [mesh.positions, mesh.indices]) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let i = 0; i < bytes.length; i++) h = Math.imul(h ^ bytes[i], 0x01000193);
  }
  return (h >>> 0).toString(16).padStart(8, '0');
}

/** Counts the triangles that face up, and their area, without vertical triangles. */
function facing(mesh: LevelMesh): { up: number; area: number } {
  const { positions: p, indices } = mesh;
  let up = 0;
  let area = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [indices[t] * 3, indices[t + 1] * 3, indices[t + 2] * 3];
    const ny = (p[b + 2] - p[a + 2]) * (p[c] - p[a]) - (p[b] - p[a]) * (p[c + 2] - p[a + 2]);
    if (ny > 0) up++;
    area += Math.max(0, ny) / 2;
  }
  return { up, area };
}

describe.each(levelScenes.map((scene) => [scene.name, scene] as const))('scene %s', (name, scene) => {
  const mesh = scene.create();

  it('has finite positions, indices in range and floors that face up', () => {
    expect(mesh.indices.length).toBeGreaterThan(0);
    expect(mesh.indices.length % 3).toBe(0);
    expect(mesh.positions.every(Number.isFinite)).toBe(true);
    let largest = 0;
    for (const index of mesh.indices) if (index > largest) largest = index;
    expect(largest).toBeLessThan(mesh.positions.length / 3);
    expect(facing(mesh).up).toBeGreaterThan(0);
    expect(facing(mesh).area).toBeGreaterThan(0.2);
  });

  it('has the same bytes in every run, equal to the snapshot', () => {
    const again = hash(scene.create());
    expect(hash(mesh)).toBe(again);
    expect({ name, triangles: mesh.indices.length / 3, hash: again }).toMatchSnapshot();
  });

  it('has a path whose ends lie inside the level', () => {
    for (const end of [scene.path.from, scene.path.to]) {
      for (const axis of [0, 1, 2] as const) {
        let min = Infinity;
        let max = -Infinity;
        for (let i = axis; i < mesh.positions.length; i += 3) {
          min = Math.min(min, mesh.positions[i]);
          max = Math.max(max, mesh.positions[i]);
        }
        expect(end[axis]).toBeGreaterThanOrEqual(min - 0.01);
        expect(end[axis]).toBeLessThanOrEqual(max + 0.01);
      }
    }
  });
});

describe('the registry', () => {
  it('has unique names and at least ten levels', () => {
    expect(new Set(levelScenes.map((scene) => scene.name)).size).toBe(levelScenes.length);
    expect(levelScenes.length).toBeGreaterThanOrEqual(10);
  });

  it('finds scenes by name, and lists the choices for an unknown name', () => {
    expect(findLevelScene('dungeon').name).toBe('dungeon');
    expect(() => findLevelScene('atlantis')).toThrow(/no scene 'atlantis'.*dungeon/);
  });

  it('changes with the seed, and has more triangles at a larger scale', () => {
    const dungeon = findLevelScene('dungeon');
    expect(hash(dungeon.create(1))).not.toBe(hash(dungeon.create(2)));
    for (const scene of levelScenes.filter((candidate) => candidate.scalable)) {
      const ratio = scene.create(1, 4).indices.length / scene.create(1, 1).indices.length;
      expect(ratio).toBeGreaterThan(3);
      expect(ratio).toBeLessThan(5);
    }
  });
});
