/**
 * Layers: the parts of the view that the user shows and hides. A layer names the state keys that it depends
 * on and turns them into drawings. It is drawn when it becomes visible, and again after a change of one of
 * its keys. README.md says how to add one.
 */
import { Group } from 'three';
import type { Object3D } from 'three';
import type { StateKey, StudioState } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import { countDrawings, disposeObject, drawn } from './drawing.ts';
import type { Drawing, DrawingCounts } from './drawing.ts';
import type { Palette } from './palette.ts';

export interface LayerKind {
  /** Used in links. */
  id: string;
  title: string;
  /** The heading in the panel. */
  group: 'Level' | 'Mesh' | 'Map' | 'View';
  /** One sentence about what it shows. */
  help: string;
  /** Visible by default. */
  isShown: boolean;
  /** The state keys that it depends on. */
  needs: readonly StateKey[];
  /** A layer that hides this one while it is visible. */
  replacedBy?: string;
  /** Into how many parts it is divided, which are drawn one by one. Default 1. */
  partCount?: (state: StudioState) => number;
  /** Returns drawings of a part in coordinates relative to `originOf(state)`, or none when there is nothing to show. */
  draw: (state: StudioState, palette: Palette, part: Part) => Drawing[];
}

/** A part of a large layer: the numbers from `start` to before `end` of its polygons or outlines. */
export interface Part {
  start: number;
  end: number;
}

/** Polygons and outlines of a part: as many as are drawn within a few milliseconds. */
const PART = 8_000;

/** Returns how many parts a number of polygons or outlines has. */
export function partsFor(count: number): number {
  return Math.max(1, Math.ceil(count / PART));
}

export interface LayerInfo extends DrawingCounts {
  id: string;
  title: string;
  group: LayerKind['group'];
  help: string;
  isShown: boolean;
}

export interface Layers {
  /** All layers in panel order. The counts of hidden layers are 0. */
  list: () => LayerInfo[];
  show: (id: string, isShown: boolean) => void;
  toggle: (id: string) => void;
  /** Changes the colors and redraws all layers. */
  setPalette: (palette: Palette) => void;
  onChange: (listener: () => void) => void;
}

/** How long layers are drawn before the page gets its turn, and how large a mesh is when they wait for a task of their own. */
const SLICE_MS = 15;
const LARGE_SLICE_MS = 1;
const MANY_TRIANGLES = 20_000;

interface LayerTiming {
  /** Requests a new frame. */
  invalidate: () => void;
  /** Called when the triangles of a level are redrawn. */
  castShadows: () => void;
  /** Runs a task soon. */
  later: (task: () => void) => void;
}

const NOTHING: DrawingCounts = { triangles: 0, lines: 0, points: 0 };

export function createLayers(
  kinds: readonly LayerKind[],
  store: Store,
  parent: Object3D,
  firstPalette: Palette,
  { invalidate, castShadows, later }: LayerTiming,
): Layers {
  let palette = firstPalette;
  const listeners: (() => void)[] = [];
  const entries = kinds.map((kind) => ({ kind, group: new Group(), counts: NOTHING, isStale: true, next: 0 }));
  for (const { group } of entries) parent.add(group);
  // 2D maps have no detail triangles.
  const isLarge = (): boolean => {
    const { mesh, map } = store.get();
    const { detailTriCount = 0, polyCount = 0 } = mesh?.navMesh ?? {};
    return Math.max(detailTriCount, polyCount, map?.map.polygons.length ?? 0) > MANY_TRIANGLES;
  };
  const isShown = (kind: LayerKind): boolean => store.get().layers[kind.id] ?? kind.isShown;

  const refresh = (): void => {
    const { solo } = store.get();
    const isVisible = (kind: LayerKind): boolean => isShown(kind) && (solo === undefined || solo.includes(kind.id));
    for (const { kind, group } of entries) {
      const other = kinds.find(({ id }) => id === kind.replacedBy);
      group.visible = isVisible(kind) && !(other !== undefined && isVisible(other));
    }
    if (!isDue) {
      (isLarge() ? drawLater : drawSome)();
    }
    invalidate();
    listeners.forEach((listener) => listener());
  };

  let isDue = false;
  /** Draws stale layers, and leaves the rest to a later task when that takes long: a large mesh must not block the page. */
  const drawSome = (): void => {
    const start = performance.now();
    for (const entry of entries) {
      while (entry.group.visible && entry.isStale) {
        if (performance.now() - start > (isLarge() ? LARGE_SLICE_MS : SLICE_MS)) return drawLater();
        redraw(entry);
      }
    }
  };
  const drawLater = (): void => {
    isDue = true;
    later(() => {
      isDue = false;
      drawSome();
      invalidate();
      listeners.forEach((listener) => listener());
    });
  };
  /** Draws the next part of a layer. */
  const redraw = (entry: (typeof entries)[number]): void => {
    const { kind, group, next } = entry;
    if (next === 0) {
      for (const child of group.children.slice()) {
        group.remove(child);
        disposeObject(child);
      }
      entry.counts = NOTHING;
    }
    const partCount = kind.partCount?.(store.get()) ?? 1;
    const drawings = kind.draw(store.get(), palette, {
      start: next * PART,
      end: next + 1 < partCount ? (next + 1) * PART : Infinity,
    });
    for (const drawing of drawings) group.add(drawn(drawing));
    if (kind.group === 'Level') castShadows();
    const { triangles, lines, points } = countDrawings(drawings);
    const { counts } = entry;
    entry.counts = {
      triangles: counts.triangles + triangles,
      lines: counts.lines + lines,
      points: counts.points + points,
    };
    entry.isStale = next + 1 < partCount;
    entry.next = entry.isStale ? next + 1 : 0;
  };

  for (const entry of entries) {
    store.listen(entry.kind.needs, () => {
      entry.isStale = true;
      entry.next = 0;
      if (!isShown(entry.kind)) entry.counts = NOTHING;
    });
  }
  const keys = new Set<StateKey>(['layers', 'solo', ...kinds.flatMap(({ needs }) => needs)]);
  store.listen([...keys], refresh);

  const show = (id: string, shown: boolean): void => {
    const kind = kinds.find((known) => known.id === id);
    if (kind === undefined) {
      throw new RangeError(`show: id is '${id}'; must be one of ${kinds.map((known) => known.id).join(', ')}`);
    }
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
    toggle: (id) => show(id, !(store.get().layers[id] ?? kinds.find((known) => known.id === id)?.isShown ?? false)),
    setPalette(next) {
      palette = next;
      for (const entry of entries) {
        entry.isStale = true;
        entry.next = 0;
      }
      refresh();
    },
    onChange: (listener) => void listeners.push(listener),
  };
}
