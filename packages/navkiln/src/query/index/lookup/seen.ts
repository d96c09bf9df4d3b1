/**
 * Lists the corners that see a position, with their distances.
 *
 * In: an index, a position on a polygon.
 * Out: corners, and the horizontal distance of each.
 * Cost: one or two side tests for each cone of the polygon, usually 10 to 60.
 * Based on: own; see types.ts for cones.
 */
import { withRoom } from '../../walk/open-edges.ts';
import type { PathIndex } from '../types.ts';

/**
 * Tolerance of cones, as a share of coordinates. Positions on edges and corners in a row are exact only up to rounding.
 */
const SLACK = 4e-15;

/** Corners that see a position. The arrays may be longer. */
export interface SeenCorners {
  count: number;
  corners: Int32Array;
  /** Horizontal distance per entry. */
  lengths: Float64Array;
}

export function createSeenCorners(): SeenCorners {
  return { count: 0, corners: new Int32Array(0), lengths: new Float64Array(0) };
}

/**
 * Kernel. Writes the corners that see the position x, z = at[from], at[from + 1] on a polygon. A corner may be listed
 * twice.
 */
export function findSeenCorners(
  out: SeenCorners,
  index: PathIndex,
  poly: number,
  at: Float64Array,
  from: number,
): void {
  const { points, cones, polyCone, polyTested } = index;
  const first = 3 * polyCone[poly];
  const end = 3 * polyCone[poly + 1];
  const room = polyCone[poly + 1] - polyCone[poly] + 1;
  if (out.corners.length < room) {
    out.corners = withRoom(out.corners, room);
    out.lengths = new Float64Array(out.corners.length);
  }
  const { corners, lengths } = out;
  const x = at[from];
  const z = at[from + 1];
  const slack = SLACK * (Math.abs(x) + Math.abs(z));
  let count = 0;
  // A corner is overwritten by the next one unless it sees the position. A branch would be mispredicted half of the
  // time.
  const rightEnd = 3 * polyTested[2 * poly];
  const leftEnd = 3 * polyTested[2 * poly + 1];
  for (let i = first; i < leftEnd; i += 3) {
    const corner = cones[i];
    // The right side of the left line is the left side of its reverse.
    let line = i < rightEnd ? cones[i + 1] : ~cones[i + 2];
    const sign = (line >> 31) | 1;
    line ^= line >> 31;
    const cx = points[2 * corner];
    const cz = points[2 * corner + 1];
    const dx = x - cx;
    const dz = z - cz;
    const ux = points[2 * line] - cx;
    const uz = points[2 * line + 1] - cz;
    corners[count] = corner;
    count += +(sign * (dx * uz - dz * ux) >= -slack * (Math.abs(ux) + Math.abs(uz)));
  }
  for (let i = leftEnd; i < end; i += 3) {
    const corner = cones[i];
    let right = cones[i + 1];
    let left = cones[i + 2];
    const cx = points[2 * corner];
    const cz = points[2 * corner + 1];
    const dx = x - cx;
    const dz = z - cz;
    const rightSign = (right >> 31) | 1;
    const leftSign = (left >> 31) | 1;
    right ^= right >> 31;
    left ^= left >> 31;
    const rx = points[2 * right] - cx;
    const rz = points[2 * right + 1] - cz;
    const lx = points[2 * left] - cx;
    const lz = points[2 * left + 1] - cz;
    const isRight = rightSign * (dx * rz - dz * rx) >= -slack * (Math.abs(rx) + Math.abs(rz));
    const isLeft = leftSign * (dx * lz - dz * lx) <= slack * (Math.abs(lx) + Math.abs(lz));
    corners[count] = corner;
    count += +isRight & +isLeft;
  }
  out.count = count;
  for (let i = 0; i < count; i++) {
    const dx = points[2 * corners[i]] - x;
    const dz = points[2 * corners[i] + 1] - z;
    lengths[i] = Math.sqrt(dx * dx + dz * dz);
  }
}
