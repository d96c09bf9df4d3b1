/**
 * Random triangles with random options against Recast, stage by stage up to the polygon mesh: soups of
 * slivers and large triangles on and off the voxel grid, broken floors on several storeys, and blocks with
 * holes between them. Some levels are far from the origin, and some are cut by bounds. A third of the cases
 * has a border, as tiles have. NAVKILN_SEED sets the seed, NAVKILN_CASES the number of cases.
 */
import { createVolumes } from '../../src/build/voxel/volumes.ts';
import { optionsFromSettings } from '../../src/build/voxel/settings.ts';
import { beforeAll, expect, it } from 'vitest';
import type { AreaVolume, BuildOptions, TriangleInput } from '../../src/build/voxel/options.ts';
import { initOracle } from '../oracle/recast.ts';
import { bakeAgainstRecast } from './against-recast.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 7);
const CASES = Number(process.env.NAVKILN_CASES ?? 40);

beforeAll(initOracle);

type Random = (low: number, high: number) => number;

function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (low, high) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return low + ((high - low) * ((t ^ (t >>> 14)) >>> 0)) / 4294967296;
  };
}

function soup(random: Random, snap: number): number[] {
  const positions: number[] = [];
  const count = Math.floor(random(3, 60));
  const size = random(0.2, 9);
  for (let t = 0; t < count; t++) {
    const at = [random(0, 16), random(0, 4), random(0, 16)];
    for (let k = 0; k < 9; k++) {
      const value = at[k % 3] + random(-0.5, 0.5) * size * (k % 3 === 1 ? 0.3 : 1);
      positions.push(snap > 0 ? Math.round(value / snap) * snap : value);
    }
  }
  return positions;
}

/** Storeys of square tiles, some missing, each corner at its own height. */
function floors(random: Random, snap: number): number[] {
  const positions: number[] = [];
  const storeys = Math.floor(random(1, 4));
  const tiles = Math.floor(random(3, 9));
  const tile = 16 / tiles;
  const holes = random(0, 0.45);
  const bumps = random(0, 0.5);
  for (let s = 0; s < storeys; s++) {
    const heights = Array.from({ length: (tiles + 1) ** 2 }, () => s * 2.4 + random(0, bumps));
    const corner = (x: number, z: number): number[] => {
      const y = heights[x + z * (tiles + 1)];
      return [x * tile, snap > 0 ? Math.round(y / snap) * snap : y, z * tile];
    };
    for (let z = 0; z < tiles; z++) {
      for (let x = 0; x < tiles; x++) {
        if (random(0, 1) < holes) continue;
        positions.push(...corner(x, z), ...corner(x, z + 1), ...corner(x + 1, z));
        positions.push(...corner(x + 1, z), ...corner(x, z + 1), ...corner(x + 1, z + 1));
      }
    }
  }
  return positions;
}

/** One floor with many upright blocks, which make holes in regions. */
function blocks(random: Random): number[] {
  const positions: number[] = [];
  const quad = (a: number[], b: number[], c: number[], d: number[]): void => {
    positions.push(...a, ...b, ...c, ...a, ...c, ...d);
  };
  quad([0, 0, 0], [0, 0, 16], [16, 0, 16], [16, 0, 0]);
  for (let n = Math.floor(random(3, 30)); n > 0; n--) {
    const [x, z, w, d, h] = [random(0.5, 15), random(0.5, 15), random(0.2, 2), random(0.2, 2), random(0.5, 3)];
    quad([x, h, z], [x, h, z + d], [x + w, h, z + d], [x + w, h, z]);
    quad([x, 0, z], [x, 0, z + d], [x, h, z + d], [x, h, z]);
    quad([x + w, 0, z + d], [x + w, 0, z], [x + w, h, z], [x + w, h, z + d]);
    quad([x, 0, z + d], [x + w, 0, z + d], [x + w, h, z + d], [x, h, z + d]);
    quad([x + w, 0, z], [x, 0, z], [x, h, z], [x + w, h, z]);
  }
  return positions;
}

function randomBounds(random: Random, shift: readonly number[]): BuildOptions['bounds'] {
  const min = shift.map((v, axis) => v + (axis === 1 ? random(-3, 1) : random(-4, 6)));
  return { min, max: min.map((v, axis) => v + (axis === 1 ? random(1, 9) : random(3, 18))) };
}

function randomVolumes(random: Random, shift: readonly number[]): AreaVolume[] {
  const [sx, sy, sz] = [shift[0], shift[1], shift[2]];
  const volumes: AreaVolume[] = [];
  for (let n = Math.floor(random(0, 4)); n > 0; n--) {
    const area = Math.floor(random(0, 64));
    const [x, z, size] = [sx + random(-1, 16), sz + random(-1, 16), random(0.5, 7)];
    const kind = Math.floor(random(0, 3));
    const top = sy + random(0, 6);
    if (kind === 0) {
      volumes.push({ type: 'box', area, min: [x, sy - 1, z], max: [x + size, top, z + size * random(0.2, 1)] });
    } else if (kind === 1) {
      volumes.push({ type: 'cylinder', area, center: [x, sy + random(-2, 2), z], radius: size / 2, height: top - sy });
    } else {
      const outline = [
        [x, z],
        [x + size, z + 0.3],
        [x + size * 0.4, z + size],
      ];
      volumes.push({ type: 'prism', area, outline, minY: sy - 1, maxY: top });
    }
  }
  return volumes;
}

function randomOptions(random: Random, shift: readonly number[]): BuildOptions {
  const chance = (p: number): boolean => random(0, 1) < p;
  const cellSize = chance(0.4) ? 0.25 : random(0.11, 0.5);
  return {
    agent: {
      radius: chance(0.2) ? 0 : random(0, 0.8),
      height: random(0.3, 2.5),
      maxClimb: random(0, 1),
      maxSlopeDegrees: random(0, 89),
    },
    cellSize,
    cellHeight: chance(0.4) ? 0.125 : random(0.05, 0.4),
    ...optionsFromSettings({ partition: (['watershed', 'monotone', 'layers'] as const)[Math.floor(random(0, 3))] }),
    maxEdgeLength: chance(0.3) ? 0 : cellSize * random(1, 60),
    maxEdgeError: cellSize * random(0, 4),
    regionMinArea: cellSize * cellSize * (chance(0.4) ? 0 : random(0, 200)),
    regionMergeArea: cellSize * cellSize * (chance(0.3) ? 0 : random(0, 900)),
    maxVerticesPerPoly: Math.floor(random(3, 13)),
    filterLowHangingObstacles: chance(0.7),
    filterLedges: chance(0.7),
    filterLowCeilings: chance(0.7),
    medianAreas: chance(0.3),
    tessellateWallEdges: chance(0.7),
    tessellateAreaEdges: chance(0.5),
    volumes: createVolumes(chance(0.5) ? randomVolumes(random, shift) : []),
    bounds: chance(0.2) ? randomBounds(random, shift) : undefined,
  };
}

/** Cases that failed in the past, by name. */
const NAMED = [{ name: 'an outline that does not close, because connections are not mutual', seed: 1234, index: 1179 }];

interface Verdict {
  name: string;
  polygons: number;
  failure: string | undefined;
  excuse: string | undefined;
}

async function tryCase(seed: number, index: number): Promise<Verdict | undefined> {
  const random = createRandom(seed * 100_003 + index);
  const snap = random(0, 1) < 0.5 ? 0 : 0.25;
  const positions = [soup, floors, blocks][index % 3](random, snap);
  if (positions.length === 0) return undefined;
  // Far from the origin float32 is coarse, and both sides must round in the same way.
  const far = random(0, 1) < 0.25 ? 10 ** random(2, 5) : 0;
  const shift = [random(-far, far), random(-far, far), random(-far, far)];
  for (let k = 0; k < positions.length; k++) positions[k] += shift[k % 3];
  const count = positions.length / 9;
  const input: TriangleInput = {
    positions: Float32Array.from(positions),
    areas: random(0, 1) < 0.3 ? Uint8Array.from({ length: count }, () => Math.floor(random(0, 64))) : undefined,
  };
  const options = randomOptions(random, shift);
  const borderCells = random(0, 1) < 0.33 ? Math.floor(random(1, 8)) : 0;
  // The whole bake reuses memory from case to case. Nothing of the previous case may remain in it.
  const verdict = await bakeAgainstRecast(input, options, {
    change: { borderCells },
    whole: borderCells === 0,
    skipDetail: true,
  });
  const name = `seed ${seed} case ${index} (${options.partition}${borderCells ? `, border ${borderCells}` : ''})`;
  return {
    name,
    polygons: verdict.expected.polyMesh?.polyCount ?? 0,
    failure: verdict.failure,
    excuse: verdict.excuse,
  };
}

it.each(NAMED)('equals Recast for $name', async ({ seed, index }) => {
  expect(await tryCase(seed, index)).toMatchObject({ failure: undefined });
});

it('equals Recast for a first cut of a side that begins far left of the grid', async () => {
  const positions = Float32Array.of(-7.8, 3, 26.1, 24.9, 28.5, 39, 27.3, 29.7, 27);
  const verdict = await bakeAgainstRecast(
    { positions },
    {
      bounds: { min: [12, 20, 6], max: [54, 70, 60] },
      cellSize: 0.1,
      cellHeight: 0.2,
      agent: { maxSlopeDegrees: 89 },
    },
    { skipDetail: true },
  );
  expect(verdict.failure).toBe(undefined);
  expect(verdict.excuse).toBe(undefined);
});

it(`equals Recast for ${CASES} random levels, seed ${SEED}`, { timeout: 60_000 + CASES * 300 }, async () => {
  console.log(`recast-random: seed ${SEED}, ${CASES} cases`);
  const failures: string[] = [];
  const excused: string[] = [];
  let polygons = 0;
  for (let n = 0; n < CASES; n++) {
    const verdict = await tryCase(SEED, n);
    if (verdict === undefined) continue;
    polygons += verdict.polygons;
    if (verdict.excuse) excused.push(`${verdict.name}: ${verdict.excuse}`);
    if (verdict.failure) failures.push(`${verdict.name}: ${verdict.failure}`);
  }
  if (excused.length > 0) console.log(`excused:\n  ${excused.join('\n  ')}`);
  expect(failures.slice(0, 10)).toEqual([]);
  expect(polygons).toBeGreaterThan(CASES * 5);
  expect(excused.length).toBeLessThan(CASES / 10);
});
