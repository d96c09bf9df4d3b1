/** The bundled levels and maps by name, and sorted for the menu. */
import type { SceneEntry } from './list-scenes.ts';
import { SCENES } from './table.ts';

/** Levels that show a limit of the bake. They have a heading of their own. */
const TESTS = ['soup', 'stair-limits', 'slope-limits', 'headroom-limits', 'single-triangle', 'one-cell', 'two-cells'];

export type SceneGroup = 'levels' | 'maps' | 'tests';

export function scenesOf(group: SceneGroup): SceneEntry[] {
  return SCENES.filter(
    ({ name, kind }) => (TESTS.includes(name) ? 'tests' : kind === 'level' ? 'levels' : 'maps') === group,
  );
}

export function findScene(name: string): SceneEntry | undefined {
  return SCENES.find((scene) => scene.name === name);
}
