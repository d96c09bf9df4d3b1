/** Small levels of quads and walls, and questions that tests ask of their meshes. */
import { buildFromSurface } from '../../../../src/build/surface/build.ts';
import type { SurfaceBuild, SurfaceLevel, SurfaceOptions } from '../../../../src/build/surface/options.ts';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import { findPath } from '../../../../src/query/path/find-path.ts';
import { raycast } from '../../../../src/query/ray/raycast.ts';
import { expect } from 'vitest';

/**
 * Returns triangles of quads [x0, z0, x1, z1, y] or [x0, z0, x1, z1, y at x0, y at x1]. They face up and are
 * not welded.
 */
export function floors(...quads: number[][]): number[] {
  return quads.flatMap(([x0, z0, x1, z1, y0, y1 = y0]) => [
    x0!,
    y0!,
    z0!,
    x0!,
    y0!,
    z1!,
    x1!,
    y1!,
    z1!,
    x0!,
    y0!,
    z0!,
    x1!,
    y1!,
    z1!,
    x1!,
    y1!,
    z0!,
  ]);
}

/** Returns a vertical rectangle over the line from (x0, z0) to (x1, z1), between two heights. */
export function wall(x0: number, z0: number, x1: number, z1: number, low: number, high: number): number[] {
  return [x0, low, z0, x1, low, z1, x1, high, z1, x0, low, z0, x1, high, z1, x0, high, z0];
}

export function soup(...parts: number[][]): SurfaceLevel {
  return { positions: parts.flat() };
}

/** Builds the level and expects a valid mesh. */
export function buildValid(level: SurfaceLevel | SurfaceLevel[], options: SurfaceOptions = {}): SurfaceBuild {
  const result = buildFromSurface(level, options);
  expect(validateNavMesh(result.navMesh)).toEqual([]);
  return result;
}

export function isReached(build: SurfaceBuild, from: number[], to: number[]): boolean {
  return findPath(build.navMesh, from, to, { halfExtents: [0.05, 0.1, 0.05] }).status === 'complete';
}

/** Returns whether a wall blocks the straight line between two points. */
export function isStopped(navMesh: NavMesh, from: number[], to: number[]): boolean {
  return raycast(navMesh, from, to, { halfExtents: [0.05, 0.1, 0.05] }).t < 1;
}
