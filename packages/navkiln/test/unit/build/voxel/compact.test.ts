import { describe, expect, it } from 'vitest';
import { buildCompactField } from '../../../../src/build/voxel/field/compact.ts';
import { buildDistanceField } from '../../../../src/build/voxel/field/distance.ts';
import { erodeArea } from '../../../../src/build/voxel/field/erode.ts';
import { fieldOf, ground, rowsOf, solidOf, unitConfig } from './fields.ts';

describe('buildCompactField', () => {
  it('keeps walkable spans with the space above them', () => {
    const solid = solidOf(1, 1, [
      [
        [0, 1, 63],
        [4, 5, 0],
        [9, 10, 7],
      ],
    ]);
    const field = buildCompactField(solid, unitConfig(1, 1));
    expect([...field.columnStart]).toEqual([0, 2]);
    expect([...field.y]).toEqual([1, 10]);
    // 4 - 1, and the sky, which a byte cannot hold.
    expect([...field.height]).toEqual([3, 255]);
    expect([...field.area]).toEqual([63, 7]);
    expect([...field.neighbor.subarray(0, 8)]).toEqual(new Array(8).fill(-1));
    expect(field.boundsMax).toEqual([1, 22, 1]);
  });

  it('connects along the four directions', () => {
    const field = fieldOf(['11', '11']);
    // -x, +z, +x, -z of spans 0 .. 3.
    expect([...field.neighbor.subarray(0, 16)]).toEqual([-1, 2, 1, -1, 0, 3, -1, -1, -1, -1, 3, 0, 2, -1, -1, 1]);
  });

  it('connects up to the climb and no further', () => {
    expect([...fieldOf(['1234'], { walkableClimbCells: 1 }).neighbor].filter((n) => n >= 0).length).toBe(6);
    expect([...fieldOf(['1346'], { walkableClimbCells: 1 }).neighbor].filter((n) => n >= 0)).toEqual([2, 1]);
    expect([...fieldOf(['1346'], { walkableClimbCells: 2 }).neighbor].filter((n) => n >= 0).length).toBe(6);
  });

  it('connects where the common open space fits the agent', () => {
    // Open from 1 to 6, and from 3 to 8: 3 voxels in common.
    const solid = solidOf(2, 1, [
      [
        [0, 1, 63],
        [6, 7, 0],
      ],
      [
        [0, 3, 63],
        [8, 9, 0],
      ],
    ]);
    const neighborsAt = (walkableHeightCells: number): number[] => [
      ...buildCompactField(solid, unitConfig(2, 1, { walkableHeightCells, walkableClimbCells: 2 })).neighbor.subarray(
        0,
        8,
      ),
    ];
    expect(neighborsAt(3)).toEqual([-1, -1, 1, -1, 0, -1, -1, -1]);
    expect(neighborsAt(4)).toEqual(new Array(8).fill(-1));
  });

  it('takes the lowest floor of several that fit', () => {
    const solid = solidOf(2, 1, [
      [[0, 4, 63]],
      [
        [0, 2, 63],
        [5, 6, 63],
      ],
    ]);
    const field = buildCompactField(solid, unitConfig(2, 1, { walkableHeightCells: 1, walkableClimbCells: 3 }));
    // 0: the floor at 4; 1: at 2, under the block from 5 on; 2: at 6. Both lead back.
    expect([field.neighbor[2], field.neighbor[4], field.neighbor[8]]).toEqual([1, 0, 0]);
  });

  it('connects to several storeys up to the climb, too', () => {
    const solid = solidOf(2, 1, [
      [[0, 1, 63]],
      [
        [0, 4, 63],
        [20, 21, 63],
      ],
    ]);
    const eastOf = (walkableClimbCells: number): number =>
      buildCompactField(solid, unitConfig(2, 1, { walkableClimbCells })).neighbor[2];
    expect([eastOf(2), eastOf(3), eastOf(4)]).toEqual([-1, 1, 1]);
  });

  it('connects a hundred storeys, each with its own', () => {
    const storeys = Array.from({ length: 100 }, (_, k) => [5 * k, 5 * k + 1, 63] as const);
    const field = buildCompactField(solidOf(2, 1, [storeys, storeys]), unitConfig(2, 1));
    for (let k = 0; k < 100; k++)
      expect([field.neighbor[4 * k + 2], field.neighbor[4 * (100 + k)]]).toEqual([100 + k, k]);
  });
});

describe('erodeArea', () => {
  const eroded = (rows: readonly string[], radiusCells: number): string[] => {
    const field = fieldOf(rows);
    erodeArea(field, radiusCells);
    return rowsOf(
      field,
      field.area.map((area) => (area === 63 ? 1 : 0)),
    );
  };
  it('removes as many cells along each border as the radius has', () => {
    expect(eroded(ground(5, 3), 0)).toEqual(['11111', '11111', '11111']);
    expect(eroded(ground(5, 3), 1)).toEqual(['.....', '.111.', '.....']);
    expect(eroded(ground(7, 5), 2)).toEqual(['.......', '.......', '..111..', '.......', '.......']);
    expect(eroded(ground(5, 5), 3)).toEqual(['.....', '.....', '.....', '.....', '.....']);
  });
  it('rounds corners: 3 across, 2 along', () => {
    // A pillar in the middle.
    const rows = [
      '11111111111',
      '11111111111',
      '11111111111',
      '11111111111',
      '11111111111',
      '11111 11111',
      '11111111111',
      '11111111111',
      '11111111111',
      '11111111111',
      '11111111111',
    ];
    expect(eroded(rows, 2)).toEqual([
      '...........',
      '...........',
      '..1111111..',
      '..11...11..',
      '..1.....1..',
      '..1.. ..1..',
      '..1.....1..',
      '..11...11..',
      '..1111111..',
      '...........',
      '...........',
    ]);
  });
  it('starts at a step that is too high, too', () => {
    expect(eroded(['111999', '111999', '111999'], 1)).toEqual(['......', '.1..1.', '......']);
  });
  it('goes on with a radius of more than 127 cells', () => {
    const field = fieldOf(ground(300, 300));
    const full = field.area.slice();
    for (const radius of [126, 127, 128, 140]) {
      field.area.set(full);
      erodeArea(field, radius);
      // A square of what is so far from the border.
      expect(field.area.filter((area) => area !== 0).length).toBe((300 - 2 * radius) ** 2);
    }
  });
});

describe('buildDistanceField', () => {
  const distances = (
    rows: readonly string[],
    spoil: (area: Uint8Array) => void = () => {},
  ): { rows: string[]; max: number } => {
    const field = fieldOf(rows);
    spoil(field.area);
    buildDistanceField(field);
    return { rows: rowsOf(field, field.distance), max: field.maxDistance };
  };
  it('counts two per cell, and smooths distances of more than a cell', () => {
    expect(distances(ground(3, 3))).toEqual({ rows: ['...', '.2.', '...'], max: 2 });
    // The middle of 4 among eight of 2: (4 + 16 + 5) / 9.
    expect(distances(ground(5, 5))).toEqual({ rows: ['.....', '.222.', '.222.', '.222.', '.....'], max: 4 });
    expect(distances(ground(7, 7))).toEqual({
      rows: ['.......', '.22222.', '.23432.', '.24442.', '.23432.', '.22222.', '.......'],
      max: 6,
    });
  });
  it('treats the edge of another area as a border', () => {
    expect(distances(ground(6, 3), (area) => area.forEach((_, i) => (area[i] = i % 6 < 3 ? 63 : 5)))).toEqual({
      rows: ['......', '.2..2.', '......'],
      max: 2,
    });
  });
});
