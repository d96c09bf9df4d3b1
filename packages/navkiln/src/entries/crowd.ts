/** `navkiln/crowd`: agents that follow paths and avoid each other. */
export {
  detours,
  goalFields,
  lanes,
  links,
  passages,
  repairs,
  sampling,
  shortcuts,
  sleeping,
  spacing,
  throttling,
  traffic,
} from '../agents/crowd/behaviors.ts';
export { createCoreCrowd } from '../agents/crowd/create-core.ts';
export { createCrowd } from '../agents/crowd/create.ts';
export { meshChanges } from '../agents/crowd/follow-mesh.ts';
export { explainAgent } from '../agents/crowd/explain.ts';
export type { AgentExplanation, AgentReason } from '../agents/crowd/explain.ts';
export { setLinkTraffic } from '../agents/crowd/links/link-traffic.ts';
export type { LinkTrafficOptions } from '../agents/crowd/links/link-traffic.ts';
export {
  AGENT_STATUSES,
  addAgent,
  getAgent,
  hasAgent,
  listAgents,
  removeAgent,
  setAgentOptions,
  teleportAgent,
} from '../agents/crowd/orders/agents.ts';
export type { AgentInfo, AgentPlace, AgentStatus } from '../agents/crowd/orders/agents.ts';
export { setCrowdFilter } from '../agents/crowd/orders/filter.ts';
export { moveGroupTo } from '../agents/crowd/orders/group.ts';
export type { GroupFormation, GroupOptions } from '../agents/crowd/orders/group.ts';
export { getAgentPath } from '../agents/crowd/orders/path-info.ts';
export type { AgentLink, AgentPath, AgentPathStatus } from '../agents/crowd/orders/path-info.ts';
export { completeLink, pauseAgent, resumeAgent } from '../agents/crowd/orders/pause.ts';
export { listCrowdWarnings } from '../agents/crowd/orders/warnings.ts';
export type { CrowdWarning } from '../agents/crowd/orders/warnings.ts';
export {
  followAgent,
  moveAgentTo,
  setAgentPosition,
  setAgentVelocity,
  stopAgent,
} from '../agents/crowd/orders/orders.ts';
export type { FollowOptions, MoveOptions } from '../agents/crowd/orders/orders.ts';
export { moveAgentAlong, patrolAgent, queueAgentMove } from '../agents/crowd/orders/patrol.ts';
export type { PatrolMode, PatrolOptions, QueueOptions } from '../agents/crowd/orders/patrol.ts';
export type { OrderResult } from '../agents/crowd/orders/result.ts';
export { hashCrowd, restoreCrowd, saveCrowd } from '../agents/crowd/save/save.ts';
export { listEvents } from '../agents/crowd/state/events.ts';
export type { AgentEvent } from '../agents/crowd/state/events.ts';
export type { SampledOptions } from '../agents/crowd/avoidance/sampled.ts';
export type { AgentOptions, AvoidanceKind, CrowdOptions, DetailKind } from '../agents/crowd/state/options.ts';
export { NULL_AGENT } from '../agents/crowd/state/types.ts';
export type { AddFailure, AgentEventKind, AgentId, Behavior, Crowd } from '../agents/crowd/state/types.ts';
export { advanceCrowd, interpolateAgentInto, stepCrowd } from '../agents/crowd/step.ts';
