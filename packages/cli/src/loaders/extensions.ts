/** File types by extension. Nothing here loads a reader. */
import { extname } from 'node:path';

const LEVELS: readonly string[] = ['.glb', '.gltf', '.obj'];
export const MAP_EXTENSIONS: readonly string[] = ['.geojson', '.tmj', '.json'];

export function isLevelFile(file: string): boolean {
  return LEVELS.includes(extname(file).toLowerCase());
}

export function isMapFile(file: string): boolean {
  return MAP_EXTENSIONS.includes(extname(file).toLowerCase());
}
