/**
 * Random corridors: ends move, shortcuts are taken, links are crossed, tiles and links come and go. Every corridor
 * is valid after every operation. NAVKILN_CORRIDORS: operations (default 10,000). NAVKILN_SEED.
 */
import { describe, expect, it } from 'vitest';
import { validateCorridor } from '../../src/agents/corridor/validate.ts';
import { moveCorridorOverLink, moveCorridorPosition, moveCorridorTarget } from '../../src/agents/corridor/move.ts';
import { optimizeCorridorTopology, optimizeCorridorVisibility } from '../../src/agents/corridor/optimize.ts';
import { fixCorridorStart, isCorridorValid, rebaseCorridor, trimCorridor } from '../../src/agents/corridor/rebase.ts';
import { copyCorridor, resetCorridor, setCorridor } from '../../src/agents/corridor/corridor.ts';
import { createPathCorridor } from '../../src/agents/corridor/types.ts';
import type { PathCorridor } from '../../src/agents/corridor/types.ts';
import { createCorridorCorners, findCorridorCorners } from '../../src/agents/corridor/corners.ts';
import { CORNER_GOAL, CORNER_LINK } from '../../src/agents/corridor/types.ts';
import { linkEndOf, isLinkCrossing } from '../../src/mesh/crossing.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { findCorridor } from '../../src/query/path/a-star.ts';
import { createCorridor } from '../../src/query/path/corridor.ts';
import { createFilter } from '../../src/query/create-filter.ts';
import { DEFAULT_FILTER } from '../../src/query/filter.ts';
import type { QueryFilter } from '../../src/query/filter.ts';
import { pullString } from '../../src/query/path/funnel.ts';
import { createPathLine } from '../../src/query/path/path-line.ts';
import type { PathLine } from '../../src/query/path/path-line.ts';
import { createNearestHit, findNearestInto } from '../../src/query/nearest/nearest.ts';
import { createRayHit } from '../../src/query/ray/hit.ts';
import { createSearchState } from '../../src/query/search-state.ts';
import { createSlide } from '../../src/query/walk/slide.ts';
import { anySpot, bakedWorld, below, change, newLink, pick, squaresWorld } from './corridor-world.ts';
import type { World } from './corridor-world.ts';

const OPERATIONS = Number(process.env.NAVKILN_CORRIDORS ?? 5000);
const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const FAR = [102_400, 0, -102_400];
/** Corridors in a world. */
const WALKERS = 6;

const slide = createSlide();
const state = createSearchState();
const hit = createRayHit();
const near = createNearestHit();
const found = createCorridor();
const corners = createCorridorCorners(3);
const line = createPathLine();

interface Walker {
  corridor: PathCorridor;
  filter: QueryFilter;
}

const filters = [
  DEFAULT_FILTER,
  createFilter({ excludeFlags: 2, areaCosts: { 2: 3, 3: 0.5 } }),
  createFilter({
    passes: (mesh, poly) => (mesh.polyFlags[poly] & 2) === 0,
    cost: (mesh, { poly, length }) => length * (1 + (mesh.polyArea[poly] & 1)),
  }),
];

/** Returns a point at a distance from another one, seen from above. */
function beside(w: World, point: Float64Array, reach: number): Float64Array {
  return Float64Array.of(point[0] + (2 * w.random() - 1) * reach, point[1], point[2] + (2 * w.random() - 1) * reach);
}

function search(w: World, one: Walker): string {
  const { corridor: c, filter } = one;
  const { mesh } = w;
  const goal = anySpot(w);
  if (goal.poly < 0) return 'no goal';
  findCorridor(
    found,
    state,
    mesh,
    filter,
    c.corridor.polys[0],
    c.position,
    goal.poly,
    goal.point,
    w.random() < 0.2 ? 20 : Infinity,
  );
  expect(setCorridor(c, mesh, found, goal.point)).toBe(true);
  return `search: ${found.outcome}, ${found.count}`;
}

/** Does something to a corridor. Returns what it did. */
function operate(w: World, one: Walker): string {
  const { mesh } = w;
  const { corridor: c, filter } = one;
  const dice = w.random();
  if (dice < 0.3 || (dice < 0.6 && c.corridor.count < 3)) {
    // Along the string mostly, as agents do, else anywhere.
    findCorridorCorners(corners, c, mesh, 2);
    const reach = pick(w, [0.1, 0.5, 2, 8]);
    const point = w.random() < 0.3 ? beside(w, c.position, reach) : beside(w, corners.points, 0.3 * w.random());
    const length = Math.hypot(point[0] - c.position[0], point[2] - c.position[2]);
    const share = Math.min(1, reach / (length + 1e-9));
    for (let k = 0; k < 3; k += 2) point[k] = c.position[k] + share * (point[k] - c.position[k]);
    const isThere = moveCorridorPosition(c, mesh, slide, state, point, filter);
    if (isThere) expect([c.position[0], c.position[2]]).toEqual([point[0], point[2]]);
    return `position moved by ${reach}: ${isThere}`;
  }
  if (dice < 0.5) {
    const point = beside(w, c.target, pick(w, [0.1, 0.5, 2, 8]));
    const isThere = moveCorridorTarget(c, mesh, slide, state, point, filter);
    if (isThere) expect([c.target[0], c.target[2]]).toEqual([point[0], point[2]]);
    return `target moved: ${isThere}`;
  }
  if (dice < 0.65) {
    const before = planLength(mesh, c);
    findCorridorCorners(corners, c, mesh, 3);
    const next = corners.points.slice(3 * Math.min(1, corners.count - 1), 3 * corners.count);
    const isChanged = optimizeCorridorVisibility(c, mesh, hit, next, w.random() < 0.5 ? 10 : Infinity, filter);
    if (!hasLink(c)) expect(planLength(mesh, c)).toBeLessThanOrEqual(before * (1 + 1e-9) + 1e-9);
    return `visibility: ${isChanged}`;
  }
  if (dice < 0.75)
    return `topology: ${optimizeCorridorTopology(c, mesh, state, filter, pick(w, [8, 32, 128, Infinity]))}`;
  if (dice < 0.82) {
    const links = [...c.corridor.crossings.subarray(0, c.corridor.count - 1)].filter(isLinkCrossing).map(linkEndOf);
    if (links.length === 0) return search(w, one);
    const out = new Float64Array(6);
    expect(moveCorridorOverLink(c, mesh, links[0], out)).toBe(true);
    expect([c.position[0], c.position[2]]).toEqual([out[3], out[5]]);
    return `over link ${links[0]}`;
  }
  if (dice < 0.9) return search(w, one);
  if (dice < 0.94) {
    const other = createPathCorridor();
    copyCorridor(other, c);
    expect(other.corridor.polys.subarray(0, other.corridor.count)).toEqual(
      c.corridor.polys.subarray(0, c.corridor.count),
    );
    one.corridor = other;
    return 'copied';
  }
  if (dice < 0.97) {
    one.filter = pick(w, filters);
    return `another filter: ${trimCorridor(c, mesh, one.filter)} cut off`;
  }
  const spot = w.random() < 0.5 ? anySpot(w) : null;
  if (spot !== null && spot.poly >= 0)
    return `put elsewhere: ${fixCorridorStart(c, mesh, spot.poly, spot.point, filter)}`;
  resetCorridor(c, mesh, c.corridor.polys[0], c.position.slice());
  return 'reset';
}

/** After the mesh has changed. */
function followMesh(w: World, one: Walker): string {
  const { mesh } = w;
  const { corridor: c, filter } = one;
  const before = [...c.refs.subarray(0, c.corridor.count)];
  const target = [...c.target];
  const isValid = isCorridorValid(c, mesh, Infinity, filter);
  const outcome = w.random() < 0.2 ? 'start-gone' : rebaseCorridor(c, mesh, filter);
  const after = [...c.refs.subarray(0, c.corridor.count)];
  if (outcome === 'start-gone') {
    findNearestInto(near, mesh, c.position, Float64Array.of(20, 20, 20), DEFAULT_FILTER);
    if (near.poly < 0) Object.assign(near, anySpot(w));
    fixCorridorStart(c, mesh, near.poly, near.point, filter);
    return outcome;
  }
  expect([isValid, after], outcome).toEqual([outcome === 'same', before.slice(0, after.length)]);
  if (outcome === 'same') expect([[...c.target], after.length]).toEqual([target, before.length]);
  else expect(after.length).toBeLessThan(before.length);
  return outcome;
}

function hasLink(c: PathCorridor): boolean {
  return c.corridor.crossings.subarray(0, c.corridor.count - 1).some(isLinkCrossing);
}

function planLength(mesh: NavMesh, c: PathCorridor): number {
  pullString(line, mesh, c.corridor, c.position, c.target);
  return lengthOf(line);
}

function lengthOf({ points, count }: PathLine): number {
  let sum = 0;
  for (let i = 3; i < 3 * count; i += 3) sum += Math.hypot(points[i] - points[i - 3], points[i + 2] - points[i - 1]);
  return sum;
}

/** The corners are the first of the whole string. */
function expectCorners(mesh: NavMesh, c: PathCorridor, max: number, what: string): void {
  findCorridorCorners(corners, c, mesh, max);
  pullString(line, mesh, c.corridor, c.position, c.target);
  const hair = mesh.agent.radius / 40;
  const expected: number[][] = [];
  for (let i = line.linkEnds[0] >= 0 || line.count === 1 ? 0 : 1; i < line.count && expected.length < max; i++) {
    const point = [...line.points.subarray(3 * i, 3 * i + 3)];
    const isEnd = line.linkEnds[i] >= 0 || i === line.count - 1;
    const isNear = Math.hypot(point[0] - c.position[0], point[2] - c.position[2]) <= hair;
    if (isNear && !isEnd && expected.length === 0) continue;
    expected.push([...point, line.linkEnds[i]]);
    if (isEnd) break;
  }
  const given = Array.from({ length: corners.count }, (_, i) => [
    ...corners.points.subarray(3 * i, 3 * i + 3),
    corners.linkEnds[i],
  ]);
  expect(given, what).toEqual(expected);
  const last = corners.kinds[corners.count - 1];
  if (last === CORNER_GOAL)
    expect([corners.left, ...given[given.length - 1].slice(0, 3)], what).toEqual([0, ...c.target]);
  else expect(corners.left, what).toBeGreaterThanOrEqual(0);
  if (last === CORNER_LINK) expect(corners.linkEnds[corners.count - 1], what).toBeGreaterThanOrEqual(0);
}

const WORLDS: [string, (seed: number) => World][] = [
  ['squares', (seed) => squaresWorld(seed)],
  ['squares 100 km away', (seed) => squaresWorld(seed, FAR)],
  ['a terrain in tiles', (seed) => bakedWorld(seed, 'terrain', 8)],
  ['a house in tiles, 100 km away', (seed) => bakedWorld(seed, 'house', 8, FAR)],
  ['a dungeon', (seed) => bakedWorld(seed, 'dungeon')],
];

describe('a corridor', () => {
  it.each(WORLDS)('stays valid whatever happens: %s', { timeout: 60_000 + OPERATIONS * 10 }, (title, make) => {
    const seed = 10 * SEED + WORLDS.findIndex(([one]) => one === title);
    const w = make(seed);
    for (let i = 0; i < 6; i++) newLink(w);
    const walkers: Walker[] = Array.from({ length: WALKERS }, () => ({
      corridor: createPathCorridor(),
      filter: pick(w, filters),
    }));
    for (const { corridor } of walkers) {
      const spot = anySpot(w);
      resetCorridor(corridor, w.mesh, spot.poly, spot.point);
    }
    const counts: Record<string, number> = {};
    for (let step = 0; step < OPERATIONS / WORLDS.length; step++) {
      const all = w.random() < 0.04;
      let what = `seed ${seed}, operation ${step}: ${all ? change(w) : ''}`;
      for (const one of all ? walkers : [pick(w, walkers)]) {
        const did = all ? followMesh(w, one) : operate(w, one);
        what += ` ${did}`;
        counts[did.replace(/[\d.,]+/g, '')] = (counts[did.replace(/[\d.,]+/g, '')] ?? 0) + 1;
        expect(validateCorridor(one.corridor, w.mesh, one.filter), what).toEqual([]);
        if (step % 4 === 0) expectCorners(w.mesh, one.corridor, 1 + below(w, 3), what);
      }
    }
    if (process.env.NAVKILN_CORRIDORS !== undefined) console.log(title, counts);
  });
});
