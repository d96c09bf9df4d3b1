/**
 * Finds where the answers of two builds differ, and describes it in words. The answers are plain data: records,
 * lists, typed arrays, numbers.
 */

const isObject = (value) => typeof value === 'object' && value !== null;
const show = (value) => (isObject(value) ? (Array.isArray(value) ? 'a list' : 'a record') : String(value));

/**
 * Returns the first difference of two values, in words; '' when they are equal. A key that only one record has is
 * ignored.
 */
export function firstDifference(ours, theirs, path = 'answer') {
  if (Object.is(ours, theirs) || (ours === 0 && theirs === 0)) return '';
  if (!isObject(ours) || !isObject(theirs)) return `${path} is ${show(ours)}, was ${show(theirs)}`;
  if (typeof ours.length === 'number' && ours.length !== theirs.length) {
    return `${path} has ${ours.length} entries, had ${theirs.length}`;
  }
  if (ArrayBuffer.isView(ours)) {
    for (let i = 0; i < ours.length; i++) {
      if (!Object.is(ours[i], theirs[i])) return `${path}[${i}] is ${ours[i]}, was ${theirs[i]}`;
    }
    return '';
  }
  const isList = Array.isArray(ours);
  for (const key of Object.keys(ours)) {
    if (!(key in theirs)) continue;
    const found = firstDifference(ours[key], theirs[key], isList ? `${path}[${key}]` : `${path}.${key}`);
    if (found !== '') return found;
  }
  return '';
}

/**
 * Compares the bytes of two meshes, each written by its own build. Says which array of the records differs
 * first.
 */
export function sameMesh(ours, theirs, [oursLib, theirsLib]) {
  const bytes = oursLib.saveNavMesh(ours);
  const others = theirsLib.saveNavMesh(theirs);
  if (Buffer.compare(bytes, others) === 0) return '';
  const inRecord = firstDifference(ours, theirs, 'mesh');
  if (inRecord !== '') return `the meshes differ: ${inRecord}`;
  const at = bytes.findIndex((byte, i) => byte !== others[i]);
  return `the arrays of both meshes are equal, but their files differ from byte ${at} on (${bytes.length} and ${others.length} bytes)`;
}
