/**
 * The answer to an order. 'accepted': the order holds from the next tick on. For every other value the previous order still holds:
 *
 * - 'no-agent': an id names no agent, as after `removeAgent`. For `followAgent` this includes the agent to follow.
 * - 'off-mesh': no polygon is near the point.
 * - 'avoid-only': the agent was added with `avoidOnly: true` and takes no orders; move it with `setAgentPosition`.
 * - 'crowd-owned': `setAgentPosition` was called for an agent that the crowd moves; add it with `owner: 'user'`, or use `teleportAgent`.
 */
export type OrderResult = 'accepted' | 'no-agent' | 'off-mesh' | 'avoid-only' | 'crowd-owned';
