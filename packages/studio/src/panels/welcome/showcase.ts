/** The baked level in the view behind the first page. It is drawn without being opened. */
import { Group } from 'three';
import { createState } from '../../state/state.ts';
import type { StudioState } from '../../state/state.ts';
import { LAYERS } from '../../view/all-layers.ts';
import { disposeObject, drawn } from '../../view/drawing.ts';
import type { LayerKind } from '../../view/layers.ts';
import type { FitOptions, View } from '../../view/view.ts';
import type { Palette } from '../../view/palette.ts';

const ALL = { start: 0, end: Infinity };
/** The part of a level that is framed, in x and z: the middle, because people must be large enough to see them walk. */
const FRAMED = [0.58, 0.74] as const;
/** In narrow windows. */
const NARROW_FRAMED = [0.4, 0.42] as const;

export type Shown = Pick<StudioState, 'level' | 'mesh' | 'settings'>;

export interface Showcase {
  /** Draws the mesh again after it has changed. */
  setMesh: (mesh: Shown['mesh']) => void;
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
  let { mesh } = shown;
  let colors = palette;
  const groups = new Map<LayerKind['group'], Group>();
  const clear = (group: Group): void => {
    for (const child of group.children.slice()) {
      group.remove(child);
      disposeObject(child);
    }
  };
  const draw = (...kinds: LayerKind['group'][]): void => {
    const state = { ...createState(), ...shown, mesh };
    for (const kind of kinds) {
      const group = groups.get(kind) ?? new Group();
      groups.set(kind, group);
      view.root.add(group);
      clear(group);
      for (const layer of LAYERS)
        if (layer.isShown && layer.group === kind)
          for (const drawing of layer.draw(state, colors, ALL))
            // Ground behind houses is not of interest here.
            if (drawing.isBehind !== true) group.add(drawn(drawing));
    }
    view.castShadows();
    view.invalidate();
  };
  draw('Level', 'Mesh');
  const { bounds } = shown.level!;
  view.setSun(bounds);
  const fit = (): void => {
    const cover = covered();
    const share = cover.sheetHeight > 0 ? NARROW_FRAMED : FRAMED;
    const part = (axis: 0 | 2, of: number): [number, number] => {
      const [low, high] = [bounds.min[axis], bounds.max[axis]];
      const [middle, half] = [(low + high) / 2, (of * (high - low)) / 2];
      return [middle - half, middle + half];
    };
    const [x0, x1] = part(0, share[0]);
    const [z0, z1] = part(2, share[1]);
    const framed = { min: [x0, 0, z0], max: [x1, 2, z1] } as const;
    view.fit({ bounds: framed, fromTop: false, isSmooth: false, coveredWidth: 0, ...cover });
  };
  fit();
  const observer = new ResizeObserver(fit);
  observer.observe(view.canvas);
  return {
    setMesh(next) {
      mesh = next;
      draw('Mesh');
    },
    setPalette(next) {
      colors = next;
      draw('Level', 'Mesh');
    },
    stop() {
      observer.disconnect();
      for (const group of groups.values()) {
        clear(group);
        view.root.remove(group);
      }
      view.invalidate();
    },
  };
}
