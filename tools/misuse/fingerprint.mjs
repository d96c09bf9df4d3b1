/** A hash of everything that a value holds, to tell whether a call changed it, and a count of the NaN in it. */

function hashBytes(bytes, hash) {
  const words = new Uint32Array(bytes.buffer, 0, bytes.byteLength >>> 2);
  for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words[i], 0x01000193);
  for (let i = 4 * words.length; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
  return hash;
}

const MAX_DEPTH = 100;

/** Returns a hash of a value with all records, arrays, maps and sets that it leads to. Hostile values count as nothing. */
export function fingerprintOf(value) {
  const seen = new Set();
  let hash = 0x811c9dc5;
  const text = (s) => {
    for (let i = 0; i < s.length; i++) hash = Math.imul(hash ^ s.charCodeAt(i), 0x01000193);
  };
  const visit = (part, depth) => {
    if (typeof part === 'number') {
      scratch[0] = part;
      hash = Math.imul(Math.imul(hash ^ words[0], 0x01000193) ^ words[1], 0x01000193);
      return;
    }
    if (typeof part !== 'object' || part === null) return text(typeof part === 'function' ? 'f' : String(part));
    if (seen.has(part) || depth > MAX_DEPTH) return;
    seen.add(part);
    try {
      if (ArrayBuffer.isView(part)) {
        const { buffer, byteOffset, byteLength } = part;
        const aligned = byteOffset % 4 === 0 && byteOffset === 0;
        const bytes = aligned
          ? new Uint8Array(buffer, 0, byteLength)
          : new Uint8Array(buffer, byteOffset, byteLength).slice();
        hash = hashBytes(bytes, hash ^ byteLength);
        return;
      }
      if (part instanceof Map || part instanceof Set) {
        for (const entry of part) visit(entry, depth + 1);
        return;
      }
      for (const key of Object.keys(part)) {
        text(key);
        visit(part[key], depth + 1);
      }
    } catch {
      text('hostile');
    }
  };
  visit(value, 0);
  return hash >>> 0;
}

const scratch = new Float64Array(1);
const words = new Uint32Array(scratch.buffer);

/** Returns how many NaN a result holds, in records and arrays of up to six levels. */
export function countNaN(value, depth = 6) {
  if (typeof value === 'number') return value === value ? 0 : 1;
  if (typeof value !== 'object' || value === null || depth === 0) return 0;
  let count = 0;
  if (ArrayBuffer.isView(value)) {
    for (let i = 0; i < (value.length ?? 0); i++) if (value[i] !== value[i]) count++;
    return count;
  }
  try {
    for (const key of Object.keys(value)) count += countNaN(value[key], depth - 1);
  } catch {
    // The hostile proxy, passed on.
  }
  return count;
}
