/** Walls exactly on a border between cells, which rounding puts beyond the end of their cell: they stay walls. */
import { expect, it } from 'vitest';
import { buildNavMesh } from '../../../../src/build/voxel/build.ts';
import { findPath } from '../../../../src/query/path/find-path.ts';
import { quad } from '../../show/verify/levels.ts';

const CELL = 0.0931723564863205;
const LEAST = -1.1840420961380005;

/** Returns how many of 40 rooms, each halved by a wall on a border between cells, have a path through the wall. */
function countOpen(axis: 'x' | 'z', recast: boolean): number {
  let open = 0;
  for (let k = 20; k < 60; k++) {
    const at = Math.fround(LEAST + k * CELL);
    const end = LEAST + 80 * CELL;
    const place = (along: number, y: number, across: number): [number, number, number] =>
      axis === 'x' ? [along, y, across] : [across, y, along];
    const corners = [place(LEAST, 0, 0), place(end, 0, 0), place(end, 0, 2), place(LEAST, 0, 2)] as const;
    const floor = axis === 'x' ? quad(...corners) : quad(corners[3], corners[2], corners[1], corners[0]);
    const wall = quad(place(at, 0, 0), place(at, 2, 0), place(at, 2, 2), place(at, 0, 2));
    const { navMesh } = buildNavMesh(
      { positions: Float32Array.from([...floor, ...wall]) },
      { agent: { radius: 3 * CELL, height: 1 }, cellSize: CELL, recast },
    );
    if (findPath(navMesh, place(LEAST + 0.6, 0, 1), place(end - 0.6, 0, 1)).status === 'complete') open++;
  }
  return open;
}

it.each(['x', 'z'] as const)('stop agents, along %s', (axis) => {
  // The case is real: Recast loses some of these walls.
  expect(countOpen(axis, true)).toBeGreaterThan(0);
  expect(countOpen(axis, false)).toBe(0);
});

/** Returns how many of 6,993 walls on borders lie beyond the end of the cell that a product gives, in float32. */
function countBeyond(size: number): number {
  const f = Math.fround;
  let count = 0;
  for (const least of [0, -10, -3.7, 1.2, -50.05, 100.3, LEAST]) {
    for (let k = 1; k < 1000; k++) {
      const at = f(least + k * size);
      const cell = Math.trunc(f(f(at - f(least)) * f(1 / f(size))));
      if (f(f(f(least) + f(cell * f(size))) + f(size)) < at) count++;
    }
  }
  return count;
}

it('are lost by rounding with some cell sizes', () => {
  for (const size of [0.05, 0.1, 0.15, 0.2, 0.25]) expect(countBeyond(size), `${size}`).toBe(0);
  expect(countBeyond(0.3) / 6993).toBeCloseTo(0.004, 3);
  expect(countBeyond(CELL) / 6993).toBeCloseTo(0.017, 3);
});
