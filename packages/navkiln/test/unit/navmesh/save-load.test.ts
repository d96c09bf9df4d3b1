import { describe, expect, it } from 'vitest';
import { loadNavMesh } from '../../../src/navmesh/load.ts';
import { polyIndexOf, refOf } from '../../../src/navmesh/ref.ts';
import { saveNavMesh } from '../../../src/navmesh/save.ts';
import { addTile, removeTile } from '../../../src/navmesh/tiles.ts';
import { validateNavMesh } from '../../../src/navmesh/validate.ts';
import { findPath } from '../../../src/query/find-path.ts';
import { bumpTile, gridTile, lShapeMesh, meshOf, movedTile, ringMesh, wornMesh } from '../meshes.ts';

describe('save and load', () => {
  it('give the same mesh and the same bytes', () => {
    for (const mesh of [wornMesh(), ringMesh(), meshOf(), meshOf(bumpTile(), gridTile(4, 4))]) {
      const bytes = saveNavMesh(mesh);
      const loaded = loadNavMesh(bytes.slice());
      expect(validateNavMesh(loaded)).toEqual([]);
      expect(saveNavMesh(loaded)).toEqual(bytes);
      expect(saveNavMesh(mesh)).toEqual(bytes);
      expect(loaded.agent).toEqual(mesh.agent);
      expect([loaded.cellSize, loaded.tileSize, loaded.origin]).toEqual([mesh.cellSize, mesh.tileSize, mesh.origin]);
    }
  });

  it('keep refs, slots and generations', () => {
    const mesh = wornMesh();
    const loaded = loadNavMesh(saveNavMesh(mesh));
    for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
      if (mesh.tileState[slot] === 0) continue;
      const ref = refOf(mesh, mesh.tilePolyStart[slot]);
      expect(polyIndexOf(loaded, ref)).toBe(loaded.tilePolyStart[slot]);
    }
    const tile = movedTile(gridTile(2, 2), 20, 20, 8);
    expect(addTile(loaded, tile)).toBe(addTile(mesh, tile));
    expect(addTile(loaded, movedTile(gridTile(2, 2), 1, 1, 8))).toBe(addTile(mesh, movedTile(gridTile(2, 2), 1, 1, 8)));
    expect(saveNavMesh(loaded)).toEqual(saveNavMesh(mesh));
    for (const one of [mesh, loaded]) removeTile(one, 2);
    expect(validateNavMesh(loaded)).toEqual([]);
    expect(saveNavMesh(loaded)).toEqual(saveNavMesh(mesh));
  });

  it('view the bytes where they are, and copy them only when they begin at an odd place', () => {
    const bytes = saveNavMesh(lShapeMesh());
    expect(loadNavMesh(bytes).vertices.buffer).toBe(bytes.buffer);
    expect(loadNavMesh(bytes.buffer as ArrayBuffer).vertices.buffer).toBe(bytes.buffer);
    const odd = new Uint8Array(bytes.length + 3);
    odd.set(bytes, 3);
    const loaded = loadNavMesh(odd.subarray(3));
    expect(loaded.vertices.buffer).not.toBe(odd.buffer);
    expect(findPath(loaded, [3.5, 0, 0.5], [0.5, 0, 5.5]).points.length).toBe(3);
  });

  it('survive structuredClone', () => {
    const mesh = wornMesh();
    expect(saveNavMesh(structuredClone(mesh))).toEqual(saveNavMesh(mesh));
  });

  it('say what is wrong', () => {
    const bytes = saveNavMesh(ringMesh());
    expect(() => loadNavMesh(new Uint8Array(0))).toThrow(/loadNavMesh: these 0 bytes are no .navmesh/);
    expect(() => loadNavMesh(bytes.map((byte, i) => (i === 0 ? 1 : byte)))).toThrow(/do not begin with "navkiln"/);
    expect(() => loadNavMesh(bytes.map((byte, i) => (i === 8 ? 9 : byte)))).toThrow(/version 9.*reads version 1/);
    expect(() => loadNavMesh(bytes.subarray(0, bytes.length - 8))).toThrow(/cut off/);
    expect(() => loadNavMesh(bytes.map((byte, i) => (i === 999 ? byte ^ 4 : byte)))).toThrow(/checksum/);
  });
});
