/**
 * Decides which triangles of two-sided materials really count from both sides.
 *
 * Exporters mark nearly all materials as double-sided. Turning all their triangles up puts mesh inside of solids and on the outside of
 * ceilings. So the back of a triangle counts only where its part (shells.ts) does not tell inside from outside:
 *
 * - triangles whose neighbors are wound the other way, and all of a part with many of those;
 * - a sheet, such as a plane, unless much more of it faces up than down: that is terrain with overhangs;
 * - a part that faces inward, unless something else is in it, it is as large as the level, or it is open and has a floor: those
 *   are rooms and caves. Otherwise it is a solid of a mirrored node;
 * - a part that faces outward, is open and holds something, such as a house without thickness: its floor is seen through the door.
 *   Without anything in it, it is a solid whose hidden faces were left out.
 *
 * In: triangles and their marks. Out: marks of the triangles that count from both sides, with areas.
 * Cost: that of `findShells`; nothing without marks.
 * Based on: own.
 */
import { checkNumbers, checkObject } from './refuse.ts';
import { findShells } from './shells.ts';
import type { Shell } from './shells.ts';
import { checkTwoSided } from './two-sided.ts';

/** What `resolveTwoSided` decided about triangles that are marked as two-sided. Areas are in square units. */
export interface TwoSidedReport {
  /** Parts of triangles that are connected by edges, with marked triangles. */
  partCount: number;
  /** Parts that count from the front only. */
  oneSidedCount: number;
  /** Area of marked triangles that count from the front only, and from both sides. */
  oneSidedArea: number;
  twoSidedArea: number;
  /** Area of the former that faces down: it would be turned up if it counted from both sides. */
  keptDownArea: number;
  /** Area of the latter that faces down: it is walkable from its back. */
  turnedUpArea: number;
  /** The first triangle that counts from the front only although it is marked and faces down; absent: there is none. */
  firstKept?: number;
}

/** Largest share of a part's area that its holes may have, for a solid that is closed up to cracks. */
const CLOSED_HOLES = 1e-3;
/** The same for a solid whose hidden faces were left out. */
const SOLID_HOLES = 0.25;
/** A closed part of less volume, relative to a cube of its area, is a sheet with a back. */
const FLAT_VOLUME = 1e-4;
/** Largest share of a part's area that its holes may have, for one that has an inside. A sheet has 1, a hemisphere 0.5. */
const SHELL_HOLES = 0.6;
/** Least share of the edges of a part that are flipped, for one whose winding says nothing. */
const FLIPPED_EDGES = 0.02;
/** A sheet with this many times as much area facing up as down is terrain. */
const TERRAIN = 3;
/** An open part that faces inward has a floor if this share of its area that faces down also faces up. */
const FLOOR = 0.3;
/** Share of the level's extent along x, y and z that a part has which is the level. */
const WHOLE = 0.6;
/** Most comparisons of parts that look for others in them. */
const MOST_COMPARISONS = 4_000_000;

/** A level with marks. */
interface MarkedLevel {
  positions: ArrayLike<number>;
  indices: ArrayLike<number>;
  twoSided?: ArrayLike<number> | boolean;
}

/**
 * Returns a level with those of its two-sided marks that count. The back of a triangle counts only where its part has no inside: not for
 * triangles of closed solids, rooms, caves and terrain. Returns the level itself when it has no list of marks.
 *
 * @param level positions (y up), indices, and in `twoSided` one value per triangle, 0: one-sided
 * @throws TypeError, RangeError for values that are not lists of numbers, and for a wrong number of marks
 */
export function resolveTwoSided<L extends MarkedLevel>(level: L): L & { sides?: TwoSidedReport } {
  checkObject('resolveTwoSided', 'level', level);
  const { positions, indices, twoSided } = level;
  checkNumbers('resolveTwoSided', 'level.positions', positions);
  checkNumbers('resolveTwoSided', 'level.indices', indices, true);
  checkTwoSided('resolveTwoSided', 'level', twoSided, Math.floor(indices.length / 3));
  if (typeof twoSided !== 'object') return level;
  const { shellOf, isFlipped, shells } = findShells(positions, indices);
  const isOneSided = decideShells(shells);
  const marks = new Uint8Array(twoSided.length);
  const sides: TwoSidedReport = {
    partCount: 0,
    oneSidedCount: 0,
    oneSidedArea: 0,
    twoSidedArea: 0,
    keptDownArea: 0,
    turnedUpArea: 0,
  };
  const isCounted = new Uint8Array(shells.length);
  for (let t = 0; t < marks.length; t++) {
    const shell = shellOf[t];
    if (!twoSided[t]) continue;
    if (shell < 0) continue;
    const isKept = isOneSided[shell] === 1 && isFlipped[t] === 0;
    if (!isKept) marks[t] = 1;
    if (isCounted[shell] === 0) {
      isCounted[shell] = 1;
      sides.partCount++;
      sides.oneSidedCount += isOneSided[shell];
    }
    const { area, facesDown } = measureTriangle(positions, indices, t);
    sides[isKept ? 'oneSidedArea' : 'twoSidedArea'] += area;
    if (!facesDown) continue;
    sides[isKept ? 'keptDownArea' : 'turnedUpArea'] += area;
    if (isKept) sides.firstKept ??= t;
  }
  return { ...level, twoSided: marks, sides };
}

function measureTriangle(
  p: ArrayLike<number>,
  indices: ArrayLike<number>,
  t: number,
): { area: number; facesDown: boolean } {
  const [a, b, c] = [3 * indices[3 * t], 3 * indices[3 * t + 1], 3 * indices[3 * t + 2]];
  const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
  const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  return { area: length / 2, facesDown: -2 * ny > length };
}

/** Returns the areas of closed parts that face inward and are no rooms, and of those that face outward. */
export function measureSolids(
  positions: ArrayLike<number>,
  indices: ArrayLike<number>,
): { inward: number; outward: number } {
  const { shells } = findShells(positions, indices);
  const level = boxOf(shells);
  const work = { comparisons: 0 };
  const areas = { inward: 0, outward: 0 };
  for (const shell of shells) {
    const { area, holes, volume } = shell;
    if (holes > CLOSED_HOLES * area || Math.abs(volume) < FLAT_VOLUME * area * Math.sqrt(area)) continue;
    if (volume > 0) areas.outward += area;
    else if (!isWhole(shell, level) && !holdsAnother(shell, shells, work)) areas.inward += area;
  }
  return areas;
}

function boxOf(shells: readonly Shell[]): number[] {
  const level = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const { box } of shells) {
    for (let axis = 0; axis < 3; axis++) {
      level[axis] = Math.min(level[axis], box[axis]);
      level[3 + axis] = Math.max(level[3 + axis], box[3 + axis]);
    }
  }
  return level;
}

/** Returns 1 for each part that counts from the front only. */
function decideShells(shells: readonly Shell[]): Uint8Array {
  const level = boxOf(shells);
  const work = { comparisons: 0 };
  return Uint8Array.from(shells, (shell) => {
    const { area, up, down, holes, volume, edges, flippedEdges } = shell;
    if (flippedEdges > FLIPPED_EDGES * edges) return 0;
    // Without a triangle that faces down, the sides make no difference; a placement may turn the part over.
    if (down > 0 && up > TERRAIN * down) return 1;
    if (holes > SHELL_HOLES * area) return 0;
    const isClosed = holes <= CLOSED_HOLES * area;
    if (volume >= 0) return isClosed || (holes <= SOLID_HOLES * area && !holdsAnother(shell, shells, work)) ? 1 : 0;
    if (!isClosed && up > FLOOR * down) return 1;
    return isWhole(shell, level) || holdsAnother(shell, shells, work) ? 1 : 0;
  });
}

function isWhole({ box }: Shell, level: readonly number[]): boolean {
  for (let axis = 0; axis < 3; axis++)
    if (box[3 + axis] - box[axis] < WHOLE * (level[3 + axis] - level[axis])) return false;
  return true;
}

/** Returns whether the middle of another part lies in the box of a part. True when there are too many parts to look. */
function holdsAnother(shell: Shell, shells: readonly Shell[], work: { comparisons: number }): boolean {
  const [x0, y0, z0, x1, y1, z1] = shell.box;
  for (const other of shells) {
    if (work.comparisons++ > MOST_COMPARISONS) return true;
    if (other === shell) continue;
    const [ox0, oy0, oz0, ox1, oy1, oz1] = other.box;
    const [x, y, z] = [(ox0 + ox1) / 2, (oy0 + oy1) / 2, (oz0 + oz1) / 2];
    if (x > x0 && x < x1 && y > y0 && y < y1 && z > z0 && z < z1) return true;
  }
  return false;
}
