/** The baked level that turns in the view behind the first page. It is drawn without being opened. */
import { Group } from 'three';
import { createState } from '../../state/state.ts';
import type { StudioState, Vec3 } from '../../state/state.ts';
import { LAYERS } from '../../view/all-layers.ts';
import { disposeObject, drawn } from '../../view/drawing.ts';
import type { FitOptions, View } from '../../view/view.ts';
import type { Palette } from '../../view/palette.ts';

const ALL = { start: 0, end: Infinity };
/** Radians per second. */
const SPEED = 0.12;
/** How much farther the camera is than the content needs, because it turns. */
const MARGIN = 1.12;

export type Shown = Pick<StudioState, 'level' | 'mesh'>;

export interface Showcase {
  /** Draws again with other colors. */
  setPalette: (palette: Palette) => void;
  stop: () => void;
}

/** Shows a level. `covered` returns what the first page covers of the view. */
export function startShowcase(
  view: View,
  shown: Shown,
  palette: Palette,
  covered: () => Pick<FitOptions, 'card' | 'sheetHeight'>,
): Showcase {
  const group = new Group();
  view.root.add(group);
  const clear = (): void => {
    for (const child of group.children.slice()) {
      group.remove(child);
      disposeObject(child);
    }
    view.invalidate();
  };
  const draw = (colors: Palette): void => {
    clear();
    const state = { ...createState(), ...shown };
    for (const layer of LAYERS) {
      if (layer.isShown) for (const drawing of layer.draw(state, colors, ALL)) group.add(drawn(drawing));
    }
  };
  draw(palette);
  const { bounds } = shown.level!;
  const center = bounds.min.map((value, axis) => (value + bounds.max[axis as 0]) / 2);
  let angle = 0;
  let base = view.pose();
  const frame = (): void => {
    view.fit({ bounds, fromTop: false, isSmooth: false, coveredWidth: 0, ...covered() });
    base = view.pose();
    place();
  };
  const place = (): void => {
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
    const turn = ([x, y, z]: Vec3): Vec3 => {
      const [dx, dz] = [x - center[0], z - center[2]];
      return [center[0] + cos * dx + sin * dz, y, center[2] + cos * dz - sin * dx];
    };
    const far = base.position.map(
      (value, axis) => base.target[axis as 0] + MARGIN * (value - base.target[axis as 0]),
    ) as unknown as Vec3;
    view.setPose({ position: turn(far), target: turn(base.target) }, false);
  };
  frame();
  const observer = new ResizeObserver(frame);
  observer.observe(view.canvas);
  const isStill = globalThis.matchMedia('(prefers-reduced-motion: reduce)').matches;
  const stopFrames = view.onFrame((seconds) => {
    if (isStill) return false;
    angle += SPEED * seconds;
    place();
    return true;
  });
  return {
    setPalette: draw,
    stop() {
      stopFrames();
      observer.disconnect();
      clear();
      view.root.remove(group);
    },
  };
}
