/**
 * Saves the mesh in each format, settings for the command line, scenes, maps and screenshots. The writers are loaded with the
 * first file.
 */
import { hasScene } from '../state/scene.ts';
import { nameOfSource } from '../state/state.ts';
import type { StudioState } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import type { View } from '../view/view.ts';
import type { SaveKind } from './save-kinds.ts';

/** Returns whether the menu offers a format for what is open. */
export function isOffered(kind: SaveKind, state: StudioState): boolean {
  // The formats of maps have one plane.
  return kind.needs !== 'map' || (state.map !== undefined && state.map.levels === undefined);
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
