/**
 * Which way a level stands that faces along z or x: measures that triangles alone give.
 *
 * Closed solids face both ways, so areas do not tell z up from -z up, nor x from -x. What lies on top does: the underside of a floor covers all of the
 * level, and in a level that stands upside down it is on top. A building with a roof looks alike from both sides.
 *
 * In: triangles. Out: the signs of z and x that are up, and the area that faces along x.
 * Cost: a pass over the triangles.
 * Based on: own.
 */
import type { TriangleInput } from '../../build/voxel/options.ts';
import { boxOfLevel } from './sizes.ts';

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
  /** The same of x. */
  x: -1 | 0 | 1;
  /** Square units that face along x, the larger of both sides. */
  alongX: number;
}

/** Returns the signs of a level whose extent is `size`. */
export function readAxes({ positions: p, indices }: TriangleInput, size: readonly number[]): AxisSigns {
  const corners = indices?.length ?? p.length / 3;
  const at = (i: number): number => 3 * (indices === undefined ? i : indices[i]);
  const { min: least, max: most } = boxOfLevel({ positions: p, indices });
  const sides = [createSides(), createSides(), createSides()];
  for (let i = 0; i + 2 < corners; i += 3) {
    const [a, b, c] = [at(i), at(i + 1), at(i + 2)];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    if (!(length > 0 && length < Infinity)) continue;
    for (const axis of SIDES) {
      if (Math.abs(normal[axis]) <= ALONG * length) continue;
      const middle = (p[a + axis] + p[b + axis] + p[c + axis]) / 3;
      const side = sides[axis];
      const isPlus = normal[axis] > 0;
      side[isPlus ? 'plus' : 'minus'] += length / 2;
      if (isPlus && middle > most[axis] - LAYER * size[axis]) side.top += length / 2;
      if (!isPlus && middle < least[axis] + LAYER * size[axis]) side.bottom += length / 2;
    }
  }
  return { x: signOf(sides[0]), z: signOf(sides[2]), alongX: Math.max(sides[0].plus, sides[0].minus) };
}

/**
 * Returns whether -y is probably up in a level whose floors face down: most of what faces down lies in its upper half. In a level whose
 * faces are flipped, its ground lies in the lower half.
 */
export function isOnItsHead({ positions: p, indices }: TriangleInput): boolean {
  const corners = indices?.length ?? p.length / 3;
  const at = (i: number): number => 3 * (indices === undefined ? i : indices[i]);
  const { min, max } = boxOfLevel({ positions: p, indices });
  let [top, bottom] = [0, 0];
  for (let i = 0; i + 2 < corners; i += 3) {
    const [a, b, c] = [at(i), at(i + 1), at(i + 2)];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (!(ny < -ALONG * length && length < Infinity)) continue;
    const middle = (p[a + 1] + p[b + 1] + p[c + 1]) / 3;
    if (2 * middle > min[1] + max[1]) top -= ny;
    else bottom -= ny;
  }
  return top > 2 * SURE * bottom;
}

/** The axes that may be up instead of y. */
const SIDES = [0, 2] as const;

/** Square units that face along an axis, and of these in the outermost layers. */
interface Sides {
  plus: number;
  minus: number;
  top: number;
  bottom: number;
}

function createSides(): Sides {
  return { plus: 0, minus: 0, top: 0, bottom: 0 };
}

function signOf({ plus, minus, top, bottom }: Sides): -1 | 0 | 1 {
  if (plus > SURE * minus) return 1;
  if (minus > SURE * plus) return -1;
  // The outermost layer of the side that is up has little of a floor's underside.
  if (bottom > SURE * top) return 1;
  return top > SURE * bottom ? -1 : 0;
}
