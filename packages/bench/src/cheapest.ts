/**
 * Measures cheapest paths on random 2D maps with areas of three costs, from 100 to 100,000 polygons, end to end with points: time over
 * that of `findPath`, and by how much the other path functions cost more.
 *
 * Costs are measured along the lines of the paths, seen from above. Throws when a cheapest path costs more than another one by more than
 * its error.
 */
import { createFilter, findCheapestPath, findOptimalPath, findPath } from 'navkiln';
import { tautenPath } from 'navkiln/kernel';
import { buildFromPolygons } from 'navkiln/polygon';
import { createRandom, formatTable, measureInterleaved, ratioOf } from './harness.ts';

/** Numbers of areas, obstacles and pairs of each map. */
const MAPS: readonly (readonly [side: number, pairs: number])[] = [
  [100, 200],
  [320, 60],
  [1000, 16],
  [3200, 2],
];
const COSTS = [0.5, 3, 8];
const MAX_ERROR = 0.01;

type Point = [number, number, number];

/** Returns a random map with areas of these costs in turn. */
export function weightedMap(
  side: number,
  random: () => number,
  costs: readonly number[],
): Parameters<typeof buildFromPolygons>[0] {
  const ring = (size: number): [number, number][] => {
    const [x, y, count] = [side * random(), side * random(), 5 + Math.floor(4 * random())];
    return Array.from({ length: count }, (_, k) => {
      const angle = (2 * Math.PI * k) / count;
      const radius = size * (0.6 + 0.4 * random());
      return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    });
  };
  const parts = (side / 100) ** 2;
  return {
    polygons: [
      {
        outline: [
          [0, 0],
          [side, 0],
          [side, side],
          [0, side],
        ],
      },
    ],
    obstacles: Array.from({ length: Math.round(8 * parts) }, () => ring(5)),
    areas: Array.from({ length: Math.round(9 * parts) }, (_, i) => ({
      name: `cost ${costs[i % costs.length]}`,
      cost: costs[i % costs.length],
      outline: ring(14),
    })),
  };
}

/** Returns the table of all maps: polygons, time over that of `findPath`, and what the others cost more. */
export function benchCheapest(rounds: number, seed: number): string {
  const rows: string[][] = [['polygons', 'pairs', 'time / findPath', 'excess of findOptimalPath', 'largest bound']];
  for (const [side, wanted] of MAPS) {
    const random = createRandom(seed);
    const { navMesh, areaCosts } = buildFromPolygons(weightedMap(side, random, COSTS));
    const filter = createFilter({ areaCosts: areaCosts as Record<number, number> });
    const options = { filter, halfExtents: side };
    const place = (): Point => [side * random(), 0, -side * random()];
    const pairs = Array.from({ length: wanted }, () => [place(), place()] as const);
    let excess = 0;
    let count = 0;
    let bound = 0;
    for (const [a, b] of pairs) {
      const best = findCheapestPath(navMesh, a, b, options);
      if (best.status !== 'complete') continue;
      count++;
      bound = Math.max(bound, best.bound);
      const { cost } = findOptimalPath(navMesh, a, b, { ...options, tauten: tautenPath });
      if (best.cost > cost * (1 + MAX_ERROR)) throw new Error(`benchCheapest: ${best.cost} beside ${cost}`);
      excess += cost / best.cost - 1;
    }
    const all = (find: typeof findPath) => (): void => {
      for (const [a, b] of pairs) find(navMesh, a, b, options);
    };
    const [cheapest, path] = measureInterleaved(
      [
        { name: 'findCheapestPath', run: all(findCheapestPath) },
        { name: 'findPath', run: all(findPath) },
      ],
      { rounds, warmups: 1 },
    );
    rows.push([
      String(navMesh.polyCount),
      String(count),
      ratioOf(cheapest, path).median.toFixed(1),
      `${((100 * excess) / count).toFixed(1)} %`,
      `${(100 * bound).toFixed(1)} %`,
    ]);
    console.error(rows.at(-1)!.join('  '));
  }
  return formatTable(rows);
}
