/**
 * Builds one NavMesh of a building: each level is a 2D map at its height, and stairs, lifts and ramps are links between levels.
 *
 * Each level is a tile of its own, in a layer of its own, so levels above each other share nothing but their links. Links have
 * the name of their kind: `setEnabled(navMesh, 'lift', false)` closes all lifts.
 *
 * In: levels with their heights, and connections between them.
 * Out: the mesh, and what was built of each level and connection.
 * Cost: that of `buildFromPolygons` for each level.
 * Based on: own; levels as in OpenStreetMap's Simple Indoor Tagging.
 */
import { AREA_GROUND } from '../../base/constants.ts';
import { checkArray, checkObject, refuse } from '../../base/data/refuse.ts';
import { renameRefusals } from '../../base/data/rename.ts';
import { createNavMesh } from '../../mesh/create.ts';
import { insertTile } from '../../mesh/tiles/insert-tile.ts';
import { addLink, getLink } from '../../mesh/change/links.ts';
import { readPoint2d } from '../../base/math/point-2d.ts';
import { mapYSignOf } from '../../mesh/map-plane.ts';
import { NULL_REF } from '../../mesh/ref.ts';
import type { LinkRef } from '../../mesh/types.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { addAreaNames, withNames } from './area-names.ts';
import { buildFromPolygons } from './build.ts';
import type { NamedArea, PolygonBuild, PolygonMap, PolygonOptions } from './options.ts';
import { tileFromPieces } from './tile.ts';

/** The beginning of a message of `buildFromPolygons` about its map. */
const MAP_PATH = /^buildFromPolygons: (?:map\.)?(?=polygons|obstacles|areas|yAxis|precision)/;

/** A level of a building. */
export interface MapLevel {
  /** As in the data, such as "0" or "-1". */
  name: string;
  /** Height of its floor, world units. */
  height: number;
  map: PolygonMap;
}

/** How people change levels. Each kind is the name of its links. */
export type LevelConnectionKind = 'stairs' | 'escalator' | 'lift' | 'ramp';

/** A way from one level to another. */
export interface LevelConnection {
  kind: LevelConnectionKind;
  /** What the data call it; '' without a name. */
  name: string;
  /** [x, y] on the plane of the maps, and the index of its level. */
  from: { level: number; point: [x: number, y: number] };
  to: { level: number; point: [x: number, y: number] };
  /** Cost as a length. Default: the distance between its ends. */
  cost?: number;
  /** Whether it also leads from `to` to `from`. Default true. */
  bothWays?: boolean;
}

/** Levels of a building and the connections between them; an input of `buildFromLevels`. */
export interface LevelsMap {
  levels: readonly MapLevel[];
  connections?: readonly LevelConnection[];
}

/** A problem of a building with levels. */
export interface LevelWarning {
  /**
   * 'connection-off-mesh': an end of a connection is not near the floor of its level. 'level-unreachable': no connection leads to a
   * level. 'empty-level': nothing of a level is walkable.
   */
  code: 'connection-off-mesh' | 'level-unreachable' | 'empty-level';
  count: number;
  message: string;
}

/** Result of `buildFromLevels`. */
export interface LevelsBuild {
  navMesh: NavMesh;
  /** The build of each level; undefined where it has no floor. */
  builds: (PolygonBuild | undefined)[];
  /** The link of each connection, in their order. */
  links: LinkRef[];
  /** Areas of all levels, with the ids that they have in the mesh. */
  areas: NamedArea[];
  warnings: LevelWarning[];
}

/** Options of `buildFromLevels`: those of `buildFromPolygons` with one radius and without tiles. */
export interface LevelsOptions extends Omit<PolygonOptions, 'radii' | 'tileSize'> {
  /** Largest horizontal distance between an end of a connection and the floor, world units. Default: the agent's radius and 1. */
  reach?: number;
}

/**
 * Builds a mesh of several levels. Positions on it are [x, height, z], z as `mapToMesh` gives it.
 *
 * @throws TypeError, RangeError as `buildFromPolygons`, and for connections to levels that do not exist
 */
export function buildFromLevels(map: LevelsMap, options: LevelsOptions = {}): LevelsBuild {
  const caller = 'buildFromLevels';
  checkObject(caller, 'map', map);
  checkArray(caller, 'map.levels', map.levels);
  checkObject(caller, 'options', options);
  const { levels, connections = [] } = map;
  checkArray(caller, 'map.connections', connections);
  const { reach, ...own } = options;
  if (reach !== undefined && !(typeof reach === 'number' && reach >= 0 && reach < Infinity))
    refuse(caller, 'options.reach', reach, 'a finite length >= 0');
  if ('radii' in own || 'tileSize' in own)
    refuse(caller, 'options', 'radii or tileSize', 'left out: a mesh of levels has one radius and one tile a level');
  const builds = levels.map((given, i) => {
    checkObject(caller, `map.levels[${i}]`, given);
    const { name, height, map: level } = given;
    checkObject(caller, `map.levels[${i}].map`, level);
    checkArray(caller, `map.levels[${i}].map.polygons`, level.polygons);
    if (!(typeof height === 'number' && height - height === 0))
      refuse(caller, `map.levels[${i}].height`, height, 'a finite height');
    if (typeof name !== 'string') refuse(caller, `map.levels[${i}].name`, name, 'a string');
    if (level.polygons.length === 0) return undefined;
    return renameRefusals(caller, () =>
      renameRefusals(
        `${caller}: map.levels[${i}].map.`,
        () => buildFromPolygons(level, { ...own, tileSize: 0 }),
        MAP_PATH,
      ),
    );
  });
  const first = builds.find((build) => build !== undefined);
  if (first === undefined) return refuse(caller, 'map.levels', levels, 'levels of which at least one has polygons');
  const areas = nameAll(caller, builds);
  const { agent, yAxis } = first.report.config;
  const navMesh = createNavMesh({ agent });
  navMesh.mapYSign = yAxis === 'up' ? -1 : 1;
  addAreaNames(navMesh, areas);
  builds.forEach((build, layer) => {
    if (build === undefined || build.stages.pieces.pieceCount === 0) return;
    const tile = tileFromPieces(build.stages.pieces, build.report.frame, yAxis);
    for (let v = 1; v < tile.vertices.length; v += 3) tile.vertices[v] = levels[layer].height;
    const ids = new Map(build.areas.map(({ id, name }) => [id, areas.find((area) => area.name === name)!.id]));
    for (let p = 0; p < tile.polyCount; p++) tile.polyArea[p] = ids.get(tile.polyArea[p]) ?? tile.polyArea[p];
    insertTile(navMesh, withNames({ ...tile, layer }, areas));
  });
  const sign = mapYSignOf(navMesh);
  const place = (end: LevelConnection['from'], path: string): [number, number, number] => {
    checkObject(caller, path, end);
    if (levels[end.level] === undefined) refuse(caller, `${path}.level`, end.level, 'the index of a level');
    const [px, py] = readPoint2d(end.point, caller, `${path}.point`);
    return [px, levels[end.level].height, sign * py + 0];
  };
  const radius = reach ?? agent.radius + 1;
  const links = connections.map((given, i) => {
    checkObject(caller, `map.connections[${i}]`, given);
    const { kind, from, to, cost, bothWays = true } = given;
    if (typeof kind !== 'string' || (kind as string) === '')
      refuse(caller, `map.connections[${i}].kind`, kind, "'stairs', 'escalator', 'lift' or 'ramp'");
    return addLink(navMesh, {
      start: place(from, `map.connections[${i}].from`),
      end: place(to, `map.connections[${i}].to`),
      bothWays,
      radius,
      name: kind,
      userId: i,
      ...(cost === undefined ? {} : { cost }),
    });
  });
  return { navMesh, builds, links, areas, warnings: warningsOf(map, builds, navMesh, links) };
}

/** Returns the areas of all levels. Those of one name are one. */
function nameAll(caller: string, builds: readonly (PolygonBuild | undefined)[]): NamedArea[] {
  const areas = new Map<string, NamedArea>();
  for (const build of builds) {
    for (const area of build?.areas ?? []) {
      if (areas.has(area.name)) continue;
      if (areas.size + 1 >= AREA_GROUND)
        throw new RangeError(`${caller}: the levels have more than ${AREA_GROUND - 1} areas; give some the same name`);
      areas.set(area.name, { ...area, id: areas.size + 1 });
    }
  }
  return [...areas.values()];
}

function warningsOf(
  { levels, connections = [] }: LevelsMap,
  builds: readonly (PolygonBuild | undefined)[],
  navMesh: NavMesh,
  links: readonly LinkRef[],
): LevelWarning[] {
  const warnings: LevelWarning[] = [];
  const hasFloor = builds.map((build) => build !== undefined && build.stages.pieces.pieceCount > 0);
  const empty = levels.filter((_, i) => !hasFloor[i]);
  const list = (some: readonly MapLevel[]): string =>
    some
      .map(({ name }) => `"${name}"`)
      .slice(0, 8)
      .join(', ');
  if (empty.length > 0) {
    const message = `nothing is walkable on ${empty.length} of ${levels.length} levels: ${list(empty)}`;
    warnings.push({ code: 'empty-level', count: empty.length, message });
  }
  const group = levels.map((_, i) => i);
  const rootOf = (i: number): number => (group[i] === i ? i : rootOf(group[i]));
  const off: number[] = [];
  links.forEach((link, i) => {
    const { startPoly, endPoly } = getLink(navMesh, link)!;
    const { from, to } = connections[i];
    if (startPoly === NULL_REF || endPoly === NULL_REF) off.push(i);
    else group[rootOf(from.level)] = rootOf(to.level);
  });
  if (off.length > 0) {
    const { kind, name, from, to } = connections[off[0]];
    const where = `${kind}${name === '' ? '' : ` "${name}"`} from level "${levels[from.level].name}" to "${levels[to.level].name}"`;
    const at = from.point.map((value) => Number(value.toPrecision(6))).join(', ');
    const message =
      `${off.length} of ${links.length} connections have an end that is not near the floor of its level, so they are not used; ` +
      `the first is ${where} at [${at}]; lines without a width are no floor (lineWidth), or a larger reach helps`;
    warnings.push({ code: 'connection-off-mesh', count: off.length, message });
  }
  const sizes = new Map<number, number>();
  levels.forEach((_, i) => hasFloor[i] && sizes.set(rootOf(i), (sizes.get(rootOf(i)) ?? 0) + 1));
  if (sizes.size > 1) {
    const [largest] = [...sizes].sort((a, b) => b[1] - a[1])[0];
    const apart = levels.filter((_, i) => hasFloor[i] && rootOf(i) !== largest);
    const message = `no stairs, lift or ramp leads from ${apart.length} of ${levels.length} levels to the others: ${list(apart)}`;
    warnings.push({ code: 'level-unreachable', count: apart.length, message });
  }
  return warnings;
}
