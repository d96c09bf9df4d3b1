/** Where Recast's own answer is no answer: limits that it runs over without a word, recognised from the input. */
import type { BakeConfig } from '../../src/voxel/options.ts';
import { BORDER_REGION } from '../../src/voxel/types.ts';
import type { Difference } from './compare.ts';
import type { OracleResult } from './recast.ts';
import { STAGE_NAMES } from './records.ts';
import type { StageRecords } from './records.ts';

/**
 * Monotone and layer partitioning keep one record for each run of connected spans of a row, in an array as long as the field
 * is wide (or deep). Several storeys can have more runs than that; Recast then writes beyond the array.
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

/** Whether a bake by strips or layers made Recast write beyond its array: the heap cannot be trusted afterwards. */
export function writesBeyondRow(config: BakeConfig, result: StageRecords): boolean {
  return longestRow(result, config.borderCells) >= Math.max(config.widthCells, config.depthCells);
}

export function excuseOfRow(config: BakeConfig, result: StageRecords): string {
  const room = Math.max(config.widthCells, config.depthCells);
  return `Recast writes beyond its array of ${room} runs a row: there are ${longestRow(result, config.borderCells)}`;
}

/** Why a difference from the stage "regions" on, or a crash there, is Recast's doing; undefined: it is not known to be. */
export function excuseRegions(
  difference: Difference | undefined,
  config: BakeConfig,
  expected: OracleResult,
): string | undefined {
  if (!expected.markedArea || (!difference && !expected.crash)) return undefined;
  const stages = STAGE_NAMES.slice(STAGE_NAMES.indexOf('regions')) as readonly string[];
  if (difference && !stages.includes(difference.stage)) return undefined;
  if (config.partition !== 'watershed') {
    // What lay behind the array is found broken in this stage or in a later one.
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
