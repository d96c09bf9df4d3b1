/** Lists the bundled levels and maps. */
import { levelScenes, mapScenes } from 'navkiln-scenes';
import { mapToMesh } from 'navkiln/polygon';

type Point = readonly [number, number, number];

export interface SceneEntry {
  name: string;
  kind: 'level' | 'map';
  title: string;
  path: { from: Point; to: Point };
}

/** How the maps lie in the plane of their meshes: all of them have y up. */
const Y_UP = { mapYSign: -1 } as const;

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
      path: { from: mapToMesh(Y_UP, from), to: mapToMesh(Y_UP, to) },
    })),
  ];
}
