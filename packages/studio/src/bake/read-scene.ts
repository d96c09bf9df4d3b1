/**
 * Reads a scene file and the files it names: joins its levels into one, and returns its settings and edits.
 */
import { InputError, parseSceneText } from 'navkiln-cli/scene';
import type { SceneDocument } from 'navkiln-cli/scene';
import { levelScenes } from 'navkiln-scenes';
import { isMirrored, orientTwoSided, placePositions, placementMatrix } from 'navkiln/world';
import { findBeside } from '../files/beside.ts';
import type { FileBytes } from '../files/kinds.ts';
import { sceneEdits, sceneSettings } from '../files/scene-text.ts';
import type { Edits, SceneFileData, Settings } from '../state/state.ts';

export interface ReadScene {
  positions: Float64Array;
  indices: Uint32Array;
  settings: Settings;
  edits: Pick<Edits, 'volumes' | 'links'>;
  sceneFile: SceneFileData;
  title: string;
  warnings: string[];
}

type Triangles = {
  positions: ArrayLike<number>;
  indices: Uint32Array;
  twoSided?: Uint8Array;
  warnings?: readonly { message: string }[];
};

/** Reads a scene; `readLevel` reads one level file. Throws an error with line, column and remedy. */
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
    warnings.push(
      `${main.name} asks for a mesh of its own triangles (build: surface); the studio bakes voxels instead.`,
    );
  }
  const levels: Triangles[] = [];
  for (let i = 0; i < scene.levels.length; i++) {
    const { file, scene: bundled, position, rotation, scale, swapYZ, twoSided } = scene.levels[i];
    const label = `${document.placeOf(['levels', i])} levels[${i}] (${file ?? bundled})`;
    const read =
      file === undefined
        ? bundledLevel(document, i, label)
        : await readLevel(besideScene(files, main.name, file, label)).catch((error: unknown) => {
            throw new InputError(`${label}: ${error instanceof Error ? error.message : String(error)}`);
          });
    for (const { message } of read.warnings ?? []) warnings.push(`${label}: ${message}`);
    let matrix;
    try {
      matrix = placementMatrix({ position, rotation, scale, swapYZ }, 'placement');
    } catch (error) {
      throw new InputError(`${label}: ${(error as Error).message.replace(/^placement: (placement\.)?/, '')}`);
    }
    const indices = isMirrored(matrix) ? reversed(read.indices) : read.indices;
    const positions = placePositions(read.positions, matrix);
    levels.push({ positions, indices: orientTwoSided(positions, indices, twoSided ?? read.twoSided) });
  }
  const sceneFile = { name: main.name, text };
  const title = scene.title ?? main.name;
  return { ...join(levels), settings: sceneSettings(scene), edits: sceneEdits(scene), sceneFile, title, warnings };
}

function bundledLevel(document: SceneDocument, index: number, label: string): Triangles {
  const name = document.scene.levels[index].scene!;
  const found = levelScenes.find((scene) => scene.name === name);
  const known = levelScenes.map((scene) => scene.name).join(', ');
  if (found === undefined) throw new InputError(`${label}: there is no bundled level "${name}"; choose from ${known}`);
  return found.create();
}

/** Finds a file that a scene names. */
function besideScene(files: readonly FileBytes[], main: string, path: string, label: string): FileBytes {
  const found = findBeside(files, main, path);
  if (found === undefined) throw new InputError(`${label}: the file is missing; drop it together with the scene`);
  return found;
}

/** Reverses the winding of all triangles. */
function reversed(indices: Uint32Array): Uint32Array {
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
