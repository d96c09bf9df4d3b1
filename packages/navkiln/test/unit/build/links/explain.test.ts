/** Why there is no automatic link: the limit that is exceeded, in numbers. */
import { describe, expect, it } from 'vitest';
import { addAutoLinks } from '../../../../src/build/links/add.ts';
import { createGapExplainer } from '../../../../src/build/links/explain.ts';
import type { AutoLinkOptions } from '../../../../src/build/links/types.ts';
import { explainPath } from '../../../../src/query/explain/explain.ts';
import { buildNavMesh } from '../../../../src/build/voxel/build.ts';
import { boxLevel } from '../../../property/links-levels.ts';
import type { Box } from '../../../property/links-levels.ts';
import { gap, step } from './levels.ts';

const BUILD = { agent: { radius: 0.4, height: 1.8, maxClimb: 0.3 }, cellSize: 0.2, cellHeight: 0.1 };

function explain(boxes: readonly Box[], options: AutoLinkOptions, from: number[], to: number[]): string {
  const level = boxLevel(boxes);
  const { navMesh } = buildNavMesh(level, BUILD);
  addAutoLinks(navMesh, level, options);
  return explainPath(navMesh, from, to, { explainGap: createGapExplainer(level, options) }).message;
}

describe('explainPath with the limits of automatic links', () => {
  it('names the height of a drop and a climb, and the limit', () => {
    const high = [1, 3.2, 2];
    const low = [10, 0, 2];
    const limits = { drop: { maxHeight: 2 }, climb: { maxHeight: 1 } };
    const down = explain(step(3.2), limits, high, low);
    expect(down).toMatch(
      /A drop of 3\.2\d? at \[\d.*\] would connect them, but drop\.maxHeight allows 2, it needs 3\.2\d?\./,
    );
    const up = explain(step(3.2), limits, low, high);
    expect(up).toMatch(
      /A climb of 3\.2\d? at \[\d.*\] would connect them, but climb\.maxHeight allows 1, it needs 3\.2\d?\./,
    );
    expect(explain(step(1.5), { climb: {} }, [1, 1.5, 2], low)).toContain('the limits name no drops.');
  });

  it('names the length of a jump', () => {
    expect(explain(gap(4), { jump: { maxDistance: 3 } }, [1, 0, 2], [15, 0, 2])).toMatch(
      /A jump of 5\.\d* at .* would connect them, but jump\.maxDistance allows 3, it needs 5\.\d*\./,
    );
    expect(explain(gap(1, 1), { jump: { maxRise: 0.5 } }, [1, 0, 2], [11, 1, 2])).toMatch(
      /jump\.maxRise allows 0\.5, it needs (1|0\.9\d?|1\.0\d?)\./,
    );
  });

  it('says when a wall is in the way, and nothing where there is no gap', () => {
    const wall: Box = [6.4, -1, -1, 6.5, 9, 5];
    expect(explain([...gap(1), wall], { jump: {} }, [1, 0, 2], [11, 0, 2])).toContain('is clear, whatever its limits');
    expect(explain(gap(1), { jump: {} }, [1, 0, 2], [11, 0, 2])).toMatch(/^The path is complete: [^ ]* long\.$/);
    expect(() => createGapExplainer({ positions: [] }, {})).toThrow('createGapExplainer: options name no kind');
  });
});
