/** Lists the bundled levels and maps. */
import { levelScenes, mapScenes } from 'navkiln-scenes';

type Point = readonly [number, number, number];

export interface SceneEntry {
  name: string;
  kind: 'level' | 'map';
  title: string;
  path: { from: Point; to: Point };
}

export function listScenes(): SceneEntry[] {
  return [
    ...levelScenes.map(({ name, title, path: { from, to } }): SceneEntry => ({
      name,
      kind: 'level',
      title,
      path: { from, to },
    })),
    ...mapScenes.map(({ name, title, path: { from, to } }): SceneEntry => ({
      name,
      kind: 'map',
      title,
      path: { from: [from[0], 0, from[1]], to: [to[0], 0, to[1]] },
    })),
  ];
}
