/** Mesh that nothing leads to, left out in bakes, in tiles and in worlds. */
import { describe, expect, it } from 'vitest';
import { validateNavMesh } from '../../../src/mesh/validate.ts';
import { createRandom, nextRandom } from '../../../src/base/data/random.ts';
import { createKeepReachable } from '../../../src/query/keep-reachable.ts';
import { pruneUnreachable } from '../../../src/query/flood/prune.ts';
import { findClosedRooms } from '../../../src/show/diagnose/closed-rooms.ts';
import { findIslands } from '../../../src/query/islands.ts';
import { findPath } from '../../../src/query/path/find-path.ts';
import { buildNavMesh } from '../../../src/build/voxel/build.ts';
import { createWorld } from '../../../src/world/levels/create.ts';
import { addLevel } from '../../../src/world/levels/levels.ts';
import { addObstacle, removeObstacle } from '../../../src/world/levels/obstacles.ts';
import { updateWorld } from '../../../src/world/levels/update.ts';
import { joinParts, part, slab } from '../base/data/parts.ts';

const OPTIONS = { agent: { radius: 0.3 } };
/** A floor with a solid that is hollow: its bottom face is turned up. */
const hollow = joinParts([
  slab([0, -1, 0], [30, 0, 30]),
  slab([10, 0, 10], [20, 4, 20], { isInward: true }),
  part.plane(10, 10, 10, 10),
]);

describe('mesh that nothing leads to', () => {
  it.each([0, 6])('is found and left out, tile size %d', (tileSize) => {
    const { navMesh } = buildNavMesh(hollow, { ...OPTIONS, tileSize });
    const rooms = findClosedRooms(hollow, navMesh);
    expect(rooms).toHaveLength(1);
    expect(rooms[0]!.area).toBeGreaterThan(60);
    const { x, z } = { x: rooms[0]!.position[0], z: rooms[0]!.position[2] };
    expect(x > 10 && x < 20 && z > 10 && z < 20).toBe(true);
    const before = findIslands(navMesh).islands.length;
    createKeepReachable([[5, 0, 5]]).prune(navMesh);
    expect(findIslands(navMesh).islands.length).toBeLessThan(before);
    expect(findClosedRooms(hollow, navMesh)).toEqual([]);
    expect(findPath(navMesh, [5, 0, 5], [15, 0, 15]).reason).toBe('end-off-mesh');
  });

  it('is none in a room with a doorway', () => {
    const open = joinParts([
      slab([0, -1, 0], [30, 0, 30]),
      slab([10, 0, 10], [20, 4, 20], { isInward: true, without: ['-x'] }),
    ]);
    expect(findClosedRooms(open, buildNavMesh(open, OPTIONS).navMesh)).toEqual([]);
  });

  it('follows a world: a wall closes a room, and opens it again', () => {
    const world = createWorld({ ...OPTIONS, tileSize: 6 });
    addLevel(world, joinParts([slab([0, -1, 0], [30, 0, 6])]));
    const kept = createKeepReachable([[2, 0, 3]]);
    const update = (): void => {
      kept.restore(world.navMesh);
      updateWorld(world);
      kept.prune(world.navMesh);
    };
    update();
    expect(kept.result!.prunedCount).toBe(0);
    const wall = addObstacle(world, { type: 'box', size: [1, 4, 8], position: [15, 1, 3] });
    update();
    expect(kept.result!.prunedCount).toBeGreaterThan(0);
    expect(findIslands(world.navMesh).islands).toHaveLength(1);
    removeObstacle(world, wall);
    update();
    expect(kept.result!.prunedCount).toBe(0);
    expect(findPath(world.navMesh, [2, 0, 3], [28, 0, 3]).status).toBe('complete');
  });

  it.each(Array.from({ length: 8 }, (_, i) => i + 1))('equals a fresh mesh after random walls, seed %i', (seed) => {
    const random = createRandom(seed);
    const between = (min: number, max: number): number => min + (max - min) * nextRandom(random);
    const world = createWorld({ ...OPTIONS, tileSize: 6 });
    addLevel(world, joinParts([slab([0, -1, 0], [24, 0, 24])]));
    const point: [number, number, number] = [2, 0, 2];
    const kept = createKeepReachable([point]);
    const walls: number[] = [];
    for (let step = 0; step < 12; step++) {
      if (walls.length > 3 && nextRandom(random) < 0.5)
        removeObstacle(world, walls.splice(Math.floor(between(0, walls.length)), 1)[0]!);
      else {
        const size = nextRandom(random) < 0.5 ? [0.6, 3, 30] : [30, 3, 0.6];
        walls.push(addObstacle(world, { type: 'box', size, position: [between(4, 22), 1, between(4, 22)] }));
      }
      kept.restore(world.navMesh);
      updateWorld(world);
      kept.prune(world.navMesh);
      expect(validateNavMesh(world.navMesh)).toEqual([]);
      // The same as leaving out from a mesh that was never pruned.
      const left = kept.result!.keptCount;
      kept.restore(world.navMesh);
      const fresh = pruneUnreachable(structuredClone(world.navMesh), [point]);
      expect(fresh.keptCount).toBe(left);
      kept.prune(world.navMesh);
    }
  });
});
