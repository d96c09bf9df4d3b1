/**
 * Our polygon mesh equals Recast's, vertex for vertex and polygon for polygon, and so does every record
 * before it.
 *
 * Every level is baked on both sides with each partitioning and several option sets. A failure names the
 * first stage that differs and the first position in it. The mesh of `buildNavMesh` as a whole must be equal,
 * too.
 *
 * Detail meshes may differ. Both promise to be within `detailMaxError` of the floor at the points of the
 * sampling grid. With floors in whole cells the bound is `detailMaxError + cellHeight`. At those points ours
 * exceeds it no more often than Recast's, plus 1/500 of the points. At points twice as dense, where nothing
 * is promised, the two meshes differ by more than the bound at no more than 1 in 20. Polygons that are equal
 * are not counted.
 *
 * The hole merge of Recast's contours reads uninitialized memory, so its answer may depend on the content.
 * The oracle fills free memory before that stage. A case whose answer changes with the fill is listed and
 * excused. Cases in which Recast exceeds its own limits (oracle/limits.ts) are recognized from the input and
 * listed, too.
 *
 * Levels are baked with their default options, and every second one with one more set for one partitioning, another one in turn
 * (golden/matrix.test.ts bakes all levels of its own with all sets). NAVKILN_FULL=1 (`npm run soak`) bakes all sets, and the largest levels uncut with layers, for
 * which Recast takes up to twelve seconds each.
 */
import { optionsFromSettings } from '../../src/build/voxel/settings.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BuildOptions } from '../../src/build/voxel/options.ts';
import type { Partition } from '../../src/build/voxel/bake-config.ts';
import { initOracle } from '../oracle/recast.ts';
import { bakeAgainstRecast, judgeDetail } from './against-recast.ts';
import { OPTION_SETS } from './cases.ts';
import { OBJ_NAMES, SCENE_NAMES, boundsOf, hasObjLevels, objLevel, sceneLevel } from './levels.ts';
import type { GoldenLevel } from './levels.ts';

const TIMEOUT = process.env.NAVKILN_FULL ? 600_000 : 60_000;
const PARTITIONS: readonly Partition[] = ['watershed', 'monotone', 'layers'];
/**
 * Levels with so many holes in one layer that Recast's hole merge takes seconds. With layers only their
 * middle is baked.
 */
const MANY_HOLES = [
  'dungeon',
  'terrain',
  'terrain-coarse',
  'terrain-detail',
  'city',
  'tower',
  'islands',
  'courtyard',
  'caves',
  'soup',
];

const nondeterministic: string[] = [];
/** Cases in which Recast exceeded one of its own limits. */
const excused: string[] = [];
const detailLines: string[] = [];

beforeAll(initOracle);

afterAll(() => {
  if (nondeterministic.length > 0)
    console.log(`Recast's answer depends on uninitialized memory in:\n  ${nondeterministic.join('\n  ')}`);
  else console.log('No case depends on uninitialized memory.');
  if (excused.length > 0) console.log(`Compared up to the regions only:\n  ${excused.join('\n  ')}`);
  if (detailLines.length > 0) console.log(`Detail meshes:\n  ${detailLines.join('\n  ')}`);
});

function middleOf(level: GoldenLevel): BuildOptions['bounds'] {
  const { min, max } = boundsOf(level.input.positions);
  const at = (axis: number, part: number): number => min[axis] + (max[axis] - min[axis]) * part;
  return { min: [at(0, 0.35), min[1], at(2, 0.35)], max: [at(0, 0.65), max[1], at(2, 0.65)] };
}

async function compare(
  level: GoldenLevel,
  partition: Partition,
  setName: string,
  change: BuildOptions,
): Promise<string | undefined> {
  const options: BuildOptions = { ...level.options, ...change, ...optionsFromSettings({ partition }) };
  const isUncut = process.env.NAVKILN_FULL && setName === 'default';
  if (partition === 'layers' && MANY_HOLES.includes(level.name) && !isUncut) options.bounds = middleOf(level);
  const name = `${level.name}, ${partition}, ${setName}`;
  const verdict = await bakeAgainstRecast(level.input, options, { whole: setName === 'default' });
  if (verdict.excuse) {
    (verdict.nondeterministic ? nondeterministic : excused).push(`${name}: ${verdict.excuse}`);
    return undefined;
  }
  if (verdict.failure) return `${name}: ${verdict.failure}`;
  const { heights, failure } = judgeDetail(verdict);
  if (heights && setName === 'default' && heights.samePolys < heights.polyCount) {
    detailLines.push(
      `${name}: ${heights.samePolys} of ${heights.polyCount} polygons are the same; ` +
        `largest difference ${heights.largest.toFixed(3)}, ${heights.beyond} of ${heights.samples} samples beyond ` +
        `${heights.bound.toFixed(3)}; ${heights.ourTriangles} triangles, Recast ${heights.theirTriangles}; ` +
        `from the floor ${heights.ourFloorBeyond} and ${heights.theirFloorBeyond} of ${heights.floorSamples}`,
    );
  }
  return failure && `${name}: ${failure}`;
}

/** Compares the default options and, where `turn` is a whole number, the set of that number. Undefined compares all sets. */
async function compareAll(level: GoldenLevel, partition: Partition, turn?: number): Promise<string[]> {
  // The watershed with all option sets, the others with the sets that change regions.
  const sets = OPTION_SETS.filter(
    (set) => partition === 'watershed' || !['triangles', 'coarser, steeper'].includes(set.name),
  );
  const other = turn === undefined || !Number.isInteger(turn) ? [] : [sets[1 + (turn % (sets.length - 1))]];
  const chosen = turn === undefined ? sets : [sets[0], ...other];
  const failures: string[] = [];
  for (const set of chosen) {
    const failure = await compare(level, partition, set.name, set.change(level));
    if (failure) failures.push(failure);
  }
  return failures;
}

/** Returns the turn of a level with a partitioning, see compareAll. */
const turnOf = (i: number, partition: Partition): number | undefined =>
  process.env.NAVKILN_FULL ? undefined : (i + PARTITIONS.indexOf(partition)) / (2 * PARTITIONS.length);

describe.skipIf(!hasObjLevels)(
  `real levels${hasObjLevels ? '' : ' (skipped: ../shared/levels does not exist)'}`,
  () => {
    for (const [i, name] of OBJ_NAMES.entries()) {
      it.each(PARTITIONS)(`${name}.obj, %s: equals Recast's mesh`, { timeout: TIMEOUT }, async (partition) => {
        expect(await compareAll(objLevel(name), partition, turnOf(i, partition))).toEqual([]);
      });
    }
  },
);

describe('scenes', () => {
  it('include all scenes', () => {
    expect(SCENE_NAMES.length).toBeGreaterThan(5);
  });

  for (const [i, name] of SCENE_NAMES.entries()) {
    it.each(PARTITIONS)(`${name}, %s: equals Recast's mesh`, { timeout: TIMEOUT }, async (partition) => {
      expect(await compareAll(sceneLevel(name), partition, turnOf(i, partition))).toEqual([]);
    });
  }
});
