/**
 * Surface that only leads back, compared with its definition: polygons on no path between two other polygons that
 * passes each polygon at most once.
 */
import { describe, expect, it } from 'vitest';
import { addLink } from '../../../src/mesh/change/links.ts';
import { findTile } from '../../../src/mesh/tiles/tile-grid.ts';
import { addTile, removeTile } from '../../../src/mesh/change/tiles.ts';
import type { NavMesh, TileData } from '../../../src/mesh/types.ts';
import { buildFromPolygons } from '../../../src/build/polygon/build.ts';
import { cutByDiagonals } from '../../../src/build/polygon/diagonal/diagonal.ts';
import { DEFAULT_FILTER } from '../../../src/query/filter.ts';
import { findOptimalPath } from '../../../src/query/optimal/optimal.ts';
import { blockUp, findBlocks } from '../../../src/query/optimal/blocks.ts';
import { bitsOf } from '../../../src/query/optimal/corner.ts';
import { DEAD_END, beginOptimal, createOptimalState, openBlocks } from '../../../src/query/optimal/state.ts';
import { gridTile, meshOf, seeded } from '../meshes.ts';
import { randomMap } from '../build/polygon/random-maps.ts';

/** Polygons that can be reached without `closed`. */
function reachableFrom(mesh: NavMesh, from: number, closed: number): Set<number> {
  const seen = new Set([from]);
  for (const poly of seen) {
    const first = mesh.polyEdgeStart[poly];
    for (let e = first; e < first + mesh.polyVertexCount[poly]; e++) {
      const other = mesh.edgeNeighbor[e];
      if (other >= 0 && other !== closed) seen.add(other);
    }
  }
  return seen;
}

/** By Menger's theorem: disjoint paths from p to both ends exist if no other polygon separates p from both. */
function isBetween(mesh: NavMesh, p: number, start: number, end: number): boolean {
  if (p === start || p === end) return true;
  const all = reachableFrom(mesh, p, -1);
  if (!all.has(start) || !all.has(end)) return false;
  for (const closed of all) {
    if (closed === p) continue;
    const left = reachableFrom(mesh, p, closed);
    if (!(left.has(start) && closed !== start) && !(left.has(end) && closed !== end)) return false;
  }
  return true;
}

describe('polygons that only lead back', () => {
  it('never lie between two positions', () => {
    const random = seeded(3);
    let left = 0,
      between = 0,
      open = 0;
    const state = createOptimalState();
    for (let round = 0; round < 15; round++) {
      const bits = Array.from({ length: 100 }, () => random() < 0.68);
      const mesh = meshOf(gridTile(10, 10, (x, z) => bits[10 * z + x]));
      for (let i = 0; i < 3; i++) {
        const start = Math.floor(random() * mesh.polyCount),
          end = Math.floor(random() * mesh.polyCount);
        const mates = reachableFrom(mesh, start, -1);
        if (start === end || !mates.has(end)) continue;
        beginOptimal(state, mesh);
        openBlocks(state, mesh, start);
        openBlocks(state, mesh, end);
        for (const p of mates) {
          const isLeft = (bitsOf(state, mesh, DEFAULT_FILTER, p) & DEAD_END) !== 0;
          if (isLeft) left++;
          else open++;
          if (!isBetween(mesh, p, start, end)) continue;
          between++;
          expect(isLeft, `round ${round}, ${start} to ${end}: ${p}`).toBe(false);
        }
      }
    }
    expect(left).toBeGreaterThan(100);
    expect(open).toBeLessThan(2 * between);
  });

  it('are searched where a link is', () => {
    // A comb: paths between its teeth lead over its back, or over a link at their ends.
    const mesh = meshOf(gridTile(5, 9, (x, z) => x % 2 === 0 || z === 0));
    const path = (): number => findOptimalPath(mesh, [0.5, 0, 4.5], [4.5, 0, 4.5]).cost;
    const long = path();
    addLink(mesh, { start: [0.5, 0, 8.5], end: [4.5, 0, 8.5], cost: 0.1, radius: 0.5 });
    expect(path()).toBeLessThan(long);
  });

  it('are computed again when a tile is replaced', () => {
    const mesh = meshOf(gridTile(7, 7, (x, z) => x === 0 || z === 0));
    const find = (): string => findOptimalPath(mesh, [0.5, 0, 6.5], [6.5, 0, 0.5]).status;
    expect(find()).toBe('complete');
    removeTile(mesh, findTile(mesh, 0, 0));
    addTile(
      mesh,
      gridTile(7, 7, (x, z) => x === 6 || z === 6),
    );
    expect(findOptimalPath(mesh, [0.5, 0, 6.5], [6.5, 0, 0.5])).toMatchObject({ status: 'complete', exact: true });
  });
});

describe('what is known about tiles', () => {
  it('is forgotten when the pools are compacted, also of tiles that no query has visited since', () => {
    const random = seeded(11);
    const int = (count: number): number => Math.floor(count * random());
    /** A comb, whose teeth only lead back. */
    const comb = (layer: number): TileData => {
      const width = 4 + 2 * int(3);
      return { ...gridTile(width, 4, (x, z) => z === 0 || x % 2 === 0), layer };
    };
    const mesh = meshOf();
    for (let layer = 0; layer < 20; layer++) addTile(mesh, comb(layer));
    let compacted = 0;
    for (let step = 0; step < 600; step++) {
      const layer = int(3);
      removeTile(mesh, findTile(mesh, 0, 0, layer));
      const { polyEdgeStart } = mesh;
      addTile(mesh, comb(layer));
      if (mesh.polyEdgeStart !== polyEdgeStart) compacted++;
      const known = findBlocks(mesh)!;
      const fresh = findBlocks({ ...mesh })!;
      const slot = findTile(mesh, 0, 0, int(20));
      const first = mesh.tilePolyStart[slot];
      for (let poly = first; poly < first + mesh.tilePolyCount[slot]; poly++) {
        expect(blockUp(known, mesh, poly), `step ${step}, polygon ${poly}`).toBe(blockUp(fresh, mesh, poly));
      }
    }
    expect(compacted).toBeGreaterThan(5);
  });
});

describe('an unreachable end', () => {
  it('is approached from any of the polygons that meet at the start', () => {
    const map = randomMap('self-crossing', 15);
    const rests = (['delaunay', 'diagonal'] as const).map((mode) => {
      const mesh = buildFromPolygons(map, { mode, cutByDiagonals, yAxis: 'down' }).navMesh;
      const end = [11.723284721374512, 0, 25.59140396118164];
      const path = findOptimalPath(mesh, [5.429095268249512, 0, 14.460777282714844], end as [number, number, number]);
      expect(path.status).toBe('partial');
      const last = path.points.at(-1)!;
      return Math.hypot(last[0] - end[0], last[2] - end[2]);
    });
    expect(rests[0]).toBeLessThan(7.6);
    expect(rests[1]).toBeCloseTo(rests[0], 9);
  });
});
