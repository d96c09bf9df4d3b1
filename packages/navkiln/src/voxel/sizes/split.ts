/**
 * Splits regions where the sizes that fit change, so that a polygon belongs to a size wholly or not at all.
 *
 * Regions are built before, as if there were one size: that keeps them compact, and strips along walls in few pieces. Each region is then
 * cut into connected pieces of one area and mask, and small pieces merge into neighbors with the same. Pieces that are too small for
 * `regionMinArea`, with all that an agent of a size reaches from them, lose the bit of that size, as a bake for it drops them.
 *
 * From here on to the tile, a code for each pair of area and mask stands in place of area ids, and of codes of names (area-codes.ts).
 *
 * In: CompactField with `sizes` and regions. Out: the same with more regions, and with codes as areas; a function that puts areas and masks
 *   into the tile.
 * Cost: two passes over the spans and one merge of regions; a search over pieces for each size.
 * Based on: own; pieces are labeled as by Azriel Rosenfeld and John Pfaltz, Sequential operations in digital picture processing (1966).
 */
import { AREA_NONE } from '../../constants.ts';
import { rootOf, unite } from '../../data/union-find.ts';
import type { TileData } from '../../navmesh/types.ts';
import type { BakeConfig } from '../options.ts';
import { mergeSmallRegions } from '../regions/merge.ts';
import { BORDER_REGION } from '../types.ts';
import type { CompactField } from '../types.ts';
import { cutOverlaps } from './overlaps.ts';

const MOST_CODES = 255;

/** Pairs of area and mask; pair k has the code k. */
interface SizeCodes {
  areas: number[];
  masks: number[];
  codeOf: Map<number, number>;
}

/** Splits the regions. Returns what puts areas and masks into the data of the tile. */
export function splitBySize(field: CompactField, config: BakeConfig): (tile: TileData) => TileData {
  const { area, region, spanCount } = field;
  const sizes = field.sizes!;
  if (config.sizes!.length > 1) cutOverlaps(field);
  const pieces = findPieces(field);
  const { label, parent } = pieces;
  dropSmallPieces(pieces, config.sizes!.length, config.regionMinAreaCells);
  joinEqualPieces(pieces);
  const codes: SizeCodes = { areas: [0], masks: [0], codeOf: new Map() };
  // Each root gets a number and a code.
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
  field.regionCount = mergeSmallRegions(field, region, count + 1, 0, config.regionMergeAreaCells);
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

/** Connected spans of one region, area and mask. A piece is a set of labels; arrays are by label, 0 is none. */
interface Pieces {
  /** The label of each span. */
  label: Int32Array;
  /** The sets: at a root, its own label, and sums over all labels of the piece. */
  parent: Int32Array;
  region: number[];
  area: number[];
  mask: number[];
  spanCount: number[];
  /** The masks of the spans in the border of the tile that are next to it. */
  borderMask: number[];
  /** Labels that touch: two each. Some occur repeatedly. */
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
  /** Labels of one piece, and of pieces that touch: two each. */
  const joints: number[] = [];
  const contacts: number[] = [];
  // The sides whose spans have a label already. Connections that hold one way only are met from either side.
  const sideCount = walkableClimbCells < walkableHeightCells ? 2 : 4;
  for (let i = 0; i < spanCount; i++) {
    const own = region[i];
    if (own === 0) continue;
    // The usual case: both neighbors with lower indices are of the same piece.
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

/** Directions: first those to spans with lower indices. */
const SIDES = [0, 3, 1, 2];

/** Adds a pair, unless it is the last one. */
function addPair(list: number[], a: number, b: number): void {
  const { length } = list;
  if (list[length - 2] !== a || list[length - 1] !== b) list.push(a, b);
}

/** Takes the bit of each size from connected pieces with fewer spans than `minArea` that do not reach the border of the tile. */
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
 * Joins touching pieces of one region that have the same mask since small ones have lost bits: outlines of pieces that meet at a corner
 * only are simplified differently on both sides.
 */
function joinEqualPieces({ parent, region, area, mask, contacts }: Pieces): void {
  for (let k = 0; k < contacts.length; k += 2) {
    const a = rootOf(parent, contacts[k]);
    const b = rootOf(parent, contacts[k + 1]);
    if (region[a] === region[b] && area[a] === area[b] && mask[a] === mask[b]) unite(parent, a, b);
  }
  for (let k = 1; k < parent.length; k++) parent[k] = rootOf(parent, k);
}
