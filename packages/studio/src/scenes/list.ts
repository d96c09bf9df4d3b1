/** The bundled scenes with their titles and example paths. */
import { levelScenes, mapScenes } from 'navkiln-scenes';
import type { Vec3 } from '../state/state.ts';

export interface SceneEntry {
  name: string;
  kind: 'level' | 'map';
  title: string;
  path: { from: Vec3; to: Vec3 };
}

export const SCENES: readonly SceneEntry[] = [
  ...levelScenes.map(({ name, title, path }): SceneEntry => ({ name, kind: 'level', title, path })),
  ...mapScenes.map(({ name, title, path: { from, to } }): SceneEntry => ({
    name,
    kind: 'map',
    title,
    path: { from: [from[0], 0, from[1]], to: [to[0], 0, to[1]] },
  })),
];

export function findScene(name: string): SceneEntry | undefined {
  return SCENES.find((scene) => scene.name === name);
}
