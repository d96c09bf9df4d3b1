/**
 * Reads Wavefront OBJ.
 *
 * It reads `v`, `f` (`v`, `v/vt`, `v//vn` and `v/vt/vn`; negative indices; faces before their vertices;
 * polygons of any size, concave ones by ear cutting), and `o`, `g` and `usemtl` as groups. Normals, texture
 * coordinates, lines, points, smoothing and material libraries are skipped. Free-form curves and unknown
 * statements are skipped with a warning. A statement that cannot be read correctly is an Error with its line.
 *
 * In: text or bytes.
 * Out: a `LevelMesh`.
 * Cost: one pass over the bytes without a string per line; at worst twice the memory of the result, as arrays
 * grow.
 * Based on: the Wavefront OBJ format; own code.
 */
import { plural } from '../../base/data/plural.ts';
import { READ_LIMIT_BYTES } from '../../base/constants.ts';
import { showBytes } from '../../base/data/memory-budget.ts';
import { checkKeys, checkString, refuse, showValue } from '../../base/data/refuse.ts';
import type { LevelGroup, LevelMesh, LevelFileWarning, LevelFileWarningCode } from './level.ts';
import {
  createScanner,
  nextLine,
  peekToken,
  readInteger,
  readNumber,
  readRest,
  skipBlanks,
  tokenEnd,
} from '../text/scan.ts';
import type { Scanner } from '../text/scan.ts';
import { refineFan } from './fan.ts';
import { decodeUtf8 } from '../text/utf8.ts';

/** Concave polygons of more corners stay fans, with a warning: ear cutting takes O(n²). */
const MAX_EAR_CORNERS = 4096;
/** Comparisons of ear cutting in one file. Polygons beyond them are read as convex, with a warning. */
const MAX_COMPARISONS = 2 ** 25;
const COMPARISONS_PER_CORNER = 32;

/** Statements without triangles. */
const SKIPPED: ReadonlySet<string> = new Set([
  'vt',
  'vn',
  'vp',
  'l',
  'p',
  's',
  'mtllib',
  'mg',
  'bevel',
  'c_interp',
  'd_interp',
  'lod',
  'usemap',
  'maplib',
  'shadow_obj',
  'trace_obj',
  'call',
  'csh',
]);

interface Reader {
  scanner: Scanner;
  name: string;
  positions: Float64Array;
  vertexCount: number;
  indices: Uint32Array;
  indexCount: number;
  /** Corners of the current face. */
  corners: Float64Array;
  /** Largest vertex index used before its vertex, and its line. -1: none. */
  aheadIndex: number;
  aheadLine: number;
  /** Polygons to triangulate when all vertices are known: start in `indices`, corner count. */
  waiting: number[];
  groups: LevelGroup[];
  groupName: string;
  material: string;
  /** Comparisons of ear cutting so far. */
  comparisons: number;
  memoryLimitBytes: number;
  warnings: Map<LevelFileWarningCode, LevelFileWarning>;
}

/** Options of `parseObj`. */
export interface ObjReadOptions {
  /** Memory that reading may take, bytes; larger files are refused. Default 2^30 (1 GiB). */
  memoryLimitBytes?: number;
}

/**
 * Reads an OBJ file. `name` is the name of the file in messages. Throws an Error with the line of the first
 * fault.
 */
export function parseObj(text: string | Uint8Array, name: string = 'OBJ', options: ObjReadOptions = {}): LevelMesh {
  checkString('parseObj', 'name', name);
  checkKeys('parseObj', options, ['memoryLimitBytes']);
  const { memoryLimitBytes = READ_LIMIT_BYTES } = options;
  if (!(typeof memoryLimitBytes === 'number' && memoryLimitBytes > 0)) {
    refuse('parseObj', 'options.memoryLimitBytes', memoryLimitBytes, '> 0');
  }
  if (typeof text !== 'string' && !(text instanceof Uint8Array)) {
    throw new TypeError(
      `parseObj: the first argument is ${showValue(text)}; must be the file's text or its bytes (Uint8Array)`,
    );
  }
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  if (bytes.length >= 2 && ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))) {
    throw new Error(`parseObj: ${name} is UTF-16 text; save it as UTF-8`);
  }
  const reader: Reader = {
    scanner: createScanner(bytes),
    name,
    positions: new Float64Array(3 * 1024),
    vertexCount: 0,
    indices: new Uint32Array(3 * 2048),
    indexCount: 0,
    corners: new Float64Array(64),
    aheadIndex: -1,
    aheadLine: 0,
    waiting: [],
    groups: [],
    groupName: '',
    material: '',
    comparisons: 0,
    memoryLimitBytes,
    warnings: new Map(),
  };
  const { scanner } = reader;
  while (scanner.at < bytes.length) {
    if (skipBlanks(scanner)) readStatement(reader);
    if (!nextLine(scanner)) break;
  }
  return finish(reader);
}

function readStatement(reader: Reader): void {
  const { scanner } = reader;
  const { bytes } = scanner;
  const start = scanner.at;
  const end = tokenEnd(scanner);
  scanner.at = end;
  if (end - start === 1) {
    const letter = bytes[start];
    if (letter === 118) return readVertex(reader); // v
    if (letter === 102) return readFace(reader); // f
    if (letter === 111 || letter === 103) return startGroup(reader, readRest(scanner), reader.material); // o, g
  } else if (end - start === 2 && bytes[start] === 118) {
    return; // vt, vn, vp
  }
  const keyword = decodeUtf8(bytes, start, Math.min(end, start + 32));
  if (keyword === 'usemtl') return startGroup(reader, reader.groupName, readRest(scanner));
  if (SKIPPED.has(keyword)) return;
  warn(
    reader,
    'unknown-statement',
    `statement "${keyword}" on line ${scanner.line} is not one of v, f, o, g, usemtl; skipped`,
  );
}

function readVertex(reader: Reader): void {
  const { scanner } = reader;
  const at = 3 * reader.vertexCount;
  if (at + 3 > reader.positions.length) {
    checkMemory(reader, 16 * reader.positions.length + 4 * reader.indices.length);
    const grown = new Float64Array(2 * reader.positions.length);
    grown.set(reader.positions);
    reader.positions = grown;
  }
  for (let axis = 0; axis < 3; axis++) {
    if (!skipBlanks(scanner)) {
      fail(reader, scanner.line, `vertex has ${axis} of its 3 coordinates; write "v x y z"`);
    }
    const token = scanner.at;
    const value = readNumber(scanner);
    if (!(value - value === 0)) {
      scanner.at = token;
      const remedy = 'export the level again with finite coordinates and a decimal point';
      fail(reader, scanner.line, `vertex coordinate "${peekToken(scanner)}" is not a finite number; ${remedy}`);
    }
    reader.positions[at + axis] = value;
  }
  reader.vertexCount++;
}

/**
 * Reads one corner: a vertex index, and numbers behind slashes, which are ignored. Returns the index from 0.
 */
function readCorner(reader: Reader): number {
  const { scanner, vertexCount } = reader;
  const token = scanner.at;
  const written = readInteger(scanner);
  const end = tokenEnd(scanner);
  let good = written === written;
  for (let i = scanner.at; i < end && good; i++) {
    const byte = scanner.bytes[i];
    good = byte === 47 || (i > scanner.at && ((byte >= 48 && byte <= 57) || byte === 45 || byte === 43));
  }
  if (!good) {
    scanner.at = token;
    fail(reader, scanner.line, `face corner "${peekToken(scanner)}" is not of the form v, v/vt, v//vn or v/vt/vn`);
  }
  scanner.at = end;
  if (written > 0) {
    const index = written - 1;
    if (index >= vertexCount && index > reader.aheadIndex) {
      reader.aheadIndex = index;
      reader.aheadLine = scanner.line;
    }
    return index;
  }
  if (written === 0) fail(reader, scanner.line, 'face index 0 is out of range; indices count from 1');
  if (vertexCount + written < 0) {
    fail(
      reader,
      scanner.line,
      `face index ${written} is out of range: ${plural(vertexCount, 'vertex', 'vertices')} so far; ` +
        'negative indices count back from the last vertex',
    );
  }
  return vertexCount + written;
}

function readFace(reader: Reader): void {
  const { scanner } = reader;
  const line = scanner.line;
  let count = 0;
  let ahead = false;
  while (skipBlanks(scanner)) {
    if (count === reader.corners.length) {
      const grown = new Float64Array(2 * count);
      grown.set(reader.corners);
      reader.corners = grown;
    }
    const index = readCorner(reader);
    ahead ||= index >= reader.vertexCount;
    reader.corners[count++] = index;
  }
  if (count < 3) {
    warn(reader, 'face-too-small', `face on line ${line} has ${plural(count, 'corner', 'corners')}; skipped`);
    return;
  }
  const start = reader.indexCount;
  const needed = start + 3 * (count - 2);
  if (needed > reader.indices.length) {
    const length = Math.max(needed, 2 * reader.indices.length);
    checkMemory(reader, 8 * reader.positions.length + 4 * length);
    const grown = new Uint32Array(length);
    grown.set(reader.indices);
    reader.indices = grown;
  }
  const { corners, indices } = reader;
  let at = start;
  for (let i = 2; i < count; i++) {
    indices[at++] = corners[0];
    indices[at++] = corners[i - 1];
    indices[at++] = corners[i];
  }
  reader.indexCount = at;
  if (reader.groups.length === 0) addGroup(reader, start / 3);
  if (count > MAX_EAR_CORNERS) {
    warn(reader, 'polygon-too-large', `polygon on line ${line} has ${count} corners and was read as convex; split it`);
  } else if (count > 3) {
    if (ahead) reader.waiting.push(start, count);
    else refine(reader, start, count);
  }
}

/** Triangulates a polygon whose fan leaves it, within the comparisons that the file may take. */
function refine(reader: Reader, start: number, count: number): void {
  const most = MAX_COMPARISONS + COMPARISONS_PER_CORNER * reader.indexCount;
  const left = most - reader.comparisons;
  reader.comparisons += refineFan(reader.indices, start, count, reader.positions, left);
  if (reader.comparisons <= most) return;
  warn(
    reader,
    'polygon-too-large',
    `its concave polygons have too many corners, and some were read as convex; split them`,
  );
}

/** Fails when the arrays that are filled take more than the limit. */
function checkMemory({ scanner, name, memoryLimitBytes }: Reader, bytes: number): void {
  if (bytes <= memoryLimitBytes) return;
  throw new Error(
    `parseObj: ${name}:${scanner.line}: reading takes ${showBytes(bytes)} from here on, more than the ` +
      `${showBytes(memoryLimitBytes)} of memoryLimitBytes; split the level or raise the limit`,
  );
}

function addGroup(reader: Reader, triangleStart: number): void {
  reader.groups.push({ name: reader.groupName, material: reader.material, triangleStart, triangleCount: 0 });
}

/**
 * Starts a group for the following faces. Groups without triangles are dropped, and a repeated name does not
 * split a group.
 */
function startGroup(reader: Reader, name: string, material: string): void {
  reader.groupName = name;
  reader.material = material;
  const triangleStart = reader.indexCount / 3;
  const { groups } = reader;
  while (groups.length > 0 && groups[groups.length - 1].triangleStart === triangleStart) groups.pop();
  const last = groups[groups.length - 1];
  if (last === undefined || last.name !== name || last.material !== material) addGroup(reader, triangleStart);
}

function finish(reader: Reader): LevelMesh {
  const { name, vertexCount, groups } = reader;
  if (reader.aheadIndex >= vertexCount) {
    fail(
      reader,
      reader.aheadLine,
      `face index ${reader.aheadIndex + 1} is out of range: the file has ${plural(vertexCount, 'vertex', 'vertices')}; ` +
        'export the level again, the file may be cut off',
    );
  }
  if (reader.indexCount === 0) {
    const found =
      vertexCount === 0 ? 'no vertices and no faces' : `${plural(vertexCount, 'vertex', 'vertices')} but no faces`;
    throw new Error(
      `parseObj: ${name} has ${found}; export it with its faces ("f" lines), or check that it is an OBJ file`,
    );
  }
  for (let i = 0; i < reader.waiting.length; i += 2) {
    refine(reader, reader.waiting[i], reader.waiting[i + 1]);
  }
  const triangleCount = reader.indexCount / 3;
  for (let i = 0; i < groups.length; i++) {
    const end = i + 1 < groups.length ? groups[i + 1].triangleStart : triangleCount;
    groups[i].triangleCount = end - groups[i].triangleStart;
  }
  while (groups.length > 0 && groups[groups.length - 1].triangleCount === 0) groups.pop();
  return {
    positions: reader.positions.slice(0, 3 * vertexCount),
    indices: reader.indices.slice(0, reader.indexCount),
    groups,
    warnings: [...reader.warnings.values()],
  };
}

function warn(reader: Reader, code: LevelFileWarningCode, what: string): void {
  const warning = reader.warnings.get(code);
  if (warning === undefined) reader.warnings.set(code, { code, count: 1, message: `${reader.name}: ${what}` });
  else warning.count++;
}

function fail(reader: Reader, line: number, what: string): never {
  throw new Error(`parseObj: ${reader.name}:${line}: ${what}`);
}
