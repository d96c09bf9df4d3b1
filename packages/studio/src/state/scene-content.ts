/** The content of a scene file besides its settings, volumes and links. */
import type { SceneAgent, SceneFile, SceneLevel, SceneTarget } from 'navkiln-cli/scene';

export interface SceneContent {
  /** The levels with their placements; undefined: the open level as it is. */
  levels?: readonly SceneLevel[];
  /** Default 'voxel'. */
  build?: SceneFile['build'];
  /** Settings of `build: surface`. */
  surface?: NonNullable<SceneFile['bake']>['surface'];
  targets: readonly SceneTarget[];
  agents: readonly SceneAgent[];
  /** Duration of the run. */
  seconds?: number;
  seed?: number;
}
