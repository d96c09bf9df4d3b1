/**
 * The path between two ends that can be dragged: by funnel, as a smooth walk and truly shortest, beside each
 * other; the search for it node by node; and why there is none.
 */
import { createRandom, explainPath, findOptimalPath, findPath, findRandomPoint, findSmoothPath } from 'navkiln';
import type { Path, PathExplanation } from 'navkiln';
import { h, row } from '../dom/dom.ts';
import { createSearchPlayer } from '../search-replay/player.ts';
import { recordSearch } from '../search-replay/record.ts';
import { plural } from '../state/format.ts';
import type { Marks } from '../view/marks.ts';
import { createAskTool } from './ask/ask-tool.ts';
import type { Answer, AskTool, Question } from './ask/ask-tool.ts';
import { codeCall, codeOptions, codePoint } from './ask/code.ts';
import { drawExplanation } from './ask/explanation.ts';
import type { Field } from './ask/fields.ts';
import { rounded } from './ask/places.ts';
import type { ToolContext } from './tool.ts';

const WAYS = [
  {
    id: 'funnel',
    title: 'Funnel',
    call: 'findPath',
    find: findPath,
    help: 'A* over polygons, then a string pulled tight',
  },
  {
    id: 'smooth',
    title: 'Smooth',
    call: 'findSmoothPath',
    find: findSmoothPath,
    help: 'the funnel’s line as points on the ground',
  },
  {
    id: 'optimal',
    title: 'Optimal',
    call: 'findOptimalPath',
    find: findOptimalPath,
    help: 'the shortest there is, seen from above',
  },
] as const;
type WayId = (typeof WAYS)[number]['id'];
const LINES: Readonly<Record<WayId, string>> = { funnel: '', smooth: ' dots', optimal: ' wide' };

const FIELDS: readonly Field[] = [
  {
    kind: 'number',
    id: 'step',
    title: 'Smooth step',
    unit: 'm',
    min: 0.1,
    max: 5,
    step: 0.1,
    initial: 0.5,
    when: ['smooth', true],
    help: 'Longest step between two points of the smooth walk, seen from above',
  },
];
/** Shown beside each other in a table of their own, so not among the fields. */
const SHOWN: readonly Field[] = [
  { kind: 'switch', id: 'funnel', title: 'Funnel', initial: true },
  { kind: 'switch', id: 'smooth', title: 'Smooth', initial: false },
  { kind: 'switch', id: 'optimal', title: 'Optimal', initial: true },
];

/** An explanation that has taken longer is not made anew with every movement. Ms. */
const LONG_MS = 6;

export function createPathTool(context: ToolContext): AskTool {
  const { view, redraw, store } = context;
  const cells = new Map(
    WAYS.map(({ id, title, help }) => {
      const box = h('input', { type: 'checkbox', onchange: () => tool.setValue(id, box.checked) });
      const [length, time] = [h('td', { 'data-length': id }), h('td', {})];
      const line = h('span', { class: `ask-line${LINES[id]}` });
      const label = h('label', {}, box, line, h('span', {}, title));
      const element = h('tr', { title: help, 'data-way': id }, h('td', {}, label), length, time);
      return [id, { box, length, time, line, element }];
    }),
  );
  const top = h(
    'table',
    { class: 'ask-ways' },
    h('thead', {}, h('tr', {}, h('th', {}, 'Way'), h('th', {}, 'Length'), h('th', {}, 'Found in'))),
    h('tbody', {}, ...[...cells.values()].map(({ element }) => element)),
  );
  const player = createSearchPlayer(view, redraw, () => tool.ask());
  let seed = 1;
  const random = (): void => {
    const mesh = store.get().mesh?.navMesh;
    if (mesh === undefined) return;
    const source = createRandom(seed++);
    const from = findRandomPoint(mesh, source);
    const to = findRandomPoint(mesh, source, { from: from.point });
    if (from.found && to.found) tool.setPlaces({ from: rounded(from.point), to: rounded(to.point) });
    else context.say('info', 'The mesh has no ground to choose places on.');
  };

  let why: PathExplanation | undefined;
  let lastMs = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The longest path with the funnel's corridor, which is what is explained. */
  const explain = ({ mesh, places, filter }: Question, isNow: boolean): void => {
    clearTimeout(timer);
    why = undefined;
    if (!isNow && lastMs > LONG_MS) {
      timer = setTimeout(() => tool.ask(), 250);
      return;
    }
    const start = performance.now();
    why = explainPath(mesh, places['from']!, places['to']!, { filter });
    lastMs = performance.now() - start;
  };

  let asked = '';
  const ask = (question: Question, timeOf: (id: string) => HTMLElement): Answer => {
    const { mesh, places, values, filter, filterCode } = question;
    const { from, to } = { from: places['from']!, to: places['to']! };
    const found = new Map<WayId, Path>();
    const runs = new Map<string, () => void>();
    const optionsOf = (id: WayId): object =>
      id === 'smooth' ? { filter, step: values['step'] as number } : { filter };
    for (const { id, find } of WAYS) {
      const { box, length, time } = cells.get(id)!;
      box.checked = values[id] === true;
      length.textContent = '–';
      length.classList.remove('is-best');
      time.replaceChildren();
      if (values[id] !== true) continue;
      const path = find(mesh, from, to, optionsOf(id));
      found.set(id, path);
      length.textContent = path.points.length === 0 ? 'none' : `${path.length.toFixed(2)} m`;
      time.replaceChildren(timeOf(id));
      runs.set(id, () => find(mesh, from, to, optionsOf(id)));
    }
    const main = found.get('funnel') ?? [...found.values()][0] ?? findPath(mesh, from, to, { filter });
    // The same question again, after a rest: now there is time.
    const key = JSON.stringify([from, to, values, filterCode, store.get().mesh?.id]);
    if (main.status === 'complete') why = undefined;
    else explain(question, key === asked);
    asked = key;
    player.show(player.isOpen() ? recordSearch(mesh, from, to, { filter }) : undefined);
    const rows = [
      row('Path', main.status === 'complete' ? 'complete' : main.status),
      ...(main.points.length === 0
        ? []
        : [row('Corners', `${main.points.length}, over ${plural(main.polys.length, 'polygon')}`)]),
    ];
    const optimal = found.get('optimal');
    const funnel = found.get('funnel');
    if (optimal !== undefined && funnel !== undefined && optimal.status !== 'none' && funnel.length > 0) {
      const more = 100 * (funnel.length / optimal.length - 1);
      rows.push(row('Funnel is longer by', Math.abs(more) < 0.005 ? '0 %' : `${more.toFixed(2)} %`));
    }
    const chosen = WAYS.filter(({ id }) => values[id] === true);
    const ways = chosen.length === 0 ? WAYS.slice(0, 1) : chosen;
    return {
      rows,
      message: main.status === 'complete' ? '' : (why?.message ?? 'Looking for the reason …'),
      runs,
      draw: (marks) => drawPaths(marks, question, found, why, player.isOpen() && !player.isDone()),
      code: {
        names: ways.map(({ call }) => call),
        lines: ways.map(({ id, call }) => {
          const options = codeOptions([
            filterCode === '' ? undefined : ['filter', undefined],
            id === 'smooth' ? ['step', String(values['step'])] : undefined,
          ]);
          return `const ${id} = ${codeCall(call, codePoint(from), codePoint(to), options)};`;
        }),
      },
    };
  };

  const tool: AskTool = createAskTool(context, {
    places: [
      { id: 'from', title: 'Start', form: 'ring', initial: 'from' },
      { id: 'to', title: 'End', form: 'disc', initial: 'to' },
    ],
    fields: FIELDS,
    hidden: SHOWN,
    ask,
    top,
    more: [player.element],
    buttons: [
      h(
        'button',
        {
          class: 'button',
          onclick: () => tool.setPlaces({ from: tool.places()['to'], to: tool.places()['from'] }),
        },
        'Swap',
      ),
      h(
        'button',
        { class: 'button', title: 'Both ends at random places that are connected', onclick: random },
        'Random',
      ),
    ],
    drawMore: (marks) => {
      for (const { id } of WAYS) cells.get(id)!.line.style.borderTopColor = colorOf(marks, id);
      player.draw(marks);
    },
    key: player.key,
    leave: () => {
      clearTimeout(timer);
      player.stop();
    },
    onNothing: () => {
      clearTimeout(timer);
      player.show(undefined);
      for (const { length, time } of cells.values()) {
        length.textContent = '–';
        time.replaceChildren();
      }
    },
  });
  return tool;
}

function colorOf({ colors }: Marks, id: WayId): string {
  return id === 'funnel' ? colors.main : id === 'smooth' ? colors.second : colors.third;
}

function drawPaths(
  marks: Marks,
  { mesh, places }: Question,
  found: ReadonlyMap<WayId, Path>,
  why: PathExplanation | undefined,
  isSearching: boolean,
): void {
  if (!isSearching) {
    for (const id of ['optimal', 'funnel', 'smooth'] as const) {
      const points = found.get(id)?.points ?? [];
      const color = colorOf(marks, id);
      // The widest lies below, dots lie above: all three are seen where they are the same.
      if (id === 'optimal') marks.line(points, color, { width: 8, order: 1 });
      else if (id === 'funnel') {
        marks.line(points, color, { width: 4, hasHalo: !found.has('optimal'), order: 3 });
        marks.dots(points.slice(1, -1), color, 4, true);
      } else marks.dots(points, color, 2, false);
    }
    const main = found.get('funnel') ?? [...found.values()][0];
    const last = main?.points[main.points.length - 1];
    if (main?.status === 'partial' && last !== undefined) {
      marks.line([last, places['to']!], marks.colors.main, { width: 3, isDashed: true, hasHalo: false, order: 3 });
    }
  }
  if (why !== undefined) drawExplanation(marks, mesh, why, places);
}
