/**
 * The words by which people mark what things in a Tiled map are: walls, zones, doors, costs.
 *
 * In: names, classes and properties.
 * Out: what they say.
 * Cost: linear in letters.
 * Based on: own; the words are those of published maps.
 */

/** Returns the words of a text as a set. A function, so that bundles leave out sets that they do not use. */
function wordSet(text: string): Set<string> {
  return new Set(text.split(' '));
}

/** Words of names and classes that block. */
const WALL_WORDS: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  'wall walls collision collisions collide collides collider colliders collidable solid solids obstacle obstacles ' +
    'block blocks blocked blocking blocker blockers impassable impassible unwalkable unpassable nonwalkable barrier barriers ' +
    'boundary boundaries bounds hitbox hitboxes ' +
    // Other languages, without accents.
    'pared paredes muro muros muralla murallas parede parete pareti mur murs mauer mauern wande waende hindernis hindernisse ' +
    'kollision kollisionen colision colisiones colisao colisoes collisione collisioni obstaculo obstaculos ostacolo ostacoli ' +
    'sciana sciany kolizja kolizje стена стены препятствие препятствия 墙 墙壁 碰撞 障碍 障碍物 壁 벽 충돌',
);
/** Ends of words that say what holds the walls: "collisionobjects", "walllayer". */
const HOLDER = /(layer|object|tile|shape|rect|area|box|map)(s|es)?$/;
/** Words next to them that mean the opposite, or a part that is only drawn. */
const OTHER_WORDS: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  'no non not above over overhead overlay shadow shadows deco decor decoration decorations',
);
/** Words of names and classes that never block without a mark. */
const ZONE_WORDS: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  'zone zones area areas region regions trigger triggers sensor sensors event events evento eventos eventi location locations interaction interactions spawn spawns spawner spawners ' +
    'spawnpoint spawnpoints start end finish marker markers checkpoint checkpoints goal goals exit exits entrance entrances door doors portal portals warp warps teleport teleports ' +
    'note notes label labels text npc npcs enemy enemies monster monsters mob mobs animal animals entity entities player players item items pickup pickups camera cameras light ' +
    'lights sound sounds music path paths waypoint waypoints route routes',
);
/** Words of object layers that are walkable rather than walls. */
const FLOOR_WORDS: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  'navmesh walkable walkarea walkmesh floor floors ground sol suelo suelos piso boden pavimento',
);
/** Words of layers that may be walls, where nothing else is. */
const LIKELY_WORDS: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  'building buildings house houses fence fences tree trees rock rocks cliff cliffs water object objects furniture props',
);
/** Words of doors. */
const DOOR_WORDS: ReadonlySet<string> = /* @__PURE__ */ wordSet('door doors gate gates doorway doorways');
/** Names of properties that say whether something blocks, in lower case without - and _. */
const COLLISION_PROPERTIES: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  'collides collide collision collisions collidable collider solid issolid block blocks blocked blocking isblocked wall ' +
    'iswall obstacle impassable unwalkable hascollision',
);
/** Properties that say the opposite. */
const PASSABLE_PROPERTIES = new Set(['passable', 'ispassable', 'iswalkable']);

/** Names of properties that are costs per unit of length. */
const COST_PROPERTIES: ReadonlySet<string> = /* @__PURE__ */ wordSet('cost movecost movementcost walkcost pathcost');
/** Names of properties that allow one direction only. */
const ONE_WAY_PROPERTIES: ReadonlySet<string> = /* @__PURE__ */ wordSet('oneway isoneway');
/** Names of properties that are the direction of what is one-way. */
const DIRECTION_PROPERTIES: ReadonlySet<string> = /* @__PURE__ */ wordSet('direction dir facing');
/** Words of directions: up, right, down, left. */
const DIRECTION_WORDS = ['up north top n', 'right east e', 'down south bottom s', 'left west w'];
/** Names of properties of doors that are closed, and of doors that are open. */
const CLOSED_PROPERTIES: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  'locked islocked startslocked closed isclosed startsclosed',
);
const OPEN_PROPERTIES: ReadonlySet<string> = /* @__PURE__ */ wordSet('open isopen startsopen opened enabled');
/** Texts of properties that mean true, and false. */
const TRUE_TEXTS: ReadonlySet<string> = /* @__PURE__ */ wordSet('true 1 yes always all full');
const FALSE_TEXTS: ReadonlySet<string> = /* @__PURE__ */ wordSet('false 0 no never none off');

/** What the name of a property says. */
export type PropertyKind = 'collision' | 'passable' | 'cost' | 'oneWay' | 'direction' | 'closed' | 'open';

const PROPERTY_KINDS: readonly (readonly [PropertyKind, ReadonlySet<string>])[] = [
  ['collision', COLLISION_PROPERTIES],
  ['passable', PASSABLE_PROPERTIES],
  ['cost', COST_PROPERTIES],
  ['oneWay', ONE_WAY_PROPERTIES],
  ['direction', DIRECTION_PROPERTIES],
  ['closed', CLOSED_PROPERTIES],
  ['open', OPEN_PROPERTIES],
];

/** Returns what the name of a property says: "Is-Blocked" is a collision. */
export function kindOfProperty(name: string): PropertyKind | undefined {
  const key = name.slice(0, 40).toLowerCase().replace(/[-_ ]/g, '');
  return PROPERTY_KINDS.find(([, names]) => names.has(key))?.[0];
}

/** Returns a truth value, also of 0, 1 and texts; undefined for others, such as names of groups. */
export function truthOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 0 || value === 1) return value === 1;
  if (typeof value !== 'string') return undefined;
  const text = value.trim().toLowerCase();
  return text === '' || TRUE_TEXTS.has(text) ? true : FALSE_TEXTS.has(text) ? false : undefined;
}

/** Returns the direction that a text names, as steps of columns and rows; undefined: none, or several. */
export function directionOf(value: unknown): readonly [x: number, y: number] | undefined {
  if (typeof value !== 'string') return undefined;
  const words = wordsOf(value);
  const found = DIRECTION_WORDS.flatMap((list, k) => (words.some((word) => list.split(' ').includes(word)) ? [k] : []));
  return found.length === 1
    ? (
        [
          [0, -1],
          [1, 0],
          [0, 1],
          [-1, 0],
        ] as const
      )[found[0]]
    : undefined;
}

/** Returns the words of a name, in lower case and without accents: "wallsTop_2" has walls and top. */
export function wordsOf(name: string): string[] {
  return name
    .slice(0, 200)
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .normalize('NFC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
}

/** Returns whether a name or class says that its shapes block. "floor/walls" does not: a part of it is something else. */
export function isWallName(name: string): boolean {
  const words = wordsOf(name);
  const isWall = (word: string): boolean => WALL_WORDS.has(word) || WALL_WORDS.has(word.replace(HOLDER, ''));
  if (!words.some(isWall) || words.some((word) => OTHER_WORDS.has(word))) return false;
  const parts = name.slice(0, 200).split(/[/+&,]/);
  return parts.length === 1 || !parts.some(isFloorName);
}

/** Returns whether a name or class says that its shapes are zones, starts and the like. */
export function isZoneName(name: string): boolean {
  return wordsOf(name).some((word) => ZONE_WORDS.has(word));
}

/** Returns whether a name says that the shapes of an object layer are the floor: also "NavMesh" and "walk_area". */
export function isFloorName(name: string): boolean {
  const words = wordsOf(name);
  return words.some((word, k) => FLOOR_WORDS.has(word) || FLOOR_WORDS.has(word + words[k + 1]));
}

/** Returns whether a layer may be one of walls. */
export function isLikelyWall(name: string): boolean {
  const words = wordsOf(name);
  return words.some((word) => LIKELY_WORDS.has(word)) && !words.some((word) => OTHER_WORDS.has(word));
}

/**
 * Returns whether an object is a door by its class, or without one by its name. Names of zones, such as "door spawn", are not.
 */
export function isDoor(kind: string, name: string): boolean {
  const words = wordsOf(kind === '' ? name : kind);
  return (
    words.some((word) => DOOR_WORDS.has(word)) && words.every((word) => DOOR_WORDS.has(word) || !ZONE_WORDS.has(word))
  );
}
