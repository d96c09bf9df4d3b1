/**
 * Checks the records that callers pass to the functions of single stages: types and lengths of arrays, counts, tables of starts. So a
 * stage ends, and takes no memory for numbers that are only claimed. `validateX` of `navkiln/debug` checks the rest.
 *
 * In: any value. Out: an error of the caller.
 * Cost: linear in columns, contours and polygons.
 * Based on: own.
 */
import { MAX_VERTICES_PER_POLY } from '../../base/constants.ts';
import { refuse, refuseType } from '../../base/data/refuse.ts';
import type { PreparedInput } from './input.ts';
import { BORDER_REGION } from './types.ts';
import type { CompactField, ContourSet, DetailMesh, Heightfield, PolyMesh } from './types.ts';

/** More columns than any memory has room for. */
const MOST = 2 ** 30;
/** Further regions than spans: those of the border. */
const BORDER_REGIONS = 16;

interface Shape<T> {
  what: string;
  /** Whole numbers and their largest values. */
  counts: readonly (readonly [keyof T, (record: T) => number])[];
  /** Arrays and their least lengths. */
  arrays: readonly (readonly [keyof T, (record: T) => number])[];
  /** Arrays of starts: the number of ranges, and the largest end. */
  starts?: readonly (readonly [keyof T, (record: T) => number, (record: T) => number])[];
}

function checkShape<T>(caller: string, path: string, value: T, shape: Shape<T>): void {
  if (typeof value !== 'object' || value === null) refuseType(caller, path, value, shape.what);
  for (const [name, most] of shape.counts) {
    const count = value[name] as number;
    if (!(Number.isInteger(count) && count >= 0 && count <= most(value)))
      refuse(caller, `${path}.${String(name)}`, count, `that of ${shape.what}`);
  }
  for (const [name, least] of [...shape.arrays, ...(shape.starts ?? []).map(([key]) => [key, () => 1] as const)]) {
    const array = value[name] as ArrayLike<unknown>;
    if (!isList(array)) refuseType(caller, `${path}.${String(name)}`, array, `that of ${shape.what}`);
    if (!(array.length >= least(value)))
      refuse(caller, `${path}.${String(name)}.length`, array.length, `>= ${least(value)}`);
  }
  for (const [name, count, most] of shape.starts ?? []) {
    const starts = value[name] as ArrayLike<number>;
    const end = count(value);
    let isSound = starts.length > end && starts[0] >= 0 && starts[end] <= most(value);
    for (let i = 0; isSound && i < end; i++) isSound = starts[i] <= starts[i + 1];
    if (!isSound)
      refuse(caller, `${path}.${String(name)}`, starts, 'starts in order, and within the array they point to');
  }
}

function isList(value: unknown): boolean {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

const TRIPLE = (): number => 3;
const lengthOf = (array: ArrayLike<unknown>, size: number = 1): number => Math.floor(array.length / size);

const SOLID: Shape<Heightfield> = {
  what: 'a Heightfield',
  counts: [
    ['width', () => MOST],
    ['depth', ({ width }) => MOST / Math.max(1, width)],
    ['spanCount', ({ spans }) => spans?.length ?? 0],
  ],
  arrays: [
    ['boundsMin', TRIPLE],
    ['boundsMax', TRIPLE],
    ['spans', ({ spanCount }) => spanCount],
  ],
  starts: [['columnStart', ({ width, depth }) => width * depth, ({ spans }) => spans.length]],
};

const FIELD: Shape<CompactField> = {
  what: 'a CompactField',
  counts: [
    ['width', () => MOST],
    ['depth', ({ width }) => MOST / Math.max(1, width)],
    ['spanCount', ({ area }) => area?.length ?? 0],
    ['maxDistance', () => 0xffff],
    ['regionCount', ({ spanCount }) => spanCount + BORDER_REGIONS],
    ['borderCells', () => MOST],
  ],
  arrays: [
    ['boundsMin', TRIPLE],
    ['boundsMax', TRIPLE],
    ...(['y', 'height', 'area'] as const).map((name) => [name, ({ spanCount }: CompactField) => spanCount] as const),
    ['neighbor', ({ spanCount }) => 4 * spanCount],
    // Empty before their stages.
    ['distance', ({ distance, spanCount }) => (distance.length === 0 ? 0 : spanCount)],
    ['region', ({ region, spanCount }) => (region.length === 0 ? 0 : spanCount)],
  ],
  starts: [['columnStart', ({ width, depth }) => width * depth, ({ spanCount }) => spanCount]],
};

const CONTOURS: Shape<ContourSet> = {
  what: 'a ContourSet',
  counts: [
    ['count', ({ start }) => (start?.length ?? 0) - 1],
    ['borderCells', () => MOST],
  ],
  arrays: [
    ['boundsMin', TRIPLE],
    ['boundsMax', TRIPLE],
    ['region', ({ count }) => count],
    ['area', ({ count }) => count],
    ['vertices', () => 0],
    ['rawStart', () => 0],
  ],
  starts: [['start', ({ count }) => count, ({ vertices }) => lengthOf(vertices, 4)]],
};

const POLYS: Shape<PolyMesh> = {
  what: 'a PolyMesh',
  counts: [
    ['vertexCount', ({ vertices }) => lengthOf(vertices ?? [], 3)],
    ['polyCount', ({ area }) => area?.length ?? 0],
    ['maxVerticesPerPoly', () => MAX_VERTICES_PER_POLY],
    ['borderCells', () => MOST],
  ],
  arrays: [
    ['boundsMin', TRIPLE],
    ['boundsMax', TRIPLE],
    ['vertices', ({ vertexCount }) => 3 * vertexCount],
    ['polys', ({ polyCount, maxVerticesPerPoly }) => polyCount * maxVerticesPerPoly],
    ['neighbors', ({ polyCount, maxVerticesPerPoly }) => polyCount * maxVerticesPerPoly],
    ['region', ({ polyCount }) => polyCount],
    ['area', ({ polyCount }) => polyCount],
  ],
};

const DETAIL: Shape<DetailMesh> = {
  what: 'a DetailMesh',
  counts: [['polyCount', ({ triStart }) => (triStart?.length ?? 0) - 1]],
  arrays: [
    ['vertices', () => 0],
    ['tris', () => 0],
  ],
  starts: [
    ['vertexStart', ({ polyCount }) => polyCount, ({ vertices }) => lengthOf(vertices, 3)],
    ['triStart', ({ polyCount }) => polyCount, ({ tris }) => lengthOf(tris, 4)],
  ],
};

const PREPARED: Shape<PreparedInput> = {
  what: 'the result of prepareInput',
  counts: [['triangleCount', ({ indices }) => lengthOf(indices ?? [], 3)]],
  arrays: [
    ['positions', () => 0],
    ['indices', ({ triangleCount }) => 3 * triangleCount],
    ['offset', TRIPLE],
    ['min', TRIPLE],
    ['max', TRIPLE],
  ],
};

export function checkSolid(caller: string, path: string, value: Heightfield): void {
  checkShape(caller, path, value, SOLID);
}

export function checkField(caller: string, field: CompactField): void {
  checkShape(caller, 'field', field, FIELD);
}

/** Throws unless all regions of a field are counted. */
export function checkRegions(caller: string, { region, regionCount }: CompactField): void {
  for (let i = 0; i < region.length; i++) {
    const isBorder = (region[i] & BORDER_REGION) !== 0;
    if (!isBorder && !(region[i] >= 0 && region[i] <= regionCount))
      refuse(caller, `field.region[${i}]`, region[i], `0 .. field.regionCount, which is ${regionCount}`);
  }
}

export function checkContours(caller: string, contours: ContourSet): void {
  checkShape(caller, 'contours', contours, CONTOURS);
}

/** Throws unless `mesh` is a PolyMesh whose polygons name its vertices. */
export function checkPolyMesh(caller: string, mesh: PolyMesh): void {
  checkShape(caller, 'mesh', mesh, POLYS);
  const { polys, polyCount, maxVerticesPerPoly, vertexCount } = mesh;
  for (let i = 0; i < polyCount * maxVerticesPerPoly; i++) {
    if (!(polys[i] >= -1 && polys[i] < vertexCount)) refuse(caller, `mesh.polys[${i}]`, polys[i], `< ${vertexCount}`);
  }
}

export function checkDetail(caller: string, detail: DetailMesh): void {
  checkShape(caller, 'detail', detail, DETAIL);
}

export function checkPrepared(caller: string, prepared: PreparedInput): void {
  checkShape(caller, 'prepared', prepared, PREPARED);
  const { areas, triangleCount } = prepared;
  if (areas !== undefined && !(isList(areas) && areas.length >= triangleCount))
    refuseType(caller, 'prepared.areas', areas, `undefined, or an area for each of ${triangleCount} triangles`);
}

/** Throws unless the vertices of a mesh lie in the field that it was built from. */
export function checkWithin(caller: string, { vertices, vertexCount }: PolyMesh, field: CompactField): void {
  const most = field.width + field.depth + field.borderCells;
  for (let i = 0; i < 3 * vertexCount; i++) {
    if (i % 3 !== 1 && !(Math.abs(vertices[i]) <= most))
      refuse(
        caller,
        `mesh.vertices[${i}]`,
        vertices[i],
        `within the field, which has ${field.width} x ${field.depth} columns`,
      );
  }
}
