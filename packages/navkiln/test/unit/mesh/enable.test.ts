/** Named areas and links: what `setEnabled` closes, in meshes made by hand. */
import { describe, expect, it } from 'vitest';
import { FLAG_WALK } from '../../../src/base/constants.ts';
import { isEnabled, listNames, setEnabled } from '../../../src/mesh/change/enable.ts';
import { areOnOneIsland, refreshIslands } from '../../../src/mesh/islands.ts';
import { addLink, getLink, listLinks, removeLink } from '../../../src/mesh/change/links.ts';
import { loadNavMesh } from '../../../src/mesh/file/load.ts';
import { refOf } from '../../../src/mesh/ref.ts';
import { saveNavMesh } from '../../../src/mesh/file/save.ts';
import { addTile, removeTile } from '../../../src/mesh/change/tiles.ts';
import type { NavMesh, TileData } from '../../../src/mesh/types.ts';
import { validateNavMesh } from '../../../src/mesh/validate.ts';
import { getFlags, restoreTileState, saveTileState, setFlags } from '../../../src/query/area.ts';
import { explainPath } from '../../../src/query/explain/explain.ts';
import { createFilter } from '../../../src/query/create-filter.ts';
import { findIslands } from '../../../src/query/islands.ts';
import { findPath } from '../../../src/query/path/find-path.ts';
import { gridTile, meshOf } from '../meshes.ts';

/** Two rooms of 3 x 3 and a door of one square between them, at x 3 .. 4, z 1 .. 2. Polygon 9 in rows. */
function doorTile(names: string[] = ['door']): TileData {
  const tile = gridTile(7, 3, (x, z) => x !== 3 || z === 1);
  const door = 3 + 3 + 3 + 1;
  return { ...tile, groups: names.map((name, i) => ({ name, polys: i === 0 ? [door - 1] : [] })) };
}

const A = [0.5, 0, 0.5];
const B = [6.5, 0, 2.5];

const doorOf = (mesh: NavMesh): number => mesh.polyTile.findIndex((_, poly) => mesh.polyGroup.has(refOf(mesh, poly)));

describe('a named area', () => {
  it('is closed to paths while it is disabled, and open again afterwards', () => {
    const mesh = meshOf(doorTile());
    const before = findPath(mesh, A, B);
    expect(before.status).toBe('complete');
    const { revision } = mesh;
    setEnabled(mesh, 'door', false);
    expect(mesh.revision).toBeGreaterThan(revision);
    expect(isEnabled(mesh, 'door')).toBe(false);
    expect(validateNavMesh(mesh)).toEqual([]);
    const closed = findPath(mesh, A, B);
    expect([closed.status, closed.reason]).toEqual(['partial', 'unreachable']);
    expect(closed.points.at(-1)).toEqual([3, 0, 2.5]);
    setEnabled(mesh, 'door', true);
    expect(validateNavMesh(mesh)).toEqual([]);
    expect(findPath(mesh, A, B)).toEqual(before);
  });

  it('is no connection of islands while it is disabled', () => {
    const mesh = meshOf(doorTile());
    const [first, last] = [0, mesh.polyCount - 1];
    expect(areOnOneIsland(mesh, first, last)).toBe(1);
    setEnabled(mesh, 'door', false);
    expect(areOnOneIsland(mesh, first, last)).toBe(-1);
    refreshIslands(mesh);
    expect(areOnOneIsland(mesh, first, last)).toBe(0);
    expect(validateNavMesh(mesh)).toEqual([]);
    expect(findIslands(mesh).islands.length).toBe(2);
    setEnabled(mesh, 'door', true);
    expect(areOnOneIsland(mesh, first, last)).toBe(1);
    expect(findIslands(mesh).islands.length).toBe(1);
  });

  it('is closed to a filter of any passes()', () => {
    const mesh = meshOf(doorTile());
    const filter = createFilter({ passes: () => true });
    expect(findPath(mesh, A, B, { filter }).status).toBe('complete');
    setEnabled(mesh, 'door', false);
    expect(findPath(mesh, A, B, { filter }).status).toBe('partial');
  });

  it('is named by explainPath, at an end and on the way', () => {
    const mesh = meshOf(doorTile());
    setEnabled(mesh, 'door', false);
    const way = explainPath(mesh, A, B);
    expect([way.cause, way.block?.name]).toEqual(['disabled', 'door']);
    expect(way.message).toContain('The route crosses "door" at [3.5, 0, 1.5], which is disabled');
    const end = explainPath(mesh, A, [3.5, 0, 1.5], { halfExtents: [0.1, 1, 0.1] });
    expect(end.cause).toBe('end-filtered');
    expect(end.message).toBe('The end is on "door", which is disabled.');
  });

  it('keeps the flags of its polygons, also those that are set meanwhile', () => {
    const mesh = meshOf(doorTile());
    const poly = doorOf(mesh);
    const ref = refOf(mesh, poly);
    setFlags(mesh, ref, 6);
    setEnabled(mesh, 'door', false);
    expect([mesh.polyFlags[poly], getFlags(mesh, ref)]).toEqual([0, 6]);
    setFlags(mesh, ref, 5);
    expect([mesh.polyFlags[poly], getFlags(mesh, ref)]).toEqual([0, 5]);
    const state = saveTileState(mesh, 0)!;
    setFlags(mesh, ref, 7);
    expect(restoreTileState(mesh, 0, state)).toBe(true);
    expect(validateNavMesh(mesh)).toEqual([]);
    setEnabled(mesh, 'door', true);
    expect(mesh.polyFlags[poly]).toBe(5);
  });

  it('keeps its state through saving, a copy, and a tile that is removed and added', () => {
    const mesh = meshOf(doorTile());
    setFlags(mesh, refOf(mesh, doorOf(mesh)), 3);
    setEnabled(mesh, 'door', false);
    for (const again of [loadNavMesh(saveNavMesh(mesh)), structuredClone(mesh)]) {
      expect(validateNavMesh(again)).toEqual([]);
      expect([listNames(again), isEnabled(again, 'door')]).toEqual([['door'], false]);
      expect(findPath(again, A, B).status).toBe('partial');
      expect(saveNavMesh(again)).toEqual(saveNavMesh(mesh));
      setEnabled(again, 'door', true);
      expect(again.polyFlags[doorOf(again)]).toBe(3);
      expect(findPath(again, A, B).status).toBe('complete');
    }
    removeTile(mesh, 0);
    expect(validateNavMesh(mesh)).toEqual([]);
    expect([listNames(mesh), isEnabled(mesh, 'door'), mesh.polyGroup.size]).toEqual([['door'], false, 0]);
    addTile(mesh, doorTile());
    expect(validateNavMesh(mesh)).toEqual([]);
    expect(findPath(mesh, A, B).status).toBe('partial');
    setEnabled(mesh, 'door', true);
    expect(mesh.polyFlags[doorOf(mesh)]).toBe(FLAG_WALK);
    expect(findPath(mesh, A, B).status).toBe('complete');
  });
});

describe('a named link', () => {
  const rooms = (): NavMesh => meshOf(gridTile(7, 3, (x) => x !== 3));

  it('is disabled and enabled with its name, and takes over its state', () => {
    const mesh = rooms();
    const link = addLink(mesh, { start: [2.5, 0, 1.5], end: [4.5, 0, 1.5], name: 'lift' });
    expect(getLink(mesh, link)!.name).toBe('lift');
    expect(findPath(mesh, A, B).status).toBe('complete');
    setEnabled(mesh, 'lift', false);
    expect(getLink(mesh, link)!.enabled).toBe(false);
    const back = addLink(mesh, { start: [4.5, 0, 1.5], end: [2.5, 0, 1.5], name: 'lift' });
    expect(getLink(mesh, back)!.enabled).toBe(false);
    const { message, cause } = explainPath(mesh, A, B);
    expect(cause).toBe('gap');
    expect(message).toContain('The link "lift" would connect them, but is disabled.');
    const again = loadNavMesh(saveNavMesh(mesh));
    setEnabled(again, 'lift', true);
    expect(listLinks(again).map((ref) => getLink(again, ref)!.enabled)).toEqual([true, true]);
    removeLink(again, link);
    expect(validateNavMesh(again)).toEqual([]);
    expect([...again.groups[0].links].length).toBe(1);
  });

  it('starts a name with its own state', () => {
    const mesh = rooms();
    addLink(mesh, { start: [2.5, 0, 1.5], end: [4.5, 0, 1.5], name: 'lift', enabled: false });
    expect(isEnabled(mesh, 'lift')).toBe(false);
  });
});

describe('misuse', () => {
  it('names the function, the value and the remedy', () => {
    const mesh = meshOf(doorTile(['door', 'gate']));
    expect(listNames(mesh)).toEqual(['door', 'gate']);
    expect(() => setEnabled(mesh, 'dor', false)).toThrow('setEnabled: name is "dor"; must be one of "door", "gate"');
    expect(() => isEnabled(meshOf(gridTile(1, 1)), 'x')).toThrow('must be a name of the mesh, which has none');
    expect(() => setEnabled(mesh, 'door', 0 as never)).toThrow('setEnabled: enabled is 0; must be true or false');
    expect(() => addLink(mesh, { start: A, end: B, name: '' })).toThrow('addLink: options.name');
    const wrong =
      (groups: unknown): (() => unknown) =>
      () =>
        meshOf({ ...gridTile(2, 1), groups: groups as TileData['groups'] });
    expect(wrong([{ name: 'a', polys: [0, 0] }])).toThrow('addTile: tile.groups[0].polys[1] is 0; must be');
    expect(wrong([{ name: 'a', polys: [2] }])).toThrow('addTile: tile.groups[0].polys[0] is 2; must be');
    expect(wrong([{ name: 4, polys: [] }])).toThrow('addTile: tile.groups[0].name is 4');
  });
});
