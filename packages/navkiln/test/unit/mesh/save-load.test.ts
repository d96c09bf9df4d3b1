import { describe, expect, it } from 'vitest';
import { compactMesh } from '../../../src/mesh/tiles/compact.ts';
import { ARRAY_FIELDS } from '../../../src/mesh/layout.ts';
import { addLink, listLinks, removeLink } from '../../../src/mesh/change/links.ts';
import { setEnabled } from '../../../src/mesh/change/enable.ts';
import { loadNavMesh } from '../../../src/mesh/file/load.ts';
import { polyIndexOf, refOf } from '../../../src/mesh/ref.ts';
import { saveNavMesh } from '../../../src/mesh/file/save.ts';
import { addTile, removeTile } from '../../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../../src/mesh/types.ts';
import { validateNavMesh } from '../../../src/mesh/validate.ts';
import { getArea, setArea } from '../../../src/query/area.ts';
import { findPath } from '../../../src/query/path/find-path.ts';
import { bumpTile, gridTile, lShapeMesh, meshOf, movedTile, ringMesh, wornMesh } from '../meshes.ts';
import { TILE, portalsOf, squaresTile, tiledMesh } from './tiled-meshes.ts';

/** Returns a row of tiles, each linked to the next one. */
function linkedMesh(order: number[]): NavMesh {
  const mesh = tiledMesh();
  for (const x of order)
    addTile(
      mesh,
      squaresTile(
        x,
        0,
        0,
        2 + x,
        () => true,
        () => 0,
      ),
    );
  for (let x = 0; x < 3; x++) addLink(mesh, { start: [TILE * x + 1, 0, 1], end: [TILE * (x + 1) + 1, 0, 1], cost: x });
  return mesh;
}

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

  it('restore every array, including those that are not saved', () => {
    for (const mesh of [wornMesh(), ringMesh(), meshOf(bumpTile(), gridTile(4, 4)), linkedMesh([0, 1, 2])]) {
      const tight = compactMesh(mesh);
      const loaded = loadNavMesh(saveNavMesh(mesh));
      for (const { name } of ARRAY_FIELDS) {
        // These are renumbered, or built when they are needed.
        if (!/^(portal|polyPortal|islandParent|linkHash|tile\w+Start)/.test(name))
          expect(loaded[name], name).toEqual(tight[name]);
      }
      expect(loaded.linkScale).toBe(mesh.linkScale);
      for (let poly = 0; poly < loaded.polyCount; poly++) {
        const describeAll = (m: NavMesh): number[][] =>
          portalsOf(m, poly).map((l) => [
            m.portalPoly[l],
            m.portalEdge[l],
            m.portalPoly[m.portalBack[l]],
            m.portalSpan[2 * l],
            m.portalSpan[2 * l + 1],
          ]);
        expect(describeAll(loaded)).toEqual(describeAll(tight));
      }
    }
  });

  it('give the same bytes after any history of changes', () => {
    const bytes = saveNavMesh(linkedMesh([0, 1, 2]));
    const mesh = linkedMesh([0, 1, 2]);
    // The tiles are removed and added again in the other order, so that each gets its former slot.
    for (const slot of [0, 1, 2]) removeTile(mesh, slot);
    for (const slot of [2, 1, 0])
      expect(
        addTile(
          mesh,
          squaresTile(
            slot,
            0,
            0,
            2 + slot,
            () => true,
            () => 0,
          ),
        ),
      ).toBe(slot);
    mesh.tileGeneration.fill(1);
    expect(mesh.portalFree).toBe(-1);
    expect(saveNavMesh(mesh)).toEqual(bytes);
  });

  it('keep links editable', () => {
    const mesh = linkedMesh([0, 1, 2]);
    const loaded = loadNavMesh(saveNavMesh(mesh));
    for (const one of [mesh, loaded]) {
      removeTile(one, 2);
      addLink(one, { start: [1, 0, 2], end: [2, 0, 2] });
      removeLink(one, listLinks(one)[0]);
      addTile(
        one,
        squaresTile(
          2,
          0,
          0,
          3,
          () => true,
          () => 0,
        ),
      );
      expect(validateNavMesh(one)).toEqual([]);
    }
    expect(saveNavMesh(loaded)).toEqual(saveNavMesh(mesh));
    const again = loadNavMesh(saveNavMesh(mesh));
    for (const one of [mesh, again]) for (const link of listLinks(one)) removeLink(one, link);
    expect(saveNavMesh(again)).toEqual(saveNavMesh(mesh));
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

  it('share no doors among rooms that load the same bytes', () => {
    const bytes = saveNavMesh(meshOf({ ...gridTile(3, 1), groups: [{ name: 'door', polys: [1] }] }));
    const before = bytes.slice();
    const [first, second] = [loadNavMesh(bytes), loadNavMesh(bytes)];
    setEnabled(first, 'door', false);
    setArea(first, refOf(first, 0), 7);
    const statusOf = (mesh: NavMesh): string => findPath(mesh, [0.5, 0, 0.5], [2.5, 0, 0.5]).status;
    expect([statusOf(first), statusOf(second)]).toEqual(['partial', 'complete']);
    expect(bytes).toEqual(before);
    expect(getArea(second, refOf(second, 0))).not.toBe(7);
    expect(validateNavMesh(second)).toEqual([]);
    expect(loadNavMesh(bytes).vertices.buffer).not.toBe(bytes.buffer);
  });

  it('view the bytes in place with copy: false, and copy them only when they start at an odd offset', () => {
    const bytes = saveNavMesh(lShapeMesh());
    const view = { copy: false };
    expect(loadNavMesh(bytes, view).vertices.buffer).toBe(bytes.buffer);
    expect(loadNavMesh(bytes.buffer as ArrayBuffer, view).vertices.buffer).toBe(bytes.buffer);
    const odd = new Uint8Array(bytes.length + 3);
    odd.set(bytes, 3);
    for (const given of [odd.subarray(3), Buffer.from(odd.buffer, 3)]) {
      const loaded = loadNavMesh(given, view);
      expect(loaded.vertices.buffer).not.toBe(odd.buffer);
      expect(findPath(loaded, [3.5, 0, 0.5], [0.5, 0, 5.5]).points.length).toBe(3);
    }
    // Only false shares memory.
    expect(loadNavMesh(bytes, { copy: 0 } as never).vertices.buffer).not.toBe(bytes.buffer);
    expect(() => loadNavMesh(bytes, { share: true } as never)).toThrow('loadNavMesh: options.share is unknown');
  });

  it('survive structuredClone', () => {
    const mesh = wornMesh();
    expect(saveNavMesh(structuredClone(mesh))).toEqual(saveNavMesh(mesh));
  });

  it('report what is wrong', () => {
    const bytes = saveNavMesh(ringMesh());
    expect(() => loadNavMesh(new Uint8Array(0))).toThrow(/loadNavMesh: the bytes do not begin with "navkiln"; bake/);
    expect(() => loadNavMesh(bytes.map((byte, i) => (i === 0 ? 1 : byte)))).toThrow(/do not begin with "navkiln"/);
    expect(() => loadNavMesh(bytes.map((byte, i) => (i === 8 ? 9 : byte)))).toThrow(/version 9, not 2/);
    expect(() => loadNavMesh(bytes.subarray(0, bytes.length - 8))).toThrow(/bytes, not/);
    expect(() => loadNavMesh(bytes.map((byte, i) => (i === 999 ? byte ^ 4 : byte)))).toThrow(/checksum/);
  });
});
