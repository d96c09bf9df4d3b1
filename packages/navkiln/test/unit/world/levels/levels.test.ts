/** Worlds of levels compared with a bake of all levels together, after each of many random edits. */
import { createLinks } from '../../../../src/build/voxel/link-list.ts';
import { Matrix4, Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { polyIndexOf, refOf } from '../../../../src/mesh/ref.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import { findPath } from '../../../../src/query/path/find-path.ts';
import { buildNavMesh } from '../../../../src/build/voxel/build.ts';
import type { BuildOptions, TriangleInput } from '../../../../src/build/voxel/options.ts';
import { isMirrored, placementMatrix, placePositions } from '../../../../src/base/data/placement.ts';
import type { LevelPlacement } from '../../../../src/base/data/placement.ts';
import { createWorld } from '../../../../src/world/levels/create.ts';
import { addLevel, getLevelBounds, listLevels, moveLevel, removeLevel } from '../../../../src/world/levels/levels.ts';
import { updateWorld } from '../../../../src/world/levels/update.ts';
import type { World } from '../../../../src/world/levels/types.ts';
import type { LevelBuilder, LevelPart } from '../../../../src/world/levels/builder.ts';
import { AGENT, seeded, tileOf } from '../../meshes.ts';
import { floor } from '../../build/voxel/levels.ts';
import {
  box,
  fresh,
  hills,
  randomPiece,
  randomPlacement,
  SET_OPTIONS,
  slotsOf,
  tilesOf,
  union,
} from './level-cases.ts';
import type { Piece, Placed } from './level-cases.ts';

/** Places of the tiles whose square and border a placed piece comes near, triangle by triangle and tile by tile. */
function touched({ piece, placement }: Placed, size: number, reach: number): Set<string> {
  const out = new Set<string>();
  const points = placePositions(piece.positions, placementMatrix(placement, 'test'));
  for (let t = 0; t < piece.indices.length; t += 3) {
    const xs = [0, 1, 2].map((k) => points[3 * piece.indices[t + k]]);
    const zs = [0, 1, 2].map((k) => points[3 * piece.indices[t + k] + 2]);
    const near = (values: number[]): number[] =>
      SQUARES.filter((i) => Math.max(...values) >= i * size - reach && Math.min(...values) < (i + 1) * size + reach);
    const across = near(zs);
    for (const x of near(xs)) for (const z of across) out.add(`${x},${z}`);
  }
  return out;
}

const SQUARES = Array.from({ length: 40 }, (_, i) => i - 20);
const EDITS = Number(process.env['NAVKILN_LEVEL_EDITS'] ?? 24);
const SEEDS = (process.env['NAVKILN_LEVEL_SEEDS'] ?? '1,2,3').split(',').map(Number);

describe('edits', () => {
  it.each(SEEDS)('give the mesh of one bake of all levels, seed %i', (seed) => {
    const random = seeded(seed);
    const set = createWorld(SET_OPTIONS);
    const levels = new Map<number, Placed>();
    let kept = 0;
    for (let edit = 0; edit < EDITS; edit++) {
      const before = slotsOf(set.navMesh);
      const ids = [...levels.keys()].sort((a, b) => a - b);
      const id = ids[Math.floor(random() * ids.length)];
      const near = new Set<string>();
      const reach = 6 * 0.25;
      const note = (placed: Placed): void => touched(placed, 4, reach).forEach((place) => near.add(place));
      const roll = random();
      if (id === undefined || (roll < 0.4 && ids.length < 12)) {
        const placed = { piece: randomPiece(random), placement: randomPlacement(random) };
        levels.set(addLevel(set, placed.piece, placed.placement), placed);
        note(placed);
      } else if (roll < 0.8) {
        const placed = levels.get(id)!;
        note(placed);
        placed.placement = randomPlacement(random);
        moveLevel(set, id, placed.placement);
        note(placed);
      } else {
        note(levels.get(id)!);
        removeLevel(set, id);
        levels.delete(id);
      }
      const height = set.navMesh.origin[1];
      const { rebuiltTiles, navMesh, pendingTileCount } = updateWorld(set);
      const what = `seed ${seed}, edit ${edit}`;
      expect(pendingTileCount).toBe(0);
      expect(validateNavMesh(navMesh), what).toEqual([]);
      expect(listLevels(set), what).toEqual([...levels.keys()].sort((a, b) => a - b));
      const inOrder = listLevels(set).map((one) => levels.get(one)!);
      const ours = tilesOf(navMesh);
      const theirs = fresh(inOrder, SET_OPTIONS, navMesh);
      expect([...ours.keys()].sort(), what).toEqual([...theirs.keys()].sort());
      for (const [place, text] of theirs) expect(ours.get(place) === text, `${what}, tile ${place}`).toBe(true);
      const rebuilt = new Set(rebuiltTiles.map((tile) => tile.join()));
      if (navMesh.origin[1] === height && edit > 0) expect([...rebuilt].sort(), what).toEqual([...near].sort());
      const after = slotsOf(navMesh);
      for (const [place, slot] of before) {
        if (rebuilt.has(place)) continue;
        expect(after.get(place), `${what}, tile ${place}`).toBe(slot);
        kept++;
      }
    }
    expect(kept).toBeGreaterThan(EDITS);
  });

  it('rebuilds all tiles when a level far below is added or removed', () => {
    const random = seeded(12);
    const levels = [1, 2, 3].map((x) => ({
      piece: hills(random, 6, 10, 1),
      placement: { position: [9 * x, 0.3 * x, x] },
    }));
    const set = createWorld(SET_OPTIONS);
    for (const { piece, placement } of levels) addLevel(set, piece, placement);
    const all = updateWorld(set).rebuiltTiles.length;
    const before = tilesOf(set.navMesh);
    expect(set.navMesh.origin[1]).toBe(-64);
    const deep = { piece: box(3, 1, 3), placement: { position: [60, -300, 0] } };
    const id = addLevel(set, deep.piece, deep.placement);
    const { rebuiltTiles } = updateWorld(set);
    expect(set.navMesh.origin[1]).toBe(-320);
    expect(rebuiltTiles.length).toBeGreaterThan(all);
    expect(tilesOf(set.navMesh)).toEqual(fresh([...levels, deep], SET_OPTIONS, set.navMesh));
    removeLevel(set, id);
    updateWorld(set);
    expect(set.navMesh.origin[1]).toBe(-64);
    expect(tilesOf(set.navMesh)).toEqual(before);
  });

  it('give the same mesh in any order and with any budget', () => {
    const random = seeded(9);
    const pieces = Array.from({ length: 5 }, () => ({
      piece: randomPiece(random),
      placement: randomPlacement(random),
    }));
    const straight = createWorld(SET_OPTIONS);
    for (const { piece, placement } of pieces) addLevel(straight, piece, placement);
    updateWorld(straight);
    const around = createWorld(SET_OPTIONS);
    const ids = pieces.map(({ piece }) => addLevel(around, piece, randomPlacement(random)));
    let updates = 0;
    for (const k of [3, 0, 4, 1, 2]) {
      moveLevel(around, ids[k], randomPlacement(random));
      updateWorld(around, { maxTiles: 5 });
      expect(validateNavMesh(around.navMesh)).toEqual([]);
      moveLevel(around, ids[k], pieces[k].placement);
    }
    for (let pending = 1; pending > 0; updates++) {
      let asked = 0;
      const { pendingTileCount, rebuiltTiles } = updateWorld(around, { isTimeUp: () => ++asked === 4 });
      expect(rebuiltTiles.length).toBeLessThanOrEqual(4);
      pending = pendingTileCount;
    }
    expect(updates).toBeGreaterThan(3);
    expect(tilesOf(around.navMesh)).toEqual(tilesOf(straight.navMesh));
    expect(updateWorld(around)).toMatchObject({ rebuiltTiles: [], changedTileCount: 0, warnings: [] });
  });

  it('give the mesh of buildNavMesh within bounds, with cells of any size', () => {
    const random = seeded(4);
    const bounds = { min: [-14.3, -4, -15.1], max: [17, 9, 14.2] };
    const options: BuildOptions = { cellSize: 0.3, cellHeight: 0.17, tileSize: 3.9, agent: { radius: 0.5 }, bounds };
    const set = createWorld(options);
    const levels = Array.from({ length: 12 }, () => ({
      piece: randomPiece(random),
      placement: randomPlacement(random),
    }));
    const ids = levels.map(({ piece }) => addLevel(set, piece, randomPlacement(random)));
    updateWorld(set);
    ids.forEach((id, i) => moveLevel(set, id, levels[i].placement));
    const { navMesh } = updateWorld(set);
    const whole = buildNavMesh(union(levels), options).navMesh;
    expect(navMesh.origin).toEqual(whole.origin);
    expect(whole.tileSlotCount).toBeGreaterThan(6);
    expect(tilesOf(navMesh)).toEqual(tilesOf(whole));
  });

  it('give the same mesh 200 km from the origin', () => {
    const ground = hills(seeded(6), 12, 20, 1.5);
    const near = createWorld(SET_OPTIONS);
    const far = createWorld(SET_OPTIONS);
    addLevel(near, ground, { position: [1, 0, 2] });
    addLevel(far, ground, { position: [1 + 204800, 0, 2 - 204800] });
    updateWorld(near);
    updateWorld(far);
    const outline = (mesh: NavMesh, by: number): string[] => [...tilesOf(mesh, -by / 4, by / 4).keys()].sort();
    expect(outline(far.navMesh, 204800)).toEqual(outline(near.navMesh, 0));
    expect(far.navMesh.polyCount).toBe(near.navMesh.polyCount);
    expect(far.navMesh.vertices.length).toBe(near.navMesh.vertices.length);
  });

  it('keep refs to polygons of tiles that do not change', () => {
    const set = createWorld(SET_OPTIONS);
    addLevel(set, floor(0, 0, 12, 12));
    // Below the surface: in the same tiles, without effect on them.
    const cellar = addLevel(set, box(1, 1, 1), { position: [5, -9, 5] });
    const { navMesh } = updateWorld(set);
    const refs = Array.from(navMesh.polyTile.subarray(0, navMesh.polyCount), (_, poly) => refOf(navMesh, poly));
    moveLevel(set, cellar, { position: [5, -8.5, 6] });
    const { rebuiltTiles, changedTileCount } = updateWorld(set);
    expect(rebuiltTiles.length).toBeGreaterThan(1);
    expect(changedTileCount).toBeLessThan(rebuiltTiles.length + 1);
    const stale = refs.filter((ref) => polyIndexOf(navMesh, ref) < 0).length;
    expect(stale === 0).toBe(changedTileCount === 0);
  });

  it('a door opens and closes a path', () => {
    const set = createWorld(SET_OPTIONS);
    addLevel(set, floor(0, 0, 20, 3));
    const status = (): string => findPath(updateWorld(set).navMesh, [1, 0, 1.5], [19, 0, 1.5]).status;
    expect(status()).toBe('complete');
    const door = addLevel(set, box(0.5, 3, 3), { position: [10, -0.1, 0] });
    expect(status()).toBe('partial');
    moveLevel(set, door, { position: [10, 4, 0] });
    expect(status()).toBe('complete');
    moveLevel(set, door, { position: [10, -0.1, 0] });
    expect(status()).toBe('partial');
    removeLevel(set, door);
    expect(status()).toBe('complete');
  });

  it('return the bounds of levels', () => {
    const set = createWorld(SET_OPTIONS);
    expect(getLevelBounds(set)).toBe(null);
    const one = addLevel(set, box(2, 1, 3), { position: [1, 2, 3], rotation: 90 });
    addLevel(set, { positions: [9, 9, 9, 8, 8, 8, 7, 7, 7, 1e6, 0, 0], indices: [0, 1, 2] });
    expect(getLevelBounds(set, one)).toEqual({ min: [1, 2, 1], max: [4, 3, 3] });
    expect(getLevelBounds(set)).toEqual({ min: [1, 2, 1], max: [9, 9, 9] });
    expect(getLevelBounds(set, 9)).toBe(null);
  });

  it('work with a builder of the caller', () => {
    const asked: string[] = [];
    const settings = { agent: AGENT, cellSize: 0, cellHeight: 0, tileSize: 2, origin: [1, 0, 0] };
    // A quad over each tile whose square a triangle that faces up touches; its height is that of the first corner.
    const build: LevelBuilder = {
      settings,
      reach: 0,
      prepareLevel: ({ positions, indices }) => ({
        indices,
        areas: new Uint8Array(indices.length / 3).fill(63),
        warnings: [],
        minY: Math.min(...positions),
        maxY: Math.max(...positions),
      }),
      fitHeight: () => ({ isMoved: false, warnings: [] }),
      buildTile(x, z, parts) {
        asked.push(`${x},${z}:${parts.map(({ from, to }) => to - from).join('+')}`);
        if (parts.length === 0) return { tile: null, warnings: [] };
        const [{ positions, indices, list, from }] = parts as [LevelPart];
        const y = positions[3 * indices[3 * list[from]] + 1];
        const [x0, z0] = [1 + 2 * x, 2 * z];
        const corners = [
          [x0, y, z0],
          [x0, y, z0 + 2],
          [x0 + 2, y, z0 + 2],
          [x0 + 2, y, z0],
        ];
        return { tile: tileOf(corners, [{ corners: [0, 1, 2, 3] }], { x, z }), warnings: [] };
      },
    };
    const set = createWorld({ build });
    const id = addLevel(set, { positions: [1.5, 5, -1.5, 1.5, 5, 0.5, 2.5, 5, -1.5] });
    addLevel(set, { positions: [1.5, 6, -1.5, 1.5, 6, -0.5, 2.5, 6, -1.5] });
    updateWorld(set);
    expect(asked).toEqual(['0,-1:1+1', '0,0:1']);
    expect(Array.from(set.navMesh.vertices.subarray(0, 3))).toEqual([1, 5, -2]);
    removeLevel(set, id);
    updateWorld(set);
    expect(asked.slice(2)).toEqual(['0,-1:1', '0,0:']);
    expect(slotsOf(set.navMesh).size).toBe(1);
    expect(validateNavMesh(set.navMesh)).toEqual([]);
  });

  it('keep links, which attach to rebuilt tiles', () => {
    const links = [{ start: [2, 0, 2], end: [8, 0, 2] }];
    const set = createWorld({ ...SET_OPTIONS, links: createLinks(links) });
    addLevel(set, floor(0, 0, 4, 4));
    const right = addLevel(set, floor(6, 0, 10, 4));
    const status = (): string => findPath(updateWorld(set).navMesh, [1, 0, 1], [9, 0, 3]).status;
    expect(status()).toBe('complete');
    removeLevel(set, right);
    expect(status()).not.toBe('complete');
    addLevel(set, floor(6, 0, 10, 4));
    expect(status()).toBe('complete');
  });
});

describe('placements', () => {
  it('equal those of three.js', () => {
    const random = seeded(21);
    for (let i = 0; i < 200; i++) {
      const p = [0, 0, 0].map(() => 100 * (random() - 0.5)) as [number, number, number];
      const s = [0, 0, 0].map(() => 3 * (random() - 0.5) + 1e-3) as [number, number, number];
      const r = (i % 2 === 0 ? [0, 0, 0] : [0, 0, 0, 0]).map(() =>
        i % 2 === 0 ? 720 * (random() - 0.5) : random() - 0.5,
      );
      const q = new Quaternion(r[0], r[1], r[2], r[3]).normalize();
      if (r.length === 3) {
        const [x, y, z] = r.map((degrees, k) =>
          new Quaternion().setFromAxisAngle(new Vector3().setComponent(k, 1), (degrees * Math.PI) / 180),
        );
        q.identity().multiply(z!).multiply(y!).multiply(x!);
      }
      const matrix = new Matrix4().compose(new Vector3(...p), q, new Vector3(...s));
      const points = Array.from({ length: 30 }, () => 50 * (random() - 0.5));
      const swapYZ = i % 3 === 0;
      const ours = placePositions(points, placementMatrix({ position: p, rotation: r, scale: s, swapYZ }, 'test'));
      const given = placePositions(points, placementMatrix({ matrix: matrix.elements }, 'test'));
      for (let k = 0; k < points.length; k += 3) {
        const [x, y, z] = points.slice(k, k + 3) as [number, number, number];
        const theirs = (swapYZ ? new Vector3(x, z, -y) : new Vector3(x, y, z)).applyMatrix4(matrix);
        theirs.toArray().forEach((value, axis) => expect(ours[k + axis]).toBeCloseTo(value, 10));
        new Vector3(x, y, z)
          .applyMatrix4(matrix)
          .toArray()
          .forEach((value, axis) => expect(given[k + axis]).toBeCloseTo(value, 10));
      }
      expect(isMirrored(placementMatrix({ scale: s, rotation: r }, 'test'))).toBe(s[0] * s[1] * s[2] < 0);
    }
  });

  it('rotate by quarter turns exactly', () => {
    const turned = (placement: LevelPlacement): number[] => [
      ...placePositions([1, 2, 3], placementMatrix(placement, 'test')),
    ];
    expect(turned({ rotation: 90 })).toEqual([3, 2, -1]);
    expect(turned({ rotation: [90, 0, 0] })).toEqual([1, -3, 2]);
    expect(turned({ rotation: [0, 0, -270] })).toEqual([-2, 1, 3]);
    expect(turned({ swapYZ: true })).toEqual([1, 3, -2]);
    expect(turned({ scale: -2, position: [1, 1, 1] })).toEqual([-1, -3, -5]);
  });

  it('keep the upper side when they mirror', () => {
    for (const scale of [
      [-1, 1, 1],
      [1, 1, -2],
      [-1, -1, -1],
      [1, -1, 1],
    ]) {
      const set = createWorld(SET_OPTIONS);
      addLevel(set, box(8, 1, 8), { scale });
      updateWorld(set);
      expect(set.navMesh.polyCount).toBeGreaterThan(0);
      const top = Math.max(0, scale[1]);
      const heights = set.navMesh.vertices.slice(0, 3 * set.navMesh.vertexCount).filter((_, i) => i % 3 === 1);
      expect(heights.every((y) => Math.abs(y - top) < 0.2)).toBe(true);
    }
  });
});

describe('stale and unknown ids', () => {
  it('give false or null', () => {
    const set = createWorld(SET_OPTIONS);
    const id = addLevel(set, floor(0, 0, 4, 4));
    expect(moveLevel(set, id, { position: [1, 0, 0] })).toBe(true);
    expect([removeLevel(set, id), removeLevel(set, id)]).toEqual([true, false]);
    expect(moveLevel(set, id, {})).toBe(false);
    for (const unknown of [id, 0, -1, 7.5, NaN, 1e300]) {
      expect(getLevelBounds(set, unknown)).toBe(null);
      expect(removeLevel(set, unknown)).toBe(false);
    }
    expect(addLevel(set, floor(0, 0, 4, 4))).not.toBe(id);
  });
});

describe('what is refused', () => {
  const set = createWorld(SET_OPTIONS);
  const ground = floor(0, 0, 4, 4);
  it.each([
    [{ scale: 0 }, /^addLevel: placement\.scale is 0; must be finite, with at most one axis scaled to 0/],
    [{ scale: [1, 0, 0] }, /placement\.scale is \[1, 0, 0\]/],
    [{ scale: [1, NaN, 1] }, /placement\.scale is \[1, NaN, 1\]; must be 3 finite numbers/],
    [{ position: [1, Infinity, 0] }, /placement\.position is \[1, Infinity, 0\]/],
    [{ position: [1, 2] }, /placement\.position is \[1, 2\]; must be 3 finite numbers/],
    [{ rotation: [0, 0] }, /placement\.rotation is \[0, 0\]; must be 3 or 4 finite numbers/],
    [{ rotation: [0, 0, 0, 0] }, /placement\.rotation is \[0, 0, 0, 0\]; must be a quaternion/],
    [{ rotation: NaN }, /placement\.rotation/],
    [{ matrix: [1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] }, /placement\.matrix is .*one axis scaled to 0/],
    [{ matrix: [1, 2] }, /placement\.matrix is \[1, 2\]; must be 16 finite numbers/],
    [
      { matrix: new Matrix4().elements, scale: 2 },
      /placement\.scale is 2; must be absent when placement\.matrix is set/,
    ],
    [{ matrix: new Matrix4().makePerspective(-1, 1, 1, -1, 1, 9).elements }, /affine/],
    [{ postion: [0, 0, 0] }, /^addLevel: placement\.postion is unknown; known keys: position, rotation/],
    [{ swapYZ: 1 }, /placement\.swapYZ is 1; must be true or false/],
    [3, /^addLevel: placement is 3; must be an object/],
  ] as [LevelPlacement, RegExp][])('placement %o', (placement, message) => {
    expect(() => addLevel(set, ground, placement)).toThrow(message);
    expect(listLevels(set)).toEqual([]);
  });

  it('invalid levels, ids that are no numbers, options without tiles', () => {
    expect(() => addLevel(set, { positions: [0, 0, 0], indices: [0, 1, 2] })).toThrow(
      /^addLevel: input\.indices\[1\] is 1; must be a whole number from 0 to 0/,
    );
    expect(() => addLevel(set, null as never)).toThrow(/^addLevel: input is null; must be an object/);
    expect(() => addLevel(set, floor(0, 0, 1e9, 1e9))).toThrow(
      /^addLevel: the number of tiles that the level touches is .* larger tileSize than 4|too large/,
    );
    expect(() => addLevel(set, ground, { position: [1e12, 0, 0] })).toThrow(
      /^addLevel: the level's distance is .* from the origin/,
    );
    expect(() => moveLevel(set, 'a' as never, {})).toThrow(/^moveLevel: id is "a"; must be a number$/);
    expect(() => removeLevel(set, null as never)).toThrow(/^removeLevel: id is null; must be a number$/);
    expect(() => getLevelBounds(set, {} as never)).toThrow(/^getLevelBounds: id is an object; must be a number$/);
    expect(() => updateWorld(set, { tiles: 1 } as never)).toThrow(/^updateWorld: budget\.tiles is unknown/);
    expect(() => updateWorld(set, { maxTiles: 0 })).toThrow(/^updateWorld: budget\.maxTiles is 0; must be 1 or more$/);
    expect(() => createWorld({})).toThrow(/^createWorld: options\.tileSize is undefined; must be the side/);
    expect(() => createWorld({ tileSize: 4, cellsize: 1 } as never)).toThrow(
      /^createWorld: options\.cellsize is unknown/,
    );
    expect(() => createWorld({ tileSize: 4, build: 'voxels' as never })).toThrow(
      /options\.build is "voxels"; must be 'voxel' or a LevelBuilder/,
    );
    expect(() => createWorld({ ...SET_OPTIONS, links: createLinks([{ start: [0, 0, 0] } as never]) })).toThrow(
      /^createWorld: options\.links\[0\]/,
    );
    const strict = createWorld({ ...SET_OPTIONS, strict: true });
    expect(() => addLevel(strict, { positions: [0, 0, 0, 1, 0, 1, NaN, 0, 0] })).toThrow(/invalid-positions/);
  });

  it('warnings are reported once with the level, and the rest is built', () => {
    const odd = createWorld(SET_OPTIONS);
    addLevel(odd, ground);
    const bad = addLevel(odd, {
      positions: [0, 0, 0, 0, 0, 1, NaN, 0, 0, 2, 0, 2, 2, 0, 2, 2, 0, 2],
      indices: [0, 1, 2, 3, 4, 5],
    });
    const flipped = addLevel(odd, floor(10, 0, 20, 4), { matrix: [1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1] });
    addLevel(odd, { positions: [], indices: [] });
    const wall = addLevel(odd, { positions: [0, 0, 0, 0, 2, 0, 1, 0, 0], indices: [0, 1, 2] });
    const { warnings, navMesh } = updateWorld(odd);
    expect(warnings.map(({ code, count, where }) => [code, count, where])).toEqual([
      ['invalid-positions', 1, { level: bad, triangle: 0 }],
      ['degenerate-triangles', 1, { level: bad, triangle: 0 }],
      ['no-walkable-triangles', 2, { level: flipped }],
    ]);
    expect(warnings[2].message).toMatch(
      /^level 3: none of 2 triangles is walkable: 2 flat triangles face down .*reverse their winding.*twoSided/,
    );
    expect(wall).toBe(5);
    expect(navMesh.polyCount).toBeGreaterThan(0);
    expect(updateWorld(odd).warnings).toEqual([]);
    moveLevel(odd, bad, { position: [1, 0, 0] });
    expect(updateWorld(odd).warnings.map(({ code }) => code)).toEqual(['invalid-positions', 'degenerate-triangles']);
    // Nobody hears of what was put right before the update.
    moveLevel(odd, bad, { position: [2, 0, 0] });
    removeLevel(odd, bad);
    expect(updateWorld(odd).warnings).toEqual([]);
    const tall: World = createWorld(SET_OPTIONS);
    addLevel(tall, floor(0, 0, 4, 4));
    addLevel(tall, floor(0, 0, 4, 4), { position: [0, 2000, 0] });
    expect(updateWorld(tall).warnings.map(({ code }) => code)).toEqual(['height-clamped']);
  });
});

describe('two-sided and flattened levels', () => {
  const ground = floor(0, 0, 12, 8);
  const meshOf = (input: TriangleInput, placement: LevelPlacement = {}): NavMesh => {
    const set = createWorld(SET_OPTIONS);
    addLevel(set, input, placement);
    const { navMesh, warnings } = updateWorld(set);
    expect(warnings).toEqual([]);
    expect(validateNavMesh(navMesh)).toEqual([]);
    return navMesh;
  };
  const plain = tilesOf(meshOf(ground));

  it.each([
    ['flipped', { scale: [1, -1, 1] }],
    ['turned over by half a turn about z', { rotation: [0, 0, 180], position: [12, 0, 0] }],
    ['mirrored and turned over', { scale: [-1, 1, 1], rotation: [0, 0, 180] }],
  ] as const)('a two-sided level is walkable %s', (_, placement) => {
    expect(tilesOf(meshOf({ ...ground, twoSided: true }, placement))).toEqual(plain);
    expect(tilesOf(meshOf({ ...ground, twoSided: [1, 1] }, placement))).toEqual(plain);
    const oneSided = createWorld(SET_OPTIONS);
    addLevel(oneSided, ground, placement);
    expect(updateWorld(oneSided)).toMatchObject({ navMesh: { polyCount: 0 }, warnings: [{ where: { level: 1 } }] });
  });

  it('a one-sided triangle of a two-sided level keeps its side', () => {
    const set = createWorld(SET_OPTIONS);
    addLevel(set, { ...ground, twoSided: [1, 0] }, { scale: [1, -1, 1] });
    const { navMesh } = updateWorld(set);
    expect(findPath(navMesh, [2, 0, 6], [4, 0, 7]).status).toBe('complete');
    expect(findPath(navMesh, [2, 0, 6], [10, 0, 2]).status).not.toBe('complete');
    expect(() => addLevel(set, { ...ground, twoSided: [1] })).toThrow(
      /^addLevel: input\.twoSided is \[1\]; must be true, false or 2 values, one per triangle$/,
    );
  });

  it('a flat floor scaled by [50, 0, 50] is a floor', () => {
    const unit = floor(-0.2, -0.2, 0.2, 0.2);
    const wanted = tilesOf(meshOf(unit, { scale: 50 }));
    expect(wanted.size).toBeGreaterThan(0);
    expect(tilesOf(meshOf(unit, { scale: [50, 0, 50] }))).toEqual(wanted);
    const matrix = new Matrix4().makeScale(50, 0, 50).elements;
    expect(tilesOf(meshOf(unit, { matrix }))).toEqual(wanted);
    // A solid that is flattened keeps its top.
    const crate = box(0.4, 3, 0.4);
    expect(meshOfFlat(crate).polyCount).toBeGreaterThan(0);
  });

  function meshOfFlat(piece: Piece): NavMesh {
    const set = createWorld(SET_OPTIONS);
    addLevel(set, piece, { scale: [50, 0, 50] });
    const { navMesh, warnings } = updateWorld(set);
    expect(warnings.map(({ code }) => code)).toEqual(['degenerate-triangles']);
    return navMesh;
  }

  it('a level whose flat area mostly faces down is reported with the remedy', () => {
    const set = createWorld(SET_OPTIONS);
    addLevel(set, {
      positions: [...floor(0, 0, 12, 8).positions, ...floor(20, 0, 22, 2).positions],
      indices: [0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7],
    });
    const { warnings } = updateWorld(set);
    expect(warnings).toMatchObject([{ code: 'flipped-winding', stage: 'slope', count: 2, where: { level: 1 } }]);
    expect(warnings[0].message).toMatch(
      /face down \(96\.0 square units, 4\.00 face up\): reverse their winding.*twoSided/,
    );
  });
});
