/**
 * Estimates memory and build time of a path index before it is built.
 *
 * Corners are counted exactly. Cones are spread from a sample of corners. The other numbers follow from these two, by
 * rules fitted to indexes of levels and fields with 100 to 27,000 corners.
 *
 * In: a mesh, options of `buildPathIndex`.
 * Out: the tier that the build chooses, and bytes and seconds of each tier.
 * Cost: linear in the edges, plus the cones of 200 corners; about a fiftieth of the build of a graph.
 * Based on: own.
 */
import { checkKeys } from '../../base/data/refuse.ts';
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { passesFilter } from '../filter.ts';
import { INDEX_KEYS, checkIndexLimits, defaultBytes } from './build.ts';
import type { PathIndexOptions } from './build.ts';
import { createCones, spreadCones } from './build/cones.ts';
import { addLinkEnds, listLinks } from './build/link-ends.ts';
import { findPortalEnds } from './build/portal-ends.ts';
import { START_STRIDE, findSectors } from './build/sectors.ts';
import type { Ground } from './build/sectors.ts';
import {
  LABEL_BYTES,
  MAX_GRAPH_CORNERS,
  MAX_GRAPH_POLYS,
  MAX_LABEL_CORNERS,
  MAX_TABLE_CORNERS,
  placeVertices,
} from './build/steps.ts';
import { areLinksMutual } from './links.ts';
import { filterOf, listSizes } from './sizes.ts';
import { emptyPathIndex } from './types.ts';
import type { PathIndexTier } from './types.ts';

/** Expected memory, and build time on one core of a desktop machine. */
export interface TierEstimate {
  bytes: number;
  seconds: number;
}

/** Result of `estimatePathIndex`: sums over all sizes that the index serves. */
export interface PathIndexEstimate {
  /** The tier that `buildPathIndex` chooses for the first size; `'none'` if the mesh permits only an overlay and `tier` excludes it. */
  tier: PathIndexTier;
  /** Number of corners: exact. */
  corners: number;
  table: TierEstimate;
  labels: TierEstimate;
  graph: TierEstimate;
  overlay: TierEstimate;
}

/** Corners from which cones are spread. */
const SAMPLE = 200;
/** Edges of the graph for each cone that is stored; 12 bytes each. */
const EDGES_PER_CONE = 0.25;
const CORNER_BYTES = 48;
/** Identity and grid, for each polygon. */
const POLY_BYTES = 40;
/** On large meshes; fewer where few cells meet. */
const OVERLAY_BYTES = 50;

/**
 * Returns the tier that `buildPathIndex` would choose, with the memory and build time of each tier. Bytes are usually
 * within a factor of two (those of overlays of small meshes are a third), seconds within a factor of three on current machines. `maxBytes`, `tier` and `sizes` are those of
 * `buildPathIndex`; bytes of tiers do not depend on them.
 *
 * Throws a RangeError for unknown keys and options out of range.
 */
export function estimatePathIndex(mesh: NavMesh, options: PathIndexOptions = {}): PathIndexEstimate {
  const caller = 'estimatePathIndex';
  checkNavMesh(caller, mesh);
  checkKeys(caller, options, INDEX_KEYS);
  checkIndexLimits(caller, options);
  const out: PathIndexEstimate = {
    tier: 'none',
    corners: 0,
    table: { bytes: 0, seconds: 0 },
    labels: { bytes: 0, seconds: 0 },
    graph: { bytes: 0, seconds: 0 },
    overlay: { bytes: 0, seconds: 0 },
  };
  listSizes(caller, mesh, options.sizes).forEach((size, i) => addSize(out, mesh, size, options, i === 0));
  return out;
}

function addSize(
  out: PathIndexEstimate,
  mesh: NavMesh,
  size: number,
  { maxBytes = defaultBytes(mesh), tier }: PathIndexOptions,
  isFirst: boolean,
): void {
  const filter = filterOf({ size });
  let polys = 0;
  for (let poly = 0; poly < mesh.polyCount; poly++)
    polys += +(mesh.polyFlags[poly] !== 0 && passesFilter(filter, mesh, poly));
  out.overlay.bytes += OVERLAY_BYTES * polys;
  out.overlay.seconds += 6e-5 * polys;
  const { vertices: portalEnds, reason } = findPortalEnds(mesh);
  if (reason !== '') {
    if (isFirst && reason === 'overlap' && (tier ?? 'overlay') === 'overlay') out.tier = 'overlay';
    return;
  }
  const index = emptyPathIndex(size);
  const none = new Float64Array(0);
  const ground: Ground = { mesh, filter, xs: none, ys: none, zs: none, portalEnds };
  listLinks(index, mesh);
  placeVertices(ground, index.linkPoly.length);
  const sectors = findSectors(ground);
  addLinkEnds(sectors, ground, index);
  const corners = sectors.cornerCount;
  const cones = conesPerCorner(ground, sectors) * corners;
  const graph = 12 * (1 + EDGES_PER_CONE) * cones + CORNER_BYTES * corners + POLY_BYTES * polys;
  const table = graph + 5 * corners * corners;
  // Labels for each corner grow with the root of the corners.
  const labels = graph + LABEL_BYTES * 2.2 * corners * Math.sqrt(corners);
  const graphSeconds = 1e-6 * cones + 2e-5 * polys;
  out.corners += corners;
  out.graph.bytes += graph;
  out.graph.seconds += graphSeconds;
  out.table.bytes += table;
  out.table.seconds += graphSeconds + 3e-7 * corners * corners;
  out.labels.bytes += labels;
  out.labels.seconds += graphSeconds + 4e-6 * corners * Math.sqrt(corners);
  if (!isFirst) return;
  if (tier !== undefined) out.tier = tier;
  else if (mesh.polyCount > MAX_GRAPH_POLYS || graph > maxBytes) out.tier = 'overlay';
  else if (corners <= MAX_TABLE_CORNERS && table <= maxBytes) out.tier = 'table';
  else if (corners <= MAX_LABEL_CORNERS && labels <= maxBytes && areLinksMutual(index)) out.tier = 'labels';
  else out.tier = corners > MAX_TABLE_CORNERS && corners > MAX_GRAPH_CORNERS * polys ? 'overlay' : 'graph';
}

/** Returns the mean number of cones of a corner, from a sample. */
function conesPerCorner(ground: Ground, sectors: ReturnType<typeof findSectors>): number {
  const { starts, startCount, cornerCount } = sectors;
  const cones = createCones();
  const step = Math.max(1, Math.floor(cornerCount / SAMPLE));
  let sampled = 0;
  for (let start = 0; start < startCount;) {
    const corner = starts[START_STRIDE * start];
    if (corner % step === 0) {
      start = spreadCones(cones, ground, sectors, start);
      sampled++;
      if (cones.isEndless) break;
    } else {
      do start++;
      while (start < startCount && starts[START_STRIDE * start] === corner);
    }
  }
  return sampled > 0 ? cones.count / sampled : 0;
}
