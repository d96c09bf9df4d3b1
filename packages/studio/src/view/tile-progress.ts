/**
 * The state of each tile while a level is baked: a square on each tile in the view, and their numbers in words. Loaded with the first
 * bake in tiles.
 *
 * In: the tiles in the progress of the job. Out: a drawing over the level, and a key of the colors.
 * Cost: linear in the number of tiles, a few times a second; drawing takes at most an eighth of the time.
 * Based on: own.
 */
import { TILE_STATES } from 'navkiln/worker';
import { h } from '../dom/dom.ts';
import { formatCount } from '../state/format.ts';
import { boundsOf, originOf } from '../state/state.ts';
import type { Job, StudioState } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import { disposeObject, drawn } from './drawing.ts';
import type { Triangles } from './drawing.ts';
import { bytesOf } from './palette.ts';
import type { View } from './view.ts';
import './tile-progress.css';

type Tiles = NonNullable<Job['tiles']>;

/** Color and opacity of each state but 'empty', in the order of `TILE_STATES`. */
const LOOKS: readonly (readonly [color: string, alpha: number])[] = [
  ['#8a949a', 70],
  ['#ffb000', 225],
  ['#2f9e6e', 150],
  ['#c1272d', 235],
];
/** Free space around a square, as a share of its tile. */
const GAP = 0.05;
/** Above this number of tiles, only the counts are shown. */
const MAX_SQUARES = 40_000;
/** Least time between two drawings, ms; and in times of the last frame: drawing a large level must not keep the page from its work. */
const REST_MS = 200;
const REST_FRAMES = 8;

/** Adds the key to `parent`, and follows the job. */
export function createTileProgress(parent: HTMLElement, view: View, store: Store): void {
  const key = h('div', { class: 'tile-progress', hidden: true });
  const counts = LOOKS.map(([color]) => {
    const count = h('span', { class: 'tile-count' });
    return { count, swatch: h('span', { class: 'tile-swatch', style: `background:${color}` }) };
  });
  const rows = counts.map(({ count, swatch }, i) =>
    h('li', { 'data-tiles': TILE_STATES[i + 1] }, swatch, count, TILE_STATES[i + 1]),
  );
  key.append(h('h2', {}, 'Tiles'), h('ul', {}, ...rows));
  parent.append(key);
  let clear = (): void => undefined;
  let drawnAt = -Infinity;
  let frameMs = 0;
  const refresh = (): void => {
    const state = store.get();
    const { tiles } = state.job;
    key.hidden = tiles === undefined;
    if (tiles === undefined) {
      clear();
      drawnAt = -Infinity;
      return;
    }
    const numbers = countStates(tiles);
    for (const [i, { count }] of counts.entries()) count.textContent = formatCount(numbers[i + 1]);
    rows[3].hidden = numbers[4] === 0;
    const now = performance.now();
    if (tiles.states.length - numbers[0] > MAX_SQUARES || now - drawnAt < Math.max(REST_MS, REST_FRAMES * frameMs))
      return;
    clear();
    drawnAt = now;
    view.invalidate();
    requestAnimationFrame(() => requestAnimationFrame(() => (frameMs = performance.now() - now)));
    const object = drawn(squaresOf(state, tiles));
    view.root.add(object);
    clear = () => {
      view.root.remove(object);
      disposeObject(object);
      view.invalidate();
      clear = () => undefined;
    };
  };
  store.listen(['job'], refresh);
  refresh();
}

/** Returns how many tiles have each state. */
function countStates({ states }: Tiles): number[] {
  const numbers = [0, 0, 0, 0, 0];
  for (const state of states) numbers[state]++;
  return numbers;
}

/** Returns a square for each tile that has something to bake, at half the height of the level. */
function squaresOf(state: StudioState, { tileCountX, min, tileSize, states }: Tiles): Triangles {
  const bounds = boundsOf(state);
  const [originX, originY, originZ] = originOf(state);
  const y = bounds === undefined ? 0 : (bounds.min[1] + bounds.max[1]) / 2 - originY;
  const positions: number[] = [];
  const colors: number[] = [];
  const indices: number[] = [];
  states.forEach((tile, i) => {
    if (tile === 0) return;
    const [color, alpha] = LOOKS[tile - 1];
    const x = min[0] - originX + ((i % tileCountX) + GAP) * tileSize;
    const z = min[1] - originZ + (Math.floor(i / tileCountX) + GAP) * tileSize;
    const side = (1 - 2 * GAP) * tileSize;
    const first = positions.length / 3;
    positions.push(x, y, z, x, y, z + side, x + side, y, z + side, x + side, y, z);
    for (let corner = 0; corner < 4; corner++) colors.push(...bytesOf(color), alpha);
    indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
  });
  return {
    kind: 'triangles',
    positions: Float32Array.from(positions),
    colors: Uint8Array.from(colors),
    indices: Uint32Array.from(indices),
    isOnTop: true,
    opacity: 0.999,
  };
}
