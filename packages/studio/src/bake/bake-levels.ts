/** Reads and builds the levels of a building from indoor GeoJSON. Loaded when the user chooses levels. */
import { reportOfLevels, readLevelsMap } from 'navkiln-cli/levels';
import type { LevelsChoice } from 'navkiln-cli/levels';
import type { MapSettings } from 'navkiln-cli/config';
import { buildFromLevels, cutByDiagonals } from 'navkiln/polygon';
import type { MapLevel, PolygonMap } from 'navkiln/polygon';
import type { FileBytes } from '../files/kinds.ts';
import type { MapLevels } from '../state/state.ts';
import { boundsOfMesh } from './bounds.ts';
import type { Answer, Baked, MapToBake } from './protocol.ts';
import { keepTypes } from './with-sizes.ts';

/** Reads a file as levels. They are the layers of the map. */
export function readLevels(
  { name, bytes }: FileBytes,
  settings: MapSettings,
  choice: LevelsChoice,
): { map: PolygonMap; levels: MapLevels; warnings: string[] } {
  const read = readLevelsMap(bytes, settings, { ...choice, name });
  const { yAxis, precision } = read.levels[0].map;
  const layers = read.levels.map(({ name: title, map: { polygons, obstacles } }) => ({
    name: title,
    polygons,
    obstacles,
  }));
  return {
    map: { polygons: [], layers, yAxis, ...(precision === undefined ? {} : { precision }) },
    levels: { heights: read.levels.map(({ height }) => height), connections: read.connections },
    warnings: read.warnings.map(({ message }) => message),
  };
}

/** Returns the layers of a map as the levels of a building. */
export function levelsOf({ layers = [], yAxis, precision }: PolygonMap, { heights }: MapLevels): MapLevel[] {
  return layers.map(({ name, polygons = [], obstacles }, i) => ({
    name,
    height: heights[i],
    map: { polygons, obstacles, yAxis, ...(precision === undefined ? {} : { precision }) },
  }));
}

export function bakeLevels({ map, levels, options, agentTypes }: MapToBake & { levels: MapLevels }): Baked {
  const own = levelsOf(map, levels);
  const build = buildFromLevels({ levels: own, connections: levels.connections }, { ...options, cutByDiagonals });
  const { navMesh, areas } = build;
  keepTypes(navMesh, agentTypes);
  return { kind: 'baked', navMesh, report: reportOfLevels(build, own), areas, bounds: boundsOfMesh(navMesh) };
}

/** Moves what an answer about one level draws to the height of the level. */
export function liftAnswer(answer: Answer, height: number): Answer {
  if (answer.kind !== 'stage') return answer;
  const lists = answer.view.lists.map((list) => ({
    ...list,
    positions: list.positions.map((value, i) => (i % 3 === 1 ? value + height : value)),
  }));
  return { ...answer, view: { ...answer.view, lists } };
}
