/**
 * Random moves of clients, honest and hostile, through `validateMove`: each accepted position is on its polygon, and the exact shortest
 * path to it (`findOptimalPath`, another search) is not longer than allowed, so that no wall was crossed. Moves go on from the last
 * result, so positions lie on walls, corners and borders of tiles. NAVKILN_MOVES sets the number of moves, NAVKILN_SEED the seed.
 */
import { describe, expect, it } from 'vitest';
import { levelScenes } from '../../../scenes/src/index.ts';
import { createRandom } from '../../src/base/data/random.ts';
import { buildFromPolygons } from '../../src/build/polygon/build.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import { addTile, removeTile } from '../../src/mesh/change/tiles.ts';
import { NULL_REF, polyIndexOf } from '../../src/mesh/ref.ts';
import type { NavMesh, PolyRef } from '../../src/mesh/types.ts';
import { setFlags } from '../../src/query/area.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { findOptimalPath } from '../../src/query/optimal/optimal.ts';
import { findRandomPoint } from '../../src/query/random/random-point.ts';
import { validateMove } from '../../src/query/walk/gate/validate-move.ts';
import type { MoveResult } from '../../src/query/walk/gate/validate-move.ts';
import { moveAlongSurface } from '../../src/query/walk/slide.ts';
import { movedTile, ringMesh, seeded, tileIn } from '../unit/meshes.ts';

const MOVES = Number(process.env['NAVKILN_MOVES'] ?? 50_000);
const SEED = Number(process.env['NAVKILN_SEED'] ?? 1);
/** Of this many moves, the path of one is searched; of each in a run with more moves. */
const PATH_EVERY = MOVES > 100_000 ? 1 : 40;

type Point = [number, number, number];

/** A square full of walls a millimeter thick, in all directions. */
function thinWalls(tileSize: number, at: number): NavMesh {
  const next = seeded(7);
  const obstacles = Array.from({ length: 60 }, () => {
    const [x, y, u, v] = [at + 20 * next(), at + 20 * next(), next() - 0.5, next() - 0.5];
    const length = Math.sqrt(u * u + v * v);
    const [a, b, c, d] = [(2 * u) / length, (2 * v) / length, (-1e-3 * v) / length, (1e-3 * u) / length];
    return [
      [x, y],
      [x + a, y + b],
      [x + a + c, y + b + d],
      [x + c, y + d],
    ] as [number, number][];
  });
  const outline = [0, 1, 2, 3].map((k): [number, number] => [
    at + (k === 1 || k === 2 ? 20 : 0),
    at + (k > 1 ? 20 : 0),
  ]);
  return buildFromPolygons({ polygons: [{ outline }], obstacles }, tileSize > 0 ? { tileSize } : {}).navMesh;
}

function level(name: string, tiles: boolean): NavMesh {
  const scene = levelScenes.find((one) => one.name === name)!;
  const { options } = scene;
  return buildNavMesh(scene.create(1), tiles ? { ...options, tileSize: 32 * options.cellSize } : options).navMesh;
}

/** Closes some polygons, as doors do. */
function withDoors(mesh: NavMesh): NavMesh {
  const next = seeded(3);
  for (let i = 0; i < mesh.polyCount / 10; i++) setFlags(mesh, findRandomPoint(mesh, next).ref, 0);
  return mesh;
}

/** How far a point is outside of a convex polygon, seen from above. */
function outside(mesh: NavMesh, poly: number, [x, , z]: Point): number {
  const first = mesh.polyEdgeStart[poly];
  const count = mesh.polyVertexCount[poly];
  let out = 0;
  for (let k = 0; k < count; k++) {
    const a = 3 * mesh.edgeVertex[first + k];
    const b = 3 * mesh.edgeVertex[first + ((k + 1) % count)];
    const ux = mesh.vertices[b] - mesh.vertices[a];
    const uz = mesh.vertices[b + 2] - mesh.vertices[a + 2];
    const side = ux * (z - mesh.vertices[a + 2]) - uz * (x - mesh.vertices[a]);
    if (side > 0) out = Math.max(out, side / Math.sqrt(ux * ux + uz * uz));
  }
  return out;
}

/** What a client may send. */
function wish(next: () => number, mesh: NavMesh, [x, y, z]: Point, most: number): unknown {
  const kind = next();
  const near = (): number => (2 * next() - 1) * 1.2 * most;
  const huge = (): number => (next() < 0.5 ? -1 : 1) * 10 ** (308 * next());
  if (kind < 0.75) return [x + near(), y, z + near()];
  if (kind < 0.8) return [huge(), huge(), huge()];
  if (kind < 0.83) return next() < 0.5 ? [x + huge(), 0, z] : { x, y, z: 1.7e308 };
  if (kind < 0.9) return mesh.vertices.subarray(3 * Math.floor(next() * mesh.vertexCount)).slice(0, 3);
  if (kind < 0.93) return [x + most, y, z];
  if (kind < 0.96)
    return [[NaN, 0, 0], [0, 0, Infinity], [], {}, null, 'x', undefined, ['1', '2', '3']][Math.floor(8 * next())];
  return [x, y, z];
}

/** Returns what is wrong with a result, or undefined. */
function fault(mesh: NavMesh, from: Point, to: unknown, most: number, move: MoveResult, withPath: boolean) {
  const poly = polyIndexOf(mesh, move.ref);
  if (poly < 0) return 'no polygon';
  const size = Math.max(1, ...move.point.map(Math.abs));
  if (!(outside(mesh, poly, move.point) <= 1e-14 * size)) return `off the mesh by ${outside(mesh, poly, move.point)}`;
  if (!(move.distance <= most * (1 + 1e-9))) return `walked ${move.distance}`;
  if (move.status === 'accepted') {
    const [x, z] =
      Array.isArray(to) || ArrayBuffer.isView(to)
        ? [(to as Point)[0], (to as Point)[2]]
        : [(to as any).x, (to as any).z];
    if (!(Math.abs(move.point[0] - x) + Math.abs(move.point[2] - z) <= 1e-11 * size))
      return 'not where it was accepted';
  }
  if (!withPath) return undefined;
  // The height selects the floor: floors are more than a climb apart. The move may start on a closed polygon.
  const halfExtents: Point = [1e-7 * size, Math.max(mesh.agent.maxClimb, 0.01), 1e-7 * size];
  const path = findOptimalPath(mesh, from, move.point, { halfExtents });
  if (path.status !== 'complete') return `no path: ${path.reason}`;
  return path.planarLength <= most * (1 + 1e-9) + 1e-9 * size ? undefined : `the shortest path is ${path.planarLength}`;
}

describe('validateMove', () => {
  const meshes: [string, NavMesh][] = [
    ['thin walls', thinWalls(0, 0)],
    ['thin walls in tiles', thinWalls(3.3, 0)],
    ['thin walls far away', thinWalls(3.3, 1e5)],
    ['a tower in tiles', level('tower', true)],
    ['a house with doors', withDoors(level('house', true))],
    ['a city', level('city', false)],
  ];
  it.each(meshes)(`walks through no wall and not too far: %s (seed ${SEED})`, (_, mesh) => {
    const next = seeded(SEED);
    const random = createRandom(SEED);
    const counts: Record<string, number> = {};
    let at = findRandomPoint(mesh, random) as { ref: PolyRef; point: Point };
    for (let i = 0; i < MOVES / meshes.length; i++) {
      if (next() < 0.05) at = findRandomPoint(mesh, random) as { ref: PolyRef; point: Point };
      const most = [0.01, 0.2, 1, 5, 30][Math.floor(5 * next())] * (0.5 + next());
      const to = wish(next, mesh, at.point, most);
      const move = validateMove(mesh, at.ref, at.point, to as Point, { maxDistance: most });
      const wrong = fault(mesh, at.point, to, most, move, i % PATH_EVERY === 0);
      if (wrong !== undefined) expect.fail(`move ${i}: ${wrong}\n${JSON.stringify({ at, to, most, move })}`);
      counts[move.status] = (counts[move.status] ?? 0) + 1;
      at = move;
    }
    expect(Object.keys(counts).toSorted()).toEqual(['accepted', 'invalid', 'too-far', 'wall']);
  });

  it(`answers stale refs with the nearest place (seed ${SEED})`, () => {
    const next = seeded(SEED);
    const mesh = ringMesh();
    const tile = movedTile(tileIn(mesh, 0), 0, 0, 0);
    for (let i = 0; i < 200; i++) {
      const { ref, point } = findRandomPoint(mesh, next);
      removeTile(mesh, 0);
      if (i % 2 === 0) addTile(mesh, tile);
      const to = wish(next, mesh, point, 1) as Point;
      const move = validateMove(mesh, ref, point, to, { maxDistance: 1 });
      if (i % 2 === 1) {
        expect(move).toEqual({ status: 'off-mesh', point, ref: NULL_REF, distance: 0 });
        addTile(mesh, tile);
        continue;
      }
      expect(move).toMatchObject({ status: 'stale-ref', distance: 0, ref: findNearest(mesh, point).ref });
      expect(outside(mesh, polyIndexOf(mesh, move.ref), move.point)).toBe(0);
    }
  });
});

describe('moveAlongSurface', () => {
  it(`stays on the mesh for ends up to 1e308 (seed ${SEED})`, () => {
    const next = seeded(SEED);
    const mesh = thinWalls(0, 0);
    for (let i = 0; i < 600; i++) {
      const { point } = findRandomPoint(mesh, next);
      const huge = (): number => (next() < 0.5 ? -1 : 1) * 10 ** (13 + 295 * next());
      const scale = next() < 0.5 ? huge() : 0;
      const end: Point = scale === 0 ? [huge(), huge(), huge()] : [next() * scale, 0, next() * scale];
      const slide = moveAlongSurface(mesh, point as Point, end);
      if (slide.status !== 'blocked' || outside(mesh, polyIndexOf(mesh, slide.ref), slide.point) > 1e-12)
        expect.fail(JSON.stringify({ i, point, end, slide }));
      const nearest = findNearest(mesh, end);
      if (nearest.found) expect(outside(mesh, nearest.poly, nearest.point)).toBeLessThan(1e-12);
    }
  });
});
