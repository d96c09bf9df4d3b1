/** Corridors and lines over tiles and links: which links may be taken, their costs, and the corners. */
import { describe, expect, it } from 'vitest';
import { linkEndOf, isLinkCrossing, portalOf } from '../../../src/mesh/crossing.ts';
import { linkIndexOf } from '../../../src/mesh/link-ref.ts';
import { addLink, setLinkEnabled } from '../../../src/mesh/change/links.ts';
import { polyIndexOf } from '../../../src/mesh/ref.ts';
import { LINK_BOTH_WAYS, LINK_ENABLED } from '../../../src/mesh/types.ts';
import type { NavMesh } from '../../../src/mesh/types.ts';
import { validateNavMesh } from '../../../src/mesh/validate.ts';
import { findCorridor } from '../../../src/query/path/a-star.ts';
import { createCorridor } from '../../../src/query/path/corridor.ts';
import { createFilter } from '../../../src/query/create-filter.ts';
import { DEFAULT_FILTER } from '../../../src/query/filter.ts';
import type { QueryFilter } from '../../../src/query/filter.ts';
import { findPath } from '../../../src/query/path/find-path.ts';
import { PATH_CORNER_FLAGS, findDetailedPath } from '../../../src/query/path/details.ts';
import type { DetailedPath } from '../../../src/query/path/details.ts';
import type { Path } from '../../../src/query/path/result.ts';
import { createSearchState } from '../../../src/query/search-state.ts';
import { addTile } from '../../../src/mesh/change/tiles.ts';
import { gridTile, meshOf, seeded, tileOf } from '../meshes.ts';
import { squaresTile, tiledMesh, TILE } from '../mesh/tiled-meshes.ts';

/** Returns a mesh of two squares of 4 x 4, 3 apart in x. */
const twoFloors = (): NavMesh =>
  meshOf(
    tileOf(
      [
        [0, 0, 0],
        [0, 0, 4],
        [4, 0, 4],
        [4, 0, 0],
        [7, 0, 0],
        [7, 0, 4],
        [11, 0, 4],
        [11, 0, 0],
      ],
      [{ corners: [0, 1, 2, 3] }, { corners: [4, 5, 6, 7] }],
    ),
  );

const lengthOf = (points: readonly number[][]): number =>
  points.slice(1).reduce((sum, p, i) => sum + Math.hypot(...p.map((v, k) => v - points[i][k])), 0);

/** Returns the successors of a polygon, without the shortcuts of the search. */
function successors(mesh: NavMesh, poly: number): number[] {
  const out: number[] = [];
  const first = mesh.polyEdgeStart[poly];
  for (let e = first; e < first + mesh.polyVertexCount[poly]; e++)
    if (mesh.edgeNeighbor[e] >= 0) out.push(mesh.edgeNeighbor[e]);
  for (let l = 0; l < mesh.portalCount; l++) {
    if (mesh.portalPoly[l] >= 0 && mesh.portalPoly[mesh.portalBack[l]] === poly) out.push(mesh.portalPoly[l]);
  }
  for (let link = 0; link < mesh.linkCount; link++) {
    const state = mesh.linkState[link];
    const [a, b] = [mesh.linkPoly[2 * link], mesh.linkPoly[2 * link + 1]];
    if ((state & LINK_ENABLED) === 0 || a < 0 || b < 0) continue;
    if (a === poly) out.push(b);
    if (b === poly && (state & LINK_BOTH_WAYS) !== 0) out.push(a);
  }
  return out;
}

function reachable(mesh: NavMesh, from: number): Set<number> {
  const seen = new Set([from]);
  const queue = [from];
  for (const p of queue) {
    for (const q of successors(mesh, p)) {
      if (seen.has(q)) continue;
      seen.add(q);
      queue.push(q);
    }
  }
  return seen;
}

function randomWorld(seed: number, offset: number[]): { mesh: NavMesh; random: () => number } {
  const random = seeded(seed);
  const below = (n: number): number => Math.floor(random() * n);
  const mesh = tiledMesh(offset);
  for (let x = 0; x < 3; x++) {
    for (let z = 0; z < 3; z++) {
      if (random() < 0.15) continue;
      addTile(
        mesh,
        squaresTile(
          x,
          z,
          0,
          [1, 2, 3, 4, 6][below(5)],
          () => random() < 0.8,
          (a, b) => 0.05 * a + 0.03 * b,
          offset,
        ),
      );
    }
  }
  const spot = (): number[] => {
    const [x, z] = [random() * 3 * TILE, random() * 3 * TILE];
    return [offset[0] + x, offset[1] + 0.05 * x + 0.03 * z, offset[2] + z];
  };
  for (let i = 0; i < 12; i++) {
    const [a, b] = [spot(), spot()];
    const wide = (p: number[]): [number[], number[]] => [p, [p[0] + random() - 0.5, p[1], p[2] + random() - 0.5]];
    addLink(mesh, {
      start: random() < 0.5 ? a : wide(a),
      end: random() < 0.5 ? b : wide(b),
      bothWays: random() < 0.5,
      radius: 1,
      enabled: random() < 0.9,
      cost: random() < 0.3 ? random() * 2 : undefined,
    });
  }
  return { mesh, random };
}

describe('over tiles and links', () => {
  it.each([
    ['at the origin', [0, 0, 0]],
    ['100 km away', [1e5, 10, -1e5]],
  ])('reach what can be reached, %s', (_, offset) => {
    const state = createSearchState();
    const corridor = createCorridor();
    let links = 0;
    let portals = 0;
    for (let seed = 1; seed <= 25; seed++) {
      const { mesh, random } = randomWorld(seed, offset);
      expect(validateNavMesh(mesh), `seed ${seed}`).toEqual([]);
      for (let i = 0; i < 25; i++) {
        const [a, b] = [0, 1].map(() => Math.floor(random() * mesh.polyCount));
        const [p, q] = [a, b].map((poly) => {
          const v = 3 * mesh.edgeVertex[mesh.polyEdgeStart[poly]];
          return mesh.vertices.slice(v, v + 3);
        });
        const what = `seed ${seed}, ${i}`;
        findCorridor(corridor, state, mesh, DEFAULT_FILTER, a, p, b, q, Infinity);
        expect(corridor.outcome === 'complete', what).toBe(reachable(mesh, a).has(b));
        for (let k = 0; k + 1 < corridor.count; k++) {
          const [from, to, crossing] = [corridor.polys[k], corridor.polys[k + 1], corridor.crossings[k]];
          if (crossing >= 0) expect(mesh.edgeNeighbor[crossing]).toBe(to);
          else if (isLinkCrossing(crossing)) {
            links++;
            expect([mesh.linkPoly[linkEndOf(crossing)], mesh.linkPoly[linkEndOf(crossing) ^ 1]], what).toEqual([
              from,
              to,
            ]);
          } else {
            portals++;
            expect(mesh.portalPoly[portalOf(crossing)], what).toBe(to);
          }
          expect(successors(mesh, from), what).toContain(to);
        }
        const path = findDetailedPath(mesh, p, q, { halfExtents: [0.01, 1, 0.01] });
        checkPath(mesh, path, what);
        const all = findDetailedPath(mesh, p, q, { halfExtents: [0.01, 1, 0.01], crossings: 'all' });
        expect(all.points.length).toBeGreaterThanOrEqual(path.points.length);
        // Seen from above, corners that are added lie on the line.
        const flat = ({ points }: Path): number => lengthOf(points.map((v) => [v[0], 0, v[2]]));
        expect(Math.abs(flat(all) - flat(path)), what).toBeLessThan(1e-6);
        checkPath(mesh, all, what);
      }
    }
    expect(links).toBeGreaterThan(100);
    expect(portals).toBeGreaterThan(300);
  });
});

/** Expects each segment to lie over the polygon that its first corner enters, or to be a link. */
function checkPath(mesh: NavMesh, path: DetailedPath, what: string): void {
  if (path.status === 'none') return;
  expect(path.corners.length).toBe(path.points.length);
  const corners = path.corners;
  expect(corners[0].flags & PATH_CORNER_FLAGS.start, what).toBe(PATH_CORNER_FLAGS.start);
  expect(corners.at(-1)!.flags & PATH_CORNER_FLAGS.end, what).toBe(PATH_CORNER_FLAGS.end);
  const taken = corners.filter((corner) => (corner.flags & PATH_CORNER_FLAGS.link) !== 0);
  expect(taken.length % 2, what).toBe(0);
  for (let k = 0; k < taken.length; k += 2) expect(taken[k].link, what).toBe(taken[k + 1].link);
  for (const { link } of taken) expect(linkIndexOf(mesh, link), what).toBeGreaterThanOrEqual(0);
  let at = 0;
  for (const { poly } of corners) {
    // In the order of the corridor.
    while (at < path.polys.length && path.polys[at] !== poly) at++;
    expect(at, what).toBeLessThan(path.polys.length);
    expect(polyIndexOf(mesh, poly)).toBeGreaterThanOrEqual(0);
  }
}

describe('a link', () => {
  it('is entered at its start and left at its end', () => {
    const mesh = twoFloors();
    const link = addLink(mesh, { start: [3.5, 0, 2], end: [7.5, 0, 2] });
    const path = findDetailedPath(mesh, [0.5, 0, 0.5], [10.5, 0, 3.5]);
    expect(path.points).toEqual([
      [0.5, 0, 0.5],
      [3.5, 0, 2],
      [7.5, 0, 2],
      [10.5, 0, 3.5],
    ]);
    expect(path.corners.map((corner) => corner.flags)).toEqual([
      PATH_CORNER_FLAGS.start,
      PATH_CORNER_FLAGS.link,
      PATH_CORNER_FLAGS.link,
      PATH_CORNER_FLAGS.end,
    ]);
    expect(path.corners.map((corner) => corner.link)).toEqual([0, link, link, 0]);
    const poly = (x: number, z: number): number => findPath(mesh, [x, 0, z], [x, 0, z]).polys[0];
    expect(path.corners.map((corner) => corner.poly)).toEqual([
      poly(0.5, 0.5),
      poly(7.5, 2),
      poly(7.5, 2),
      poly(10.5, 3.5),
    ]);
    const { corners, ...rest } = path;
    expect(corners.length).toBe(4);
    expect(findPath(mesh, [0.5, 0, 0.5], [10.5, 0, 3.5])).toEqual(rest);
    // A one-way link: the path back ends where the search came nearest.
    expect(findPath(mesh, [10.5, 0, 3.5], [0.5, 0, 3.5])).toMatchObject({ status: 'partial', reason: 'unreachable' });
    expect(findPath(mesh, [10.5, 0, 3.5], [0.5, 0, 3.5]).points.at(-1)).toEqual([7, 0, 3.5]);
    setLinkEnabled(mesh, link, false);
    expect(findPath(mesh, [0.5, 0, 0.5], [10.5, 0, 3.5]).points.at(-1)).toEqual([4, 0, 3.5]);
  });

  it('gives the same path whether islands are stale or not', () => {
    const mesh = twoFloors();
    const link = addLink(mesh, { start: [3.5, 0, 2], end: [7.5, 0, 2], bothWays: true });
    setLinkEnabled(mesh, link, false);
    expect(mesh.islandsStale).toBe(1);
    const stale = findPath(mesh, [10.5, 0, 3.5], [0.5, 0, 3.5]);
    expect(mesh.islandsStale).toBe(0);
    expect(stale).toEqual(findPath(mesh, [10.5, 0, 3.5], [0.5, 0, 3.5]));
    expect(stale).toMatchObject({ status: 'partial', reason: 'unreachable' });
  });

  it('respects filters, costs what its area costs, and may be free', () => {
    const mesh = meshOf(gridTile(30, 3));
    addLink(mesh, { start: [1.5, 0, 1.5], end: [28.5, 0, 1.5], area: 7, flags: 2 });
    const ask = (filter: QueryFilter): number =>
      findPath(mesh, [0.5, 0, 1.5], [29.5, 0, 1.5], { filter }).points.length;
    expect(ask(createFilter({ areaCosts: { 7: 0.5 } }))).toBe(4);
    expect(ask(createFilter({ areaCosts: { 7: 1.5 } }))).toBe(2);
    expect(ask(createFilter({ areaCosts: { 7: 0.5 }, excludeFlags: 2 }))).toBe(2);
    expect(ask(createFilter({ areaCosts: { 7: 0.5 }, includeFlags: 1 }))).toBe(2);
    // A teleporter behind the start: the straight distance misleads.
    addLink(mesh, { start: [0.5, 0, 0.5], end: [29.5, 0, 0.5], cost: 0 });
    const path = findPath(mesh, [5.5, 0, 0.5], [27.5, 0, 0.5]);
    expect(path.points).toEqual([
      [5.5, 0, 0.5],
      [0.5, 0, 0.5],
      [29.5, 0, 0.5],
      [27.5, 0, 0.5],
    ]);
    expect(path.cost).toBeCloseTo(7, 12);
  });

  it('from segment to segment is crossed where the straight line crosses it', () => {
    const mesh = twoFloors();
    addLink(mesh, {
      start: [
        [3.9, 0, 0],
        [3.9, 0, 1],
      ],
      end: [
        [7.1, 0, 0],
        [7.1, 0, 1],
      ],
      bothWays: true,
    });
    const path = findDetailedPath(mesh, [0.5, 0, 0.25], [10.5, 0, 0.25]);
    expect(path.points).toEqual([
      [0.5, 0, 0.25],
      [3.9, 0, 0.25],
      [7.1, 0, 0.25],
      [10.5, 0, 0.25],
    ]);
    expect(path.corners.map((corner) => corner.flags)).toEqual([
      PATH_CORNER_FLAGS.start,
      PATH_CORNER_FLAGS.link,
      PATH_CORNER_FLAGS.link,
      PATH_CORNER_FLAGS.end,
    ]);
    const turn = findDetailedPath(mesh, [10.5, 0, 3.5], [0.5, 0, 3.5]);
    expect(turn.points).toEqual([
      [10.5, 0, 3.5],
      [7.1, 0, 1],
      [3.9, 0, 1],
      [0.5, 0, 3.5],
    ]);
    expect(turn.corners.map((corner) => corner.flags)).toEqual([
      PATH_CORNER_FLAGS.start,
      PATH_CORNER_FLAGS.link,
      PATH_CORNER_FLAGS.link,
      PATH_CORNER_FLAGS.end,
    ]);
  });
});

describe('crossings', () => {
  it('are corners where the area changes, or everywhere', () => {
    const mesh = meshOf(
      gridTile(
        6,
        1,
        undefined,
        (x) => x / 10,
        (x) => (x === 2 ? 5 : 63),
      ),
    );
    const ask = (crossings: 'none' | 'area' | 'all'): number[][] =>
      findDetailedPath(mesh, [0.5, 0, 0.25], [5.5, 0.5, 0.75], { crossings }).points;
    expect(ask('none').length).toBe(2);
    expect(ask('area').slice(1, 3)).toEqual(
      [
        [2, 0.2, 0.4],
        [3, 0.3, 0.5],
      ].map((p) => p.map((v) => expect.closeTo(v, 12))),
    );
    expect(ask('all').map((p) => p[0])).toEqual([0.5, 1, 2, 3, 4, 5, 5.5]);
    // A path through a corner of squares has that corner once.
    const grid = meshOf(gridTile(3, 3, (x, z) => x !== 1 || z !== 1));
    const around = findDetailedPath(grid, [0.5, 0, 1.2], [2.5, 0, 1.2], { crossings: 'all' });
    expect(around.points).toEqual([
      [0.5, 0, 1.2],
      [1, 0, 1],
      [2, 0, 1],
      [2.5, 0, 1.2],
    ]);
    // Straight through corners, where the path crosses two edges at a time.
    const whole = meshOf(gridTile(4, 4));
    expect(findDetailedPath(whole, [0.5, 0, 0.5], [3.5, 0, 3.5], { crossings: 'all' }).points).toEqual(
      [0.5, 1, 2, 3, 3.5].map((v) => [v, 0, v]),
    );
    const random = seeded(11);
    for (let i = 0; i < 200; i++) {
      const [x, z, u, w] = [0, 0, 0, 0].map(() => Math.round(8 * random()) / 2);
      const { points } = findDetailedPath(whole, [x, 0, z], [u, 0, w], { crossings: 'all' });
      for (let k = 1; k < points.length; k++) expect(points[k], `seed 11, trial ${i}`).not.toEqual(points[k - 1]);
    }
    expect(() => findDetailedPath(grid, [0, 0, 0], [1, 0, 0], { crossings: 'some' as 'all' })).toThrow(
      'findDetailedPath: options.crossings is "some"',
    );
  });
});

describe('filters with methods', () => {
  it('decide what may be passed and at what cost', () => {
    const mesh = meshOf(gridTile(5, 3));
    const around = findPath(mesh, [0.5, 0, 2.5], [4.5, 0, 2.5], {
      filter: createFilter({ passes: (_, poly) => poly !== 12 && poly !== 7 }),
    });
    expect(around.points).toEqual([
      [0.5, 0, 2.5],
      [2, 0, 1],
      [3, 0, 1],
      [4.5, 0, 2.5],
    ]);
    const dear = findPath(mesh, [0.5, 0, 2.5], [4.5, 0, 2.5], {
      filter: createFilter({ cost: (_, { poly, length }) => (poly === 12 || poly === 7 ? 20 : 1) * length }),
    });
    expect(dear.points).toEqual(around.points);
    const flags = findPath(mesh, [0.5, 0, 2.5], [4.5, 0, 1.2]);
    expect(
      findPath(mesh, [0.5, 0, 2.5], [4.5, 0, 1.2], {
        filter: createFilter({ passes: (m, p) => m.polyFlags[p] === 1, cost: (_, { length }) => length }),
      }),
    ).toEqual(flags);
    expect(() => findPath(mesh, [0.5, 0, 2.5], [4.5, 0, 2.5], { filter: createFilter({ cost: () => NaN }) })).toThrow(
      'QueryFilter: the result of cost() is NaN',
    );
    let left = 4;
    const throwing = createFilter({
      passes: () => {
        if (left-- === 0) throw new Error('enough');
        return true;
      },
    });
    expect(() => findPath(mesh, [0.5, 0, 2.5], [4.5, 0, 2.5], { filter: throwing })).toThrow('enough');
    expect(findPath(mesh, [0.5, 0, 2.5], [4.5, 0, 1.2])).toEqual(flags);
  });
});
