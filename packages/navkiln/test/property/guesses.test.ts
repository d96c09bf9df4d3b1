/**
 * Guesses of axis and unit: random halls, buildings and towers, turned to each of six axes, in five units. A guess is right, or nothing is
 * guessed. Where the triangles leave two units open, the message names both. The shares are printed.
 *
 * NAVKILN_SEED sets the first seed, NAVKILN_GUESSES the number of levels of each shape.
 */
import { expect, it } from 'vitest';
import { createRandom, nextRandom } from '../../src/base/data/random.ts';
import { diagnoseBake } from '../../src/show/diagnose/diagnose.ts';
import type { BakeFinding } from '../../src/show/diagnose/types.ts';
import { joinParts, slab } from '../unit/base/data/parts.ts';

const SEED = Number(process.env['NAVKILN_SEED'] ?? 1);
const LEVELS = Number(process.env['NAVKILN_GUESSES'] ?? 1);
const isWhole = process.env['NAVKILN_GUESSES'] !== undefined;

type Turn = (x: number, y: number, z: number) => number[];
const TURNS: Record<string, Turn> = {
  '+y': (x, y, z) => [x, y, z],
  '-y': (x, y, z) => [x, -y, -z],
  '+z': (x, y, z) => [x, -z, y],
  '-z': (x, y, z) => [x, z, -y],
  '+x': (x, y, z) => [y, -x, z],
  '-x': (x, y, z) => [-y, x, z],
};
/** Units of the file in a meter. */
const UNITS: Record<string, number> = { m: 1, cm: 100, mm: 1000, inch: 1 / 0.0254, '10 m': 0.1 };
const SHAPES = ['flat', 'cube', 'tall'] as const;
const STOREY = 3.5;

interface Level {
  positions: Float64Array;
  indices: Uint32Array;
}

/** A hall with crates, or storeys with stairs under a roof: as high as wide, or two to four times as high. */
function randomShape(shape: (typeof SHAPES)[number], seed: number): Level {
  const random = createRandom(seed);
  const between = (least: number, most: number): number => least + (most - least) * nextRandom(random);
  const parts = [];
  if (shape === 'flat') {
    const [w, d] = [between(15, 60), between(15, 60)];
    parts.push(slab([0, -between(0.1, 1), 0], [w, 0, d]));
    for (let i = 0; i < 12; i++) {
      const [x, z] = [between(1, w - 4), between(1, d - 4)];
      parts.push(slab([x, 0, z], [x + between(1, 3), between(0.6, 3), z + between(1, 3)]));
    }
    if (nextRandom(random) < 0.5) parts.push(slab([0, 0, 0], [w, 3, 0.3]), slab([0, 0, d - 0.3], [w, 3, d]));
    return asDoubles(joinParts(parts));
  }
  const [w, d] = [between(8, 25), between(8, 25)];
  const storeys = Math.round(((shape === 'cube' ? 1 : between(2, 4)) * Math.max(w, d)) / STOREY);
  const well = between(3, 4);
  for (let s = 0; s <= storeys; s++) {
    const y = s * STOREY;
    if (s === 0 || s === storeys) parts.push(slab([0, y - 0.3, 0], [w, y, d]));
    else parts.push(slab([0, y - 0.3, 0], [w - well, y, d]), slab([w - well, y - 0.3, 0], [w, y, d - 6]));
    if (s === storeys) continue;
    for (let k = 0; k < 11; k++) {
      const z = d - 6 + k / 2;
      parts.push(slab([w - well, y, z], [w - well / 2, y + ((k + 1) * 3.2) / 11, z + 0.5]));
    }
  }
  const top = storeys * STOREY;
  parts.push(
    slab([-0.3, -0.3, 0], [0, top, d]),
    slab([w, -0.3, 0], [w + 0.3, top, d]),
    slab([0, -0.3, -0.3], [w, top, 0]),
  );
  return asDoubles(joinParts(parts));
}

function asDoubles({ positions, indices }: { positions: ArrayLike<number>; indices: ArrayLike<number> }): Level {
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

/** Judges a finding about a level that is turned and in a unit. */
function judge(finding: BakeFinding | undefined, turn: string, by: number): 'right' | 'silent' | 'wrong' {
  const { changes = {}, message = '' } = finding ?? {};
  const [path] = Object.keys(changes);
  if (path === undefined) return turn === '+y' && by === 1 ? 'right' : 'silent';
  if (path === 'input.turn') {
    if (turn === '-z' && message.includes('(or -z')) return 'right';
    return changes[path] === (turn === '+z' ? -90 : turn === '-z' ? 90 : turn === '-y' ? 180 : 0) ? 'right' : 'wrong';
  }
  if (path === 'input.turnZ') {
    if (turn === '-x' && message.includes('(or -x')) return 'right';
    return changes[path] === (turn === '+x' ? 90 : turn === '-x' ? -90 : 0) ? 'right' : 'wrong';
  }
  if (path === 'input.scale') {
    const named = [
      changes[path] as number,
      ...(message.match(/(?<=by |; |and )[\d.]+(?= if| and| would)/g) ?? []).map(Number),
    ];
    return named.some((scale) => Math.abs(scale * by - 1) < 0.01) ? 'right' : 'wrong';
  }
  // A smaller agent fits a level that is too small.
  return path.startsWith('agent.') && by < 1 ? 'right' : 'wrong';
}

it(`guesses are right or silent: ${LEVELS} levels of each shape from seed ${SEED}`, { timeout: 600_000 }, () => {
  const shares = { right: 0, silent: 0, wrong: 0 };
  const wrong: string[] = [];
  for (const shape of SHAPES)
    for (let seed = SEED; seed < SEED + LEVELS; seed++) {
      const { positions: p, indices } = randomShape(shape, seed);
      for (const [t, [turn, map]] of Object.entries(TURNS).entries())
        for (const [u, [unit, by]] of Object.entries(UNITS).entries()) {
          // A fifth of the cases is enough here; the soak runs all.
          if (!isWhole && (t + u + shape.length + SHAPES.indexOf(shape)) % 5 !== 0) continue;
          const positions = new Float64Array(p.length);
          for (let i = 0; i < p.length; i += 3) positions.set(map(p[i]! * by, p[i + 1]! * by, p[i + 2]! * by), i);
          const [finding] = diagnoseBake({ positions, indices }).findings;
          const verdict = judge(finding, turn, by);
          shares[verdict]++;
          if (verdict === 'wrong') wrong.push(`${shape} ${seed} ${turn} ${unit}: ${finding!.message}`);
        }
    }
  console.info(`guesses of axis and unit, seed ${SEED}: ${JSON.stringify(shares)}`);
  expect(wrong).toEqual([]);
});
