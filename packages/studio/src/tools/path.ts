/** The path between two ends that can be dragged, found anew with every movement. */
import { findPath } from 'navkiln';
import type { Path } from 'navkiln';
import { originOf } from '../app/state.ts';
import type { StudioState, Vec3 } from '../app/state.ts';
import { findScene } from '../scenes/list.ts';
import { formatMs, h, plural, row } from '../panels/dom.ts';
import type { Drawing } from '../view/drawing.ts';
import type { Palette } from '../view/palette.ts';
import type { ToolKind } from './tool.ts';

interface Ends {
  from: Vec3 | undefined;
  to: Vec3 | undefined;
}

const REASONS: Readonly<Record<string, string>> = {
  'start-off-mesh': 'the start is not on the mesh',
  'end-off-mesh': 'the end is not on the mesh',
  unreachable: 'the end cannot be reached; this is as near as one gets',
  budget: 'the search was cut short',
};

const LIFT = 0.06;

export const pathTool: ToolKind = {
  id: 'path', title: 'Path', shortcut: 'p', needs: 'mesh',
  icon: 'M5 21a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM19 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM7 17l4-1 1-8 4.6-1.6',
  hint: 'Drag the two ends. Click sets the end, Shift-click the start.',
  create({ store, saved, save, redraw, palette }) {
    const rows = h('div', { class: 'rows' });
    const swap = h('button', { class: 'button', onclick: () => set({ from: ends.to, to: ends.from }, true) }, 'Swap ends');
    const panel = h('div', {}, rows, h('div', { class: 'buttons' }, swap));
    let ends: Ends = { from: undefined, to: undefined };
    let path: Path | undefined;
    let grabbed: 'from' | 'to' | undefined;

    const find = (): void => {
      const { mesh } = store.get();
      const { from, to } = ends;
      if (mesh === undefined || from === undefined || to === undefined) {
        path = undefined;
        rows.replaceChildren(row('Path', mesh === undefined ? 'there is no mesh yet' : 'set both ends'));
      } else {
        const start = performance.now();
        path = findPath(mesh.navMesh, from, to);
        const ms = performance.now() - start;
        rows.replaceChildren(
          row('Path', path.reason === '' ? 'complete' : `${path.status}: ${REASONS[path.reason] ?? path.reason}`),
          row('Length', `${path.length.toFixed(2)} m`),
          row('Corners', `${path.points.length}, over ${plural(path.polys.length, 'polygon')}`),
          row('Found in', ms < 0.1 ? '< 0.1 ms' : formatMs(ms)),
        );
      }
      redraw();
    };
    const set = (next: Partial<Ends>, isDone: boolean): void => {
      ends = { ...ends, ...next };
      find();
      if (isDone && ends.from !== undefined && ends.to !== undefined) save({ from: round(ends.from), to: round(ends.to) });
    };
    /** From the link, else the scene's own, else none. */
    const restore = (): void => {
      const { from, to } = saved();
      const { source } = store.get();
      const scene = source?.kind === 'scene' ? findScene(source.name) : undefined;
      ends = { from: isPoint(from) ? from : scene?.path.from, to: isPoint(to) ? to : scene?.path.to };
      find();
    };
    return {
      panel,
      enter: restore,
      changed(_state, keys) {
        if (keys.has('source')) restore();
        else if (keys.has('mesh')) find();
      },
      down(pointer) {
        const at = pointer.nearest([shownEnd(path, ends, 'to'), shownEnd(path, ends, 'from')]);
        grabbed = at === 0 ? 'to' : at === 1 ? 'from' : undefined;
        return grabbed !== undefined;
      },
      drag(pointer) {
        const point = pointer.hit()?.point;
        if (point !== undefined && grabbed !== undefined) set({ [grabbed]: point }, false);
      },
      up() {
        grabbed = undefined;
        set({}, true);
      },
      click(pointer) {
        const point = pointer.hit()?.point;
        if (point !== undefined) set(pointer.shift || ends.from === undefined ? { from: point } : { to: point }, true);
      },
      hover: (pointer) => (pointer.nearest([shownEnd(path, ends, 'to'), shownEnd(path, ends, 'from')]) >= 0 ? 'grab' : undefined),
      draw: () => drawPath(store.get(), path, ends, palette()),
    };
  },
};

/** Where an end is seen: where it was moved onto the mesh, when it was. */
function shownEnd(path: Path | undefined, ends: Ends, which: keyof Ends): Vec3 | undefined {
  const place = ends[which];
  if (which === 'from' && path !== undefined && path.points.length > 0) return path.points[0];
  return place;
}

function drawPath(
  state: StudioState, path: Path | undefined, ends: Ends, { halo, path: color, start, end }: Palette,
): Drawing[] {
  const origin = originOf(state);
  const local = (points: readonly Vec3[]): Float32Array =>
    Float32Array.from(points.flatMap(([x, y, z]) => [x - origin[0], y - origin[1] + LIFT, z - origin[2]]));
  const drawings: Drawing[] = [];
  const points = path?.points ?? [];
  if (points.length > 1) {
    const pairs: Vec3[] = [];
    for (let i = 1; i < points.length; i++) pairs.push(points[i - 1]!, points[i]!);
    const positions = local(pairs);
    drawings.push(
      { kind: 'lines', positions, color: halo, width: 7, opacity: 0.85, isOnTop: true },
      { kind: 'lines', positions, color, width: 4, isOnTop: true, order: 1, isDashed: false },
      { kind: 'points', positions: local(points.slice(1, -1)), color, size: 4, isOnTop: true, order: 2 },
    );
    const last = points[points.length - 1]!;
    if (path!.status !== 'complete' && ends.to !== undefined) {
      const positions = local([last, ends.to]);
      drawings.push({ kind: 'lines', positions, color, width: 3, isDashed: true, isOnTop: true, order: 1 });
    }
  }
  for (const [which, fill] of [['from', start], ['to', end]] as const) {
    const place = shownEnd(path, ends, which);
    if (place === undefined) continue;
    drawings.push(
      { kind: 'points', positions: local([place]), color: halo, size: 11, isOnTop: true, order: 3 },
      { kind: 'points', positions: local([place]), color: fill, size: 8, isOnTop: true, order: 4 },
    );
    // The start is a ring, the end a disc: told apart without colours.
    if (which === 'to') continue;
    drawings.push({ kind: 'points', positions: local([place]), color: halo, size: 3.5, isOnTop: true, order: 5 });
  }
  return drawings.filter(({ positions }) => positions.length > 0);
}

function isPoint(value: unknown): value is Vec3 {
  return Array.isArray(value) && value.length === 3 && value.every((one) => typeof one === 'number' && Number.isFinite(one));
}

function round(point: Vec3): Vec3 {
  return [0, 1, 2].map((axis) => Number(point[axis as 0]!.toFixed(3))) as unknown as Vec3;
}
