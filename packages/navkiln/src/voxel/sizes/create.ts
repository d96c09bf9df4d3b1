/**
 * Creates the option `sizes` of bakes: one mesh for agents of several sizes, with a mask of the sizes that fit on each polygon.
 *
 * The option takes functions, as `autoLinks` does, so that bundles of a plain bake have none of this code.
 *
 * In: sizes. Out: the option. Cost: constant. Based on: own.
 */
import { refuse } from '../../data/refuse.ts';
import { RULE_KEYS, encodeRules } from '../../navmesh/agent-rules.ts';
import { cellsDown, cellsUp } from '../config.ts';
import type { AgentShape } from '../../navmesh/types.ts';
import type { AgentSize, AgentSizes, BakeConfig, ResolvedSizes } from '../options.ts';
import { checkSizes } from './check.ts';
import { buildSizedField } from './field.ts';
import { keepApart } from './keep-apart.ts';
import { MOST_SLOPES, markSlopes, rasterizeClasses, slopesOf } from './rasterize.ts';
import { splitBySize } from './split.ts';

/**
 * Returns the option `sizes` of `buildNavMesh`, `bakeNavMesh`, `buildTile` and `createWorld`. The bake gives one mesh whose polygons know
 * which sizes fit on them; queries, agents and corridors take a `size`.
 *
 * Sizes are ordered by radius, then height, and the first is that of `navMesh.agent`, and of queries without a `size`. Sizes without a climb
 * or slope have those of `options.agent`. Rules (costs of areas, closed areas, flags) are kept in the mesh for `createAgentTypes`.
 *
 * @throws TypeError, RangeError for no sizes, more than 16 or of more than four slopes, names that occur twice, and values out of range
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
    // A single size has the outlines of a plain bake.
    keepApart: list.length > 1 ? keepApart : undefined,
  };
}

/** Returns options that can be sent or written: their sizes are data alone. @internal */
export function withPlainSizes<T extends { sizes?: AgentSizes }>(options: T): T {
  const { sizes } = options;
  return sizes === undefined ? options : { ...options, sizes: { list: sizes.list } };
}

/** Returns options whose sizes have been sent or written with the functions of their sizes. @internal */
export function withSizes<T extends { sizes?: AgentSizes }>(options: T): T {
  const { sizes } = options;
  return sizes === undefined ? options : { ...options, sizes: createAgentSizes(sizes.list) };
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

/** Refuses sizes that one field of connections cannot hold. */
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
