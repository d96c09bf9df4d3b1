/**
 * Caches the links of polygons, and searches again where a change may affect them.
 *
 *   a change within the reach of sweeps   the walls of the polygon are searched again
 *   a change that may alter a walk        the walk query is repeated; if the answer differs, the walls are searched
 *   any other change                      the links of the polygon stay
 *
 * In: surfaces of one size, changes. Out: the links of a tile.
 * Cost: linear in the polygons near changes, and a search of those whose links may have changed.
 * Based on: own.
 */
import { findTile, keyOfTile } from '../../mesh/tiles/tile-grid.ts';
import { NULL_REF, polyIndexOf, refOf } from '../../mesh/ref.ts';
import type { NavMesh, PolyRef } from '../../mesh/types.ts';
import { boxOfPoly, fewBoxes, reachesInto, reachesNear, shapeOf } from './changes.ts';
import type { Box } from './changes.ts';
import { linkOf, searchWalls, sweepReach, usefulOf, walkLimit, walksOf } from './find.ts';
import { isWalkShort } from './runs.ts';
import type { AskedWalk, Candidate } from './runs.ts';
import type { Found, SizedSearch } from './sizes.ts';
import type { Solid } from './sweep/solid.ts';
import { orderedPolys } from './walls/walls.ts';

/** States of a polygon's cached results: up to date; walks may have changed; the walls must be searched again. */
const CURRENT = 0;
const WALKS_CHANGED = 1;
const CHANGED = 2;

/** A link or a walk between two polygons, and the numbers (`shapeOf`) of these polygons. */
interface Kept<T> {
  one: T;
  ends: readonly [number, number];
}

/** The cached results of one polygon. */
interface KeptPoly {
  /** A ref, because the index may change when other tiles change. */
  ref: PolyRef;
  box: Box;
  state: number;
  /** Clear links from its walls. */
  candidates: Kept<Candidate>[];
  asked: Kept<AskedWalk>[];
  found: Found[];
  /** Balls that contain all walks on which the links depend: x, y, z, radius. */
  balls: Float64Array;
}

/** The cached results for the surface of one size. */
export interface KeptSurface {
  sized: SizedSearch;
  /** By key of the tile, then by number of the polygon (`shapeOf`). */
  tiles: Map<number, Map<number, KeptPoly>>;
  shapeOfRef: Map<PolyRef, number>;
  refOfShape: Map<number, PolyRef>;
}

export function keepSurface(sized: SizedSearch): KeptSurface {
  return { sized, tiles: new Map(), shapeOfRef: new Map(), refOfShape: new Map() };
}

/** Compares a tile with its cached polygons. Returns the boxes of polygons that were added or removed. */
export function refreshTile(
  { tiles, shapeOfRef, refOfShape }: KeptSurface,
  mesh: NavMesh,
  surface: NavMesh,
  x: number,
  z: number,
): readonly Box[] {
  const key = keyOfTile(x, z);
  const before = tiles.get(key) ?? new Map<number, KeptPoly>();
  const after = new Map<number, KeptPoly>();
  const changed: Box[] = [];
  for (const [shape, { ref }] of before) {
    refOfShape.delete(shape);
    shapeOfRef.delete(ref);
  }
  const slot = findTile(surface, x, z);
  for (const poly of slot < 0 ? [] : orderedPolys(surface, slot)) {
    if (surface.polyFlags[poly] === 0) continue;
    const ref = refOf(mesh, poly);
    const shape = shapeOf(surface, poly, mesh.polyFlags[poly] === 0);
    let kept = before.get(shape);
    if (kept === undefined) {
      const box = boxOfPoly(surface, poly);
      kept = { ref, box, state: CHANGED, candidates: [], asked: [], found: [], balls: new Float64Array(0) };
      changed.push(box);
    }
    kept.ref = ref;
    after.set(shape, kept);
    shapeOfRef.set(ref, shape);
    refOfShape.set(shape, ref);
  }
  for (const [shape, { box }] of before) if (!after.has(shape)) changed.push(box);
  if (after.size > 0) tiles.set(key, after);
  else tiles.delete(key);
  return fewBoxes(changed);
}

/** Marks the polygons of a tile whose links may depend on changes inside boxes. Returns whether there are any. */
export function markChanged(
  { sized, tiles }: KeptSurface,
  key: number,
  changed: readonly Box[],
  ground: readonly Box[],
): boolean {
  const reach = sweepReach(sized.search);
  let isAny = false;
  for (const kept of tiles.get(key)?.values() ?? []) {
    if (kept.state !== CHANGED && changed.some((box) => reachesNear(box, kept.box, reach))) kept.state = CHANGED;
    const { balls } = kept;
    for (let i = 0; i < balls.length && kept.state === CURRENT; i += 4)
      if (ground.some((box) => reachesInto(box, balls, i))) kept.state = WALKS_CHANGED;
    isAny ||= kept.state !== CURRENT;
  }
  return isAny;
}

/** Returns the links of a tile's walls. Searches walls again whose links may have changed. */
export function linksOfTile(
  surfaceKept: KeptSurface,
  surface: NavMesh,
  view: NavMesh,
  solids: readonly Solid[],
  key: number,
): Found[] {
  const found: Found[] = [];
  for (const kept of surfaceKept.tiles.get(key)?.values() ?? []) {
    if (kept.state === WALKS_CHANGED) askAgain(surfaceKept, kept, surface, view);
    if (kept.state === CHANGED) search(surfaceKept, kept, surface, view, solids);
    found.push(...kept.found);
  }
  return found;
}

function search(
  { sized, shapeOfRef }: KeptSurface,
  kept: KeptPoly,
  surface: NavMesh,
  view: NavMesh,
  solids: readonly Solid[],
): void {
  const asked: AskedWalk[] = [];
  const { runs } = searchWalls(surface, view, solids, sized, [polyIndexOf(surface, kept.ref)], asked);
  const shapeAt = (poly: number): number => shapeOfRef.get(refOf(surface, poly))!;
  const keep = <T extends Candidate | AskedWalk>(one: T): Kept<T> => ({
    one,
    ends: [shapeAt(one.polys[0]), shapeAt(one.polys[1])],
  });
  kept.candidates = runs.out.map(keep);
  kept.asked = asked.map(keep);
  kept.found = usefulOf(surface, view, sized, runs.out);
  kept.state = CURRENT;
  const balls: number[] = [];
  const addBall = (limit: number, ...points: number[]): void => {
    const count = points.length / 3;
    for (let k = 0; k < 3; k++)
      balls.push(points.reduce((sum, value, i) => (i % 3 === k ? sum + value : sum), 0) / count);
    balls.push(limit / 2);
  };
  for (const { from, to, most } of asked) addBall(most, ...from, ...to);
  for (const candidate of runs.out) {
    const limit = walkLimit(sized.search, linkOf(0, candidate, sized.search).cost);
    for (const { from, to } of walksOf(candidate)) addBall(limit, ...from, ...to);
  }
  kept.balls = Float64Array.from(balls);
}

/** Repeats the walk queries of a polygon's links. If an answer differs, the polygon's walls must be searched again. */
function askAgain({ sized, refOfShape }: KeptSurface, kept: KeptPoly, surface: NavMesh, view: NavMesh): void {
  const { candidates, asked } = kept;
  kept.state = CURRENT;
  for (const { one, ends } of [...candidates, ...asked]) {
    const [a, b] = ends.map((shape) => polyIndexOf(surface, refOfShape.get(shape) ?? NULL_REF));
    one.polys = [a, b];
    // Both polygons exist as long as nothing nearby has changed.
    if (a < 0 || b < 0) kept.state = CHANGED;
  }
  if (kept.state === CURRENT && asked.some(({ one }) => isWalkShort(view, sized.size, one) !== one.isShort))
    kept.state = CHANGED;
  if (kept.state === CHANGED) return;
  const clear = candidates.map(({ one }) => one);
  kept.found = usefulOf(surface, view, sized, clear);
}
