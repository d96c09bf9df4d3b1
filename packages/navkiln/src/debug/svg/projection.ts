/**
 * How a level is laid onto the page: an axonometric view from the south-east and above. Parallel, so a metre is as long at the
 * back as at the front; turned by the angle whose tangent is 1/2 and raised so that heights show at 0.6 and depths at 0.8.
 * Rational on purpose: no sine is needed, and the picture is the same text in every engine.
 *
 * Tried and lost: straight from above (stairs and storeys cannot be read), a 30° raised view (walls hide corridors),
 * perspective (no scale bar).
 */

/** World to page. `page` is x right, y down, in tenths of a pixel; depth grows towards the viewer. */
export interface Projection {
  /** Page units a world unit along the page's x. */
  scale: number;
  offsetX: number;
  offsetY: number;
}

const TURN_COS = 0.8944271909999159;
const TURN_SIN = 0.4472135954999579;
const DEPTH_SHARE = 0.8;
const HEIGHT_SHARE = 0.6;

/** Towards the viewer, unit length: what faces this way is seen. */
export const VIEW_X: number = TURN_SIN * HEIGHT_SHARE;
export const VIEW_Y: number = DEPTH_SHARE;
export const VIEW_Z: number = TURN_COS * HEIGHT_SHARE;

export function viewRight(x: number, z: number): number {
  return x * TURN_COS - z * TURN_SIN;
}

export function viewDown(x: number, y: number, z: number): number {
  return (x * TURN_SIN + z * TURN_COS) * DEPTH_SHARE - y * HEIGHT_SHARE;
}

/** Larger is nearer to the viewer. */
export function viewDepth(x: number, y: number, z: number): number {
  return x * VIEW_X + y * VIEW_Y + z * VIEW_Z;
}

export function pageX(p: Projection, x: number, z: number): number {
  return Math.round(viewRight(x, z) * p.scale + p.offsetX);
}

export function pageY(p: Projection, x: number, y: number, z: number): number {
  return Math.round(viewDown(x, y, z) * p.scale + p.offsetY);
}

/** Extent on the page, in world units: min right, min down, max right, max down. */
export type ViewBounds = [number, number, number, number];

export function emptyViewBounds(): ViewBounds {
  return [Infinity, Infinity, -Infinity, -Infinity];
}

/** A point that is no place (a coordinate is not finite) is left out. */
export function growViewBounds(bounds: ViewBounds, x: number, y: number, z: number): void {
  const right = viewRight(x, z);
  const down = viewDown(x, y, z);
  if (!Number.isFinite(right + down)) return;
  if (right < bounds[0]) bounds[0] = right;
  if (down < bounds[1]) bounds[1] = down;
  if (right > bounds[2]) bounds[2] = right;
  if (down > bounds[3]) bounds[3] = down;
}
