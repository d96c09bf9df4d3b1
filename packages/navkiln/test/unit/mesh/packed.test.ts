/** A packed mesh opens as the mesh that its file loads as, field for field, and refuses what is not its own. */
import { createLinks } from '../../../src/build/voxel/link-list.ts';
import { createVolumes } from '../../../src/build/voxel/volumes.ts';
import { dynamicLayers } from '../../../src/build/voxel/obstacles/baked-layers.ts';
import { describe, expect, it } from 'vitest';
import { buildNavMesh } from '../../../src/build/voxel/build.ts';
import { createAgentSizes } from '../../../src/build/voxel/sizes/create.ts';
import { addLink } from '../../../src/mesh/change/links.ts';
import { setEnabled } from '../../../src/mesh/change/enable.ts';
import { removeTile } from '../../../src/mesh/change/tiles.ts';
import { loadNavMesh } from '../../../src/mesh/file/load.ts';
import { openNavMesh, packNavMesh } from '../../../src/mesh/file/packed.ts';
import { saveNavMesh } from '../../../src/mesh/file/save.ts';
import type { NavMesh } from '../../../src/mesh/types.ts';
import { validateNavMesh } from '../../../src/mesh/validate.ts';
import { findPath } from '../../../src/query/path/find-path.ts';

const side = 30;
const positions = [0, 0, 0, 0, 0, side, side, 0, side, side, 0, 0];
const floor = { positions, indices: [0, 1, 2, 0, 2, 3] };
const door = { type: 'box', name: 'Türe', area: 7, min: [10, -1, 0], max: [12, 1, side] } as const;

function meshes(): [string, NavMesh][] {
  const plain = buildNavMesh(floor, {}).navMesh;
  const tiled = buildNavMesh(floor, { tileSize: 8, dynamic: dynamicLayers }).navMesh;
  removeTile(tiled, 1);
  const named = buildNavMesh(floor, {
    tileSize: 16,
    volumes: createVolumes([door]),
    links: createLinks([{ start: [2, 0, 2], end: [20, 0, 20], name: 'Türe', bothWays: true }]),
  }).navMesh;
  addLink(named, {
    start: [
      [3, 0, 3],
      [3, 0, 6],
    ],
    end: [
      [20, 0, 3],
      [20, 0, 6],
    ],
    crossing: 'straight',
  });
  setEnabled(named, 'Türe', false);
  const sizes = createAgentSizes([
    { name: 'small', radius: 0.3, height: 1 },
    { name: 'large', radius: 1, height: 2 },
  ]);
  return [
    ['one tile', plain],
    ['tiles, layers, a hole', tiled],
    ['names and links', named],
    ['sizes', buildNavMesh(floor, { tileSize: 16, sizes }).navMesh],
  ];
}

describe('openNavMesh', () => {
  it.each(meshes())('%s: gives the mesh that loadNavMesh gives', (_, mesh) => {
    const loaded = loadNavMesh(saveNavMesh(mesh));
    const opened = openNavMesh(packNavMesh(mesh));
    expect(opened).toEqual(loaded);
    expect(validateNavMesh(opened)).toEqual([]);
    expect(saveNavMesh(opened)).toEqual(saveNavMesh(mesh));
    expect(findPath(opened, [1, 0, 1], [28, 0, 27])).toEqual(findPath(loaded, [1, 0, 1], [28, 0, 27]));
    for (const { name } of loaded.groups) for (const one of [opened, loaded]) setEnabled(one, name, true);
    expect(opened).toEqual(loaded);
  });

  it('is a view of the bytes, and a copy at an odd offset', () => {
    const [[, mesh]] = meshes();
    const bytes = packNavMesh(mesh);
    expect(packNavMesh(mesh)).toEqual(bytes);
    expect(openNavMesh(bytes).vertices.buffer).toBe(bytes.buffer);
    expect(openNavMesh(bytes.buffer).vertices.buffer).toBe(bytes.buffer);
    const odd = new Uint8Array(bytes.length + 1);
    odd.set(bytes, 1);
    expect(openNavMesh(odd.subarray(1))).toEqual(openNavMesh(bytes));
  });

  it('refuses other values, kinds, versions and lengths', () => {
    const [[, mesh]] = meshes();
    const bytes = packNavMesh(mesh);
    expect(() => openNavMesh('mesh' as never)).toThrow(/^openNavMesh: bytes is "mesh"; must be a Uint8Array/);
    for (const wrong of [saveNavMesh(mesh), new Uint8Array(0), bytes.subarray(0, 20), bytes.with(8, 9)])
      expect(() => openNavMesh(wrong)).toThrow(
        /^openNavMesh: the bytes are not those of version 1; pack the mesh again/,
      );
    for (const cut of [1, 8, 80])
      expect(() => openNavMesh(bytes.subarray(0, -cut))).toThrow(
        /^openNavMesh: \d+ bytes, not \d+; pack the mesh again/,
      );
    expect(() => loadNavMesh(bytes)).toThrow(/^loadNavMesh: the bytes do not begin with "navkiln"/);
  });
});
