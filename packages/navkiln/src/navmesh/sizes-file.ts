/**
 * The sizes of a mesh in its file: one list of f64 numbers. The masks of polygons follow it as a section of their own (file-format.ts).
 *
 *   for each size: radius; height; maxClimb; n, the length of its name; the name, n UTF-16 units
 *
 * In: a mesh; or numbers from a file. Out: numbers; or the sizes of the mesh.
 * Cost: linear in the sizes.
 * Based on: own.
 */
import type { MeshSize, NavMesh } from './types.ts';

/** Sizes of a mesh, at most: a mask has 16 bits. */
export const MAX_SIZES = 16;

/** Returns the sizes as numbers. */
export function encodeSizes({ sizes }: NavMesh): Float64Array<ArrayBuffer> {
  const out: number[] = [];
  for (const { name, radius, height, maxClimb } of sizes) {
    out.push(radius, height, maxClimb, name.length);
    for (let i = 0; i < name.length; i++) out.push(name.charCodeAt(i));
  }
  return Float64Array.from(out);
}

/** Returns the sizes in `words`. Of words that `encodeSizes` has not written, it returns what `areSizes` refuses. */
export function decodeSizes(words: Float64Array): MeshSize[] {
  const sizes: MeshSize[] = [];
  for (let at = 0; at < words.length;) {
    const [radius, height, maxClimb, length] = words.subarray(at);
    at += 4 + length;
    // NaN ends the loop.
    const units = words.subarray(at - length, at);
    sizes.push({ name: at <= words.length ? String.fromCharCode(...units) : '', radius, height, maxClimb });
  }
  return sizes;
}

/** Returns whether a mesh may have these sizes: names of their own, possible numbers, by radius. */
export function areSizes(sizes: readonly MeshSize[]): boolean {
  return (
    sizes.length <= MAX_SIZES &&
    sizes.every(
      ({ name, radius, height, maxClimb }, i) =>
        // Also false for what is no text.
        name > '' &&
        sizes.findIndex((one) => one.name === name) === i &&
        radius >= (i > 0 ? sizes[i - 1].radius : 0) &&
        height >= 0 &&
        maxClimb >= 0 &&
        radius + height + maxClimb < Infinity,
    )
  );
}

/** Returns whether a polygon of a mesh with sizes may have this mask: it fits one of them. */
export function isSizeMask({ sizes }: NavMesh, mask: number): boolean {
  return (mask & ((1 << sizes.length) - 1)) !== 0;
}

/** Returns a copy of sizes. */
export function copySizes(sizes: readonly MeshSize[] = []): MeshSize[] {
  return sizes.map(({ name, radius, height, maxClimb }) => ({ name, radius, height, maxClimb }));
}
