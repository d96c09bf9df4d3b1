import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NodeIO } from '@gltf-transform/core';
import { addLink, addTile, createNavMesh, loadNavMesh, saveNavMesh } from 'navkiln';
import type { NavMesh, TileData } from 'navkiln';
import { parseDetourBin, parseObj } from 'navkiln/io';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BINARY, ensureBuilt, listFiles, roomObj, run } from './cli.ts';
import type { Run } from './cli.ts';

let folder = '';
let files: string[] = [];
const navkiln = (...args: string[]): Promise<Run> => run(args, folder);
const bytesOf = (name: string): Uint8Array => readFileSync(join(folder, name));

/** side x side unit squares, those of one diagonal of another area. */
function grid(side: number): NavMesh {
  const starts = (step: number): Int32Array => Int32Array.from({ length: side * side + 1 }, (_, p) => step * p);
  const tile: TileData = {
    x: 0,
    z: 0,
    layer: 0,
    vertexCount: (side + 1) ** 2,
    polyCount: side * side,
    vertices: Float64Array.from({ length: 3 * (side + 1) ** 2 }, (_, i) => {
      const v = Math.floor(i / 3);
      return [v % (side + 1), 0, Math.floor(v / (side + 1))][i % 3];
    }),
    polyEdgeStart: starts(4),
    polyDetailVertexStart: starts(0),
    polyDetailTriStart: starts(0),
    polyArea: Uint8Array.from({ length: side * side }, (_, p) => (p % (side + 1) === 0 ? 5 : 63)),
    polyFlags: new Uint16Array(side * side).fill(1),
    edgeVertex: new Int32Array(4 * side * side),
    edgeNeighbor: new Int32Array(4 * side * side).fill(-1),
    detailVertices: new Float64Array(0),
    detailTris: new Uint8Array(0),
  };
  for (let p = 0; p < side * side; p++) {
    const [x, z] = [p % side, Math.floor(p / side)];
    const v = z * (side + 1) + x;
    tile.edgeVertex.set([v, v + side + 1, v + side + 2, v + 1], 4 * p);
    tile.edgeNeighbor.set(
      [x > 0 ? p - 1 : -1, z < side - 1 ? p + side : -1, x < side - 1 ? p + 1 : -1, z > 0 ? p - side : -1],
      4 * p,
    );
  }
  const agent = { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 };
  const mesh = createNavMesh({ agent, cellSize: 0.25, cellHeight: 0.125 });
  addTile(mesh, tile);
  return mesh;
}

function octagon(): NavMesh {
  const mesh = createNavMesh({ agent: { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 } });
  const corners = [
    [3, 1],
    [3, -1],
    [1, -3],
    [-1, -3],
    [-3, -1],
    [-3, 1],
    [-1, 3],
    [1, 3],
  ];
  addTile(mesh, {
    x: 0,
    z: 0,
    layer: 0,
    vertexCount: 8,
    polyCount: 1,
    vertices: Float64Array.from(corners.flatMap(([x, z]) => [x!, 0, z!])),
    polyEdgeStart: Int32Array.of(0, 8),
    polyDetailVertexStart: new Int32Array(2),
    polyDetailTriStart: new Int32Array(2),
    polyArea: Uint8Array.of(63),
    polyFlags: Uint16Array.of(1),
    edgeVertex: Int32Array.of(0, 1, 2, 3, 4, 5, 6, 7),
    edgeNeighbor: new Int32Array(8).fill(-1),
    detailVertices: new Float64Array(0),
    detailTris: new Uint8Array(0),
  });
  return mesh;
}

beforeAll(async () => {
  await ensureBuilt();
  folder = mkdtempSync(join(tmpdir(), 'navkiln-convert-'));
  writeFileSync(join(folder, 'room.obj'), roomObj());
  expect((await navkiln('bake', 'room.obj', '-o', 'room.navmesh')).status).toBe(0);
  const linked = grid(4);
  addLink(linked, { start: [0.5, 0, 0.5], end: [3.5, 0, 3.5], cost: 2 });
  writeFileSync(join(folder, 'grid.navmesh'), saveNavMesh(linked));
  writeFileSync(join(folder, 'noise.bin'), 'this is not a mesh');
  writeFileSync(join(folder, 'cache.bin'), 'TEST\x01\x00\x00\x00');
  expect((await navkiln('convert', 'room.navmesh', 'room.bin')).status).toBe(0);
  writeFileSync(join(folder, 'cut.bin'), bytesOf('room.bin').subarray(0, 300));
  files = listFiles(folder);
}, 200_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('convert', () => {
  it('to .bin and back: the same surface, exact to float32', async () => {
    const { status, stdout, stderr } = await navkiln('convert', 'room.bin', 'back.navmesh', '--json');
    expect([status, stderr]).toEqual([0, '']);
    const before = loadNavMesh(bytesOf('room.navmesh'));
    const after = loadNavMesh(bytesOf('back.navmesh'));
    expect(JSON.parse(stdout)).toEqual({
      input: 'room.bin',
      output: 'back.navmesh',
      format: 'navmesh',
      tiles: 1,
      polygons: before.polyCount,
      vertices: before.vertexCount,
      detailTriangles: before.detailTriCount,
      links: 0,
      bytes: statSync(join(folder, 'back.navmesh')).size,
      warnings: [],
    });
    expect(after.vertices).toEqual(before.vertices.map(Math.fround));
    expect(after.edgeNeighbor).toEqual(before.edgeNeighbor);
    expect(after.polyArea).toEqual(before.polyArea);
    expect((await navkiln('convert', 'room.bin', 'again.bin')).status).toBe(0);
    expect((await navkiln('convert', 'again.bin', 'third.bin')).status).toBe(0);
    expect(bytesOf('third.bin')).toEqual(bytesOf('again.bin'));
    for (const name of ['back.navmesh', 'again.bin', 'third.bin']) rmSync(join(folder, name));
  });

  it('to .bin with warnings about what it cannot hold, and with --area-of-zero', async () => {
    const { status, stdout, stderr } = await navkiln('convert', 'grid.navmesh', 'grid.bin', '--area-of-zero', '5');
    expect([status, stderr]).toEqual([
      0,
      'warning: Detour has no costs of links, so they count by their length; give them areas with costs instead\n',
    ]);
    expect(stdout).toMatch(/^grid\.bin: 1 tile, 16 polygons, 1 link, [\d.]+ KB\n$/);
    const { navMesh } = parseDetourBin(bytesOf('grid.bin'), { areaOfZero: 5 });
    expect(Array.from(navMesh.polyArea.subarray(0, 4))).toEqual([5, 63, 63, 63]);
    rmSync(join(folder, 'grid.bin'));
  });

  it('to .glb, which glTF-Transform reads', async () => {
    expect((await navkiln('convert', 'grid.navmesh', 'grid.glb')).status).toBe(0);
    const document = await new NodeIO().readBinary(bytesOf('grid.glb'));
    const root = document.getRoot();
    expect(root.listNodes().map((node) => node.getName())).toEqual(['tile 0 0 0', 'tile 0 0 0 lines', 'links']);
    expect(root.getDefaultScene()!.listChildren().length).toBe(2);
    const primitives = root
      .listMeshes()
      .map((mesh) =>
        mesh
          .listPrimitives()
          .map((one) => [
            one.getMaterial()!.getName(),
            one.getMode(),
            (one.getIndices() ?? one.getAttribute('POSITION')!).getCount(),
          ]),
      );
    expect(primitives).toEqual([
      [
        ['area 5', 4, 4 * 6],
        ['area 63', 4, 12 * 6],
      ],
      [
        ['edge', 1, 24 * 2],
        ['wall', 1, 16 * 2],
      ],
      [['link', 1, 2]],
    ]);
    const position = root.listMeshes()[0].listPrimitives()[0].getAttribute('POSITION')!;
    expect([position.getMin([]), position.getMax([])]).toEqual([
      [0, 0, 0],
      [4, 0, 4],
    ]);
    // It is a level again, too: its ground can be baked.
    expect((await navkiln('convert', 'grid.navmesh', 'ground.glb', '--no-lines')).status).toBe(0);
    const level = JSON.parse((await navkiln('inspect', 'ground.glb', '--json')).stdout) as Record<string, unknown>;
    expect(level).toMatchObject({
      kind: 'level',
      triangles: 32,
      bounds: { min: [0, 0, 0], max: [4, 0, 4] },
      warnings: [],
    });
    for (const name of ['grid.glb', 'ground.glb']) rmSync(join(folder, name));
  });

  it('to .obj and .svg', async () => {
    expect((await navkiln('convert', 'grid.navmesh', 'grid.obj')).status).toBe(0);
    expect((await navkiln('convert', 'grid.navmesh', 'tris.OBJ', '--detail')).status).toBe(0);
    expect((await navkiln('convert', 'grid.navmesh', 'grid.svg')).status).toBe(0);
    expect(bytesOf('grid.obj').toString().match(/^f /gm)!.length).toBe(16);
    expect(bytesOf('tris.OBJ').toString().match(/^f /gm)!.length).toBe(32);
    expect(parseObj(bytesOf('grid.obj'), 'grid.obj').indices.length).toBe(96);
    expect(bytesOf('grid.svg').toString()).toMatch(/^<svg [\s\S]*<\/svg>\s*$/);
    for (const name of ['grid.obj', 'tris.OBJ', 'grid.svg']) rmSync(join(folder, name));
  });

  it.each([
    [
      ['room.navmesh', 'room.gbl'],
      '".gbl" is not a mesh format that navkiln writes; use .navmesh, .bin, .glb, .obj, .svg (did you mean .glb?)',
    ],
    [['room.navmesh', '.'], 'error: output .: is a folder'],
    [['room.navmesh', 'gone/a.glb'], 'error: output gone/a.glb: the folder gone does not exist'],
    [['room.obj', 'a.glb'], 'error: room.obj: is a level, not a navigation mesh; bake it first'],
    [['cache.bin', 'a.glb'], 'error: cache.bin: a tile cache (TSET)'],
    [['cut.bin', 'a.glb'], 'error: cut.bin: tile 0 at byte 40: '],
    [['room.navmesh', './room.navmesh'], 'error: ./room.navmesh: would overwrite the input'],
    [['room.navmesh', 'a.glb', '--detail'], 'error: --detail: only applies to .obj files'],
    [['room.navmesh', 'a.bin', '--offset', '1,2'], 'error: --offset: must be three numbers'],
  ])('%j is refused', async (args, message) => {
    const { status, stdout, stderr } = await navkiln('convert', ...args);
    expect(stderr).toContain(message);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).not.toMatch(/defect|\n\s+at /);
    expect(listFiles(folder)).toEqual(files);
  });

  it('polygons that Detour does not support: status 2 and the remedy', async () => {
    writeFileSync(join(folder, 'octagon.navmesh'), saveNavMesh(octagon()));
    const { status, stderr } = await navkiln('convert', 'octagon.navmesh', 'octagon.bin');
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/8 corners, Detour's at most 6; bake with maxVerticesPerPoly: 6\n$/),
    ]);
    rmSync(join(folder, 'octagon.navmesh'));
  });

  it('Ctrl-C leaves a complete file or none', async () => {
    writeFileSync(join(folder, 'big.navmesh'), saveNavMesh(grid(180)));
    const before = listFiles(folder);
    for (const wait of [350]) {
      const child = spawn(process.execPath, [BINARY, 'convert', 'big.navmesh', 'big.obj'], {
        cwd: folder,
        stdio: 'ignore',
      });
      setTimeout(() => child.kill('SIGINT'), wait);
      await new Promise((resolve) => child.on('close', resolve));
      const left = listFiles(folder).filter((name) => !before.includes(name));
      expect([[], ['big.obj']]).toContainEqual(left);
      if (left.length > 0) expect(bytesOf('big.obj').toString().match(/^f /gm)!.length).toBe(180 * 180);
      rmSync(join(folder, 'big.obj'), { force: true });
    }
    rmSync(join(folder, 'big.navmesh'));
  });
});

describe('.bin files in the other commands', () => {
  it('path, inspect, validate', async () => {
    const ends = ['--from', '-5,0,-5', '--to', '5,0,-5', '--json'];
    const [own, other] = [await navkiln('path', 'room.navmesh', ...ends), await navkiln('path', 'room.bin', ...ends)];
    expect([other.status, other.stderr]).toEqual([0, '']);
    const [a, b] = [own, other].map(({ stdout }) => JSON.parse(stdout) as { length: number; polygons: number });
    expect(b!.length).toBeCloseTo(a!.length, 4);
    expect(b!.polygons).toBe(a!.polygons);
    const report = JSON.parse((await navkiln('inspect', 'room.bin', '--json')).stdout) as Record<string, unknown>;
    expect(report).toMatchObject({ kind: 'navmesh', format: 'detour', bytes: bytesOf('room.bin').length, tiles: 1 });
    expect((await navkiln('inspect', 'room.bin')).stdout).toMatch(
      /^room\.bin: Detour navigation mesh, .*\n[\s\S]*voxels +0\.2 wide\n/,
    );
    expect(await navkiln('validate', 'room.bin')).toMatchObject({ status: 0, stdout: 'room.bin: valid\n' });
    const cut = await navkiln('validate', 'cut.bin');
    expect([cut.status, cut.stdout]).toEqual([
      1,
      expect.stringMatching(/^cut\.bin: 1 violation\n {2}file: tile 0 at byte 40: /),
    ]);
  });
});
