/** Reads the bytes of a level file: .glb, .gltf or .obj. Runs in Node and in browsers. */
import { parseObj } from 'navkiln/io';
import type { LevelMesh } from 'navkiln/io';
import { InputError, messageOf } from './errors.ts';
import { showName } from './beside.ts';
import type { ReadBeside } from './beside.ts';
import { READ_LIMIT_BYTES } from './budget.ts';
import { levelExtension, refusePointer } from './other-files.ts';

export interface LevelFileOptions {
  /** Provides the files that a .gltf refers to. Default: such files are refused. */
  beside?: ReadBeside;
  /**
   * Whether a .gltf may name files outside of its folder: absolute paths, "..", backslashes. Default false: such names are refused
   * before `beside` is called. Addresses ("https://…") are always refused.
   */
  allowOutside?: boolean;
  /** Memory that reading may take, bytes; larger levels are refused with the figure. Default 2^30 (1 GiB). */
  memoryLimitBytes?: number;
  /**
   * Whether triangles count from both sides; the same for all. Default: those of double-sided materials do, except where their part has
   * an inside, such as a closed solid, a room or a cave.
   */
  twoSided?: boolean;
}

const OPTION_KEYS: readonly string[] = ['beside', 'allowOutside', 'memoryLimitBytes', 'twoSided'];

/**
 * Reads a level file to triangles in the units of the file: corners as x, y, z in doubles, three indices per
 * triangle, counter-clockwise seen from outside. glTF has meters and y up. OBJ has no unit and no up axis: numbers
 * are returned as written. Nodes are placed by their transforms, and skinned and morphed meshes are in their bind
 * pose. Materials are names in `groups`. Triangles of double-sided materials are marked in `twoSided` where they count from
 * both sides: not in closed solids, rooms, caves and terrain, which `sides` reports. Textures, lights, cameras and
 * animations are not read.
 *
 * `file` is the name of the file. Its extension (.glb, .gltf, .obj) selects the reader, and messages start with it.
 * The result shares no memory with `bytes`. The reader of glTF is imported when it is first needed.
 *
 * Problems that the reader worked around are in `warnings`. Rejects with an `InputError` when the extension is
 * unknown, the file is damaged, has no triangles, or requires an extension of glTF that is not supported. Errors of
 * `beside` are passed on. Unknown options are refused with a `RangeError`.
 */
export async function readLevelFile(
  bytes: Uint8Array,
  file: string,
  options: LevelFileOptions = {},
): Promise<LevelMesh> {
  if (!(bytes instanceof Uint8Array))
    throw new TypeError('readLevelFile: bytes is not a Uint8Array; must be the bytes of the file');
  if (typeof file !== 'string' || file === '') {
    throw new TypeError('readLevelFile: file is not a name; must be a string such as level.glb');
  }
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`readLevelFile: options has another type; must have keys of ${OPTION_KEYS.join(', ')}`);
  }
  for (const key of Object.keys(options)) {
    if (!OPTION_KEYS.includes(key))
      throw new RangeError(`readLevelFile: options.${key} is unknown; known keys: ${OPTION_KEYS.join(', ')}`);
  }
  const { memoryLimitBytes = READ_LIMIT_BYTES, allowOutside = false, twoSided } = options;
  if (twoSided !== undefined && typeof twoSided !== 'boolean')
    throw new RangeError(`readLevelFile: options.twoSided is ${String(twoSided)}; must be true or false`);
  if (!(typeof memoryLimitBytes === 'number' && memoryLimitBytes > 0))
    throw new RangeError(`readLevelFile: options.memoryLimitBytes is ${String(memoryLimitBytes)}; must be > 0`);
  const extension = levelExtension(file);
  refusePointer(bytes, file);
  if (extension !== '.obj') {
    const { readGltf } = await import('./gltf/read.ts');
    const { beside = refuseBeside(file) } = options;
    const level = await readGltf(bytes, file, { beside, memoryLimitBytes, allowOutside });
    return withSides(level, file, twoSided);
  }
  try {
    return await withSides(parseObj(bytes, file, { memoryLimitBytes }), file, twoSided);
  } catch (error) {
    throw new InputError(messageOf(error).replace(/^parseObj: /, ''));
  }
}

/** Decides which triangles count from both sides, and says so where it makes a difference. */
async function withSides(level: LevelMesh, file: string, choice: boolean | undefined): Promise<LevelMesh> {
  const { twoSided, ...rest } = level;
  if (choice === true) return { ...rest, twoSided: new Uint8Array(level.indices.length / 3).fill(1) };
  if (choice === false || twoSided === undefined) return rest;
  const { resolveTwoSided } = await import('navkiln/world');
  const resolved = resolveTwoSided(level);
  const { keptDownArea, turnedUpArea } = resolved.sides!;
  if (keptDownArea + turnedUpArea > 0) {
    const message =
      `${file}: of the double-sided triangles that face down, ${plain(keptDownArea)} square units count from the front only, since ` +
      `they belong to solids or rooms; ${plain(turnedUpArea)} count from their back, too. The option twoSided chooses for all ` +
      '(--two-sided, --no-two-sided)';
    resolved.warnings = [...resolved.warnings, { code: 'two-sided', count: 1, message }];
  }
  return resolved;
}

function plain(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function refuseBeside(file: string): ReadBeside {
  return (_, uri) => {
    throw new InputError(
      `${file}: refers to the file ${showName(uri)}; provide it with the option \`beside\`, or export a .glb`,
    );
  };
}
