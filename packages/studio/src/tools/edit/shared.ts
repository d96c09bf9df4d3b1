/** Shared by the edit tools: card fields, handles, and changes of one list of the edits. */
import { h } from '../../dom/dom.ts';
import { createNumberInput } from '../../dom/number-input.ts';
import { plural } from '../../state/format.ts';
import { originOf } from '../../state/state.ts';
import type { Edits, Vec3 } from '../../state/state.ts';
import type { Drawing } from '../../view/drawing.ts';
import type { ToolContext } from '../tool.ts';

export interface EditNumber {
  element: HTMLElement;
  set: (value: number) => void;
}

/** Creates a number input with a label and a unit. */
export function numberField(
  label: string,
  unit: string,
  value: number,
  limits: { min: number; max?: number; step: number },
  onChange: (value: number) => void,
): EditNumber {
  const input = createNumberInput({
    label: label.toLowerCase(),
    ...limits,
    value,
    props: { class: 'edit-number' },
    onValue: onChange,
  });
  const set = (next: number): void => input.show(Number(next.toFixed(3)));
  const element = h(
    'label',
    { class: 'edit-field' },
    h('span', { class: 'row-name' }, label),
    input.element,
    h('span', { class: 'note' }, unit),
  );
  return { element, set };
}

export function button(label: string, onclick: () => void, title?: string): HTMLButtonElement {
  return h('button', { class: 'button', onclick, title }, label);
}

/** Changes a part of the edits as one step of the history. */
export function changeEdits({ store, history }: ToolContext, name: string, patch: Partial<Edits>): void {
  history.edit(name, { edits: { ...store.get().edits, ...patch } });
}

/** Describes a list in a sentence. `selected` is an index, or -1. */
export function summaryOf(count: number, name: string, selected: number): string {
  if (count === 0) return `There are no ${name}s yet.`;
  return `${plural(count, name)}${selected < 0 ? '' : `; number ${selected + 1} is selected`}.`;
}

/** Checks for a key that deletes the selected item. */
export function isDelete({ key }: KeyboardEvent): boolean {
  return key === 'Delete' || key === 'Backspace';
}

/** Returns the list with one item replaced. */
export function replaced<T>(list: readonly T[], index: number, value: T): T[] {
  return list.map((item, i) => (i === index ? value : item));
}

/** Returns the list without one item. */
export function without<T>(list: readonly T[], index: number): T[] {
  return list.filter((_, i) => i !== index);
}

/** Converts world points to drawn coordinates. */
export function localOf({ store }: ToolContext, points: readonly Vec3[]): Float32Array {
  const origin = originOf(store.get());
  return Float32Array.from(points.flatMap(([x, y, z]) => [x - origin[0], y - origin[1], z - origin[2]]));
}

/** Draws dots with a rim that are visible through everything. */
export function handles(context: ToolContext, points: readonly Vec3[], color: string, size = 6): Drawing[] {
  if (points.length === 0) return [];
  const positions = localOf(context, points);
  return [
    { kind: 'points', positions, color: context.palette().halo, size: size + 3, isOnTop: true, order: 3 },
    { kind: 'points', positions, color, size, isOnTop: true, order: 4 },
  ];
}

/** Joins lines and points of the same style: each drawing costs time in every frame, and maps may have many rings. */
export function joined(drawings: readonly Drawing[]): Drawing[] {
  const groups = new Map<string, Drawing[]>();
  for (const drawing of drawings) {
    const { positions: _, ...style } = drawing;
    const key = JSON.stringify(style);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [drawing]);
    else group.push(drawing);
  }
  return [...groups.values()].map((group): Drawing => {
    if (group.length === 1) return group[0];
    const positions = new Float32Array(group.reduce((sum, { positions: own }) => sum + own.length, 0));
    let at = 0;
    for (const { positions: own } of group) {
      positions.set(own, at);
      at += own.length;
    }
    return { ...group[0], positions };
  });
}

/** Draws a line through points, closed or open, that is visible through everything. */
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
