/**
 * Projects the world to the page: an axonometric view from the south-east and above.
 *
 * The projection is parallel, so a meter has the same length everywhere. The view is turned by the angle
 * whose tangent is 1/2; heights are scaled by 0.6 and depths by 0.8. These factors are rational, so no sine
 * is needed and the picture is the same text in every engine.
 *
 * In: world positions. Out: page coordinates and depths.
 * Cost: constant.
 * Based on: own.
 * Tried: a view from straight above, an elevation of 30°, perspective; see docs/notes/debug.md.
 */

/**
 * Converts world positions to the page. On the page, x points right and y down, in tenths of a pixel. Depth grows
 * towards the viewer.
 */
export interface Projection {
  /** Page units per world unit. */
  scale: number;
  offsetX: number;
  offsetY: number;
}

const TURN_COS = 0.8944271909999159;
const TURN_SIN = 0.4472135954999579;
const DEPTH_SHARE = 0.8;
const HEIGHT_SHARE = 0.6;

/** Direction to the viewer, unit length. Faces with a positive dot product are visible. */
export const VIEW_X: number = TURN_SIN * HEIGHT_SHARE;
export const VIEW_Y: number = DEPTH_SHARE;
export const VIEW_Z: number = TURN_COS * HEIGHT_SHARE;

/** Returns the extent to the right, in world units. */
export function viewRight(x: number, z: number): number {
  return x * TURN_COS - z * TURN_SIN;
}

/** Returns the extent down, in world units. */
export function viewDown(x: number, y: number, z: number): number {
  return (x * TURN_SIN + z * TURN_COS) * DEPTH_SHARE - y * HEIGHT_SHARE;
}

/** Returns the depth; larger is nearer to the viewer. */
export function viewDepth(x: number, y: number, z: number): number {
  return x * VIEW_X + y * VIEW_Y + z * VIEW_Z;
}

/** Returns the page's x of a position. */
export function pageX(p: Projection, x: number, z: number): number {
  return Math.round(viewRight(x, z) * p.scale + p.offsetX);
}

/** Returns the page's y of a position. */
export function pageY(p: Projection, x: number, y: number, z: number): number {
  return Math.round(viewDown(x, y, z) * p.scale + p.offsetY);
}

/** A rectangle on the page in world units: min right, min down, max right, max down. */
export type ViewBounds = [number, number, number, number];

/** Creates empty bounds. */
export function emptyViewBounds(): ViewBounds {
  return [Infinity, Infinity, -Infinity, -Infinity];
}

/** Grows bounds to include a point. Points that are not finite are ignored. */
export function growViewBounds(bounds: ViewBounds, x: number, y: number, z: number): void {
  const right = viewRight(x, z);
  const down = viewDown(x, y, z);
  if (!Number.isFinite(right + down)) return;
  if (right < bounds[0]) bounds[0] = right;
  if (down < bounds[1]) bounds[1] = down;
  if (right > bounds[2]) bounds[2] = right;
  if (down > bounds[3]) bounds[3] = down;
}
