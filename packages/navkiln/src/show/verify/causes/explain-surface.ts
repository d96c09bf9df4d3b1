/**
 * Explains faults of surface meshes: the stage of the build that made each, and the option that repairs it.
 *
 * The whole level is built again with each change. A change is named for a place when nine tenths of the fault there are gone, and the
 * level has no more overreach, wrong connections and false doors than before. Voxel meshes: explain-faults.ts.
 *
 * In: a level, a mesh, its result, the options of its build. Out: the result with causes and remedies.
 * Cost: up to six builds and verifications of the level for all places.
 * Based on: own.
 */
import { checkNumbers, checkObject } from '../../../base/data/refuse.ts';
import { checkNavMesh } from '../../../mesh/check-mesh.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import { buildFromSurface } from '../../../build/surface/build.ts';
import type { SurfaceLevel, SurfaceOptions } from '../../../build/surface/options.ts';
import { checkResult } from '../check-result.ts';
import { BEYOND_LEVEL } from '../outside.ts';
import type { FaultPlace, VerifyResult } from '../types.ts';
import { verifyNavMesh } from '../verify.ts';

const CALLER = 'explainSurfaceFaults';

/** Share of a fault that may remain. */
const REST = 0.1;
/** Faults of the same kind so near are the fault, in agent radii besides its own extent, and in heights. */
const NEAR_RADII = 2;
/** Levels with more triangles are not built again. */
const MOST_TRIANGLES = 200_000;

/** Number of places that are explained, the first of the result. */
const MOST_PLACES = 10;

interface Change {
  options: Partial<SurfaceOptions>;
  cause: string;
}

/** Returns the changes to try, most likely first. */
function listChanges(mesh: NavMesh, { agent }: VerifyResult, build: SurfaceOptions): Change[] {
  const weldTolerance = build.weldTolerance ?? agent.height / 1000;
  const rounded = (value: number): number => Number(value.toPrecision(2));
  const changes: Change[] = [
    {
      options: { weldTolerance: rounded(4 * weldTolerance) },
      cause: 'weld: corners that should meet are farther apart than the weldTolerance.',
    },
    {
      options: { maxGap: rounded(Math.max(agent.radius, 10 * weldTolerance)) },
      cause: 'bridge: a gap in the surface is wider than maxGap.',
    },
    { options: { maxGap: 0 }, cause: 'bridge: surface is filled into a gap that nothing can stand on.' },
    {
      options: { weldTolerance: rounded(weldTolerance / 4) },
      cause: 'weld: the weldTolerance merges corners that are apart.',
    },
    { options: { mergeDegrees: 0 }, cause: 'merge: a polygon spans triangles whose slopes differ.' },
  ];
  if (mesh.tileSize > 0)
    changes.push({ options: { tileSize: 0 }, cause: 'tile border: two tiles do not fit at their border.' });
  return changes;
}

/**
 * Explains the first ten places of a surface mesh: returns the result with their `cause` and `remedy`, an option of `buildFromSurface`.
 * Places that no option repairs stay as they are.
 *
 * @param level, mesh the arguments of `verifyNavMesh`
 * @param result of `verifyNavMesh`
 * @param build options of `buildFromSurface` that made the mesh. Default of `agent` and `tileSize`: those of the mesh's header
 * @throws what `buildFromSurface` throws for its options
 */
export function explainSurfaceFaults(
  level: SurfaceLevel,
  mesh: NavMesh,
  result: VerifyResult,
  build: SurfaceOptions = {},
): VerifyResult {
  checkNavMesh(CALLER, mesh);
  checkResult(CALLER, result);
  checkObject(CALLER, 'level', level);
  checkNumbers(CALLER, 'level.positions', level.positions);
  if (level.indices !== undefined) checkNumbers(CALLER, 'level.indices', level.indices);
  const triangles = (level.indices ?? level.positions).length / (level.indices === undefined ? 9 : 3);
  if (result.places.length === 0 || triangles > MOST_TRIANGLES) return result;
  const given = { ...build, agent: build.agent ?? mesh.agent, tileSize: build.tileSize ?? mesh.tileSize };
  const places = result.places.slice();
  const open = new Set([...places.keys()].slice(0, MOST_PLACES).filter((k) => places[k].cause !== BEYOND_LEVEL));
  for (const { options, cause } of listChanges(mesh, result, given)) {
    if (open.size === 0) break;
    const after = judge(level, result, { ...given, ...options });
    if (after === undefined || isWorse(after, result)) continue;
    const remedy = Object.entries(options)
      .map(([key, value]) => `${key}: ${String(value)}`)
      .join(', ');
    for (const k of open) {
      if (amountAt(after, places[k]) > REST * amountAt(result, places[k])) continue;
      places[k] = { ...places[k], cause, remedy };
      open.delete(k);
    }
  }
  return { ...result, places };
}

/** Builds the level and verifies it. Returns undefined for options that do not go together. */
function judge(
  level: SurfaceLevel,
  { seed, spacing, agent }: VerifyResult,
  build: SurfaceOptions,
): VerifyResult | undefined {
  const rest = { strict: false, keepReachable: undefined, onProgress: undefined, tryGaps: false };
  try {
    const { navMesh } = buildFromSurface(level, { ...build, ...rest });
    return verifyNavMesh(level, navMesh, { seed, spacing, agent, pairs: 100, maxPlaces: 1000 });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function isWorse(after: VerifyResult, before: VerifyResult): boolean {
  const more = (a: number, b: number): boolean => a > b + 1e-9;
  return (
    more(after.overreach, before.overreach) ||
    (before.invented === 0 && after.invented > 0) ||
    more(after.falseDoors, before.falseDoors)
  );
}

/** Returns the area of the faults of a kind around a place. */
function amountAt({ places, agent }: VerifyResult, { kind, position, area }: FaultPlace): number {
  const reach = Math.sqrt(area) + NEAR_RADII * agent.radius;
  let sum = 0;
  for (const one of places) {
    if (one.kind !== kind || Math.abs(one.position[1] - position[1]) > agent.height) continue;
    if (Math.abs(one.position[0] - position[0]) <= reach && Math.abs(one.position[2] - position[2]) <= reach)
      sum += one.area;
  }
  return sum;
}
