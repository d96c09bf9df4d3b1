import { describe, expect, it } from 'vitest';
import {
  countWalkableSpans,
  filterLedges,
  filterLowCeilings,
  filterLowHangingObstacles,
} from '../../../../src/build/voxel/field/filter.ts';
import { columnsOf, solidOf } from './fields.ts';
import type { Span } from './fields.ts';

const areasOf = (spans: readonly Span[]): number[] => spans.map((span) => span[2]);

describe('filterLowHangingObstacles', () => {
  const kerb = (spans: readonly Span[], climbCells: number): number[] => {
    const field = solidOf(1, 1, [spans]);
    filterLowHangingObstacles(field, climbCells);
    return areasOf(columnsOf(field)[0]);
  };
  it('gives a curb the area of the span below, up to the climb', () => {
    expect(
      kerb(
        [
          [0, 1, 7],
          [2, 3, 0],
        ],
        2,
      ),
    ).toEqual([7, 7]);
    expect(
      kerb(
        [
          [0, 1, 7],
          [2, 3, 0],
        ],
        1,
      ),
    ).toEqual([7, 0]);
    expect(
      kerb(
        [
          [0, 1, 0],
          [2, 3, 0],
        ],
        2,
      ),
    ).toEqual([0, 0]);
    expect(
      kerb(
        [
          [0, 1, 7],
          [2, 3, 9],
        ],
        2,
      ),
    ).toEqual([7, 9]);
  });
  it('raises one step, not the next one on it', () => {
    expect(
      kerb(
        [
          [0, 1, 7],
          [2, 3, 0],
          [4, 5, 0],
        ],
        2,
      ),
    ).toEqual([7, 7, 0]);
    expect(
      kerb(
        [
          [0, 1, 7],
          [2, 3, 0],
          [4, 5, 7],
          [6, 7, 0],
        ],
        2,
      ),
    ).toEqual([7, 7, 7, 7]);
  });
});

describe('filterLowCeilings', () => {
  it('removes spans whose ceiling is lower than the agent', () => {
    const field = solidOf(1, 1, [
      [
        [0, 1, 63],
        [3, 4, 63],
        [7, 8, 63],
      ],
    ]);
    filterLowCeilings(field, 3);
    expect(columnsOf(field)).toEqual([
      [
        [0, 1, 0],
        [3, 4, 63],
        [7, 8, 63],
      ],
    ]);
    filterLowCeilings(field, 4);
    expect(areasOf(columnsOf(field)[0])).toEqual([0, 0, 63]);
    expect(countWalkableSpans(field)).toBe(1);
  });
});

describe('filterLedges', () => {
  /** 3 x 3 columns; the middle one and its west, south, east, north neighbours are given, corners are flat ground. */
  function middle(
    own: readonly Span[],
    sides: readonly (readonly Span[])[],
    heightCells: number,
    climbCells: number,
    recast?: boolean,
  ): number[] {
    const corner: Span[] = [[0, 5, 63]];
    const [west, south, east, north] = sides as [Span[], Span[], Span[], Span[]];
    const field = solidOf(3, 3, [corner, north, corner, west, own, east, corner, south, corner]);
    filterLedges(field, heightCells, climbCells, recast);
    const columns = columnsOf(field);
    // Nothing but areas changes, and the rim has nothing beyond it to walk on.
    expect(columns.map((spans) => spans.map(([bottom, top]) => [bottom, top]))).toEqual(
      [corner, north, corner, west, own, east, corner, south, corner].map((spans) => spans.map(([b, t]) => [b, t])),
    );
    columns.forEach((spans, c) => c === 4 || expect(areasOf(spans).every((area) => area === 0)).toBe(true));
    return areasOf(columns[4]);
  }
  const floor = (top: number): Span[] => [[0, top, 63]];
  const flat = [floor(5), floor(5), floor(5), floor(5)];

  it('keeps flat ground and removes the rim', () => {
    expect(middle(floor(5), flat, 3, 1)).toEqual([63]);
  });
  it('keeps steps up to the climb, and removes the edges of deeper drops', () => {
    for (let dir = 0; dir < 4; dir++) {
      const beside = (top: number): Span[][] => flat.map((side, k) => (k === dir ? floor(top) : side));
      expect(middle(floor(5), beside(3), 3, 2)).toEqual([63]);
      expect(middle(floor(5), beside(2), 3, 2)).toEqual([0]);
      // Up is no drop.
      expect(middle(floor(5), beside(7), 3, 2)).toEqual([63]);
      expect(middle(floor(5), beside(19), 3, 2)).toEqual([63]);
      // Nothing there is the deepest drop.
      expect(
        middle(
          floor(5),
          flat.map((side, k) => (k === dir ? [] : side)),
          3,
          2,
        ),
      ).toEqual([0]);
    }
  });
  it('keeps steps whose neighbors differ by more than the climb, which Recast removes', () => {
    const sides = [floor(4), floor(5), floor(6), floor(5)];
    expect(middle(floor(5), sides, 3, 1)).toEqual([63]);
    expect(middle(floor(5), sides, 3, 1, true)).toEqual([0]);
    expect(middle(floor(5), sides, 3, 2, true)).toEqual([63]);
  });
  it('ignores drops into space that does not fit the agent', () => {
    // A pit under a ceiling that starts at the ground's height: too low to go through.
    const pit: Span[] = [
      [0, 1, 63],
      [7, 8, 63],
    ];
    expect(middle(floor(5), [pit, floor(5), floor(5), floor(5)], 3, 1)).toEqual([63]);
    expect(
      middle(
        floor(5),
        [
          [
            [0, 1, 63],
            [9, 10, 63],
          ],
          floor(5),
          floor(5),
          floor(5),
        ],
        3,
        1,
      ),
    ).toEqual([0]);
  });
  it('treats each storey by itself', () => {
    const two: Span[] = [
      [0, 5, 63],
      [10, 11, 63],
    ];
    expect(middle(two, [two, two, two, two], 3, 1)).toEqual([63, 63]);
    expect(middle(two, [two, floor(5), two, two], 3, 1)).toEqual([63, 0]);
    // One neighbour lacks the upper storey, and its floor is as much lower as the climb, or more.
    expect(middle(two, [two, floor(3), two, two], 3, 2)).toEqual([63, 0]);
    expect(middle(two, [two, floor(3), two, two], 3, 1)).toEqual([0, 0]);
  });
});
