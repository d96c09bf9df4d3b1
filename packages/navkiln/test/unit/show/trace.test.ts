import { describe, expect, it } from 'vitest';
import { addTriangle, CELL_UNITS, createRaster, isPointVisible } from '../../../src/show/svg/raster.ts';
import type { Raster } from '../../../src/show/svg/raster.ts';
import { traceLabels } from '../../../src/show/svg/trace.ts';
import { seeded } from '../meshes.ts';

function rasterOf(rows: readonly string[]): Raster {
  const raster = createRaster((rows[0].length * CELL_UNITS) / 10, (rows.length * CELL_UNITS) / 10);
  rows.forEach((row, y) =>
    [...row].forEach((letter, x) => (raster.label[x + y * raster.width] = letter === '.' ? 0 : Number(letter))),
  );
  return raster;
}

/** Loops of path data, in cells. */
function loopsOf(parts: readonly string[] | undefined): [number, number][][] {
  return (parts ?? []).flatMap((part) =>
    part
      .split('M')
      .slice(1)
      .map((text) => {
        const numbers = text.match(/-?\d+/g)!.map((digits) => Number(digits) / CELL_UNITS);
        const loop: [number, number][] = [];
        let [x, y] = [0, 0];
        for (let i = 0; i < numbers.length; i += 2) {
          x += numbers[i];
          y += numbers[i + 1];
          loop.push([x, y]);
        }
        return loop;
      }),
  );
}

function areaOf(loop: readonly [number, number][]): number {
  return loop.reduce((sum, [x, y], i) => {
    const [nx, ny] = loop[(i + 1) % loop.length];
    return sum + (x * ny - nx * y) / 2;
  }, 0);
}

/** How often loops wind around a point. */
function winding(loops: readonly [number, number][][], px: number, py: number): number {
  let count = 0;
  for (const loop of loops) {
    loop.forEach(([ax, ay], i) => {
      const [bx, by] = loop[(i + 1) % loop.length];
      if (ay > py === by > py) return;
      const x = ax + ((py - ay) / (by - ay)) * (bx - ax);
      if (x > px) count += by > ay ? 1 : -1;
    });
  }
  return count;
}

describe('traceLabels', () => {
  it('traces one cell, a rectangle, an L', () => {
    expect(loopsOf(traceLabels(rasterOf(['...', '.1.', '...']), 0).get(1)).map(areaOf)).toEqual([1]);
    expect(loopsOf(traceLabels(rasterOf(['1111', '1111']), 0).get(1)).map((loop) => loop.length)).toEqual([4]);
    const corner = ['11111...', '11111...', '11111...', '11111111', '11111111', '11111111'];
    expect(loopsOf(traceLabels(rasterOf(corner), 0).get(1)).map(areaOf)).toEqual([39]);
  });

  it('traces holes in the other direction', () => {
    const loops = loopsOf(traceLabels(rasterOf(['11111', '1...1', '1.2.1', '1...1', '11111']), 0).get(1));
    expect(loops.map(areaOf).sort((a, b) => a - b)).toEqual([-9, 25]);
  });

  it('keeps cells that touch at a corner apart', () => {
    expect(loopsOf(traceLabels(rasterOf(['1.', '.1']), 0).get(1)).map(areaOf)).toEqual([1, 1]);
  });

  it('leaves out small specks', () => {
    const raster = rasterOf(['1..222', '...222']);
    expect([...traceLabels(raster, 0).keys()]).toEqual([1, 2]);
    expect([...traceLabels(raster, 2).keys()]).toEqual([2]);
  });

  it('turns a staircase into a straight line', () => {
    const rows = Array.from({ length: 20 }, (_row, y) => '1'.repeat(3 * (y + 1)).padEnd(60, '.'));
    expect(loopsOf(traceLabels(rasterOf(rows), 0).get(1))[0].length).toBeLessThanOrEqual(5);
  });

  it.each([1, 2, 3, 4, 5])('covers the labeled cells to within one cell (seed %i)', (seed) => {
    const random = seeded(seed);
    const size = 60;
    const discs = Array.from(
      { length: 25 },
      () => [random() * size, random() * size, 2 + random() * 8, 1 + Math.floor(random() * 3)] as const,
    );
    const rows = Array.from({ length: size }, (_row, y) =>
      Array.from({ length: size }, (_cell, x) => {
        const disc = discs.findLast(([cx, cy, radius]) => (x - cx) ** 2 + (y - cy) ** 2 < radius ** 2);
        return disc === undefined ? '.' : String(disc[3]);
      }).join(''),
    );
    const traced = traceLabels(rasterOf(rows), 0);
    let compared = 0;
    for (let y = 2; y < size - 2; y++) {
      for (let x = 2; x < size - 2; x++) {
        const around = new Set<string>();
        for (let dy = -2; dy <= 2; dy++) for (let dx = -2; dx <= 2; dx++) around.add(rows[y + dy][x + dx]);
        if (around.size > 1) continue;
        compared++;
        for (const label of [1, 2, 3]) {
          const expected = rows[y][x] === String(label) ? 1 : 0;
          expect(winding(loopsOf(traced.get(label)), x + 0.5, y + 0.5)).toBe(expected);
        }
      }
    }
    expect(compared).toBeGreaterThan(200);
  });
});

describe('raster', () => {
  const projection = { scale: 50, offsetX: 500, offsetY: 500 };
  const square = (y: number): number[] => [-4, y, -4, -4, y, 4, 4, y, 4, -4, y, -4, 4, y, 4, 4, y, -4];

  function draw(raster: Raster, corners: readonly number[], label: number, behind?: Raster, slack = 0): void {
    for (let at = 0; at < corners.length; at += 9) {
      const occluder = behind === undefined ? undefined : { level: behind, slack };
      addTriangle(raster, projection, corners.slice(at, at + 9), label, occluder);
    }
  }

  it('keeps the nearest triangle in any order', () => {
    const [a, b] = [createRaster(100, 100), createRaster(100, 100)];
    draw(a, square(0), 1);
    draw(a, square(1), 2);
    draw(b, square(1), 2);
    draw(b, square(0), 1);
    expect(a.label).toEqual(b.label);
    expect(a.label.includes(1) && a.label.includes(2)).toBe(true);
  });

  it('covers each cell of two triangles that share a side once, without a gap', () => {
    const raster = createRaster(100, 100);
    draw(raster, square(0), 1);
    const loops = loopsOf(traceLabels(raster, 0).get(1));
    expect(loops.length).toBe(1);
    expect(areaOf(loops[0]) / ((64 * 0.8 * 50 * 50) / CELL_UNITS ** 2)).toBeCloseTo(1, 1);
  });

  it('leaves out triangles further behind than the slack', () => {
    const front = createRaster(100, 100);
    draw(front, square(2), 1);
    for (const [slack, covered] of [
      [0.5, false],
      [3, true],
    ] as const) {
      const raster = createRaster(100, 100);
      draw(raster, [-0.2, 0, -0.2, -0.2, 0, 0.2, 0.2, 0, 0], 7, front, slack);
      expect(raster.label.includes(7)).toBe(covered);
    }
    expect(isPointVisible(front, projection, [0, 0, 0], 0.5)).toBe(false);
    expect(isPointVisible(front, projection, [0, 2, 0], 0.1)).toBe(true);
    expect(isPointVisible(front, projection, [0, 0, 0], 3)).toBe(true);
  });
});
