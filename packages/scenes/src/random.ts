/**
 * Seeded random numbers and value noise for the scenes, by integer arithmetic, so that every engine gives the
 * same bytes.
 * Based on: own mix of 32-bit multiply, xor and shift over a counter (the finalizer's constants are Chris
 * Wellons', "prospecting for hash functions", 2018).
 */

export interface Random {
  state: number;
}

export function createRandom(seed: number): Random {
  return { state: mix(seed | 0) };
}

function mix(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Returns a number in [0, 1), uniform. */
export function nextFloat(random: Random): number {
  random.state = (random.state + 0x9e3779b9) | 0;
  return mix(random.state) / 4294967296;
}

/** Returns a number in [min, max), uniform. */
export function nextRange(random: Random, min: number, max: number): number {
  return min + (max - min) * nextFloat(random);
}

/** Returns a whole number in [min, max], both included. */
export function nextInt(random: Random, min: number, max: number): number {
  return min + Math.floor(nextFloat(random) * (max - min + 1));
}

function lattice(seed: number, x: number, z: number): number {
  return mix(mix(mix(seed) ^ x) + Math.imul(z, 0x27d4eb2f)) / 4294967296;
}

/** Returns smooth noise in [0, 1] over the plane, with one bump per unit. */
export function valueNoise(seed: number, x: number, z: number): number {
  const ix = Math.floor(x);
  const iz = Math.floor(z);
  const fx = x - ix;
  const fz = z - iz;
  const u = fx * fx * fx * (fx * (fx * 6 - 15) + 10);
  const v = fz * fz * fz * (fz * (fz * 6 - 15) + 10);
  const a = lattice(seed, ix, iz);
  const b = lattice(seed, ix + 1, iz);
  const c = lattice(seed, ix, iz + 1);
  const d = lattice(seed, ix + 1, iz + 1);
  return a + (b - a) * u + (c - a) * v + (a - b - c + d) * u * v;
}

/** Returns the sum of `octaves` noises, each of half the size and height of the previous one, in [0, 1]. */
export function fractalNoise(seed: number, x: number, z: number, octaves: number): number {
  let sum = 0;
  let weight = 0.5;
  let total = 0;
  let frequency = 1;
  for (let i = 0; i < octaves; i++) {
    sum += weight * valueNoise(seed + i * 101, x * frequency, z * frequency);
    total += weight;
    weight *= 0.5;
    frequency *= 2;
  }
  return sum / total;
}
