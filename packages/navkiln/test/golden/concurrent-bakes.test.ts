/**
 * Bakes that overlap in time do not affect each other, although bakes reuse memory. Bakes that share a
 * workspace are refused.
 */
import { describe, expect, it } from 'vitest';
import { createWorkspace } from '../../src/base/data/workspace.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { bakeNavMesh, buildNavMesh, buildTile, prepareTiles, resolveBake } from '../../src/build/voxel/build.ts';
import type { BuildOptions } from '../../src/build/voxel/options.ts';
import { sceneLevel } from './levels.ts';

const house = sceneLevel('house');
const soup = sceneLevel('soup');
/** Options of a smaller bake, for tests that need no real level. */
const coarse: BuildOptions = { ...house.options, cellSize: 0.4, cellHeight: 0.2 };

const IN_USE = 'options.workspace is in use; must be one that no running bake uses';

function expectSame(actual: NavMesh, expected: NavMesh): void {
  expect(actual.polyCount).toBe(expected.polyCount);
  for (const key of ['vertices', 'edgeVertex', 'edgeNeighbor', 'detailVertices', 'detailTris'] as const) {
    expect(actual[key]).toEqual(expected[key]);
  }
}

it('runs three bakes in turns', async () => {
  const [houseAlone, soupAlone] = [house, soup].map((level) => buildNavMesh(level.input, level.options).navMesh);
  const levels = [house, soup, house];
  const results = await Promise.all(levels.map((level) => bakeNavMesh(level.input, level.options)));
  expectSame(results[0].navMesh, houseAlone!);
  expectSame(results[1].navMesh, soupAlone!);
  expectSame(results[2].navMesh, houseAlone!);
});

it("runs a bake inside another bake's progress callback", () => {
  const [houseAlone, soupAlone] = [house, soup].map((level) => buildNavMesh(level.input, level.options).navMesh);
  const inner: NavMesh[] = [];
  const outer = buildNavMesh(house.input, {
    ...house.options,
    onProgress: ({ stage }) => {
      if (stage === 'filter' || stage === 'regions') inner.push(buildNavMesh(soup.input, soup.options).navMesh);
    },
  });
  expectSame(outer.navMesh, houseAlone!);
  expect(inner.length).toBe(2);
  for (const mesh of inner) expectSame(mesh, soupAlone!);
});

it('runs a bake after one that was abandoned half-way', async () => {
  const alone = buildNavMesh(soup.input, soup.options).navMesh;
  const controller = new AbortController();
  const onProgress = ({ stage }: { stage: string }): void => {
    if (stage === 'regions') controller.abort();
  };
  await expect(bakeNavMesh(house.input, { ...house.options, onProgress, signal: controller.signal })).rejects.toThrow();
  expectSame(buildNavMesh(soup.input, soup.options).navMesh, alone);
});

describe('two bakes with one workspace', () => {
  it('refuses the second at once, and completes the first', async () => {
    const alone = buildNavMesh(house.input, house.options).navMesh;
    const workspace = createWorkspace();
    const first = bakeNavMesh(house.input, { ...house.options, workspace });
    const second = bakeNavMesh(soup.input, { ...soup.options, workspace });
    await expect(second).rejects.toThrow(`bakeNavMesh: ${IN_USE}`);
    expectSame((await first).navMesh, alone);
  });

  it('refuses the second with tiles, between tiles and within one', async () => {
    const tiled = { ...coarse, tileSize: 8 };
    const alone = buildNavMesh(house.input, tiled).navMesh;
    const workspace = createWorkspace();
    let refused = 0;
    const onProgress = (): void => {
      expect(() => buildNavMesh(soup.input, { ...soup.options, workspace })).toThrow(`buildNavMesh: ${IN_USE}`);
      refused++;
    };
    const first = bakeNavMesh(house.input, { ...tiled, workspace, onProgress });
    await expect(bakeNavMesh(house.input, { ...tiled, workspace })).rejects.toThrow(`bakeNavMesh: ${IN_USE}`);
    expectSame((await first).navMesh, alone);
    expect(refused).toBeGreaterThan(3);
  });

  it('names the baking function that refuses, and accepts functions that need no memory', () => {
    const workspace = createWorkspace();
    const options = { ...coarse, tileSize: 8, workspace };
    let calls = 0;
    buildNavMesh(house.input, {
      ...options,
      onProgress: ({ stage }) => {
        if (stage !== 'slope') return;
        calls++;
        expect(() => buildNavMesh(house.input, options)).toThrow(`buildNavMesh: ${IN_USE}`);
        expect(() => buildTile(house.input, options, 0, 0)).toThrow(`buildTile: ${IN_USE}`);
        expect(prepareTiles(house.input, options).config).toEqual(resolveBake(house.input, options));
      },
    });
    expect(calls).toBe(1);
  });

  it('accepts them in sequence: after success, an abort, an error, and an invalid option', async () => {
    const alone = buildNavMesh(house.input, coarse).navMesh;
    const workspace = createWorkspace();
    const bake = async (change: object = {}): Promise<NavMesh> =>
      (await bakeNavMesh(house.input, { ...coarse, workspace, ...change })).navMesh;
    expectSame(await bake(), alone);

    const controller = new AbortController();
    const abort = ({ stage }: { stage: string }): void => {
      if (stage === 'regions') controller.abort(new Error('enough'));
    };
    await expect(bake({ onProgress: abort, signal: controller.signal })).rejects.toThrow('enough');
    expectSame(await bake(), alone);

    // Aborted before the start, so the bake never claimed the workspace.
    await expect(bake({ signal: AbortSignal.abort(new Error('no need')) })).rejects.toThrow('no need');
    expect(workspace.isInUse).toBe(false);

    const fail = ({ stage }: { stage: string }): void => {
      if (stage === 'contours') throw new Error('callback');
    };
    await expect(bake({ onProgress: fail })).rejects.toThrow('callback');
    expectSame(await bake(), alone);
    expect(() => buildNavMesh(house.input, { ...coarse, workspace, onProgress: fail })).toThrow('callback');
    await expect(bake({ cellSize: -1 })).rejects.toThrow('bakeNavMesh: options.cellSize is -1; must be > 0');
    await expect(bake({ cellsize: 1 })).rejects.toThrow('bakeNavMesh: options.cellsize is unknown');
    expectSame(buildNavMesh(house.input, { ...coarse, workspace }).navMesh, alone);
    expect(workspace.isInUse).toBe(false);
  });

  it("keeps the first bake's claim when the second is refused", async () => {
    const workspace = createWorkspace();
    const first = bakeNavMesh(house.input, { ...coarse, workspace });
    for (let k = 0; k < 2; k++) {
      await expect(bakeNavMesh(house.input, { ...coarse, workspace })).rejects.toThrow(IN_USE);
      expect(workspace.isInUse).toBe(true);
    }
    await first;
    expect(workspace.isInUse).toBe(false);
  });
});
