/** The time of a frame: what every function that takes it accepts. */
import { describe, expect, it } from 'vitest';
import { advancePathWalker, createPathWalker } from '../../../../src/entries/index.ts';
import { addAgent, advanceCrowd, createCrowd } from '../../../../src/entries/crowd.ts';
import {
  addCharacter,
  addLevel,
  advanceCharacters,
  createCharacters,
  createWorld,
  updateWorld,
} from '../../../../src/entries/world.ts';
import { buildNavMesh } from '../../../../src/entries/build.ts';

const level = { positions: [0, 0, 0, 0, 0, 9, 9, 0, 9, 9, 0, 0], indices: [0, 1, 2, 0, 2, 3] };

describe('the time of a frame', () => {
  const { navMesh } = buildNavMesh(level);
  const crowd = createCrowd(navMesh);
  addAgent(crowd, [4, 0, 4]);
  const characters = createCharacters(createCrowd(navMesh));
  addCharacter(characters, [4, 0, 4]);
  const world = createWorld({ tileSize: 6.4 });
  addLevel(world, level);
  const walker = createPathWalker(
    [
      [0, 0],
      [1, 0],
    ],
    1,
  );
  const calls: [string, (seconds: number) => unknown][] = [
    ['advanceCrowd', (seconds) => advanceCrowd(crowd, seconds)],
    ['advanceCharacters', (seconds) => advanceCharacters(characters, seconds)],
    ['advancePathWalker', (seconds) => advancePathWalker(walker, seconds)],
    ['updateWorld', (seconds) => updateWorld(world, { seconds })],
  ];

  it.each(calls)(
    '%s: counts a first frame that lies before the start of a timer as 0, and refuses other negative times',
    (name, call) => {
      for (const seconds of [-0.004, -0, -0.999]) expect(() => call(seconds)).not.toThrow();
      for (const seconds of [-1, -16, NaN, '1' as never])
        expect(() => call(seconds)).toThrow(new RegExp(`^${name}: .*seconds is .*; must be finite and >= 0`));
      expect([crowd.tick, crowd.time[0], characters.crowd.tick, walker.distance]).toEqual([0, 0, 0, 0]);
    },
  );
});
