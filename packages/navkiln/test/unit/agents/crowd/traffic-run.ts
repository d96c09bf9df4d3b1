/** Small crowds on grids of squares, run for some time, with all their events. */
import { addAgent, getAgent } from '../../../../src/agents/crowd/orders/agents.ts';
import type { AgentInfo } from '../../../../src/agents/crowd/orders/agents.ts';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { listEvents } from '../../../../src/agents/crowd/state/events.ts';
import type { AgentOptions, CrowdOptions } from '../../../../src/agents/crowd/state/options.ts';
import { stepCrowd } from '../../../../src/agents/crowd/step.ts';
import type { AgentId, Crowd } from '../../../../src/agents/crowd/state/types.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import { gridTile, meshOf } from '../../meshes.ts';

export type Vector = readonly [number, number, number];

export const RADIUS = 0.3;

/** Returns a mesh of w x d unit squares. */
export function hall(w: number, d: number, isOpen?: (x: number, z: number) => boolean): NavMesh {
  return meshOf(gridTile(w, d, isOpen));
}

export interface Run {
  crowd: Crowd;
  /** Events with their ticks, in order. */
  events: { kind: string; agent: AgentId; tick: number }[];
}

export function startRun(mesh: NavMesh, options: CrowdOptions = {}): Run {
  return { crowd: createCrowd(mesh, { maxAgents: 128, ...options }), events: [] };
}

export function put({ crowd }: Run, point: Vector, options: AgentOptions = {}): AgentId {
  return addAgent(crowd, point, { radius: RADIUS, maxSpeed: 1.4, ...options });
}

/** Steps for so many seconds, or until `isDone`. Returns the seconds it took. */
export function run(target: Run, seconds: number, isDone?: () => boolean): number {
  const { crowd, events } = target;
  const from = crowd.tick;
  const ticks = Math.round(seconds / crowd.stepSeconds);
  while (crowd.tick - from < ticks && !(isDone?.() ?? false)) {
    stepCrowd(crowd);
    for (const { kind, agent } of listEvents(crowd)) events.push({ kind, agent, tick: crowd.tick });
  }
  return (crowd.tick - from) * crowd.stepSeconds;
}

export function info({ crowd }: Run, id: AgentId): AgentInfo {
  const agent = getAgent(crowd, id);
  if (agent === null) throw new Error(`there is no agent ${id}`);
  return agent;
}

/** Returns the speed in the last tick, world units per second. */
export function speed(target: Run, id: AgentId): number {
  const {
    velocity: [x, , z],
  } = info(target, id);
  return Math.hypot(x, z);
}

/** Returns the distance of an agent from a point, in the plane. */
export function distance(target: Run, id: AgentId, [x, , z]: Vector): number {
  const { position } = info(target, id);
  return Math.hypot(position[0] - x, position[2] - z);
}

export function eventsOf({ events }: Run, id: AgentId): string[] {
  return events.filter(({ agent }) => agent === id).map(({ kind }) => kind);
}

/** Returns the deepest overlap of any two of these agents, in radii. */
export function deepest(target: Run, ids: readonly AgentId[]): number {
  let deep = 0;
  ids.forEach((a, i) => {
    const { position } = info(target, a);
    for (const b of ids.slice(0, i))
      deep = Math.max(deep, (2 * RADIUS - distance(target, b, position as Vector)) / RADIUS);
  });
  return deep;
}
