/**
 * Floods in random worlds of tiles, two storeys and links, compared with a simple implementation: everything that can
 * be reached, within a cost or a length, and within a circle and a convex shape; paths from the results; random
 * points, islands and pruning. NAVKILN_FLOODS sets the number of worlds (default 12).
 */
import { describe, expect, it } from 'vitest';
import { isOverPoly, setHeight } from '../../src/mesh/ground.ts';
import { createRandom } from '../../src/base/data/random.ts';
import { addLink } from '../../src/mesh/change/links.ts';
import { polyIndexOf, refOf } from '../../src/mesh/ref.ts';
import { addTile } from '../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { restoreFlags } from '../../src/query/area.ts';
import { createFilter } from '../../src/query/create-filter.ts';
import type { QueryFilter } from '../../src/query/filter.ts';
import { createFloodState } from '../../src/query/flood/flood.ts';
import { createGroundSampler, polyGroundArea } from '../../src/query/random/ground-sampler.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { findIslands } from '../../src/query/islands.ts';
import { findPolysInBox } from '../../src/query/nearest/polys-in-box.ts';
import { findPolysInCircle } from '../../src/query/flood/polys-in-circle.ts';
import { findPolysInShape } from '../../src/query/flood/polys-in-shape.ts';
import { pruneUnreachable } from '../../src/query/flood/prune.ts';
import { findRandomPoint, findRandomPointInCircle } from '../../src/query/random/random-point.ts';
import { findReachable } from '../../src/query/flood/reachable.ts';
import { pathTo } from '../../src/query/flood/reached.ts';
import type { Reached } from '../../src/query/flood/reached.ts';
import { sampleSpread } from '../../src/query/random/spread.ts';
import { seeded } from '../unit/meshes.ts';
import { TILE, squaresTile, tiledMesh } from '../unit/mesh/tiled-meshes.ts';
import { plainFlood, waysOf } from '../unit/query/flood-oracle.ts';
import type { PlainFlood, Way } from '../unit/query/flood-oracle.ts';

const WORLDS = Number(process.env.NAVKILN_FLOODS ?? 12);
const SIZE = 3;
const FAR = [100_000, 30, -100_000];
type Vector = number[];

/** Heights that make no two paths equally long. */
const bumps = (x: number, z: number): number =>
  0.1 * x + 0.15 * Math.sin(13.7 * x + 5.1 * z) + 0.1 * Math.sin(3.3 * z - 7.7 * x);

interface World {
  mesh: NavMesh;
  ways: Way[][];
  filter: QueryFilter;
  random: () => number;
  below: (n: number) => number;
  /** A point on the ground of a polygon that passes. */
  spot: () => { poly: number; point: Vector };
  what: string;
}

function worldOf(seed: number, offset: Vector): World {
  const random = seeded(seed);
  const below = (n: number): number => Math.floor(random() * n);
  const mesh = tiledMesh(offset);
  for (let x = 0; x < SIZE; x++) {
    for (let z = 0; z < SIZE; z++) {
      for (let layer = 0; layer < 2; layer++) {
        if (random() < 0.2) continue;
        const open = random() < 0.5 ? 0.95 : 0.7;
        addTile(
          mesh,
          squaresTile(
            x,
            z,
            layer,
            [2, 3, 4, 6][below(4)],
            () => random() < open,
            (a, b) => bumps(a, b) + 4 * layer,
            offset,
          ),
        );
      }
    }
  }
  for (let poly = 0; poly < mesh.polyCount; poly++) {
    mesh.polyArea[poly] = [63, 63, 1, 2][below(4)];
    mesh.polyFlags[poly] = [1, 1, 1, 1, 2, 3, 0][below(7)];
  }
  const anywhere = (): Vector => {
    const poly = below(mesh.polyCount);
    const at = Float64Array.from([0, 0, 0]);
    const n = mesh.polyVertexCount[poly];
    for (let k = 0; k < n; k++) {
      const v = 3 * mesh.edgeVertex[mesh.polyEdgeStart[poly] + k];
      for (let axis = 0; axis < 3; axis++) at[axis] += mesh.vertices[v + axis] / n;
    }
    at[0] += random() - 0.5;
    at[2] += random() - 0.5;
    setHeight(at, mesh, poly);
    return Array.from(at);
  };
  for (let i = 0; i < 12; i++) {
    const end = (): Vector | [Vector, Vector] => {
      const a = anywhere();
      return random() < 0.5 ? a : [a, [a[0] + random(), a[1], a[2] + random()]];
    };
    addLink(mesh, {
      start: end(),
      end: end(),
      bothWays: random() < 0.5,
      area: [63, 3][below(2)],
      flags: [1, 1, 2][below(3)],
      enabled: random() < 0.85,
      ...(random() < 0.3 ? { cost: 3 * random() } : {}),
    });
  }
  const filter = createFilter({
    areaCosts: { 1: 0.5 + random(), 2: 1 + 4 * random(), 3: 2 },
    includeFlags: random() < 0.5 ? 0xffff : 1,
    excludeFlags: random() < 0.3 ? 2 : 0,
  });
  const spot = (): { poly: number; point: Vector } => {
    for (;;) {
      const poly = below(mesh.polyCount);
      if (!passes(mesh.polyFlags[poly], filter)) continue;
      const point = Float64Array.from([0, 0, 0]);
      let sum = 0;
      for (let k = 0; k < mesh.polyVertexCount[poly]; k++) {
        const weight = random() + 0.01;
        const v = 3 * mesh.edgeVertex[mesh.polyEdgeStart[poly] + k];
        for (let axis = 0; axis < 3; axis++) point[axis] += weight * (mesh.vertices[v + axis] - offset[axis]);
        sum += weight;
      }
      for (let axis = 0; axis < 3; axis++) point[axis] = offset[axis] + point[axis] / sum;
      setHeight(point, mesh, poly);
      if (isOverPoly(mesh, poly, point)) return { poly, point: Array.from(point) };
    }
  };
  return { mesh, ways: waysOf(mesh), filter, random, below, spot, what: `seed ${seed}` };
}

const passes = (flags: number, filter: QueryFilter): boolean =>
  (flags & filter.includeFlags) !== 0 && (flags & filter.excludeFlags) === 0;

/** Counts of all comparisons, to check that they compare something. */
let reachedCount = 0;
let linkCount = 0;
let tileCount = 0;

function expectFlood(mesh: NavMesh, ours: Reached, plain: PlainFlood, what: string): void {
  expect(
    ours.polys.map((ref) => polyIndexOf(mesh, ref)),
    what,
  ).toEqual(plain.polys);
  expect(Array.from(ours.parents), what).toEqual(plain.parents);
  const wrong = plain.costs.findIndex((cost, i) => Math.abs(cost - ours.costs[i]) > 1e-8 * (1 + cost));
  expect(wrong, `${what}: cost ${ours.costs[wrong]}, not ${plain.costs[wrong]}`).toBe(-1);
  reachedCount += plain.polys.length;
  ours.crossings.forEach((crossing) => {
    if (crossing < -1) {
      if ((crossing & 1) !== 0) linkCount++;
      else tileCount++;
    }
  });
}

/** Length of the part of a segment inside a convex shape (as half planes), or -1: by cutting it. */
function cutLength(a: Vector, b: Vector, corners: Vector[]): number {
  let [low, high] = [0, 1];
  const middle = [0, 1, 2].map((k) => corners.reduce((sum, corner) => sum + corner[k], 0) / corners.length);
  corners.forEach((p, i) => {
    const q = corners[(i + 1) % corners.length];
    const inside = (v: Vector): number => (q[0] - p[0]) * (v[2] - p[2]) - (q[2] - p[2]) * (v[0] - p[0]);
    const sign = inside(middle) > 0 ? 1 : -1;
    const [s, e] = [sign * inside(a), sign * inside(b)];
    if (s < 0 && e < 0) low = 2;
    else if (s < 0) low = Math.max(low, s / (s - e));
    else if (e < 0) high = Math.min(high, s / (s - e));
  });
  return high - low;
}

describe.each([
  ['at the origin', [0, 0, 0]],
  ['100 km away', FAR],
])('floods %s', (_, offset) => {
  for (let k = 0; k < WORLDS / 2; k++) {
    const seed = 7000 + k + (offset[0] > 0 ? 500 : 0);
    it(`seed ${seed}`, () => {
      const world = worldOf(seed, offset);
      expect(validateNavMesh(world.mesh), world.what).toEqual([]);
      for (let i = 0; i < 8; i++) {
        reach(world);
        circle(world);
        shape(world);
        box(world, offset);
        randomPoints(world);
      }
      islandsAndPruning(world);
    });
  }
});

it('floods cross polygons, borders of tiles and links', () => {
  expect(reachedCount).toBeGreaterThan(100 * WORLDS);
  expect(tileCount).toBeGreaterThan(10 * WORLDS);
  expect(linkCount).toBeGreaterThan(5 * WORLDS);
  console.info(`${reachedCount} polygons reached, ${tileCount} over borders, ${linkCount} through links`);
});

function reach({ mesh, ways, filter, random, spot, what }: World): void {
  const { poly, point } = spot();
  const startRef = refOf(mesh, poly);
  const limit = 40 * random();
  expectFlood(
    mesh,
    findReachable(mesh, point, { startRef, filter }),
    plainFlood(mesh, ways, filter, poly, point),
    `${what}, all`,
  );
  const byCost = findReachable(mesh, point, { startRef, filter, maxCost: limit });
  expectFlood(mesh, byCost, plainFlood(mesh, ways, filter, poly, point, { maxCost: limit }), `${what}, cost ${limit}`);
  const byLength = findReachable(mesh, point, { startRef, filter, maxDistance: limit });
  const plain = plainFlood(mesh, ways, filter, poly, point, { maxCost: limit, isByLength: true });
  expectFlood(mesh, byLength, plain, `${what}, length ${limit}`);
  const place = Math.floor(random() * byLength.polys.length);
  const way = pathTo(mesh, byLength, byLength.polys[place]);
  expect(way.status, what).toBe('complete');
  const chain: number[] = [];
  for (let at = place; at >= 0; at = plain.parents[at]) chain.unshift(plain.polys[at]);
  expect(
    way.polys.map((ref) => polyIndexOf(mesh, ref)),
    what,
  ).toEqual(chain);
  expect(way.cost).toBe(byLength.costs[place]);
  const hasLinks = chain.some((one, i) => i > 0 && !ways[chain[i - 1]].some((w) => w.to === one && w.link < 0));
  let length = 0;
  way.points.forEach((p, i) => {
    if (i > 0) length += Math.hypot(p[0] - way.points[i - 1][0], p[2] - way.points[i - 1][2]);
  });
  // Seen from above the string is no longer than the path over midpoints (except for polygons that were first found
  // elsewhere).
  if (!hasLinks) expect(length, what).toBeLessThanOrEqual(way.cost * 1.05 + 1e-6);
}

function circle({ mesh, ways, filter, random, spot, what }: World): void {
  const { poly, point } = spot();
  const radius = 0.2 + 12 * random();
  const touches = (a: Vector, b: Vector): boolean => {
    const [dx, dz] = [b[0] - a[0], b[2] - a[2]];
    const along = ((point[0] - a[0]) * dx + (point[2] - a[2]) * dz) / (dx * dx + dz * dz || 1);
    const s = Math.min(1, Math.max(0, along));
    return Math.hypot(a[0] + s * dx - point[0], a[2] + s * dz - point[2]) <= radius;
  };
  const ours = findPolysInCircle(mesh, point, radius, { startRef: refOf(mesh, poly), filter });
  expectFlood(
    mesh,
    ours,
    plainFlood(mesh, ways, filter, poly, point, { touches }),
    `${what}, radius ${radius} at ${point}`,
  );
}

function shape({ mesh, ways, filter, random, below, spot, what }: World): void {
  const { poly, point } = spot();
  const n = 3 + below(5);
  const [rx, rz, turn] = [0.3 + 10 * random(), 0.3 + 10 * random(), 7 * random()];
  const angles = Array.from({ length: n }, (_, i) => turn + (2 * Math.PI * (i + 0.8 * random())) / n);
  const corners = angles.map((t) => [point[0] + rx * Math.cos(t), point[1], point[2] + rz * Math.sin(t)]);
  if (random() < 0.5) corners.reverse();
  const touches = (a: Vector, b: Vector): boolean => cutLength(a, b, corners) >= 0;
  const ours = findPolysInShape(mesh, corners, { startRef: refOf(mesh, poly), filter });
  const plain = plainFlood(mesh, ways, filter, poly, ours.start, { touches });
  expectFlood(mesh, ours, plain, `${what}, shape ${JSON.stringify(corners)} from ${poly}`);
}

/** Cuts the outline to the box: what is left has corners, or not. */
function box({ mesh, filter, random, what }: World, offset: Vector): void {
  const center = [0, 1, 2].map((k) => offset[k] + (k === 1 ? 12 * random() - 2 : SIZE * TILE * random()));
  const half = [8 * random(), 3 * random(), 8 * random()];
  const expected: number[] = [];
  for (let poly = 0; poly < mesh.polyCount; poly++) {
    if (!passes(mesh.polyFlags[poly], filter)) continue;
    let outline: Vector[] = Array.from({ length: mesh.polyVertexCount[poly] }, (_, k) => {
      const v = 3 * mesh.edgeVertex[mesh.polyEdgeStart[poly] + k];
      return [0, 1, 2].map((axis) => mesh.vertices[v + axis] - center[axis]);
    });
    const heights = outline.map((p) => p[1]);
    if (Math.min(...heights) > half[1] || Math.max(...heights) < -half[1]) continue;
    for (const [axis, sign] of [
      [0, 1],
      [0, -1],
      [2, 1],
      [2, -1],
    ]) {
      const left: Vector[] = [];
      outline.forEach((b, i) => {
        const a = outline[(i + outline.length - 1) % outline.length];
        const [u, v] = [half[axis] - sign * a[axis], half[axis] - sign * b[axis]];
        if (u < 0 !== v < 0) left.push(a.map((value, k) => value + (u / (u - v)) * (b[k] - value)));
        if (v >= 0) left.push(b);
      });
      outline = left;
    }
    if (outline.length > 0) expected.push(poly);
  }
  const ours = findPolysInBox(mesh, center, half, { filter }).map((ref) => polyIndexOf(mesh, ref));
  expect(
    ours.sort((a, b) => a - b),
    `${what}, box ${center} half ${half}`,
  ).toEqual(expected);
}

const spread = createGroundSampler();
const spreadState = createFloodState();

function randomPoints({ mesh, filter, random, spot, what }: World): void {
  const stream = createRandom(Math.floor(random() * 1e9));
  const { poly, point } = spot();
  const startRef = refOf(mesh, poly);
  const onGround = (hit: { ref: number; point: Vector }): void => {
    const at = Float64Array.from(hit.point);
    const on = polyIndexOf(mesh, hit.ref as never);
    expect(on, what).toBeGreaterThanOrEqual(0);
    expect(passes(mesh.polyFlags[on], filter), what).toBe(true);
    setHeight(at, mesh, on);
    expect(at[1], what).toBe(hit.point[1]);
  };
  for (let i = 0; i < 4; i++) {
    onGround(findRandomPoint(mesh, stream, { filter }));
    const radius = 0.1 + 10 * random();
    const inCircle = findRandomPointInCircle(mesh, stream, point, radius, { filter, startRef });
    onGround(inCircle);
    const dx = inCircle.point[0] - point[0];
    const dz = inCircle.point[2] - point[2];
    expect(dx * dx + dz * dz, `${what}, radius ${radius}`).toBeLessThan(radius * radius);
    sampleSpread(spread, spreadState, mesh, filter, poly, Float64Array.of(...point, radius));
    const inside = findPolysInCircle(mesh, point, radius, { filter, startRef }).polys.map((ref) =>
      polyIndexOf(mesh, ref),
    );
    expect(
      [...spread.polys.subarray(0, spread.count)].sort((a, b) => a - b),
      what,
    ).toEqual(inside.sort((a, b) => a - b));
    const area = inside.reduce((sum, p) => sum + (passes(mesh.polyFlags[p], filter) ? polyGroundArea(mesh, p) : 0), 0);
    expect(Math.abs(spread.sums[spread.count - 1] - area), what).toBeLessThan(1e-9 * area);
    const reached = findReachable(mesh, point, { filter, startRef, maxDistance: radius });
    const near = findRandomPoint(mesh, stream, { filter, from: point, startRef, maxDistance: radius });
    onGround(near);
    const place = reached.polys.indexOf(near.ref);
    expect(place, what).toBeGreaterThanOrEqual(0);
    const rest = Math.sqrt([0, 1, 2].reduce((sum, k) => sum + (near.point[k] - reached.points[3 * place + k]) ** 2, 0));
    expect(reached.costs[place] + rest, what).toBeLessThanOrEqual(radius + 1e-9);
    onGround(findRandomPoint(mesh, stream, { filter, from: point, startRef, maxCost: radius }));
    const anywhere = findRandomPoint(mesh, stream, { filter, from: point, startRef });
    onGround(anywhere);
  }
}

function islandsAndPruning({ mesh, ways, filter, spot, what }: World): void {
  // Islands: labels spread until nothing changes.
  const label = Int32Array.from({ length: mesh.polyCount }, (_, p) => (passes(mesh.polyFlags[p], filter) ? p : -1));
  for (let isMoving = true; isMoving;) {
    isMoving = false;
    ways.forEach((list, from) =>
      list.forEach(({ to, link }) => {
        if (label[from] < 0 || label[to] < 0 || label[from] === label[to]) return;
        if (link >= 0 && !passes(mesh.linkFlags[link], filter)) return;
        label[from] = label[to] = Math.min(label[from], label[to]);
        isMoving = true;
      }),
    );
  }
  const { islands, islandOfPoly } = findIslands(mesh, filter);
  const groups = new Map<number, number[]>();
  label.forEach((one, poly) => {
    if (one >= 0) groups.set(one, [...(groups.get(one) ?? []), poly]);
  });
  expect(islands.length, what).toBe(groups.size);
  for (const members of groups.values()) {
    const island = islands[islandOfPoly[members[0]]];
    expect(
      island.polys.map((ref) => polyIndexOf(mesh, ref)),
      what,
    ).toEqual(members);
    expect(
      members.every((poly) => islandOfPoly[poly] === islandOfPoly[members[0]]),
      what,
    ).toBe(true);
  }
  islands.forEach((one, i) => {
    if (i > 0) expect(one.area).toBeLessThanOrEqual(islands[i - 1].area);
  });
  expect(islandOfPoly.filter((one) => one >= 0).length).toBe([...groups.values()].flat().length);

  // Pruning: what two plain floods reach stays.
  const before = mesh.polyFlags.slice();
  const [a, b] = [spot(), spot()];
  const kept = new Set([a, b].flatMap(({ poly, point }) => plainFlood(mesh, ways, filter, poly, point).polys));
  const result = pruneUnreachable(mesh, [refOf(mesh, a.poly), refOf(mesh, b.poly)], { filter });
  for (let poly = 0; poly < mesh.polyCount; poly++) {
    const isClosed = passes(before[poly], filter) && !kept.has(poly);
    expect(mesh.polyFlags[poly], `${what}, polygon ${poly}`).toBe(isClosed ? 0 : before[poly]);
  }
  expect(result.keptCount, what).toBe(kept.size);
  expect(result.prunedCount, what).toBe(result.backup.polys.length);
  expect(findPath(mesh, a.point, a.point, { filter }).status).toBe('complete');
  expect(restoreFlags(mesh, result.backup)).toBe(result.prunedCount);
  expect(mesh.polyFlags, what).toEqual(before);
}
