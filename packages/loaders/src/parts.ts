/** `navkiln-loaders/parts`: parts of the reader of glTF, for the command line. */
export { splitGltf } from './gltf/glb.ts';
export { isObject } from './gltf/json.ts';
