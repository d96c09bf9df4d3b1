/**
 * Reads a scene file and the files it names, and joins placed levels into one.
 */
import { InputError, parseSceneText } from 'navkiln-cli/scene';
import type { SceneLevel } from 'navkiln-cli/scene';
import { levelScenes } from 'navkiln-scenes';
import { isMirrored, orientTwoSided, placePositions, placementMatrix } from 'navkiln/world';
import { findBeside } from '../files/beside.ts';
import type { FileBytes } from '../files/kinds.ts';
import { sceneContent, sceneEdits, sceneSettings } from '../files/scene-text.ts';
import { messageOf } from '../state/message-of.ts';
import type { Edits, SceneFileData, Settings } from '../state/state.ts';

/** Placed levels, joined. */
export interface PlacedLevels {
  positions: Float64Array;
  indices: Uint32Array;
  levels: readonly SceneLevel[];
  /** Indices at which each level begins. */
  starts: number[];
  warnings: string[];
}

export interface ReadScene extends PlacedLevels {
  settings: Settings;
  edits: Pick<Edits, 'volumes' | 'links'>;
  sceneFile: SceneFileData;
  title: string;
}

interface Triangles {
  positions: ArrayLike<number>;
  indices: Uint32Array;
  twoSided?: Uint8Array;
  warnings?: readonly { message: string }[];
}

type ReadLevel = (file: FileBytes) => Promise<Triangles>;

/** Reads a scene; `readLevel` reads one level file. Throws an error with line, column and remedy. */
export async function readScene(
  main: FileBytes,
  files: readonly FileBytes[],
  readLevel: ReadLevel,
): Promise<ReadScene> {
  const text = new TextDecoder().decode(main.bytes);
  const document = parseSceneText(text, main.name);
  const { scene } = document;
  const labelOf = (index: number): string => `${document.placeOf(['levels', index])} ${nameOf(scene.levels, index)}`;
  const placed = await placeLevels(scene.levels, { labelOf, from: main.name, files, readLevel });
  const sceneFile = { name: main.name, text, content: sceneContent(scene) };
  const title = scene.title ?? main.name;
  return { ...placed, settings: sceneSettings(scene), edits: sceneEdits(scene), sceneFile, title };
}

interface LevelSources {
  /** Returns the name of a level in messages. */
  labelOf?: (index: number) => string;
  /** The file whose folder paths of levels are relative to. */
  from: string;
  files: readonly FileBytes[];
  readLevel: ReadLevel;
}

/** Reads levels and places them. Throws an `InputError` that names the level. */
export async function placeLevels(
  levels: readonly SceneLevel[],
  { labelOf = (index) => nameOf(levels, index), from, files, readLevel }: LevelSources,
): Promise<PlacedLevels> {
  const parts: { positions: Float64Array; indices: Uint32Array }[] = [];
  const warnings: string[] = [];
  for (const [i, { file, scene, position, rotation, scale, swapYZ, twoSided }] of levels.entries()) {
    const label = labelOf(i);
    const read =
      file === undefined
        ? bundledLevel(scene!, label)
        : await readLevel(besideScene(files, from, file, label)).catch((error: unknown) => {
            throw new InputError(`${label}: ${messageOf(error)}`);
          });
    for (const { message } of read.warnings ?? []) warnings.push(`${label}: ${message}`);
    let matrix;
    try {
      matrix = placementMatrix({ position, rotation, scale, swapYZ }, 'placement');
    } catch (error) {
      throw new InputError(`${label}: ${messageOf(error).replace(/^placement: (placement\.)?/, '')}`);
    }
    const indices = isMirrored(matrix) ? reversed(read.indices) : read.indices;
    const positions = placePositions(read.positions, matrix);
    parts.push({ positions, indices: orientTwoSided(positions, indices, twoSided ?? read.twoSided) });
  }
  return { ...join(parts), levels, warnings };
}

/** Returns the name of a level in messages, such as `levels[1] (house)`. */
function nameOf(levels: readonly SceneLevel[], index: number): string {
  return `levels[${index}] (${levels[index].file ?? levels[index].scene})`;
}

function bundledLevel(name: string, label: string): Triangles {
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

function join(
  levels: readonly { positions: Float64Array; indices: Uint32Array }[],
): Pick<PlacedLevels, 'positions' | 'indices' | 'starts'> {
  const positions = new Float64Array(levels.reduce((sum, level) => sum + level.positions.length, 0));
  const indices = new Uint32Array(levels.reduce((sum, level) => sum + level.indices.length, 0));
  const starts: number[] = [];
  let [coordinate, corner] = [0, 0];
  for (const level of levels) {
    starts.push(corner);
    positions.set(level.positions, coordinate);
    for (let i = 0; i < level.indices.length; i++) indices[corner + i] = level.indices[i] + coordinate / 3;
    coordinate += level.positions.length;
    corner += level.indices.length;
  }
  return { positions, indices, starts };
}
