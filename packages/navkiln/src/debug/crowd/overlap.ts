/**
 * Which bodies of a crowd overlap, how deep, and for how long: upright cylinders, whoever moves them.
 *
 * in: positions, radii and heights, tick after tick. out: the deepest overlap in radii of the smaller of two, the most ticks in a
 * row that any two overlap by more than a share of a radius, and how often two came to touch. Bodies overlap when they do so both
 * in the plane and in height, so that those on different floors do not.
 * Cost: a sweep along x, over those within two radii of each other in x. Based on: own.
 */

export interface CrowdOverlap {
  /** More than this, in radii of the smaller one, counts as an overlap that lasts. */
  tolerance: number;
  /** In radii. */
  maxDepth: number;
  /** Ticks in a row of the pair that overlapped longest by more than `tolerance`, and who they were. */
  longestTicks: number;
  longestPair: [number, number];
  /** Pairs that came to overlap by more than a hundredth of a diameter, counted each time. */
  collisions: number;
  /** By x, kept from tick to tick: it is nearly sorted then. */
  order: Int32Array;
  /** Ticks in a row, by pair: those of the last tick. */
  lasting: Map<number, number>;
  touching: Set<number>;
}

export function createCrowdOverlap(agentCount: number, tolerance: number = 0.05): CrowdOverlap {
  return {
    tolerance,
    maxDepth: 0,
    longestTicks: 0,
    longestPair: [-1, -1],
    collisions: 0,
    order: Int32Array.from({ length: agentCount }, (_, i) => i),
    lasting: new Map(),
    touching: new Set(),
  };
}

/** Takes one tick in. `isBody`: agents that count in it (1). */
export function recordOverlaps(
  overlap: CrowdOverlap,
  position: Float64Array,
  radius: Float64Array,
  height: Float64Array,
  isBody: Uint8Array,
): void {
  const { order, tolerance } = overlap;
  const count = order.length;
  sortByX(order, position);
  const lasting = new Map<number, number>();
  const touching = new Set<number>();
  let widest = 0;
  for (let i = 0; i < count; i++) if (isBody[i] === 1 && radius[i] > widest) widest = radius[i];
  for (let a = 0; a < count; a++) {
    const i = order[a];
    if (isBody[i] === 0) continue;
    const x = position[3 * i],
      y = position[3 * i + 1],
      z = position[3 * i + 2];
    const reach = radius[i] + widest;
    for (let b = a + 1; b < count; b++) {
      const j = order[b];
      const dx = position[3 * j] - x;
      if (dx >= reach) break;
      if (isBody[j] === 0) continue;
      const dz = position[3 * j + 2] - z,
        dy = position[3 * j + 1] - y;
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
      const ticks = (overlap.lasting.get(pair) ?? 0) + 1;
      lasting.set(pair, ticks);
      if (ticks > overlap.longestTicks) {
        overlap.longestTicks = ticks;
        overlap.longestPair = i < j ? [i, j] : [j, i];
      }
    }
  }
  overlap.lasting = lasting;
  overlap.touching = touching;
}

/** By insertion: almost nothing to do from tick to tick. */
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
