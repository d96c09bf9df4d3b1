/** Writes files in the formats of save-kinds.ts. */
import { saveNavMesh } from 'navkiln';
import type { PolygonMap } from 'navkiln/polygon';
import { mapOf, planeOf } from '../state/state.ts';
import type { StudioState } from '../state/state.ts';
import type { View } from '../view/view.ts';
import type * as MapWriters from './map-text.ts';
import type { SaveId } from './save-kinds.ts';

const binary = (bytes: Uint8Array): Blob =>
  new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/octet-stream' });

/** Writers by format. They reject with messages for the user. */
export const WRITERS: Readonly<Record<SaveId, (state: StudioState, view: View) => Promise<Blob>>> = {
  navmesh: async ({ mesh }) => binary(saveNavMesh(mesh!.navMesh)),
  detour: async ({ mesh }) => binary((await import('navkiln/io')).writeDetourBin(mesh!.navMesh).bytes),
  glb: async ({ mesh }) => binary((await import('navkiln/io')).writeGlb(mesh!.navMesh)),
  obj: async ({ mesh }) => new Blob([(await import('navkiln/io')).writeObj(mesh!.navMesh)], { type: 'text/plain' }),
  settings: async (state) =>
    new Blob([await (await import('./settings-text.ts')).settingsText(state)], { type: 'text/yaml' }),
  async scene(state) {
    const { newSceneText, sceneText } = await import('./scene-text.ts');
    const { sceneFile, settings, edits } = state;
    const text = sceneFile === undefined ? newSceneText(state) : sceneText(sceneFile, settings, edits);
    return new Blob([text], { type: 'text/yaml' });
  },
  map: (state) => mapText(state, 'application/json', ({ mapJson }, map) => mapJson(map)),
  geojson: (state) => mapText(state, 'application/geo+json', ({ mapGeoJson }, map) => mapGeoJson(map)),
  svg: (state) =>
    mapText(state, 'image/svg+xml', ({ mapSvg }, map) => mapSvg(map, planeOf(state).mapYSign === 1 ? 'down' : 'up')),
  async picture(_state, view) {
    const blob = await view.capture();
    if (blob === undefined) throw new Error('A picture needs WebGL, which this browser does not provide.');
    return blob;
  },
};

async function mapText(
  state: StudioState,
  type: string,
  write: (writers: typeof MapWriters, map: PolygonMap) => string,
): Promise<Blob> {
  const map = mapOf(state);
  if (map === undefined) throw new Error('No 2D map is open.');
  return new Blob([write(await import('./map-text.ts'), map)], { type });
}
