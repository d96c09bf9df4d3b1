/**
 * Reads the accessors of a glTF file that are used: plain, with strides, sparse, or compressed with meshopt or Draco. The decoders are
 * loaded when a file needs them.
 *
 * In: a checked shape and the bytes of its buffers.
 * Out: an array of numbers for each accessor that is used.
 * Cost: linear in the numbers.
 * Based on: Khronos Group, glTF 2.0 Specification; own code.
 */
import { InputError } from '../errors.ts';
import type { ReadBudget } from '../budget.ts';
import { ARRAYS } from './numbers.ts';
import type { Numbers } from './numbers.ts';
import { COMPONENT_BYTES, TYPE_COMPONENTS } from './shape.ts';
import type { GltfAccessor, GltfShape } from './shape.ts';
import type { UsedParts } from './used.ts';

/** The bytes of each buffer; undefined: it is not used. */
export type Buffers = readonly (Uint8Array<ArrayBuffer> | undefined)[];

/** The numbers of an accessor as they are stored. */
export interface AccessorData {
  values: Numbers;
  /** Numbers of an element. */
  width: number;
  /** Elements. A fraction when Draco's data do not fit the accessor. */
  count: number;
  /** What numbers are divided by: 1, or the largest of the type where they are normalized. */
  divisor: number;
}

/** The value that a normalized number of each type divides to 1. */
const LARGEST: Readonly<Record<number, number>> = {
  5120: 127,
  5121: 255,
  5122: 32767,
  5123: 65535,
  5125: 4294967295,
  5126: 1,
};

/** Writes an element to `out`. */
export function readElement({ values, width, divisor }: AccessorData, index: number, out: number[]): number[] {
  for (let k = 0; k < width; k++) {
    const value = values[index * width + k] / divisor;
    // The lowest number of a signed type is one below the negative of the highest.
    out[k] = divisor > 1 && value < -1 ? -1 : value;
  }
  return out;
}

/** Returns the data of each accessor that is used; undefined for the others. */
export async function readAccessors(
  shape: GltfShape,
  used: UsedParts,
  buffers: Buffers,
  budget: ReadBudget,
): Promise<(AccessorData | undefined)[]> {
  try {
    const views = await readViews(shape, used, buffers);
    const drawn = shape.usesDraco ? await decodeDraco(shape, used, views, budget) : new Map<number, Numbers>();
    return shape.accessors.map((accessor, index) => {
      if (!used.accessors.has(index)) return undefined;
      const { componentType, type, normalized, sparse } = accessor;
      const width = TYPE_COMPONENTS[type];
      const values = (sparse === undefined ? drawn.get(index) : undefined) ?? readValues(shape, accessor, views);
      const divisor = normalized ? LARGEST[componentType] : 1;
      return { values, width, count: values.length / width, divisor };
    });
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${budget.file}: damaged glTF: its compressed data cannot be decoded; export it again`);
  }
}

/** Returns the bytes of the views that are used, decompressed where they are compressed with meshopt. */
async function readViews(
  { views, usesMeshopt }: GltfShape,
  used: UsedParts,
  buffers: Buffers,
): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  const decoder = usesMeshopt ? (await import('meshoptimizer/decoder')).MeshoptDecoder : undefined;
  await decoder?.ready;
  return views.map((view, index) => {
    if (!used.views.has(index)) return new Uint8Array(0);
    const { buffer, byteOffset, byteLength } = view.meshopt ?? view;
    const bytes = buffers[buffer]!.subarray(byteOffset, byteOffset + byteLength);
    if (view.meshopt === undefined) return bytes;
    const { count, byteStride, mode, filter } = view.meshopt;
    const decoded = new Uint8Array(count * byteStride);
    decoder!.decodeGltfBuffer(decoded, count, byteStride, bytes, mode, filter);
    return decoded;
  });
}

/** Decodes the meshes that are compressed with Draco: accessor -> its numbers. */
async function decodeDraco(
  shape: GltfShape,
  used: UsedParts,
  views: readonly Uint8Array[],
  budget: ReadBudget,
): Promise<Map<number, Numbers>> {
  const { openDraco } = await import('./draco.ts');
  const draco = await openDraco(budget);
  const found = new Map<number, Numbers>();
  try {
    for (const mesh of used.meshes) {
      for (const { position, indices, draco: packed } of shape.meshes[mesh].primitives) {
        if (packed?.positionId === undefined || position === undefined) continue;
        const decoded = draco.decode(packed.view, views[packed.view]);
        const type = shape.accessors[position].componentType;
        found.set(position, decoded.readAttribute(packed.positionId, type));
        if (indices !== undefined) found.set(indices, decoded.readIndices());
      }
    }
  } finally {
    draco.close();
  }
  return found;
}

function readValues(shape: GltfShape, accessor: GltfAccessor, views: readonly Uint8Array<ArrayBuffer>[]): Numbers {
  const { componentType, type, count, view, byteOffset, sparse } = accessor;
  const width = TYPE_COMPONENTS[type];
  const read = (from: number, offset: number, of: { type: number; width: number; count: number }): Numbers =>
    readNumbers(views[from], offset, shape.views[from].byteStride, of);
  const own = { type: componentType, width, count };
  // Without a view, all numbers are 0.
  const values = view === undefined ? new ARRAYS[componentType](count * width) : read(view, byteOffset, own);
  if (sparse === undefined) return values;
  const { indices: places, values: changed } = sparse;
  const at = read(places.view, places.byteOffset, { type: places.componentType, width: 1, count: sparse.count });
  const to = read(changed.view, changed.byteOffset, { ...own, count: sparse.count });
  for (let i = 0; i < sparse.count; i++) for (let k = 0; k < width; k++) values[at[i] * width + k] = to[i * width + k];
  return values;
}

/** Reads `count` elements of little-endian numbers, `stride` bytes apart; undefined: without gaps. */
function readNumbers(
  bytes: Uint8Array<ArrayBuffer>,
  byteOffset: number,
  stride: number | undefined,
  { type, width, count }: { type: number; width: number; count: number },
): Numbers {
  const size = COMPONENT_BYTES[type];
  const Type = ARRAYS[type];
  const step = stride ?? size * width;
  const start = bytes.byteOffset + byteOffset;
  if (step === size * width) return new Type(bytes.buffer.slice(start, start + count * step));
  const out = new Type(count * width);
  const from = new Uint8Array(bytes.buffer);
  const to = new Uint8Array(out.buffer);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < size * width; k++) to[i * size * width + k] = from[start + i * step + k];
  }
  return out;
}
