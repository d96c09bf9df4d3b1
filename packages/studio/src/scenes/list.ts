/** The bundled levels and maps by name. */
import { SCENES } from './table.ts';
import type { SceneEntry } from './list-scenes.ts';

export function findScene(name: string): SceneEntry | undefined {
  return SCENES.find((scene) => scene.name === name);
}
