/** What the tools that edit share: fields of their cards, handles, changing one list of the edits. */
import { h } from '../../dom/dom.ts';
import { plural } from '../../state/format.ts';
import { originOf } from '../../state/state.ts';
import type { Edits, Vec3 } from '../../state/state.ts';
import type { Drawing } from '../../view/drawing.ts';
import type { ToolContext } from '../tool.ts';

/** A field of a number with a label and a unit. */
export function numberField(
  label: string,
  unit: string,
  value: number,
  limits: { min: number; max?: number; step: number },
  onChange: (value: number) => void,
): { element: HTMLElement; set: (value: number) => void } {
  const input = h('input', {
    type: 'number',
    ...limits,
    value,
    class: 'edit-number',
    onchange: () => {
      const given = Number(input.value);
      const isFine =
        Number.isFinite(given) && input.value !== '' && given >= limits.min && given <= (limits.max ?? Infinity);
      if (isFine) onChange(given);
      else input.value = String(value);
    },
  });
  const set = (next: number): void => {
    value = next;
    input.value = String(Number(next.toFixed(3)));
  };
  const element = h(
    'label',
    { class: 'edit-field' },
    h('span', { class: 'row-name' }, label),
    input,
    h('span', { class: 'note' }, unit),
  );
  return { element, set };
}

export function button(label: string, onclick: () => void, title?: string): HTMLButtonElement {
  return h('button', { class: 'button', onclick, title }, label);
}

/** Changes part of the edits as a step of the history. */
export function changeEdits({ store, history }: ToolContext, name: string, patch: Partial<Edits>): void {
  history.edit(name, { edits: { ...store.get().edits, ...patch } });
}

/** What a card says of its list; `selected`: an index, -1: none. */
export function sayCount(count: number, name: string, selected: number): string {
  if (count === 0) return 'There is none yet.';
  return `${plural(count, name)}${selected < 0 ? '' : `; number ${selected + 1} is selected`}.`;
}

/** Is it a key that takes away what is selected? */
export function isDelete({ key }: KeyboardEvent): boolean {
  return key === 'Delete' || key === 'Backspace';
}

export function replaced<T>(list: readonly T[], at: number, value: T): T[] {
  return list.map((one, i) => (i === at ? value : one));
}

export function without<T>(list: readonly T[], at: number): T[] {
  return list.filter((_, i) => i !== at);
}

/** World points relative to what is drawn around. */
export function localOf({ store }: ToolContext, points: readonly Vec3[]): Float32Array {
  const origin = originOf(store.get());
  return Float32Array.from(points.flatMap(([x, y, z]) => [x - origin[0], y - origin[1], z - origin[2]]));
}

/** Dots with a rim, seen through everything. */
export function handles(context: ToolContext, points: readonly Vec3[], color: string, size = 6): Drawing[] {
  if (points.length === 0) return [];
  const positions = localOf(context, points);
  return [
    { kind: 'points', positions, color: context.palette().halo, size: size + 3, isOnTop: true, order: 3 },
    { kind: 'points', positions, color, size, isOnTop: true, order: 4 },
  ];
}

/** Lines through points, seen through everything; closed or not. */
export function chain(
  context: ToolContext,
  points: readonly Vec3[],
  color: string,
  isClosed = false,
  width = 2.5,
): Drawing[] {
  const pairs: Vec3[] = [];
  for (let i = 1; i < points.length; i++) pairs.push(points[i - 1], points[i]);
  if (isClosed && points.length > 2) pairs.push(points.at(-1)!, points[0]);
  return pairs.length === 0
    ? []
    : [{ kind: 'lines', positions: localOf(context, pairs), color, width, isOnTop: true, order: 1 }];
}
