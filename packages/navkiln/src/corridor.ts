/** `navkiln/corridor`: the path of one character, kept valid while character, goal and mesh move. */
export { createCorridorCorners, findCorridorCorners } from './corridor/corners.ts';
export type { CorridorCorners } from './corridor/corners.ts';
export { copyCorridor, resetCorridor, setCorridor } from './corridor/corridor.ts';
export { crossLink, followPath, moveFollowerGoal, steerAlong } from './corridor/follow.ts';
export type { FollowPathOptions, LinkCrossing, PathFollower, Steering } from './corridor/follow.ts';
export { moveCorridorOverLink, moveCorridorPosition, moveCorridorTarget } from './corridor/move.ts';
export { optimizeCorridorTopology, optimizeCorridorVisibility } from './corridor/optimize.ts';
export { fixCorridorStart, isCorridorValid, rebaseCorridor, trimCorridor } from './corridor/rebase.ts';
export type { RebaseOutcome } from './corridor/rebase.ts';
export { CORNER_GOAL, CORNER_LINK, CORNER_TURN, createPathCorridor } from './corridor/types.ts';
export type { PathCorridor } from './corridor/types.ts';
