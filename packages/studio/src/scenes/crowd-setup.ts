/**
 * A crowd scene's setup: the same in the worker, which takes its level, and on the page, which takes its
 * agents.
 */
import { crowdScenes } from 'navkiln-scenes';
import type { CrowdSetup } from 'navkiln-scenes';
import { agentsOf } from './crowd-scenes.ts';

/** undefined: there is no crowd scene of that name. */
export function createSetup(
  name: string,
  seed: number | undefined,
  scale: number | undefined,
): { title: string; setup: CrowdSetup } | undefined {
  const scene = crowdScenes.find((one) => one.name === name);
  if (scene === undefined) return undefined;
  return { title: scene.title, setup: scene.create(seed, agentsOf(scene, scale)) };
}
