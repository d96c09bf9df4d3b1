/**
 * Stage 1b: shrinks the walkable area by the agent's radius.
 *
 * Walls move inwards by the radius less four cells (a ten-millionth of the map), so that a corridor exactly as
 * wide as the agent stays open, as a strip a few cells wide. On a grid so coarse that four cells matter, walls
 * move by two cells more than the radius instead, so that rounding never brings them closer. Around corners that
 * point into the area, the circle is approximated from outside by tangents: its corners are further away by at
 * most `arcTolerance` of the radius, and nothing is closer.
 *
 * The walls are everything but the walkable area. Each of their rings is drawn again at a distance: shifted
 * edges, tangents around outer corners, and at inner corners the intersection of the shifted edges or, if
 * these are short, a detour over the corner itself. The curve may cross itself; its inside by winding number
 * is the grown wall. Directions on an arc come from halving angles, without trigonometric functions.
 *
 * In: clean rings, the radius in cells.
 * Out: clean rings.
 * Cost: that of the union, which grows when the radius spans many edges.
 * Based on: own; the detour over inner corners and the positive fill rule are those of Clipper2's offsetting
 * (Angus Johnson), which approximates circles from inside.
 */
import type { PolygonBudget } from './budget.ts';
import { checkFinite, checkRecord, refuse } from '../data/refuse.ts';
import { pathsOf, ringsOf, subtractPaths } from './overlay.ts';
import type { GridPoint } from './rings.ts';
import type { Rings } from './types.ts';

/** Distance in cells that covers the rounding of shifted edges and their intersections. */
const ROUNDING_CELLS = 2;
/** Both sides of a corridor may be off by the rounding of the map and of the shifted edges. */
const OPEN_CELLS = 2 * ROUNDING_CELLS;
/** From this radius in cells, `OPEN_CELLS` are less than half a percent of it. */
const FINE_RADIUS_CELLS = 1000;

/** Returns by how many cells walls move inwards for a radius in cells. */
function insetOf(radiusCells: number): number {
  return radiusCells < FINE_RADIUS_CELLS ? radiusCells + ROUNDING_CELLS : radiusCells - OPEN_CELLS;
}

/** Returns the walkable area that is at least the radius away from its edges, up to `OPEN_CELLS`. */
export function insetWalkable(ground: Rings, radiusCells: number, arcTolerance: number, budget?: PolygonBudget): Rings {
  checkRecord('insetWalkable', 'ground', ground, 'start', 'Rings');
  checkFinite('insetWalkable', 'radiusCells', radiusCells);
  checkFinite('insetWalkable', 'arcTolerance', arcTolerance);
  if (!(arcTolerance > 0)) refuse('insetWalkable', 'arcTolerance', arcTolerance, '> 0');
  if (radiusCells === 0 || ground.ringCount === 0) return ground;
  const paths = pathsOf(ground);
  const radius = insetOf(radiusCells);
  const walls = paths.map((path) => growWall(path, radius, arcTolerance));
  // A box around everything: the outside is wall, too.
  let low = 0;
  let high = 0;
  for (const ring of [...paths, ...walls]) {
    for (const { x, y } of ring) {
      low = Math.min(low, x, y);
      high = Math.max(high, x, y);
    }
  }
  low -= 1;
  high += 1;
  walls.push([
    { x: low, y: low },
    { x: high, y: low },
    { x: high, y: high },
    { x: low, y: high },
  ]);
  return ringsOf(subtractPaths(paths, walls, budget));
}

/** Returns the reversed ring of the area, so that the wall is on its left, moved to its right. */
function growWall(path: GridPoint[], radius: number, arcTolerance: number): GridPoint[] {
  const n = path.length;
  const out: GridPoint[] = [];
  const cosLimit = 2 / ((1 + arcTolerance) * (1 + arcTolerance)) - 1;
  const at = (i: number): GridPoint => path[n - 1 - ((i + n) % n)];
  let before = normalOf(at(-1), at(0));
  for (let i = 0; i < n; i++) {
    const corner = at(i);
    const after = normalOf(corner, at(i + 1));
    const cross = before.x * after.y - before.y * after.x;
    const dot = before.x * after.x + before.y * after.y;
    if (cross >= 0) {
      addArc(out, corner, before, after, radius, cosLimit);
    } else {
      // The distance from the corner at which the shifted edges meet.
      const short = dot > -0.9 ? radius * Math.sqrt((1 - dot) / (1 + dot)) : Infinity;
      if (short <= 0.5 * Math.min(before.length, after.length)) {
        addPoint(out, corner, before.x + after.x, before.y + after.y, radius / (1 + dot));
      } else {
        addPoint(out, corner, before.x, before.y, radius);
        addPoint(out, corner, 0, 0, 0);
        addPoint(out, corner, after.x, after.y, radius);
      }
    }
    before = after;
  }
  return out;
}

interface Direction {
  x: number;
  y: number;
}

interface Normal extends Direction {
  /** Length of the edge, in cells. */
  length: number;
}

/** Returns the unit vector to the right of a -> b. */
function normalOf(a: GridPoint, b: GridPoint): Normal {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const length = Math.sqrt(dx * dx + dy * dy);
  return { x: dy / length, y: -dx / length, length };
}

function addPoint(out: GridPoint[], corner: GridPoint, dx: number, dy: number, scale: number): void {
  out.push({ x: Math.round(corner.x + dx * scale) + 0, y: Math.round(corner.y + dy * scale) + 0 });
}

/**
 * Adds the intersections of tangents: one point for directions up to the limit apart, otherwise one for each
 * half. Turns left from `from` to `to`.
 */
function addArc(
  out: GridPoint[],
  corner: GridPoint,
  from: Direction,
  to: Direction,
  radius: number,
  cosLimit: number,
): void {
  const dot = from.x * to.x + from.y * to.y;
  if (dot >= cosLimit) {
    addPoint(out, corner, from.x + to.x, from.y + to.y, radius / (1 + dot));
    return;
  }
  // The middle direction: along the sum or, when that is short, across the difference.
  const x = dot > 0 ? from.x + to.x : to.y - from.y;
  const y = dot > 0 ? from.y + to.y : from.x - to.x;
  const length = Math.sqrt(x * x + y * y);
  const middle = { x: x / length, y: y / length };
  addArc(out, corner, from, middle, radius, cosLimit);
  addArc(out, corner, middle, to, radius, cosLimit);
}
