/**
 * A path index of a world while obstacles come, move and go at random, and tiles are rebuilt one by one: no answer is from an earlier
 * mesh. In one level the world updates the index within random budgets, in the other the caller does. Each path is compared with `findOptimalPath` on the mesh as it is; a path through a new obstacle would be shorter.
 */
import { describe, expect, it } from 'vitest';
import type { NavMesh } from '../../src/mesh/types.ts';
import { buildPathIndex } from '../../src/query/index/build.ts';
import { findIndexedPath } from '../../src/query/index/find.ts';
import { updatePathIndex } from '../../src/query/index/update.ts';
import { createWorldIndex } from '../../src/query/index/world-index.ts';
import { findOptimalPath } from '../../src/query/optimal/optimal.ts';
import { createWorld } from '../../src/world/levels/create.ts';
import { addLevel } from '../../src/world/levels/levels.ts';
import { addObstacle, listObstacles, moveObstacle, removeObstacle } from '../../src/world/levels/obstacles.ts';
import type { World } from '../../src/world/levels/types.ts';
import { updateWorld } from '../../src/world/levels/update.ts';
import { findLevelScene } from 'navkiln-scenes';
import { seeded } from '../unit/meshes.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const OPERATIONS = Number(process.env.NAVKILN_WORLD_OPERATIONS ?? 16);
/** Paths after each operation. */
const PATHS = 8;
const EXACT = 1e-9;
const OPTIONS = { halfExtents: [0.5, 2, 0.5] };

type Point = [number, number, number];

/** Returns a random position in a random polygon that exists. */
function placeOn(mesh: NavMesh, random: () => number): Point {
  for (;;) {
    const slot = Math.floor(random() * mesh.tileSlotCount);
    if (mesh.tileState[slot] !== 1 || mesh.tilePolyCount[slot] === 0) continue;
    const poly = mesh.tilePolyStart[slot] + Math.floor(random() * mesh.tilePolyCount[slot]);
    const count = mesh.polyVertexCount[poly];
    const weights = Array.from({ length: count }, () => random() + 0.01);
    const sum = weights.reduce((a, b) => a + b);
    const point: Point = [0, 0, 0];
    weights.forEach((weight, i) => {
      const vertex = mesh.edgeVertex[mesh.polyEdgeStart[poly] + i];
      for (let axis = 0; axis < 3; axis++) point[axis] += (weight / sum) * mesh.vertices[3 * vertex + axis];
    });
    return point;
  }
}

/** Adds, moves or removes an obstacle on the surface. */
function operate(world: World, mesh: NavMesh, random: () => number): void {
  const ids = listObstacles(world);
  const id = ids[Math.floor(random() * ids.length)];
  const placement = { position: placeOn(mesh, random), rotation: 360 * random() };
  const roll = random();
  if (id === undefined || (roll < 0.4 && ids.length < 12)) {
    const effect = random() < 0.8 ? 'hole' : 'surface';
    const size = [0.4 + 3 * random(), 1, 0.4 + 3 * random()] as const;
    addObstacle(world, { type: 'box', size, effect, ...placement });
  } else if (roll < 0.75) moveObstacle(world, id, placement);
  else removeObstacle(world, id);
}

describe.each([
  ['dungeon', SEED % 2 === 1],
  ['house', SEED % 2 === 0],
])('the path index of a world, %s, updated by the world: %s', (name, isKept) => {
  // `npm run soak` sets NAVKILN_FULL: each kind of index with each tier.
  const tiers = ['table', 'graph', 'overlay'] as const;
  it.each(process.env['NAVKILN_FULL'] !== undefined ? tiers : name === 'dungeon' ? tiers.slice(0, 1) : tiers.slice(1))(
    `tier %s never answers from an earlier mesh, seed ${SEED}`,
    (tier) => {
      const scene = findLevelScene(name);
      const random = seeded(SEED);
      const pathIndex = isKept ? createWorldIndex({ tier }) : undefined;
      const world = createWorld({ ...scene.options, tileSize: 32 * scene.options.cellSize!, pathIndex });
      addLevel(world, scene.create());
      const { navMesh, isIndexCurrent } = updateWorld(world);
      expect(isIndexCurrent).toBe(true);
      const index = pathIndex?.index ?? buildPathIndex(navMesh, { tier });
      expect(index.tier).toBe(tier);
      const counts = { index: 0, search: 0, exact: 0, changed: 0, current: 0 };
      for (let i = 0; i < OPERATIONS; i++) {
        operate(world, navMesh, random);
        // Some tiles wait, so that the mesh is one between two states.
        const budget = random() < 0.5 && !(isKept && i % 3 === 2) ? { maxTiles: 1 } : {};
        let looks = isKept && i % 3 === 1 ? Math.floor(40 * random()) : Infinity;
        const update = updateWorld(world, { ...budget, ...(looks < Infinity && { isTimeUp: () => looks-- <= 0 }) });
        counts.changed += update.changedTileCount;
        let isCurrent = isKept && update.isIndexCurrent;
        if (!isKept && i % 3 === 1) updatePathIndex(index, navMesh, { tier, maxCorners: 40 });
        if (!isKept && i % 3 === 2) isCurrent = updatePathIndex(index, navMesh, { tier });
        counts.current += Number(isCurrent);
        for (let k = 0; k < PATHS; k++) {
          const text = `seed ${SEED}, operation ${i}, path ${k}`;
          const [a, b] = [placeOn(navMesh, random), placeOn(navMesh, random)];
          const want = findOptimalPath(navMesh, a, b, OPTIONS);
          const path = findIndexedPath(index, navMesh, a, b, { ...OPTIONS, withPolys: k % 2 === 0 });
          expect(path.status, text).toBe(want.status);
          if (want.status !== 'complete') continue;
          counts[path.source]++;
          expect(path.planarLength - want.planarLength, text).toBeGreaterThan(-EXACT * Math.max(1, want.planarLength));
          if (path.exact) expect(path.planarLength, text).toBeCloseTo(want.planarLength, 8);
          if (path.exact && path.source === 'index') counts.exact++;
          if (isCurrent && tier !== 'overlay') expect(path.exact, text).toBe(want.exact);
        }
      }
      expect(counts.changed).toBeGreaterThan(OPERATIONS / 2);
      expect(counts.index).toBeGreaterThan(OPERATIONS);
      expect(counts.exact).toBeGreaterThan(tier === 'overlay' ? 0 : OPERATIONS);
      expect(counts.search).toBeGreaterThan(0);
      expect(counts.current).toBeGreaterThan(OPERATIONS / 5);
      expect(counts.current).toBeLessThan(OPERATIONS);
    },
  );
});
