/** Creates the setup of a crowd scene. The worker uses its level, and the page uses its agents. */
import { crowdScenes } from 'navkiln-scenes';
import type { CrowdSetup } from 'navkiln/debug';
import { VILLAGE, agentsOf } from './crowd-scenes.ts';
import { villageSetup } from './village.ts';

/** Returns undefined when there is no crowd scene of that name. */
export function createSetup(
  name: string,
  seed: number | undefined,
  scale: number | undefined,
): { title: string; setup: CrowdSetup & { level: { colors?: Uint8Array } } } | undefined {
  if (name === VILLAGE.name) return { title: VILLAGE.title, setup: villageSetup(seed, agentsOf(VILLAGE, scale)) };
  const scene = crowdScenes.find((entry) => entry.name === name);
  if (scene === undefined) return undefined;
  return { title: scene.title, setup: scene.create(seed, agentsOf(scene, scale)) };
}
