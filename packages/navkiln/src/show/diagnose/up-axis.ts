/**
 * Which way a level stands that faces along z: measures that triangles alone give.
 *
 * Closed solids face both ways, so areas do not tell z up from -z up. What lies on top does: the underside of a floor covers all of the
 * level, and in a level that stands upside down it is on top. A building with a roof looks alike from both sides.
 *
 * In: triangles. Out: the sign of z that is up, and the area that faces along x.
 * Cost: a pass over the triangles.
 * Based on: own.
 */
import type { TriangleInput } from '../../build/voxel/options.ts';

/** Ratio of areas from which on one side is surely the larger. */
const SURE = 1.5;
/** Share of the height that counts as the outermost layer. */
const LAYER = 0.02;
/** Triangles whose normal is this near to an axis face along it. */
const ALONG = 0.7;

/** What a level shows of its axes. */
export interface AxisSigns {
  /** 1: z is up; -1: -z is. 0: both fit. */
  z: -1 | 0 | 1;
  /** Square units that face along x, the larger of both sides. */
  alongX: number;
}

/** Returns the signs of a level whose extent is `size`. */
export function readAxes({ positions: p, indices }: TriangleInput, size: readonly number[]): AxisSigns {
  const corners = indices?.length ?? p.length / 3;
  const at = (i: number): number => 3 * (indices === undefined ? i : indices[i]);
  let [least, most] = [Infinity, -Infinity];
  for (let i = 0; i < corners; i++) {
    const z = p[at(i) + 2];
    if (z < least) least = z;
    if (z > most) most = z;
  }
  const sides = { plus: 0, minus: 0, top: 0, bottom: 0, plusX: 0, minusX: 0 };
  for (let i = 0; i + 2 < corners; i += 3) {
    const [a, b, c] = [at(i), at(i + 1), at(i + 2)];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (!(length > 0 && length < Infinity)) continue;
    if (nx > ALONG * length) sides.plusX += length / 2;
    if (-nx > ALONG * length) sides.minusX += length / 2;
    const z = (p[a + 2] + p[b + 2] + p[c + 2]) / 3;
    if (nz > ALONG * length) {
      sides.plus += length / 2;
      if (z > most - LAYER * size[2]) sides.top += length / 2;
    } else if (-nz > ALONG * length) {
      sides.minus += length / 2;
      if (z < least + LAYER * size[2]) sides.bottom += length / 2;
    }
  }
  return { z: signOf(sides), alongX: Math.max(sides.plusX, sides.minusX) };
}

function signOf({ plus, minus, top, bottom }: Record<'plus' | 'minus' | 'top' | 'bottom', number>): -1 | 0 | 1 {
  if (plus > SURE * minus) return 1;
  if (minus > SURE * plus) return -1;
  // The outermost layer of the side that is up has little of a floor's underside.
  if (bottom > SURE * top) return 1;
  return top > SURE * bottom ? -1 : 0;
}
