/**
 * Creates the option `obstacles` of bakes: solids that cut holes, set area ids or add surface.
 *
 * The option carries functions, as `sizes` does, so that bundles of a bake without obstacles contain none of this code.
 *
 * In: obstacles. Out: the option. Cost: linear in the triangles of the obstacles. Based on: own.
 */
import { AREA_GROUND } from '../../../base/constants.ts';
import { checkArray } from '../../../base/data/refuse.ts';
import { cutHoles, markObstacleAreas } from './carve.ts';
import { prepareInput } from '../input.ts';
import { placeObstacle } from './obstacle.ts';
import type { Obstacle, Obstacles, PlacedObstacle, TriangleInput } from '../options.ts';

/**
 * Returns the option `obstacles` of `buildNavMesh`, `bakeNavMesh`, `buildNavMeshes`, `buildTile` and `prepareTiles`. The obstacles are
 * read now: later changes of their records have no effect.
 *
 * @throws TypeError, RangeError for shapes, placements and effects that are invalid, and for unknown keys
 */
export function createObstacles(obstacles: readonly Obstacle[]): Obstacles {
  const caller = 'createObstacles';
  checkArray(caller, 'obstacles', obstacles);
  const placed = obstacles.map((obstacle, i) => placeObstacle(caller, obstacle, `obstacles[${i}]`));
  return { ...obstaclesOf(placed), list: [...obstacles] };
}

/** Returns the option for placed obstacles. @internal */
export function obstaclesOf(placed: readonly PlacedObstacle[]): Obstacles {
  return { ...carvingOf(placed), addSurfaces: (caller, input) => withSurfaces(caller, input, placed) };
}

/** Returns the option for placed obstacles whose surfaces are in the level already. @internal */
export function carvingOf(placed: readonly PlacedObstacle[]): Obstacles {
  return { list: [], placed, addSurfaces: (_, input) => input, cutHoles, markAreas: markObstacleAreas };
}

/** Returns a level with the triangles of the obstacles that add surface appended to its own. */
function withSurfaces(caller: string, input: TriangleInput, obstacles: readonly PlacedObstacle[]): TriangleInput {
  const surfaces = obstacles.filter(({ effect }) => effect === 'surface');
  if (surfaces.length === 0) return input;
  // Refuses what cannot be joined.
  prepareInput(input, undefined, caller);
  const { twoSided = false } = input;
  const positions = Array.from(input.positions);
  const indices = Array.from(input.indices ?? Uint32Array.from({ length: positions.length / 3 }, (_, i) => i));
  const ownCount = indices.length / 3;
  const areas = Array.from(input.areas ?? new Uint8Array(ownCount).fill(AREA_GROUND));
  const sides = Array.from({ length: ownCount }, (_, t) =>
    Number(twoSided === true || (twoSided !== false && twoSided[t])),
  );
  for (const surface of surfaces) {
    const base = positions.length / 3;
    for (const value of surface.positions) positions.push(value);
    for (const index of surface.indices) indices.push(base + index);
    for (let t = 0; t < surface.indices.length; t += 3) {
      areas.push(surface.area);
      sides.push(0);
    }
  }
  const isFloat = input.positions instanceof Float32Array;
  return { positions: isFloat ? Float32Array.from(positions) : positions, indices, areas, twoSided: sides };
}
