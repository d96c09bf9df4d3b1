/** Reads chosen or dropped files. Refuses files that are too large before reading them. Loaded with the first file. */
import { OPENED_EXTENSIONS, chooseMain, extensionOf } from './kinds.ts';
import type { FileBytes } from './kinds.ts';
import type { FileKind } from './kinds.ts';

/** Limit on the total size: a page must hold the bytes, the triangles made of them, and the bake. */
const MAX_BYTES = 1 << 30;
const MAX_FILES = 500;
/** Enough bytes to recognize a file: a scene may begin with a long comment. */
const HEAD_BYTES = 16_384;

export interface Opened {
  main: string;
  kind: FileKind;
  files: FileBytes[];
  /** Names of files that could be opened in place of the main one, and do not belong to it. */
  others: string[];
}

/** Reads the file to open and its companions. Rejects with a message for the user. */
export async function readFiles(chosen: readonly File[]): Promise<Opened> {
  const known = chosen.slice(0, MAX_FILES);
  const heads = await Promise.all(
    known.map(async (file) => ({
      name: file.name,
      head: new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()),
    })),
  );
  const choice = chooseMain(heads);
  if (typeof choice === 'string') throw new Error(choice);
  const { kind, index } = choice;
  const main = known[index];
  const along = known.filter((file, i) => i !== index && kind.companions?.includes(extensionOf(file.name)) === true);
  const total = [main, ...along].reduce((sum, file) => sum + file.size, 0);
  if (main.size === 0) throw new Error(`${main.name} is empty; export or copy it again.`);
  if (total > MAX_BYTES) {
    const remedy = 'bake it with the command line (navkiln bake) and open the .navmesh';
    const sizes = `${(total / 2 ** 20).toFixed(0)} MB; the limit of a page is ${MAX_BYTES / 2 ** 20} MB`;
    throw new Error(`${main.name} has ${sizes}. Leave out textures, or ${remedy}.`);
  }
  const files = await Promise.all(
    [main, ...along].map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })),
  );
  const others = choice.others.map((i) => known[i]).filter((file) => !along.includes(file));
  return { main: main.name, kind, files, others: others.map(({ name }) => name) };
}

/** Opens the file dialog. Resolves with an empty list when the user cancels it. */
export function askForFiles(): Promise<File[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.multiple = true;
    input.accept = [...OPENED_EXTENSIONS, '.tsj', '.tsx', '.mtl'].join(',');
    input.addEventListener('change', () => resolve([...(input.files ?? [])]));
    input.addEventListener('cancel', () => resolve([]));
    input.click();
  });
}
