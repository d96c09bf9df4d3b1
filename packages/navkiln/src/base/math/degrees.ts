/**
 * Sine and cosine of degrees, with the same result in all engines: exact at quarter turns, elsewhere within
 * two units of the last place.
 *
 * Based on: own; Taylor series on [0, pi/4].
 */

const RADIANS = Math.PI / 180;

export function sinDegrees(degrees: number): number {
  const turn = degrees % 360;
  // The remainder of doubles is exact, and so is every step up to the series.
  const positive = turn < 0 ? turn + 360 : turn;
  const half = positive >= 180 ? positive - 180 : positive;
  const folded = half > 90 ? 180 - half : half;
  const value = folded > 45 ? cosSeries((90 - folded) * RADIANS) : sinSeries(folded * RADIANS);
  return positive >= 180 ? 0 - value : value;
}

export function cosDegrees(degrees: number): number {
  const turn = degrees % 360;
  const half = turn < 0 ? -turn : turn;
  const folded = half > 180 ? 360 - half : half;
  return folded > 90 ? 0 - sinDegrees(folded - 90) : sinDegrees(90 - folded);
}

function sinSeries(x: number): number {
  const q = x * x;
  let term = x;
  let rest = 0;
  for (let k = 3; k <= 19; k += 2) {
    term *= -q / (k * (k - 1));
    rest += term;
  }
  return x + rest;
}

function cosSeries(x: number): number {
  const q = x * x;
  let term = 1;
  let rest = 0;
  for (let k = 2; k <= 18; k += 2) {
    term *= -q / (k * (k - 1));
    rest += term;
  }
  return 1 + rest;
}
