import { describe, expect, it } from 'vitest';
import { loadNavMesh } from '../../../src/mesh/file/load.ts';
import { NULL_REF, refOf } from '../../../src/mesh/ref.ts';
import { saveNavMesh } from '../../../src/mesh/file/save.ts';
import { findTile } from '../../../src/mesh/tiles/tile-grid.ts';
import { addTile, removeTile } from '../../../src/mesh/change/tiles.ts';
import { validateNavMesh } from '../../../src/mesh/validate.ts';
import { getArea, getFlags, restoreTileState, saveTileState, setArea, setFlags } from '../../../src/query/area.ts';
import { getHeight } from '../../../src/query/height.ts';
import { findPath } from '../../../src/query/path/find-path.ts';
import { findIslands } from '../../../src/query/islands.ts';
import { pruneUnreachable } from '../../../src/query/flood/prune.ts';
import { gridTile, meshOf, storeysMesh } from '../meshes.ts';
import { squaresTile, tiledMesh } from '../mesh/tiled-meshes.ts';

describe('areas and flags', () => {
  it('can be set and read, and change paths', () => {
    const mesh = meshOf(gridTile(5, 1));
    const ref = refOf(mesh, 2);
    setArea(mesh, ref, 7);
    setFlags(mesh, ref, 0x8001);
    expect([getArea(mesh, ref), getFlags(mesh, ref)]).toEqual([7, 0x8001]);
    expect(findPath(mesh, [0.5, 0, 0.5], [4.5, 0, 0.5]).status).toBe('complete');
    setFlags(mesh, ref, 0);
    expect(findPath(mesh, [0.5, 0, 0.5], [4.5, 0, 0.5]).status).toBe('partial');
    expect(validateNavMesh(mesh)).toEqual([]);
  });

  it('are null or unchanged for stale refs, and refuse values out of range', () => {
    const mesh = meshOf(gridTile(2, 1));
    const ref = refOf(mesh, 0);
    for (const area of [0, 64, 1.5, NaN]) expect(() => setArea(mesh, ref, area)).toThrow(/setArea: area is/);
    for (const flags of [-1, 65536, 0.5, NaN]) expect(() => setFlags(mesh, ref, flags)).toThrow(/setFlags: flags is/);
    expect([setArea(mesh, ref, 3), setFlags(mesh, ref, 3)]).toEqual([true, true]);
    expect(() => getArea(mesh, '1' as never)).toThrow('getArea: ref is "1"; must be a polygon ref');
    expect(() => getHeight(mesh, undefined as never, 0, 0)).toThrow(TypeError);
    removeTile(mesh, 0);
    for (const bad of [ref, NULL_REF]) {
      const { revision } = mesh;
      expect([getArea(mesh, bad), getFlags(mesh, bad), getHeight(mesh, bad, 0, 0)]).toEqual([null, null, null]);
      expect([setArea(mesh, bad, 1), setFlags(mesh, bad, 1)]).toEqual([false, false]);
      expect(mesh.revision).toBe(revision);
    }
  });
});

describe('states of tiles', () => {
  const tile = (x: number, open: number = 9): ReturnType<typeof squaresTile> =>
    squaresTile(
      x,
      0,
      0,
      3,
      (i, k) => 3 * k + i < open,
      () => 0,
    );

  it('are saved and restored, also after the tile was removed and into a loaded mesh', () => {
    const mesh = tiledMesh();
    addTile(mesh, tile(0));
    const slot = addTile(mesh, tile(1));
    for (let p = 0; p < 9; p++) {
      setArea(mesh, refOf(mesh, 9 + p), p + 1);
      setFlags(mesh, refOf(mesh, 9 + p), 1 << p);
    }
    const state = structuredClone(saveTileState(mesh, slot)!);
    const check = (one: typeof mesh, at: number): void => {
      expect(restoreTileState(one, at, state)).toBe(true);
      const first = one.tilePolyStart[at];
      expect([...one.polyArea.subarray(first, first + 9)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
      expect([...one.polyFlags.subarray(first, first + 9)]).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256]);
      expect(validateNavMesh(one)).toEqual([]);
    };
    removeTile(mesh, slot);
    addTile(mesh, tile(2));
    const again = addTile(mesh, tile(1));
    check(mesh, again);
    mesh.polyArea.fill(63);
    const loaded = loadNavMesh(saveNavMesh(mesh));
    check(loaded, findTile(loaded, 1, 0));
  });

  it('are refused for other tiles, without a change', () => {
    const mesh = tiledMesh();
    const slot = addTile(mesh, tile(0));
    const state = saveTileState(mesh, slot)!;
    setFlags(mesh, refOf(mesh, 0), 5);
    expect(restoreTileState(mesh, addTile(mesh, tile(1)), state)).toBe(false);
    expect(() => restoreTileState(mesh, slot, { ...state, areas: new Uint8Array(9) })).toThrow(
      'restoreTileState: state.areas[0] is 0; must be an integer, 1 .. 63',
    );
    expect(restoreTileState(mesh, 7, state)).toBe(false);
    expect(saveTileState(mesh, -1)).toBeNull();
    expect(() => saveTileState(mesh, undefined as never)).toThrow(
      'saveTileState: slot is undefined; must be a tile slot',
    );
    expect(getFlags(mesh, refOf(mesh, 0))).toBe(5);
    removeTile(mesh, slot);
    expect(restoreTileState(mesh, slot, state)).toBe(false);
    expect(restoreTileState(mesh, addTile(mesh, tile(0, 8)), state)).toBe(false);
    removeTile(mesh, findTile(mesh, 0, 0));
    const moved = tile(0);
    moved.vertices[4] += 1e-9;
    expect(restoreTileState(mesh, addTile(mesh, moved), state)).toBe(false);
  });
});

describe('islands and pruning', () => {
  it('finds each storey as an island and keeps the one with the seed', () => {
    const mesh = storeysMesh();
    const { islands, islandOfPoly } = findIslands(mesh);
    expect(islands.map(({ area, polys }) => [area, polys.length])).toEqual([
      [16, 16],
      [16, 16],
    ]);
    expect([...islands[1].bounds]).toEqual([0, 3, 0, 4, 3, 4]);
    expect([...islandOfPoly]).toEqual([...new Array(16).fill(0), ...new Array(16).fill(1)]);
    const result = pruneUnreachable(
      mesh,
      [
        [1, 3, 1],
        [90, 0, 0],
      ],
      { flags: 4 },
    );
    expect(result).toMatchObject({ status: 'complete', keptCount: 16, prunedCount: 16, missedSeeds: [1] });
    expect([...new Set(mesh.polyFlags.subarray(0, 16))]).toEqual([4]);
    expect([...new Set(mesh.polyFlags.subarray(16, 32))]).toEqual([1]);
    expect(validateNavMesh(mesh)).toEqual([]);
  });

  it('changes nothing without a seed on the mesh, and refuses bad seeds before any change', () => {
    const mesh = storeysMesh();
    const stale = refOf(mesh, 16);
    expect(pruneUnreachable(mesh, [])).toMatchObject({ status: 'no-seeds', prunedCount: 0 });
    expect(pruneUnreachable(mesh, [[90, 0, 0]])).toMatchObject({ status: 'no-seeds', missedSeeds: [0] });
    removeTile(mesh, 1);
    expect(pruneUnreachable(mesh, [[1, 0, 1], stale])).toMatchObject({ status: 'complete', missedSeeds: [1] });
    expect(() => pruneUnreachable(mesh, [[1, 0, NaN]])).toThrow(/seeds\[0\]/);
    expect(() => pruneUnreachable(mesh, [[1, 0, 1]], { flags: -1 })).toThrow(/flags is -1/);
    expect([...new Set(mesh.polyFlags.subarray(0, 16))]).toEqual([1]);
  });
});
