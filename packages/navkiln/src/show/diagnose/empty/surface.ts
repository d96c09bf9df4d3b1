/**
 * Finds out why a surface build gave no polygon: the remedies that it tries, and their order.
 *
 * In: the levels and options.
 * Out: a reason in numbers and a sentence.
 * Cost: up to about twenty builds; levels of more than 200,000 triangles are not tried.
 * Based on: own.
 */
import { agentRemedies, explainEmpty, isTiny, levelRemedies, measureLevels } from './reason.ts';
import type { Remedy, TrialResult } from './reason.ts';
import type { EmptyReason } from '../../../base/data/empty-reason.ts';
import { buildFromSurface } from '../../../build/surface/build.ts';
import { resolveSurfaceOptions } from '../../../build/surface/options.ts';
import type { SurfaceConfig, SurfaceLevel, SurfaceOptions } from '../../../build/surface/options.ts';

/** Most triangles of a build that looks for the reason of an empty mesh. */
const TRIAL_TRIANGLES = 200_000;

/**
 * Returns why `buildFromSurface` gives no polygon for these levels, in numbers and in a sentence that ends in the remedy.
 *
 * @throws what `buildFromSurface` throws, in the name of this function
 */
export function explainEmptySurface(
  level: SurfaceLevel | readonly SurfaceLevel[],
  options: SurfaceOptions = {},
): { reason: EmptyReason; message: string } {
  const config = readOptions(level, options);
  const levels = Array.isArray(level) ? (level as readonly SurfaceLevel[]) : [level as SurfaceLevel];
  const { agent, islandMinArea, weldTolerance } = config;
  const measures = measureLevels(levels, agent.maxSlopeDegrees);
  const { up, down, plusZ, minusZ } = measures.facing;
  const works = (given: readonly SurfaceLevel[], change: SurfaceOptions): TrialResult =>
    measures.triangles > TRIAL_TRIANGLES ? undefined : givesPolygons(given, { ...options, ...change });
  const whole = levelRemedies(measures, agent, (change) => works(levels.map(change), {}));
  const body = agentRemedies(measures, agent, (change) => works(levels, { agent: { ...options.agent, ...change } }));
  const remedies: Remedy[] = [
    {
      cause: 'no-triangles',
      option: 'input.positions',
      isCertain: measures.triangles === 0,
      works: () => false,
      say: () => 'it has no triangles with finite corners; pass those of the level',
    },
    {
      cause: 'no-areas',
      option: 'input.areas',
      works: () => levels.some(({ areas }) => areas !== undefined) && works(levels.map(withoutAreas), {}),
      say: () => 'area ids 0? areas marks what could be walked on as never walkable; give it ids from 1 to 63',
    },
    {
      cause: 'small-pieces',
      option: 'islandMinArea',
      values: islandMinArea > 0 ? [0] : [],
      works: () => works(levels, { islandMinArea: 0 }),
      say: () => 'pieces too small? set islandMinArea to 0',
    },
    {
      cause: 'coarse-weld',
      option: 'weldTolerance',
      values: [agent.height / 1000, weldTolerance / 10, weldTolerance / 100].filter((value) => value < weldTolerance),
      works: (value) => works(levels, { weldTolerance: value as number }),
      say: (value) => `narrower than the weldTolerance? set weldTolerance to ${String(value)}`,
    },
  ];
  const facing = down > Math.max(plusZ, minusZ) ? [whole.flip, whole.turn] : [whole.turn, whole.flip];
  const isElsewhere = Math.max(down, plusZ, minusZ) > 10 * up;
  if (measures.triangles === 0) remedies.length = 1;
  else {
    if (isElsewhere) remedies.unshift(...facing);
    if (isTiny(measures, agent)) remedies.unshift(whole.scale);
    remedies.push(body.slope, body.radius, body.headroom, whole.scale);
    if (!isElsewhere) remedies.push(...facing);
  }
  return explainEmpty(measures, agent, remedies);
}

/** Fills in the options, and builds once, which checks the levels. Messages name the function that was called. */
function readOptions(level: SurfaceLevel | readonly SurfaceLevel[], options: SurfaceOptions): SurfaceConfig {
  try {
    const config = resolveSurfaceOptions(options);
    buildFromSurface(level, { ...options, strict: false, keepReachable: undefined, onProgress: undefined });
    return config;
  } catch (error) {
    if (error instanceof Error) error.message = error.message.replace(/^buildFromSurface:/, 'explainEmptySurface:');
    throw error;
  }
}

function withoutAreas({ positions, indices }: SurfaceLevel): SurfaceLevel {
  return indices === undefined ? { positions } : { positions, indices };
}

/** Returns whether a build has polygons. False for options that do not go together. */
function givesPolygons(levels: readonly SurfaceLevel[], options: SurfaceOptions): boolean {
  try {
    const { navMesh } = buildFromSurface(levels, {
      ...options,
      strict: false,
      keepReachable: undefined,
      onProgress: undefined,
    });
    return navMesh.polyCount > 0;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
