/**
 * The typed arrays of a `NavMesh` as one table: which pool each belongs to, its type and its numbers an element.
 * Creating, growing, compacting, saving, loading and validating all walk this table, so a new array is a new line here
 * (and a new section id: ids are part of the file format and are never given out twice; 0 for what is derived).
 */
import type { NavMesh } from './types.ts';

export type PoolArray = Float64Array | Float32Array | Int32Array | Uint16Array | Uint8Array;

/** The fields of `NavMesh` that count a pool's elements in use. */
export type CountName =
  | 'tileSlotCount'
  | 'vertexCount'
  | 'polyCount'
  | 'edgeCount'
  | 'detailVertexCount'
  | 'detailTriCount'
  | 'nodeCount'
  | 'portalCount'
  | 'linkCount';

/** The pooled arrays' fields. */
export type ArrayName = {
  [K in keyof NavMesh]: NavMesh[K] extends PoolArray ? K : never;
}[keyof NavMesh];

/** Element types, numbered as in the file format. */
export const TYPE_F64 = 1;
export const TYPE_F32 = 2;
export const TYPE_I32 = 3;
export const TYPE_U16 = 4;
export const TYPE_U8 = 5;

export interface ArrayField {
  name: ArrayName;
  pool: CountName;
  type: number;
  stride: number;
  /** Section id in the file format; 0: derived, not saved. */
  id: number;
}

const DERIVED = 0;

function field(id: number, pool: CountName, name: ArrayName, type: number, stride: number): ArrayField {
  return { id, pool, name, type, stride };
}

export const ARRAY_FIELDS: readonly ArrayField[] = [
  field(2, 'tileSlotCount', 'tileState', TYPE_U8, 1),
  field(3, 'tileSlotCount', 'tileGeneration', TYPE_U16, 1),
  field(4, 'tileSlotCount', 'tileX', TYPE_I32, 1),
  field(5, 'tileSlotCount', 'tileZ', TYPE_I32, 1),
  field(6, 'tileSlotCount', 'tileLayer', TYPE_I32, 1),
  field(7, 'tileSlotCount', 'tileBounds', TYPE_F64, 6),
  field(8, 'tileSlotCount', 'tileVertexStart', TYPE_I32, 1),
  field(9, 'tileSlotCount', 'tileVertexCount', TYPE_I32, 1),
  field(10, 'tileSlotCount', 'tilePolyStart', TYPE_I32, 1),
  field(11, 'tileSlotCount', 'tilePolyCount', TYPE_I32, 1),
  field(12, 'tileSlotCount', 'tileEdgeStart', TYPE_I32, 1),
  field(13, 'tileSlotCount', 'tileEdgeCount', TYPE_I32, 1),
  field(14, 'tileSlotCount', 'tileDetailVertexStart', TYPE_I32, 1),
  field(15, 'tileSlotCount', 'tileDetailVertexCount', TYPE_I32, 1),
  field(16, 'tileSlotCount', 'tileDetailTriStart', TYPE_I32, 1),
  field(17, 'tileSlotCount', 'tileDetailTriCount', TYPE_I32, 1),
  field(18, 'tileSlotCount', 'tileNodeStart', TYPE_I32, 1),
  field(19, 'tileSlotCount', 'tileNodeCount', TYPE_I32, 1),
  field(20, 'vertexCount', 'vertices', TYPE_F64, 3),
  field(21, 'polyCount', 'polyTile', TYPE_I32, 1),
  field(22, 'polyCount', 'polyEdgeStart', TYPE_I32, 1),
  field(23, 'polyCount', 'polyVertexCount', TYPE_U8, 1),
  field(24, 'polyCount', 'polyArea', TYPE_U8, 1),
  field(25, 'polyCount', 'polyFlags', TYPE_U16, 1),
  field(26, 'polyCount', 'polyDetailVertexStart', TYPE_I32, 1),
  field(27, 'polyCount', 'polyDetailVertexCount', TYPE_U8, 1),
  field(28, 'polyCount', 'polyDetailTriStart', TYPE_I32, 1),
  field(29, 'polyCount', 'polyDetailTriCount', TYPE_U16, 1),
  field(36, 'polyCount', 'polyIsland', TYPE_I32, 1),
  field(30, 'edgeCount', 'edgeVertex', TYPE_I32, 1),
  field(31, 'edgeCount', 'edgeNeighbor', TYPE_I32, 1),
  field(32, 'detailVertexCount', 'detailVertices', TYPE_F64, 3),
  field(33, 'detailTriCount', 'detailTris', TYPE_U8, 4),
  field(34, 'nodeCount', 'bvBounds', TYPE_F32, 6),
  field(35, 'nodeCount', 'bvItem', TYPE_I32, 1),
  field(37, 'linkCount', 'linkState', TYPE_U8, 1),
  field(38, 'linkCount', 'linkGeneration', TYPE_U16, 1),
  field(39, 'linkCount', 'linkPoints', TYPE_F64, 12),
  field(40, 'linkCount', 'linkRadius', TYPE_F64, 1),
  field(41, 'linkCount', 'linkCost', TYPE_F64, 1),
  field(42, 'linkCount', 'linkArea', TYPE_U8, 1),
  field(43, 'linkCount', 'linkFlags', TYPE_U16, 1),
  field(44, 'linkCount', 'linkUserId', TYPE_F64, 1),
  field(DERIVED, 'linkCount', 'linkPoly', TYPE_I32, 2),
  field(DERIVED, 'linkCount', 'linkNext', TYPE_I32, 2),
  field(DERIVED, 'linkCount', 'linkHashNext', TYPE_I32, 2),
  field(DERIVED, 'linkCount', 'linkAnchors', TYPE_F64, 12),
  field(DERIVED, 'polyCount', 'polyLink', TYPE_I32, 1),
  field(DERIVED, 'polyCount', 'polyPortal', TYPE_I32, 1),
  field(DERIVED, 'nodeCount', 'islandParent', TYPE_I32, 1),
  field(DERIVED, 'portalCount', 'portalNext', TYPE_I32, 1),
  field(DERIVED, 'portalCount', 'portalPoly', TYPE_I32, 1),
  field(DERIVED, 'portalCount', 'portalEdge', TYPE_I32, 1),
  field(DERIVED, 'portalCount', 'portalBack', TYPE_I32, 1),
  field(DERIVED, 'portalCount', 'portalSpan', TYPE_F64, 2),
];

/** Those that are saved, in the order of the file. */
export const SAVED_FIELDS: readonly ArrayField[] = ARRAY_FIELDS.filter(({ id }) => id !== DERIVED);

/** A tile's range in each pool: where `start` and `count` of slot t are, for the pool counted by `pool`. */
export interface RangeField {
  pool: Exclude<CountName, 'tileSlotCount' | 'portalCount' | 'linkCount'>;
  start: ArrayName & `tile${string}Start`;
  count: ArrayName & `tile${string}Count`;
}

export const RANGE_FIELDS: readonly RangeField[] = [
  { pool: 'vertexCount', start: 'tileVertexStart', count: 'tileVertexCount' },
  { pool: 'polyCount', start: 'tilePolyStart', count: 'tilePolyCount' },
  { pool: 'edgeCount', start: 'tileEdgeStart', count: 'tileEdgeCount' },
  { pool: 'detailVertexCount', start: 'tileDetailVertexStart', count: 'tileDetailVertexCount' },
  { pool: 'detailTriCount', start: 'tileDetailTriStart', count: 'tileDetailTriCount' },
  { pool: 'nodeCount', start: 'tileNodeStart', count: 'tileNodeCount' },
];

export function bytesOfType(type: number): number {
  return type === TYPE_F64 ? 8 : type === TYPE_U16 ? 2 : type === TYPE_U8 ? 1 : 4;
}

/** A typed array of `length` numbers: zeros, or a view of `buffer` at `byteOffset`. */
export function makeArray(type: number, length: number, buffer?: ArrayBufferLike, byteOffset: number = 0): PoolArray {
  const source = buffer ?? new ArrayBuffer(length * bytesOfType(type));
  if (type === TYPE_F64) return new Float64Array(source, byteOffset, length);
  if (type === TYPE_F32) return new Float32Array(source, byteOffset, length);
  if (type === TYPE_I32) return new Int32Array(source, byteOffset, length);
  if (type === TYPE_U16) return new Uint16Array(source, byteOffset, length);
  return new Uint8Array(source, byteOffset, length);
}

/** Writes a field of the table; its type has been chosen by the table, which the type system cannot see. */
export function setArray(mesh: NavMesh, name: ArrayName, array: PoolArray): void {
  (mesh as unknown as Record<ArrayName, PoolArray>)[name] = array;
}
