/** Creates the setup of a crowd scene. The worker uses its level, and the page uses its agents. */
import { crowdScenes } from 'navkiln-scenes';
import type { CrowdSetup } from 'navkiln-scenes';
import { agentsOf } from './crowd-scenes.ts';

/** Returns undefined when there is no crowd scene of that name. */
export function createSetup(
  name: string,
  seed: number | undefined,
  scale: number | undefined,
): { title: string; setup: CrowdSetup } | undefined {
  const scene = crowdScenes.find((entry) => entry.name === name);
  if (scene === undefined) return undefined;
  return { title: scene.title, setup: scene.create(seed, agentsOf(scene, scale)) };
}
