/** Maps in which many rings cover one position. */
import { describe, expect, it } from 'vitest';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import { buildFromPolygons } from '../../../../src/build/polygon/build.ts';
import type { PolygonMap } from '../../../../src/build/polygon/options.ts';
import { areaOfRings } from './map-oracle.ts';

/** `npm run soak` sets NAVKILN_FULL. */
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;

type Point = [number, number];

const square = (side: number, x: number = 0, y: number = 0): Point[] => [
  [x, y],
  [x + side, y],
  [x + side, y + side],
  [x, y + side],
];

function areaOf(map: PolygonMap): number {
  const { navMesh, report, stages } = buildFromPolygons(map);
  expect(validateNavMesh(navMesh)).toEqual([]);
  return (Number(areaOfRings(stages.ground)) * report.frame.gridSize ** 2) / 2;
}

const repeated = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

describe('many rings over one position', () => {
  it.each([32_768, 65_537])('%i equal outlines cover what one does', (count) => {
    expect(areaOf({ polygons: repeated(count, () => ({ outline: square(4) })) })).toBeCloseTo(16, 6);
  });

  it.runIf(IS_FULL)('obstacles and holes', () => {
    const outline = square(10);
    const inner = repeated(33_000, () => square(4, 1, 1));
    expect(areaOf({ polygons: [{ outline }], obstacles: inner })).toBeCloseTo(84, 6);
    expect(areaOf({ polygons: [{ outline, holes: inner }] })).toBeCloseTo(84, 6);
  });

  it('outlines of which one crosses the others', () => {
    const polygons = repeated(33_000, () => ({ outline: square(4) }));
    expect(areaOf({ polygons: [...polygons, { outline: square(2, 3, 1) }] })).toBeCloseTo(18, 6);
  });
});
