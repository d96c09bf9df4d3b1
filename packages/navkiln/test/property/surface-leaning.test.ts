/**
 * Closed boxes whose walls lean slightly, on and in a floor: no path leads from inside of them to the outside. NAVKILN_LEANING sets the
 * number of boxes (default 60), NAVKILN_SEED the seed.
 */
import { expect, it } from 'vitest';
import { findLevelScene } from 'navkiln-scenes';
import { buildFromSurface } from '../../src/build/surface/build.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { verifyNavMesh } from '../../src/show/verify/verify.ts';
import { seeded } from '../unit/meshes.ts';

const BOXES = Number(process.env['NAVKILN_LEANING'] ?? 30);
const SEED = Number(process.env['NAVKILN_SEED'] ?? 1);

type Point = [number, number, number];

it(`${BOXES} boxes with leaning walls, seed ${SEED}`, { timeout: 20_000 + 500 * BOXES }, () => {
  const random = seeded(SEED);
  const open: string[] = [];
  for (let i = 0; i < BOXES; i++) {
    const turn = 2 * Math.PI * random();
    const [width, depth, height] = [2 + 4 * random(), 2 + 4 * random(), 2.5 + 6 * random()];
    const bottom = random() < 0.5 ? 0 : -random();
    // How far the walls lean: the top is smaller or larger than the bottom by this share of the height.
    const lean = 0.04 * (2 * random() - 1) * (i % 3 === 0 ? 0.1 : 1);
    const corner = (k: number, y: number): Point => {
      const grow = lean * (y - bottom);
      const [x, z] = [(k === 0 || k === 3 ? -1 : 1) * (width / 2 + grow), (k < 2 ? -1 : 1) * (depth / 2 + grow)];
      return [10 + x * Math.cos(turn) - z * Math.sin(turn), y, 10 + x * Math.sin(turn) + z * Math.cos(turn)];
    };
    const positions: number[] = [];
    const addQuad = (a: Point, b: Point, c: Point, d: Point): void => {
      positions.push(...(random() < 0.5 ? [a, b, c, a, c, d] : [b, c, d, b, d, a]).flat());
    };
    addQuad([0, 0, 0], [0, 0, 20], [20, 0, 20], [20, 0, 0]);
    const [low, high] = [0, 1, 2, 3]
      .map((k) => [corner(k, bottom), corner(k, bottom + height)])
      .reduce<Point[][]>(
        (sum, [a, b]) => [
          [...sum[0]!, a!],
          [...sum[1]!, b!],
        ],
        [[], []],
      ) as [Point[], Point[]];
    addQuad(high[0]!, high[3]!, high[2]!, high[1]!);
    for (let k = 0; k < 4; k++) addQuad(low[k]!, high[k]!, high[(k + 1) % 4]!, low[(k + 1) % 4]!);
    const { navMesh } = buildFromSurface({ positions }, { agent: { radius: 0 } });
    const path = findPath(navMesh, [10, 0, 10], [1, 0, 1], { halfExtents: [0.1, 0.3, 0.1] });
    if (path.status === 'complete') open.push(`box ${i}: lean ${lean}, bottom ${bottom}`);
  }
  expect(open, `${open.length} of ${BOXES} are open, seed ${SEED}`).toEqual([]);
});

// At their lowest line, walls that lean to the side are narrower than the part of them that is in the way.
it('boxes turned in space are closed where they are wider than at their foot: scene soup', () => {
  const level = findLevelScene('soup').create();
  const { navMesh } = buildFromSurface(level, { agent: { radius: 0.4 } });
  const { invented, falseDoors, overreach } = verifyNavMesh(level, navMesh, { seed: 1 });
  expect({ invented, falseDoors }).toEqual({ invented: 0, falseDoors: 0 });
  expect(overreach).toBeLessThan(0.001);
});
