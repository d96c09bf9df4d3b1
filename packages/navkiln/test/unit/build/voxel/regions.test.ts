/** Each method that divides the surface into regions, on fields small enough to check by eye. */
import { describe, expect, it } from 'vitest';
import { buildCompactField } from '../../../../src/build/voxel/field/compact.ts';
import { buildDistanceField } from '../../../../src/build/voxel/field/distance.ts';
import { buildRegionsLayers } from '../../../../src/build/voxel/regions/layers.ts';
import { buildRegionsMonotone } from '../../../../src/build/voxel/regions/monotone.ts';
import { buildRegionsWatershed } from '../../../../src/build/voxel/regions/watershed.ts';
import type { CompactField } from '../../../../src/build/voxel/types.ts';
import { BORDER_REGION } from '../../../../src/build/voxel/types.ts';
import { fieldOf, ground, rowsOf, solidOf, unitConfig } from './fields.ts';

type Build = (field: CompactField, minArea: number, mergeArea: number) => void;
const watershed: Build = (field, minArea, mergeArea) => {
  buildDistanceField(field);
  buildRegionsWatershed(field, minArea, mergeArea);
};
const layers: Build = (field, minArea) => buildRegionsLayers(field, minArea);

function regionsOf(build: Build, rows: readonly string[], minArea = 0, mergeArea = 0): string[] {
  const field = fieldOf(rows);
  build(field, minArea, mergeArea);
  expect(Math.max(0, ...field.region)).toBeLessThanOrEqual(field.regionCount);
  return rowsOf(field, field.region);
}

const ring = ['11111', '1   1', '1   1', '11111'];
const rooms = [
  '1111111  1111111',
  '1111111  1111111',
  '1111111  1111111',
  '1111111111111111',
  '1111111  1111111',
  '1111111  1111111',
  '1111111  1111111',
];

describe.each([
  ['watershed', watershed],
  ['monotone', buildRegionsMonotone],
  ['layers', layers],
] as [string, Build][])('regions, %s', (_, build) => {
  it('finds one in a square', () => {
    expect(regionsOf(build, ground(4, 4))).toEqual(['1111', '1111', '1111', '1111']);
  });
  it('finds none without walkable spans', () => {
    const field = fieldOf(ground(4, 4));
    field.area.fill(0);
    build(field, 0, 0);
    expect(field.regionCount).toBe(0);
    expect([...field.region]).toEqual(new Array(16).fill(0));
    const empty = fieldOf(['    ', '    ']);
    build(empty, 0, 0);
    expect([empty.regionCount, empty.region.length]).toEqual([0, 0]);
  });
  it('numbers pieces by their first span and drops those that are too small', () => {
    const pieces = ['111 11', '111 11', '111   '];
    expect(regionsOf(build, pieces, 4).join()).toBe('111 22,111 22,111   ');
    expect(regionsOf(build, pieces, 5).join()).toBe('111 ..,111 ..,111   ');
    expect(regionsOf(build, pieces, 10).join()).toBe('... ..,... ..,...   ');
  });
  it('never mixes areas', () => {
    const field = fieldOf(ground(8, 4));
    for (let i = 0; i < 32; i++) field.area[i] = i % 8 < 4 ? 63 : 5;
    build(field, 0, 1000);
    expect(rowsOf(field, field.region)).toEqual(['11112222', '11112222', '11112222', '11112222']);
  });
  it('gives the border of a tile four regions of its own', () => {
    const field = fieldOf(ground(6, 5), { borderCells: 1 });
    build(field, 0, 0);
    // Border regions are shown from 6 on: west, east, north, south. The ids 1 to 4 belong to them, so ground starts at 5.
    const names = field.region.map((id) => (id >= BORDER_REGION ? id - BORDER_REGION + 5 : id));
    expect(rowsOf(field, names)).toEqual(['888888', '655557', '655557', '655557', '999999']);
  });
  it('keeps small pieces that reach the border of a tile', () => {
    const field = fieldOf(
      ['1111        ', '1111        ', '1111   111  ', '1111   111  ', '       111  ', '            '],
      { borderCells: 1 },
    );
    build(field, 50, 0);
    const inner = field.region.map((id) => (id > 0 && id < BORDER_REGION ? 1 : 0));
    expect(rowsOf(field, inner)).toEqual([
      '....        ',
      '.111        ',
      '.111   ...  ',
      '.111   ...  ',
      '       ...  ',
      '            ',
    ]);
  });
});

describe('watershed', () => {
  it('cuts two rooms at the door, and merges what is smaller than the merge area', () => {
    const cut = regionsOf(watershed, rooms);
    expect(cut.map((row) => row.replace(/[12]/g, ''))).toEqual(rooms.map((row) => row.replace(/1/g, '')));
    for (const row of cut) expect(row).toMatch(/^1{7}( {2}|[12]{2})2{7}$/);
    expect(regionsOf(watershed, rooms, 0, 1000)).toEqual(rooms);
    // The door alone is smaller than 50, the rooms with it are not.
    expect(new Set(regionsOf(watershed, rooms, 0, 49).join(''))).toEqual(new Set(['1', '2', ' ']));
  });
  it('leaves spans without a summit without a region: one row has distance 0 everywhere', () => {
    expect(regionsOf(watershed, ['11111'])).toEqual(['.....']);
  });
  it('runs around a pillar and meets itself', () => {
    const rows = ground(11, 11).map((row, z) => (z === 5 ? '11111 11111' : row));
    const found = regionsOf(watershed, rows, 0, 0);
    expect(found.join('')).not.toContain('.');
  });
});

describe('monotone', () => {
  it('cuts a ring where strips part and meet', () => {
    expect(regionsOf(buildRegionsMonotone, ring)).toEqual(['11111', '2   3', '2   3', '44444']);
  });
  it('merges small strips into neighbors, not all the way around', () => {
    const merged = regionsOf(buildRegionsMonotone, ring, 0, 1000);
    expect(merged.join('')).not.toContain('.');
    expect(new Set(merged.join('').replaceAll(' ', '')).size).toBeLessThan(4);
    expect(new Set(merged.join('').replaceAll(' ', '')).size).toBeGreaterThan(1);
  });
  it('keeps a strip going while it meets one alone', () => {
    expect(regionsOf(buildRegionsMonotone, ['1111', '11  ', '11  ', '1111'])).toEqual(['1111', '11  ', '11  ', '1111']);
    expect(regionsOf(buildRegionsMonotone, ['1 1', '111'])).toEqual(['1 2', '333']);
    expect(regionsOf(buildRegionsMonotone, ['111', '1 1'])).toEqual(['111', '2 3']);
  });
});

describe('layers', () => {
  it('lets a region run around a hole', () => {
    expect(regionsOf(layers, ring)).toEqual(ring);
  });
  it('cuts where floors lie above each other', () => {
    // A lower floor (height 1) under an upper one (height 6), joined by a step in the first row.
    const lower = [0, 1, 63] as const,
      upper = [5, 6, 63] as const;
    const solid = solidOf(1, 4, [[[0, 3, 63]], [lower, upper], [lower, upper], [lower, upper]]);
    const field = buildCompactField(solid, unitConfig(1, 4, { walkableClimbCells: 3 }));
    buildRegionsLayers(field, 0);
    const upperIds = [2, 4, 6].map((i) => field.region[i]),
      lowerIds = [1, 3, 5].map((i) => field.region[i]);
    expect(new Set(lowerIds).size).toBe(1);
    expect(new Set(upperIds).size).toBe(1);
    expect(lowerIds[0]).not.toBe(upperIds[0]);
    expect(field.regionCount).toBe(2);
  });
  it('does not follow a ramp up over its own floor', () => {
    // A floor at 1 with another at 6 above it, and next to them a ramp from the one at the back to the other at the
    // front.
    const both = [
      [0, 1, 63],
      [5, 6, 63],
    ] as const;
    const solid = solidOf(
      2,
      4,
      [2, 3, 4, 5].toReversed().flatMap((top) => [both, [[0, top, 63]] as const]),
    );
    const field = buildCompactField(solid, unitConfig(2, 4));
    buildRegionsLayers(field, 0);
    // Lower, upper, ramp of each row.
    expect([...field.region]).toEqual([1, 2, 2, 1, 2, 1, 1, 2, 1, 1, 2, 1]);
    expect(field.regionCount).toBe(2);
  });
  it('keeps more runs in a row than the row has columns', () => {
    // Nine storeys of two columns that do not meet: 18 runs in a row of 2 columns.
    const storeys = Array.from({ length: 9 }, (_, k) => [8 * k, 8 * k + 1, 63] as const);
    const shifted = storeys.map(([bottom, top, area]) => [bottom + 4, top + 4, area] as const);
    for (const build of [layers, buildRegionsMonotone]) {
      const field = buildCompactField(solidOf(2, 1, [storeys, shifted]), unitConfig(2, 1));
      build(field, 0, 0);
      expect(new Set(field.region).size).toBe(18);
      expect(field.regionCount).toBe(18);
    }
  });
});
