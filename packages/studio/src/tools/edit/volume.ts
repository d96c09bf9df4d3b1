/**
 * Area volumes: click corners and close, drag corners or the middle of one, change its area, height and
 * depth, take it away.
 */
import type { AreaVolume } from 'navkiln/build';
import { h } from '../../dom/dom.ts';
import { plural } from '../../state/format.ts';
import type { Vec3 } from '../../state/state.ts';
import type { Drawing } from '../../view/drawing.ts';
import { areaColor } from '../../view/palette.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { button, chain, changeEdits, handles, isDelete, numberField, replaced, sayCount, without } from './shared.ts';

type Point = readonly [x: number, z: number];
type Grab = { volume: number; corner: number; from: Vec3 };

export function createVolumeTool(context: ToolContext): Tool {
  const { store, redraw, palette } = context;
  const state = { area: 2, height: 2, depth: 0.5 };
  let draft: Vec3[] = [];
  let selected = -1;
  let grab: Grab | undefined;
  /** What is dragged, before it is let go. */
  let moved: AreaVolume | undefined;

  const volumes = (): readonly AreaVolume[] => store.get().edits.volumes;
  const shown = (): readonly AreaVolume[] =>
    moved === undefined || grab === undefined ? volumes() : replaced(volumes(), grab.volume, moved);
  const change = (name: string, next: readonly AreaVolume[]): void => changeEdits(context, name, { volumes: next });

  const area = numberField('area', '0 cuts', state.area, { min: 0, max: 63, step: 1 }, (value) => {
    state.area = Math.round(value);
    if (selected >= 0)
      change('area of volume', replaced(volumes(), selected, { ...volumes()[selected], area: state.area }));
  });
  const height = numberField('height', 'm', state.height, { min: 0.01, step: 0.1 }, (value) => {
    state.height = value;
    stretch();
  });
  const depth = numberField('depth below', 'm', state.depth, { min: 0, step: 0.1 }, (value) => {
    state.depth = value;
    stretch();
  });
  /** Up and down from where the corners were put. */
  const stretch = (): void => {
    const volume = volumes()[selected];
    if (volume?.type !== 'prism') return;
    const floor = floors.get(volume.outline) ?? volume.minY + state.depth;
    const next = { ...volume, minY: floor - state.depth, maxY: floor + state.height };
    change('height of volume', replaced(volumes(), selected, next));
  };
  /** Outline -> height it was clicked at. */
  const floors = new WeakMap<object, number>();
  const note = h('p', { class: 'hint' });
  const close = button('Close', () => finish(), 'The volume over the corners clicked (Enter)');
  const remove = button('Delete', () => {
    change('delete volume', without(volumes(), selected));
    select(-1);
  });
  const panel = h(
    'div',
    { class: 'edit-panel' },
    area.element,
    height.element,
    depth.element,
    note,
    h('div', { class: 'buttons' }, close, remove),
  );

  const select = (index: number): void => {
    selected = index;
    const volume = volumes()[index];
    if (volume !== undefined) area.set((state.area = volume.area));
    if (volume?.type === 'prism') {
      const floor = floors.get(volume.outline) ?? volume.minY + state.depth;
      depth.set((state.depth = floor - volume.minY));
      height.set((state.height = volume.maxY - floor));
    }
    show();
  };
  const show = (): void => {
    close.disabled = draft.length < 3;
    remove.disabled = selected < 0;
    note.textContent =
      draft.length > 0
        ? `${plural(draft.length, 'corner')}; click the first again to close.`
        : sayCount(volumes().length, 'volume', selected);
    redraw();
  };
  const finish = (): void => {
    const outline = convexHull(draft.map(([x, , z]) => [x, z]));
    if (outline.length >= 3) {
      const low = Math.min(...draft.map(([, y]) => y)),
        high = Math.max(...draft.map(([, y]) => y));
      floors.set(outline, low);
      const volume: AreaVolume = {
        type: 'prism',
        area: state.area,
        outline,
        minY: low - state.depth,
        maxY: high + state.height,
      };
      draft = [];
      change('add volume', [...volumes(), volume]);
      select(volumes().length - 1);
    }
    draft = [];
    show();
  };
  const handlesOf = (index: number): Vec3[] => {
    const volume = shown()[index];
    return volume === undefined ? [] : topOf(volume);
  };

  return {
    panel,
    enter: show,
    changed(_state, keys) {
      if (keys.has('source')) draft = [];
      if (selected >= volumes().length) selected = -1;
      show();
    },
    down(pointer) {
      if (draft.length > 0) return false;
      const corners = selected < 0 || shown()[selected]?.type !== 'prism' ? [] : handlesOf(selected);
      const corner = pointer.nearest(corners);
      const middle = corner >= 0 ? -1 : pointer.nearest(shown().map(middleOf));
      const from = pointer.hit()?.point;
      if (from === undefined || (corner < 0 && middle < 0)) return false;
      if (middle >= 0 && pointer.shift) {
        change('delete volume', without(volumes(), middle));
        select(-1);
        return true;
      }
      if (middle >= 0) select(middle);
      grab = { volume: corner >= 0 ? selected : middle, corner, from };
      return true;
    },
    drag(pointer) {
      const to = pointer.hit()?.point;
      if (grab === undefined || to === undefined) return;
      const volume = volumes()[grab.volume];
      const off: Vec3 = [to[0] - grab.from[0], grab.corner >= 0 ? 0 : to[1] - grab.from[1], to[2] - grab.from[2]];
      moved = grab.corner >= 0 && volume.type === 'prism' ? withCorner(volume, grab.corner, off) : shifted(volume, off);
      redraw();
    },
    up() {
      if (moved !== undefined && grab !== undefined) change('move volume', replaced(volumes(), grab.volume, moved));
      grab = moved = undefined;
      show();
    },
    click(pointer) {
      const point = pointer.hit()?.point;
      if (point === undefined) return;
      if (draft.length >= 3 && pointer.nearest([draft[0]]) === 0) return finish();
      if (selected >= 0) select(-1);
      draft.push(point);
      show();
    },
    key(event) {
      if (event.key === 'Enter' && draft.length >= 3) finish();
      else if (isDelete(event) && selected >= 0) remove.click();
      else if (event.key === 'Escape' && draft.length > 0) {
        draft = [];
        show();
      } else return false;
      return true;
    },
    hover: (pointer) =>
      draft.length === 0 && pointer.nearest([...handlesOf(selected), ...shown().map(middleOf)]) >= 0
        ? 'grab'
        : 'crosshair',
    draw() {
      const colors = palette();
      const drawings: Drawing[] = [];
      shown().forEach((volume, i) => {
        const color = volume.area === 0 ? colors.end : areaColor(colors, volume.area);
        const top = topOf(volume),
          foot = footOf(volume);
        drawings.push(...chain(context, top, color, true), ...chain(context, foot, color, true, 1.5));
        top.forEach((point, k) => drawings.push(...chain(context, [point, foot[k]], color, false, 1.5)));
        drawings.push(...handles(context, [middleOf(volume)], color, i === selected ? 8 : 6));
        if (i === selected && volume.type === 'prism') drawings.push(...handles(context, top, color, 5));
      });
      return [...drawings, ...chain(context, draft, colors.path), ...handles(context, draft, colors.path)];
    },
    inspect: () => ({
      volumes: volumes().length,
      selected,
      draft: draft.length,
      handles: handlesOf(selected),
      middles: shown().map(middleOf),
    }),
  };
}

const ROUND = 24;

function outlineOf(volume: AreaVolume): Point[] {
  if (volume.type === 'prism') return volume.outline.map(([x, z]) => [x!, z!]);
  if (volume.type === 'box') {
    const [a, b] = [volume.min, volume.max];
    return [
      [a[0], a[2]],
      [b[0], a[2]],
      [b[0], b[2]],
      [a[0], b[2]],
    ];
  }
  return Array.from({ length: ROUND }, (_, k): Point => {
    const turn = (2 * Math.PI * k) / ROUND;
    return [volume.center[0] + volume.radius * Math.cos(turn), volume.center[2] + volume.radius * Math.sin(turn)];
  });
}

function heightsOf(volume: AreaVolume): [low: number, high: number] {
  if (volume.type === 'prism') return [volume.minY, volume.maxY];
  return volume.type === 'box' ? [volume.min[1], volume.max[1]] : [volume.center[1], volume.center[1] + volume.height];
}

const topOf = (volume: AreaVolume): Vec3[] => outlineOf(volume).map(([x, z]) => [x, heightsOf(volume)[1], z]);
const footOf = (volume: AreaVolume): Vec3[] => outlineOf(volume).map(([x, z]) => [x, heightsOf(volume)[0], z]);

function middleOf(volume: AreaVolume): Vec3 {
  const outline = outlineOf(volume);
  const mean = (axis: 0 | 1): number => outline.reduce((sum, point) => sum + point[axis], 0) / outline.length;
  return [mean(0), heightsOf(volume)[1], mean(1)];
}

function shifted(volume: AreaVolume, [x, y, z]: Vec3): AreaVolume {
  const by = (p: readonly number[]): number[] => [p[0] + x, p[1] + y, p[2] + z];
  if (volume.type === 'box') return { ...volume, min: by(volume.min), max: by(volume.max) };
  if (volume.type === 'cylinder') return { ...volume, center: by(volume.center) };
  return {
    ...volume,
    outline: volume.outline.map((p) => [p[0] + x, p[1] + z]),
    minY: volume.minY + y,
    maxY: volume.maxY + y,
  };
}

function withCorner(volume: Extract<AreaVolume, { type: 'prism' }>, corner: number, [x, , z]: Vec3): AreaVolume {
  const outline = convexHull(volume.outline.map((p, i): Point => (i === corner ? [p[0] + x, p[1] + z] : [p[0], p[1]])));
  return outline.length >= 3 ? { ...volume, outline } : volume;
}

/** Volumes are convex: the outline around points, counter-clockwise on paper. Andrew's monotone chain. */
export function convexHull(points: readonly Point[]): [number, number][] {
  const sorted = points.map(([x, z]): [number, number] => [x, z]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list: [number, number][]): [number, number][] => {
    const out: [number, number][] = [];
    for (const p of list) {
      for (;;) {
        const b = out.at(-1),
          a = out.at(-2);
        if (a === undefined || b === undefined || (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0)
          break;
        out.pop();
      }
      out.push(p);
    }
    return out.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}
