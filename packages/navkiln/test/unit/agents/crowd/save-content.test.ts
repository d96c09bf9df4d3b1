/**
 * Saved crowds and characters on meshes with the same content, whose tiles were rebuilt another number of times, and lie in other slots.
 *
 * NAVKILN_SEED: the first seed. NAVKILN_CONTENT_TICKS: ticks after the restore (default 600). NAVKILN_CONTENT_RUNS: games (default 1).
 */
import { describe, expect, it } from 'vitest';
import { createRandom, isEnabled, nextRandom, setEnabled } from 'navkiln';
import { listAgents, moveAgentTo, restoreCrowd, saveCrowd } from 'navkiln/crowd';
import {
  addObstacle,
  getObstacle,
  hashCharacters,
  moveObstacle,
  removeObstacle,
  restoreCharacters,
  saveCharacters,
  stepCharacters,
  updateWorld,
} from 'navkiln/world';
import type { ObstacleId } from 'navkiln/world';
import { createGame } from '../../../browser/rollbacks.ts';
import type { Game } from '../../../browser/rollbacks.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const TICKS = Number(process.env.NAVKILN_CONTENT_TICKS ?? 600);
const RUNS = Number(process.env.NAVKILN_CONTENT_RUNS ?? 1);

/** Gives a game the history of a long session: obstacles come and go, and with them whole tiles. */
function rebuild({ world }: Game, seed: number): void {
  const random = createRandom(seed);
  for (let i = 0; i < 6; i++) {
    const id = addObstacle(world, {
      type: 'box',
      size: i % 2 === 0 ? [9, 4, 9] : [2, 2, 2],
      position: [24 * nextRandom(random), 1, 24 * nextRandom(random)],
    });
    updateWorld(world);
    removeObstacle(world, id);
    updateWorld(world);
  }
}

/** Orders of a tick that follow from the tick alone, and the tick. */
function play(game: Game, crate: ObstacleId, tick: number): void {
  const { world, mesh, crowd, set } = game;
  const random = createRandom(tick + 1000 * SEED);
  const point = (): [number, number, number] => [24 * nextRandom(random), 0, 24 * nextRandom(random)];
  if (tick % 40 === 0) setEnabled(mesh, tick % 80 === 0 ? 'door' : 'gate', nextRandom(random) < 0.5);
  if (tick % 25 === 0) moveObstacle(world, crate, { position: point(), rotation: 90 * nextRandom(random) });
  const agents = listAgents(crowd);
  if (tick % 5 === 0) moveAgentTo(crowd, agents[tick % agents.length], point());
  updateWorld(world, { maxTiles: 2, seconds: 1 / 60 });
  stepCharacters(set);
}

const CRATE = { type: 'box', size: [3, 2, 3] } as const;
const layoutOf = ({ mesh }: Game): string =>
  Array.from({ length: mesh.tileSlotCount }, (_, i) => [mesh.tileX[i], mesh.tileZ[i], mesh.tileGeneration[i]]).join(
    ' ',
  );

/** A host in the middle of a game, and a game with the same content and another history. */
function createPair(seed: number): { host: Game; joiner: Game; crates: ObstacleId[] } {
  const [host, joiner] = [createGame(2 * seed), createGame(2 * seed)];
  rebuild(host, seed);
  rebuild(joiner, seed + 77);
  rebuild(joiner, seed + 78);
  const crate = addObstacle(host.world, { ...CRATE, position: [4, 0, 20] });
  for (let tick = 0; tick < 60; tick++) play(host, crate, tick);
  // All of the crate is in the mesh.
  updateWorld(host.world);
  const { position, rotation } = getObstacle(host.world, crate) as { position: ArrayLike<number>; rotation: number };
  const other = addObstacle(joiner.world, { ...CRATE, position, rotation });
  updateWorld(joiner.world);
  for (const name of ['door', 'gate']) setEnabled(joiner.mesh, name, isEnabled(host.mesh, name));
  expect(layoutOf(joiner)).not.toBe(layoutOf(host));
  return { host, joiner, crates: [crate, other] };
}

describe('a late joiner', () => {
  it.each(Array.from({ length: RUNS }, (_, i) => SEED + i))(
    `plays on for ${TICKS} ticks as the host does, seed %i`,
    (seed) => {
      const { host, joiner, crates } = createPair(seed);
      restoreCharacters(joiner.set, saveCharacters(host.set));
      expect(hashCharacters(joiner.set)).toBe(hashCharacters(host.set));
      for (let tick = 60; tick < 60 + TICKS; tick++) {
        play(host, crates[0], tick);
        play(joiner, crates[1], tick);
        if (tick % 20 === 0) expect(hashCharacters(joiner.set), `tick ${tick}`).toBe(hashCharacters(host.set));
      }
      expect(hashCharacters(joiner.set)).toBe(hashCharacters(host.set));
      expect(restoreCrowd(joiner.crowd, saveCrowd(host.crowd))).toBe(undefined);
    },
  );

  it('is refused by the name of the tile that differs', () => {
    const { host, joiner, crates } = createPair(SEED);
    const bytes = saveCharacters(host.set);
    const refusal = (): string => {
      const hash = hashCharacters(joiner.set);
      try {
        restoreCharacters(joiner.set, bytes);
      } catch (error) {
        expect(hashCharacters(joiner.set)).toBe(hash);
        return (error as Error).message;
      }
      return '';
    };
    moveObstacle(joiner.world, crates[1], { position: [20, 0, 12] });
    updateWorld(joiner.world);
    const tiles = /polygons, areas or flags differ in tile \((\d), (\d)\)/.exec(refusal())!.slice(1);
    // The crate of the host, or that of the joiner.
    const { position } = getObstacle(host.world, crates[0]) as { position: ArrayLike<number> };
    const near = (x: number, z: number): boolean =>
      Math.abs(x / 8 - 0.5 - Number(tiles[0])) < 1 && Math.abs(z / 8 - 0.5 - Number(tiles[1])) < 1;
    expect(near(position[0], position[2]) || near(20, 12)).toBe(true);
    removeObstacle(joiner.world, crates[1]);
    addObstacle(joiner.world, { type: 'box', size: [12, 4, 12], position: [20, 1, 12] });
    updateWorld(joiner.world);
    expect(refusal()).toMatch(/the mesh has \d tiles, the saved one 9, and they differ at tile \(\d, \d\)/);
  });
});
