/**
 * `skipDeadEnds` compared with `findPath` on a copy of the mesh without it: the same paths on levels and mazes, tiled
 * and not, with filters, links, and changes in between. NAVKILN_PATHS: number of pairs.
 */
import { expect, it } from 'vitest';
import { findLevelScene, mapScenes } from 'navkiln-scenes';
import { buildNavMesh } from '../../src/entries/build.ts';
import { buildFromPolygons } from '../../src/entries/polygon.ts';
import { addLink } from '../../src/mesh/change/links.ts';
import { removeTile } from '../../src/mesh/change/tiles.ts';
import { refOf } from '../../src/mesh/ref.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { setArea, setFlags } from '../../src/query/area.ts';
import { createFilter } from '../../src/query/create-filter.ts';
import { skipDeadEnds } from '../../src/query/optimal/skip-dead-ends.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { seeded } from '../unit/meshes.ts';

const SEED = Number(process.env['NAVKILN_SEED'] ?? 1);
const PAIRS = Number(process.env['NAVKILN_PATHS'] ?? 600);
const FILTERS = [
  undefined,
  createFilter({ excludeFlags: 2 }),
  createFilter({ areaCosts: { 1: 0.1, 2: 7 } }),
  createFilter({ areaCosts: { 1: Infinity } }),
];

function placeOn(mesh: NavMesh, random: () => number): [number, number, number] {
  let poly = 0;
  do poly = Math.floor(random() * mesh.polyCount);
  while (mesh.polyVertexCount[poly] === 0);
  const first = mesh.polyEdgeStart[poly];
  const weights = Array.from({ length: mesh.polyVertexCount[poly] }, () => random() + 0.01);
  const sum = weights.reduce((a, b) => a + b);
  const point: [number, number, number] = [0, 0, 0];
  weights.forEach((weight, i) => {
    for (let k = 0; k < 3; k++) point[k] += (weight / sum) * mesh.vertices[3 * mesh.edgeVertex[first + i] + k];
  });
  return point;
}

/** Applies the same change to both meshes: flags, areas, a one-way link, a removed tile. */
function change(meshes: readonly NavMesh[], random: () => number, isTiled: boolean): void {
  const kind = Math.floor(random() * 4);
  const poly = Math.floor(random() * meshes[0].polyCount);
  const [value, other] = [Math.floor(random() * 3), random() < 0.3];
  const [start, end] = [placeOn(meshes[0], random), placeOn(meshes[0], random)];
  for (const mesh of meshes) {
    if (mesh.polyVertexCount[poly] === 0) continue;
    if (kind === 0) setFlags(mesh, refOf(mesh, poly), [0, 1, 2][value]);
    else if (kind === 1) setArea(mesh, refOf(mesh, poly), 1 + value);
    else if (kind === 2) addLink(mesh, { start, end, bothWays: other });
    else if (isTiled && other && mesh.tileSlotCount > 8) removeTile(mesh, mesh.polyTile[poly]);
  }
}

const levels = ['house', 'tower', 'dungeon', 'soup'].flatMap((name) => [0, 40].map((cells) => ({ name, cells })));
const maps = mapScenes.slice(0, 2).map(({ name }) => ({ name, cells: 0 }));

function meshOf(name: string, cells: number): NavMesh {
  const map = mapScenes.find((scene) => scene.name === name);
  if (map !== undefined) return buildFromPolygons(map.create()).navMesh;
  const scene = findLevelScene(name);
  const tileSize = cells * scene.options.cellSize! || undefined;
  return buildNavMesh(scene.create(), { ...scene.options, tileSize }).navMesh;
}

it.each([...levels, ...maps])(`gives the paths of findPath on $name, tiles of $cells cells, seed ${SEED}`, (row) => {
  const random = seeded(SEED);
  const plain = meshOf(row.name, row.cells);
  const mesh = structuredClone(plain);
  skipDeadEnds(mesh);
  const count = Math.ceil(PAIRS / (levels.length + maps.length));
  for (let i = 0; i < count; i++) {
    if (i % 8 === 7) change([plain, mesh], random, row.cells > 0);
    const [a, b] = [placeOn(plain, random), placeOn(plain, random)];
    const filter = FILTERS[Math.floor(random() * 1.8 * FILTERS.length) % FILTERS.length];
    const maxNodes = random() < 0.1 ? 1 + Math.floor(100 * random()) : undefined;
    const options = { filter, maxNodes, halfExtents: [0.2, 2, 0.2] };
    expect(findPath(mesh, a, b, options), `pair ${i}: ${a} to ${b}`).toEqual(findPath(plain, a, b, options));
  }
});
