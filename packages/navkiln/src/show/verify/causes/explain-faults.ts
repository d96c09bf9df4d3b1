/**
 * Explains the faults that `verifyNavMesh` found: the stage of the bake that made each, and the option that repairs it.
 *
 * Each fault is baked again, in a box around it or with the whole level. Only where that bake has the fault as well, it is explained; other
 * settings than those of the mesh explain nothing. Then changes are tried, the most likely first. A change is named when
 * nine tenths of the fault are gone, and no other fault has come.
 *
 * Two causes show in the mesh itself (mesh-causes.ts): mesh in the hollow of a solid, and a polygon that is too large for
 * its height samples, which a bake of its surroundings alone has not.
 *
 * In: a level, a mesh, its result, the options of its bake. Out: the result with causes and remedies.
 * Cost: up to ten bakes of the surroundings per place, or ten bakes of the level for all places.
 * Based on: own.
 */
import { checkNavMesh } from '../../../mesh/check-mesh.ts';
import { checkKeys, checkObject, refuse } from '../../../base/data/refuse.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import type { BuildOptions, TriangleInput } from '../../../build/voxel/options.ts';
import { checkResult } from '../check-result.ts';
import { BEYOND_LEVEL } from '../outside.ts';
import { readSource } from '../source.ts';
import type { FaultPlace, VerifyResult } from '../types.ts';
import { listChanges, listLargeChanges, textOfChange } from './changes.ts';
import type { Change, FullOptions } from './changes.ts';
import { explainHollow, hasFullDetail, numberIslands } from './mesh-causes.ts';
import type { Islands } from './mesh-causes.ts';
import { explainPlace, measureMesh, surround, tryChange, widen } from './trial.ts';
import type { Surroundings, Trials } from './trial.ts';

/** Options of `explainFaults`. */
export interface ExplainFaultsOptions {
  /** Options of the bake. Default: those of the mesh's header. */
  bake?: BuildOptions;
  /** Number of places that are explained, the first of the result. Default 10. */
  limit?: number;
}

/** Share of a fault that may remain. */
const REST = 0.1;

/**
 * Explains the first places of a result: returns it with their `cause` and `remedy`. Places of meshes that were not baked from
 * voxels stay as they are.
 *
 * @param level, mesh the arguments of `verifyNavMesh`
 * @param result of `verifyNavMesh`
 * @throws what `buildNavMesh` throws for its options
 */
export function explainFaults(
  level: TriangleInput,
  mesh: NavMesh,
  result: VerifyResult,
  options: ExplainFaultsOptions = {},
): VerifyResult {
  const caller = 'explainFaults';
  checkNavMesh(caller, mesh);
  checkResult(caller, result);
  checkKeys(caller, options, ['bake', 'limit']);
  const { bake = {}, limit = 10 } = options;
  checkObject(caller, 'options.bake', bake);
  if (!Number.isSafeInteger(limit) || limit < 0) refuse(caller, 'options.limit', limit, 'a whole number >= 0');
  if (mesh.cellSize === 0 || result.places.length === 0) return result;
  const {
    sizes: _,
    autoLinks: _links,
    keepReachable: _reachable,
    onProgress: _progress,
    links: _given,
    workspace: _workspace,
    ...rest
  } = bake;
  const { cellSize, cellHeight, tileSize } = mesh;
  const full: FullOptions = { ...rest, cellSize, cellHeight, tileSize, strict: false, dynamic: undefined };
  const trials: Trials = {
    level,
    source: readSource(level),
    mesh,
    result,
    bake: full,
    memo: new Map(),
    stages: new Map(),
  };
  // Remedies that helped faults of the same kind and reason are tried first: most faults of a mesh have one cause.
  const helped = new Set<string>();
  let islands: Islands | undefined;
  const places = result.places.map((place, i) => {
    if (i >= limit || place.cause === BEYOND_LEVEL) return place;
    const found = explainHollow(level, mesh, (islands ??= numberIslands(mesh)), place);
    return found === undefined ? explain(trials, place, full, helped) : { ...place, ...found };
  });
  return { ...result, places };
}

function explain(trials: Trials, place: FaultPlace, bake: FullOptions, helped: Set<string>): FaultPlace {
  const near = surround(trials, place);
  const full = explainFull(trials, place, near, bake);
  if (full !== undefined) return full;
  const around = [near, widen(trials, near)].find((one) => one !== undefined && hasFault(trials, one));
  // Another bake made the mesh, or the box changed the fault.
  if (around === undefined) return place;
  const before = tryChange(trials, around, {});
  const isMissing = place.kind === 'uncovered' || place.kind === 'lost' || place.kind === 'invisible-wall';
  const found = isMissing ? explainPlace(trials, around) : undefined;
  const isFound = found !== undefined && found.code !== 'walkable' && found.code !== 'outside';
  const changes = listChanges(place.kind, isFound ? found.code : undefined, bake);
  const keyOf = (change: Change): string => `${place.kind} ${found?.code ?? ''} ${textOfChange(change)}`;
  const order = (change: Change): number => (helped.has(keyOf(change)) ? 0 : 1);
  const change = [...changes].sort((a, b) => order(a) - order(b)).find((one) => helps(trials, around, one, before));
  const remedy = change === undefined ? null : textOfChange(change);
  if (change !== undefined) helped.add(keyOf(change));
  // Without a polygon within reach, a height that is off looks like an outline that is.
  const isOutline = found?.code === 'simplified' && change !== undefined && !('maxEdgeError' in change.options);
  const cause = isFound && !isOutline ? `${found.stage}: ${found.message}` : (change?.cause ?? null);
  return { ...place, cause, remedy };
}

/**
 * Explains a polygon that has all the height samples that polygons may have: a bake of the surroundings alone has smaller
 * polygons, and so not the fault.
 */
function explainFull(
  trials: Trials,
  place: FaultPlace,
  near: Surroundings,
  { bounds, cellSize }: FullOptions,
): FaultPlace | undefined {
  if (place.kind !== 'uncovered' && place.kind !== 'overreach') return undefined;
  if (near.outer === bounds || !hasFullDetail(trials.mesh, place)) return undefined;
  if (tryChange(trials, near, {}).fault > REST * measureMesh(trials, near).fault) return undefined;
  const [change] = listLargeChanges(cellSize);
  return { ...place, cause: change.cause, remedy: textOfChange(change) };
}

/** Returns whether a bake of the surroundings has the fault. */
function hasFault(trials: Trials, around: Surroundings): boolean {
  const { fault } = tryChange(trials, around, {});
  return fault > 0 && fault >= 0.5 * measureMesh(trials, around).fault;
}

/** Returns whether a change removes the fault and adds no other. */
function helps(
  trials: Trials,
  around: Surroundings,
  change: Change,
  before: { fault: number; worse: number },
): boolean {
  try {
    const after = tryChange(trials, around, change.options);
    return after.fault <= REST * before.fault && after.worse <= before.worse;
  } catch (error) {
    // A change that the bake refuses, such as cells that are too small for its memory, is none.
    if (error instanceof RangeError) return false;
    throw error;
  }
}
