/**
 * Sine and cosine of an angle in turns, by polynomials: only the four basic operations, so that every engine
 * gives the same bytes. The error is below 1e-9. Based on: Taylor series around 0 after reduction to an
 * eighth of a turn.
 */

export function sinTurn(turns: number): number {
  const t = turns - Math.floor(turns); // in [0, 1)
  const quarter = Math.floor(t * 4);
  const rest = t * 4 - quarter; // in [0, 1) of a quarter
  if (quarter === 0) return quarterSin(rest);
  if (quarter === 1) return quarterSin(1 - rest);
  if (quarter === 2) return -quarterSin(rest);
  return -quarterSin(1 - rest);
}

export function cosTurn(turns: number): number {
  return sinTurn(turns + 0.25);
}

/** Returns sin(q * pi / 2) for q in [0, 1]. */
function quarterSin(q: number): number {
  return q <= 0.5 ? sinSeries(q * 1.5707963267948966) : cosSeries((1 - q) * 1.5707963267948966);
}

function sinSeries(a: number): number {
  const s = a * a;
  return a * (1 + (s / -6) * (1 - (s / 20) * (1 - (s / 42) * (1 - (s / 72) * (1 - s / 110)))));
}

function cosSeries(a: number): number {
  const s = a * a;
  return 1 - (s / 2) * (1 - (s / 12) * (1 - (s / 30) * (1 - (s / 56) * (1 - (s / 90) * (1 - s / 132)))));
}
