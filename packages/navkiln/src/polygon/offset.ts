/**
 * Stage 1b: ground -> the ground that a disc's centre can be on: nothing nearer to a wall than the radius.
 *
 * in: clean rings, the radius in cells. out: clean rings. Walls are moved inwards by exactly the radius (and two cells, so that
 * rounding never takes it away). Around corners that stick into the ground the circle is drawn from outside, by tangents: its
 * corners are farther away by at most `arcTolerance` of the radius, and nothing is nearer. Cost: that of the union below,
 * which grows when the radius is many edges long.
 *
 * The walls are everything but the ground. Each of their rings is drawn anew beside itself: edges shifted, tangents around
 * outer corners, at inner corners the point where the shifted edges meet, or, if these are short, a way over the corner itself.
 * That curve may cross itself; what it winds around is the grown wall. Directions on an arc come from halving angles, without
 * trigonometric functions.
 *
 * Based on: own; the way over inner corners and the positive fill rule are those of Clipper2's offsetting (Angus Johnson), which
 * draws circles from inside.
 */
import { pathsOf, ringsOf, subtractPaths } from './overlay.ts';
import type { GridPoint } from './rings.ts';
import type { Rings } from './types.ts';

/** What rounding shifted edges and the points where they cross may take away, and more. */
const ROUNDING_CELLS = 2;

/** The ground that is at least the radius away from its edges. */
export function insetWalkable(ground: Rings, radiusCells: number, arcTolerance: number): Rings {
  if (radiusCells === 0 || ground.ringCount === 0) return ground;
  const paths = pathsOf(ground);
  const radius = radiusCells + ROUNDING_CELLS;
  const walls = paths.map((path) => growWall(path, radius, arcTolerance));
  // Around everything: outside is wall, too.
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
  return ringsOf(subtractPaths(paths, walls));
}

/** The ring of ground backwards, so that the wall is on its left, moved to its right. */
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
      // How far before and after the corner the shifted edges meet.
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
  /** Of the edge, in cells. */
  length: number;
}

/** Unit vector to the right of a -> b. */
function normalOf(a: GridPoint, b: GridPoint): Normal {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const length = Math.sqrt(dx * dx + dy * dy);
  return { x: dy / length, y: -dx / length, length };
}

function addPoint(out: GridPoint[], corner: GridPoint, dx: number, dy: number, scale: number): void {
  out.push({ x: Math.round(corner.x + dx * scale) + 0, y: Math.round(corner.y + dy * scale) + 0 });
}

/** Where tangents meet: one point for directions up to the limit apart, else for both halves. Turns left from `from` to `to`. */
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
  // Half way: along the sum, or, when that is short, across the difference.
  const x = dot > 0 ? from.x + to.x : to.y - from.y;
  const y = dot > 0 ? from.y + to.y : from.x - to.x;
  const length = Math.sqrt(x * x + y * y);
  const middle = { x: x / length, y: y / length };
  addArc(out, corner, from, middle, radius, cosLimit);
  addArc(out, corner, middle, to, radius, cosLimit);
}
