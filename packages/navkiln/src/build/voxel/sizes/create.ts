/**
 * Creates the option `sizes` of bakes: one mesh for agents of several sizes, with a mask of the sizes that fit on each polygon.
 *
 * The option contains functions, as `autoLinks` does, so that bundles with plain bakes do not contain this code.
 *
 * In: sizes. Out: the option. Cost: constant. Based on: own.
 */
import { refuse } from '../../../base/data/refuse.ts';
import { RULE_KEYS, encodeRules } from '../../../mesh/agent-rules.ts';
import { cellsDown, cellsUp } from '../config.ts';
import type { AgentShape } from '../../../mesh/types.ts';
import type { AgentSize, AgentSizes, ResolvedSizes } from '../options.ts';
import type { BakeConfig } from '../bake-config.ts';
import { checkSizes } from './check.ts';
import { buildSizedField } from './field.ts';
import { keepApart } from './keep-apart.ts';
import { MOST_SLOPES, markSlopes, rasterizeClasses, slopesOf } from './rasterize.ts';
import { splitBySize } from './split.ts';

/**
 * Returns a value for the option `sizes` of `buildNavMesh`, `bakeNavMesh`, `buildTile` and `createWorld`. The bake returns one mesh, which
 * stores for each polygon the sizes that fit on it. Queries, agents and corridors take a `size`.
 *
 * Sizes are sorted by radius, then by height. The first size is `navMesh.agent`, and the default of queries without a `size`. Sizes without
 * a climb or slope have those of `options.agent`. The mesh stores rules (costs of areas, closed areas, flags) for `createAgentTypes`.
 *
 * @throws TypeError, RangeError for an empty list, more than 16 sizes, more than four different slopes, duplicate names, and values out of
 *   range
 */
export function createAgentSizes(sizes: readonly AgentSize[]): AgentSizes {
  checkSizes('createAgentSizes', sizes, RULE_KEYS);
  sizes.forEach((size, i) => encodeRules('createAgentSizes', size, `sizes[${i}]`));
  const list = sizes.map((size) => structuredClone(size)).sort((a, b) => a.radius - b.radius || a.height - b.height);
  return {
    list,
    resolve: (agent) => resolveSizes(list, agent),
    check: checkCells,
    mark: markSlopes,
    rasterize: rasterizeClasses,
    build: buildSizedField,
    split: splitBySize,
    // With a single size, outlines are those of a plain bake.
    keepApart: list.length > 1 ? keepApart : undefined,
  };
}

function resolveSizes(list: readonly AgentSize[], agent: AgentShape): ResolvedSizes {
  const sizes = list.map((size, i) => ({
    name: size.name,
    radius: size.radius,
    height: size.height,
    maxClimb: size.maxClimb ?? agent.maxClimb,
    maxSlopeDegrees: size.maxSlopeDegrees ?? agent.maxSlopeDegrees,
    rules: encodeRules('createAgentSizes', size, `sizes[${i}]`),
  }));
  const { name: _, rules: __, ...first } = sizes[0];
  const slopes = slopesOf(sizes);
  if (slopes.length > MOST_SLOPES)
    refuse('createAgentSizes', 'the number of slopes of sizes', slopes.length, `at most ${MOST_SLOPES}`);
  return { agent: first, largest: sizes.at(-1)!.radius, settings: { sizes, maxSlopeDegrees: slopes[0] } };
}

/** Refuses sizes whose connections do not fit into one field. */
function checkCells(caller: string, { sizes = [], cellSize, cellHeight }: BakeConfig): void {
  const heights = sizes.map(({ height }) => cellsUp(height, cellHeight));
  const climbs = sizes.map(({ maxClimb }) => cellsDown(maxClimb, cellHeight));
  if (heights.every((one) => one === heights[0]) && climbs.every((one) => one === climbs[0])) return;
  const highest = climbs.indexOf(Math.max(...climbs));
  const least = Math.min(...sizes.map(({ height }) => height));
  if (climbs[highest] >= Math.min(...heights)) {
    refuse(
      caller,
      `options.sizes.list[${highest}].maxClimb`,
      sizes[highest].maxClimb,
      `less than the least height, ${least}`,
    );
  }
  if (cellsUp(sizes[0].radius, cellSize) === 0) {
    refuse(
      caller,
      'options.sizes.list[0].radius',
      sizes[0].radius,
      '> 0 when heights or climbs differ; or use buildNavMeshes',
    );
  }
}
