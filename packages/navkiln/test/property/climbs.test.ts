/**
 * Stairs, spirals, car parks and towers can be walked from bottom to top, and their meshes lie on the floors: no polygon is further from
 * them than a cell and the climb. The levels are random (climbs.ts), turned by any angle.
 *
 * NAVKILN_SEED sets the first seed, NAVKILN_CLIMBS the number of stairs; of the others there are a twentieth as many.
 */
import { nameOf } from '../../src/build/voxel/config.ts';
import { partitionOf } from '../../src/build/voxel/partition-of.ts';
import { layersPartition } from '../../src/build/voxel/regions/layers.ts';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { randomLevel } from '../../../scenes/src/random-levels/random-level.ts';
import { parseObj } from '../../src/formats/levels/obj.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import type { BuildOptions } from '../../src/build/voxel/options.ts';
import { createRandom, nextRange } from '../../../scenes/src/random.ts';
import {
  exactStairs,
  mostAboveGround,
  randomCarPark,
  randomSpiral,
  randomStairs,
  randomTower,
  stairsOf,
} from './climbs.ts';
import type { Climb } from './climbs.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const CLIMBS = Number(process.env.NAVKILN_CLIMBS ?? 20);

const PARTITIONS = ['watershed', 'monotone', 'layers'] as const;
const AGENT = { radius: 0.3, height: 1.3, maxClimb: 0.4, maxSlopeDegrees: 50 };

/** Returns what is wrong with the bake of a level, or undefined. */
function faultOf(level: Climb, options: BuildOptions): string | undefined {
  const { navMesh, report } = buildNavMesh(level, options);
  const { status, reason } = findPath(navMesh, level.bottom, level.top, { halfExtents: [0.5, 1, 0.5] });
  const { cellSize, agent } = report.config;
  const { most, position } = mostAboveGround(navMesh, level, 1.5 * cellSize);
  const name = `${level.name}, ${nameOf(options.partition)} ${cellSize.toFixed(3)} ${options.tileSize ?? ''}`;
  if (status !== 'complete') return `${name}: ${status} ${reason ?? ''}`;
  if (most > agent.maxClimb + cellSize) return `${name}: ${most.toFixed(2)} from the floor at ${position.join()}`;
  return undefined;
}

function corpus(name: string, bottom: number[], top: number[]): Climb {
  const { positions, indices } = parseObj(
    readFileSync(new URL(`../corpus/levels/${name}.obj`, import.meta.url), 'utf8'),
  );
  return { name, positions: Float32Array.from(positions), indices: Uint32Array.from(indices), bottom, top };
}

describe('levels that were lost', () => {
  it('the default bake keeps a staircase whose riser is over half the climb', () => {
    const level = corpus('stairs', [-3, 0.73, 0.2], [3.6, 3.4, 0.25]);
    expect(faultOf(level, {})).toBe(undefined);
    expect(faultOf(level, { recast: true })).toContain('unreachable');
  });

  it.each([0.1, 0.15])('a region of a spiral that lies above itself is cut, cells of %f', (cellSize) => {
    const level = corpus('spiral', [-8, 0, -8], [-1.5, 7.3, 0.5]);
    expect(faultOf(level, { agent: { ...AGENT, height: 1.8 }, cellSize })).toBe(undefined);
  });

  it('detail vertices stay on the storey of their polygon', () => {
    const level = corpus('storeys', [-3, 0, -3], [-3, 0, -2]);
    expect(faultOf(level, { agent: { radius: 0.3 }, cellSize: 0.15, recast: true })).toBe(undefined);
  });

  it.each([
    ['arches', 1, 'watershed', 20],
    ['arches', 1, 'layers', 20],
    ['bridges', 12, 'layers', 20],
    // A narrow polygon over the end of a ramp, which needs samples closer together.
    ['bridges', 45, 'monotone', 0],
  ] as const)('detail vertices stay on the storey of their polygon: %s %i, %s', (kind, seed, partition, tileRadii) => {
    const { agent, positions, indices } = randomLevel(kind, seed);
    const moved = Float32Array.from(positions, (value, k) => value - (k % 3 === 1 ? 0 : positions[k % 3]));
    const cells = seed === 12 ? 3 : 2;
    const cellSize = agent.radius / cells;
    const options = {
      agent,
      partition: partitionOf(partition),
      cellSize,
      cellHeight: cellSize / 2,
      tileSize: tileRadii * agent.radius,
    };
    const { navMesh } = buildNavMesh({ positions: moved, indices }, options);
    const { most } = mostAboveGround(navMesh, { positions: moved, indices }, 1.5 * options.cellSize);
    expect(most).toBeLessThan(agent.maxClimb + options.cellSize);
  });

  it('small layers that join others are kept: spiral 58', () => {
    expect(faultOf(randomSpiral(58), { agent: AGENT, cellSize: 0.15, partition: layersPartition })).toBe(undefined);
  });

  it('a region whose ends come near to lying above each other is cut: spirals 48 and 56', () => {
    for (const seed of [48, 51, 56])
      expect(faultOf(randomSpiral(seed), { agent: AGENT, cellSize: 0.15 })).toBe(undefined);
  });
});

const faultsOf = (levels: Climb[], variants: BuildOptions[]): string[] =>
  levels.flatMap((level) => variants.flatMap((options) => faultOf(level, options) ?? [])).slice(0, 20);
const seedsOf = (count: number): number[] => Array.from({ length: count }, (_, k) => SEED + k);
const some = Math.ceil(CLIMBS / 20);

it(`${CLIMBS} random stairs from seed ${SEED}: risers up to the climb`, () => {
  expect(
    faultsOf(
      seedsOf(CLIMBS).map((seed) => randomStairs(seed, 0.4)),
      [{}],
    ),
  ).toEqual([]);
});

it(`stairs whose riser is exactly the climb, from seed ${SEED}: radii, climbs and heights of the ground`, () => {
  const random = createRandom(SEED);
  const lost: string[] = [];
  for (const radius of [0.2, 0.25, 0.3, 0.35, 0.4, 0.6])
    for (const maxClimb of [0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5])
      for (const ground of [0, -0.35, nextRange(random, 0, 3), nextRange(random, -1000, 1000)])
        for (const tileSize of [0, 8]) {
          const level = exactStairs(maxClimb, ground);
          const { navMesh } = buildNavMesh(level, { agent: { radius, height: 1.8, maxClimb }, tileSize });
          const { status } = findPath(navMesh, level.bottom, level.top);
          if (status !== 'complete') lost.push(`${radius} ${maxClimb} ${ground} ${tileSize}`);
        }
  expect(lost).toEqual([]);
});

it('stairs with a step above the climb stay a ledge', () => {
  for (const seed of seedsOf(some)) {
    const level = stairsOf(seed, { count: 4, riser: 0.55, tread: 0.5, width: 3, isSolid: true });
    expect(faultOf(level, {})).toContain('unreachable');
  }
});

it(`${some} random spirals from seed ${SEED}: each partitioning, two cell sizes`, () => {
  const variants = PARTITIONS.flatMap((partition) =>
    [2, 3].map((n) => ({ agent: AGENT, partition: partitionOf(partition), cellSize: 0.3 / n })),
  );
  expect(faultsOf(seedsOf(some).map(randomSpiral), variants)).toEqual([]);
});

it(`${some} random car parks and towers from seed ${SEED}: each partitioning, with and without tiles`, () => {
  const variants = PARTITIONS.flatMap((partition) =>
    [0, 5].map((tileSize) => ({ agent: AGENT, partition: partitionOf(partition), tileSize })),
  );
  expect(faultsOf(seedsOf(some).map(randomCarPark), variants)).toEqual([]);
  expect(faultsOf(seedsOf(some).map(randomTower), variants)).toEqual([]);
});
