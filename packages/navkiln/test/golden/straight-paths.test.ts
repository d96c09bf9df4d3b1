/**
 * Corners of paths, with and without crossings, with their polygons, links and flags: those of Detour's findStraightPath
 * over the same corridors. NAVKILN_PAIRS sets the number of pairs per level, NAVKILN_SEED the seed.
 *
 * docs/deviations.md lists the allowed differences. Each one is recognized, counted and printed; any other difference fails.
 */
import { expect, it } from 'vitest';
import { closestPointOnPoly } from '../../src/mesh/ground.ts';
import { linkIndexOf } from '../../src/mesh/link-ref.ts';
import { polyIndexOf } from '../../src/mesh/ref.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { PATH_CORNER_FLAGS, findDetailedPath } from '../../src/query/path/details.ts';
import { DEFAULT_FILTER } from '../../src/query/filter.ts';
import { createPathBuffer, findPathInto } from '../../src/query/path/find-path.ts';
import { createSearchState } from '../../src/query/search-state.ts';
import { linkRefs, refsOf } from './detour-import.ts';
import type { Point } from './detour.ts';
import { bakeLevel, makeWorld, worldLevels } from './twin-world.ts';

const SEED = Number(process.env['NAVKILN_SEED'] ?? 9);
/** `npm run soak` raises it. */
const PAIRS = Number(process.env['NAVKILN_PAIRS'] ?? 30);
/** The bits of Detour's options. */
const MODES = { none: 0, area: 1, all: 2 } as const;
const TOLERANCE = 1e-3;
/** Width of the stripes of an area, in cells. */
const STRIPE_CELLS = 12;

const across = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[2] - b[2]);

/** Returns the points of `a` that are not in `b`. */
const missing = (a: Point[], b: Point[]): Point[] => a.filter((p) => b.every((q) => across(p, q) > TOLERANCE));

/** Returns whether a point is on a polygon (dense index), seen from above. */
function isOn(mesh: NavMesh, poly: number, point: Point): boolean {
  if (poly < 0) return false;
  const on = new Float64Array(3);
  closestPointOnPoly(on, mesh, poly, Float64Array.from(point));
  return Math.hypot(on[0]! - point[0], on[2]! - point[2]) <= TOLERANCE;
}

/** Returns whether a point of a list is on the straight line between the points next to it. */
function isStraight(list: Point[], point: Point): boolean {
  const at = list.indexOf(point);
  const [a, b] = [list[at - 1], list[at + 1]];
  if (a === undefined || b === undefined) return false;
  const offset = (b[0] - a[0]) * (point[2] - a[2]) - (b[2] - a[2]) * (point[0] - a[0]);
  return Math.abs(offset) <= TOLERANCE * across(a, b);
}

it.each(
  worldLevels([
    ['dungeon', 0, 0],
    ['house', 40, 12],
    ['terrain', 40, 0],
  ]),
)('%s, tiles of %i cells, %i links: equal corners, polygons and flags', async (name, cells, linkCount) => {
  const mesh = await bakeLevel(name, cells);
  if (mesh.polyCount === 0) return;
  const stripe = STRIPE_CELLS * mesh.cellSize;
  for (let poly = 0; poly < mesh.polyCount; poly++) {
    const x = mesh.vertices[3 * mesh.edgeVertex[mesh.polyEdgeStart[poly]]];
    mesh.polyArea[poly] = 1 + (Math.abs(Math.floor(x / stripe)) % 3);
  }
  const { twin, randomPoint } = await makeWorld(mesh, SEED, linkCount);
  const links = linkRefs(mesh, twin);
  const [buffer, state] = [createPathBuffer(), createSearchState()];
  const half: Point = [0.5, 2, 0.5];
  const xyz = ([x, y, z]: readonly number[]): { x: number; y: number; z: number } => ({ x: x!, y: y!, z: z! });
  const counts: Record<string, number> = {};
  const wrong: string[] = [];
  const note = (key: string): void => {
    counts[key] = (counts[key] ?? 0) + 1;
  };
  for (let i = 0; i < PAIRS; i++) {
    const [start, end] = [randomPoint().point, randomPoint().point];
    const ends = { start: Float64Array.from(start), end: Float64Array.from(end), halfExtents: Float64Array.from(half) };
    findPathInto(buffer, state, mesh, { ...ends, filter: DEFAULT_FILTER, maxNodes: Infinity });
    if (buffer.status !== 'complete') continue;
    const refs = refsOf(buffer.corridor, twin, links);
    if (refs.includes(0)) continue;
    for (const crossings of ['none', 'area', 'all'] as const) {
      const path = findDetailedPath(mesh, start, end, { crossings, halfExtents: half });
      const found = twin.query.findStraightPath(xyz(path.points[0]!), xyz(path.points.at(-1)!), refs, {
        maxStraightPathPoints: 4000,
        straightPathOptions: MODES[crossings],
      });
      const flat = [...found.straightPath.getHeapView()];
      const theirs = Array.from({ length: found.straightPathCount }, (_, k) => flat.slice(3 * k, 3 * k + 3) as Point);
      const theirFlags = [...found.straightPathFlags.getHeapView()];
      const theirRefs = [...found.straightPathRefs.getHeapView()].map((ref) => ref >>> 0);
      for (const list of [found.straightPath, found.straightPathFlags, found.straightPathRefs]) list.destroy();
      note(`${crossings}: paths`);
      const ours = path.points;
      if (ours.length !== theirs.length || ours.some((p, k) => across(p, theirs[k]!) > TOLERANCE)) {
        const [more, less] = [missing(ours, theirs), missing(theirs, ours)];
        const isKnown = more.every((p) => isStraight(ours, p)) && less.every((p) => isStraight(theirs, p));
        if (!isKnown) wrong.push(`${crossings} ${i}, ${start} to ${end}: ${JSON.stringify([more, less])}`);
        note(
          `${crossings}: ${more.length + less.length > 0 ? 'points on a straight stretch' : 'points very near each other'}`,
        );
        continue;
      }
      for (let k = 0; k < ours.length; k++) {
        const { flags, poly, link } = path.corners[k]!;
        const isEnd = k === ours.length - 1;
        // Detour names the off-mesh connection where a path enters it, and has no polygon at the end.
        const isEntry = link !== 0 && !isEnd && path.corners[k + 1]!.link === link && (theirFlags[k]! & 4) !== 0;
        const ref = isEntry ? links.get(linkIndexOf(mesh, link)) : isEnd ? 0 : twin.refOf(polyIndexOf(mesh, poly));
        const isSame = ref === theirRefs[k];
        note(isSame ? 'polygons' : 'other polygons at the corner');
        if (!isSame && !isOn(mesh, twin.polyIndexOf(theirRefs[k]!), ours[k]!))
          wrong.push(`${crossings} ${i}, corner ${k}: polygon ${ref}, not ${theirRefs[k]}`);
        const wanted = (k === 0 ? 1 : 0) + (isEnd ? 2 : 0) + (isEntry ? 4 : 0);
        const our =
          (flags & (PATH_CORNER_FLAGS.start | PATH_CORNER_FLAGS.end)) + (isEntry ? flags & PATH_CORNER_FLAGS.link : 0);
        if (wanted !== theirFlags[k] || our !== wanted)
          wrong.push(`${crossings} ${i}, corner ${k}: flags ${flags}, not ${theirFlags[k]}`);
        if (link !== 0) note(isEntry ? 'links entered' : 'links left');
      }
    }
  }
  twin.destroy();
  console.info(`straight paths, ${name}, seed ${SEED}: ${JSON.stringify(counts)}`);
  expect(wrong.slice(0, 5), `${wrong.length} wrong, seed ${SEED}`).toEqual([]);
  expect(counts['other polygons at the corner'] ?? 0).toBeLessThanOrEqual(0.01 * (counts['polygons'] ?? 0) + 5);
  expect(counts['links left'], 'each link has two corners').toBe(counts['links entered']);
});
