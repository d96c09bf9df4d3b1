/**
 * A crowd in a worker: the worker steps it and writes positions into shared memory, and the page draws them. The page stays responsive even if
 * a step takes long. Shared memory needs a cross-origin isolated page; the server of the examples sends the two headers.
 */
import { createView, drawDiscs, everyFrame, showStatus } from '../shared/view.ts';

export const COUNT = 1500;
export const SIDE = 100;

if (!crossOriginIsolated) throw new Error('The page is not isolated: send COOP and COEP headers.');
// Per agent x and z, written by the worker. The last number counts ticks.
const shared = new SharedArrayBuffer(8 * (2 * COUNT + 1));
const state = new Float64Array(shared);
const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
worker.postMessage({ shared, count: COUNT, side: SIDE });

const view = createView(SIDE, 0.6 * SIDE);
document
  .querySelector('canvas')!
  .addEventListener('pointerdown', (event) => worker.postMessage({ goal: view.pointOf(event) }));

let frames = 0;
everyFrame(() => {
  frames++;
  view.begin();
  view.context.fillStyle = '#dfeaf2';
  view.context.fillRect(0, 0, SIDE, 0.6 * SIDE);
  for (const [k, color] of ['#d55e00', '#0072b2', '#009e73'].entries())
    drawDiscs(view, state.subarray(0, 2 * COUNT), 2 * k, 6, 0.4, color);
  showStatus(
    `${COUNT} agents, ${state[2 * COUNT]} ticks of the worker, ${frames} frames of the page. Click to send them.`,
  );
});
