/**
 * Puts the results of a bake together: the mesh that its tiles go into, its links and the report.
 *
 * In: the record of the bake and its configuration. Out: a NavMesh without tiles; the report.
 * Cost: linear in the links.
 * Based on: own.
 */
import { emptyNavMesh } from '../../mesh/create.ts';
import type { MeshSize, NavMesh } from '../../mesh/types.ts';
import { BUILD_STAGES } from './options.ts';
import type { BakeConfig } from './bake-config.ts';
import type { BuildOptions, Stage } from './options.ts';
import type { BuildReport } from './report.ts';
import type { FullBake } from './prepare.ts';
import { tileSettings } from './tile.ts';

/** Milliseconds by stage. */
export type StageTimes = Map<Stage, number>;

/** Returns a mesh without tiles. Throws a RangeError for links that the bake could not add at its end. */
export function startMesh({ caller, options }: FullBake, config: BakeConfig): NavMesh {
  const { agent, cellSize, cellHeight, origin, tileSize, sizes } = tileSettings(config);
  // `resolveConfig` has checked the settings.
  const emptyMesh = (): NavMesh => {
    const mesh = emptyNavMesh(agent, cellSize, cellHeight, Float64Array.from(origin), tileSize);
    if (sizes !== undefined) mesh.sizes = structuredClone(sizes) as MeshSize[];
    return mesh;
  };
  options.links?.addTo(caller, emptyMesh());
  const mesh = emptyMesh();
  options.volumes?.addNames(mesh);
  return mesh;
}

/** Returns the report of a finished bake. `begun`: its start time by `performance.now()`. */
export function reportOf(
  { counts, warnings }: FullBake,
  config: BakeConfig,
  times: StageTimes,
  begun: number,
  workspaceBytes: number,
): BuildReport {
  return {
    stages: BUILD_STAGES.filter((name) => times.has(name)).map((name) => ({ name, ms: times.get(name)! })),
    totalMs: performance.now() - begun,
    workspaceBytes,
    counts,
    warnings: [...warnings.values()],
    config,
  };
}

/** Returns the stages that a bake with these options has. */
export function stagesOf({ volumes, medianAreas, partition = 'watershed' }: BuildOptions): Stage[] {
  const hasAreas = medianAreas === true || (volumes?.list.length ?? 0) > 0;
  const has = (stage: Stage): boolean =>
    stage === 'areas' ? hasAreas : stage === 'distance' ? partition === 'watershed' : true;
  return BUILD_STAGES.filter(has);
}
