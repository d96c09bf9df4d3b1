/**
 * The placement of a level file in the world: `FILE::key=value::key=value` on the command line, or an entry
 * of `levels` in a configuration. The level is first turned y up, then scaled, rotated and moved.
 */
import { InputError, didYouMean } from '../errors.ts';
import { IDENTITY, compose, multiply } from 'navkiln-loaders/files';
import type { Matrix } from 'navkiln-loaders/files';

export interface LevelSpec {
  file: string;
  /** x, y, z. */
  position?: readonly number[];
  /** Degrees about y, or about the world's x, then y, then z. */
  rotationDegrees?: number | readonly number[];
  scale?: number | readonly number[];
  /** Axis that points up in the file. */
  up?: UpAxis;
  /** Whether triangles count from both sides. Default: as the materials of the file say. */
  twoSided?: boolean;
}

/** Matrices of files in which another axis points up. */
const UP_AXES: Record<UpAxis, Matrix> = {
  x: [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  '-x': [0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  y: IDENTITY,
  '-y': [1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1],
  z: [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1],
  '-z': [1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1],
};

/** An axis that points up in a file. */
export type UpAxis = 'x' | '-x' | 'y' | '-y' | 'z' | '-z';

const KEYS = ['position', 'rotation', 'scale', 'up', 'twoSided'];

export const PLACEMENT_HELP: string = [
  'A level can be placed in the world with FILE::key=value::key=value. Keys:',
  '  position=X,Y,Z    translation',
  '  rotation=DEGREES  about the y axis; rotation=X,Y,Z: about x, then y, then z',
  '  scale=S           or scale=X,Y,Z; negative numbers mirror; one of three may be 0',
  '  up=z              the file has z up; also x, -x, -y, -z',
  '  twoSided=true     its triangles count from both sides; false: only from the front, for any material',
  'Example:  house.glb::position=10,0,-4::rotation=90  ground.obj::up=z',
].join('\n');

/** Parses `FILE::key=value::…`. */
export function parseLevelSpec(text: string): LevelSpec {
  const [file, ...parts] = text.split('::') as [string, ...string[]];
  if (file === '') throw new InputError(`level "${text}": the file name before "::" is missing`);
  const spec: LevelSpec = { file };
  for (const part of parts) {
    const equals = part.indexOf('=');
    const key = equals < 0 ? part : part.slice(0, equals);
    const value = equals < 0 ? '' : part.slice(equals + 1);
    if (!KEYS.includes(key)) {
      const guess = didYouMean(key, KEYS);
      const remedy = guess === undefined ? '' : `, did you mean "${guess}"?`;
      throw new InputError(`level "${text}": unknown key "${key}"${remedy} (keys: ${KEYS.join(', ')})`);
    }
    if (key === 'up') {
      if (!Object.hasOwn(UP_AXES, value))
        throw new InputError(`level "${text}": up must be ${Object.keys(UP_AXES).join(', ')} (got "${value}")`);
      spec.up = value as UpAxis;
      continue;
    }
    if (key === 'twoSided') {
      if (value !== 'true' && value !== 'false')
        throw new InputError(`level "${text}": twoSided must be true or false (got "${value}")`);
      spec.twoSided = value === 'true';
      continue;
    }
    const numbers = value.split(',').map((word) => (word.trim() === '' ? NaN : Number(word)));
    const single = key !== 'position' && numbers.length === 1;
    if (!(numbers.length === 3 || single) || !numbers.every((n) => Number.isFinite(n))) {
      const wanted = key === 'position' ? 'three numbers "x,y,z"' : 'a number or three numbers "x,y,z"';
      throw new InputError(`level "${text}": ${key} must be ${wanted} (got "${value}")`);
    }
    if (key === 'position') spec.position = numbers;
    else if (key === 'rotation') spec.rotationDegrees = single ? numbers[0] : numbers;
    else if (numbers.filter((n) => n === 0).length > (single ? 0 : 1))
      throw new InputError(
        `level "${text}": scale must not be 0${single ? '' : ' along more than one axis'} (got "${value}")`,
      );
    else spec.scale = single ? numbers[0] : numbers;
  }
  return spec;
}

/** Returns the matrix of a placement, or undefined for the identity. */
export function placementMatrix(spec: LevelSpec): Matrix | undefined {
  const { position, rotationDegrees, scale, up = 'y' } = spec;
  if (position === undefined && rotationDegrees === undefined && scale === undefined && up === 'y') return undefined;
  const [rx, ry, rz] = typeof rotationDegrees === 'number' ? [0, rotationDegrees, 0] : (rotationDegrees ?? [0, 0, 0]);
  const factors = typeof scale === 'number' ? [scale, scale, scale] : (scale ?? [1, 1, 1]);
  let matrix: Matrix = UP_AXES[up];
  matrix = multiply(compose([0, 0, 0], [0, 0, 0, 1], factors), matrix);
  matrix = multiply(rotation(0, rx!), matrix);
  matrix = multiply(rotation(1, ry!), matrix);
  matrix = multiply(rotation(2, rz!), matrix);
  return multiply(compose(position ?? [0, 0, 0], [0, 0, 0, 1], [1, 1, 1]), matrix);
}

/** Rotates counter-clockwise about an axis, seen from its tip. Quarter turns are exact. */
function rotation(axis: 0 | 1 | 2, degrees: number): number[] {
  const quarters = degrees / 90;
  let cosine = Math.cos((degrees * Math.PI) / 180);
  let sine = Math.sin((degrees * Math.PI) / 180);
  if (Number.isInteger(quarters)) {
    const turn = ((quarters % 4) + 4) % 4;
    cosine = [1, 0, -1, 0][turn];
    sine = [0, 1, 0, -1][turn];
  }
  const out = [...IDENTITY];
  const u = (axis + 1) % 3;
  const v = (axis + 2) % 3;
  out[4 * u + u] = cosine;
  out[4 * u + v] = sine;
  out[4 * v + u] = -sine;
  out[4 * v + v] = cosine;
  return out;
}
