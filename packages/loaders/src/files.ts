/** `navkiln-loaders/files`: names, limits, placements and errors of files, for the command line. Loads no reader. */
export { InputError, formatBytes, messageOf } from './errors.ts';
export { MOVE_INSIDE, refusalOfName, showName } from './beside.ts';
export { READ_LIMIT_BYTES } from './budget.ts';
export { LEVEL_EXTENSIONS, MAP_EXTENSIONS, extensionOf, isLevelFile, isMapFile } from './extensions.ts';
export { IDENTITY, compose, isMirrored, multiply, transformPoint } from './matrix.ts';
export type { Matrix } from './matrix.ts';
export { UPGRADE, levelExtension, refusePointer } from './other-files.ts';
