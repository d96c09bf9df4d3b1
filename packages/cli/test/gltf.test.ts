import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXTMeshoptCompression, KHRDracoMeshCompression } from '@gltf-transform/extensions';
import { Document } from '@gltf-transform/core';
import type { NodeIO } from '@gltf-transform/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findIslands } from 'navkiln';
import { buildFromSurface, buildNavMesh } from 'navkiln/build';
import type { LevelMesh } from 'navkiln/io';
import { readLevelFile } from 'navkiln-loaders';
import { loadLevels, readLevel } from '../src/loaders/level.ts';
import { UPGRADE } from 'navkiln-loaders/files';
import { SCENE_TRIANGLES, createIo, makeScene } from './scene.ts';

let folder = '';
let io: NodeIO;
let plain: LevelMesh;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'navkiln-gltf-'));
  io = await createIo();
  plain = await readLevel(await write('plain.glb', makeScene({ expanded: true })));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function write(name: string, document: Document): Promise<string> {
  const path = join(folder, name);
  await io.write(path, document);
  return path;
}

/** Each triangle as its three corners, starting at the smallest, all sorted: order and sharing of vertices do not matter. */
function soup(level: LevelMesh, digits: number): string[] {
  const triangles: string[] = [];
  for (let i = 0; i < level.indices.length; i += 3) {
    const corners = [0, 1, 2].map((k) => {
      const at = 3 * level.indices[i + k];
      return [0, 1, 2]
        .map((axis) => (Math.round(level.positions[at + axis] * 10 ** digits) / 10 ** digits + 0).toFixed(digits))
        .join(' ');
    });
    const least = corners.indexOf([...corners].sort()[0]);
    triangles.push([corners[least], corners[(least + 1) % 3], corners[(least + 2) % 3]].join(' | '));
  }
  return triangles.sort();
}

function bounds(level: LevelMesh): number[] {
  const out = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  level.positions.forEach((value, i) => {
    out[i % 3] = Math.min(out[i % 3], value);
    out[3 + (i % 3)] = Math.max(out[3 + (i % 3)], value);
  });
  return out;
}

/** Six times the volume inside; positive when triangles face outwards. */
function volume(level: LevelMesh, start: number, count: number): number {
  let sum = 0;
  for (let t = start; t < start + count; t++) {
    const [a, b, c] = [0, 1, 2].map((k) =>
      level.positions.subarray(3 * level.indices[3 * t + k], 3 * level.indices[3 * t + k] + 3),
    ) as [Float64Array, Float64Array, Float64Array];
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum;
}

describe('glTF: one scene in all its encodings', () => {
  it('plain: nested nodes give the world positions worked out by hand', () => {
    expect(plain.indices.length / 3).toBe(SCENE_TRIANGLES);
    // Box [-1,1] x [0,2] x [-1,1] scaled, moved, then the outer node: scale y by 2, a quarter turn about y, moved.
    // x' = z + 4, z' = -x - 2 of x in 1 ± 0.5, z in ± 0.25; y' = 2 (1 + y/2) + 0.5.
    const inner = plain.groups.find((group) => group.name === 'inner')!;
    const corners = plain.indices.subarray(3 * inner.triangleStart, 3 * (inner.triangleStart + inner.triangleCount));
    const own = bounds({
      ...plain,
      positions: Float64Array.from([...corners].flatMap((v) => [...plain.positions.subarray(3 * v, 3 * v + 3)])),
    });
    [3.75, 2.5, -3.5, 4.25, 4.5, -2.5].forEach((value, i) => expect(own[i]).toBeCloseTo(value, 6));
    const all = bounds(plain);
    [-8, 0, -8, 8, 6, 9].forEach((value, i) => expect(all[i], `bound ${i}`).toBeCloseTo(value, 5));
    expect(plain.groups.map((group) => [group.name, group.material, group.triangleCount])).toEqual([
      ['floor', 'grass', 2],
      ['inner', 'stone', 12],
      ['mirrored', 'stone', 12],
      ['columns', 'stone', 48],
    ]);
    expect(plain.warnings).toEqual([]);
  });

  it('every box faces outward, mirrored ones too, and the floor faces up', () => {
    const boxes = plain.groups.slice(1);
    for (const { triangleStart, triangleCount } of boxes) {
      for (let t = triangleStart; t < triangleStart + triangleCount; t += 12)
        expect(volume(plain, t, 12)).toBeGreaterThan(0.01);
    }
    const [a, b, c] = [0, 1, 2].map((k) => [
      ...plain.positions.subarray(3 * plain.indices[k], 3 * plain.indices[k] + 3),
    ]) as [number[], number[], number[]];
    expect((b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2])).toBeGreaterThan(0);
  });

  it.each([
    ['instanced.glb', {}, 5],
    ['strip.glb', { mode: 'strip' }, 5],
    ['fan.glb', { mode: 'fan' }, 5],
    ['unindexed.glb', { mode: 'unindexed' }, 5],
    ['quantized.glb', { quantized: true, expanded: true }, 2],
    ['quantized-instanced.glb', { quantized: true }, 2],
    ['external.gltf', { quantized: true }, 2],
  ] as const)('%s', async (name, options, digits) => {
    const level = await readLevel(await write(name, makeScene(options)));
    expect(soup(level, digits)).toEqual(soup(plain, digits));
    expect(level.warnings).toEqual([]);
  });

  it.each(['quantized', 'float'])('Draco, %s', async (kind) => {
    const document = makeScene({ quantized: kind === 'quantized' });
    document
      .createExtension(KHRDracoMeshCompression)
      .setRequired(true)
      .setEncoderOptions({ quantizationBits: { POSITION: 16 } });
    const path = await write(`draco-${kind}.glb`, document);
    expect(readFileSync(path).includes('KHR_draco_mesh_compression')).toBe(true);
    expect(soup(await readLevel(path), 2)).toEqual(soup(plain, 2));
  });

  it.each(['quantized', 'float'])('meshopt, %s', async (kind) => {
    const document = makeScene({ quantized: kind === 'quantized' });
    document
      .createExtension(EXTMeshoptCompression)
      .setRequired(true)
      .setEncoderOptions({ method: EXTMeshoptCompression.EncoderMethod.QUANTIZE });
    const path = await write(`meshopt-${kind}.glb`, document);
    expect(readFileSync(path).includes('EXT_meshopt_compression')).toBe(true);
    expect(soup(await readLevel(path), 2)).toEqual(soup(plain, 2));
  });

  it('data URIs, base64 and percent', async () => {
    const { json, resources } = await io.writeJSON(makeScene());
    const [bytes] = Object.values(resources);
    const path = join(folder, 'data.gltf');
    for (const uri of [
      `data:application/octet-stream;base64,${Buffer.from(bytes!).toString('base64')}`,
      `data:application/octet-stream,${[...bytes!].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')}`,
    ]) {
      writeFileSync(path, JSON.stringify({ ...json, buffers: [{ ...json.buffers![0], uri }] }));
      expect(soup(await readLevel(path), 5)).toEqual(soup(plain, 5));
    }
  });

  it('matrix nodes, and no scene at all', async () => {
    const { json, resources } = await io.writeJSON(makeScene({ expanded: true }), { basename: 'matrix' });
    const node = json.nodes!.find(({ name }) => name === 'mirrored')!;
    delete node.scale;
    delete node.translation;
    node.matrix = [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -6, 0, 0, 1];
    delete json.scenes;
    delete json.scene;
    for (const [name, bytes] of Object.entries(resources)) writeFileSync(join(folder, name), bytes);
    writeFileSync(join(folder, 'matrix.gltf'), JSON.stringify(json));
    expect(soup(await readLevel(join(folder, 'matrix.gltf')), 5)).toEqual(soup(plain, 5));
  });

  it('sparse accessors', async () => {
    const document = makeScene();
    for (const mesh of document.getRoot().listMeshes())
      mesh.listPrimitives()[0].getAttribute('POSITION')!.setSparse(true);
    const path = await write('sparse.glb', document);
    expect(readFileSync(path).includes('"sparse"')).toBe(true);
    expect(soup(await readLevel(path), 5)).toEqual(soup(plain, 5));
  });

  it('ignores missing images, animations and lights, required or not', async () => {
    const { json, resources } = await io.writeJSON(makeScene(), { basename: 'looks' });
    for (const [name, bytes] of Object.entries(resources)) writeFileSync(join(folder, name), bytes);
    json.images = [{ uri: 'missing.png' }];
    json.textures = [{ source: 0 }];
    json.materials![0].pbrMetallicRoughness = { baseColorTexture: { index: 0 } };
    const looks = ['KHR_texture_basisu', 'KHR_materials_unlit', 'KHR_lights_punctual', 'KHR_texture_transform'];
    json.extensionsRequired = [...json.extensionsRequired!, ...looks];
    json.extensionsUsed = [...json.extensionsUsed!, ...looks, 'KHR_physics_rigid_bodies'];
    writeFileSync(join(folder, 'looks.gltf'), JSON.stringify(json));
    expect(soup(await readLevel(join(folder, 'looks.gltf')), 5)).toEqual(soup(plain, 5));
  });

  it('skins, morphs, points and lines: bind pose, or skipped, with a warning', async () => {
    const document = makeScene();
    const [mesh] = document.getRoot().listMeshes();
    const [primitive] = mesh!.listPrimitives();
    primitive!.addTarget(
      document.createPrimitiveTarget().setAttribute('POSITION', primitive!.getAttribute('POSITION')),
    );
    mesh!.addPrimitive(
      document.createPrimitive().setMode(1).setAttribute('POSITION', primitive!.getAttribute('POSITION')),
    );
    mesh!.addPrimitive(document.createPrimitive());
    const node = document
      .getRoot()
      .listNodes()
      .find((one) => one.getName() === 'mirrored')!;
    node.setSkin(document.createSkin().addJoint(node));
    const level = await readLevel(await write('odd.glb', document));
    expect(soup(level, 5)).toEqual(soup(plain, 5));
    expect(level.warnings.map(({ code, count }) => [code, count])).toEqual([
      ['morphed-mesh', 3],
      ['not-triangles', 1],
      ['invalid-primitive', 3],
      ['skinned-mesh', 1],
    ]);
  });
});

describe('glTF: refused files', () => {
  const refused = (name: string, bytes: Uint8Array | string): Promise<string> => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return readLevel(path).then(
      () => {
        throw new Error('it was read');
      },
      (error: Error) => {
        expect(error.name, error.stack).toBe('InputError');
        return error.message.replace(`${folder}/`, '');
      },
    );
  };
  const edited = async (name: string, edit: (json: Record<string, any>) => void): Promise<string> => {
    const { json, resources } = await io.writeJSON(makeScene(), { basename: 'edited' });
    for (const [file, bytes] of Object.entries(resources)) writeFileSync(join(folder, file), bytes);
    edit(json);
    return refused(name, JSON.stringify(json));
  };

  it('required extensions that are not supported, by name, with the remedy', async () => {
    expect(
      await edited('khr-meshopt.gltf', (json) => {
        json['extensionsRequired'] = ['KHR_meshopt_compression'];
        json['extensionsUsed'] = ['KHR_meshopt_compression'];
      }),
    ).toMatch(
      /^khr-meshopt\.gltf: requires the glTF extension KHR_meshopt_compression, which navkiln cannot read; export/,
    );
    expect(await edited('odd.gltf', (json) => json['extensionsRequired'].push('ACME_mesh'))).toContain(
      'requires the glTF extension ACME_mesh',
    );
  });

  it('a GLB truncated at any byte', async () => {
    const whole = readFileSync(await write('whole.glb', makeScene()));
    for (const length of [4, 11, 12, 19, 20, 100, whole.length - 100, whole.length - 1]) {
      expect(await refused('cut.glb', whole.subarray(0, length)), String(length)).toMatch(
        /^cut\.glb: truncated GLB: .*cut off; copy or export it again/,
      );
    }
    const shortHeader = Buffer.from(whole);
    shortHeader.writeUInt32LE(whole.length - 64, 8);
    expect(await refused('header.glb', shortHeader)).toContain('header.glb: truncated GLB: a chunk of');
    const old = Buffer.from(whole);
    old.writeUInt32LE(1, 4);
    expect(await refused('old.glb', old)).toBe(`old.glb: GLB version 1 is not supported; ${UPGRADE}`);
  });

  it('files that are not glTF, have no triangles, or have dangling references', async () => {
    expect(await refused('empty.glb', '')).toMatch(/^empty\.glb: not a GLB, and not JSON either/);
    expect(await refused('noise.gltf', 'hello')).toMatch(/^noise\.gltf: not a GLB, and not JSON either/);
    expect(await refused('other.gltf', '{"a":1}')).toBe('other.gltf: JSON, but not glTF: "asset" is missing');
    expect(await refused('one.gltf', '{"asset":{"version":"1.0"}}')).toBe(
      `one.gltf: glTF version 1.0 is not supported; ${UPGRADE}`,
    );
    expect(await refused('none.gltf', '{"asset":{"version":"2.0"}}')).toBe(
      "none.gltf: has no triangles in its scene; export the level's meshes with it",
    );
    expect(
      await edited('bin.gltf', (json) => {
        json['buffers'][0].uri = 'gone.bin';
      }),
    ).toBe('bin.gltf: buffer "gone.bin": no such file or folder; it must be next to the .gltf');
    expect(
      await edited('web.gltf', (json) => {
        json['buffers'][0].uri = 'https://example.com/a.bin';
      }),
    ).toContain('web.gltf: buffer "https://example.com/a.bin" is not a file; download it');
    expect(
      await edited('short.gltf', (json) => {
        json['buffers'][0].byteLength = 1e6;
      }),
    ).toMatch(/^short\.gltf: truncated: buffer 0 has \d+ of its 1000000 bytes/);
    expect(
      await edited('view.gltf', (json) => {
        json['bufferViews'][0].byteLength = 1e6;
      }),
    ).toContain('bufferViews[0] ends at byte 1000000 of buffers[0], which has');
    expect(
      await edited('count.gltf', (json) => {
        json['accessors'][0].count = 1e6;
      }),
    ).toMatch(/^count\.gltf: accessors\[0\] ends at byte \d+ of bufferViews\[0\], which has \d+ bytes; export/);
    expect(
      await edited('node.gltf', (json) => {
        json['scenes'][0].nodes = [99];
      }),
    ).toContain('scenes[0].nodes[0] is 99; must be below');
    expect(
      await edited('mesh.gltf', (json) => {
        json['nodes'][0].mesh = 99;
      }),
    ).toContain('nodes[0].mesh is 99; must be below');
    expect(
      await edited('child.gltf', (json) => {
        json['nodes'][0].children = [99];
      }),
    ).toContain('nodes[0].children[0] is 99; must be below');
    expect(
      await edited('self.gltf', (json) => {
        json['nodes'][0].children = [0];
      }),
    ).toContain('is its own ancestor');
    expect(
      await edited('accessor.gltf', (json) => {
        json['meshes'][0].primitives[0].indices = 99;
      }),
    ).toContain('meshes[0].primitives[0].indices is 99; must be below');
  });

  it('indices out of range and positions that are not finite', async () => {
    const wrongIndex = makeScene();
    wrongIndex.getRoot().listMeshes()[0].listPrimitives()[0].getIndices()!.getArray()![4] = 8;
    expect(await readLevel(await write('index.glb', wrongIndex)).catch((error: Error) => error.message)).toContain(
      'the index at position 4 of "inner" is out of range: it has 8 vertices',
    );
    const wrongPosition = makeScene();
    wrongPosition.getRoot().listMeshes()[1].listPrimitives()[0].getAttribute('POSITION')!.getArray()![1] = NaN;
    expect(await readLevel(await write('nan.glb', wrongPosition)).catch((error: Error) => error.message)).toMatch(
      /nan\.glb: vertex 0 of "floor" is at a position that is not finite/,
    );
  });

  const seed = Number(process.env['NAVKILN_SEED'] ?? 7) >>> 0;
  it(`random bytes changed (seed ${seed}): triangles in range or an InputError, never anything else`, async () => {
    let state = seed;
    const random = (): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
    const path = join(folder, 'fuzz.glb');
    const results = { read: 0, refused: 0 };
    for (const name of ['instanced.glb', 'draco-float.glb', 'meshopt-quantized.glb']) {
      const good = readFileSync(join(folder, name));
      for (let run = 0; run < 150; run++) {
        const bytes = Buffer.from(good);
        const changes = 1 + Math.floor(random() * 3);
        for (let i = 0; i < changes; i++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
        writeFileSync(path, bytes);
        try {
          const level = await readLevel(path);
          expect(level.indices.every((index) => index < level.positions.length / 3)).toBe(true);
          expect(level.positions.every(Number.isFinite)).toBe(true);
          results.read++;
        } catch (error) {
          expect((error as Error).name, `seed ${seed} ${name} run ${run}: ${(error as Error).stack}`).toBe(
            'InputError',
          );
          results.refused++;
        }
      }
    }
    expect(results.read).toBeGreaterThan(20);
    expect(results.refused).toBeGreaterThan(20);
  });
});

describe('files that are not what their name says', () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n';

  it.each(['level.glb', 'level.gltf', 'level.obj'])(
    '%s: a pointer of Git LFS is named, with the command that fetches the file',
    async (name) => {
      const message = `${name}: is a pointer of Git LFS to a file of 12345 bytes, not the file itself; run "git lfs install" and "git lfs pull"`;
      await expect(readLevelFile(Buffer.from(pointer), name)).rejects.toThrow(message);
      writeFileSync(join(folder, name), pointer);
      await expect(readLevel(join(folder, name))).rejects.toThrow(/is a pointer of Git LFS/);
    },
  );

  it('a buffer that is a pointer is named, too', async () => {
    const json = {
      asset: { version: '2.0' },
      buffers: [{ uri: 'data.bin', byteLength: 36 }],
      bufferViews: [{ buffer: 0, byteLength: 36 }],
      accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
      nodes: [{ mesh: 0 }],
    };
    const beside = async (): Promise<Uint8Array> => Buffer.from(pointer);
    const bytes = Buffer.from(JSON.stringify(json));
    await expect(readLevelFile(bytes, 'a.gltf', { beside })).rejects.toThrow(
      /a\.gltf: buffer "data\.bin": is a pointer of Git LFS/,
    );
  });

  it.each([
    ['level.fbx', /open it in Blender/],
    ['walls.tsx', /pass the map/],
    ['level.zip', /unpack it/],
    ['level.xyz', /reads; use \.glb, \.gltf, \.obj/],
  ])('%s: the step that helps is named', async (name, step) => {
    await expect(readLevelFile(Buffer.from('x'), name)).rejects.toThrow(step);
  });
});

describe('double-sided materials', () => {
  /** 35 mirrored floors of 3 x 3, next to each other. All face down. */
  function mirroredFloors(isTwoSided: boolean): Document {
    const document = new Document();
    const buffer = document.createBuffer();
    const corners = new Float32Array([0, 0, 0, 0, 0, 3, 3, 0, 3, 3, 0, 0]);
    const primitive = document
      .createPrimitive()
      .setAttribute('POSITION', document.createAccessor().setType('VEC3').setArray(corners).setBuffer(buffer))
      .setIndices(
        document
          .createAccessor()
          .setType('SCALAR')
          .setArray(new Uint16Array([0, 2, 1, 0, 3, 2]))
          .setBuffer(buffer),
      )
      .setMaterial(document.createMaterial('floor').setDoubleSided(isTwoSided));
    const mesh = document.createMesh('floor').addPrimitive(primitive);
    const scene = document.createScene();
    for (let i = 0; i < 35; i++) {
      const node = document.createNode(`floor ${i}`).setMesh(mesh).setScale([-1, 1, 1]);
      scene.addChild(node.setTranslation([3 * (i % 7), 0, 3 * Math.floor(i / 7)]));
    }
    return document;
  }

  it('count from both sides: 35 mirrored floors that face down are one island', async () => {
    const file = await write('two-sided.glb', mirroredFloors(true));
    expect([...new Set((await readLevel(file)).twoSided)]).toEqual([1]);
    const { navMesh, report } = buildNavMesh(await loadLevels([{ file }]));
    expect(report.warnings).toEqual([]);
    const { islands } = findIslands(navMesh);
    expect(islands).toHaveLength(1);
    expect(islands[0]!.area).toBeGreaterThan(0.9 * (21 - 0.8) * (15 - 0.8));
    // The choice of the caller wins over the materials, and a placement's own choice wins over that.
    expect(buildNavMesh(await loadLevels([{ file }], { twoSided: false })).navMesh.polyCount).toBe(0);
    expect(
      buildNavMesh(await loadLevels([{ file, twoSided: true }], { twoSided: false })).navMesh.polyCount,
    ).toBeGreaterThan(0);
  });

  it('of a slab that agents fit into give no mesh inside it, and the areas are reported', async () => {
    const document = mirroredFloors(true);
    const [position] = document.getRoot().listAccessors();
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((k) => [k & 1 ? 20 : 0, k & 2 ? 3 : 0, k & 4 ? 20 : 0]);
    position!.setArray(Float32Array.from(corners));
    const faces = [
      [0, 4, 6, 2],
      [1, 3, 7, 5],
      [0, 1, 5, 4],
      [2, 6, 7, 3],
      [0, 2, 3, 1],
      [4, 5, 7, 6],
    ];
    const indices = faces.flatMap(([a, b, c, d]) => [a!, b!, c!, a!, c!, d!]);
    document.getRoot().listAccessors()[1]!.setArray(Uint16Array.from(indices));
    for (const node of document.getRoot().listNodes().slice(1)) node.dispose();
    const file = await write('slab.glb', document);
    const level = await readLevel(file);
    expect(level.sides).toMatchObject({ partCount: 1, oneSidedCount: 1, keptDownArea: 400, turnedUpArea: 0 });
    expect(level.warnings.map(({ code }) => code)).toEqual(['two-sided']);
    expect(level.warnings[0]!.message).toMatch(/400 square units count from the front only.*--two-sided/);
    const areaOf = async (choice?: boolean): Promise<number> => {
      const { navMesh } = buildNavMesh(await loadLevels([{ file }], choice === undefined ? {} : { twoSided: choice }));
      return findIslands(navMesh).islands.reduce((sum, { area }) => sum + area, 0);
    };
    expect(await areaOf()).toBe(await areaOf(false));
    expect(await areaOf(true)).toBeGreaterThan(1.9 * (await areaOf()));
    expect((await readLevel(file, { twoSided: false })).sides).toBeUndefined();
  });

  it('are not assumed', async () => {
    const file = await write('one-sided.glb', mirroredFloors(false));
    expect('twoSided' in (await readLevel(file))).toBe(false);
    const { report } = buildNavMesh(await loadLevels([{ file }]));
    expect(report.warnings[0]!.message).toMatch(/70 flat triangles face down .*--two-sided/);
    expect(buildNavMesh(await loadLevels([{ file, twoSided: true }])).navMesh.polyCount).toBeGreaterThan(0);
    expect(buildNavMesh(await loadLevels([{ file }], { twoSided: true })).navMesh.polyCount).toBeGreaterThan(0);
  });

  it('are walkable from above after the placement, not before', async () => {
    const file = await write('two-sided.glb', mirroredFloors(true));
    // Walls of the file become floors, and the other way round.
    const upright = await loadLevels([{ file, up: 'z' }]);
    expect(buildNavMesh(upright).navMesh.polyCount).toBe(0);
    const turned = await loadLevels([{ file, rotationDegrees: [180, 0, 0] }]);
    expect(buildNavMesh(turned).navMesh.polyCount).toBeGreaterThan(0);
    expect(buildFromSurface(turned).navMesh.polyCount).toBeGreaterThan(0);
  });
});

describe('several levels', () => {
  it('are joined with their placements, and mirrored ones are flipped', async () => {
    const obj = join(folder, 'a.obj');
    writeFileSync(obj, 'v 0 0 0\nv 0 0 1\nv 1 0 0\ng tri\nf 1 2 3\n');
    const joined = await loadLevels([
      { file: obj },
      { file: obj, position: [10, 0, 0], rotationDegrees: 90, scale: 2 },
      { file: obj, scale: [-1, 1, 1] },
      { file: obj, up: 'z' },
      { file: obj, rotationDegrees: [90, 0, 90] },
      { file: join(folder, 'plain.glb') },
    ]);
    expect(joined.indices.length / 3).toBe(5 + SCENE_TRIANGLES);
    const triangle = (t: number): number[][] =>
      [0, 1, 2].map((k) =>
        [...joined.positions.subarray(3 * joined.indices[3 * t + k], 3 * joined.indices[3 * t + k] + 3)].map(
          (v) => v + 0,
        ),
      );
    expect(triangle(0)).toEqual([
      [0, 0, 0],
      [0, 0, 1],
      [1, 0, 0],
    ]);
    expect(triangle(1)).toEqual([
      [10, 0, 0],
      [12, 0, 0],
      [10, 0, -2],
    ]);
    expect(triangle(2)).toEqual([
      [0, 0, 0],
      [-1, 0, 0],
      [0, 0, 1],
    ]);
    expect(triangle(3)).toEqual([
      [0, 0, 0],
      [0, 1, 0],
      [1, 0, 0],
    ]);
    // z -> -y about x, then x -> y and y -> -x about z: (0,0,1) -> (0,-1,0) -> (1,0,0); (1,0,0) -> (0,1,0).
    expect(triangle(4)).toEqual([
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
    ]);
    expect(joined.groups[0]).toEqual({ name: 'a.obj/tri', material: '', triangleStart: 0, triangleCount: 1 });
    expect(joined.groups.reduce((sum, group) => sum + group.triangleCount, 0)).toBe(5 + SCENE_TRIANGLES);
    expect(joined.groups[5]).toEqual({
      name: 'plain.glb/floor',
      material: 'grass',
      triangleStart: 5,
      triangleCount: 2,
    });
  });
});
