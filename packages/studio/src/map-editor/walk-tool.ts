/** The walk tool: a player on a 2D map that takes the shortest path to where the user clicks. */
import { advancePathWalker, createPathWalker } from 'navkiln';
import type { PathWalker } from 'navkiln';
import { currentFilter } from '../tools/query/filter.ts';
import { findNearest2d, findPath2d } from 'navkiln/polygon';
import { h, row } from '../dom/dom.ts';
import { boundsOf, originOf } from '../state/state.ts';
import type { Vec3 } from '../state/state.ts';
import { numberField } from '../tools/edit/shared.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import type { Drawing } from '../view/drawing.ts';
import { createMarks } from '../view/marks.ts';
import { niceGrid, nudged, onGrid, pointUnder, worldOf } from './plane.ts';
import type { Point2 } from '../state/map-point.ts';

/** The state that the functions of this tool share. */
interface Walk {
  context: ToolContext;
  walker: PathWalker | undefined;
  points: readonly Point2[];
  /** Position of the player. */
  position: Point2 | undefined;
  /** Position that the player goes to. */
  target: Point2 | undefined;
  /** Position to which the keyboard sends it. */
  cursor: Point2 | undefined;
  speed: number;
  status: string;
  refresh: () => void;
}

/** Seconds that a player takes to cross a map at the first speed. */
const CROSSING_SECONDS = 8;

export function createWalkTool(context: ToolContext): Tool {
  const { store, history, view, redraw } = context;
  const status = h('p', { class: 'hint', 'aria-live': 'polite' });
  const rows = h('div', { class: 'rows' });
  const speed = numberField('Speed', 'units/s', 1, { min: 1e-6, step: 0.5 }, (value) => {
    walk.speed = value;
    if (walk.walker !== undefined) walk.walker.speed = value;
  });
  const radius = numberField('Radius', 'units', 0, { min: 0, step: 0.1 }, (value) => {
    const { settings } = store.get();
    history.edit('radius', { settings: { ...settings, agent: { ...settings.agent, radius: value } } });
  });
  const walk: Walk = {
    context,
    walker: undefined,
    points: [],
    position: undefined,
    target: undefined,
    cursor: undefined,
    speed: 1,
    status: 'Click a position to send the player there.',
    refresh() {
      radius.set(store.get().settings.agent?.radius ?? 0);
      const left = walk.walker === undefined ? 0 : walk.walker.length - walk.walker.distance;
      const text = walk.status.charAt(0).toUpperCase() + walk.status.slice(1);
      if (status.textContent !== text) status.textContent = text;
      rows.replaceChildren(row('Left to walk', left.toFixed(2)));
      redraw();
    },
  };
  const start = (): void => {
    const bounds = boundsOf(store.get());
    Object.assign(walk, { walker: undefined, points: [], target: undefined, cursor: undefined, position: undefined });
    if (bounds !== undefined) {
      walk.speed = Number(((bounds.max[0] - bounds.min[0]) / CROSSING_SECONDS).toPrecision(2)) || 1;
      speed.set(walk.speed);
    }
    place(walk);
    walk.refresh();
  };
  let stop: (() => void) | undefined;
  return {
    panel: h('div', { class: 'edit-panel' }, speed.element, radius.element, status, rows),
    enter() {
      if (walk.position === undefined) start();
      stop ??= view.onFrame((seconds) => advance(walk, seconds));
      walk.refresh();
    },
    leave() {
      stop?.();
      stop = undefined;
    },
    changed(_state, keys) {
      if (keys.has('source')) start();
      else if (keys.has('mesh')) {
        // The map or the radius has changed: the player goes on to where it was sent.
        place(walk);
        if (walk.target !== undefined) send(walk, walk.target);
      }
      walk.refresh();
    },
    click(pointer) {
      const point = pointUnder(store.get(), pointer.ray());
      if (point !== undefined) send(walk, point);
    },
    hover: () => 'crosshair',
    key(event) {
      const grid = gridOf(walk);
      const from = walk.cursor ?? walk.target ?? walk.position;
      if (event.key === 'Enter' && walk.cursor !== undefined) send(walk, walk.cursor);
      else {
        const to = from === undefined ? undefined : nudged(store.get(), onGrid(from, grid), event, grid);
        if (to === undefined) return false;
        walk.cursor = to;
      }
      walk.refresh();
      return true;
    },
    draw: () => draw(walk),
    inspect: () => ({
      position: walk.position,
      target: walk.target,
      isDone: walk.walker?.done ?? true,
      status: walk.status,
      speed: walk.speed,
      points: walk.points,
    }),
  };
}

function gridOf({ context }: Walk): number {
  const bounds = boundsOf(context.store.get());
  return bounds === undefined ? 1 : niceGrid(bounds.max[0] - bounds.min[0]);
}

/** Puts the player on the walkable area: where it is, or in the middle. */
function place(walk: Walk): void {
  const state = walk.context.store.get();
  const { mesh } = state;
  const bounds = boundsOf(state);
  if (mesh === undefined || bounds === undefined) return;
  const middle: Vec3 = [(bounds.min[0] + bounds.max[0]) / 2, 1, (bounds.min[2] + bounds.max[2]) / 2];
  const wanted = walk.position ?? pointUnder(state, { origin: middle, direction: [0, -1, 0] });
  if (wanted === undefined) return;
  const near = findNearest2d(mesh.navMesh, wanted);
  walk.position = near.found ? near.point : undefined;
}

function send(walk: Walk, to: Point2): void {
  const { mesh } = walk.context.store.get();
  if (mesh === undefined) return;
  if (walk.position === undefined) place(walk);
  if (walk.position === undefined) {
    walk.status = 'There is no walkable area.';
    return walk.refresh();
  }
  const path = findPath2d(mesh.navMesh, walk.position, to, { filter: currentFilter(walk.context.store) });
  walk.target = to;
  walk.points = path.points;
  walk.walker = path.points.length === 0 ? undefined : createPathWalker(path.points, walk.speed);
  walk.status = path.status === 'complete' ? 'walking' : `${path.status}: ${path.reason}`;
  walk.refresh();
}

/** Moves the player. Returns whether it still walks. */
function advance(walk: Walk, seconds: number): boolean {
  const { walker } = walk;
  if (walker === undefined || walker.done) return false;
  advancePathWalker(walker, seconds);
  walk.position = [walker.position[0], walker.position[1]];
  if (walker.done) walk.status = walk.status === 'walking' ? 'arrived' : walk.status;
  walk.refresh();
  return true;
}

function draw(walk: Walk): Drawing[] {
  const { context, position, target, walker, points, cursor } = walk;
  const state = context.store.get();
  const marks = createMarks(originOf(state), context.palette());
  const at = (point: Point2): Vec3 => worldOf(state, point);
  const { main, second, faint } = marks.colors;
  if (position === undefined) return [];
  if (walker !== undefined && !walker.done) {
    marks.line([at(position), ...points.slice(walker.next).map(at)], main, { width: 3 });
  }
  if (target !== undefined) marks.dots([at(target)], main, 6);
  if (cursor !== undefined) marks.cross(at(cursor), gridOf(walk) / 2);
  const radius = state.settings.agent?.radius ?? 0;
  if (radius > 0) marks.circle(at(position), radius, second, { width: 3, order: 5 });
  marks.dots([at(position)], second, 8);
  if (walker !== undefined && !walker.done) {
    const length = Math.max(radius, gridOf(walk) / 2) * 1.6;
    const tip: Point2 = [position[0] + length * walker.direction[0], position[1] + length * walker.direction[1]];
    marks.line([at(position), at(tip)], faint, { width: 3, order: 6 });
  }
  return marks.list;
}
