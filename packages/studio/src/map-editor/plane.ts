/** Points of 2D maps in the view: under the pointer, on a grid, moved by arrow keys. */
import { mapToMesh, meshToMap } from 'navkiln/polygon';
import { planeOf } from '../state/state.ts';
import type { StudioState, Vec3 } from '../state/state.ts';
import type { Ray } from '../view/view.ts';
import type { Point2 } from '../state/map-point.ts';

/** Returns the point of the map under a ray, or undefined for a ray above the horizon. */
export function pointUnder(state: StudioState, { origin, direction }: Ray): Point2 | undefined {
  const distance = -origin[1] / direction[1];
  if (!(distance > 0) || !Number.isFinite(distance)) return undefined;
  const position: Vec3 = [origin[0] + distance * direction[0], 0, origin[2] + distance * direction[2]];
  return meshToMap(planeOf(state), position);
}

export function worldOf(state: StudioState, point: Point2): Vec3 {
  return mapToMesh(planeOf(state), point);
}

/** Rounds a point to the grid; a grid of 0 leaves it as it is. */
export function onGrid([x, y]: Point2, grid: number): Point2 {
  const at = (value: number): number =>
    (grid > 0 ? Number((Math.round(value / grid) * grid).toPrecision(12)) : value) + 0;
  return [at(x), at(y)];
}

/** Returns a point with as many digits as a pixel of the view needs. */
export function rounded([x, y]: Point2, pixel: number): Point2 {
  const digits = Math.min(9, Math.max(0, Math.ceil(-Math.log10(Math.max(pixel, 1e-9)))));
  return [Number(x.toFixed(digits)) + 0, Number(y.toFixed(digits)) + 0];
}

/** Returns a grid size of 1, 2 or 5 times a power of ten, of which about forty fit into a length. */
export function niceGrid(length: number): number {
  const wanted = Math.max(length, 1e-6) / 40;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return Number(((wanted / power >= 5 ? 5 : wanted / power >= 2 ? 2 : 1) * power).toPrecision(3));
}

const ARROWS: Readonly<Record<string, Point2>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** Moves a point by an arrow key: one grid step on the screen as seen from above, with Shift ten. Undefined for other keys. */
export function nudged(state: StudioState, [x, y]: Point2, event: KeyboardEvent, grid: number): Point2 | undefined {
  const arrow = ARROWS[event.key];
  if (arrow === undefined || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const step = grid * (event.shiftKey ? 10 : 1);
  const up = planeOf(state).mapYSign === -1 ? 1 : -1;
  return onGrid([x + step * arrow[0], y + step * up * arrow[1]], event.shiftKey ? grid : grid / 10);
}
