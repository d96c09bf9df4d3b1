/**
 * The layers of a 2D map, and the ids of its named areas.
 *
 * A map is its own first layer, which is always on. Ids count from 1 in the order in which names first occur in the map, also in
 * layers that are off, so they do not change when a layer is switched.
 *
 * In: a 2D map.
 * Out: its layers with the path of each in messages; names, ids and costs of areas.
 * Cost: linear.
 * Based on: own.
 */
import { AREA_GROUND } from '../../base/constants.ts';
import { checkArray, checkKeys, checkObject, refuse } from '../../base/data/refuse.ts';
import type { MapArea, MapLayer, NamedArea, PolygonMap } from './options.ts';

/** A layer as it is read: the path of its lists, and whether it is on. */
export interface ListedLayer {
  path: string;
  isOn: boolean;
  layer: Partial<MapLayer>;
}

const LAYER_KEYS = ['name', 'enabled', 'polygons', 'obstacles', 'areas'];

/** Lists the layers of a map; `switched`: whether layers are on, by name; it overrides their own `enabled`. */
export function listLayers(
  caller: string,
  map: PolygonMap,
  switched: Readonly<Record<string, boolean>>,
): ListedLayer[] {
  const { layers = [] } = map;
  checkArray(caller, 'map.layers', layers);
  const names = new Set<string>();
  const listed = layers.map((layer, i): ListedLayer => {
    const path = `layers[${i}]`;
    checkObject(caller, `map.${path}`, layer);
    checkKeys(caller, layer, LAYER_KEYS, `map.${path}`);
    const { name, enabled = true } = layer;
    if (typeof name !== 'string' || name === '') refuse(caller, `map.${path}.name`, name, 'a string that is not empty');
    if (names.has(name)) refuse(caller, `map.${path}.name`, name, 'a name that no other layer has');
    if (typeof enabled !== 'boolean') refuse(caller, `map.${path}.enabled`, enabled, 'true or false');
    names.add(name);
    return { path: `${path}.`, isOn: Object.hasOwn(switched, name) ? switched[name] : enabled, layer };
  });
  for (const name of Object.keys(switched)) {
    if (!names.has(name)) refuse(caller, 'a key of options.layers', name, 'the name of a layer of the map');
  }
  const { polygons, obstacles, areas } = map;
  return [{ path: '', isOn: true, layer: { polygons, obstacles, areas } }, ...listed];
}

/** Returns the areas of a map by name. The first cost given for a name counts for all; another one is refused. */
export function nameAreas(caller: string, layers: readonly ListedLayer[]): Map<string, NamedArea> {
  const named = new Map<string, NamedArea>();
  const costs = new Map<string, number>();
  for (const { path, layer } of layers) {
    const { areas = [] } = layer;
    checkArray(caller, `map.${path}areas`, areas);
    areas.forEach((area: MapArea, i) => {
      const at = `map.${path}areas[${i}]`;
      checkObject(caller, at, area);
      const { name, cost, enabled = true } = area;
      if (typeof name !== 'string' || name === '') refuse(caller, `${at}.name`, name, 'a string that is not empty');
      if (typeof enabled !== 'boolean') refuse(caller, `${at}.enabled`, enabled, 'true or false');
      if (cost !== undefined) {
        if (!(typeof cost === 'number' && cost > 0 && cost < Infinity)) {
          refuse(caller, `${at}.cost`, cost, 'a finite number > 0');
        }
        const known = costs.get(name);
        if (known !== undefined && known !== cost) {
          refuse(caller, `${at}.cost`, cost, `${known}, the cost of other areas named ${JSON.stringify(name)}`);
        }
        costs.set(name, cost);
      }
      const id = named.get(name)?.id ?? named.size + 1;
      if (id >= AREA_GROUND) refuse(caller, `${at}.name`, name, `one of at most ${AREA_GROUND - 1} names of areas`);
      const isClosed = !enabled || named.get(name)?.enabled === false;
      named.set(name, { name, id, cost: costs.get(name) ?? 1, ...(isClosed ? { enabled: false } : {}) });
    });
  }
  return named;
}
