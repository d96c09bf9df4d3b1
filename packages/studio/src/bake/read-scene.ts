/** A scene file and the files it names -> all its levels in their places as one, and the settings and edits it asks for. */
import { isMirrored, placePositions, placementMatrix } from 'navkiln/world';
import { levelScenes } from 'navkiln-scenes';
import { InputError, parseSceneText } from 'navkiln-cli/scene';
import type { SceneDocument } from 'navkiln-cli/scene';
import type { Edits, SceneFileData, Settings } from '../app/state.ts';
import { sceneEdits, sceneSettings } from '../files/scene-text.ts';
import type { FileBytes } from './protocol.ts';

export interface ReadScene {
  positions: Float64Array;
  indices: Uint32Array;
  settings: Settings;
  edits: Pick<Edits, 'volumes' | 'links'>;
  sceneFile: SceneFileData;
  title: string;
  warnings: string[];
}

type Triangles = { positions: ArrayLike<number>; indices: Uint32Array; warnings?: readonly { message: string }[] };

/** `readLevel` reads one of the files. Throws a sentence with line, column and remedy. */
export async function readScene(
  main: FileBytes,
  files: readonly FileBytes[],
  readLevel: (file: FileBytes) => Promise<Triangles>,
): Promise<ReadScene> {
  const text = new TextDecoder().decode(main.bytes);
  const document = parseSceneText(text, main.name);
  const { scene } = document;
  const warnings: string[] = [];
  if (scene.build === 'surface') {
    warnings.push(`${main.name} asks for its triangles as they are (build: surface); the studio bakes them by voxels.`);
  }
  const levels: Triangles[] = [];
  for (let i = 0; i < scene.levels.length; i++) {
    const { file, scene: bundled, position, rotation, scale, swapYZ } = scene.levels[i];
    const label = `${document.placeOf(['levels', i])} levels[${i}] (${file ?? bundled})`;
    const read =
      file === undefined
        ? bundledLevel(document, i, label)
        : await readLevel(besideScene(files, file, label)).catch((error: unknown) => {
            throw new InputError(`${label}: ${error instanceof Error ? error.message : String(error)}`);
          });
    for (const { message } of read.warnings ?? []) warnings.push(`${label}: ${message}`);
    let matrix;
    try {
      matrix = placementMatrix({ position, rotation, scale, swapYZ }, 'placement');
    } catch (error) {
      throw new InputError(`${label}: ${(error as Error).message.replace(/^placement: (placement\.)?/, '')}`);
    }
    const indices = isMirrored(matrix) ? turnedRound(read.indices) : read.indices;
    levels.push({ positions: placePositions(read.positions, matrix), indices });
  }
  const sceneFile = { name: main.name, text };
  const title = scene.title ?? main.name;
  return { ...join(levels), settings: sceneSettings(scene), edits: sceneEdits(scene), sceneFile, title, warnings };
}

function bundledLevel(document: SceneDocument, index: number, label: string): Triangles {
  const name = document.scene.levels[index].scene!;
  const found = levelScenes.find((one) => one.name === name);
  const known = levelScenes.map((one) => one.name).join(', ');
  if (found === undefined) throw new InputError(`${label}: there is no bundled level "${name}"; there are ${known}`);
  return found.create();
}

/** Files that are dropped have no folders: the last part of a path names them. */
function besideScene(files: readonly FileBytes[], path: string, label: string): FileBytes {
  const last = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const found = files.find(({ name }) => name === path) ?? files.find(({ name }) => name === last);
  if (found === undefined) throw new InputError(`${label}: the file is missing; drop it together with the scene`);
  return found;
}

function turnedRound(indices: Uint32Array): Uint32Array {
  const out = indices.slice();
  for (let i = 0; i + 2 < out.length; i += 3) [out[i + 1], out[i + 2]] = [indices[i + 2], indices[i + 1]];
  return out;
}

function join(levels: readonly Triangles[]): { positions: Float64Array; indices: Uint32Array } {
  const positions = new Float64Array(levels.reduce((sum, level) => sum + level.positions.length, 0));
  const indices = new Uint32Array(levels.reduce((sum, level) => sum + level.indices.length, 0));
  let [coordinate, corner] = [0, 0];
  for (const level of levels) {
    positions.set(level.positions, coordinate);
    for (let i = 0; i < level.indices.length; i++) indices[corner + i] = level.indices[i] + coordinate / 3;
    coordinate += level.positions.length;
    corner += level.indices.length;
  }
  return { positions, indices };
}
