/**
 * Measures surface meshes: `buildFromSurface` against three-pathfinding's `createZone` on the same triangles,
 * in turns, as meshes grow. Throws when the two disagree about the number of islands.
 */
import { BufferAttribute, BufferGeometry } from 'three';
import { Pathfinding } from 'three-pathfinding/dist/three-pathfinding.modern.mjs';
import { buildFromSurface } from 'navkiln/build';
import type { SurfaceLevel } from 'navkiln/build';
import { createRandom, measureInterleaved, ratioOf, spreadOf } from './harness.ts';
import type { Spread } from './harness.ts';

export interface SurfaceRow {
  mesh: string;
  triangles: number;
  polygons: number;
  ms: number;
  theirMs: number;
  /** Time of navkiln over that of three-pathfinding. */
  ratio: Spread;
  /** Nanoseconds per triangle. */
  nsPerTriangle: number;
  /** Bytes of the mesh per input triangle. */
  bytesPerTriangle: number;
}

interface IndexedLevel extends SurfaceLevel {
  positions: Float32Array;
  indices: Uint32Array;
}

const SIZES = [1e4, 1e5, 1e6];
/** Larger meshes are measured once. */
const LARGE = 3e5;

/** `hills` bend at each triangle; `floors` are flat rooms, side by side and not connected. */
const MESHES: Record<string, (triangles: number) => IndexedLevel> = { hills, floors };

export function surfaceMeshes(names: readonly string[]): string[] {
  return Object.keys(MESHES).filter((name) => names.length === 0 || names.includes(name));
}

export function benchSurface(name: string, rounds: number): SurfaceRow[] {
  return SIZES.map((size) => {
    const level = MESHES[name](size);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(level.positions, 3));
    geometry.setIndex(new BufferAttribute(level.indices, 1));
    const count = level.indices.length / 3;
    const isLarge = count > LARGE;
    let polygons = 0,
      ours = 0,
      theirs = 0,
      bytes = 0;
    const times = measureInterleaved(
      [
        {
          name: 'navkiln',
          run: () => buildFromSurface(level),
          release(result) {
            const { navMesh, report } = result as ReturnType<typeof buildFromSurface>;
            ({ polygons, islands: ours } = report.counts);
            bytes = 0;
            for (const value of Object.values(navMesh)) if (ArrayBuffer.isView(value)) bytes += value.byteLength;
          },
        },
        {
          name: 'three-pathfinding',
          run: () => Pathfinding.createZone(geometry),
          release: (result) => {
            theirs = (result as { groups: unknown[] }).groups.length;
          },
        },
      ],
      isLarge ? { rounds: 1, warmups: 0 } : { rounds: Math.min(rounds, 7), warmups: 1 },
    );
    if (ours !== theirs) {
      throw new Error(`${name} of ${count} triangles: ${ours} islands, three-pathfinding finds ${theirs} groups`);
    }
    const ms = spreadOf(times[0]).median;
    return {
      mesh: name,
      triangles: count,
      polygons,
      ms,
      theirMs: spreadOf(times[1]).median,
      ratio: ratioOf(times[0], times[1]),
      nsPerTriangle: (1e6 * ms) / count,
      bytesPerTriangle: bytes / count,
    };
  });
}

/** Makes a square of rolling hills on a grid of half a meter. */
function hills(triangles: number): IndexedLevel {
  const n = Math.round(Math.sqrt(triangles / 2)),
    random = createRandom(7);
  const rough = Float64Array.from({ length: 64 }, () => 0.1 * random());
  return grid(n, n, (x, z) => 2 * Math.sin(x * 0.1) + 1.5 * Math.cos(z * 0.14) + rough[(7 * x + 13 * z) & 63]);
}

/** Makes rooms of 16 x 16 squares, five meters above and below each other. */
function floors(triangles: number): IndexedLevel {
  const rooms = Math.max(1, Math.round(triangles / 512)),
    side = Math.ceil(Math.sqrt(rooms));
  const parts = Array.from({ length: rooms }, (_, i) => {
    const part = grid(16, 16, () => 5 * (i % 3));
    for (let k = 0; k < part.positions.length; k += 3) {
      part.positions[k] += 10 * (i % side);
      part.positions[k + 2] += 10 * Math.floor(i / side);
    }
    return part;
  });
  const vertices = parts[0].positions.length / 3,
    length = parts[0].indices.length;
  const positions = new Float32Array(3 * vertices * rooms),
    indices = new Uint32Array(length * rooms);
  parts.forEach((part, i) => {
    positions.set(part.positions, 3 * vertices * i);
    indices.set(
      part.indices.map((vertex) => vertex + vertices * i),
      length * i,
    );
  });
  return { positions, indices };
}

function grid(nx: number, nz: number, height: (x: number, z: number) => number): IndexedLevel {
  const positions = new Float32Array(3 * (nx + 1) * (nz + 1)),
    indices = new Uint32Array(6 * nx * nz);
  let at = 0;
  for (let z = 0; z <= nz; z++) {
    for (let x = 0; x <= nx; x++) {
      positions.set([x / 2, height(x, z), z / 2], at);
      at += 3;
    }
  }
  at = 0;
  for (let z = 0; z < nz; z++) {
    for (let x = 0; x < nx; x++) {
      const a = z * (nx + 1) + x,
        b = a + nx + 1;
      indices.set([a, b, b + 1, a, b + 1, a + 1], at);
      at += 6;
    }
  }
  return { positions, indices };
}

/** Formats a table. */
export function surfaceTable(rows: readonly SurfaceRow[]): string[][] {
  const head = [
    'surface mesh',
    'triangles',
    'polygons',
    'navkiln ms',
    'ns / triangle',
    'bytes / triangle',
    'three-pathfinding ms',
    'ratio',
  ];
  return [
    head,
    ...rows.map((row) => [
      row.mesh,
      String(row.triangles),
      String(row.polygons),
      row.ms.toPrecision(3),
      row.nsPerTriangle.toFixed(0),
      row.bytesPerTriangle.toFixed(0),
      row.theirMs.toPrecision(3),
      row.ratio.median.toPrecision(2),
    ]),
  ];
}
