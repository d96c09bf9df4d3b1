/**
 * Codes for pairs of a name and an area id, which stand in place of area ids between the stage `areas` and the tile data.
 *
 * Regions, contours and polygons keep areas apart by comparing ids. A separate code for each name therefore gives
 * named volumes their own polygons, without a second field in any record. Ids are 0 .. 63, codes 64 .. 255, so a tile
 * can have 192 pairs.
 *
 * In: names and areas of volumes. Out: codes; tile data with area ids and groups.
 * Cost: a search among the pairs of the tile, once per volume and area below it; one pass over polygons.
 * Based on: own.
 */
import { AREA_COUNT } from '../../base/constants.ts';
import type { TileData, TileGroup } from '../../mesh/types.ts';

const MOST_CODES = 256 - AREA_COUNT;

/** The pairs of a tile; pair k has the code AREA_COUNT + k. */
export interface AreaCodes {
  names: string[];
  areas: number[];
}

export function createAreaCodes(): AreaCodes {
  return { names: [], areas: [] };
}

/**
 * Returns a function that maps the area id or code of a span to its new one inside a volume. A volume without a name
 * or an area leaves that of the span; area 0 also removes the name.
 */
export function areaMapper(
  { names, areas }: AreaCodes,
  name: string | undefined,
  area: number | undefined,
): (code: number) => number {
  const known = new Map<number, number>();
  const find = (code: number): number => {
    const isPair = code >= AREA_COUNT;
    const newName = name ?? (isPair ? names[code - AREA_COUNT] : undefined);
    const newArea = area ?? (isPair ? areas[code - AREA_COUNT] : code);
    if (newName === undefined || newArea === 0) return newArea;
    let pair = names.findIndex((one, k) => one === newName && areas[k] === newArea);
    if (pair < 0) {
      if (names.length === MOST_CODES) {
        throw new RangeError(
          `buildNavMesh: options.volumes has more than ${MOST_CODES} pairs of name and area in one tile; use ` +
            'a smaller tileSize',
        );
      }
      pair = names.push(newName) - 1;
      areas.push(newArea);
    }
    return AREA_COUNT + pair;
  };
  return (code) => {
    let to = known.get(code);
    if (to === undefined) known.set(code, (to = find(code)));
    return to;
  };
}

/** Replaces codes in the data of a tile by area ids, and adds its groups. */
export function decodeAreas(tile: TileData, { names, areas }: AreaCodes): TileData {
  if (names.length === 0) return tile;
  const polysOf = new Map<string, number[]>();
  for (let p = 0; p < tile.polyCount; p++) {
    const pair = tile.polyArea[p] - AREA_COUNT;
    if (pair < 0) continue;
    tile.polyArea[p] = areas[pair];
    const polys = polysOf.get(names[pair]);
    if (polys === undefined) polysOf.set(names[pair], [p]);
    else polys.push(p);
  }
  const groups: TileGroup[] = [...polysOf].map(([name, polys]) => ({ name, polys }));
  return groups.length === 0 ? tile : { ...tile, groups };
}
