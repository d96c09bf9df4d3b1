/**
 * An empty NavMesh; tiles come with `addTile`.
 */
import { refuse } from '../data/refuse.ts';
import { ARRAY_FIELDS, makeArray } from './layout.ts';
import type { AgentShape, NavMesh } from './types.ts';

export interface NavMeshOptions {
  /** The body the mesh is for; lengths in world units, the slope in degrees. */
  agent: AgentShape;
  /** Voxel size the ground was baked with, world units. Default 0: it was not made of voxels. */
  cellSize?: number;
  cellHeight?: number;
  /** Minimum corner of tile (0, 0), world units. Default [0, 0, 0]. */
  origin?: ArrayLike<number>;
  /** Side of a square tile, world units. Default 0: one tile of any size. */
  tileSize?: number;
}

export function createNavMesh(options: NavMeshOptions): NavMesh {
  const { agent, cellSize = 0, cellHeight = 0, origin = [0, 0, 0], tileSize = 0 } = options;
  const sizes: [string, number][] = [
    ['agent.radius', agent?.radius],
    ['agent.height', agent?.height],
    ['agent.maxClimb', agent?.maxClimb],
    ['agent.maxSlopeDegrees', agent?.maxSlopeDegrees],
    ['cellSize', cellSize],
    ['cellHeight', cellHeight],
    ['tileSize', tileSize],
  ];
  for (const [name, value] of sizes) {
    if (!(value >= 0 && value < Infinity)) refuse('createNavMesh', name, value, 'a finite number that is not negative');
  }
  if (origin.length !== 3 || !Number.isFinite(origin[0] + origin[1] + origin[2])) {
    refuse('createNavMesh', 'origin', `[${Array.from(origin).join(', ')}]`, 'three finite numbers');
  }
  const { radius, height, maxClimb, maxSlopeDegrees } = agent;
  const shape = { radius, height, maxClimb, maxSlopeDegrees };
  return emptyNavMesh(shape, cellSize, cellHeight, Float64Array.from(origin), tileSize);
}

/** The same with nothing checked; keeps what it is given. @internal */
export function emptyNavMesh(
  agent: AgentShape,
  cellSize: number,
  cellHeight: number,
  origin: Float64Array,
  tileSize: number,
): NavMesh {
  const mesh: Record<string, unknown> = {
    version: 1,
    revision: 0,
    agent,
    cellSize,
    cellHeight,
    origin,
    tileSize,
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
  for (const { name, pool, type } of ARRAY_FIELDS) {
    mesh[pool] = 0;
    mesh[name] = makeArray(type, 0);
  }
  // Fields added one by one by their names make a dictionary, which is slow to read; this gives all meshes one shape.
  return Object.fromEntries(Object.entries(mesh)) as unknown as NavMesh;
}
