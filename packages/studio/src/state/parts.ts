/** Triangles of the shapes that a user adds to a level: boxes, ramps and stairs. */
import { AREA_GROUND } from 'navkiln';
import { placePositions, placementMatrix } from 'navkiln/world';
import type { LevelPart } from './state.ts';

type Point = [number, number, number];

/** A slice of the unit shape from z0 to z1: as high as `low` at z0 and as high as `high` at z1. */
interface Slice {
  z0: number;
  z1: number;
  low: number;
  high: number;
}

/** Appends a slice as triangles with outward faces and without a bottom. */
function addSlice(out: number[], { z0, z1, low, high }: Slice): void {
  const corner = (x: number, z: number, y: number): Point => [x - 0.5, y, z - 0.5];
  const [a, b, c, d] = [corner(0, z0, low), corner(1, z0, low), corner(1, z1, high), corner(0, z1, high)];
  const [e, f, g, h] = [corner(0, z0, 0), corner(1, z0, 0), corner(1, z1, 0), corner(0, z1, 0)];
  const quad = (p: Point, q: Point, r: Point, s: Point): void => void out.push(...p, ...q, ...r, ...p, ...r, ...s);
  quad(a, d, c, b);
  quad(e, a, b, f);
  quad(f, b, c, g);
  quad(g, c, d, h);
  quad(h, d, a, e);
}

const STEPS = 5;

/** Returns the unit shape as triangle soup. */
function shapeOf(shape: LevelPart['shape']): number[] {
  const out: number[] = [];
  if (shape === 'box') addSlice(out, { z0: 0, z1: 1, low: 1, high: 1 });
  else if (shape === 'ramp') addSlice(out, { z0: 0, z1: 1, low: 0, high: 1 });
  else {
    for (let i = 0; i < STEPS; i++) {
      const height = (i + 1) / STEPS;
      addSlice(out, { z0: i / STEPS, z1: height, low: height, high: height });
    }
  }
  return out;
}

/** Returns the triangles of a part as soup: nine numbers a triangle, world units. */
export function partTriangles({ shape, position, rotation, scale }: LevelPart): Float64Array {
  const placement = { position: [...position], rotation: [...rotation], scale: [...scale] };
  return placePositions(shapeOf(shape), placementMatrix(placement, 'partTriangles'));
}

interface Triangles {
  positions: Float32Array | Float64Array;
  indices: Uint32Array;
  /** Area id of each triangle; undefined: all are ground. */
  areas?: Uint8Array;
}

/** Returns the level with the parts appended, or the level itself when there are none. */
export function withParts(level: Triangles, parts: readonly LevelPart[]): Triangles {
  if (parts.length === 0) return level;
  const soups = parts.map(partTriangles);
  const added = soups.reduce((sum, soup) => sum + soup.length, 0);
  const { positions: own, indices: ownIndices } = level;
  const positions =
    own instanceof Float32Array ? new Float32Array(own.length + added) : new Float64Array(own.length + added);
  const indices = new Uint32Array(ownIndices.length + added / 3);
  positions.set(own);
  indices.set(ownIndices);
  let offset = own.length;
  for (const soup of soups) {
    positions.set(soup, offset);
    offset += soup.length;
  }
  for (let i = 0; i < added / 3; i++) indices[ownIndices.length + i] = own.length / 3 + i;
  if (level.areas === undefined) return { positions, indices };
  const areas = new Uint8Array(indices.length / 3).fill(AREA_GROUND);
  areas.set(level.areas);
  return { positions, indices, areas };
}
