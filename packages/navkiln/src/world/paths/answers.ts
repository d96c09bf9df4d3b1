/**
 * Answers of a path service as typed arrays, which are copied between threads faster than records.
 *
 * In: paths or moves; the arrays. Out: the arrays; paths or moves.
 * Cost: linear in the points.
 * Based on: own.
 */
import type { Path, PathReason, PathStatus } from '../../query/path/result.ts';

/** A path of `findPaths`; see `Path`. */
export type ServicePath = Omit<Path, 'polys'>;

/** Result of a move. */
export interface ServiceMove {
  /** `'reached'`: the end. `'blocked'`: a wall on the way. `'off-mesh'`: the start is not on the mesh. */
  status: 'reached' | 'blocked' | 'off-mesh';
  /** The position on the mesh, world units; the start if that is off the mesh. */
  point: [number, number, number];
}

/** Paths as arrays. */
export interface PackedPaths {
  /** Per path: status and reason. */
  codes: Uint8Array;
  /** Per path: length, cost, number of points. */
  rows: Float64Array;
  points: Float64Array;
}

const STATUSES: readonly PathStatus[] = ['complete', 'partial', 'none'];
const REASONS: readonly PathReason[] = ['', 'start-off-mesh', 'end-off-mesh', 'unreachable', 'budget', 'stale'];
const MOVES: readonly ServiceMove['status'][] = ['reached', 'blocked', 'off-mesh'];

export function packPaths(paths: readonly ServicePath[]): PackedPaths {
  const codes = new Uint8Array(2 * paths.length);
  const rows = new Float64Array(3 * paths.length);
  const points = new Float64Array(paths.reduce((sum, path) => sum + 3 * path.points.length, 0));
  let at = 0;
  for (const [i, path] of paths.entries()) {
    codes[2 * i] = STATUSES.indexOf(path.status);
    codes[2 * i + 1] = REASONS.indexOf(path.reason);
    rows.set([path.length, path.cost, path.points.length], 3 * i);
    for (const point of path.points) {
      points.set(point, at);
      at += 3;
    }
  }
  return { codes, rows, points };
}

export function unpackPaths({ codes, rows, points: flat }: PackedPaths): ServicePath[] {
  let at = 0;
  return Array.from({ length: codes.length / 2 }, (_, i) => {
    const points: [number, number, number][] = [];
    for (let k = 0; k < rows[3 * i + 2]; k++, at += 3) points.push([flat[at], flat[at + 1], flat[at + 2]]);
    const [status, reason] = [STATUSES[codes[2 * i]], REASONS[codes[2 * i + 1]]];
    return { status, reason, points, length: rows[3 * i], cost: rows[3 * i + 1] };
  });
}

/** Returns moves as numbers: per move its status and position. */
export function packMoves(moves: readonly ServiceMove[]): Float64Array {
  const out = new Float64Array(4 * moves.length);
  for (const [i, { status, point }] of moves.entries()) out.set([MOVES.indexOf(status), ...point], 4 * i);
  return out;
}

export function unpackMoves(rows: Float64Array): ServiceMove[] {
  return Array.from({ length: rows.length / 4 }, (_, i) => ({
    status: MOVES[rows[4 * i]],
    point: [rows[4 * i + 1], rows[4 * i + 2], rows[4 * i + 3]],
  }));
}
