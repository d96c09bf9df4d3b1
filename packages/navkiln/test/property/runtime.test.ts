/**
 * Random operations on the whole runtime: tiles are added, removed and replaced, links are added, removed,
 * opened and closed, areas and flags change.
 *
 * After each operation the mesh is valid, and refs name the same polygon as before or nothing. At intervals
 * every query runs, and its answer equals the answers on a newly built mesh and on a saved and loaded one.
 * The seed alone decides everything. NAVKILN_OPERATIONS sets the operations per world (default 250), and
 * NAVKILN_SEED the seed, as `npm run soak` does.
 */
import { createVolumes } from '../../src/build/voxel/volumes.ts';
import { levelScenes } from 'navkiln-scenes';
import { describe, expect, it } from 'vitest';
import { areOnOneIsland, refreshIslands } from '../../src/mesh/islands.ts';
import { linkIndexOf } from '../../src/mesh/link-ref.ts';
import { addLink, getLink, listLinks, removeLink, setLinkEnabled } from '../../src/mesh/change/links.ts';
import type { LinkOptions } from '../../src/mesh/change/links.ts';
import { createNavMesh } from '../../src/mesh/create.ts';
import { loadNavMesh } from '../../src/mesh/file/load.ts';
import { NULL_REF, polyIndexOf, refOf } from '../../src/mesh/ref.ts';
import { saveNavMesh } from '../../src/mesh/file/save.ts';
import { findTile } from '../../src/mesh/tiles/tile-grid.ts';
import { addTile, removeTile } from '../../src/mesh/change/tiles.ts';
import type { LinkRef, NavMesh, PolyRef, TileData } from '../../src/mesh/types.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { createRandom } from '../../src/base/data/random.ts';
import {
  getArea,
  getFlags,
  restoreFlags,
  restoreTileState,
  saveTileState,
  setArea,
  setFlags,
} from '../../src/query/area.ts';
import { explainPath } from '../../src/query/explain/explain.ts';
import { createFilter } from '../../src/query/create-filter.ts';
import type { QueryFilter } from '../../src/query/filter.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import type { Path } from '../../src/query/path/result.ts';
import { findDetailedPath } from '../../src/query/path/details.ts';
import type { DetailedPath, PathCorner } from '../../src/query/path/details.ts';
import { getHeight } from '../../src/query/height.ts';
import { findIslands } from '../../src/query/islands.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { findLocalNeighborhood } from '../../src/query/walk/neighborhood.ts';
import { findPolysInBox } from '../../src/query/nearest/polys-in-box.ts';
import { findPolysInCircle } from '../../src/query/flood/polys-in-circle.ts';
import { findPolysInShape } from '../../src/query/flood/polys-in-shape.ts';
import { pruneUnreachable } from '../../src/query/flood/prune.ts';
import { findRandomPoint } from '../../src/query/random/random-point.ts';
import { raycast } from '../../src/query/ray/raycast.ts';
import { findReachable } from '../../src/query/flood/reachable.ts';
import { pathTo } from '../../src/query/flood/reached.ts';
import type { Reached } from '../../src/query/flood/reached.ts';
import { continuePathSearch, getPathSearchResult, startPathSearch } from '../../src/query/path/sliced.ts';
import { moveAlongSurface } from '../../src/query/walk/slide.ts';
import { findSmoothPath } from '../../src/query/path/smooth.ts';
import { getWallSegments } from '../../src/query/walk/wall-segments.ts';
import { findDistanceToWall } from '../../src/query/walk/wall.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import { seeded, tileIn } from '../unit/meshes.ts';
import { TILE, polyName, portalText, squaresTile, tiledMesh } from '../unit/mesh/tiled-meshes.ts';

const OPERATIONS = Number(process.env.NAVKILN_OPERATIONS ?? 80);
const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const SIZE = 3;
const FAR = [100_000, 30, -100_000];
const MAX_LINKS = 12;
/** Operations between two comparisons. */
const EVERY = 10;
const HALF_EXTENTS = [5, 3, 5];

/** Height of rolling terrain, on which two routes are rarely equally long. */
const ground = (x: number, z: number): number => 0.1 * x - 0.05 * z + 0.0031 * x * z - 0.0017 * x * x;

/** A source of worlds. */
interface Kind {
  empty: () => NavMesh;
  tile: (random: () => number) => TileData;
  /** Returns a point on the surface that may exist, or near it. */
  randomPoint: (random: () => number) => [number, number, number];
}

interface World {
  mesh: NavMesh;
  random: () => number;
  kind: Kind;
  /** The expected tiles and links. */
  tiles: Map<string, TileData>;
  links: Map<number, { options: LinkOptions; ref: LinkRef }>;
  /** Stored refs with the names of their polygons. '' once the polygon is gone. */
  refs: Map<PolyRef, string>;
  gone: LinkRef[];
  nextId: number;
}

const below = (w: World, n: number): number => Math.floor(w.random() * n);
const pick = <T>(w: World, items: readonly T[]): T => items[below(w, items.length)];
const keyOf = (tile: { x: number; z: number; layer: number }): string => `${tile.x},${tile.z},${tile.layer}`;

/** Makes two storeys of squares. */
function squares(offset: readonly number[]): Kind {
  return {
    empty: () => tiledMesh([...offset]),
    tile: (random) => {
      const layer = random() < 0.5 ? 0 : 1;
      const share = [1, 0.85, 0.6][Math.floor(3 * random())];
      const n = [1, 2, 3, 4, 6][Math.floor(5 * random())];
      const [x, z] = [Math.floor(SIZE * random()), Math.floor(SIZE * random())];
      return squaresTile(
        x,
        z,
        layer,
        n,
        () => random() < share,
        (wx, wz) => ground(wx, wz) + 2.5 * layer,
        [...offset],
      );
    },
    randomPoint: (random) => {
      const [x, z] = [random() * SIZE * TILE, random() * SIZE * TILE];
      return [offset[0] + x, offset[1] + ground(x, z) + (random() < 0.5 ? 2.5 : 0) + 0.3 * random(), offset[2] + z];
    },
  };
}

/** Takes the tiles of two bakes of a level, one of them with obstacles. */
function bakedKind(name: string, offset: readonly number[]): Kind {
  const scene = levelScenes.find((one) => one.name === name)!;
  const { positions, indices } = scene.create();
  const moved = Float64Array.from(positions, (v, k) => v + 1024 * Math.round(offset[k % 3] / 1024));
  const options = { ...scene.options, tileSize: 8 };
  const first = buildNavMesh({ positions: moved, indices }, options).navMesh;
  const random = seeded(1);
  const volumes = Array.from({ length: 30 }, () => {
    const v = 3 * Math.floor(random() * first.vertexCount);
    const [x, y, z] = first.vertices.subarray(v, v + 3);
    return { type: 'cylinder' as const, area: 0, center: [x, y - 2, z], radius: 1, height: 4 };
  });
  const meshes = [
    first,
    buildNavMesh({ positions: moved, indices }, { ...options, volumes: createVolumes(volumes) }).navMesh,
  ];
  const tiles = meshes.flatMap((mesh) =>
    [...mesh.tileState.subarray(0, mesh.tileSlotCount).keys()].map((slot) => tileIn(mesh, slot)),
  );
  const used = tiles.filter(({ polyCount, x, z }) => polyCount > 0 && x < 4 && z < 3);
  return {
    empty: () => {
      const { agent, cellSize, cellHeight, origin, tileSize } = first;
      return createNavMesh({ agent, cellSize, cellHeight, origin, tileSize });
    },
    tile: (next) => {
      const tile = used[Math.floor(next() * used.length)];
      return { ...tile, polyArea: tile.polyArea.slice(), polyFlags: tile.polyFlags.slice() };
    },
    randomPoint: (next) => {
      const { vertices, vertexCount } = used[Math.floor(next() * used.length)];
      const v = 3 * Math.floor(next() * vertexCount);
      return [vertices[v] + next() - 0.5, vertices[v + 1] + next() - 0.5, vertices[v + 2] + next() - 0.5];
    },
  };
}

function newLink(w: World): LinkOptions {
  const end = (): LinkOptions['end'] => {
    const p = w.kind.randomPoint(w.random);
    return w.random() < 0.5 ? p : [p, [p[0] + w.random() - 0.5, p[1], p[2] + w.random() - 0.5]];
  };
  return {
    start: end(),
    end: end(),
    bothWays: w.random() < 0.5,
    enabled: w.random() < 0.8,
    radius: w.random() * 2,
    area: 1 + below(w, 4),
    flags: pick(w, [1, 3, 5]),
    cost: w.random() < 0.4 ? w.random() * 8 : undefined,
    userId: w.nextId++,
  };
}

function removeTileOf(w: World, key: string): void {
  const { x, z, layer } = w.tiles.get(key)!;
  const slot = findTile(w.mesh, x, z, layer);
  for (const [ref, name] of w.refs) if (name.startsWith(`${key}:`)) w.refs.set(ref, '');
  removeTile(w.mesh, slot);
  w.tiles.delete(key);
}

function addTileTo(w: World, tile: TileData): void {
  if (tile.polyCount === 0) return;
  // The mesh must hold copies, so later changes of areas and flags are repeated here.
  const own = { ...tile, polyArea: tile.polyArea.slice(), polyFlags: tile.polyFlags.slice() };
  addTile(w.mesh, tile);
  tile.polyArea.fill(0);
  w.tiles.set(keyOf(own), own);
}

/** Returns a random existing polygon, with its tile and its number there. */
function randomPoly(w: World): { tile: TileData; number: number; poly: number } | null {
  if (w.tiles.size === 0) return null;
  const tile = pick(w, [...w.tiles.values()]);
  const number = below(w, tile.polyCount);
  return { tile, number, poly: w.mesh.tilePolyStart[findTile(w.mesh, tile.x, tile.z, tile.layer)] + number };
}

/** Does a random operation and returns its description. */
function operate(w: World): string {
  const { mesh } = w;
  const dice = w.random();
  if (dice < 0.35) {
    const tile = w.kind.tile(w.random);
    const key = keyOf(tile);
    const isThere = w.tiles.has(key);
    if (isThere) {
      if (tile.polyCount > 0) expect(() => addTile(mesh, tile)).toThrow(/addTile/);
      removeTileOf(w, key);
    }
    if (!isThere || w.random() < 0.6) addTileTo(w, tile);
    return `${isThere ? 'replace or remove' : 'add'} tile ${key}`;
  }
  if (dice < 0.5 && w.links.size < MAX_LINKS) {
    const options = newLink(w);
    w.links.set(options.userId!, { options, ref: addLink(mesh, options) });
    return `add link ${options.userId}`;
  }
  const one = w.links.size > 0 ? pick(w, [...w.links.values()]) : undefined;
  if (dice < 0.6 && one !== undefined) {
    removeLink(mesh, one.ref);
    w.links.delete(one.options.userId!);
    w.gone.push(one.ref);
    return `remove link ${one.options.userId}`;
  }
  if (dice < 0.7 && one !== undefined) {
    one.options = { ...one.options, enabled: w.random() < 0.5 };
    setLinkEnabled(mesh, one.ref, one.options.enabled!);
    return `link ${one.options.userId}: ${one.options.enabled}`;
  }
  const at = randomPoly(w);
  if (at === null) return 'nothing';
  const { tile, number, poly } = at;
  const name = polyName(mesh, poly);
  if (dice < 0.8) {
    tile.polyArea[number] = 1 + below(w, 4);
    setArea(mesh, refOf(mesh, poly), tile.polyArea[number]);
    return `area of ${name}`;
  }
  if (dice < 0.9) {
    tile.polyFlags[number] = pick(w, [0, 1, 1, 1, 3, 5]);
    setFlags(mesh, refOf(mesh, poly), tile.polyFlags[number]);
    return `flags of ${name}`;
  }
  if (dice < 0.95) {
    const slot = findTile(mesh, tile.x, tile.z, tile.layer);
    const before = saveTileState(mesh, slot)!;
    mesh.polyArea.fill(9, mesh.tilePolyStart[slot], mesh.tilePolyStart[slot] + tile.polyCount);
    restoreTileState(mesh, slot, before);
    return `state of tile ${keyOf(tile)} put back`;
  }
  if (dice < 0.98) {
    const { backup, prunedCount, missedSeeds } = pruneUnreachable(mesh, [refOf(mesh, poly)], { flags: 8 });
    expect([restoreFlags(mesh, backup), missedSeeds]).toEqual([prunedCount, []]);
    return `pruned from ${name}, and back`;
  }
  refreshIslands(mesh);
  return 'islands';
}

/** Expects the right areas, flags, refs and links. */
function expectState(w: World, what: string): void {
  const { mesh } = w;
  const wrong: string[] = [];
  for (const tile of w.tiles.values()) {
    const slot = findTile(mesh, tile.x, tile.z, tile.layer);
    const first = mesh.tilePolyStart[slot];
    for (let i = 0; i < tile.polyCount; i++) {
      if (mesh.polyArea[first + i] !== tile.polyArea[i] || mesh.polyFlags[first + i] !== tile.polyFlags[i])
        wrong.push(`${keyOf(tile)}:${i}`);
    }
  }
  for (const [ref, name] of w.refs) {
    const poly = polyIndexOf(mesh, ref);
    if (name === '' && seeded(ref)() < 0.02) expect(getArea(mesh, ref), what).toBeNull();
    if (name === '' ? poly >= 0 : poly < 0 || polyName(mesh, poly) !== name || refOf(mesh, poly) !== ref)
      wrong.push(`ref of ${name}`);
  }
  for (const [id, { ref }] of w.links) if (getLink(mesh, ref)?.userId !== id) wrong.push(`link ${id}`);
  for (const ref of w.gone) if (linkIndexOf(mesh, ref) >= 0) wrong.push(`link ref ${ref}`);
  if (listLinks(mesh).length !== w.links.size) wrong.push('links');
  expect(wrong, what).toEqual([]);
  expect(validateNavMesh(mesh), what).toEqual([]);
}

function shuffled<T>(w: World, items: T[]): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const k = below(w, i + 1);
    [items[i], items[k]] = [items[k], items[i]];
  }
  return items;
}

/** Builds the same state in another order. */
function rebuild(w: World): NavMesh {
  const mesh = w.kind.empty();
  const steps = [
    ...[...w.tiles.values()].map((tile) => () => void addTile(mesh, tile)),
    ...[...w.links.values()].map(
      ({ options }) =>
        () =>
          void addLink(mesh, options),
    ),
  ];
  for (const step of shuffled(w, steps)) step();
  return mesh;
}

type Answers = Record<string, unknown>;

const byFlags = createFilter({ excludeFlags: 2, areaCosts: { 2: 3, 3: 0.5, 4: 7 } });
const byMethods = createFilter({
  passes: (mesh, poly) => (mesh.polyFlags[poly] & 4) === 0,
  cost: (mesh, { poly, length }) => length * (1 + (mesh.polyArea[poly] & 1)),
});

/**
 * Runs all queries. The answers do not depend on how the mesh is stored. `name` is a polygon for queries from
 * a ref.
 */
function runQueries(mesh: NavMesh, seed: number, kind: Kind, name: string): Answers {
  const random = seeded(seed);
  const nameOf = (ref: PolyRef): string => (ref === NULL_REF ? 'none' : polyName(mesh, polyIndexOf(mesh, ref)));
  const names = (refs: readonly PolyRef[]): string[] => refs.map(nameOf);
  const linkOf = (corner: PathCorner): number =>
    (corner.link as number) === 0 ? -1 : getLink(mesh, corner.link)!.userId;
  const pathText = (path: Path | DetailedPath): unknown => ({
    ...path,
    polys: names(path.polys),
    corners:
      'corners' in path ? path.corners.map((corner) => [corner.flags, nameOf(corner.poly), linkOf(corner)]) : undefined,
  });
  const reachedText = ({ status, start, polys, costs, parents }: Reached): unknown => ({
    status,
    start,
    polys: names(polys)
      .map((one, i) => `${one} ${costs[i]} ${parents[i] < 0 ? '' : nameOf(polys[parents[i]])}`)
      .sort(),
  });
  const filter: QueryFilter | undefined = [undefined, byFlags, byMethods][Math.floor(random() * 3)];
  const [a, b] = [kind.randomPoint(random), kind.randomPoint(random)];
  const halfExtents = HALF_EXTENTS;
  const options = { filter, halfExtents };
  const out: Answers = {};
  const nearest = findNearest(mesh, a, options);
  out.nearest = { ...nearest, ref: nameOf(nearest.ref), poly: 0 };
  const everywhere = findNearest(mesh, b, { halfExtents: Infinity });
  out.everywhere = [nameOf(everywhere.ref), everywhere.point, everywhere.distance];
  const path = findDetailedPath(mesh, a, b, { ...options, crossings: random() < 0.5 ? 'none' : 'all' });
  out.path = pathText(path);
  out.budget = findPath(mesh, a, b, { ...options, maxNodes: 5 }).status;
  const search = startPathSearch(mesh, a, b, options);
  while (continuePathSearch(search, 3) === 'searching') continue;
  out.sliced = pathText(getPathSearchResult(search));
  out.whole = pathText(findDetailedPath(mesh, a, b, options));
  expect(out.sliced).toEqual(out.whole);
  const walk = findSmoothPath(mesh, a, b, { ...options, step: 0.7 });
  out.walk = pathText(walk);
  const explanation = explainPath(mesh, a, b, options);
  // Of equally wide gaps, and of links, the explanation names the one that is stored first.
  const { gap } = explanation;
  out.explained = [
    explanation.cause,
    explanation.missing,
    gap === null ? null : Math.hypot(gap.across, gap.up).toFixed(6),
  ];
  const circle = findPolysInCircle(mesh, a, 6, options);
  out.circle = reachedText(circle);
  const shape = [
    [0, 0],
    [0, 7],
    [6, 8],
    [9, 1],
  ].map(([x, z]) => [a[0] + x - 4, a[1], a[2] + z - 4]);
  out.shape = reachedText(
    findPolysInShape(mesh, shape, { ...options, startRef: nearest.found ? nearest.ref : undefined }),
  );
  const reached = findReachable(mesh, a, { ...options, maxDistance: 25 });
  out.reached = reachedText(reached);
  if (reached.status === 'complete') {
    const route = pathTo(mesh, reached, reached.polys[reached.polys.length - 1]);
    out.route = [route.status, route.cost];
  }
  out.box = names(findPolysInBox(mesh, b, [5, 2, 5], { filter })).sort();
  out.islands = findIslands(mesh, filter)
    .islands.map((island) => names(island.polys).sort().join())
    .sort();
  if (seed % 2 === 0) out.together = areOnOneIslandText(mesh, names);
  if (name !== '') {
    const [tileName, number] = name.split(':');
    const [x, z, layer] = tileName.split(',').map(Number);
    const poly = mesh.tilePolyStart[findTile(mesh, x, z, layer)] + Number(number);
    const startRef = refOf(mesh, poly);
    const first = mesh.polyEdgeStart[poly];
    const corners = Array.from({ length: mesh.polyVertexCount[poly] }, (_, k) =>
      mesh.vertices.subarray(3 * mesh.edgeVertex[first + k]),
    );
    const shares = corners.map(() => random());
    const sum = shares.reduce((u, v) => u + v);
    const from = [0, 1, 2].map(
      (k) => corners[0][k] + corners.reduce((u, corner, i) => u + (shares[i] / sum) * (corner[k] - corners[0][k]), 0),
    );
    out.kept = [getArea(mesh, startRef), getFlags(mesh, startRef), getHeight(mesh, startRef, from[0], from[2])];
    const ray = raycast(mesh, from, b, { startRef, filter, withCost: true, withPolys: true });
    out.ray = { ...ray, edge: 0, ref: nameOf(ray.ref), polys: names(ray.polys) };
    const near = [from[0] + 4 * random() - 2, from[1], from[2] + 4 * random() - 2];
    const slide = moveAlongSurface(mesh, from, near, { startRef, filter });
    out.slide = { ...slide, ref: nameOf(slide.ref), polys: names(slide.polys) };
    const wall = findDistanceToWall(mesh, from, 8, { startRef, filter });
    out.wall = { ...wall, ref: nameOf(wall.ref) };
    out.walls = getWallSegments(mesh, startRef, { filter, withPortals: true })!.map((wall) => ({
      ...wall,
      ref: nameOf(wall.ref),
    }));
    const around = findLocalNeighborhood(mesh, from, 4, { startRef, filter });
    out.around = [
      around.status,
      names(around.polys)
        .map((one, i) => `${one} ${nameOf(around.parents[i])}`)
        .sort(),
    ];
    const drawn = findRandomPoint(mesh, createRandom(seed), { from, startRef, filter });
    if (drawn.found) {
      const height = getHeight(mesh, drawn.ref, drawn.point[0], drawn.point[2]);
      if (height !== null) expect(height).toBe(drawn.point[1]);
      expect(findReachable(mesh, from, { startRef, filter }).polys).toContain(drawn.ref);
    }
  }
  return out;
}

/** Returns the names of the polygons on the island of the first polygon by name. Refreshes the islands. */
function areOnOneIslandText(mesh: NavMesh, names: (refs: readonly PolyRef[]) => string[]): string[] {
  refreshIslands(mesh);
  const refs: PolyRef[] = [];
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    for (let i = 0; i < mesh.tilePolyCount[slot]; i++) refs.push(refOf(mesh, mesh.tilePolyStart[slot] + i));
  }
  const list = names(refs);
  const first = list.indexOf([...list].sort()[0]);
  return list
    .filter((_, i) => areOnOneIsland(mesh, polyIndexOf(mesh, refs[first]), polyIndexOf(mesh, refs[i])) === 1)
    .sort();
}

const KINDS: [string, () => Kind][] = [
  ['squares', () => squares([0, 0, 0])],
  ['squares 100 km away', () => squares(FAR)],
  ['tiles of a terrain', () => bakedKind('terrain', [0, 0, 0])],
  ['tiles of a house, 100 km away', () => bakedKind('house', FAR)],
];

describe('the runtime', () => {
  it.each(KINDS)('equals a newly built mesh: %s', { timeout: 60_000 + OPERATIONS * 100 }, (title, make) => {
    const kind = make();
    const seed = 10 * SEED + KINDS.findIndex(([one]) => one === title);
    const w: World = {
      mesh: kind.empty(),
      random: seeded(seed),
      kind,
      tiles: new Map(),
      links: new Map(),
      refs: new Map(),
      gone: [],
      nextId: 1,
    };
    const statuses: Record<string, number> = {};
    for (let step = 0; step < OPERATIONS; step++) {
      const what = `seed ${seed}, operation ${step}: ${operate(w)}`;
      expectState(w, what);
      const at = randomPoly(w);
      const name = at === null ? '' : polyName(w.mesh, at.poly);
      if (at !== null && w.refs.size < 200) w.refs.set(refOf(w.mesh, at.poly), name);
      if (w.gone.length > 100) w.gone.splice(0, 50);
      if (w.refs.size >= 200) w.refs.clear();
      const querySeed = seed * 100_003 + step;
      const answers = runQueries(w.mesh, querySeed, kind, name);
      const { status, reason } = answers.whole as Path;
      statuses[`${status} ${reason}`] = (statuses[`${status} ${reason}`] ?? 0) + 1;
      if (step % EVERY !== 0) continue;
      expect(runQueries(w.mesh, querySeed, kind, name), what).toEqual(answers);
      const other = rebuild(w);
      expect(portalText(other), what).toEqual(portalText(w.mesh));
      // The order of links decides which polygons the search visits first.
      expect({ ...runQueries(other, querySeed, kind, name), budget: answers.budget }, what).toEqual(answers);
      expect(runQueries(loadNavMesh(saveNavMesh(w.mesh)), querySeed, kind, name), what).toEqual(answers);
    }
    const { tileSlotCount, linkCount, portalCount, polyCount, vertexCount } = w.mesh;
    console.info(
      `seed ${seed}: ${JSON.stringify({ ...statuses, tileSlotCount, linkCount, portalCount, polyCount, vertexCount })}`,
    );
    // Freed slots are used again, so their number is bounded.
    expect([tileSlotCount <= 24, linkCount <= MAX_LINKS]).toEqual([true, true]);
    // When everything is removed, nothing remains.
    for (const key of w.tiles.keys()) removeTileOf(w, key);
    for (const { ref } of w.links.values()) removeLink(w.mesh, ref);
    w.links.clear();
    expectState(w, `seed ${seed}, the end`);
    expect([
      findNearest(w.mesh, [0, 0, 0], { halfExtents: Infinity }).found,
      w.mesh.linkReach >= 0,
      w.mesh.linkScale,
    ]).toEqual([false, true, 1]);
  });
});
