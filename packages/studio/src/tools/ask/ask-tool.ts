/**
 * What the tools that ask the mesh have in common: places that are dragged, snapped, typed and moved by keys;
 * fields; the filter; an answer that follows every movement at once; how long it took; the question as code.
 */
import type { NavMesh, QueryFilter } from 'navkiln';
import { isPoint, originOf } from '../../state/state.ts';
import type { StudioState, Vec3 } from '../../state/state.ts';
import { h, row } from '../../dom/dom.ts';
import type { Tool, ToolContext } from '../tool.ts';
import './ask.css';
import { createFieldRows, readValue } from './fields.ts';
import type { Field, Value, Values } from './fields.ts';
import { codeOf } from './code.ts';
import { createFilterPanel } from './filter.ts';
import { createMarks } from '../../view/marks.ts';
import type { Marks } from '../../view/marks.ts';
import { SNAPS, nudged, readPlace, rounded, sceneEnds, snapped } from './places.ts';
import type { Snap } from './places.ts';
import { createStopwatch, formatUs } from './timing.ts';

export interface PlaceKind {
  /** Goes into links. */
  id: string;
  title: string;
  /** Told apart by form: a ring, a disc. */
  form: 'ring' | 'disc';
  /** Where it is when nothing was said. */
  initial: 'from' | 'to' | 'none';
}

export type Places = Readonly<Record<string, Vec3 | undefined>>;

export interface Question {
  mesh: NavMesh;
  state: StudioState;
  places: Places;
  values: Values;
  filter: QueryFilter | undefined;
  /** What the code has before the question, empty without a filter. */
  filterCode: string;
}

export interface Answer {
  rows: readonly HTMLElement[];
  /** A sentence or two below the rows. */
  message?: string;
  legend?: HTMLElement;
  draw: (marks: Marks) => void;
  /** Names that are imported, and lines. */
  code: { names: readonly string[]; lines: readonly string[] };
  /** What is timed, by the names that `timeOf` was asked for. */
  runs: ReadonlyMap<string, () => void>;
}

export interface AskKind {
  places: readonly PlaceKind[];
  fields: readonly Field[];
  /** Fields that the tool shows itself. */
  hidden?: readonly Field[];
  /** Places that must be set are; `timeOf` gives the element that shows how long a run takes. */
  ask: (question: Question, timeOf: (id: string) => HTMLElement) => Answer;
  /** Places without which nothing is asked. Default: all. */
  needed?: readonly string[];
  hasFilter?: boolean;
  /** Above the rows, made once. */
  top?: HTMLElement;
  /** Below the rows, made once. */
  more?: readonly HTMLElement[];
  buttons?: readonly HTMLElement[];
  /** Drawn over the answer. */
  drawMore?: (marks: Marks) => void;
  leave?: () => void;
  key?: (event: KeyboardEvent) => boolean;
  /** There is no answer: no mesh, or a place is missing. */
  onNothing?: () => void;
}

export interface AskTool extends Tool {
  values: () => Values;
  setValue: (id: string, value: Value) => void;
  places: () => Places;
  setPlaces: (next: Places) => void;
  ask: () => void;
}

export function createAskTool(context: ToolContext, kind: AskKind): AskTool {
  const { store, view, palette, redraw, save, saved } = context;
  const { needed = kind.places.map(({ id }) => id), hasFilter = true, hidden = [] } = kind;
  const allFields = [...kind.fields, ...hidden];
  let places: Places = {};
  let values: Values = {};
  let answer: Answer | undefined;
  let codeText = '';
  let snap: Snap = 'free';
  let grabbed: string | undefined;
  let last = kind.places[kind.places.length - 1].id;

  const times = new Map<string, HTMLElement>();
  const timeOf = (id: string): HTMLElement => {
    const known = times.get(id) ?? h('span', { 'data-time': id }, '…');
    times.set(id, known);
    return known;
  };
  const watch = createStopwatch((id, us) => void (timeOf(id).textContent = formatUs(us)));
  const filter = createFilterPanel(context, () => ask());
  const fields = createFieldRows(kind.fields, (id, value, isDone) => {
    values = { ...values, [id]: value };
    fields.show(values);
    ask();
    if (isDone) keep();
  });
  const rows = h('div', { class: 'rows' });
  const message = h('p', { class: 'ask-message', role: 'status' });
  const legend = h('div', {});
  const inputs: ReadonlyMap<string, HTMLInputElement> = new Map(
    kind.places.map(
      ({ id, title }) =>
        [
          id,
          h('input', {
            type: 'text',
            inputmode: 'text',
            spellcheck: 'false',
            placeholder: 'x, y, z: click the ground',
            'aria-label': `${title}: x, y, z`,
            'data-place': id,
            onchange: () => setPlaces({ [id]: readPlace(inputs.get(id)!.value) ?? places[id] }),
          }),
        ] as const,
    ),
  );
  const snapSelect = h('select', { 'aria-label': 'Snap to', onchange: () => void (snap = snapSelect.value as Snap) });
  for (const [value, title] of SNAPS) snapSelect.append(h('option', { value }, title));
  const code = h('pre', { 'data-part': 'code' });
  const copy = h(
    'button',
    {
      class: 'button',
      title: 'This question as TypeScript',
      onclick: () => {
        void (navigator.clipboard?.writeText(codeText) ?? Promise.reject(new Error('no clipboard'))).then(
          () => context.say('info', 'The question is in the clipboard, as code.'),
          () => context.say('info', 'This page may not write to the clipboard: open "Code" and copy it there.'),
        );
      },
    },
    'Copy',
  );
  const panel = h(
    'div',
    { class: 'ask' },
    h(
      'div',
      { class: 'ask-places' },
      ...kind.places.map(({ id, title, form }) =>
        h(
          'label',
          { class: 'ask-place' },
          h('span', { class: `ask-form ${form}` }),
          h('span', { class: 'ask-name' }, title),
          inputs.get(id)!,
        ),
      ),
    ),
    fields.element,
    kind.top,
    rows,
    message,
    legend,
    ...(kind.more ?? []),
    kind.buttons === undefined ? undefined : h('div', { class: 'buttons' }, ...kind.buttons),
    hasFilter ? filter.panel : undefined,
    h('details', { class: 'ask-more' }, h('summary', {}, 'Code'), code, h('div', { class: 'buttons' }, copy)),
    h(
      'details',
      { class: 'ask-more' },
      h('summary', {}, 'Moving places'),
      h('label', { class: 'ask-field' }, h('span', { class: 'ask-name' }, 'Snap to'), snapSelect),
      h(
        'p',
        { class: 'hint' },
        'Ctrl while dragging: corners. With the view in focus, arrow keys move the place touched last ' +
          'by 0.1 m (Shift: 1 m), Page up and down lift it, Enter takes the next one.',
      ),
    ),
  );

  const ask = (): void => {
    const { mesh } = store.get();
    const missing = needed.find((id) => places[id] === undefined);
    if (mesh === undefined || missing !== undefined) {
      answer = undefined;
      const title = kind.places.find(({ id }) => id === missing)?.title.toLowerCase();
      rows.replaceChildren(
        row('Answer', mesh === undefined ? 'there is no mesh yet' : `click the ground to set the ${title}`),
      );
      legend.replaceChildren();
      message.textContent = codeText = code.textContent = '';
      watch.stop();
      kind.onNothing?.();
    } else {
      answer = kind.ask(
        {
          mesh: mesh.navMesh,
          state: store.get(),
          places,
          values,
          filter: filter.get(),
          filterCode: filter.code(),
        },
        timeOf,
      );
      rows.replaceChildren(...answer.rows);
      legend.replaceChildren(...(answer.legend === undefined ? [] : [answer.legend]));
      message.textContent = answer.message ?? '';
      const { names, lines } = answer.code;
      codeText = code.textContent = codeOf(names, filter.code(), lines);
      watch.ask(answer.runs);
    }
    for (const [id, input] of inputs) if (document.activeElement !== input) input.value = places[id]?.join(', ') ?? '';
    copy.disabled = answer === undefined;
    redraw();
  };
  const keep = (): void => {
    const kept: Record<string, unknown> = {};
    for (const { id } of kind.places) if (places[id] !== undefined) kept[id] = places[id];
    for (const field of allFields) if (values[field.id] !== field.initial) kept[field.id] = values[field.id];
    save(kept);
  };
  const setPlaces = (next: Places, isDone: boolean = true): void => {
    places = { ...places, ...next };
    ask();
    if (isDone) keep();
  };
  /** From the link, else where the path's ends are, else the scene's own, else none. */
  const restore = (): void => {
    const own = saved();
    const path = store.get().toolStates['path'] ?? {};
    const ends = sceneEnds(store.get());
    const initial = (which: 'from' | 'to' | 'none'): Vec3 | undefined => {
      const place = which === 'none' ? undefined : isPoint(path[which]) ? path[which] : ends[which];
      return place === undefined ? undefined : rounded(place);
    };
    places = Object.fromEntries(
      kind.places.map(({ id, initial: which }) => [id, isPoint(own[id]) ? own[id] : initial(which)]),
    );
    values = Object.fromEntries(allFields.map((field) => [field.id, readValue(field, own[field.id])]));
    fields.show(values);
    filter.refresh();
    ask();
  };
  const shown = (): (Vec3 | undefined)[] => kind.places.map(({ id }) => places[id]).reverse();
  const grab = (at: number): string | undefined => (at < 0 ? undefined : kind.places[kind.places.length - 1 - at].id);

  return {
    panel,
    values: () => values,
    places: () => places,
    setPlaces,
    setValue(id, value) {
      values = { ...values, [id]: value };
      fields.show(values);
      ask();
      keep();
    },
    ask,
    enter: restore,
    leave() {
      watch.stop();
      kind.leave?.();
    },
    changed(_state, keys) {
      if (keys.has('source')) restore();
      else if (keys.has('mesh') || keys.has('theme')) {
        filter.refresh();
        ask();
      }
    },
    down(pointer) {
      grabbed = grab(pointer.nearest(shown()));
      if (grabbed !== undefined) last = grabbed;
      return grabbed !== undefined;
    },
    drag(pointer) {
      const hit = pointer.hit();
      if (hit === undefined || grabbed === undefined) return;
      setPlaces({ [grabbed]: snapped(store.get().mesh?.navMesh, hit, pointer, snap) }, false);
    },
    up() {
      grabbed = undefined;
      keep();
    },
    click(pointer) {
      const hit = pointer.hit();
      if (hit === undefined) return;
      const unset = kind.places.find(({ id }) => places[id] === undefined);
      const end = kind.places[kind.places.length - 1];
      last = pointer.shift ? kind.places[0].id : (unset ?? end).id;
      setPlaces({ [last]: snapped(store.get().mesh?.navMesh, hit, pointer, snap) });
    },
    hover: (pointer) => (pointer.nearest(shown()) >= 0 ? 'grab' : undefined),
    key(event) {
      if (kind.key?.(event) === true) return true;
      if (event.ctrlKey || event.metaKey || event.altKey) return false;
      if (event.key === 'Enter') {
        const at = kind.places.findIndex(({ id }) => id === last);
        last = kind.places[(at + 1) % kind.places.length].id;
        redraw();
        return true;
      }
      const place = places[last];
      const next = place === undefined ? undefined : nudged(store.get().mesh?.navMesh, place, event, view);
      if (next === undefined) return false;
      setPlaces({ [last]: next });
      return true;
    },
    draw() {
      const marks = createMarks(originOf(store.get()), palette());
      answer?.draw(marks);
      if (answer !== undefined) kind.drawMore?.(marks);
      for (const { id, form } of kind.places) {
        const place = places[id];
        if (place === undefined) continue;
        const { start, end } = palette();
        const { list, colors } = marks;
        const order = 60;
        const origin = originOf(store.get());
        const positions = Float32Array.from(
          place,
          (value, axis) => value - origin[axis as 0] + (axis === 1 ? 0.06 : 0),
        );
        const put = (color: string, size: number, above: number): void =>
          void list.push({ kind: 'points', positions, color, size, isOnTop: true, order: order + above });
        // The one that keys move has a rim.
        if (id === last && kind.places.length > 1) put(colors.faint, 13, 0);
        put(colors.halo, 11, 1);
        put(form === 'ring' ? start : end, 8, 2);
        if (form === 'ring') put(colors.halo, 3.5, 3);
      }
      return marks.list;
    },
  };
}
