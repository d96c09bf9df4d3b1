/** Seeded meshes that change, for the random tests of corridors. */
import { createVolumes } from '../../src/build/voxel/volumes.ts';
import { levelScenes } from 'navkiln-scenes';
import { createNavMesh } from '../../src/mesh/create.ts';
import { addLink, listLinks, removeLink, setLinkEnabled } from '../../src/mesh/change/links.ts';
import { refOf } from '../../src/mesh/ref.ts';
import { findTile } from '../../src/mesh/tiles/tile-grid.ts';
import { addTile, removeTile } from '../../src/mesh/change/tiles.ts';
import type { NavMesh, TileData } from '../../src/mesh/types.ts';
import { setArea, setFlags } from '../../src/query/area.ts';
import { createNearestHit, findNearestInto } from '../../src/query/nearest/nearest.ts';
import type { NearestHit } from '../../src/query/nearest/nearest.ts';
import { DEFAULT_FILTER } from '../../src/query/filter.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import { seeded, tileIn } from '../unit/meshes.ts';
import { TILE, squaresTile, tiledMesh } from '../unit/mesh/tiled-meshes.ts';

export interface World {
  mesh: NavMesh;
  random: () => number;
  /** Tiles that may stand in each place: one of them does, or none. */
  variants: Map<string, TileData[]>;
}

export const below = (w: { random: () => number }, n: number): number => Math.floor(w.random() * n);
export const pick = <T>(w: { random: () => number }, items: readonly T[]): T => items[below(w, items.length)];

const copyOf = (tile: TileData): TileData => ({
  ...tile,
  polyArea: tile.polyArea.slice(),
  polyFlags: tile.polyFlags.slice(),
});

/** Creates two floors of squares, 3 x 3 tiles. */
export function squaresWorld(seed: number, offset: number[] = [0, 0, 0]): World {
  const random = seeded(seed);
  const w: World = { mesh: tiledMesh([...offset]), random, variants: new Map() };
  const ground = (x: number, z: number): number => 0.1 * x - 0.05 * z + 0.0031 * x * z - 0.0017 * x * x;
  for (let i = 0; i < 18; i++) {
    const [x, z, layer] = [i % 3, Math.floor(i / 3) % 3, Math.floor(i / 9)];
    const list = [0, 1].map(() => {
      const share = pick(w, [1, 0.9, 0.75]);
      const n = pick(w, [1, 2, 3, 4, 6]);
      return squaresTile(
        x,
        z,
        layer,
        n,
        () => random() < share,
        (wx, wz) => ground(wx, wz) + 2.5 * layer,
        [...offset],
      );
    });
    w.variants.set(
      `${x},${z},${layer}`,
      list.filter(({ polyCount }) => polyCount > 0),
    );
  }
  for (const list of w.variants.values()) if (list.length > 0) addTile(w.mesh, copyOf(list[0]));
  return w;
}

/** Bakes the tiles of a scene, each in a second variant with obstacles. */
export function bakedWorld(seed: number, name: string, tileSize?: number, offset: number[] = [0, 0, 0]): World {
  const scene = levelScenes.find((one) => one.name === name)!;
  const { positions, indices } = scene.create();
  const moved = Float64Array.from(positions, (v, k) => v + 1024 * Math.round(offset[k % 3] / 1024));
  const options = tileSize === undefined ? scene.options : { ...scene.options, tileSize };
  const first = buildNavMesh({ positions: moved, indices }, options).navMesh;
  const next = seeded(seed);
  const volumes = Array.from({ length: 20 }, () => {
    const v = 3 * Math.floor(next() * first.vertexCount);
    const [x, y, z] = first.vertices.subarray(v, v + 3);
    return { type: 'cylinder' as const, area: 0, center: [x, y - 2, z], radius: 1, height: 4 };
  });
  const { agent, cellSize, cellHeight, tileSize: meshTileSize, origin } = first;
  const empty = createNavMesh({ agent, cellSize, cellHeight, tileSize: meshTileSize, origin: [...origin] });
  const w: World = { mesh: empty, random: next, variants: new Map() };
  for (const mesh of [
    first,
    buildNavMesh({ positions: moved, indices }, { ...options, volumes: createVolumes(volumes) }).navMesh,
  ]) {
    for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
      const tile = tileIn(mesh, slot);
      if (tile.polyCount === 0) continue;
      const key = `${tile.x},${tile.z},${tile.layer}`;
      w.variants.set(key, [...(w.variants.get(key) ?? []), tile]);
    }
  }
  for (const list of w.variants.values()) addTile(w.mesh, copyOf(list[0]));
  return w;
}

/** Returns a random polygon. */
export function anyPoly(w: World): number {
  const { mesh } = w;
  for (;;) {
    const slot = below(w, mesh.tileSlotCount);
    if (mesh.tileState[slot] === 1) return mesh.tilePolyStart[slot] + below(w, mesh.tilePolyCount[slot]);
  }
}

const hit = createNearestHit();

/** Returns a random point on a polygon. */
export function anySpot(w: World): NearestHit {
  const { mesh, random } = w;
  const poly = anyPoly(w);
  const first = mesh.polyEdgeStart[poly];
  const place = new Float64Array(3);
  let sum = 0;
  for (let e = first; e < first + mesh.polyVertexCount[poly]; e++) {
    const weight = random();
    sum += weight;
    for (let k = 0; k < 3; k++) place[k] += weight * mesh.vertices[3 * mesh.edgeVertex[e] + k];
  }
  for (let k = 0; k < 3; k++) place[k] /= sum;
  findNearestInto(hit, mesh, place, Float64Array.of(1, 2, 1), DEFAULT_FILTER);
  return { ...hit, point: hit.point.slice() };
}

/** Adds links between points or segments, mostly near each other. */
export function newLink(w: World): void {
  const a = anySpot(w).point;
  let b = anySpot(w).point;
  for (let i = 0; i < 8; i++) {
    const other = anySpot(w).point;
    if (Math.hypot(other[0] - a[0], other[2] - a[2]) < Math.hypot(b[0] - a[0], b[2] - a[2])) b = other;
  }
  const end = (p: Float64Array): number[] | [number[], number[]] =>
    w.random() < 0.5 ? [...p] : [[...p], [p[0] + w.random() - 0.5, p[1], p[2] + w.random() - 0.5]];
  addLink(w.mesh, {
    start: end(a),
    end: end(b),
    bothWays: w.random() < 0.5,
    radius: 1,
    flags: pick(w, [1, 3]),
    area: 1 + below(w, 3),
    cost: w.random() < 0.4 ? 5 * w.random() : undefined,
  });
}

/** Changes the mesh. Returns what it did. */
export function change(w: World): string {
  const { mesh } = w;
  const dice = w.random();
  if (dice < 0.3) {
    const key = pick(
      w,
      [...w.variants.keys()].filter((one) => w.variants.get(one)!.length > 0),
    );
    const [x, z, layer] = key.split(',').map(Number);
    const slot = findTile(mesh, x, z, layer);
    if (slot >= 0 && mesh.tileState.reduce((sum, state) => sum + (state === 1 ? 1 : 0), 0) > 1) {
      removeTile(mesh, slot);
      if (w.random() < 0.3) return `tile ${key} away`;
    }
    if (findTile(mesh, x, z, layer) < 0) addTile(mesh, copyOf(pick(w, w.variants.get(key)!)));
    return `another tile ${key}`;
  }
  if (dice < 0.6) {
    const poly = anyPoly(w);
    setFlags(mesh, refOf(mesh, poly), w.random() < 0.85 ? 1 : pick(w, [0, 2, 3]));
    return `flags of ${poly}`;
  }
  if (dice < 0.7) {
    setArea(mesh, refOf(mesh, anyPoly(w)), 1 + below(w, 3));
    return 'an area';
  }
  const links = listLinks(mesh);
  if (links.length < 12 && w.random() < 0.5) {
    newLink(w);
    return 'a new link';
  }
  if (links.length === 0) return 'nothing';
  const link = pick(w, links);
  if (w.random() < 0.5) {
    removeLink(mesh, link);
    return 'a link away';
  }
  setLinkEnabled(mesh, link, w.random() < 0.6);
  return 'a link opened or closed';
}

export const SQUARES_SIZE = 3 * TILE;
