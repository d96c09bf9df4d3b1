import { describe, expect, it } from 'vitest';
import { findLevelScene, levelScenes } from 'navkiln-scenes';
import { sceneSvg } from '../../../src/show/svg/svg.ts';
import { createNavMesh } from '../../../src/mesh/create.ts';
import { addTile } from '../../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../../src/mesh/types.ts';
import { AGENT, tileOf } from '../meshes.ts';

/** Two squares side by side on the ground, the second of area 5. */
function twoSquares(): NavMesh {
  const mesh = createNavMesh({ agent: AGENT, cellSize: 0.2, cellHeight: 0.1 });
  const vertices = [
    [0, 0, 0],
    [0, 0, 4],
    [4, 0, 4],
    [4, 0, 0],
    [8, 0, 4],
    [8, 0, 0],
  ];
  addTile(mesh, tileOf(vertices, [{ corners: [0, 1, 2, 3] }, { corners: [3, 2, 4, 5], area: 5 }]));
  return mesh;
}

/** A wall from y = 0 to 6 along z = 2 in front of nothing, facing +z, and the floor. */
const walled = {
  positions: [0, 0, 0, 0, 0, 4, 8, 0, 4, 8, 0, 0, 0, 0, 2, 8, 0, 2, 8, 6, 2, 0, 6, 2],
  indices: [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7],
};

/** Tags balance, attributes are quoted, and no number is NaN or infinite. Enough XML for what we write. */
function expectWellFormed(svg: string): void {
  const open: string[] = [];
  for (const match of svg.matchAll(/<(\/?)([a-z]+)((?:\s+[a-zA-Z:-]+="[^"<]*")*)\s*(\/?)>/g)) {
    if (match[1] === '/') expect(open.pop()).toBe(match[2]);
    else if (match[4] !== '/') open.push(match[2]);
  }
  expect(open).toEqual([]);
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  expect(svg.replace(/<style>.*<\/style>|<[^<>]*>/g, '')).not.toMatch(/[<>]/);
}

/** Sum of the signed areas of a path's loops, page units. */
function pathArea(d: string): number {
  let twice = 0;
  for (const loop of d.split('M').slice(1)) {
    const numbers = loop.match(/-?\d+/g)!.map(Number);
    let [x, y] = [numbers[0], numbers[1]];
    const [x0, y0] = [x, y];
    for (let i = 2; i < numbers.length; i += 2) {
      const [nx, ny] = [x + numbers[i], y + numbers[i + 1]];
      twice += x * ny - nx * y;
      [x, y] = [nx, ny];
    }
    twice += x * y0 - x0 * y;
  }
  return twice / 2;
}

function areaPaths(svg: string): number[] {
  return [...svg.matchAll(/<path class="area" fill="[^"]+" d="([^"]*)"/g)].map((match) => pathArea(match[1]));
}

/** Page units a metre, as the scale bar tells. */
function unitOf(svg: string): number {
  const bar = /M0-6v6h([\d.]+)v-6/.exec(svg)!;
  return (Number(bar[1]) * 10) / Number(/text-anchor="middle"[^>]*>([\d.]+) m</.exec(svg)![1]);
}

/** How much of the first square's 4 m x 4 m is painted. Depth shows at 0.8. */
function shareOfFirstSquare(svg: string): number {
  return areaPaths(svg)[0] / (16 * 0.8 * unitOf(svg) ** 2);
}

describe('sceneSvg', () => {
  it('draws empty input', () => {
    expectWellFormed(sceneSvg({}));
  });

  it('shows title and counts, escaped', () => {
    const svg = sceneSvg({ navMesh: twoSquares(), title: 'a < b & "c"' });
    expectWellFormed(svg);
    expect(svg).toContain('a &lt; b &amp; &quot;c&quot;');
    expect(svg).toContain('2 polygons');
    expect(svg).toContain('walkable ground');
    expect(svg).toContain('area 5');
  });

  it('fills each area with its true size on the page', () => {
    const svg = sceneSvg({ navMesh: twoSquares() });
    const [first, second] = areaPaths(svg);
    expect(Math.abs(first! - second!)).toBeLessThan(0.01 * first!);
    expect(shareOfFirstSquare(svg)).toBeCloseTo(1, 2);
  });

  it('draws walls and shared edges once each', () => {
    const svg = sceneSvg({ navMesh: twoSquares() });
    const lines = (name: string): number =>
      (new RegExp(`class="${name}" d="([^"]*)"`).exec(svg)![1].match(/M/g) ?? []).length;
    expect(lines('wall')).toBe(6);
    expect(lines('inner')).toBe(1);
    expect(lines('tile')).toBe(0);
  });

  it('leaves out hidden parts and dashes the hidden path', () => {
    const floorOnly = { ...walled, indices: walled.indices.slice(0, 6) };
    expect(shareOfFirstSquare(sceneSvg({ navMesh: twoSquares(), level: floorOnly }))).toBeCloseTo(1, 2);
    const behind = sceneSvg({
      navMesh: twoSquares(),
      level: walled,
      path: {
        points: [
          [1, 0, 1],
          [7, 0, 1],
        ],
      },
    });
    expect(shareOfFirstSquare(behind)).toBeGreaterThan(0.4);
    expect(shareOfFirstSquare(behind)).toBeLessThan(0.8);
    expectWellFormed(behind);
    expect(/<path d="M[^"]*" stroke="#d55e00" stroke-width="26" stroke-dasharray/.test(behind)).toBe(true);
    const inFront = sceneSvg({
      navMesh: twoSquares(),
      level: walled,
      path: {
        points: [
          [1, 0, 3],
          [7, 0, 3],
        ],
      },
    });
    expect(/<path d="" stroke="#d55e00" stroke-width="26" stroke-dasharray/.test(inFront)).toBe(true);
  });

  it('shows the length and status of a path, also with one point or none', () => {
    const path = {
      points: [
        [0, 0, 0],
        [3, 0, 4],
      ],
      status: 'partial',
    };
    expect(sceneSvg({ path })).toContain('path of 5.0 m, 2 points (partial)');
    expectWellFormed(sceneSvg({ path: { points: [[1, 2, 3]] } }));
    expectWellFormed(sceneSvg({ path: { points: [] } }));
  });

  it('cuts storeys away', () => {
    const level = findLevelScene('house').create();
    const whole = sceneSvg({ level });
    const cut = sceneSvg({ level, cutAbove: 2.5 });
    expectWellFormed(cut);
    expect(cut).not.toBe(whole);
  });

  it('leaves out triangles with non-finite corners', () => {
    const plain = sceneSvg({ level: walled, title: 'x' });
    const positions = [...walled.positions, NaN, 0, 0, Infinity, 0, 0, 0, -Infinity, 1];
    const broken = sceneSvg({
      level: { positions, indices: [...walled.indices, 8, 9, 10, 0, 1, 8, 0, 1, 99] },
      title: 'x',
    });
    expectWellFormed(broken);
    expect(broken.replaceAll('7 triangles', '4 triangles')).toBe(plain);
  });

  it('refuses an invalid size', () => {
    expect(() => sceneSvg({ maxLevelBytes: 0 })).toThrow(/^sceneSvg: input\.maxLevelBytes is 0/);
  });

  it('is the same text for the same level', () => {
    const level = findLevelScene('islands').create();
    expect(sceneSvg({ level })).toBe(sceneSvg({ level }));
  });

  // `npm run soak` sets NAVKILN_FULL: all levels.
  const drawn = levelScenes.filter((_, i) => process.env.NAVKILN_FULL !== undefined || i % 2 === 0);
  it.each(drawn.map((scene) => [scene.name, scene] as const))('keeps %s within bounds', (_name, scene) => {
    const svg = sceneSvg({ level: scene.create(), title: scene.title });
    expectWellFormed(svg);
    expect(svg.length).toBeLessThan(700_000);
    expect(svg.match(/<path color=/g)!.length).toBeGreaterThan(0);
  });

  // A million triangles in `npm run soak`.
  it.each(process.env.NAVKILN_FULL === undefined ? [1] : [8])('keeps a terrain of scale %i within bounds', (scale) => {
    const level = findLevelScene('terrain').create(5, scale);
    const svg = sceneSvg({ level });
    expect(level.indices!.length / 3).toBeGreaterThan(16_000 * scale * scale);
    expect(svg).toContain(`${(level.indices!.length / 3).toLocaleString('en-US')} triangles`);
    expect(svg.length).toBeLessThan(700_000);
  });
});
