import { expect, it } from 'vitest';
import { floatAbove, floatBelow, polyBounds } from '../../../src/mesh/tiles/bv-tree.ts';
import { createNavMesh } from '../../../src/mesh/create.ts';
import { areOnOneIsland } from '../../../src/mesh/islands.ts';
import { addTile } from '../../../src/mesh/change/tiles.ts';
import { validateNavMesh } from '../../../src/mesh/validate.ts';
import { AGENT, gridTile, meshOf, seeded } from '../meshes.ts';

it('rounds outwards', () => {
  const random = seeded(7);
  for (let i = 0; i < 500; i++) {
    const value = random() * 1000;
    expect(floatBelow(value)).toBeLessThanOrEqual(value);
    expect(floatAbove(value)).toBeGreaterThanOrEqual(value);
    expect(Math.fround(floatBelow(value))).toBe(floatBelow(value));
    expect(floatAbove(value) - floatBelow(value)).toBeLessThan(1e-4);
  }
  expect([floatBelow(0), floatAbove(0), floatAbove(0.5)]).toEqual([0, 0, 0.5]);
});

it('holds each polygon once, inside its boxes, in depth-first order', () => {
  for (const n of [1, 2, 3, 7, 20]) {
    const mesh = createNavMesh({ agent: AGENT });
    const random = seeded(n);
    const far = 1e5;
    const tile = gridTile(n, n, undefined, () => random() * 3);
    addTile(mesh, { ...tile, vertices: tile.vertices.map((value) => value / 3 + far) });
    const seen = new Set<number>();
    const box = new Float64Array(6);
    const visit = (node: number): number => {
      const item = mesh.bvItem[node];
      if (item < 0) {
        let child = node + 1;
        while (child < node - item) child = visit(child);
        expect(child).toBe(node - item);
        return child;
      }
      seen.add(item);
      polyBounds(box, 0, mesh, item);
      for (let k = 0; k < 3; k++) {
        expect(box[k] - mesh.tileBounds[k]).toBeGreaterThanOrEqual(mesh.bvBounds[6 * node + k]);
        expect(box[3 + k] - mesh.tileBounds[k]).toBeLessThanOrEqual(mesh.bvBounds[6 * node + 3 + k]);
      }
      return node + 1;
    };
    expect(visit(0)).toBe(2 * n * n - 1);
    expect(seen.size).toBe(n * n);
  }
});

it('gives each island a subtree of its own', () => {
  for (let seed = 1; seed <= 30; seed++) {
    const random = seeded(seed);
    const mesh = meshOf(gridTile(9, 7, () => random() < 0.6));
    // Islands by flood fill.
    const flood = new Map<number, number>();
    for (let start = 0; start < mesh.polyCount; start++) {
      const queue = flood.has(start) ? [] : [start];
      for (const poly of queue) {
        flood.set(poly, start);
        for (let k = 0; k < 4; k++) {
          const other = mesh.edgeNeighbor[4 * poly + k];
          if (other >= 0 && !flood.has(other) && !queue.includes(other)) queue.push(other);
        }
      }
    }
    for (let a = 0; a < mesh.polyCount; a++) {
      for (let b = 0; b < mesh.polyCount; b++) {
        expect(areOnOneIsland(mesh, a, b), `seed ${seed}`).toBe(flood.get(a) === flood.get(b) ? 1 : 0);
      }
    }
    expect(validateNavMesh(mesh)).toEqual([]);
    // The validator must notice a renamed island, whatever its new name.
    const names = mesh.polyIsland.slice();
    for (let name = -1; name <= mesh.nodeCount; name++) {
      mesh.polyIsland = names.map((old) => (old === names[0] ? name : old));
      expect(
        validateNavMesh(mesh).some((one) => one.code === 'island'),
        `seed ${seed}, ${name}`,
      ).toBe(name !== names[0]);
    }
  }
});
