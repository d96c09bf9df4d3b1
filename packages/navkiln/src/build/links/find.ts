/**
 * Finds links for jumps, drops, climbs and vaults on a finished mesh.
 *
 *   sizes.ts       the surface of each size of agents; merges equal links of several sizes
 *   walls.ts       the walls of a surface
 *   lanes.ts       lanes outward from each wall, and their landings on any tile
 *   groups.ts      neighboring lanes that land on one polygon
 *   runs.ts        runs of lanes whose swept body is clear of the level (blocked.ts, sweep.ts, way.ts, near.ts, separation.ts)
 *   similar.ts     keeps the best of similar links
 *   walk.ts        leaves out links where a walk is about as short
 *
 * In: a mesh, the triangles that it was baked from, limits. Out: links, which `addAutoLinks` adds.
 * Cost: lanes (one per cell of wall) times the polygons and triangles near each; a path search per link.
 * Based on: edges, lanes and landings follow Mikko Mononen's automatic annotations. They sample a heightfield; navkiln sweeps a capsule
 * exactly along one parabola for all cases.
 */
import type { AutoLinkReport, SolidInput } from '../../mesh/auto-linker.ts';
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { idOf } from './ids.ts';
import { createLanes, findLanes } from './walls/lanes.ts';
import type { Reach } from './walls/lanes.ts';
import type { LinkSearch, MeshScale } from './options.ts';
import { BACK, OUT, RETRIES, addCandidates, shapesOf } from './runs.ts';
import type { AskedWalk, Candidate, RunSearch } from './runs.ts';
import { isBetter, withoutSimilar } from './similar.ts';
import { mergeSizes, readSizedOptions, surfaceOf } from './sizes.ts';
import type { Found, SizedSearch } from './sizes.ts';
import { buildSolid } from './sweep/solid.ts';
import type { Solid } from './sweep/solid.ts';
import type { AutoLink, AutoLinkOptions, AutoLinkResult } from './types.ts';
import { enableWideLinks } from '../../query/path/wide-links.ts';
import { walkLength, withoutLinks } from './walk.ts';
import { findWalls, orderedPolys } from './walls/walls.ts';
import { durationOf } from './sweep/way.ts';

type Point = [number, number, number];

/**
 * Finds links over gaps, down and up ledges and over obstacles. Does not change the mesh. Ends may lie on any
 * two tiles.
 *
 * A link is found only if the mesh's agent, a capsule, touches no triangle on any movement between its ends. On
 * a mesh with sizes, links are found for each size, from its own borders; the link names the sizes that can use it.
 * Within about a radius and two cells of an end (two radii for a ledge), the agent may step over obstacles
 * lower than `maxClimb`.
 *
 * @param mesh with the tiles that the links may use
 * @param level the triangles that the mesh was baked from, world units; both sides are solid
 * @param options limits by kind, at least one; see `AutoLinkOptions`
 * @throws TypeError, RangeError for limits out of range, unknown keys and triangles that do not match
 */
export function findLinkCandidates(mesh: NavMesh, level: SolidInput, options: AutoLinkOptions): AutoLinkResult {
  const { chosen, report } = findLinks('findLinkCandidates', mesh, [level], options);
  return { links: chosen.map(({ link }) => link), report };
}

/** Finds and compares the links of all sizes. Messages begin with `caller`; `scale` replaces the cell sizes and agent of the mesh. */
// oxlint-disable-next-line max-params -- the arguments of findLinkCandidates, and its caller
export function findLinks(
  caller: string,
  mesh: NavMesh,
  parts: readonly SolidInput[],
  options: AutoLinkOptions,
  scale: MeshScale = mesh,
): { chosen: Found[]; report: AutoLinkReport } {
  checkNavMesh(caller, mesh);
  enableWideLinks();
  const searches = readSizedOptions(caller, mesh, options, scale);
  const solids = [buildSolid(caller, parts)];
  const report: AutoLinkReport = {
    borderLength: 0,
    tried: 0,
    clear: 0,
    walkable: 0,
    similar: 0,
    excepted: 0,
    links: { drop: 0, climb: 0, vault: 0, jump: 0 },
  };
  const view = withoutLinks(mesh);
  const polys = orderedPolys(mesh);
  const lists = searches.map((one) => {
    const { found, counts } = findUseful(surfaceOf(mesh, one.size), view, solids, one, polys);
    for (const key of ['borderLength', 'tried', 'clear', 'walkable'] as const) report[key] += counts[key];
    return found;
  });
  const found = mergeSizes(mesh, lists);
  const distinct = withoutSimilar(found);
  report.similar = found.length - distinct.length;
  // Removed ids are filtered last, so that no similar link replaces a link that a person has removed.
  const except = searches[0]?.search.except ?? new Set();
  const chosen = distinct.filter(({ id }) => !except.has(id));
  report.excepted = distinct.length - chosen.length;
  for (const { link } of chosen) report.links[link.kind]++;
  return { chosen, report };
}

/** Searches the walls of some polygons. Returns the links of a size that are clear and save a walk. `view`: the mesh without links. */
// oxlint-disable-next-line max-params -- kernel
export function findUseful(
  surface: NavMesh,
  view: NavMesh,
  solids: readonly Solid[],
  sized: SizedSearch,
  polys: readonly number[],
): { found: Found[]; counts: Pick<AutoLinkReport, 'borderLength' | 'tried' | 'clear' | 'walkable'> } {
  const { runs, borderLength } = searchWalls(surface, view, solids, sized, polys);
  const { tried, out } = runs;
  const found = usefulOf(surface, view, sized, out);
  const isListed = new Set(found.map(({ candidate }) => candidate));
  const walkable = runs.walkable + out.filter((candidate) => !isListed.has(candidate)).length;
  return { found, counts: { borderLength, tried, clear: out.length, walkable } };
}

const lanes = createLanes();

/** Finds the candidates of a size from the walls of some polygons. */
// oxlint-disable-next-line max-params -- kernel
export function searchWalls(
  surface: NavMesh,
  view: NavMesh,
  solids: readonly Solid[],
  { size, search }: SizedSearch,
  polys: readonly number[],
  asked?: AskedWalk[],
): { runs: RunSearch; borderLength: number } {
  const shapes = shapesOf(search.profiles);
  const counts = { tried: 0, walkable: 0, runs: 0 };
  const runs: RunSearch = { mesh: surface, size, solids, search, shapes, view, out: [], asked, ...counts };
  const reach = reachOfAll(search);
  let borderLength = 0;
  for (const wall of findWalls(surface, polys)) {
    const dx = wall.b[0] - wall.a[0];
    const dz = wall.b[2] - wall.a[2];
    borderLength += Math.sqrt(dx * dx + dz * dz);
    if (findLanes(lanes, surface, wall, reach)) addCandidates(runs, lanes);
  }
  return { runs, borderLength };
}

/** Returns links for the candidates of a size that save a walk. */
export function usefulOf(
  surface: NavMesh,
  view: NavMesh,
  { size, search }: SizedSearch,
  candidates: readonly Candidate[],
): Found[] {
  // Walks are checked before similar links are compared: a link that saves no walk must not remove similar links.
  const found = new Map<number, Found>();
  for (const candidate of candidates) {
    const id = idOf(surface, candidate, search.cell, size);
    const link = linkOf(id, candidate, search);
    const least = search.minDetour * link.cost;
    link.walk = walkOf(view, size, candidate, least, walkLimit(search, link.cost));
    if (link.walk < least) continue;
    // Lanes that enter two polygons can end at the same position, which gives two candidates with one id.
    const one = { id, candidate, link, spacing: search.spacing };
    const same = found.get(id);
    if (same !== undefined && isBetter(same, one)) continue;
    found.delete(id);
    found.set(id, one);
  }
  return [...found.values()];
}

/** Returns the largest length of walks that are searched for a link of this cost. */
export function walkLimit(search: LinkSearch, cost: number): number {
  return detourOf(search) * cost;
}

/** Returns the largest horizontal distance from a wall at which surface, triangles and walks can affect its links. */
export function dependenceOf(search: LinkSearch): number {
  const { gravity, walkSpeed, profiles } = search;
  let cost = 0;
  for (const profile of profiles) {
    const peak = Math.max(...profile.peaks);
    const slow = Math.min(gravity, profile.gravity);
    const { kind, maxRise, maxDrop, maxDistance } = profile;
    // A link for both directions has the duration of the slower direction.
    const height = Math.max(maxRise, maxDrop);
    for (const rise of kind === 'drop' ? [-height] : [height, -height])
      cost = Math.max(
        cost,
        walkSpeed * durationOf(kind, rise, peak, maxDistance, slow, walkSpeed),
        maxDistance + height,
      );
  }
  return sweepReach(search).across + walkLimit(search, cost) / 2;
}

/** The distances from a wall within which triangles decide whether links are clear, world units. */
export interface SweepReach {
  across: number;
  below: number;
  above: number;
}

/** Returns the reach of sweeps, with a margin for the rounding errors of boxes. */
export function sweepReach(search: LinkSearch): SweepReach {
  const { most, climb, below, above } = reachOfAll(search);
  const { cell, inset, body, profiles } = search;
  const peak = Math.max(...profiles.flatMap(({ peaks }) => peaks));
  return {
    across: 1.001 * (most + RETRIES * cell + inset + body.radius + climb),
    below: 1.001 * (below + climb),
    above: 1.001 * (above + peak + body.height + climb),
  };
}

/** Returns how many times the cost of a link walks may be long in the search: `minDetour`, but at least 2 for the reported length. */
function detourOf({ minDetour }: LinkSearch): number {
  return Math.max(minDetour, 2);
}

/**
 * Returns the starts and ends of the walks of a candidate. A wide link is divided into pieces that are not wider than the link is long;
 * each walk connects the opposite points in the middle of a piece.
 */
export function walksOf({ corners, width, distance }: Candidate): { from: number[]; to: number[] }[] {
  const count = Math.max(1, Math.ceil(width / distance - 1e-9));
  const at = (first: number, share: number): number[] =>
    [0, 1, 2].map((k) => corners[first + k] + share * (corners[first + 3 + k] - corners[first + k]));
  return Array.from({ length: count }, (_, i) => ({ from: at(0, (i + 0.5) / count), to: at(6, (i + 0.5) / count) }));
}

/** Returns the length of the first walk of a candidate that is at least `least`, or the longest walk if there is none. */
function walkOf(view: NavMesh, size: number, candidate: Candidate, least: number, limit: number): number {
  const { polys } = candidate;
  let walk = 0;
  for (const { from, to } of walksOf(candidate)) {
    walk = Math.max(walk, walkLength(view, size, polys[0], from, polys[1], to, limit));
    if (walk >= least) break;
  }
  return walk;
}

function reachOfAll({ profiles, cell, inset, body, climb }: LinkSearch): Reach {
  const most = Math.max(...profiles.map(({ maxDistance }) => maxDistance));
  const below = Math.max(...profiles.map(({ maxDrop, maxRise }) => Math.max(maxDrop, maxRise)));
  const least = Math.max(body.radius, cell);
  const clear = Math.max(least, 2 * body.radius);
  return {
    spacing: cell,
    inset,
    least,
    clear,
    most,
    below,
    above: body.lift,
    climb: Math.max(climb, 1e-6),
  };
}

/** Returns the link of a candidate. */
export function linkOf(id: number, candidate: Candidate, search: LinkSearch): AutoLink {
  const { kind, corners, directions, distance, peak, width, profile } = candidate;
  const isBack = directions === BACK;
  const point = (at: number): Point => [corners[at], corners[at + 1], corners[at + 2]];
  const wallEnd: [Point, Point] = [point(0), point(3)];
  const farEnd: [Point, Point] = [point(6), point(9)];
  const [start, end] = isBack ? [farEnd, wallEnd] : [wallEnd, farEnd];
  const rise = middle(end)[1] - middle(start)[1];
  const seconds = (up: number): number => durationOf(kind, up, peak, distance, profile.gravity, search.walkSpeed);
  const bothWays = directions === (OUT | BACK);
  const duration = seconds(rise);
  const slower = bothWays ? Math.max(duration, seconds(-rise)) : duration;
  const cost = Math.max(slower * search.walkSpeed, Math.sqrt(distance * distance + rise * rise));
  return { id, kind, start, end, bothWays, cost, duration, distance, width, peak, sizes: [], walk: Infinity };
}

function middle([p, q]: readonly [Point, Point]): Point {
  return [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2];
}
