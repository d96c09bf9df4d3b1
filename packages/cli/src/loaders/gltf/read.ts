/**
 * Reads glTF and GLB files to triangles in world space. The JSON is checked first (shape.ts), and only the accessors that place
 * triangles are decoded, by glTF-Transform (sparse, quantized, Draco, meshopt). It never sees the file's JSON, but one that is made from
 * the checked parts. Draco and meshopt decoders are loaded when a file uses them. Runs in Node and in browsers; the caller provides
 * the bytes of all files.
 */
import { Logger, Verbosity, WebIO } from '@gltf-transform/core';
import type { Accessor, GLTF, JSONDocument } from '@gltf-transform/core';
import { EXTMeshoptCompression, KHRDracoMeshCompression } from '@gltf-transform/extensions';
import type { LevelMesh } from 'navkiln/io';
import { InputError } from '../../errors.ts';
import type { ReadBeside } from '../beside.ts';
import { createReadBudget, spend } from '../budget.ts';
import type { ReadBudget } from '../budget.ts';
import { guardDraco } from './draco.ts';
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
  dracoWasm: (() => Promise<ArrayBuffer>) | undefined;
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
  const accessors = await decode(shape, used, buffers, options.dracoWasm, budget);
  return extractTriangles(shape, accessors, budget);
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

type Buffers = readonly (Uint8Array<ArrayBuffer> | undefined)[];

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

/** Decodes the accessors that are used. The others are empty. */
async function decode(
  shape: GltfShape,
  used: UsedParts,
  buffers: Buffers,
  dracoWasm: GltfOptions['dracoWasm'],
  budget: ReadBudget,
): Promise<Accessor[]> {
  const io = new WebIO().setLogger(new Logger(Verbosity.SILENT));
  const extensions: string[] = [];
  if (shape.usesDraco) {
    const { default: draco } = await import('draco3dgltf');
    const settings = dracoWasm === undefined ? {} : { wasmBinary: await dracoWasm() };
    io.registerExtensions([KHRDracoMeshCompression]);
    io.registerDependencies({ 'draco3d.decoder': guardDraco(await draco.createDecoderModule(settings), budget) });
    extensions.push(DRACO);
  }
  if (shape.usesMeshopt) {
    const { MeshoptDecoder } = await import('meshoptimizer/decoder');
    await MeshoptDecoder.ready;
    io.registerExtensions([EXTMeshoptCompression]);
    io.registerDependencies({ 'meshopt.decoder': MeshoptDecoder });
    extensions.push(MESHOPT);
  }
  const resources: JSONDocument['resources'] = {};
  buffers.forEach((bytes, i) => (resources[`buffer${i}`] = bytes ?? new Uint8Array(0)));
  try {
    const document = await io.readJSON({ json: jsonOf(shape, used, extensions), resources });
    return document.getRoot().listAccessors();
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${budget.file}: damaged glTF: its compressed data cannot be decoded; export it again`);
  }
}

/** Returns JSON with the parts that are used, for the decoders. */
function jsonOf(shape: GltfShape, used: UsedParts, extensionsUsed: string[]): GLTF.IGLTF {
  return {
    asset: { version: '2.0' },
    extensionsUsed,
    buffers: shape.buffers.map((_, i) => ({ byteLength: 0, uri: `buffer${i}` })),
    bufferViews: shape.views.map((view, i) => {
      if (!used.views.has(i)) return { buffer: view.buffer, byteOffset: 0, byteLength: 0 };
      const { buffer, byteOffset, byteLength, byteStride, meshopt } = view;
      const stride = byteStride === undefined ? {} : { byteStride };
      const packed = meshopt === undefined ? {} : { extensions: { [MESHOPT]: { ...meshopt } } };
      return { buffer, byteOffset, byteLength, ...stride, ...packed };
    }),
    accessors: shape.accessors.map((accessor, i) => {
      if (!used.accessors.has(i)) return { componentType: 5121, type: 'SCALAR', count: 0 };
      const { componentType, type, count, normalized, view, byteOffset, sparse } = accessor;
      const place = view === undefined ? {} : { bufferView: view, byteOffset };
      // Each part has its own offset: glTF-Transform would take that of the accessor where one is missing.
      const indices = sparse && { ...sparse.indices, bufferView: sparse.indices.view };
      const values = sparse && { ...sparse.values, bufferView: sparse.values.view };
      const parts = sparse === undefined ? {} : { sparse: { count: sparse.count, indices, values } };
      return { componentType, type, count, normalized, ...place, ...parts } as GLTF.IAccessor;
    }),
    meshes: [...used.meshes].map((index) => ({
      primitives: shape.meshes[index].primitives.flatMap(({ draco, position, indices }) => {
        if (draco?.positionId === undefined || position === undefined) return [];
        const packed = { bufferView: draco.view, attributes: { POSITION: draco.positionId } };
        const corners = indices === undefined ? {} : { indices };
        return [{ attributes: { POSITION: position }, ...corners, extensions: { [DRACO]: packed } }];
      }),
    })),
  };
}
