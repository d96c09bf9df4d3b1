/** `navkiln/crowd`: agents that move along paths and around each other. */
export { createCrowd } from './crowd/create.ts';
export { explainAgent } from './crowd/explain.ts';
export type { AgentExplanation, AgentReason } from './crowd/explain.ts';
export { setLinkTraffic } from './crowd/link-queue.ts';
export type { LinkTrafficOptions } from './crowd/link-queue.ts';
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
export { followAgent, moveAgentTo, setAgentPosition, setAgentVelocity, stopAgent } from './crowd/orders/orders.ts';
export type { FollowOptions, OrderResult } from './crowd/orders/orders.ts';
export { hashCrowd, restoreCrowd, saveCrowd } from './crowd/save/save.ts';
export { listEvents } from './crowd/state/events.ts';
export type { AgentEvent } from './crowd/state/events.ts';
export type { AgentOptions, AvoidanceKind, CrowdOptions } from './crowd/state/options.ts';
export type { AgentEventKind, AgentId, Crowd } from './crowd/state/types.ts';
export { advanceCrowd, interpolateAgentInto, stepCrowd } from './crowd/step.ts';
