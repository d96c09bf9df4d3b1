/**
 * Compares every query of Detour's with Detour itself on the same mesh: baked by navkiln and by Recast, in
 * one piece and in tiles, with and without links. NAVKILN_QUERIES sets the number of calls of each query
 * (default 420; the soak makes 10,000), and NAVKILN_SEED the seed.
 *
 * Polygons are equal, and positions agree within 1e-4. Each known difference has a name here and an entry in
 * docs/deviations.md. The test recognizes, counts and prints it. Any other difference fails. Detour's
 * findDistanceToWall has no binding, so brute force replaces it. (For rays and slides with their polygons,
 * and floods with costs, see test/property/walk-detour and floods-detour.)
 */
import { describe, expect, it } from 'vitest';
import { closestPointOnPoly } from '../../src/mesh/ground.ts';
import { polyIndexOf, refOf } from '../../src/mesh/ref.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { getHeight } from '../../src/query/height.ts';
import { findPolysInBox } from '../../src/query/nearest/polys-in-box.ts';
import { findPolysInCircle } from '../../src/query/flood/polys-in-circle.ts';
import { raycast } from '../../src/query/ray/raycast.ts';
import { moveAlongSurface } from '../../src/query/walk/slide.ts';
import { findDistanceToWall } from '../../src/query/walk/wall.ts';
import { portalsOf } from '../unit/mesh/tiled-meshes.ts';
import { findDetourPath, lengthOf } from './detour.ts';
import type { Point } from './detour.ts';
import { costInNodes } from './paths-nodes.ts';
import { bakeLevel, bakeScene, makeWorld, worldLevels } from './twin-world.ts';
import type { MeshPoint, World } from './twin-world.ts';

const TOLERANCE = 1e-4;
const SEED = Number(process.env.NAVKILN_SEED ?? 77);
const HALF: Point = [0.5, 2, 0.5];

/** Level, the library that bakes it, cells per tile (0: one tile), links. */
const FEW: [string, 'navkiln' | 'recast', number, number][] = [
  ['dungeon', 'navkiln', 0, 0],
  ['house', 'navkiln', 0, 12],
  ['terrain', 'navkiln', 48, 0],
  ['city', 'navkiln', 64, 20],
  ['tower', 'recast', 0, 0],
  ['dungeon', 'recast', 48, 12],
];
/** With NAVKILN_ALL, all scenes and random levels. */
const LEVELS = [...FEW, ...worldLevels([]).map(([name, cells, links]) => [name, 'navkiln', cells, links] as const)];
const CALLS = Math.ceil(Number(process.env.NAVKILN_QUERIES ?? 420) / LEVELS.length);

const xyz = (p: ArrayLike<number>): { x: number; y: number; z: number } => ({ x: p[0], y: p[1], z: p[2] });
const array = (p: { x: number; y: number; z: number }): Point => [p.x, p.y, p.z];
const flat = (points: readonly (readonly number[])[]): Point[] => points.map((p) => [p[0], 0, p[2]]);

type Note = (outcome: string) => void;
/** Makes one call of a query on both sides. Notes the outcome, or returns what is wrong. */
type Call = (world: World, note: Note) => string | undefined;

function beside(world: World, reach: number, rise: number): MeshPoint {
  const { poly, point } = world.randomPoint();
  const moved = point.map((value, k) =>
    Math.fround(value + (2 * world.random() - 1) * (k === 1 ? rise : reach)),
  ) as Point;
  return { poly, point: moved };
}

const distance = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
const across = (a: ArrayLike<number>, b: ArrayLike<number>): number => Math.hypot(a[0] - b[0], a[2] - b[2]);
const show = (...values: unknown[]): string => values.map((value) => JSON.stringify(value)).join(' ');

const nearest: Call = (world, note) => {
  const { mesh, twin } = world;
  const { point } = beside(world, 2, 2);
  const half: Point = [1.5, 2, 1.5];
  const ours = findNearest(mesh, point, { halfExtents: half });
  const theirs = twin.query.findNearestPoly(xyz(point), { halfExtents: xyz(half) });
  const at = array(theirs.nearestPoint);
  // Detour takes a polygon whose bounds overlap the box, however far its surface is.
  const isWithin = (margin: number): boolean =>
    theirs.nearestRef !== 0 && at.every((value, k) => Math.abs(value - point[k]) <= half[k] + margin);
  const isDeep = isWithin(-TOLERANCE);
  if (!ours.found) {
    if (isDeep) return `none, not ${show(point, at)}`;
    return void note(theirs.nearestRef === 0 ? 'none' : 'theirs out of the box');
  }
  if (distance(ours.point, at) <= TOLERANCE && ours.isOver === theirs.isOverPoly) {
    note(polyIndexOf(mesh, ours.ref) === twin.polyIndexOf(theirs.nearestRef) ? 'same' : 'same point, other polygon');
    return undefined;
  }
  if (!isWithin(TOLERANCE)) return void note('theirs out of the box');
  const climb = mesh.agent.maxClimb;
  const score = (isOver: boolean, p: ArrayLike<number>): number =>
    isOver ? Math.max(Math.abs(p[1] - point[1]) - climb, 0) : distance(p, point);
  const [our, their] = [score(ours.isOver, ours.point), score(theirs.isOverPoly, at)];
  // Two points of one outline may be equally near from above, but not in space.
  const isTie =
    Math.abs(our - their) <= TOLERANCE || Math.abs(across(ours.point, point) - across(at, point)) <= TOLERANCE / 10;
  if (isTie) return void note('tie');
  if (our < their) return void note('ours nearer');
  if (!isDeep) return void note('theirs on the border of the box');
  return `${show(point)}: ${show(ours.point, our)}, not ${show(at, their)}`;
};

const paths: Call = (world, note) => {
  const { mesh, twin } = world;
  const [a, b] = [world.randomPoint(), world.randomPoint()];
  const oracle = { query: twin.query, polyIndexOf: twin.polyIndexOf } as unknown as Parameters<
    typeof findDetourPath
  >[0];
  const ours = findPath(mesh, a.point, b.point, { halfExtents: HALF });
  const theirs = findDetourPath(oracle, a.point, b.point, HALF, 4096);
  const what = show(a.point, b.point);
  const polys = ours.polys.map((ref) => polyIndexOf(mesh, ref));
  if (polys[0] !== theirs.startPoly) return void note('other start');
  if (ours.status !== theirs.status) return `${what}: ${ours.status}, not ${theirs.status}`;
  if (ours.status !== 'complete') return void note('partial');
  const theirPolys = theirs.polys.filter((poly) => poly >= 0);
  const ratio = lengthOf(flat(ours.points)) / lengthOf(flat(theirs.points));
  if (polys.join() === theirPolys.join()) {
    // Detour's corners at a link are the given ends, ours are on the surface. A straight stretch may have
    // more corners.
    const isNear = ours.points.every((p, k) => across(p, theirs.points[k] ?? [Infinity, 0, 0]) <= TOLERANCE);
    if (isNear && ours.points.length === theirs.points.length) return void note('same');
    if (Math.abs(ratio - 1) <= TOLERANCE) return void note('same length, other corners');
    if (ratio < 1) return void note('same polygons, shorter');
    // One side may take a link where the other walks.
    if (world.linkCount === 0) return `${what}: the same polygons, ${ours.length} long, not ${theirs.length}`;
  }
  if (ratio <= 1 + TOLERANCE) return void note(ratio < 1 - TOLERANCE ? 'shorter' : 'other polygons, as long');
  // Costs are equal. With links, a polygon may be found through another edge first, because Detour has one
  // node for a
  // link end and its polygon.
  const theirCost = costInNodes(mesh, theirs);
  if (Math.abs(ours.cost - theirCost) <= 1e-6 * ours.cost) return void note('longer, tied');
  if (world.linkCount > 0 && ours.cost <= theirCost) return void note('longer, costs less');
  return `${what}: ${ours.length}, not ${theirs.length}; costs ${ours.cost} and ${theirCost}; ${polys}; ${theirs.polys}`;
};

const inBox: Call = (world, note) => {
  const { mesh, twin, random, size } = world;
  const { point } = beside(world, 0.1 * size, 3);
  const half = [0.1 * size * random(), 3 * random(), 0.1 * size * random()].map(Math.fround);
  const ours = new Set(findPolysInBox(mesh, point, half).map((ref) => polyIndexOf(mesh, ref)));
  const found = twin.query.queryPolygons(xyz(point), xyz(half), { maxPolys: 4096 });
  const theirs = new Set(found.polyRefs.map((ref) => twin.polyIndexOf(ref)).filter((poly) => poly >= 0));
  const what = show(point, half);
  for (const poly of ours) if (!theirs.has(poly)) return `${what}: Detour lacks ${poly}`;
  for (const poly of theirs)
    if (!ours.has(poly) && !isApart(mesh, poly, point, half)) return `${what}: we lack ${poly}`;
  note(ours.size === theirs.size ? 'same' : 'theirs touch the bounds only');
  return undefined;
};

/** Returns whether a line separates a polygon's outline from a box, or their heights do. */
function isApart(mesh: NavMesh, poly: number, center: ArrayLike<number>, half: ArrayLike<number>): boolean {
  const n = mesh.polyVertexCount[poly];
  const corners = Array.from({ length: n }, (_, k) => {
    const v = 3 * mesh.edgeVertex[mesh.polyEdgeStart[poly] + k];
    return [0, 1, 2].map((axis) => mesh.vertices[v + axis] - center[axis]);
  });
  const ys = corners.map((c) => c[1]);
  for (let k = 0; k < mesh.polyDetailVertexCount[poly]; k++) {
    ys.push(mesh.detailVertices[3 * (mesh.polyDetailVertexStart[poly] + k) + 1] - center[1]);
  }
  const slack = 1e-6;
  if (Math.min(...ys) > half[1] - slack || Math.max(...ys) < slack - half[1]) return true;
  const normals = [
    [1, 0],
    [0, 1],
    ...corners.map((c, k) => {
      const d = corners[(k + 1) % n];
      return [d[2] - c[2], c[0] - d[0]];
    }),
  ];
  return normals.some(([x, z]) => {
    const reach = Math.abs(x!) * half[0] + Math.abs(z!) * half[2];
    const sides = corners.map((c) => c[0] * x! + c[2] * z!);
    const room = slack * Math.hypot(x!, z!);
    return Math.min(...sides) > reach - room || Math.max(...sides) < room - reach;
  });
}

const inCircle: Call = (world, note) => {
  const { mesh, twin, random, size } = world;
  const { poly, point } = world.randomPoint();
  const radius = Math.fround(0.25 * size * random() * random() + 0.1);
  const ask = (r: number): number[] =>
    findPolysInCircle(mesh, point, r, { startRef: refOf(mesh, poly) }).polys.map((ref) => polyIndexOf(mesh, ref));
  const ours = ask(radius);
  const found = twin.query.findPolysAroundCircle(twin.refOf(poly), xyz(point), radius, { maxPolys: 4096 });
  const theirs = found.resultRefs
    .slice(0, found.resultCount)
    .map((ref) => twin.polyIndexOf(ref))
    .filter((one) => one >= 0);
  const key = (polys: number[]): string => [...polys].sort((a, b) => a - b).join();
  if (key(ours) === key(theirs)) return void note('same');
  const [less, more] = [ask(radius * (1 - 1e-5)), ask(radius * (1 + 1e-5))];
  const isTouched = theirs.every((one) => more.includes(one)) && less.every((one) => theirs.includes(one));
  if (isTouched) return void note('touched within rounding');
  return `${show(point, radius)}, polygon ${poly}: ${key(ours)}, not ${key(theirs)}`;
};

const rays: Call = (world, note) => {
  const { mesh, twin, random } = world;
  const { poly, point } = world.randomPoint();
  const far = [1, 4, 16, 40][Math.floor(4 * random())];
  const end = point.map((value, k) => Math.fround(k === 1 ? value : value + (2 * random() - 1) * far)) as Point;
  const startRef = refOf(mesh, poly);
  const length = across(point, end);
  const ours = raycast(mesh, point, end, { startRef });
  const theirs = twin.query.raycast(twin.refOf(poly), xyz(point), xyz(end));
  const t = Math.min(theirs.t, 1);
  if (Math.abs(ours.t - t) * length <= TOLERANCE) {
    const { x, z } = theirs.hitNormal;
    if (t === 1 || Math.hypot(ours.normal[0] - x, ours.normal[2] - z) < 1e-3) return void note('same');
    return void note('same end, at a corner');
  }
  // A corner is within Detour's rounding of the ray.
  for (const s of [1e-3, -1e-3]) {
    const side = [end[0] + (s * (end[2] - point[2])) / length, end[1], end[2] - (s * (end[0] - point[0])) / length];
    if (Math.abs(raycast(mesh, point, side, { startRef }).t - t) * length <= 0.01 * (1 + length))
      return void note('by a corner');
  }
  return `${show(point, end)}, polygon ${poly}: ${ours.t}, not ${t}`;
};

const slides: Call = (world, note) => {
  const { mesh, twin, random, isTiled } = world;
  const { poly, point } = world.randomPoint();
  const far = [0.5, 2, 6][Math.floor(3 * random())];
  const end = point.map((value, k) => Math.fround(k === 1 ? value : value + (2 * random() - 1) * far)) as Point;
  const ours = moveAlongSurface(mesh, point, end, { startRef: refOf(mesh, poly) });
  const at = array(
    twin.query.moveAlongSurface(twin.refOf(poly), xyz(point), xyz(end), { maxVisitedSize: 1024 }).resultPosition,
  );
  if (across(ours.point, at) <= TOLERANCE) return void note('same');
  const [our, their] = [across(ours.point, end), across(at, end)];
  if (Math.abs(our - their) <= 1e-5 * (1 + our)) return void note('tie');
  if (our < their) return void note('ours nearer');
  if (isTiled) return void note('at a border');
  return `${show(point, end)}, polygon ${poly}: ${show(ours.point)}, not ${show(at)}`;
};

const heights: Call = (world, note) => {
  const { mesh, twin } = world;
  const { poly, point } = beside(world, 0.3, 0);
  const ours = getHeight(mesh, refOf(mesh, poly), point[0], point[2]);
  const theirs = twin.query.getPolyHeight(twin.refOf(poly), xyz(point));
  if (ours === null || !theirs.success) {
    if (ours === null && !theirs.success) return void note('both none');
    const edge = new Float64Array(3);
    closestPointOnPoly(edge, mesh, poly, Float64Array.from(point));
    if (across(edge, point) <= TOLERANCE) return void note('on the outline');
    return `${show(point)}, polygon ${poly}: ${ours}, not ${show(theirs)}`;
  }
  if (Math.abs(ours - theirs.height) <= TOLERANCE) return void note('same');
  return `${show(point)}, polygon ${poly}: ${ours}, not ${theirs.height}`;
};

const closest: Call = (world, note) => {
  const { mesh, twin } = world;
  const { poly, point } = beside(world, 3, 1);
  const ours = new Float64Array(3);
  const isOver = closestPointOnPoly(ours, mesh, poly, Float64Array.from(point));
  const theirs = twin.query.closestPointOnPoly(twin.refOf(poly), xyz(point));
  const at = array(theirs.closestPoint);
  if (distance(ours, at) <= TOLERANCE) return void note(isOver === theirs.isPointOverPoly ? 'same' : 'on the outline');
  if (Math.abs(across(ours, point) - across(at, point)) <= TOLERANCE * 0.1) return void note('tie');
  return `${show(point)}, polygon ${poly}: ${show(Array.from(ours))}, not ${show(at)}`;
};

/** Returns the squared distance, seen from above, to a part of an edge. */
function partDistance(mesh: NavMesh, poly: number, edge: number, from: number, to: number, p: Point): number {
  const first = mesh.polyEdgeStart[poly];
  const [a, b] = [edge, edge + 1 === first + mesh.polyVertexCount[poly] ? first : edge + 1].map(
    (e) => 3 * mesh.edgeVertex[e],
  );
  const [ax, az, bx, bz] = [mesh.vertices[a!], mesh.vertices[a! + 2], mesh.vertices[b!], mesh.vertices[b! + 2]];
  const [dx, dz] = [bx - ax, bz - az];
  const t = ((p[0] - ax) * dx + (p[2] - az) * dz) / (dx * dx + dz * dz || 1);
  const s = Math.min(to, Math.max(from, t));
  return Math.hypot(ax + s * dx - p[0], az + s * dz - p[2]);
}

/** Searches all polygons by their portal distance, without a heap, a bound or an early end. */
function bruteForceWall(mesh: NavMesh, poly: number, p: Point): number {
  const reach = new Map<number, number>([[poly, 0]]);
  const done = new Set<number>();
  let wall = Infinity;
  for (;;) {
    let at = -1;
    for (const [one, r] of reach) if (!done.has(one) && (at < 0 || r < reach.get(at)!)) at = one;
    if (at < 0 || reach.get(at)! > wall) return wall;
    done.add(at);
    const first = mesh.polyEdgeStart[at];
    for (let e = first; e < first + mesh.polyVertexCount[at]; e++) {
      const spans: [number, number, number][] = mesh.edgeNeighbor[e] >= 0 ? [[0, 1, mesh.edgeNeighbor[e]]] : [];
      for (const l of portalsOf(mesh, at)) {
        if (mesh.portalEdge[l] === e)
          spans.push([mesh.portalSpan[2 * l], mesh.portalSpan[2 * l + 1], mesh.portalPoly[l]]);
      }
      spans.sort((u, v) => u[0] - v[0]);
      let from = 0;
      for (const [low, high, other] of spans) {
        if (low > from) wall = Math.min(wall, Math.max(reach.get(at)!, partDistance(mesh, at, e, from, low, p)));
        from = Math.max(from, high);
        const out = Math.max(reach.get(at)!, partDistance(mesh, at, e, low, high, p));
        if (out < (reach.get(other) ?? Infinity)) reach.set(other, out);
      }
      if (from < 1) wall = Math.min(wall, Math.max(reach.get(at)!, partDistance(mesh, at, e, from, 1, p)));
    }
  }
}

const walls: Call = (world, note) => {
  const { mesh } = world;
  const { poly, point } = world.randomPoint();
  const ours = findDistanceToWall(mesh, point, 5, { startRef: refOf(mesh, poly) });
  const brute = bruteForceWall(mesh, poly, point);
  if (ours.status === 'none') return brute > 5 - TOLERANCE ? void note('none') : `${show(point)}: none, not ${brute}`;
  if (Math.abs(ours.distance - brute) <= TOLERANCE) return void note('same');
  return `${show(point)}, polygon ${poly}: ${ours.distance}, not ${brute}`;
};

const QUERIES: Record<string, Call> = { nearest, paths, inBox, inCircle, rays, slides, heights, closest, walls };

describe(`queries compared with Detour, seed ${SEED}`, () => {
  it.each(LEVELS)('%s by %s, tiles of %i cells, %i links', async (name, by, cells, links) => {
    const mesh = await (by === 'recast' ? bakeScene(name, by, cells) : bakeLevel(name, cells));
    if (mesh.polyCount === 0) return;
    const world = await makeWorld(mesh, SEED, links);
    const bad: string[] = [];
    const lines: string[] = [];
    for (const [query, call] of Object.entries(QUERIES)) {
      const counts: Record<string, number> = {};
      for (let i = 0; i < CALLS; i++) {
        const wrong = call(world, (outcome) => {
          counts[outcome] = (counts[outcome] ?? 0) + 1;
        });
        if (wrong !== undefined) bad.push(`${query} ${i}: ${wrong}`);
      }
      lines.push(`${query} ${JSON.stringify(counts)}`);
    }
    const { polyCount, tileSlotCount } = world.mesh;
    console.info(`${name} by ${by}, ${polyCount} polygons, ${tileSlotCount} tiles:\n  ${lines.join('\n  ')}`);
    world.twin.destroy();
    expect(bad.slice(0, 8), `${bad.length} wrong`).toEqual([]);
  });
});
