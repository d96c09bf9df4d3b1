/**
 * Cheapest paths on random 2D maps with areas of two to four costs, compared with a brute-force graph.
 *
 * Some have polygons closed by flags or for a size, one-way links, and doors that are closed. `npm test` asks a few queries. `npm run soak -- cheapest` raises NAVKILN_CHEAPEST. The seed is printed.
 */
import { describe, expect, it } from 'vitest';
import { addLink, listLinks, setLinkEnabled } from '../../src/mesh/change/links.ts';
import { polyIndexOf } from '../../src/mesh/ref.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { createFilter } from '../../src/query/create-filter.ts';
import { findCheapestPath } from '../../src/query/cheapest/cheapest.ts';
import { enableWideLinks } from '../../src/query/path/wide-links.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { findOptimalPath } from '../../src/query/optimal/optimal.ts';
import { seeded } from '../unit/meshes.ts';
import { createCheapestOracle } from '../unit/query/cheapest-oracle.ts';
import { COST_SETS, buildWeighted, costAlong, weightedMap } from '../unit/query/weighted-maps.ts';

const QUERIES = Number(process.env.NAVKILN_CHEAPEST ?? 18);
const SEED = Number(process.env.NAVKILN_SEED ?? 11);
const SECONDS = Number(process.env.NAVKILN_SECONDS ?? Infinity);
/** The reference has points every 1/400 of the map in the soak, and fewer here, so it may be too expensive by this share. */
const IS_SOAK = process.env.NAVKILN_CHEAPEST !== undefined;
const SPACING = IS_SOAK ? 0.25 : 0.5;
const SLACK = IS_SOAK ? 5e-4 : 1e-3;
const ENDS = 6;

enableWideLinks();

/** Closes some polygons by flags or sizes, and some doors. Returns the part of a filter that selects the rest. */
function limitAccess(mesh: NavMesh, random: () => number): { excludeFlags?: number; size?: number } {
  for (const door of listLinks(mesh)) if (random() < 0.2) setLinkEnabled(mesh, door, false);
  const isByFlags = random() < 0.4;
  const isBySize = !isByFlags && random() < 0.4;
  if (isBySize) {
    const { agent } = mesh;
    mesh.sizes = ['small', 'large'].map((name) => ({ ...agent, name, rules: [] }));
    mesh.linkSizes.fill(3);
  }
  for (let poly = 0; poly < mesh.polyCount; poly++) {
    const isClosed = random() < 0.1;
    if (isByFlags) mesh.polyFlags[poly] = isClosed ? 3 : 1;
    if (isBySize) mesh.polySizes[poly] = isClosed ? 1 : 3;
  }
  return isByFlags ? { excludeFlags: 2 } : isBySize ? { size: 1 } : {};
}

describe(`cheapest paths, seed ${SEED}`, () => {
  it('costs at most 1 % more than the reference in every query', { timeout: 3_600_000 }, () => {
    const begun = Date.now();
    let sum = 0;
    let count = 0;
    const failures: string[] = [];
    let worst = 0;
    for (let m = 0; count < QUERIES && Date.now() - begun < 1000 * SECONDS; m++) {
      const random = seeded(SEED * 100_003 + m);
      const costs = COST_SETS[m % COST_SETS.length];
      const isTiled = random() < 0.3;
      const { map } = weightedMap(random, costs, 5 + Math.floor(8 * random()), Math.floor(10 * random()));
      const { navMesh: mesh, areaCosts } = buildWeighted(map, isTiled ? { tileSize: 25 + 20 * random() } : {});
      const place = (): number[] => [100 * random(), 0, -100 * random()];
      if (random() < 0.4) {
        for (let k = 0; k < 4; k++) {
          const width = random() < 0.5 ? 0 : 6 * random();
          const [from, to] = [place(), place()];
          const end = (p: number[]): [number[], number[]] => [p, [p[0] + width, 0, p[2]]];
          addLink(mesh, {
            start: width === 0 ? from : end(from),
            end: width === 0 ? to : end(to),
            radius: 5,
            bothWays: random() < 0.5,
            cost: random() < 0.5 ? 40 * random() : undefined,
          } as never);
        }
      }
      const filter = createFilter({ areaCosts, ...limitAccess(mesh, seeded(SEED * 100_003 + m + 0x40000000)) });
      const oracle = createCheapestOracle(mesh, filter, SPACING);
      const at = (): ReturnType<typeof findNearest> =>
        findNearest(mesh, place() as never, { halfExtents: 200, filter });
      const planOf = ({ ref, point }: ReturnType<typeof at>): { poly: number; point: [number, number] } => ({
        poly: polyIndexOf(mesh, ref),
        point: [point[0], point[2]],
      });
      const from = at();
      const ends = Array.from({ length: ENDS }, at);
      const start = planOf(from);
      const least = oracle.costs(start.poly, start.point, ends.map(planOf));
      const measureFinely = (end: ReturnType<typeof at>): number =>
        createCheapestOracle(mesh, filter, SPACING / 4).costs(start.poly, start.point, [planOf(end)])[0];
      ends.forEach(({ point }, i) => {
        const path = findCheapestPath(mesh, from.point, point, { filter });
        const what = `map ${m}, end ${i}: `;
        if ((path.status === 'complete') !== least[i] < Infinity) failures.push(`${what}${path.status}`);
        if (path.status !== 'complete') return;
        if (least[i] === 0) return;
        // A reference that is too expensive is measured again, with more points.
        if (!(path.cost / least[i] - 1 > -SLACK)) least[i] = Math.min(least[i], measureFinely(ends[i]));
        const excess = path.cost / least[i] - 1;
        if (!(excess <= 0.01) || !(excess > -SLACK)) failures.push(`${what}excess ${excess}, bound ${path.bound}`);
        if (path.bound < 0.01) failures.push(`${what}bound ${path.bound}`);
        const along = costAlong(mesh, filter, path);
        if (Math.abs(along - path.cost) > 1e-6 * path.cost) failures.push(`${what}cost ${path.cost}, along ${along}`);
        sum += Math.max(0, excess);
        worst = Math.max(worst, excess);
        count++;
      });
    }
    console.log(
      `cheapest: ${count} queries, mean excess ${((100 * sum) / count).toFixed(4)} %, worst ${(100 * worst).toFixed(3)} %`,
    );
    expect(failures.slice(0, 20)).toEqual([]);
    expect(sum / count).toBeLessThan(0.001);
  });

  it('is the optimal path where all areas have one cost', () => {
    for (let m = 0; m < 4; m++) {
      const random = seeded(SEED + 77 * m);
      const { navMesh: mesh } = buildWeighted(weightedMap(random, [3], 6, 6).map);
      const filter = createFilter({ areaCosts: Object.fromEntries(Array.from({ length: 64 }, (_, k) => [k, 2.5])) });
      for (let k = 0; k < 10; k++) {
        const [a, b] = [0, 1].map(() => [100 * random(), 0, -100 * random()] as [number, number, number]);
        const options = { filter, halfExtents: 200 };
        expect(findCheapestPath(mesh, a, b, options)).toEqual({ ...findOptimalPath(mesh, a, b, options), bound: 0 });
      }
    }
  });
});
