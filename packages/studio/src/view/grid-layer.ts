/** The grid layer: a horizontal grid below the content, for sizes. */
import { boundsOf, originOf } from '../state/state.ts';
import type { LayerKind } from './layers.ts';

/** Lines along the longer side, at least. */
const LINES = 12;

export const gridLayer: LayerKind = {
  id: 'grid',
  title: 'Grid',
  group: 'View',
  help: 'A grid at the lowest height; its step is a round length.',
  isShown: false,
  needs: ['source', 'level', 'map', 'mesh'],
  draw(state, palette) {
    const bounds = boundsOf(state);
    if (bounds === undefined) return [];
    const { min, max } = bounds;
    const step = roundStep(Math.max(max[0] - min[0], max[2] - min[2], 1e-6) / LINES);
    const [left, right] = [Math.floor(min[0] / step) - 1, Math.ceil(max[0] / step) + 1];
    const [back, front] = [Math.floor(min[2] / step) - 1, Math.ceil(max[2] / step) + 1];
    const origin = originOf(state);
    const y = min[1] - origin[1] - 0.02;
    const out: number[] = [];
    const add = (x: number, z: number, toX: number, toZ: number): void =>
      void out.push(step * x - origin[0], y, step * z - origin[2], step * toX - origin[0], y, step * toZ - origin[2]);
    for (let x = left; x <= right; x++) add(x, back, x, front);
    for (let z = back; z <= front; z++) add(left, z, right, z);
    return [{ kind: 'lines', positions: Float32Array.from(out), color: palette.levelEdge, opacity: 0.6 }];
  },
};

/** Returns the largest of 1, 2 and 5 times a power of ten that is not above a length. */
export function roundStep(longest: number): number {
  const power = 10 ** Math.floor(Math.log10(longest));
  const step = [5, 2, 1].find((factor) => factor * power <= longest) ?? 1;
  return Number((step * power).toPrecision(1));
}
