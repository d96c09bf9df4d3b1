/**
 * Mistakes that people make with their first lines, and the answer of each: it names the slip and what to write instead. Half of them come
 * from visits of newcomers, half from trying.
 */
import { Mesh, Object3D, PlaneGeometry, Scene, Vector2, Vector3 } from 'three';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { advice } from '../../../src/base/math/advice.ts';
import { explain } from '../../../src/base/advice/explain.ts';
import { FOREIGN } from '../../../src/base/advice/names.ts';
import { nearKey } from '../../../src/base/advice/near.ts';
import * as navkiln from '../../../src/entries/index.ts';
import * as build from '../../../src/entries/build.ts';
import * as crowds from '../../../src/entries/crowd.ts';
import * as indexes from '../../../src/entries/path-index.ts';
import * as maps from '../../../src/entries/polygon.ts';
import * as worlds from '../../../src/entries/world.ts';

const positions = [0, 0, 0, 0, 0, 20, 20, 0, 20, 20, 0, 0];
const indices = [0, 1, 2, 0, 2, 3];
const level = { positions, indices };
const result = build.buildNavMesh(level);
const mesh = result.navMesh;
const crowd = crowds.createCrowd(mesh);
const agent = crowds.addAgent(crowd, [5, 0, 5]);
const geometry = new PlaneGeometry(10, 10);
const a = [1, 0, 1];
const b = [5, 0, 5];

// Mistakes do not compile.
/* eslint-disable typescript/no-explicit-any */
type Loose = Record<string, (...values: any[]) => any>;
const { findPath, findNearest, createFilter, loadNavMesh, openNavMesh, addLink, raycast } = navkiln as unknown as Loose;
const { buildNavMesh, bakeNavMesh } = build as unknown as Loose;
const { createCrowd, addAgent, moveAgentTo, removeAgent } = crowds as unknown as Loose;
const { buildFromPolygons, findPath2d } = maps as unknown as Loose;
const bake = (options: object): unknown => buildNavMesh(level, options);
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text.padEnd(400, ' '));

const MISTAKES: readonly [name: string, run: () => unknown, answer: RegExp][] = [
  // Things passed in place of a mesh.
  [
    'a bake result as mesh',
    () => findPath(result, a, b),
    /mesh is an object.*It is the result of a bake: pass its navMesh/,
  ],
  ['a crowd of a bake result', () => createCrowd(result), /result of a bake: pass its navMesh/],
  ['a record with a mesh', () => createCrowd({ navMesh: mesh }), /Pass its navMesh/],
  ['a promise as mesh', () => findPath(Promise.resolve(result), a, b), /It is a promise: await it/],
  [
    'navMesh of a promise',
    () => findPath(bakeNavMesh(level).navMesh, a, b),
    /bakeNavMesh returns a promise: await it, then/,
  ],
  ['a mesh not yet loaded', () => findPath(null, a, b), /Is it used before it is made\?/],
  ['bytes as mesh', () => findPath(navkiln.saveNavMesh(mesh), a, b), /loadNavMesh\(bytes\) reads a mesh/],
  [
    'JSON of a mesh',
    () => findPath({ polyPortal: { 0: 1 } }, a, b),
    /JSON does not keep typed arrays: use saveNavMesh/,
  ],
  ['a function as mesh', () => findPath(() => mesh, a, b), /It is a function: call it/],
  // Order and number of arguments.
  ['the mesh last', () => findPath(a, b, mesh), /end is .*It is a NavMesh, which is the first argument/],
  ['a path without end', () => findPath(mesh, a), /end is undefined.*Is an argument missing\?/],
  ['a ray without end', () => raycast(mesh, a), /end is undefined.*Is an argument missing\?/],
  ['an agent without crowd', () => moveAgentTo(agent, b), /crowd is \d+.*Is the order of the arguments right\?/],
  ['an agent on a mesh', () => addAgent(mesh, b), /It is a NavMesh. Make one with createCrowd\(navMesh\)/],
  [
    'coordinates one by one',
    () => addAgent(crowd, 5, 0, 5),
    /It is a number: pass a point as one value, such as \[1, 0, 2\]/,
  ],
  ['createCrowd as in Detour', () => createCrowd(100, 0.6, mesh), /mesh is 100.*Is the order of the arguments right\?/],
  [
    'a number as options',
    () => findNearest(mesh, a, 2),
    /options is 2.*Options have names, such as \{ halfExtents: 2 \}/,
  ],
  [
    'a filter as options',
    () => findPath(mesh, a, b, createFilter()),
    /did you mean filter: createFilter\(\{ areaCosts \}\)\?/,
  ],
  [
    'link ends one by one',
    () => addLink(mesh, a, b),
    /options\.0 is unknown; it is a list; pass an object with named fields/,
  ],
  ['two levels', () => buildNavMesh(level, level), /options\.positions is unknown; a level or mesh is not the options/],
  ['an agent record as id', () => removeAgent(crowd, { id: agent }), /Pass the number that addAgent returned/],
  [
    'no path index',
    () => (indexes as unknown as Loose)['findIndexedPath'](mesh, a, b),
    /Make one with buildPathIndex\(navMesh\)/,
  ],
  // Points.
  [
    'a 2D array',
    () => findPath(mesh, [1, 1], b),
    /It has no z: in 3D, y is the height, and a position is \[x, height, z\]/,
  ],
  ['a 2D record', () => findPath(mesh, { x: 1, y: 1 }, b), /It has no z: in 3D/],
  ['a Vector2', () => findPath(mesh, new Vector2(1, 1), b), /It has no z: in 3D/],
  ['x and z only', () => findPath(mesh, { x: 1, z: 1 }, b), /It has no y, which is the height/],
  ['an Object3D', () => findPath(mesh, new Object3D(), b), /Pass its position/],
  ['a list of points', () => findPath(mesh, [a], b), /It is a list of points: pass one of them/],
  ['a string', () => findPath(mesh, '1,0,1', b), /It is a string: pass numbers/],
  ['strings', () => findPath(mesh, ['1', '0', '1'], b), /Its parts are strings: pass numbers/],
  ['NaN', () => findPath(mesh, [Number('x'), 0, 1], b), /NaN often comes from/],
  [
    'a 3D point in 2D',
    () => findPath2d(mesh, [1, 0, 1], [5, 5]),
    /start is \[1, 0, 1\]; must be \[x, y\], without a height/,
  ],
  // Levels.
  ['two lists as level', () => buildNavMesh(positions, indices), /It is a list: pass \{ positions: it, indices \}/],
  ['a promise as level', () => buildNavMesh(Promise.resolve(level)), /It is a promise: await it/],
  ['nested positions', () => buildNavMesh({ positions: [a, b, a] }), /must be flat: pass list\.flat\(\)/],
  ['nested indices', () => buildNavMesh({ positions, indices: [[0, 1, 2]] }), /must be flat: pass list\.flat\(\)/],
  [
    'Vector3 positions',
    () => buildNavMesh({ positions: [0, 1, 2].map(() => new Vector3()) }),
    /list\.flatMap\(\(\{ x, y, z \}\)/,
  ],
  ['vertices', () => buildNavMesh({ vertices: positions, indices }), /It has vertices: pass them as positions/],
  ['a BufferGeometry', () => buildNavMesh(geometry), /BufferGeometry of three\.js: pass levelFromObject3D/],
  [
    'a Mesh',
    () => buildNavMesh(new Mesh(geometry)),
    /It is an object of three\.js: pass levelFromObject3D\(it\) of navkiln\/three/,
  ],
  ['a Scene', () => buildNavMesh(new Scene()), /It is an object of three\.js/],
  ['a list of Meshes', () => buildNavMesh([new Mesh(geometry)]), /It is an object of three\.js/],
  [
    'a BufferAttribute',
    () => buildNavMesh({ positions: geometry.attributes['position'] }),
    /BufferAttribute of three\.js: pass its array/,
  ],
  [
    'undefined indices',
    () => buildNavMesh({ positions, indices: [0, 1, undefined] }),
    /Did a loop run past the end of a list\?/,
  ],
  [
    'indices from 1',
    () => buildNavMesh({ positions, indices: [1, 2, 3, 1, 3, 4] }),
    /Indices count from 0; those of OBJ files count from 1/,
  ],
  [
    'fractions as indices',
    () => buildNavMesh({ positions, indices: Float64Array.of(0, 1, 2.5) }),
    /must be a whole number from 0 to 3/,
  ],
  [
    '`index` for `indices`',
    () => buildNavMesh({ positions, index: indices }),
    /Without indices, three positions in a row are a triangle/,
  ],
  ['a 2D map as level', () => buildNavMesh({ polygons: [] }), /It is a 2D map: buildFromPolygons of navkiln\/polygon/],
  // Names and values of options.
  ['a number in quotes', () => bake({ agent: { radius: '0.4' } }), /is "0\.4".*It is a string: pass the number 0\.4/],
  ['agentRadius', () => bake({ agentRadius: 0.4 }), /did you mean agent\.radius\? Pass agent: \{ radius \}/],
  ['walkableClimb', () => bake({ walkableClimb: 2 }), /agent\.maxClimb.*It is a length in world units, not in cells/],
  ['cs', () => bake({ cs: 0.2 }), /options\.cs is unknown; did you mean cellSize\?/],
  ['raduis', () => bake({ agent: { raduis: 0.4 } }), /did you mean radius\?/],
  ['the slope without unit', () => bake({ agent: { maxSlope: 1 } }), /did you mean maxSlopeDegrees\? It is in degrees/],
  ['cellSize in agent', () => bake({ agent: { cellSize: 0.2 } }), /did you mean options\.cellSize, beside agent\?/],
  ['the radius as agent', () => bake({ agent: 0.4 }), /Its fields have names, such as \{ radius: 0\.4 \}/],
  ['a signal', () => bake({ signal: new AbortController().signal }), /bakeNavMesh takes a signal/],
  ['speed', () => addAgent(crowd, b, { speed: 3 }), /options\.speed is unknown; did you mean maxSpeed\?/],
  ['stoppingDistance', () => addAgent(crowd, b, { stoppingDistance: 3 }), /did you mean arriveDistance\?/],
  ['milliseconds', () => createCrowd(mesh, { stepSeconds: 16 }), /It looks like milliseconds: pass 0\.016 seconds/],
  ['extents', () => findPath(mesh, a, b, { extents: 1 }), /did you mean halfExtents\?/],
  ['a record as filter', () => findPath(mesh, a, b, { filter: { includeFlags: 1 } }), /Make one with createFilter/],
  ['an area by name', () => createFilter({ areaCosts: { water: 3 } }), /Areas have numbers/],
  ['bidirectional', () => addLink(mesh, { start: a, end: b, bidirectional: true }), /did you mean bothWays\?/],
  [
    'rotationY',
    () => (worlds as unknown as Loose)['addLevel'](worlds.createWorld({ tileSize: 8 }), level, { rotationY: 1 }),
    /did you mean rotation\?/,
  ],
  // Files.
  ['a response as bytes', () => loadNavMesh(new Response('')), /pass new Uint8Array\(await it\.arrayBuffer\(\)\)/],
  ['a name as bytes', () => loadNavMesh('a.navmesh'), /It is a string: read the file first/],
  [
    'a page as bytes',
    () => loadNavMesh(bytesOf('<!doctype html>')),
    /it is HTML or XML: did the server find the file\?/,
  ],
  ['gzip as bytes', () => loadNavMesh(bytesOf('\u001F').fill(0x8b, 1, 2)), /it is compressed by gzip/],
  ['a packed mesh', () => loadNavMesh(navkiln.packNavMesh(mesh)), /it is packed: openNavMesh opens it/],
  ['a saved mesh', () => openNavMesh(navkiln.saveNavMesh(mesh)), /saveNavMesh wrote it: loadNavMesh reads it/],
  // 2D maps.
  ['a list as map', () => buildFromPolygons([[[0, 0]]]), /A map is \{ polygons: \[\{ outline, holes \}\] \}/],
  ['a list as polygon', () => buildFromPolygons({ polygons: [[[0, 0]]] }), /A polygon is \{ outline, holes \}/],
  [
    'a flat outline',
    () => buildFromPolygons({ polygons: [{ outline: [0, 0, 9, 0, 9, 9] }] }),
    /The list must be of points/,
  ],
];

// Other files of tests expect the messages without it.
const without = advice.of;
beforeAll(() => {
  advice.of = explain;
});
afterAll(() => {
  advice.of = without;
});

describe('mistakes of newcomers', () => {
  it('are more than forty, no two with one name', () => {
    expect(new Set(MISTAKES.map(([name]) => name)).size).toBe(MISTAKES.length);
    expect(MISTAKES.length).toBeGreaterThan(60);
  });

  it.each(MISTAKES)('%s', (_, run, answer) => {
    expect(run).toThrow(answer);
  });

  it('a slope in radians is a warning, one of a whole degree is none', () => {
    const codes = (maxSlopeDegrees: number): string[] =>
      build.buildNavMesh(level, { agent: { maxSlopeDegrees } }).report.warnings.map(({ code }) => code);
    expect(codes(Math.PI / 4)).toEqual(['slope-in-radians']);
    expect(codes(1)).toEqual([]);
    expect(codes(45)).toEqual([]);
  });

  it('without the advice, the message still names the value, what it must be, and the known keys', () => {
    try {
      advice.of = without;
      expect(() => findPath(result, a, b)).toThrow(/^findPath: mesh is an object; must be a NavMesh$/);
      expect(() => findPath(mesh, a, b, { extents: 1 })).toThrow(/extents is unknown; known keys: filter, size/);
    } finally {
      advice.of = explain;
    }
  });

  it('values whose getters throw get the plain message', () => {
    const hostile = new Proxy({}, { get: (_, key) => (key === 'polyPortal' ? undefined : JSON.parse('}')) });
    expect(() => findPath(hostile, a, b)).toThrow(/^findPath: mesh is an object; must be a NavMesh$/);
  });
});

describe('names', () => {
  it('of other libraries lead to names that an options object of the library has', () => {
    const known = new Set<string>();
    advice.of = (_, __, keys) => {
      if (typeof keys !== 'string') keys.forEach((key) => known.add(key));
      return '';
    };
    const world = worlds.createWorld({ tileSize: 8 });
    const probes: (() => unknown)[] = [
      () => bake({ zz: 1 }),
      () => bake({ agent: { zz: 1 } }),
      () => createCrowd(mesh, { zz: 1 }),
      () => addAgent(crowd, b, { zz: 1 }),
      () => findPath(mesh, a, b, { zz: 1 }),
      () => createFilter({ zz: 1 }),
      () => addLink(mesh, { zz: 1 }),
      () => (worlds as unknown as Loose)['addLevel'](world, level, { zz: 1 }),
      () => (worlds as unknown as Loose)['addCharacter']({ zz: 1 }),
    ];
    try {
      for (const probe of probes) expect(probe).toThrow();
    } finally {
      advice.of = explain;
    }
    known.add('walkSpeed');
    for (const [name, targets] of Object.entries(FOREIGN)) {
      expect(name).toMatch(/^[a-z]+$/);
      for (const target of targets) expect(known, name).toContain(target.split('.').at(-1));
    }
  });

  it('with one or two wrong letters are found, those without likeness are not', () => {
    const known = ['cellSize', 'cellHeight', 'tileSize', 'maxVerticesPerPoly', 'halfExtents'];
    expect(nearKey('celSize', known)).toBe('cellSize');
    expect(nearKey('clelSize', known)).toBe('cellSize');
    expect(nearKey('cell_height', known)).toBe('cellHeight');
    expect(nearKey('halfextents', known)).toBe('halfExtents');
    expect(nearKey('extents', known)).toBe('halfExtents');
    expect(nearKey('colour', known)).toBeUndefined();
    expect(nearKey('x'.repeat(1e6), known)).toBeUndefined();
    expect(nearKey('constructor', known)).toBeUndefined();
  });
});
