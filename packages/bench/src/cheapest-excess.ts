/**
 * Measures by how much paths cost more than the cheapest one where areas have costs, for the path functions and for npm
 * recast-navigation on the same mesh: mean and largest excess in percent, on random 2D maps.
 *
 * Costs are measured along the points of the paths, seen from above: in short steps, each at the cost of the polygon beside its middle.
 * The cheapest path is that of `findCheapestPath` with `maxError` 0.001.
 */
import { createFilter, findCheapestPath, findMidpointPath, findNearest, findOptimalPath, findPath } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { writeDetourBin } from 'navkiln/io';
import { polyIndexOf } from 'navkiln/kernel';
import { buildFromPolygons } from 'navkiln/polygon';
import { NavMeshQuery, QueryFilter, importNavMesh, init } from 'recast-navigation';
import { weightedMap } from './cheapest.ts';
import { createRandom, formatTable } from './harness.ts';

const SIDE = 100;
const MAPS = 10;
const PAIRS = 20;
/** Length of a step, and how far beside a step the areas are read: a line along a border takes the cheaper side. */
const STEP = 0.1;
const BESIDE = 1e-4;
const COST_SETS: readonly (readonly [name: string, costs: readonly number[]])[] = [
  ['mud 3', [3]],
  ['mud 2, water 5', [2, 5]],
  ['road 0.5, mud 3, water 8', [0.5, 3, 8]],
];

type Point = readonly [number, number, number];

function costAlong(mesh: NavMesh, areaCosts: Readonly<Record<number, number>>, points: readonly Point[]): number {
  const at = (x: number, z: number): number => {
    const hit = findNearest(mesh, [x, 0, z], { halfExtents: 0.01 });
    return hit.ref === 0 ? Infinity : (areaCosts[mesh.polyArea[polyIndexOf(mesh, hit.ref)]] ?? 1);
  };
  let sum = 0;
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1], points[i]];
    const [dx, dz] = [b[0] - a[0], b[2] - a[2]];
    const length = Math.hypot(dx, dz);
    if (length === 0) continue;
    const steps = Math.ceil(length / STEP);
    const [nx, nz] = [(BESIDE * dz) / length, (-BESIDE * dx) / length];
    for (let k = 0; k < steps; k++) {
      const t = (k + 0.5) / steps;
      const [x, z] = [a[0] + t * dx, a[2] + t * dz];
      sum += (Math.min(at(x + nx, z + nz), at(x - nx, z - nz)) * length) / steps;
    }
  }
  return sum;
}

type Find = (a: Point, b: Point) => readonly Point[];

function contendersOf(navMesh: NavMesh, areaCosts: Record<number, number>): Record<string, Find> {
  const filter = createFilter({ areaCosts });
  const { navMesh: imported } = importNavMesh(writeDetourBin(navMesh).bytes);
  const query = new NavMeshQuery(imported, { maxNodes: 8192 });
  const costs = new QueryFilter();
  costs.includeFlags = 0xffff;
  costs.excludeFlags = 0;
  for (const [area, cost] of Object.entries(areaCosts)) costs.setAreaCost(Number(area), cost);
  const xyz = ([x, y, z]: Point): { x: number; y: number; z: number } => ({ x, y, z });
  return {
    'costs ignored': (a, b) => findOptimalPath(navMesh, a, b).points,
    findPath: (a, b) => findPath(navMesh, a, b, { filter }).points,
    findMidpointPath: (a, b) => findMidpointPath(navMesh, a, b, { filter }).points,
    findOptimalPath: (a, b) => findOptimalPath(navMesh, a, b, { filter }).points,
    'recast-navigation': (a, b) =>
      query.computePath(xyz(a), xyz(b), { filter: costs }).path.map(({ x, y, z }) => [x, y, z] as const),
    findCheapestPath: (a, b) => findCheapestPath(navMesh, a, b, { filter }).points,
  };
}

/** Returns the table of all functions and sets of costs. */
export async function benchCheapestExcess(seed: number): Promise<string> {
  await init();
  const cells = new Map<string, string[]>();
  for (const [, costs] of COST_SETS) {
    const excess = new Map<string, number[]>();
    const random = createRandom(seed);
    for (let m = 0; m < MAPS; m++) {
      const build = buildFromPolygons(weightedMap(SIDE, random, costs), { maxVertices: 6 });
      const { navMesh } = build;
      const areaCosts = build.areaCosts as Record<number, number>;
      const filter = createFilter({ areaCosts });
      const finds = Object.entries(contendersOf(navMesh, areaCosts));
      for (let k = 0; k < PAIRS; k++) {
        const [a, b] = [0, 1].map(() => {
          const near = findNearest(navMesh, [SIDE * random(), 0, -SIDE * random()], { halfExtents: SIDE });
          return [...near.point] as unknown as Point;
        });
        const least = findCheapestPath(navMesh, a, b, { filter, maxError: 0.001 });
        if (least.status !== 'complete' || least.cost === 0) continue;
        for (const [name, find] of finds) {
          const share = costAlong(navMesh, areaCosts, find(a, b)) / least.cost - 1;
          if (!excess.has(name)) excess.set(name, []);
          excess.get(name)!.push(Math.max(0, share));
        }
      }
    }
    for (const [name, values] of excess) {
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      if (!cells.has(name)) cells.set(name, []);
      cells.get(name)!.push(`${(100 * mean).toFixed(2)} (${(100 * Math.max(...values)).toFixed(1)})`);
    }
  }
  const rows = [...cells].map(([name, values]) => [name, ...values]);
  return formatTable([['excess, mean (largest), %', ...COST_SETS.map(([name]) => name)], ...rows]);
}
