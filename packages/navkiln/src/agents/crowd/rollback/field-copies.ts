/**
 * Copies of goal fields. Snapshots share a copy while its field stands still, as fields of reached goals do, so most
 * ticks copy none.
 *
 * A field is determined by its goal, filter, revision and number of expanded nodes. Two with the same are equal.
 *
 * In: the fields of a crowd. Out: copies, or the fields as they were, under other stamps.
 * Cost: constant for a field that stands still; otherwise about 60 bytes for each of its nodes.
 * Based on: own.
 */
import type { NavMesh } from '../../../mesh/types.ts';
import { NODE_ARRAYS, createGoalField, reserveNodes } from '../search/goal-field.ts';
import type { GoalField } from '../state/search-types.ts';
import type { Crowd } from '../state/types.ts';

/** A copy of a field, and how many snapshots have it. */
export interface FieldCopy {
  field: GoalField;
  useCount: number;
}

/** The copies of a crowd. */
interface Pool {
  /** For each field: its last copy. */
  latest: FieldCopy[];
  free: FieldCopy[];
}

const pools = /* @__PURE__ */ new WeakMap<Crowd, Pool>();

/** Copies the fields of a crowd into the list of a snapshot. */
export function copyFields(out: FieldCopy[], crowd: Crowd): void {
  let pool = pools.get(crowd);
  if (pool === undefined) pools.set(crowd, (pool = { latest: [], free: [] }));
  const { fields } = crowd.searches;
  for (let i = 0; i < fields.length; i++) {
    let copy: FieldCopy | undefined = pool.latest[i];
    if (copy === undefined || !isEqual(copy.field, fields[i])) {
      if (copy !== undefined) release(pool, copy);
      copy = pool.free.pop() ?? { field: createGoalField(), useCount: 0 };
      copy.useCount = 1;
      copyField(copy.field, fields[i]);
      pool.latest[i] = copy;
    }
    if (out[i] === copy) continue;
    if (i < out.length) release(pool, out[i]);
    copy.useCount++;
    out[i] = copy;
  }
  for (let i = fields.length; i < out.length; i++) release(pool, out[i]);
  out.length = fields.length;
}

function release(pool: Pool, copy: FieldCopy): void {
  if (--copy.useCount === 0) pool.free.push(copy);
}

/**
 * Brings the fields of a crowd back to their copies. Those of the revision `before` get that of the mesh.
 */
export function restoreFields({ searches, mesh }: Crowd, copies: readonly FieldCopy[], before: number): void {
  const { fields } = searches;
  fields.length = copies.length;
  for (let i = 0; i < copies.length; i++) {
    const { field } = copies[i];
    const out = (fields[i] ??= createGoalField());
    const revision = field.revision === before ? mesh.revision : Math.min(field.revision, mesh.revision - 1);
    if (out.revision === revision && before === mesh.revision && isEqual(field, out)) continue;
    copyField(out, field);
    out.revision = revision;
    stampPolys(out, mesh);
  }
}

/** Returns whether two fields are equal in everything. */
function isEqual(a: GoalField, b: GoalField): boolean {
  if (a.goalPoly !== b.goalPoly || a.revision !== b.revision || a.expandedCount !== b.expandedCount) return false;
  if (a.nodeCount !== b.nodeCount || a.heap.count !== b.heap.count || a.filter !== b.filter) return false;
  for (let k = 0; k < 3; k++) if (a.goal[k] !== b.goal[k]) return false;
  return true;
}

function copyField(out: GoalField, from: GoalField): void {
  out.goalPoly = from.goalPoly;
  out.goal.set(from.goal);
  out.revision = from.revision;
  out.filter = from.filter;
  out.expandedCount = from.expandedCount;
  const { nodeCount } = from;
  out.nodeCount = nodeCount;
  if (out.nodePoly.length < nodeCount) reserveNodes(out, from.nodePoly.length);
  for (const [name, stride] of NODE_ARRAYS) copyPart(out[name], from[name], stride * nodeCount);
  const { count } = from.heap;
  out.heap.count = count;
  if (out.heap.items.length < count) {
    out.heap.items = new Int32Array(from.heap.items.length);
    out.heap.keys = new Float64Array(from.heap.keys.length);
  }
  copyPart(out.heap.items, from.heap.items, count);
  copyPart(out.heap.keys, from.heap.keys, count);
}

type AnyArray = Int32Array | Uint8Array | Float64Array;

/** Copies the first `count` elements. */
function copyPart(out: AnyArray, from: AnyArray, count: number): void {
  out.set(count === from.length ? from : from.subarray(0, count));
}

/** Writes the first node of each polygon, which copies do not contain. */
function stampPolys(field: GoalField, mesh: NavMesh): void {
  if (field.polyStamp.length < mesh.polyCount) {
    field.polyStamp = new Int32Array(mesh.polyCount);
    field.polyNode = new Int32Array(mesh.polyCount);
    field.stamp = 0;
  }
  const stamp = ++field.stamp;
  const { nodePoly, polyStamp, polyNode, nodeCount } = field;
  for (let node = 0, last = -1; node < nodeCount; node++) {
    const poly = nodePoly[node];
    if (poly === last) continue;
    last = poly;
    if (poly >= polyStamp.length) continue;
    polyStamp[poly] = stamp;
    polyNode[poly] = node;
  }
}
