/** The card of a query tool: points, fields, result, filter and code. */
import { forPointer, h } from '../../dom/dom.ts';
import type { Say } from '../../state/message.ts';
import type { Filter } from './filter.ts';
import type { QueryKind } from './kind.ts';
import { SNAPS } from './points.ts';
import type { Snap } from './points.ts';
import './query.css';

export interface QueryCard {
  panel: HTMLElement;
  rows: HTMLElement;
  message: HTMLElement;
  legend: HTMLElement;
  /** Text inputs of the points, by id. */
  inputs: ReadonlyMap<string, HTMLInputElement>;
  /** Says which coordinates the input of a point takes. */
  setPlane: (id: string, isMap: boolean) => void;
  /** Shows the query as code; '' when there is no result. */
  setCode: (text: string) => void;
}

export interface CardHandlers {
  /** The user has typed a point. */
  onPoint: (id: string, text: string) => void;
  onSnap: (snap: Snap) => void;
  say: Say;
}

export function createQueryCard(
  kind: QueryKind,
  fields: HTMLElement,
  filter: Filter | undefined,
  { onPoint, onSnap, say }: CardHandlers,
): QueryCard {
  const rows = h('div', { class: 'rows' });
  const message = h('p', { class: 'query-message', role: 'status' });
  const legend = h('div', {});
  const inputs = new Map(kind.points.map(({ id }) => [id, pointInput(id, onPoint)]));
  const code = createCode(say);
  const pointRows = kind.points.map(({ id, title, form }) =>
    h(
      'label',
      { class: 'query-point' },
      h('span', { class: `query-form ${form}` }),
      h('span', { class: 'query-name' }, title),
      inputs.get(id),
    ),
  );
  const panel = h(
    'div',
    { class: 'query' },
    h('div', { class: 'query-points' }, ...pointRows),
    fields,
    kind.top,
    rows,
    message,
    legend,
    ...(kind.more ?? []),
    kind.buttons === undefined ? undefined : h('div', { class: 'buttons' }, ...kind.buttons),
    filter?.panel,
    code.element,
    snapSection(onSnap),
  );
  const setPlane = (id: string, isMap: boolean): void => {
    const input = inputs.get(id)!;
    const title = kind.points.find((point) => point.id === id)!.title;
    input.placeholder = forPointer(isMap ? 'x, y: click the map' : 'x, y, z: click the mesh');
    input.setAttribute('aria-label', `${title}: ${isMap ? 'x, y' : 'x, y, z'}`);
  };
  for (const { id } of kind.points) setPlane(id, false);
  return { panel, rows, message, legend, inputs, setPlane, setCode: code.set };
}

function pointInput(id: string, onPoint: CardHandlers['onPoint']): HTMLInputElement {
  const input = h('input', {
    type: 'text',
    inputmode: 'text',
    spellcheck: 'false',
    'data-point': id,
    onchange: () => onPoint(id, input.value),
  });
  return input;
}

function createCode(say: Say): { element: HTMLElement; set: (text: string) => void } {
  let text = '';
  const code = h('pre', { 'data-part': 'code' });
  const copyCode = (): void => {
    void (navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))).then(
      () => say('info', 'Copied the query as code.'),
      () => say('info', 'The clipboard is not available: open "Code" and copy it there.'),
    );
  };
  const copy = h('button', { class: 'button', title: 'Copy this query as TypeScript', onclick: copyCode }, 'Copy');
  return {
    element: h(
      'details',
      { class: 'query-more' },
      h('summary', {}, 'Code'),
      code,
      h('div', { class: 'buttons' }, copy),
    ),
    set(next) {
      text = code.textContent = next;
      copy.disabled = next === '';
    },
  };
}

function snapSection(onSnap: CardHandlers['onSnap']): HTMLElement {
  const select = h('select', { 'aria-label': 'Snap to', onchange: () => onSnap(select.value as Snap) });
  for (const [value, title] of SNAPS) select.append(h('option', { value }, title));
  return h(
    'details',
    { class: 'query-more' },
    h('summary', {}, 'Moving points'),
    h('label', { class: 'query-field' }, h('span', { class: 'query-name' }, 'Snap to'), select),
    h(
      'p',
      { class: 'hint' },
      'Hold Ctrl while dragging to snap to polygon corners. With focus on the view, the arrow keys move the last point by 0.1 m ' +
        '(with Shift 1 m), Page Up and Page Down raise and lower it, and Enter chooses the next point.',
    ),
  );
}
