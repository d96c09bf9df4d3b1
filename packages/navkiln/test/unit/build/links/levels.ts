/** Small levels for automatic links, whose answers are known. */
import type { Box } from '../../../property/links-levels.ts';

/** Two platforms and a gap of this width. */
export const gap = (width: number, rise: number = 0): Box[] => [
  [0, -1, 0, 6, 0, 4],
  [6 + width, -1, 0, 12 + width, rise, 4],
];

/** A platform on a floor. */
export const step = (height: number): Box[] => [
  [0, -1, 0, 12, 0, 4],
  [0, 0, 0, 6, height, 4],
];
