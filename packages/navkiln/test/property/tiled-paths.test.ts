/**
 * Paths over many tiles, compared with Detour's on the same polygons: the same ends and status, and in sum no
 * longer. Single paths may be longer: Detour stores the ends of portals in a byte each, and squares have many
 * routes of nearly equal cost.
 */
import { describe, expect, it } from 'vitest';
import { portalCrossing, setCrossingEnds } from '../../src/mesh/crossing.ts';
import { addTile } from '../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { importToDetour } from '../golden/detour-import.ts';
import { findDetourPath, lengthOf } from '../golden/detour.ts';
import type { DetourPath, Point } from '../golden/detour.ts';
import { seeded } from '../unit/meshes.ts';
import { portalsOf, squaresTile, tiledMesh, TILE } from '../unit/mesh/tiled-meshes.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const SIZE = 5;

/** Returns the length over the midpoints of what the corridor crosses, which both searches minimize. */
function corridorCost(mesh: NavMesh, { startPoint, endPoint, polys }: DetourPath): number {
  const points: number[][] = [startPoint];
  const ends = new Float64Array(6);
  for (let k = 0; k + 1 < polys.length; k++) {
    const [poly, next] = [polys[k], polys[k + 1]];
    const first = mesh.polyEdgeStart[poly];
    let crossing = -1;
    for (let e = first; e < first + mesh.polyVertexCount[poly]; e++) if (mesh.edgeNeighbor[e] === next) crossing = e;
    for (const l of portalsOf(mesh, poly)) if (mesh.portalPoly[l] === next) crossing = portalCrossing(l);
    setCrossingEnds(ends, mesh, poly, crossing);
    points.push([0, 1, 2].map((axis) => (ends[axis] + ends[3 + axis]) / 2));
  }
  return lengthOf([...points, endPoint]);
}

describe('paths over tiles', () => {
  it('are as good as those of Detour', async () => {
    const counts = { complete: 0, partial: 0, shorter: 0, longer: 0, tied: 0, other: 0 };
    let ourSum = 0;
    let theirSum = 0;
    for (let seed = SEED; seed < SEED + 6; seed++) {
      const random = seeded(seed);
      const mesh = tiledMesh();
      for (let x = 0; x < SIZE; x++) {
        for (let z = 0; z < SIZE; z++) {
          const n = [2, 3, 4, 6][Math.floor(random() * 4)];
          addTile(
            mesh,
            squaresTile(
              x,
              z,
              0,
              n,
              () => random() < 0.75,
              (a, b) => 0.05 * a + 0.03 * b,
            ),
          );
        }
      }
      const twin = await importToDetour(mesh);
      const oracle = { query: twin.query, polyIndexOf: twin.polyIndexOf } as unknown as Parameters<
        typeof findDetourPath
      >[0];
      const half: Point = [0.5, 2, 0.5];
      const spot = (): Point => {
        const [x, z] = [0, 1].map(() => Math.fround(random() * SIZE * TILE));
        return [x, Math.fround(0.05 * x + 0.03 * z), z];
      };
      for (let i = 0; i < 150; i++) {
        const [a, b] = [spot(), spot()];
        const ours = findPath(mesh, a, b, { halfExtents: half });
        const theirs = findDetourPath(oracle, a, b, half, 2000);
        const what = `seed ${seed}, ${i}: ${a} to ${b}`;
        if (ours.status === 'none' || theirs.status === 'none') continue;
        const near = (p: number[], q: number[]): boolean => p.every((value, k) => Math.abs(value - q[k]) < 5e-3);
        if (!near(ours.points[0], theirs.startPoint)) {
          counts.other++;
          continue;
        }
        expect(ours.status, what).toBe(theirs.status);
        if (ours.status !== 'complete') {
          counts.partial++;
          continue;
        }
        if (!near(ours.points.at(-1)!, theirs.endPoint)) {
          counts.other++;
          continue;
        }
        counts.complete++;
        ourSum += ours.length;
        theirSum += theirs.length;
        const ratio = ours.length / theirs.length;
        if (ratio > 1.002) {
          if (ours.cost > corridorCost(mesh, theirs) * 1.002) counts.longer++;
          else counts.tied++;
        }
        if (ratio < 0.998) counts.shorter++;
      }
      twin.destroy();
    }
    const share = ourSum / theirSum;
    console.log(
      `Paths over tiles beside Detour, seed ${SEED}: ${JSON.stringify(counts)}, together ${share} of its length`,
    );
    expect(counts.complete).toBeGreaterThan(150);
    expect(ourSum).toBeLessThanOrEqual(theirSum * 1.001);
    expect(counts.longer).toBeLessThanOrEqual(counts.complete / 100);
    expect(counts.other).toBeLessThanOrEqual(counts.complete / 20);
  });
});
