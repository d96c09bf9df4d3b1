import { levelScenes } from 'navkiln-scenes';
import { describe, expect, it } from 'vitest';
import { writeGlb } from '../../../src/formats/levels/glb-out.ts';
import { parseObj } from '../../../src/formats/levels/obj.ts';
import { writeObj } from '../../../src/formats/levels/obj-out.ts';
import { createNavMesh } from '../../../src/mesh/create.ts';
import { addLink } from '../../../src/mesh/change/links.ts';
import { addTile } from '../../../src/mesh/change/tiles.ts';
import type { NavMesh, TileData } from '../../../src/mesh/types.ts';
import { buildNavMesh } from '../../../src/build/voxel/build.ts';
import { AGENT, bumpTile, gridTile, meshOf, movedTile, wornMesh } from '../meshes.ts';

const FAR = 100_000;

/**
 * Returns two adjacent tiles far from the origin, with a link and two areas. Two of the three border edges
 * are open.
 */
function twoTiles(): NavMesh {
  const mesh = createNavMesh({ agent: AGENT, tileSize: 3, cellSize: 0.5, origin: [FAR, 0, FAR] });
  const moveTile = (tile: TileData, x: number): TileData => {
    const moved = movedTile(tile, x, 0, 3);
    return { ...moved, vertices: moved.vertices.map((value, i) => value + (i % 3 === 1 ? 0 : FAR)) };
  };
  const left = gridTile(3, 3, undefined, undefined, (x) => (x === 1 ? 5 : 63));
  // Squares in rows along x. The third edge of each is its +x side.
  for (const p of [2, 5, 8]) left.edgeNeighbor[left.polyEdgeStart[p] + 2] = -4;
  const right = gridTile(3, 3, (x, z) => x > 0 || z < 2);
  for (const p of [0, 3]) right.edgeNeighbor[right.polyEdgeStart[p]] = -2;
  addTile(mesh, moveTile(left, 0));
  addTile(mesh, moveTile(right, 1));
  addLink(mesh, {
    start: [FAR + 0.5, 0, FAR + 0.5],
    end: [FAR + 5.5, 0, FAR + 2.5],
    area: 7,
    userId: 3,
    kind: 'climb',
  });
  expect(mesh.portalCount).toBe(4);
  return mesh;
}

/** Reads a GLB file according to the specification. */
function readGlb(bytes: Uint8Array): {
  json: any;
  floats: (accessor: number) => Float32Array;
  indices: (accessor: number) => number[];
} {
  const view = new DataView(bytes.buffer);
  const words = [0, 4, 8, 12, 16].map((at) => view.getUint32(at, true));
  expect([words[0], words[1], words[2], words[4]]).toEqual([0x46546c67, 2, bytes.length, 0x4e4f534a]);
  expect(words[3] % 4).toBe(0);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + words[3])));
  const start = 28 + words[3];
  if (json.buffers !== undefined) {
    expect(view.getUint32(start - 8, true)).toBe(json.buffers[0].byteLength);
    expect(view.getUint32(start - 4, true)).toBe(0x004e4942);
    expect(start + json.buffers[0].byteLength).toBe(bytes.length);
  }
  const part = (accessor: number): ArrayBuffer => {
    const { byteOffset, byteLength } = json.bufferViews[json.accessors[accessor].bufferView];
    expect(byteOffset % 4).toBe(0);
    return bytes.slice(start + byteOffset, start + byteOffset + byteLength).buffer;
  };
  return {
    json,
    floats: (accessor) => new Float32Array(part(accessor)),
    indices: (accessor) =>
      Array.from(
        json.accessors[accessor].componentType === 5123
          ? new Uint16Array(part(accessor))
          : new Uint32Array(part(accessor)),
      ),
  };
}

/** Returns the area seen from above, negative when the triangles face down. */
function areaOf(positions: ArrayLike<number>, indices: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [3 * indices[i], 3 * indices[i + 1], 3 * indices[i + 2]];
    sum += (positions[b + 2] - positions[a + 2]) * (positions[c] - positions[a]);
    sum -= (positions[b] - positions[a]) * (positions[c + 2] - positions[a + 2]);
  }
  return sum / 2;
}

function groundOf(mesh: NavMesh): number {
  let sum = 0;
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    for (let p = mesh.tilePolyStart[slot]; p < mesh.tilePolyStart[slot] + mesh.tilePolyCount[slot]; p++) {
      const edge = mesh.polyEdgeStart[p];
      for (let k = 2; k < mesh.polyVertexCount[p]; k++) {
        sum += areaOf(
          mesh.vertices,
          [edge, edge + k - 1, edge + k].map((e) => mesh.edgeVertex[e]),
        );
      }
    }
  }
  return sum;
}

describe('writeGlb', () => {
  it('writes a node per tile, a primitive per area, lines and links', () => {
    const { json, floats, indices } = readGlb(writeGlb(twoTiles()));
    expect(json.asset).toEqual({ version: '2.0', generator: 'navkiln' });
    expect(json.nodes.map(({ name }: { name: string }) => name)).toEqual([
      'tile 0 0 0',
      'tile 0 0 0 lines',
      'tile 1 0 0',
      'tile 1 0 0 lines',
      'links',
    ]);
    expect(json.scenes[0]).toMatchObject({ nodes: [0, 2, 4], extras: { agent: AGENT, tileSize: 3 } });
    expect(json.nodes[0]).toEqual({ name: 'tile 0 0 0', mesh: 0, translation: [FAR, 0, FAR], children: [1] });
    const materials = json.materials.map(({ name }: { name: string }) => name);
    const primitives = json.meshes[0].primitives as any[];
    expect(primitives.map(({ material, mode }) => [materials[material], mode])).toEqual([
      ['area 5', 4],
      ['area 63', 4],
    ]);
    expect(primitives.map((one) => areaOf(floats(one.attributes.POSITION), indices(one.indices)))).toEqual([3, 6]);
    // Two of the border's edges are portals, and one is a wall.
    const lines = json.meshes[1].primitives as any[];
    expect(lines.map(({ material, mode }) => [materials[material], mode])).toEqual([
      ['edge', 1],
      ['wall', 1],
      ['wall', 1],
      ['portal', 1],
    ]);
    expect(Array.from(floats(lines[2].attributes.POSITION))).toEqual([3, 0, 3, 3, 0, 2]);
    expect(floats(lines[3].attributes.POSITION).length).toBe(12);
    expect(indices(lines[0].indices).length).toBe(2 * 12);
    expect(indices(lines[1].indices).length).toBe(2 * 9);
    expect(json.nodes[4]).toMatchObject({
      translation: [FAR + 0.5, 0, FAR + 0.5],
      extras: {
        links: [{ bothWays: false, enabled: true, kind: 'climb', radius: 0.5, area: 7, cost: -1, flags: 1, userId: 3 }],
      },
    });
    expect(Array.from(floats(json.meshes[4].primitives[0].attributes.POSITION))).toEqual([0, 0, 0, 5, 0, 2]);
    for (const accessor of json.accessors)
      if (accessor.type === 'VEC3') expect(accessor.min.length + accessor.max.length).toBe(6);
  });

  it('writes a mesh without lines, and an empty mesh', () => {
    const { json } = readGlb(writeGlb(twoTiles(), { lines: false }));
    expect(json.nodes.length).toBe(2);
    expect(readGlb(writeGlb(meshOf())).json.nodes).toBeUndefined();
    expect(readGlb(writeGlb(wornMesh())).json.nodes.length).toBe(8);
  });

  it('follows the detail mesh', () => {
    const { json, floats, indices } = readGlb(writeGlb(meshOf(bumpTile())));
    const one = json.meshes[0].primitives[0];
    expect(indices(one.indices)).toEqual([0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4]);
    expect(Array.from(floats(one.attributes.POSITION).subarray(12))).toEqual([0.5, 1, 0.5]);
    expect(json.accessors[one.attributes.POSITION]).toMatchObject({ min: [0, 0, 0], max: [1, 1, 1] });
  });
});

describe('writeObj', () => {
  it('writes a file that reads back unchanged', () => {
    const mesh = twoTiles();
    const text = writeObj(mesh);
    expect(text).toMatch(/^# navkiln navigation mesh .*\no tile_0_0_0\nv 100000 0 100000\n/);
    expect(text.match(/^f( \d+){4}$/gm)!.length).toBe(17);
    expect(text).toMatch(/\no links\nv 100000\.5 0 100000\.5\nv 100005\.5 0 100002\.5\nl 33 34\n$/);
    const level = parseObj(new TextEncoder().encode(text), 'mesh.obj');
    expect(level.groups.map(({ name, material, triangleCount }) => [name, material, triangleCount])).toEqual([
      ['area_5', 'area_5', 6],
      ['area_63', 'area_63', 28],
    ]);
    expect(areaOf(level.positions, level.indices)).toBe(17);
    expect(level.positions.slice(0, 48)).toEqual(mesh.vertices.slice(0, 48));
  });

  it('writes triangles with the detail mesh', () => {
    const text = writeObj(meshOf(bumpTile(), gridTile(2, 1)), { detail: true });
    expect(text.match(/^f.*$/gm)).toEqual([
      'f 1 2 5',
      'f 2 3 5',
      'f 3 4 5',
      'f 4 1 5',
      'f 6 9 10',
      'f 6 10 7',
      'f 7 10 11',
      'f 7 11 8',
    ]);
  });
});

it.each(['dungeon', 'tower'])('%s: both formats have the whole surface, facing up', (name) => {
  const scene = levelScenes.find((one) => one.name === name)!;
  const { navMesh } = buildNavMesh(scene.create(), scene.options);
  const ground = groundOf(navMesh);
  for (const detail of [false, true]) {
    const level = parseObj(new TextEncoder().encode(writeObj(navMesh, { detail })), 'mesh.obj');
    expect(areaOf(level.positions, level.indices) / ground).toBeCloseTo(1, 6);
    expect(level.warnings).toEqual([]);
  }
  const { json, floats, indices } = readGlb(writeGlb(navMesh));
  let sum = 0;
  for (const one of json.meshes[0].primitives) sum += areaOf(floats(one.attributes.POSITION), indices(one.indices));
  expect(sum / ground).toBeCloseTo(1, 5);
});
