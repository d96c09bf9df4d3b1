/**
 * Compares the records of two bakes, stage by stage, and describes the first difference. Only stages that
 * both sides recorded are compared.
 */
import { BORDER_REGION } from '../../src/build/voxel/types.ts';
import type { CompactField, ContourSet, DetailMesh, Heightfield, PolyMesh } from '../../src/build/voxel/types.ts';
import type { StageName, StageRecords } from './records.ts';

export interface Difference {
  stage: StageName;
  /** The position and the values, such as `contour 3, vertex 17: 12,4,9,0 instead of 12,4,8,0`. */
  what: string;
  /** `stage: what`, for messages. */
  text: string;
}

type Numbers = ArrayLike<number>;

const listNumbers = (values: Numbers, from: number, count: number): string => {
  const out: number[] = [];
  for (let k = from; k < Math.min(from + count, values.length); k++) out.push(values[k]);
  return out.join(',') || 'nothing';
};

/** Returns whether the first `count` numbers of two arrays of integers of one kind are the same: most arrays are. */
function areSameBytes(a: Numbers, b: Numbers, count: number): boolean {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b) || a.constructor !== b.constructor) return false;
  if (a instanceof Float32Array || a instanceof Float64Array || count > a.length || count > b.length) return false;
  const bytes = (count * a.byteLength) / a.length;
  const [left, right] = [a, b].map((one) => new Uint8Array(one.buffer, one.byteOffset, bytes));
  return count === 0 || Buffer.compare(left, right) === 0;
}

/**
 * Returns the first group of `size` numbers that differs or that only one side has. Compares `count` numbers.
 */
function differInGroups(
  actual: Numbers,
  expected: Numbers,
  size: number,
  actualCount: number,
  expectedCount: number,
  position: (group: number) => string,
): string | undefined {
  if (actualCount === expectedCount && areSameBytes(actual, expected, actualCount)) return undefined;
  const count = Math.max(actualCount, expectedCount);
  for (let k = 0; k < count; k++) {
    const a = k < actualCount ? actual[k] : undefined;
    const e = k < expectedCount ? expected[k] : undefined;
    if (a === e) continue;
    const group = Math.floor(k / size);
    return (
      `${position(group)}: ${listNumbers(actual, group * size, Math.min(size, Math.max(0, actualCount - group * size)))} instead of ` +
      listNumbers(expected, group * size, Math.min(size, Math.max(0, expectedCount - group * size)))
    );
  }
  return undefined;
}

function differInNumbers<T extends object>(
  actual: T,
  expected: T,
  keys: readonly (keyof T & string)[],
): string | undefined {
  for (const key of keys) {
    const a = actual[key] as number;
    const e = expected[key] as number;
    if (a !== e && Math.fround(a) !== Math.fround(e)) return `${key}: ${a} instead of ${e}`;
  }
  return undefined;
}

interface Boxed {
  boundsMin: readonly number[];
  boundsMax: readonly number[];
}

function differInBounds(actual: Boxed, expected: Boxed): string | undefined {
  for (const key of ['boundsMin', 'boundsMax'] as const) {
    for (let k = 0; k < 3; k++) {
      if (Math.fround(actual[key][k]) !== Math.fround(expected[key][k])) {
        return `${key}: ${actual[key].join(',')} instead of ${expected[key].join(',')}`;
      }
    }
  }
  return undefined;
}

/** Describes a span by its column and layer, from the column starts. */
function spanPosition(columnStart: Int32Array, width: number, span: number): string {
  let low = 0;
  let high = columnStart.length - 1;
  while (high - low > 1) {
    const mid = (low + high) >> 1;
    if (columnStart[mid] <= span) low = mid;
    else high = mid;
  }
  return `span ${span} (column ${low % width},${Math.floor(low / width)} layer ${span - columnStart[low]})`;
}

function describeSpan(span: number): string {
  return `${span & 0x1fff}..${(span >>> 13) & 0x1fff} area ${span >>> 26}`;
}

export function compareHeightfield(a: Heightfield, e: Heightfield): string | undefined {
  const head = differInNumbers(a, e, ['width', 'depth', 'cellSize', 'cellHeight']) ?? differInBounds(a, e);
  if (head) return head;
  for (let c = 0; c < a.width * a.depth; c++) {
    const [from, to] = [a.columnStart[c], a.columnStart[c + 1]];
    const [eFrom, eTo] = [e.columnStart[c], e.columnStart[c + 1]];
    for (let k = 0; k < Math.max(to - from, eTo - eFrom); k++) {
      if (from + k < to && eFrom + k < eTo && a.spans[from + k] === e.spans[eFrom + k]) continue;
      const one = from + k < to ? describeSpan(a.spans[from + k]) : 'nothing';
      const other = eFrom + k < eTo ? describeSpan(e.spans[eFrom + k]) : 'nothing';
      if (one !== other)
        return `column ${c % a.width},${Math.floor(c / a.width)}, span ${k}: ${one} instead of ${other}`;
    }
  }
  return differInNumbers(a, e, ['spanCount']);
}

export function compareCompactField(a: CompactField, e: CompactField): string | undefined {
  const head =
    differInNumbers(a, e, ['width', 'depth', 'cellSize', 'cellHeight', 'walkableHeightCells', 'walkableClimbCells']) ??
    differInBounds(a, e);
  if (head) return head;
  const columns = a.width * a.depth;
  const column = (c: number): string => `column ${c % a.width},${Math.floor(c / a.width)} starts at span`;
  const position =
    (name: string) =>
    (s: number): string =>
      `${name} of ${spanPosition(e.columnStart, e.width, s)}`;
  return (
    differInGroups(a.columnStart, e.columnStart, 1, columns + 1, columns + 1, column) ??
    differInNumbers(a, e, ['spanCount']) ??
    differInGroups(a.y, e.y, 1, a.spanCount, e.spanCount, position('floor')) ??
    differInGroups(a.height, e.height, 1, a.spanCount, e.spanCount, position('height')) ??
    differInGroups(a.area, e.area, 1, a.spanCount, e.spanCount, position('area')) ??
    differInGroups(a.neighbor, e.neighbor, 4, a.spanCount * 4, e.spanCount * 4, position('neighbors'))
  );
}

export function compareContourSet(a: ContourSet, e: ContourSet): string | undefined {
  const head =
    differInNumbers(a, e, ['width', 'depth', 'cellSize', 'cellHeight', 'borderCells', 'maxEdgeErrorCells']) ??
    differInBounds(a, e);
  if (head) return head;
  for (let c = 0; c < Math.max(a.count, e.count); c++) {
    if (c >= a.count || c >= e.count) return `${a.count} contours instead of ${e.count}`;
    if (a.region[c] !== e.region[c]) return `contour ${c}, region: ${a.region[c]} instead of ${e.region[c]}`;
    if (a.area[c] !== e.area[c]) return `contour ${c}, area: ${a.area[c]} instead of ${e.area[c]}`;
    for (const [what, start, ring] of [
      ['raw vertex', 'rawStart', 'raw'],
      ['vertex', 'start', 'vertices'],
    ] as const) {
      const one = a[ring].subarray(a[start][c] * 4, a[start][c + 1] * 4);
      const other = e[ring].subarray(e[start][c] * 4, e[start][c + 1] * 4);
      const difference = differInGroups(one, other, 4, one.length, other.length, (k) => `contour ${c}, ${what} ${k}`);
      if (difference) return `${difference} (${one.length / 4} and ${other.length / 4} vertices)`;
    }
  }
  return undefined;
}

export function comparePolyMesh(a: PolyMesh, e: PolyMesh): string | undefined {
  const nvp = a.maxVerticesPerPoly;
  return (
    differInNumbers(a, e, ['maxVerticesPerPoly', 'cellSize', 'cellHeight', 'borderCells', 'maxEdgeErrorCells']) ??
    differInBounds(a, e) ??
    differInGroups(a.vertices, e.vertices, 3, a.vertexCount * 3, e.vertexCount * 3, (k) => `vertex ${k}`) ??
    differInGroups(a.polys, e.polys, nvp, a.polyCount * nvp, e.polyCount * nvp, (k) => `polygon ${k}`) ??
    differInGroups(
      a.neighbors,
      e.neighbors,
      nvp,
      a.polyCount * nvp,
      e.polyCount * nvp,
      (k) => `neighbors of polygon ${k}`,
    ) ??
    differInGroups(a.region, e.region, 1, a.polyCount, e.polyCount, (k) => `region of polygon ${k}`) ??
    differInGroups(a.area, e.area, 1, a.polyCount, e.polyCount, (k) => `area of polygon ${k}`)
  );
}

/**
 * Compares detail meshes exactly, to float32. For meshes that agree only in height see
 * `compareDetailHeights`.
 */
export function compareDetailMesh(a: DetailMesh, e: DetailMesh): string | undefined {
  if (a.polyCount !== e.polyCount) return `${a.polyCount} polygons instead of ${e.polyCount}`;
  for (let p = 0; p < a.polyCount; p++) {
    const v = Float32Array.from(a.vertices.subarray(a.vertexStart[p] * 3, a.vertexStart[p + 1] * 3));
    const ev = Float32Array.from(e.vertices.subarray(e.vertexStart[p] * 3, e.vertexStart[p + 1] * 3));
    const t = a.tris.subarray(a.triStart[p] * 4, a.triStart[p + 1] * 4);
    const et = e.tris.subarray(e.triStart[p] * 4, e.triStart[p + 1] * 4);
    const difference =
      differInGroups(v, ev, 3, v.length, ev.length, (k) => `polygon ${p}, extra vertex ${k}`) ??
      differInGroups(t, et, 4, t.length, et.length, (k) => `polygon ${p}, triangle ${k}`);
    if (difference) return difference;
  }
  return undefined;
}

function largestRegion(region: Int32Array | undefined): number {
  let largest = 0;
  for (const id of region ?? []) if (id < BORDER_REGION && id > largest) largest = id;
  return largest;
}

export interface CompareOptions {
  /** Last stage to compare. Default 'detail'. */
  until?: StageName;
}

/**
 * Returns the first difference between the records of a bake (`actual`) and those of the oracle (`expected`).
 */
export function compareStages(
  actual: StageRecords,
  expected: StageRecords,
  options: CompareOptions = {},
): Difference | undefined {
  const both = <T, R>(a: T | undefined, e: T | undefined, compare: (a: T, e: T) => R): R | undefined =>
    a !== undefined && e !== undefined ? compare(a, e) : undefined;
  const field = expected.compact ?? actual.compact;
  const perSpan = (a: Numbers, e: Numbers, name: string): string | undefined =>
    differInGroups(
      a,
      e,
      1,
      a.length,
      e.length,
      (s) => `${name} of ${field ? spanPosition(field.columnStart, field.width, s) : `span ${s}`}`,
    );
  const number =
    (name: string) =>
    (a: number, e: number): string | undefined =>
      a === e ? undefined : `${name}: ${a} instead of ${e}`;

  const stages: [StageName, () => string | undefined][] = [
    ['rasterize', () => both(actual.rasterized, expected.rasterized, compareHeightfield)],
    ['filter', () => both(actual.filtered, expected.filtered, compareHeightfield)],
    ['compact', () => both(actual.compact, expected.compact, compareCompactField)],
    ['erode', () => both(actual.erodedArea, expected.erodedArea, (a, e) => perSpan(a, e, 'area'))],
    ['areas', () => both(actual.markedArea, expected.markedArea, (a, e) => perSpan(a, e, 'area'))],
    [
      'distance',
      () =>
        both(actual.distance, expected.distance, (a, e) => perSpan(a, e, 'distance')) ??
        both(actual.maxDistance, expected.maxDistance, number('largest distance')),
    ],
    [
      'regions',
      () =>
        both(actual.region, expected.region, (a, e) => perSpan(a, e, 'region')) ??
        both(actual.regionCount, expected.regionCount, (a, e) =>
          // Recast sometimes counts one id too listNumbers. The largest id in use is accepted, too.
          a === largestRegion(expected.region) ? undefined : number('number of regions')(a, e),
        ),
    ],
    ['contours', () => both(actual.contours, expected.contours, compareContourSet)],
    ['polymesh', () => both(actual.polyMesh, expected.polyMesh, comparePolyMesh)],
    ['detail', () => both(actual.detail, expected.detail, compareDetailMesh)],
  ];
  for (const [stage, compare] of stages) {
    const what = compare();
    if (what) return { stage, what, text: `${stage}: ${what}` };
    if (stage === options.until) break;
  }
  return undefined;
}
