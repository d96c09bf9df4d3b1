/**
 * Portals between tiles on random levels with storeys, turned by any angle: gables, arches, terraces and hills over tunnels, stairs. No
 * portal joins surfaces that are a step apart, each walk over a border that the mesh without tiles allows stays possible, and the order
 * of tiles does not matter. Floors are found by brute force from the triangles.
 */
import { describe, expect, it } from 'vitest';
import { addTile, removeTile } from '../../src/mesh/change/tiles.ts';
import { findTile } from '../../src/mesh/tiles/tile-grid.ts';
import { loadNavMesh } from '../../src/mesh/file/load.ts';
import { portalCrossing, setCrossingEnds } from '../../src/mesh/crossing.ts';
import { polyIndexOf } from '../../src/mesh/ref.ts';
import { saveNavMesh } from '../../src/mesh/file/save.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { setHeight } from '../../src/mesh/ground.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { raycast } from '../../src/query/ray/raycast.ts';
import { buildNavMesh, buildPreparedTile, prepareTiles } from '../../src/build/voxel/build.ts';
import type { BuildOptions } from '../../src/build/voxel/options.ts';
import { seeded } from '../unit/meshes.ts';
import { portalText, portalsOf } from '../unit/mesh/tiled-meshes.ts';

type Point = [number, number, number];
type Random = (low: number, high: number) => number;

const SEED = Number(process.env['NAVKILN_SEED'] ?? 1);
const SEED_COUNT = Number(process.env['NAVKILN_TILE_DOORS'] ?? 2);
const TILE_SIZES = [4, 6, 8, 12, 16, 24, 32];
const GROUND = 20;

class Level {
  positions: number[] = [];
  indices: number[] = [];
  private readonly cosine: number;
  private readonly sine: number;

  constructor(angle: number) {
    this.cosine = Math.cos(angle);
    this.sine = Math.sin(angle);
  }

  quad(...corners: Point[]): void {
    const first = this.positions.length / 3;
    for (const [x, y, z] of corners)
      this.positions.push(this.cosine * x + this.sine * z, y, this.cosine * z - this.sine * x);
    this.indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
  }

  /** Adds a slab from x0 to x1, whose top leads from height y0 at z0 to y1 at z1. */
  slab([x0, x1]: number[], [y0, z0]: number[], [y1, z1]: number[], thickness = 0.15): void {
    const top: Point[] = [
      [x0, y0, z0],
      [x0, y1, z1],
      [x1, y1, z1],
      [x1, y0, z0],
    ];
    const bottom = top.map(([x, y, z]): Point => [x, y - thickness, z]);
    this.quad(...top);
    this.quad(...bottom.toReversed());
    top.forEach((point, k) => this.quad(top[(k + 1) % 4], point, bottom[k], bottom[(k + 1) % 4]));
  }
}

const KINDS: Record<string, (level: Level, r: Random) => void> = {
  gable(level, r) {
    const [w, d, eaves, slope] = [r(6, 12), r(4, 8), r(2.2, 3.5), r(0.36, 0.96)];
    const walls = [-w - 0.5, w + 0.5];
    level.slab([-w, w], [eaves, -d], [eaves, d], 0.2);
    level.slab(walls, [eaves + slope * d, 0], [eaves - slope * 0.5, d + 0.5]);
    level.slab(walls, [eaves - slope * 0.5, -d - 0.5], [eaves + slope * d, 0]);
  },
  arch(level, r) {
    const [height, length, w] = [r(2.5, 4.5), r(8, 14), r(1.5, 4)];
    const pointAt = (t: number): [number, number] => [height * (1 - t * t), t * length];
    for (let i = 0; i < 12; i++) level.slab([-w, w], pointAt(i / 6 - 1), pointAt((i + 1) / 6 - 1));
  },
  terraces(level, r) {
    for (let i = 0; i < 3; i++) {
      const [y, x, z, w, d] = [r(0.3, 3.5), r(-12, 8), r(-12, 8), r(3, 10), r(3, 10)];
      level.slab([x, x + w], [y, z], [y, z + d], 0.2);
      level.slab([x, x + w], [y, z + d], [0, z + d + y / r(0.3, 0.8)]);
    }
  },
  hill(level, r) {
    const [y, w, length, top] = [r(2.5, 4), r(3, 6), r(6, 9), r(1, 4)];
    level.slab([-w, w], [0, -top - length], [y, -top]);
    level.slab([-w, w], [y, -top], [y, top], 0.2);
    level.slab([-w, w], [y, top], [0, top + length]);
  },
  stairs(level, r) {
    const [rise, tread, w, count] = [r(0.12, 0.2), r(0.28, 0.5), r(1.2, 3), Math.floor(r(8, 16))];
    for (let i = 0; i < count; i++) {
      const y = rise * (i + 1);
      level.slab([-w, w], [y, i * tread], [y, (i + 1) * tread], Math.min(y, 0.3));
    }
    level.slab([-5, 5], [rise * count, count * tread], [rise * count, count * tread + 5]);
  },
};

/** Returns the heights of all triangles that face up at a position. */
function floorsAt({ positions: p, indices }: Level, x: number, z: number): number[] {
  const out: number[] = [];
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
    const [ux, uz, vx, vz] = [p[b] - p[a], p[b + 2] - p[a + 2], p[c] - p[a], p[c + 2] - p[a + 2]];
    const det = ux * vz - vx * uz;
    if (!(det < 0)) continue;
    const u = ((x - p[a]) * vz - vx * (z - p[a + 2])) / det;
    const v = (ux * (z - p[a + 2]) - (x - p[a]) * uz) / det;
    if (u >= 0 && v >= 0 && u + v <= 1) out.push(p[a + 1] + u * (p[b + 1] - p[a + 1]) + v * (p[c + 1] - p[a + 1]));
  }
  return out;
}

function nearest(heights: readonly number[], y: number): number {
  return heights.reduce((best, one) => (Math.abs(one - y) < Math.abs(best - y) ? one : best), Infinity);
}

const ends = new Float64Array(6);
const point = new Float64Array(3);

/** Returns the meters of portals between floors that are more than a step apart. */
function falseDoors(mesh: NavMesh, level: Level): number {
  const most = mesh.agent.maxClimb + 1.5 * mesh.cellHeight;
  let sum = 0;
  for (let poly = 0; poly < mesh.polyCount; poly++) {
    for (const portal of portalsOf(mesh, poly)) {
      setCrossingEnds(ends, mesh, poly, portalCrossing(portal));
      const length = Math.abs(ends[3] - ends[0]) + Math.abs(ends[5] - ends[2]);
      const count = Math.ceil(length / 0.1);
      for (let i = 0; i < count; i++) {
        const floors: number[] = [];
        const heights: number[] = [];
        for (const side of [poly, mesh.portalPoly[portal]]) {
          for (let k = 0; k < 3; k++) point[k] = ends[k] + ((i + 0.5) / count) * (ends[3 + k] - ends[k]);
          setHeight(point, mesh, side);
          heights.push(point[1]);
          floors.push(nearest(floorsAt(level, point[0], point[2]), point[1]));
        }
        // Surfaces in the air are the fault of the bake, and have no portals to measure.
        if (heights.some((y, k) => Math.abs(y - floors[k]) > most)) continue;
        if (Math.abs(heights[0] - heights[1]) > most && Math.abs(floors[0] - floors[1]) > most) sum += length / count;
      }
    }
  }
  return sum;
}

/**
 * Returns the walks over borders that the mesh without tiles allows: all of them with mesh on both sides of the border, and those that end
 * at it.
 */
function walksOver(mesh: NavMesh, whole: NavMesh, level: Level): { asked: number; lost: string[] } {
  const { cellSize, origin, tileSize } = mesh;
  const { maxClimb } = mesh.agent;
  const lost: string[] = [];
  let asked = 0;
  const options = { halfExtents: [cellSize, maxClimb, cellSize] as Point };
  const refsAt = (p: Point, one: NavMesh): ReturnType<typeof findNearest>['ref'] => {
    const hit = findNearest(one, p, options);
    return hit.ref !== 0 && Math.abs(hit.point[0] - p[0]) + Math.abs(hit.point[2] - p[2]) < 1e-6
      ? hit.ref
      : (0 as never);
  };
  for (const axis of [0, 2]) {
    for (let line = origin[axis]; line < GROUND; line += tileSize) {
      for (let u = 0.0137 - GROUND; u < GROUND; u += 0.47) {
        const middle: Point = axis === 0 ? [line, 0, u] : [u, 0, line];
        for (const y of floorsAt(level, middle[0], middle[2])) {
          const [from, before, behind, to] = [-1.2, -0.02, 0.02, 1.2].map((cells): Point => {
            const p: Point = [...middle];
            p[axis] += cells * cellSize;
            p[1] = nearest(floorsAt(level, p[0], p[2]), y);
            return p;
          });
          if (!(Math.abs(from[1] - y) < maxClimb && Math.abs(to[1] - y) < maxClimb)) continue;
          const [a, b] = [from, to].map((p) => refsAt(p, whole));
          const refs = [from, before, behind, to].map((p) => refsAt(p, mesh));
          if ([a, b, ...refs].includes(0 as never)) continue;
          const free = raycast(whole, from, to, { startRef: a });
          if (free.ref !== b) continue;
          asked++;
          const ray = raycast(mesh, from, to, { startRef: refs[0] });
          const edge = ray.t < 1 ? mesh.polyEdgeStart[polyIndexOf(mesh, ray.ref)] + ray.edge : -1;
          if (edge >= 0 && mesh.edgeNeighbor[edge] <= -2) lost.push(`${from.join()} to ${to.join()}`);
        }
      }
    }
  }
  return { asked, lost };
}

/** Returns the portals of the saved mesh after all tiles were removed, and added again in another order. */
function addedAgain(mesh: NavMesh, level: Level, options: BuildOptions, random: () => number): string[] {
  const copy = loadNavMesh(saveNavMesh(mesh));
  const prepared = prepareTiles(level, options);
  const slots = [...copy.tileState.keys()].filter((slot) => copy.tileState[slot] === 1);
  const places = slots.map((slot) => [copy.tileX[slot], copy.tileZ[slot], random()]);
  for (const [x, z] of places.sort((a, b) => a[2] - b[2])) removeTile(copy, findTile(copy, x, z));
  for (const [x, z] of places.toReversed()) addTile(copy, buildPreparedTile(prepared, x, z)!);
  return portalText(copy);
}

describe('portals of tiles on levels with storeys', () => {
  for (const [kind, make] of Object.entries(KINDS)) {
    it(`${kind}: join what meets and nothing else, ${SEED_COUNT} seeds from ${SEED}`, { timeout: 600_000 }, () => {
      let walks = 0;
      for (let seed = SEED; seed < SEED + SEED_COUNT; seed++) {
        const random = seeded(31 * seed + kind.length);
        const between: Random = (low, high) => low + random() * (high - low);
        const level = new Level(random() < 0.25 ? 0 : between(0, 6.28));
        level.quad([-GROUND, 0, -GROUND], [-GROUND, 0, GROUND], [GROUND, 0, GROUND], [GROUND, 0, -GROUND]);
        make(level, between);
        const tileSize = TILE_SIZES[Math.floor(random() * TILE_SIZES.length)];
        const radius = [0.3, 0.4][Math.floor(random() * 2)];
        const agent = { radius, height: 1.8, maxClimb: between(0.3, 0.5) };
        const options = { agent, cellSize: radius / 2, tileSize };
        const mesh = buildNavMesh(level, options).navMesh;
        const whole = buildNavMesh(level, { ...options, tileSize: 0 }).navMesh;
        const where = `seed ${seed}, tiles of ${tileSize}`;
        expect(falseDoors(mesh, level), where).toBeLessThan(0.05);
        const { asked, lost } = walksOver(mesh, whole, level);
        expect(lost, where).toEqual([]);
        walks += asked;
        expect(addedAgain(mesh, level, options, random), where).toEqual(portalText(mesh));
      }
      expect(walks).toBeGreaterThan(100 * SEED_COUNT);
    });
  }
});
