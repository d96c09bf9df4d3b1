/**
 * Splits regions where the fitting sizes change, so that each size fits either on a whole polygon or on no part of it.
 *
 * Regions are built before, as if there were one size. This keeps them compact, and strips along walls consist of few pieces. Each region is
 * then cut into connected pieces of one area and mask, and small pieces merge into neighbors with equal area and mask. If everything that an
 * agent of a size can reach from a piece is smaller than `regionMinArea`, the piece loses the bit of that size, as a bake for the size
 * drops it.
 *
 * From here on until the tile is complete, codes for pairs of area and mask replace area ids and the codes of names (area-codes.ts).
 *
 * In: CompactField with `sizes` and regions. Out: the field with more regions, and with codes as areas; a function that writes areas and
 *   masks into the tile.
 * Cost: two passes over the spans and one merge of regions; a search over pieces for each size.
 * Based on: own; pieces are labeled as by Azriel Rosenfeld and John Pfaltz, Sequential operations in digital picture processing (1966).
 */
import { AREA_NONE } from '../../../base/constants.ts';
import { rootOf, unite } from '../../../base/data/union-find.ts';
import type { TileData } from '../../../mesh/types.ts';
import type { BakeConfig } from '../bake-config.ts';
import { mergeSmallRegions } from '../regions/merge.ts';
import { cutOverlaps } from '../regions/overlaps.ts';
import { BORDER_REGION } from '../types.ts';
import type { CompactField } from '../types.ts';

const MOST_CODES = 255;

/** Pairs of area and mask; pair k has the code k. */
interface SizeCodes {
  areas: number[];
  masks: number[];
  codeOf: Map<number, number>;
}

/** Splits the regions. Returns a function that writes areas and masks into the data of the tile. */
export function splitBySize(field: CompactField, config: BakeConfig): (tile: TileData) => TileData {
  const { area, region, spanCount } = field;
  const sizes = field.sizes!;
  const pieces = findPieces(field);
  const { label, parent } = pieces;
  dropSmallPieces(pieces, config.sizes!.length, config.regionMinAreaCells);
  joinEqualPieces(pieces);
  const codes: SizeCodes = { areas: [0], masks: [0], codeOf: new Map() };
  // Each piece (root) gets a region number and a code.
  const numberOf = new Int32Array(parent.length);
  const codeOf = new Uint8Array(parent.length);
  let count = 0;
  for (let k = 1; k < parent.length; k++) {
    if (parent[k] !== k || pieces.mask[k] === 0) continue;
    numberOf[k] = ++count;
    codeOf[k] = encode(codes, pieces.area[k], pieces.mask[k]);
  }
  for (let k = 1; k < parent.length; k++) {
    numberOf[k] = numberOf[parent[k]];
    codeOf[k] = codeOf[parent[k]];
  }
  for (let i = 0; i < spanCount; i++) {
    if (region[i] >= BORDER_REGION) area[i] = encode(codes, area[i], sizes[i]);
    else {
      region[i] = numberOf[label[i]];
      area[i] = codeOf[label[i]];
    }
  }
  const stacked = mergeSmallRegions(field, region, count + 1, 0, config.regionMergeAreaCells);
  if (!config.recast) cutOverlaps(field, stacked);
  return (tile) => ({
    ...tile,
    polyArea: tile.polyArea.map((code) => codes.areas[code]),
    polySizes: Uint16Array.from(tile.polyArea, (code) => codes.masks[code]),
  });
}

/** Returns the code of an area and a mask. */
function encode({ areas, masks, codeOf }: SizeCodes, area: number, mask: number): number {
  if (area === AREA_NONE) return AREA_NONE;
  const key = area | (mask << 8);
  let code = codeOf.get(key);
  if (code === undefined) {
    code = areas.push(area) - 1;
    masks.push(mask);
    codeOf.set(key, code);
    if (code > MOST_CODES) {
      throw new RangeError(
        `buildNavMesh: options.sizes and volumes have more than ${MOST_CODES} pairs of sizes and an area in one tile; must be fewer, ` +
          'or use a smaller tileSize',
      );
    }
  }
  return code;
}

/** Pieces: connected spans of one region, area and mask. A piece is a set of labels. Arrays are indexed by label; 0 means none. */
interface Pieces {
  /** The label of each span. */
  label: Int32Array;
  /** Union-find over labels. A root has its own label as parent; in the other arrays, it has the sums over all labels of the piece. */
  parent: Int32Array;
  region: number[];
  area: number[];
  mask: number[];
  spanCount: number[];
  /** Masks of adjacent spans in the border of the tile. */
  borderMask: number[];
  /** Pairs of touching labels. Some pairs occur repeatedly. */
  contacts: number[];
}

function findPieces(field: CompactField): Pieces {
  const { region, area, neighbor, spanCount, walkableClimbCells, walkableHeightCells } = field;
  const sizes = field.sizes!;
  const label = new Int32Array(spanCount);
  const regions = [0];
  const areas = [0];
  const mask = [0];
  const counts = [0];
  const borderMask = [0];
  /** Pairs of labels that belong to one piece. `contacts` has pairs of labels of touching pieces. */
  const joints: number[] = [];
  const contacts: number[] = [];
  // Sides whose spans already have a label. If connections can be one-way, all sides are visited, since only one span may have them.
  const sideCount = walkableClimbCells < walkableHeightCells ? 2 : 4;
  for (let i = 0; i < spanCount; i++) {
    const own = region[i];
    if (own === 0) continue;
    // In the usual case, both neighbors with lower indices belong to the same piece.
    const west = neighbor[4 * i];
    const north = neighbor[4 * i + 3];
    if (sideCount === 2 && west !== -1 && north !== -1) {
      const known = label[west];
      if (
        known !== 0 &&
        label[north] === known &&
        region[west] === own &&
        area[west] === area[i] &&
        sizes[west] === sizes[i]
      ) {
        label[i] = known;
        counts[known]++;
        continue;
      }
    }
    const isBorder = own >= BORDER_REGION;
    let mine = 0;
    for (let k = 0; !isBorder && k < sideCount; k++) {
      const next = neighbor[4 * i + SIDES[k]];
      if (next === -1 || label[next] === 0 || label[next] === mine) continue;
      if (region[next] !== own || area[next] !== area[i] || sizes[next] !== sizes[i]) continue;
      if (mine === 0) mine = label[next];
      else addPair(joints, mine, label[next]);
    }
    if (!isBorder) {
      if (mine === 0) {
        mine = areas.push(area[i]) - 1;
        regions.push(own);
        mask.push(sizes[i]);
        counts.push(0);
        borderMask.push(0);
      }
      label[i] = mine;
      counts[mine]++;
    }
    for (let k = 0; k < sideCount; k++) {
      const next = neighbor[4 * i + SIDES[k]];
      if (next === -1 || region[next] === 0) continue;
      const other = label[next];
      if (other !== 0 && isBorder) borderMask[other] |= sizes[i];
      else if (other !== 0 && other !== mine) addPair(contacts, mine, other);
      else if (region[next] >= BORDER_REGION) borderMask[mine] |= sizes[next];
    }
  }
  const parent = Int32Array.from(areas, (_, k) => k);
  for (let k = 0; k < joints.length; k += 2) unite(parent, joints[k], joints[k + 1]);
  for (let k = 1; k < parent.length; k++) {
    const root = rootOf(parent, k);
    parent[k] = root;
    if (root === k) continue;
    counts[root] += counts[k];
    borderMask[root] |= borderMask[k];
  }
  return { label, parent, region: regions, area: areas, mask, spanCount: counts, borderMask, contacts };
}

/** Directions; those to spans with lower indices come first. */
const SIDES = [0, 3, 1, 2];

/** Adds a pair, unless it is the last one. */
function addPair(list: number[], a: number, b: number): void {
  const { length } = list;
  if (list[length - 2] !== a || list[length - 1] !== b) list.push(a, b);
}

/** Clears the bit of each size in connected pieces with fewer spans than `minArea` that do not reach the border of the tile. */
function dropSmallPieces(pieces: Pieces, sizeCount: number, minArea: number): void {
  const { parent, mask, spanCount, borderMask, contacts } = pieces;
  for (let bit = 1; minArea > 1 && bit < 1 << sizeCount; bit *= 2) {
    const groupOf = Int32Array.from(parent, (_, k) => k);
    const count = new Int32Array(parent.length);
    for (let k = 0; k < contacts.length; k += 2) {
      const a = parent[contacts[k]];
      const b = parent[contacts[k + 1]];
      if ((mask[a] & mask[b] & bit) !== 0) unite(groupOf, a, b);
    }
    for (let k = 1; k < parent.length; k++) {
      if (parent[k] !== k || (mask[k] & bit) === 0) continue;
      count[rootOf(groupOf, k)] += (borderMask[k] & bit) === 0 ? spanCount[k] : minArea;
    }
    for (let k = 1; k < parent.length; k++) if (count[rootOf(groupOf, k)] < minArea) mask[k] &= ~bit;
  }
}

/**
 * Joins touching pieces of one region that have equal masks after small pieces have lost bits. Otherwise, outlines of pieces that meet only
 * at a corner would be simplified differently on both sides.
 */
function joinEqualPieces({ parent, region, area, mask, contacts }: Pieces): void {
  for (let k = 0; k < contacts.length; k += 2) {
    const a = rootOf(parent, contacts[k]);
    const b = rootOf(parent, contacts[k + 1]);
    if (region[a] === region[b] && area[a] === area[b] && mask[a] === mask[b]) unite(parent, a, b);
  }
  for (let k = 1; k < parent.length; k++) parent[k] = rootOf(parent, k);
}
