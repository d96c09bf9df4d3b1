/** Arrays of numbers by their type in glTF files. */

export type Numbers = Int8Array | Uint8Array | Int16Array | Uint16Array | Uint32Array | Float32Array;

/** A class of typed arrays. */
export interface NumbersType {
  new (length: number): Numbers;
  new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): Numbers;
  readonly BYTES_PER_ELEMENT: number;
}

/** Arrays by component type. */
export const ARRAYS: Readonly<Record<number, NumbersType>> = {
  5120: Int8Array,
  5121: Uint8Array,
  5122: Int16Array,
  5123: Uint16Array,
  5125: Uint32Array,
  5126: Float32Array,
};
