/**
 * Snapshots of a world: its obstacles, levels and waiting tiles, and its mesh (mesh/rollback/).
 *
 * Levels, placements and packed spans are replaced and never changed, so references to them are kept. A tile that was
 * begun within a time budget begins again after a rewind.
 *
 * In: a world between two updates, or a snapshot of it.
 * Out: the snapshot, or the world as it was.
 * Cost: linear in the tiles and obstacles of the world, about 20 ns each, and that of the mesh.
 * Based on: own.
 */
import { refuse, refuseType } from '../../base/data/refuse.ts';
import { captureMesh, rewindMesh } from '../../mesh/rollback/mesh-snapshot.ts';
import type { MeshSnapshot } from '../../mesh/rollback/mesh-snapshot.ts';
import { checkWorld } from '../levels/marks.ts';
import type { LiveObstacle, World } from '../levels/types.ts';
import { heightsOf } from '../levels/update.ts';

/** A copy of a map: keys and values in turns. */
type Pairs = unknown[];

/** The state of a world and its mesh. Only `rewindWorld` of the same world takes it. */
export interface WorldSnapshot {
  world: World;
  mesh: MeshSnapshot;
  /** Fields of the world that are no collections. @internal */
  fields: Partial<World>;
  /** Maps whose values are replaced and never changed. @internal */
  maps: Pairs[];
  /** Maps to lists of ids. @internal */
  lists: Pairs[];
  /** @internal */
  sets: unknown[][];
  /** An id, the obstacle, a copy of it, and a copy of its options, in turns. @internal */
  obstacles: unknown[];
  /** @internal */
  warnings: World['warnings'];
  /** The switched layers of a 2D map, and the height of tiles. @internal */
  builder: { layers: Record<string, boolean>; originY: number; minY: number; maxY: number };
  /** What the option `provisional` knows. @internal */
  provisional: unknown;
}

const FIELDS = ['pathIndex', 'strict', 'areLinksPending', 'nextId', 'nextObstacleId'] as const;
const MAPS = ['levels', 'layers', 'base'] as const;
const LISTS = ['seenBy', 'carvedBy'] as const;
const SETS = ['waiting', 'marked', 'queued'] as const;

/**
 * Captures a world and its mesh: levels, obstacles and where they wait, tiles that wait for an update, doors and links.
 * Call it between updates. `updateWorld` gives the same mesh after a rewind if its budget counts tiles and not
 * milliseconds.
 *
 * @param snapshot an earlier snapshot of the world, which is overwritten; without it, a new one is created
 * @returns the snapshot
 * @throws TypeError for a snapshot of another world, for a world with a path index, automatic links or `keepReachable`, which have
 *   memory of their own, and while `bakeWorld` is running
 */
export function captureWorld(world: World, snapshot?: WorldSnapshot): WorldSnapshot {
  checkSnapshot('captureWorld', world, snapshot);
  checkFollowers('captureWorld', world);
  const out: WorldSnapshot = snapshot ?? {
    world,
    mesh: captureMesh(world.navMesh),
    fields: {},
    maps: MAPS.map(() => []),
    lists: LISTS.map(() => []),
    sets: SETS.map(() => []),
    obstacles: [],
    warnings: [],
    builder: { layers: {}, originY: 0, minY: 0, maxY: 0 },
    provisional: undefined,
  };
  out.mesh = captureMesh(world.navMesh);
  for (const name of FIELDS) (out.fields as Record<string, unknown>)[name] = world[name];
  MAPS.forEach((name, i) => copyMap(out.maps[i], world[name]));
  LISTS.forEach((name, i) => copyLists(out.lists[i], world[name]));
  SETS.forEach((name, i) => copySet(out.sets[i], world[name]));
  copyObstacles(out.obstacles, world);
  out.warnings = world.warnings.slice();
  out.provisional = world.provisional?.capture(world);
  const { builder } = world;
  for (const { name, enabled } of builder.mapLayers?.list() ?? []) out.builder.layers[name] = enabled;
  Object.assign(out.builder, heightsOf(world), { originY: builder.settings.origin[1] });
  return out;
}

/**
 * Brings a world and its mesh back to a snapshot. Ids of levels and obstacles are those of that time; later ones may be given
 * out again. Rewind the crowds on its mesh, too.
 *
 * @throws TypeError for a snapshot of another world and while `bakeWorld` is running; Error when levels that wait for
 *   their first update have moved the height from which tiles count
 */
export function rewindWorld(world: World, snapshot: WorldSnapshot): void {
  if (snapshot === undefined) refuseType('rewindWorld', 'snapshot', snapshot, 'a WorldSnapshot of captureWorld');
  checkSnapshot('rewindWorld', world, snapshot);
  checkFollowers('rewindWorld', world);
  rewindBuilder(world, snapshot);
  rewindMesh(world.navMesh, snapshot.mesh);
  Object.assign(world, snapshot.fields);
  MAPS.forEach((name, i) => restoreMap(world[name] as Map<unknown, unknown>, snapshot.maps[i]));
  LISTS.forEach((name, i) => restoreLists(world[name], snapshot.lists[i]));
  SETS.forEach((name, i) => restoreSet(world[name], snapshot.sets[i]));
  restoreObstacles(world, snapshot.obstacles);
  world.warnings = snapshot.warnings.slice();
  world.provisional?.rewind(world, snapshot.provisional);
  world.partial = null;
  world.building.clear();
}

/** Switches the layers of a map back, and the height from which tiles count. */
function rewindBuilder({ builder }: World, { builder: { layers, originY, minY, maxY } }: WorldSnapshot): void {
  builder.mapLayers?.switch('rewindWorld', layers);
  if (builder.settings.origin[1] === originY) return;
  builder.fitHeight(minY, maxY);
  if (builder.settings.origin[1] !== originY)
    throw new Error(
      'rewindWorld: the snapshot was captured before levels of another height were built; capture worlds after updateWorld',
    );
}

function copyMap(out: Pairs, map: ReadonlyMap<unknown, unknown>): void {
  out.length = 2 * map.size;
  let i = 0;
  for (const [key, value] of map) {
    out[i++] = key;
    out[i++] = value;
  }
}

function restoreMap(map: Map<unknown, unknown>, pairs: Pairs): void {
  map.clear();
  for (let i = 0; i < pairs.length; i += 2) map.set(pairs[i], pairs[i + 1]);
}

function copyLists(out: Pairs, map: ReadonlyMap<number, number[]>): void {
  out.length = 2 * map.size;
  let i = 0;
  for (const [key, ids] of map) {
    out[i++] = key;
    const known = out[i];
    const list: number[] = Array.isArray(known) ? known : [];
    list.length = ids.length;
    for (let k = 0; k < ids.length; k++) list[k] = ids[k];
    out[i++] = list;
  }
}

function restoreLists(map: Map<number, number[]>, pairs: Pairs): void {
  map.clear();
  for (let i = 0; i < pairs.length; i += 2) map.set(pairs[i] as number, (pairs[i + 1] as number[]).slice());
}

function copySet(out: unknown[], set: ReadonlySet<unknown>): void {
  out.length = set.size;
  let i = 0;
  for (const value of set) out[i++] = value;
}

function restoreSet(set: Set<number>, values: readonly unknown[]): void {
  set.clear();
  for (const value of values) set.add(value as number);
}

/** Numbers of `WorldSnapshot.obstacles` per obstacle. */
const OBSTACLE_STRIDE = 4;

function copyObstacles(out: unknown[], { obstacles }: World): void {
  out.length = OBSTACLE_STRIDE * obstacles.size;
  let i = 0;
  for (const [id, live] of obstacles) {
    out[i] = id;
    out[i + 1] = live;
    out[i + 2] = Object.assign((out[i + 2] as object | undefined) ?? {}, live);
    out[i + 3] = { ...live.obstacle };
    i += OBSTACLE_STRIDE;
  }
}

function restoreObstacles({ obstacles }: World, copies: readonly unknown[]): void {
  obstacles.clear();
  for (let i = 0; i < copies.length; i += OBSTACLE_STRIDE) {
    const live = Object.assign(copies[i + 1] as LiveObstacle, copies[i + 2]);
    live.obstacle = { ...(copies[i + 3] as LiveObstacle['obstacle']) };
    obstacles.set(copies[i] as number, live);
  }
}

function checkFollowers(caller: string, world: World): void {
  if (world.isBaking) refuseType(caller, 'world', 'being baked by bakeWorld', 'idle; await bakeWorld first');
  for (const key of ['pathIndex', 'worldLinks', 'keepReachable'] as const) {
    if (world[key] !== undefined)
      refuse(
        caller,
        `world.${key}`,
        'set',
        'absent; create the world without it, because its memory cannot be rewound',
      );
  }
}

function checkSnapshot(caller: string, world: World, snapshot: WorldSnapshot | undefined): void {
  checkWorld(caller, world);
  if (snapshot === undefined) return;
  if (!Array.isArray(snapshot?.obstacles)) refuseType(caller, 'snapshot', snapshot, 'a WorldSnapshot of captureWorld');
  if (snapshot.world !== world) refuseType(caller, 'snapshot.world', 'another world', 'the world that was captured');
}
