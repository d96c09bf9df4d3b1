/** The card of the draw tool. */
import { forPointer, h, row } from '../dom/dom.ts';
import { choiceField } from '../dom/fields.ts';
import { modeButtons } from '../dom/modes.ts';
import { plural } from '../state/format.ts';
import { button, numberField } from '../tools/edit/shared.ts';
import { draftOf, shownMap } from './editor.ts';
import type { DrawMode, MapActions, MapCard, MapEditor } from './editor.ts';
import { areaAt, ringAt, ringsOf, withArea, withLayer } from '../state/map-shapes.ts';

const MODES: readonly (readonly [DrawMode, string, string])[] = [
  ['move', 'Select', 'Select and move corners and shapes'],
  ['outline', 'Outline', 'The border of the walkable area'],
  ['hole', 'Hole', 'A part of an outline that is not walkable'],
  ['obstacle', 'Obstacle', 'Removes walkable area; may overlap others and cross outlines'],
  ['area', 'Area', 'Walkable area with a name and a cost'],
];

export function createMapCard(editorOf: () => MapEditor, actions: MapActions): MapCard {
  const modes = modeButtons<DrawMode>('What to draw', MODES, actions.setMode);
  const note = h('p', { class: 'hint', 'aria-live': 'polite' });
  const close = button('Close shape', actions.close, 'Close the outline from its corners (Enter on the last one)');
  const drop = button('Remove last corner', actions.dropCorner, 'Backspace');
  const insert = button('Insert corner', actions.insert, 'Insert');
  const removeCorner = button('Delete corner', actions.removeCorner, 'Delete, or Shift-click');
  const removeRing = button('Delete shape', actions.removeRing);
  const area = createAreaFields(editorOf, actions);
  const into = choiceField('Draw in', (value) => actions.setLayer(Number(value)));
  const layers = h('div', { class: 'map-layers' });
  const snap = h('input', {
    type: 'checkbox',
    onchange: () => {
      editorOf().isSnapping = snap.checked;
      actions.show();
    },
  });
  const grid = numberField('Grid', '', 1, { min: 1e-6, step: 0.5 }, (value) => {
    editorOf().grid = value;
    actions.show();
  });
  const stages = h('select', {
    class: 'edit-text',
    'aria-label': 'Stage to draw',
    onchange: () => actions.setStage(stages.value),
  });
  const stageText = h('p', { class: 'hint', 'data-part': 'stage-text' });
  const picture = createPictureFields(editorOf, actions);
  const panel = h(
    'div',
    { class: 'edit-panel map-panel' },
    modes.element,
    note,
    h('div', { class: 'buttons' }, close, drop, insert, removeCorner, removeRing),
    into.element,
    area.element,
    layers,
    h('label', { class: 'edit-field' }, snap, 'Snap to the grid'),
    grid.element,
    h('label', { class: 'edit-field' }, h('span', { class: 'row-name' }, 'Live stage'), stages),
    stageText,
    picture.element,
  );
  return {
    panel,
    setStageText: (text) => void (stageText.textContent !== text && (stageText.textContent = text)),
    text: () => stageText.textContent ?? '',
    refresh() {
      const editor = editorOf();
      const { mode, selected, context, layer } = editor;
      const draft = draftOf(editor);
      modes.set(mode);
      close.hidden = drop.hidden = mode === 'move';
      close.disabled = draft.length < 3;
      drop.disabled = draft.length === 0;
      insert.hidden = removeCorner.hidden = removeRing.hidden = mode !== 'move';
      insert.disabled = removeRing.disabled = selected === undefined;
      removeCorner.disabled = selected === undefined || selected.corner < 0;
      note.textContent = forPointer(noteOf(editor));
      const names = (shownMap(editor).layers ?? []).map(({ name }, i): [string, string] => [String(i), name]);
      into.element.hidden = mode === 'move' || mode === 'hole' || names.length === 0;
      into.set([['-1', 'the map'], ...names], String(layer));
      snap.checked = editor.isSnapping;
      grid.set(editor.grid);
      area.refresh();
      picture.refresh();
      refreshLayers(layers, editor, actions);
      const options = [{ id: '', title: 'off' }, ...editor.live.list(context.store.get())];
      if (options.map(({ id }) => id).join() !== [...stages.options].map(({ value }) => value).join()) {
        stages.replaceChildren(...options.map(({ id, title }) => h('option', { value: id }, title)));
      }
      stages.value = editor.stage;
      if (editor.stage === '') stageText.textContent = '';
    },
  };
}

function noteOf(editor: MapEditor): string {
  const { mode, selected } = editor;
  const { draft } = editor.context.store.get().edits;
  const map = shownMap(editor);
  if (mode !== 'move') {
    const count = draft?.points.length ?? 0;
    if (count === 0) return `Click the corners of the ${mode}, or set them with arrow keys and Enter.`;
    if (count < 3) return `${plural(count, 'corner')}; a shape has at least three.`;
    return `${count} corners; click the first one again to close the ${mode}.`;
  }
  if (draft !== undefined) {
    const title = MODES.find(([id]) => id === draft.kind)![1];
    return `${plural(draft.points.length, 'corner')} of a shape that is not closed. Choose ${title} to continue it.`;
  }
  const rings = ringsOf(map);
  if (selected !== undefined) {
    const ring = ringAt(map, selected.at) ?? [];
    const title = rings.find(({ at }) => JSON.stringify(at) === JSON.stringify(selected.at))?.title ?? '';
    const corner = ring[selected.corner];
    return corner === undefined
      ? `${title}: ${ring.length} corners. Drag it, its corners, or a small dot to insert one.`
      : `${title}, corner ${selected.corner + 1} of ${ring.length}: ${corner.join(', ')}.`;
  }
  if (rings.length === 0) return 'The map is empty. Choose Outline and click its corners.';
  return `${plural(rings.length, 'shape')}; click one to select it.`;
}

interface Fields {
  element: HTMLElement;
  refresh: () => void;
}

function createAreaFields(editorOf: () => MapEditor, actions: MapActions): Fields {
  const selectedArea = (): Parameters<typeof withArea>[1] | undefined => editorOf().selected?.at;
  const name = h('input', {
    type: 'text',
    class: 'edit-number',
    'aria-label': 'area name',
    onchange: () => {
      const at = selectedArea();
      if (at !== undefined && name.value.trim() !== '') {
        actions.change('area name', withArea(shownMap(editorOf()), at, { name: name.value.trim() }));
      }
    },
  });
  const cost = numberField('Cost', '× length', 1, { min: 0.01, step: 0.5 }, (value) => {
    const at = selectedArea();
    if (at !== undefined) actions.change('area cost', withArea(shownMap(editorOf()), at, { cost: value }));
  });
  const element = h(
    'div',
    {},
    h('label', { class: 'edit-field' }, h('span', { class: 'row-name' }, 'Name'), name),
    cost.element,
  );
  return {
    element,
    refresh() {
      const area = areaAt(shownMap(editorOf()), editorOf().selected?.at);
      element.hidden = area === undefined;
      if (area === undefined) return;
      if (document.activeElement !== name) name.value = area.name;
      cost.set(area.cost ?? 1);
    },
  };
}

function refreshLayers(element: HTMLElement, editor: MapEditor, actions: MapActions): void {
  const map = shownMap(editor);
  element.hidden = (map.layers ?? []).length === 0;
  const key = JSON.stringify(map.layers?.map(({ name, enabled }) => [name, enabled !== false]));
  if (element.dataset['key'] === key) return;
  element.dataset['key'] = key;
  const boxes = (map.layers ?? []).map(({ name, enabled }, index) => {
    const box = h('input', {
      type: 'checkbox',
      checked: enabled !== false,
      onchange: () => actions.change(`layer ${name}`, withLayer(shownMap(editor), index, box.checked)),
    });
    return h('label', { class: 'edit-field' }, box, name);
  });
  element.replaceChildren(h('h3', {}, 'Layers'), ...boxes);
}

function createPictureFields(editorOf: () => MapEditor, actions: MapActions): Fields {
  const choose = button(
    'Background picture …',
    () => void editorOf().picture.choose().then(actions.show),
    'A picture to draw over. It is not saved with the map.',
  );
  const width = numberField('Width', '', 1, { min: 1e-6, step: 1 }, (value) => editorOf().picture.setWidth(value));
  const opacity = h('input', {
    type: 'range',
    min: 0.1,
    max: 1,
    step: 0.05,
    value: 0.6,
    'aria-label': 'Opacity of the picture',
    oninput: () => editorOf().picture.setOpacity(Number(opacity.value)),
  });
  const remove = button('Remove picture', () => {
    editorOf().picture.remove();
    actions.show();
  });
  const more = h('div', {}, width.element, row('Opacity', opacity), h('div', { class: 'buttons' }, remove));
  return {
    element: h('div', {}, h('div', { class: 'buttons' }, choose), more),
    refresh() {
      const { picture } = editorOf();
      more.hidden = !picture.isShown();
      if (picture.isShown()) width.set(picture.width());
    },
  };
}
