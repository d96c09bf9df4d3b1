/**
 * Links over gaps of 2D maps: over channels and between islands, up to a given distance.
 *
 * In: the mesh of a map, the largest distance. Out: refs and a report, as `addAutoLinks`.
 * Cost: that of `addAutoLinks`, with a lane per sixteenth of the distance.
 * Based on: own. A map has no heights, so links are jumps along straight lines over a level without triangles.
 */
import { checkKeys, checkObject, refuse } from '../../base/data/refuse.ts';
import { checkMutableMesh } from '../../mesh/check-mesh.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { addFound } from './add.ts';
import type { AddedAutoLinks } from './add.ts';
import { readMarks, readNumber } from './options.ts';
import type { AutoLinkOptions, LinkMarks } from './types.ts';

/** Options of `addGapLinks`. World units. */
export interface GapLinkOptions extends LinkMarks {
  /**
   * Largest distance that the agent's center travels from take-off to landing, > 0. A mesh with an agent radius
   * ends one radius before both sides of a gap, so a gap of width w needs about w + 2.4 radii.
   */
  maxDistance: number;
  /** Speed over the gap, world units per second, > 0. It sets the `duration` of links. Default 3.5. */
  speed?: number;
  /** No link is added where a walk costs less than `minDetour` times the link, as in `addAutoLinks`. Default 2. */
  minDetour?: number;
  /** Distance within which a better link replaces a similar one, as in `addAutoLinks`. Default: 2 radii, or a quarter of `maxDistance`. */
  spacing?: number;
  /** Ids of links that are not added. Default: none. */
  except?: Iterable<number>;
}

/** Lanes per `maxDistance`. */
const LANES = 16;

/**
 * Adds links over the gaps of a 2D map to its mesh: straight across from a wall, as wide as the gap allows,
 * in both directions. A link costs its length; `area` and `flags` let filters change its cost or exclude it.
 * No link is added where a walk is about as short.
 *
 * Another call replaces the links of earlier calls. Obstacles count as gaps: a link may cross any obstacle
 * that is narrow enough.
 *
 * @param mesh of a 2D map (`buildFromPolygons`)
 *
 * @throws TypeError, RangeError for a mesh that was not built from a map, options out of range and unknown
 *   keys; the mesh is then unchanged
 */
export function addGapLinks(mesh: NavMesh, options: GapLinkOptions): AddedAutoLinks {
  const caller = 'addGapLinks';
  checkMutableMesh(caller, mesh);
  if (mesh.mapYSign === 0)
    throw new TypeError(`${caller}: mesh is that of a level; must be that of a 2D map, use addAutoLinks`);
  checkObject(caller, 'options', options);
  checkKeys(caller, options, ['maxDistance', 'speed', 'minDetour', 'spacing', 'except', 'area', 'flags', 'name']);
  if (options.maxDistance === undefined) refuse(caller, 'options.maxDistance', undefined, 'a finite number > 0');
  const { maxDistance, speed, minDetour, spacing, except } = options;
  const most = readNumber(caller, 'options.maxDistance', maxDistance, 0, true);
  const pace = readNumber(caller, 'options.speed', speed, 3.5, true);
  const search: AutoLinkOptions = {
    jump: { maxDistance: most, maxRise: 0, maxDrop: 0, peak: most * 1e-6, ...readMarks(caller, 'options', options) },
    // The cost is the length of the link.
    walkSpeed: most * 1e-6,
    ...(minDetour === undefined ? {} : { minDetour }),
    ...(spacing === undefined ? {} : { spacing }),
    ...(except === undefined ? {} : { except }),
  };
  const { radius } = mesh.agent;
  const added = addFound(caller, mesh, [{ positions: [] }], search, {
    agent: { ...mesh.agent, height: Math.max(2 * radius, most) },
    cellSize: most / LANES,
    cellHeight: 0,
  });
  for (const link of added.links) {
    link.duration = link.distance / pace;
    link.peak = 0;
  }
  return added;
}
