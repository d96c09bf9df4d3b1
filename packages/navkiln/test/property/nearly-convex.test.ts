/**
 * Paths on meshes whose polygons are convex only up to rounding, such as loaded, rotated or scaled ones: exact searches end, and find the
 * shortest path; strings and the corners that agents follow cross no wall. NAVKILN_NEARLY: number of queries;
 * NAVKILN_SECONDS: their time limit; NAVKILN_SEED.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadNavMesh } from '../../src/mesh/file/load.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { findCrossing, NO_CROSSING } from '../../src/query/path/corridor.ts';
import { polyIndexOf } from '../../src/mesh/ref.ts';
import { findOptimalPath } from '../../src/query/optimal/optimal.ts';
import { findPieces, pieceOf, ROUGH, SLIVER, WHOLE } from '../../src/query/optimal/pieces.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { sideOfPoints } from '../../src/base/math/predicates.ts';
import { cornersOf, failuresOf, isOpen, noCounts, runLevelTrials, runMapTrials, trialMesh } from './optimal-trials.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const QUERIES = Number(process.env.NAVKILN_NEARLY ?? 500);
const SECONDS = Number(process.env.NAVKILN_SECONDS ?? 3600);

const fixture = (name: string): Uint8Array => readFileSync(new URL(`../corpus/${name}.navmesh`, import.meta.url));

describe('named cases', () => {
  it.each([
    ['never-ends', [-0.005, 0, 0.015], [0.003, 0, 0.006], 0.016941549404533223],
    ['too-long', [-0.001, 0, 0.003], [-0.013000000000000001, 0, 0.0115], 0.015460651536417224],
  ])('%s: a search that never ended, a path that was too long', (name, a, b, length) => {
    const mesh = loadNavMesh(fixture(name));
    for (const [from, to] of [
      [a, b],
      [b, a],
    ]) {
      const path = findOptimalPath(mesh, from, to, { halfExtents: 1e-9, maxNodes: 1000 });
      expect(path).toMatchObject({ status: 'complete', exact: true });
      expect(Math.abs(path.length - length)).toBeLessThan(1e-15);
    }
  });

  it.each([
    ['a search from a root that is hidden by a rounding error', 2503, [48, 16], [16, 40]],
    ['the same, far from the origin', 2567, [16, 0], [8, 40]],
    ['a start on a polygon with a dent before it', 102343, [44, 16], [1, 0]],
    ['an interval that is as narrow as a rounding error, and a goal beside it', 100732, [32, 28], [8, 48]],
    ['a root that is off an edge by a rounding error, and sees it', 27804, [1, 8], [0, 48]],
    ['a string from a start on the line of two openings', 768, [36, 16], [24, 32]],
    ['a string from a corner that turns back along a wall', 1348, [16, 24], [3, 26]],
    ['a string through two openings in one line', 3496, [12, 16], [32, 0]],
  ] as const)('%s', (_, seed, a, b) => {
    const trial = trialMesh(seed)!;
    const want = trial.oracle.distance(a[0], a[1], b[0], b[1]) * trial.scale;
    const options = { halfExtents: trial.reach };
    const path = findOptimalPath(trial.mesh, trial.world(a), trial.world(b), options);
    expect(path.exact, trial.what).toBe(true);
    expect(Math.abs(path.length - want), trial.what).toBeLessThanOrEqual(1e-9 * want + trial.slack);
    const string = findPath(trial.mesh, trial.world(a), trial.world(b), options);
    expect(isOpen(trial, string.points), `${trial.what}: ${string.points.map(trial.placeOf)}`).toBe(true);
    const corners = cornersOf(trial.mesh, string);
    expect(isOpen(trial, corners), `${trial.what}: ${corners.map(trial.placeOf)}`).toBe(true);
  });

  it('ends within a default budget, and reports it', () => {
    const mesh = loadNavMesh(fixture('never-ends'));
    const short = findOptimalPath(mesh, [-0.005, 0, 0.015], [0.003, 0, 0.006], { halfExtents: 1e-9, maxNodes: 2 });
    expect(short).toMatchObject({ status: 'partial', reason: 'budget', exact: false });
    expect(short.points.length).toBeGreaterThan(0);
  });
});

it('reports a path beside a triangle without area as exact', () => {
  const trial = trialMesh(1, true)!;
  expect(validateNavMesh(trial.mesh)).toEqual([]);
  const pieces = findPieces(trial.mesh);
  const kinds = Array.from({ length: trial.mesh.polyCount }, (_, poly) => pieceOf(pieces, trial.mesh, poly));
  expect(kinds).toContain(SLIVER);
  const path = findOptimalPath(trial.mesh, trial.world([0, 16]), trial.world([16, 8]), { halfExtents: trial.reach });
  expect(path.exact).toBe(true);
  expect(path.length).toBeCloseTo(trial.oracle.distance(0, 16, 16, 8), 12);
});

describe('pieces', () => {
  it('are exactly convex, and cover their polygon', () => {
    const xs = new Float64Array(3);
    const zs = new Float64Array(3);
    let dented = 0;
    for (let seed = SEED; seed < SEED + 60; seed++) {
      const trial = trialMesh(seed);
      if (trial === undefined) continue;
      const { mesh, what } = trial;
      const pieces = findPieces(mesh);
      for (let poly = 0; poly < mesh.polyCount; poly++) {
        const first = pieceOf(pieces, mesh, poly);
        expect(first, what).not.toBe(ROUGH);
        if (first === WHOLE) continue;
        dented++;
        const edges: number[] = [];
        for (let piece = first; piece < first + pieces.polyPieceCount[poly]; piece++) {
          const start = pieces.pieceStart[piece];
          const size = pieces.pieceSize[piece];
          for (let k = 0; k < size; k++) {
            for (let n = 0; n < 3; n++) {
              const vertex = 3 * pieces.entryVertex[start + ((k + n) % size)];
              xs[n] = mesh.vertices[vertex];
              zs[n] = mesh.vertices[vertex + 2];
            }
            expect(sideOfPoints(xs, zs, 0, 1, 2), what).toBeGreaterThanOrEqual(0);
            const entry = start + k;
            if (pieces.entryNeighbor[entry] !== poly) {
              edges.push(pieces.entryEdge[entry]);
              continue;
            }
            // Behind a cut is a piece with the same cut in reverse.
            const [a, b] = [pieces.entryVertex[entry], pieces.entryVertex[start + ((k + 1) % size)]];
            const other = pieces.entryPiece[entry];
            const from = pieces.pieceStart[other];
            const count = pieces.pieceSize[other];
            const ring = Array.from({ length: count }, (__, n) => pieces.entryVertex[from + n]);
            expect(ring[(ring.indexOf(b) + 1) % count], what).toBe(a);
          }
        }
        const own = Array.from({ length: mesh.polyVertexCount[poly] }, (__, k) => mesh.polyEdgeStart[poly] + k);
        expect(
          edges.sort((a, b) => a - b),
          what,
        ).toEqual(own);
      }
    }
    expect(dented).toBeGreaterThan(20);
  });

  it('leave corridors without gaps or repetitions', () => {
    for (let seed = SEED; seed < SEED + 60; seed++) {
      const trial = trialMesh(seed);
      if (trial === undefined) continue;
      const { mesh, map, oracle, what } = trial;
      expect(validateNavMesh(mesh), what).toEqual([]);
      const ends: [number, number][] = [];
      for (let x = 0; x < map.width; x++)
        for (let z = 0; z < map.depth; z++) if (map.isOpen(x, z)) ends.push([8 * x + 4, 8 * z + 4]);
      const [a, b] = [ends[0], ends[ends.length - 1]];
      if (oracle.distance(a[0], a[1], b[0], b[1]) === Infinity) continue;
      const { polys, points } = findOptimalPath(mesh, trial.world(a), trial.world(b), { halfExtents: trial.reach });
      for (let i = 1; i < polys.length; i++) {
        const [from, to] = [polyIndexOf(mesh, polys[i - 1]), polyIndexOf(mesh, polys[i])];
        expect(findCrossing(mesh, from, to), `${what}, ${i}`).not.toBe(NO_CROSSING);
      }
      expect(points.flat().every(Number.isFinite), what).toBe(true);
    }
  });
});

it(
  `no path too long, none through a wall, no search without an end: ${QUERIES} queries from seed ${SEED}`,
  { timeout: 1000 * SECONDS + 60_000 },
  () => {
    const counts = noCounts();
    const problems: string[] = [];
    const report = (problem: string): void => {
      if (problems.push(problem) <= 20) console.log(problem);
    };
    const levels = QUERIES > 100_000 ? ['house', 'courtyard', 'tower', 'islands'] : ['house'];
    for (const name of levels) runLevelTrials(counts, name, SEED, Math.min(400, QUERIES / 40), report);
    runMapTrials(counts, SEED, QUERIES, SECONDS, report);
    // Triangles without area along straight walls are no reason for doubt.
    runMapTrials(counts, SEED, counts.queries + Math.ceil(QUERIES / 3), SECONDS, report, true);
    console.log(`Nearly convex, seed ${SEED}: ${JSON.stringify(counts)}`);
    expect(failuresOf(counts)).toBe(0);
    expect(counts.exact).toBeGreaterThan(counts.queries / 4);
  },
);
