/** The comparison of a baked mesh with its level for `navkiln bake --verify`. */
import type { NavMesh } from 'navkiln';
import type { VerifyResult, verifyNavMesh } from 'navkiln/debug';
import type { PolygonMap } from 'navkiln/polygon';
import type { BakeSettings } from '../config/settings.ts';
import type { Progress } from '../output/progress.ts';
import { failuresOf, lineOf, readLimits } from './verdict.ts';
import type { Failure } from './verdict.ts';

export type VerifyLevel = Parameters<typeof verifyNavMesh>[0];

/** The field `verify` of `bake --json`. */
export interface VerifySummary extends VerifyResult {
  passed: boolean;
  failures: Failure[];
}

/** Returns a map as the bake took it. */
export function mapFor(map: PolygonMap, { map: settings }: Pick<BakeSettings, 'map'>): PolygonMap {
  return {
    ...map,
    yAxis: settings?.yAxis ?? map.yAxis,
    layers: map.layers?.map((layer) => ({ ...layer, enabled: settings?.layers?.[layer.name] ?? layer.enabled })),
  };
}

/** Compares a baked mesh with its level, and warns when a figure is beyond its threshold. */
export async function verifyBaked(
  level: VerifyLevel,
  navMesh: NavMesh,
  progress: Progress,
): Promise<{ summary: VerifySummary; line: string }> {
  progress.stage('verify', 0, 1);
  const result = (await import('navkiln/debug')).verifyNavMesh(level, navMesh);
  const failures = failuresOf(result, readLimits({}));
  const line = `verify: ${lineOf(result)}`;
  for (const { text } of result.warnings) progress.note(`warning: ${text}`);
  if (failures.length > 0) {
    const [place] = result.places;
    const at =
      place === undefined
        ? ''
        : `; the largest fault (${place.kind}) is at ${place.position.map((value) => Number(value.toFixed(2))).join(',')}`;
    progress.note(`warning: the mesh does not fit the level: ${lineOf(result)}${at}; navkiln verify lists the places`);
  }
  return { summary: { passed: failures.length === 0, failures, ...result }, line };
}
