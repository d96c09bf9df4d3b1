/**
 * The sizes of a mesh in its file: one list of f64 numbers. The masks of polygons follow it as a section of their own (file-format.ts).
 *
 *   for each size: radius; height; maxClimb; maxSlopeDegrees; n and m; the name, n UTF-16 units; the rules, m numbers (agent-rules.ts)
 *
 * In: a mesh; or numbers from a file. Out: numbers; or the sizes of the mesh.
 * Cost: linear in the sizes.
 * Based on: own.
 */
import { MAX_SIZES } from '../base/constants.ts';
import type { MeshSize, NavMesh } from './types.ts';

/** Returns the sizes as numbers. */
export function encodeSizes({ sizes }: NavMesh): Float64Array<ArrayBuffer> {
  const out: number[] = [];
  for (const { name, radius, height, maxClimb, maxSlopeDegrees, rules } of sizes) {
    out.push(radius, height, maxClimb, maxSlopeDegrees, name.length, rules.length);
    for (let i = 0; i < name.length; i++) out.push(name.charCodeAt(i));
    for (const number of rules) out.push(number);
  }
  return Float64Array.from(out);
}

/**
 * Returns the sizes in `words`. For other words than those of `encodeSizes`, it returns sizes that `areSizes`
 * refuses.
 */
export function decodeSizes(words: Float64Array): MeshSize[] {
  const sizes: MeshSize[] = [];
  for (let at = 0; at < words.length;) {
    const [radius, height, maxClimb, maxSlopeDegrees, length, ruleCount] = words.subarray(at);
    const rulesAt = at + 6 + length;
    const units = words.subarray(at + 6, rulesAt);
    // NaN ends the loop.
    at = length >= 0 && ruleCount >= 0 ? rulesAt + ruleCount : NaN;
    const name = at <= words.length ? Array.from(units, (unit) => String.fromCharCode(unit)).join('') : '';
    sizes.push({ name, radius, height, maxClimb, maxSlopeDegrees, rules: [...words.subarray(rulesAt, at)] });
  }
  return sizes;
}

/** Returns whether a mesh may have these sizes: different names, valid numbers, sorted by radius. */
export function areSizes(sizes: readonly MeshSize[]): boolean {
  return (
    sizes.length <= MAX_SIZES &&
    sizes.every(
      ({ name, radius, height, maxClimb, maxSlopeDegrees, rules }, i) =>
        // Also false for a name that is not a string.
        name > '' &&
        sizes.findIndex((one) => one.name === name) === i &&
        radius >= (i > 0 ? sizes[i - 1].radius : 0) &&
        height >= 0 &&
        maxClimb >= 0 &&
        radius + height + maxClimb < Infinity &&
        maxSlopeDegrees >= 0 &&
        maxSlopeDegrees <= 90 &&
        Array.isArray(rules),
    )
  );
}

/** Returns whether a polygon or link of a mesh may have this mask: it fits one of the sizes, if there are any. */
export function isSizeMask({ sizes }: NavMesh, mask: number): boolean {
  return sizes.length === 0 || (mask & ((1 << sizes.length) - 1)) !== 0;
}

/** Returns a copy of sizes. */
export function copySizes(sizes: readonly MeshSize[] = []): MeshSize[] {
  return sizes.map(({ name, radius, height, maxClimb, maxSlopeDegrees, rules }) => ({
    name,
    radius,
    height,
    maxClimb,
    maxSlopeDegrees,
    rules: [...rules],
  }));
}
