/**
 * Filters, connections, erosion and distances of random heightfields against simple implementations, in which
 * a span compares itself with every span of the next column and distances are two sweeps over the whole
 * field.
 *
 * Regions are the same with and without a copy of neighbors in the order of levels. The stages' shortcuts must not change the result: agents as tall as their climb or shorter, radii beyond
 * two cells, areas cut out before erosion, long runs of open surface.
 */
import { expect, it } from 'vitest';
import { buildCompactField } from '../../src/build/voxel/field/compact.ts';
import { buildDistanceField } from '../../src/build/voxel/field/distance.ts';
import { erodeArea } from '../../src/build/voxel/field/erode.ts';
import {
  filterLedges,
  filterLowCeilings,
  filterLowHangingObstacles,
  filterSpans,
} from '../../src/build/voxel/field/filter.ts';
import { buildRegionsWatershed } from '../../src/build/voxel/regions/watershed.ts';
import { createWorkspace } from '../../src/base/data/workspace.ts';
import type { CompactField, Heightfield } from '../../src/build/voxel/types.ts';
import { columnsOf, solidOf, unitConfig } from '../unit/build/voxel/fields.ts';
import type { Span } from '../unit/build/voxel/fields.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const CASES = Number(process.env.NAVKILN_CASES ?? 100);
const SKY = 0xffff;

/** Returns a generator of random integers below n. */
function createRandom(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

function randomSolid(random: (n: number) => number): Heightfield {
  const width = 1 + random(40),
    depth = 1 + random(25),
    storeys = 1 + random(4);
  const rough = [0, 1, 2, 6, 30][random(5)],
    holes = random(2) * random(10),
    steep = [0, 0, 3, 30][random(4)];
  const floors = Array.from({ length: storeys }, (_, s) => 5 + s * (6 + random(30)));
  return solidOf(
    width,
    depth,
    Array.from({ length: width * depth }, () => {
      const column: Span[] = [];
      let low = 0;
      for (const floor of floors) {
        if (random(100) < holes) continue;
        const top = Math.max(low + 1, floor + random(rough + 1));
        column.push([Math.max(low, top - 1 - random(4)), top, random(100) < steep ? 0 : random(50) === 0 ? 5 : 63]);
        low = top + 1;
      }
      return column;
    }),
  );
}

/** Returns the areas after the three filters, in Recast's order. With `recast`, floors next to a ledge may not differ by more than the climb. */
function simpleFilters(solid: Heightfield, height: number, climb: number, recast: boolean): number[][] {
  const columns = columnsOf(solid);
  const areas = columns.map((spans) =>
    spans.map((span, i) => {
      const below = spans[i - 1];
      return span[2] === 0 && below !== undefined && below[2] !== 0 && span[1] - below[1] <= climb ? below[2] : span[2];
    }),
  );
  return columns.map((spans, c) =>
    spans.map(([, floor], i) => {
      const ceiling = spans[i + 1]?.[0] ?? SKY;
      const x = c % solid.width;
      let lowest = floor,
        highest = floor,
        drop = ceiling - floor < height;
      for (const other of [x > 0 ? c - 1 : -1, c + solid.width, x + 1 < solid.width ? c + 1 : -1, c - solid.width]) {
        const adjacent = columns[other];
        if (adjacent === undefined || Math.min(ceiling, adjacent[0]?.[0] ?? SKY) - floor >= height) drop = true;
        for (const [k, span] of (adjacent ?? []).entries()) {
          const open = Math.min(ceiling, adjacent![k + 1]?.[0] ?? SKY) - Math.max(floor, span[1]);
          if (open < height || span[1] - floor > climb) continue;
          if (floor - span[1] > climb) drop = true;
          lowest = Math.min(lowest, span[1]);
          highest = Math.max(highest, span[1]);
        }
      }
      return drop || (recast && highest - lowest > climb) ? 0 : areas[c][i];
    }),
  );
}

function simpleNeighbors(field: CompactField, height: number, climb: number): number[] {
  const { width, depth, columnStart, y, height: open } = field;
  const found: number[] = [];
  for (let c = 0; c < width * depth; c++) {
    const x = c % width,
      z = (c - x) / width;
    const adjacent = [x > 0 ? c - 1 : -1, z + 1 < depth ? c + width : -1, x + 1 < width ? c + 1 : -1, c - width];
    for (let i = columnStart[c]; i < columnStart[c + 1]; i++) {
      for (const other of adjacent) {
        let neighbor = -1;
        for (
          let k = other < 0 ? 0 : columnStart[other];
          k < (other < 0 ? 0 : columnStart[other + 1]) && neighbor === -1;
          k++
        ) {
          const room = Math.min(y[i] + open[i], y[k] + open[k]) - Math.max(y[i], y[k]);
          if (room >= height && Math.abs(y[i] - y[k]) <= climb) neighbor = k;
        }
        found.push(neighbor);
      }
    }
  }
  return found;
}

function simpleDistance(field: CompactField, isBorder: (i: number, neighbors: number[]) => boolean): number[] {
  const { spanCount, neighbor } = field;
  const around = (i: number): number[] => [0, 1, 2, 3].map((dir) => neighbor[4 * i + dir]);
  const distance: number[] = Array.from({ length: spanCount }, (_, i) => (isBorder(i, around(i)) ? 0 : 0xffff));
  const sweep = (i: number, first: number, second: number): void => {
    for (const [side, corner] of [
      [first, second],
      [second, first ^ 2],
    ] as const) {
      const a = neighbor[4 * i + side];
      if (a === -1) continue;
      const b = neighbor[4 * a + corner];
      distance[i] = Math.min(distance[i], distance[a] + 2, b === -1 ? 0xffff : distance[b] + 3);
    }
  };
  for (let i = 0; i < spanCount; i++) sweep(i, 0, 3);
  for (let i = spanCount - 1; i >= 0; i--) sweep(i, 2, 1);
  return distance;
}

function simpleBlur(field: CompactField, distance: readonly number[]): number[] {
  return distance.map((own, i) => {
    if (own <= 2) return own;
    let sum = own;
    for (let dir = 0; dir < 4; dir++) {
      const a = field.neighbor[4 * i + dir];
      const b = a === -1 ? -1 : field.neighbor[4 * a + ((dir + 1) & 3)];
      sum += (a === -1 ? own : distance[a]) + (b === -1 ? own : distance[b]);
    }
    return Math.floor((sum + 5) / 9);
  });
}

it(`${CASES} random heightfields, seed ${SEED}, match simple implementations`, () => {
  const random = createRandom(SEED);
  const workspace = createWorkspace();
  for (let n = 0; n < CASES; n++) {
    const solid = randomSolid(random),
      again = { ...solid, spans: solid.spans.slice() };
    const height = 1 + random(20),
      climb = random(n % 5 === 0 ? 25 : 5),
      radius = 1 + random(n % 3 === 0 ? 12 : 3);
    const config = unitConfig(solid.width, solid.depth, {
      walkableHeightCells: height,
      walkableClimbCells: climb,
      filterLowHangingObstacles: true,
      filterLedges: true,
      filterLowCeilings: true,
      recast: n % 2 === 0,
    });
    const name = `seed ${SEED} case ${n} (${solid.width} x ${solid.depth}, height ${height}, climb ${climb}, radius ${radius})`;
    const areas = simpleFilters(solid, height, climb, config.recast);
    filterLowHangingObstacles(again, climb);
    filterLedges(again, height, climb, config.recast);
    filterLowCeilings(again, height);
    filterSpans(solid, config);
    expect(
      columnsOf(solid).map((spans) => spans.map((span) => span[2])),
      `${name}: filters`,
    ).toEqual(areas);
    expect(again.spans, `${name}: filters one by one`).toEqual(solid.spans);

    const field = buildCompactField(solid, config, workspace);
    expect([...field.area], `${name}: areas`).toEqual(areas.flat().filter((area) => area !== 0));
    expect([...field.neighbor], `${name}: neighbors`).toEqual(simpleNeighbors(field, height, climb));

    if (n % 4 === 0) field.area.fill(0, random(field.spanCount + 1), random(field.spanCount + 1));
    const before = field.area.slice();
    const near = simpleDistance(field, (i, around) => [i, ...around].some((k) => k === -1 || before[k] === 0));
    erodeArea(field, radius, workspace);
    expect([...field.area], `${name}: erosion`).toEqual(
      [...before].map((area, i) => (near[i] < 2 * radius ? 0 : area)),
    );

    const raw = simpleDistance(field, (i, around) => around.some((k) => k === -1 || field.area[k] !== field.area[i]));
    buildDistanceField(field, workspace);
    expect(field.maxDistance, `${name}: largest distance`).toBe(raw.reduce((max, d) => Math.max(max, d), 0));
    expect([...field.distance], `${name}: distances`).toEqual(simpleBlur(field, raw));

    // Regions of fields that are too large for a copy of their neighbors.
    const [minArea, mergeArea] = [random(30), random(100)];
    buildRegionsWatershed(field, minArea, mergeArea, workspace);
    const copied = [...field.region];
    buildRegionsWatershed(field, minArea, mergeArea, workspace, 0);
    expect([...field.region], `${name}: regions`).toEqual(copied);
  }
});
