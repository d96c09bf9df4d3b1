/**
 * Makes Draco's decoder part of a bundle that pages and Node run: a plugin for rolldown and Vite.
 *
 * The decoder is a script for Node, which reads its WebAssembly from a file and requires `fs` and `path`. Bundlers for pages warn about these,
 * and a page would have to host the file. So the bundle has the WebAssembly in base64, and the script finds no Node.
 *
 * In: `draco3dgltf`. Out: a plugin. Cost: 350 KB in a chunk that is loaded with the first file that is compressed with Draco.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from './files.mjs';

const MODULE = /\/packages\/loaders\/src\/gltf\/draco-wasm\.ts$/;
const SCRIPT = /\/draco3dgltf\/draco_decoder_gltf_nodejs\.js$/;

const slashed = (id) => id.replace(/\?.*$/, '').replaceAll('\\', '/');
const locate = createRequire(join(ROOT, 'packages', 'loaders', 'package.json')).resolve;

/** Parts of the script that ask for Node -> what they become. */
const IN_NODE = [
  ['"object"==typeof process&&', 'false&&'],
  ['require("fs")', '{}'],
  ['require("path")', '{}'],
];

/** Returns the script without its parts for Node. Throws when another version of it has none. */
export function withoutNode(code) {
  return IN_NODE.reduce((text, [part, by]) => {
    const parts = text.split(part);
    if (parts.length !== 2) throw new Error(`draco3dgltf has ${parts.length - 1} times ${part}; expected 1`);
    return parts.join(by);
  }, code);
}

/** The plugin. */
export const dracoInside = {
  name: 'draco-inside',
  load(id) {
    const file = slashed(id);
    if (SCRIPT.test(file)) return withoutNode(readFileSync(file, 'utf8'));
    if (!MODULE.test(file)) return null;
    const wasm = readFileSync(locate('draco3dgltf/draco_decoder_gltf.wasm')).toString('base64');
    return `export const DRACO_WASM = '${wasm}';`;
  },
};
