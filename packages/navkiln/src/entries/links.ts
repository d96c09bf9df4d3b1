/** `navkiln/links`: finds links in a level: jumps over gaps, drops, climbs and vaults. */
export { addAutoLinks } from '../build/links/add.ts';
export type { AddedAutoLinks } from '../build/links/add.ts';
export { addGapLinks } from '../build/links/gaps.ts';
export type { GapLinkOptions } from '../build/links/gaps.ts';
export { createGapExplainer } from '../build/links/explain.ts';
export { findLinkCandidates } from '../build/links/find.ts';
export { createWorldLinks } from '../build/links/world-links.ts';
export type { WorldLinks } from '../build/links/world-links.ts';
export { createAutoLinker } from '../build/links/linker.ts';
export { enableWideLinks } from '../query/path/wide-links.ts';
export { autoLinkKind } from '../build/links/ids.ts';
export type { AutoLinkKind, AutoLinkReport, SolidInput } from '../mesh/auto-linker.ts';
export type { AutoLinker } from '../build/voxel/options.ts';
export { autoLinkPositions } from '../build/links/sweep/trajectory.ts';
export type {
  AutoLink,
  AutoLinkOptions,
  AutoLinkResult,
  JumpLengths,
  JumpSpeeds,
  LedgeLimits,
  LinkMarks,
  VaultLimits,
} from '../build/links/types.ts';
