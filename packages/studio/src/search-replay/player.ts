/** The search on the card: play, pause, step, speed, a slider; and what of it is drawn. */
import { h, row } from '../dom/dom.ts';
import { formatCount, plural } from '../state/format.ts';
import type { Vec3 } from '../state/state.ts';
import type { Colors, Marks } from '../view/marks.ts';
import type { View } from '../view/view.ts';
import type { SearchRecord } from './record.ts';
import { chainOf, createReplay, seekReplay } from './replay.ts';
import type { Replay } from './replay.ts';

const SPEEDS = [4, 15, 60, 250, 1000] as const;
const CLOSED = '#f4d35e';
const OPEN = '#ffffff';

export interface SearchPlayer {
  element: HTMLDetailsElement;
  isOpen: () => boolean;
  isPlaying: () => boolean;
  /** At its end, where the path is. */
  isDone: () => boolean;
  show: (record: SearchRecord | undefined) => void;
  draw: (marks: Marks) => void;
  key: (event: KeyboardEvent) => boolean;
  stop: () => void;
}

/** `onOpen`: the search is wanted, or not any more. */
export function createSearchPlayer(view: View, redraw: () => void, onOpen: () => void): SearchPlayer {
  let replay: Replay | undefined;
  let stopFrames: (() => void) | undefined;
  let due = 0;

  const button = (label: string, title: string, run: () => void): HTMLButtonElement =>
    h('button', { class: 'button', title, 'aria-label': title, onclick: run }, label);
  const play = button('▶', 'Play (Space)', () => (stopFrames === undefined ? start() : stop()));
  const speed = h('select', { 'aria-label': 'Speed', title: 'Nodes a second' });
  for (const one of SPEEDS) speed.append(h('option', { value: one, selected: one === 15 }, `${formatCount(one)} / s`));
  const slider = h('input', {
    type: 'range',
    min: 0,
    max: 0,
    step: 1,
    'aria-label': 'Step of the search',
    oninput: () => {
      stop();
      seek(Number(slider.value));
    },
  });
  const rows = h('div', { class: 'rows' });
  const key = (color: string, text: string): HTMLElement =>
    h(
      'span',
      { class: 'query-key' },
      h('span', { class: 'query-swatch', style: `background: ${color}` }),
      h('span', {}, text),
    );
  const element = h(
    'details',
    {
      class: 'query-more query-replay',
      'data-part': 'search',
      ontoggle: () => {
        stop();
        onOpen();
      },
    },
    h('summary', {}, 'Search, node by node'),
    h(
      'div',
      { class: 'query-player' },
      button('|◀', 'To the start', () => jump(0)),
      button('◀', 'A step back (,)', () => jump((replay?.step ?? 0) - 1)),
      play,
      button('▶|', 'A step on (.)', () => jump((replay?.step ?? 0) + 1)),
      speed,
    ),
    slider,
    rows,
    h(
      'div',
      { class: 'query-legend' },
      key(CLOSED, 'closed: expanded, done'),
      key(OPEN, 'open: found; a dot where it is entered'),
      key('#c44600', 'ring: next, and the way there'),
    ),
  );

  const jump = (step: number): void => {
    stop();
    seek(step);
  };
  const seek = (step: number): void => {
    if (replay !== undefined) seekReplay(replay, step);
    sayWhere();
    redraw();
  };
  const sayWhere = (): void => {
    if (replay === undefined) {
      slider.disabled = play.disabled = true;
      rows.replaceChildren(...(element.open ? [row('Search', 'an end is off the mesh: nothing to search')] : []));
      return;
    }
    slider.disabled = play.disabled = false;
    const { record, step, open, closed, cost } = replay;
    slider.max = String(record.steps);
    slider.value = String(step);
    const next = record.best[step];
    rows.replaceChildren(
      row('Expanded', `${formatCount(step)} of ${plural(record.steps, 'node')}${record.isCut ? ', cut short' : ''}`),
      row('Open', formatCount(open.size)),
      row('Closed', formatCount(closed.size)),
      row(
        step === record.steps && next >= 0 ? 'Arrived at' : 'Next',
        next < 0
          ? 'none is left: no way there'
          : `polygon ${record.nodePoly.get(next)!}, cost ${cost.get(next)!.toFixed(2)}`,
      ),
    );
  };
  const start = (): void => {
    if (replay === undefined) return;
    if (replay.step >= replay.record.steps) seekReplay(replay, 0);
    due = replay.step;
    play.textContent = '❚❚';
    play.title = 'Pause (Space)';
    stopFrames = view.onFrame((seconds) => {
      if (replay === undefined) return false;
      due += seconds * Number(speed.value);
      if (Math.floor(due) > replay.step) seek(Math.floor(due));
      if (replay.step >= replay.record.steps) stop();
      return true;
    });
    seek(replay.step);
  };
  const stop = (): void => {
    stopFrames?.();
    stopFrames = undefined;
    play.textContent = '▶';
    play.title = 'Play (Space)';
  };

  return {
    element,
    isOpen: () => element.open,
    isPlaying: () => stopFrames !== undefined,
    isDone: () => replay === undefined || replay.step >= replay.record.steps,
    show(record) {
      stop();
      replay = record === undefined ? undefined : createReplay(record);
      // All of it, so that it follows ends that are dragged.
      if (replay !== undefined) seekReplay(replay, replay.record.steps);
      sayWhere();
    },
    draw(marks) {
      if (element.open && replay !== undefined) drawReplay(marks, replay, marks.colors);
    },
    key(event) {
      if (!element.open || replay === undefined) return false;
      if (event.key === ' ') play.click();
      else if (event.key === '.') jump(replay.step + 1);
      else if (event.key === ',') jump(replay.step - 1);
      else return false;
      return true;
    },
    stop,
  };
}

function drawReplay(marks: Marks, replay: Replay, colors: Colors): void {
  const { record, open, closed, parent, step } = replay;
  const { mesh, nodeEntry, nodePoly } = record;
  const next = record.best[step];
  const closedPolys = new Set([...closed].map((node) => nodePoly.get(node)!));
  const openPolys = [...open].map((node) => nodePoly.get(node)!).filter((poly) => !closedPolys.has(poly));
  marks.polys(mesh, closedPolys, CLOSED, 230);
  marks.polys(mesh, openPolys, OPEN, 230);
  const tree: Vec3[] = [];
  for (const [node, from] of parent) if (from >= 0) tree.push(nodeEntry.get(from)!, nodeEntry.get(node)!);
  marks.segments(tree, colors.faint, { width: 1, hasHalo: false, opacity: 0.8, order: 0 });
  marks.dots(
    [...open].map((node) => nodeEntry.get(node)!),
    colors.third,
    3.5,
    false,
  );
  const chain = chainOf(replay).map((node) => nodeEntry.get(node)!);
  if (step < record.steps || record.path.status !== 'complete') marks.line(chain, colors.main, { width: 3, order: 2 });
  if (next >= 0 && step < record.steps) {
    marks.dots([nodeEntry.get(next)!], colors.main, 8);
    marks.dots([nodeEntry.get(next)!], colors.halo, 4, false);
  }
}
