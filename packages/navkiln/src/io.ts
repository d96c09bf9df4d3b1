/** `navkiln/io`: bytes of other people's formats <-> records. No file system, no network. */
export { parseObj } from './io/obj.ts';
export type { LevelGroup, LevelMesh, LevelWarning, LevelWarningCode } from './io/level.ts';
