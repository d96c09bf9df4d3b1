/**
 * Makes a path taut where area costs differ: it removes corners whose removal costs nothing.
 *
 * From each corner, rays are cast to later corners, the furthest first. The polygons that a successful ray crosses
 * replace that part of the corridor. The funnel runs again, and the new line is kept if it costs no more. Links are
 * never removed.
 *
 * In: a path.
 * Out: the same path or a better one.
 * Cost: up to `LOOK_AHEAD` rays for each corner, and a funnel for each ray that reaches its corner.
 * Based on: own.
 */
import { isLinkCrossing } from '../../mesh/crossing.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { createCorridor } from '../path/corridor.ts';
import { lineCost, setLineCost } from '../path/line-cost.ts';
import type { QueryFilter } from '../filter.ts';
import type { PathBuffer } from '../path/find-path.ts';
import { pullString } from '../path/funnel.ts';
import { createPathLine } from '../path/path-line.ts';
import { createRayHit } from '../ray/hit.ts';
import { raycastInto } from '../ray/raycast.ts';
import { NO_CROSSING, findCrossing } from '../path/corridor.ts';
import { withRoom } from '../walk/open-edges.ts';

/** Number of later corners to which rays are cast. */
const LOOK_AHEAD = 8;

const hit = createRayHit();
const shorter = createCorridor();
const line = createPathLine();
const from = new Float64Array(3);
const to = new Float64Array(3);

/**
 * Removes the corners of a path that cost nothing to remove, where area costs differ: pass it to `findOptimalPath` as the option
 * `tauten`. Changes corridor, cost and line of `out`; the caller sets the lengths.
 */
export function tautenPath(out: PathBuffer, mesh: NavMesh, filter: QueryFilter): void {
  const { corridor } = out;
  if (corridor.count < 2) return;
  pullString(out.line, mesh, corridor, out.start.point, out.end.point);
  setLineCost(mesh, filter, corridor, out.line, -1);
  let best = lineCost[0];
  for (let i = 0; i + 2 < out.line.count; i++) {
    for (let j = Math.min(i + LOOK_AHEAD, out.line.count - 1); j > i + 1; j--) {
      if (!findShorter(out, mesh, filter, i, j)) continue;
      pullString(line, mesh, shorter, out.start.point, out.end.point);
      setLineCost(mesh, filter, shorter, line, -1);
      if (!(lineCost[0] <= best)) continue;
      best = lineCost[0];
      corridor.polys = withRoom(corridor.polys, shorter.count);
      corridor.crossings = withRoom(corridor.crossings, shorter.count);
      for (let k = 0; k < shorter.count; k++) {
        corridor.polys[k] = shorter.polys[k];
        corridor.crossings[k] = shorter.crossings[k];
      }
      corridor.count = shorter.count;
      pullString(out.line, mesh, corridor, out.start.point, out.end.point);
      break;
    }
  }
  corridor.cost = best;
}

/**
 * Sets `shorter` to the corridor with the polygons that a ray from corner i to corner j crosses. Returns
 * false if the ray is blocked or no such corridor exists.
 */
function findShorter(out: PathBuffer, mesh: NavMesh, filter: QueryFilter, i: number, j: number): boolean {
  const { corridor } = out;
  const { points, places } = out.line;
  const begin = Math.min((places[i] + 1) >> 1, corridor.count - 1);
  const end = Math.min((places[j] + 1) >> 1, corridor.count - 1);
  for (let k = begin; k < end; k++) if (isLinkCrossing(corridor.crossings[k])) return false;
  for (let k = 0; k < 3; k++) {
    from[k] = points[3 * i + k];
    to[k] = points[3 * j + k];
  }
  raycastInto(hit, mesh, corridor.polys[begin], from, to, filter, false);
  if (hit.status !== 'reached') return false;
  // The ray may end in any polygon at the corner. Find one that the corridor passes there.
  let back = corridor.count - 1;
  while (back > begin && corridor.polys[back] !== hit.poly) back--;
  if (back <= begin) return false;
  const count = begin + hit.count + corridor.count - 1 - back;
  shorter.polys = withRoom(shorter.polys, count);
  shorter.crossings = withRoom(shorter.crossings, count);
  shorter.count = 0;
  for (let k = 0; k < begin; k++) append(corridor.polys[k], corridor.crossings[k]);
  for (let k = 0; k < hit.count; k++) {
    const isLast = k === hit.count - 1;
    const crossing = isLast
      ? back + 1 < corridor.count
        ? corridor.crossings[back]
        : 0
      : findCrossing(mesh, hit.polys[k], hit.polys[k + 1]);
    if (!isLast && crossing === NO_CROSSING) return false;
    append(hit.polys[k], crossing);
  }
  for (let k = back + 1; k < corridor.count; k++) append(corridor.polys[k], corridor.crossings[k]);
  return true;
}

function append(poly: number, crossing: number): void {
  shorter.polys[shorter.count] = poly;
  shorter.crossings[shorter.count++] = crossing;
}
