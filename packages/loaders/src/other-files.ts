/** Says what a file is that cannot be read as it is, and the step that helps. Runs in Node and in browsers. */
import { InputError } from './errors.ts';
import { LEVEL_EXTENSIONS, extensionOf } from './extensions.ts';

const BLENDER = 'open it in Blender (File, Import) and export it as glTF 2.0 (.glb)';

/** The step that turns a file with an extension into one that is read. */
const STEPS: Readonly<Record<string, string>> = {
  '.blend': 'open it in Blender and export it as glTF 2.0 (.glb)',
  '.tsx': 'is a tileset; pass the map (.tmx or .tmj) that uses it',
  '.mtl': 'has materials only; pass the .obj that names it',
  '.bin': 'has the buffers of a .gltf, or a mesh of Detour; pass the .gltf, or use navkiln inspect and convert',
  '.navmesh': 'is a baked mesh; use navkiln inspect, path and convert',
  '.zip': 'unpack it, and pass the level in it',
  '.gz': 'unpack it, and pass the level in it',
  '.7z': 'unpack it, and pass the level in it',
  '.rar': 'unpack it, and pass the level in it',
  '.vox': 'export it as .obj in the program that it comes from',
  '.unity': 'export the scene as glTF 2.0 (.glb) from Unity',
  '.tscn': 'export the scene as glTF 2.0 (.glb) from Godot (Scene, Export As)',
  '.umap': 'export the level as glTF 2.0 (.glb) from Unreal',
};
for (const extension of '.fbx .dae .stl .ply .3ds .abc .usd .usda .usdc .usdz .x3d .wrl'.split(' '))
  (STEPS as Record<string, string>)[extension] = BLENDER;

/** Returns the step that helps with a file of this extension; undefined for unknown ones. */
function stepFor(extension: string): string | undefined {
  return Object.hasOwn(STEPS, extension) ? STEPS[extension] : undefined;
}

/** Returns the extension of a level file in lower case. Throws an `InputError` when there is no reader for it. */
export function levelExtension(file: string): string {
  const extension = extensionOf(file);
  if (LEVEL_EXTENSIONS.includes(extension)) return extension;
  const kind = extension === '' ? 'a file without an extension' : `"${extension}"`;
  const known = `use ${LEVEL_EXTENSIONS.join(', ')}; 2D maps are .geojson, .tmx, .tmj, .svg, .png, .json`;
  const step = stepFor(extension);
  const advice = step === undefined ? known : `${step}; ${known}`;
  throw new InputError(`${file}: ${kind} is not a level format that navkiln reads; ${advice}`);
}

/** How to convert a glTF 1.0 file. */
export const UPGRADE: string =
  'convert it to glTF 2.0: npx gltf-pipeline -i OLD -o NEW.glb, or open it in a program that reads it and export it again';

/** First bytes of a pointer of Git LFS. */
const POINTER = 'version https://git-lfs.github.com/spec/';

/** Throws an `InputError` when the bytes are a pointer of Git LFS in place of a file. `label`: the name of the file in messages. */
export function refusePointer(bytes: Uint8Array, label: string): void {
  if (bytes.length > 1024 || bytes.length < POINTER.length) return;
  for (let i = 0; i < POINTER.length; i++) if (bytes[i] !== POINTER.charCodeAt(i)) return;
  const size = /\nsize (\d{1,15})\n?/.exec(new TextDecoder().decode(bytes))?.[1];
  const of = size === undefined ? 'a file' : `a file of ${size} bytes`;
  throw new InputError(
    `${label}: is a pointer of Git LFS to ${of}, not the file itself; run "git lfs install" and "git lfs pull" in its repository, ` +
      'or download the file itself',
  );
}
