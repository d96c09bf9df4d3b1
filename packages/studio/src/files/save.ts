/**
 * The formats in which the studio saves: the mesh, settings for the command line, scenes, maps and screenshots. A new
 * format is an entry in `SAVE_KINDS` and a writer in write.ts, which is loaded with the first file.
 */
import { hasScene } from '../state/scene.ts';
import { nameOfSource } from '../state/state.ts';
import type { StudioState } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import type { View } from '../view/view.ts';

export type SaveId =
  | 'navmesh'
  | 'detour'
  | 'glb'
  | 'obj'
  | 'settings'
  | 'scene'
  | 'map'
  | 'geojson'
  | 'svg'
  | 'picture';

export interface SaveKind {
  id: SaveId;
  title: string;
  /** The purpose of the file. */
  help: string;
  /** With the dot. */
  extension: string;
  needs: 'mesh' | 'settings' | 'scene' | 'map' | 'view';
}

export const SAVE_KINDS: readonly SaveKind[] = [
  { id: 'navmesh', title: 'Mesh', help: 'For loadNavMesh and the command line', extension: '.navmesh', needs: 'mesh' },
  {
    id: 'detour',
    title: 'Mesh for Detour',
    help: 'For RecastDemo and recast-navigation',
    extension: '.bin',
    needs: 'mesh',
  },
  { id: 'glb', title: 'Mesh as a model', help: 'For Blender and three.js', extension: '.glb', needs: 'mesh' },
  { id: 'obj', title: 'Mesh as OBJ', help: 'Polygons as text', extension: '.obj', needs: 'mesh' },
  { id: 'settings', title: 'Settings', help: 'For navkiln bake --config', extension: '.yaml', needs: 'settings' },
  {
    id: 'scene',
    title: 'Scene',
    help: 'Levels, targets and agents, for navkiln crowd',
    extension: '.yaml',
    needs: 'scene',
  },
  {
    id: 'map',
    title: 'Map',
    help: 'Outlines, holes, obstacles and areas for navkiln bake',
    extension: '.json',
    needs: 'map',
  },
  { id: 'geojson', title: 'Map as GeoJSON', help: 'For QGIS and web maps', extension: '.geojson', needs: 'map' },
  { id: 'svg', title: 'Map as SVG', help: 'For drawing programs; opens here again', extension: '.svg', needs: 'map' },
  { id: 'picture', title: 'Picture', help: 'The current view', extension: '.png', needs: 'view' },
];

/** Returns whether the menu offers a format for what is open. */
export function isOffered(kind: SaveKind, state: StudioState): boolean {
  return kind.needs !== 'map' || state.map !== undefined;
}

export function canSave(kind: SaveKind, state: StudioState, view: View): boolean {
  if (kind.needs === 'mesh') return state.mesh !== undefined;
  if (kind.needs === 'scene') return hasScene(state);
  return kind.needs === 'view' ? view.trouble === undefined : true;
}

/** Returns a file name such as 'dungeon.navmesh'. */
function fileNameOf(kind: SaveKind, { source, sceneFile }: StudioState): string {
  if (kind.needs === 'scene' && sceneFile !== undefined)
    return sceneFile.name.slice(sceneFile.name.lastIndexOf('/') + 1);
  const sourceName = source === undefined ? 'navkiln' : nameOfSource(source);
  const last = sourceName.slice(sourceName.lastIndexOf('/') + 1);
  const stem = last.replace(/\.[^.]*$/, '');
  // Settings have the same extension.
  return `${kind.needs === 'scene' ? `${stem}-scene` : stem}${kind.extension}`;
}

/** Creates the file and starts its download. Returns its name. Rejects with a message for the user. */
export async function saveAs(kind: SaveKind, store: Store, view: View): Promise<string> {
  const state = store.get();
  const { WRITERS } = await import('./write.ts');
  const blob = await WRITERS[kind.id](state, view);
  const name = fileNameOf(kind, state);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return name;
}
