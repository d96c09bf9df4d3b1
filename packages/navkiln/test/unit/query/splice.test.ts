/** Spliced corridors compared with lists: which common polygon counts, and where each crossing leads. */
import { describe, expect, it } from 'vitest';
import { linkEndCrossing, isLinkCrossing, portalOf } from '../../../src/mesh/crossing.ts';
import { addLink } from '../../../src/mesh/change/links.ts';
import { addTile } from '../../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../../src/mesh/types.ts';
import { createCorridor } from '../../../src/query/path/corridor.ts';
import type { Corridor } from '../../../src/query/path/corridor.ts';
import {
  fixCorridorShortcuts,
  mergeCorridorEndMoved,
  mergeCorridorStartMoved,
  mergeCorridorStartShortcut,
} from '../../../src/agents/corridor/merge.ts';
import { NO_CROSSING, findCrossing } from '../../../src/query/path/corridor.ts';
import { seeded } from '../meshes.ts';
import { squaresTile, tiledMesh } from '../mesh/tiled-meshes.ts';

/** Returns neighbors by the edges and portals of the other side. */
function neighbours(mesh: NavMesh, poly: number): number[] {
  const out = new Set<number>();
  for (let other = 0; other < mesh.polyCount; other++) {
    const first = mesh.polyEdgeStart[other];
    if (mesh.edgeNeighbor.subarray(first, first + mesh.polyVertexCount[other]).includes(poly)) out.add(other);
    for (let l = mesh.polyPortal[other]; l >= 0; l = mesh.portalNext[l])
      if (mesh.portalPoly[l] === poly) out.add(other);
  }
  return [...out];
}

function world(seed: number): { mesh: NavMesh; random: () => number; around: number[][] } {
  const random = seeded(seed);
  const mesh = tiledMesh();
  for (let i = 0; i < 4; i++)
    addTile(
      mesh,
      squaresTile(
        i % 2,
        i >> 1,
        0,
        [2, 3, 4, 6][i],
        () => random() < 0.85,
        () => 0,
      ),
    );
  return { mesh, random, around: Array.from({ length: mesh.polyCount }, (_, poly) => neighbours(mesh, poly)) };
}

function wander(around: number[][], random: () => number, from: number, steps: number): number[] {
  const way = [from];
  for (let i = 0; i < steps; i++) {
    const next = around[way[way.length - 1]];
    if (next.length > 0) way.push(next[Math.floor(random() * next.length)]);
  }
  return way;
}

function corridorOf(mesh: NavMesh, polys: number[]): Corridor {
  return {
    ...createCorridor(),
    count: polys.length,
    polys: Int32Array.from(polys),
    crossings: Int32Array.from(polys, (poly, i) => (i + 1 < polys.length ? findCrossing(mesh, poly, polys[i + 1]) : 0)),
  };
}

function expectSound(mesh: NavMesh, corridor: Corridor, polys: number[], what: string): void {
  expect([...corridor.polys.subarray(0, corridor.count)], what).toEqual(polys);
  for (let i = 0; i + 1 < corridor.count; i++) {
    const crossing = corridor.crossings[i];
    if (isLinkCrossing(crossing) && crossing !== NO_CROSSING) continue;
    const [from, to] = [polys[i], polys[i + 1]];
    if (crossing >= 0) {
      const at = crossing - mesh.polyEdgeStart[from];
      expect([mesh.edgeNeighbor[crossing], at >= 0 && at < mesh.polyVertexCount[from]], what).toEqual([to, true]);
    } else {
      expect(crossing, what).not.toBe(NO_CROSSING);
      const portal = portalOf(crossing);
      expect([mesh.portalPoly[portal], mesh.portalPoly[mesh.portalBack[portal]]], what).toEqual([to, from]);
    }
  }
}

/** Returns all pairs of indices at which two lists are equal, the best by `isBetter` first. */
function pairs(a: number[], b: number[]): [number, number][] {
  return a.flatMap((poly, i) => b.flatMap((other, k): [number, number][] => (other === poly ? [[i, k]] : [])));
}

describe.each([1, 2, 3, 4])('spliced corridors, seed %i', (seed) => {
  const { mesh, random, around } = world(seed);
  const below = (n: number): number => Math.floor(random() * n);

  it('match an implementation with lists', () => {
    const seen = { start: 0, end: 0, shortcut: 0, none: 0 };
    for (let i = 0; i < 400; i++) {
      const polys = wander(around, random, below(mesh.polyCount), below(12));
      const nearby = random() < 0.9;
      const from = nearby ? polys[below(Math.min(polys.length, 3))] : below(mesh.polyCount);
      const moved = wander(around, random, from, below(8));
      const visited = Int32Array.from([...moved, 77, 78]);
      const common = pairs(polys, moved);
      const what = `seed ${seed}, ${i}: ${polys} and ${moved}`;
      const [a, b, c] = [corridorOf(mesh, polys), corridorOf(mesh, polys), corridorOf(mesh, polys)];
      const done = [
        mergeCorridorStartMoved(a, mesh, visited, moved.length),
        mergeCorridorEndMoved(b, mesh, visited, moved.length),
        mergeCorridorStartShortcut(c, mesh, visited, moved.length),
      ];
      expect(done, what).toEqual(Array(3).fill(common.length > 0));
      if (common.length === 0) {
        seen.none++;
        for (const corridor of [a, b, c]) expectSound(mesh, corridor, polys, what);
        continue;
      }
      const [far, step] = [...common].sort((p, q) => q[0] - p[0] || q[1] - p[1])[0];
      const [near, last] = [...common].sort((p, q) => p[0] - q[0] || q[1] - p[1])[0];
      expectSound(mesh, a, [...moved.slice(step + 1).reverse(), ...polys.slice(far)], what);
      expectSound(mesh, b, [...polys.slice(0, near + 1), ...moved.slice(last + 1)], what);
      // Nothing precedes the common polygon when the ray has not left it.
      expectSound(mesh, c, step === 0 ? polys : [...moved.slice(0, step), ...polys.slice(far)], what);
      seen.start += a.count > polys.length ? 1 : 0;
      seen.end += b.count < polys.length ? 1 : 0;
      seen.shortcut += c.count < polys.length ? 1 : 0;
    }
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(10);
  });

  it('drop polygons that a neighbor makes needless', () => {
    let cuts = 0;
    for (let i = 0; i < 400; i++) {
      const polys = wander(around, random, below(mesh.polyCount), below(12));
      const corridor = corridorOf(mesh, polys);
      let keep = 1;
      for (let k = 2; k < Math.min(6, polys.length); k++) if (around[polys[0]].includes(polys[k])) keep = k;
      const cut = fixCorridorShortcuts(corridor, mesh);
      expect(cut, `seed ${seed}, ${i}: ${polys}`).toBe(keep - 1);
      expectSound(mesh, corridor, [polys[0], ...polys.slice(keep)], `seed ${seed}, ${i}: ${polys}`);
      if (cut > 0) cuts++;
    }
    expect(cuts).toBeGreaterThan(50);
  });
});

describe('links', () => {
  it('stay in place and are never a shortcut', () => {
    const mesh = tiledMesh();
    addTile(
      mesh,
      squaresTile(
        0,
        0,
        0,
        4,
        () => true,
        () => 0,
      ),
    );
    addLink(mesh, { start: [1.5, 0, 1.5], end: [4.5, 0, 1.5] });
    const linkEnd = mesh.polyLink[0];
    expect([linkEnd, mesh.linkPoly[linkEnd ^ 1]]).toEqual([0, 1]);
    // 0 -> 1 by the link although they are neighbors; 4 is next to 0, and 5 next to 1.
    const make = (polys: number[], link: number): Corridor => {
      const corridor = corridorOf(mesh, polys);
      corridor.crossings[link] = linkEndCrossing(linkEnd);
      return corridor;
    };
    const corridor = make([0, 1, 5, 4], 0);
    expect(fixCorridorShortcuts(corridor, mesh)).toBe(0);
    expect(corridor.crossings[0]).toBe(linkEndCrossing(linkEnd));
    expect(mergeCorridorStartMoved(corridor, mesh, Int32Array.of(0, 4, 8), 3)).toBe(true);
    expectSound(mesh, corridor, [8, 4], 'walked away');
    const kept = make([0, 1, 5, 4], 0);
    expect(mergeCorridorStartMoved(kept, mesh, Int32Array.of(0), 1)).toBe(true);
    expect(mergeCorridorEndMoved(kept, mesh, Int32Array.of(4, 8), 2)).toBe(true);
    expectSound(mesh, kept, [0, 1, 5, 4, 8], 'moved end');
    expect(kept.crossings[0]).toBe(linkEndCrossing(linkEnd));
    expect(findCrossing(mesh, 0, 10)).toBe(NO_CROSSING);
    expect(mergeCorridorStartMoved(createCorridor(), mesh, Int32Array.of(0), 1)).toBe(false);
  });
});
