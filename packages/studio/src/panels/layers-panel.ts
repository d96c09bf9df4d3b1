/**
 * The panel that shows and hides layers, with the number of items that each draws, and a cut through the
 * level.
 */
import { h } from '../dom/dom.ts';
import { formatCount } from '../state/format.ts';
import { boundsOf } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import { createTypeChoice } from '../dom/type-choice.ts';
import type { LayerInfo, Layers } from '../view/layers.ts';

export function createLayersPanel(layers: Layers, store: Store): HTMLElement {
  const element = h('div', { class: 'layers' }, createTypeChoice(store, 'Show for'), createCut(store));
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

/** Creates a slider over the height of the level. At its upper end nothing is cut. */
function createCut(store: Store): HTMLElement {
  const value = h('span', { class: 'note' });
  const slider = h('input', {
    type: 'range',
    step: 'any',
    'aria-label': 'Clip height',
    oninput: () => {
      const height = Number(slider.value);
      store.update({ cut: height >= Number(slider.max) ? undefined : height });
    },
  });
  const title = 'Hides everything above this height, to look into a building';
  const element = h('label', { class: 'cut', title }, h('span', {}, 'Clip height'), slider, value);
  const refresh = (): void => {
    const bounds = boundsOf(store.get());
    const { cut } = store.get();
    const [low, high] = [bounds?.min[1] ?? 0, bounds?.max[1] ?? 0];
    element.hidden = !(high - low > 0.5);
    slider.min = String(low);
    slider.max = String(high + 0.01);
    slider.value = String(cut ?? high + 0.01);
    value.textContent = cut === undefined ? 'off' : `${cut.toFixed(1)} m`;
  };
  store.listen(['source', 'cut'], refresh);
  refresh();
  return element;
}

function countText({ triangles, lines, points }: LayerInfo): string {
  const count = triangles > 0 ? triangles : lines > 0 ? lines : points;
  return count === 0 ? '–' : formatCount(count);
}
