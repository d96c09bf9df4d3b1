import { expect, it } from 'vitest';
import { seeded } from '../../meshes.ts';
import { sideOfLine } from './side-of-line.ts';

it('is positive on the left as seen from above', () => {
  // Along +x, +z is towards the viewer: right. Triangle (0,0), (0,1), (1,0) in x, z has an upward normal.
  expect(sideOfLine(0, 0, 0, 1, 1, 0)).toBeGreaterThan(0);
  expect(sideOfLine(0, 0, 1, 0, 0, 1)).toBeLessThan(0);
  expect(sideOfLine(0, 0, 2, 2, 1, 1)).toBe(0);
});

it('has the exact sign, and the opposite sign for the reversed line', () => {
  const seed = 301;
  const random = seeded(seed);
  let collinear = 0;
  for (let i = 0; i < 4000; i++) {
    // Nearly collinear points far from the origin, in integers, so that BigInt gives the exact answer.
    const scale = 2 ** Math.floor(random() * 50);
    const integer = (): number => Math.round((random() - 0.5) * scale);
    const [ax, az, dx, dz] = [integer(), integer(), integer(), integer()];
    const nudge = (): number => Math.floor(random() * 3) - 1;
    const [s, t] = [Math.floor(random() * 4), Math.floor(random() * 4)];
    const [bx, bz] = [ax + s * dx + nudge(), az + s * dz + nudge()];
    const [px, pz] = [ax + t * dx + nudge(), az + t * dz + nudge()];
    const expected =
      (BigInt(az) - BigInt(pz)) * (BigInt(bx) - BigInt(px)) - (BigInt(ax) - BigInt(px)) * (BigInt(bz) - BigInt(pz));
    const sign = expected > 0n ? 1 : expected < 0n ? -1 : 0;
    if (sign === 0) collinear++;
    expect(Math.sign(sideOfLine(ax, az, bx, bz, px, pz)) + 0, `seed ${seed}, round ${i}`).toBe(sign);
    expect(Math.sign(sideOfLine(bx, bz, ax, az, px, pz)) + 0, `seed ${seed}, round ${i}`).toBe(0 - sign);
  }
  expect(collinear).toBeGreaterThan(100);
  // Decimal fractions that have no exact double, such as 0.1 and 0.3.
  expect(sideOfLine(0.1, 0.1, 0.3, 0.3, 0.7, 0.7)).toBe(0);
  expect(sideOfLine(0.1, 0.1, 0.3, 0.3, 0.7, 0.7000000000000001)).toBeLessThan(0);
});
