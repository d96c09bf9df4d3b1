/**
 * Paths on meshes built from grids, compared with a flood over cells. The mesh has the area of the free
 * cells. A path exists exactly where cells are connected by their sides; it is no longer than the route from
 * cell to cell, no shorter than the straight line, and its midpoints are over free cells. The same space
 * given as obstacles with holes has the same area. NAVKILN_SEED repeats a run, NAVKILN_GRIDS sets the number
 * of grids.
 */
import { cutByDiagonals } from '../../src/build/polygon/diagonal/diagonal.ts';
import { describe, expect, it } from 'vitest';
import { polygonsFromGrid } from '../../src/formats/maps/grid-polygons.ts';
import { asOneRing } from '../../src/formats/maps/rings.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { buildFromPolygons } from '../../src/build/polygon/build.ts';
import { findPath2d } from '../../src/query/map/path-2d.ts';
import { seeded } from '../unit/meshes.ts';

const SEED = Number(process.env['NAVKILN_SEED'] ?? 20261121) >>> 0;
const GRIDS = Number(process.env['NAVKILN_GRIDS'] ?? 120);

/** Returns the number of steps from a cell to each other cell through sides; -1 when there is no route. */
function flood(cells: Uint8Array, w: number, h: number, from: number): Int32Array {
  const steps = new Int32Array(w * h).fill(-1);
  const queue = [from];
  steps[from] = 0;
  for (const at of queue) {
    const x = at % w;
    for (const [to, ok] of [
      [at - 1, x > 0],
      [at + 1, x + 1 < w],
      [at - w, at >= w],
      [at + w, at + w < w * h],
    ] as const) {
      if (!ok || cells[to] === 0 || steps[to] !== -1) continue;
      steps[to] = steps[at] + 1;
      queue.push(to);
    }
  }
  return steps;
}

function meshArea({ polyCount, polyEdgeStart, polyVertexCount, edgeVertex, vertices }: NavMesh): number {
  let area = 0;
  for (let p = 0; p < polyCount; p++) {
    const first = polyEdgeStart[p],
      count = polyVertexCount[p];
    for (let k = 0; k < count; k++) {
      const a = 3 * edgeVertex[first + k],
        b = 3 * edgeVertex[first + ((k + 1) % count)];
      area += (vertices[a + 2] * vertices[b] - vertices[a] * vertices[b + 2]) / 2;
    }
  }
  return area;
}

describe(`grids, seed ${SEED}`, () => {
  it('finds paths exactly where cells are connected, of plausible length', () => {
    const random = seeded(SEED);
    let found = 0,
      none = 0;
    for (let run = 0; run < GRIDS; run++) {
      const w = 2 + Math.floor(random() * 20),
        h = 2 + Math.floor(random() * 20),
        share = 0.45 + 0.5 * random();
      const cells = Uint8Array.from({ length: w * h }, () => (random() < share ? 1 : 0));
      const free = [...cells.keys()].filter((i) => cells[i] === 1);
      if (free.length < 2) continue;
      const where = `seed ${SEED}, run ${run}`;
      const map = polygonsFromGrid(cells, w, h);
      const { navMesh, report } = buildFromPolygons(map, {
        mode: run % 3 === 0 ? 'diagonal' : 'delaunay',
        cutByDiagonals,
      });
      expect(validateNavMesh(navMesh), where).toEqual([]);
      expect(report.warnings, where).toEqual([]);
      expect(meshArea(navMesh), where).toBe(free.length);
      // All cells that are not free, as obstacles.
      const walls = polygonsFromGrid(
        cells.map((cell) => 1 - cell),
        w,
        h,
      ).polygons.map(asOneRing);
      const board = buildFromPolygons({
        polygons: [
          {
            outline: [
              [0, 0],
              [w, 0],
              [w, h],
              [0, h],
            ],
          },
        ],
        obstacles: walls,
      });
      expect(meshArea(board.navMesh), where).toBe(free.length);
      for (let query = 0; query < 12; query++) {
        const a = free[Math.floor(random() * free.length)],
          b = free[Math.floor(random() * free.length)];
        const start = [(a % w) + 0.5, Math.floor(a / w) + 0.5],
          end = [(b % w) + 0.5, Math.floor(b / w) + 0.5];
        const steps = flood(cells, w, h, a)[b];
        const path = findPath2d(navMesh, start, end),
          other = findPath2d(board.navMesh, start, end);
        expect([path.status, other.status], where).toEqual(
          steps < 0 ? ['partial', 'partial'] : ['complete', 'complete'],
        );
        if (steps < 0) {
          none++;
          // To the point nearest to the end; there may be several.
          const [left, right] = [path, other].map(({ points }) =>
            Math.hypot(points.at(-1)![0] - end[0], points.at(-1)![1] - end[1]),
          );
          expect(Math.abs(left! - right!), where).toBeLessThan(1e-9);
          continue;
        }
        expect(Math.abs(path.length - other.length), where).toBeLessThan(1e-9 * (1 + path.length));
        found++;
        expect(path.length, where).toBeLessThanOrEqual(steps + 1e-9);
        expect(path.length, where).toBeGreaterThanOrEqual(Math.hypot(start[0] - end[0], start[1] - end[1]) - 1e-9);
        for (let i = 1; i < path.points.length; i++) {
          const [px, py] = path.points[i - 1],
            [qx, qy] = path.points[i];
          for (let k = 1; k < 8; k++) {
            const x = px + (k / 8) * (qx - px),
              y = py + (k / 8) * (qy - py);
            // On a line between cells, any of them may be free.
            const isFree = [-1e-9, 1e-9].some((dx) =>
              [-1e-9, 1e-9].some((dy) => cells[Math.floor(y + dy) * w + Math.floor(x + dx)] === 1),
            );
            expect(isFree, `${where}: (${x}, ${y})`).toBe(true);
          }
        }
      }
    }
    expect(Math.min(found, none)).toBeGreaterThan(GRIDS / 4);
  });
});
