/** Triangles that count from both sides, in level files and in scene files, as the studio's worker reads them. */
import { describe, expect, it } from 'vitest';
import type { TaskContext } from '../src/bake/context.ts';
import { readScene } from '../src/bake/read-scene.ts';
import { runTask } from '../src/bake/run-task.ts';

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const context = (): TaskContext => ({ onProgress: () => undefined, polite: false, held: undefined, baked: undefined });

/** A floor of 20 x 20 whose triangles face up or down. */
const floor = (faces: 'up' | 'down'): Uint8Array<ArrayBuffer> =>
  bytes(`v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf ${faces === 'up' ? '1 2 3 4' : '4 3 2 1'}\n`);

/** The same floor as a .gltf, with a double-sided material or not. */
function gltf(faces: 'up' | 'down', doubleSided: boolean): Uint8Array<ArrayBuffer> {
  const corners = faces === 'up' ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2];
  const places = [0, 0, 0, 0, 0, 20, 20, 0, 20, 20, 0, 0];
  const positions = Float32Array.from(corners.flatMap((corner) => places.slice(3 * corner, 3 * corner + 3)));
  const uri = `data:application/octet-stream;base64,${Buffer.from(positions.buffer).toString('base64')}`;
  return bytes(
    JSON.stringify({
      asset: { version: '2.0' },
      nodes: [{ mesh: 0 }],
      scenes: [{ nodes: [0] }],
      materials: [{ doubleSided }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 }, material: 0 }] }],
      accessors: [{ bufferView: 0, componentType: 5126, count: 6, type: 'VEC3', min: [0, 0, 0], max: [20, 0, 20] }],
      bufferViews: [{ buffer: 0, byteLength: 72 }],
      buffers: [{ uri, byteLength: 72 }],
    }),
  );
}

/** Returns how many triangles face up. */
function countUp({ positions, indices }: { positions: ArrayLike<number>; indices: ArrayLike<number> }): number {
  let count = 0;
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * indices[i + k]) as [number, number, number];
    const [ux, uz] = [positions[b] - positions[a], positions[b + 2] - positions[a + 2]];
    const [vx, vz] = [positions[c] - positions[a], positions[c + 2] - positions[a + 2]];
    if (uz * vx - ux * vz > 0) count++;
  }
  return count;
}

describe('a level', () => {
  it.each([
    ['of a double-sided material faces up', 'down', true, 2],
    ['of a single-sided material keeps its faces', 'down', false, 0],
    ['that faces up stays', 'up', true, 2],
  ] as const)('%s', async (_what, faces, doubleSided, count) => {
    const files = [{ name: 'a.gltf', bytes: gltf(faces, doubleSided) }];
    const loaded = await runTask({ type: 'files', kind: 'gltf', main: 'a.gltf', files, map: {} }, context());
    expect(loaded.kind === 'level' && countUp(loaded)).toBe(count);
    if (loaded.kind !== 'level') return;
    const level = { id: 1, positions: loaded.positions, indices: loaded.indices };
    const edits = { parts: [], seeds: [], tiles: undefined };
    const baked = await runTask({ type: 'bake-level', level, options: { cellSize: 0.5 }, edits }, context());
    expect(baked.kind === 'baked' && baked.navMesh.polyCount > 0).toBe(count > 0);
  });

  it('of an .obj file keeps its faces', async () => {
    const files = [{ name: 'a.obj', bytes: floor('down') }];
    const loaded = await runTask({ type: 'files', kind: 'obj', main: 'a.obj', files, map: {} }, context());
    expect(loaded.kind === 'level' && countUp(loaded)).toBe(0);
  });
});

describe('a level of a scene file', () => {
  const read = async (level: string, file: { name: string; bytes: Uint8Array<ArrayBuffer> }): Promise<number> => {
    const text = `version: 1\nlevels:\n  - ${level}\nagents:\n  - position: [5, 0, 5]\n`;
    const files = [{ name: 'scene.yaml', bytes: bytes(text) }, file];
    const loaded = await runTask({ type: 'files', kind: 'scene', main: 'scene.yaml', files, map: {} }, context());
    if (loaded.kind !== 'level') throw new Error('is no level');
    return countUp(loaded);
  };

  it.each([
    ['{ file: a.obj }', 0],
    ['{ file: a.obj, twoSided: true }', 2],
    ['{ file: a.obj, twoSided: false }', 0],
    // A mirror turns faces, and the reader turns them back.
    ['{ file: a.obj, twoSided: true, scale: [-1, 1, 1] }', 2],
    ['{ file: a.obj, scale: [-1, 1, 1] }', 0],
    // On its head, a floor that faces down faces up.
    ['{ file: a.obj, rotation: [180, 0, 0] }', 2],
    ['{ file: a.obj, twoSided: true, rotation: [180, 0, 0] }', 2],
  ])('%s', async (level, count) => {
    expect(await read(level, { name: 'a.obj', bytes: floor('down') })).toBe(count);
  });

  it.each([
    ['{ file: a.gltf }', 2],
    ['{ file: a.gltf, twoSided: false }', 0],
    ['{ file: a.gltf, twoSided: true }', 2],
  ])('double-sided material: %s', async (level, count) => {
    expect(await read(level, { name: 'a.gltf', bytes: gltf('down', true) })).toBe(count);
  });

  it('applies to that level alone', async () => {
    const text =
      'version: 1\nlevels:\n  - { file: a.obj, twoSided: true }\n  - { file: a.obj, position: [30, 0, 0] }\nagents:\n  - position: [5, 0, 5]\n';
    const scene = await readScene(
      { name: 's.yaml', bytes: bytes(text) },
      [{ name: 'a.obj', bytes: floor('down') }],
      async (file) => {
        const { parseObj } = await import('navkiln/io');
        const { positions, indices } = parseObj(file.bytes, file.name);
        return { positions: Float64Array.from(positions), indices };
      },
    );
    const half = scene.indices.length / 2;
    expect(countUp({ ...scene, indices: scene.indices.subarray(0, half) })).toBe(2);
    expect(countUp({ ...scene, indices: scene.indices.subarray(half) })).toBe(0);
  });
});
