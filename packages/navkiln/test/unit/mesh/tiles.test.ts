import { describe, expect, it } from 'vitest';
import { createNavMesh } from '../../../src/mesh/create.ts';
import { MAX_GENERATION, NULL_REF, decodeRef, encodeRef, polyIndexOf, refOf } from '../../../src/mesh/ref.ts';
import { findTile, findTilesNear, tilesNear } from '../../../src/mesh/tiles/tile-grid.ts';
import { loadNavMesh } from '../../../src/mesh/file/load.ts';
import { saveNavMesh } from '../../../src/mesh/file/save.ts';
import { addTile, removeTile } from '../../../src/mesh/change/tiles.ts';
import { validateNavMesh } from '../../../src/mesh/validate.ts';
import { restoreFlags, restoreTileState, saveTileState } from '../../../src/query/area.ts';
import { findPath } from '../../../src/query/path/find-path.ts';
import type { PolyRef } from '../../../src/mesh/types.ts';
import { findNearest } from '../../../src/query/nearest/nearest.ts';
import { AGENT, gridTile, meshOf, seeded, tileOf } from '../meshes.ts';

describe('refs', () => {
  it('decode to what was encoded', () => {
    const seed = 101;
    const random = seeded(seed);
    for (let i = 0; i < 2000; i++) {
      const slot = Math.floor(random() * 0x100000);
      const generation = 1 + Math.floor(random() * MAX_GENERATION);
      const poly = Math.floor(random() * 0x20000);
      const ref = encodeRef(slot, generation, poly);
      expect(Number.isSafeInteger(ref)).toBe(true);
      expect(decodeRef(ref), `seed ${seed}`).toEqual({ slot, generation, poly });
    }
    expect(encodeRef(0xfffff, 0xffff, 0x1ffff)).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('resolve, and reject values that are not refs', () => {
    const mesh = meshOf(gridTile(3, 2));
    for (let p = 0; p < 6; p++) expect(polyIndexOf(mesh, refOf(mesh, p))).toBe(p);
    const foreign = encodeRef(0, mesh.tileGeneration[0], 6);
    for (const ref of [NULL_REF, NaN, -1, 0.5, Infinity, 2 ** 53, foreign, encodeRef(1, 1, 0), encodeRef(0, 2, 0)]) {
      expect(polyIndexOf(mesh, ref as PolyRef)).toBe(-1);
    }
  });

  it('become stale with their tile and never name another', () => {
    const mesh = createNavMesh({ agent: AGENT });
    const slot = addTile(mesh, gridTile(2, 2));
    const old = refOf(mesh, 3);
    removeTile(mesh, slot);
    expect(polyIndexOf(mesh, old)).toBe(-1);
    expect(addTile(mesh, { ...gridTile(2, 2), x: 5, z: 5 })).toBe(slot);
    expect(polyIndexOf(mesh, old)).toBe(-1);
    expect(refOf(mesh, 3)).not.toBe(old);
  });

  it('retire a slot when its generations are used up', () => {
    const mesh = createNavMesh({ agent: AGENT });
    const slot = addTile(mesh, gridTile(1, 1));
    removeTile(mesh, slot);
    mesh.tileGeneration[slot] = MAX_GENERATION - 1;
    expect(addTile(mesh, gridTile(1, 1))).toBe(slot);
    removeTile(mesh, slot);
    expect(addTile(mesh, gridTile(1, 1))).toBe(slot + 1);
  });
});

describe('tiles', () => {
  it('share the pools and recycle them', () => {
    const seed = 102;
    const random = seeded(seed);
    const mesh = createNavMesh({ agent: AGENT, tileSize: 8, cellSize: 1 });
    const kept = new Map<string, { slot: number; polys: number; ref: PolyRef }>();
    let largest = 0;
    for (let i = 0; i < 600; i++) {
      const x = Math.floor(random() * 5) - 2;
      const z = Math.floor(random() * 5) - 2;
      const key = `${x},${z}`;
      const before = kept.get(key);
      if (before !== undefined) {
        expect(findTile(mesh, x, z)).toBe(before.slot);
        expect(polyIndexOf(mesh, before.ref)).toBe(mesh.tilePolyStart[before.slot] + before.polys - 1);
        removeTile(mesh, before.slot);
        expect(polyIndexOf(mesh, before.ref)).toBe(-1);
        expect(findTile(mesh, x, z)).toBe(-1);
        kept.delete(key);
      }
      if (random() < 0.2) continue;
      const tile = gridTile(1 + Math.floor(random() * 8), 1 + Math.floor(random() * 8));
      for (let v = 0; v < tile.vertices.length; v += 3) {
        tile.vertices[v] += 8 * x;
        tile.vertices[v + 2] += 8 * z;
      }
      const slot = addTile(mesh, { ...tile, x, z });
      kept.set(key, { slot, polys: tile.polyCount, ref: refOf(mesh, mesh.tilePolyStart[slot] + tile.polyCount - 1) });
      largest = Math.max(largest, mesh.polyArea.length);
    }
    // At most 25 tiles of at most 64 polygons exist at a time.
    expect(largest, `seed ${seed}`).toBeLessThanOrEqual(4 * 25 * 64);
    expect(mesh.tileSlotCount).toBeLessThanOrEqual(25);
    for (const [key, { slot }] of kept) {
      const [x, z] = key.split(',').map(Number);
      const v = 3 * mesh.edgeVertex[mesh.polyEdgeStart[mesh.tilePolyStart[slot]]];
      expect([mesh.vertices[v], mesh.vertices[v + 2]]).toEqual([8 * x, 8 * z]);
    }
  });

  it('refuse misuse with the name of the function', () => {
    const mesh = createNavMesh({ agent: AGENT });
    const tile = gridTile(2, 2);
    expect(() => addTile(mesh, { ...tile, edgeVertex: tile.edgeVertex.map(() => 99) })).toThrow(
      /addTile: .*edgeVertex\[0\] is 99/,
    );
    expect(() => addTile(mesh, { ...tile, polyArea: new Uint8Array(4) })).toThrow(/polyArea\[0\] is 0/);
    expect(() => addTile(mesh, { ...tile, vertices: tile.vertices.map(() => NaN) })).toThrow(/vertices\[0\] is NaN/);
    expect(() => addTile(mesh, { ...tile, polyFlags: new Uint16Array(1) })).toThrow(/polyFlags has 1 entries/);
    expect(mesh.tileSlotCount).toBe(0);
    addTile(mesh, tile);
    expect(() => addTile(mesh, tile)).toThrow(/already/);
    expect(removeTile(mesh, 7)).toBe(false);
    expect(() => removeTile(mesh, '5' as unknown as number)).toThrow(/^removeTile: slot is "5"; must be a number/);
    for (const slot of [null, undefined, {}, 5n]) {
      expect(() => removeTile(mesh, slot as never)).toThrow(/^removeTile: slot is .*; must be a number/);
      expect(() => saveTileState(mesh, slot as never)).toThrow(/^saveTileState: slot is .*; must be a tile slot/);
    }
    for (const slot of [0.5, NaN, -1, Infinity, -0.25]) expect(removeTile(mesh, slot)).toBe(false);
    for (const wrong of [null, undefined, 'tile', 3]) {
      expect(() => addTile(mesh, wrong as never)).toThrow(/^addTile: tile is .*; must be TileData/);
      expect(() => restoreTileState(mesh, 0, wrong as never)).toThrow(
        /^restoreTileState: state is .*; must be the result/,
      );
      expect(() => restoreFlags(mesh, wrong as never)).toThrow(/^restoreFlags: backup is .*; must be a FlagsBackup/);
    }
    expect(() => addTile(mesh, { ...tile, x: 1, vertices: [1, 2] as never })).toThrow(
      'addTile: tile.vertices is [1, 2]; must be a Float64Array',
    );
    expect(() => addTile(mesh, { ...tile, x: 1, polyCount: 1.5 })).toThrow(/a count is 1.5; must be a whole number/);
    expect(() => restoreTileState(mesh, 0, { ...saveTileState(mesh, 0)!, areas: {} as never })).toThrow(
      'restoreTileState: state.areas is an object; must be a Uint8Array',
    );
    expect(validateNavMesh(mesh)).toEqual([]);
    const tiled = createNavMesh({ agent: AGENT, tileSize: 1 });
    expect(() => addTile(tiled, tile)).toThrow(/outside its square/);
    expect(() => createNavMesh({ agent: { ...AGENT, radius: NaN } })).toThrow(/agent.radius is NaN/);
  });

  it('may be empty', () => {
    const mesh = createNavMesh({ agent: AGENT });
    const slot = addTile(mesh, tileOf([], []));
    expect(mesh.tileNodeCount[slot]).toBe(0);
    removeTile(mesh, slot);
  });

  it('are found around a point at any coordinates', () => {
    const mesh = createNavMesh({ agent: AGENT, tileSize: 8, cellSize: 1 });
    for (let x = 0; x < 5; x++) {
      const tile = gridTile(8, 8);
      addTile(mesh, { ...tile, x, vertices: tile.vertices.map((value, i) => value + (i % 3 === 0 ? 8 * x : 0)) });
    }
    const around = (x: number, reach: number): number[] => {
      findTilesNear(mesh, Float64Array.of(x, 0, 4), Float64Array.of(reach, 0, 0));
      return [...tilesNear.slots.subarray(0, tilesNear.count)];
    };
    expect(around(12, 2)).toEqual([1]);
    expect(around(12, 4)).toEqual([0, 1, 2]);
    expect(around(-12, 2)).toEqual([]);
    expect(around(12, 1e300)).toEqual([0, 1, 2, 3, 4]);
    expect(around(12, Infinity)).toEqual([0, 1, 2, 3, 4]);
    for (const x of [1e17, -1e17, 1e300, 2 ** 53]) expect(around(x, 1)).toEqual([0, 1, 2, 3, 4]);
    expect(findNearest(mesh, [1e300, 0, 0]).found).toBe(false);
  });
});

describe('a large tile', () => {
  it('works with 60,025 polygons, and is refused beyond the limit with the remedy', () => {
    const mesh = meshOf(gridTile(245, 245));
    expect(mesh.polyCount).toBe(60_025);
    const path = findPath(mesh, [0.5, 0, 0.5], [244.5, 0, 240.5]);
    expect(path.status).toBe('complete');
    expect(path.length).toBeGreaterThanOrEqual(Math.hypot(244, 240));
    expect(path.length).toBeLessThan(1.01 * Math.hypot(244, 240));
    expect(path.polys.length).toBeGreaterThan(245);
    const loaded = loadNavMesh(saveNavMesh(mesh));
    expect(findPath(loaded, [0.5, 0, 0.5], [244.5, 0, 240.5])).toEqual(path);
    const last = refOf(mesh, 60_024);
    expect(polyIndexOf(loaded, last)).toBe(60_024);
    expect(() => meshOf(gridTile(363, 363))).toThrow(/131769 polygons.*131072.*smaller tileSize/);
  });
});
