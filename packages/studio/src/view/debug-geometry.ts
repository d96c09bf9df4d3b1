/** Draw lists of the library as drawings of the page, which have the state's origin taken off. */
import type { DebugGeometry } from 'navkiln/debug';
import type { Vec3 } from '../state/state.ts';
import type { Drawing } from './drawing.ts';

export function drawingOf(
  { kind, positions, colors, indices, origin }: DebugGeometry,
  own: Vec3,
  more: Partial<Drawing> = {},
): Drawing {
  const off = origin.map((value, axis) => value - own[axis as 0]);
  const moved = off.every((value) => value === 0) ? positions : positions.map((value, i) => value + off[i % 3]);
  const drawing =
    kind === 'triangles' ? { kind, positions: moved, colors, indices } : { kind, positions: moved, colors };
  return { ...drawing, ...more } as Drawing;
}
