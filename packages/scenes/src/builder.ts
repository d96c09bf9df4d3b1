/**
 * Builds meshes from triangles: boxes, prisms, ramps, stairs, columns, height fields. All solids are closed
 * and their faces point outward. Outlines are counter-clockwise seen from above: (x0, z0), (x0, z1), (x1,
 * z1), (x1, z0).
 */
import { cosTurn, sinTurn } from './turn.ts';
import type { LevelMesh } from './scene.ts';

export interface MeshBuilder {
  positions: Float32Array;
  vertexCount: number;
  indices: Uint32Array;
  indexCount: number;
}

/** x and z of a point, or the lowest and highest y. */
export type Pair = readonly [number, number];
/** x, y and z. */
export type Triple = readonly [number, number, number];
/** x0, z0, x1, z1 with x0 < x1 and z0 < z1. */
export type Rectangle = readonly [number, number, number, number];

/**
 * A grid of nx by nz rectangles: its lines in x and z, and its heights. Faces up, or down when `up` is false.
 */
export interface HeightGrid {
  nx: number;
  nz: number;
  xOf: (ix: number) => number;
  zOf: (iz: number) => number;
  height: (ix: number, iz: number) => number;
  up: boolean;
}

/** Directions: 0 = -x, 1 = +z, 2 = +x, 3 = -z, as in the library. */
export type Direction = 0 | 1 | 2 | 3;

/** A rise from `low` to `high` towards `up`, solid down to `bottom`. */
export interface Rise {
  bottom: number;
  low: number;
  high: number;
  up: Direction;
}

/** One end of a piece of a ring: its angle in turns, and its heights. */
export interface SectorEnd {
  angle: number;
  bottom: number;
  top: number;
}

export function createBuilder(): MeshBuilder {
  return { positions: new Float32Array(3 * 1024), vertexCount: 0, indices: new Uint32Array(3 * 1024), indexCount: 0 };
}

export function finishMesh(builder: MeshBuilder): LevelMesh {
  return {
    positions: builder.positions.slice(0, builder.vertexCount * 3),
    indices: builder.indices.slice(0, builder.indexCount),
  };
}

/** Reserves memory for more vertices and indices. */
export function reserve(builder: MeshBuilder, vertices: number, indices: number): void {
  const positions = (builder.vertexCount + vertices) * 3;
  if (positions > builder.positions.length) {
    const grown = new Float32Array(Math.max(positions, builder.positions.length * 2));
    grown.set(builder.positions);
    builder.positions = grown;
  }
  const count = builder.indexCount + indices;
  if (count > builder.indices.length) {
    const grown = new Uint32Array(Math.max(count, builder.indices.length * 2));
    grown.set(builder.indices);
    builder.indices = grown;
  }
}

/** Adds a vertex and returns its index. */
export function addVertex(builder: MeshBuilder, x: number, y: number, z: number): number {
  reserve(builder, 1, 0);
  const at = builder.vertexCount * 3;
  builder.positions[at] = x;
  builder.positions[at + 1] = y;
  builder.positions[at + 2] = z;
  return builder.vertexCount++;
}

export function addTriangle(builder: MeshBuilder, a: number, b: number, c: number): void {
  reserve(builder, 0, 3);
  builder.indices[builder.indexCount++] = a;
  builder.indices[builder.indexCount++] = b;
  builder.indices[builder.indexCount++] = c;
}

/** Adds a triangle of nine numbers, three corners. */
export function addTrianglePoints(builder: MeshBuilder, points: readonly number[]): void {
  const a = addVertex(builder, points[0], points[1], points[2]);
  const b = addVertex(builder, points[3], points[4], points[5]);
  const c = addVertex(builder, points[6], points[7], points[8]);
  addTriangle(builder, a, b, c);
}

/** Adds a flat rectangle that faces up, divided into nx by nz pieces. */
export function addFloor(
  builder: MeshBuilder,
  [x0, z0, x1, z1]: Rectangle,
  y: number,
  nx: number = 1,
  nz: number = 1,
): void {
  addHeightGrid(builder, {
    nx,
    nz,
    xOf: (ix) => x0 + ((x1 - x0) * ix) / nx,
    zOf: (iz) => z0 + ((z1 - z0) * iz) / nz,
    height: () => y,
    up: true,
  });
}

/** Adds a surface over a grid. */
export function addHeightGrid(builder: MeshBuilder, { nx, nz, xOf, zOf, height, up }: HeightGrid): void {
  reserve(builder, (nx + 1) * (nz + 1), nx * nz * 6);
  const first = builder.vertexCount;
  for (let iz = 0; iz <= nz; iz++) {
    for (let ix = 0; ix <= nx; ix++) addVertex(builder, xOf(ix), height(ix, iz), zOf(iz));
  }
  for (let iz = 0; iz < nz; iz++) {
    for (let ix = 0; ix < nx; ix++) {
      const a = first + iz * (nx + 1) + ix;
      const b = a + nx + 1;
      // Diagonals alternate, so that no direction dominates.
      if (((ix + iz) & 1) === 0) {
        addTriangle(builder, a, up ? b : a + 1, b + 1);
        addTriangle(builder, a, b + 1, up ? a + 1 : b);
      } else {
        addTriangle(builder, a, up ? b : a + 1, up ? a + 1 : b);
        addTriangle(builder, a + 1, up ? b : b + 1, up ? b + 1 : b);
      }
    }
  }
}

/**
 * Adds a closed upright solid over a convex outline [x, z, x, z, …], with a bottom and top height at each
 * corner.
 */
export function addPrism(
  builder: MeshBuilder,
  outline: readonly number[],
  bottoms: readonly number[],
  tops: readonly number[],
): void {
  const n = outline.length >> 1;
  reserve(builder, n * 2, n * 12);
  const first = builder.vertexCount;
  for (let i = 0; i < n; i++) addVertex(builder, outline[i * 2], bottoms[i], outline[i * 2 + 1]);
  for (let i = 0; i < n; i++) addVertex(builder, outline[i * 2], tops[i], outline[i * 2 + 1]);
  for (let i = 1; i + 1 < n; i++) {
    addTriangle(builder, first + n, first + n + i, first + n + i + 1);
    addTriangle(builder, first, first + i + 1, first + i);
  }
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n;
    addTriangle(builder, first + i, first + j, first + n + j);
    addTriangle(builder, first + i, first + n + j, first + n + i);
  }
}

export function addBox(builder: MeshBuilder, [x0, y0, z0]: Triple, [x1, y1, z1]: Triple): void {
  addPrism(builder, [x0, z0, x0, z1, x1, z1, x1, z0], [y0, y0, y0, y0], [y1, y1, y1, y1]);
}

/** Adds a solid wedge. */
export function addRamp(builder: MeshBuilder, [x0, z0, x1, z1]: Rectangle, { bottom, low, high, up }: Rise): void {
  const [a, b, c, d] = ['1100', '0110', '0011', '1001'][up].split('').map((digit) => (digit === '1' ? high : low));
  const tops = [a!, b!, c!, d!];
  addPrism(builder, [x0, z0, x0, z1, x1, z1, x1, z0], [bottom, bottom, bottom, bottom], tops);
}

/** Adds `count` solid steps. Each stands on the bottom; the top of the last one is at `high`. */
export function addStairs(
  builder: MeshBuilder,
  [x0, z0, x1, z1]: Rectangle,
  { bottom, low, high, up }: Rise,
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    const top = low + ((high - low) * (i + 1)) / count;
    const a = up === 0 || up === 3 ? count - 1 - i : i;
    if (up === 0 || up === 2) {
      addBox(builder, [x0 + ((x1 - x0) * a) / count, bottom, z0], [x0 + ((x1 - x0) * (a + 1)) / count, top, z1]);
    } else {
      addBox(builder, [x0, bottom, z0 + ((z1 - z0) * a) / count], [x1, top, z0 + ((z1 - z0) * (a + 1)) / count]);
    }
  }
}

/** Adds an upright closed column with `sides` sides. `turn` rotates it, in turns. */
export function addColumn(
  builder: MeshBuilder,
  [x, z]: Pair,
  radius: number,
  [y0, y1]: Pair,
  sides: number,
  turn: number = 0,
): void {
  const outline: number[] = [];
  // From -z towards -x: counter-clockwise seen from above.
  for (let i = 0; i < sides; i++) {
    const angle = turn + i / sides;
    outline.push(x + radius * cosTurn(angle), z - radius * sinTurn(angle));
  }
  addPrism(builder, outline, new Array<number>(sides).fill(y0), new Array<number>(sides).fill(y1));
}

/** Adds a square frame around (x, z) between two half sizes, as four boxes. */
export function addFrame(builder: MeshBuilder, [x, z]: Pair, outer: number, inner: number, [y0, y1]: Pair): void {
  addBox(builder, [x - outer, y0, z - outer], [x + outer, y1, z - inner]);
  addBox(builder, [x - outer, y0, z + inner], [x + outer, y1, z + outer]);
  addBox(builder, [x - outer, y0, z - inner], [x - inner, y1, z + inner]);
  addBox(builder, [x + inner, y0, z - inner], [x + outer, y1, z + inner]);
}

/**
 * Adds a piece of a ring between two radii and two angles (in turns), with a bottom and top at either end.
 */
export function addSector(
  builder: MeshBuilder,
  [x, z]: Pair,
  { inner, outer }: { inner: number; outer: number },
  { angle: angle0, bottom: bottom0, top: top0 }: SectorEnd,
  { angle: angle1, bottom: bottom1, top: top1 }: SectorEnd,
): void {
  const c0 = cosTurn(angle0);
  const s0 = sinTurn(angle0);
  const c1 = cosTurn(angle1);
  const s1 = sinTurn(angle1);
  addPrism(
    builder,
    [inner * c0, -inner * s0, outer * c0, -outer * s0, outer * c1, -outer * s1, inner * c1, -inner * s1].map(
      (offset, i) => ((i & 1) === 0 ? x + offset : z + offset),
    ),
    [bottom0, bottom0, bottom1, bottom1],
    [top0, top0, top1, top1],
  );
}
