/**
 * Random 2D maps of ten kinds in diagonal mode. Pieces are convex, disjoint and conforming, and exactly as
 * large as the clean rings. There are in total no more pieces than with triangles, over the same surface. The
 * result does not depend on the order of rings and points, and has fewer sharp corners than choosing
 * diagonals by length alone. NAVKILN_MAPS sets the maps per kind (default 24), and NAVKILN_SEED the first
 * seed.
 */
import { describe, expect, it } from 'vitest';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { buildFromPolygons } from '../../src/build/polygon/build.ts';
import { PLAIN_WEIGHTS, cutByDiagonals } from '../../src/build/polygon/diagonal/diagonal.ts';
import { mergeTriangles } from '../../src/build/polygon/merge.ts';
import { findWindings, triangulateRings } from '../../src/base/plane/triangulate.ts';
import type { ConvexPieces, Rings } from '../../src/base/plane/types.ts';
import { findOptimalPath } from '../../src/query/optimal/optimal.ts';
import { seeded } from '../unit/meshes.ts';
import { checkConforming } from '../unit/build/polygon/map-oracle.ts';
import { checkPieces, ringsOf } from '../unit/build/polygon/pieces-oracle.ts';
import { KINDS, randomMap } from '../unit/build/polygon/random-maps.ts';
import type { Kind } from '../unit/build/polygon/random-maps.ts';

const MAPS = Number(process.env.NAVKILN_MAPS ?? 12);
const SEED = Number(process.env.NAVKILN_SEED ?? 1);

/** Returns twice the area of all pieces. */
function areaOf({ pieceCount, start, corner, x, y }: ConvexPieces): bigint {
  let sum = 0n;
  for (let p = 0; p < pieceCount; p++) {
    for (let i = start[p]; i < start[p + 1]; i++) {
      const a = corner[i],
        b = corner[i + 1 < start[p + 1] ? i + 1 : start[p]];
      sum += BigInt(x[a]) * BigInt(y[b]) - BigInt(x[b]) * BigInt(y[a]);
    }
  }
  return sum;
}

/** Counts corners below 10 degrees. */
function countSharp({ pieceCount, start, corner, x, y }: ConvexPieces): number {
  let count = 0;
  for (let p = 0; p < pieceCount; p++) {
    const n = start[p + 1] - start[p];
    for (let k = 0; k < n; k++) {
      const [a, b, c] = [k, k + 1, k + 2].map((i) => corner[start[p] + (i % n)]);
      const ux = x[c] - x[b],
        uy = y[c] - y[b],
        vx = x[a] - x[b],
        vy = y[a] - y[b];
      if (Math.abs(Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy)) < Math.PI / 18) count++;
    }
  }
  return count;
}

/** Returns the same rings in another order, each from another point. */
function shuffled(rings: Rings, random: () => number): Rings {
  const order = Array.from({ length: rings.ringCount }, (_, r) => r).sort(() => random() - 0.5);
  const start = [0],
    x: number[] = [],
    y: number[] = [];
  for (const r of order) {
    const n = rings.start[r + 1] - rings.start[r],
      shift = Math.floor(n * random());
    for (let i = 0; i < n; i++) {
      x.push(rings.x[rings.start[r] + ((i + shift) % n)]);
      y.push(rings.y[rings.start[r] + ((i + shift) % n)]);
    }
    start.push(x.length);
  }
  return { ringCount: order.length, start: Int32Array.from(start), x: Int32Array.from(x), y: Int32Array.from(y) };
}

interface Tally {
  simple: number;
  pieces: number;
  triangles: number;
  sharp: number;
  shortestSharp: number;
}

function tryMap(kind: Kind, seed: number, tally: Tally): void {
  const name = `${kind}, seed ${seed}`;
  const map = randomMap(kind, seed);
  const options = {
    fillRule: seed % 3 === 0 ? 'evenodd' : 'nonzero',
    gridSize: kind === 'tiny-grid' ? 1 : undefined,
  } as const;
  const maxVertices = 3 + (seed % 9);
  const byTriangles = buildFromPolygons(map, options);
  const { navMesh, report, stages } = buildFromPolygons(map, {
    ...options,
    mode: 'diagonal',
    cutByDiagonals,
    maxVertices,
  });
  const { ground, pieces, diagonal } = stages;
  expect(validateNavMesh(navMesh), name).toEqual([]);
  checkConforming(navMesh, report.frame, name);
  expect(pieces.pieceCount, name).toBeLessThanOrEqual(byTriangles.report.counts.triangles);
  expect(areaOf(pieces), `${name}: area compared with mode 'delaunay'`).toBe(areaOf(byTriangles.stages.pieces));
  if (diagonal!.problem === '') {
    checkPieces(pieces, ground, name, maxVertices);
    tally.simple++;
  }
  const again = cutByDiagonals(shuffled(ground, seeded(seed + 5)), maxVertices);
  if (diagonal!.problem === '') expect(again.pieces, `${name}: in another order`).toEqual(pieces);
  tally.pieces += pieces.pieceCount;
  tally.triangles += byTriangles.report.counts.triangles;
  tally.sharp += countSharp(cutByDiagonals(ground).pieces);
  tally.shortestSharp += countSharp(cutByDiagonals(ground, 10, PLAIN_WEIGHTS).pieces);
}

describe('random maps in diagonal mode', () => {
  const all: Tally = { simple: 0, pieces: 0, triangles: 0, sharp: 0, shortestSharp: 0 };
  it.each(KINDS)(`%s: ${MAPS} maps from seed ${SEED}`, (kind) => {
    const tally: Tally = { simple: 0, pieces: 0, triangles: 0, sharp: 0, shortestSharp: 0 };
    for (let seed = SEED; seed < SEED + MAPS; seed++) tryMap(kind, seed, tally);
    if (MAPS > 100) console.info(`${kind}: ${JSON.stringify(tally)}`);
    if (kind !== 'tiny-grid' && kind !== 'self-crossing') expect(tally.simple).toBe(MAPS);
    for (const key of Object.keys(all) as (keyof Tally)[]) all[key] += tally[key];
  });

  it('has fewer sharp corners than with diagonals by length alone', () => {
    expect(all.sharp).toBeLessThan(0.85 * all.shortestSharp);
  });
});

describe('diagonal mode gives no longer paths than triangles', () => {
  it.each(KINDS.filter((kind) => kind !== 'tiny-grid'))('%s: shortest paths have equal lengths', (kind) => {
    let found = 0;
    for (let seed = SEED; seed < SEED + Math.ceil(MAPS / 4); seed++) {
      const map = randomMap(kind, seed),
        random = seeded(seed + 9);
      const one = buildFromPolygons(map, { mode: 'diagonal', cutByDiagonals }).navMesh,
        two = buildFromPolygons(map).navMesh;
      const corner = (): number[] => {
        const v = 3 * Math.floor(random() * one.vertexCount);
        return [one.vertices[v], one.vertices[v + 1], one.vertices[v + 2]];
      };
      for (let i = 0; i < 6 && one.vertexCount > 0; i++) {
        const from = corner(),
          to = corner();
        const a = findOptimalPath(one, from, to),
          b = findOptimalPath(two, from, to);
        const name = `${kind}, seed ${seed}, [${from.join(', ')}] to [${to.join(', ')}]`;
        expect(a.status, name).toBe(b.status);
        if (a.status !== 'complete') continue;
        expect(Math.abs(a.length - b.length), name).toBeLessThanOrEqual(1e-9 * b.length);
        found++;
      }
    }
    expect(found).toBeGreaterThan(0);
  });
});

describe('rings without cleaning', () => {
  it(`${4 * MAPS} random rings: the surface is what they wind around`, () => {
    for (let seed = SEED; seed < SEED + 4 * MAPS; seed++) {
      const random = seeded(seed),
        size = [6, 20, 1000, 60_000_000][seed % 4];
      const whole = (): number => Math.floor(size * random()) - Math.floor(size / 2);
      const rings = ringsOf(
        Array.from({ length: 1 + (seed % 3) }, () =>
          Array.from({ length: 3 + Math.floor(12 * random()) }, () => [whole(), whole()] as const),
        ),
      );
      const mesh = triangulateRings(rings);
      const { pieces, problem } = cutByDiagonals(rings);
      // A ring without area bends others in the Delaunay mode, and cancels out here.
      if (problem === '' && mesh.splitCount > 0) continue;
      expect(areaOf(pieces), `seed ${seed}`).toBe(areaOf(mergeTriangles(mesh, findWindings(mesh), 10)));
    }
  });
});
