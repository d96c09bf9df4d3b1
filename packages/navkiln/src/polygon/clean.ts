/**
 * Stage 1: rings on the grid -> the ground as clean rings: outer ones counter-clockwise, holes clockwise, none crosses another.
 *
 * in: a `GridMap`. out: `Rings`, with warnings for rings that cross themselves, holes that lie outside or stick out. Each ring is
 * resolved by the fill rule by itself first, so that its winding no longer matters; then holes are taken from their outline, the
 * polygons are joined, and obstacles are taken away. Cost: O((n + k) log n) for n points and k crossings.
 *
 * Crossings are rounded to the grid, so in rare cases two edges of the result cross by less than a cell; the triangulation bends
 * them (constrain.ts). Based on: Angus Johnson, Clipper2 (clipper2-ts, whole numbers only), after Bala Vatti, A generic solution
 * to polygon clipping, 1992.
 */
import { ClipType, Clipper64, FillRule } from 'clipper2-ts';
import type { GridMap, GridPoint, GridRing, Warn } from './rings.ts';
import type { GridFrame, Rings } from './types.ts';

export function cleanPolygons(map: GridMap, fillRule: 'nonzero' | 'evenodd', warn: Warn): Rings {
  const rule = fillRule === 'evenodd' ? FillRule.EvenOdd : FillRule.NonZero;
  const resolve = (ring: GridRing): GridPoint[][] => resolveRing(ring, rule, map.frame, warn);
  const polygons = map.polygons.map(({ outline, holes }) => cutHoles(resolve(outline), holes, resolve, warn));
  const obstacles = map.obstacles.flatMap(resolve);
  const ground = polygons.length === 1 && obstacles.length === 0 ? polygons[0]
    : clip(ClipType.Difference, polygons.flat(), obstacles, FillRule.NonZero);
  return ringsOf(ground);
}

/** One boolean operation on rings. */
export function clip(type: ClipType, subject: GridPoint[][], other: GridPoint[][], rule: FillRule): GridPoint[][] {
  const clipper = new Clipper64(), out: GridPoint[][] = [];
  clipper.addSubject(subject);
  if (other.length > 0) clipper.addClip(other);
  if (!clipper.execute(type, rule, out)) throw new Error('buildFromPolygons: clipping failed; this is a bug of navkiln');
  return out;
}

/** What is inside a ring, as rings that do not cross, counter-clockwise but for holes. */
function resolveRing({ name, points, given }: GridRing, rule: FillRule, frame: GridFrame, warn: Warn): GridPoint[][] {
  if (points.length === 0) return [];
  const area = areaSign(points, []);
  const asGiven = (): GridPoint[][] => [area < 0 ? points.slice().reverse() : points];
  if (isConvexQuad(points)) return asGiven();
  const resolved = clip(ClipType.Union, [points], [], rule);
  // What crosses itself winds around some places once more or less than around others, so the area is another.
  if (areaSign(points, resolved, area < 0 ? -1 : 1) === 0) return asGiven();
  const crossing = findCrossing(points, resolved);
  const { gridSize, originX, originY } = frame;
  const at: [number, number] | undefined = crossing && [originX + crossing.x * gridSize, originY + crossing.y * gridSize];
  const segment = crossing ? nearestSegment(points, crossing) : 0;
  const from = given[segment], to = given[(segment + 1) % points.length];
  warn({
    code: 'self-crossing', where: { ring: name, point: from, ...(at ? { at } : {}) },
    message: `${name} ${at ? `crosses itself between points ${from} and ${to}, at [${at.join(', ')}]` : 'runs over itself'}; `
      + 'what is inside is decided by the fill rule',
  });
  return resolved;
}

function cutHoles(
  outline: GridPoint[][], holes: GridRing[], resolve: (ring: GridRing) => GridPoint[][], warn: Warn,
): GridPoint[][] {
  const cuts = holes.map(resolve);
  const all = cuts.flat();
  if (all.length === 0 || outline.length === 0) return outline;
  const ground = clip(ClipType.Difference, outline, all, FillRule.NonZero);
  // Ground and holes together are the outline, unless holes overlap, lie outside or stick out.
  if (sumSign([...outline, ...reversed(all), ...reversed(ground)]) === 0) return ground;
  holes.forEach(({ name, points }, i) => {
    if (points.length === 0) return;
    const inside = clip(ClipType.Intersection, cuts[i], outline, FillRule.NonZero);
    const size = sumSign(inside);
    if (size > 0 && clip(ClipType.Difference, cuts[i], outline, FillRule.NonZero).length === 0) return;
    warn(size > 0
      ? { code: 'hole-sticks-out', where: { ring: name }, message: `${name} sticks out of its outline` }
      : { code: 'hole-outside', where: { ring: name }, message: `${name} lies outside its outline and cuts nothing` });
  });
  return ground;
}

function reversed(rings: GridPoint[][]): GridPoint[][] {
  return rings.map((ring) => ring.slice().reverse());
}

/** Three points, or four of which each is a corner turning the same way. */
function isConvexQuad(points: GridPoint[]): boolean {
  if (points.length > 4) return false;
  if (points.length === 3) return true;
  let turns = 0;
  for (let i = 0; i < 4; i++) {
    const a = points[i], b = points[(i + 1) & 3], c = points[(i + 2) & 3];
    const turn = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    turns += turn > 0 ? 1 : turn < 0 ? -1 : 0;
  }
  return turns === 4 || turns === -4;
}

/** A point of the result that the ring does not have. */
function findCrossing(points: GridPoint[], resolved: GridPoint[][]): GridPoint | undefined {
  const known = new Set(points.map(({ x, y }) => `${x},${y}`));
  return resolved.flat().find(({ x, y }) => !known.has(`${x},${y}`));
}

function nearestSegment(points: GridPoint[], p: GridPoint): number {
  let best = 0, least = Infinity;
  points.forEach((a, i) => {
    const b = points[(i + 1) % points.length];
    const dx = b.x - a.x, dy = b.y - a.y;
    const share = Math.min(1, Math.max(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy)));
    const ex = a.x + share * dx - p.x, ey = a.y + share * dy - p.y;
    const distanceSq = ex * ex + ey * ey;
    // The first of those that pass within two cells.
    if (distanceSq < least && !(least <= 4)) {
      least = distanceSq;
      best = i;
    }
  });
  return best;
}

/** Sign of the area of a ring (times `way`), less that of others, exactly. */
function areaSign(points: GridPoint[], less: GridPoint[][], way: number = 1): number {
  return sumSign([way < 0 ? points.slice().reverse() : points, ...reversed(less)]);
}

/** Sign of the sum of the areas of rings, clockwise ones counting as less than nothing. Exact. */
function sumSign(rings: GridPoint[][]): number {
  // Each product of differences is exact; what their sum loses is kept beside it (Knuth's two-sum), twice over.
  let high = 0, low = 0;
  for (const ring of rings) {
    const { x: x0, y: y0 } = ring[0];
    for (let i = 2; i < ring.length; i++) {
      const a = ring[i - 1], b = ring[i];
      const term = (a.x - x0) * (b.y - y0) - (a.y - y0) * (b.x - x0);
      const sum = high + term, part = sum - high;
      low += high - (sum - part) + (term - part);
      high = sum;
    }
  }
  const total = high + low;
  return total > 0 ? 1 : total < 0 ? -1 : 0;
}

export function ringsOf(paths: GridPoint[][]): Rings {
  const start = new Int32Array(paths.length + 1);
  paths.forEach((path, r) => { start[r + 1] = start[r] + path.length; });
  const x = new Int32Array(start[paths.length]), y = new Int32Array(start[paths.length]);
  let n = 0;
  for (const path of paths) {
    for (const point of path) {
      x[n] = point.x;
      y[n++] = point.y;
    }
  }
  return { ringCount: paths.length, start, x, y };
}

export function pathsOf({ ringCount, start, x, y }: Rings): GridPoint[][] {
  return Array.from({ length: ringCount }, (_, r) => (
    Array.from({ length: start[r + 1] - start[r] }, (__, i) => ({ x: x[start[r] + i], y: y[start[r] + i] }))
  ));
}
