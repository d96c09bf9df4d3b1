/** Options and result of `verifyNavMesh`. */
import type { AgentShape } from '../../mesh/types.ts';
import type { AreaVolumes } from '../../build/voxel/options.ts';

/**
 * The kind of a fault:
 * - 'uncovered': an agent surely stands there, and the mesh has no polygon.
 * - 'overreach': the mesh has a polygon, and no agent can stand there.
 * - 'lost': two places that are surely connected lie on parts of the mesh that are not.
 * - 'invented': two parts of the level that are surely separate are connected by the mesh.
 * - 'false-door': two polygons are joined although their surfaces lie more than a step apart.
 * - 'invisible-wall': a ray stops on a straight walk over places where an agent surely stands.
 */
export type FaultKind = 'uncovered' | 'overreach' | 'lost' | 'invented' | 'false-door' | 'invisible-wall';

/** A place where the mesh is wrong. */
export interface FaultPlace {
  kind: FaultKind;
  /** World units. */
  position: [x: number, y: number, z: number];
  /**
   * Square units that are uncovered or too much, or that a wrong connection cuts off or adds. Length of the portal for
   * a false door, and of the blocked rest for an invisible wall.
   */
  area: number;
  /** Why the mesh is wrong there, as a sentence; null: not found. */
  cause: string | null;
  /** The option that repairs the place, tried before it is named; null: none was found. */
  remedy: string | null;
  /** Name of the size, in meshes with sizes. */
  size?: string;
}

/**
 * - 'other-agent': the mesh was baked for another agent than `options.agent`.
 * - 'other-level': the mesh reaches beyond the level.
 * - 'coarse-spacing': the level is so large that the spacing is wider than a cell.
 * - 'invalid-positions': triangles with an infinite or NaN corner were left out.
 * - 'inside-solids': polygons lie inside closed solids.
 * - 'nothing-judged': the lines met no place where an agent surely stands, so that `coverage` says nothing.
 * - 'places-omitted': there are more fault places than `maxPlaces`.
 */
export type VerifyWarningCode =
  | 'other-agent'
  | 'other-level'
  | 'coarse-spacing'
  | 'invalid-positions'
  | 'inside-solids'
  | 'nothing-judged'
  | 'places-omitted';

/** Something odd about the level or the mesh. */
export interface VerifyWarning {
  code: VerifyWarningCode;
  count: number;
  /** A sentence for people. */
  message: string;
}

/** Distances within which a place is not sure. */
export interface VerifyMargins {
  /** Added to the agent's radius, which is rounded up to whole cells first; world units. Default: one cell. */
  radius: number;
  /** World units, for steps and ceilings. Default: one cell height. */
  height: number;
  /** Default 1. */
  slopeDegrees: number;
}

/** Options of `verifyNavMesh`. */
export interface VerifyOptions {
  /** Offset of the grid of lines, pairs and walks. A whole number. Default 1. */
  seed?: number;
  /** Number of random pairs of places, and of straight walks. Default 300. */
  pairs?: number;
  /** Distance between the lines, world units. Default: the mesh's cell size, wider for more than `maxColumns` lines. */
  spacing?: number;
  /** Limit on the number of lines. Default 4 million. */
  maxColumns?: number;
  /** Limit on the number of listed places. Default 100. */
  maxPlaces?: number;
  /** The agent. Default: that of the mesh's header, or of each of its sizes. */
  agent?: Partial<AgentShape>;
  /** Only this box is verified, such as the `bounds` of the bake; world units. Default: the whole level. */
  bounds?: { min: readonly number[]; max: readonly number[] };
  /** The `volumes` of the bake: in and around those of area 0, no place is sure. Default: none. */
  volumes?: AreaVolumes;
  /**
   * Points, x, y, z each: only places that an agent surely reaches from one of them count as sure. Default: all count.
   */
  keepReachable?: readonly (readonly number[])[];
  /** Distances within which a place is not sure. Default: a cell, a cell height, one degree. */
  margins?: Partial<VerifyMargins>;
}

/** What `verifyNavMesh` found for one agent. */
export interface VerifyFigures {
  /**
   * Share of the places where an agent surely stands that have a polygon, 0 .. 1. Without such places (`sureArea` 0), 1 and no verdict.
   */
  coverage: number;
  /** Share of the mesh where no agent can stand, 0 .. 1. Mesh beyond the level's box counts, where it lies within `bounds`. */
  overreach: number;
  /** Share of the mesh inside of closed solids, which is not part of `overreach`. */
  insideSolids: number;
  /** Share of random pairs that are surely connected, and not by the mesh. */
  lost: number;
  /** Share of random pairs that are surely not connected, and connected by the mesh. */
  invented: number;
  /** Number of random pairs. */
  pairs: number;
  /** Length of portals between surfaces that lie more than a step apart, world units. */
  falseDoors: number;
  /** Number of straight walks that a ray stops. */
  invisibleWalls: number;
  straightWalks: number;
  /** Area where an agent surely stands, square units. */
  sureArea: number;
  meshArea: number;
  /** The largest first. */
  places: FaultPlace[];
}

/** Result of `verifyNavMesh`. On a mesh with sizes, each figure is that of the worst size. */
export interface VerifyResult extends VerifyFigures {
  seed: number;
  /** Distance between the lines that was used, world units. */
  spacing: number;
  agent: AgentShape;
  warnings: VerifyWarning[];
  /** The figures of each size; empty for meshes without sizes. */
  sizes: (VerifyFigures & { name: string; agent: AgentShape })[];
}
