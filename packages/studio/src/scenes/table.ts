/**
 * The bundled levels and maps with their titles and example paths. The build replaces this file with the list itself
 * (vite.config.ts), so that the page does not load the code that creates them.
 */
import { listScenes } from './list-scenes.ts';
import type { SceneEntry } from './list-scenes.ts';

export const SCENES: readonly SceneEntry[] = listScenes();
