/**
 * Reads a picture (SVG) as a 2D map.
 *
 * Shapes are floor, walls, named areas or none of these, by the options, or by words of the names of shapes and groups
 * (marks.ts). Shapes without a mark are floor where no shape is marked as such. The area that a shape fills counts. Of walls,
 * the stroke counts, too; so do strokes of open lines that are marked as floor.
 *
 * In: text or bytes.
 * Out: walkable polygons, obstacles, areas, and layers.
 * Cost: linear in the corners; shapes of several rings are overlaid.
 * Based on: SVG 2 (W3C); own code.
 */
import { nameRing } from '../../../base/plane/ring-names.ts';
import { READ_LIMIT_BYTES } from '../../../base/constants.ts';
import { checkKeys, isHollow } from '../../../base/data/refuse.ts';
import { createPolygonBudget } from '../../../base/plane/budget.ts';
import type { PolygonBudget } from '../../../base/plane/budget.ts';
import { createSource, fail, show, spend, warn } from '../json-source.ts';
import type { ParsedArea, ParsedMap, ParsedPoint, ParsedPolygon, ParsedRing } from '../map.ts';
import { areaOf, asOneRing } from '../rings.ts';
import { compose, transform } from '../tiled/affine.ts';
import type { Affine } from '../tiled/types.ts';
import { decodeUtf8 } from '../../text/utf8.ts';
import { readXml } from '../../text/xml.ts';
import { boundsOf, fillRings } from './fill.ts';
import { flatten } from './flatten.ts';
import { checkNames, listOf, reportLeftOut, reportRoles, reportSmallFloor } from './report.ts';
import { strokeRings } from './stroke.ts';
import { normOf, readLength, readViewBox } from './transform.ts';
import type { SvgLists, SvgOptions, SvgReader, SvgRole, SvgShape } from './types.ts';
import { readShapes } from './walk.ts';

/** Memory of a letter of the file, and of a point of a flattened path; bytes. */
const LETTER_BYTES = 8;
const POINT_BYTES = 96;
/** Share of the picture's extent that curves may be off by. */
const FLATNESS = 1 / 2000;
/** Digits after the point of coordinates that a program has rounded. */
const LEAST_DIGITS = 2;
const MOST_DIGITS = 9;
/** Coordinates beyond are refused, as by the builder. */
const FARTHEST = 1e99;

const OPTION_KEYS = ['walkable', 'walls', 'ignore', 'scale', 'tolerance', 'memoryLimitBytes', 'name'];

/**
 * Reads a 2D map from a picture. Throws an Error that names line and column for text that is no SVG, and one that says what
 * was found for a picture without floor; throws a TypeError or RangeError for a wrong argument.
 */
export function parseSvg(input: string | Uint8Array, options: SvgOptions = {}): ParsedMap {
  checkKeys('parseSvg', options, OPTION_KEYS);
  const {
    walkable = [],
    walls = [],
    ignore = [],
    scale = 1,
    memoryLimitBytes = READ_LIMIT_BYTES,
    name = 'SVG',
  } = options;
  const { tolerance: wanted } = options;
  for (const [key, names] of Object.entries({ walkable, walls, ignore })) {
    if (!Array.isArray(names) || isHollow(names))
      throw new TypeError(`parseSvg: options.${key} is ${show(names)}; must be an array of names`);
  }
  for (const [key, value] of Object.entries({ scale, tolerance: wanted ?? 1, memoryLimitBytes })) {
    if (!(typeof value === 'number' && value > 0 && value < Infinity))
      throw new RangeError(`parseSvg: options.${key} is ${show(value)}; must be > 0`);
  }
  const source = createSource('parseSvg', name, memoryLimitBytes);
  const reader: SvgReader = {
    source,
    walkable: new Set(walkable),
    walls: new Set(walls),
    ignore: new Set(ignore),
    names: new Set(),
    shapes: [],
    layers: new Map(),
    ignored: new Map(),
    hidden: new Map(),
    damaged: 0,
    digits: 0,
  };
  const root = readRoot(reader, input);
  const { attributes } = root;
  const box = readViewBox(attributes['viewBox']);
  const width = box?.[2] ?? readLength(attributes['width'], 100) ?? 100;
  const height = box?.[3] ?? readLength(attributes['height'], 100) ?? 100;
  readShapes(reader, root, { width, height });
  checkNames(reader);
  const extent = extentOf(reader.shapes);
  if (!(extent < FARTHEST)) fail(source, '', `has coordinates of ${extent} or more`);
  const isUp = attributes['data-y-axis'] === 'up';
  const toResult: Affine = [scale, 0, 0, isUp ? -scale : scale, 0, 0];
  const lists = new Map<string, SvgLists>([['', noLists()]]);
  for (const layer of reader.layers.keys()) lists.set(layer, noLists());
  const maker: Maker = {
    reader,
    tolerance: wanted ?? FLATNESS * (extent > 0 ? extent : 1),
    toResult,
    budget: createPolygonBudget(memoryLimitBytes),
  };
  const hasFloor = reader.shapes.some(({ mark }) => mark?.role === 'floor');
  const roles = reader.shapes.map(({ mark }): SvgRole | 'left' => mark?.role ?? (hasFloor ? 'left' : 'floor'));
  const lines: SvgShape[] = [];
  reader.shapes.forEach((shape, k) => {
    const role = roles[k];
    if (role === 'zone' || role === 'left' || role === 'ignored') return;
    if (!addTo(lists.get(shape.switched)!, maker, shape, role)) lines.push(shape);
  });
  const map = lists.get('')!;
  const all = [...lists.values()];
  if (!all.some(({ polygons }) => polygons.length > 0)) {
    const rings = all.flatMap(({ obstacles }) => obstacles);
    const areas = all.reduce((sum, one) => sum + one.areas.length, 0);
    if (rings.length === 0 || areas > 0) {
      const found = new Map(reader.ignored);
      for (const [kind, count] of Object.entries({ obstacles: rings.length, areas, 'open lines': lines.length }))
        if (count > 0) found.set(kind, count);
      for (const [, count] of reader.hidden) found.set('hidden shapes', (found.get('hidden shapes') ?? 0) + count);
      const but = found.size === 0 ? '' : `, but ${listOf(found)}`;
      const remedy = 'draw outlines as closed paths, or name them in the option walkable (--map-floor NAME)';
      fail(source, '', `has no closed shape to walk in${but}; ${remedy}`);
    }
    const [x, y] = box ?? [0, 0];
    const hasSize = box !== undefined || (attributes['width'] !== undefined && attributes['height'] !== undefined);
    map.polygons.push({
      outline: hasSize ? rectangle([x, y, x + width, y + height], toResult) : rectangle(boundsOf(rings)),
      holes: [],
    });
    const size = hasSize ? `the picture of ${width} x ${height}` : 'the box around the walls';
    const remedy =
      'draw the floor as a closed shape and name it floor, or name it in the option walkable (--map-floor NAME)';
    warn(source, 'floor-guessed', '', `no shape is floor, so ${size} is walkable up to its walls; ${remedy}`);
  }
  reportRoles(reader, roles, lines);
  reportSmallFloor(reader, roles, map);
  reportLeftOut(reader);
  const precision = scale * precisionOf(reader, extent);
  const layers = [...reader.layers].map(([layer, enabled]) => ({ name: layer, enabled, ...lists.get(layer)! }));
  return {
    polygons: map.polygons,
    obstacles: map.obstacles,
    ...(map.areas.length > 0 ? { areas: map.areas } : {}),
    ...(layers.length > 0 ? { layers } : {}),
    yAxis: isUp ? 'up' : 'down',
    ...(precision > 0 ? { precision } : {}),
    warnings: [...source.warnings.values()],
  };
}

/** Returns how far apart points may lie that should touch: drawing programs round each step of a path to some digits. */
function precisionOf({ digits, shapes }: SvgReader, extent: number): number {
  if (digits < LEAST_DIGITS || digits > MOST_DIGITS) return 0;
  const norm = shapes.reduce((most, { matrix }) => Math.max(most, normOf(matrix)), 0);
  let unit = 3 * norm;
  for (let k = 0; k < digits; k++) unit /= 10;
  return Math.min(unit, extent / 1000);
}

function noLists(): SvgLists {
  return { polygons: [], obstacles: [], areas: [] };
}

function readRoot(reader: SvgReader, input: unknown): ReturnType<typeof readXml> {
  const { source } = reader;
  if (typeof input !== 'string' && !(input instanceof Uint8Array))
    throw new TypeError(
      `parseSvg: the first argument is ${show(input)}; must be the file's text, or its bytes (Uint8Array)`,
    );
  const text = typeof input === 'string' ? input : decodeUtf8(input, 0, input.length);
  spend(source, '', LETTER_BYTES * text.length, `XML of ${text.length} letters`);
  if (text.charCodeAt(0) === 0x1f && text.charCodeAt(1) !== 0x3c)
    fail(source, '', 'is compressed (.svgz); unpack it with gunzip');
  readEntities(reader, text);
  const root = readXml(text, (what) => fail(source, '', what));
  if (root.tag !== 'svg' && root.tag !== 'svg:svg')
    fail(source, '', `is not an SVG picture: its root is <${root.tag.slice(0, 40)}>; export it again`);
  return root;
}

/** Refuses entities made of entities; counts others, which are not expanded, and style sheets of other files. */
function readEntities({ source, ignored }: SvgReader, text: string): void {
  const root = text.search(/<(?:svg:)?svg[\s>]/);
  const head = root < 0 ? text : text.slice(0, root);
  for (const [, quoted] of head.matchAll(/<!ENTITY\s+(?:%\s*)?\S+\s+((?:"[^"]*"|'[^']*'|[^>"']+)+)>/g)) {
    if (/^\s*["'][^"']*[&%]/.test(quoted))
      fail(
        source,
        '',
        'declares entities that are made of entities, which can grow without limit; export it without a DOCTYPE',
      );
    // Namespaces of Illustrator are declared so.
    if (/^\s*["']https?:/.test(quoted)) continue;
    ignored.set('declared entities', (ignored.get('declared entities') ?? 0) + 1);
  }
  for (const _ of head.matchAll(/<\?xml-stylesheet/g))
    ignored.set('references to other files', (ignored.get('references to other files') ?? 0) + 1);
}

/** Returns the larger side of the box around all control points. */
function extentOf(shapes: readonly SvgShape[]): number {
  const rings = shapes.flatMap(({ subpaths, matrix }) =>
    subpaths.map(({ start, parts }) => {
      const points: ParsedPoint[] = [start];
      for (const part of parts) {
        points.push(part.end);
        if (part.kind === 'cubic') points.push(part.first, part.second);
        else if (part.kind === 'arc') {
          const {
            center: [x, y],
            u,
            v,
          } = part;
          const [rx, ry] = [0, 1].map((k) => Math.sqrt(u[k] * u[k] + v[k] * v[k]));
          points.push([x - rx, y - ry], [x + rx, y + ry]);
        }
      }
      return transform(points, matrix);
    }),
  );
  const [minX, minY, maxX, maxY] = boundsOf(rings);
  return rings.length === 0 ? 0 : Math.max(maxX - minX, maxY - minY);
}

function rectangle(
  [x, y, u, v]: readonly [number, number, number, number],
  matrix: Affine = [1, 0, 0, 1, 0, 0],
): ParsedRing {
  return transform(
    [
      [x, y],
      [u, y],
      [u, v],
      [x, v],
    ],
    matrix,
  );
}

interface Maker {
  reader: SvgReader;
  tolerance: number;
  toResult: Affine;
  budget: PolygonBudget;
}

/** Adds a shape to the map. Returns false for one without an area. */
function addTo(lists: SvgLists, maker: Maker, shape: SvgShape, role: 'floor' | 'wall' | 'area'): boolean {
  const { reader, toResult, budget } = maker;
  const { source } = reader;
  const { subpaths, style, matrix, strokeWidth, name, cost } = shape;
  const norm = normOf(matrix);
  if (!(norm > 0)) return false;
  const tolerance = maker.tolerance / norm;
  const pay = (points: number): void => spend(source, '', POINT_BYTES * points, 'the corners of its curves');
  const paths = subpaths.map((subpath) => ({
    points: flatten(subpath, tolerance, pay),
    isClosed: isClosedPath(subpath),
    corners: new Set([subpath.start, ...subpath.parts.map(({ end }) => end)]),
  }));
  const place = compose(toResult, matrix);
  const rings = (role === 'wall' && !isSolid(shape) ? [] : paths)
    .filter(({ isClosed }) => style.isFilled || isClosed)
    .map(({ points }) => transform(points, place));
  // In an outline that is only drawn, rings in each other are holes.
  const filled = fillRings(rings, style.isEvenOdd || !style.isFilled, budget).filter(
    ({ outline }) => areaOf(outline) > 0,
  );
  const strokes: ParsedRing[] = [];
  const isLine = role === 'wall' ? style.isStroked || filled.length === 0 : role === 'floor' && !style.isFilled;
  for (const path of isLine ? paths : []) {
    if (strokeWidth === 0 || (role === 'floor' && (path.isClosed || shape.mark === undefined || !style.isStroked)))
      continue;
    for (const ring of strokeRings(path, strokeWidth, style, tolerance, pay)) {
      const placed = transform(ring, place);
      if (areaOf(placed) > 0) strokes.push(placed);
    }
  }
  pay(strokes.reduce((sum, ring) => sum + ring.length, 0));
  const from = [name === '' ? '' : show(name), shape.layer === '' ? '' : `layer ${show(shape.layer)}`].filter(
    (one) => one !== '',
  );
  for (const ring of [...filled.map(({ outline }) => outline), ...strokes])
    nameRing(ring, from.length === 0 ? undefined : `${source.name}, ${from.join(' of ')}`);
  if (role === 'wall') {
    for (const polygon of filled) lists.obstacles.push(asOneRing(polygon));
    for (const ring of strokes) lists.obstacles.push(ring);
  } else if (role === 'floor') {
    for (const polygon of filled) lists.polygons.push(polygon);
    for (const outline of strokes) lists.polygons.push({ outline, holes: [] });
  } else {
    const known: Pick<ParsedArea, 'name' | 'cost'> = {
      name: name === '' ? `area ${lists.areas.length + 1}` : name,
      ...(cost > 0 ? { cost } : {}),
    };
    for (const polygon of filled) lists.areas.push({ ...known, ...polygon } satisfies ParsedArea & ParsedPolygon);
  }
  return filled.length + strokes.length > 0;
}

/** Returns whether the inside of a wall blocks, too: not where only its outline is drawn. */
function isSolid({ style: { isFilled, isStroked } }: SvgShape): boolean {
  return isFilled || !isStroked;
}

function isClosedPath({ start, parts, isClosed }: SvgShape['subpaths'][number]): boolean {
  const end = parts.at(-1)?.end;
  return isClosed || (parts.length > 1 && end !== undefined && end[0] === start[0] && end[1] === start[1]);
}
