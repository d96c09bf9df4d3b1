import { describe, expect, it } from 'vitest';
import { parseDetourBin } from '../../../src/formats/detour/detour-bin.ts';
import { writeDetourBin } from '../../../src/formats/detour/detour-bin-write.ts';
import { createNavMesh } from '../../../src/mesh/create.ts';
import { addLink, getLink, listLinks } from '../../../src/mesh/change/links.ts';
import { addTile } from '../../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../../src/mesh/types.ts';
import { validateNavMesh } from '../../../src/mesh/validate.ts';
import { AGENT, bumpTile, gridTile, meshOf, movedTile, ringMesh, tileOf, wornMesh } from '../meshes.ts';
import { firstBlob, transcode } from './detour-file.ts';

/** Returns two by two tiles of 4 x 4 squares with borders, detail in one of them, and two links. */
function tiledMesh(): NavMesh {
  const mesh = createNavMesh({ agent: AGENT, tileSize: 4, cellSize: 0.5, cellHeight: 0.25, origin: [-4, 0, -4] });
  for (let z = 0; z < 2; z++) {
    for (let x = 0; x < 2; x++) {
      const tile = movedTile(
        gridTile(4, 4, (i, k) => i !== 2 || k !== 2),
        x,
        z,
        4,
      );
      tile.vertices = tile.vertices.map((value, i) => value - (i % 3 === 1 ? 0 : 4));
      for (let p = 0; p < tile.polyCount; p++) {
        for (let e = tile.polyEdgeStart[p]; e < tile.polyEdgeStart[p + 1]; e++) {
          const next = e + 1 === tile.polyEdgeStart[p + 1] ? tile.polyEdgeStart[p] : e + 1;
          const [a, b] = [3 * tile.edgeVertex[e], 3 * tile.edgeVertex[next]];
          const isOn = (axis: number, value: number): boolean =>
            tile.vertices[a + axis] === value && tile.vertices[b + axis] === value;
          if (isOn(0, 4 * x - 4)) tile.edgeNeighbor[e] = -2;
          if (isOn(2, 4 * z)) tile.edgeNeighbor[e] = -3;
          if (isOn(0, 4 * x)) tile.edgeNeighbor[e] = -4;
          if (isOn(2, 4 * z - 4)) tile.edgeNeighbor[e] = -5;
        }
      }
      addTile(mesh, tile);
    }
  }
  addLink(mesh, {
    start: [-3.5, 0, -3.5],
    end: [3.5, 0, 3.5],
    bothWays: true,
    area: 3,
    flags: 6,
    userId: 12,
    radius: 0.25,
  });
  addLink(mesh, { start: [3.5, 0, 3.5], end: [0.5, 0, 0.5] });
  return mesh;
}

const read = (mesh: NavMesh, options = {}): NavMesh => parseDetourBin(writeDetourBin(mesh, options).bytes).navMesh;

/** Returns the mesh as it is read back: without what the format cannot store. */
const completed = (mesh: NavMesh): NavMesh => ({
  ...mesh,
  cellHeight: 0,
  cellSize: Math.fround(mesh.cellSize),
  agent: { radius: Math.fround(0.4), height: Math.fround(1.8), maxClimb: Math.fround(0.4), maxSlopeDegrees: 45 },
});

describe('a mesh that is written and read back', () => {
  it.each([
    ['a ring', ringMesh()],
    [
      'storeys',
      meshOf(
        gridTile(4, 4),
        gridTile(4, 4, undefined, () => 3),
      ),
    ],
    ['a bump', meshOf(bumpTile())],
    ['nothing', meshOf()],
  ])('%s', (_, mesh) => {
    const again = read(mesh);
    expect(validateNavMesh(again)).toEqual([]);
    expect(again.polyCount).toBe(mesh.polyCount);
    // The empty mesh has no tile, so the file does not store an agent.
    if (mesh.polyCount > 0) expect(again).toEqual(completed(mesh));
  });

  it('keeps tiles with portals and links', () => {
    const mesh = tiledMesh();
    expect(mesh.portalCount).toBe(32);
    const again = read(mesh);
    expect(validateNavMesh(again)).toEqual([]);
    expect(again.portalCount).toBe(32);
    for (const name of [
      'vertices',
      'edgeVertex',
      'edgeNeighbor',
      'polyArea',
      'polyFlags',
      'tileX',
      'tileZ',
      'bvBounds',
      'bvItem',
    ] as const) {
      expect(again[name], name).toEqual(mesh[name].slice(0, again[name].length));
    }
    expect(again.tileSize).toBe(4);
    expect(listLinks(again).map((ref) => getLink(again, ref))).toEqual([
      { ...getLink(mesh, listLinks(mesh)[0]), flags: 6 },
      { ...getLink(mesh, listLinks(mesh)[1]), radius: 0.5 },
    ]);
  });

  it('keeps freed slots', () => {
    const mesh = wornMesh();
    const { bytes } = writeDetourBin(mesh);
    const again = parseDetourBin(bytes).navMesh;
    expect(validateNavMesh(again)).toEqual([]);
    expect(Array.from(again.tileX.subarray(0, again.tileSlotCount))).toEqual(
      Array.from(mesh.tileX.subarray(0, mesh.tileSlotCount)).filter((_, slot) => mesh.tileState[slot] === 1),
    );
    // Salts are generations: slot 0 is used for the second time.
    const view = new DataView(bytes.buffer);
    const bits = 32 - Math.clz32(mesh.tileSlotCount - 1) + 32 - Math.clz32(view.getInt32(36, true) - 1);
    expect(view.getUint32(40, true) >>> bits).toBe(2 - (mesh.tileGeneration[0] === 1 ? 1 : 0));
  });

  it('is the same in other byte orders, with wide refs, as one blob, and at odd offsets', () => {
    const { bytes } = writeDetourBin(tiledMesh());
    const { navMesh } = parseDetourBin(bytes);
    for (const encoding of [{ bigEndian: true }, { wideRefs: true }, { bigEndian: true, wideRefs: true }]) {
      const other = parseDetourBin(transcode(bytes, encoding));
      expect(other.navMesh, JSON.stringify(encoding)).toEqual(navMesh);
      expect(other.refBits).toBe('wideRefs' in encoding ? 64 : 32);
    }
    const ring = writeDetourBin(ringMesh()).bytes;
    const blob = firstBlob(ring);
    expect(parseDetourBin(blob).navMesh).toEqual(parseDetourBin(ring).navMesh);
    expect(parseDetourBin(transcode(blob, { wideRefs: true })).navMesh).toEqual(parseDetourBin(ring).navMesh);
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    expect(parseDetourBin(shifted.subarray(3)).navMesh).toEqual(navMesh);
    expect(parseDetourBin(bytes.buffer as ArrayBuffer).navMesh).toEqual(navMesh);
  });
});

describe('areas', () => {
  const withAreas = (...areas: number[]): NavMesh => {
    const mesh = meshOf(gridTile(areas.length, 1));
    areas.forEach((area, p) => (mesh.polyArea[p] = area));
    return mesh;
  };
  const inFile = (bytes: Uint8Array, count: number): number[] => {
    const view = new DataView(bytes.buffer);
    const polys = 48 + 100 + 12 * view.getInt32(48 + 28, true);
    return Array.from({ length: count }, (_, p) => bytes[polys + 32 * p + 31]);
  };

  it('store 63 as 0, unless an option names another', () => {
    const mesh = withAreas(63, 1, 62);
    expect(inFile(writeDetourBin(mesh).bytes, 3)).toEqual([0, 1, 62]);
    expect(inFile(writeDetourBin(mesh, { areaOfZero: 1 }).bytes, 3)).toEqual([63, 0, 62]);
    expect(inFile(writeDetourBin(mesh, { areaOfZero: 0 }).bytes, 3)).toEqual([63, 1, 62]);
  });

  it.each([
    [[63, 1, 62], 63, 63],
    [[5, 5], 5, 63],
    [[63, 62, 1], 1, 61],
    [[63, 62, 1], 0, 0],
  ])('%j written with %i for 0 are read with 0 as %i', (areas, areaOfZero, expected) => {
    const first = writeDetourBin(withAreas(...areas), { areaOfZero }).bytes;
    const read = parseDetourBin(first);
    expect(read.areaOfZero).toBe(expected);
    const { maxTiles, maxPolys } = read;
    expect(writeDetourBin(read.navMesh, { areaOfZero: read.areaOfZero, maxTiles, maxPolys }).bytes).toEqual(first);
  });

  it('may map 0 to an area in use', () => {
    const all = withAreas(63, ...Array.from({ length: 63 }, (_, i) => i + 1));
    const { bytes } = writeDetourBin(all, { areaOfZero: 0 });
    bytes[48 + 100 + 12 * all.vertexCount + 31] = 0;
    expect(() => parseDetourBin(bytes)).toThrow(/areaOfZero/);
    expect(parseDetourBin(bytes, { areaOfZero: 7 }).navMesh.polyArea[0]).toBe(7);
  });
});

describe('data that a file cannot hold', () => {
  it('is reported: precision, with an offset as the remedy', () => {
    const far = meshOf({ ...movedTile(gridTile(3, 3), 100_000.003, 0, 1), x: 0 });
    const { warnings, precisionLoss } = writeDetourBin(far);
    expect(warnings.map(({ code }) => code)).toEqual(['precision-lost']);
    expect(precisionLoss).toBeGreaterThan(1e-3);
    const near = writeDetourBin(far, { offset: [100_000, 0, 0] });
    expect(near).toMatchObject({ warnings: [] });
    expect(near.precisionLoss).toBeLessThan(1e-6);
    expect(parseDetourBin(near.bytes).navMesh.vertices[0]).toBeCloseTo(0.003, 6);
  });

  it('is reported: links that are closed, have costs, are segments, or are too long or unattached', () => {
    const mesh = createNavMesh({ agent: AGENT, tileSize: 4, cellSize: 0.5 });
    for (const x of [0, 1, 5]) addTile(mesh, movedTile(gridTile(4, 4), x, 0, 4));
    addLink(mesh, { start: [1, 0, 1], end: [2, 0, 2], enabled: false });
    addLink(mesh, { start: [1, 0, 1], end: [2, 0, 2], cost: 9, userId: -1 });
    addLink(mesh, {
      start: [
        [1, 0, 1],
        [1, 0, 2],
      ],
      end: [5, 0, 2],
    });
    addLink(mesh, { start: [1, 0, 1], end: [21, 0, 2] });
    addLink(mesh, { start: [1, 0, 1], end: [1, 50, 2] });
    const { bytes, warnings } = writeDetourBin(mesh);
    expect(warnings.map(({ code }) => code).sort()).toEqual([
      'link-closed',
      'link-cost',
      'link-off-mesh',
      'link-segment',
      'link-too-long',
      'link-user-id',
    ]);
    const again = parseDetourBin(bytes).navMesh;
    expect(listLinks(again).map((ref) => getLink(again, ref)!.start[0])).toEqual([
      [1, 0, 1],
      [1, 0, 1.5],
    ]);
  });

  it('is refused: too many corners, detail triangles, vertices, polygons, tiles', () => {
    const circle = Array.from(
      { length: 8 },
      (_, i) =>
        [
          [1, 0],
          [1, -1],
          [0, -1],
          [-1, -1],
          [-1, 0],
          [-1, 1],
          [0, 1],
          [1, 1],
        ][i],
    ).map(([x, z], i) => [x! * (i % 2 === 0 ? 1.4 : 1), 0, z! * (i % 2 === 0 ? 1.4 : 1)]);
    expect(() => writeDetourBin(meshOf(tileOf(circle, [{ corners: [0, 1, 2, 3, 4, 5, 6, 7] }])))).toThrow(
      /8 corners.*maxVerticesPerPoly: 6/,
    );
    const tris = meshOf(bumpTile());
    tris.polyDetailTriCount[0] = 256;
    expect(() => writeDetourBin(tris)).toThrow(/256 detail triangles.*detailMaxError/);
    expect(() => writeDetourBin(meshOf(gridTile(364, 181)))).toThrow(/66430 vertices.*tileSize/);
    expect(() => writeDetourBin(meshOf(gridTile(256, 128)))).toThrow(/32768 polygons.*tileSize/);
    expect(writeDetourBin(meshOf(gridTile(256, 127))).bytes.length).toBeGreaterThan(0);
    expect(() => writeDetourBin(meshOf(gridTile(256, 127)), { maxTiles: 129 })).toThrow(/need 23 bits/);
    expect(() => writeDetourBin(ringMesh(), { maxPolys: 7 })).toThrow(/maxPolys is 7; give a whole number from 8 on/);
    expect(() => writeDetourBin(ringMesh(), { maxTiles: 1.5 })).toThrow(RangeError);
    expect(() => writeDetourBin(ringMesh(), { areaOfZero: 64 })).toThrow(RangeError);
    expect(() => writeDetourBin(ringMesh(), { offset: [0, NaN, 0] })).toThrow(RangeError);
  });
});

describe('data that cannot be read', () => {
  const good = writeDetourBin(tiledMesh()).bytes;
  const changed = (change: (view: DataView) => void): Uint8Array => {
    const bytes = good.slice();
    change(new DataView(bytes.buffer));
    return bytes;
  };

  it.each<[string, Uint8Array, RegExp]>([
    ['nothing', new Uint8Array(0), /0 bytes are not a Detour file/],
    ['text', new TextEncoder().encode('v 1 2 3\nf 1 2 3'), /not a Detour file/],
    ['a tile cache', Uint8Array.from([0x54, 0x45, 0x53, 0x54, 1, 0, 0, 0]), /tile cache \(TSET\)/],
    ['a cut header', good.slice(0, 39), /ends within its header, after 39 of 40/],
    ['a cut tile', good.slice(0, 500), /tile 0 at byte 40: \d+ bytes long, but 452 follow/],
    ['the end cut off', good.slice(0, -1), /tile 3 at byte \d+: .* follow/],
    ['extra bytes', Uint8Array.from([...good, 0]), /1 bytes follow the last tile/],
    ['another version', changed((view) => view.setInt32(4, 2, true)), /byte 4: version 2/],
    ['another version of a tile', changed((view) => view.setInt32(52, 8, true)), /tile 0 at byte 48: version 8/],
    ['many tiles', changed((view) => view.setInt32(8, 0x7fffffff, true)), /ends before tile 4 of 2147483647/],
    ['fewer tiles', changed((view) => view.setInt32(8, 3, true)), /bytes follow the last tile/],
    ['an invalid origin', changed((view) => view.setFloat32(12, NaN, true)), /the origin is \[NaN/],
    ['tiles that are not square', changed((view) => view.setFloat32(24, 5, true)), /tiles of 5 x 4; only square/],
    [
      'wrong counts',
      changed((view) => view.setInt32(48 + 24, 0x7ffffff0, true)),
      /its counts make \d+ bytes, but it has/,
    ],
    [
      'two tiles at one position',
      changed((view) => view.setInt32(48 + 8, 1, true)),
      /there is a tile already|outside its square/,
    ],
    [
      'a vertex out of range',
      changed((view) => view.setUint16(148 + 12 * view.getInt32(76, true) + 4, 999, true)),
      /has vertex 999 of 25/,
    ],
    [
      'a neighbor out of range',
      changed((view) => view.setUint16(148 + 12 * view.getInt32(76, true) + 16, 99, true)),
      /neighbor 98 of 15/,
    ],
    [
      'a diagonal side',
      changed((view) => view.setUint16(148 + 12 * view.getInt32(76, true) + 16, 0x8003, true)),
      /side 3 of its tile/,
    ],
    [
      'a neighbor that is not mutual',
      changed((view) => view.setUint16(148 + 12 * view.getInt32(76, true) + 16, 9, true)),
      /not valid: /,
    ],
    ['an invalid position', changed((view) => view.setFloat32(148, Infinity, true)), /vertices\[0\] is Infinity/],
    ['an invalid agent', changed((view) => view.setFloat32(48 + 60, -1, true)), /agent\.height is -1/],
  ])('%s', (_, bytes, message) => {
    expect(() => parseDetourBin(bytes)).toThrow(message);
    expect(() => parseDetourBin(bytes)).toThrow(/^parseDetourBin: /);
  });

  it('refuses invalid options', () => {
    expect(() => parseDetourBin(good, { areaOfZero: 0 })).toThrow(RangeError);
    expect(() => parseDetourBin(good, { maxSlopeDegrees: NaN })).toThrow(/maxSlopeDegrees/);
    expect(parseDetourBin(good, { maxSlopeDegrees: 30, cellHeight: 0.1 }).navMesh).toMatchObject({
      cellHeight: 0.1,
      agent: { maxSlopeDegrees: 30 },
    });
  });
});

it("writes the polygons' own triangles for a mesh without detail, and reads it without detail", () => {
  const { bytes } = writeDetourBin(ringMesh());
  const view = new DataView(bytes.buffer);
  expect([view.getInt32(48 + 36, true), view.getInt32(48 + 40, true), view.getInt32(48 + 44, true)]).toEqual([
    8, 0, 16,
  ]);
  expect(parseDetourBin(bytes).navMesh.detailTriCount).toBe(0);
});
