/** `navkiln/links`: links that are found in the level: jumps over gaps, drops, climbs and vaults. */
export { addAutoLinks } from './links/add.ts';
export type { AddedAutoLinks } from './links/add.ts';
export { findLinkCandidates } from './links/find.ts';
export { autoLinkKind } from './links/ids.ts';
export type { SolidInput } from './links/solid.ts';
export { autoLinkPositions } from './links/trajectory.ts';
export type {
  AutoLink,
  AutoLinkKind,
  AutoLinkOptions,
  AutoLinkReport,
  AutoLinkResult,
  JumpLengths,
  JumpSpeeds,
  LedgeLimits,
  LinkMarks,
  VaultLimits,
} from './links/types.ts';
