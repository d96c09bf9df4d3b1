/**
 * Our polygon mesh is Recast's, vertex for vertex and polygon for polygon, and so is every record before it. Every level is
 * baked on both sides with each partitioning and several option sets; a failure names the first stage that differs and
 * the first place in it. `buildNavMesh` as a whole then has that mesh too.
 *
 * Detail meshes need not be the same. Both promise to stray from the floor by no more than `detailMaxError` at the points of
 * the sampling grid; with floors in whole cells the bound is `detailMaxError + cellHeight`. At those points ours breaks it no
 * more often than Recast's (a five-hundredth of the points aside), and of points twice as dense, where nothing is promised,
 * no more than one in twenty has the two meshes further apart than the bound. Polygons that are the same are not counted.
 *
 * Where Recast reads memory that nobody wrote (the hole merge of its contours) its answer depends on what was there. The
 * oracle fills free memory before that stage; a case whose answer changes with the filling is listed and not held against
 * either side. Limits that Recast runs over (oracle/limits.ts) are recognised from the input and listed, too.
 *
 * NAVKILN_FULL=1 also bakes the largest levels by layers uncut (default options): Recast takes up to twelve seconds for one.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BuildOptions, Partition } from '../../src/voxel/options.ts';
import { initOracle } from '../oracle/recast.ts';
import { bakeAgainstRecast, judgeDetail } from './against-recast.ts';
import { OPTION_SETS } from './cases.ts';
import { OBJ_NAMES, SCENE_NAMES, boundsOf, hasObjLevels, objLevel, sceneLevel } from './levels.ts';
import type { GoldenLevel } from './levels.ts';

const TIMEOUT = process.env.NAVKILN_FULL ? 600_000 : 60_000;
const PARTITIONS: readonly Partition[] = ['watershed', 'monotone', 'layers'];
/** Levels with so many holes in one layer that Recast's hole merge takes seconds: cut to their middle there. */
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

const unreproducible: string[] = [];
/** Cases in which Recast ran over a limit of its own. */
const excused: string[] = [];
const detailLines: string[] = [];

beforeAll(initOracle);

afterAll(() => {
  if (unreproducible.length > 0)
    console.log(`Recast's answer depends on unwritten memory in:\n  ${unreproducible.join('\n  ')}`);
  else console.log('No case depends on memory that Recast did not write.');
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
  const options: BuildOptions = { ...level.options, ...change, partition };
  const isUncut = process.env.NAVKILN_FULL && setName === 'default';
  if (partition === 'layers' && MANY_HOLES.includes(level.name) && !isUncut) options.bounds = middleOf(level);
  const name = `${level.name}, ${partition}, ${setName}`;
  const verdict = await bakeAgainstRecast(level.input, options, { whole: setName === 'default' });
  if (verdict.excuse) {
    (verdict.unreproducible ? unreproducible : excused).push(`${name}: ${verdict.excuse}`);
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

async function compareAll(level: GoldenLevel, partition: Partition): Promise<string[]> {
  // All option sets with the watershed; those that change what regions look like with the others.
  const sets = OPTION_SETS.filter(
    (set) => partition === 'watershed' || !['triangles', 'coarser, steeper'].includes(set.name),
  );
  const failures: string[] = [];
  for (const set of sets) {
    const failure = await compare(level, partition, set.name, set.change(level));
    if (failure) failures.push(failure);
  }
  return failures;
}

describe.skipIf(!hasObjLevels)(`real levels${hasObjLevels ? '' : ' (skipped: ../shared/levels is not there)'}`, () => {
  for (const name of OBJ_NAMES) {
    it.each(PARTITIONS)(`${name}.obj, %s: Recast's mesh`, async (partition) => {
      expect(await compareAll(objLevel(name), partition)).toEqual([]);
    });
  }
});

describe('scenes', () => {
  it('there are scenes', () => {
    expect(SCENE_NAMES.length).toBeGreaterThan(5);
  });

  for (const name of SCENE_NAMES) {
    it.each(PARTITIONS)(`${name}, %s: Recast's mesh`, { timeout: TIMEOUT }, async (partition) => {
      expect(await compareAll(sceneLevel(name), partition)).toEqual([]);
    });
  }
});
