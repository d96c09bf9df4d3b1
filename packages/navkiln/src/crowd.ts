/** `navkiln/crowd`: agents that follow paths and avoid each other. */
export { createCrowd } from './crowd/create.ts';
export { explainAgent } from './crowd/explain.ts';
export type { AgentExplanation, AgentReason } from './crowd/explain.ts';
export { setLinkTraffic } from './crowd/link-traffic.ts';
export type { LinkTrafficOptions } from './crowd/link-traffic.ts';
export {
  AGENT_STATUSES,
  addAgent,
  getAgent,
  hasAgent,
  listAgents,
  removeAgent,
  setAgentOptions,
  teleportAgent,
} from './crowd/orders/agents.ts';
export type { AgentInfo, AgentPlace, AgentStatus } from './crowd/orders/agents.ts';
export { setCrowdFilter } from './crowd/orders/filter.ts';
export { moveGroupTo } from './crowd/orders/group.ts';
export type { GroupFormation, GroupOptions } from './crowd/orders/group.ts';
export { getAgentPath } from './crowd/orders/path-info.ts';
export type { AgentLink, AgentPath, AgentPathStatus } from './crowd/orders/path-info.ts';
export { completeLink, pauseAgent, resumeAgent } from './crowd/orders/pause.ts';
export { listCrowdWarnings } from './crowd/orders/warnings.ts';
export type { CrowdWarning } from './crowd/orders/warnings.ts';
export { followAgent, moveAgentTo, setAgentPosition, setAgentVelocity, stopAgent } from './crowd/orders/orders.ts';
export type { FollowOptions, MoveOptions } from './crowd/orders/orders.ts';
export { moveAgentAlong, patrolAgent, queueAgentMove } from './crowd/orders/patrol.ts';
export type { PatrolMode, PatrolOptions, QueueOptions } from './crowd/orders/patrol.ts';
export type { OrderResult } from './crowd/orders/result.ts';
export { hashCrowd, restoreCrowd, saveCrowd } from './crowd/save/save.ts';
export { listEvents } from './crowd/state/events.ts';
export type { AgentEvent } from './crowd/state/events.ts';
export type { SampledOptions } from './crowd/avoidance/sampled.ts';
export type { AgentOptions, AvoidanceKind, CrowdOptions, DetailKind } from './crowd/state/options.ts';
export { NULL_AGENT } from './crowd/state/types.ts';
export type { AddFailure, AgentEventKind, AgentId, Crowd } from './crowd/state/types.ts';
export { advanceCrowd, interpolateAgentInto, stepCrowd } from './crowd/step.ts';
