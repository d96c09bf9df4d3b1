/**
 * Converts debug geometry of the library into drawings, whose coordinates are relative to the state's origin.
 */
import type { DebugGeometry } from 'navkiln/debug';
import type { Vec3 } from '../state/state.ts';
import type { Drawing } from './drawing.ts';

export function drawingOf(
  { kind, positions, colors, indices, origin }: DebugGeometry,
  stateOrigin: Vec3,
  style: Partial<Drawing> = {},
): Drawing {
  const shift = origin.map((value, axis) => value - stateOrigin[axis as 0]);
  const moved = shift.every((value) => value === 0) ? positions : positions.map((value, i) => value + shift[i % 3]);
  const drawing =
    kind === 'triangles' ? { kind, positions: moved, colors, indices } : { kind, positions: moved, colors };
  return { ...drawing, ...style } as Drawing;
}
