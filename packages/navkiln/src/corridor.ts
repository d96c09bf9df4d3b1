/** `navkiln/corridor`: the path of one character, kept valid while character, goal and mesh move. */
export { createCorridorCorners } from './corridor/corners.ts';
export type { CorridorCorners } from './corridor/corners.ts';
export { crossLink, followPath, moveFollowerGoal, steerAlong } from './corridor/follow.ts';
export type { FollowPathOptions, LinkCrossing, PathFollower, Steering } from './corridor/follow.ts';
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
} from './corridor/checked.ts';
export type { RebaseOutcome } from './corridor/rebase.ts';
export { CORNER_GOAL, CORNER_LINK, CORNER_TURN, createPathCorridor } from './corridor/types.ts';
export type { PathCorridor } from './corridor/types.ts';
