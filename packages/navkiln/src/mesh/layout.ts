/**
 * The typed arrays of a `NavMesh` as one table: the pool, element type and stride of each.
 *
 * Creating, growing, compacting, saving, loading and validating all walk this table, so a new array is one
 * new word here. A new array that is saved also needs a new version of the file format, whose sections follow
 * the order of the table.
 */
import type { NavMesh } from './types.ts';

export type PoolArray = Float64Array | Float32Array | Int32Array | Uint16Array | Uint8Array;

/** The fields of `NavMesh` that count the used elements of a pool. */
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

/** The fields that hold pooled arrays. */
export type ArrayName = {
  [K in keyof NavMesh]: NavMesh[K] extends PoolArray ? K : never;
}[keyof NavMesh];

/** Element types. */
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
  /** False: derived from the others when a mesh is loaded. */
  isSaved: boolean;
}

/**
 * Each line is a pool followed by its arrays. An array is its name, type (1 f64, 2 f32, 4 u16, 5 u8; default
 * 3, i32) and stride (default 1). Arrays after `-` are not saved. Text is smaller in a bundle than calls.
 */
const TABLE = `
tileSlotCount tileState:5 tileGeneration:4 tileX tileZ tileLayer tileVertexCount tilePolyCount - tileVertexStart \
tilePolyStart tileEdgeStart tileEdgeCount tileDetailVertexStart tileDetailVertexCount tileDetailTriStart \
tileDetailTriCount tileNodeStart tileNodeCount tileBounds:1:6
vertexCount vertices:1:3
polyCount polyVertexCount:5 polyArea:5 polyFlags:4 polyDetailVertexCount:5 polyDetailTriCount:4 polyIsland - polySizes:4 polyTile \
polyEdgeStart polyDetailVertexStart polyDetailTriStart polyPortal polyLink
edgeCount edgeVertex edgeNeighbor
detailVertexCount detailVertices:1:3
detailTriCount detailTris:5:4
nodeCount bvItem - bvBounds:2:6 islandParent
portalCount portalEdge portalBack portalSpan:1:2 - portalNext portalPoly
linkCount linkState:5 linkGeneration:4 linkPoints:1:12 linkRadius:1 linkCost:1 linkArea:5 linkFlags:4 linkUserId:1 linkPoly:3:2 \
linkAnchors:1:12 - linkSizes:4 linkNext:3:2 linkHashNext:3:2`;

function readTable(): ArrayField[] {
  return TABLE.trim()
    .split('\n')
    .flatMap((line) => {
      const [pool, ...words] = line.split(' ') as [CountName, ...string[]];
      const savedCount = (words.indexOf('-') + 1 || words.length + 1) - 1;
      return words
        .filter((word) => word !== '-')
        .map((word, i) => {
          const [name, type = TYPE_I32, stride = 1] = word.split(':');
          return { name: name as ArrayName, pool, type: +type, stride: +stride, isSaved: i < savedCount };
        });
    });
}

export const ARRAY_FIELDS: readonly ArrayField[] = /* @__PURE__ */ readTable();

/** A tile's range in one pool: the fields with its start and count, and the field that counts the pool. */
export interface RangeField {
  pool: Exclude<CountName, 'tileSlotCount' | 'portalCount' | 'linkCount'>;
  start: ArrayName & `tile${string}Start`;
  count: ArrayName & `tile${string}Count`;
}

function rangeFields(): RangeField[] {
  return ['Vertex', 'Poly', 'Edge', 'DetailVertex', 'DetailTri', 'Node'].map(
    (name) =>
      ({
        pool: `${name[0].toLowerCase()}${name.slice(1)}Count`,
        start: `tile${name}Start`,
        count: `tile${name}Count`,
      }) as RangeField,
  );
}

export const RANGE_FIELDS: readonly RangeField[] = /* @__PURE__ */ rangeFields();

export function bytesOfType(type: number): number {
  return [8, 4, 4, 2, 1][type - 1];
}

/** Creates a typed array of `length` numbers: zeros, or a view of `buffer` at `byteOffset`. */
export function makeArray(type: number, length: number, buffer?: ArrayBufferLike, byteOffset: number = 0): PoolArray {
  const make = [Float64Array, Float32Array, Int32Array, Uint16Array, Uint8Array][type - 1];
  return buffer === undefined ? new make(length) : new make(buffer as ArrayBuffer, byteOffset, length);
}

/** Writes a field of the table. The table has chosen the type, which the type system cannot see. */
export function setArray(mesh: NavMesh, name: ArrayName, array: PoolArray): void {
  (mesh as unknown as Record<ArrayName, PoolArray>)[name] = array;
}
