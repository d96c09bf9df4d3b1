/**
 * Walks through the elements of a picture and gathers its shapes, with their transforms, styles and marks. `use` elements are
 * followed within the file. What cannot become a shape is counted.
 *
 * In: the root element.
 * Out: shapes, in the order in which they are drawn.
 * Cost: linear in the elements that are drawn; copies by `use` take memory from the budget.
 * Based on: SVG 2, chapters 5 and 8; own code.
 */
import { spend } from '../json-source.ts';
import { compose, translation } from '../tiled/affine.ts';
import type { Affine } from '../tiled/types.ts';
import type { XmlElement } from '../../text/xml.ts';
import { markOf, namesOf } from './marks.ts';
import { isShape, readShape } from './shapes.ts';
import { initialStyle, readSheet, statedProperties, styleWithin } from './style.ts';
import type { StyleSheet } from './style.ts';
import { readLength, readTransform, readViewBox, viewBoxTransform } from './transform.ts';
import type { Viewport } from './transform.ts';
import type { SvgMark, SvgReader, SvgStyle } from './types.ts';

/** Memory of an element that is drawn, and of a part of a path; bytes. */
const ELEMENT_BYTES = 1024;
const PART_BYTES = 256;
/** Uses of uses at most. */
const MAX_USES = 32;

/** What an element inherits. */
interface Place {
  matrix: Affine;
  style: SvgStyle;
  mark: SvgMark | undefined;
  /** The nearest name, for messages. */
  layer: string;
  switched: string;
  isHidden: boolean;
  viewport: Viewport;
  /** Elements that are being used around this one. */
  uses: readonly XmlElement[];
}

interface Walk {
  reader: SvgReader;
  sheet: StyleSheet;
  byId: Map<string, XmlElement>;
}

/** Elements whose content is not drawn where it stands. */
const NOT_DRAWN =
  /^(?:defs|symbol|clipPath|mask|marker|pattern|linearGradient|radialGradient|filter|title|desc|metadata|cursor|font|view)$/;
/** What is left out, by element. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  script: 'scripts',
  image: 'images',
  text: 'texts',
  foreignObject: 'embedded pages',
  animate: 'animations',
  animateTransform: 'animations',
  animateMotion: 'animations',
  set: 'animations',
  video: 'images',
  audio: 'images',
  iframe: 'embedded pages',
};

/** Gathers the shapes of a picture. */
export function readShapes(reader: SvgReader, root: XmlElement, viewport: Viewport): void {
  const walk: Walk = { reader, sheet: { rules: new Map(), ignored: 0 }, byId: new Map() };
  indexElements(walk, root);
  count(reader, 'rules of style sheets', walk.sheet.ignored);
  const place: Place = {
    matrix: [1, 0, 0, 1, 0, 0],
    style: initialStyle(),
    mark: undefined,
    layer: '',
    switched: '',
    isHidden: false,
    viewport,
    uses: [],
  };
  // The names of the root are those of the picture, and no marks.
  const style = styleWithin(place.style, statedProperties(walk.sheet, root));
  for (const child of root.children) visit(walk, child, { ...place, style });
}

function count({ ignored }: SvgReader, kind: string, more: number = 1): void {
  if (more > 0) ignored.set(kind, (ignored.get(kind) ?? 0) + more);
}

/** Finds ids and style sheets, and counts scripts, also those in attributes. */
function indexElements(walk: Walk, element: XmlElement): void {
  const { tag, attributes, children, text } = element;
  // Some programs write svg:path for path.
  if (tag.startsWith('svg:')) element.tag = tag.slice(4);
  const { id } = attributes;
  if (id !== undefined && !walk.byId.has(id)) walk.byId.set(id, element);
  if (element.tag === 'style') readSheet(walk.sheet, text);
  for (const key of Object.keys(attributes)) if (/^on[a-z]/.test(key)) count(walk.reader, 'scripts');
  for (const child of children) indexElements(walk, child);
}

function visit(walk: Walk, element: XmlElement, outer: Place): void {
  const { reader } = walk;
  const { tag, attributes } = element;
  if (NOT_DRAWN.test(tag) || tag.includes(':') || tag === 'style') return;
  const left = Object.hasOwn(LEFT_OUT, tag) ? LEFT_OUT[tag] : undefined;
  if (left !== undefined) return count(reader, left);
  spend(reader.source, '', ELEMENT_BYTES, 'its elements, with those that are used several times');
  const place = placeWithin(walk, element, outer);
  if (isShape(tag)) return addShape(walk, element, place);
  switch (tag) {
    case 'g':
    case 'a':
      for (const child of element.children) visit(walk, child, place);
      break;
    case 'switch': {
      const shown = element.children.find(
        (child) => child.tag !== 'foreignObject' && (child.attributes['requiredExtensions'] ?? '') === '',
      );
      if (shown !== undefined) visit(walk, shown, place);
      break;
    }
    case 'svg':
      visitViewport(walk, element, place, attributes['width'], attributes['height']);
      break;
    case 'use':
      visitUse(walk, element, place);
      break;
    default:
      count(reader, 'unknown elements');
  }
}

/** Returns what an element and its content inherit. */
function placeWithin({ reader, sheet }: Walk, element: XmlElement, outer: Place): Place {
  const { attributes } = element;
  const stated = statedProperties(sheet, element);
  const names = namesOf(element);
  for (const name of names) reader.names.add(name);
  const own = markOf(reader, element);
  // What an option lists is so with all of its content, although names in it may say what it is.
  const isListed = own?.isListed === true || outer.mark?.isListed === true;
  const mark = outer.mark?.role === 'ignored' ? outer.mark : own === undefined ? outer.mark : { ...own, isListed };
  const matrix = readTransform(stated.get('transform') ?? attributes['transform']);
  if (matrix === undefined) count(reader, 'transforms that cannot be read');
  for (const key of ['clip-path', 'mask']) {
    const value = stated.get(key) ?? attributes[key];
    if (value !== undefined && value !== 'none') count(reader, 'clip paths and masks');
  }
  const dashes = stated.get('stroke-dasharray') ?? attributes['stroke-dasharray'];
  if (dashes !== undefined && dashes !== 'none') count(reader, 'dashes');
  const isOff = stated.get('display') === 'none';
  const switched = attributes['data-layer'];
  if (switched !== undefined) reader.layers.set(switched, reader.layers.get(switched) !== false && !isOff);
  return {
    ...outer,
    matrix: matrix === undefined ? outer.matrix : compose(outer.matrix, matrix),
    style: styleWithin(outer.style, stated),
    mark,
    layer: isShape(element.tag) ? outer.layer : (names[0] ?? outer.layer),
    switched: switched ?? outer.switched,
    isHidden: outer.isHidden || (isOff && switched === undefined),
  };
}

function addShape({ reader }: Walk, element: XmlElement, place: Place): void {
  const { attributes } = element;
  const { matrix, style, mark, switched, viewport } = place;
  const names = namesOf(element);
  const layer = place.layer === '' ? (names[0] ?? '') : place.layer;
  if (mark?.role === 'ignored') return;
  // What an option names is read although it is hidden, as are layers of walls in maps of Tiled.
  const isPainted = style.isFilled || style.isStroked || mark !== undefined;
  if ((place.isHidden || !style.isVisible || !isPainted) && mark?.isListed !== true) {
    reader.hidden.set(layer, (reader.hidden.get(layer) ?? 0) + 1);
    return;
  }
  const { subpaths, isDamaged } = readShape(element, viewport);
  if (isDamaged) reader.damaged++;
  for (const [digits] of (attributes['d'] ?? attributes['points'] ?? '').matchAll(/\.\d+/g))
    reader.digits = Math.max(reader.digits, digits.length - 1);
  if (subpaths.length === 0) return;
  let parts = 0;
  for (const subpath of subpaths) parts += 1 + subpath.parts.length;
  spend(reader.source, '', PART_BYTES * parts, `paths of ${parts} parts`);
  const whole = Math.sqrt((viewport.width * viewport.width + viewport.height * viewport.height) / 2);
  reader.shapes.push({
    subpaths,
    style,
    strokeWidth: Math.max(0, readLength(style.strokeWidth, whole) ?? 1),
    matrix,
    mark,
    layer,
    switched,
    name: attributes['data-name'] ?? attributes['inkscape:label'] ?? attributes['id'] ?? '',
    cost: Number(attributes['data-cost'] ?? NaN),
  });
}

function visitUse(walk: Walk, element: XmlElement, place: Place): void {
  const { attributes } = element;
  const { reader, byId } = walk;
  const target = attributes['href'] ?? attributes['xlink:href'] ?? '';
  if (!target.startsWith('#')) return count(reader, 'references to other files');
  const used = byId.get(target.slice(1));
  if (used === undefined) return count(reader, 'references to missing elements');
  if (place.uses.includes(used) || place.uses.length === MAX_USES) return count(reader, 'references in a circle');
  const x = readLength(attributes['x'], place.viewport.width) ?? 0;
  const y = readLength(attributes['y'], place.viewport.height) ?? 0;
  const moved = { ...place, matrix: compose(place.matrix, translation(x, y)), uses: [...place.uses, used] };
  if (used.tag === 'symbol' || used.tag === 'svg') {
    const inner = placeWithin(walk, used, moved);
    const width = attributes['width'] ?? used.attributes['width'];
    visitViewport(walk, used, inner, width, attributes['height'] ?? used.attributes['height']);
  } else visit(walk, used, moved);
}

/** Visits the content of a symbol or an embedded picture, which may have a view box of its own. */
function visitViewport(
  walk: Walk,
  { tag, attributes, children }: XmlElement,
  place: Place,
  width: string | undefined,
  height: string | undefined,
): void {
  const outer = place.viewport;
  const viewport = {
    width: readLength(width, outer.width) ?? outer.width,
    height: readLength(height, outer.height) ?? outer.height,
  };
  const [x, y] = tag === 'svg' ? [attributes['x'], attributes['y']] : [];
  let matrix = compose(place.matrix, translation(readLength(x, outer.width) ?? 0, readLength(y, outer.height) ?? 0));
  const box = readViewBox(attributes['viewBox']);
  if (box !== undefined) matrix = compose(matrix, viewBoxTransform(box, viewport, attributes['preserveAspectRatio']));
  const inner = box === undefined ? viewport : { width: box[2], height: box[3] };
  for (const child of children) visit(walk, child, { ...place, matrix, viewport: inner });
}
