/** `navkiln-cli/loaders`: readers of level files that need no Node. */
export { InputError } from '../errors.ts';
export { readGltf } from './gltf-read.ts';
