/** `navkiln/links`: finds links in a level: jumps over gaps, drops, climbs and vaults. */
export { addAutoLinks } from './links/add.ts';
export type { AddedAutoLinks } from './links/add.ts';
export { addGapLinks } from './links/gaps.ts';
export type { GapLinkOptions } from './links/gaps.ts';
export { createGapExplainer } from './links/explain.ts';
export { findLinkCandidates } from './links/find.ts';
export { createWorldLinks } from './links/world-links.ts';
export type { WorldLinks } from './links/world-links.ts';
export { createAutoLinker } from './links/linker.ts';
export { autoLinkKind } from './links/ids.ts';
export type { AutoLinkKind, AutoLinkReport, SolidInput } from './navmesh/auto-linker.ts';
export type { AutoLinker } from './voxel/options.ts';
export { autoLinkPositions } from './links/trajectory.ts';
export type {
  AutoLink,
  AutoLinkOptions,
  AutoLinkResult,
  JumpLengths,
  JumpSpeeds,
  LedgeLimits,
  LinkMarks,
  VaultLimits,
} from './links/types.ts';
