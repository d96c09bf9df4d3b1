/** Sets of levels with surface tiles: after each edit the mesh equals that of `buildFromSurface` over all levels. */
import { describe, expect, it } from 'vitest';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import { findPath } from '../../../../src/query/path/find-path.ts';
import { buildFromSurface } from '../../../../src/build/surface/build.ts';
import type { SurfaceLevel, SurfaceOptions } from '../../../../src/build/surface/options.ts';
import { isMirrored, placementMatrix, placePositions } from '../../../../src/base/data/placement.ts';
import type { LevelPlacement } from '../../../../src/base/data/placement.ts';
import { createSurfaceWorld } from '../../../../src/world/levels/surface.ts';
import { addLevel, listLevels, moveLevel, removeLevel } from '../../../../src/world/levels/levels.ts';
import { addObstacle } from '../../../../src/world/levels/obstacles.ts';
import { updateWorld } from '../../../../src/world/levels/update.ts';
import { seeded } from '../../meshes.ts';
import { floor } from '../../build/voxel/levels.ts';
import { box, hills, randomPiece, slotsOf, tilesOf } from './level-cases.ts';
import type { Piece } from './level-cases.ts';

interface Placed {
  piece: Piece;
  placement: LevelPlacement;
}

const EDITS = Number(process.env['NAVKILN_LEVEL_EDITS'] ?? 12);
const SEEDS = (process.env['NAVKILN_LEVEL_SEEDS'] ?? '1,2').split(',').map(Number);

function placed({ piece, placement }: Placed): SurfaceLevel {
  const matrix = placementMatrix(placement, 'test');
  const order = isMirrored(matrix) ? [0, 2, 1] : [0, 1, 2];
  const indices = piece.indices.map((_, i) => piece.indices[i - (i % 3) + order[i % 3]]);
  const level: SurfaceLevel = { positions: placePositions(piece.positions, matrix), indices };
  return piece.areas === undefined ? level : { ...level, areas: piece.areas };
}

function fresh(levels: Placed[], options: SurfaceOptions): Map<string, string> {
  return tilesOf(buildFromSurface(levels.map(placed), options).navMesh);
}

/** Most lie straight, so that their edges meet those of others. */
function placement(random: () => number): LevelPlacement {
  const about = (width: number): number => Math.round(8 * (random() - 0.5) * width) / 8;
  const kind = random();
  const rotation =
    kind < 0.6 ? 90 * Math.floor(4 * random()) : kind < 0.8 ? 360 * random() : [about(20), about(360), about(20)];
  return { position: [about(24), about(1.5), about(24)], rotation, scale: kind < 0.1 ? [1, 1, -1] : 1 };
}

function piece(random: () => number): Piece {
  const side = (): number => Math.ceil(16 * random()) / 2;
  const kind = random();
  if (kind < 0.3) return box(side(), 0.25 + 2 * random() * random(), side());
  return kind < 0.6 ? (floor(0, 0, side(), side()) as Piece) : randomPiece(random);
}

function edit(seed: number, options: SurfaceOptions): void {
  const random = seeded(seed);
  const set = createSurfaceWorld(options);
  const levels = new Map<number, Placed>();
  let kept = 0;
  for (let k = 0; k < EDITS; k++) {
    const before = slotsOf(set.navMesh);
    const ids = [...levels.keys()].sort((a, b) => a - b);
    const id = ids[Math.floor(random() * ids.length)];
    const roll = random();
    if (id === undefined || (roll < 0.5 && ids.length < 12)) {
      const one = { piece: piece(random), placement: placement(random) };
      levels.set(addLevel(set, one.piece, one.placement), one);
    } else if (roll < 0.85) {
      levels.get(id)!.placement = placement(random);
      moveLevel(set, id, levels.get(id)!.placement);
    } else {
      removeLevel(set, id);
      levels.delete(id);
    }
    const { rebuiltTiles, navMesh } = updateWorld(set);
    const what = `seed ${seed}, edit ${k}`;
    expect(validateNavMesh(navMesh), what).toEqual([]);
    const ours = tilesOf(navMesh);
    const theirs = fresh(
      listLevels(set).map((one) => levels.get(one)!),
      options,
    );
    expect([...ours.keys()].sort(), what).toEqual([...theirs.keys()].sort());
    for (const [place, text] of theirs) expect(ours.get(place) === text, `${what}, tile ${place}`).toBe(true);
    const rebuilt = new Set(rebuiltTiles.map((tile) => tile.join()));
    const after = slotsOf(navMesh);
    for (const [place, slot] of before) {
      if (rebuilt.has(place)) continue;
      expect(after.get(place), `${what}, tile ${place}`).toBe(slot);
      kept++;
    }
  }
  expect(kept).toBeGreaterThan(EDITS);
}

describe('a solid as a level', () => {
  it.each([0, 0.4])('closes a passage like an obstacle, radius %f', (radius) => {
    const world = createSurfaceWorld({ tileSize: 5, agent: { radius, height: 1.8, maxClimb: 0.4 } });
    addLevel(world, floor(0, 0, 12, 6));
    const lengthOf = (): number => {
      updateWorld(world);
      expect(validateNavMesh(world.navMesh)).toEqual([]);
      const path = findPath(world.navMesh, [2, 0, 3], [10, 0, 3], { halfExtents: [0.2, 0.5, 0.2] });
      return path.status === 'complete' ? path.length : Infinity;
    };
    expect(() => addObstacle(world, { type: 'box', size: [1, 2, 6] })).toThrow(
      /pass the triangles of the obstacle to addLevel/,
    );
    expect(lengthOf()).toBeCloseTo(8, 9);
    const open = tilesOf(world.navMesh);
    const crate = addLevel(world, box(1, 2, 6), { position: [6, 0, 0] });
    expect(lengthOf()).toBe(Infinity);
    moveLevel(world, crate, { position: [6, 0, -2] });
    // Past a corner at z = 4, and the radius around it.
    expect(lengthOf()).toBeGreaterThan(2 * Math.hypot(3.5, 1 + radius) + 0.9);
    expect(lengthOf()).toBeLessThan(9);
    removeLevel(world, crate);
    expect(lengthOf()).toBeCloseTo(8, 9);
    expect(tilesOf(world.navMesh)).toEqual(open);
  });
});

describe('edits', () => {
  it.each(SEEDS)('give the surface mesh of all levels at once, seed %i', (seed) => {
    // Without walls, the defaults of `maxGap` differ.
    edit(seed, { agent: { maxClimb: 0.4 }, tileSize: 4, clearance: true, maxGap: 0.09 });
  });

  it('also with a radius and another grid', () => {
    edit(SEEDS[0] + 10, { agent: { radius: 0.3, maxClimb: 0.3 }, tileSize: 5.3, clearance: true, mergeDegrees: 5 });
  });

  it('a door opens and closes a path', () => {
    const set = createSurfaceWorld({ tileSize: 4 });
    addLevel(set, floor(0, 0, 20, 3));
    const status = (): string => findPath(updateWorld(set).navMesh, [1, 0, 1.5], [19, 0, 1.5]).status;
    expect(status()).toBe('complete');
    const door = addLevel(set, box(0.5, 3, 3), { position: [10, -0.1, 0] });
    expect(status()).toBe('partial');
    moveLevel(set, door, { position: [10, 4, 0] });
    expect(status()).toBe('complete');
    moveLevel(set, door, { position: [12, 0, 0] });
    expect(status()).toBe('partial');
    removeLevel(set, door);
    expect(status()).toBe('complete');
  });

  it('remove small islands that lie within one tile', () => {
    const set = createSurfaceWorld({ tileSize: 4, islandMinArea: 2 });
    addLevel(set, floor(1, 1, 2, 2));
    addLevel(set, floor(3.5, 1, 4.5, 2), { position: [0, 5, 0] });
    const { navMesh } = updateWorld(set);
    expect([...slotsOf(navMesh).keys()].sort()).toEqual(['0,0', '1,0']);
    expect(areaOf(navMesh)).toBe(1);
  });

  it('reports warnings and refuses invalid input', () => {
    expect(() => createSurfaceWorld({})).toThrow(/options\.tileSize is undefined/);
    expect(() => createSurfaceWorld({ tileSize: 4, cellSize: 1 } as never)).toThrow(/options\.cellSize is unknown/);
    const set = createSurfaceWorld({ tileSize: 4 });
    expect(() => addLevel(set, { positions: [0, 0, 0], indices: [0, 0, 1] })).toThrow(/^addLevel: .*integers below 1/);
    const id = addLevel(set, hills(seeded(1), 4, 8, 0.2), { position: [0, 0, 0], rotation: [180, 0, 0] });
    expect(updateWorld(set).warnings).toMatchObject([{ code: 'no-walkable-triangles', where: { level: id } }]);
    addLevel(set, { positions: [0, 0, 0, NaN, 0, 1, 1, 0, 0, 0, 9, 0, 0, 9, 3, 3, 9, 0], indices: [0, 1, 2, 3, 4, 5] });
    expect(updateWorld(set).warnings).toMatchObject([{ code: 'invalid-positions', count: 1, where: { triangle: 0 } }]);
    expect(set.navMesh.polyCount).toBeGreaterThan(0);
  });
});

/** Seen from above. */
function areaOf(mesh: NavMesh): number {
  let double = 0;
  for (let p = 0; p < mesh.polyCount; p++) {
    const count = mesh.polyVertexCount[p];
    for (let k = 0; k < count; k++) {
      const [a, b] = [k, (k + 1) % count].map((i) => 3 * mesh.edgeVertex[mesh.polyEdgeStart[p] + i]) as [
        number,
        number,
      ];
      double += mesh.vertices[a + 2] * mesh.vertices[b] - mesh.vertices[a] * mesh.vertices[b + 2];
    }
  }
  return double / 2;
}
