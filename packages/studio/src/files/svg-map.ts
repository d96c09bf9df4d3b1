/**
 * Reads the closed shapes of an SVG picture as a 2D map.
 *
 * A shape is an obstacle when its class, its id or that of a group around it has the word "obstacle"; an area, when it has the
 * word "area"; otherwise it is walkable. Rings of one shape inside each other alternate between outline and hole. Curves become
 * lines that are off by at most a two-thousandth of the picture.
 *
 * In: the text of the file. Out: a map. Throws for text that is not SVG, and for a picture without closed shapes.
 * Cost: linear in the number of corners, quadratic in the rings of one shape.
 * Based on: SVG 2, chapters 8 to 10; the package svgpath, which parses path data and transforms.
 */
import type { MapArea, MapLayer, MapPolygon, PolygonMap } from 'navkiln/polygon';
import svgpath from 'svgpath';
import { isInside, signedArea } from '../state/map-shapes.ts';
import type { Point2 } from '../state/map-point.ts';

const SHAPES = 'path, rect, circle, ellipse, polygon, polyline';
/** Elements whose content is not drawn where it stands. */
const NOT_DRAWN = 'defs, symbol, clipPath, mask, marker, pattern';
const FLATNESS = 1 / 2000;
const MAX_SPLITS = 10;

type Lists = { polygons: MapPolygon[]; obstacles: Point2[][]; areas: MapArea[] };
const noLists = (): Lists => ({ polygons: [], obstacles: [], areas: [] });

export function readSvg(text: string, name: string): PolygonMap {
  const file = new DOMParser().parseFromString(text, 'image/svg+xml');
  const root = file.documentElement;
  if (root.localName !== 'svg' || file.querySelector('parsererror') !== null) {
    throw new Error(`${name}: is not an SVG picture; export it again`);
  }
  const shapes = [...root.querySelectorAll(SHAPES)]
    .filter((shape) => shape.closest(NOT_DRAWN) === null)
    .map((shape) => ({ shape, path: svgpath(pathData(shape)).transform(transformOf(shape)).abs().unarc().unshort() }));
  const flatness = FLATNESS * sizeOf(shapes.map(({ path }) => path));
  const isUp = root.getAttribute('data-y-axis') === 'up';
  const lists = noLists();
  const layers = new Map<string, Lists & { enabled: boolean }>();
  for (const { shape, path } of shapes) {
    const flat = ringsOfPath(path, flatness);
    const rings = isUp ? flat.map((ring) => ring.map(([x, y]): Point2 => [x, 0 - y])) : flat;
    const group = shape.closest('[data-layer]');
    addShape(group === null ? lists : layerOf(layers, group), shape, rings);
  }
  if (lists.polygons.length === 0 && ![...layers.values()].some(({ polygons }) => polygons.length > 0)) {
    throw new Error(`${name}: has no closed shape to walk in; draw outlines as closed paths`);
  }
  const named = [...layers].map(([layer, own]): MapLayer => ({ name: layer, ...own }));
  return { ...lists, ...(named.length > 0 ? { layers: named } : {}), yAxis: isUp ? 'up' : 'down' };
}

function layerOf(layers: Map<string, Lists & { enabled: boolean }>, group: Element): Lists {
  const layer = group.getAttribute('data-layer')!;
  const known = layers.get(layer) ?? { ...noLists(), enabled: group.getAttribute('display') !== 'none' };
  layers.set(layer, known);
  return known;
}

function addShape(lists: Lists, shape: Element, rings: Point2[][]): void {
  const role = roleOf(shape);
  if (role === 'obstacle') {
    for (const ring of rings) lists.obstacles.push(ring);
    return;
  }
  const nested = nestedRings(rings);
  if (role === 'walkable') for (const polygon of nested) lists.polygons.push(polygon);
  else {
    const cost = Number(shape.getAttribute('data-cost') ?? NaN);
    const name = shape.getAttribute('data-name') ?? (shape.id || `area ${lists.areas.length + 1}`);
    for (const polygon of nested) lists.areas.push({ name, ...(cost > 0 ? { cost } : {}), ...polygon });
  }
}

function roleOf(shape: Element): 'walkable' | 'obstacle' | 'area' {
  for (let node: Element | null = shape; node !== null; node = node.parentElement) {
    const words = `${node.getAttribute('class') ?? ''} ${node.id}`.toLowerCase();
    if (/\bobstacles?\b/.test(words)) return 'obstacle';
    if (/\bareas?\b/.test(words)) return 'area';
    if (/\bwalkable\b/.test(words)) return 'walkable';
  }
  return 'walkable';
}

/** Sorts rings into outlines and holes: a ring inside an odd number of others is a hole of the smallest one around it. */
function nestedRings(rings: readonly Point2[][]): MapPolygon[] {
  const area = rings.map((ring) => Math.abs(signedArea(ring)));
  const around = rings.map((ring, i) => rings.flatMap((other, k) => (k !== i && isInside(other, ring[0]) ? [k] : [])));
  const polygons = new Map<number, { outline: Point2[]; holes: Point2[][] }>();
  rings.forEach((outline, i) => around[i].length % 2 === 0 && polygons.set(i, { outline, holes: [] }));
  rings.forEach((ring, i) => {
    if (around[i].length % 2 === 0) return;
    const parents = around[i].filter((k) => polygons.has(k)).sort((a, b) => area[a] - area[b]);
    polygons.get(parents[0] ?? -1)?.holes.push(ring);
  });
  return [...polygons.values()];
}

function transformOf(shape: Element): string {
  const own: string[] = [];
  for (let node: Element | null = shape; node !== null; node = node.parentElement) {
    own.unshift(node.getAttribute('transform') ?? '');
  }
  return own.join(' ').trim();
}

function pathData(shape: Element): string {
  const number = (name: string): number => Number.parseFloat(shape.getAttribute(name) ?? '') || 0;
  const oval = (rx: number, ry: number): string => {
    const [cx, cy] = [number('cx'), number('cy')];
    return rx > 0 && ry > 0 ? `M${cx - rx} ${cy}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0Z` : '';
  };
  switch (shape.localName) {
    case 'rect': {
      const [x, y, width, height] = ['x', 'y', 'width', 'height'].map(number);
      return width > 0 && height > 0 ? `M${x} ${y}h${width}v${height}h${-width}Z` : '';
    }
    case 'circle':
      return oval(number('r'), number('r'));
    case 'ellipse':
      return oval(number('rx'), number('ry'));
    case 'path':
      return shape.getAttribute('d') ?? '';
    default:
      return `M${shape.getAttribute('points') ?? ''}${shape.localName === 'polygon' ? 'Z' : ''}`;
  }
}

type Path = ReturnType<typeof svgpath>;

function sizeOf(paths: readonly Path[]): number {
  let [low, high] = [Infinity, -Infinity];
  for (const path of paths) {
    path.iterate((_segment, _index, x, y) => {
      low = Math.min(low, x, y);
      high = Math.max(high, x, y);
    });
  }
  return high > low ? high - low : 1;
}

/** Returns the closed rings of a path. A ring that is not closed counts when it ends where it starts. */
function ringsOfPath(path: Path, flatness: number): Point2[][] {
  const rings: Point2[][] = [];
  let ring: Point2[] = [];
  const close = (isClosed: boolean): void => {
    const [first, last] = [ring[0], ring.at(-1)];
    const meets = ring.length > 1 && first[0] === last![0] && first[1] === last![1];
    if (meets) ring.pop();
    if ((isClosed || meets) && ring.length >= 3) rings.push(ring);
    ring = [];
  };
  path.iterate((segment, _index, x, y) => {
    const [command, ...n] = segment as [string, ...number[]];
    if (command === 'M') {
      close(false);
      ring = [[n[0], n[1]]];
    } else if (command === 'Z' || command === 'z') close(true);
    else {
      // After a closed ring, the next one starts where that one did.
      if (ring.length === 0) ring.push([x, y]);
      if (command === 'L') ring.push([n[0], n[1]]);
      else if (command === 'H') ring.push([n[0], y]);
      else if (command === 'V') ring.push([x, n[0]]);
      else if (command === 'C')
        addCurve(
          ring,
          [
            [x, y],
            [n[0], n[1]],
            [n[2], n[3]],
            [n[4], n[5]],
          ],
          flatness,
          0,
        );
      else if (command === 'Q') {
        const third = (a: number, b: number): number => a + (2 / 3) * (b - a);
        const [first, last]: [Point2, Point2] = [
          [third(x, n[0]), third(y, n[1])],
          [third(n[2], n[0]), third(n[3], n[1])],
        ];
        addCurve(ring, [[x, y], first, last, [n[2], n[3]]], flatness, 0);
      }
    }
  });
  close(false);
  return rings;
}

type Curve = readonly [Point2, Point2, Point2, Point2];

/** Adds a cubic curve as lines, without its first point. */
function addCurve(ring: Point2[], [a, b, c, d]: Curve, flatness: number, depth: number): void {
  // A bound on the distance between the curve and its chord.
  const bound = Math.max(
    Math.hypot(3 * b[0] - 2 * a[0] - d[0], 3 * b[1] - 2 * a[1] - d[1]),
    Math.hypot(3 * c[0] - a[0] - 2 * d[0], 3 * c[1] - a[1] - 2 * d[1]),
  );
  if (bound <= 4 * flatness || depth === MAX_SPLITS) {
    ring.push(d);
    return;
  }
  const middle = (p: Point2, q: Point2): Point2 => [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
  const [ab, bc, cd] = [middle(a, b), middle(b, c), middle(c, d)];
  const [abc, bcd] = [middle(ab, bc), middle(bc, cd)];
  const half = middle(abc, bcd);
  addCurve(ring, [a, ab, abc, half], flatness, depth + 1);
  addCurve(ring, [half, bcd, cd, d], flatness, depth + 1);
}
