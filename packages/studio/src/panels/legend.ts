/** The legend of areas in a corner of the view: color, name and cost of each area of the mesh. Loaded with the first mesh that has areas. */
import { AREA_GROUND } from 'navkiln';
import { h, icon } from '../dom/dom.ts';
import { createNumberInput } from '../dom/number-input.ts';
import { areasInUse, hasAreas, nameOfArea } from '../state/areas.ts';
import { formatNumber, plural } from '../state/format.ts';
import type { History } from '../state/history.ts';
import type { Store } from '../state/store.ts';
import { MAX_COST, MIN_COST, costOf, setCost } from '../tools/query/filter.ts';
import { areaColor } from '../view/palette.ts';
import type { Palette } from '../view/palette.ts';
import './legend.css';

const PENCIL = 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4';

/** Returns the position of an area in the legend: the ground comes first. */
const rank = (area: number): number => (area === AREA_GROUND ? -1 : area);

/** Fills `element`, and hides it while there are no areas. */
export function createLegend(element: HTMLElement, store: Store, history: History, palette: () => Palette): () => void {
  let isEditing = false;
  const toggle = h(
    'button',
    {
      class: 'icon-button',
      'aria-label': 'Edit names and costs of areas',
      title: 'Edit names and costs',
      'aria-pressed': 'false',
      onclick: () => {
        isEditing = !isEditing;
        toggle.setAttribute('aria-pressed', String(isEditing));
        refresh();
      },
    },
    icon(PENCIL),
  );
  const list = h('ul', {});
  let shown = '';
  /** Show names and costs in the fields. */
  let updates: (() => void)[] = [];
  element.append(h('div', { class: 'legend-head' }, h('h2', {}, 'Areas'), toggle), list);

  const rename = (area: number, text: string): void => {
    const { edits } = store.get();
    const { [area]: _old, ...others } = edits.areaNames ?? {};
    const names = text === '' ? others : { ...others, [area]: text };
    history.edit('name of area', {
      edits: { ...edits, areaNames: Object.keys(names).length === 0 ? undefined : names },
    });
  };
  const rowOf = (area: number, count: number): HTMLElement => {
    const state = store.get();
    const name = nameOfArea(state, area);
    const cost = costOf(store, area);
    const swatch = h('span', { class: 'legend-swatch', style: `background:${areaColor(palette(), area)}` });
    const note = `area ${area}, ${plural(count, 'polygon')}`;
    if (!isEditing) {
      const price = h('span', { class: 'note' }, cost === 1 ? '' : `× ${formatNumber(cost)}`);
      return h('li', { 'data-area': area, title: `${note}, cost ${cost}` }, swatch, h('span', {}, name), price);
    }
    const isOfMap = state.mesh?.areas?.some(({ id }) => id === area) === true;
    const field = h('input', {
      type: 'text',
      class: 'edit-text',
      value: name,
      'aria-label': `name of area ${area}`,
      maxlength: 60,
      onchange: () => rename(area, field.value.trim()),
    });
    const input = createNumberInput({
      label: `cost of area ${area}`,
      min: MIN_COST,
      max: MAX_COST,
      step: 0.5,
      value: cost,
      props: { class: 'edit-number', title: 'Cost of a meter; paths prefer areas of low cost' },
      onValue: (value) => setCost(store, area, value),
    });
    updates.push(() => {
      if (document.activeElement !== field) field.value = nameOfArea(store.get(), area);
      input.show(costOf(store, area));
    });
    return h(
      'li',
      { 'data-area': area, title: note },
      swatch,
      isOfMap ? h('span', {}, name) : field,
      '×',
      input.element,
    );
  };
  const refresh = (): void => {
    const state = store.get();
    const { mesh, toolStates, edits } = state;
    element.hidden = !hasAreas(state);
    if (mesh === undefined || element.hidden) return;
    const areas = [...areasInUse(mesh.navMesh)].sort(([a], [b]) => rank(a) - rank(b));
    const texts = isEditing ? [] : [toolStates['filter'], edits.areaNames];
    const key = JSON.stringify([areas, mesh.areas, palette().ground, isEditing, texts]);
    // Fields stay, so that one that is being used keeps the focus.
    if (key === shown) return updates.forEach((update) => update());
    shown = key;
    updates = [];
    list.replaceChildren(...areas.map(([area, count]) => rowOf(area, count)));
  };
  store.listen(['mesh', 'toolStates', 'edits'], refresh);
  refresh();
  return refresh;
}
