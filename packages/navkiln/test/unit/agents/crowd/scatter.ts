/** Crowds made by hand, without a mesh, for tests of neighbors and separation. */
import { sleeping } from '../../../../src/agents/crowd/behaviors.ts';
import { createNavMesh } from '../../../../src/mesh/create.ts';
import type { AgentShape } from '../../../../src/mesh/types.ts';
import { staysSettled } from '../../../../src/agents/crowd/rest/settled-by.ts';
import { createAgentArrays } from '../../../../src/agents/crowd/state/layout.ts';
import { AVOID_ORCA, STATE_GROUND } from '../../../../src/agents/crowd/state/types.ts';
import type { Crowd } from '../../../../src/agents/crowd/state/types.ts';
import { AGENT } from '../../meshes.ts';

export interface Body {
  x: number;
  z: number;
  y?: number;
  radius?: number;
  height?: number;
  maxSpeed?: number;
  horizon?: number;
  priority?: number;
  layers?: number;
  mask?: number;
  flags?: number;
  avoidance?: number;
  status?: number;
  state?: number;
  velocity?: [number, number];
}

/** Puts a body into a slot. */
export function placeBody(crowd: Crowd, slot: number, body: Body): void {
  const { agents } = crowd;
  agents.state[slot] = body.state ?? STATE_GROUND;
  agents.status[slot] = body.status ?? 2;
  agents.flags[slot] = body.flags ?? 0;
  agents.avoidance[slot] = body.avoidance ?? AVOID_ORCA;
  agents.yieldTo[slot] = -1;
  agents.radius[slot] = body.radius ?? 0.4;
  agents.height[slot] = body.height ?? 1.8;
  agents.maxSpeed[slot] = body.maxSpeed ?? 1.4;
  agents.horizon[slot] = body.horizon ?? 2;
  agents.priority[slot] = body.priority ?? 0.5;
  agents.layers[slot] = body.layers ?? 1;
  agents.mask[slot] = body.mask ?? 0xffff;
  agents.position.set([body.x, body.y ?? 0, body.z], 3 * slot);
  agents.previous.set([body.x, body.y ?? 0, body.z], 3 * slot);
  agents.velocity.set(body.velocity ?? [0, 0], 2 * slot);
}

/** Returns a crowd with body k in slot slots[k], or in slot k, on an empty mesh. */
export function crowdOf(bodies: Body[], slots?: number[], shape: AgentShape = AGENT): Crowd {
  const slotCount = slots === undefined ? bodies.length : Math.max(...slots) + 1;
  const crowd = {
    mesh: createNavMesh({ agent: shape }),
    maxAgents: slotCount,
    agents: createAgentArrays(slotCount),
    active: new Int32Array(slotCount),
    thinking: new Int32Array(slotCount),
    stepSeconds: 1 / 60,
    tick: 0,
    behaviors: { ...sleeping, staysSettled },
  } as unknown as Crowd;
  bodies.forEach((body, k) => placeBody(crowd, slots?.[k] ?? k, body));
  crowd.slotCount = slotCount;
  crowd.agentCount = bodies.length;
  setActive(
    crowd,
    bodies.map((_, k) => slots?.[k] ?? k).sort((a, b) => a - b),
  );
  return crowd;
}

/** Sets the active slots, ascending, and makes it the turn of all. */
export function setActive(crowd: Crowd, slots: ArrayLike<number>): void {
  crowd.active.set(slots);
  crowd.thinking.set(slots);
  crowd.activeCount = crowd.thinkingCount = slots.length;
}

/** Returns xz per slot, where agents stand. */
export function placesOf(crowd: Crowd): Float64Array {
  const { position } = crowd.agents;
  return Float64Array.from({ length: 2 * crowd.maxAgents }, (_, k) => position[3 * (k >> 1) + (k & 1) * 2]);
}
