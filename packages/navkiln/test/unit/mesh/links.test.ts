/**
 * Links: where they attach, and how they are added and removed. The oracle visits every polygon of the mesh.
 */
import { describe, expect, it } from 'vitest';
import { createNavMesh } from '../../../src/mesh/create.ts';
import { closestPointOnPoly } from '../../../src/mesh/ground.ts';
import { linkIndexOf, linkRefOf } from '../../../src/mesh/link-ref.ts';
import { addLink, getLink, listLinks, removeLink, setLinkEnabled } from '../../../src/mesh/change/links.ts';
import { loadNavMesh } from '../../../src/mesh/file/load.ts';
import { MAX_GENERATION, NULL_REF, polyIndexOf } from '../../../src/mesh/ref.ts';
import { saveNavMesh } from '../../../src/mesh/file/save.ts';
import { findTile } from '../../../src/mesh/tiles/tile-grid.ts';
import { addTile, removeTile } from '../../../src/mesh/change/tiles.ts';
import { validateNavMesh } from '../../../src/mesh/validate.ts';
import type { LinkRef, NavMesh } from '../../../src/mesh/types.ts';
import { AGENT, gridTile, meshOf, movedTile, seeded, storeysMesh } from '../meshes.ts';

/**
 * Expects the link end on one of the polygons nearest to its middle, or on none when no polygon is within
 * reach.
 */
function expectAttached(mesh: NavMesh, linkEnd: number): void {
  const p = mesh.linkPoints;
  const middle = Float64Array.from([0, 1, 2], (k) => (p[6 * linkEnd + k] + p[6 * linkEnd + 3 + k]) / 2);
  const radius = mesh.linkRadius[linkEnd >> 1];
  const distance = new Map<number, number>();
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    for (let poly = mesh.tilePolyStart[slot]; poly < mesh.tilePolyStart[slot] + mesh.tilePolyCount[slot]; poly++) {
      const at = new Float64Array(3);
      closestPointOnPoly(at, mesh, poly, middle);
      const distance2d = Math.hypot(at[0] - middle[0], at[2] - middle[2]);
      const high = Math.abs(at[1] - middle[1]);
      if (distance2d <= radius && high <= mesh.agent.maxClimb)
        distance.set(poly, distance2d === 0 ? 0 : distance2d * distance2d + high * high);
    }
  }
  const poly = mesh.linkPoly[linkEnd];
  const least = Math.min(...distance.values());
  if (distance.size === 0) expect(poly).toBe(-1);
  else expect(distance.get(poly)).toBeCloseTo(least, 12);
}

function expectLinkEnds(mesh: NavMesh): void {
  const seen = new Set<number>();
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    for (let poly = mesh.tilePolyStart[slot]; poly < mesh.tilePolyStart[slot] + mesh.tilePolyCount[slot]; poly++) {
      for (let linkEnd = mesh.polyLink[poly], last = Infinity; linkEnd >= 0; linkEnd = mesh.linkNext[linkEnd]) {
        expect(linkEnd).toBeLessThan(last);
        expect(mesh.linkPoly[linkEnd]).toBe(poly);
        expect(mesh.linkState[linkEnd >> 1]).not.toBe(0);
        seen.add((last = linkEnd));
      }
    }
  }
  for (let linkEnd = 0; linkEnd < 2 * mesh.linkCount; linkEnd++) {
    if (mesh.linkState[linkEnd >> 1] === 0) continue;
    expect(mesh.linkPoly[linkEnd] >= 0).toBe(seen.has(linkEnd));
    expectAttached(mesh, linkEnd);
  }
  expect(validateNavMesh(mesh)).toEqual([]);
}

describe('links', () => {
  it('attach within radius and climb, on the floor at their height', () => {
    const mesh = storeysMesh();
    const up = addLink(mesh, { start: [1, 0.1, 1], end: [3, 2.8, 3], bothWays: true, userId: 7 });
    const info = getLink(mesh, up)!;
    expect(mesh.vertices[3 * mesh.edgeVertex[mesh.polyEdgeStart[polyIndexOf(mesh, info.startPoly)]] + 1]).toBe(0);
    expect(mesh.vertices[3 * mesh.edgeVertex[mesh.polyEdgeStart[polyIndexOf(mesh, info.endPoly)]] + 1]).toBe(3);
    expect(info).toMatchObject({ bothWays: true, userId: 7, cost: -1, area: 63, flags: 1, enabled: true, radius: 0.4 });
    const partlyOutside = getLink(mesh, addLink(mesh, { start: [-0.3, 0, 1], end: [-0.5, 0, 1] }))!;
    expect(polyIndexOf(mesh, partlyOutside.startPoly)).toBeGreaterThanOrEqual(0);
    expect(partlyOutside.endPoly).toBe(NULL_REF);
    expect(getLink(mesh, addLink(mesh, { start: [1, 1, 1], end: [1, 0.39, 1] }))!.startPoly).toBe(NULL_REF);
    expectLinkEnds(mesh);
  });

  it('clip a segment to the part over the polygon', () => {
    const mesh = meshOf(gridTile(3, 3, undefined, (x) => x / 10));
    const ref = addLink(mesh, {
      start: [
        [0.5, 0, 1.5],
        [2.5, 0, 1.5],
      ],
      end: { x: 2.5, y: 0.2, z: 2.5 },
    });
    const linkEnd = 2 * linkIndexOf(mesh, ref);
    expect(Array.from(mesh.linkAnchors.subarray(6 * linkEnd, 6 * linkEnd + 12)).map((v) => +v.toFixed(9))).toEqual([
      1, 0.1, 1.5, 2, 0.2, 1.5, 2.5, 0.25, 2.5, 2.5, 0.25, 2.5,
    ]);
    const partlyOutside = addLink(mesh, {
      start: [
        [0.2, 0, -0.3],
        [0.8, 0, -0.3],
      ],
      end: [1, 0, 1],
    });
    const at = 12 * linkIndexOf(mesh, partlyOutside);
    expect(Array.from(mesh.linkAnchors.subarray(at, at + 6)).map((v) => +v.toFixed(9))).toEqual([
      0.2, 0.02, 0, 0.8, 0.08, 0,
    ]);
  });

  it('are refused with the option, the value and the remedy', () => {
    const mesh = meshOf(gridTile(1, 1));
    const before = saveNavMesh(mesh);
    const good = { start: [0, 0, 0], end: [1, 0, 1] };
    for (const bad of [
      { start: [NaN, 0, 0] },
      { end: [0, 0] },
      {
        start: [
          [0, 0, 0],
          [0, Infinity, 0],
        ],
      },
      { radius: -1 },
      { radius: NaN },
      { cost: -1 },
      { cost: Infinity },
      { area: 0 },
      { area: 64 },
      { area: 1.5 },
      { flags: -1 },
      { flags: 70000 },
      { userId: NaN },
    ]) {
      expect(() => addLink(mesh, { ...good, ...bad } as never), JSON.stringify(bad)).toThrow(/^addLink: /);
    }
    expect(saveNavMesh(mesh)).toEqual(before);
    const ref = addLink(mesh, good);
    removeLink(mesh, ref);
    for (const stale of [ref, 0, -1, 0.5, NaN, ref + 1]) {
      expect(removeLink(mesh, stale as LinkRef)).toBe(false);
      expect(setLinkEnabled(mesh, stale as LinkRef, true)).toBe(false);
      expect(getLink(mesh, stale as LinkRef)).toBe(null);
    }
  });

  it('never reuse a ref', () => {
    const mesh = meshOf(gridTile(1, 1));
    const first = addLink(mesh, { start: [0, 0, 0], end: [1, 0, 1] });
    removeLink(mesh, first);
    mesh.linkGeneration[0] = MAX_GENERATION - 1;
    const last = addLink(mesh, { start: [0, 0, 0], end: [1, 0, 1] });
    expect(linkIndexOf(mesh, last)).toBe(0);
    removeLink(mesh, last);
    expect(linkIndexOf(mesh, addLink(mesh, { start: [0, 0, 0], end: [1, 0, 1] }))).toBe(1);
  });

  it('scale estimates by the cheapest link, and forget it when it is removed', () => {
    const mesh = meshOf(gridTile(8, 1));
    const far = addLink(mesh, { start: [0.5, 0, 0.5], end: [7.5, 0, 0.5], cost: 1 });
    const scale = mesh.linkScale;
    expect(scale).toBeGreaterThan(0.1);
    expect(scale).toBeLessThan(1 / 7);
    const near = addLink(mesh, { start: [0.5, 0, 0.5], end: [7.5, 0, 0.5], cost: 4 });
    expect(mesh.linkScale).toBe(scale);
    removeLink(mesh, far);
    expect(mesh.linkScale).toBeCloseTo(4 * scale, 12);
    removeLink(mesh, near);
    expect(mesh.linkScale).toBe(1);
  });

  for (const seed of [1, 2, 3]) {
    it(`follow tiles that are added and removed, seed ${seed}`, () => {
      const random = seeded(seed);
      const mesh = createNavMesh({ agent: AGENT, tileSize: 4, cellSize: 0.2, cellHeight: 0.1 });
      const point = (): number[] => [random() * 16, random() < 0.2 ? 2 : 0, random() * 16];
      for (let step = 0; step < 150; step++) {
        const refs = listLinks(mesh);
        const some = refs[Math.floor(random() * refs.length)];
        const dice = random();
        if (dice < 0.35) {
          const x = Math.floor(random() * 4),
            z = Math.floor(random() * 4),
            layer = random() < 0.2 ? 1 : 0;
          const slot = findTile(mesh, x, z, layer);
          if (slot >= 0) removeTile(mesh, slot);
          else {
            const tile = gridTile(
              4,
              4,
              () => random() < 0.7,
              () => 2 * layer,
            );
            addTile(mesh, { ...movedTile(tile, x, z, 4), layer });
          }
        } else if (dice < 0.7 || refs.length === 0) {
          const start = random() < 0.5 ? point() : [point(), point()];
          const ref = addLink(mesh, {
            start,
            end: point(),
            radius: random() * (random() < 0.1 ? 6 : 1),
            bothWays: random() < 0.5,
          } as never);
          expect(linkRefOf(mesh, linkIndexOf(mesh, ref))).toBe(ref);
        } else if (dice < 0.85) {
          removeLink(mesh, some);
        } else {
          setLinkEnabled(mesh, some, random() < 0.5);
          expect(getLink(mesh, some)).not.toBe(null);
        }
        expectLinkEnds(mesh);
      }
      const bytes = saveNavMesh(mesh);
      const loaded = loadNavMesh(bytes.slice());
      expectLinkEnds(loaded);
      expect(saveNavMesh(loaded)).toEqual(bytes);
      expect(listLinks(loaded)).toEqual(listLinks(mesh));
    });
  }
});
