/** `parseSvg` reads marks, styles, curves and references, reports what it leaves out, and refuses bad files. */
import { describe, expect, it } from 'vitest';
import type { ParsedMap, ParsedRing } from '../../../src/formats/maps/map.ts';
import { parseSvg } from '../../../src/formats/maps/svg/svg.ts';
import { buildFromPolygons } from '../../../src/build/polygon/build.ts';
import { findPath2d } from '../../../src/query/map/path-2d.ts';
import { seeded } from '../meshes.ts';

const INKSCAPE = 'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"';
const svg = (content: string, more = 'viewBox="0 0 100 60"'): string =>
  `<?xml version="1.0"?>\n<!-- a plan -->\n<svg xmlns="http://www.w3.org/2000/svg" ${INKSCAPE} ${more}>${content}</svg>`;
const floor = '<rect id="floor" width="100" height="60"/>';
const codes = ({ warnings }: ParsedMap): string[] => warnings.map(({ code }) => code);
const messageOf = ({ warnings }: ParsedMap, code: string): string =>
  warnings.find((one) => one.code === code)?.message ?? '';

/** Returns the area of a ring, by its corners. */
function areaOf(ring: ParsedRing): number {
  return Math.abs(
    ring.reduce((sum, [x, y], k) => {
      const [u, v] = ring[(k + 1) % ring.length]!;
      return sum + x * v - u * y;
    }, 0) / 2,
  );
}

describe('marks', () => {
  const plan = svg(`
    <g inkscape:groupmode="layer" inkscape:label="Rooms"><rect width="100" height="60"/></g>
    <g inkscape:groupmode="layer" inkscape:label="Walls"><path d="M50 0V25M50 35V60" stroke="#000" stroke-width="2" fill="none"/></g>
    <g id="furniture"><circle cx="20" cy="30" r="5"/><circle cx="80" cy="30" r="5"/></g>
    <g class="doors"><rect x="49" y="25" width="2" height="10"/></g>`);

  it('walls are as wide as their stroke, and leave gaps open where it ends', () => {
    const map = parseSvg(plan);
    expect(map.polygons).toHaveLength(1);
    expect(map.obstacles.map(areaOf)).toEqual([50, 50]);
    const { navMesh } = buildFromPolygons(map, { radius: 4.9 });
    expect(findPath2d(navMesh, [10, 30], [90, 30])).toMatchObject({ status: 'complete', length: 80 });
    expect(findPath2d(buildFromPolygons(map, { radius: 5.1 }).navMesh, [10, 30], [90, 30]).status).toBe('partial');
  });

  it('what is no floor and no wall is reported with counts and names, and the options change it', () => {
    const map = parseSvg(plan);
    expect(codes(map).sort()).toEqual(['not-selected', 'objects-not-walls']);
    expect(messageOf(map, 'not-selected')).toContain('2 shapes');
    expect(messageOf(map, 'not-selected')).toContain(
      'layer "furniture" (2); walls: ["furniture"] (--map-walls furniture)',
    );
    expect(messageOf(map, 'objects-not-walls')).toContain('layer "doors" (1)');
    const blocked = parseSvg(plan, { walls: ['furniture', 'doors'] });
    expect(blocked.obstacles).toHaveLength(5);
    expect(codes(blocked)).toEqual([]);
    expect(findPath2d(buildFromPolygons(blocked).navMesh, [10, 10], [90, 10]).status).toBe('partial');
    expect(parseSvg(plan, { ignore: ['furniture', 'doors', 'Walls'] })).toMatchObject({ obstacles: [], warnings: [] });
    expect(parseSvg(plan, { walkable: ['doors'] }).polygons).toHaveLength(2);
    expect(() => parseSvg(plan, { walls: ['Door'] })).toThrow(
      /parseSvg: SVG: has nothing with the name "Door", which the option walls lists; its names are "Rooms", "Walls"/,
    );
  });

  it('without a mark, closed shapes are floor, which is reported; a single outline needs no mark', () => {
    const two = parseSvg(svg('<rect width="9" height="9"/><circle cx="20" cy="4" r="4"/>'));
    expect(two.polygons).toHaveLength(2);
    expect(messageOf(two, 'floor-guessed')).toContain('all 2 closed shapes are floor');
    expect(parseSvg(svg('<rect width="9" height="9"/>')).warnings).toEqual([]);
  });

  it('with walls only, the picture is floor, which is reported', () => {
    const map = parseSvg(svg('<g id="walls"><rect x="10" y="0" width="5" height="60"/></g>', 'viewBox="-10 0 100 60"'));
    expect(map.polygons[0]!.outline).toEqual([
      [-10, 0],
      [90, 0],
      [90, 60],
      [-10, 60],
    ]);
    expect(messageOf(map, 'floor-guessed')).toContain('the picture of 100 x 60');
    const bare = parseSvg(svg('<g id="walls"><rect x="10" y="0" width="5" height="60"/></g>', ''));
    expect(bare.polygons[0]!.outline).toEqual([
      [10, 0],
      [15, 0],
      [15, 60],
      [10, 60],
    ]);
  });

  it('names that drawing programs give say nothing; those of the root neither', () => {
    const map = parseSvg(svg('<g id="path12"><rect id="text-4" width="9" height="9"/></g>', 'id="walls"'));
    expect(map).toMatchObject({ polygons: [{ holes: [] }], obstacles: [], warnings: [] });
  });

  it('an outline that is only drawn is a wall as wide as its line, not a block', () => {
    const map = parseSvg(
      svg(`${floor}<rect class="wall" x="10" y="10" width="20" height="20" fill="none" stroke="red"/>`),
    );
    expect(map.obstacles.reduce((sum, ring) => sum + areaOf(ring), 0)).toBeCloseTo(4 * 20 + 4 * 0.25, 9);
    // A marker without any line or color is a block.
    const marker = parseSvg(svg(`${floor}<rect class="wall" x="10" y="10" width="20" height="20" fill="none"/>`));
    expect(marker.obstacles.map(areaOf)).toEqual([400]);
  });

  it('areas have names and costs; layers of maps are on or off', () => {
    const map = parseSvg(
      svg(`${floor}<path class="area" data-name="mud" data-cost="3" d="M1 1h9v9z"/><path id="area7" d="M20 1h9v9z"/>
        <g data-layer="door" display="none"><rect class="obstacle" x="50" width="2" height="60"/></g>`),
    );
    expect(map.areas).toMatchObject([{ name: 'mud', cost: 3 }, { name: 'area7' }]);
    expect(map.layers).toMatchObject([{ name: 'door', enabled: false, obstacles: [{ length: 4 }] }]);
  });

  it('coordinates are those of the view box, times the scale; y may point up', () => {
    const text = '<rect x="1" y="2" width="3" height="4"/>';
    const sized = parseSvg(svg(text, 'width="200mm" height="120mm" viewBox="0 0 100 60"'), { scale: 2 });
    expect(sized.polygons[0]!.outline[0]).toEqual([2, 4]);
    expect(sized.yAxis).toBe('down');
    const up = parseSvg(svg(text, 'data-y-axis="up"'));
    expect(up.polygons[0]!.outline[0]).toEqual([1, -2]);
    expect(up.yAxis).toBe('up');
  });
});

describe('what is drawn', () => {
  it('fill rules: nested rings of one direction are holes only by evenodd', () => {
    const rings = 'M0 0h80v50h-80z M10 10h10v10h-10z';
    const nonzero = parseSvg(svg(`<path d="${rings}"/>`));
    expect(nonzero.polygons).toMatchObject([{ holes: [] }]);
    const evenodd = parseSvg(svg(`<path fill-rule="evenodd" d="${rings}"/>`));
    expect(evenodd.polygons).toHaveLength(1);
    expect(evenodd.polygons[0]!.holes.map(areaOf)).toEqual([100]);
    // A hole in the other direction, and an island in it.
    const turned = parseSvg(svg('<path d="M0 0h80v50h-80z M10 10v30h30v-30z M20 20h5v5h-5z"/>'));
    expect(turned.polygons.map(({ outline, holes }) => [areaOf(outline), holes.map(areaOf)])).toEqual(
      expect.arrayContaining([
        [4000, [900]],
        [25, []],
      ]),
    );
    // In a drawn outline, rings in each other are holes by any rule.
    expect(parseSvg(svg(`<path fill="none" stroke="#000" d="${rings}"/>`)).polygons[0]!.holes).toHaveLength(1);
    // The middle of a pentagram is a hole only by evenodd.
    const star = 'M50 0L80 60 0 20H100L20 60z';
    const area = (text: string): number =>
      parseSvg(svg(text)).polygons.reduce((sum, one) => sum + areaOf(one.outline), 0);
    expect(area(`<path fill-rule="evenodd" d="${star}"/>`)).toBeLessThan(area(`<path d="${star}"/>`));
  });

  it.each([0.5, 0.01, 1e-4])('curves and arcs are off by at most the tolerance %s', (tolerance) => {
    const random = seeded(7);
    const circle = parseSvg(svg('<circle cx="50" cy="30" r="25" transform="rotate(9)"/>'), { tolerance });
    const [{ outline }] = circle.polygons as unknown as [{ outline: ParsedRing }];
    const [cx, cy] = [0, 1].map((k) => outline.reduce((sum, point) => sum + point[k]!, 0) / outline.length);
    outline.forEach(([x, y], k) => {
      const [u, v] = outline[(k + 1) % outline.length]!;
      expect(Math.hypot(x - cx!, y - cy!)).toBeCloseTo(25, 9);
      expect(25 - Math.hypot((x + u) / 2 - cx!, (y + v) / 2 - cy!)).toBeLessThanOrEqual(tolerance);
    });
    for (let trial = 0; trial < 20; trial++) {
      const p = Array.from({ length: 8 }, () => Math.round(random() * 100));
      const text = svg(`<path d="M${p[0]} ${p[1]}C${p.slice(2).join(' ')}L50 -100Z"/>`);
      const ring = parseSvg(text, { tolerance }).polygons[0]!.outline;
      let near = 0;
      for (let k = 0; k <= 200; k++) {
        const t = k / 200;
        const at = [0, 1].map((a) => {
          const s = 1 - t;
          return s * s * s * p[a]! + 3 * s * s * t * p[2 + a]! + 3 * s * t * t * p[4 + a]! + t * t * t * p[6 + a]!;
        });
        // Points follow the ring, so the search begins at the side that was near the one before.
        const found = ring.findIndex((_, i) => {
          const [from, to] = [i, i + 1].map((add) => ring[(near + add) % ring.length]!);
          return distance(at as [number, number], from!, to!) <= tolerance * (1 + 1e-9);
        });
        expect(found, `trial ${trial}, t ${t}`).toBeGreaterThanOrEqual(0);
        near += found;
      }
    }
  });

  it('shapes that share a curve, drawn in both directions, are connected', () => {
    const curve = ['C20 0 30 60 50 60', 'C30 60 20 0 50 0'];
    const map = parseSvg(svg(`<path d="M0 0H50${'C20 0 30 60 50 60'}H0z"/><path d="M50 60C30 60 20 0 50 0H100V60z"/>`));
    expect(curve).toHaveLength(2);
    expect(findPath2d(buildFromPolygons(map).navMesh, [10, 30], [90, 30]).status).toBe('complete');
  });

  it('rooms that share a slanted side are connected, although their corners are rounded', () => {
    const rooms = '<path d="M0 0H33.33L66.67 60H0z"/><path d="M50 30L33.34 0H100V60H66.66z"/>';
    const map = parseSvg(svg(rooms));
    expect(map.precision).toBeCloseTo(0.03, 9);
    expect(findPath2d(buildFromPolygons(map).navMesh, [10, 30], [90, 30]).status).toBe('complete');
    expect(parseSvg(svg('<path d="M0 0H33V9z"/>')).precision).toBeUndefined();
  });

  it('hidden shapes are left out and reported, unless an option names them', () => {
    const text = svg(`${floor}<g id="old" style="display:none"><rect class="wall" width="9" height="9"/></g>
      <g visibility="hidden"><rect id="wall-a" width="5" height="5"/><rect id="wall-b" visibility="visible" width="2" height="2"/></g>`);
    const map = parseSvg(text);
    expect(map.obstacles.map(areaOf)).toEqual([4]);
    expect(map.warnings).toMatchObject([{ code: 'hidden-shapes', count: 2 }]);
    expect(messageOf(map, 'hidden-shapes')).toContain('layer "old" (1)');
    expect(
      parseSvg(text, { walls: ['old'] })
        .obstacles.map(areaOf)
        .sort(),
    ).toEqual([4, 81]);
  });

  it('style sheets of drawing programs count; other selectors are reported', () => {
    const style =
      '<style type="text/css"><![CDATA[ .st0{fill:none;stroke:#000} .st1,#b{display:none!important} g > rect{fill:none} @media print{rect{fill:none}} ]]></style>';
    const map = parseSvg(
      svg(
        `${style}${floor}<rect class="wall st0" x="10" y="10" width="10" height="10"/><rect id="b" width="3" height="3"/>`,
      ),
    );
    expect(map.obstacles).toHaveLength(8);
    expect(map.warnings).toMatchObject([
      { code: 'hidden-shapes', count: 1 },
      { code: 'content-ignored', count: 2 },
    ]);
  });

  it('symbols and nested pictures have view boxes of their own', () => {
    const map = parseSvg(
      svg(`<symbol id="s" viewBox="0 0 10 10"><rect width="10" height="10"/></symbol>
        <use xlink:href="#s" x="10" y="20" width="20" height="40"/>
        <svg x="50" y="0" width="40" height="20" viewBox="0 0 20 20" preserveAspectRatio="xMinYMin"><rect width="20" height="20"/></svg>`),
    );
    expect(map.polygons.map(({ outline }) => outline)).toEqual([
      [
        [10, 30],
        [30, 30],
        [30, 50],
        [10, 50],
      ],
      [
        [50, 0],
        [70, 0],
        [70, 20],
        [50, 20],
      ],
    ]);
  });

  it('lines with a width are floor where they are marked', () => {
    const map = parseSvg(svg('<path id="corridor" d="M10 10H90V50" fill="none" stroke="#ccc" stroke-width="4"/>'));
    const { navMesh } = buildFromPolygons(map, { radius: 1.9 });
    expect(findPath2d(navMesh, [10, 10], [90, 50])).toMatchObject({ status: 'complete' });
    expect(
      parseSvg(svg('<path d="M0 0h9v9z"/><path d="M10 10H90V50" fill="none" stroke="#ccc"/>')).warnings,
    ).toMatchObject([{ code: 'not-an-area', count: 1 }]);
  });
});

describe('floor plans of strangers', () => {
  it('a scan in a picture is named as what is left out', () => {
    const scan = svg(
      '<defs><rect id="a" width="9" height="9"/></defs><image href="data:image/png;base64,AA"/><text>A</text>',
    );
    expect(() => parseSvg(scan)).toThrow(/has no closed shape to walk in, but images \(1\), texts \(1\); draw/);
  });

  it('circles that nothing paints are hidden; columns between walls are no floor without a warning', () => {
    const walls = ['M0 0H60', 'M60 0V40', 'M60 40H0', 'M0 40V0']
      .map((d) => `<path class="wall" d="${d}" fill="none" stroke="#000"/>`)
      .join('');
    const columns = '<rect class="brick" x="9" y="9" width="2" height="2"/>';
    const points = '<circle class="point" cx="0" cy="0" r="1" fill="none"/>';
    const map = parseSvg(svg(`${points}${walls}${columns}`));
    expect(map.polygons).toHaveLength(1);
    expect(messageOf(map, 'hidden-shapes')).toContain('1 hidden shape is left out: layer "point" (1)');
    expect(messageOf(map, 'floor-guessed')).toContain(
      'only 1 closed shape without a mark is floor, 0.2 % of the box around the walls: layer "brick" (1); draw the floor',
    );
    const room = '<rect id="hall" width="60" height="40"/>';
    expect(parseSvg(svg(`${room}${walls}`)).warnings).toEqual([]);
  });

  it('names of any letters can be copied from a message to a shell', () => {
    const map = parseSvg(
      svg(`${floor}<g id='{"label":"Ana&apos;s room"}'><rect id="start" width="9" height="9"/></g>`),
    );
    expect(map.warnings[0]!.message).toContain(`(--map-walls '{"label":"Ana'\\''s room"}')`);
  });
});

describe('bad input', () => {
  it('scripts, other files, images and texts are left out and counted', () => {
    const map = parseSvg(
      svg(`<script>alert(1)</script><script href="https://x.example/a.js"/>${floor}
        <image href="https://x.example/a.png" width="9" height="9"/><image href="data:image/png;base64,AA"/>
        <use href="https://x.example/b.svg#wall"/><use href="#missing"/><text>A</text><text>B</text>
        <foreignObject><iframe/></foreignObject><rect onclick="alert(1)" class="wall" width="1" height="1"/>
        <rect clip-path="url(#c)" class="wall" x="5" width="1" height="1"/>`),
    );
    expect(map.warnings).toMatchObject([{ code: 'content-ignored', count: 11 }]);
    for (const kind of [
      'scripts (3)',
      'images (2)',
      'texts (2)',
      'references to other files (1)',
      'references to missing elements (1)',
      'embedded pages (1)',
      'clip paths and masks (1)',
    ])
      expect(messageOf(map, 'content-ignored')).toContain(kind);
  });

  it('XML bombs and entities made of entities are refused; those of Illustrator are not', () => {
    const bomb = `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${svg(floor)}`;
    expect(() => parseSvg(bomb)).toThrow(/parseSvg: SVG: declares entities that are made of entities/);
    expect(() => parseSvg(`<!DOCTYPE svg [<!ENTITY % a "%b;">]>${svg(floor)}`)).toThrow(/entities/);
    const illustrator = `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
      <!ENTITY ns_svg "http://www.w3.org/2000/svg">\n]>\n${svg(floor).replace(/<\?xml[^>]*>/, '')}`;
    expect(parseSvg(illustrator).warnings).toEqual([]);
    const file = `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg(`${floor}<text>&x;</text>`)}`;
    expect(messageOf(parseSvg(file), 'content-ignored')).toContain('declared entities (1)');
  });

  it('uses of uses are limited by memory, and circles are reported', () => {
    const levels = Array.from({ length: 12 }, (_, k) => `<g id="g${k + 1}">${`<use href="#g${k}"/>`.repeat(10)}</g>`);
    const laughs = svg(`<defs><rect id="g0" width="1" height="1"/>${levels.join('')}</defs>${floor}<use href="#g12"/>`);
    expect(() => parseSvg(laughs, { memoryLimitBytes: 2 ** 26 })).toThrow(/memoryLimitBytes/);
    const circle = parseSvg(svg(`${floor}<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>`));
    expect(messageOf(circle, 'content-ignored')).toContain('references in a circle');
  });

  it('elements 300 deep are refused; 10⁵ shapes are read', () => {
    expect(() => parseSvg(svg(`${'<g>'.repeat(300)}${floor}${'</g>'.repeat(300)}`))).toThrow(/deep/);
    const many = Array.from(
      { length: 1e5 },
      (_, k) => `<rect x="${k % 300}" y="${Math.floor(k / 300)}" width=".5" height=".5"/>`,
    );
    expect(parseSvg(svg(many.join(''))).polygons).toHaveLength(1e5);
  });

  it.each([
    ['<svg><g></svg>', /parseSvg: a\.svg: is not valid XML \(line 1, column 9/],
    ['<html></html>', /is not an SVG picture: its root is <html>/],
    ['plan', /has 0 root elements/],
    [svg('<line x2="9"/>'), /has no closed shape to walk in, but open lines \(1\); draw/],
    [svg('<path class="area" d="M1 1h9v9z"/>'), /but areas \(1\); draw/],
    [svg('<rect width="1e300" height="1"/>'), /coordinates of 1e\+300/],
  ])('%s is refused', (text, message) => {
    expect(() => parseSvg(text, { name: 'a.svg' })).toThrow(message);
  });

  it('path data with a fault is drawn up to it, and counted', () => {
    const map = parseSvg(svg('<path d="M0 0H9V9H0zM20 20h5v5q9"/><polygon points="1 1 2 2 3 x"/>'));
    expect(map.polygons).toHaveLength(2);
    expect(map.warnings.find(({ code }) => code === 'path-damaged')).toMatchObject({ count: 2 });
  });

  it('wrong arguments are refused with the value', () => {
    expect(() => parseSvg(7 as never)).toThrow(TypeError);
    expect(() => parseSvg(svg(floor), { scale: 0 })).toThrow('parseSvg: options.scale is 0; must be > 0');
    expect(() => parseSvg(svg(floor), { walls: 'a' as never })).toThrow(/options\.walls is "a"/);
    expect(() => parseSvg(svg(floor), { wall: [] } as never)).toThrow(/wall/);
  });
});

function distance([x, y]: [number, number], [ax, ay]: readonly number[], [bx, by]: readonly number[]): number {
  const [dx, dy] = [bx! - ax!, by! - ay!];
  const share = Math.max(0, Math.min(1, ((x - ax!) * dx + (y - ay!) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(x - ax! - share * dx, y - ay! - share * dy);
}
