/** The validators of the bake's stages: sound records pass, and each way to spoil one is named. */
import { createVolumes } from '../../../../src/build/voxel/volumes.ts';
import { layersPartition } from '../../../../src/build/voxel/regions/layers.ts';
import { describe, expect, it } from 'vitest';
import type { CompactField, ContourSet, DetailMesh, Heightfield, PolyMesh } from '../../../../src/build/voxel/types.ts';
import { BORDER_REGION, CONTOUR_BORDER_VERTEX } from '../../../../src/build/voxel/types.ts';
import { validateCompactField } from '../../../../src/build/voxel/validate/compact-field.ts';
import { validateContourSet } from '../../../../src/build/voxel/validate/contour-set.ts';
import { validateDetailMesh } from '../../../../src/build/voxel/validate/detail-mesh.ts';
import { validateHeightfield } from '../../../../src/build/voxel/validate/heightfield.ts';
import { countCorners, validatePolyMesh } from '../../../../src/build/voxel/validate/poly-mesh.ts';
import type { StageViolation } from '../../../../src/build/voxel/validate/violations.ts';
import { runNavkiln } from '../../../golden/stages.ts';
import { smallLevel } from '../../../oracle/small-level.ts';

const { records } = runNavkiln(smallLevel(), {
  cellSize: 0.2,
  cellHeight: 0.1,
  regionMinArea: 1,
  regionMergeArea: 4,
  volumes: createVolumes([{ type: 'box', area: 5, min: [0, -2, 0], max: [6, 4, 5] }]),
});
const solid = records.rasterized!;
const field: CompactField = {
  ...records.compact!,
  area: records.markedArea!,
  distance: records.distance!,
  maxDistance: records.maxDistance!,
  region: records.region!,
  regionCount: records.regionCount!,
};

type Cases<T> = [name: string, spoil: (record: T) => void, code: string, where: string][];

function spoiling<T>(record: T, validate: (record: T) => StageViolation[], cases: Cases<T>): void {
  it('finds nothing in a sound one', () => expect(validate(structuredClone(record))).toEqual([]));
  it.each(cases)('names %s', (_, spoil, code, where) => {
    const copy = structuredClone(record);
    spoil(copy);
    const found = validate(copy);
    const match = found.find((one) => one.code === code && one.where.startsWith(where));
    expect(match, JSON.stringify(found.slice(0, 3))).toBeDefined();
    expect(match!.message.startsWith(match!.where)).toBe(true);
  });
}

/** First column with at least so many spans. */
function columnOf(starts: Int32Array, count: number): number {
  return starts.findIndex((start, c) => starts[c + 1] - start >= count);
}
const pack = (bottom: number, top: number, area: number): number => (bottom | (top << 13) | (area << 26)) >>> 0;

describe('validateHeightfield', () => {
  const c = columnOf(solid.columnStart, 1),
    i = solid.columnStart[c];
  const two: Heightfield = {
    width: 2,
    depth: 1,
    cellSize: 1,
    cellHeight: 1,
    boundsMin: [0, 0, 0],
    boundsMax: [2, 9, 1],
    columnStart: Int32Array.of(0, 2, 3),
    spanCount: 3,
    spans: Uint32Array.of(pack(0, 1, 63), pack(3, 4, 0), pack(2, 5, 7)),
  };
  it('accepts several spans in a column', () => expect(validateHeightfield(two)).toEqual([]));
  it('refuses spans that touch, overlap or stand in the wrong order', () => {
    for (const spans of [
      [pack(0, 3, 1), pack(3, 4, 1)],
      [pack(0, 4, 1), pack(3, 6, 1)],
      [pack(3, 4, 1), pack(0, 1, 1)],
    ]) {
      const found = validateHeightfield({ ...two, spans: Uint32Array.of(...spans, pack(2, 5, 7)) });
      expect(found.map((one) => `${one.code} ${one.where}`)).toEqual(['span-order spans[1]']);
    }
  });
  spoiling(solid, validateHeightfield, [
    ['a width', (r) => (r.width = -1), 'size', 'width'],
    ['a depth', (r) => (r.depth = 2.5), 'size', 'depth'],
    ['a cell size', (r) => (r.cellSize = 0), 'scalar', 'cellSize'],
    ['a cell height', (r) => (r.cellHeight = NaN), 'scalar', 'cellHeight'],
    ['bounds', (r) => (r.boundsMax = [r.boundsMin[0] - 1, 0, 0]), 'scalar', 'boundsMin[0]'],
    ['a count too large', (r) => r.spanCount++, 'size', 'spans'],
    ['a count too small', (r) => r.spanCount--, 'column-start', 'columnStart['],
    ['missing column starts', (r) => (r.columnStart = r.columnStart.slice(1)), 'size', 'columnStart'],
    ['a first start', (r) => (r.columnStart[0] = 1), 'column-start', 'columnStart[0]'],
    ['starts that fall', (r) => (r.columnStart[c + 1] = -1), 'column-start', `columnStart[${c + 1}]`],
    ['a span upside down', (r) => (r.spans[i] = pack(9, 3, 1)), 'span-empty', `spans[${i}]`],
    ['a span without height', (r) => (r.spans[i] = pack(9, 9, 1)), 'span-empty', `spans[${i}]`],
  ]);
});

describe('validateCompactField', () => {
  // A span with four neighbours, in the middle of one region.
  const i = field.region.findIndex(
    (id, k) =>
      id > 0 && [0, 1, 2, 3].every((dir) => field.region[field.neighbor[4 * k + dir]] === id) && field.distance[k] > 4,
  );
  const inNothing = field.area.findIndex((area) => area === 0);
  spoiling(field, validateCompactField, [
    ['a count', (r) => (r.regionCount = -3), 'size', 'regionCount'],
    ['a short array', (r) => (r.neighbor = r.neighbor.slice(4)), 'size', 'neighbor'],
    ['a short region array', (r) => (r.region = r.region.slice(4)), 'size', 'region'],
    ['column starts', (r) => (r.columnStart[3] = 1e6), 'column-start', 'columnStart[4]'],
    ['an area of 64', (r) => (r.area[i] = 64), 'area', `area[${i}]`],
    ['no open space', (r) => (r.height[i] = 0), 'span-empty', `height[${i}]`],
    ['a neighbour in another column', (r) => (r.neighbor[4 * i] = i), 'neighbor', `neighbor[${4 * i}]`],
    ['a neighbour that is none', (r) => (r.neighbor[4 * i + 1] = -2), 'neighbor', `neighbor[${4 * i + 1}]`],
    ['a one-sided connection', (r) => (r.neighbor[4 * i + 2] = -1), 'not-reciprocal', `neighbor[${4 * i + 2}]`],
    ['a floor beyond the climb', (r) => (r.y[i] += 60), 'neighbor-fit', 'neighbor['],
    ['a ceiling too low', (r) => (r.height[i] = r.walkableHeightCells - 1), 'neighbor-fit', `neighbor[${4 * i}]`],
    ['another climb', (r) => (r.walkableClimbCells = 0), 'neighbor-fit', 'neighbor['],
    ['a distance above the largest', (r) => (r.distance[i] = r.maxDistance + 1), 'distance', `distance[${i}]`],
    ['distance 0 inside', (r) => (r.distance[i] = 0), 'distance', `distance[${i}]`],
    ['a region beyond the count', (r) => (r.region[i] = r.regionCount + 1), 'region', `region[${i}]`],
    ['a negative region', (r) => (r.region[i] = -1), 'region', `region[${i}]`],
    ['a border region without a border', (r) => (r.region[i] = BORDER_REGION | 1), 'region', `region[${i}]`],
    ['a region where nobody walks', (r) => (r.region[inNothing] = 1), 'region', `region[${inNothing}]`],
    ['a region of two areas', (r) => (r.area[i] -= 1), 'region-area', 'region['],
  ]);

  it('checks floors above each other', () => {
    const stacked: CompactField = {
      width: 1,
      depth: 1,
      cellSize: 1,
      cellHeight: 1,
      boundsMin: [0, 0, 0],
      boundsMax: [1, 20, 1],
      walkableHeightCells: 3,
      walkableClimbCells: 1,
      borderCells: 0,
      columnStart: Int32Array.of(0, 2),
      spanCount: 2,
      y: Uint16Array.of(1, 9),
      height: Uint8Array.of(7, 255),
      area: Uint8Array.of(63, 63),
      neighbor: new Int32Array(8).fill(-1),
      distance: new Uint16Array(0),
      maxDistance: 0,
      region: new Int32Array(0),
      regionCount: 0,
    };
    expect(validateCompactField(stacked)).toEqual([]);
    expect(validateCompactField({ ...stacked, height: Uint8Array.of(8, 255) }).map((one) => one.where)).toEqual([
      'y[1]',
    ]);
    expect(validateCompactField({ ...stacked, y: Uint16Array.of(9, 1) }).map((one) => one.code)).toEqual([
      'span-order',
    ]);
  });

  it('requires the lowest floor that fits as a neighbor', () => {
    // One floor beside two that both fit: the lower one is right, the upper one is not.
    const beside: CompactField = {
      width: 2,
      depth: 1,
      cellSize: 1,
      cellHeight: 1,
      boundsMin: [0, 0, 0],
      boundsMax: [2, 20, 1],
      walkableHeightCells: 2,
      walkableClimbCells: 9,
      borderCells: 0,
      columnStart: Int32Array.of(0, 1, 3),
      spanCount: 3,
      y: Uint16Array.of(3, 1, 8),
      height: Uint8Array.of(255, 6, 255),
      area: Uint8Array.of(63, 63, 63),
      neighbor: Int32Array.of(-1, -1, 1, -1, 0, -1, -1, -1, 0, -1, -1, -1),
      distance: new Uint16Array(0),
      maxDistance: 0,
      region: new Int32Array(0),
      regionCount: 0,
    };
    expect(validateCompactField(beside)).toEqual([]);
    beside.neighbor[2] = 2;
    expect(validateCompactField(beside).map((one) => `${one.code} ${one.where}`)).toEqual(['neighbor-fit neighbor[2]']);
  });
});

describe('validateContourSet', () => {
  const set = records.contours!;
  // A contour with points, its first point and raw point.
  const c = [...set.region.keys()].find((k) => set.start[k + 1] - set.start[k] >= 5)!;
  const v = 4 * set.start[c],
    r0 = 4 * set.rawStart[c];
  it('accepts holes that were merged, which are empty', () => {
    const { contours } = runNavkiln(smallLevel(), {
      cellSize: 0.2,
      cellHeight: 0.1,
      partition: layersPartition,
    }).records;
    expect([...contours!.region.keys()].some((k) => contours!.start[k + 1] === contours!.start[k])).toBe(true);
    expect(validateContourSet(contours!)).toEqual([]);
  });
  spoiling<ContourSet>(set, validateContourSet, [
    ['a count', (r) => (r.count = 0.5), 'size', 'count'],
    ['missing regions', (r) => (r.region = r.region.slice(1)), 'size', 'region'],
    ['an error', (r) => (r.maxEdgeErrorCells = -1), 'scalar', 'maxEdgeErrorCells'],
    ['the end of the rings', (r) => r.start[r.count]++, 'column-start', 'start['],
    ['the end of the raw rings', (r) => (r.raw = r.raw.slice(4)), 'column-start', 'rawStart['],
    ['region 0', (r) => (r.region[c] = 0), 'region', `region[${c}]`],
    ['area 0', (r) => (r.area[c] = 0), 'area', `area[${c}]`],
    ['area 64', (r) => (r.area[c] = 64), 'area', `area[${c}]`],
    ['a ring of two points', (r) => (r.start[c + 1] = r.start[c] + 2), 'ring-size', `start[${c}]`],
    ['a point twice', (r) => r.vertices.copyWithin(v + 4, v, v + 4), 'ring-repeat', `vertices[${v + 4}]`],
    ['a point beside the outline', (r) => (r.vertices[v + 1] += 1), 'not-on-outline', `vertices[${v}]`],
    ['a step of two cells', (r) => (r.raw[r0] += 1), 'ring-step', `raw[${r0}]`],
    ['a point outside', (r) => (r.raw[r0] = -1), 'ring-outside', `raw[${r0}]`],
    ['a narrower field', (r) => (r.width = 3), 'ring-outside', 'raw['],
    ['a region beside itself', (r) => (r.vertices[v + 3] = r.region[c]), 'flags', `vertices[${v + 3}]`],
    ['a border that is not there', (r) => (r.raw[r0 + 3] |= CONTOUR_BORDER_VERTEX), 'flags', `raw[${r0 + 3}]`],
    ['an unknown mark', (r) => (r.raw[r0 + 3] |= 0x40000000), 'flags', `raw[${r0 + 3}]`],
  ]);
});

describe('validatePolyMesh', () => {
  const mesh = records.polyMesh!;
  const size = mesh.maxVerticesPerPoly;
  // A polygon of at least four vertices, with a neighbour.
  const p = [...mesh.area.keys()].find(
    (k) =>
      countCorners(mesh, k) >= 4 &&
      countCorners(mesh, k) < size &&
      mesh.neighbors.subarray(k * size, k * size + size).some((other) => other >= 0),
  )!;
  const slot = p * size,
    last = slot + countCorners(mesh, p);
  const inner = mesh.neighbors.findIndex((other, k) => k >= slot && other >= 0);
  spoiling<PolyMesh>(mesh, validatePolyMesh, [
    ['a count', (r) => (r.polyCount = -1), 'size', 'polyCount'],
    ['a count too large', (r) => r.vertexCount++, 'size', 'vertices'],
    ['two corners at most', (r) => (r.maxVerticesPerPoly = 2), 'size', 'maxVerticesPerPoly'],
    ['an error', (r) => (r.maxEdgeErrorCells = NaN), 'scalar', 'maxEdgeErrorCells'],
    ['a vertex outside', (r) => (r.vertices[3 * r.polys[slot]] = 9999), 'vertex', 'vertices['],
    ['a negative height', (r) => (r.vertices[1] = -1), 'vertex', 'vertices[1]'],
    ['an index too large', (r) => (r.polys[slot] = r.vertexCount), 'index', `polys[${slot}]`],
    ['an index below -1', (r) => (r.polys[slot] = -2), 'index', `polys[${slot}]`],
    ['a vertex twice', (r) => (r.polys[slot + 2] = r.polys[slot]), 'index', `polys[${slot + 2}]`],
    ['a gap', (r) => (r.polys[slot + 1] = -1), 'index', 'polys['],
    ['a polygon of no corners', (r) => r.polys.fill(-1, slot, slot + size), 'index', `polys[${slot}]`],
    ['a clockwise polygon', (r) => r.polys.subarray(slot, last).reverse(), 'not-convex', 'polys['],
    ['crossed edges', (r) => r.polys.set([r.polys[slot + 1], r.polys[slot]], slot), 'not-convex', 'polys['],
    ['a neighbour far off', (r) => (r.neighbors[inner] = r.polyCount), 'neighbor', `neighbors[${inner}]`],
    ['a polygon beside itself', (r) => (r.neighbors[inner] = p), 'neighbor', `neighbors[${inner}]`],
    ['a border that is not there', (r) => (r.neighbors[inner] = -2), 'neighbor', `neighbors[${inner}]`],
    ['a neighbour behind the last', (r) => (r.neighbors[last] = 0), 'neighbor', `neighbors[${last}]`],
    ['a wall on one side', (r) => (r.neighbors[inner] = -1), 'not-reciprocal', 'neighbors['],
    ['walls on both sides', (r) => wallUp(r, inner, p), 'not-connected', `neighbors[${inner}]`],
    ['region 0', (r) => (r.region[p] = 0), 'region', `region[${p}]`],
    ['area 0', (r) => (r.area[p] = 0), 'area', `area[${p}]`],
    ['area 64', (r) => (r.area[p] = 64), 'area', `area[${p}]`],
  ]);

  function wallUp(r: PolyMesh, at: number, poly: number): void {
    const other = r.neighbors[at];
    r.neighbors[at] = -1;
    for (let k = other * size; k < other * size + size; k++) if (r.neighbors[k] === poly) r.neighbors[k] = -1;
  }

  /** Squares of 4 cells: one on the left, two of half the height on the right of it. */
  function junction(middle: number): PolyMesh {
    const polys = [
      [0, 1, 2, 3],
      [3, 4, 5, 6],
      [4, 2, 7, 5],
    ];
    return {
      boundsMin: [0, 0, 0],
      boundsMax: [8, 9, 4],
      cellSize: 1,
      cellHeight: 1,
      borderCells: 0,
      maxEdgeErrorCells: 1,
      maxVerticesPerPoly: 4,
      vertexCount: 8,
      vertices: Int32Array.from(
        [
          [0, 0, 0],
          [0, 0, 4],
          [4, 0, 4],
          [4, 0, 0],
          [4, middle, 2],
          [8, 0, 2],
          [8, 0, 0],
          [8, 0, 4],
        ].flat(),
      ),
      polyCount: 3,
      polys: Int32Array.from(polys.flat()),
      neighbors: Int32Array.of(-1, -1, -1, -1, -1, 2, -1, -1, -1, -1, -1, 1),
      region: Int32Array.of(1, 2, 3),
      area: Uint8Array.of(1, 1, 1),
    };
  }
  it('finds T-junctions, and lets walls part in height', () => {
    const found = validatePolyMesh(junction(0));
    expect(new Set(found.map((one) => `${one.code} ${one.where}`))).toEqual(new Set(['t-junction polys[2]']));
    expect(validatePolyMesh(junction(2)).map((one) => one.code)).toContain('t-junction');
    expect(validatePolyMesh(junction(3))).toEqual([]);
  });

  it('finds a polygon that winds round twice', () => {
    const corners = [
      [4, 0],
      [1, -4],
      [-3, -2],
      [-3, 2],
      [1, 4],
    ].map(([x, z]) => [x! + 5, 0, z! + 5]);
    const star = (order: number[]): PolyMesh => ({
      boundsMin: [0, 0, 0],
      boundsMax: [10, 1, 10],
      cellSize: 1,
      cellHeight: 1,
      borderCells: 0,
      maxEdgeErrorCells: 1,
      maxVerticesPerPoly: 5,
      vertexCount: 5,
      vertices: Int32Array.from(corners.flat()),
      polyCount: 1,
      polys: Int32Array.from(order),
      neighbors: new Int32Array(5).fill(-1),
      region: Int32Array.of(1),
      area: Uint8Array.of(1),
    });
    expect(validatePolyMesh(star([0, 1, 2, 3, 4]))).toEqual([]);
    expect(validatePolyMesh(star([0, 2, 4, 1, 3])).map((one) => one.code)).toContain('not-convex');
  });
});

describe('validateDetailMesh', () => {
  const { polyMesh, detail } = records;
  // A polygon with an extra vertex.
  const p = [...polyMesh!.area.keys()].find((k) => detail!.vertexStart[k + 1] > detail!.vertexStart[k])!;
  const t = 4 * detail!.triStart[p];
  spoiling<DetailMesh>(detail!, (record) => validateDetailMesh(record, polyMesh!), [
    ['a count', (r) => r.polyCount--, 'size', 'polyCount'],
    ['vertex starts', (r) => (r.vertexStart[p + 1] = -1), 'column-start', `vertexStart[${p + 1}]`],
    ['triangle starts', (r) => (r.triStart[0] = 1), 'column-start', 'triStart[0]'],
    ['a lost triangle', (r) => (r.tris = r.tris.slice(4)), 'column-start', 'triStart['],
    ['NaN', (r) => (r.vertices[0] = NaN), 'vertex', 'vertices[0]'],
    ['an index too large', (r) => (r.tris[t] = 254), 'index', `tris[${t}]`],
    ['a corner twice', (r) => (r.tris[t] = r.tris[t + 1]), 'index', `tris[${t}]`],
    ['a flipped triangle', (r) => r.tris.subarray(t, t + 3).reverse(), 'detail-flipped', `tris[${t}]`],
    ['a triangle twice', (r) => r.tris.copyWithin(t + 4, t, t + 4), 'detail-flipped', `tris[${t + 4}]`],
    ['flags', (r) => (r.tris[t + 3] ^= 4), 'detail-flags', `tris[${t + 3}]`],
    ['flags of nothing', (r) => (r.tris[t + 3] |= 64), 'detail-flags', `tris[${t + 3}]`],
    ['an extra vertex far outside', (r) => (r.vertices[3 * r.vertexStart[p]] += 1e4), 'detail-area', `triStart[${p}]`],
    ['an extra vertex that is not used', (r) => dropLast(r), 'detail-unused', `vertexStart[${p}]`],
  ]);

  /** One more extra vertex for the polygon, which no triangle has. */
  function dropLast(r: DetailMesh): void {
    r.vertices = Float64Array.of(
      ...r.vertices.slice(0, 3 * r.vertexStart[p + 1]),
      1,
      1,
      1,
      ...r.vertices.slice(3 * r.vertexStart[p + 1]),
    );
    for (let k = p + 1; k <= r.polyCount; k++) r.vertexStart[k]++;
  }
});
