/**
 * Turns the lanes of a wall into links that are clear.
 *
 * Neighboring lanes that enter one polygon at about the same distance land at one common distance, so that both ends of a link are
 * parallel and of equal length. Then all crossings from one end to the other lie in one sheet. The sweep tests the hull of the sheet, so it
 * covers the space between lanes, too. If the sheet of a run touches the level, its halves are tried, down to single lanes, which become
 * links of width 0.
 *
 * A link ends where the polygon at one of its ends changes, since each end is attached to one polygon. Agents cross it straight, so the
 * limits apply to its distance, and its width does not matter.
 *
 * In: lanes, profiles, the level. Out: candidates.
 * Cost: about two sweeps per lane, each linear in the triangles near it.
 * Based on: own.
 */
import type { AutoLinkKind } from '../../mesh/auto-linker.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { createBands, setBands } from './sweep/bands.ts';
import { markBlocked } from './sweep/blocked.ts';
import { groupLanes, isWithinLimits } from './walls/groups.ts';
import type { Group } from './walls/groups.ts';
import { heightFound, polyAt } from './walls/lanes.ts';
import type { Lanes } from './walls/lanes.ts';
import { peaksOf, reachOf } from './walls/limits.ts';
import { createNear, findNear } from './sweep/near.ts';
import type { LinkSearch } from './options.ts';
import type { Solid } from './sweep/solid.ts';
import { canStand, isSheetClear } from './sweep/sweep.ts';
import type { Sheet } from './sweep/sweep.ts';
import type { Profile } from './types.ts';
import { walkLength } from './walk.ts';
import type { Wall } from './walls/walls.ts';
import { highestOf } from './sweep/way.ts';
import type { EndHeights } from './sweep/way.ts';

/** Bits of a candidate's directions: away from the wall, and back to it. */
export const OUT = 1;
export const BACK = 2;

/** A clear link. Corners are xyz: two of the start, which is at the wall, then two of the end. */
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
  /** Bit k is set if size k can use the link. */
  sizes: number;
  wall: Wall;
  /** Number of the run. Candidates of one run are not compared for similarity. */
  run: number;
  /** First lane, last lane, and number of lanes of the wall. */
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

/** The state of a search for runs. */
export interface RunSearch {
  /** The surface of one size. */
  mesh: NavMesh;
  size: number;
  /** The level in one or more parts. */
  solids: readonly Solid[];
  /** The mesh without its links. */
  view: NavMesh;
  search: LinkSearch;
  /** Result of `shapesOf`. */
  shapes: readonly (readonly Shape[])[];
  out: Candidate[];
  tried: number;
  /** Number of runs that were left out before the sweep, because a walk is about as short. */
  walkable: number;
  /** Walks that decided whether runs were swept, so that callers can repeat these queries later. */
  asked?: AskedWalk[];
  runs: number;
}

/** A kind of trajectory for both directions, with the profiles of each direction and all their peaks. */
interface Shape {
  kind: AutoLinkKind;
  out: Profile | undefined;
  back: Profile | undefined;
  /** Lowest first. */
  peaks: readonly number[];
}

/** Returns two lists of shapes: for lanes that enter a polygon, and for lanes that start above it and must pass a ledge. */
export function shapesOf(profiles: readonly Profile[]): [Shape[], Shape[]] {
  const shapeOf = (kind: AutoLinkKind, back: AutoLinkKind): Shape => {
    const [a, b] = [kind, back].map((one) => profiles.find((profile) => profile.kind === one));
    const peaks = (a ?? b)?.peaks ?? [];
    // Peak 0 tests the straight line: if it is clear, there is no obstacle to vault over.
    return { kind, out: a, back: b, peaks: kind === 'vault' ? [0, ...peaks] : peaks };
  };
  const all = [shapeOf('vault', 'vault'), shapeOf('drop', 'climb'), shapeOf('jump', 'jump')];
  const given = all.filter(({ out, back }) => out !== undefined || back !== undefined);
  return [given.filter(({ kind }) => kind !== 'drop'), given.filter(({ kind }) => kind !== 'vault')];
}

/** Number of landing distances to try where an agent does not fit, one lane distance apart. */
export const RETRIES = 4;

/** Adds the candidates of a wall. */
export function addCandidates(s: RunSearch, lanes: Lanes): void {
  for (const group of groupLanes(lanes, s.search)) addGroup(s, lanes, group);
}

/** The triangles near the lanes of a group. */
const near = createNear();
const region = new Float64Array(6);
const heights: EndHeights = { startLow: 0, startHigh: 0, endLow: 0, endHigh: 0 };

let isDone = new Uint8Array(64);

function addGroup(s: RunSearch, lanes: Lanes, group: Group): void {
  const { search } = s;
  const { first, count, isBelow } = group;
  const { endPoly, hasRoom, landings } = lanes;
  if (count > isDone.length) isDone = new Uint8Array(2 * count);
  isDone.fill(0, 0, count);
  s.runs++;
  for (let retry = 0; retry < RETRIES; retry++) {
    const distance = group.far + search.inset + retry * search.cell;
    let isAny = false;
    let isLeft = false;
    for (let i = 0, at = group.landing; i < count; i++, at = landings.next[at]) {
      if (hasRoom[first + i] === 0) isDone[i] = 1;
      endPoly[first + i] = -1;
      if (isDone[i] === 1) continue;
      isLeft = true;
      if (setEnd(s, lanes, first + i, group.poly, landings.y[at], distance)) isAny = true;
    }
    if (!isLeft) return;
    if (!isAny) continue;
    findTriangles(s, lanes, group, distance);
    for (let from = first; from < first + count; from++) {
      if (endPoly[from] < 0) continue;
      let to = from;
      setHeights(lanes, from, from);
      while (to + 1 < first + count && goOn(lanes, to + 1, search)) to++;
      addStanding(s, lanes, from, to, distance, isBelow, first);
      from = to;
    }
  }
}

/** Finds the end of a lane. Returns whether it is on the surface, within the limits. */
// oxlint-disable-next-line max-params -- kernel
function setEnd(
  { mesh, search }: RunSearch,
  lanes: Lanes,
  lane: number,
  preferred: number,
  y: number,
  distance: number,
): boolean {
  const poly = polyAt(mesh, lanes, preferred, lane, distance, y, search.climb);
  if (poly < 0) return false;
  const height = heightFound();
  if (!isWithinLimits(search, distance, height - lanes.y[lane])) return false;
  lanes.endPoly[lane] = poly;
  lanes.endY[lane] = height;
  return true;
}

/** Finds the triangles that bodies between lanes of a group and their ends can touch. */
function findTriangles({ solids, search }: RunSearch, lanes: Lanes, group: Group, distance: number): void {
  const { body, cell, profiles } = search;
  let from = group.first;
  let to = from + group.count - 1;
  while (lanes.endPoly[from] < 0) from++;
  while (lanes.endPoly[to] < 0) to--;
  setHeights(lanes, from, to);
  let peak = 0;
  for (const { peaks } of profiles) peak = Math.max(peak, peaks[peaks.length - 1]);
  // The margin covers rounding.
  const margin = 1e-6 * cell;
  const around = body.radius + margin;
  region[0] = from * lanes.step - around;
  region[1] = Math.min(heights.startLow, heights.endLow) + body.slack - margin;
  region[2] = -around;
  region[3] = to * lanes.step + around;
  region[4] = highestOf(heights, peak, body) + margin;
  region[5] = distance + around;
  findNear(near, solids, lanes, region);
}

/** Sets `heights` to the height ranges of both ends, over lanes `from` .. `to` that have an end. */
function setHeights(lanes: Lanes, from: number, to: number): void {
  heights.startLow = heights.endLow = Infinity;
  heights.startHigh = heights.endHigh = -Infinity;
  for (let i = from; i <= to; i++) if (lanes.endPoly[i] >= 0) widenHeights(lanes, i);
}

function widenHeights({ y, endY }: Lanes, lane: number): void {
  heights.startLow = Math.min(heights.startLow, y[lane]);
  heights.startHigh = Math.max(heights.startHigh, y[lane]);
  heights.endLow = Math.min(heights.endLow, endY[lane]);
  heights.endHigh = Math.max(heights.endHigh, endY[lane]);
}

/** Returns whether a lane can join the link of the lanes before it, and adds its heights to `heights`. */
function goOn(lanes: Lanes, lane: number, { profiles, body }: LinkSearch): boolean {
  const { poly, endPoly, y, endY } = lanes;
  const last = lane - 1;
  if (poly[last] !== poly[lane] || endPoly[last] !== endPoly[lane]) return false;
  const most = Math.max(body.lift / 2, body.slack);
  const { startLow, startHigh, endLow, endHigh } = heights;
  if (
    Math.max(startHigh, y[lane]) - Math.min(startLow, y[lane]) > most ||
    Math.max(endHigh, endY[lane]) - Math.min(endLow, endY[lane]) > most
  )
    return false;
  // The limits must allow the same kinds in the same directions as for the lanes before.
  const rise = endY[lane] - y[lane];
  const lastRise = endY[last] - y[last];
  if (Math.abs(rise) > body.lift !== Math.abs(lastRise) > body.lift) return false;
  for (const { maxRise, maxDrop } of profiles) {
    if ((rise <= maxRise && -rise <= maxDrop) !== (lastRise <= maxRise && -lastRise <= maxDrop)) return false;
    if ((-rise <= maxRise && rise <= maxDrop) !== (-lastRise <= maxRise && lastRise <= maxDrop)) return false;
  }
  widenHeights(lanes, lane);
  return true;
}

/** Adds the links of the parts of a run in which agents fit at both ends. */
// oxlint-disable-next-line max-params -- kernel
function addStanding(
  s: RunSearch,
  lanes: Lanes,
  from: number,
  to: number,
  distance: number,
  isBelow: boolean,
  first: number,
): void {
  const { body } = s.search;
  const { step, y, endY, hasRoom } = lanes;
  const { startLow, startHigh, endLow, endHigh } = heights;
  const add = (start: number, end: number): void => {
    if (addRun(s, lanes, start, end, distance) || !isBelow) isDone.fill(1, start - first, end + 1 - first);
  };
  // On most runs, agents fit everywhere.
  if (
    canStand(near, body, from * step, to * step, startLow, startHigh, 0) &&
    canStand(near, body, from * step, to * step, endLow, endHigh, distance)
  ) {
    add(from, to);
    return;
  }
  let start = from;
  for (let i = from; i <= to; i++) {
    const at = i * step;
    if (hasRoom[i] === 2) hasRoom[i] = canStand(near, body, at, at, y[i], y[i], 0) ? 1 : 0;
    const isStanding = hasRoom[i] === 1 && canStand(near, body, at, at, endY[i], endY[i], distance);
    if ((!isStanding || i === to) && start < i + +isStanding) add(start, i - +!isStanding);
    if (!isStanding) start = i + 1;
  }
}

/** Adds the links of a run at one distance, for each kind. Returns true if links were found, or if a walk makes them needless. */
function addRun(s: RunSearch, lanes: Lanes, from: number, to: number, distance: number): boolean {
  const before = s.out.length;
  const rise = lanes.endY[from] - lanes.y[from];
  const isLedge = Math.abs(rise) > s.search.body.lift;
  let isLong = false;
  for (const shape of s.shapes[isLedge ? 1 : 0]) {
    // Drops and climbs start at the wall of the higher end: a lane from the lower end would start under the ledge.
    if (shape.kind === 'drop' && rise >= 0) continue;
    const peaks = usablePeaks(lanes, from, to, distance, shape);
    if (peaks.length === 0) continue;
    s.tried += to - from + 1;
    if (!setBlocked(s, lanes, from, to, distance, shape.kind, peaks)) continue;
    // The walk is searched after the fast tests, since most runs are blocked.
    if (!isLong && isWalkable(s, lanes, from, to, distance)) {
      s.walkable++;
      return true;
    }
    isLong = true;
    addShape(s, lanes, from, to, distance, shape, peaks);
  }
  return s.out.length > before;
}

/**
 * Returns whether no link of a run can save enough of a walk. A link costs at least its distance. The walk between any of its points is at
 * most the walk of the middle lane plus the distance along both ends, since each end lies in one polygon.
 */
// oxlint-disable-next-line max-params -- kernel
function isWalkable(
  { view, size, search, asked }: RunSearch,
  lanes: Lanes,
  from: number,
  to: number,
  distance: number,
): boolean {
  if (search.minDetour === 0) return false;
  const lane = from + ((to - from + 1) >> 1);
  const x = lanes.x[lane];
  const z = lanes.z[lane];
  const most = search.minDetour * distance - (to - from) * lanes.step;
  const rise = lanes.endY[lane] - lanes.y[lane];
  if (!(most > 0) || distance * distance + rise * rise > most * most) return false;
  const walk = {
    from: [x, lanes.y[lane], z],
    to: [x + distance * lanes.nx, lanes.endY[lane], z + distance * lanes.nz],
    polys: [lanes.poly[lane], lanes.endPoly[lane]] as const,
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

/** A part of a run: lanes `from` .. `to` are clear at a peak. */
interface Stretch {
  from: number;
  to: number;
  peak: number;
}

/** Least and largest rise of a run; written by `usablePeaks`. */
let leastRise = 0;
let mostRise = 0;

/** Returns the peaks that the limits allow, lowest first. */
// oxlint-disable-next-line max-params -- kernel
function usablePeaks(
  { y, endY }: Lanes,
  from: number,
  to: number,
  distance: number,
  { kind, out, back, peaks }: Shape,
): readonly number[] {
  leastRise = Infinity;
  mostRise = -Infinity;
  for (let i = from; i <= to; i++) {
    leastRise = Math.min(leastRise, endY[i] - y[i]);
    mostRise = Math.max(mostRise, endY[i] - y[i]);
  }
  // Without speeds, the reach is the same at all peaks.
  if (kind !== 'jump' || out!.runSpeed === 0)
    return reach(out, 0, 1) >= distance || reach(back, 0, -1) >= distance ? peaks : [];
  return peaksOf(out!, Math.max(Math.abs(leastRise), Math.abs(mostRise))).filter(
    (peak) => reach(out, peak, 1) >= distance || reach(out, peak, -1) >= distance,
  );
}

function reach(profile: Profile | undefined, peak: number, sign: number): number {
  if (profile === undefined) return -1;
  return Math.min(reachOf(profile, peak, sign * leastRise), reachOf(profile, peak, sign * mostRise));
}

/** For each lane of a run, the peaks at which it is blocked: bit k for peak k. Written by `setBlocked`. */
let blocked = new Uint8Array(64);
const bands = createBands();

/** Finds the peaks at which lanes are blocked. Returns whether a lane is free at some peak. */
// oxlint-disable-next-line max-params -- kernel
function setBlocked(
  { search: { body } }: RunSearch,
  lanes: Lanes,
  from: number,
  to: number,
  distance: number,
  kind: AutoLinkKind,
  peaks: readonly number[],
): boolean {
  if (to >= blocked.length) blocked = new Uint8Array(2 * to);
  blocked.fill(0, from, to + 1);
  const strip = { from, to, step: lanes.step, distance };
  const all = (1 << peaks.length) - 1;
  setHeights(lanes, from, to);
  // All peaks are tested together first, since walls block all of them.
  setBands(bands, kind, heights, peaks, true, body);
  if (!markBlocked(blocked, all, strip, bands, near)) return false;
  if (peaks.length === 1) return true;
  setBands(bands, kind, heights, peaks, false, body);
  return markBlocked(blocked, all, strip, bands, near);
}

/** Adds the links of one kind. */
// oxlint-disable-next-line max-params -- kernel
function addShape(
  s: RunSearch,
  lanes: Lanes,
  from: number,
  to: number,
  distance: number,
  { kind, out, back }: Shape,
  peaks: readonly number[],
): void {
  const clear: Stretch[] = [];
  const all = (1 << peaks.length) - 1;
  for (let i = from; i <= to; i++) {
    if (blocked[i] === all) continue;
    let j = i;
    while (j + 1 <= to && blocked[j + 1] !== all) j++;
    findClear({ s, lanes, distance, kind, peaks, out: clear }, i, j);
    i = j;
  }
  for (const { from: first, to: last, peak } of merge(clear)) {
    if (peak === 0 && kind === 'vault') continue;
    const limits = [reach(out, peak, 1), reach(back, peak, -1)];
    const directions = (limits[0] >= distance ? OUT : 0) | (limits[1] >= distance ? BACK : 0);
    const profile = (limits[0] >= distance ? out : back)!;
    const ownKind = kind === 'drop' && (directions & BACK) !== 0 ? 'climb' : kind;
    const { step, poly, endPoly } = lanes;
    s.out.push({
      kind: ownKind,
      directions,
      polys: [poly[first], endPoly[first]],
      corners: cornersOf(lanes, first, last, distance),
      distance,
      width: (last - first) * step,
      peak,
      profile: ownKind === 'climb' ? back! : profile,
      sizes: 1 << s.size,
      wall: lanes.wall,
      run: s.runs,
      lanes: [first, last, lanes.count],
    });
  }
}

/** Input of the search for clear parts of a run. */
interface ClearSearch {
  s: RunSearch;
  lanes: Lanes;
  distance: number;
  kind: AutoLinkKind;
  /** Lowest first. */
  peaks: readonly number[];
  out: Stretch[];
}

/** Finds the clear parts of lanes `from` .. `to`, each at its lowest peak. */
function findClear(c: ClearSearch, from: number, to: number): void {
  const middle = (from + to) >> 1;
  if (to > from + 1 && lowestClear(c, middle, middle) < 0) {
    // The middle lane is blocked at every peak, so no part that contains it is clear.
    if (middle > from) findClear(c, from, middle - 1);
    findClear(c, middle + 1, to);
    return;
  }
  const peak = lowestClear(c, from, to);
  if (peak >= 0) {
    c.out.push({ from, to, peak });
    return;
  }
  if (from === to) return;
  if (to === from + 1) {
    findClear(c, from, from);
    findClear(c, to, to);
    return;
  }
  findClear(c, from, middle);
  findClear(c, middle, to);
}

const sheet: Sheet = { from: 0, to: 0, distance: 0, heights };

/** Returns the lowest peak at which the sheet between two lanes is clear, or -1 if there is none. */
function lowestClear({ s, lanes, distance, kind, peaks }: ClearSearch, from: number, to: number): number {
  setHeights(lanes, from, to);
  sheet.from = from * lanes.step;
  sheet.to = to * lanes.step;
  sheet.distance = distance;
  let blockedAt = 0;
  for (let i = from; i <= to; i++) blockedAt |= blocked[i];
  for (let k = 0; k < peaks.length; k++) {
    if ((blockedAt & (1 << k)) !== 0) continue;
    if (isSheetClear(near, s.search, sheet, kind, peaks[k])) return peaks[k];
    // A sheet that contains this lane need not be swept at this peak again.
    if (from === to) blocked[from] |= 1 << k;
  }
  return -1;
}

/** Joins clear parts that share a lane, and drops parts inside of other parts. */
function merge(parts: readonly Stretch[]): Stretch[] {
  const sorted = [...parts].sort((a, b) => a.from - b.from || b.to - a.to);
  const joined: Stretch[] = [];
  for (const part of sorted) {
    const last = joined[joined.length - 1];
    if (last !== undefined && part.to <= last.to) continue;
    if (last !== undefined && last.peak === part.peak && part.from <= last.to) last.to = part.to;
    else joined.push({ ...part });
  }
  // Drops single lanes at the edge of a wider part.
  return joined.filter(
    (part, i) => part.to > part.from || !(i + 1 < joined.length && joined[i + 1].from === part.from),
  );
}

function cornersOf({ x, y, z, endY, nx, nz }: Lanes, i: number, j: number, distance: number): Float64Array {
  const [dx, dz] = [distance * nx, distance * nz];
  const start = [x[i], y[i], z[i], x[j], y[j], z[j]];
  return Float64Array.from([...start, x[i] + dx, endY[i], z[i] + dz, x[j] + dx, endY[j], z[j] + dz]);
}
