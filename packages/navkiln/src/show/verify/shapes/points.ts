/** Positions of points of columns in the world. In: a grid, a column, a height. Out: x, y, z. Based on: own. */
import type { Grid } from './grid.ts';

/** Returns the position of a point of a column. */
export function pointAt({ origin, spacing, u0, v0, width }: Grid, column: number, y: number): [number, number, number] {
  const i = column % width;
  const j = (column - i) / width;
  return [origin[0] + (u0 + i * spacing), origin[1] + y, origin[2] + (v0 + j * spacing)];
}
