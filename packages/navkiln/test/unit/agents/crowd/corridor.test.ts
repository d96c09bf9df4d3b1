/** Corridors: each operation on meshes so small that the result is known. */
import { describe, expect, it } from 'vitest';
import { validateCorridor } from '../../../../src/agents/corridor/validate.ts';
import {
  moveCorridorOverLink,
  moveCorridorPosition,
  moveCorridorTarget,
} from '../../../../src/agents/corridor/move.ts';
import { optimizeCorridorTopology, optimizeCorridorVisibility } from '../../../../src/agents/corridor/optimize.ts';
import { closestPointOnPoly } from '../../../../src/mesh/ground.ts';
import {
  fixCorridorStart,
  isCorridorValid,
  rebaseCorridor,
  trimCorridor,
} from '../../../../src/agents/corridor/rebase.ts';
import { copyCorridor, resetCorridor, setCorridor } from '../../../../src/agents/corridor/corridor.ts';
import { createPathCorridor } from '../../../../src/agents/corridor/types.ts';
import type { PathCorridor } from '../../../../src/agents/corridor/types.ts';
import { createCorridorCorners, findCorridorCorners } from '../../../../src/agents/corridor/corners.ts';
import { CORNER_GOAL, CORNER_LINK, CORNER_TURN } from '../../../../src/agents/corridor/types.ts';
import { addLink, removeLink, setLinkEnabled } from '../../../../src/mesh/change/links.ts';
import { refOf } from '../../../../src/mesh/ref.ts';
import { addTile, removeTile } from '../../../../src/mesh/change/tiles.ts';
import { findTile } from '../../../../src/mesh/tiles/tile-grid.ts';
import type { NavMesh, TileData } from '../../../../src/mesh/types.ts';
import { findCorridor } from '../../../../src/query/path/a-star.ts';
import { createCorridor } from '../../../../src/query/path/corridor.ts';
import { setFlags } from '../../../../src/query/area.ts';
import { createFilter } from '../../../../src/query/create-filter.ts';
import { DEFAULT_FILTER } from '../../../../src/query/filter.ts';
import type { QueryFilter } from '../../../../src/query/filter.ts';
import { createRayHit } from '../../../../src/query/ray/hit.ts';
import { createSearchState } from '../../../../src/query/search-state.ts';
import { createSlide, moveAlongSurfaceInto } from '../../../../src/query/walk/slide.ts';
import { gridTile, meshOf, ringMesh, seeded, stripMesh } from '../../meshes.ts';
import { TILE, squaresTile, tiledMesh } from '../../mesh/tiled-meshes.ts';

const slide = createSlide();
const state = createSearchState();
const found = createCorridor();
const at = (x: number, z: number, y: number = 0): Float64Array => Float64Array.of(x, y, z);
const polysOf = (c: PathCorridor): number[] => [...c.corridor.polys.subarray(0, c.corridor.count)];

function corridorOn(
  mesh: NavMesh,
  from: number,
  start: Float64Array,
  to: number,
  end: Float64Array,
  filter: QueryFilter = DEFAULT_FILTER,
): PathCorridor {
  const c = createPathCorridor();
  resetCorridor(c, mesh, from, start);
  findCorridor(found, state, mesh, filter, from, start, to, end, Infinity);
  expect(setCorridor(c, mesh, found, end)).toBe(true);
  expect(validateCorridor(c, mesh, filter)).toEqual([]);
  return c;
}

const move = (c: PathCorridor, mesh: NavMesh, point: Float64Array, filter: QueryFilter = DEFAULT_FILTER): boolean => {
  const isThere = moveCorridorPosition(c, mesh, slide, state, point, filter);
  expect(validateCorridor(c, mesh, filter)).toEqual([]);
  return isThere;
};

/** A row of n unit squares, poly i over x = i .. i + 1. */
const row = (n: number): NavMesh => meshOf(gridTile(n, 1));
/** Three rows of three: poly 3z + x. */
const square = (): NavMesh => meshOf(gridTile(3, 3));

/** A tile in row 0 of n x n squares at height y. */
const flatTile = (x: number, layer: number, n: number, y: number): TileData =>
  squaresTile(
    x,
    0,
    layer,
    n,
    () => true,
    () => y,
  );

describe('a corridor that is set', () => {
  it('is one polygon after a reset, and the found path after that', () => {
    const mesh = row(4);
    const c = corridorOn(mesh, 0, at(0.5, 0.5), 3, at(3.5, 0.5));
    expect([polysOf(c), [...c.left.subarray(0, 4)]]).toEqual([
      [0, 1, 2, 3],
      [2.5, 1.5, 0.5, 0],
    ]);
    expect([[...c.position], [...c.target]]).toEqual([
      [0.5, 0, 0.5],
      [3.5, 0, 0.5],
    ]);
    resetCorridor(c, mesh, 2, at(2.5, 0.5));
    expect([polysOf(c), [...c.target], validateCorridor(c, mesh)]).toEqual([[2], [2.5, 0, 0.5], []]);
  });

  it('starts where the position has moved since the search began; far from the found path it stays unchanged', () => {
    const mesh = square();
    findCorridor(found, state, mesh, DEFAULT_FILTER, 0, at(0.5, 0.5), 2, at(2.5, 0.5), Infinity);
    const c = createPathCorridor();
    for (const [poly, expected] of [
      [1, [1, 2]],
      [2, [2]],
      [4, [4, 1, 2]],
      [5, [5, 2]],
      [3, [3, 0, 1, 2]],
    ] as const) {
      resetCorridor(c, mesh, poly, at((poly % 3) + 0.5, Math.floor(poly / 3) + 0.5));
      expect([setCorridor(c, mesh, found, at(2.5, 0.5)), polysOf(c), validateCorridor(c, mesh)], `${poly}`).toEqual([
        true,
        expected,
        [],
      ]);
    }
    resetCorridor(c, mesh, 7, at(1.5, 2.5));
    expect([setCorridor(c, mesh, found, at(2.5, 0.5)), polysOf(c)]).toEqual([false, [7]]);
    expect(setCorridor(c, mesh, createCorridor(), at(2.5, 0.5))).toBe(false);
  });

  it('moves a target onto the last polygon, also from another floor', () => {
    const mesh = row(3);
    const c = createPathCorridor();
    resetCorridor(c, mesh, 0, at(0.5, 0.5));
    findCorridor(found, state, mesh, DEFAULT_FILTER, 0, at(0.5, 0.5), 2, at(2.5, 0.5), Infinity);
    setCorridor(c, mesh, found, at(7, 0.5, 9));
    expect([...c.target]).toEqual([3, 0, 0.5]);
    setCorridor(c, mesh, found, at(2.5, 0.25, 9));
    expect([...c.target]).toEqual([2.5, 0, 0.25]);
  });

  it('can be copied', () => {
    const mesh = row(4);
    const c = corridorOn(mesh, 0, at(0.5, 0.5), 3, at(3.5, 0.5));
    const other = createPathCorridor();
    copyCorridor(other, c);
    move(c, mesh, at(2.5, 0.5));
    expect([polysOf(other), polysOf(c), validateCorridor(other, mesh)]).toEqual([[0, 1, 2, 3], [2, 3], []]);
  });
});

describe('a position that moves', () => {
  it('drops polygons behind it, and adds the path back when it strays', () => {
    const mesh = square();
    const c = corridorOn(mesh, 0, at(0.5, 0.5), 2, at(2.5, 0.5));
    expect([move(c, mesh, at(0.6, 0.4)), polysOf(c)]).toEqual([true, [0, 1, 2]]);
    expect([move(c, mesh, at(1.1, 0.5)), polysOf(c)]).toEqual([true, [1, 2]]);
    expect([move(c, mesh, at(1.2, 1.4)), polysOf(c)]).toEqual([true, [4, 1, 2]]);
    expect([move(c, mesh, at(2.2, 1.4)), polysOf(c)]).toEqual([true, [5, 4, 1, 2]]);
    expect([move(c, mesh, at(2.2, 0.9)), polysOf(c)]).toEqual([true, [2]]);
  });

  it('stops at walls, and reports it', () => {
    const mesh = ringMesh();
    const c = corridorOn(mesh, 3, at(0.5, 1.5), 4, at(2.5, 1.5));
    expect([move(c, mesh, at(1.2, 1.6)), [...c.position]]).toEqual([false, [1, 0, 1.6]]);
    expect([move(c, mesh, at(-5, 1.5)), [...c.position]]).toEqual([false, [0, 0, 1.5]]);
  });

  it('ignores points that are not finite', () => {
    const mesh = row(2);
    const c = corridorOn(mesh, 0, at(0.5, 0.5), 1, at(1.5, 0.5));
    for (const bad of [NaN, Infinity, -Infinity]) {
      expect(moveCorridorPosition(c, mesh, slide, state, at(bad, 0.5), DEFAULT_FILTER)).toBe(false);
      expect(moveCorridorTarget(c, mesh, slide, state, at(0.5, bad), DEFAULT_FILTER)).toBe(false);
    }
    expect([[...c.position], [...c.target], validateCorridor(c, mesh)]).toEqual([[0.5, 0, 0.5], [1.5, 0, 0.5], []]);
    expect(moveCorridorPosition(createPathCorridor(), mesh, slide, state, at(0, 0), DEFAULT_FILTER)).toBe(false);
  });

  it('ends where a slide ends: 3,000 steps of any length on an L and around a hole, seed 5', () => {
    const random = seeded(5);
    const filter = createFilter({ excludeFlags: 2 });
    const other = createSlide();
    for (const mesh of [ringMesh(), meshOf(gridTile(3, 3, (x, z) => x === 0 || z === 0)), stripMesh(40)]) {
      const c = createPathCorridor();
      mesh.polyFlags[5] = 2;
      for (let i = 0; i < 1000; i++) {
        const [from, to] = [0, 0].map(() => Math.floor(random() * mesh.polyCount));
        const inside = (poly: number): Float64Array => {
          const v = (e: number, k: number): number =>
            mesh.vertices[3 * mesh.edgeVertex[mesh.polyEdgeStart[poly] + e] + k] / 3;
          return at(v(0, 0) + v(1, 0) + v(2, 0), v(0, 2) + v(1, 2) + v(2, 2));
        };
        resetCorridor(c, mesh, from, inside(from));
        findCorridor(found, state, mesh, filter, from, c.position, to, inside(to), Infinity);
        setCorridor(c, mesh, found, inside(to));
        const reach = [0.1, 0.5, 2][i % 3];
        const point = at(c.position[0] + reach * (random() - 0.5), c.position[2] + reach * (random() - 0.5));
        moveAlongSurfaceInto(other, state, mesh, from, c.position, point, filter);
        expect([move(c, mesh, point, filter), [...c.position], polysOf(c)[0]], `step ${i}`).toEqual([
          other.status === 'reached',
          [...other.point],
          other.polys[other.count - 1],
        ]);
      }
    }
  });

  it('leaves a polygon that was closed under it, along the corridor or not', () => {
    const mesh = square();
    const filter = createFilter({ excludeFlags: 2 });
    for (const [goal, polys, outcome] of [
      [at(1.5, 1.5), [4, 5], 'complete'],
      [at(0.5, 0.5), [0], 'unreachable'],
    ] as const) {
      const c = corridorOn(mesh, 3, at(0.5, 1.5), 5, at(2.5, 1.5), filter);
      setFlags(mesh, refOf(mesh, 3), 2);
      expect(rebaseCorridor(c, mesh, filter)).toBe('same');
      expect([move(c, mesh, goal, filter), polysOf(c), c.corridor.outcome]).toEqual([true, polys, outcome]);
      setFlags(mesh, refOf(mesh, 3), 1);
    }
  });

  it('has no limit on polygons: there and back over 5,000', () => {
    const mesh = stripMesh(5000);
    const c = corridorOn(mesh, 0, at(0.05, 0.6), 4999, at(249.9, 1));
    expect(c.corridor.count).toBe(5000);
    for (let x = 0.5; x < 249.5; x += 7) expect(move(c, mesh, at(x, 1))).toBe(true);
    expect(c.corridor.count).toBeLessThan(100);
    for (let x = 249; x > 0.5; x -= 7) expect(move(c, mesh, at(x, 1))).toBe(true);
    expect(c.corridor.count).toBeGreaterThan(4900);
  });
});

describe('a target that moves', () => {
  it('takes the end of the corridor with it, there and back', () => {
    const mesh = square();
    const c = corridorOn(mesh, 0, at(0.5, 0.5), 2, at(2.5, 0.5));
    const to = (point: Float64Array): unknown => {
      const isThere = moveCorridorTarget(c, mesh, slide, state, point, DEFAULT_FILTER);
      expect(validateCorridor(c, mesh)).toEqual([]);
      return [isThere, polysOf(c)];
    };
    expect(to(at(2.9, 0.9))).toEqual([true, [0, 1, 2]]);
    expect(to(at(2.5, 1.5))).toEqual([true, [0, 1, 2, 5]]);
    expect(to(at(1.5, 1.5))).toEqual([true, [0, 1, 2, 5, 4]]);
    expect(to(at(1.5, 0.9))).toEqual([true, [0, 1]]);
    expect(to(at(0.4, 0.9))).toEqual([true, [0]]);
    expect([to(at(-1, 0.5)), [...c.target]]).toEqual([
      [false, [0]],
      [0, 0, 0.5],
    ]);
  });
});

describe('links', () => {
  const islands = (): NavMesh => meshOf(gridTile(5, 1, (x) => x !== 2));

  it('are the last corner, and lead to their far end', () => {
    const mesh = islands();
    addLink(mesh, { start: [1.8, 0, 0.5], end: [3.2, 0, 0.5] });
    const c = corridorOn(mesh, 0, at(0.5, 0.5), 3, at(4.5, 0.5));
    const corners = createCorridorCorners(4);
    findCorridorCorners(corners, c, mesh, 4);
    expect([corners.count, corners.kinds[0], corners.linkEnds[0], [...corners.points.subarray(0, 3)]]).toEqual([
      1,
      CORNER_LINK,
      0,
      [1.8, 0, 0.5],
    ]);
    expect(corners.left).toBeCloseTo(1.4 + 1.3, 12);
    const out = new Float64Array(6);
    expect(moveCorridorOverLink(c, mesh, 1, out)).toBe(false);
    expect(moveCorridorOverLink(c, mesh, 0, out)).toBe(true);
    expect([[...out], [...c.position], polysOf(c), validateCorridor(c, mesh)]).toEqual([
      [1.8, 0, 0.5, 3.2, 0, 0.5],
      [3.2, 0, 0.5],
      [2, 3],
      [],
    ]);
    findCorridorCorners(corners, c, mesh, 4);
    expect([corners.count, corners.kinds[0], corners.left]).toEqual([1, CORNER_GOAL, 0]);
  });

  it('from segment to segment are crossed straight, whichever way their ends run', () => {
    for (const isTurned of [false, true]) {
      const mesh = islands();
      addLink(mesh, {
        start: [
          [1.8, 0, 0.1],
          [1.8, 0, 0.9],
        ],
        end: isTurned
          ? [
              [3.2, 0, 0.9],
              [3.2, 0, 0.1],
            ]
          : [
              [3.2, 0, 0.1],
              [3.2, 0, 0.9],
            ],
      });
      const c = corridorOn(mesh, 0, at(0.5, 0.3), 3, at(4.5, 0.3));
      const corners = createCorridorCorners();
      findCorridorCorners(corners, c, mesh, 2);
      expect([corners.count, corners.linkEnds[0], corners.points[2]]).toEqual([1, 0, 0.3]);
      move(c, mesh, at(1.8, 0.3));
      const out = new Float64Array(6);
      moveCorridorOverLink(c, mesh, 0, out);
      [1.8, 0, 0.3, 3.2, 0, 0.3].forEach((value, k) => expect(out[k]).toBeCloseTo(value, 12));
    }
  });

  it('cut the corridor when they close, but not when another one replaces them', () => {
    const mesh = islands();
    const link = addLink(mesh, { start: [1.8, 0, 0.5], end: [3.2, 0, 0.5] });
    const c = corridorOn(mesh, 0, at(0.5, 0.5), 3, at(4.5, 0.5));
    removeLink(mesh, link);
    const second = addLink(mesh, { start: [1.7, 0, 0.5], end: [3.3, 0, 0.5] });
    addLink(mesh, { start: [1.6, 0, 0.5], end: [3.4, 0, 0.5] });
    expect([isCorridorValid(c, mesh, 10, DEFAULT_FILTER), rebaseCorridor(c, mesh, DEFAULT_FILTER)]).toEqual([
      true,
      'same',
    ]);
    expect(validateCorridor(c, mesh)).toEqual([]);
    removeLink(mesh, second);
    expect([rebaseCorridor(c, mesh, DEFAULT_FILTER), validateCorridor(c, mesh)]).toEqual(['same', []]);
    setLinkEnabled(mesh, addLink(mesh, { start: [1.5, 0, 0.5], end: [3.4, 0, 0.5] }), false);
    for (const ref of [...new Set(mesh.linkState.keys())].filter((slot) => mesh.linkState[slot] !== 0))
      mesh.linkState[ref] &= ~2;
    mesh.revision++;
    expect([isCorridorValid(c, mesh, 10, DEFAULT_FILTER), isCorridorValid(c, mesh, 1, DEFAULT_FILTER)]).toEqual([
      false,
      true,
    ]);
    expect([rebaseCorridor(c, mesh, DEFAULT_FILTER), polysOf(c), [...c.target]]).toEqual(['cut', [0, 1], [2, 0, 0.5]]);
    expect([c.corridor.outcome, validateCorridor(c, mesh)]).toEqual(['unreachable', []]);
  });
});

describe('a mesh that changes', () => {
  const world = (): NavMesh => {
    const mesh = tiledMesh();
    for (let x = 0; x < 3; x++) addTile(mesh, flatTile(x, 0, 2, 0));
    return mesh;
  };
  const along = (mesh: NavMesh): PathCorridor => {
    const poly = (x: number): number => mesh.tilePolyStart[findTile(mesh, x, 0, 0)];
    return corridorOn(mesh, poly(0), at(1, 1), poly(2), at(2 * TILE + 1, 1));
  };

  it('leaves other corridors unchanged, although dense indices move', () => {
    const mesh = world();
    addTile(
      mesh,
      squaresTile(
        0,
        2,
        0,
        6,
        () => true,
        () => 0,
      ),
    );
    addTile(
      mesh,
      squaresTile(
        2,
        2,
        0,
        1,
        () => true,
        () => 0,
      ),
    );
    const c = along(mesh);
    const refs = [...c.refs.subarray(0, c.corridor.count)];
    removeTile(mesh, findTile(mesh, 0, 2, 0));
    for (let i = 0; i < 40; i++) {
      addTile(
        mesh,
        squaresTile(
          1,
          2,
          0,
          4,
          () => true,
          () => 0,
        ),
      );
      removeTile(mesh, findTile(mesh, 1, 2, 0));
      expect([isCorridorValid(c, mesh, Infinity, DEFAULT_FILTER), rebaseCorridor(c, mesh, DEFAULT_FILTER)]).toEqual([
        true,
        'same',
      ]);
      expect([[...c.refs.subarray(0, c.corridor.count)], validateCorridor(c, mesh)]).toEqual([refs, []]);
    }
  });

  it('leaves the same lengths to the last bit, however they were summed up before', () => {
    // A live mesh kept sums over the steps of its target, a loaded mesh measured again: their crowds differed by an ulp.
    const mesh = meshOf(gridTile(40, 1));
    const random = seeded(3);
    for (let trial = 0; trial < 50; trial++) {
      const c = corridorOn(mesh, 0, at(0.5, 0.5), 39, at(39.5, 0.5));
      for (let i = 0; i < 20; i++)
        moveCorridorTarget(c, mesh, slide, state, at(39 + random(), random()), DEFAULT_FILTER);
      const fresh = corridorOn(mesh, 0, at(0.5, 0.5), 39, c.target.slice());
      mesh.revision++;
      expect(rebaseCorridor(c, mesh, DEFAULT_FILTER)).toBe('same');
      expect([...c.left.subarray(0, c.corridor.count)]).toEqual([...fresh.left.subarray(0, fresh.corridor.count)]);
    }
  });

  it('cuts corridors where a tile was replaced', () => {
    const mesh = world();
    const c = along(mesh);
    removeTile(mesh, findTile(mesh, 1, 0, 0));
    addTile(mesh, flatTile(1, 0, 3, 0));
    expect(isCorridorValid(c, mesh, 3, DEFAULT_FILTER)).toBe(false);
    expect([rebaseCorridor(c, mesh, DEFAULT_FILTER), c.corridor.count, [...c.target]]).toEqual([
      'cut',
      2,
      [TILE, 0, 1],
    ]);
    expect(validateCorridor(c, mesh)).toEqual([]);
    expect(rebaseCorridor(c, mesh, DEFAULT_FILTER)).toBe('same');
  });

  it('reports that the start is gone, and continues from what is whole', () => {
    const mesh = world();
    const c = along(mesh);
    const count = c.corridor.count;
    removeTile(mesh, findTile(mesh, 0, 0, 0));
    addTile(mesh, flatTile(0, 0, 3, 0));
    expect([rebaseCorridor(c, mesh, DEFAULT_FILTER), isCorridorValid(c, mesh, 0, DEFAULT_FILTER)]).toEqual([
      'start-gone',
      false,
    ]);
    const beside = mesh.tilePolyStart[findTile(mesh, 0, 0, 0)] + 2;
    expect(fixCorridorStart(c, mesh, beside, at(11, 1))).toBe(true);
    expect([c.corridor.count, polysOf(c)[0], validateCorridor(c, mesh)]).toEqual([count - 1, beside, []]);
    const nearest = new Float64Array(3);
    closestPointOnPoly(nearest, mesh, beside + 6, c.target);
    expect(fixCorridorStart(c, mesh, beside + 6, at(10, 10))).toBe(false);
    // The goal is kept: the target is the point of the polygon nearest to it, and it is not reached.
    expect([polysOf(c), [...c.position], validateCorridor(c, mesh)]).toEqual([[beside + 6], [10, 0, 10], []]);
    expect([c.corridor.outcome, [...c.target]]).toEqual(['unreachable', [...nearest]]);
    expect([...nearest]).not.toEqual([10, 0, 10]);
  });

  it('or another filter cuts off closed polygons', () => {
    const mesh = row(5);
    const c = corridorOn(mesh, 0, at(0.5, 0.5), 4, at(4.5, 0.5));
    setFlags(mesh, refOf(mesh, 0), 2);
    setFlags(mesh, refOf(mesh, 3), 2);
    rebaseCorridor(c, mesh, DEFAULT_FILTER);
    const filter = createFilter({ excludeFlags: 2 });
    expect([trimCorridor(c, mesh, filter), polysOf(c), [...c.target], validateCorridor(c, mesh, filter)]).toEqual([
      2,
      [0, 1, 2],
      [3, 0, 0.5],
      [],
    ]);
    expect(trimCorridor(c, mesh, filter)).toBe(0);
    expect(trimCorridor(createPathCorridor(), mesh, filter)).toBe(0);
  });
});

describe('shortcuts', () => {
  const hit = createRayHit();

  /** A corridor that goes around: 0 3 6 7 8 5 2 on three rows of three. */
  function detour(mesh: NavMesh): PathCorridor {
    const c = corridorOn(
      mesh,
      6,
      at(0.5, 2.5),
      2,
      at(2.5, 0.5),
      createFilter({ passes: (_, poly) => poly > 5 || poly % 3 === 2 }),
    );
    move(c, mesh, at(0.5, 1.5));
    expect(move(c, mesh, at(0.5, 0.5))).toBe(true);
    expect(polysOf(c)).toEqual([0, 3, 6, 7, 8, 5, 2]);
    return c;
  }

  it('go straight to a visible corner within range', () => {
    const mesh = square();
    const c = detour(mesh);
    expect(optimizeCorridorVisibility(c, mesh, hit, at(2.5, 0.5), 1.9, DEFAULT_FILTER)).toBe(false);
    expect(optimizeCorridorVisibility(c, mesh, hit, at(2.5, 0.5), 2.1, DEFAULT_FILTER)).toBe(true);
    expect([polysOf(c), validateCorridor(c, mesh)]).toEqual([[0, 1, 2], []]);
    expect(optimizeCorridorVisibility(c, mesh, hit, at(2.5, 0.5), 9, DEFAULT_FILTER)).toBe(false);
  });

  it('go to a corner where four squares meet, of which the corridor passes the one that the ray only touches', () => {
    const mesh = meshOf(gridTile(4, 4, (x, z) => x !== 1 || z !== 1));
    const around = createFilter({ passes: (_, poly) => poly !== 6 });
    const c = corridorOn(mesh, 3, at(3.6, 0.5), 11, at(0.5, 3.5), around);
    expect(polysOf(c)).toEqual([3, 2, 5, 9, 8, 12, 11]);
    expect(optimizeCorridorVisibility(c, mesh, hit, at(2, 2), 9, DEFAULT_FILTER)).toBe(true);
    expect([polysOf(c), validateCorridor(c, mesh)]).toEqual([[3, 6, 5, 9, 8, 12, 11], []]);
  });

  it('do not cross walls or more expensive polygons, and ignore a wall behind the corner', () => {
    const mesh = square();
    const c = detour(mesh);
    mesh.polyArea[1] = 5;
    const filter = createFilter({ areaCosts: { 5: 3 } });
    expect(optimizeCorridorVisibility(c, mesh, hit, at(2.5, 0.5), 9, filter)).toBe(false);
    const closed = createFilter({ passes: (_, poly) => poly !== 1 });
    expect(optimizeCorridorVisibility(c, mesh, hit, at(2.5, 0.5), 9, closed)).toBe(false);
    expect(optimizeCorridorVisibility(c, mesh, hit, at(2.99, 0.5), 2.5, DEFAULT_FILTER)).toBe(true);
  });

  it('are searched for: for the whole path, or for its first part', () => {
    const mesh = square();
    const c = detour(mesh);
    expect([optimizeCorridorTopology(c, mesh, state, DEFAULT_FILTER, Infinity), polysOf(c)]).toEqual([true, [0, 1, 2]]);
    expect(validateCorridor(c, mesh)).toEqual([]);
    expect(optimizeCorridorTopology(c, mesh, state, DEFAULT_FILTER, Infinity)).toBe(false);
    const far = meshOf(gridTile(40, 3));
    const long = corridorOn(
      far,
      80,
      at(0.5, 2.5),
      119,
      at(39.5, 2.5),
      createFilter({ passes: (_, poly) => poly >= 80 || poly % 40 === 0 }),
    );
    move(long, far, at(0.5, 1.5));
    move(long, far, at(0.5, 0.5));
    move(long, far, at(1.5, 0.5));
    move(long, far, at(2.5, 0.5));
    const before = polysOf(long);
    expect(before.slice(0, 6)).toEqual([2, 1, 0, 40, 80, 81]);
    expect(optimizeCorridorTopology(long, far, state, DEFAULT_FILTER, 50)).toBe(true);
    expect([polysOf(long).length < before.length, polysOf(long).at(-1), validateCorridor(long, far)]).toEqual([
      true,
      119,
      [],
    ]);
  });
});

describe('corners', () => {
  it('are turns and the target; one at the position is left out', () => {
    const mesh = ringMesh();
    const c = corridorOn(mesh, 3, at(0.5, 1.5), 4, at(2.5, 1.5));
    const corners = createCorridorCorners(1);
    findCorridorCorners(corners, c, mesh, 5);
    const z = corners.points[2];
    expect([
      corners.count,
      [...corners.kinds.subarray(0, 3)],
      [...corners.points.subarray(0, 9)],
      corners.left,
    ]).toEqual([3, [CORNER_TURN, CORNER_TURN, CORNER_GOAL], [1, 0, z, 2, 0, z, 2.5, 0, 1.5], 0]);
    findCorridorCorners(corners, c, mesh, 1);
    expect(corners.count).toBe(1);
    expect(corners.left).toBeGreaterThan(1);
    move(c, mesh, at(0.995, z));
    findCorridorCorners(corners, c, mesh, 1);
    expect([...corners.points.subarray(0, 3)]).toEqual([2, 0, z]);
  });

  it('are none for an empty corridor, and include the target however near', () => {
    const mesh = row(2);
    const corners = createCorridorCorners();
    findCorridorCorners(corners, createPathCorridor(), mesh, 2);
    expect([corners.count, corners.left]).toEqual([0, 0]);
    const c = createPathCorridor();
    resetCorridor(c, mesh, 0, at(0.5, 0.5));
    findCorridorCorners(corners, c, mesh, 2);
    expect([corners.count, corners.kinds[0], [...corners.points.subarray(0, 3)]]).toEqual([
      1,
      CORNER_GOAL,
      [0.5, 0, 0.5],
    ]);
  });
});

describe('validateCorridor', () => {
  it('finds each violation', () => {
    const mesh = row(4);
    const wrong: [RegExp, (c: PathCorridor) => void][] = [
      [/no polygon/, (c) => void (c.corridor.count = 0)],
      [/has revision/, (c) => void c.revision++],
      [/ref .* polygon 1/, (c) => void c.refs[1]++],
      [/does not lead to the next by any crossing/, (c) => void (c.corridor.crossings[1] = -1)],
      [/does not lead to the next by edge/, (c) => void c.corridor.crossings[1]++],
      [/by portal/, (c) => void (c.corridor.crossings[1] = -2)],
      [/by link end/, (c) => void (c.corridor.crossings[1] = -3)],
      [/position is .* outside/, (c) => void (c.position[0] = 1.5)],
      [/target is .* outside/, (c) => void (c.target[2] = 1.5)],
      [/target is .* above/, (c) => void (c.target[1] = 1.5)],
      [/position is .*NaN/, (c) => void (c.position[1] = NaN)],
      [/remaining length/, (c) => void (c.left[1] += 1e-3)],
      [/too short/, (c) => void (c.left = c.left.slice(0, 2))],
    ];
    for (const [message, corrupt] of wrong) {
      const c = corridorOn(mesh, 0, at(0.5, 0.5), 3, at(3.5, 0.5));
      corrupt(c);
      expect(validateCorridor(c, mesh).join('; ')).toMatch(message);
    }
    const c = corridorOn(mesh, 0, at(0.5, 0.5), 3, at(3.5, 0.5));
    expect(validateCorridor(c, mesh, createFilter({ passes: (_, poly) => poly !== 2 }))).toEqual([
      'polygon 2 is closed',
    ]);
  });
});
