/** The link tool: two clicks add a link, drags move its ends, and Shift-click deletes it. */
import { LINK_KINDS } from 'navkiln';
import type { LinkKind, LinkOptions } from 'navkiln';
import { h } from '../../dom/dom.ts';
import { choiceField, switchField, textField } from '../../dom/fields.ts';
import type { SwitchField, TextField } from '../../dom/fields.ts';
import type { Vec3 } from '../../state/state.ts';
import type { Drawing } from '../../view/drawing.ts';
import { arc } from '../../view/mesh-layer.ts';
import type { Tool, ToolContext, ToolPointer } from '../tool.ts';
import { button, chain, changeEdits, handles, isDelete, numberField, replaced, summaryOf, without } from './shared.ts';
import type { EditNumber } from './shared.ts';

const DEFAULT_AREA = 63;

/** The state that the functions of this file share. */
interface LinkEditor {
  context: ToolContext;
  bothWays: boolean;
  area: number;
  /** The first end of a link that is not complete yet. */
  start: Vec3 | undefined;
  /** Index of the selected link, or -1. */
  selected: number;
  /** The end that is dragged. */
  grab: { link: number; end: 'start' | 'end' } | undefined;
  /** The dragged link before the release. */
  moved: LinkOptions | undefined;
  card: LinkCard;
}

interface LinkCard {
  panel: HTMLElement;
  bothWays: HTMLInputElement;
  area: EditNumber;
  radius: EditNumber;
  cost: EditNumber;
  kind: ReturnType<typeof choiceField>;
  name: TextField;
  open: SwitchField;
  turn: HTMLButtonElement;
  note: HTMLElement;
  remove: HTMLButtonElement;
}

export function createLinkTool(context: ToolContext): Tool {
  const editor: LinkEditor = {
    context,
    bothWays: true,
    area: DEFAULT_AREA,
    start: undefined,
    selected: -1,
    grab: undefined,
    moved: undefined,
    card: createCard(() => editor),
  };
  return {
    panel: editor.card.panel,
    enter: () => show(editor),
    changed(_state, keys) {
      if (keys.has('source')) editor.start = undefined;
      if (editor.selected >= linksOf(editor).length) editor.selected = -1;
      show(editor);
    },
    down: (pointer) => startDrag(editor, pointer),
    drag(pointer) {
      const { grab } = editor;
      const to = pointer.hit()?.point;
      if (grab === undefined || to === undefined) return;
      editor.moved = { ...linksOf(editor)[grab.link], [grab.end]: [...to] };
      context.redraw();
    },
    up() {
      const { moved, grab } = editor;
      if (moved !== undefined && grab !== undefined) {
        change(editor, 'move link', replaced(linksOf(editor), grab.link, moved));
      }
      editor.grab = editor.moved = undefined;
      show(editor);
    },
    click(pointer) {
      const point = pointer.hit()?.point;
      if (point !== undefined) addEnd(editor, point);
    },
    key(event) {
      if (event.key === 'Escape' && editor.start !== undefined) {
        editor.start = undefined;
        show(editor);
      } else if (isDelete(event) && editor.selected >= 0) editor.card.remove.click();
      else return false;
      return true;
    },
    hover: (pointer) => (editor.start === undefined && pointer.nearest(endsOf(editor)) >= 0 ? 'grab' : 'crosshair'),
    draw: () => draw(editor),
    inspect: () => ({ links: linksOf(editor).length, selected: editor.selected, ends: endsOf(editor) }),
  };
}

function createCard(editorOf: () => LinkEditor): LinkCard {
  const changeSelected = (name: string, patch: Partial<LinkOptions>): void => {
    const editor = editorOf();
    const link = linksOf(editor)[editor.selected];
    if (link !== undefined) change(editor, name, replaced(linksOf(editor), editor.selected, { ...link, ...patch }));
  };
  const bothWays = h('input', {
    type: 'checkbox',
    checked: true,
    onchange: () => {
      editorOf().bothWays = bothWays.checked;
      changeSelected('direction of link', { bothWays: bothWays.checked });
    },
  });
  const area = numberField('Area', '', DEFAULT_AREA, { min: 1, max: 63, step: 1 }, (value) => {
    editorOf().area = Math.round(value);
    changeSelected('area of link', { area: Math.round(value) });
  });
  const radius = numberField('Radius', 'm', 0, { min: 0, step: 0.1 }, (value) =>
    changeSelected('radius of link', { radius: value }),
  );
  radius.element.title = 'How far an end may be from its polygon';
  const cost = numberField('Cost', 'm', 0, { min: 0, step: 1 }, (value) =>
    changeSelected('cost of link', { cost: value }),
  );
  cost.element.title = 'Counts as this length in paths';
  const kind = choiceField('Kind', (value) =>
    changeSelected('kind of link', { kind: value === 'other' ? undefined : (value as LinkKind) }),
  );
  kind.element.title = 'What agents do on it; agent types may close kinds';
  const name = textField('Name', (value) => changeSelected('name of link', { name: value }));
  name.element.title = 'Opens and closes with everything of this name: a door, a lift';
  const open = switchField('Open', (isOn) => changeSelected('door', { enabled: isOn ? undefined : false }));
  const turn = button('Reverse', () => {
    const link = linksOf(editorOf())[editorOf().selected];
    if (link !== undefined) changeSelected('reverse link', { start: link.end, end: link.start });
  });
  const note = h('p', { class: 'hint' });
  const remove = button('Delete', () => {
    const editor = editorOf();
    change(editor, 'delete link', without(linksOf(editor), editor.selected));
    select(editor, -1);
  });
  const direction = h('label', { class: 'edit-field' }, h('span', { class: 'row-name' }, 'Both ways'), bothWays);
  const buttons = h('div', { class: 'buttons' }, turn, remove);
  const more = [radius.element, cost.element, kind.element, name.element, open.element];
  const panel = h('div', { class: 'edit-panel' }, direction, area.element, ...more, note, buttons);
  return { panel, bothWays, area, radius, cost, kind, name, open, turn, note, remove };
}

function linksOf({ context }: LinkEditor): readonly LinkOptions[] {
  return context.store.get().edits.links;
}

/** Returns the links with the dragged one where it is now. */
function shownLinks(editor: LinkEditor): readonly LinkOptions[] {
  const { moved, grab } = editor;
  return moved === undefined || grab === undefined ? linksOf(editor) : replaced(linksOf(editor), grab.link, moved);
}

/** Returns the ends of all links: the start and the end of link i at 2 * i and 2 * i + 1. */
function endsOf(editor: LinkEditor): Vec3[] {
  return shownLinks(editor).flatMap((link) => [centerOf(link.start), centerOf(link.end)]);
}

function change({ context }: LinkEditor, name: string, links: readonly LinkOptions[]): void {
  changeEdits(context, name, { links });
}

function select(editor: LinkEditor, index: number): void {
  const { card } = editor;
  editor.selected = index;
  const link = linksOf(editor)[index];
  if (link !== undefined) {
    card.bothWays.checked = editor.bothWays = link.bothWays ?? false;
    card.area.set((editor.area = link.area ?? DEFAULT_AREA));
  }
  show(editor);
}

function show(editor: LinkEditor): void {
  const { card, selected, start, context } = editor;
  const link = linksOf(editor)[selected];
  card.remove.disabled = card.turn.disabled = link === undefined;
  for (const { element } of [card.radius, card.cost, card.kind, card.name, card.open])
    element.hidden = link === undefined;
  if (link !== undefined) showLink(editor, link);
  card.note.textContent =
    start !== undefined
      ? 'Click where the link ends, or press Escape to cancel.'
      : summaryOf(linksOf(editor).length, 'link', selected);
  context.redraw();
}

function showLink({ card, context }: LinkEditor, link: LinkOptions): void {
  const [from, to] = [centerOf(link.start), centerOf(link.end)];
  card.radius.set(link.radius ?? context.store.get().mesh?.navMesh.agent.radius ?? 0);
  card.cost.set(link.cost ?? Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]));
  card.kind.set(
    LINK_KINDS.map((kind) => [kind, kind]),
    link.kind ?? 'other',
  );
  card.name.set(link.name ?? '');
  card.open.element.hidden = link.name === undefined;
  card.open.set(link.enabled !== false);
}

/** Grabs the end under the pointer; with Shift it deletes the link. */
function startDrag(editor: LinkEditor, pointer: ToolPointer): boolean {
  if (editor.start !== undefined) return false;
  const index = pointer.nearest(endsOf(editor));
  if (index < 0) return false;
  const link = index >> 1;
  if (pointer.shift) {
    change(editor, 'delete link', without(linksOf(editor), link));
    select(editor, -1);
    return true;
  }
  select(editor, link);
  editor.grab = { link, end: index % 2 === 0 ? 'start' : 'end' };
  return true;
}

/** Sets the first end of a new link, or completes it. */
function addEnd(editor: LinkEditor, point: Vec3): void {
  const { start, bothWays, area } = editor;
  if (start === undefined) {
    editor.selected = -1;
    editor.start = point;
  } else {
    editor.start = undefined;
    change(editor, 'add link', [...linksOf(editor), { start: [...start], end: [...point], bothWays, area }]);
    editor.selected = linksOf(editor).length - 1;
  }
  show(editor);
}

function draw(editor: LinkEditor): Drawing[] {
  const { context, selected, start } = editor;
  const { link: linkColor, start: startColor } = context.palette();
  const drawings = shownLinks(editor).flatMap((link, i) => {
    const [from, to] = [centerOf(link.start), centerOf(link.end)];
    const isSelected = i === selected;
    return [
      ...chain(context, arc(from, to), linkColor, false, isSelected ? 4 : 2.5),
      ...handles(context, [from, to], linkColor, isSelected ? 8 : 5),
    ];
  });
  return start === undefined ? drawings : [...drawings, ...handles(context, [start], startColor, 7)];
}

/** Returns the center of a link end, which is a point or a segment. */
function centerOf(end: LinkOptions['start']): Vec3 {
  const point = (p: ArrayLike<number> | { x: number; y: number; z: number }): Vec3 =>
    'x' in p ? [p.x, p.y, p.z] : [p[0], p[1], p[2]];
  const [first, second] = Array.isArray(end) ? (end as unknown[]) : [];
  if (typeof first !== 'object' || first === null) return point(end as ArrayLike<number>);
  const [a, b] = [point(first as ArrayLike<number>), point(second as ArrayLike<number>)];
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
}
