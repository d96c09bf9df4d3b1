/**
 * Random SVG pictures, read as maps and drawn by Chromium: each pixel that is not next to a border is floor where it is blue and not black.
 * Shapes of all kinds, transforms, groups, `use`, symbols with view boxes, fill rules, style sheets, strokes with all joins and caps, hidden
 * shapes. NAVKILN_SEED repeats a run, and NAVKILN_PICTURE_COUNT sets the number of pictures (default 6).
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { CONTAINER_FLAGS, requireChromium } from '../../../../tools/chromium.mjs';
import type { ParsedMap, ParsedRing } from '../../src/formats/maps/map.ts';
import { parseSvg } from '../../src/formats/maps/svg/svg.ts';
import { seeded } from '../unit/meshes.ts';

const SEED = Number(process.env['NAVKILN_SEED'] ?? 20261128) >>> 0;
const COUNT = Number(process.env['NAVKILN_PICTURE_COUNT'] ?? 3);
/** Pixels of a side of a picture whose view box is 100 x 100. */
const SIDE = 240;

type Random = () => number;

let browser: Browser;
let page: Page;
beforeAll(async () => {
  const { chromium } = await import('playwright-core');
  browser = await chromium.launch({ executablePath: requireChromium()!, args: [...CONTAINER_FLAGS] });
  page = await browser.newPage();
});
afterAll(() => browser?.close());

const between = (random: Random, low: number, high: number): number => low + (high - low) * random();
const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

/** Returns a number as drawing programs write it. */
function written(random: Random, value: number): string {
  const text = value.toFixed(pick(random, [0, 1, 2, 3]));
  return random() < 0.3 ? text.replace(/^(-?)0\./, '$1.') : text;
}

function pathData(random: Random): string {
  let text = '';
  const relative = (): boolean => random() < 0.5;
  for (let ring = pick(random, [1, 1, 1, 2, 3]); ring > 0; ring--) {
    let [x, y] = [between(random, 5, 60), between(random, 5, 60)];
    text += `M${written(random, x)} ${written(random, y)}`;
    for (let k = pick(random, [2, 3, 4, 5]); k > 0; k--) {
      const isRelative = relative();
      const place = (): string => {
        const [u, v] = [between(random, 0, 70), between(random, 0, 70)];
        return isRelative
          ? `${written(random, (u - x) / 2)},${written(random, (v - y) / 2)}`
          : `${written(random, u)} ${written(random, v)}`;
      };
      const letter = pick(random, ['L', 'H', 'V', 'C', 'S', 'Q', 'T', 'A', 'L', 'C']);
      const name = isRelative ? letter.toLowerCase() : letter;
      const flags = `${random() < 0.5 ? 1 : 0}${random() < 0.5 ? ' ' : ''}${random() < 0.5 ? 1 : 0}`;
      const radii = `${written(random, between(random, 2, 40))} ${written(random, between(random, 2, 40))} ${written(random, between(random, -90, 90))}`;
      if (letter === 'H' || letter === 'V')
        text += `${name}${written(random, isRelative ? between(random, -20, 20) : between(random, 0, 70))}`;
      else if (letter === 'C') text += `${name}${place()} ${place()} ${place()}`;
      else if (letter === 'S' || letter === 'Q') text += `${name}${place()} ${place()}`;
      else if (letter === 'A') text += `${name}${radii} ${flags}${random() < 0.5 ? ' ' : ','}${place()}`;
      else text += `${name}${place()}`;
      [x, y] = [35, 35];
    }
    if (random() < 0.7) text += pick(random, ['z', 'Z', ' Z ']);
  }
  return text;
}

function style(random: Random, isWall: boolean): string {
  const parts: string[] = [];
  if (random() < 0.4) parts.push(`fill-rule="${pick(random, ['evenodd', 'nonzero'])}"`);
  if (isWall && random() < 0.6) {
    parts.push(`stroke="black" stroke-width="${written(random, between(random, 1, 6))}"`);
    if (random() < 0.5) parts.push('fill="none"');
    if (random() < 0.5) parts.push(`stroke-linejoin="${pick(random, ['round', 'bevel', 'miter'])}"`);
    if (random() < 0.5)
      parts.push(
        `style="stroke-linecap:${pick(random, ['round', 'butt', 'square'])};stroke-miterlimit:${pick(random, [1, 2, 4])}"`,
      );
  } else if (random() < 0.1) parts.push(pick(random, ['display="none"', 'style="visibility: hidden"', 'class="gone"']));
  return parts.join(' ');
}

function shape(random: Random, isWall: boolean): string {
  const n = (low: number, high: number): string => written(random, between(random, low, high));
  const more = `${style(random, isWall)} ${random() < 0.4 ? `transform="${turn(random)}"` : ''}`;
  switch (
    pick(random, ['path', 'path', 'path', 'rect', 'rounded', 'circle', 'ellipse', 'polygon', 'polyline', 'line'])
  ) {
    case 'rect':
      return `<rect x="${n(0, 60)}" y="${n(0, 60)}" width="${n(5, 40)}" height="${n(5, 40)}" ${more}/>`;
    case 'rounded':
      return `<rect x="${n(0, 60)}" y="${n(0, 60)}" width="${n(10, 40)}" height="${n(10, 40)}" rx="${n(1, 30)}" ${random() < 0.5 ? `ry="${n(1, 9)}"` : ''} ${more}/>`;
    case 'circle':
      return `<circle cx="${n(10, 80)}" cy="${n(10, 80)}" r="${pick(random, ['10%', n(3, 20), '3mm'])}" ${more}/>`;
    case 'ellipse':
      return `<ellipse cx="${n(10, 80)}" cy="${n(10, 80)}" rx="${n(3, 20)}" ry="${n(3, 20)}" ${more}/>`;
    case 'line':
      return isWall
        ? `<line x1="${n(0, 90)}" y1="${n(0, 90)}" x2="${n(0, 90)}" y2="${n(0, 90)}" stroke="black" stroke-width="${n(2, 5)}" stroke-linecap="${pick(random, ['round', 'butt', 'square'])}"/>`
        : '';
    case 'path':
      // The tip of a miter between curves depends on how finely they are divided.
      return `<path d="${pathData(random)}" stroke-linejoin="${pick(random, ['round', 'bevel'])}" ${more.replace(/stroke-linejoin="\w+"/, '')}/>`;
    default: {
      const points = Array.from(
        { length: pick(random, [3, 4, 6]) },
        () => `${n(0, 80)}${pick(random, [' ', ','])}${n(0, 80)}`,
      );
      return `<${pick(random, ['polygon', 'polyline'])} points="${points.join(' ')}" ${more}/>`;
    }
  }
}

function turn(random: Random): string {
  const n = (low: number, high: number): string => written(random, between(random, low, high));
  const all = [
    () => `translate(${n(-20, 20)}${random() < 0.5 ? '' : ` ${n(-20, 20)}`})`,
    () => `rotate(${n(-90, 90)}${random() < 0.5 ? '' : `, 50, 50`})`,
    () => `scale(${n(0.5, 1.4)}${random() < 0.5 ? '' : ` ${n(0.5, 1.4)}`})`,
    () => `skewX(${n(-30, 30)})`,
    () => `skewY(${n(-30, 30)})`,
    () => `matrix(${n(0.7, 1.2)} ${n(-0.5, 0.5)} ${n(-0.5, 0.5)} ${n(0.7, 1.2)} ${n(-10, 10)} ${n(-10, 10)})`,
  ];
  return Array.from({ length: pick(random, [1, 1, 2]) }, () => pick(random, all)()).join(random() < 0.5 ? ' ' : ',');
}

function group(random: Random, isWall: boolean, depth: number, uses: readonly string[]): string {
  const content = Array.from({ length: pick(random, [1, 2, 3]) }, () => {
    if (uses.length > 0 && random() < 0.2) {
      const size =
        random() < 0.5
          ? ` width="${written(random, between(random, 20, 60))}" height="${written(random, between(random, 20, 60))}"`
          : '';
      return `<use href="#${pick(random, uses)}" x="${written(random, between(random, 0, 30))}"${size} />`;
    }
    if (depth < 2 && random() < 0.3)
      return `<g transform="${turn(random)}">${group(random, isWall, depth + 1, uses)}</g>`;
    return shape(random, isWall);
  });
  return content.join('\n');
}

/** Returns a picture, and its content apart: its floors in blue below its walls in black. */
function picture(random: Random): string {
  const aspect = pick(random, [
    '',
    'preserveAspectRatio="none"',
    'preserveAspectRatio="xMinYMax slice"',
    'preserveAspectRatio="xMaxYMin meet"',
  ]);
  const defs = `<defs><style>.gone{display:none} .deep .x{fill:none} #s rect{}</style>
    <symbol id="s" viewBox="0 0 50 80" overflow="visible" ${aspect}>${shape(random, false)}</symbol>
    <g id="u" transform="${turn(random)}">${shape(random, false)}${shape(random, false)}</g></defs>`;
  const floors = Array.from({ length: 2 }, () => group(random, false, 0, ['s', 'u'])).join('\n');
  const walls = group(random, true, 0, random() < 0.3 ? ['u'] : []);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="${SIDE}" height="${SIDE}">
    ${defs}<g id="floor" fill="#00f"><rect x="1" y="1" width="5" height="5"/>${floors}</g>
    <g inkscape:label="Walls" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape">${walls}</g></svg>`;
}

/** Returns for each pixel of pictures whether it is blue (1), black (2) or white (0), where it is purely so; else 3. */
async function draw(pictures: readonly string[]): Promise<number[][]> {
  return page.evaluate(
    async ([side, texts]) => {
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = side;
      const context = canvas.getContext('2d', { willReadFrequently: true })!;
      const all: number[][] = [];
      for (const text of texts) {
        const image = new Image();
        image.src = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
        await image.decode();
        context.fillStyle = '#fff';
        context.fillRect(0, 0, side, side);
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, side, side);
        const kinds: number[] = [];
        for (let i = 0; i < data.length; i += 4) {
          const [r, g, b] = [data[i], data[i + 1], data[i + 2]];
          kinds.push(r === 255 && g === 255 ? 0 : r === 0 && g === 0 && b === 255 ? 1 : r + g + b === 0 ? 2 : 3);
        }
        all.push(kinds);
      }
      return all;
    },
    [SIDE, pictures] as const,
  );
}

/** Calls `mark` with the pixels whose centers have a winding number in a ring that is not 0. */
function forInside(ring: ParsedRing, mark: (pixel: number) => void): void {
  const rows = new Map<number, [x: number, sign: number][]>();
  ring.forEach(([ax, ay], k) => {
    const [bx, by] = ring[(k + 1) % ring.length]!;
    if (ay === by) return;
    const from = Math.max(0, Math.ceil((Math.min(ay, by) * SIDE) / 100 - 0.5));
    const to = Math.min(SIDE - 1, Math.ceil((Math.max(ay, by) * SIDE) / 100 - 0.5) - 1);
    for (let j = from; j <= to; j++) {
      const x = ax + ((((j + 0.5) * 100) / SIDE - ay) / (by - ay)) * (bx - ax);
      const row = rows.get(j) ?? [];
      row.push([x, ay < by ? 1 : -1]);
      rows.set(j, row);
    }
  });
  for (const [j, row] of rows) {
    row.sort((one, other) => one[0] - other[0]);
    let winding = 0;
    row.forEach(([x, sign], k) => {
      winding += sign;
      const end = row[k + 1]?.[0] ?? x;
      if (winding === 0) return;
      const first = Math.max(0, Math.ceil((x * SIDE) / 100 - 0.5));
      for (let i = first; i < SIDE && ((i + 0.5) * 100) / SIDE < end; i++) mark(j * SIDE + i);
    });
  }
}

/** Returns the kind of each pixel by the map, as `draw`. */
function kindsOf({ polygons, obstacles }: ParsedMap): Uint8Array {
  const kinds = new Uint8Array(SIDE * SIDE);
  for (const { outline, holes } of polygons) {
    const hole = new Set<number>();
    for (const ring of holes) forInside(ring, (pixel) => hole.add(pixel));
    forInside(outline, (pixel) => !hole.has(pixel) && (kinds[pixel] = 1));
  }
  for (const ring of obstacles) forInside(ring, (pixel) => (kinds[pixel] = 2));
  return kinds;
}

it(
  `maps of ${COUNT} random pictures are what Chromium draws, seed ${SEED}`,
  { timeout: 60_000 + 3000 * COUNT },
  async () => {
    const random = seeded(SEED);
    let compared = 0;
    const different: string[] = [];
    for (let done = 0; done < COUNT; done += 20) {
      const pictures = Array.from({ length: Math.min(20, COUNT - done) }, () => picture(random));
      const drawn = await draw(pictures);
      pictures.forEach((text, n) => {
        const map = parseSvg(text, { tolerance: 0.02 });
        const kinds = kindsOf(map);
        const wanted = drawn[n]!;
        let wrong = 0;
        let first = -1;
        for (let j = 2; j + 2 < SIDE; j++) {
          for (let i = 2; i + 2 < SIDE; i++) {
            const at = j * SIDE + i;
            // Next to a border, pixels are mixed, and Chromium leaves out what is thinner than a pixel.
            let isEven = wanted[at] !== 3;
            for (const step of [-SIDE - 1, -SIDE, 1 - SIDE, -1, 1, SIDE - 1, SIDE, SIDE + 1])
              isEven &&= wanted[at + step] === wanted[at] && kinds[at + step] === kinds[at];
            if (!isEven) continue;
            compared++;
            if (kinds[at] === wanted[at]) continue;
            wrong++;
            if (first < 0) first = at;
          }
        }
        if (wrong > 0) {
          const place = `(${(((first % SIDE) + 0.5) * 100) / SIDE}, ${((Math.floor(first / SIDE) + 0.5) * 100) / SIDE})`;
          different.push(
            `picture ${done + n}: ${wrong} pixels, first ${place}: ${kinds[first]} for ${wanted[first]}\n${text}`,
          );
        }
      });
    }
    expect(different.slice(0, 3).join('\n\n'), `${different.length} of ${COUNT} pictures`).toBe('');
    expect(compared).toBeGreaterThan(COUNT * SIDE * SIDE * 0.8);
  },
);
