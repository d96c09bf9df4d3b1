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
