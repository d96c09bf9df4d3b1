/** Recorded searches, compared with searches that stop after the same number of nodes. */
import { continuePathSearch, createRandom, findPath, findRandomPoint, nextRandom, startPathSearch } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { findLevelScene } from 'navkiln-scenes';
import { buildNavMesh } from 'navkiln/build';
import { beforeAll, describe, expect, it } from 'vitest';
import { recordSearch } from '../src/search-replay/record.ts';
import { chainOf, createReplay, seekReplay } from '../src/search-replay/replay.ts';

const SEED = Number(process.env['NAVKILN_SEED'] ?? 20261121);
const meshes: NavMesh[] = [];
beforeAll(() => {
  for (const [name, tileSize] of [
    ['courtyard', 0],
    ['islands', 0],
    ['city', 0],
    ['courtyard', 6],
  ] as const) {
    const scene = findLevelScene(name);
    meshes.push(buildNavMesh(scene.create(), tileSize === 0 ? scene.options : { ...scene.options, tileSize }).navMesh);
  }
});

describe('a recorded search', () => {
  it(`has the state of the search after any number of steps (seed ${SEED})`, () => {
    const random = createRandom(SEED);
    let steps = 0;
    // `npm run soak` sets NAVKILN_FULL.
    const rounds = process.env['NAVKILN_FULL'] === undefined ? 5 : 8;
    for (const mesh of meshes) {
      for (let round = 0; round < rounds; round++) {
        const [from, to] = [findRandomPoint(mesh, random).point, findRandomPoint(mesh, random).point];
        const record = recordSearch(mesh, from, to)!;
        const replay = createReplay(record);
        expect(record.path).toEqual({
          ...findPath(mesh, from, to),
          corners: (record.path as { corners?: unknown }).corners,
        });
        expect(record.isCut).toBe(false);
        steps += record.steps;
        // Seek forward and backward.
        for (let look = 0; look < 6; look++) {
          const step = Math.floor(nextRandom(random) * (record.steps + 1));
          seekReplay(replay, step);
          const search = startPathSearch(mesh, from, to);
          if (step > 0) continuePathSearch(search, step);
          const { state } = search;
          const open = new Set(state.heapNode.slice(0, state.heapSize));
          if (state.best >= 0) open.add(state.best);
          expect(replay.open).toEqual(open);
          const wrong: number[] = [];
          for (let node = 0; node < state.capacity; node++) {
            const isKnown = state.nodeStamp[node] === state.stamp;
            const isRight =
              replay.cost.has(node) === isKnown &&
              (!isKnown ||
                (replay.closed.has(node) === !open.has(node) &&
                  replay.cost.get(node) === state.nodeCost[node] &&
                  replay.parent.get(node) === state.nodeParent[node]));
            if (!isRight) wrong.push(node);
          }
          expect(wrong).toEqual([]);
          const chain = chainOf(replay);
          if (state.best >= 0) expect(chain.at(-1)).toBe(state.best);
          for (let i = 1; i < chain.length; i++) expect(state.nodeParent[chain[i]]).toBe(chain[i - 1]);
        }
      }
    }
    expect(steps).toBeGreaterThan(500);
  });

  it('does not exist when an end is off the mesh, and has one step when both ends are on one polygon', () => {
    const mesh = meshes[0];
    const { point } = findRandomPoint(mesh, createRandom(1));
    expect(recordSearch(mesh, point, [1e5, 0, 0])).toBeUndefined();
    expect(recordSearch(mesh, point, point)!.steps).toBeLessThanOrEqual(1);
  });
});
