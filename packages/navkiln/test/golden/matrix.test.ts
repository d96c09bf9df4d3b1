/**
 * The matrix compares each stage with Recast's: seeded difficult levels x three partitionings x six option
 * sets x { unchanged, rotated by 90 degrees, mirrored, triangles shuffled }.
 *
 * By default about a seventieth of it runs: every level with one or two of the partitionings, each with one of the option sets and in
 * one of the four positions. NAVKILN_MATRIX=1 runs all of it (as `npm run
 * soak` does), and NAVKILN_SEED makes other levels.
 *
 * Our bakes have the option `recast`. Without it, they are equal, too, or meet a deviation of golden/deviations.ts, whose shares are
 * printed.
 *
 * Detail meshes may differ (see recast-exact.test.ts). Their heights are compared over the whole matrix,
 * because a single level has few points. Polygons of regions that overlap themselves are counted and left
 * out.
 */
import { partitionOf } from '../../src/build/voxel/partition-of.ts';
import { beforeAll, expect, it } from 'vitest';
import type { Partition } from '../../src/build/voxel/bake-config.ts';
import { initOracle } from '../oracle/recast.ts';
import { bakeAgainstRecast } from './against-recast.ts';
import { OPTION_SETS } from './cases.ts';
import { DEVIATIONS, deviationsOf } from './deviations.ts';
import { compareDetailHeights } from './detail-heights.ts';
import type { GoldenLevel } from './levels.ts';
import { matrixLevels } from './matrix-levels.ts';
import { runNavkiln } from './stages.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const isWhole = Boolean(process.env.NAVKILN_MATRIX);
const PARTITIONS: readonly Partition[] = ['watershed', 'monotone', 'layers'];

const DETAIL_KEYS = [
  'polyCount',
  'samePolys',
  'windingPolys',
  'samples',
  'beyond',
  'uncovered',
  'floorSamples',
  'ourFloorBeyond',
  'theirFloorBeyond',
] as const;

type Turn = (level: GoldenLevel) => GoldenLevel;

const turned = (level: GoldenLevel, change: (p: Float32Array, v: number) => void): GoldenLevel => {
  const positions = level.input.positions.slice();
  for (let v = 0; v < positions.length; v += 3) change(positions, v);
  return { ...level, input: { ...level.input, positions } };
};

const TURNS: readonly [string, Turn][] = [
  ['as is', (level) => level],
  [
    'rotated',
    (level) =>
      turned(level, (p, v) => {
        const x = p[v];
        p[v] = p[v + 2];
        p[v + 2] = -x;
      }),
  ],
  [
    'mirrored',
    (level) => {
      const mirrored = turned(level, (p, v) => {
        p[v] = -p[v];
      });
      // Reverses the winding, so that triangles that faced up still do.
      const indices = Uint32Array.from(level.input.indices!);
      for (let i = 0; i < indices.length; i += 3) [indices[i], indices[i + 1]] = [indices[i + 1], indices[i]];
      return { ...mirrored, input: { ...mirrored.input, indices } };
    },
  ],
  [
    'shuffled',
    (level) => {
      const indices = Uint32Array.from(level.input.indices!);
      let state = SEED;
      for (let t = indices.length / 3 - 1; t > 0; t--) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        const other = Math.floor((state / 4294967296) * (t + 1));
        for (let k = 0; k < 3; k++)
          [indices[3 * t + k], indices[3 * other + k]] = [indices[3 * other + k], indices[3 * t + k]];
      }
      return { ...level, input: { ...level.input, indices } };
    },
  ],
];

beforeAll(initOracle);

it(
  `levels from seed ${SEED}: Recast's mesh${isWhole ? ', the whole matrix' : ''}`,
  { timeout: 1_800_000 },
  async () => {
    const levels = matrixLevels(SEED);
    expect(levels.length).toBeGreaterThanOrEqual(40);
    const failures: string[] = [];
    const excused: string[] = [];
    const deviating = DEVIATIONS.map(() => 0);
    let cases = 0,
      alike = 0,
      polygons = 0,
      empty = 0;
    const detail = Object.fromEntries(DETAIL_KEYS.map((key) => [key, 0])) as Record<
      (typeof DETAIL_KEYS)[number],
      number
    >;
    for (const [n, create] of levels.entries()) {
      const level = create();
      for (const [p, partition] of PARTITIONS.entries()) {
        for (const [s, set] of OPTION_SETS.entries()) {
          for (const [t, [turnName, turn]] of TURNS.entries()) {
            // Another partitioning is left out in each third of the levels, and half of the cases of the others.
            const isChosen =
              p !== (n + Math.floor(n / 6)) % PARTITIONS.length &&
              (n + p + s) % 12 === 0 &&
              t === Math.floor((n + p + s) / 12) % TURNS.length;
            if (!isWhole && !isChosen) continue;
            const here = turn(level);
            const options = { ...here.options, ...set.change(here), partition: partitionOf(partition) };
            const verdict = await bakeAgainstRecast(here.input, options, { whole: true });
            const { config, records, expected, excuse, failure } = verdict;
            const name = `${level.name}, ${partition}, ${set.name}, ${turnName}`;
            if (failure) failures.push(`${name}: ${failure}`);
            if (excuse) excused.push(`${name}: ${excuse}`);
            const deviations = deviationsOf(runNavkiln(here.input, options).records, records);
            if (deviations.failure) failures.push(`${name}: ${deviations.failure}`);
            for (const deviation of deviations.found) deviating[DEVIATIONS.indexOf(deviation)]++;
            if (deviations.found.length === 0) alike++;
            if (!failure && !excuse && expected.detail) {
              const heights = compareDetailHeights(
                config,
                expected.compact!,
                expected.region!,
                expected.polyMesh!,
                records.detail!,
                expected.detail,
                true,
              );
              for (const key of DETAIL_KEYS) detail[key] += heights[key];
              if (heights.beyond > 2 + heights.samples / 8) {
                failures.push(
                  `${name}: ${heights.beyond} of ${heights.samples} heights differ by more than ${heights.bound}`,
                );
              }
            }
            cases++;
            const count = verdict.records.polyMesh!.polyCount;
            polygons += count;
            if (count === 0) empty++;
          }
        }
      }
    }
    console.log(
      `matrix: seed ${SEED}, ${levels.length} levels, ${cases} cases, ${polygons} polygons, ${empty} empty meshes, ` +
        `${excused.length} excused, ${failures.length} failed`,
    );
    console.log(
      `detail: of ${detail.polyCount} polygons ${detail.samePolys} are the same, ${detail.windingPolys} not compared; ` +
        `${detail.beyond} of ${detail.samples} heights apart; from the floor ${detail.ourFloorBeyond} and ` +
        `${detail.theirFloorBeyond} of ${detail.floorSamples}`,
    );
    console.log(
      `deviations: ${DEVIATIONS.map((name, k) => `${name} ${deviating[k]}`).join(', ')}; none ${alike} of ${cases}`,
    );
    if (excused.length > 0) {
      const lines = isWhole ? excused : excused.slice(0, 10);
      console.log(`excused:\n  ${lines.join('\n  ')}${lines.length < excused.length ? '\n  …' : ''}`);
    }
    expect(failures.slice(0, 20)).toEqual([]);
    expect(detail.uncovered).toBe(0);
    expect(detail.beyond).toBeLessThan(detail.samples / 50);
    expect(detail.ourFloorBeyond).toBeLessThanOrEqual(detail.theirFloorBeyond + detail.floorSamples / 200);
    expect(alike).toBeGreaterThan(cases / 3);
    expect(excused.length).toBeLessThan(cases / 10);
    expect(polygons).toBeGreaterThan(cases * 5);
    expect(empty).toBeLessThan(cases / 4);
  },
);
