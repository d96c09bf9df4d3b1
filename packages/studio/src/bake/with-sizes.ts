/** Adds the agent types of a task to the options of its bake, or to the mesh. */
import { setAgentTypes } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { createAgentSizes } from 'navkiln/build';
import type { AgentSize, BuildSettings } from 'navkiln/build';
import type { Settings } from '../state/state.ts';

export function withSizes(options: BuildSettings, { agentTypes }: Pick<Settings, 'agentTypes'>): BuildSettings {
  return agentTypes === undefined ? options : { ...options, sizes: createAgentSizes(agentTypes) };
}

const BODY = ['radius', 'height', 'maxClimb', 'maxSlopeDegrees'] as const;

/** Keeps types in a mesh of one agent. Throws an error if their bodies differ. */
export function keepTypes(navMesh: NavMesh, types: readonly AgentSize[] = []): void {
  const key = BODY.find((one) => types.some((type) => type[one] !== types[0][one]));
  if (key !== undefined)
    throw new Error(`This mesh has one agent, so all agent types need the same ${key}. Change one to set it for all.`);
  if (types.length === 0) return;
  const rules = types.map(({ radius: _, height: __, maxClimb: ___, maxSlopeDegrees: ____, ...rest }) => rest);
  setAgentTypes(navMesh, rules);
}
