import type { PolygonMap } from '../../../../src/build/polygon/options.ts';

/** A room of 10 x 6 with an obstacle across it that leaves a gap of 2. */
export const ROOM = {
  polygons: [
    {
      outline: [
        [0, 0],
        [10, 0],
        [10, 6],
        [0, 6],
      ],
    },
  ],
  obstacles: [
    [
      [4, -1],
      [6, -1],
      [6, 4],
      [4, 4],
    ],
  ],
} satisfies PolygonMap;
