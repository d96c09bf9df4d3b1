/**
 * A level for characters: ground, two storeys above it, a ramp, two stairs, and a bridge with space to walk under it.
 * A second, independent function returns the heights of its floors from the plan, not from triangles.
 */

/** y of the floors, and rectangles x0, z0, x1, z1 of each. */
const STOREY = 3;
const TOP = 6;
const PLATFORM_A = [4, 4, 24, 24] as const;
const PLATFORM_B = [36, 4, 56, 24] as const;
const BRIDGE = [24, 10, 36, 15] as const;
const LOFT = [4, 4, 20, 9] as const;
/** Up along -z: from the ground at z = 32 to platform A at z = 24, and from there at z = 17 to the loft at z = 9. */
const STAIRS = { x0: 8, x1: 13, from: 32, to: 24, low: 0, steps: 12, depth: 8 / 12, rise: 0.25 };
const STAIRS_UP = { x0: 15, x1: 20, from: 17, to: 9, low: STOREY, steps: 12, depth: 8 / 12, rise: 0.25 };
/** Up along -z, from z = 34 to platform B at z = 24. */
const RAMP = { x0: 44, x1: 49, from: 34, to: 24 };
export const SIZE = 60;

type Rect = readonly [number, number, number, number];
const inside = ([x0, z0, x1, z1]: Rect, x: number, z: number): boolean => x >= x0 && x <= x1 && z >= z0 && z <= z1;

/** Returns the heights of all floors at a position, from the plan. */
export function floorsAt(x: number, z: number): number[] {
  const floors: number[] = [];
  const inStairs = inside([STAIRS.x0, STAIRS.to, STAIRS.x1, STAIRS.from], x, z);
  const inRamp = inside([RAMP.x0, RAMP.to, RAMP.x1, RAMP.from], x, z);
  const inUp = inside([STAIRS_UP.x0, STAIRS_UP.to, STAIRS_UP.x1, STAIRS_UP.from], x, z);
  if (inside([0, 0, SIZE, SIZE], x, z) && !inStairs && !inRamp) floors.push(0);
  const stair = (s: typeof STAIRS): number =>
    s.low + s.rise * Math.min(s.steps, Math.floor((s.from - z) / s.depth + 1e-9) + 1);
  if (inStairs) floors.push(stair(STAIRS));
  if (inRamp) floors.push((STOREY * (RAMP.from - z)) / (RAMP.from - RAMP.to));
  if (!inUp && [PLATFORM_A, PLATFORM_B, BRIDGE].some((rect) => inside(rect, x, z))) floors.push(STOREY);
  if (inUp) floors.push(stair(STAIRS_UP));
  if (inside(LOFT, x, z)) floors.push(TOP);
  return floors;
}

/** Returns the distance of y from the nearest floor at a position, or within `slack` around it. */
export function offFloor(x: number, y: number, z: number, slack: number): number {
  let best = Infinity;
  for (const dx of [0, -slack, slack]) {
    for (const dz of [0, -slack, slack]) {
      for (const floor of floorsAt(x + dx, z + dz)) best = Math.min(best, Math.abs(y - floor));
      if (best < 1e-9) return best;
    }
  }
  return best;
}

export function characterLevel(): { positions: Float64Array; indices: Uint32Array } {
  const positions: number[] = [];
  /** Counter-clockwise seen from where it is seen. */
  const quad = (...corners: number[][]): void => {
    for (const k of [0, 1, 2, 0, 2, 3]) positions.push(...corners[k]);
  };
  const flat = (y: number, x0: number, z0: number, x1: number, z1: number, isUp: boolean): void => {
    const corners = [
      [x0, y, z0],
      [x0, y, z1],
      [x1, y, z1],
      [x1, y, z0],
    ];
    quad(...(isUp ? corners : corners.reverse()));
  };
  /** Adds an upright face along the line (x0, z0) -> (x1, z1). Its front is to the left of that line. */
  const wall = (x0: number, z0: number, x1: number, z1: number, low: number, high: number): void =>
    quad([x0, high, z0], [x1, high, z1], [x1, low, z1], [x0, low, z0]);
  /** Slabs of cells of 1 m, 0.3 thick, with sides where no cell follows. */
  const slab = (y: number, rects: readonly Rect[]): void => {
    const has = (x: number, z: number): boolean => rects.some((rect) => inside(rect, x + 0.5, z + 0.5));
    for (let x = 0; x < SIZE; x++) {
      for (let z = 0; z < SIZE; z++) {
        if (!has(x, z)) continue;
        flat(y, x, z, x + 1, z + 1, true);
        flat(y - 0.3, x, z, x + 1, z + 1, false);
        if (!has(x - 1, z)) wall(x, z, x, z + 1, y - 0.3, y);
        if (!has(x + 1, z)) wall(x + 1, z + 1, x + 1, z, y - 0.3, y);
        if (!has(x, z - 1)) wall(x + 1, z, x, z, y - 0.3, y);
        if (!has(x, z + 1)) wall(x, z + 1, x + 1, z + 1, y - 0.3, y);
      }
    }
  };
  for (let x = 0; x < SIZE; x += 4) for (let z = 0; z < SIZE; z += 4) flat(0, x, z, x + 4, z + 4, true);
  slab(STOREY, [PLATFORM_A, PLATFORM_B, BRIDGE]);
  slab(TOP, [LOFT]);
  for (const s of [STAIRS, STAIRS_UP]) {
    for (let i = 0; i < s.steps; i++) {
      const front = s.from - i * s.depth;
      const back = i === s.steps - 1 ? s.to : front - s.depth;
      const y = s.low + (i + 1) * s.rise;
      flat(y, s.x0, back, s.x1, front, true);
      wall(s.x0, front, s.x1, front, y - s.rise, y);
      wall(s.x0, back, s.x0, front, s.low, y);
      wall(s.x1, front, s.x1, back, s.low, y);
    }
    // Behind, below the floor they lead to.
    wall(s.x1, s.to, s.x0, s.to, s.low, s.low + s.steps * s.rise);
  }
  const { x0, x1, from, to } = RAMP;
  quad([x0, STOREY, to], [x0, 0, from], [x1, 0, from], [x1, STOREY, to]);
  positions.push(x0, STOREY, to, x0, 0, to, x0, 0, from, x1, 0, from, x1, 0, to, x1, STOREY, to);
  wall(x1, to, x0, to, 0, STOREY);
  const indices = Uint32Array.from({ length: positions.length / 3 }, (_, i) => i);
  return { positions: Float64Array.from(positions), indices };
}

/** Places with room around them and off the ways, x, y, z, on all floors. */
export const PLACES: readonly (readonly [number, number, number])[] = [
  [30, 0, 45],
  [10, 0, 50],
  [50, 0, 50],
  [30, 0, 55],
  [20, 0, 42],
  [40, 0, 42],
  [30, 0, 25],
  [30, 0, 5],
  [8, 0, 15],
  [20, 0, 18],
  [48, 0, 12],
  [40, 0, 20],
  [56, 0, 40],
  [7, STOREY, 20],
  [7, STOREY, 13],
  [21, STOREY, 6],
  [20, STOREY, 21],
  [40, STOREY, 20],
  [53, STOREY, 8],
  [53, STOREY, 20],
  [40, STOREY, 6],
  [7, TOP, 6.5],
];
