/**
 * Operations of path corridors compared with Detour's dtPathCorridor on the same polygons: corners, moved ends, shortcuts,
 * searches, links, closed polygons. NAVKILN_PAIRS sets the number of paths per level, NAVKILN_SEED the seed, and NAVKILN_ALL
 * compares over all scenes and so many random levels of each kind (`npm run soak`).
 *
 * docs/deviations.md lists the allowed differences. Each one is recognized, counted and printed; any other difference fails.
 */
import { expect, it } from 'vitest';
import { createCorridorCorners, findCorridorCorners } from '../../src/agents/corridor/corners.ts';
import { copyCorridor, resetCorridor, setCorridor } from '../../src/agents/corridor/corridor.ts';
import { moveCorridorOverLink, moveCorridorPosition, moveCorridorTarget } from '../../src/agents/corridor/move.ts';
import { optimizeCorridorTopology, optimizeCorridorVisibility } from '../../src/agents/corridor/optimize.ts';
import { isCorridorValid, trimCorridor } from '../../src/agents/corridor/rebase.ts';
import { CORNER_LINK, createPathCorridor } from '../../src/agents/corridor/types.ts';
import { validateCorridor } from '../../src/agents/corridor/validate.ts';
import type { PathCorridor } from '../../src/agents/corridor/types.ts';
import { refOf } from '../../src/mesh/ref.ts';
import { setFlags } from '../../src/query/area.ts';
import { DEFAULT_FILTER } from '../../src/query/filter.ts';
import { createPathBuffer, findPathInto } from '../../src/query/path/find-path.ts';
import { createRayHit } from '../../src/query/ray/hit.ts';
import { createSearchState } from '../../src/query/search-state.ts';
import { createSlide, moveAlongSurfaceInto } from '../../src/query/walk/slide.ts';
import { createCorridorTwin } from './detour-corridor.ts';
import type { CorridorTwin, DetourCorridor } from './detour-corridor.ts';
import type { Point } from './detour.ts';
import { bakeLevel, makeWorld, worldLevels } from './twin-world.ts';
import type { World } from './twin-world.ts';

const SEED = Number(process.env['NAVKILN_SEED'] ?? 41);
const PAIRS = Number(process.env['NAVKILN_PAIRS'] ?? 30);
const TOLERANCE = 1e-3;
/** Detour keeps this many polygons of a walk. */
const MAX_VISITED = 16;
/** Detour's crowd checks the first ten polygons of a corridor, and searches 32 nodes. */
const LOOK_AHEAD = 10;
const MAX_NODES = 32;
const SIGHT_RADII = 30;

const state = createSearchState();
const slide = createSlide();
const hit = createRayHit();
const buffer = createPathBuffer();
const corners = createCorridorCorners(3);

/** One path, loaded into both corridors. */
interface Trial {
  world: World;
  their: CorridorTwin;
  /** Our corridor. */
  copy: PathCorridor;
  begin: DetourCorridor;
  /** A distance to move by. */
  reach: number;
  note: (kind: string, count?: number) => void;
}

/** Makes one operation on both sides. Notes the outcome, or returns what is wrong. */
type Operation = (trial: Trial) => string | undefined | void;

const across = (a: ArrayLike<number>, b: ArrayLike<number>): number => Math.hypot(a[0]! - b[0]!, a[2]! - b[2]!);
const xyz = ([x, y, z]: Point): { x: number; y: number; z: number } => ({ x, y, z });
const show = (...values: unknown[]): string => values.map((value) => JSON.stringify(value)).join(' ');

function beside({ world, reach }: Trial, point: Point): Point {
  return point.map((v, k) => Math.fround(k === 1 ? v : v + (2 * world.random() - 1) * reach)) as Point;
}

function pointOf([x, y, z]: Float64Array): Point {
  return [x, y, z];
}

/** Leaves out the points that are on the straight line between the points next to them. */
function turnsOf(start: Point, points: Point[]): Point[] {
  const kept: Point[] = [start];
  for (const point of points) {
    if (across(kept.at(-1)!, point) <= TOLERANCE) continue;
    const [a, b] = [kept.at(-2), kept.at(-1)!];
    if (a !== undefined) {
      const offset = (point[0] - a[0]) * (b[2] - a[2]) - (point[2] - a[2]) * (b[0] - a[0]);
      if (Math.abs(offset) <= TOLERANCE * across(a, point)) kept.pop();
    }
    kept.push(point);
  }
  return kept.slice(1);
}

function ourCorners({ world, copy }: Trial): Point[] {
  findCorridorCorners(corners, copy, world.mesh, 3);
  return Array.from(
    { length: corners.count },
    (_, k) => Array.from(corners.points.subarray(3 * k, 3 * k + 3)) as Point,
  );
}

const findCorners: Operation = (trial) => {
  const { world, their, begin, note } = trial;
  const ours = ourCorners(trial);
  const theirs = their.corners().slice(0, 3);
  const isSame = ours.length === theirs.length && ours.every((p, k) => across(p, theirs[k]!.point) <= TOLERANCE);
  if (isSame) {
    for (let k = 0; k < ours.length; k++)
      if ((corners.kinds[k] === CORNER_LINK) !== theirs[k]!.isLink) return `corner ${k} is a link on one side only`;
    return note('same');
  }
  // The last of three corners may turn out to be on a straight stretch.
  const isCut = Math.max(ours.length, theirs.length) === 3 ? 1 : 0;
  const points = theirs.map(({ point }) => point);
  const haveSameTurns = (isKept: (p: Point) => boolean): boolean => {
    const [a, b] = [turnsOf(begin.position, ours.filter(isKept)), turnsOf(begin.position, points.filter(isKept))];
    const count = Math.min(a.length, b.length) - isCut;
    return a.slice(0, Math.max(0, count)).every((p, k) => across(p, b[k]) <= TOLERANCE);
  };
  if (haveSameTurns(() => true)) return note('points on a straight stretch');
  // Detour leaves out corners within 0.01, and we within a fortieth of the radius.
  const limit = Math.max(0.01, 0.025 * world.mesh.agent.radius) + TOLERANCE;
  if (haveSameTurns((p) => across(p, begin.position) > limit)) return note('near corners');
  return show(begin.position, ours, theirs);
};

/** The corners of a position that has nearly reached one. */
const nearCorners: Operation = (trial) => {
  const { world, their, copy, note } = trial;
  const [first] = ourCorners(trial);
  if (first === undefined || across(first, copy.position) < 0.1) return note('no corner');
  const share = (0.03 * world.random()) / across(first, copy.position);
  const near = Float64Array.from(first, (value, k) => Math.fround(value + share * (copy.position[k] - value)));
  moveCorridorPosition(copy, world.mesh, slide, state, near, DEFAULT_FILTER);
  for (let k = 0; k < 3; k++) copy.position[k] = Math.fround(copy.position[k]);
  const begin: DetourCorridor = { ...trial.begin, refs: their.refsOf(copy.corridor), position: pointOf(copy.position) };
  return their.load(begin) ? findCorners({ ...trial, begin }) : note('too long');
};

const movePosition: Operation = (trial) => {
  const { world, their, copy, begin, note } = trial;
  const { mesh } = world;
  const to = beside(trial, begin.position);
  const poly = copy.corridor.polys[0]!;
  moveAlongSurfaceInto(slide, state, mesh, poly, copy.position, Float64Array.from(to), DEFAULT_FILTER);
  const walked = slide.count;
  moveCorridorPosition(copy, mesh, slide, state, Float64Array.from(to), DEFAULT_FILTER);
  their.move(to);
  const { refs, position } = their.read();
  if (across(copy.position, position) > TOLERANCE) {
    const [our, theirs] = [across(copy.position, to), across(position, to)];
    if (Math.abs(our - theirs) <= 1e-5 * (1 + our)) return note('as near to the point');
    if (our < theirs) return note('nearer to the point');
    if (world.isTiled) return note('at a border');
    return show(begin.position, to, Array.from(copy.position), position);
  }
  if (their.refsOf(copy.corridor).join() !== refs.join()) {
    if (walked > MAX_VISITED) return note("walks beyond Detour's 16 polygons");
    // Other polygons share the point.
    if (copy.corridor.polys[0] !== world.twin.polyIndexOf(refs[0]!)) return note('other polygons at a corner');
    return show(begin.position, to, begin.refs, their.refsOf(copy.corridor), refs);
  }
  if (Math.abs(copy.position[1]! - position[1]) <= TOLERANCE) return note('same');
  return position[1] === begin.position[1] ? note("Detour's height stays") : show(begin.position, to, position);
};

/** Detour's rule: the walk is joined to the first polygon of the corridor that it has in common. */
const moveTarget: Operation = (trial) => {
  const { world, their, copy, begin, note } = trial;
  const to = beside(trial, begin.target);
  moveCorridorTarget(copy, world.mesh, slide, state, Float64Array.from(to), DEFAULT_FILTER);
  const walk = world.twin.query.moveAlongSurface(begin.refs.at(-1)!, xyz(begin.target), xyz(to), {
    maxVisitedSize: MAX_VISITED,
  });
  const visited = walk.visited.map((ref) => ref >>> 0);
  const place = begin.refs.findIndex((ref) => visited.includes(ref));
  const refs =
    place < 0
      ? begin.refs
      : [...begin.refs.slice(0, place + 1), ...visited.slice(visited.indexOf(begin.refs[place]!) + 1)];
  const { x, y, z } = walk.resultPosition;
  if (across(copy.target, [x, y, z]) > TOLERANCE) {
    const [our, theirs] = [across(copy.target, to), across([x, y, z], to)];
    if (Math.abs(our - theirs) <= 1e-5 * (1 + our)) return note('as near to the point');
    if (our < theirs) return note('nearer to the point');
    if (world.isTiled) return note('at a border');
    return show(begin.target, to, Array.from(copy.target), [x, y, z]);
  }
  if (their.refsOf(copy.corridor).join() !== refs.join()) {
    if (slide.count > MAX_VISITED) return note("walks beyond Detour's 16 polygons");
    if (copy.corridor.polys[copy.corridor.count - 1] !== world.twin.polyIndexOf(refs.at(-1)!))
      return note('other polygons at a corner');
    return show(begin.target, to, begin.refs, their.refsOf(copy.corridor), refs);
  }
  return note('same');
};

/** Returns the length of Detour's string through refs, seen from above. */
function stringLength({ world, begin }: Trial, refs: number[]): number {
  const found = world.twin.query.findStraightPath(xyz(begin.position), xyz(begin.target), refs, {
    maxStraightPathPoints: 4000,
  });
  const flat = Array.from(found.straightPath.getHeapView());
  let sum = 0;
  for (let k = 3; k < 3 * found.straightPathCount; k += 3) sum += across(flat.slice(k - 3, k), flat.slice(k, k + 3));
  for (const list of [found.straightPath, found.straightPathFlags, found.straightPathRefs]) list.destroy();
  return sum;
}

/** Notes how the strings of both corridors compare with each other and with the one before. */
function noteLengths(trial: Trial, what: string, theirs: number[]): string | undefined {
  const { world, their, copy, begin, note } = trial;
  const before = stringLength(trial, begin.refs);
  const our = stringLength(trial, their.refsOf(copy.corridor));
  const other = stringLength(trial, theirs);
  const order = (a: number, b: number): string =>
    a < b - TOLERANCE ? 'shorter' : a > b + TOLERANCE ? 'longer' : 'as long';
  note(`${what}: ours ${order(our, before)} than before, Detour's ${order(other, before)}`);
  // Without links, all polygons cost the same, so that only the length counts.
  if (our > before + TOLERANCE && world.linkCount === 0) return show('longer', before, our, begin.refs);
  return undefined;
}

const visibility: Operation = (trial) => {
  const { world, their, copy, begin, note } = trial;
  const points = ourCorners(trial);
  const corner = points[Math.min(1, points.length - 1)];
  if (corner === undefined) return note('no corner');
  const range = SIGHT_RADII * Math.max(world.mesh.agent.radius, 0.3);
  const next = Float64Array.from(corner);
  const isOurs = optimizeCorridorVisibility(copy, world.mesh, hit, next, range, DEFAULT_FILTER);
  their.optimizeVisibility(range);
  const { refs } = their.read();
  if (their.refsOf(copy.corridor).join() === refs.join()) return note(isOurs ? 'same shortcut' : 'none');
  const isTheirs = refs.join() !== begin.refs.join();
  if (!isOurs && across(begin.position, corner) > range) return note('only Detour: the corner is out of range');
  if (!isOurs && !isTheirs) return show(begin, Array.from(corner));
  const kind = isOurs && isTheirs ? 'both, Detour beyond the corner' : isOurs ? 'only ours' : 'only Detour';
  return noteLengths(trial, kind, refs);
};

const topology: Operation = (trial) => {
  const { world, their, copy, note } = trial;
  const isOurs = optimizeCorridorTopology(copy, world.mesh, state, DEFAULT_FILTER, MAX_NODES);
  their.optimizeTopology();
  const { refs } = their.read();
  if (their.refsOf(copy.corridor).join() === refs.join()) return note(isOurs ? 'same' : 'none');
  return noteLengths(trial, isOurs ? 'changed' : 'only Detour', refs);
};

const overLink: Operation = (trial) => {
  const { world, their, copy, note } = trial;
  ourCorners(trial);
  const last = corners.count - 1;
  if (last < 0 || corners.kinds[last] !== CORNER_LINK) return note('no link');
  const isOurs = moveCorridorOverLink(copy, world.mesh, corners.linkEnds[last]!);
  const isTheirs = their.crossLink();
  const { refs, position } = their.read();
  const isSame = isOurs && isTheirs && across(copy.position, position) <= TOLERANCE;
  if (isSame && their.refsOf(copy.corridor).join() === refs.join()) return note('same');
  return show(isOurs, isTheirs, Array.from(copy.position), position, their.refsOf(copy.corridor), refs);
};

/** A polygon of the corridor is closed after the path was found. */
const closed: Operation = (trial) => {
  const { world, their, copy, begin, note } = trial;
  const { mesh, twin, random } = world;
  const { count, polys } = copy.corridor;
  if (count < 3) return note('two polygons');
  // Detour's crowd moves a target whose polygon is closed.
  const at = 1 + Math.floor(random() * Math.min(count - 2, 2 * LOOK_AHEAD));
  const poly = polys[at]!;
  const ref = twin.refOf(poly);
  const before = mesh.polyFlags[poly]!;
  setFlags(mesh, refOf(mesh, poly), 0);
  twin.detour.setPolyFlags(ref, 0);
  // A polygon may be twice in a corridor; off-mesh connections count in Detour.
  const place = begin.refs.indexOf(ref);
  const isOurs = isCorridorValid(copy, mesh, polys.indexOf(poly) < LOOK_AHEAD ? LOOK_AHEAD - 1 : 1, DEFAULT_FILTER);
  const isTheirs = !their.needsPath();
  const kept = begin.refs.slice(0, place);
  if ((kept.at(-1) ?? 0) !== 0 && twin.polyIndexOf(kept.at(-1)!) < 0) kept.pop();
  trimCorridor(copy, mesh, DEFAULT_FILTER);
  const invalid = validateCorridor(copy, mesh);
  const { x, y, z } = twin.query.closestPointOnPoly(kept.at(-1)!, xyz(begin.target)).closestPoint;
  setFlags(mesh, refOf(mesh, poly), before);
  twin.detour.setPolyFlags(ref, before);
  if (isOurs !== place >= LOOK_AHEAD && polys.indexOf(poly) === place)
    return `valid: ${isOurs}, polygon ${place} is closed`;
  if (isTheirs !== place >= LOOK_AHEAD) return `Detour's is valid: ${isTheirs}, polygon ${place} is closed`;
  if (their.refsOf(copy.corridor).join() !== kept.join())
    return show(place, begin.refs, their.refsOf(copy.corridor), kept);
  if (invalid.length > 0) return invalid.join();
  if (across(copy.target, [x, y, z]) <= TOLERANCE) return note('same');
  // Two points of an outline may be equally near.
  const [our, theirs] = [across(copy.target, begin.target), across([x, y, z], begin.target)];
  return Math.abs(our - theirs) <= TOLERANCE ? note('as near to the target') : show(Array.from(copy.target), [x, y, z]);
};

const OPERATIONS: Record<string, Operation> = {
  findCorners,
  nearCorners,
  movePosition,
  moveTarget,
  visibility,
  topology,
  overLink,
  closed,
};

it.each(
  worldLevels([
    ['house', 12, 12],
    ['city', 0, 20],
  ]),
)('%s, tiles of %i cells, %i links: operations of corridors', async (name, cells, linkCount) => {
  const mesh = await bakeLevel(name, cells);
  if (mesh.polyCount === 0) return;
  const world = await makeWorld(mesh, SEED, linkCount);
  const their = createCorridorTwin(mesh, world.twin);
  const [corridor, copy] = [createPathCorridor(), createPathCorridor()];
  const counts: Record<string, Record<string, number>> = {};
  const wrong: string[] = [];
  for (let i = 0; i < PAIRS; i++) {
    const [start, end] = [world.randomPoint().point, world.randomPoint().point];
    const ends = { start: Float64Array.from(start), end: Float64Array.from(end) };
    const halfExtents = Float64Array.of(0.5, 2, 0.5);
    findPathInto(buffer, state, mesh, { ...ends, halfExtents, filter: DEFAULT_FILTER, maxNodes: Infinity });
    if (buffer.status !== 'complete') continue;
    resetCorridor(corridor, mesh, buffer.start.poly, Float64Array.from(buffer.start.point, Math.fround));
    setCorridor(corridor, mesh, buffer.corridor, Float64Array.from(buffer.end.point, Math.fround));
    for (const point of [corridor.position, corridor.target])
      for (let k = 0; k < 3; k++) point[k] = Math.fround(point[k]!);
    const begin: DetourCorridor = {
      refs: their.refsOf(corridor.corridor),
      position: pointOf(corridor.position),
      target: pointOf(corridor.target),
    };
    for (const [operation, make] of Object.entries(OPERATIONS)) {
      // A link that Detour does not have, or a path that is too long for its crowd.
      if (!their.load(begin)) continue;
      corridor.revision = mesh.revision;
      copyCorridor(copy, corridor);
      const note = (kind: string): void => {
        const kinds = (counts[operation] ??= {});
        kinds[kind] = (kinds[kind] ?? 0) + 1;
      };
      const fault = make({ world, their, copy, begin, reach: [0.1, 0.5, 2, 6][i % 4]!, note });
      if (typeof fault === 'string') wrong.push(`${operation}, path ${i}, ${start} to ${end}: ${fault}`);
    }
  }
  their.destroy();
  world.twin.destroy();
  console.info(
    `corridors, ${name}, tiles of ${cells} cells, ${linkCount} links, seed ${SEED}: ${JSON.stringify(counts)}`,
  );
  expect(wrong.slice(0, 5), `${wrong.length} wrong, seed ${SEED}`).toEqual([]);
});
