/** The registry of level scenes for tests, benchmarks, pictures and the command line. */
import { cavesScene } from './caves.ts';
import { cityScene } from './city.ts';
import { courtyardScene } from './courtyard.ts';
import { dungeonScene } from './dungeon.ts';
import { houseScene } from './house.ts';
import { islandsScene } from './islands.ts';
import {
  headroomLimitsScene,
  oneCellScene,
  singleTriangleScene,
  slopeLimitsScene,
  stairLimitsScene,
  twoCellsScene,
} from './limits.ts';
import { soupScene } from './pathological.ts';
import type { LevelScene } from './scene.ts';
import { coarseTerrainScene, detailTerrainScene, terrainScene } from './terrain.ts';
import { towerScene } from './tower.ts';

export { REDUCED_AGENTS, crowdScenes, denseCrowdScenes, findCrowdScene } from './crowd/scenes.ts';
export type {
  CrowdScene,
  CrowdSceneAgent,
  CrowdSceneLink,
  CrowdSceneOptions,
  CrowdSceneStep,
  CrowdSceneTweaks,
  CrowdSetup,
} from './crowd/scene.ts';
export { findMapScene, mapScenes } from './maps.ts';
export type { MapPoint, MapScene, SceneMap } from './map-scene.ts';
export { RANDOM_LEVEL_KINDS, randomLevel } from './random-levels/random-level.ts';
export type { RandomLevel, RandomLevelKind } from './random-levels/random-level.ts';
export type { RandomLevelAgent } from './random-levels/sketch.ts';
export type { RandomWalk } from './random-levels/walks.ts';
export type { LevelMesh, LevelScene, LevelSceneOptions, Point } from './scene.ts';

export const levelScenes: readonly LevelScene[] = [
  dungeonScene,
  terrainScene,
  coarseTerrainScene,
  detailTerrainScene,
  cityScene,
  towerScene,
  houseScene,
  cavesScene,
  islandsScene,
  courtyardScene,
  soupScene,
  stairLimitsScene,
  slopeLimitsScene,
  headroomLimitsScene,
  singleTriangleScene,
  oneCellScene,
  twoCellsScene,
];

/** Returns the level scene of that name. Throws with the known names when there is none. */
export function findLevelScene(name: string): LevelScene {
  const scene = levelScenes.find((candidate) => candidate.name === name);
  if (scene === undefined) {
    throw new RangeError(
      `findLevelScene: no scene '${name}'. There are: ${levelScenes.map((s) => s.name).join(', ')}.`,
    );
  }
  return scene;
}
