/** The formats in which the studio saves. A new format is an entry here and a writer in write.ts. */

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
