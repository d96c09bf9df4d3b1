/** The registry of 2D maps for tests, benchmarks, pictures and the command line. */
import type { MapScene } from './map-scene.ts';
import {
  coastMapScene,
  combMapScene,
  gridMapScene,
  lakesMapScene,
  rubbleMapScene,
  shapesMapScene,
  spiralMapScene,
} from './random-maps.ts';
import { rectangleScene, sixteenCornersScene, twentyFiveCornersScene } from './tutorial-maps.ts';

export const mapScenes: readonly MapScene[] = [
  sixteenCornersScene,
  twentyFiveCornersScene,
  rectangleScene,
  gridMapScene,
  shapesMapScene,
  rubbleMapScene,
  coastMapScene,
  spiralMapScene,
  combMapScene,
  lakesMapScene,
];

/** Returns the map scene of that name. Throws with the known names when there is none. */
export function findMapScene(name: string): MapScene {
  const scene = mapScenes.find((candidate) => candidate.name === name);
  if (scene === undefined) {
    throw new RangeError(`findMapScene: no map '${name}'. There are: ${mapScenes.map((s) => s.name).join(', ')}.`);
  }
  return scene;
}
