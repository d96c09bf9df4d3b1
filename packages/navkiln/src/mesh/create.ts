/** Creates an empty NavMesh. `addTile` adds tiles to it. */
import { checkArray, checkKeys, checkNumbers, checkObject, refuse } from '../base/data/refuse.ts';
import { ARRAY_FIELDS, makeArray } from './layout.ts';
import { areSizes, copySizes } from './sizes-file.ts';
import type { AgentShape, MeshSize, NavMesh } from './types.ts';

/** Options of `createNavMesh`. */
export interface NavMeshOptions {
  /** The agent that the mesh is for: lengths in world units, the slope in degrees. */
  agent: AgentShape;
  /** Voxel size of the bake, world units. Default 0: the mesh was not made of voxels. */
  cellSize?: number;
  /** Height of a voxel of the bake, world units. Default 0: not from voxels. */
  cellHeight?: number;
  /** Minimum corner of tile (0, 0), world units. Default [0, 0, 0]. */
  origin?: ArrayLike<number>;
  /** Side of a square tile, world units. Default 0: one tile of any size. */
  tileSize?: number;
  /** Sizes of agents, by radius, then height; at most 16. Default: none. */
  sizes?: readonly MeshSize[];
}

/** Creates a mesh without tiles. Throws a RangeError for a number that is out of range. */
export function createNavMesh(options: NavMeshOptions): NavMesh {
  checkObject('createNavMesh', 'options', options);
  checkKeys('createNavMesh', options, ['agent', 'cellSize', 'cellHeight', 'origin', 'tileSize', 'sizes']);
  const { agent, cellSize = 0, cellHeight = 0, origin = [0, 0, 0], tileSize = 0, sizes = [] } = options;
  const lengths: [string, number][] = [
    ['agent.radius', agent?.radius],
    ['agent.height', agent?.height],
    ['agent.maxClimb', agent?.maxClimb],
    ['agent.maxSlopeDegrees', agent?.maxSlopeDegrees],
    ['cellSize', cellSize],
    ['cellHeight', cellHeight],
    ['tileSize', tileSize],
  ];
  for (const [name, value] of lengths) {
    if (typeof value !== 'number' || !(value >= 0 && value < Infinity))
      refuse('createNavMesh', `options.${name}`, value, 'a finite number >= 0');
  }
  checkNumbers('createNavMesh', 'options.origin', origin);
  if (origin.length !== 3 || !Number.isFinite(origin[0] + origin[1] + origin[2])) {
    refuse('createNavMesh', 'options.origin', Array.from(origin), 'three finite numbers');
  }
  const { radius, height, maxClimb, maxSlopeDegrees } = agent;
  const shape = { radius, height, maxClimb, maxSlopeDegrees };
  checkArray('createNavMesh', 'options.sizes', sizes);
  for (const [i, size] of sizes.entries()) checkObject('createNavMesh', `options.sizes[${i}]`, size);
  if (!areSizes(sizes))
    refuse(
      'createNavMesh',
      'options.sizes',
      sizes,
      'at most 16 sizes, sorted by radius and height, with different names',
    );
  const mesh = emptyNavMesh(shape, cellSize, cellHeight, Float64Array.from(origin), tileSize);
  mesh.sizes = copySizes(sizes);
  return mesh;
}

/** A mesh without values, whose shape all meshes have. */
let template: Record<string, unknown> | undefined;

/** Creates an empty mesh without checks; keeps the objects it is given. @internal */
export function emptyNavMesh(
  agent: AgentShape,
  cellSize: number,
  cellHeight: number,
  origin: Float64Array,
  tileSize: number,
): NavMesh {
  const fields: Record<string, unknown> = {
    version: 1,
    revision: 0,
    agent,
    cellSize,
    cellHeight,
    origin,
    tileSize,
    mapYSign: 0,
    layers: new Uint8Array(0),
    sizes: [],
    groups: [],
    polyGroup: new Map(),
    tileFreeSlot: -1,
    tileHash: new Int32Array(1).fill(-1),
    tileNext: new Int32Array(0),
    islandsStale: 0,
    portalFree: -1,
    linkFree: -1,
    linkHash: new Int32Array(0),
    linkReach: 0,
    linkScale: 1,
  };
  if (template === undefined) {
    for (const { name, pool } of ARRAY_FIELDS) fields[pool] = fields[name] = 0;
    // Adding fields one by one under computed names makes a slow dictionary object. This gives all meshes one
    // shape.
    template = Object.fromEntries(Object.entries(fields));
  }
  const mesh = { ...template, ...fields };
  for (const { name, type } of ARRAY_FIELDS) mesh[name] = makeArray(type, 0);
  return mesh as unknown as NavMesh;
}
