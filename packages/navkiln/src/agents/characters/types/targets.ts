/**
 * Targets: positions, moving objects or other characters that characters follow.
 *
 * Targets are rows of growing typed arrays. A `TargetId` packs a row and its generation: generation * TARGET_ROWS +
 * row. The id of a removed target therefore matches no later target.
 */

/** A checked handle of a target; 0 is null. */
export type TargetId = number & { readonly __brand: 'TargetId' };

/** Maximum number of rows, and the factor of the generation in an id. */
export const TARGET_ROWS = 0x100000;

// targets.kind
export const TARGET_FREE = 0;
export const TARGET_POINT = 1;
export const TARGET_CHARACTER = 2;

/** Targets of a set of characters. */
export interface Targets {
  /** Number of rows, in use or free, and number of targets. */
  rowCount: number;
  count: number;
  kind: Uint8Array;
  generation: Uint32Array;
  /** xyz of the target's given position, or of its character. World units. */
  position: Float64Array;
  /** AgentId of the character (TARGET_CHARACTER); otherwise 0. */
  character: Float64Array;
  /**
   * xyz of the last walkable position under the target, its polygon (dense index; -1 until there is one) and
   * that polygon's ref.
   */
  ground: Float64Array;
  groundPoly: Int32Array;
  groundRef: Float64Array;
  /** 1: off the walkable surface; `ground` is the last position on it. */
  isAirborne: Uint8Array;
  /** 1: `position` has changed and the surface below must be looked up. */
  isStale: Uint8Array;
  /** Revision of the mesh at the last look-up. */
  revision: number;
}
