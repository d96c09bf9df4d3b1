/** `navkiln/io`: converts bytes of other formats to records and back. No file system, no network. */
export { parseDetourBin } from '../formats/detour/detour-bin.ts';
export type { DetourBin, DetourReadOptions } from '../formats/detour/detour-bin.ts';
export { writeDetourBin } from '../formats/detour/detour-bin-write.ts';
export type { DetourBinBytes, DetourWriteOptions, DetourWriteWarning } from '../formats/detour/detour-bin-write.ts';
export { writeGlb } from '../formats/levels/glb-out.ts';
export type { GlbWriteOptions } from '../formats/levels/glb-out.ts';
export { findJsonFault } from '../formats/text/json-fault.ts';
export type { JsonFault } from '../formats/text/json-fault.ts';
export { parseObj } from '../formats/levels/obj.ts';
export type { ObjReadOptions } from '../formats/levels/obj.ts';
export { writeObj } from '../formats/levels/obj-out.ts';
export type { ObjWriteOptions } from '../formats/levels/obj-out.ts';
export type { LevelGroup, LevelMesh, LevelFileWarning, LevelFileWarningCode } from '../formats/levels/level.ts';
