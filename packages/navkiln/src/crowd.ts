/** `navkiln/crowd`: agents that move along paths and around each other. An explicit list; see ARCHITECTURE.md for the steps. */
export {
  AGENT_STATUSES,
  addAgent,
  getAgent,
  hasAgent,
  listAgents,
  removeAgent,
  setAgentOptions,
  teleport,
} from './crowd/orders/agents.ts';
export type { AgentInfo, AgentPlace, AgentStatus } from './crowd/orders/agents.ts';
export {
  NEIGHBOR_DX,
  NEIGHBOR_DZ,
  NEIGHBOR_RADIUS,
  NEIGHBOR_SHARE,
  NEIGHBOR_STRIDE,
  NEIGHBOR_VX,
  NEIGHBOR_VZ,
  SELF_DESIRED_X,
  SELF_DESIRED_Z,
  SELF_HORIZON,
  SELF_LENGTH,
  SELF_MAX_SPEED,
  SELF_RADIUS,
  SELF_SIDE,
  SELF_STEP,
  SELF_VX,
  SELF_VZ,
  SELF_WALL_HORIZON,
  WALL_STRIDE,
  createAvoidanceScene,
} from './crowd/avoidance/scene.ts';
export type { AvoidanceScene } from './crowd/avoidance/scene.ts';
export { createCorridorCorners, findCorridorCorners } from './corridor/corners.ts';
export type { CorridorCorners } from './corridor/corners.ts';
export { crossLink, followPath, moveFollowerGoal, steerAlong } from './corridor/follow.ts';
export type { FollowPathOptions, LinkCrossing, PathFollower, Steering } from './corridor/follow.ts';
export { moveCorridorOverLink, moveCorridorPosition, moveCorridorTarget } from './corridor/move.ts';
export { optimizeCorridorTopology, optimizeCorridorVisibility } from './corridor/optimize.ts';
export { fixCorridorStart, isCorridorValid, rebaseCorridor, trimCorridor } from './corridor/rebase.ts';
export type { RebaseOutcome } from './corridor/rebase.ts';
export { copyCorridor, resetCorridor, setCorridor } from './corridor/corridor.ts';
export { createPathCorridor } from './corridor/types.ts';
export type { PathCorridor } from './corridor/types.ts';
export { createCrowd } from './crowd/create.ts';
export { listEvents } from './crowd/state/events.ts';
export type { AgentEvent } from './crowd/state/events.ts';
export { explainAgent } from './crowd/explain.ts';
export type { AgentExplanation, AgentReason } from './crowd/explain.ts';
export { agentIdOf, agentSlotOf } from './crowd/state/ids.ts';
export { setLinkTraffic } from './crowd/link-queue.ts';
export type { LinkTrafficOptions } from './crowd/link-queue.ts';
export type { AgentOptions, AvoidanceKind, CrowdOptions } from './crowd/state/options.ts';
export { avoidByOrca } from './crowd/avoidance/orca.ts';
export { follow, moveTo, moveVelocity, setAgentPosition, stop } from './crowd/orders/orders.ts';
export type { FollowOptions, OrderResult } from './crowd/orders/orders.ts';
export { hashCrowd, restoreCrowd, saveCrowd } from './crowd/save/save.ts';
export { SAMPLED_DEFAULTS, avoidBySampling, createSampledParams } from './crowd/avoidance/sampled.ts';
export type { SampledOptions, SampledParams } from './crowd/avoidance/sampled.ts';
export { advanceCrowd, interpolateInto, stepCrowd } from './crowd/step.ts';
export { MAX_NEIGHBORS, MAX_WALLS, STATE_FREE, STATE_GROUND, STATE_LINK, STATE_LOST } from './crowd/state/types.ts';
export { CORNER_GOAL, CORNER_HOOK, CORNER_TURN } from './corridor/types.ts';
export type { AgentArrays, AgentEventKind, AgentId, Crowd, EventList } from './crowd/state/types.ts';
