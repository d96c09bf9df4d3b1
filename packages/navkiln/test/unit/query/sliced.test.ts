import { describe, expect, it } from 'vitest';
import { addLink, setLinkEnabled } from '../../../src/mesh/change/links.ts';
import { addTile, removeTile } from '../../../src/mesh/change/tiles.ts';
import { createFilter } from '../../../src/query/create-filter.ts';
import { findPath } from '../../../src/query/path/find-path.ts';
import { findDetailedPath } from '../../../src/query/path/details.ts';
import { continuePathSearch, getPathSearchResult, startPathSearch } from '../../../src/query/path/sliced.ts';
import type { PathSearch } from '../../../src/query/path/sliced.ts';
import { gridTile, meshOf, seeded } from '../meshes.ts';

describe('a path search with a budget', () => {
  it('gives the path of findPath however it is divided, also with several searches at once', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = seeded(seed);
      const mesh = meshOf(
        gridTile(
          14,
          14,
          () => random() < 0.7,
          () => random(),
        ),
      );
      const link = addLink(mesh, { start: [1, 0.5, 1], end: [12, 0.5, 12], radius: 2 });
      let old: PathSearch | undefined;
      const spot = (): number[] => [random() * 14, 0.5, random() * 14];
      for (let i = 0; i < 8; i++) {
        const [a, b, c] = [spot(), spot(), spot()];
        if (i === 4) setLinkEnabled(mesh, link, false);
        const options = { halfExtents: i % 2 === 0 ? Infinity : undefined, maxNodes: i === 3 ? 9 : undefined };
        const search = startPathSearch(mesh, a, b, { ...options, reuse: old });
        const other = startPathSearch(mesh, c, a, options);
        let slices = 0;
        while (search.status === 'searching') {
          slices++;
          continuePathSearch(search, 1 + Math.floor(random() * 4));
          continuePathSearch(other, 1);
          if (random() < 0.3) expect(getPathSearchResult(search).status).not.toBe('none');
          findPath(mesh, c, b);
        }
        expect(slices).toBeLessThan(300);
        const what = `seed ${seed}, ${i}`;
        expect(getPathSearchResult(search), what).toEqual(findDetailedPath(mesh, a, b, options));
        while (continuePathSearch(other, 2) === 'searching');
        expect(getPathSearchResult(other), what).toEqual(findDetailedPath(mesh, c, a, options));
        old = search;
      }
    }
  });

  it('returns the path so far, and becomes stale when the mesh changes', () => {
    const mesh = meshOf(gridTile(20, 20));
    const search = startPathSearch(mesh, [0.5, 0, 0.5], [19.5, 0, 19.5]);
    expect(continuePathSearch(search, 3)).toBe('searching');
    expect(getPathSearchResult(search)).toMatchObject({ status: 'partial', reason: 'budget' });
    const tile = addTile(mesh, { ...gridTile(1, 1), layer: 9 });
    expect(continuePathSearch(search, 3)).toBe('stale');
    expect(getPathSearchResult(search)).toMatchObject({ status: 'none', reason: 'stale', points: [] });
    const next = startPathSearch(mesh, [0.5, 0, 0.5], [19.5, 0, 19.5], { reuse: search });
    removeTile(mesh, tile);
    expect(getPathSearchResult(next).reason).toBe('stale');
    const off = startPathSearch(mesh, [-9, 0, 0], [1, 0, 1]);
    expect([off.status, getPathSearchResult(off).reason]).toEqual(['done', 'start-off-mesh']);
    expect(() => continuePathSearch(off, 0)).toThrow(/nodes is 0/);
  });

  it('ends when the filter throws', () => {
    let left = 9;
    const filter = createFilter({
      passes: () => {
        if (left-- === 0) throw new Error('enough');
        return true;
      },
    });
    const search = startPathSearch(meshOf(gridTile(9, 9)), [0.5, 0, 0.5], [8.5, 0, 8.5], { filter });
    expect(() => continuePathSearch(search, 99)).toThrow('enough');
    expect(continuePathSearch(search, 1)).toBe('stale');
  });
});
