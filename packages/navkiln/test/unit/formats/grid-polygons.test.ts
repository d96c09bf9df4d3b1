import { describe, expect, it } from 'vitest';
import { polygonsFromGrid } from '../../../src/formats/maps/grid-polygons.ts';
import { asOneRing, doubleArea } from '../../../src/formats/maps/rings.ts';
import type { ParsedRing } from '../../../src/formats/maps/map.ts';
import { seeded } from '../meshes.ts';

const SEED = Number(process.env['NAVKILN_SEED'] ?? 20261121) >>> 0;

function gridOf(rows: string[]): [Uint8Array, number, number] {
  return [Uint8Array.from(rows.join(''), (letter) => (letter === '.' ? 1 : 0)), rows[0].length, rows.length];
}

/** Returns the winding number of a ring around a point that is on none of its lines. */
function winding(ring: ParsedRing, x: number, y: number): number {
  let count = 0;
  ring.forEach(([ax, ay], i) => {
    const [bx, by] = ring[(i + 1) % ring.length];
    if (ay > y === by > y) return;
    if (ax + ((y - ay) / (by - ay)) * (bx - ax) > x) count += by > ay ? 1 : -1;
  });
  return count;
}

/** Counts the components of free cells, connected by their sides, with a flood fill. */
function components(cells: ArrayLike<number>, w: number, h: number, withCorners: boolean): number {
  const seen = new Set<number>();
  let count = 0;
  for (let start = 0; start < w * h; start++) {
    if (!cells[start] || seen.has(start)) continue;
    count++;
    const stack = [start];
    seen.add(start);
    while (stack.length > 0) {
      const at = stack.pop()!;
      for (let dy = -1; dy <= 1; dy++)
        for (let dx = -1; dx <= 1; dx++) {
          if (!withCorners && dx !== 0 && dy !== 0) continue;
          const x = (at % w) + dx,
            y = Math.floor(at / w) + dy;
          if (x < 0 || y < 0 || x >= w || y >= h || !cells[y * w + x] || seen.has(y * w + x)) continue;
          seen.add(y * w + x);
          stack.push(y * w + x);
        }
    }
  }
  return count;
}

describe('polygonsFromGrid', () => {
  it('outlines one cell, a block, and an empty grid', () => {
    expect(polygonsFromGrid([1], 1, 1)).toEqual({
      polygons: [
        {
          outline: [
            [1, 0],
            [1, 1],
            [0, 1],
            [0, 0],
          ],
          holes: [],
        },
      ],
      obstacles: [],
      yAxis: 'down',
      warnings: [],
    });
    expect(
      polygonsFromGrid([true, true, true, true, true, true], 3, 2, { cellSize: 10, origin: [5, -5] }).polygons[0]
        .outline,
    ).toEqual([
      [35, -5],
      [35, 15],
      [5, 15],
      [5, -5],
    ]);
    expect(polygonsFromGrid([0, 0], 2, 1).polygons).toEqual([]);
  });

  it('outlines holes, islands in holes, and cells that touch at a corner', () => {
    const ring = polygonsFromGrid(...gridOf(['.....', '.###.', '.#.#.', '.###.', '.....'])).polygons;
    expect(ring.map(({ holes }) => holes.length)).toEqual([1, 0]);
    expect(doubleArea(ring[0].outline)).toBe(50);
    expect(doubleArea(ring[0].holes[0])).toBe(-18);
    expect(polygonsFromGrid(...gridOf(['.#', '#.'])).polygons.length).toBe(2);
    const [open] = polygonsFromGrid(...gridOf(['.#', '#.']), { diagonal: 0.5 }).polygons;
    // Two cells, minus the half squares of side 0.5 that are cut off the other two.
    expect(doubleArea(open!.outline)).toBe(2 * (2 + 2 * 0.125));
    expect(polygonsFromGrid(...gridOf(['#.', '.#']), { diagonal: true }).polygons.length).toBe(1);
  });

  it(`outlines random grids: one outline per component, exact areas and positions, holes in their outline; seed ${SEED}`, () => {
    const random = seeded(SEED);
    for (let run = 0; run < 300; run++) {
      const w = 1 + Math.floor(random() * 12),
        h = 1 + Math.floor(random() * 12),
        share = random();
      const cells = Uint8Array.from({ length: w * h }, () => (random() < share ? 1 : 0));
      for (const diagonal of [0, 0.25]) {
        const { polygons } = polygonsFromGrid(cells, w, h, { diagonal });
        expect(polygons.length, `run ${run}`).toBe(components(cells, w, h, diagonal > 0));
        const oneRings = polygons.map(asOneRing);
        let touches = 0;
        for (let y = 1; y < h; y++)
          for (let x = 1; x < w; x++) {
            const at = y * w + x;
            if (cells[at] === cells[at - w - 1] && cells[at - 1] === cells[at - w] && cells[at] !== cells[at - 1])
              touches++;
          }
        let area = 0;
        for (const { outline, holes } of polygons) {
          expect(doubleArea(outline)).toBeGreaterThan(0);
          for (const ring of [outline, ...holes]) {
            area += doubleArea(ring) / 2;
            const faults = ring.filter(([x, y], i) => {
              const [u, v] = ring[(i + 1) % ring.length];
              const [s, t] = ring[(i + 2) % ring.length];
              const isStraight = (u - x) * (t - v) - (v - y) * (s - u) === 0;
              return (x === u && y === v) || (diagonal === 0 && isStraight);
            });
            expect(faults, `run ${run}, corners that repeat or do not turn`).toEqual([]);
          }
          for (const hole of holes) expect(doubleArea(hole)).toBeLessThan(0);
        }
        const free = cells.reduce((sum, cell) => sum + cell, 0);
        expect(area).toBeCloseTo(free + (touches * 2 * diagonal * diagonal) / 2, 9);
        const covers = new Uint8Array(w * h);
        const coversOfRings = new Int8Array(w * h);
        for (let i = 0; i < w * h; i++) {
          const x = (i % w) + 0.5,
            y = Math.floor(i / w) + 0.51;
          covers[i] = polygons.filter(
            ({ outline, holes }) => winding(outline, x, y) === 1 && holes.every((hole) => winding(hole, x, y) === 0),
          ).length;
          // The same as one ring, as obstacles are given.
          coversOfRings[i] = oneRings.reduce((sum, ring) => sum + winding(ring, x, y), 0);
        }
        expect(covers, `run ${run}`).toEqual(cells);
        expect([...coversOfRings], `run ${run}`).toEqual([...cells]);
      }
    }
  });

  it('outlines a long comb, and a quarter of a million pits', () => {
    const side = 1000;
    const comb = Uint8Array.from({ length: side * side }, (_, i) => ((i % side) % 2 === 0 || i < side ? 1 : 0));
    expect(polygonsFromGrid(comb, side, side).polygons.length).toBe(1);
    const pits = Uint8Array.from({ length: side * side }, (_, i) =>
      (i % side) % 2 === 1 && Math.floor(i / side) % 2 === 1 ? 0 : 1,
    );
    // Pits in the last row and column are open to the outside.
    expect(polygonsFromGrid(pits, side, side).polygons[0].holes.length).toBe(499 * 499);
  });

  it.each([
    [[[1], 0, 1], 'width is 0; must be an integer >= 1'],
    [[[1], 1, 1.5], 'height is 1.5'],
    [[[1], NaN, 1], 'width is NaN'],
    [[[1, 1], 1, 1], 'cells.length is 2; must be 1 x 1 = 1 cells'],
    [[undefined, 1, 1], 'cells is undefined'],
    [[[NaN], 1, 1], 'cell (0, 0) is NaN; must be a number or a boolean'],
    [[['#'], 1, 1], 'cell (0, 0) is "#"'],
    [[[1], 1, 1, { cellSize: 0 }], 'options.cellSize is 0'],
    [[[1], 1, 1, { diagonal: 0.6 }], 'options.diagonal is 0.6; must be true, false, or a share of a cell, 0 .. 0.5'],
    [[[1], 1, 1, { origin: [0] }], 'options.origin is [0]; must be two finite numbers'],
  ])('refuses %j', (args, message) => {
    expect(() => polygonsFromGrid(...(args as Parameters<typeof polygonsFromGrid>))).toThrow(
      `polygonsFromGrid: ${message}`,
    );
  });
});
