/** Returns a generator of numbers in [0, 1), uniform. */
export function seeded(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let h = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    h = Math.imul(h ^ (h >>> 15), 0x735a2d97);
    return ((h ^ (h >>> 15)) >>> 0) / 4294967296;
  };
}
