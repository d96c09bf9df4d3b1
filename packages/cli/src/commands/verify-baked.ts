/** The comparison of a baked mesh with its level for `navkiln bake --verify`. */
import { optionsFromSettings } from 'navkiln/build';
import type { NavMesh } from 'navkiln';
import type { verifyNavMesh } from 'navkiln/debug';
import type { PolygonMap } from 'navkiln/polygon';
import type { BakeSettings } from '../config/settings.ts';
import type { Progress } from '../output/progress.ts';
import { mapOptions } from './bake-map.ts';
import { surfaceOptions } from './bake-surface.ts';
import { failuresOf, flagsOf, lineOf, readLimits, verdictOf } from './verdict.ts';
import type { Verdict } from './verdict.ts';

export type VerifyLevel = Parameters<typeof verifyNavMesh>[0];

/** The field `verify` of `bake --json`. */
export type VerifySummary = Verdict;

/** Returns a map as the bake took it. */
export function mapFor(map: PolygonMap, { map: settings }: Pick<BakeSettings, 'map'>): PolygonMap {
  return {
    ...map,
    yAxis: settings?.yAxis ?? map.yAxis,
    layers: map.layers?.map((layer) => ({ ...layer, enabled: settings?.layers?.[layer.name] ?? layer.enabled })),
  };
}

/** Faults whose causes are looked for after a bake. */
const EXPLAINED = 3;

/**
 * Compares a baked mesh with its level, and warns when a figure is beyond its threshold. `settings`: those of the bake, with
 * which causes are found. `keepReachable`: positions; only places that they lead to count.
 */
export async function verifyBaked(
  level: VerifyLevel,
  navMesh: NavMesh,
  settings: BakeSettings,
  keepReachable: [number, number, number][] | undefined,
  progress: Progress,
): Promise<{ summary: VerifySummary; line: string }> {
  progress.stage('verify', 0, 1);
  const {
    explainFaults,
    explainMapFaults,
    explainSurfaceFaults,
    verifyNavMesh: compare,
  } = await import('navkiln/debug');
  const options = optionsFromSettings(settings.options);
  const { volumes, bounds } = options;
  let result = compare(level, navMesh, { volumes, bounds, keepReachable });
  const failures = failuresOf(result, readLimits({}));
  const line = `verify: ${lineOf(result)}`;
  for (const { message } of result.warnings) progress.note(`warning: ${message}`);
  if (failures.length > 0) {
    if ('polygons' in level) result = explainMapFaults(level, navMesh, result, mapOptions(settings));
    else if (navMesh.cellSize === 0) result = explainSurfaceFaults(level, navMesh, result, surfaceOptions(settings));
    else result = explainFaults(level, navMesh, result, { bake: options, limit: EXPLAINED });
    progress.note(
      `warning: the mesh does not fit the level: ${lineOf(result)}; navkiln verify lists and draws the places`,
    );
    for (const { kind, position, cause, remedy } of result.places.slice(0, EXPLAINED)) {
      const at = position.map((value) => Number(value.toFixed(2))).join(',');
      const advice = remedy === null ? '' : ` Try ${flagsOf(remedy)}.`;
      progress.note(`warning: ${kind} at ${at}${cause === null ? '' : `: ${cause}${advice}`}`);
    }
  }
  return { summary: verdictOf(result, failures), line };
}
