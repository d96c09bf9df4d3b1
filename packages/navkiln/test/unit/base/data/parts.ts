/** Shapes of parts for tests: boxes, planes, caves. */

export interface Part {
  positions: number[];
  indices: number[];
}

type Face = '-x' | '+x' | '-y' | '+y' | '-z' | '+z';

type Point = readonly [number, number, number];

/** Joins parts. `starts` has the first triangle of each, and the number of all. */
export function joinParts(parts: readonly Part[]): {
  positions: Float64Array;
  indices: Uint32Array;
  starts: number[];
} {
  const positions: number[] = [];
  const indices: number[] = [];
  const starts = [0];
  for (const one of parts) {
    const base = positions.length / 3;
    positions.push(...one.positions);
    for (const corner of one.indices) indices.push(base + corner);
    starts.push(indices.length / 3);
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices), starts };
}

/** Returns a box that faces outward or inward, without some faces. */
export function slab(
  min: Point,
  max: Point,
  { isInward = false, without = [] }: { isInward?: boolean; without?: readonly Face[] } = {},
): Part {
  const positions: number[] = [];
  for (let k = 0; k < 8; k++) positions.push(k & 1 ? max[0] : min[0], k & 2 ? max[1] : min[1], k & 4 ? max[2] : min[2]);
  const faces: Record<Face, number[]> = {
    '-x': [0, 4, 6, 2],
    '+x': [1, 3, 7, 5],
    '-y': [0, 1, 5, 4],
    '+y': [2, 6, 7, 3],
    '-z': [0, 2, 3, 1],
    '+z': [4, 5, 7, 6],
  };
  const indices = (Object.keys(faces) as Face[])
    .filter((face) => !without.includes(face))
    .flatMap((face) => {
      const [a, b, c, d] = faces[face] as [number, number, number, number];
      return isInward ? [a, c, b, a, d, c] : [a, b, c, a, c, d];
    });
  return { positions, indices };
}

function quad(...corners: readonly Point[]): Part {
  return { positions: corners.flat(), indices: [0, 1, 2, 0, 2, 3] };
}

/** Returns a level rectangle that faces up or down. */
function plane(x: number, z: number, width: number, depth: number, isDown: boolean = false): Part {
  const up = quad([x, 0, z], [x, 0, z + depth], [x + width, 0, z + depth], [x + width, 0, z]);
  return isDown ? { ...up, indices: [0, 2, 1, 0, 3, 2] } : up;
}

/** Returns a square tube along x that faces inward, open at both ends. */
function tube(length: number, width: number, steps: number): Part {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i <= steps; i++) {
    const x = (length * i) / steps;
    positions.push(x, 0, 0, x, 0, width, x, width, width, x, width, 0);
    if (i === steps) break;
    for (let k = 0; k < 4; k++) {
      const [a, b] = [4 * i + k, 4 * i + ((k + 1) % 4)];
      indices.push(a, b, a + 4, b, b + 4, a + 4);
    }
  }
  return { positions, indices };
}

/** Returns a sheet that faces up, with a ledge of rock over its ground: an S of three levels, joined by cliffs. */
function overhang(): Part {
  const profile = [
    [0, 0],
    [30, 0],
    [30, 3],
    [20, 3],
    [20, 6],
    [60, 6],
  ];
  const positions = profile.flatMap(([x, y]) => [x!, y!, 0, x!, y!, 10]);
  const indices = profile.slice(1).flatMap((_, i) => [2 * i, 2 * i + 1, 2 * i + 3, 2 * i, 2 * i + 3, 2 * i + 2]);
  return { positions, indices };
}

/** Returns a hemisphere that faces inward, open at the bottom. */
function dome(radius: number, steps: number): Part {
  const positions: number[] = [];
  const indices: number[] = [];
  const around = 4 * steps;
  for (let i = 0; i <= steps; i++) {
    const up = (Math.PI / 2) * (i / steps);
    for (let k = 0; k < around; k++) {
      const turn = 2 * Math.PI * (k / around);
      const wide = radius * Math.cos(up);
      positions.push(wide * Math.cos(turn), radius * Math.sin(up), wide * Math.sin(turn));
    }
  }
  for (let i = 0; i < steps; i++) {
    for (let k = 0; k < around; k++) {
      const [a, b] = [i * around + k, i * around + ((k + 1) % around)];
      indices.push(a, b, a + around, b, b + around, a + around);
    }
  }
  return { positions, indices };
}

export const part = { quad, plane, tube, overhang, dome };
