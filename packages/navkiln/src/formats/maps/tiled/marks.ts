/**
 * Decides what blocks in a Tiled map, as people mark it: a property of a tile, an object or a layer; a shape of Tiled's
 * collision editor; or a layer or class whose name says so. Counts what was found, layer by layer.
 *
 * Shapes on other layers are often zones, triggers, starts or notes. They block only where nothing else does, and where
 * their names do not say otherwise.
 *
 * In: layers, objects and tiles as they are read.
 * Out: their marks, and warnings about shapes that were taken as walls, or were not.
 * Cost: linear in names.
 * Based on: own; the words are those of published maps.
 */
import { plural } from '../../../base/data/plural.ts';
import { fail, show, warn } from '../json-source.ts';
import type { JsonRecord, JsonSource } from '../json-source.ts';
import type { MapLayerReport, ParsedMapWarningCode, ParsedRing } from '../map.ts';
import { areaOf } from '../rings.ts';
import { listProperties, readFlag } from './source.ts';
import type { LayerPlace, LayerUse, TiledReader, UnmarkedShape } from './types.ts';
import { isFloorName, isLikelyWall, isWallName, isZoneName, kindOfProperty, truthOf } from './words.ts';

/** Returns the class of a layer or object, '' without one. Before Tiled 1.9, that of objects was their type. */
export function classOf(thing: JsonRecord): string {
  const { class: given, type } = thing;
  return typeof given === 'string' && given !== '' ? given : typeof type === 'string' ? type : '';
}

/** Returns whether a tile, object or layer blocks by a property; undefined when none says so. */
export function readCollision(reader: TiledReader, where: string, thing: JsonRecord): boolean | undefined {
  const { source, collisionProperty } = reader;
  if (collisionProperty !== undefined) return readFlag(source, where, thing, collisionProperty);
  for (const { name, value } of listProperties(source, where, thing)) {
    const kind = kindOfProperty(name);
    if (kind !== 'collision' && kind !== 'passable') continue;
    const truth = truthOf(value);
    if (truth !== undefined) return truth === (kind === 'collision');
    const what = `has a property ${show(name, source)} that is ${show(value, source)}, which is neither true nor false; ignored`;
    warn(source, 'property-ignored', where, what);
  }
  return undefined;
}

/** Returns the mark of a layer: its option, its name or class, or that of its group. */
export function markOf(
  reader: TiledReader,
  name: string,
  layer: JsonRecord,
  parent: LayerPlace['mark'],
): LayerPlace['mark'] {
  const { walls, ignore, layerRecords } = reader;
  layerRecords.add(name);
  if (ignore.has(name)) return 'ignored';
  if (walls.has(name)) return 'walls';
  if (parent === 'ignored') return parent;
  // Layers have no class before Tiled 1.9, and `type` is their kind.
  const given = typeof layer['class'] === 'string' ? layer['class'] : '';
  if (isWallName(name) || isWallName(given)) return 'walls';
  if (isZoneName(name) || isZoneName(given)) return 'zones';
  return parent;
}

/** Warnings name at most this many layers. */
const MOST_LAYERS = 8;

/** Returns the record of a layer. Layers of one name are one. */
export function useOf({ uses }: TiledReader, { name, mark, isWalkable }: LayerPlace, kind: LayerUse['kind']): LayerUse {
  const key = `${kind} ${name}`;
  let use = uses.get(key);
  if (use === undefined) {
    const as = isWalkable ? 'floor' : mark === 'walls' || mark === 'zones' ? mark : '';
    use = { name, kind, walls: 0, wallArea: 0, free: 0, freeArea: 0, mark: as, classes: new Set(), unmarked: [] };
    uses.set(key, use);
  }
  return use;
}

/** Counts a ring that blocks. */
export function addWall(use: LayerUse, ring: ParsedRing): void {
  use.walls++;
  use.wallArea += areaOf(ring);
}

/** Counts a ring that does not block. */
export function addFree(use: LayerUse, ring: ParsedRing, kind: string): void {
  use.free++;
  use.freeArea += areaOf(ring);
  if (kind !== '') use.classes.add(kind);
}

/**
 * Decides about shapes without a mark: they block where nothing else does. Returns those that block, and warns of what was
 * guessed.
 */
export function resolveUnmarked(reader: TiledReader): ParsedRing[] {
  const all = [...reader.uses.values()];
  const isMarked = reader.hasWalkable || all.some(({ walls }) => walls > 0);
  const rings: ParsedRing[] = [];
  const guessed: LayerShapes[] = [];
  const left: LayerShapes[] = [];
  for (const use of all) {
    const free = use.unmarked.filter(({ isZone }) => isMarked || isZone);
    const walls = use.unmarked.filter(({ isZone }) => !isMarked && !isZone);
    for (const { ring, kind } of free) addFree(use, ring, kind);
    for (const { ring } of walls) {
      addWall(use, ring);
      rings.push(ring);
    }
    if (free.length > 0) left.push({ use, shapes: free });
    if (walls.length > 0) guessed.push({ use, shapes: walls });
  }
  if (guessed.length > 0) {
    const name = guessed[0].use.name;
    const remedy = `walls: [${show(name)}] (--map-walls ${quoted(name)}) confirms it, ignore (--map-ignore) makes them free`;
    const what = `nothing is marked as a wall, so these are taken as walls: ${listShapes(reader, guessed, 'walls')}; ${remedy}`;
    warnOf(reader, 'walls-guessed', guessed, what);
  }
  if (left.length > 0) {
    warnOf(reader, 'objects-not-walls', left, `${listShapes(reader, left, 'free')}; ${remedyOf(left)}`);
  }
  return rings;
}

/** Returns what changes that shapes do not block: the option for the layer that most likely needs one. */
function remedyOf(left: readonly LayerShapes[]): string {
  const floor = left.find(({ use }) => isFloorName(use.name));
  const other = left.find(({ use, shapes }) => !isFloorName(use.name) && shapes.some(({ isZone }) => !isZone));
  const { use } = other ?? floor ?? left[0];
  const name = show(use.name);
  if (other === undefined && floor !== undefined)
    return `walkable: [${name}] (--map-floor ${quoted(use.name)}) makes them the floor`;
  const walls = `walls: [${name}] (--map-walls ${quoted(use.name)}) makes them walls`;
  const ignore = `ignore: [${name}] (--map-ignore ${quoted(use.name)}) leaves them out without this warning`;
  return other === undefined ? `${ignore}, ${walls}` : `${walls}, ${ignore}`;
}

/** Shapes of a layer. */
interface LayerShapes {
  use: LayerUse;
  shapes: readonly UnmarkedShape[];
}

/** Returns layers with the number, the classes and the share of their shapes. */
function listShapes(reader: TiledReader, list: readonly LayerShapes[], as: 'walls' | 'free'): string {
  const parts = list.slice(0, MOST_LAYERS).map(({ use, shapes }) => {
    const count = plural(shapes.length, 'object');
    const area = shapes.reduce((sum, { ring }) => sum + areaOf(ring), 0);
    const classes = classesOf(new Set(shapes.map(({ kind }) => kind)));
    const verb = as === 'walls' ? '' : shapes.length === 1 ? ' is not a wall' : ' are not walls';
    return `layer ${show(use.name)}: ${count}${classes}${verb} (${shareOf(area, reader)} of the map)`;
  });
  if (list.length > MOST_LAYERS) parts.push(`and ${plural(list.length - MOST_LAYERS, 'more layer')}`);
  return parts.join(', ');
}

/** Warns when nothing blocks, and lists the layers. */
export function warnOfOpen(reader: TiledReader): void {
  const all = [...reader.uses.values()];
  if (reader.hasWalkable || all.some(({ walls }) => walls > 0)) return;
  const list = all
    .slice(0, MOST_LAYERS)
    .map(
      ({ name, kind, free, freeArea }) =>
        `layer ${show(name)} (${plural(free, kind.slice(0, -1))}, ${shareOf(freeArea, reader)} of the map)`,
    )
    .join(', ');
  const likely = all.filter(({ name, free }) => free > 0 && isLikelyWall(name)).slice(0, MOST_LAYERS);
  const example = likely.length === 0 ? 'NAME' : quoted(likely.map(({ name }) => name).join(','));
  const remedy = `name the layers of the walls in the option walls (--map-walls ${example}), or call them "walls", or give tiles the property "collides" or collision shapes`;
  const count = all.reduce((sum, { free }) => sum + free, 0);
  warnWithCount(
    reader.source,
    'nothing-blocks',
    Math.max(count, 1),
    '',
    `nothing blocks, so the whole map is walkable; its layers are ${list || 'none'}; ${remedy}`,
  );
  reader.source.warnings.get('nothing-blocks')!.layers = reportLayers(reader);
}

/** Adds a warning with the reports of its layers. Its count is that of their shapes. */
function warnOf(reader: TiledReader, code: ParsedMapWarningCode, list: readonly LayerShapes[], message: string): void {
  const { source } = reader;
  warnWithCount(
    source,
    code,
    list.reduce((sum, { shapes }) => sum + shapes.length, 0),
    '',
    message,
  );
  source.warnings.get(code)!.layers = list.map(({ use }) => reportOf(use, reader));
}

/** Adds a warning whose cases were counted. */
export function warnWithCount(
  source: JsonSource,
  code: ParsedMapWarningCode,
  count: number,
  where: string,
  what: string,
): void {
  warn(source, code, where, what);
  source.warnings.get(code)!.count += count - 1;
}

/** Returns what each layer was taken for. */
export function reportLayers(reader: TiledReader): MapLayerReport[] {
  return [...reader.uses.values()].map((use) => reportOf(use, reader));
}

function reportOf(
  { name, kind, mark, walls, wallArea, free, freeArea, classes }: LayerUse,
  { mapArea }: TiledReader,
): MapLayerReport {
  const share = (area: number): number => (mapArea > 0 ? Math.round((1e4 * area) / mapArea) / 1e4 : 0);
  return {
    layer: name,
    kind,
    mark,
    blocking: walls,
    blockingShare: share(wallArea),
    free,
    freeShare: share(freeArea),
    classes: [...classes],
  };
}

/** Fails when the options name a layer that the map does not have. */
export function checkNames({ source, walls, ignore, layerRecords }: TiledReader): void {
  for (const [option, names] of [
    ['walls', walls],
    ['ignore', ignore],
  ] as const) {
    for (const name of names) {
      if (layerRecords.has(name)) continue;
      const known = [...layerRecords]
        .slice(0, 8)
        .map((one) => show(one))
        .join(', ');
      fail(
        source,
        '',
        `has no layer ${show(name)}, which the option ${option} names; its layers are ${known || 'none'}`,
      );
    }
  }
}

/** Returns a name as the command line takes it. */
export function quoted(name: string): string {
  return /^[\w,-]+$/.test(name) ? name : show(name);
}

function classesOf(classes: ReadonlySet<string>): string {
  const list = [...classes]
    .filter((one) => one !== '')
    .slice(0, 4)
    .map((one) => show(one));
  return list.length === 0 ? '' : ` of class ${list.join(', ')}`;
}

/** Returns an area as a share of the map, in percent. */
export function shareOf(area: number, { mapArea }: TiledReader): string {
  return mapArea > 0 ? `${Math.round((1000 * area) / mapArea) / 10} %` : '0 %';
}
