/** Pictures of 2D maps: their panels, what is in them, that they are XML. */
import { cutByDiagonals } from '../../../src/build/polygon/diagonal/diagonal.ts';
import { findMapScene } from 'navkiln-scenes';
import { describe, expect, it } from 'vitest';
import { polygonSvg } from '../../../src/show/svg/polygon.ts';
import { buildFromPolygons } from '../../../src/build/polygon/build.ts';
import { findPath2d } from '../../../src/query/map/path-2d.ts';

const titlesOf = (svg: string): string[] => [...svg.matchAll(/\d\. ([^<]+)<\/text>/g)].map((match) => match[1]);

function draw(name: string, mode: 'delaunay' | 'diagonal', radius = 0): string {
  const scene = findMapScene(name);
  const build = buildFromPolygons(scene.create(), { mode, radius, cutByDiagonals });
  const path = findPath2d(build.navMesh, scene.path.from, scene.path.to);
  expect(path.status).toBe('complete');
  return polygonSvg({ build, path, title: `${scene.title} <${mode}>` });
}

describe('polygonSvg', () => {
  it('has a panel per stage, in order, for both modes', () => {
    expect(titlesOf(draw('twenty-five-corners', 'diagonal'))).toEqual([
      'Outline and holes',
      'Bridges',
      'Cuts',
      'Merged pieces',
      'Portals',
      'Path',
    ]);
    expect(titlesOf(draw('twenty-five-corners', 'delaunay', 2))).toEqual([
      'Outline and holes',
      'Triangles',
      'Merged pieces',
      'Portals',
      'Path',
    ]);
  });

  it('counts what it draws', () => {
    const svg = draw('rectangle', 'diagonal');
    expect(svg).toContain('8 rings, 28 corners');
    expect(svg).toContain('7 bridges to holes');
    expect(svg).toContain('15 convex pieces');
  });

  it.each(['diagonal', 'delaunay'] as const)('is well-formed, without NaN and reproducible: %s', (mode) => {
    const svg = draw('sixteen-corners', mode);
    expect(svg).not.toMatch(/NaN|undefined|Infinity|-0 /);
    expect(svg).toContain('&lt;');
    const open: string[] = [];
    for (const [, close, tag, self] of svg.matchAll(/<(\/?)([a-z]+)[^>]*?(\/?)>/g)) {
      if (close === '/') expect(open.pop()).toBe(tag);
      else if (self !== '/') open.push(tag);
    }
    expect(open).toEqual([]);
    expect(draw('sixteen-corners', mode)).toBe(svg);
  });

  it('draws y up or down the page as the map has it, and an empty map', () => {
    const outline = [
      [0, 0],
      [10, 0],
      [10, 10],
    ];
    const build = buildFromPolygons({ polygons: [{ outline }] }, { mode: 'diagonal', cutByDiagonals });
    // The heights of the corners of the outline in the first panel.
    const heights = (svg: string): number[] =>
      [...svg.match(/<path d="M([^z"]*)z/)![1].matchAll(/ (-?[\d.]+)/g)].map((found) => Number(found[1]));
    const [up, down] = ([undefined, 'down'] as const).map((yAxis) =>
      heights(polygonSvg({ build: buildFromPolygons({ polygons: [{ outline }], yAxis }) })),
    );
    // Two corners are at y = 0, one at y = 10.
    expect(up.filter((y) => y === Math.max(...up))).toHaveLength(2);
    expect(down.filter((y) => y === Math.min(...down))).toHaveLength(2);
    expect(polygonSvg({ build, path: { points: [{ x: 1, y: 0.5 }, [9, 0.5]] } })).toContain('8.0000 long, 2 points');
    const lines = [
      {
        name: 'over <centers>',
        points: [
          [1, 1],
          [2, 5],
        ],
      },
    ];
    const drawn = polygonSvg({
      build,
      path: {
        points: [
          [1, 1],
          [9, 9],
        ],
      },
      lines,
    });
    expect(drawn).toContain('over &lt;centers&gt;</tspan>');
    expect(drawn.match(/stroke="#009e73" stroke-linejoin/g)).toHaveLength(1);
    const empty = buildFromPolygons({ polygons: [{ outline }], obstacles: [outline] });
    expect(polygonSvg({ build: empty })).toContain('no convex pieces');
  });
});
