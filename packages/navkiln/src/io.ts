/** `navkiln/io`: converts bytes of other formats to records and back. No file system, no network. */
export { parseDetourBin } from './io/detour-bin.ts';
export type { DetourBin, DetourReadOptions } from './io/detour-bin.ts';
export { writeDetourBin } from './io/detour-bin-write.ts';
export type { DetourBinBytes, DetourWriteOptions, DetourWriteWarning } from './io/detour-bin-write.ts';
export { writeGlb } from './io/glb-out.ts';
export type { GlbWriteOptions } from './io/glb-out.ts';
export { findJsonFault } from './io/json-fault.ts';
export type { JsonFault } from './io/json-fault.ts';
export { parseObj } from './io/obj.ts';
export type { ObjReadOptions } from './io/obj.ts';
export { writeObj } from './io/obj-out.ts';
export type { ObjWriteOptions } from './io/obj-out.ts';
export type { LevelGroup, LevelMesh, LevelFileWarning, LevelFileWarningCode } from './io/level.ts';
