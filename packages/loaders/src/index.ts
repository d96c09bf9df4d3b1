/** `navkiln-loaders`: reads level files (.glb, .gltf, .obj), and what 2D maps need beside `navkiln/polygon`, in Node and in browsers. */
export { InputError } from './errors.ts';
export { readLevelFile } from './level-file.ts';
export type { LevelFileOptions } from './level-file.ts';
export type { ReadBeside } from './beside.ts';
export { unpackZstd } from './unpack-zstd.ts';
