/**
 * Builds regions by layers: joins strips breadth-first into pieces that never lie above themselves.
 *
 * As fast as monotone partitioning, with better shapes on small tiles.
 *
 * In: CompactField with areas. Out: `region` (1 .. regionCount, 0: none).
 * Cost: a few passes over the spans, and the adjacency of strips.
 * Based on: Mikko Mononen, Recast (2009), rcBuildLayerRegions.
 */
import { AREA_COUNT } from '../../../base/constants.ts';
import { createWorkspace } from '../../../base/data/workspace.ts';
import { rootOf, unite } from '../../../base/data/union-find.ts';
import type { Workspace } from '../../../base/data/workspace.ts';
import { takeSlot } from '../memory.ts';
import type { PartitionMethod } from '../options.ts';
import { renumberRegions } from './renumber.ts';
import { stackedRegions } from './stacked.ts';
import { sweepRows } from './sweep.ts';
import { BORDER_REGION } from '../types.ts';
import type { CompactField } from '../types.ts';

interface Strip {
  /** Layer of the strip; 0: not yet in one. */
  layer: number;
  spanCount: number;
  area: number;
  touchesBorder: boolean;
  /** Adjacent strips, in the order in which they were met. The order decides the result. */
  adjacent: Set<number>;
  /** Strips in the same columns. */
  stacked: Set<number>;
}

/**
 * Builds the regions of a field by layers.
 *
 * @param minArea connected layers with fewer spans in all are dropped, unless they reach the tile's border
 * @param recast drops each layer with fewer spans, although it may join others
 */
export function buildRegionsLayers(
  field: CompactField,
  minArea: number,
  workspace: Workspace = createWorkspace(),
  recast: boolean = false,
): void {
  const region = takeSlot(workspace, 'field.region', field.spanCount).fill(0);
  const idCount = sweepRows(field, region) + 1;
  const strips = collectStrips(field, region, idCount);

  let layer = 0;
  for (let id = 1; id < idCount; id++) {
    const root = strips[id];
    if (root.layer !== 0) continue;
    root.layer = ++layer;
    const queue = [id];
    for (let head = 0; head < queue.length; head++) {
      const own = strips[queue[head]];
      for (const other of own.adjacent) {
        const next = strips[other];
        if (next.layer !== 0 || next.area !== own.area || root.stacked.has(other)) continue;
        queue.push(other);
        next.layer = layer;
        for (const above of next.stacked) root.stacked.add(above);
        root.spanCount += next.spanCount;
        next.spanCount = 0;
        root.touchesBorder ||= next.touchesBorder;
      }
    }
  }

  // Connected layers, of which the root has the number of spans. The border counts as enough.
  const parent = Int32Array.from({ length: layer + 1 }, (_, k) => k);
  if (!recast)
    for (const own of strips) for (const other of own.adjacent) unite(parent, own.layer, strips[other].layer);
  const size = new Int32Array(layer + 1);
  for (const { layer: own, area, spanCount, touchesBorder } of strips) {
    // A named area may be small: a door.
    size[rootOf(parent, own)] += touchesBorder || area >= AREA_COUNT ? minArea : spanCount;
  }
  const groups = Int32Array.from(strips, ({ layer: own }) => {
    const total = size[rootOf(parent, own)];
    return total > 0 && total < minArea ? 0 : own;
  });
  field.regionCount = renumberRegions(region, groups);
  field.region = region;
}

/** Returns the strips of a field, by id. */
function collectStrips(field: CompactField, region: Int32Array, idCount: number): Strip[] {
  const { spanCount, area, neighbor } = field;
  const strips = stackedRegions(field, region, idCount).map((stacked = new Set()): Strip => ({
    layer: 0,
    spanCount: 0,
    area: 0,
    touchesBorder: false,
    adjacent: new Set(),
    stacked,
  }));
  for (let i = 0; i < spanCount; i++) {
    const id = region[i];
    if (id === 0 || id >= idCount) continue;
    const own = strips[id];
    own.spanCount++;
    const a = neighbor[4 * i];
    const b = neighbor[4 * i + 1];
    const c = neighbor[4 * i + 2];
    const d = neighbor[4 * i + 3];
    // The usual case: all four neighbors are of the same strip.
    if ((a | b | c | d) >= 0 && ((region[a] ^ id) | (region[b] ^ id) | (region[c] ^ id) | (region[d] ^ id)) === 0)
      continue;
    own.area = area[i];
    for (const next of [a, b, c, d]) {
      const other = region[next] ?? 0;
      if (other >= BORDER_REGION) own.touchesBorder = true;
      else if (other !== 0 && other !== id) own.adjacent.add(other);
    }
  }
  return strips;
}

/** The partition `layers`: as fast as `monotonePartition`, with better shapes on small tiles. */
export const layersPartition: PartitionMethod = {
  name: 'layers',
  build(field, minArea, { recast }, workspace) {
    buildRegionsLayers(field, minArea, workspace, recast);
    return undefined;
  },
};
