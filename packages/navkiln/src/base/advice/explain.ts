/**
 * Recognizes what a wrong argument is, and says what to pass in its place: a promise, the result of a bake, an object of an engine, a 2D
 * point, a string that is a number.
 *
 * In: the path and value of a message, and what it demands. Out: one sentence, or nothing.
 * Cost: constant; only errors call it.
 * Based on: own; the slips of people who read the documentation for the first time.
 */
import { nearKey } from './near.ts';

type Parts = Readonly<Record<string, unknown>>;

/** What messages demand -> what makes it. */
const MAKERS: Readonly<Record<string, string>> = {
  'a NavMesh': 'Make one with buildNavMesh, or read one with loadNavMesh',
  'a Crowd': 'Make one with createCrowd(navMesh)',
  'a PathIndex': 'Make one with buildPathIndex(navMesh)',
  'a QueryFilter': 'Make one with createFilter, of options such as areaCosts',
  'an AgentId': 'Pass the number that addAgent returned',
};

/** Fields of a bake that are beside `agent`, not in it. */
const OUTSIDE_AGENT = /^(cell|tile|region|detail|maxEdge|maxVert|partition)/;

/** Options of filters that people give to a query. */
const FILTER_KEYS = /^(areaCosts|includeFlags|excludeFlags|passes)$/;

/** Returns what `advice.of` adds to a message. Values with getters that throw get nothing. */
export function explain(path: string, value: unknown, mustBe: string | readonly string[]): string {
  try {
    if (typeof mustBe !== 'string') return question(path, String(value), mustBe);
    if (mustBe.startsWith('navkiln')) return kindOfBytes(value as Uint8Array);
    const sentence = slipOf(path, value, mustBe);
    return sentence === '' ? '' : `. ${sentence}`;
  } catch {
    return '';
  }
}

function question(path: string, key: string, known: readonly string[]): string {
  const list = `known keys: ${known.join(', ')}`;
  if (/^\d+$/.test(key)) return `it is a list; pass an object with named fields. ${upper(list)}`;
  if (path === 'options' && /^(positions|navMesh|polyPortal)$/.test(key))
    return `a level or mesh is not the options, which come last. ${upper(list)}`;
  if (key === 'signal' && known.includes('onProgress')) return 'bakeNavMesh takes a signal';
  if (path.endsWith('.agent') && OUTSIDE_AGENT.test(key))
    return `did you mean ${path.replace(/agent$/, key)}, beside agent?`;
  const near = nearKey(key, known);
  if (near === undefined) return '';
  if (near === 'filter' && FILTER_KEYS.test(key)) return `did you mean filter: createFilter({ ${key} })?`;
  const [record, field] = near.split('.');
  const shape = field === undefined ? '' : ` Pass ${record}: { ${field} }.`;
  return `did you mean ${near}?${shape}${unitOf(key, near)}`;
}

/** Returns a hint where the other name has another unit. */
function unitOf(key: string, near: string): string {
  if (/voxels$/i.test(key) || /^(walkable(Radius|Height|Climb)|maxEdgeLen)$/.test(key))
    return ' It is a length in world units, not in cells.';
  if (/^(min|merge)Region|^region_?(min|merge)_?size$/i.test(key))
    return ' It is an area in world units, not in cells.';
  return near.endsWith('Degrees') && !/degrees/i.test(key) ? ' It is in degrees.' : '';
}

/** Returns what bytes are that are no mesh, in brackets. */
function kindOfBytes(bytes: Uint8Array): string {
  const begin = Array.from(bytes.subarray(0, 8), (code) => String.fromCharCode(code)).join('');
  if (begin.startsWith('<')) return ' (it is HTML or XML: did the server find the file?)';
  if (begin.startsWith('{')) return ' (it is JSON, which is no file of a mesh)';
  if (begin.startsWith('glTF')) return ' (it is a GLB file: a level, which buildNavMesh makes a mesh of)';
  if (begin.startsWith('\x1f\x8b')) return ' (it is compressed by gzip: decompress it first)';
  if (/^(TESM|MSET|TSET)/.test(begin)) return ' (it is a file of Detour: parseDetourBin of navkiln/io reads it)';
  if (begin === 'navkiln\x1c') return ' (it is packed: openNavMesh opens it)';
  if (begin === 'navkiln\x1a') return ' (saveNavMesh wrote it: loadNavMesh reads it)';
  return bytes.length === 0 ? ' (it is empty)' : '';
}

function slipOf(path: string, value: unknown, mustBe: string): string {
  const isPoint = /^\[x, y(, z)?\] or/.test(mustBe);
  const demanded = MAKERS[mustBe] ?? '';
  if (value === undefined) return slipOfUndefined(path, mustBe, isPoint || demanded !== '');
  if (value === null) return demanded === '' ? '' : `Is it used before it is made? ${demanded}`;
  if (typeof value === 'string') return slipOfString(path, value, mustBe, isPoint) || demanded;
  if (typeof value === 'number') return slipOfNumber(path, value, mustBe, isPoint) || demanded;
  if (typeof value === 'function') return demanded === '' ? '' : 'It is a function: call it';
  return typeof value === 'object' ? slipOfObject(value as Parts, mustBe, isPoint) || demanded : '';
}

function slipOfUndefined(path: string, mustBe: string, isArgument: boolean): string {
  if (mustBe === 'a NavMesh')
    return 'bakeNavMesh returns a promise: await it, then read its navMesh. buildNavMesh needs no await';
  if (path === 'map.polygons') return 'A map is { polygons: [{ outline, holes }] }';
  if (path.endsWith('outline')) return 'A polygon is { outline, holes }';
  if (/\[\d+\]$/.test(path)) return 'Did a loop run past the end of a list?';
  return isArgument || /^\w+$/.test(path) ? 'Is an argument missing?' : '';
}

function slipOfString(path: string, value: string, mustBe: string, isPoint: boolean): string {
  if (isPoint) return 'It is a string: pass numbers, such as [1, 0, 2]';
  if (mustBe === 'a Uint8Array') return 'It is a string: read the file first, and pass its bytes';
  if (path.endsWith('key of options.areaCosts')) return 'Areas have numbers, those that the mesh was built with';
  if (value.trim() !== '' && Number.isFinite(Number(value))) return `It is a string: pass the number ${Number(value)}`;
  return '';
}

function slipOfNumber(path: string, value: number, mustBe: string, isPoint: boolean): string {
  if (path.includes('[') && mustBe.startsWith('[x, y] ')) return 'The list must be of points: [[x, y], [x, y], …]';
  if (isPoint) return 'It is a number: pass a point as one value, such as [1, 0, 2]';
  if (/seconds$/i.test(mustBe) && value >= 1) return `It looks like milliseconds: pass ${value / 1000} seconds`;
  if (mustBe === 'an object' && path === 'options') return 'Options have names, such as { halfExtents: 2 }';
  if (mustBe === 'an object' && path.endsWith('agent')) return 'Its fields have names, such as { radius: 0.4 }';
  if (path === 'input.indices.length') return 'Without indices, three positions in a row are a triangle';
  const last = /from 0 to (\d+)$/.exec(mustBe);
  if (last !== null && value === Number(last[1]) + 1) return 'Indices count from 0; those of OBJ files count from 1';
  return MAKERS[mustBe] === undefined ? '' : `Is the order of the arguments right? ${MAKERS[mustBe]}`;
}

function slipOfObject(value: Parts, mustBe: string, isPoint: boolean): string {
  if (typeof value['then'] === 'function') return 'It is a promise: await it';
  if (typeof value['arrayBuffer'] === 'function')
    return 'It is a response or a file: pass new Uint8Array(await it.arrayBuffer())';
  const isMesh = ArrayBuffer.isView(value['polyPortal']);
  if (isPoint) return slipOfPoint(value, mustBe, isMesh);
  if (ArrayBuffer.isView((value['navMesh'] as Parts | undefined)?.['polyPortal']))
    return value['report'] === undefined ? 'Pass its navMesh' : 'It is the result of a bake: pass its navMesh';
  if (value['isBufferAttribute'] === true) return 'It is a BufferAttribute of three.js: pass its array';
  if (mustBe.startsWith('{ positions')) return slipOfLevel(value);
  if (/^a (finite |whole )?number/.test(mustBe)) return slipOfElement(value);
  if (mustBe === 'a NavMesh') return slipOfMesh(value);
  return isMesh && MAKERS[mustBe] !== undefined ? `It is a NavMesh. ${MAKERS[mustBe]}` : '';
}

function slipOfPoint(value: Parts, mustBe: string, isMesh: boolean): string {
  if (isMesh) return 'It is a NavMesh, which is the first argument';
  if (value['position'] !== undefined) return 'Pass its position';
  const isList = Array.isArray(value) || ArrayBuffer.isView(value);
  if (isList && typeof (value as unknown as readonly unknown[])[0] === 'object')
    return 'It is a list of points: pass one of them';
  if (isList && typeof (value as unknown as readonly unknown[])[0] === 'string')
    return 'Its parts are strings: pass numbers';
  const { x, y, z } = isList ? { x: value[0], y: value[1], z: value[2] } : value;
  if ([x, y, z].some((one) => typeof one === 'number' && Number.isNaN(one)))
    return 'NaN often comes from a division by 0, or from undefined + a number';
  if (x !== undefined && y !== undefined && z === undefined)
    return mustBe.includes('z')
      ? 'It has no z: in 3D, y is the height, and a position is [x, height, z]. Functions whose name ends in 2d take [x, y]'
      : '';
  return x !== undefined && z !== undefined && y === undefined ? 'It has no y, which is the height' : '';
}

function slipOfLevel(value: Parts): string {
  if (value['isBufferGeometry'] === true)
    return 'It is a BufferGeometry of three.js: pass levelFromObject3D(new Mesh(it)) of navkiln/three, or { positions: it.attributes.position.array, indices: it.index.array }';
  const [first = value] = Array.isArray(value) ? (value as readonly Parts[]) : [];
  if (first['isObject3D'] === true) return 'It is an object of three.js: pass levelFromObject3D(it) of navkiln/three';
  if (typeof first['getVerticesData'] === 'function')
    return 'It is a mesh of Babylon.js: pass levelFromMeshes([it]) of navkiln/babylon';
  if (typeof first['findComponents'] === 'function')
    return 'It is an Entity of PlayCanvas: pass levelFromEntity(it) of navkiln/playcanvas';
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return 'It is a list: pass { positions: it, indices }';
  if (value['polygons'] !== undefined) return 'It is a 2D map: buildFromPolygons of navkiln/polygon builds it';
  const other = ['vertices', 'position', 'verts', 'points'].find((name) => value[name] !== undefined);
  return other === undefined ? '' : `It has ${other}: pass them as positions, a flat list x, y, z, x, y, z`;
}

function slipOfElement(value: Parts): string {
  if (Array.isArray(value)) return 'The list must be flat: pass list.flat()';
  if (value['x'] !== undefined) return 'The list must be flat: pass list.flatMap(({ x, y, z }) => [x, y, z])';
  return '';
}

function slipOfMesh(value: Parts): string {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    return 'It is bytes, or a point: loadNavMesh(bytes) reads a mesh, which is the first argument';
  if (value['polyPortal'] !== undefined)
    return 'JSON does not keep typed arrays: use saveNavMesh and loadNavMesh in place of JSON';
  if (Array.isArray(value) || value['x'] !== undefined) return 'It is a point: the mesh is the first argument';
  return '';
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
