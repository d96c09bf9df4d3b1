/** File types by extension. Nothing here loads a reader, and nothing needs Node. */
export const LEVEL_EXTENSIONS: readonly string[] = ['.glb', '.gltf', '.obj'];
export const MAP_EXTENSIONS: readonly string[] = ['.geojson', '.tmj', '.tmx', '.svg', '.png', '.json'];

/** Returns the extension of a file in lower case, with its dot; '' when it has none. */
export function extensionOf(file: string): string {
  return (/\.[^./\\]*$/.exec(file)?.[0] ?? '').toLowerCase();
}

export function isLevelFile(file: string): boolean {
  return LEVEL_EXTENSIONS.includes(extensionOf(file));
}

export function isMapFile(file: string): boolean {
  return MAP_EXTENSIONS.includes(extensionOf(file));
}
