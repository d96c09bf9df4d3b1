/**
 * The player of recorded searches: which search, play, pause, step, speed and a slider, and the drawing of the current step. Loaded when
 * its card opens.
 */
import { h, row } from '../dom/dom.ts';
import { formatCount, plural } from '../state/format.ts';
import type { Marks } from '../view/marks.ts';
import type { View } from '../view/view.ts';
import { showAStar } from './a-star.ts';
import type { SearchKind, SearchQuery, ShownSearch } from './kind.ts';
import { showOptimal } from './optimal.ts';

/** Nodes per second. */
const SPEEDS = [4, 15, 60, 250, 1000] as const;
const DEFAULT_SPEED = 15;

const KINDS: readonly SearchKind[] = [showAStar, showOptimal];

export interface SearchPlayer {
  /** Returns whether the replay is at its end, where the path is found. */
  isDone: () => boolean;
  show: (query: SearchQuery | undefined) => void;
  draw: (marks: Marks) => void;
  key: (event: KeyboardEvent) => boolean;
  stop: () => void;
}

/** The state that the functions of this file share. */
interface Player {
  view: View;
  redraw: () => void;
  kind: SearchKind;
  query: SearchQuery | undefined;
  search: ShownSearch | undefined;
  step: number;
  /** Stops the frames while the replay plays. */
  stopFrames: (() => void) | undefined;
  card: PlayerCard;
}

interface PlayerCard {
  play: HTMLButtonElement;
  speed: HTMLSelectElement;
  slider: HTMLInputElement;
  rows: HTMLElement;
  legend: HTMLElement;
}

/** Creates the player in an element. */
export function createSearchPlayer(element: HTMLElement, view: View, redraw: () => void): SearchPlayer {
  const player: Player = {
    view,
    redraw,
    kind: KINDS[0],
    query: undefined,
    search: undefined,
    step: 0,
    stopFrames: undefined,
    card: createCard(element, {
      onKind: (kind) => {
        player.kind = kind;
        show(player);
        redraw();
      },
      onPlay: () => (player.stopFrames === undefined ? start(player) : stop(player)),
      onJump: (step) => jump(player, step(player.step)),
    }),
  };
  return {
    isDone: () => player.search === undefined || player.step >= player.search.steps,
    show(query) {
      player.query = query;
      show(player);
    },
    draw: (marks) => player.search?.draw(marks),
    key(event) {
      if (player.search === undefined) return false;
      if (event.key === ' ') player.card.play.click();
      else if (event.key === '.') jump(player, player.step + 1);
      else if (event.key === ',') jump(player, player.step - 1);
      else return false;
      return true;
    },
    stop: () => stop(player),
  };
}

interface CardHandlers {
  onKind: (kind: SearchKind) => void;
  onPlay: () => void;
  /** Goes to a step that is computed from the current one. */
  onJump: (step: (current: number) => number) => void;
}

function createCard(element: HTMLElement, { onKind, onPlay, onJump }: CardHandlers): PlayerCard {
  const button = (label: string, title: string, run: () => void): HTMLButtonElement =>
    h('button', { class: 'button', title, 'aria-label': title, onclick: run }, label);
  const play = button('▶', 'Play (Space)', onPlay);
  const kind = h('select', {
    class: 'edit-text',
    'aria-label': 'Search to show',
    onchange: () => onKind(KINDS[kind.selectedIndex]),
  });
  for (const { title, help } of KINDS) kind.append(h('option', { title: help }, title));
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
  const legend = h('div', { class: 'query-legend' });
  const buttons = [
    button('|◀', 'To the start', () => onJump(() => 0)),
    button('◀', 'Previous node (,)', () => onJump((current) => current - 1)),
    play,
    button('▶|', 'Next node (.)', () => onJump((current) => current + 1)),
  ];
  element.append(
    h('label', { class: 'edit-field' }, h('span', { class: 'row-name' }, 'Search'), kind),
    h('div', { class: 'query-player' }, ...buttons, speed),
    slider,
    rows,
    legend,
  );
  return { play, speed, slider, rows, legend };
}

function legendEntry([color, text]: SearchKind['legend'][number]): HTMLElement {
  const swatch = h('span', { class: 'query-swatch', style: `background: ${color}` });
  return h('span', { class: 'query-key' }, swatch, h('span', {}, text));
}

/** Records the search, and shows its end, so that the drawing follows ends that are dragged. */
function show(player: Player): void {
  const { kind, query, card } = player;
  stop(player);
  card.legend.replaceChildren(...kind.legend.map(legendEntry));
  player.search = query === undefined ? undefined : kind.record(query);
  player.step = player.search?.steps ?? 0;
  player.search?.seek(player.step);
  showPosition(player);
}

function jump(player: Player, step: number): void {
  stop(player);
  seek(player, step);
}

function seek(player: Player, wanted: number): void {
  const { search } = player;
  if (search !== undefined) {
    player.step = Math.min(search.steps, Math.max(0, Math.round(wanted)));
    search.seek(player.step);
  }
  showPosition(player);
  player.redraw();
}

function showPosition({ search, step, query, kind, card: { slider, play, rows } }: Player): void {
  slider.disabled = play.disabled = search === undefined;
  if (search === undefined) {
    rows.replaceChildren(...(query === undefined ? [] : [row('Search', kind.nothing)]));
    return;
  }
  slider.max = String(search.steps);
  slider.value = String(step);
  const total = `${plural(search.steps, 'node')}${search.isCut ? ', recording stopped' : ''}`;
  rows.replaceChildren(row('Expanded', `${formatCount(step)} of ${total}`), ...search.rows());
}

function start(player: Player): void {
  const { view, card } = player;
  if (player.search === undefined) return;
  if (player.step >= player.search.steps) seek(player, 0);
  let due = player.step;
  card.play.textContent = '❚❚';
  card.play.title = 'Pause (Space)';
  player.stopFrames = view.onFrame((seconds) => {
    const { search } = player;
    if (search === undefined) return false;
    due += seconds * Number(card.speed.value);
    if (Math.floor(due) > player.step) seek(player, Math.floor(due));
    if (player.step >= search.steps) stop(player);
    return true;
  });
  seek(player, player.step);
}

function stop(player: Player): void {
  player.stopFrames?.();
  player.stopFrames = undefined;
  player.card.play.textContent = '▶';
  player.card.play.title = 'Play (Space)';
}
