/** `navkiln/corridor`: the path of one character, kept valid while character, goal and mesh move. */
export { createCorridorCorners } from '../agents/corridor/corners.ts';
export type { CorridorCorners } from '../agents/corridor/corners.ts';
export { crossLink, followPath, moveFollowerGoal, steerAlong } from '../agents/corridor/follow.ts';
export type { FollowPathOptions, LinkCrossing, PathFollower, Steering } from '../agents/corridor/follow.ts';
export {
  copyCorridor,
  findCorridorCorners,
  fixCorridorStart,
  isCorridorValid,
  moveCorridorOverLink,
  moveCorridorPosition,
  moveCorridorTarget,
  optimizeCorridorTopology,
  optimizeCorridorVisibility,
  rebaseCorridor,
  resetCorridor,
  setCorridor,
  trimCorridor,
} from '../agents/corridor/checked.ts';
export type { RebaseOutcome } from '../agents/corridor/rebase.ts';
export { CORNER_KINDS, createPathCorridor } from '../agents/corridor/types.ts';
export type { PathCorridor } from '../agents/corridor/types.ts';
