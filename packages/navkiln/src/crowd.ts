/** `navkiln/crowd`: agents that move along paths and around each other. An explicit list; see ARCHITECTURE.md for the steps. */
export {
  AGENT_STATUSES, addAgent, getAgent, hasAgent, listAgents, removeAgent, setAgentOptions, teleport,
} from './crowd/agents.ts';
export type { AgentInfo, AgentPlace, AgentStatus } from './crowd/agents.ts';
export {
  NEIGHBOR_DX, NEIGHBOR_DZ, NEIGHBOR_RADIUS, NEIGHBOR_SHARE, NEIGHBOR_STRIDE, NEIGHBOR_VX, NEIGHBOR_VZ, SELF_DESIRED_X,
  SELF_DESIRED_Z, SELF_HORIZON, SELF_LENGTH, SELF_MAX_SPEED, SELF_RADIUS, SELF_SIDE, SELF_STEP, SELF_VX, SELF_VZ,
  SELF_WALL_HORIZON, WALL_STRIDE, createAvoidanceScene,
} from './crowd/avoidance.ts';
export type { AvoidanceScene } from './crowd/avoidance.ts';
export { createCorridorCorners, findCorridorCorners } from './crowd/corridor-corners.ts';
export type { CorridorCorners } from './crowd/corridor-corners.ts';
export { crossLink, followPath, moveFollowerGoal, steerAlong } from './crowd/corridor-follow.ts';
export type { FollowPathOptions, LinkCrossing, PathFollower, Steering } from './crowd/corridor-follow.ts';
export { moveCorridorOverLink, moveCorridorPosition, moveCorridorTarget } from './crowd/corridor-move.ts';
export { optimizeCorridorTopology, optimizeCorridorVisibility } from './crowd/corridor-optimize.ts';
export { fixCorridorStart, isCorridorValid, rebaseCorridor, trimCorridor } from './crowd/corridor-rebase.ts';
export type { RebaseOutcome } from './crowd/corridor-rebase.ts';
export { copyCorridor, createPathCorridor, resetCorridor, setCorridor } from './crowd/corridor.ts';
export type { PathCorridor } from './crowd/corridor.ts';
export { createCrowd } from './crowd/create.ts';
export { listEvents } from './crowd/events.ts';
export type { AgentEvent } from './crowd/events.ts';
export { explainAgent } from './crowd/explain.ts';
export type { AgentExplanation, AgentReason } from './crowd/explain.ts';
export { agentIdOf, agentSlotOf } from './crowd/ids.ts';
export { setLinkTraffic } from './crowd/link-queue.ts';
export type { LinkTrafficOptions } from './crowd/link-queue.ts';
export type { AgentOptions, AvoidanceKind, CrowdOptions } from './crowd/options.ts';
export { avoidByOrca } from './crowd/orca.ts';
export { follow, moveTo, moveVelocity, setAgentPosition, stop } from './crowd/orders.ts';
export type { FollowOptions, OrderResult } from './crowd/orders.ts';
export { hashCrowd, restoreCrowd, saveCrowd } from './crowd/save.ts';
export { SAMPLED_DEFAULTS, avoidBySampling, createSampledParams } from './crowd/sampled.ts';
export type { SampledOptions, SampledParams } from './crowd/sampled.ts';
export { advanceCrowd, interpolateInto, stepCrowd } from './crowd/step.ts';
export {
  CORNER_GOAL, CORNER_HOOK, CORNER_TURN, MAX_NEIGHBORS, MAX_WALLS, STATE_FREE, STATE_GROUND, STATE_LINK, STATE_LOST,
} from './crowd/types.ts';
export type { AgentArrays, AgentEventKind, AgentId, Crowd, EventList } from './crowd/types.ts';
