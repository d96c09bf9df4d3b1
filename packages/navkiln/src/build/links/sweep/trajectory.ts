/**
 * The trajectory over an automatic link, for animations: positions of the feet from take-off to landing.
 *
 * In: a link, the position along its ends, a number of points. Out: positions.
 * Cost: linear in the points.
 * Based on: own.
 */
import { checkFinite, refuse, refuseType } from '../../../base/data/refuse.ts';
import { readPoint } from '../../../base/math/point.ts';
import type { AutoLink } from '../types.ts';
import { jumpHeight } from './way.ts';

/**
 * Returns positions of the feet on a link, from its start to its end. The positions of a jump lie on a parabola, at equal times. Those of
 * a drop lead out and down, of a climb up and in, of a vault up, over and down; they lie at equal distances.
 *
 * @param link from `findLinkCandidates` or `addAutoLinks`
 * @param along position along both ends: 0 at their first points, 1 at their last. Default 0.5
 * @param count number of positions, 2 or more. Default 17
 */
export function autoLinkPositions(link: AutoLink, along: number = 0.5, count: number = 17): [number, number, number][] {
  const caller = 'autoLinkPositions';
  checkLink(caller, link);
  checkFinite(caller, 'along', along);
  if (!(along >= 0 && along <= 1)) refuse(caller, 'along', along, '0 .. 1');
  if (!(Number.isInteger(count) && count >= 2 && count <= 100_000))
    refuse(caller, 'count', count, 'a whole number, 2 .. 100000');
  const from = between(link.start, along);
  const to = between(link.end, along);
  return Array.from({ length: count }, (_, i) => {
    const [f, y] = placeAt(link, from[1], to[1], i / (count - 1));
    return [from[0] + f * (to[0] - from[0]), y, from[2] + f * (to[2] - from[2])];
  });
}

function checkLink(caller: string, link: AutoLink): void {
  if (typeof link !== 'object' || link === null) refuseType(caller, 'link', link, 'an AutoLink');
  for (const key of ['start', 'end'] as const) {
    if (!Array.isArray(link[key])) refuseType(caller, `link.${key}`, link[key], 'two points');
    for (const i of [0, 1]) readPoint(point, link[key][i], caller, `link.${key}[${i}]`);
  }
  for (const key of ['peak', 'distance'] as const) {
    checkFinite(caller, `link.${key}`, link[key]);
    if (link[key] < 0) refuse(caller, `link.${key}`, link[key], '>= 0');
  }
}

const point = new Float64Array(3);

function between([p, q]: AutoLink['start'], t: number): [number, number, number] {
  return [p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2])];
}

/** Returns the share of the horizontal distance and the height, at share u of the trajectory. */
function placeAt({ kind, peak, distance }: AutoLink, ys: number, ye: number, u: number): [number, number] {
  if (kind === 'jump') return [u, jumpHeight(ys, ye, peak, u)];
  const top = Math.max(ys, ye) + peak;
  const up = top - ys;
  const down = top - ye;
  const s = u * (up + distance + down);
  if (s <= up) return [0, u === 1 ? ye : ys + s];
  if (s >= up + distance) return [1, u === 1 ? ye : top - (s - up - distance)];
  return [(s - up) / distance, top];
}
