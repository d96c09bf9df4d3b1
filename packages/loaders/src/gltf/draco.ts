/**
 * Decodes meshes that are compressed with Draco. The size of its result is only known while it decodes, so its memory is taken from the
 * budget then. Missing attributes are refused.
 *
 * Based on: Google, Draco's decoder for glTF in WebAssembly; own calls of it.
 */
import createDecoderModule from 'draco3dgltf/draco_decoder_gltf_nodejs.js';
import { InputError } from '../errors.ts';
import { spend } from '../budget.ts';
import type { ReadBudget } from '../budget.ts';
import type { DracoDecoder, DracoMesh, DracoModule } from './draco-module.ts';
import { DRACO_WASM } from './draco-wasm.ts';
import { ARRAYS } from './numbers.ts';
import type { Numbers, NumbersType } from './numbers.ts';

/** Memory of a decoded point and a decoded face in the decoder. */
const POINT_BYTES = 24;
const FACE_BYTES = 24;

/** A mesh whose vertices and triangles can be read. */
interface DecodedMesh {
  readAttribute: (id: number, type: number) => Numbers;
  readIndices: () => Numbers;
}

/** A decoder and its meshes, each of which it decodes once. */
interface DracoReader {
  decode: (view: number, bytes: Uint8Array) => DecodedMesh;
  close: () => void;
}

/** Compiles the decoder. Each file has its own: damaged data may end it, and its memory never shrinks. */
async function loadDraco(): Promise<DracoModule> {
  const module = await createDecoderModule(DRACO_WASM === '' ? {} : { wasmBinary: bytesOf(atob(DRACO_WASM)) });
  return module as DracoModule;
}

function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** Returns a reader that keeps to the budget. */
export async function openDraco(budget: ReadBudget): Promise<DracoReader> {
  const draco = await loadDraco();
  const decoder = new draco.Decoder();
  const meshes = new Map<number, DracoMesh>();
  return {
    decode: (view, bytes) => {
      let mesh = meshes.get(view);
      if (mesh === undefined) {
        mesh = new draco.Mesh();
        meshes.set(view, mesh);
        decodeMesh(draco, decoder, { mesh, bytes }, budget);
      }
      return readerOf(draco, decoder, mesh, budget);
    },
    close: () => {
      for (const mesh of meshes.values()) draco.destroy(mesh);
      draco.destroy(decoder);
    },
  };
}

function decodeMesh(
  draco: DracoModule,
  decoder: DracoDecoder,
  { mesh, bytes }: { mesh: DracoMesh; bytes: Uint8Array },
  budget: ReadBudget,
): void {
  const buffer = new draco.DecoderBuffer();
  try {
    buffer.Init(bytes, bytes.length);
    const isMesh = decoder.GetEncodedGeometryType(buffer) === draco.TRIANGULAR_MESH;
    const isDecoded = isMesh && decoder.DecodeBufferToMesh(buffer, mesh).ok();
    const [points, faces] = [mesh.num_points(), mesh.num_faces()];
    const what = `a Draco mesh of ${points} vertices and ${faces} triangles`;
    spend(budget, POINT_BYTES * points + FACE_BYTES * faces, what);
    if (!isDecoded)
      throw new InputError(`${budget.file}: damaged glTF: its compressed data cannot be decoded; export it again`);
  } finally {
    draco.destroy(buffer);
  }
}

function readerOf(draco: DracoModule, decoder: DracoDecoder, mesh: DracoMesh, budget: ReadBudget): DecodedMesh {
  /** Takes memory of the decoder, lets `fill` write to it, and returns a copy. */
  const copyOf = (Type: NumbersType, length: number, fill: (bytes: number, at: number) => void): Numbers => {
    const bytes = length * Type.BYTES_PER_ELEMENT;
    spend(budget, 2 * bytes, 'a decoded Draco mesh');
    const at = draco._malloc(bytes);
    if (at === 0 && bytes > 0)
      throw new InputError(`${budget.file}: a decoded Draco mesh takes more memory than there is; split the level`);
    fill(bytes, at);
    const values = new Type(draco.HEAPF32.buffer, at, length).slice();
    draco._free(at);
    return values;
  };
  const dataTypes: Readonly<Record<number, unknown>> = {
    5120: draco.DT_INT8,
    5121: draco.DT_UINT8,
    5122: draco.DT_INT16,
    5123: draco.DT_UINT16,
    5125: draco.DT_UINT32,
    5126: draco.DT_FLOAT32,
  };
  return {
    readAttribute: (id, type) => {
      const attribute = decoder.GetAttributeByUniqueId(mesh, id);
      if (attribute.ptr === 0)
        throw new InputError(`${budget.file}: damaged glTF: a Draco mesh has no attribute ${id}; export it again`);
      return copyOf(ARRAYS[type], mesh.num_points() * attribute.num_components(), (bytes, at) =>
        decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, dataTypes[type], bytes, at),
      );
    },
    readIndices: () =>
      copyOf(Uint32Array, 3 * mesh.num_faces(), (bytes, at) => decoder.GetTrianglesUInt32Array(mesh, bytes, at)),
  };
}
