/**
 * Validates a mesh: returns a list of violations, empty for a sound mesh. For tests, tools and debugging.
 *
 * The checks are in check/; this file adds the lookup of tiles and turns codes into sentences.
 *
 * Cost: linear in the mesh.
 * Based on: own.
 */
import { checkRecord } from '../base/data/refuse.ts';
import { checkNavMesh } from './check/check.ts';
import { checkConnections } from './check/connections.ts';
import type { Report, ViolationCode } from './check/report.ts';
import { tileBucket } from './tiles/tile-grid.ts';
import type { NavMesh } from './types.ts';

/** Something that must not be in a mesh. */
export interface Violation {
  code: ViolationCode;
  /** The field and the index of the element, as in `polyArea[3]`. */
  where: string;
  /** One sentence with the value found. */
  message: string;
}

/** Violations beyond this number are dropped. */
const MAX_VIOLATIONS = 1000;

/** The meaning of each code, about the value. */
const MEANINGS: Record<ViolationCode, string> = {
  version: 'not the version of this library',
  scalar: 'must be a finite number >= 0; sizes: at most 16, sorted by radius and height, with different names',
  size: 'not a possible count, or the array is shorter than the counts say',
  'tile-state': 'neither 0 (free) nor 1 (used)',
  'tile-generation': 'a used slot must have a generation of 1 or more',
  'tile-range': "the tile's range is not within its pool, or a free slot has one",
  'tile-overlap': 'the range overlaps that of another tile',
  'tile-bounds': "outside the tile's bounds, or the bounds are not a finite box",
  'tile-place': "the position of another tile, or not the position of the tile's bounds",
  'tile-hash': 'the look-up table misses a used slot here, or has one it should not',
  'free-slots': 'the chain of free slots ends too early, goes on too long, or holds a used slot',
  'poly-tile': 'not the slot of the tile that the polygon is in',
  'poly-range': "polygons must have three corners, and ranges that follow each other and fill the tile's",
  'poly-area': 'areas must be 1 .. 63',
  'poly-sizes': 'at least one size of the mesh must fit on the polygon',
  'edge-vertex': 'not a vertex of the tile',
  'edge-neighbor': 'not another polygon of the tile, a wall (-1) or a border side (-2 .. -5)',
  'not-reciprocal': 'the neighbor does not have this edge in reverse with this polygon as its neighbor',
  'not-convex': 'the polygon is not convex and counter-clockwise seen from above',
  'not-finite': 'coordinates must be finite',
  'detail-vertex': 'beyond the corners and extra vertices of the polygon',
  'tree-shape': 'the nodes are not one depth-first tree with a leaf for each polygon',
  'tree-item': 'not a polygon of the tile, or one that has a leaf already',
  'tree-bounds': "the box does not hold the polygon, or is not within the parent's",
  island: 'not the root of a subtree that holds just the polygons connected to this one',
  link: 'the state, ends, generation, area, radius, cost, sizes or user id of the link are not possible',
  'free-links': 'the chain of free links ends too early, goes on too long, or holds a used one',
  'link-list':
    "the list of a polygon's link ends leads nowhere, to a link end of another polygon, or to the same one twice",
  'link-poly': 'the link end is on a polygon that does not have it',
  'portal-list': "the list of a polygon's portals leads nowhere, or to the same portal twice",
  'portal-edge': "not an edge of the polygon on its tile's border",
  'portal-span': 'a span must be two numbers from 0 to 1, the first less than the second',
  'portal-back': 'not the same portal in the other direction',
  'portal-poly': 'not a polygon of a tile on the other side of that border',
  'portal-order': 'the portals of a polygon are not in the order of edge, span and target',
  'portal-place': 'the portal from the other side has another position',
  'free-portals': 'the chain of free portals ends too early, goes on too long, or holds a used one',
  group: 'a named group has a polygon or link that is gone or in two groups, or is disabled and has flags',
  'island-parent': 'must be a lower node or itself at the root of an island, -1 at other nodes',
  'islands-stale':
    'connected polygons are not one island, or unconnected ones are, though islands are not marked as stale',
};

/** Returns what is wrong with a mesh: broken references, shapes, trees, links. Empty for a sound mesh. */
export function validateNavMesh(mesh: NavMesh): Violation[] {
  checkRecord('validateNavMesh', 'mesh', mesh, 'polyPortal', 'a NavMesh');
  const violations: Violation[] = [];
  const report: Report = (code, field, index) => {
    if (violations.length >= MAX_VIOLATIONS) return;
    const where = index < 0 ? field : `${field}[${index}]`;
    violations.push({ code, where, message: `${where} is ${valueAt(mesh, field, index)}: ${MEANINGS[code]}` });
  };
  checkNavMesh(mesh, report);
  if (!violations.some((one) => one.code === 'size')) checkTileHash(mesh, report);
  if (violations.length === 0) checkConnections(mesh, report);
  return violations;
}

/** Returns the value of an element as text; for a whole array its length. */
function valueAt(mesh: NavMesh, field: string, index: number): string {
  let value: unknown = mesh;
  for (const name of field.split('.')) value = (value as Record<string, unknown>)[name];
  if (index >= 0) value = (value as ArrayLike<number>)[index];
  return typeof value === 'object' && value !== null && 'length' in value
    ? `of length ${String(value.length)}`
    : String(value);
}

/** Checks that each used slot is in the bucket of its position once, and that no free slot is in any. */
function checkTileHash(mesh: NavMesh, report: Report): void {
  const { tileHash, tileNext, tileSlotCount } = mesh;
  const buckets = tileHash.length;
  if (buckets === 0 || (buckets & (buckets - 1)) !== 0 || tileNext.length < tileSlotCount) {
    report('tile-hash', 'tileHash', -1);
    return;
  }
  const seen = new Uint8Array(tileSlotCount);
  for (let bucket = 0; bucket < buckets; bucket++) {
    let last = -1;
    for (let slot = tileHash[bucket]; slot !== -1; slot = tileNext[slot]) {
      const isGood =
        slot >= 0 &&
        slot < tileSlotCount &&
        seen[slot] === 0 &&
        mesh.tileState[slot] === 1 &&
        tileBucket(mesh, mesh.tileX[slot], mesh.tileZ[slot]) === bucket;
      if (!isGood) {
        report('tile-hash', last < 0 ? 'tileHash' : 'tileNext', last < 0 ? bucket : last);
        return;
      }
      seen[slot] = 1;
      last = slot;
    }
  }
  for (let slot = 0; slot < tileSlotCount; slot++) {
    if (mesh.tileState[slot] === 1 && seen[slot] === 0) {
      report('tile-hash', 'tileNext', slot);
    }
  }
}
