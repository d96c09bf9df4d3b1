/**
 * Lengths of corridors that are kept while both ends move, compared with fresh paths and with shortest paths. They
 * are never shorter than shortest paths, little longer, and as short as a fresh path after an unlimited search.
 * NAVKILN_CORRIDORS: steps, and prints mean lengths. NAVKILN_SEED.
 */
import { describe, expect, it } from 'vitest';
import { validateCorridor } from '../../src/agents/corridor/validate.ts';
import { moveCorridorPosition, moveCorridorTarget } from '../../src/agents/corridor/move.ts';
import { optimizeCorridorTopology, optimizeCorridorVisibility } from '../../src/agents/corridor/optimize.ts';
import { copyCorridor, resetCorridor, setCorridor } from '../../src/agents/corridor/corridor.ts';
import { createPathCorridor } from '../../src/agents/corridor/types.ts';
import type { PathCorridor } from '../../src/agents/corridor/types.ts';
import { createCorridorCorners, findCorridorCorners } from '../../src/agents/corridor/corners.ts';
import { CORNER_GOAL } from '../../src/agents/corridor/types.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { findCorridor } from '../../src/query/path/a-star.ts';
import { createCorridor } from '../../src/query/path/corridor.ts';
import type { Corridor } from '../../src/query/path/corridor.ts';
import { DEFAULT_FILTER } from '../../src/query/filter.ts';
import { pullString } from '../../src/query/path/funnel.ts';
import { createPathLine } from '../../src/query/path/path-line.ts';
import { findOptimalPath } from '../../src/query/optimal/optimal.ts';
import { createRayHit } from '../../src/query/ray/hit.ts';
import { createSearchState } from '../../src/query/search-state.ts';
import { createSlide } from '../../src/query/walk/slide.ts';
import { anySpot, bakedWorld } from './corridor-world.ts';
import type { World } from './corridor-world.ts';

/** `npm run soak` sets NAVKILN_FULL. */
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;

const STEPS = Number(process.env.NAVKILN_CORRIDORS ?? 5000) / 16;
const SEED = Number(process.env.NAVKILN_SEED ?? 1);

const slide = createSlide();
const state = createSearchState();
const hit = createRayHit();
const found = createCorridor();
const corners = createCorridorCorners(2);
const line = createPathLine();
const other = createPathCorridor();

function stringLength(mesh: NavMesh, corridor: Corridor, c: PathCorridor): number {
  pullString(line, mesh, corridor, c.position, c.target);
  let sum = 0;
  const { points, count } = line;
  for (let i = 3; i < 3 * count; i += 3) sum += Math.hypot(points[i] - points[i - 3], points[i + 2] - points[i - 1]);
  return sum;
}

function freshLength(mesh: NavMesh, c: PathCorridor): number {
  const { polys, count } = c.corridor;
  findCorridor(found, state, mesh, DEFAULT_FILTER, polys[0], c.position, polys[count - 1], c.target, Infinity);
  expect(found.outcome).toBe('complete');
  return stringLength(mesh, found, c);
}

function shortest(mesh: NavMesh, c: PathCorridor): number {
  const { points } = findOptimalPath(mesh, c.position, c.target, { halfExtents: [0.1, 0.3, 0.1] });
  return points.slice(1).reduce((sum, p, i) => sum + Math.hypot(p[0] - points[i][0], p[2] - points[i][2]), 0);
}

function begin(w: World, c: PathCorridor): void {
  do {
    const [a, b] = [anySpot(w), anySpot(w)];
    if (a.poly < 0 || b.poly < 0) continue;
    resetCorridor(c, w.mesh, a.poly, a.point);
    findCorridor(found, state, w.mesh, DEFAULT_FILTER, a.poly, a.point, b.poly, b.point, Infinity);
    if (found.outcome === 'complete') setCorridor(c, w.mesh, found, b.point);
  } while (c.corridor.count < 4);
}

const MODES = ['as it is', 'with shortcuts', 'with shortcuts and searches'];

describe.each(IS_FULL ? ['dungeon', 'terrain', 'city'] : ['dungeon', 'city'])('how long corridors are: %s', (name) => {
  it.each(MODES)('kept %s', { timeout: 20_000 + STEPS * 20 }, (mode) => {
    const seed = SEED;
    const w = bakedWorld(seed, name);
    const { mesh, random } = w;
    const c = createPathCorridor();
    const point = new Float64Array(3);
    const sums = [0, 0, 0, 0];
    c.corridor.count = 0;
    for (let step = 0; step < STEPS; step++) {
      if (c.corridor.count < 4) begin(w, c);
      findCorridorCorners(corners, c, mesh, 2);
      const far = Math.hypot(corners.points[0] - c.position[0], corners.points[2] - c.position[2]);
      const share = Math.min(1, 0.4 / (far + 1e-9));
      // A step towards the next corner, with pushes; and a target that walks at random.
      for (let k = 0; k < 3; k++)
        point[k] = c.position[k] + share * (corners.points[k] - c.position[k]) + (k === 1 ? 0 : 0.8 * (random() - 0.5));
      moveCorridorPosition(c, mesh, slide, state, point, DEFAULT_FILTER);
      for (let k = 0; k < 3; k++) point[k] = c.target[k] + (k === 1 ? 0 : random() - 0.5);
      moveCorridorTarget(c, mesh, slide, state, point, DEFAULT_FILTER);
      if (mode !== MODES[0]) {
        findCorridorCorners(corners, c, mesh, 2);
        if (corners.count > 1)
          optimizeCorridorVisibility(c, mesh, hit, corners.points.slice(3), 30 * mesh.agent.radius, DEFAULT_FILTER);
      }
      if (mode === MODES[2] && step % 16 === 0) optimizeCorridorTopology(c, mesh, state, DEFAULT_FILTER, 64);
      if (step % 10 !== 0) continue;
      const what = `seed ${seed}, step ${step}`;
      const own = stringLength(mesh, c.corridor, c);
      const least = shortest(mesh, c);
      expect(own, what).toBeGreaterThanOrEqual(least * (1 - 1e-6) - 1e-6);
      sums[0] += own;
      sums[1] += freshLength(mesh, c);
      sums[2] += least;
      sums[3]++;
      if (step % 50 !== 0) continue;
      const fresh = freshLength(mesh, c);
      copyCorridor(other, c);
      optimizeCorridorTopology(other, mesh, state, DEFAULT_FILTER, Infinity);
      expect(validateCorridor(other, mesh, DEFAULT_FILTER), what).toEqual([]);
      expect(stringLength(mesh, other.corridor, other), what).toBeLessThanOrEqual(fresh * (1 + 1e-9) + 1e-9);
      if (corners.kinds[0] === CORNER_GOAL || random() < 0.1) c.corridor.count = 0;
    }
    const [own, fresh, least] = sums;
    if (process.env.NAVKILN_CORRIDORS !== undefined) {
      const [ofFresh, ofLeast, freshOfLeast] = [own / fresh, own / least, fresh / least].map((ratio) =>
        ratio.toFixed(4),
      );
      console.log(`${name}, ${mode}: ${ofFresh} of a fresh one, ${ofLeast} of the shortest, fresh ${freshOfLeast}`);
    }
    expect(own / least).toBeLessThan(1.15);
  });
});
