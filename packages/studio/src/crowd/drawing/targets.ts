/** Draws the targets of a running scene where they are now: a pole with a flag, and a ring on the surface. */
import { Group } from 'three';
import type { Object3D } from 'three';
import type { Vec3 } from '../../state/state.ts';
import type { Palette } from '../../view/palette.ts';
import { createStrokes } from './strokes.ts';

export interface TargetMarks {
  object: Object3D;
  show: (places: readonly (Vec3 | null)[], origin: Vec3) => void;
  setPalette: (palette: Palette) => void;
}

const POLE = 2;
const RING = 0.45;
const RING_SIDES = 16;
const LIFT = 0.07;

export function createTargetMarks(palette: Palette): TargetMarks {
  const halo = createStrokes({ color: palette.halo, width: 7, order: 8 });
  const lines = createStrokes({ color: palette.path, width: 3.5, order: 9 });
  const object = new Group();
  object.add(halo.object, lines.object);
  return {
    object,
    show(places, [ox, oy, oz]) {
      for (const strokes of [halo, lines]) {
        strokes.begin();
        for (const place of places) {
          if (place === null) continue;
          const [x, y, z] = [place[0] - ox, place[1] - oy + LIFT, place[2] - oz];
          strokes.add(x, y, z, x, y + POLE, z);
          strokes.add(x, y + POLE, z, x + 0.8, y + 0.8 * POLE, z);
          strokes.add(x + 0.8, y + 0.8 * POLE, z, x, y + 0.6 * POLE, z);
          for (let side = 0; side < RING_SIDES; side++) {
            const [a, b] = [(2 * Math.PI * side) / RING_SIDES, (2 * Math.PI * (side + 1)) / RING_SIDES];
            const [c, s, d, t] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)];
            strokes.add(x + RING * c, y, z + RING * s, x + RING * d, y, z + RING * t);
          }
        }
        strokes.end();
      }
    },
    setPalette(next) {
      halo.setColor(next.halo);
      lines.setColor(next.path);
    },
  };
}
