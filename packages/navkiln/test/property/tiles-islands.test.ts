/**
 * The nearest position on an island that spans many tiles, connected by portals and links, against a search
 * of all polygons.
 */
import { expect, it } from 'vitest';
import { closestPointOnPoly } from '../../src/mesh/ground.ts';
import { areOnOneIsland, refreshIslands } from '../../src/mesh/islands.ts';
import { addLink, removeLink } from '../../src/mesh/change/links.ts';
import { addTile } from '../../src/mesh/change/tiles.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { createFilter } from '../../src/query/create-filter.ts';
import { findNearestOnIsland } from '../../src/query/nearest/on-island.ts';
import { createNearestHit } from '../../src/query/nearest/nearest.ts';
import { seeded } from '../unit/meshes.ts';
import { TILE, polyName, squaresTile, tiledMesh } from '../unit/mesh/tiled-meshes.ts';

const SIZE = 9;

it.each([11, 12, 13, 14, 15, 16, 17, 18])('equals the search of all polygons, seed %i', (seed) => {
  const random = seeded(seed);
  const far = seed % 2 === 0 ? [0, 0, 0] : [100_000, 0, 100_000];
  const mesh = tiledMesh(far);
  for (let x = 0; x < SIZE; x++) {
    for (let z = 0; z < SIZE; z++) {
      addTile(
        mesh,
        squaresTile(
          x,
          z,
          0,
          2,
          () => random() < 0.5,
          (wx, wz) => 0.1 * wx + 0.2 * wz,
          far,
        ),
      );
    }
  }
  const randomPoint = (): [number, number, number] => {
    const [x, z] = [random() * SIZE * TILE, random() * SIZE * TILE];
    return [far[0] + x, 0.1 * x + 0.2 * z, far[2] + z];
  };
  const links = Array.from({ length: 12 }, () => addLink(mesh, { start: randomPoint(), end: randomPoint() }));
  expect(validateNavMesh(mesh)).toEqual([]);
  removeLink(mesh, links[0]);
  const filter = createFilter({ excludeFlags: 4 });
  for (let poly = 0; poly < mesh.polyCount; poly++) if (random() < 0.2) mesh.polyFlags[poly] |= 4;
  const hit = createNearestHit();
  const out = new Float64Array(3);
  for (let i = 0; i < 40; i++) {
    const from = Math.floor(random() * mesh.polyCount);
    if (mesh.polyFlags[from] >= 4) continue;
    const point = Float64Array.from(randomPoint());
    findNearestOnIsland(hit, mesh, from, point, filter);
    expect(mesh.islandsStale).toBe(0);
    let best = Infinity;
    let name = '';
    for (let poly = 0; poly < mesh.polyCount; poly++) {
      if (areOnOneIsland(mesh, poly, from) === 0 || mesh.polyFlags[poly] >= 4) continue;
      closestPointOnPoly(out, mesh, poly, point);
      const distance = Math.hypot(out[0] - point[0], out[1] - point[1], out[2] - point[2]);
      if (distance < best) name = polyName(mesh, poly);
      best = Math.min(best, distance);
    }
    expect(Math.sqrt(hit.distanceSq), `seed ${seed}, ${i}: ${polyName(mesh, hit.poly)}, not ${name}`).toBeCloseTo(
      best,
      9,
    );
    expect(areOnOneIsland(mesh, hit.poly, from)).toBe(1);
    expect(mesh.polyFlags[hit.poly]).toBeLessThan(4);
  }
  refreshIslands(mesh);
  expect(validateNavMesh(mesh)).toEqual([]);
});
