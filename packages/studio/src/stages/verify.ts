/**
 * The verify tool: compares the mesh with the level in a worker, lists the places where they differ, and draws them. A
 * click on a place moves the view there.
 */
import type { FaultPlace, VerifyResult } from 'navkiln/debug';
import { h, row } from '../dom/dom.ts';
import { formatNumber, formatPoint } from '../state/format.ts';
import { originOf } from '../state/state.ts';
import type { StudioState, Vec3 } from '../state/state.ts';
import { count } from '../tools/pending.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import type { Drawing } from '../view/drawing.ts';
import type { VerifyAnswer, VerifyTask } from './verify-worker.ts';

/** Places that the card lists. All are drawn. */
const LISTED = 12;
const SIDES = 24;

const TITLES: Readonly<Record<FaultPlace['kind'], string>> = {
  uncovered: 'Uncovered',
  overreach: 'Overreach',
  lost: 'Lost way',
  invented: 'Invented way',
  'false-door': 'False door',
  'invisible-wall': 'Invisible wall',
};

export function createVerifyTool(context: ToolContext): Tool {
  const { store, redraw, say, palette } = context;
  const verdict = h('p', { class: 'why-text', role: 'status' });
  const rows = h('div', { class: 'rows' });
  const list = h('div', { class: 'verify-places' });
  const panel = h('div', {}, verdict, rows, list);
  let worker: Worker | undefined;
  let result: VerifyResult | undefined;
  let selected: FaultPlace | undefined;
  /** The mesh that was verified. */
  let meshId = -1;

  const stop = (): void => {
    worker?.terminate();
    worker = undefined;
  };
  const select = (place: FaultPlace): void => {
    selected = place;
    moveTo(context, place.position, Math.max(10, 5 * radiusOf(place, result!.spacing)));
    show();
  };
  const show = (): void => {
    if (result === undefined) return;
    const { places, lost, invented, falseDoors } = result;
    const isJudged = result.sureArea > 0;
    const isGood =
      isJudged &&
      result.coverage >= 0.995 &&
      result.overreach <= 0.001 &&
      lost === 0 &&
      invented === 0 &&
      falseDoors === 0;
    panel.classList.toggle('is-walkable', isGood);
    verdict.textContent = isGood
      ? 'The mesh fits the level.'
      : !isJudged
        ? 'Nothing was judged: there is no place where an agent surely stands.'
        : 'The mesh does not fit the level: there is ground without mesh, mesh without ground, or a wrong connection.';
    rows.replaceChildren(...figuresOf(result));
    list.replaceChildren(...places.slice(0, LISTED).map((place) => itemOf(place, place === selected, select)));
    if (places.length > LISTED) list.append(h('p', { class: 'note' }, `… and ${places.length - LISTED} more`));
    redraw();
  };
  const clear = (text: string): void => {
    stop();
    result = selected = undefined;
    panel.classList.remove('is-walkable');
    verdict.textContent = text;
    rows.replaceChildren();
    list.replaceChildren();
    redraw();
  };
  const start = (): void => {
    const state = store.get();
    const task = taskOf(state);
    if (task === undefined && state.map?.levels !== undefined)
      clear('Levels of a building are not compared. Read one level to compare it.');
    if (task === undefined || meshId === state.mesh?.id) return;
    meshId = state.mesh!.id;
    clear('Comparing the mesh with the level …');
    const running = (worker = new Worker(new URL('./verify-worker.ts', import.meta.url), { type: 'module' }));
    count(
      new Promise<void>((resolve) => {
        running.addEventListener('message', ({ data }: MessageEvent<VerifyAnswer>) => {
          if (worker !== running) return resolve();
          if (typeof data === 'string') {
            clear('');
            say('error', data);
            return resolve();
          }
          const at = selected === undefined ? -1 : (result?.places.indexOf(selected) ?? -1);
          result = data.result;
          selected = result.places[at];
          show();
          if (!data.isFinal) return;
          stop();
          resolve();
        });
        running.addEventListener('error', ({ message }) => {
          say('error', message);
          resolve();
        });
        running.postMessage(task);
      }),
    );
  };
  return {
    panel,
    enter: start,
    leave: () => {
      // A comparison that has not ended starts again with the next visit.
      if (worker !== undefined) meshId = -1;
      stop();
    },
    changed(_state, keys) {
      if (!keys.has('mesh') && !keys.has('source')) return;
      meshId = -1;
      if (store.get().mesh === undefined) clear('');
      else start();
    },
    draw: () => (result === undefined ? [] : drawPlaces(context, result, selected, palette().end, palette().start)),
    inspect: () => result,
  };
}

/** Moves the camera to a distance from a point, and keeps the direction of the view. */
function moveTo({ view }: ToolContext, target: Vec3, distance: number): void {
  const pose = view.pose();
  const [x, y, z] = pose.position.map((value, axis) => value - pose.target[axis]!);
  const share = distance / (Math.hypot(x!, y!, z!) || 1);
  const position: Vec3 = [target[0] + x! * share, target[1] + y! * share, target[2] + z! * share];
  view.setPose({ position, target }, true);
}

/** Returns what the worker takes; undefined: there is nothing to compare. */
function taskOf({ level, map, mesh, settings, edits }: StudioState): VerifyTask | undefined {
  if (mesh === undefined) return undefined;
  const { navMesh, report } = mesh;
  const rest = { navMesh, settings, edits, isBaked: report !== undefined };
  if (level === undefined)
    return map === undefined || map.levels !== undefined ? undefined : { level: edits.map ?? map.map, ...rest };
  const { positions, indices, areas } = level;
  return { level: { positions, indices, ...(areas === undefined ? {} : { areas }) }, ...rest };
}

/** Returns points relative to the origin of drawings. */
function localOf({ store }: ToolContext, points: readonly Vec3[]): Float32Array {
  const origin = originOf(store.get());
  return Float32Array.from(points.flatMap((point) => point.map((value, axis) => value - origin[axis]!)));
}

function figuresOf(result: VerifyResult): HTMLElement[] {
  const percent = (share: number): string => `${Number((100 * share).toPrecision(4))} %`;
  return [
    row('Coverage', result.sureArea > 0 ? percent(result.coverage) : 'not judged'),
    row('Overreach', percent(result.overreach)),
    row('Connections lost', percent(result.lost)),
    row('Connections invented', percent(result.invented)),
    row('False doors', `${formatNumber(result.falseDoors)} m`),
    row('Invisible walls', `${result.invisibleWalls} of ${result.straightWalks} walks`),
  ];
}

function itemOf(place: FaultPlace, isSelected: boolean, onClick: (place: FaultPlace) => void): HTMLElement {
  const { kind, size, area, position, cause, remedy } = place;
  const unit = kind === 'false-door' || kind === 'invisible-wall' ? 'm' : 'm²';
  const name = size === undefined ? TITLES[kind] : `${TITLES[kind]} (${size})`;
  const button = h(
    'button',
    { class: 'verify-place', 'aria-pressed': String(isSelected), onclick: () => onClick(place) },
    h('strong', {}, name),
    ` ${Number(area.toPrecision(3))} ${unit} at ${formatPoint(position)}`,
  );
  return h(
    'div',
    {},
    button,
    isSelected && cause !== null ? h('p', { class: 'note' }, cause) : undefined,
    isSelected && remedy !== null ? h('p', { class: 'note' }, `Try ${remedy}.`) : undefined,
  );
}

function radiusOf({ kind, area }: FaultPlace, spacing: number): number {
  const isGround = kind === 'uncovered' || kind === 'overreach';
  return Math.max(2 * spacing, isGround ? Math.sqrt(area / Math.PI) : 0);
}

function drawPlaces(
  context: ToolContext,
  { places, spacing }: VerifyResult,
  selected: FaultPlace | undefined,
  color: string,
  highlight: string,
): Drawing[] {
  const circles = (list: readonly FaultPlace[], one: string, width: number, order: number): Drawing[] => {
    if (list.length === 0) return [];
    const points = list.flatMap((place): Vec3[] => {
      const [x, y, z] = place.position;
      const radius = radiusOf(place, spacing);
      const corner = (k: number): Vec3 => {
        const turn = (2 * Math.PI * k) / SIDES;
        return [x + radius * Math.cos(turn), y + 0.05, z + radius * Math.sin(turn)];
      };
      return Array.from({ length: SIDES }, (_, k) => [corner(k), corner(k + 1)]).flat();
    });
    const middles = list.map(({ position }) => position);
    return [
      { kind: 'lines', positions: localOf(context, points), color: one, width, isOnTop: true, order },
      { kind: 'points', positions: localOf(context, middles), color: one, size: 2 * width, isOnTop: true, order },
    ];
  };
  return [...circles(places, color, 2.5, 1), ...circles(selected === undefined ? [] : [selected], highlight, 4, 2)];
}
