/** Limits that Recast exceeds silently, recognized from the input. Its answer is not valid there. */
import type { BakeConfig } from '../../src/build/voxel/bake-config.ts';
import { BORDER_REGION } from '../../src/build/voxel/types.ts';
import type { Difference } from './compare.ts';
import type { OracleResult } from './recast.ts';
import { STAGE_NAMES } from './records.ts';
import type { StageRecords } from './records.ts';

/**
 * Returns the largest number of runs in a row. Monotone and layer partitioning keep one record per run of
 * connected spans, in an array as long as the field is wide (or deep). Several storeys can have more runs
 * than that, and Recast then writes beyond the array.
 */
export function longestRow(result: StageRecords, borderCells: number): number {
  const { width, depth, columnStart, neighbor } = result.compact!;
  const area = result.markedArea!;
  let longest = 0;
  for (let z = borderCells; z < depth - borderCells; z++) {
    let runs = 0;
    for (let x = borderCells; x < width - borderCells; x++) {
      const c = x + z * width;
      for (let s = columnStart[c]; s < columnStart[c + 1]; s++) {
        const west = neighbor[4 * s];
        if (area[s] !== 0 && (west === -1 || area[west] !== area[s] || x === borderCells)) runs++;
      }
    }
    longest = Math.max(longest, runs);
  }
  return longest;
}

/** Returns whether Recast writes beyond its array in this bake. Its heap is then corrupt. */
export function writesBeyondRow(config: BakeConfig, result: StageRecords): boolean {
  return longestRow(result, config.borderCells) >= Math.max(config.widthCells, config.depthCells);
}

export function excuseOfRow(config: BakeConfig, result: StageRecords): string {
  const capacity = Math.max(config.widthCells, config.depthCells);
  return `Recast writes beyond its array of ${capacity} runs per row: there are ${longestRow(result, config.borderCells)}`;
}

/**
 * Returns why Recast causes a difference, or a crash, from the stage "regions" on. Undefined: no known
 * reason.
 */
export function excuseRegions(
  difference: Difference | undefined,
  config: BakeConfig,
  expected: OracleResult,
): string | undefined {
  if (!expected.markedArea || (!difference && !expected.crash)) return undefined;
  const stages = STAGE_NAMES.slice(STAGE_NAMES.indexOf('regions')) as readonly string[];
  if (difference && !stages.includes(difference.stage)) return undefined;
  if (config.partition !== 'watershed') {
    // The memory behind the array is found corrupt in this stage or in a later one.
    if (writesBeyondRow(config, expected)) {
      return excuseOfRow(config, expected);
    }
  }
  if (
    difference?.stage === 'regions' &&
    config.borderCells === 0 &&
    expected.region?.some((id) => id >= BORDER_REGION)
  ) {
    return 'Recast has more than 32,767 regions; the next ids mean the border of a tile';
  }
  return undefined;
}
