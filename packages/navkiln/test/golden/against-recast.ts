/**
 * Compares one bake with the option `recast` with Recast's, stage by stage up to the polygon mesh or to the stage `until`.
 *
 * The verdict is equality, the first difference, or the reason why a difference is excused.
 */
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import type { BakeConfig } from '../../src/build/voxel/bake-config.ts';
import type { BuildOptions, TriangleInput } from '../../src/build/voxel/options.ts';
import { splitConcavePolys } from '../../src/build/voxel/polymesh/split-concave.ts';
import { compareStages } from '../oracle/compare.ts';
import { excuseOfRow, excuseRegions, writesBeyondRow } from '../oracle/limits.ts';
import { initOracle, runRecast } from '../oracle/recast.ts';
import type { OracleResult } from '../oracle/recast.ts';
import type { StageName, StageRecords } from '../oracle/records.ts';
import { compareDetailHeights } from './detail-heights.ts';
import type { DetailComparison } from './detail-heights.ts';
import { differFromPolyMesh } from './mesh-of.ts';
import { runNavkiln } from './stages.ts';

export interface Verdict {
  /** The failure. Undefined when there is none. */
  failure?: string;
  /**
   * Recast exceeded one of its own limits (oracle/limits.ts), or its answer depends on uninitialized memory.
   */
  excuse?: string;
  /** Whether the excuse is uninitialized memory. */
  nondeterministic?: boolean;
  config: BakeConfig;
  records: StageRecords;
  expected: OracleResult;
}

export interface AgainstOptions {
  /** Config values that options cannot set: the border around a tile. */
  change?: Partial<BakeConfig>;
  until?: StageName;
  /**
   * Whether to compare the mesh of `buildNavMesh`, too, which reuses the memory of earlier bakes. Default
   * false.
   */
  whole?: boolean;
  skipDetail?: boolean;
}

export async function bakeAgainstRecast(
  input: TriangleInput,
  own: BuildOptions,
  { change, until = 'polymesh', whole = false, skipDetail }: AgainstOptions = {},
): Promise<Verdict> {
  const options: BuildOptions = { ...own, recast: true };
  const { config, records } = runNavkiln(input, options, change);
  await initOracle();
  // Whether Recast will corrupt its heap is known from our records, which equal its records up to that stage.
  const untilAreas = config.partition !== 'watershed' && writesBeyondRow(config, records);
  const expected = runRecast(input, config, { volumes: options.volumes?.list, skipDetail, untilAreas });
  const verdict: Verdict = { config, records, expected };
  const difference = compareStages(records, expected, { until: untilAreas ? 'areas' : until });
  if (untilAreas && !difference) return { ...verdict, excuse: excuseOfRow(config, records) };
  const excuse = excuseRegions(difference, config, expected);
  if (excuse) return { ...verdict, excuse: `${excuse}${expected.crash ? `; it crashed (${expected.crash})` : ''}` };
  if (!expected.ok) return { ...verdict, failure: `Recast itself failed in ${expected.failedStage} ${expected.crash}` };
  if (difference?.stage === 'contours') {
    await initOracle();
    const other = runRecast(input, config, { volumes: options.volumes?.list, poison: 0, skipDetail: true });
    if (compareStages(other, expected, { until: 'contours' })) {
      return {
        ...verdict,
        excuse: `Recast's answer depends on uninitialized memory (${difference.what})`,
        nondeterministic: true,
      };
    }
  }
  if (difference) return { ...verdict, failure: difference.text };
  if (whole && expected.polyMesh) {
    // Recast keeps polygons that are not convex.
    const convex = splitConcavePolys(expected.polyMesh, records.contours!);
    const differs = differFromPolyMesh(buildNavMesh(input, options).navMesh, config, convex);
    if (differs) return { ...verdict, failure: `buildNavMesh: ${differs}` };
  }
  return verdict;
}

/**
 * Judges the detail meshes of a verdict without a failure. Returns what is wrong with ours, and the
 * measurements.
 */
export function judgeDetail({ config, records, expected }: Verdict): { failure?: string; heights?: DetailComparison } {
  if (!expected.polyMesh) return {};
  if (!records.detail) return { failure: 'no detail mesh' };
  if (!expected.detail) return {};
  const heights = compareDetailHeights(
    config,
    expected.compact!,
    expected.region!,
    expected.polyMesh,
    records.detail,
    expected.detail,
  );
  const { floorSamples, bound, samples } = heights;
  if (heights.ourFloorBeyond > heights.theirFloorBeyond + 1 + floorSamples / 500) {
    const failure =
      `detail: of ${floorSamples} samples ${heights.ourFloorBeyond} are further than ${bound} from the floor, ` +
      `with Recast ${heights.theirFloorBeyond}`;
    return { failure, heights };
  }
  if (heights.uncovered > 0) return { failure: `detail: ${heights.uncovered} samples are on no triangle`, heights };
  if (heights.beyond > 2 + samples / 20) {
    return { failure: `detail: ${heights.beyond} of ${samples} heights differ by more than ${bound}`, heights };
  }
  return { heights };
}
