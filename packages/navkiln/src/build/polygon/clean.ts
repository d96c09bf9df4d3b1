/**
 * Stage 1: computes the walkable area as clean rings: outer rings counter-clockwise, holes clockwise, no
 * crossings.
 *
 * Rings that neither touch nor cross need a grid only (disjoint-rings.ts), where the caller needs no triangulation. Rings
 * that do not cross take one triangulation (clean-simple.ts). Otherwise, each ring is resolved on its own
 * by the fill rule, so its winding no longer matters. Then holes are subtracted from their outline, the polygons are united, and obstacles are subtracted, each by overlay.ts.
 *
 * In: a `GridMap`.
 * Out: `CleanGround`, and warnings for rings that cross themselves and for holes that lie outside or stick out.
 * Cost: O((n + k) log n) for n points and k crossings: one triangulation, up to four when rings cross.
 * Based on: own.
 */
import { checkArray, checkObject } from '../../base/data/refuse.ts';
import { areaSign, sumAreas } from './area.ts';
import type { PolygonBudget } from '../../base/plane/budget.ts';
import { cleanSimple, haveJunctions, listRings, triangulateListed } from './clean-simple.ts';
import type { CleanGround, MapRings } from './clean-simple.ts';
import { MAX_DEPTH, mayBeTooDeep } from '../../base/plane/depth.ts';
import { cleanDisjoint } from './disjoint-rings.ts';
import { borderOfGround, ringsOf, subtractPaths, untangle } from '../../base/plane/overlay.ts';
import type { Paths } from '../../base/plane/overlay.ts';
import type { GridMap, GridRing, Warn } from './rings.ts';
import type { GridFrame, GridPoint, Rings } from '../../base/plane/types.ts';

/** Points of outlines and holes that are compared one hole at a time, to find which hole sticks out. */
const MAX_COMPARED_POINTS = 2 ** 18;

interface Cleaning {
  fillRule: 'nonzero' | 'evenodd';
  frame: GridFrame;
  warn: Warn;
  budget: PolygonBudget | undefined;
  joinCells: number;
  comparedPoints: number;
}

/** Returns the walkable area as clean rings. */
export function cleanPolygons(
  map: GridMap,
  fillRule: 'nonzero' | 'evenodd',
  warn: Warn,
  budget?: PolygonBudget,
): Rings {
  checkObject('cleanPolygons', 'map', map);
  checkArray('cleanPolygons', 'map.polygons', map.polygons);
  return cleanMap(map, fillRule, warn, budget).rings;
}

/** Returns the walkable area as clean rings, and their triangulation if it is known already. @internal */
export function cleanMap(
  map: GridMap,
  fillRule: 'nonzero' | 'evenodd',
  warn: Warn,
  budget?: PolygonBudget,
): CleanGround {
  const listed = listRings(map);
  return cleanListed(listed, map, fillRule, warn, budget);
}

/** Returns the walkable area as clean rings, without their triangulation. Their order may be another. @internal */
export function cleanRings(map: GridMap, fillRule: 'nonzero' | 'evenodd', warn: Warn, budget?: PolygonBudget): Rings {
  const listed = listRings(map);
  return (listed && cleanDisjoint(listed)) ?? cleanListed(listed, map, fillRule, warn, budget).rings;
}

function cleanListed(
  listed: MapRings | undefined,
  map: GridMap,
  fillRule: 'nonzero' | 'evenodd',
  warn: Warn,
  budget: PolygonBudget | undefined,
): CleanGround {
  // Rings that cross are counted once more below, so this part has a budget of its own.
  const all = listed && triangulateListed(listed, budget && { ...budget });
  const simple = all && cleanSimple(all);
  if (simple !== undefined && (all!.paths.length === 1 || !haveJunctions(all!.mesh) || all!.paths.every(isSimple)))
    return simple;
  // Rings that cross each other, but not themselves, are overlaid in the same triangulation.
  const isOverlay = all?.polygons.every(({ holes }) => holes.length === 0) && all.paths.every(isSimple);
  return {
    rings: isOverlay ? borderOfGround(all!.mesh, all!.winding) : overlayAll(map, fillRule, warn, budget),
  };
}

/** Returns whether a ring does not cross itself. @internal */
export function isSimple(points: GridPoint[]): boolean {
  if (isConvexQuad(points)) return true;
  const alone = { paths: [points], weights: [1], polygons: [], joinCells: 0 };
  return cleanDisjoint(alone) !== undefined || untangle(points, 'nonzero') === undefined;
}

/** Returns the walkable area of any rings, ring by ring. @internal */
export function overlayAll(map: GridMap, fillRule: 'nonzero' | 'evenodd', warn: Warn, budget?: PolygonBudget): Rings {
  const { frame, joinCells } = map;
  const cleaning: Cleaning = { fillRule, frame, warn, budget, joinCells, comparedPoints: 0 };
  const resolve = (ring: GridRing): Paths => resolveRing(ring, cleaning);
  const polygons = map.polygons.map(({ outline, holes }) => cutHoles(resolve(outline), holes, cleaning));
  const obstacles = join(map.obstacles.map(resolve), cleaning);
  const ground =
    polygons.length === 1 && obstacles.length === 0
      ? polygons[0]
      : subtractPaths(join(polygons, cleaning), obstacles, budget, joinCells);
  return ringsOf(ground);
}

/** Returns the rings of areas as one list; areas that cover each other too often are united in parts. */
function join(areas: readonly Paths[], { budget, joinCells }: Cleaning): Paths {
  const all = areas.flat();
  if (!mayBeTooDeep(all)) return all;
  const parts: Paths[] = [];
  for (let first = 0; first < areas.length; first += MAX_DEPTH)
    parts.push(subtractPaths(areas.slice(first, first + MAX_DEPTH).flat(), [], budget, joinCells));
  return parts.flat();
}

/** Returns the inside of a ring as rings that do not cross, counter-clockwise except for holes. */
function resolveRing({ name, points, given }: GridRing, { fillRule, frame, warn, budget }: Cleaning): Paths {
  if (points.length === 0) return [];
  const resolved = isConvexQuad(points) ? undefined : untangle(points, fillRule, budget);
  if (resolved === undefined) return areaSign([points]) < 0 ? reversed([points]) : [points];
  const { paths, crossing } = resolved;
  const { gridSize, originX, originY } = frame;
  const at: [number, number] | undefined = crossing && [
    originX + crossing.x * gridSize,
    originY + crossing.y * gridSize,
  ];
  const segment = crossing ? nearestSegment(points, crossing) : 0;
  const from = given[segment];
  const to = given[(segment + 1) % points.length];
  warn({
    code: 'self-crossing',
    where: { ring: name, point: from, ...(at ? { at } : {}) },
    message:
      `${name} ${at ? `crosses itself between points ${from} and ${to}, at [${at.join(', ')}]` : 'runs over itself'}; ` +
      'what is inside is decided by the fill rule',
  });
  return paths;
}

function cutHoles(outline: Paths, holes: GridRing[], cleaning: Cleaning): Paths {
  const { warn, budget, joinCells } = cleaning;
  const cuts = holes.map((hole) => resolveRing(hole, cleaning));
  const all = join(cuts, cleaning);
  if (all.length === 0 || outline.length === 0) return outline;
  const ground = subtractPaths(outline, all, budget, joinCells);
  // The walkable area and the holes add up to the outline, unless holes overlap, lie outside or stick out.
  if (areaSign([...outline, ...reversed(all), ...reversed(ground)]) === 0) return ground;
  const outlinePoints = countPoints(outline);
  let skipped = 0;
  holes.forEach(({ name }, i) => {
    if (cuts[i].length === 0) return;
    // Comparing holes one by one takes quadratic time, so their number is limited.
    cleaning.comparedPoints += outlinePoints + countPoints(cuts[i]);
    if (cleaning.comparedPoints > MAX_COMPARED_POINTS) {
      skipped++;
      return;
    }
    // They cross each other no more often than all holes together did.
    const outside = subtractPaths(cuts[i], outline);
    // Corners that should lie on the outline may be off by a cell, or by the distance at which they are joined.
    const size = sizeOf(outside);
    const slack = Math.max(1, joinCells) * outside.reduce((sum, path) => sum + lengthOf(path), 0);
    if (size <= 2 * slack) return;
    warn(
      sizeOf(cuts[i]) - size > 2 * slack
        ? { code: 'hole-sticks-out', where: { ring: name }, message: `${name} sticks out of its outline` }
        : { code: 'hole-outside', where: { ring: name }, message: `${name} lies outside its outline and cuts nothing` },
    );
  });
  if (skipped > 0) {
    const message = `${skipped} holes were not compared with their outline, since there are many; some may stick out of it`;
    warn({ code: 'hole-sticks-out', count: skipped, message });
  }
  return ground;
}

function countPoints(paths: Paths): number {
  return paths.reduce((sum, path) => sum + path.length, 0);
}

/** Returns twice the area, rounded. */
function sizeOf(paths: Paths): number {
  return sumAreas(paths)[0];
}

function lengthOf(path: GridPoint[]): number {
  return path.reduce((sum, { x, y }, i) => {
    const dx = path[(i + 1) % path.length].x - x;
    const dy = path[(i + 1) % path.length].y - y;
    return sum + Math.sqrt(dx * dx + dy * dy);
  }, 0);
}

function reversed(rings: Paths): Paths {
  return rings.map((ring) => ring.slice().reverse());
}

/** Returns whether the ring is a triangle, or a quad whose corners all turn the same way. */
function isConvexQuad(points: GridPoint[]): boolean {
  if (points.length > 4) return false;
  if (points.length === 3) return true;
  let turns = 0;
  for (let i = 0; i < 4; i++) {
    const a = points[i];
    const b = points[(i + 1) & 3];
    const c = points[(i + 2) & 3];
    const turn = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    turns += turn > 0 ? 1 : turn < 0 ? -1 : 0;
  }
  return turns === 4 || turns === -4;
}

function nearestSegment(points: GridPoint[], p: GridPoint): number {
  let best = 0;
  let least = Infinity;
  points.forEach((a, i) => {
    const b = points[(i + 1) % points.length];
    const dx = b.x - a.x;
    const dy = b.y - a.y;
    const share = Math.min(1, Math.max(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy)));
    const ex = a.x + share * dx - p.x;
    const ey = a.y + share * dy - p.y;
    const distanceSq = ex * ex + ey * ey;
    // The first crossing within two cells wins.
    if (distanceSq < least && !(least <= 4)) {
      least = distanceSq;
      best = i;
    }
  });
  return best;
}
