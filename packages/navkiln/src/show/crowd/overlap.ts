/**
 * Measures which bodies of a crowd overlap, how deep, and for how long. Bodies are upright cylinders. They
 * overlap when they do so both in the plane and in height, so bodies on different floors do not.
 *
 * In: positions, radii and heights, tick after tick. Out: the greatest depth in radii of the smaller body,
 * the longest overlap of a pair, the number of collisions.
 * Cost: a sweep along x over bodies within two radii of each other in x.
 * Based on: own; sweep and prune.
 */

/** Overlaps of a crowd so far. */
export interface CrowdOverlap {
  /** Depth above which an overlap counts towards its duration, in radii of the smaller body. */
  tolerance: number;
  /** Greatest depth, in radii of the smaller body. */
  maxDepth: number;
  /** Ticks of the longest overlap deeper than `tolerance`, and its pair. */
  longestTicks: number;
  longestPair: [number, number];
  /** Number of times that a pair began to overlap by more than a hundredth of a diameter. */
  collisions: number;
  /** Number of bodies, summed over ticks, and of bodies that overlapped with another one by more than `tolerance`. */
  samples: number;
  deepSamples: number;
  /** Per body: 1 when it overlaps by more than `tolerance` in this tick. */
  isDeep: Uint8Array;
  /** Agents by x. Kept between ticks, so that it is nearly sorted. */
  order: Int32Array;
  /** Number of ticks of the current overlap, by pair. */
  lasting: Map<number, number>;
  touching: Set<number>;
}

/** Creates a record without overlaps. */
export function createCrowdOverlap(agentCount: number, tolerance: number = 0.05): CrowdOverlap {
  return {
    tolerance,
    maxDepth: 0,
    longestTicks: 0,
    longestPair: [-1, -1],
    collisions: 0,
    samples: 0,
    deepSamples: 0,
    isDeep: new Uint8Array(agentCount),
    order: Int32Array.from({ length: agentCount }, (_, i) => i),
    lasting: new Map(),
    touching: new Set(),
  };
}

/** Records one tick. `isBody`: 1 for agents that count. */
export function recordOverlaps(
  overlap: CrowdOverlap,
  position: Float64Array,
  radius: Float64Array,
  height: Float64Array,
  isBody: Uint8Array,
): void {
  const { order, tolerance, isDeep } = overlap;
  const count = order.length;
  sortByX(order, position);
  const lasting = new Map<number, number>();
  const touching = new Set<number>();
  let widest = 0;
  for (let i = 0; i < count; i++) if (isBody[i] === 1 && radius[i] > widest) widest = radius[i];
  for (let a = 0; a < count; a++) {
    const i = order[a];
    if (isBody[i] === 0) continue;
    const x = position[3 * i];
    const y = position[3 * i + 1];
    const z = position[3 * i + 2];
    const reach = radius[i] + widest;
    for (let b = a + 1; b < count; b++) {
      const j = order[b];
      const dx = position[3 * j] - x;
      if (dx >= reach) break;
      if (isBody[j] === 0) continue;
      const dz = position[3 * j + 2] - z;
      const dy = position[3 * j + 1] - y;
      const both = radius[i] + radius[j];
      const distanceSq = dx * dx + dz * dz;
      if (distanceSq >= both * both || dy >= height[i] || -dy >= height[j]) continue;
      const depth = (both - Math.sqrt(distanceSq)) / Math.min(radius[i], radius[j]);
      if (depth > overlap.maxDepth) overlap.maxDepth = depth;
      const pair = i < j ? i * count + j : j * count + i;
      if (depth > 0.02) {
        touching.add(pair);
        if (!overlap.touching.has(pair)) overlap.collisions++;
      }
      if (depth <= tolerance) continue;
      isDeep[i] = isDeep[j] = 1;
      const ticks = (overlap.lasting.get(pair) ?? 0) + 1;
      lasting.set(pair, ticks);
      if (ticks > overlap.longestTicks) {
        overlap.longestTicks = ticks;
        overlap.longestPair = i < j ? [i, j] : [j, i];
      }
    }
  }
  for (let i = 0; i < count; i++) {
    overlap.samples += isBody[i];
    overlap.deepSamples += isDeep[i];
    isDeep[i] = 0;
  }
  overlap.lasting = lasting;
  overlap.touching = touching;
}

/** Sorts by insertion, which is nearly linear because the order changes little between ticks. */
function sortByX(order: Int32Array, position: Float64Array): void {
  for (let a = 1; a < order.length; a++) {
    const i = order[a];
    const x = position[3 * i];
    let b = a - 1;
    while (b >= 0 && position[3 * order[b]] > x) {
      order[b + 1] = order[b];
      b--;
    }
    order[b + 1] = i;
  }
}
