/**
 * Types as callers meet them: what compiles, and what must not. `npm run check types` compiles this file; nothing runs it. An error that a
 * line should have and has not is an error itself (`@ts-expect-error`).
 */
import { createAgentTypes, createFilter, findNearest, findPath, openNavMesh, typeFilter } from 'navkiln';
import type { AgentType, NavMesh, PathOptions } from 'navkiln';
import { bakeNavMesh, buildNavMesh } from 'navkiln/build';
import type { BuildOptions } from 'navkiln/build';
import { addAgent, createCrowd, moveAgentTo } from 'navkiln/crowd';
import { buildFromPolygons, findPath2d } from 'navkiln/polygon';

declare const level: { positions: number[]; indices: Uint32Array };
declare const list: number[];
declare const frozen: readonly number[];
declare const tuple: readonly [number, number, number];
declare const pair: [number, number];
declare const vector: { x: number; y: number; z: number; length(): number };
declare const vector2: { x: number; y: number };
declare const promise: Promise<NavMesh>;

// Points are lists of three, typed arrays, lists of unknown length, and records.
const { navMesh } = buildNavMesh(level);
findPath(navMesh, [1, 0, 1], tuple);
findPath(navMesh, list, frozen);
findPath(navMesh, Float64Array.of(1, 0, 1), new Float32Array(3).subarray(0, 3));
findPath(navMesh, vector, { x: 1, y: 0, z: 1 });
findNearest(navMesh, [1, 0, 1], { halfExtents: 2 });
findNearest(navMesh, [1, 0, 1], { halfExtents: [1, 2, 1] });

// @ts-expect-error a point of a map
findPath(navMesh, [1, 1], [1, 0, 1]);
// @ts-expect-error a point of a map
findPath(navMesh, pair, [1, 0, 1]);
// @ts-expect-error no height
findPath(navMesh, vector2, [1, 0, 1]);
// @ts-expect-error four numbers
findPath(navMesh, [1, 0, 1, 1], [1, 0, 1]);
// @ts-expect-error strings
findPath(navMesh, ['1', '0', '1'], [1, 0, 1]);
// @ts-expect-error a list of points
findPath(navMesh, [[1, 0, 1]], [1, 0, 1]);
// @ts-expect-error one text
findPath(navMesh, '1,0,1', [1, 0, 1]);
// @ts-expect-error half extents of a map
findNearest(navMesh, [1, 0, 1], { halfExtents: [1, 1] });

// Points of maps have two numbers.
const map = buildFromPolygons({ polygons: [{ outline: [[0, 0], [9, 0], { x: 9, y: 9 }] }] }).navMesh;
findPath2d(map, [1, 1], vector2);
findPath2d(map, list, Float32Array.of(1, 1));
// @ts-expect-error a height
findPath2d(map, [1, 0, 1], [2, 2]);
// @ts-expect-error an outline is a list of points
buildFromPolygons({ polygons: [{ outline: [0, 0, 9, 0, 9, 9] }] });
// @ts-expect-error the key is `holes`
buildFromPolygons({ polygons: [{ outline: [[0, 0]], hole: [] }] });

// A mesh is no result, no promise and no bytes.
// @ts-expect-error the result of a bake
findPath(buildNavMesh(level), [1, 0, 1], [1, 0, 1]);
// @ts-expect-error a promise
findPath(promise, [1, 0, 1], [1, 0, 1]);
// @ts-expect-error a promise has no navMesh
void bakeNavMesh(level).navMesh;
// @ts-expect-error bytes
findPath(new Uint8Array(8), [1, 0, 1], [1, 0, 1]);
// @ts-expect-error the mesh comes first
findPath([1, 0, 1], [1, 0, 1], navMesh);
// @ts-expect-error a name of a file
openNavMesh('town.navmesh');

// Options: names, units and kinds.
buildNavMesh(level, { agent: { radius: 0.4, maxSlopeDegrees: 45 }, cellSize: 0.2 });
// @ts-expect-error a field of `agent`
const outside: BuildOptions = { agentRadius: 0.4 };
// @ts-expect-error a number in quotes
const quoted: BuildOptions = { cellSize: '0.2' };
// @ts-expect-error the slope has a unit in its name
const slope: BuildOptions = { agent: { maxSlope: 45 } };
// @ts-expect-error Recast's name
const short: BuildOptions = { cs: 0.2 };
// @ts-expect-error a record that createFilter did not make
const plain: PathOptions = { filter: { includeFlags: 1 } };
// @ts-expect-error `filter` takes these
const costs: PathOptions = { areaCosts: { 3: 2 } };
void [outside, quoted, slope, short, plain, costs];
createFilter({ closedLinks: ['jump'] });
// @ts-expect-error no kind of links
createFilter({ closedLinks: ['fly'] });

// Names of types are known from the list.
const types = createAgentTypes(navMesh, [{ name: 'human' }, { name: 'ogre', size: 'ogre', closedAreas: [3] }]);
const name: 'human' | 'ogre' = types[0]!.name;
typeFilter(types, 'human');
// @ts-expect-error no type of the list
typeFilter(types, 'orc');
// Without a list, they are those of the mesh.
const ofMesh: AgentType[] = createAgentTypes(navMesh);
typeFilter(ofMesh, 'anything');
const crowd = createCrowd(navMesh, { types });
const agent = addAgent(crowd, [1, 0, 1], { maxSpeed: 3, type: name });
moveAgentTo(crowd, agent, vector);
// @ts-expect-error Unity's name
addAgent(crowd, [1, 0, 1], { speed: 3 });
// @ts-expect-error agents have ids
moveAgentTo(crowd, { id: agent }, [1, 0, 1]);
// @ts-expect-error no point but coordinates
addAgent(crowd, 1, 0, 1);
