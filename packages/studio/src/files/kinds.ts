/**
 * The kinds of files that the studio opens. The extension and the first bytes of a file decide its kind. The
 * worker reads the file (bake/run-task.ts, by the id of the kind). README.md says how to add one.
 */

export interface FileKind {
  id: string;
  /** For messages: 'a glTF level'. */
  title: string;
  /** In lower case, with the dot. */
  extensions: readonly string[];
  /** Checks the first bytes. Needed where several kinds share an extension. */
  matches?: (head: Uint8Array) => boolean;
  /** Extensions of files that belong to it: buffers, tilesets. */
  companions?: readonly string[];
}

const letters = (head: Uint8Array): string => String.fromCharCode(...head.subarray(0, 4));
/** First bytes of files that are often given another extension by mistake, for messages. */
const SIGNATURES: readonly (readonly [start: string, title: string])[] = [
  ['\xff\xd8\xff', 'a JPEG picture'],
  ['\x89PNG', 'a PNG picture'],
  ['GIF8', 'a GIF picture'],
  ['RIFF', 'a WebP picture or a sound'],
  ['%PDF', 'a PDF document'],
  ['PK\x03\x04', 'a ZIP archive'],
  ['\x1f\x8b', 'a gzip archive'],
  ['Kaydara', 'an FBX model'],
  ['BLENDER', 'a Blender file'],
  ['<!DOCTYPE', 'a web page'],
  ['<html', 'a web page'],
];

/** Returns the kind of file that the first bytes indicate, or undefined. */
function signatureOf(head: Uint8Array): string | undefined {
  const text = String.fromCharCode(...head.subarray(0, 12));
  return SIGNATURES.find(([start]) => text.toLowerCase().startsWith(start.toLowerCase()))?.[1];
}

const isText = (head: Uint8Array): boolean => !head.includes(0) && signatureOf(head) === undefined;

const DETOUR = ['TESM', 'MSET', 'VAND', 'DNAV'];

/** Returns whether a file is a scene: it has a version and a list of levels. Settings and maps do not have both. */
function isScene(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head);
  return /^\s*\{/.test(text)
    ? /"levels"\s*:\s*\[/.test(text) && /"version"\s*:\s*\d/.test(text)
    : /^version\s*:/m.test(text);
}

const FILE_KINDS: readonly FileKind[] = [
  {
    id: 'gltf',
    title: 'a glTF level',
    extensions: ['.glb', '.gltf'],
    matches: (head) => signatureOf(head) === undefined,
    companions: ['.bin'],
  },
  { id: 'obj', title: 'an OBJ level', extensions: ['.obj'], matches: isText, companions: ['.mtl'] },
  { id: 'navmesh', title: 'a navigation mesh', extensions: ['.navmesh'] },
  {
    id: 'detour',
    title: 'a Detour mesh',
    extensions: ['.bin'],
    matches: (head) => DETOUR.includes(letters(head)),
  },
  {
    id: 'map',
    title: 'a 2D map',
    extensions: ['.geojson', '.tmj', '.tmx', '.svg', '.json'],
    matches: (head) => isText(head) && !isScene(head),
    companions: ['.tsj', '.tsx', '.tx', '.tj', '.json'],
  },
  // Read as a map, whose worker decodes it.
  { id: 'map', title: 'a mask of a 2D map', extensions: ['.png'], matches: (head) => head[0] === 0x89 },
  {
    id: 'scene',
    title: 'a scene',
    extensions: ['.yaml', '.yml', '.json'],
    matches: isScene,
    companions: ['.glb', '.gltf', '.bin', '.obj', '.mtl'],
  },
  { id: 'settings', title: 'settings', extensions: ['.yaml', '.yml'] },
];

export function kindById(id: string): FileKind | undefined {
  return FILE_KINDS.find((kind) => kind.id === id);
}

export const OPENED_EXTENSIONS: readonly string[] = [...new Set(FILE_KINDS.flatMap(({ extensions }) => extensions))];

/** Remedies for files that the studio cannot open. */
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
  '.tsx': 'drop it together with the map that names it',
  '.tsj': 'drop it together with the map that names it',
  '.tx': 'drop it together with the map that names it',
  '.gset': 'open the .obj file that it names',
  '.zip': 'unpack it and drop its files',
  '.mtl': 'drop the .obj file that it belongs to',
};

export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot).toLowerCase();
}

/** Returns a message for a file of an unknown kind, or whose content is not what its name says. */
export function unknownFile(name: string, head: Uint8Array = new Uint8Array(0)): string {
  if (FILE_KINDS.some(({ extensions }) => extensions.includes(extensionOf(name)))) {
    const content = signatureOf(head) ?? 'another kind of file';
    return `${name} is ${content}, whatever its name says: its content is not ${extensionOf(name)}. Export or copy it again.`;
  }
  const remedy = REMEDIES[extensionOf(name)];
  const known = `The studio opens ${OPENED_EXTENSIONS.join(', ')}.`;
  return `${name} ${remedy === undefined ? 'is not a file that the studio can open' : `cannot be read: ${remedy}`}. ${known}`;
}

/** Returns the kind of a file, or undefined. */
export function kindOfFile(name: string, head: Uint8Array): FileKind | undefined {
  const candidates = FILE_KINDS.filter(({ extensions }) => extensions.includes(extensionOf(name)));
  return candidates.find(({ matches }) => matches === undefined || matches(head));
}

/** Chooses the file to open; the others accompany it. Returns a message when none can be opened. */
export function chooseMain(
  files: readonly { name: string; head: Uint8Array }[],
): { index: number; kind: FileKind; others: number[] } | string {
  if (files.length === 0) return 'The drop contained no files.';
  const found = files.flatMap(({ name, head }, index) => {
    const kind = kindOfFile(name, head);
    return kind === undefined ? [] : [{ index, kind }];
  });
  // The main file is no companion of another one: the .gltf and not its .bin, the map and not its tileset.
  const main =
    found.find(({ index, kind }) =>
      found.every((other) => {
        const extension = extensionOf(files[index].name);
        const isCompanion = other.index !== index && other.kind.companions?.includes(extension) === true;
        return !isCompanion || kind.companions?.includes(extensionOf(files[other.index].name)) === true;
      }),
    ) ?? found[0];
  if (main !== undefined) {
    return { ...main, others: found.filter(({ index }) => index !== main.index).map(({ index }) => index) };
  }
  const [first] = files;
  if (extensionOf(first!.name) === '.bin') {
    return `${first!.name} is not a Detour mesh. If it belongs to a .gltf file, choose or drop both together.`;
  }
  return unknownFile(first!.name, first!.head);
}

export interface FileBytes {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}
