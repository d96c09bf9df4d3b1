/** The registry of crowd scenes. */
import { cornerGoalScene } from './corner.ts';
import { evacuationScene, idleDoorScene, junctionScene, spawnPileScene } from './doors.ts';
import { chaseScene, storeysScene } from './floors.ts';
import { openFlowScene, roomsFlowScene, storeysFlowScene } from './flow.ts';
import { bottleneckScene, counterflowScene, linkJamScene, linkLandingScene } from './narrow.ts';
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
  linkLandingScene,
  townScene,
];

/**
 * Scenes with dense flow, also compared by throughput. In `spawn-pile`, all agents overlap at first; in the others
 * the crowd keeps its promises.
 */
export const denseCrowdScenes: readonly CrowdScene[] = [
  evacuationScene,
  openFlowScene,
  roomsFlowScene,
  storeysFlowScene,
  junctionScene,
  idleDoorScene,
  spawnPileScene,
  cornerGoalScene,
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
  evacuation: 80,
  'open-flow': 60,
  'rooms-flow': 60,
  'storeys-flow': 40,
  junction: 24,
  'idle-door': 24,
  'spawn-pile': 40,
  'corner-goal': 30,
  'link-landing': 20,
};

/** Returns the crowd scene of that name. Throws with the known names when there is none. */
export function findCrowdScene(name: string): CrowdScene {
  const scenes = [...crowdScenes, ...denseCrowdScenes];
  const scene = scenes.find((candidate) => candidate.name === name);
  if (scene === undefined) {
    throw new RangeError(`findCrowdScene: no scene '${name}'. There are: ${scenes.map((s) => s.name).join(', ')}.`);
  }
  return scene;
}
