/**
 * Types as the package publishes them, whose meshes, crowds and indexes are opaque. The tests of consumers compile this file against the packed
 * package, since the repository compiles with all members.
 */
import { buildNavMesh, findPath, openNavMesh } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { addAgent, createCrowd, stepCrowd } from 'navkiln/crowd';
import type { Crowd } from 'navkiln/crowd';
import { buildPathIndex, findIndexedPath } from 'navkiln/index';
import type { PathIndex } from 'navkiln/index';
import { createSearchState } from 'navkiln/kernel';
import type { NavMeshArrays, SearchState } from 'navkiln/kernel';
import type { World } from 'navkiln/world';

declare const level: { positions: number[]; indices: Uint32Array };
declare const bytes: Uint8Array;
declare const world: World;
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

// Editors list eleven fields of a mesh; symbols are not strings.
const fields: Same<
  Extract<keyof NavMesh, string>,
  | 'revision'
  | 'agent'
  | 'cellSize'
  | 'cellHeight'
  | 'origin'
  | 'tileSize'
  | 'mapYSign'
  | 'sizes'
  | 'polyCount'
  | 'polyArea'
  | 'polyFlags'
> = true;
const indexFields: Same<
  Extract<keyof PathIndex, string>,
  'size' | 'others' | 'tier' | 'reason' | 'polyCount' | 'cornerCount'
> = true;
const stateFields: Same<Extract<keyof SearchState, string>, 'visitedCount' | 'expandedCount' | 'isShort'> = true;
void [fields, indexFields, stateFields];

// What users do with a mesh.
const { navMesh } = buildNavMesh(level);
const copy: NavMesh = structuredClone(navMesh);
const counts: number = copy.polyCount + navMesh.agent.radius + navMesh.polyArea[0]! + world.navMesh.revision;
findPath(openNavMesh(bytes), [counts, 0, 0], [1, 0, 1]);
const crowd: Crowd = createCrowd(navMesh);
addAgent(crowd, [0, 0, 0], {});
stepCrowd(crowd);
const x: number = crowd.agents.position[0]! + crowd.agentCount + crowd.tick;
const index = buildPathIndex(navMesh);
findIndexedPath(index, navMesh, [x, 0, 0], [1, 0, 1]);
const state: SearchState = createSearchState();
void state;

// The arrays have a type of their own, for code that reads them.
const { vertices, edgeVertex }: { vertices: Float64Array; edgeVertex: Int32Array } = navMesh as NavMeshArrays;
void [vertices, edgeVertex];
// @ts-expect-error the arrays of a mesh are not for users
void navMesh.edgeVertex;
// @ts-expect-error the tables of an index are not for users
void index.tableHop;
// @ts-expect-error the queues of a world are not for users
void world.queued;
// @ts-expect-error a record is no mesh, whatever fields it has
const made: NavMesh = { ...navMesh.agent, revision: 1, polyCount: 4 };
// @ts-expect-error an empty record is no state
const empty: SearchState = { visitedCount: 0, expandedCount: 0, isShort: false };
void [made, empty];
