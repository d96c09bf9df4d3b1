/** A character that follows a path arrives, whatever happens on the way. */
import { describe, expect, it } from 'vitest';
import { crossLink, followPath, moveFollowerGoal, steerAlong } from '../../../../src/agents/corridor/follow.ts';
import type { PathFollower } from '../../../../src/agents/corridor/follow.ts';
import { validateCorridor } from '../../../../src/agents/corridor/validate.ts';
import { addLink } from '../../../../src/mesh/change/links.ts';
import { refOf } from '../../../../src/mesh/ref.ts';
import { findTile } from '../../../../src/mesh/tiles/tile-grid.ts';
import { addTile, removeTile } from '../../../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import { setFlags } from '../../../../src/query/area.ts';
import { createFilter } from '../../../../src/query/create-filter.ts';
import { findPath } from '../../../../src/query/path/find-path.ts';
import { gridTile, lShapeMesh, meshOf, ringMesh, seeded, storeysMesh } from '../../meshes.ts';
import { TILE, squaresTile, tiledMesh } from '../../mesh/tiled-meshes.ts';

type Point = number[];

/** Walks until it has arrived. Returns the distance walked. */
function walk(
  follower: PathFollower,
  mesh: NavMesh,
  from: Point,
  step: number = 0.1,
  each: (i: number, at: Point) => Point = (_, at) => at,
): { at: Point; length: number; steps: number } {
  let at = from;
  let length = 0;
  for (let i = 0; i < 3000; i++) {
    const steering = steerAlong(follower, mesh, at);
    expect(validateCorridor(follower.corridor, mesh), `step ${i}`).toEqual([]);
    if (steering.isAtGoal) return { at: steering.position, length, steps: i };
    if (steering.isAtLink) {
      const link = crossLink(follower, mesh)!;
      expect(link.link).toBe(steering.link);
      at = link.end;
      continue;
    }
    const { corner, position, distance } = steering;
    const share = distance > 0 ? Math.min(step, distance) / distance : 0;
    at = position.map((value, k) => value + share * (corner[k] - value));
    length += share * distance;
    at = each(i, at);
  }
  throw new Error(`not there after 3000 steps, but at ${at.join(', ')}`);
}

const plan = (a: Point, b: Point): number => Math.hypot(b[0] - a[0], b[2] - a[2]);

describe('a character on a path', () => {
  it('walks the length of the path, and searches once', () => {
    const mesh = lShapeMesh();
    const follower = followPath(mesh, [3.5, 0, 0.5], [0.5, 0, 5.5], { arriveDistance: 0.01 });
    const { length, at } = walk(follower, mesh, [3.5, 0, 0.5], 0.05);
    expect([follower.status, follower.searchCount]).toEqual(['complete', 1]);
    expect(length).toBeCloseTo(findPath(mesh, [3.5, 0, 0.5], [0.5, 0, 5.5]).length, 1);
    expect(plan(at, [0.5, 0, 5.5])).toBeLessThan(0.01);
  });

  it('reports the remaining length', () => {
    const mesh = ringMesh();
    const follower = followPath(mesh, { x: 0.5, y: 0, z: 1.5 }, [2.5, 0, 1.5]);
    const { left, distance, corner, ref, status } = steerAlong(follower, mesh, [0.5, 0, 1.5]);
    expect([status, ref, corner[0]]).toEqual(['complete', refOf(mesh, follower.corridor.corridor.polys[0]), 1]);
    expect(left).toBeCloseTo(findPath(mesh, [0.5, 0, 1.5], [2.5, 0, 1.5]).length, 1);
    expect(distance).toBeCloseTo(Math.hypot(0.5, 0.5), 12);
  });

  it('arrives although it is pushed around, seed 3', () => {
    const mesh = meshOf(gridTile(12, 12, (x, z) => (x + 2 * z) % 5 !== 0 || x === 0 || z === 0));
    const random = seeded(3);
    const follower = followPath(mesh, [0.5, 0, 0.5], [11.5, 0, 11.4]);
    const { at } = walk(follower, mesh, [0.5, 0, 0.5], 0.2, (_, [x, y, z]) => [
      x + random() - 0.5,
      y,
      z + random() - 0.5,
    ]);
    expect(plan(at, [11.5, 0, 11.4])).toBeLessThanOrEqual(0.4);
    expect(follower.searchCount).toBeLessThan(5);
  });

  it('follows a goal that moves, and one that jumps', () => {
    const mesh = meshOf(gridTile(10, 10));
    const follower = followPath(mesh, [0.5, 0, 0.5], [9.5, 0, 0.5]);
    const goal = [9.5, 0, 0.5];
    walk(follower, mesh, [0.5, 0, 0.5], 0.2, (i, at) => {
      if (i < 40) goal[2] += 0.2;
      expect(moveFollowerGoal(follower, mesh, goal)).toBe('complete');
      return at;
    });
    expect([follower.searchCount, [...follower.corridor.target].map((v) => v.toFixed(6))]).toEqual([
      1,
      ['9.500000', '0.000000', '8.500000'],
    ]);
    expect([moveFollowerGoal(follower, mesh, [0.5, 0, 9.5]), follower.searchCount]).toEqual(['complete', 2]);
    expect(moveFollowerGoal(follower, mesh, [50, 0, 50])).toBe('none');
    expect([follower.reason, steerAlong(follower, mesh, [9, 0, 8]).status]).toEqual(['end-off-mesh', 'none']);
    expect(moveFollowerGoal(follower, mesh, [5, 0, 5])).toBe('complete');
  });

  it('finds a new path after a teleport, a fall, or a change of its floor', () => {
    const mesh = storeysMesh();
    const follower = followPath(mesh, [0.5, 0, 0.5], [3.5, 0, 3.5]);
    expect(steerAlong(follower, mesh, [3.5, 0, 0.5]).position).toEqual([3.5, 0, 0.5]);
    expect(steerAlong(follower, mesh, [40, 0, 40])).toMatchObject({
      status: 'none',
      position: [40, 0, 40],
      ref: 0,
      isAtGoal: false,
    });
    expect(steerAlong(follower, mesh, [1.5, 0, 1.5])).toMatchObject({ status: 'complete', position: [1.5, 0, 1.5] });
    walk(follower, mesh, [1.5, 0, 1.5]);
  });

  it('crosses links, and reports none where there is none', () => {
    const mesh = meshOf(gridTile(9, 1, (x) => x !== 2 && x !== 6));
    addLink(mesh, { start: [1.7, 0, 0.5], end: [3.3, 0, 0.5] });
    const link = addLink(mesh, { start: [5.7, 0, 0.5], end: [7.3, 0, 0.5] });
    const follower = followPath(mesh, [0.5, 0, 0.5], [8.5, 0, 0.5]);
    expect(crossLink(followPath(mesh, [0.5, 0, 0.5], [1.5, 0, 0.5]), mesh)).toBeNull();
    let crossed = 0;
    walk(follower, mesh, [0.5, 0, 0.5], 0.1, (_, at) => {
      if (at[0] > 5 && at[0] < 7) crossed = link;
      return at;
    });
    expect([crossed, follower.searchCount]).toEqual([link, 1]);
  });
});

describe('a character on a mesh that changes', () => {
  it('goes around a new obstacle, and through a new opening', () => {
    const mesh = tiledMesh();
    for (let i = 0; i < 9; i++)
      addTile(
        mesh,
        squaresTile(
          i % 3,
          Math.floor(i / 3),
          0,
          3,
          () => true,
          () => 0,
        ),
      );
    const follower = followPath(mesh, [1, 0, 1], [3 * TILE - 1, 0, 1]);
    walk(follower, mesh, [1, 0, 1], 0.5, (i, at) => {
      if (i === 10) removeTile(mesh, findTile(mesh, 1, 0, 0));
      if (i === 30) removeTile(mesh, findTile(mesh, 1, 1, 0));
      if (i === 35) removeTile(mesh, findTile(mesh, 1, 2, 0));
      if (i === 35) expect(steerAlong(follower, mesh, at).status).toBe('partial');
      if (i === 140)
        expect(steerAlong(follower, mesh, at)).toMatchObject({ isAtEnd: true, isAtGoal: false, distance: 0 });
      if (i === 150)
        addTile(
          mesh,
          squaresTile(
            1,
            1,
            0,
            4,
            () => true,
            () => 0,
          ),
        );
      if (i === 70) {
        removeTile(mesh, findTile(mesh, 0, 0, 0));
        addTile(
          mesh,
          squaresTile(
            0,
            0,
            0,
            2,
            () => true,
            () => 0,
          ),
        );
      }
      return at;
    });
    expect(follower.status).toBe('complete');
  });

  it('leaves a polygon that was closed under it', () => {
    const mesh = meshOf(gridTile(5, 5));
    const filter = createFilter({ excludeFlags: 2 });
    const follower = followPath(mesh, [0.5, 0, 2.5], [4.5, 0, 2.5], { filter });
    const { at } = walk(follower, mesh, [0.5, 0, 2.5], 0.1, (i, place) => {
      if (i !== 5) return place;
      setFlags(mesh, refOf(mesh, 11), 2);
      setFlags(mesh, refOf(mesh, 10), 2);
      return [0.5, 0, 3.2];
    });
    expect(plan(at, [4.5, 0, 2.5])).toBeLessThanOrEqual(0.4);
  });

  it('refuses invalid points and options', () => {
    const mesh = ringMesh();
    expect(() => followPath(mesh, [NaN, 0, 0], [1, 0, 1])).toThrow(/followPath: from is \[NaN, 0, 0\]/);
    expect(() => followPath(mesh, [0, 0, 0], 5 as never)).toThrow(/followPath: to is 5/);
    expect(() => followPath(mesh, [0, 0, 0], [1, 0, 0], { arriveDistance: -1 })).toThrow(/arriveDistance is -1/);
    expect(() => followPath(mesh, [0, 0, 0], [1, 0, 0], { maxNodes: 0 })).toThrow(/maxNodes is 0/);
    expect(() => followPath(mesh, [0, 0, 0], [1, 0, 0], { near: 1 } as object)).toThrow(
      'followPath: options.near is unknown',
    );
    const follower = followPath(mesh, [0, 0, 0], [1, 0, 0]);
    expect(() => steerAlong(follower, mesh, [0, 0] as never)).toThrow(/steerAlong: position/);
    expect(() => moveFollowerGoal(follower, mesh, [0, Infinity, 0])).toThrow(/moveFollowerGoal: to/);
  });
});
