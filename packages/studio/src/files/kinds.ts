/**
 * Kinds of files that are opened. Which one a file is follows from its name and its first bytes; what reads it runs in the worker
 * (bake/run-task.ts, by the kind's id). Adding one: see README.md.
 */

export interface FileKind {
  id: string;
  /** For sentences: 'a glTF level'. */
  title: string;
  /** Lower case, with the dot. */
  extensions: readonly string[];
  /** Is it one, by what it begins with? Asked when several kinds have the extension. */
  matches?: (head: Uint8Array) => boolean;
  /** Files of these extensions come along: buffers, tilesets. */
  companions?: readonly string[];
}

const letters = (head: Uint8Array): string => String.fromCharCode(...head.subarray(0, 4));
const DETOUR = ['TESM', 'MSET', 'VAND', 'DNAV'];

/** A scene says its version, and which levels it has; settings and maps do not say both. */
function isScene(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head);
  return /^\s*\{/.test(text)
    ? /"levels"\s*:\s*\[/.test(text) && /"version"\s*:\s*\d/.test(text)
    : /^version\s*:/m.test(text);
}

const FILE_KINDS: readonly FileKind[] = [
  { id: 'gltf', title: 'a glTF level', extensions: ['.glb', '.gltf'], companions: ['.bin'] },
  { id: 'obj', title: 'an OBJ level', extensions: ['.obj'], companions: ['.mtl'] },
  { id: 'navmesh', title: 'a navigation mesh', extensions: ['.navmesh'] },
  {
    id: 'detour',
    title: "a mesh of Detour's",
    extensions: ['.bin'],
    matches: (head) => DETOUR.includes(letters(head)),
  },
  {
    id: 'map',
    title: 'a 2D map',
    extensions: ['.geojson', '.tmj', '.json'],
    matches: (head) => !isScene(head),
    companions: ['.tsj', '.tsx', '.json'],
  },
  {
    id: 'scene',
    title: 'a scene',
    extensions: ['.yaml', '.yml', '.json'],
    matches: isScene,
    companions: ['.glb', '.gltf', '.bin', '.obj', '.mtl'],
  },
  { id: 'settings', title: 'settings', extensions: ['.yaml', '.yml'] },
];

export const OPENED_EXTENSIONS: readonly string[] = [...new Set(FILE_KINDS.flatMap(({ extensions }) => extensions))];

/** Other files people try, and what to do about them. */
const REMEDIES: Readonly<Record<string, string>> = {
  '.fbx': 'export it as GLB (Blender: File, Export, glTF 2.0)',
  '.blend': 'export it as GLB (File, Export, glTF 2.0)',
  '.dae': 'export it as GLB',
  '.stl': 'export it as OBJ or GLB',
  '.ply': 'export it as OBJ or GLB',
  '.usdz': 'export it as GLB',
  '.usd': 'export it as GLB',
  '.3ds': 'export it as OBJ or GLB',
  '.max': 'export it as OBJ or GLB',
  '.tmx': 'save the map as JSON (.tmj) in Tiled',
  '.gset': 'open the .obj it names',
  '.zip': 'unpack it and drop what is in it',
  '.mtl': 'drop the .obj it belongs to',
};

export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot).toLowerCase();
}

/** A sentence for a file that is of no kind. */
export function unknownFile(name: string): string {
  const remedy = REMEDIES[extensionOf(name)];
  const known = `The studio opens ${OPENED_EXTENSIONS.join(', ')}.`;
  return `${name} ${remedy === undefined ? 'is of no kind the studio knows' : `cannot be read: ${remedy}`}. ${known}`;
}

/** The kind of a file, undefined: none. */
export function kindOfFile(name: string, head: Uint8Array): FileKind | undefined {
  const candidates = FILE_KINDS.filter(({ extensions }) => extensions.includes(extensionOf(name)));
  return candidates.find(({ matches }) => matches === undefined || matches(head));
}

/** Of dropped files the one to open, and its kind; the others come along. A sentence: there is none. */
export function chooseMain(
  files: readonly { name: string; head: Uint8Array }[],
): { index: number; kind: FileKind } | string {
  if (files.length === 0) return 'There was no file in what was dropped.';
  const found = files.flatMap(({ name, head }, index) => {
    const kind = kindOfFile(name, head);
    return kind === undefined ? [] : [{ index, kind }];
  });
  // Of several the one that is no companion of another: the .gltf, not its .bin; the map, not its tileset.
  const main =
    found.find(({ index, kind }) =>
      found.every((other) => {
        const extension = extensionOf(files[index].name);
        const isCompanion = other.index !== index && other.kind.companions?.includes(extension) === true;
        return !isCompanion || kind.companions?.includes(extensionOf(files[other.index].name)) === true;
      }),
    ) ?? found[0];
  if (main !== undefined) return main;
  const [first] = files;
  if (extensionOf(first!.name) === '.bin') {
    return `${first!.name} is no mesh of Detour's. If it belongs to a .gltf, choose or drop both together.`;
  }
  return unknownFile(first!.name);
}
