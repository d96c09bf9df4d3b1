/** Rules for the files that a .gltf refers to: how readers get them, and which names are allowed. */

/**
 * Returns the bytes of a file that a .gltf refers to. `name` is its path relative to the .gltf, decoded: "my level.bin".
 * `uri` is the same as written in the .gltf, for messages and for `fetch`: "my%20level.bin". Throws or rejects when the
 * file is missing.
 */
export type ReadBeside = (name: string, uri: string) => Uint8Array | Promise<Uint8Array>;

/** Longest piece of a name that messages repeat. */
const MAX_SHOWN = 80;

/** Returns a name of a file as messages show it. */
export function showName(name: string): string {
  return JSON.stringify(name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name);
}

/**
 * Returns why a file must not be read by this name, or undefined when it may. A level or a map may name files in its folder and in the
 * folders in it. With `allowOutside`, it may name any file. Addresses are never followed.
 */
export function refusalOfName(name: string, allowOutside: boolean): string | undefined {
  // The parser of URLs skips tabs and line ends, so ".\t./" is "../" there.
  if (name === '' || hasControls(name)) return 'is not the name of a file';
  if (/^[a-z][a-z0-9+.-]+:/i.test(name)) return 'is not a file; download it next to the level and use its file name';
  if (allowOutside) return undefined;
  if (name.includes('\\')) return 'has a backslash; write / between folders';
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return `is an absolute path; ${MOVE_INSIDE}`;
  if (name.split('/').includes('..')) return `leads out of the folder of the level; ${MOVE_INSIDE}`;
  return undefined;
}

/** The advice of messages about a file that lies elsewhere. */
export const MOVE_INSIDE = 'move the file into that folder, or allow others (--allow-outside)';

function hasControls(name: string): boolean {
  for (let i = 0; i < name.length; i++) if (name.charCodeAt(i) < 32 || name.charCodeAt(i) === 127) return true;
  return false;
}
