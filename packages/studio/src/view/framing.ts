/**
 * Places a camera with a given direction as near as possible so that all corners of a box are inside a window
 * of the view.
 *
 * A corner at (u, depth) is inside [low, high] when u - a lies between low and high times d - depth. Over all
 * corners this bounds the camera's offset a by two lines in the distance d. The lines meet at the smallest d.
 * The larger d of both axes decides.
 *
 * In: corners as (right, up, towards the camera); the window in tangents of the angle from the optical axis.
 * Out: the position of the camera in the same coordinates.
 * Cost: linear in the number of corners, exact.
 * Based on: own.
 */

/** The window along one axis, as tangents: left and right, or bottom and top. */
export type Span = readonly [low: number, high: number];
export type Place = [right: number, up: number, towards: number];

/** Frames the corners in a window. The camera keeps at least the distance `least`, world units. */
export function frameCorners(corners: readonly Readonly<Place>[], across: Span, upward: Span, least: number): Place {
  const reach = (axis: 0 | 1, [low, high]: Span): { distance: number; at: (distance: number) => number } => {
    const upper = Math.max(...corners.map((corner) => corner[axis] + high * corner[2]));
    const lower = Math.min(...corners.map((corner) => corner[axis] + low * corner[2]));
    return {
      distance: (upper - lower) / (high - low),
      at: (distance) => (upper - high * distance + lower - low * distance) / 2,
    };
  };
  const [x, y] = [reach(0, across), reach(1, upward)];
  const distance = Math.max(least, x.distance, y.distance);
  return [x.at(distance), y.at(distance), distance];
}

/** Pixels. */
export interface Size {
  width: number;
  height: number;
}

/** The view that `frameBesideCard` frames corners in. */
export interface FramedView {
  view: Size;
  /** A card in the left top corner. */
  card: Size;
  /** Tangents of half the field of view, across and upward. */
  tangents: readonly [number, number];
  /** Share of each half that stays free. */
  rim: number;
  /** Smallest distance of the camera, world units. */
  least: number;
  /** Share of the view, from below, that a sheet covers. Default 0. */
  sheet?: number;
  /** Share of the view, from the right, that a panel covers. Default 0. */
  covered?: number;
}

/**
 * How much smaller content beside a card may be than in the whole view. Beyond it, the card covers some of
 * the content.
 */
const MAX_RATIO = 3;

/**
 * Frames the corners beside or below a card, whichever shows them larger, or in the whole view when both are
 * too small.
 */
export function frameBesideCard(
  corners: readonly Readonly<Place>[],
  { view, card, tangents, rim, least, covered = 0, sheet = 0 }: FramedView,
): Place {
  const [x, y] = tangents;
  const window = (left: number, top: number, right: number = covered): Place =>
    frameCorners(
      corners,
      [x * (2 * left - 1 + rim), x * (1 - 2 * right - rim)],
      [y * (2 * sheet + rim - 1), y * (1 - 2 * top - rim)],
      least,
    );
  const all = window(0, 0, 0);
  const [left, top] = [card.width / view.width, card.height / view.height];
  const parts = [...(left + covered < 0.9 ? [window(left, 0)] : []), ...(top < 0.9 ? [window(0, top)] : [])];
  const [best = all] = parts.sort((a, b) => a[2] - b[2]);
  return best[2] > MAX_RATIO * all[2] ? all : best;
}
