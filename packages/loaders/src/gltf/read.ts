/**
 * Reads glTF and GLB files to triangles in world space. The JSON is checked first (shape.ts), and only the accessors that place triangles
 * are read (accessors.ts). Runs in Node and in browsers; the caller provides the bytes of all files.
 */
import type { LevelMesh } from 'navkiln/io';
import { InputError } from '../errors.ts';
import type { ReadBeside } from '../beside.ts';
import { createReadBudget, spend } from '../budget.ts';
import type { ReadBudget } from '../budget.ts';
import { readAccessors } from './accessors.ts';
import type { Buffers } from './accessors.ts';
import { readBuffer, splitGltf } from './glb.ts';
import { arrayAt, failAt, textAt } from './json.ts';
import type { GltfSource, Json } from './json.ts';
import { DRACO, INSTANCING, MESHOPT, elementBytes, readGltfShape } from './shape.ts';
import type { GltfShape } from './shape.ts';
import { extractTriangles } from './triangles.ts';
import { findUsedParts } from './used.ts';
import type { UsedParts } from './used.ts';

const READ: readonly string[] = [DRACO, MESHOPT, INSTANCING, 'KHR_mesh_quantization'];
/** Extensions of removed parts: a file may require them, but its triangles are the same without them. */
const IRRELEVANT =
  /^((KHR|EXT|MSFT|ADOBE|AGI|GOOGLE|NV)_(materials?|textures?|lights?|animation|xmp|audio|environment)_?|KHR_techniques_webgl$)/;

export interface GltfOptions {
  beside: ReadBeside;
  memoryLimitBytes: number;
  allowOutside: boolean;
}

/** Reads a glTF file. `file` is its name in messages; options as in `LevelFileOptions`. */
export async function readGltf(bytes: Uint8Array, file: string, options: GltfOptions): Promise<LevelMesh> {
  const source: GltfSource = { file };
  const budget = createReadBudget(file, options.memoryLimitBytes);
  spend(budget, 2 * bytes.length, `its ${bytes.length} bytes`);
  const { json, binary } = splitGltf(bytes, file);
  checkExtensions(source, json);
  const shape = readGltfShape(json, source);
  const used = findUsedParts(shape, source);
  spendDecoded(shape, used, budget);
  const buffers = await readBuffers(shape, used, { source, budget, binary, options });
  checkViews(shape, used, buffers, source);
  checkSparse(shape, used, buffers, source);
  return extractTriangles(shape, await readAccessors(shape, used, buffers, budget), budget);
}

function checkExtensions(source: GltfSource, json: Json): void {
  const required = arrayAt(source, 'extensionsRequired', json['extensionsRequired'])
    .map((name, i) => textAt(source, `extensionsRequired[${i}]`, name))
    .filter((name) => !READ.includes(name) && !IRRELEVANT.test(name));
  if (required.length === 0) return;
  const names = required
    .slice(0, 8)
    .map((name) => name.slice(0, 80))
    .join(', ');
  const remedy = required.includes('KHR_meshopt_compression')
    ? `export it without compression, or compressed with ${MESHOPT} or ${DRACO}`
    : 'export it without';
  throw new InputError(
    `${source.file}: requires the glTF extension ${names}, which navkiln cannot read; ${remedy} (it reads ${READ.join(', ')})`,
  );
}

/** Takes the memory of decoded accessors from the budget, before anything is decoded. */
function spendDecoded(shape: GltfShape, used: UsedParts, budget: ReadBudget): void {
  for (const index of used.views) {
    const { meshopt } = shape.views[index];
    // Once in the decoder's memory, once outside of it.
    if (meshopt !== undefined) {
      spend(budget, 2 * meshopt.count * meshopt.byteStride, `bufferViews[${index}] with ${meshopt.count} elements`);
    }
  }
  for (const index of used.accessors) {
    const accessor = shape.accessors[index];
    const count = accessor.count + (accessor.sparse?.count ?? 0);
    spend(budget, 2 * elementBytes(accessor) * count, `accessors[${index}] with ${accessor.count} elements`);
  }
}

interface BufferSources {
  source: GltfSource;
  budget: ReadBudget;
  binary: Uint8Array<ArrayBuffer> | undefined;
  options: GltfOptions;
}

/** Returns the bytes of the buffers that are used. */
async function readBuffers(shape: GltfShape, used: UsedParts, sources: BufferSources): Promise<Buffers> {
  const { source, budget, binary, options } = sources;
  const buffers: (Uint8Array<ArrayBuffer> | undefined)[] = shape.buffers.map(() => undefined);
  for (const index of used.buffers) {
    const { uri, byteLength } = shape.buffers[index];
    if (uri === undefined && (index > 0 || binary === undefined)) {
      failAt(source, `buffers[${index}]`, 'has no uri, and the file has no bytes for it');
    }
    const bytes =
      uri === undefined ? binary! : await readBuffer(uri, options.beside, source.file, options.allowOutside);
    if (uri !== undefined) spend(budget, bytes.length, `the ${bytes.length} bytes of buffers[${index}]`);
    if (bytes.length < byteLength) {
      throw new InputError(
        `${source.file}: truncated: buffer ${index} has ${bytes.length} of its ${byteLength} bytes; copy or export it again`,
      );
    }
    buffers[index] = bytes;
  }
  return buffers;
}

/** Requires the byte ranges of views to lie in their buffers. */
function checkViews(shape: GltfShape, used: UsedParts, buffers: Buffers, source: GltfSource): void {
  for (const index of used.views) {
    const view = shape.views[index];
    const { buffer, byteOffset, byteLength } = view.meshopt ?? view;
    const length = buffers[buffer]!.length;
    if (byteOffset + byteLength > length) {
      const at = view.meshopt === undefined ? `bufferViews[${index}]` : `bufferViews[${index}].extensions.${MESHOPT}`;
      failAt(source, at, `ends at byte ${byteOffset + byteLength} of buffers[${buffer}], which has ${length} bytes`);
    }
  }
}

/** Requires the indices of sparse accessors to grow and to be in range. Those of compressed views cannot be checked here. */
function checkSparse(shape: GltfShape, used: UsedParts, buffers: Buffers, source: GltfSource): void {
  for (const index of used.accessors) {
    const { sparse, count } = shape.accessors[index];
    if (sparse === undefined) continue;
    const { view, byteOffset, componentType } = sparse.indices;
    const { buffer, byteOffset: start, byteStride, meshopt } = shape.views[view];
    if (meshopt !== undefined) continue;
    const bytes = buffers[buffer]!;
    const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const size = componentType === 5121 ? 1 : componentType === 5123 ? 2 : 4;
    let before = -1;
    for (let i = 0; i < sparse.count; i++) {
      const at = start + byteOffset + i * (byteStride ?? size);
      const element = size === 1 ? data.getUint8(at) : size === 2 ? data.getUint16(at, true) : data.getUint32(at, true);
      if (element >= count || element <= before) {
        const mustBe = `must be above the one before and below ${count}, the number of elements`;
        failAt(source, `accessors[${index}].sparse.indices`, `has a wrong index at position ${i}; it ${mustBe}`);
      }
      before = element;
    }
  }
}
