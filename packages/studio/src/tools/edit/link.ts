/** The link tool: two clicks add a link, drags move its ends, and Shift-click deletes it. */
import type { LinkOptions } from 'navkiln';
import { h } from '../../dom/dom.ts';
import type { Vec3 } from '../../state/state.ts';
import type { Drawing } from '../../view/drawing.ts';
import { arc } from '../../view/mesh-layer.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { button, chain, changeEdits, handles, isDelete, numberField, replaced, summaryOf, without } from './shared.ts';

export function createLinkTool(context: ToolContext): Tool {
  const { store, redraw, palette } = context;
  const state = { bothWays: true, area: 63 };
  let start: Vec3 | undefined;
  let selected = -1;
  let grab: { link: number; end: 'start' | 'end' } | undefined;
  let moved: LinkOptions | undefined;

  const links = (): readonly LinkOptions[] => store.get().edits.links;
  const shown = (): readonly LinkOptions[] =>
    moved === undefined || grab === undefined ? links() : replaced(links(), grab.link, moved);
  const change = (name: string, next: readonly LinkOptions[]): void => changeEdits(context, name, { links: next });
  const ends = (): Vec3[] => shown().flatMap((link) => [centerOf(link.start), centerOf(link.end)]);

  const both = h('input', {
    type: 'checkbox',
    checked: true,
    onchange: () => {
      state.bothWays = both.checked;
      if (selected >= 0)
        change('direction of link', replaced(links(), selected, { ...links()[selected], bothWays: both.checked }));
    },
  });
  const area = numberField('Area', '', state.area, { min: 1, max: 63, step: 1 }, (value) => {
    state.area = Math.round(value);
    if (selected >= 0) change('area of link', replaced(links(), selected, { ...links()[selected], area: state.area }));
  });
  const note = h('p', { class: 'hint' });
  const remove = button('Delete', () => {
    change('delete link', without(links(), selected));
    select(-1);
  });
  const direction = h('label', { class: 'edit-field' }, h('span', { class: 'row-name' }, 'Both ways'), both);
  const panel = h(
    'div',
    { class: 'edit-panel' },
    direction,
    area.element,
    note,
    h('div', { class: 'buttons' }, remove),
  );

  const select = (index: number): void => {
    selected = index;
    const link = links()[index];
    if (link !== undefined) {
      both.checked = state.bothWays = link.bothWays ?? false;
      area.set((state.area = link.area ?? 63));
    }
    show();
  };
  const show = (): void => {
    remove.disabled = selected < 0;
    note.textContent =
      start !== undefined
        ? 'Click where the link ends, or press Escape to cancel.'
        : summaryOf(links().length, 'link', selected);
    redraw();
  };
  return {
    panel,
    enter: show,
    changed(_state, keys) {
      if (keys.has('source')) start = undefined;
      if (selected >= links().length) selected = -1;
      show();
    },
    down(pointer) {
      if (start !== undefined) return false;
      const near = pointer.nearest(ends());
      if (near < 0) return false;
      if (pointer.shift) {
        change('delete link', without(links(), near >> 1));
        select(-1);
        return true;
      }
      select(near >> 1);
      grab = { link: near >> 1, end: near % 2 === 0 ? 'start' : 'end' };
      return true;
    },
    drag(pointer) {
      const to = pointer.hit()?.point;
      if (grab === undefined || to === undefined) return;
      moved = { ...links()[grab.link], [grab.end]: [...to] };
      redraw();
    },
    up() {
      if (moved !== undefined && grab !== undefined) change('move link', replaced(links(), grab.link, moved));
      grab = moved = undefined;
      show();
    },
    click(pointer) {
      const point = pointer.hit()?.point;
      if (point === undefined) return;
      if (start === undefined) {
        selected = -1;
        start = point;
      } else {
        const link: LinkOptions = { start: [...start], end: [...point], bothWays: state.bothWays, area: state.area };
        start = undefined;
        change('add link', [...links(), link]);
        selected = links().length - 1;
      }
      show();
    },
    key(event) {
      if (event.key === 'Escape' && start !== undefined) {
        start = undefined;
        show();
      } else if (isDelete(event) && selected >= 0) remove.click();
      else return false;
      return true;
    },
    hover: (pointer) => (start === undefined && pointer.nearest(ends()) >= 0 ? 'grab' : 'crosshair'),
    draw() {
      const { link: color, start: green } = palette();
      const drawings: Drawing[] = shown().flatMap((link, i) => {
        const [from, to] = [centerOf(link.start), centerOf(link.end)];
        const own = i === selected ? handles(context, [from, to], color, 8) : handles(context, [from, to], color, 5);
        return [...chain(context, arc(from, to), color, false, i === selected ? 4 : 2.5), ...own];
      });
      return start === undefined ? drawings : [...drawings, ...handles(context, [start], green, 7)];
    },
    inspect: () => ({ links: links().length, selected, ends: ends() }),
  };
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
