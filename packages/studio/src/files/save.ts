/**
 * Saves the mesh in each format, settings for the command line, and screenshots. A new kind is an entry in
 * `SAVE_KINDS`.
 */
import { saveNavMesh } from 'navkiln';
import type { PolygonMap } from 'navkiln/polygon';
import type * as MapWriters from './map-text.ts';
import { hasScene } from '../state/scene.ts';
import { mapOf, nameOfSource, planeOf } from '../state/state.ts';
import type { StudioState } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import type { View } from '../view/view.ts';

export interface SaveKind {
  id: string;
  title: string;
  /** The purpose of the file. */
  help: string;
  /** With the dot. */
  extension: string;
  needs: 'mesh' | 'settings' | 'scene' | 'map' | 'view';
  make: (state: StudioState, view: View) => Promise<Blob>;
}

const binary = (bytes: Uint8Array): Blob =>
  new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/octet-stream' });

export const SAVE_KINDS: readonly SaveKind[] = [
  {
    id: 'navmesh',
    title: 'Mesh',
    help: 'For loadNavMesh and the command line',
    extension: '.navmesh',
    needs: 'mesh',
    make: async ({ mesh }) => binary(saveNavMesh(mesh!.navMesh)),
  },
  {
    id: 'detour',
    title: 'Mesh for Detour',
    help: 'For RecastDemo and recast-navigation',
    extension: '.bin',
    needs: 'mesh',
    make: async ({ mesh }) => binary((await import('navkiln/io')).writeDetourBin(mesh!.navMesh).bytes),
  },
  {
    id: 'glb',
    title: 'Mesh as a model',
    help: 'For Blender and three.js',
    extension: '.glb',
    needs: 'mesh',
    make: async ({ mesh }) => binary((await import('navkiln/io')).writeGlb(mesh!.navMesh)),
  },
  {
    id: 'obj',
    title: 'Mesh as OBJ',
    help: 'Polygons as text',
    extension: '.obj',
    needs: 'mesh',
    make: async ({ mesh }) => new Blob([(await import('navkiln/io')).writeObj(mesh!.navMesh)], { type: 'text/plain' }),
  },
  {
    id: 'settings',
    title: 'Settings',
    help: 'For navkiln bake --config',
    extension: '.yaml',
    needs: 'settings',
    make: async (state) =>
      new Blob([await (await import('./settings-text.ts')).settingsText(state)], { type: 'text/yaml' }),
  },
  {
    id: 'scene',
    title: 'Scene',
    help: 'Levels, targets and agents, for navkiln crowd',
    extension: '.yaml',
    needs: 'scene',
    async make(state) {
      const { newSceneText, sceneText } = await import('./scene-text.ts');
      const { sceneFile, settings, edits } = state;
      const text = sceneFile === undefined ? newSceneText(state) : sceneText(sceneFile, settings, edits);
      return new Blob([text], { type: 'text/yaml' });
    },
  },
  {
    id: 'map',
    title: 'Map',
    help: 'Outlines, holes, obstacles and areas for navkiln bake',
    extension: '.json',
    needs: 'map',
    make: (state) => mapText(state, 'application/json', ({ mapJson }, map) => mapJson(map)),
  },
  {
    id: 'geojson',
    title: 'Map as GeoJSON',
    help: 'For QGIS and web maps',
    extension: '.geojson',
    needs: 'map',
    make: (state) => mapText(state, 'application/geo+json', ({ mapGeoJson }, map) => mapGeoJson(map)),
  },
  {
    id: 'svg',
    title: 'Map as SVG',
    help: 'For drawing programs; opens here again',
    extension: '.svg',
    needs: 'map',
    make: (state) =>
      mapText(state, 'image/svg+xml', ({ mapSvg }, map) => mapSvg(map, planeOf(state).mapYSign === 1 ? 'down' : 'up')),
  },
  {
    id: 'picture',
    title: 'Picture',
    help: 'The current view',
    extension: '.png',
    needs: 'view',
    async make(_state, view) {
      const blob = await view.capture();
      if (blob === undefined) throw new Error('A picture needs WebGL, which this browser does not provide.');
      return blob;
    },
  },
];

async function mapText(
  state: StudioState,
  type: string,
  write: (writers: typeof MapWriters, map: PolygonMap) => string,
): Promise<Blob> {
  const map = mapOf(state);
  if (map === undefined) throw new Error('No 2D map is open.');
  return new Blob([write(await import('./map-text.ts'), map)], { type });
}

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
  const blob = await kind.make(state, view);
  const name = fileNameOf(kind, state);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return name;
}
