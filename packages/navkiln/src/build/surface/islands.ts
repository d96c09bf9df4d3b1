/**
 * Islands stage: drops connected parts of the surface that are too small.
 *
 * In: joined surface.
 * Out: the same without small islands.
 * Cost: linear.
 * Based on: own.
 */
import { rootOf, unite } from '../../base/data/union-find.ts';
import { takeInt32 } from '../../base/data/workspace.ts';
import { groundOf, keepTriangles, planArea } from './weld/weld.ts';
import type { Ground, PointTable } from './types.ts';

export interface Islands {
  /** The first triangle of the island of each triangle. */
  root: Int32Array;
  count: number;
}

export function findIslands({ count, twin }: Ground, { workspace }: PointTable): Islands {
  const root = takeInt32(workspace, 'islands.root', count);
  for (let t = 0; t < count; t++) root[t] = t;
  for (let h = 0; h < twin.length; h++) if (twin[h] > h) unite(root, (h / 3) | 0, (twin[h] / 3) | 0);
  let islands = 0;
  for (let t = 0; t < count; t++) {
    root[t] = rootOf(root, t);
    if (root[t] === t) islands++;
  }
  return { root, count: islands };
}

/**
 * Drops islands smaller than an area seen from above, unless they go on beyond the tile; joints stay. Returns
 * the number of dropped islands.
 */
export function dropIslands(
  ground: Ground,
  table: PointTable,
  { root }: Islands,
  minArea: number,
): { ground: Ground; dropped: number; firstDropped: number } {
  const { count, corner, twin, source } = ground;
  if (minArea === 0) return { ground, dropped: 0, firstDropped: -1 };
  const size = new Float64Array(count);
  // Islands that go on beyond the tile stay.
  for (let h = 0; h < twin.length; h++) if (twin[h] < -1) size[root[(h / 3) | 0]] = Infinity;
  for (let t = 0; t < count; t++)
    size[root[t]] += planArea(table, corner[3 * t], corner[3 * t + 1], corner[3 * t + 2]) / 2;
  const place = new Int32Array(count).fill(-1);
  let kept = 0;
  let dropped = 0;
  let firstDropped = -1;
  for (let t = 0; t < count; t++) {
    if (size[root[t]] >= minArea) place[t] = kept++;
    else if (root[t] === t && dropped++ === 0) firstDropped = source[t];
  }
  if (kept === count) return { ground, dropped, firstDropped };
  const out = groundOf(new Int32Array(3 * kept), new Uint8Array(kept), new Int32Array(kept));
  keepTriangles(out, ground, place);
  for (let h = 0; h < 3 * count; h++) {
    const to = place[(h / 3) | 0];
    if (to < 0) continue;
    const other = twin[h];
    out.twin[3 * to + (h % 3)] = other < 0 ? other : 3 * place[(other / 3) | 0] + (other % 3);
  }
  return { ground: out, dropped, firstDropped };
}
