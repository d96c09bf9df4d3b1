/**
 * Layers: parts of the picture that people show and hide. A layer says which keys of the state it is made
 * from, and makes drawings of them; it is made when it is shown and again when one of its keys changes.
 * Adding one: see README.md.
 */
import { Group } from 'three';
import type { Object3D } from 'three';
import type { StateKey, StudioState } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import { countDrawings, disposeObject, drawn } from './drawing.ts';
import type { Drawing, DrawingCounts } from './drawing.ts';
import type { Palette } from './palette.ts';

export interface LayerKind {
  /** Goes into links. */
  id: string;
  title: string;
  /** Heading in the panel. */
  group: 'Level' | 'Mesh' | 'Map';
  /** One sentence: what is seen. */
  help: string;
  isShown: boolean;
  /** Made again when one of them changes. */
  needs: readonly StateKey[];
  /** Coordinates relative to `originOf(state)`. Empty: there is nothing to see. */
  draw: (state: StudioState, palette: Palette) => Drawing[];
}

export interface LayerInfo extends DrawingCounts {
  id: string;
  title: string;
  group: LayerKind['group'];
  help: string;
  isShown: boolean;
}

export interface Layers {
  /** In the order of the table; counts are 0 of what is hidden. */
  list: () => LayerInfo[];
  show: (id: string, isShown: boolean) => void;
  toggle: (id: string) => void;
  /** Colours have changed: all are made again. */
  setPalette: (palette: Palette) => void;
  onChange: (listener: () => void) => void;
}

const NOTHING: DrawingCounts = { triangles: 0, lines: 0, points: 0 };

export function createLayers(
  kinds: readonly LayerKind[],
  store: Store,
  parent: Object3D,
  firstPalette: Palette,
  invalidate: () => void,
): Layers {
  let palette = firstPalette;
  const listeners: (() => void)[] = [];
  const entries = kinds.map((kind) => ({ kind, group: new Group(), counts: NOTHING, isStale: true }));
  for (const { group } of entries) parent.add(group);
  const isShown = (kind: LayerKind): boolean => store.get().layers[kind.id] ?? kind.isShown;

  const refresh = (): void => {
    for (const entry of entries) {
      const { kind, group } = entry;
      const { solo } = store.get();
      group.visible = isShown(kind) && (solo === undefined || solo.includes(kind.id));
      if (!group.visible || !entry.isStale) continue;
      entry.isStale = false;
      for (const child of group.children.slice()) {
        group.remove(child);
        disposeObject(child);
      }
      const drawings = kind.draw(store.get(), palette);
      for (const drawing of drawings) group.add(drawn(drawing));
      entry.counts = countDrawings(drawings);
    }
    invalidate();
    listeners.forEach((listener) => listener());
  };

  for (const entry of entries) {
    store.listen(entry.kind.needs, () => {
      entry.isStale = true;
      if (!isShown(entry.kind)) entry.counts = NOTHING;
    });
  }
  const keys = new Set<StateKey>(['layers', 'solo', ...kinds.flatMap(({ needs }) => needs)]);
  store.listen([...keys], refresh);

  const show = (id: string, shown: boolean): void => {
    const kind = kinds.find((one) => one.id === id);
    if (kind === undefined)
      throw new RangeError(`show: no layer '${id}'. There are: ${kinds.map((one) => one.id).join(', ')}.`);
    const { [id]: _before, ...others } = store.get().layers;
    store.update({ layers: shown === kind.isShown ? others : { ...others, [id]: shown } });
  };
  return {
    list: () =>
      entries.map(({ kind, counts }) => {
        const { id, title, group, help } = kind;
        return { id, title, group, help, isShown: isShown(kind), ...(isShown(kind) ? counts : NOTHING) };
      }),
    show,
    toggle: (id) => show(id, !(store.get().layers[id] ?? kinds.find((one) => one.id === id)?.isShown ?? false)),
    setPalette(next) {
      palette = next;
      for (const entry of entries) entry.isStale = true;
      refresh();
    },
    onChange: (listener) => void listeners.push(listener),
  };
}
