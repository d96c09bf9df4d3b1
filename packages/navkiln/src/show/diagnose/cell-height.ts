/** Cell heights that keep the climb whole. */

const EPSILON = 1e-6;

/** Returns a cell height of which the climb is a whole number, for one that rounds it down. */
export function finerCellHeight(maxClimb: number, cellHeight: number): number | undefined {
  const cells = maxClimb / cellHeight;
  if (Math.floor(cells + EPSILON * (1 + cells)) * cellHeight >= maxClimb * (1 - 1e-3)) return undefined;
  const least = Math.ceil(cells);
  // Two digits, if the climb is a whole number of such cells.
  for (let count = least; count <= 2 * least; count++) {
    const round = Number((maxClimb / count).toPrecision(2));
    if (Math.abs(round * count - maxClimb) < EPSILON * maxClimb) return round;
  }
  const finer = Number((maxClimb / least).toPrecision(3));
  return finer * least <= maxClimb * (1 + EPSILON) ? finer : Number((finer * 0.995).toPrecision(3));
}
