/** Overlaps by looking at all pairs in all ticks, kept as they are and evaluated in the end. */
export function createOverlapOracle(): {
  record: (position: Float64Array, radius: Float64Array, height: Float64Array, isBody: Uint8Array) => void;
  maxDepth: () => number;
  longestTicks: () => number;
  collisions: () => number;
} {
  /** Depth by pair, one entry a tick; 0: apart. */
  const depths = new Map<string, number[]>();
  let ticks = 0;
  const runs = (limit: number): number[] =>
    [...depths.values()].flatMap((row) => {
      const lengths: number[] = [];
      let length = 0;
      for (const depth of [...row, 0]) {
        if (depth > limit) length++;
        else if (length > 0) {
          lengths.push(length);
          length = 0;
        }
      }
      return lengths;
    });
  return {
    record(position, radius, height, isBody) {
      for (let i = 0; i < radius.length; i++) {
        for (let j = i + 1; j < radius.length; j++) {
          const [xi, yi, zi] = position.subarray(3 * i, 3 * i + 3);
          const [xj, yj, zj] = position.subarray(3 * j, 3 * j + 3);
          const isBeside = yi! >= yj! + height[j] || yj! >= yi! + height[i];
          const distance = Math.sqrt((xj! - xi!) * (xj! - xi!) + (zj! - zi!) * (zj! - zi!));
          const depth = (radius[i] + radius[j] - distance) / Math.min(radius[i], radius[j]);
          const row = depths.get(`${i} ${j}`) ?? new Array<number>(ticks).fill(0);
          row.push(isBody[i] === 1 && isBody[j] === 1 && !isBeside ? Math.max(0, depth) : 0);
          depths.set(`${i} ${j}`, row);
        }
      }
      ticks++;
    },
    maxDepth: () => Math.max(...[...depths.values()].flat()),
    longestTicks: () => Math.max(0, ...runs(0.05)),
    collisions: () => runs(0.02).length,
  };
}
