import { describe, expect, it } from 'vitest';
import { markVolume, medianFilterAreas } from '../../../../src/build/voxel/field/areas.ts';
import type { AreaVolume } from '../../../../src/build/voxel/options.ts';
import { fieldOf, ground, rowsOf } from './fields.ts';

/** Areas of 6 x 5 cells of ground (area 63 shown as '.') after these volumes; 'x' is cut. */
function marked(volumes: readonly AreaVolume[], rows: readonly string[] = ground(6, 5)): string[] {
  const field = fieldOf(rows);
  for (const volume of volumes) markVolume(field, volume);
  return rowsOf(
    field,
    field.area.map((area) => (area === 63 ? 0 : area === 0 ? 33 : area)),
  ).map((row) => row.replaceAll('X', 'x'));
}

describe('markVolume', () => {
  it('box: the cells from its least to its greatest corner, both included', () => {
    expect(marked([{ type: 'box', area: 5, min: [1, 0, 1], max: [3.5, 9, 2] }])).toEqual([
      '......',
      '.555..',
      '.555..',
      '......',
      '......',
    ]);
    expect(marked([{ type: 'box', area: 5, min: [-9, 0, -9], max: [0.5, 9, 99] }])).toEqual([
      '5.....',
      '5.....',
      '5.....',
      '5.....',
      '5.....',
    ]);
    expect(marked([{ type: 'box', area: 5, min: [6.5, 0, 0], max: [9, 9, 9] }])).toEqual(marked([]));
    expect(marked([{ type: 'box', area: 5, min: [-9, 0, 0], max: [-1.5, 9, 9] }])).toEqual(marked([]));
  });

  it('box: only floors at its height', () => {
    const rows = ['123456'];
    expect(marked([{ type: 'box', area: 5, min: [0, 3, 0], max: [6, 4.5, 1] }], rows)).toEqual(['..55..']);
    expect(marked([{ type: 'box', area: 5, min: [0, 8, 0], max: [6, 9, 1] }], rows)).toEqual(['......']);
  });

  it('cylinder: cells whose centers are nearer than the radius', () => {
    const cylinder = (radius: number): AreaVolume => ({
      type: 'cylinder',
      area: 7,
      center: [3, 0, 2],
      radius,
      height: 5,
    });
    expect(marked([cylinder(1.5)])).toEqual(['......', '..77..', '..77..', '......', '......']);
    // The next centres are 1.58 away.
    expect(marked([cylinder(1.6)])).toEqual(['..77..', '.7777.', '.7777.', '..77..', '......']);
    expect(marked([{ type: 'cylinder', area: 7, center: [3, 4, 2], radius: 2, height: 5 }])).toEqual(marked([]));
  });

  it('prism: cells whose centers are within the outline, either way round', () => {
    const outline = [
      [0, 0],
      [5, 0],
      [0, 5],
    ];
    const rows = ['9999..', '999...', '99....', '9.....', '......'];
    expect(marked([{ type: 'prism', area: 9, outline, minY: 0, maxY: 2 }])).toEqual(rows);
    expect(marked([{ type: 'prism', area: 9, outline: outline.toReversed(), minY: 0, maxY: 2 }])).toEqual(rows);
    expect(marked([{ type: 'prism', area: 9, outline, minY: 2, maxY: 3 }])).toEqual(marked([]));
  });

  it('later volumes win, but what was cut stays cut', () => {
    const box = (area: number, x0: number, x1: number): AreaVolume => ({
      type: 'box',
      area,
      min: [x0, 0, 0.5],
      max: [x1, 9, 0.5],
    });
    expect(marked([box(5, 0, 3), box(6, 2, 5)], ['111111'])).toEqual(['556666']);
    expect(marked([box(0, 0, 1), box(6, 1, 2)], ['111111'])).toEqual(['xx6...']);
    expect(marked([box(63, 0, 9)], ['111111'])).toEqual(['......']);
  });
});

describe('medianFilterAreas', () => {
  const filtered = (areas: readonly string[]): string[] => {
    const field = fieldOf(areas.map((row) => '1'.repeat(row.length)));
    areas.forEach((row, z) => [...row].forEach((c, x) => (field.area[x + z * row.length] = Number(c))));
    medianFilterAreas(field);
    return rowsOf(field, field.area);
  };
  it('removes a speckle and keeps edges', () => {
    expect(filtered(['11111', '11911', '11111'])).toEqual(['11111', '11111', '11111']);
    expect(filtered(['99999', '99199', '99999'])).toEqual(['99999', '99999', '99999']);
    expect(filtered(['11999', '11999', '11999'])).toEqual(['11999', '11999', '11999']);
  });
  it('never makes spans walkable, and does not count those that are not', () => {
    expect(filtered(['000', '010', '000'])).toEqual(['...', '.1.', '...']);
    expect(filtered(['222', '202', '222'])).toEqual(['222', '2.2', '222']);
  });
  it('reads the areas before the filter', () => {
    // Cell by cell in place, the line would be eaten from one end.
    expect(filtered(['11111', '12221', '11111'])).toEqual(['11111', '11111', '11111']);
    expect(filtered(['2222', '1111', '2222'])).toEqual(['2222', '1221', '2222']);
  });
});
