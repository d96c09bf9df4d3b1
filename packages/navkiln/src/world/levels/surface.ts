/**
 * Builds the tiles of a world from surface meshes. Each tile equals that of `buildFromSurface` over all levels
 * together.
 *
 * The grid begins at x = z = 0. A tile depends only on the triangles within its rim and on their order, so
 * heights need not be fitted. Triangles of a level are sorted when it is added or moved: walkable first, then
 * vertical, then all others. Area numbers above the valid range mark the last two kinds. Three options work per
 * tile here instead of on the whole mesh: clearance is on by default, gaps are filled as in a level with walls, and `islandMinArea`
 * removes only islands that lie within one tile.
 *
 * In: levels and tile coordinates. Out: tiles.
 * Cost: the stages of a tile; sorting is linear in the level.
 * Based on: own.
 */
import { AREA_COUNT } from '../../base/constants.ts';
import { checkObject, refuse, refuseType } from '../../base/data/refuse.ts';
import { buildTile } from '../../build/surface/build-tile.ts';
import { readSurfaceInput } from '../../build/surface/input.ts';
import { resolveSurfaceOptions, usualGap } from '../../build/surface/options.ts';
import type { SurfaceOptions } from '../../build/surface/options.ts';
import { rimOf, squareAt, wholeInput } from '../../build/surface/select.ts';
import { createWeldSpace } from '../../build/surface/weld/weld.ts';
import type { SurfaceInput } from '../../build/surface/types.ts';
import type { WorldIndex } from '../../query/index/world-index.ts';
import type { BuildOptions } from '../../build/voxel/options.ts';
import type { LevelBuilder, LevelPart, LevelWarning, PreparedLevel, WorldTriangles } from './builder.ts';
import { createWorld } from './create.ts';
import { renameRefusals } from '../../base/data/rename.ts';
import type { World } from './types.ts';

/** Area numbers above the valid range: vertical triangles, and other triangles that are not walkable. */
const UPRIGHT = AREA_COUNT;
const OTHER = AREA_COUNT + 1;

function createBuilder(options: SurfaceOptions, caller: string): LevelBuilder {
  const config = renameRefusals(caller, () => resolveSurfaceOptions(options));
  if (!(config.tileSize > 0)) refuse(caller, 'options.tileSize', options.tileSize, 'the side of a tile in world units');
  const { agent, tileSize, weldTolerance, strict } = config;
  config.clearance ??= true;
  config.maxGap ??= usualGap(agent);
  const settings = { agent, cellSize: 0, cellHeight: 0, tileSize, origin: [0, 0, 0] as [number, number, number] };
  const rim = rimOf(config);
  return {
    settings,
    reach: rim,
    prepareLevel: (level) => prepareLevel(level, (warn) => readSurfaceInput(level, config, warn), strict),
    fitHeight: () => ({ isMoved: false, warnings: [] }),
    buildTile(x, z, parts) {
      const input = gatherParts(parts);
      const count = input.groundSource.length;
      const counts = { splitTriangles: 0, steps: 0, islands: 0, droppedIslands: 0 };
      const { tile } = buildTile(
        {
          config,
          settings,
          counts,
          space: createWeldSpace(input.positions.length / 3, count, weldTolerance, count, config.memoryLimitBytes),
          stage: (_, work) => work(),
          dropped: () => undefined,
        },
        wholeInput(input),
        squareAt(x, z, tileSize, rim),
      );
      return { tile, warnings: [] };
    },
  };
}

function prepareLevel(
  { positions }: WorldTriangles,
  read: (warn: Parameters<typeof readSurfaceInput>[2]) => SurfaceInput,
  strict: boolean,
): PreparedLevel {
  const warnings: LevelWarning[] = [];
  const { groundVertex, groundArea, wallVertex, otherVertex } = read((code, count, say, triangle) => {
    // A level may consist only of walls.
    if (count === 0 || code === 'no-ground') return;
    const reported = code === 'flipped-winding' ? 'no-walkable-triangles' : code;
    if (strict) throw new Error(`levels: ${say(count)} (${reported}, ${count})`);
    warnings.push({
      code: reported as LevelWarning['code'],
      stage: 'input',
      count,
      message: say(count),
      where: triangle === undefined ? {} : { triangle },
    });
  });
  const wallsFrom = groundVertex.length;
  const othersFrom = wallsFrom + wallVertex.length;
  const indices = new Int32Array(othersFrom + otherVertex.length);
  indices.set(groundVertex);
  indices.set(wallVertex, wallsFrom);
  indices.set(otherVertex, othersFrom);
  const areas = new Uint8Array(indices.length / 3).fill(UPRIGHT, wallsFrom / 3).fill(OTHER, othersFrom / 3);
  areas.set(groundArea);
  let minY = Infinity;
  let maxY = -Infinity;
  for (let i = 0; i < indices.length; i++) {
    const y = positions[3 * indices[i] + 1];
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
  }
  return { indices, areas, minY, maxY, warnings };
}

/** Joins all parts to one input with the vertices that they use. Levels do not share vertices. */
function gatherParts(parts: readonly LevelPart[]): SurfaceInput {
  const positions: number[] = [];
  const ground: number[] = [];
  const area: number[] = [];
  const wall: number[] = [];
  const other: number[] = [];
  for (const part of parts) {
    const { indices, areas, list } = part;
    const indexOf = new Map<number, number>();
    for (let i = part.from; i < part.to; i++) {
      const t = list[i];
      const kind = areas[t];
      const out = kind === UPRIGHT ? wall : kind === OTHER ? other : ground;
      if (out === ground) area.push(kind);
      for (let k = 3 * t; k < 3 * t + 3; k++) {
        const vertex = indices[k];
        let index = indexOf.get(vertex);
        if (index === undefined) {
          index = positions.length / 3;
          indexOf.set(vertex, index);
          for (let c = 3 * vertex; c < 3 * vertex + 3; c++) positions.push(part.positions[c]);
        }
        out.push(index);
      }
    }
  }
  return {
    levelStart: [0, area.length],
    positions: Float64Array.from(positions),
    groundVertex: Int32Array.from(ground),
    groundSource: Int32Array.from({ length: area.length }, (_, t) => t),
    groundArea: Uint8Array.from(area),
    wallVertex: Int32Array.from(wall),
    otherVertex: Int32Array.from(other),
  };
}

/** Options of `createSurfaceWorld`: options of `buildFromSurface`, and links. */
export interface SurfaceWorldOptions extends SurfaceOptions {
  /** Off-mesh links, as for `buildNavMesh`. Default: none. */
  links?: BuildOptions['links'];
  /** A path index that updates of the world keep up to date: `createWorldIndex` of `navkiln/index`. Default: none. */
  pathIndex?: WorldIndex;
}

/**
 * Creates an empty world whose tiles equal the tiles of `buildFromSurface`. Tiles begin at x = z = 0.
 * `clearance` is true by default, and `islandMinArea` removes only islands that lie within one tile.
 *
 * @throws RangeError, TypeError for unknown or invalid options, and without `tileSize`
 */
export function createSurfaceWorld(options: SurfaceWorldOptions): World {
  checkObject('createSurfaceWorld', 'options', options);
  const { links, pathIndex, keepReachable, ...rest } = options;
  if (links !== undefined && typeof links?.addTo !== 'function')
    refuseType('createSurfaceWorld', 'options.links', links, 'the result of createLinks');
  const build = createBuilder(rest, 'createSurfaceWorld');
  return renameRefusals('createSurfaceWorld', () =>
    createWorld({ build, links, pathIndex, keepReachable, strict: rest.strict }),
  );
}
