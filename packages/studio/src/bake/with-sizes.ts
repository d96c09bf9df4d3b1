/** Adds the agent types of a task to the options of its bake. */
import { createAgentSizes } from 'navkiln/build';
import type { BuildOptions } from 'navkiln/build';
import type { Settings } from '../state/state.ts';

export function withSizes(options: BuildOptions, { agentTypes }: Pick<Settings, 'agentTypes'>): BuildOptions {
  return agentTypes === undefined ? options : { ...options, sizes: createAgentSizes(agentTypes) };
}
