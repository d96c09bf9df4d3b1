/** Views of stages compared with their records and the report. */
import { cutByDiagonals } from '../../../src/build/polygon/diagonal/diagonal.ts';
import { monotonePartition } from 'navkiln/build';
import { describe, expect, it } from 'vitest';
import { findLevelScene, findMapScene } from '../../../../scenes/src/index.ts';
import { explainMapPosition } from '../../../src/show/explain/map.ts';
import type { DebugGeometry } from '../../../src/show/draw/geometry.ts';
import { listMapStages, viewMapStage } from '../../../src/show/stage/map.ts';
import { recordStages } from '../../../src/show/stage/records.ts';
import { listStages, viewStage } from '../../../src/show/stage/views.ts';
import { voxelBoxes, voxelFloors } from '../../../src/show/stage/voxels.ts';
import { createRandom, nextRandom } from '../../../src/base/data/random.ts';
import { buildFromPolygons } from '../../../src/build/polygon/build.ts';
import { mapToMesh } from '../../../src/mesh/map-plane.ts';
import { findNearest } from '../../../src/query/nearest/nearest.ts';
import { buildNavMesh, prepareTiles } from '../../../src/build/voxel/build.ts';
import { spanBottom, spanTop } from '../../../src/build/voxel/types.ts';

const scene = findLevelScene('dungeon');
const level = scene.create();
const records = recordStages(prepareTiles(level, scene.options));
const {
  navMesh,
  report: { counts },
} = buildNavMesh(level, scene.options);

function checkList({ kind, positions, colors, indices, polys }: DebugGeometry): void {
  expect(positions.every((value) => Number.isFinite(value))).toBe(true);
  expect(colors.length).toBe((positions.length / 3) * 4);
  const count = indices?.length ?? positions.length / 3;
  expect(count % (kind === 'triangles' ? 3 : 2)).toBe(0);
  expect((indices ?? new Uint32Array(0)).every((index) => index < positions.length / 3)).toBe(true);
  if (polys !== undefined) expect(polys.length).toBe(count / (kind === 'triangles' ? 3 : 2));
}

const lineCount = (list: DebugGeometry): number => list.positions.length / 6;
const triangleCount = (list: DebugGeometry): number => (list.indices?.length ?? list.positions.length / 3) / 3;

describe('viewStage', () => {
  it('draws each stage with the counts of the report', () => {
    const views = listStages().map(({ id }) => viewStage(records, id, { navMesh }));
    for (const view of views) view.lists.forEach(checkList);
    const of = (id: string): Readonly<Record<string, number>> => views.find((view) => view.id === id)!.counts;
    expect(of('triangles')).toEqual({ triangles: counts.triangles, walkable: counts.walkableTriangles });
    expect(of('solid')).toEqual({ columns: counts.columns, spans: counts.spans });
    expect(of('walkable')['walkable']).toBe(counts.walkableSpans);
    expect(of('compact')['spans']).toBe(counts.walkableSpans);
    expect(of('regions')['regions']).toBe(counts.regions);
    expect(of('contours')['contours']).toBe(counts.contours);
    expect(of('polygons')).toEqual({ polygons: counts.polygons, vertices: counts.vertices });
    expect(of('detail')['triangles']).toBe(counts.detailTriangles);
    expect(of('tree')).toEqual({ leaves: counts.polygons, nodes: navMesh.nodeCount });
    const list = (id: string, i: number): DebugGeometry => views.find((view) => view.id === id)!.lists[i];
    expect(triangleCount(list('triangles', 0))).toBe(counts.triangles);
    expect(triangleCount(list('detail', 0))).toBe(counts.detailTriangles);
    expect(triangleCount(list('polygons', 0))).toBe(counts.detailTriangles > 0 ? sumOfFans() : 0);
    expect(lineCount(list('contours', 0))).toBe(records.contours.start[records.contours.count]);
    expect(lineCount(list('raw-contours', 0))).toBe(records.contours.rawStart[records.contours.count]);
    expect(views.filter(({ ms }) => ms >= 0).length).toBe(10);
    for (const { title, text } of views) expect(`${title}: ${text}`).toMatch(/^[A-Z][^:]+: [A-Z].{20,}\.$/);
  });

  function sumOfFans(): number {
    let sum = 0;
    for (let poly = 0; poly < navMesh.polyCount; poly++) sum += navMesh.polyVertexCount[poly] - 2;
    return sum;
  }

  it('reports what is not shown', () => {
    const view = viewStage(records, 'walkable', { limit: 50, center: [10, 0, 10] });
    expect(view.note).toMatch(/^Showing the nearest [\d,]+ of [\d,]+ voxels\.$/);
    expect(triangleCount(view.lists[0])).toBe(500);
    expect(viewStage(records, 'portals').note).toBe('There is no mesh yet.');
    const monotone = recordStages(prepareTiles(level, { ...scene.options, partition: monotonePartition }));
    expect(viewStage(monotone, 'distance').note).toMatch(/monotone/);
    expect(() => viewStage(records, 'distanec')).toThrow(
      /viewStage: id is "distanec"; must be one of 'triangles', 'solid'/,
    );
  });
});

describe('merged voxels', () => {
  it('cover each span once, with its height and color', () => {
    const { solid } = records;
    const { list, shownCount, totalCount } = voxelBoxes(solid, (area) => (area << 8) | 255, { limit: Infinity });
    expect([shownCount, totalCount]).toEqual([solid.spanCount, solid.spanCount]);
    const { positions, colors } = list;
    const found = new Map<string, number>();
    const cell = (value: number, axis: 0 | 1 | 2): number =>
      Math.round((value - solid.boundsMin[axis]) / (axis === 1 ? solid.cellHeight : solid.cellSize));
    // The first face of five is the top, its corners x0 z0, x0 z1, x1 z1, x1 z0; the second has a bottom corner first.
    for (let v = 0; v < positions.length / 3; v += 20) {
      const at = (corner: number, axis: 0 | 1 | 2): number => cell(positions[3 * (v + corner) + axis], axis);
      const [x0, z0, x1, z1] = [at(0, 0), at(0, 2), at(2, 0), at(2, 2)];
      const top = cell(positions[3 * v + 1], 1);
      const bottom = cell(positions[3 * (v + 4) + 1], 1);
      for (let z = z0; z < z1; z++) {
        for (let x = x0; x < x1; x++) {
          const key = `${x + z * solid.width},${bottom},${top},${colors[4 * v + 2]}`;
          found.set(key, (found.get(key) ?? 0) + 1);
        }
      }
    }
    const expected = new Map<string, number>();
    for (let c = 0; c < solid.width * solid.depth; c++) {
      for (let i = solid.columnStart[c]; i < solid.columnStart[c + 1]; i++) {
        const word = solid.spans[i];
        expected.set(`${c},${spanBottom(word)},${spanTop(word)},${word >>> 26}`, 1);
      }
    }
    expect(found.size).toBe(expected.size);
    expect([...found].filter(([key, count]) => expected.get(key) !== count)).toEqual([]);
    expect(positions.length / 60).toBeLessThan(solid.spanCount / 3);
  });

  it('draw spans near the center first', () => {
    const { field } = records;
    const center = [field.boundsMin[0] + 10, 0, field.boundsMin[2] + 12];
    const some = voxelFloors(field, (i) => i * 256 + 255, { limit: 100, center });
    expect(some.shownCount).toBe(100);
    const { positions } = some.list;
    for (let i = 0; i < positions.length; i += 3) {
      expect(Math.hypot(positions[i] - center[0], positions[i + 2] - center[2])).toBeLessThan(12 * field.cellSize);
    }
  });
});

describe('2D maps', () => {
  const map = findMapScene('sixteen-corners');
  const { radius } = map;
  const polygons = map.create();

  it.each(['delaunay', 'diagonal'] as const)('%s: draws each stage with the counts of the report', (mode) => {
    const build = buildFromPolygons(polygons, { mode, cutByDiagonals, agent: { radius } });
    const views = listMapStages(mode).map(({ id }) => viewMapStage(build, id));
    for (const view of views) view.lists.forEach(checkList);
    const { report, stages } = build;
    const of = (id: string): Readonly<Record<string, number>> => views.find((view) => view.id === id)!.counts;
    expect(of('merges')['polygons']).toBe(report.counts.polygons);
    expect(of('radius')['rings']).toBe(report.counts.cleanRings);
    let inner = 0;
    for (let i = 0; i < stages.pieces.start[stages.pieces.pieceCount]; i++) if (stages.pieces.neighbor[i] >= 0) inner++;
    expect(of('portals')['portals']).toBe(inner / 2);
    if (mode === 'diagonal') expect(of('bridges')['bridges']).toBe(stages.diagonal!.bridgeCount);
    else expect(of('triangles')['triangles']).toBe(report.counts.triangles);
    expect(() => viewMapStage(build, mode === 'diagonal' ? 'triangles' : 'cuts')).toThrow(/viewMapStage/);
  });

  it('explains each position that is not on the mesh', () => {
    const square = (x: number, y: number, size: number): [number, number][] => [
      [x, y],
      [x + size, y],
      [x + size, y + size],
      [x, y + size],
    ];
    const own = {
      polygons: [{ outline: square(0, 0, 40), holes: [square(10, 10, 8)] }],
      obstacles: [square(25, 25, 5), square(38, 5, 9)],
    };
    const build = buildFromPolygons(own, { agent: { radius: 1 } });
    const at = (x: number, y: number): string => explainMapPosition(own, build, [x, y]).code;
    expect([at(5, 5), at(14, 14), at(27, 27), at(45, 45), at(9.5, 14), at(46, 6)]).toEqual([
      'walkable',
      'hole',
      'obstacle',
      'outside',
      'near-border',
      'obstacle',
    ]);
    expect(explainMapPosition(own, build, [9.25, 14])).toMatchObject({
      numbers: { distance: 0.75, radius: 1 },
      stage: 'offset',
    });
    const seed = 5;
    const random = createRandom(seed);
    for (let round = 0; round < 500; round++) {
      const [x, y] = [60 * nextRandom(random) - 10, 60 * nextRandom(random) - 10];
      const { code } = explainMapPosition(own, build, [x, y]);
      const { isOver, found } = findNearest(build.navMesh, mapToMesh(build.navMesh, [x, y]), {
        halfExtents: [1e-9, 1, 1e-9],
      });
      expect(code === 'walkable', `seed ${seed}, round ${round}: ${x}, ${y} ${code}`).toBe(found && isOver);
    }
  });
});
