/**
 * The result of an order. 'accepted': the order holds from the next tick on. With every other value, the previous order
 * still holds.
 */
export type OrderResult =
  | 'accepted'
  /** The id names no agent, for example after `removeAgent`. For `followAgent`: the id or the target. */
  | 'no-agent'
  /** No polygon is near the point. */
  | 'off-mesh'
  /** `queueAgentMove`: the agent's current order never ends. */
  | 'endless'
  /** More points than the crowd allows (`Behaviors.maxRoutePoints`, default 1024), those that wait included. */
  | 'too-many-points'
  /** The agent was added with `avoidOnly: true` and takes no orders. Move it with `setAgentPosition`. */
  | 'avoid-only'
  /** `setAgentPosition`: the crowd moves the agent. Add it with `owner: 'user'`, or use `teleportAgent`. */
  | 'crowd-owned';
