/**
 * Puts the results of a bake together: the mesh that its tiles go into, its links and the report.
 *
 * In: the record of the bake and its configuration. Out: a NavMesh without tiles; the report.
 * Cost: linear in the links.
 * Based on: own.
 */
import { emptyNavMesh } from '../../mesh/create.ts';
import { addLink } from '../../mesh/change/links.ts';
import { ensureGroup } from '../../mesh/named.ts';
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
export function startMesh(bake: FullBake, config: BakeConfig): NavMesh {
  const { agent, cellSize, cellHeight, origin, tileSize, sizes } = tileSettings(config);
  // `resolveConfig` has checked the settings.
  const emptyMesh = (): NavMesh => {
    const mesh = emptyNavMesh(agent, cellSize, cellHeight, Float64Array.from(origin), tileSize);
    if (sizes !== undefined) mesh.sizes = structuredClone(sizes) as MeshSize[];
    return mesh;
  };
  addLinks(bake, emptyMesh());
  const mesh = emptyMesh();
  addVolumeNames(mesh, bake.options);
  return mesh;
}

/** Adds the names of volumes, which may mark no polygon yet. A name is disabled when one of its volumes is. */
export function addVolumeNames(mesh: NavMesh, { volumes = [] }: BuildOptions): void {
  for (const { name, enabled } of volumes) if (name !== undefined && enabled === false) ensureGroup(mesh, name, false);
  for (const { name } of volumes) if (name !== undefined) ensureGroup(mesh, name);
}

/** Adds the links of the options. Throws a RangeError for an invalid one. */
export function addLinks({ caller, options }: FullBake, mesh: NavMesh): void {
  options.links?.forEach((link, i) => {
    try {
      addLink(mesh, link);
    } catch (error) {
      const { message } = error as Error;
      throw new RangeError(message.replace('addLink: options', `${caller}: options.links[${i}]`));
    }
  });
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
export function stagesOf({ volumes = [], medianAreas, partition = 'watershed' }: BuildOptions): Stage[] {
  const hasAreas = medianAreas === true || volumes.length > 0;
  const has = (stage: Stage): boolean =>
    stage === 'areas' ? hasAreas : stage === 'distance' ? partition === 'watershed' : true;
  return BUILD_STAGES.filter(has);
}
