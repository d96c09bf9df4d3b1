/**
 * The outline of an obstacle, grown by the radius of the agent: a convex polygon seen from above, as lines.
 *
 * The exact outline has arcs around its corners. Lines replace them from outside: a tip between two lines may stick out by a tolerance, and
 * further lines cut off longer tips. For the same reason a round obstacle needs only some of its lines.
 *
 * In: a placed obstacle. Out: its lines, corners and interval of heights; null if it is not an upright prism.
 * Cost: linear in the corners of the obstacle.
 * Based on: own.
 */
import type { PlacedObstacle } from '../../build/voxel/options.ts';

/** A grown outline, counter-clockwise. */
export interface Outline {
  /** Three per line: a point (x, z) is lines[0] * x + lines[1] * z - lines[2] outside of it. The first two have length 1. */
  lines: number[];
  /** x, z of the corners; corner k is where line k - 1 ends and line k begins. */
  corners: number[];
  minX: number;
  minZ: number;
  maxX: number;
  maxZ: number;
  /** Floors between these heights are cut. */
  minY: number;
  maxY: number;
}

/** How far outlines grow. World units. */
export interface Growth {
  radius: number;
  /** Longest tip beyond the exact outline. */
  tolerance: number;
  /** Height of the agent above a floor that counts, and height below a floor at which obstacles still count. */
  above: number;
  below: number;
}

/** Lines that turn by more than this have a line between them: the cosine of the turn. */
const SHARPEST_TURN = -0.25;

/** Most lines of an outline. Obstacles that need more wait for the rebuild. */
export const MOST_LINES = 64;

/** Returns whether an obstacle is a prism with vertical sides. */
export function isUpright({ positions, isPrism }: PlacedObstacle): boolean {
  const half = positions.length / 2;
  for (let k = 0; isPrism && k < half; k += 3) {
    if (positions[k] !== positions[half + k] || positions[k + 2] !== positions[half + k + 2]) return false;
    if (positions[k + 1] !== positions[1] || positions[half + k + 1] !== positions[half + 1]) return false;
  }
  return isPrism;
}

/** Returns the grown outline of an obstacle, or null if it is not an upright prism or needs too many lines. */
export function growOutline(obstacle: PlacedObstacle, growth: Growth): Outline | null {
  if (!isUpright(obstacle)) return null;
  const { positions, bounds } = obstacle;
  const half = positions.length / 2;
  const own = linesOfRing(positions, half / 3, growth.radius);
  const lines = withTolerance(own, positions, half / 3, growth);
  if (lines.length > 3 * MOST_LINES || lines.length < 9) return null;
  const corners: number[] = [];
  let minX = Infinity;
  let minZ = Infinity;
  let maxX = -Infinity;
  let maxZ = -Infinity;
  for (let k = 0, before = lines.length - 3; k < lines.length; before = k, k += 3) {
    meet(lines, before, k);
    corners.push(tip[0], tip[1]);
    if (tip[0] < minX) minX = tip[0];
    if (tip[0] > maxX) maxX = tip[0];
    if (tip[1] < minZ) minZ = tip[1];
    if (tip[1] > maxZ) maxZ = tip[1];
  }
  return { lines, corners, minX, minZ, maxX, maxZ, minY: bounds[1] - growth.above, maxY: bounds[4] + growth.below };
}

/** Returns the lines of a ring of `count` corners, moved outwards by `radius`, counter-clockwise. */
function linesOfRing(ring: Float64Array, count: number, radius: number): number[] {
  let area = 0;
  for (let k = 0, before = count - 1; k < count; before = k++) {
    area += ring[3 * before + 2] * ring[3 * k] - ring[3 * before] * ring[3 * k + 2];
  }
  const step = area > 0 ? 1 : count - 1;
  const out: number[] = [];
  for (let i = 0, k = 0; i < count; i++) {
    const next = (k + step) % count;
    const dx = ring[3 * next] - ring[3 * k];
    const dz = ring[3 * next + 2] - ring[3 * k + 2];
    const length = Math.sqrt(dx * dx + dz * dz);
    if (length > 0) {
      const a = -dz / length;
      const b = dx / length;
      out.push(a, b, a * ring[3 * k] + b * ring[3 * k + 2] + radius);
    }
    k = next;
  }
  return out;
}

const tip = [0, 0];

/** Writes the point at which two lines meet to `tip`. */
function meet(lines: readonly number[], i: number, j: number): void {
  const cross = lines[i] * lines[j + 1] - lines[i + 1] * lines[j];
  tip[0] = (lines[i + 2] * lines[j + 1] - lines[j + 2] * lines[i + 1]) / cross;
  tip[1] = (lines[i] * lines[j + 2] - lines[j] * lines[i + 2]) / cross;
}

/** Leaves out lines while tips stay within the tolerance, and adds lines that cut off longer tips. */
function withTolerance(
  lines: readonly number[],
  ring: Float64Array,
  count: number,
  { radius, tolerance }: Growth,
): number[] {
  const out: number[] = [];
  const end = lines.length;
  for (let i = 0; i < end;) {
    out.push(lines[i], lines[i + 1], lines[i + 2]);
    let j = i + 3;
    // The first line is also the last one.
    while (j < end && isNear(lines, i, (j + 3) % end, ring, count, radius + tolerance)) j += 3;
    if (j === i + 3 && !isNear(lines, i, j % end, ring, count, radius + tolerance)) {
      bevel(out, lines, i, j % end, ring, count, radius, tolerance);
    }
    i = j;
  }
  return out;
}

/** Returns whether two lines meet within a distance of the corners of the ring. */
// oxlint-disable-next-line max-params -- two lines and a ring
function isNear(
  lines: readonly number[],
  i: number,
  j: number,
  ring: Float64Array,
  count: number,
  most: number,
): boolean {
  if (lines[i] * lines[j] + lines[i + 1] * lines[j + 1] < SHARPEST_TURN) return false;
  // Lines of one direction may not meet, and lines that turn the other way close nothing.
  if (!(lines[i] * lines[j + 1] - lines[i + 1] * lines[j] < -1e-9)) return false;
  meet(lines, i, j);
  for (let k = 0; k < count; k++) {
    const x = tip[0] - ring[3 * k];
    const z = tip[1] - ring[3 * k + 2];
    if (x * x + z * z <= most * most) return true;
  }
  return false;
}

/** Adds lines between two neighboring ones that share a corner of the ring, until all tips are short. */
// oxlint-disable-next-line max-params -- two lines and a ring
function bevel(
  out: number[],
  lines: readonly number[],
  i: number,
  j: number,
  ring: Float64Array,
  count: number,
  radius: number,
  tolerance: number,
): void {
  const x = lines[i] + lines[j];
  const z = lines[i + 1] + lines[j + 1];
  const length = Math.sqrt(x * x + z * z);
  // Opposite lines do not occur in rings with an area.
  if (!(length > 1e-9)) return;
  const a = x / length;
  const b = z / length;
  let most = -Infinity;
  for (let k = 0; k < count; k++) most = Math.max(most, a * ring[3 * k] + b * ring[3 * k + 2]);
  const three = [lines[i], lines[i + 1], lines[i + 2], a, b, most + radius, lines[j], lines[j + 1], lines[j + 2]];
  // The cosine of the turn to the new line is half of the length.
  const isShort = (radius * 2) / length - radius <= tolerance || length > 1.999;
  if (!isShort) bevel(out, three, 0, 3, ring, count, radius, tolerance);
  out.push(a, b, most + radius);
  if (!isShort) bevel(out, three, 3, 6, ring, count, radius, tolerance);
}
