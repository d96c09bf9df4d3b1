/** Bakes that overlap in time do not see each other, though bakes reuse their memory. */
import { expect, it } from 'vitest';
import type { NavMesh } from '../../src/navmesh/types.ts';
import { bakeNavMesh, buildNavMesh } from '../../src/voxel/build.ts';
import { sceneLevel } from './levels.ts';

const house = sceneLevel('house');
const soup = sceneLevel('soup');

function expectSame(actual: NavMesh, expected: NavMesh): void {
  expect(actual.polyCount).toBe(expected.polyCount);
  for (const key of ['vertices', 'edgeVertex', 'edgeNeighbor', 'detailVertices', 'detailTris'] as const) {
    expect(actual[key]).toEqual(expected[key]);
  }
}

it('three bakes taking turns', async () => {
  const [houseAlone, soupAlone] = [house, soup].map((level) => buildNavMesh(level.input, level.options).navMesh);
  const levels = [house, soup, house];
  const results = await Promise.all(levels.map((level) => bakeNavMesh(level.input, level.options)));
  expectSame(results[0].navMesh, houseAlone!);
  expectSame(results[1].navMesh, soupAlone!);
  expectSame(results[2].navMesh, houseAlone!);
});

it("a bake within another one's progress callback", () => {
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

it('a bake after one that was left half-way', async () => {
  const alone = buildNavMesh(soup.input, soup.options).navMesh;
  const controller = new AbortController();
  const onProgress = ({ stage }: { stage: string }): void => {
    if (stage === 'regions') controller.abort();
  };
  await expect(bakeNavMesh(house.input, { ...house.options, onProgress, signal: controller.signal })).rejects.toThrow();
  expectSame(buildNavMesh(soup.input, soup.options).navMesh, alone);
});
