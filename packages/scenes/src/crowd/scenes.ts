/** The registry of crowd scenes. */
import { chaseScene, storeysScene } from './floors.ts';
import { bottleneckScene, counterflowScene, linkJamScene } from './narrow.ts';
import { blocksScene, circleScene, crossroadsScene, sameGoalScene } from './open.ts';
import type { CrowdScene } from './scene.ts';
import { tileSwapScene, townScene } from './world.ts';

export const crowdScenes: readonly CrowdScene[] = [
  circleScene,
  blocksScene,
  crossroadsScene,
  bottleneckScene,
  counterflowScene,
  sameGoalScene,
  storeysScene,
  chaseScene,
  tileSwapScene,
  linkJamScene,
  townScene,
];

/** Agents per scene, few enough for `npm test`. The corridor and the ladder have their full numbers. */
export const REDUCED_AGENTS: Readonly<Record<string, number>> = {
  circle: 40,
  blocks: 40,
  crossroads: 48,
  bottleneck: 40,
  counterflow: 40,
  'same-goal': 60,
  storeys: 24,
  chase: 25,
  'tile-swap': 30,
  'link-jam': 40,
  town: 60,
};

/** Returns the crowd scene of that name. Throws with the known names when there is none. */
export function findCrowdScene(name: string): CrowdScene {
  const scene = crowdScenes.find((candidate) => candidate.name === name);
  if (scene === undefined) {
    throw new RangeError(
      `findCrowdScene: no scene '${name}'. There are: ${crowdScenes.map((s) => s.name).join(', ')}.`,
    );
  }
  return scene;
}
