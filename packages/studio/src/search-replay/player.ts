/**
 * The player of a recorded search: play, pause, step, speed and a slider, and the drawing of the current
 * step.
 */
import { h, row } from '../dom/dom.ts';
import { formatCount, plural } from '../state/format.ts';
import type { Vec3 } from '../state/state.ts';
import type { Colors, Marks } from '../view/marks.ts';
import type { View } from '../view/view.ts';
import type { SearchRecord } from './record.ts';
import { chainOf, createReplay, seekReplay } from './replay.ts';
import type { Replay } from './replay.ts';

/** Nodes per second. */
const SPEEDS = [4, 15, 60, 250, 1000] as const;
const DEFAULT_SPEED = 15;
const CLOSED = '#f4d35e';
const OPEN = '#ffffff';
const NEXT = '#c44600';

export interface SearchPlayer {
  element: HTMLDetailsElement;
  isOpen: () => boolean;
  isPlaying: () => boolean;
  /** Returns whether the replay is at its end, where the path is found. */
  isDone: () => boolean;
  show: (record: SearchRecord | undefined) => void;
  draw: (marks: Marks) => void;
  key: (event: KeyboardEvent) => boolean;
  stop: () => void;
}

/** What the functions of this file share. */
interface Player {
  view: View;
  redraw: () => void;
  replay: Replay | undefined;
  /** Stops the frames while the replay plays. */
  stopFrames: (() => void) | undefined;
  card: PlayerCard;
}

interface PlayerCard {
  element: HTMLDetailsElement;
  play: HTMLButtonElement;
  speed: HTMLSelectElement;
  slider: HTMLInputElement;
  rows: HTMLElement;
}

/**
 * Creates the player. Calls `onToggle` when the user opens or closes it, so that the search is recorded only
 * while it is open.
 */
export function createSearchPlayer(view: View, redraw: () => void, onToggle: () => void): SearchPlayer {
  const player: Player = {
    view,
    redraw,
    replay: undefined,
    stopFrames: undefined,
    card: createCard({
      onToggle: () => {
        stop(player);
        onToggle();
      },
      onPlay: () => (player.stopFrames === undefined ? start(player) : stop(player)),
      onJump: (step) => jump(player, step(player.replay?.step ?? 0)),
    }),
  };
  const { card } = player;
  return {
    element: card.element,
    isOpen: () => card.element.open,
    isPlaying: () => player.stopFrames !== undefined,
    isDone: () => player.replay === undefined || player.replay.step >= player.replay.record.steps,
    show(record) {
      stop(player);
      player.replay = record === undefined ? undefined : createReplay(record);
      // The end of the search, so that the drawing follows ends that are dragged.
      if (player.replay !== undefined) seekReplay(player.replay, player.replay.record.steps);
      showPosition(player);
    },
    draw(marks) {
      if (card.element.open && player.replay !== undefined) drawReplay(marks, player.replay, marks.colors);
    },
    key(event) {
      if (!card.element.open || player.replay === undefined) return false;
      if (event.key === ' ') card.play.click();
      else if (event.key === '.') jump(player, player.replay.step + 1);
      else if (event.key === ',') jump(player, player.replay.step - 1);
      else return false;
      return true;
    },
    stop: () => stop(player),
  };
}

interface CardHandlers {
  onToggle: () => void;
  onPlay: () => void;
  /** Goes to a step that is computed from the current one. */
  onJump: (step: (current: number) => number) => void;
}

function createCard({ onToggle, onPlay, onJump }: CardHandlers): PlayerCard {
  const button = (label: string, title: string, run: () => void): HTMLButtonElement =>
    h('button', { class: 'button', title, 'aria-label': title, onclick: run }, label);
  const play = button('▶', 'Play (Space)', onPlay);
  const speed = h('select', { 'aria-label': 'Speed', title: 'Nodes per second' });
  for (const value of SPEEDS) {
    speed.append(h('option', { value, selected: value === DEFAULT_SPEED }, `${formatCount(value)} / s`));
  }
  const slider = h('input', {
    type: 'range',
    min: 0,
    max: 0,
    step: 1,
    'aria-label': 'Step of the search',
    oninput: () => onJump(() => Number(slider.value)),
  });
  const rows = h('div', { class: 'rows' });
  const buttons = [
    button('|◀', 'To the start', () => onJump(() => 0)),
    button('◀', 'Previous node (,)', () => onJump((current) => current - 1)),
    play,
    button('▶|', 'Next node (.)', () => onJump((current) => current + 1)),
  ];
  const legend = [
    legendEntry(CLOSED, 'closed: expanded'),
    legendEntry(OPEN, 'open: found; the dot is where it is entered'),
    legendEntry(NEXT, 'ring: next node, with the path to it'),
  ];
  const element = h(
    'details',
    { class: 'query-more query-replay', 'data-part': 'search', ontoggle: onToggle },
    h('summary', {}, 'Search, node by node'),
    h('div', { class: 'query-player' }, ...buttons, speed),
    slider,
    rows,
    h('div', { class: 'query-legend' }, ...legend),
  );
  return { element, play, speed, slider, rows };
}

function legendEntry(color: string, text: string): HTMLElement {
  const swatch = h('span', { class: 'query-swatch', style: `background: ${color}` });
  return h('span', { class: 'query-key' }, swatch, h('span', {}, text));
}

function jump(player: Player, step: number): void {
  stop(player);
  seek(player, step);
}

function seek(player: Player, step: number): void {
  if (player.replay !== undefined) seekReplay(player.replay, step);
  showPosition(player);
  player.redraw();
}

function showPosition({ replay, card: { element, slider, play, rows } }: Player): void {
  slider.disabled = play.disabled = replay === undefined;
  if (replay === undefined) {
    rows.replaceChildren(...(element.open ? [row('Search', 'no search: an end is off the mesh')] : []));
    return;
  }
  const { record, step, open, closed, cost } = replay;
  slider.max = String(record.steps);
  slider.value = String(step);
  const next = record.best[step];
  const nextName = step === record.steps && next >= 0 ? 'Arrived at' : 'Next';
  const nextText =
    next < 0
      ? 'no node is left: there is no path'
      : `polygon ${record.nodePoly.get(next)!}, cost ${cost.get(next)!.toFixed(2)}`;
  const total = `${plural(record.steps, 'node')}${record.isCut ? ', recording stopped' : ''}`;
  rows.replaceChildren(
    row('Expanded', `${formatCount(step)} of ${total}`),
    row('Open', formatCount(open.size)),
    row('Closed', formatCount(closed.size)),
    row(nextName, nextText),
  );
}

function start(player: Player): void {
  const { replay, view, card } = player;
  if (replay === undefined) return;
  if (replay.step >= replay.record.steps) seekReplay(replay, 0);
  let due = replay.step;
  card.play.textContent = '❚❚';
  card.play.title = 'Pause (Space)';
  player.stopFrames = view.onFrame((seconds) => {
    const current = player.replay;
    if (current === undefined) return false;
    due += seconds * Number(card.speed.value);
    if (Math.floor(due) > current.step) seek(player, Math.floor(due));
    if (current.step >= current.record.steps) stop(player);
    return true;
  });
  seek(player, replay.step);
}

function stop(player: Player): void {
  player.stopFrames?.();
  player.stopFrames = undefined;
  player.card.play.textContent = '▶';
  player.card.play.title = 'Play (Space)';
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
