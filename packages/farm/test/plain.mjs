/** The level of the random kills: some hills, crates and ramps, of which the seed moves a few. */
import { createPlain as createWhole } from '../../../tools/soak/memory.mjs';

/** Options of its bake: tiles of 30 m. */
export const PLAIN = {
  cellSize: 0.5,
  cellHeight: 0.25,
  tileSize: 30,
  agent: { radius: 0.5, height: 2, maxClimb: 0.5 },
};

/** Returns a level of `side` x `side` meters. Levels of two seeds have most crates in other places. */
export function createPlain(side, seed) {
  return createWhole(side, seed);
}
