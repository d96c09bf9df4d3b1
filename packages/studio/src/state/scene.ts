/** Reads the scene of the state: that of the open file, or one that was made here. */
import type { SceneLevel } from 'navkiln-cli/scene';
import type { SceneContent } from './scene-content.ts';
import type { StudioState } from './state.ts';

export const NO_SCENE: SceneContent = { targets: [], agents: [] };

/** Returns the scene with its edits. */
export function sceneOf({ edits, sceneFile }: StudioState): SceneContent {
  return edits.scene ?? sceneFile?.content ?? NO_SCENE;
}

/** Returns whether there is something that a scene file would hold. */
export function hasScene({ edits, sceneFile }: StudioState): boolean {
  return sceneFile !== undefined || edits.scene !== undefined;
}

/** Returns the levels of the scene: by default the open one. */
export function levelsOf(state: StudioState): readonly SceneLevel[] {
  const { levels } = sceneOf(state);
  const { source } = state;
  if (levels !== undefined) return levels;
  if (source?.kind === 'scene') return [{ scene: source.name }];
  return source?.kind === 'files' ? [{ file: source.names[0] }] : [];
}

/** Returns whether the scene has other levels or placements than those that the open triangles were made of. */
export function hasOtherLevels(state: StudioState): boolean {
  const { level } = state;
  return level !== undefined && JSON.stringify(level.levels) !== JSON.stringify(sceneOf(state).levels);
}
