/**
 * The fields of the scene as a whole: its duration, the method that makes its mesh, and its levels with their
 * placements.
 */
import type { SceneLevel } from 'navkiln-cli/scene';
import { h } from '../dom/dom.ts';
import { SCENES } from '../scenes/table.ts';
import { sceneOf } from '../state/scene.ts';
import { button, numberField, replaced } from '../tools/edit/shared.ts';
import { chooseLevel } from './add-file.ts';
import { labelOfLevel, rounded, shownLevels } from './editor.ts';
import type { CardPart, SceneActions, SceneEditor } from './editor.ts';
import { choiceField } from '../dom/fields.ts';

/** Seconds that the command line runs a scene without a duration. */
const DEFAULT_SECONDS = 60;

export function createLevelFields(editorOf: () => SceneEditor, actions: SceneActions): CardPart {
  const seconds = numberField('Runs for', 's', DEFAULT_SECONDS, { min: 0.1, max: 1e5, step: 10 }, (value) =>
    actions.change('duration', { seconds: value }),
  );
  const seed = numberField('Seed', '', 1, { min: 0, max: 4294967295, step: 1 }, (value) =>
    actions.change('seed', { seed: Math.round(value) }),
  );
  const build = choiceField('Mesh', (value) => actions.change('kind of mesh', { build: value as 'voxel' | 'surface' }));
  const list = h('div', { class: 'scene-list', role: 'group', 'aria-label': 'Levels' });
  const add = choiceField('Add level', (value) => {
    if (value === 'file') void addFile(editorOf(), actions);
    else if (value !== '') addLevel(editorOf(), actions, { scene: value });
  });
  const whole = h(
    'div',
    {},
    seconds.element,
    h('details', {}, h('summary', {}, 'Levels'), list, add.element, build.element, seed.element),
  );
  const placement = createPlacement(editorOf, actions);
  return {
    element: h('div', {}, whole, placement.element),
    refresh(editor) {
      const { selected, context } = editor;
      const scene = sceneOf(context.store.get());
      whole.hidden = selected !== undefined && selected.kind !== 'level';
      seconds.set(scene.seconds ?? DEFAULT_SECONDS);
      seed.set(scene.seed ?? 1);
      build.set(
        [
          ['voxel', 'baked (voxels)'],
          ['surface', 'its triangles (surface)'],
        ],
        scene.build ?? 'voxel',
      );
      const levels = SCENES.filter(({ kind }) => kind === 'level');
      add.set([['', 'choose …'], ['file', 'a file …'], ...levels.map(({ name }) => [name, name] as const)], '');
      list.replaceChildren(...shownLevels(editor).map((level, index) => levelRow(editor, actions, level, index)));
      placement.refresh(editor);
    },
  };
}

function levelRow(editor: SceneEditor, actions: SceneActions, level: SceneLevel, index: number): HTMLElement {
  const { selected } = editor;
  const isSelected = selected?.kind === 'level' && selected.index === index;
  const choose = button(labelOfLevel(level), () => {
    editor.selected = isSelected ? undefined : { kind: 'level', index };
    actions.show();
  });
  choose.setAttribute('aria-pressed', String(isSelected));
  return choose;
}

/** Adds a level beside the others and selects it. */
function addLevel(editor: SceneEditor, actions: SceneActions, level: SceneLevel): void {
  const { store, say } = editor.context;
  const { source, level: open } = store.get();
  if (source?.kind === 'scene' && (source.seed !== undefined || source.scale !== undefined)) {
    say('info', 'A level with a seed or a scale of its own cannot be part of a scene. Open it without them first.');
    return actions.show();
  }
  const levels = shownLevels(editor);
  const beside = open === undefined ? 0 : Math.ceil(open.bounds.max[0]) + 2;
  editor.selected = { kind: 'level', index: levels.length };
  actions.change('add level', { levels: [...levels, { ...level, position: [beside, 0, 0] }] });
}

async function addFile(editor: SceneEditor, actions: SceneActions): Promise<void> {
  const file = await chooseLevel(editor.context);
  if (file === undefined) return actions.show();
  addLevel(editor, actions, { file });
}

/** Creates the fields of the placement of the selected level. */
function createPlacement(editorOf: () => SceneEditor, actions: SceneActions): CardPart {
  const change = (what: string, patch: Partial<SceneLevel>): void => {
    const { selected } = editorOf();
    if (selected?.kind !== 'level') return;
    const levels = shownLevels(editorOf());
    actions.change(what, { levels: replaced(levels, selected.index, { ...levels[selected.index], ...patch }) });
  };
  const levelOf = ({ selected }: SceneEditor, editor: SceneEditor): SceneLevel | undefined =>
    selected?.kind === 'level' ? shownLevels(editor)[selected.index] : undefined;
  const axes = (['x', 'y', 'z'] as const).map((axis, k) =>
    numberField(`Position ${axis}`, 'm', 0, { min: -1e6, max: 1e6, step: 1 }, (value) => {
      const { position = [0, 0, 0] } = levelOf(editorOf(), editorOf()) ?? {};
      const next = rounded(position);
      next[k] = value;
      change('move level', { position: next });
    }),
  );
  const turn = numberField('Rotation', '°', 0, { min: -360, max: 360, step: 15 }, (value) =>
    change('rotate level', { rotation: value }),
  );
  const scale = numberField('Scale', '×', 1, { min: 1e-4, max: 1e4, step: 0.1 }, (value) =>
    change('scale level', { scale: value }),
  );
  const element = h('div', {}, ...axes.map((axis) => axis.element), turn.element, scale.element);
  return {
    element,
    refresh(editor) {
      const level = levelOf(editor, editor);
      element.hidden = level === undefined;
      if (level === undefined) return;
      const { position = [0, 0, 0], rotation = 0, scale: factor = 1 } = level;
      axes.forEach((axis, k) => axis.set(position[k]));
      // Other forms of rotations and scales are kept as they are.
      turn.element.hidden = typeof rotation !== 'number';
      scale.element.hidden = typeof factor !== 'number';
      if (typeof rotation === 'number') turn.set(rotation);
      if (typeof factor === 'number') scale.set(factor);
    },
  };
}
