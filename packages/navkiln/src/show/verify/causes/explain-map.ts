/**
 * Explains connections that a 2D map does not seem to have: walls that should touch leave a gap, narrower than the lines
 * of `verifyNavMesh` are apart, and the mesh leads through it.
 *
 * Changes are tried on the whole map: a coarser precision joins the walls, and a radius keeps the agent out. The first
 * one after which no such connection is left is named.
 *
 * In: a map, a mesh, its result, the options of its build. Out: the result with causes and remedies.
 * Cost: up to five builds of the map.
 * Based on: own.
 */
import { checkNavMesh } from '../../../mesh/check-mesh.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import { buildFromPolygons } from '../../../build/polygon/build.ts';
import { cutByDiagonals } from '../../../build/polygon/diagonal/diagonal.ts';
import type { PolygonMap, PolygonOptions } from '../../../build/polygon/options.ts';
import { checkResult } from '../check-result.ts';
import type { VerifyResult } from '../types.ts';
import { verifyNavMesh } from '../verify.ts';

const CALLER = 'explainMapFaults';

/**
 * Explains the places of kind 'invented' of a 2D map: returns the result with their `cause` and `remedy`. Other places stay as they
 * are. A remedy `map.precision` is that of `PolygonMap`.
 *
 * @param map, mesh the arguments of `verifyNavMesh`
 * @param result of `verifyNavMesh`
 * @param build options of `buildFromPolygons` that made the mesh
 * @throws what `buildFromPolygons` throws for its options
 */
export function explainMapFaults(
  map: PolygonMap,
  mesh: NavMesh,
  result: VerifyResult,
  build: PolygonOptions = {},
): VerifyResult {
  checkNavMesh(CALLER, mesh);
  checkResult(CALLER, result);
  if (!result.places.some(({ kind }) => kind === 'invented')) return result;
  const { spacing, agent } = result;
  const { precision = 0 } = map;
  const radius = Number((agent.radius + spacing / 2).toPrecision(2));
  const trials: [string, number, PolygonMap, PolygonOptions][] = [0.03, 0.1, 0.3, 1]
    .map((share) => Number((share * spacing).toPrecision(1)))
    .filter((value) => value > precision)
    .map((value) => [`map.precision: ${value}`, value, { ...map, precision: value }, build]);
  trials.push([
    `agent.radius: ${radius}`,
    2 * radius,
    map,
    { ...build, radius: undefined, agent: { ...build.agent, radius } },
  ]);
  for (const [remedy, width, changed, options] of trials) {
    const { navMesh } = buildFromPolygons(changed, { ...options, cutByDiagonals, strict: false });
    const { invented, places } = verifyNavMesh(map, navMesh, { seed: result.seed, spacing, maxPlaces: 1000 });
    const isWorse = places.some(({ kind }) => kind !== 'invented' && !result.places.some((one) => one.kind === kind));
    if (invented > 0 || isWorse || places.some(({ kind }) => kind === 'invented')) continue;
    const cause = `map: walls that should touch leave a gap narrower than ${width}, and an agent of radius ${agent.radius} passes.`;
    return {
      ...result,
      places: result.places.map((place) => (place.kind === 'invented' ? { ...place, cause, remedy } : place)),
    };
  }
  return result;
}
