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
import { isRecord, show, warn } from '../json-source.ts';
import type { JsonRecord } from '../json-source.ts';
import type { ParsedRing } from '../map.ts';
import { fail, readArray } from '../json-source.ts';
import { areaOf } from '../rings.ts';
import { readFlag } from './source.ts';
import type { LayerPlace, LayerUse, TiledReader } from './types.ts';

/** Returns the words of a text as a set. A function, so that bundles leave out sets that they do not use. */
function wordSet(text: string): Set<string> {
  return new Set(text.split(' '));
}

/** Words of names and classes that block. */
const WALL_WORDS: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  'wall walls collision collisions collide collides collider colliders collidable solid solids obstacle obstacles ' +
    'block blocks blocked blocking blocker blockers impassable unwalkable unpassable nonwalkable barrier barriers ' +
    'boundary boundaries bounds hitbox hitboxes',
);
/** Words next to them that mean the opposite, or a part that is only drawn. */
const OTHER_WORDS: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  'no non not above over overhead overlay shadow shadows deco decor decoration decorations',
);
/** Words of names and classes that never block without a mark. */
const ZONE_WORDS: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  'zone zones area areas region regions trigger triggers sensor sensors event events spawn spawns spawner spawners ' +
    'spawnpoint spawnpoints start exit exits entrance entrances door doors portal portals warp warps teleport teleports ' +
    'note notes label labels text npc npcs enemy enemies player players item items pickup pickups camera cameras light ' +
    'lights sound sounds music path paths waypoint waypoints route routes',
);
/** Names of properties that say whether something blocks, in lower case without - and _. */
const COLLISION_PROPERTIES: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  'collides collide collision collisions collidable collider solid issolid block blocks blocked blocking isblocked wall ' +
    'iswall obstacle impassable unwalkable hascollision',
);
/** Properties that say the opposite. */
const PASSABLE_PROPERTIES = new Set(['passable', 'ispassable', 'iswalkable']);

/** Returns the words of a name, in lower case: "wallsTop_2" has walls and top. */
function wordsOf(name: string): string[] {
  return name
    .slice(0, 200)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}

/** Returns whether a name or class says that its shapes block. */
export function isWallName(name: string): boolean {
  const words = wordsOf(name);
  return words.some((word) => WALL_WORDS.has(word)) && !words.some((word) => OTHER_WORDS.has(word));
}

function isZoneName(name: string): boolean {
  return wordsOf(name).some((word) => ZONE_WORDS.has(word));
}

/** Returns the class of a layer or object, '' without one. Before Tiled 1.9, that of objects was their type. */
export function classOf(thing: JsonRecord): string {
  const { class: given, type } = thing;
  return typeof given === 'string' && given !== '' ? given : typeof type === 'string' ? type : '';
}

/** Returns whether a tile, object or layer blocks by a property; undefined when none says so. */
export function readCollision(reader: TiledReader, where: string, thing: JsonRecord): boolean | undefined {
  const { source, collisionProperty } = reader;
  const named = readFlag(source, where, thing, collisionProperty ?? 'collides');
  if (named !== undefined || collisionProperty !== undefined) return named;
  const { properties } = thing;
  if (properties === undefined) return undefined;
  const list: readonly unknown[] = isRecord(properties)
    ? Object.entries(properties).map(([name, value]) => ({ name, value }))
    : readArray(source, `${where}, properties`, properties);
  for (const property of list) {
    if (!isRecord(property) || typeof property['name'] !== 'string') continue;
    const key = property['name'].toLowerCase().replace(/[-_ ]/g, '');
    const isPassable = PASSABLE_PROPERTIES.has(key);
    if (!isPassable && !COLLISION_PROPERTIES.has(key)) continue;
    const truth = truthOf(property['value']);
    if (truth !== undefined) return truth !== isPassable;
  }
  return undefined;
}

/** Returns a truth value, also of 0, 1 and texts; undefined for others, such as names of groups. */
function truthOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 0 || value === 'false') return false;
  return value === 1 || value === 'true' || value === '' ? true : undefined;
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

/** Returns the record of a layer. Layers of one name are one. */
export function useOf({ uses }: TiledReader, { name, mark }: LayerPlace, kind: LayerUse['kind']): LayerUse {
  const key = `${kind} ${name}`;
  let use = uses.get(key);
  if (use === undefined) {
    use = { name, kind, walls: 0, wallArea: 0, free: 0, mark: mark ?? '', classes: new Set(), unmarked: [] };
    uses.set(key, use);
  }
  return use;
}

/** Counts a ring that blocks. */
export function addWall(use: LayerUse, ring: ParsedRing): void {
  use.walls++;
  use.wallArea += areaOf(ring);
}

/**
 * Decides about shapes without a mark: they block where nothing else does. Returns those that block, and warns of what was
 * guessed.
 */
export function resolveUnmarked(reader: TiledReader, mapArea: number): ParsedRing[] {
  const { source, uses } = reader;
  const all = [...uses.values()];
  const isMarked = reader.hasWalkable || all.some(({ walls }) => walls > 0);
  const rings: ParsedRing[] = [];
  const left: LayerUse[] = [];
  const guessed: LayerUse[] = [];
  for (const use of all) {
    if (use.unmarked.length === 0) continue;
    const isZone = use.mark === 'zones' || [...use.classes].some(isZoneName);
    if (isMarked || isZone) {
      use.free += use.unmarked.length;
      left.push(use);
      continue;
    }
    for (const ring of use.unmarked) {
      addWall(use, ring);
      rings.push(ring);
    }
    guessed.push(use);
  }
  if (guessed.length > 0) {
    const list = guessed.map((use) => `${showUse(use)} (${use.walls}, ${shareOf(use, mapArea)})`).join(', ');
    const [first] = guessed;
    const remedy = `walls: [${show(first.name)}] (--map-walls ${quoted(first.name)}) confirms it, ignore (--map-ignore) makes them free`;
    warn(
      source,
      'walls-guessed',
      '',
      `nothing is marked as a wall, so all shapes are taken as walls on ${list}; ${remedy}`,
    );
  }
  if (left.length > 0) {
    const count = left.reduce((sum, use) => sum + use.unmarked.length, 0);
    const list = left
      .slice(0, 8)
      .map((use) => `${showUse(use)} (${use.unmarked.length}${classesOf(use)})`)
      .join(', ');
    const remedy = `walls: [${show(left[0].name)}] (--map-walls ${quoted(left[0].name)}) makes them walls`;
    warn(
      source,
      'objects-not-walls',
      '',
      `${count} shapes are not marked as walls and do not block: ${list}; ${remedy}`,
    );
  }
  return rings;
}

/** Warns when nothing blocks, and lists the layers. */
export function warnOfOpen(reader: TiledReader): void {
  const { source, uses } = reader;
  const all = [...uses.values()];
  if (reader.hasWalkable || all.some(({ walls }) => walls > 0)) return;
  const list = all
    .slice(0, 8)
    .map((use) => `${showUse(use)} (${use.kind}, ${use.free})`)
    .join(', ');
  const remedy =
    'name the layer of the walls in the option walls (--map-walls NAME), or call it "walls", or give tiles the property "collides" or collision shapes';
  warn(
    source,
    'nothing-blocks',
    '',
    `nothing blocks, so the whole map is walkable; its layers are ${list || 'none'}; ${remedy}`,
  );
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
function quoted(name: string): string {
  return /^[\w-]+$/.test(name) ? name : show(name);
}

function showUse({ name }: LayerUse): string {
  return `layer ${show(name)}`;
}

function classesOf({ classes }: LayerUse): string {
  const list = [...classes]
    .filter((one) => one !== '')
    .slice(0, 4)
    .map((one) => show(one));
  return list.length === 0 ? '' : ` of class ${list.join(', ')}`;
}

function shareOf({ wallArea }: LayerUse, mapArea: number): string {
  return mapArea > 0 ? `${Math.round((1000 * wallArea) / mapArea) / 10} % of the area` : 'no area';
}
