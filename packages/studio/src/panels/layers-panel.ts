/** Layers to show and hide, with how much each draws. */
import type { LayerInfo, Layers } from '../view/layers.ts';
import { formatCount, h } from './dom.ts';

export function createLayersPanel(layers: Layers): HTMLElement {
  const element = h('div', { class: 'layers' });
  const boxes = new Map<string, { input: HTMLInputElement; count: HTMLElement }>();
  let group = '';
  for (const { id, title, help, group: heading } of layers.list()) {
    if (heading !== group) element.append(h('h3', {}, heading));
    group = heading;
    const input = h('input', { type: 'checkbox', onchange: () => layers.show(id, input.checked) });
    const count = h('span', { class: 'note' });
    element.append(h('label', { class: 'layer', title: help, 'data-layer': id }, input, h('span', {}, title), count));
    boxes.set(id, { input, count });
  }
  const refresh = (): void => {
    for (const info of layers.list()) {
      const { input, count } = boxes.get(info.id)!;
      input.checked = info.isShown;
      count.textContent = info.isShown ? countText(info) : '';
    }
  };
  layers.onChange(refresh);
  refresh();
  return element;
}

function countText({ triangles, lines, points }: LayerInfo): string {
  const most = triangles > 0 ? triangles : lines > 0 ? lines : points;
  return most === 0 ? '–' : formatCount(most);
}
