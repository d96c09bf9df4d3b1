/**
 * Switches the layers of the 2D map of a world, and lists its layers and areas.
 *
 * In: names of layers. Out: marked tiles.
 * Cost: a switch reads the whole map again: its outlines are cleaned and shrunk by the radius. Only changed tiles are
 *   triangulated again.
 * Based on: own.
 */
import { checkObject, refuse, refuseType } from '../../base/data/refuse.ts';
import type { NamedArea } from '../../build/polygon/options.ts';
import type { MapLayers } from './builder.ts';
import { checkWorld, markTile } from './marks.ts';
import { renameRefusals } from '../../base/data/rename.ts';
import type { World } from './types.ts';

/**
 * Switches layers of the map on or off, as the option `layers` of `createMapWorld` does. Layers that are absent from
 * `enabled` do not change. The next `updateWorld` changes the mesh, which then equals the mesh of a new world with
 * these layers.
 *
 * @param enabled states by layer name; pass several layers at once, because each call reads the map again
 * @throws TypeError for a world that is not over a 2D map; RangeError for an unknown name, and for a map that takes
 *   more memory than `memoryLimitBytes` with these layers; Error on the first warning with `strict`. After an error the
 *   world is unchanged.
 */
export function setMapLayers(world: World, enabled: Readonly<Record<string, boolean>>): void {
  const layers = layersOf('setMapLayers', world);
  checkObject('setMapLayers', 'enabled', enabled);
  const known = layers.list().map(({ name }) => name);
  for (const [name, value] of Object.entries(enabled)) {
    if (!known.includes(name)) {
      const list =
        known.length === 0 ? 'the map has no layers' : `one of ${known.map((one) => JSON.stringify(one)).join(', ')}`;
      refuse('setMapLayers', 'a key of enabled', name, list);
    }
    if (typeof value !== 'boolean') refuse('setMapLayers', `enabled.${name}`, value, 'true or false');
  }
  const { keys, warnings } = renameRefusals('setMapLayers', () => layers.switch('setMapLayers', enabled));
  for (const key of keys) markTile(world, key);
  world.warnings.push(...warnings);
}

/**
 * Returns the layers of the map, in the order of the map, and whether they are on. Throws a TypeError for a world that
 * is not over a 2D map.
 */
export function listMapLayers(world: World): { name: string; enabled: boolean }[] {
  return layersOf('listMapLayers', world).list();
}

/**
 * Returns the names, ids and costs of the map's areas, and the costs by id, for `createFilter`. They do not change when
 * layers are switched. Throws a TypeError for a world that is not over a 2D map.
 */
export function getMapAreas(world: World): { areas: NamedArea[]; areaCosts: Record<number, number> } {
  const { areas } = layersOf('getMapAreas', world);
  return {
    areas: areas.map((area) => ({ ...area })),
    areaCosts: Object.fromEntries(areas.map(({ id, cost }) => [id, cost])),
  };
}

function layersOf(caller: string, world: World): MapLayers {
  checkWorld(caller, world);
  return world.builder.mapLayers ?? refuseType(caller, 'world', 'a world of levels', 'one of createMapWorld');
}
