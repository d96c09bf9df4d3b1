/**
 * Where a camera that looks a given way stands, so that all corners lie in a window of what it sees, as near
 * as can be.
 *
 * In: corners as (right, up, towards the camera), the window in tangents of the angle off the axis. Out: the
 * same three of the camera's place. Based on: own. A corner at (u, w) is within [low, high] when u - a lies
 * between low and high times d - w; over all corners that bounds a by two lines in d, which meet at the least
 * d; the larger of both directions' d decides. Exact, linear in the corners.
 */

/** Tangents: left and right, or bottom and top, of the window. */
export type Span = readonly [low: number, high: number];
export type Place = [right: number, up: number, towards: number];

export function frameCorners(corners: readonly Readonly<Place>[], across: Span, upward: Span, least: number): Place {
  const reach = (axis: 0 | 1, [low, high]: Span): { distance: number; at: (distance: number) => number } => {
    const most = Math.max(...corners.map((corner) => corner[axis] + high * corner[2]));
    const fewest = Math.min(...corners.map((corner) => corner[axis] + low * corner[2]));
    return {
      distance: (most - fewest) / (high - low),
      at: (distance) => (most - high * distance + fewest - low * distance) / 2,
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

/** What is shown beside a card is not that much smaller than if there were none. */
const MAX_RATIO = 3;

/**
 * The same in a view with a card in its left top corner: beside it or below it, where things are larger; over
 * all of the view when both would make them too small. `tangents`: half of the view across and upward. `rim`:
 * share of a half that stays free. `covered`: share of the view, from the right, that something else lies on.
 */
export function frameBesideCard(
  corners: readonly Readonly<Place>[],
  view: Size,
  card: Size,
  tangents: readonly [number, number],
  rim: number,
  least: number,
  covered: number = 0,
): Place {
  const [x, y] = tangents;
  const window = (left: number, top: number, right: number = covered): Place =>
    frameCorners(
      corners,
      [x * (2 * left - 1 + rim), x * (1 - 2 * right - rim)],
      [y * (rim - 1), y * (1 - 2 * top - rim)],
      least,
    );
  const all = window(0, 0, 0);
  const [left, top] = [card.width / view.width, card.height / view.height];
  const parts = [left + covered < 0.9 ? window(left, 0) : all, top < 0.9 ? window(0, top) : all];
  const best = parts[0][2] <= parts[1][2] ? parts[0] : parts[1];
  return best === all || best[2] > MAX_RATIO * all[2] ? all : best;
}
