/**
 * Makes named areas of a Tiled map: costs of tiles and layers, and doors.
 *
 * Tiles with a cost become areas on the cells that they cover. An object that is a door becomes an area of its own, which
 * `setEnabled` opens and closes. Tiles that are crossed in one direction become links.
 *
 * In: tiles and objects as they are read.
 * Out: areas, links; warnings about costs that do not count.
 * Cost: linear in cells.
 * Based on: own.
 */
import { plural } from '../../../base/data/plural.ts';
import { show, warn } from '../json-source.ts';
import type { JsonRecord } from '../json-source.ts';
import type { ParsedArea, ParsedLink, ParsedPoint } from '../map.ts';
import { transform } from './affine.ts';
import { warnWithCount } from './marks.ts';
import { listProperties } from './source.ts';
import { trace } from './trace.ts';
import type { Affine, CellSet, Crossing, LayerPlace, OneWay, TiledReader, TiledTile } from './types.ts';
import { directionOf, kindOfProperty, truthOf } from './words.ts';

/** Names of areas that a mesh can have. */
const MOST_NAMES = 62;

/** Returns the cost of a tile, a layer or an object by its property; undefined when it has none that counts. */
export function readCost({ source }: TiledReader, where: string, thing: JsonRecord): number | undefined {
  for (const { name, value } of listProperties(source, where, thing)) {
    if (kindOfProperty(name) !== 'cost') continue;
    const cost = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof cost === 'number' && cost > 0 && cost < Infinity) return cost;
    const what = `has a property ${show(name, source)} that is ${show(value, source)}; ignored, as costs are numbers above 0`;
    warn(source, 'cost-ignored', where, what);
  }
  return undefined;
}

/** Returns whether a property says that a tile, a layer or an object allows one direction only, and which. */
export function readOneWay({ source }: TiledReader, where: string, thing: JsonRecord): OneWay {
  let isOneWay = false;
  let direction: OneWay | undefined;
  for (const { name, value } of listProperties(source, where, thing)) {
    const kind = kindOfProperty(name);
    if (kind !== 'oneWay' && kind !== 'direction') continue;
    direction ??= directionOf(value);
    // Directions such as "up" are neither true nor false.
    if (kind === 'oneWay' && value !== undefined && value !== null && truthOf(value) !== false) isOneWay = true;
  }
  return isOneWay && (direction ?? true);
}

/** Returns whether a door is closed at first: by its own properties, or because it blocks. */
export function isClosedDoor({ source }: TiledReader, where: string, object: JsonRecord, blocks: boolean): boolean {
  for (const { name, value } of listProperties(source, where, object)) {
    const kind = kindOfProperty(name);
    const truth = kind === 'closed' || kind === 'open' ? truthOf(value) : undefined;
    if (truth !== undefined) return truth === (kind === 'closed');
  }
  return blocks;
}

/** Returns the name and the cost of the area of a tile on a layer; undefined: it has none. */
export function areaOfTile(
  reader: TiledReader,
  tile: TiledTile | undefined,
  place: LayerPlace,
): { name: string; cost: number | undefined } | undefined {
  const cost = tile?.cost ?? place.cost;
  const name = tile?.area ?? place.area;
  if (name !== undefined && name !== '') return { name, cost };
  if (cost === undefined) return undefined;
  // Without an area below, a cost of 1 changes nothing.
  if (cost === 1 && reader.areas.length === 0) return undefined;
  const own = tile?.cost === undefined ? place.name : tile.kind;
  return { name: nameWithCost(reader, own, cost), cost };
}

/** Returns a name for the areas of a cost. Areas of one name have one cost, so others get it in their name. */
function nameWithCost({ derivedCosts, areas }: TiledReader, own: string, cost: number): string {
  const plain = own === '' ? `cost ${cost}` : own;
  const known = derivedCosts.get(plain) ?? areas.find(({ name }) => name === plain)?.cost;
  const name = known === undefined || known === cost ? plain : `${plain} (cost ${cost})`;
  derivedCosts.set(name, cost);
  return name;
}

/** Adds the areas of the cells of a layer. `codes`: the place of each cell's area in the list, plus one; 0: none. */
export function addCellAreas(
  reader: TiledReader,
  list: readonly { name: string; cost: number | undefined }[],
  codes: Uint8Array,
  set: Omit<CellSet, 'cells'>,
  toResult: Affine,
  areas: ParsedArea[],
): void {
  list.forEach(({ name, cost }, k) => {
    const cells = codes.map((code) => (code === k + 1 ? 1 : 0));
    for (const polygon of trace(reader, { ...set, cells }, toResult))
      areas.push({ name, ...(cost === undefined ? {} : { cost }), ...polygon });
  });
}

/** Makes areas of doors. When there are too many names, doors without one share theirs, then all doors do. */
export function resolveDoors(reader: TiledReader): void {
  const { doors, areas, layers, source } = reader;
  if (doors.length === 0) return;
  const others = new Set([...areas, ...[...layers.values()].flatMap((layer) => layer.areas)].map(({ name }) => name));
  const nameOf = [
    ({ name, id }: (typeof doors)[number], i: number) => name || `door ${typeof id === 'number' ? id : i + 1}`,
    ({ name }: (typeof doors)[number]) => name || 'doors',
    () => 'doors',
  ];
  const step = nameOf.findIndex((name) => new Set([...others, ...doors.map(name)]).size <= MOST_NAMES);
  const name = nameOf[step < 0 ? nameOf.length - 1 : step];
  if (step !== 0) {
    const which = step === 1 ? 'doors without a name' : 'all doors';
    const count = step === 1 ? doors.filter((door) => door.name === '').length : doors.length;
    const what = `a mesh has at most ${MOST_NAMES} names of areas, so ${which} share the name "doors" and open together; `;
    warnWithCount(source, 'names-shared', count, '', `${what}give doors that open together one name`);
  }
  doors.forEach((door, i) => {
    const area = { name: name(door, i), outline: door.outline, holes: [] };
    areas.push(door.isClosed ? { ...area, enabled: false } : area);
  });
}

/** Counts a tile or an object that allows one direction only. */
export function addOneWay({ oneWays }: TiledReader, where: string, count: number): void {
  if (oneWays.count === 0) oneWays.where = where;
  oneWays.count += count;
}

/** Warns of tiles and objects that allow one direction only, which areas cannot say. */
export function warnOfOneWays({ source, oneWays: { count, where } }: TiledReader): void {
  if (count === 0) return;
  const what = `${count === 1 ? '1 tile or object is' : `${count} tiles and objects are`} marked as one-way, but can be crossed both ways; `;
  const remedy =
    'tiles of an orthogonal map lead one way with a direction (up, down, left or right); let others block (collides), and add a link over each (addLink)';
  warnWithCount(source, 'one-way-ignored', count, where, what + remedy);
}

/** Returns links over the cells that are crossed in one direction, one for each row of them. */
export function linksOf({ source, crossings }: TiledReader): ParsedLink[] {
  const links: ParsedLink[] = [];
  const isSame = (column: number, row: number, [x, y]: Crossing['direction']): boolean => {
    const other = crossings.get(`${column},${row}`)?.direction;
    return other !== undefined && other[0] === x && other[1] === y;
  };
  for (const { column, row, direction, toResult } of crossings.values()) {
    const [x, y] = direction;
    if (isSame(column - x, row - y, direction)) continue;
    let length = 1;
    while (isSame(column + length * x, row + length * y, direction)) length++;
    const centers: ParsedPoint[] = [-1, length].map((k) => [column + k * x + 0.5, row + k * y + 0.5]);
    const [start, end] = transform(centers, toResult);
    links.push({ start, end });
  }
  if (links.length > 0) {
    const what = `${plural(crossings.size, 'one-way tile blocks', 'one-way tiles block')}, and ${plural(links.length, 'link leads', 'links lead')} over them`;
    const remedy = 'addLink adds each of the links of the map (navkiln bake and the studio do)';
    warnWithCount(source, 'one-way-links', links.length, '', `${what}; ${remedy}`);
  }
  return links;
}
