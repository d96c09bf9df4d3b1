/**
 * Targets: what characters go after. Places, things that move, other characters.
 *
 * Rows in growing arrays; a `TargetId` is row and generation, so that the id of one that was removed names none.
 */

/** A checked handle: generation and row. 0 is null. */
export type TargetId = number & { readonly __brand: 'TargetId' };

/** Rows a generation counts above. */
export const TARGET_ROWS = 0x100000;

// targets.kind
export const TARGET_FREE = 0;
export const TARGET_POINT = 1;
export const TARGET_CHARACTER = 2;

export interface Targets {
  /** Rows ever used, and how many are. */
  rowCount: number;
  count: number;
  kind: Uint8Array;
  generation: Uint32Array;
  /** xyz: where it was put. */
  position: Float64Array;
  /** AgentId of TARGET_CHARACTER. */
  character: Float64Array;
  /** xyz: the ground it was last on, its polygon (dense index, -1: it never was on ground) and the polygon's ref. */
  ground: Float64Array;
  groundPoly: Int32Array;
  groundRef: Float64Array;
  /** 1: it is off the ground now, `ground` is where it was. */
  isAirborne: Uint8Array;
  /** 1: to be looked up. */
  isStale: Uint8Array;
  /** Of the mesh, when polygons were looked up. */
  revision: number;
}
