/** Explanations for sizes: where an agent does not fit, and how wide the passage is there, compared with how wide it was built. */
import { describe, expect, it } from 'vitest';
import { explainPath } from '../../../src/query/explain/explain.ts';
import { buildNavMesh } from '../../../src/build/voxel/build.ts';
import { createAgentSizes } from '../../../src/build/voxel/sizes/create.ts';
import { boxLevel } from '../../property/links-levels.ts';

const sizes = createAgentSizes([
  { name: 'human', radius: 0.4, height: 1.8 },
  { name: 'ogre', radius: 1.1, height: 3 },
]);
const cellSize = 0.1;
/** Erosion and simplified outlines move each wall by about a cell. */
const BAND = 2 * cellSize;
const FROM = [3, 0, 5] as const;
const TO = [17, 0, 5] as const;

/** A wall across a floor with a door: `width` wide, from z on, `height` high, `depth` deep. */
function doorLevel(width: number, z: number, depth = 0.4, height = 4): ReturnType<typeof boxLevel> {
  const [near, far] = [10 - depth / 2, 10 + depth / 2];
  return boxLevel([
    [0, -0.5, 0, 20, 0, 12],
    [near, 0, -1, far, 5, z],
    [near, 0, z + width, far, 5, 13],
    [near, height, z - 1, far, 5, z + width + 1],
  ]);
}

const explain = (level: ReturnType<typeof boxLevel>, size: string): ReturnType<typeof explainPath> =>
  explainPath(buildNavMesh(level, { cellSize, cellHeight: 0.1, sizes }).navMesh, FROM, TO, { size });

describe('explainPath for a size', () => {
  it('measures a door that is too narrow as wide as it is built, within two cells', () => {
    let worst = 0;
    for (let width = 1.05; width < 2.15; width += 0.273) {
      for (const depth of [0.4, 3]) {
        const z = 4 + 0.37 * width;
        const { cause, passage, message, path } = explain(doorLevel(width, z, depth), 'ogre');
        expect([cause, path.status, path.size], `${width}`).toEqual(['size', 'partial', 'ogre']);
        expect(passage).toMatchObject({ size: 'ogre', fits: 'human', needs: 2.2, isTooLow: false });
        expect(message).toMatch(
          /^The route passes \[.*\], where "human" fits but "ogre" does not: it needs 2\.2 and has \d(\.\d+)?\. The path ends at/,
        );
        const { point, has } = passage!;
        worst = Math.max(worst, Math.abs(has - width));
        expect(Math.abs(point[0] - 10)).toBeLessThan(depth / 2 + 1.2);
        // The middle is a point of a lattice of half a cell.
        expect(Math.abs(point[2] - (z + width / 2))).toBeLessThan(BAND + cellSize / 2);
      }
    }
    expect(worst).toBeLessThan(BAND);
  });

  it('says that a door is too low', () => {
    const { cause, passage, message } = explain(doorLevel(4, 3, 0.4, 2.4), 'ogre');
    expect([cause, passage!.isTooLow]).toEqual(['size', true]);
    expect(message).toMatch(/"ogre" does not: it is too tall, or cannot climb a step\./);
  });

  it('names the narrowest of doors in a row where the route first fails, and none where the size gets through', () => {
    expect(explain(doorLevel(2.6, 4), 'ogre').cause).toBe('none');
    expect(explain(doorLevel(1.4, 4), 'human')).toMatchObject({ cause: 'none', passage: null });
  });

  it('explains an end where the size does not fit', () => {
    const { navMesh } = buildNavMesh(doorLevel(1.4, 4, 6), { cellSize, cellHeight: 0.1, sizes });
    const { cause, passage, message } = explainPath(navMesh, [10, 0, 4.7], TO, { size: 'ogre', halfExtents: 0.3 });
    expect(cause).toBe('start-filtered');
    expect(Math.abs(passage!.has - 1.4)).toBeLessThan(BAND);
    expect(message).toMatch(/^The start is at \[10, .*it needs 2\.2 and has 1\.\d+\.$/);
  });
});
