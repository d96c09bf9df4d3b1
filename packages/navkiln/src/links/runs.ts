/**
 * Turns the lanes of a wall into links that are clear.
 *
 * Neighboring lanes that enter one polygon at about the same distance land at one common distance, so that both ends of a link are
 * parallel and of equal length. Then every way from anywhere on one end to anywhere on the other lies in one sheet, whose hull is
 * swept: not lanes are judged, but all there is between them. Where the sheet of a run touches the level, its halves are tried, down
 * to single lanes, which make links of width 0.
 *
 * A link is cut where the polygon at one of its ends changes, since ends are attached to one polygon each, and to a width at which
 * the way from corner to corner is within the limits.
 *
 * In: lanes, profiles, the level. Out: candidates.
 * Cost: about two sweeps per lane, each linear in the triangles near it.
 * Based on: own.
 */
import type { AutoLinkKind } from '../navmesh/auto-linker.ts';
import type { NavMesh } from '../navmesh/types.ts';
import { markBlocked } from './blocked.ts';
import { heightFound, polyAt } from './lanes.ts';
import type { Lanes } from './lanes.ts';
import { allows, peaksOf, reachOf } from './limits.ts';
import type { LinkSearch } from './options.ts';
import { createNear, findNear, isClear } from './near.ts';
import { createHull } from './separation.ts';
import type { Solid } from './solid.ts';
import type { Wall } from './walls.ts';
import type { Body, Profile } from './types.ts';
import { walkLength } from './walk.ts';
import { STRETCH, bandsOf, createWay, highestOf, setWay } from './way.ts';
import type { EndHeights } from './way.ts';

/** Directions of a candidate: from the wall, and back to it. */
export const OUT = 1;
export const BACK = 2;

/** A link that is clear. Corners are xyz: the start at the wall, then the end. */
export interface Candidate {
  kind: AutoLinkKind;
  directions: number;
  /** The polygons of both ends, dense indices. */
  polys: readonly [number, number];
  corners: Float64Array;
  distance: number;
  width: number;
  peak: number;
  profile: Profile;
  /** Bit k: size k can use it. */
  sizes: number;
  wall: Wall;
  /** Number of the run: candidates of one run are never similar. */
  run: number;
  /** First and last lane, and how many the wall has. */
  lanes: readonly [number, number, number];
}

/** A walk between two polygons (dense indices), and whether it was shorter than `most`. */
export interface AskedWalk {
  from: readonly number[];
  to: readonly number[];
  polys: readonly [number, number];
  most: number;
  isShort: boolean;
}

/** The state of a search. */
export interface RunSearch {
  /** The surface of one size. */
  mesh: NavMesh;
  size: number;
  /** The level in one or more parts. */
  solids: readonly Solid[];
  /** The mesh without its links. */
  view: NavMesh;
  search: LinkSearch;
  out: Candidate[];
  tried: number;
  /** Runs left out before they were swept, because a walk is about as short. */
  walkable: number;
  /** Walks that decided whether runs were swept, so that callers can repeat these queries later. */
  asked?: AskedWalk[];
  runs: number;
}

/** Lanes that enter one polygon, with the distances at which they do. */
interface Group {
  poly: number;
  first: number;
  /** Whether lanes start over it: then bodies must get past a ledge, whose distance is not known. */
  isBelow: boolean;
  enters: number[];
  ys: number[];
  near: number;
  far: number;
}

/** A lane with its end, at one distance. */
interface Pair {
  lane: number;
  ya: number;
  yb: number;
  polyA: number;
  polyB: number;
}

/** A kind of way that both directions share, with its profiles. */
interface Shape {
  kind: AutoLinkKind;
  out: Profile | undefined;
  back: Profile | undefined;
}

/** Distances that a landing is moved on where an agent has no room, in lanes. */
export const RETRIES = 4;

/** Adds the candidates of a wall. */
export function addCandidates(s: RunSearch, lanes: Lanes): void {
  for (const group of groupLanes(lanes, s.search)) addGroup(s, lanes, group);
}

function groupLanes({ lanes }: Lanes, search: LinkSearch): Group[] {
  const { cell, inset } = search;
  const groups: Group[] = [];
  let open: Group[] = [];
  for (const [i, lane] of lanes.entries()) {
    const next: Group[] = [];
    for (const { poly, enter, y, isBelow } of lane.landings) {
      // All lanes of a group land at the distance of the farthest: one out of reach must not take the others along.
      if (!isWithinLimits(search, enter + inset, y - lane.y)) continue;
      const group = open.find((g) => {
        const near = Math.min(g.near, enter);
        return (
          g.poly === poly &&
          g.isBelow === isBelow &&
          g.first + g.enters.length === i &&
          Math.max(g.far, enter) - near <= 2 * cell + 0.25 * near
        );
      });
      if (group === undefined) {
        const fresh: Group = { poly, first: i, isBelow, enters: [enter], ys: [y], near: enter, far: enter };
        groups.push(fresh);
        next.push(fresh);
      } else {
        group.enters.push(enter);
        group.ys.push(y);
        group.near = Math.min(group.near, enter);
        group.far = Math.max(group.far, enter);
        next.push(group);
      }
    }
    open = next;
  }
  return groups;
}

function addGroup(s: RunSearch, lanes: Lanes, group: Group): void {
  const { search } = s;
  const count = group.enters.length;
  const isDone = new Uint8Array(count);
  s.runs++;
  for (let retry = 0; retry < RETRIES; retry++) {
    const distance = group.far + search.inset + retry * search.cell;
    const pairs: (Pair | undefined)[] = [];
    for (let i = 0; i < count; i++) {
      if (lanes.lanes[group.first + i].hasRoom === false) isDone[i] = 1;
      pairs.push(isDone[i] === 1 ? undefined : pairOf(s, lanes, group, i, distance));
    }
    const found = pairs.filter((pair) => pair !== undefined);
    if (found.length > 0) findTriangles(s, lanes, found, distance);
    let run: Pair[] = [];
    for (let i = 0; i <= count; i++) {
      const pair = pairs[i];
      if (run.length > 0 && (pair === undefined || !goOn(run, pair, search))) {
        for (const part of standingParts(s, lanes, run, distance)) {
          if (!addRun(s, lanes, part, distance) && group.isBelow) continue;
          for (const { lane } of part) isDone[lane - group.first] = 1;
        }
        run = [];
      }
      if (pair !== undefined) addToRun(run, pair);
    }
    if (!isDone.includes(0)) return;
  }
}

/** Returns a lane with its end. */
// oxlint-disable-next-line max-params -- kernel
function pairOf(
  { mesh, search }: RunSearch,
  lanes: Lanes,
  group: Group,
  i: number,
  distance: number,
): Pair | undefined {
  const index = group.first + i;
  const lane = lanes.lanes[index];
  const x = lane.x + distance * lanes.nx;
  const z = lane.z + distance * lanes.nz;
  const polyB = polyAt(mesh, lanes.near, group.poly, x, group.ys[i], z, search.climb);
  if (polyB < 0) return undefined;
  const yb = heightFound();
  if (!isWithinLimits(search, distance, yb - lane.y)) return undefined;
  return { lane: index, ya: lane.y, yb, polyA: lane.poly, polyB };
}

/** The triangles near the lanes of the group. */
const near = createNear();
const region = new Float64Array(6);

/** Finds the triangles that bodies between these pairs can touch. */
function findTriangles({ solids, search }: RunSearch, lanes: Lanes, pairs: readonly Pair[], distance: number): void {
  const { body, cell, profiles } = search;
  const step = laneStep(lanes);
  setHeights(pairs, 0, pairs.length - 1);
  // The margin covers rounding.
  const around = body.radius + 1e-6 * cell;
  const peak = profiles.reduce((most, { peaks }) => Math.max(most, ...peaks), 0);
  region[0] = pairs[0].lane * step - around;
  region[1] = Math.min(heights.startLow, heights.endLow) + body.slack - 1e-6 * cell;
  region[2] = -around;
  region[3] = pairs[pairs.length - 1].lane * step + around;
  region[4] = highestOf(heights, peak, body) + 1e-6 * cell;
  region[5] = distance + around;
  const { x, z } = lanes.lanes[0];
  findNear(near, solids, { x, z, nx: lanes.nx, nz: lanes.nz }, region);
}

/** Returns the parts of a run where agents have room at both ends. */
function standingParts(s: RunSearch, lanes: Lanes, run: Pair[], distance: number): Pair[][] {
  const last = run.length - 1;
  const step = laneStep(lanes);
  setHeights(run, 0, last);
  const [from, to] = [run[0].lane * step, run[last].lane * step];
  // Most runs are clear as a whole.
  if (
    canStand(s, from, to, heights.startLow, heights.startHigh, 0) &&
    canStand(s, from, to, heights.endLow, heights.endHigh, distance)
  )
    return [run];
  const parts: Pair[][] = [];
  let part: Pair[] = [];
  for (const pair of run) {
    const lane = lanes.lanes[pair.lane];
    const at = pair.lane * step;
    lane.hasRoom ??= canStand(s, at, at, pair.ya, pair.ya, 0);
    if (lane.hasRoom && canStand(s, at, at, pair.yb, pair.yb, distance)) {
      if (part.length === 0) parts.push(part);
      part.push(pair);
    } else {
      part = [];
    }
  }
  return parts;
}

function isWithinLimits({ profiles }: LinkSearch, distance: number, rise: number): boolean {
  for (const profile of profiles) if (allows(profile, distance, rise) || allows(profile, distance, -rise)) return true;
  return false;
}

/** Least and largest heights of a run's starts, then of its ends. */
const span = new Float64Array(4);

function addToRun(run: Pair[], pair: Pair): void {
  const { ya, yb } = pair;
  const isFirst = run.length === 0;
  span[0] = isFirst ? ya : Math.min(span[0], ya);
  span[1] = isFirst ? ya : Math.max(span[1], ya);
  span[2] = isFirst ? yb : Math.min(span[2], yb);
  span[3] = isFirst ? yb : Math.max(span[3], yb);
  run.push(pair);
}

/** Returns whether a pair can be part of a link with the pairs before it, the last ones that `addToRun` got. */
function goOn(run: readonly Pair[], pair: Pair, { profiles, body }: LinkSearch): boolean {
  const last = run[run.length - 1];
  const { ya, yb } = pair;
  if (last.lane + 1 !== pair.lane || last.polyA !== pair.polyA || last.polyB !== pair.polyB) return false;
  const most = Math.max(body.lift / 2, body.slack);
  if (Math.max(span[1], ya) - Math.min(span[0], ya) > most || Math.max(span[3], yb) - Math.min(span[2], yb) > most)
    return false;
  // The same kinds in the same directions.
  const rise = yb - ya;
  const lastRise = last.yb - last.ya;
  if (Math.abs(rise) > body.lift !== Math.abs(lastRise) > body.lift) return false;
  for (const { maxRise, maxDrop } of profiles) {
    if ((rise <= maxRise && -rise <= maxDrop) !== (lastRise <= maxRise && -lastRise <= maxDrop)) return false;
    if ((-rise <= maxRise && rise <= maxDrop) !== (-lastRise <= maxRise && lastRise <= maxDrop)) return false;
  }
  return true;
}

/** Adds the links of pairs at one distance, kind by kind. Returns whether there are any, or none is needed. */
function addRun(s: RunSearch, lanes: Lanes, run: Pair[], distance: number): boolean {
  const before = s.out.length;
  const { profiles, body } = s.search;
  const find = (kind: AutoLinkKind): Profile | undefined => profiles.find((profile) => profile.kind === kind);
  const isLedge = Math.abs(run[0].yb - run[0].ya) > body.lift;
  const shapes: Shape[] = [];
  if (isLedge) {
    // The wall is that of the higher end: a lane from the lower end would begin under the ledge.
    if (run[0].yb < run[0].ya) shapes.push({ kind: 'drop', out: find('drop'), back: find('climb') });
  } else {
    shapes.push({ kind: 'vault', out: find('vault'), back: find('vault') });
  }
  shapes.push({ kind: 'jump', out: find('jump'), back: find('jump') });
  // Last of what is fast: most runs are blocked.
  let isShort: boolean | undefined;
  const isUseless = (): boolean => (isShort ??= isWalkable(s, lanes, run, distance));
  for (const shape of shapes) {
    if (isShort === true) break;
    if (shape.out === undefined && shape.back === undefined) continue;
    addShape(s, lanes, run, distance, shape, isUseless);
  }
  if (isShort === true) s.walkable++;
  return isShort === true || s.out.length > before;
}

/**
 * Returns whether no link of a run could save enough: each costs at least its distance, and its walk is at most that of the middle
 * pair and the way along both ends, which lie in one polygon each.
 */
function isWalkable(
  { view, size, search, asked }: RunSearch,
  lanes: Lanes,
  run: readonly Pair[],
  distance: number,
): boolean {
  if (search.minDetour === 0) return false;
  const { lane, ya, yb, polyA, polyB } = run[run.length >> 1];
  const { x, z } = lanes.lanes[lane];
  const most = search.minDetour * distance - (run.length - 1) * laneStep(lanes);
  if (!(most > 0)) return false;
  const walk = {
    from: [x, ya, z],
    to: [x + distance * lanes.nx, yb, z + distance * lanes.nz],
    polys: [polyA, polyB] as const,
    most,
    isShort: false,
  };
  walk.isShort = isWalkShort(view, size, walk);
  asked?.push(walk);
  return walk.isShort;
}

/** Returns whether a walk is shorter than its limit. */
export function isWalkShort(view: NavMesh, size: number, { from, to, polys, most }: AskedWalk): boolean {
  return walkLength(view, size, polys[0], from, polys[1], to, most) < most;
}

/** Pairs `from` .. `to` of a run are clear at a peak. */
interface Stretch {
  from: number;
  to: number;
  peak: number;
}

// oxlint-disable-next-line max-params -- kernel
function addShape(
  s: RunSearch,
  lanes: Lanes,
  run: Pair[],
  distance: number,
  { kind, out, back }: Shape,
  isUseless: () => boolean,
): void {
  const rises = run.map(({ ya, yb }) => yb - ya);
  const least = Math.min(...rises);
  const most = Math.max(...rises);
  const reach = (profile: Profile | undefined, peak: number, sign: number): number => {
    if (profile === undefined) return -1;
    return Math.min(reachOf(profile, peak, sign * least), reachOf(profile, peak, sign * most));
  };
  const difference = Math.max(Math.abs(least), Math.abs(most));
  const peaks = kind === 'drop' ? [0] : peaksOf((out ?? back)!, difference);
  const limited = peaks.filter((peak) => reach(out, peak, 1) >= distance || reach(back, peak, -1) >= distance);
  // Where nothing is in the way of a straight line there is nothing to vault over.
  const usable = kind === 'vault' ? [0, ...limited] : limited;
  if (limited.length === 0) return;
  s.tried += run.length;
  const clear: Stretch[] = [];
  const isBlocked = new Uint8Array(run.length);
  if (run.length > 1) {
    const step = laneStep(lanes);
    setHeights(run, 0, run.length - 1);
    const bands = bandsOf(kind, heights, limited, s.search.body);
    markBlocked(isBlocked, { along: run[0].lane * step, step, count: run.length, distance }, bands, near);
  }
  if (!isBlocked.includes(0) || isUseless()) return;
  for (let from = 0; from < run.length; from++) {
    if (isBlocked[from] === 1) continue;
    let to = from;
    while (to + 1 < run.length && isBlocked[to + 1] === 0) to++;
    findClear(s, lanes, run, distance, kind, usable, from, to, clear);
    from = to;
  }
  for (const { from, to, peak } of merge(clear)) {
    if (peak === 0 && kind === 'vault') continue;
    const limits = [reach(out, peak, 1), reach(back, peak, -1)];
    const directions = (limits[0] >= distance ? OUT : 0) | (limits[1] >= distance ? BACK : 0);
    const most = Math.min(...limits.filter((limit) => limit >= distance));
    const profile = (limits[0] >= distance ? out : back)!;
    const ownKind = kind === 'drop' && (directions & BACK) !== 0 ? 'climb' : kind;
    const step = laneStep(lanes);
    const widest = Math.sqrt(Math.max(0, most * most - distance * distance));
    for (const [i, j] of cut(from, to, Math.floor(widest / step + 1e-9), Math.ceil(s.search.spacing / step - 1e-9))) {
      s.out.push({
        kind: ownKind,
        directions,
        polys: [run[i].polyA, run[i].polyB],
        corners: cornersOf(lanes, run[i], run[j], distance),
        distance,
        width: (j - i) * step,
        peak,
        profile: ownKind === 'climb' ? back! : profile,
        sizes: 1 << s.size,
        wall: lanes.wall,
        run: s.runs,
        lanes: [run[i].lane, run[j].lane, lanes.lanes.length],
      });
    }
  }
}

function laneStep({ lanes }: Lanes): number {
  const [{ x, z }, next] = lanes;
  return Math.sqrt((next.x - x) * (next.x - x) + (next.z - z) * (next.z - z));
}

/** Cuts pairs from .. to into links of at most `most` lane widths; points every `spacing` lanes when that is 0. */
function cut(from: number, to: number, most: number, spacing: number): [number, number][] {
  const count = to - from;
  if (count === 0) return [[from, from]];
  if (most === 0) {
    const points = Math.floor(count / Math.max(1, spacing)) + 1;
    const first = from + ((count - (points - 1) * Math.max(1, spacing)) >> 1);
    return Array.from({ length: points }, (_, i) => {
      const at = first + i * Math.max(1, spacing);
      return [at, at];
    });
  }
  const pieces = Math.ceil(count / most);
  const place = (i: number): number => from + Math.round((count * i) / pieces);
  return Array.from({ length: pieces }, (_, i) => [place(i), place(i + 1)]);
}

/** Finds the parts of pairs from .. to that are clear, each at its lowest peak. */
// oxlint-disable-next-line max-params -- recursion
function findClear(
  s: RunSearch,
  lanes: Lanes,
  run: readonly Pair[],
  distance: number,
  kind: AutoLinkKind,
  peaks: readonly number[],
  from: number,
  to: number,
  out: Stretch[],
): void {
  if (
    to > from + 1 &&
    !peaks.some((peak) => isSheetClear(s, lanes, run, distance, kind, peak, (from + to) >> 1, (from + to) >> 1))
  ) {
    // The lane in the middle is blocked, so the whole is.
    const middle = (from + to) >> 1;
    if (middle > from) findClear(s, lanes, run, distance, kind, peaks, from, middle - 1, out);
    findClear(s, lanes, run, distance, kind, peaks, middle + 1, to, out);
    return;
  }
  for (const peak of peaks) {
    if (!isSheetClear(s, lanes, run, distance, kind, peak, from, to)) continue;
    out.push({ from, to, peak });
    return;
  }
  if (from === to) return;
  if (to === from + 1) {
    findClear(s, lanes, run, distance, kind, peaks, from, from, out);
    findClear(s, lanes, run, distance, kind, peaks, to, to, out);
    return;
  }
  const middle = (from + to) >> 1;
  findClear(s, lanes, run, distance, kind, peaks, from, middle, out);
  findClear(s, lanes, run, distance, kind, peaks, middle, to, out);
}

/** Joins clear parts that meet at a lane, and drops those inside of others. */
function merge(parts: readonly Stretch[]): Stretch[] {
  const sorted = [...parts].sort((a, b) => a.from - b.from || b.to - a.to);
  const joined: Stretch[] = [];
  for (const part of sorted) {
    const last = joined[joined.length - 1];
    if (last !== undefined && part.to <= last.to) continue;
    if (last !== undefined && last.peak === part.peak && part.from <= last.to) last.to = part.to;
    else joined.push({ ...part });
  }
  // A single lane at the edge of a wider part.
  return joined.filter(
    (part, i) => part.to > part.from || !(i + 1 < joined.length && joined[i + 1].from === part.from),
  );
}

const way = createWay();
const hull = createHull();
const heights: EndHeights = { startLow: 0, startHigh: 0, endLow: 0, endHigh: 0 };

/** Returns whether bodies can move from anywhere between two pairs to anywhere between their ends. */
// oxlint-disable-next-line max-params -- kernel
function isSheetClear(
  s: RunSearch,
  lanes: Lanes,
  run: readonly Pair[],
  distance: number,
  kind: AutoLinkKind,
  peak: number,
  from: number,
  to: number,
): boolean {
  setHeights(run, from, to);
  const { body, ledgeMargin, margin } = s.search;
  // A straight line that is no vault steps over nothing.
  const isStraight = kind === 'vault' && peak === 0;
  setWay(way, kind, heights, peak, distance, kind === 'drop' ? ledgeMargin : isStraight ? 0 : margin, body);
  const step = laneStep(lanes);
  // From the middle outward: most obstacles are there.
  const half = way.count >> 1;
  for (let i = 0; i < way.count; i++) {
    const row = i <= half ? half - i : i;
    if (!isStretchClear(body, step * run[from].lane, step * run[to].lane, distance, STRETCH * row)) return false;
  }
  return true;
}

function setHeights(run: readonly Pair[], from: number, to: number): void {
  heights.startLow = heights.endLow = Infinity;
  heights.startHigh = heights.endHigh = -Infinity;
  for (let i = from; i <= to; i++) {
    const { ya, yb } = run[i];
    heights.startLow = Math.min(heights.startLow, ya);
    heights.startHigh = Math.max(heights.startHigh, ya);
    heights.endLow = Math.min(heights.endLow, yb);
    heights.endHigh = Math.max(heights.endHigh, yb);
  }
}

/** Sweeps the hull of a row of the way, between two lanes. */
// oxlint-disable-next-line max-params -- kernel
function isStretchClear({ rounding, disc }: Body, from: number, to: number, distance: number, row: number): boolean {
  const { rows } = way;
  hull.count = 0;
  hull.disc = disc;
  for (let end = 0; end < 2; end++) {
    if (end === 1 && rows[row] === rows[row + 1]) break;
    const out = rows[row + end] * distance;
    const low = rows[row + 2 + 2 * end] + rounding;
    const high = rows[row + 3 + 2 * end] - rounding;
    addUpright(from, low, high, out);
    if (from !== to) addUpright(to, low, high, out);
  }
  return isClear(near, hull, rounding);
}

/** Adds both ends of an upright segment to the hull. */
function addUpright(along: number, low: number, high: number, out: number): void {
  for (let end = 0; end < 2; end++) {
    const at = 3 * hull.count++;
    hull.points[at] = along;
    hull.points[at + 1] = end === 0 ? low : high;
    hull.points[at + 2] = out;
  }
}

/** Returns whether agents have room everywhere between two lanes, at heights low .. high. */
// oxlint-disable-next-line max-params -- kernel
function canStand({ search }: RunSearch, from: number, to: number, low: number, high: number, out: number): boolean {
  const { lift, height, rounding, disc } = search.body;
  hull.count = 0;
  hull.disc = disc;
  addUpright(from, low + lift + rounding, high + height - rounding, out);
  if (from !== to) addUpright(to, low + lift + rounding, high + height - rounding, out);
  return isClear(near, hull, rounding);
}

function cornersOf({ lanes, nx, nz }: Lanes, first: Pair, last: Pair, distance: number): Float64Array {
  const corners = new Float64Array(12);
  for (const [i, { lane, ya, yb }] of [first, last].entries()) {
    const { x, z } = lanes[lane];
    corners.set([x, ya, z], 3 * i);
    corners.set([x + distance * nx, yb, z + distance * nz], 6 + 3 * i);
  }
  return corners;
}
