/**
 * The oracle of convex pieces: checks `ConvexPieces` of rings by brute force in big integers.
 *
 * Pieces must be convex, have exactly the rings' area and complete, mutual neighbors, and no wall that is not
 * an edge of a ring. It shares no code with src/polygon.
 */
import { expect } from 'vitest';
import type { ConvexPieces, Rings } from '../../../../src/base/plane/types.ts';
import { areaOfRings } from './map-oracle.ts';

export function ringsOf(rings: readonly (readonly (readonly [number, number])[])[]): Rings {
  const start = [0];
  for (const ring of rings) start.push(start[start.length - 1] + ring.length);
  return {
    ringCount: rings.length,
    start: Int32Array.from(start),
    x: Int32Array.from(rings.flat(), (p) => p[0]),
    y: Int32Array.from(rings.flat(), (p) => p[1]),
  };
}

/**
 * Expects convex pieces of which no two use an edge in the same direction. Their areas must add up to the
 * area of the rings, and their walls must be edges of the rings. Such pieces neither overlap nor leave gaps.
 */
export function checkPieces(pieces: ConvexPieces, rings: Rings, name: string, maxVertices = Infinity): void {
  const { pieceCount, start, corner, neighbor, x, y } = pieces;
  const pieceAt = new Map<string, number>();
  let area = 0n;
  const used = new Set<number>();
  for (let p = 0; p < pieceCount; p++) {
    const count = start[p + 1] - start[p];
    expect(count, `${name}: corners of piece ${p}`).toBeGreaterThanOrEqual(3);
    expect(count, `${name}: corners of piece ${p}`).toBeLessThanOrEqual(maxVertices);
    let own = 0n;
    for (let k = 0; k < count; k++) {
      const a = corner[start[p] + k],
        b = corner[start[p] + ((k + 1) % count)],
        c = corner[start[p] + ((k + 2) % count)];
      if (turn(x, y, a, b, c) < 0n) throw new Error(`${name}: piece ${p} has a concave corner at [${x[b]}, ${y[b]}]`);
      own += BigInt(x[a]) * BigInt(y[b]) - BigInt(x[b]) * BigInt(y[a]);
      if (pieceAt.has(`${a},${b}`)) throw new Error(`${name}: two pieces have the edge from [${x[a]}, ${y[a]}]`);
      pieceAt.set(`${a},${b}`, p);
      used.add(a);
    }
    expect(own > 0n, `${name}: area of piece ${p}`).toBe(true);
    area += own;
  }
  expect(area, `${name}: area`).toBe(areaOfRings(rings));
  expect(used.size, `${name}: vertices`).toBe(pieces.vertexCount);
  const walls = new Map<string, bigint>();
  const addWall = (ax: number, ay: number, bx: number, by: number, direction: bigint): void => {
    // The signed length covered along each line. Walls may be split at other points than the rings' edges,
    // and edges
    // that rings cover in both directions cancel out.
    let dx = bx - ax,
      dy = by - ay;
    let [g, h] = [Math.abs(dx), Math.abs(dy)];
    while (h !== 0) [g, h] = [h, g % h];
    const sign = dx < 0 || (dx === 0 && dy < 0) ? -1 : 1;
    dx /= sign * g;
    dy /= sign * g;
    const key = `${dx},${dy},${BigInt(dx) * BigInt(ay) - BigInt(dy) * BigInt(ax)}`;
    walls.set(key, (walls.get(key) ?? 0n) + direction * BigInt(sign * g));
  };
  for (let p = 0; p < pieceCount; p++) {
    for (let i = start[p]; i < start[p + 1]; i++) {
      const a = corner[i],
        b = corner[i + 1 < start[p + 1] ? i + 1 : start[p]];
      const beyond = pieceAt.get(`${b},${a}`) ?? -1;
      if (neighbor[i] !== beyond)
        throw new Error(`${name}: piece ${p} has neighbor ${neighbor[i]} at ${i}, not ${beyond}`);
      if (beyond < 0) addWall(x[a], y[a], x[b], y[b], 1n);
    }
  }
  for (let r = 0; r < rings.ringCount; r++) {
    for (let i = rings.start[r]; i < rings.start[r + 1]; i++) {
      const j = i + 1 < rings.start[r + 1] ? i + 1 : rings.start[r];
      addWall(rings.x[i], rings.y[i], rings.x[j], rings.y[j], -1n);
    }
  }
  for (const [line, length] of walls)
    if (length !== 0n) throw new Error(`${name}: walls on line ${line} differ by ${length}`);
}

function turn(x: Int32Array, y: Int32Array, a: number, b: number, c: number): bigint {
  return BigInt(x[b] - x[a]) * BigInt(y[c] - y[a]) - BigInt(y[b] - y[a]) * BigInt(x[c] - x[a]);
}
