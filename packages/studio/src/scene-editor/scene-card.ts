/** The card of the scene tool: the action of a click, the fields of the selected item, and the scene as a whole. */
import { h } from '../dom/dom.ts';
import { modeButtons } from '../dom/modes.ts';
import { plural } from '../state/format.ts';
import { button, numberField } from '../tools/edit/shared.ts';
import { createAgentFields } from './agent-fields.ts';
import { agentsOf, labelOfLevel, shownLevels, targetsOf } from './editor.ts';
import type { CardPart, SceneActions, SceneEditor, SceneMode } from './editor.ts';
import { createLevelFields } from './level-fields.ts';
import { createTargetFields } from './target-fields.ts';
import './scene.css';

const MODES: readonly (readonly [SceneMode, string, string])[] = [
  ['select', 'Select', 'Select and move targets and agents'],
  ['target', 'Target', 'A click adds a target'],
  ['route', 'Route', 'Clicks add points to the route of the selected target'],
  ['agent', 'Agent', 'A click adds an agent'],
  ['group', 'Group', 'A click adds a group of agents'],
];

export function createSceneCard(editorOf: () => SceneEditor, actions: SceneActions): SceneEditor['card'] {
  const modes = modeButtons<SceneMode>('What a click does', MODES, actions.setMode);
  const note = h('p', { class: 'hint', 'aria-live': 'polite' });
  const group = numberField('Agents', 'a group', 10, { min: 1, max: 5000, step: 1 }, (value) => {
    editorOf().groupCount = Math.round(value);
  });
  const parts: CardPart[] = [
    createTargetFields(editorOf, actions),
    createAgentFields(editorOf, actions),
    createLevelFields(editorOf, actions),
  ];
  const center = button('Center', actions.center, 'Move the camera to it');
  const remove = button('Delete', actions.remove, 'Delete, or Shift-click');
  const own = h('div', { class: 'buttons' }, center, remove);
  const run = button('Run', () => editorOf().context.store.update({ tool: 'crowd' }), 'Run the scene: the tool Crowd');
  run.classList.add('primary');
  const panel = h(
    'div',
    { class: 'edit-panel scene-panel' },
    modes.element,
    group.element,
    note,
    ...parts.map(({ element }) => element),
    own,
    h('div', { class: 'buttons' }, run),
  );
  return {
    panel,
    refresh() {
      const editor = editorOf();
      const { mode, selected, groupCount } = editor;
      modes.set(mode);
      group.element.hidden = mode !== 'group';
      group.set(groupCount);
      own.hidden = selected === undefined;
      note.textContent = noteOf(editor);
      run.disabled = agentsOf(editor).length === 0;
      for (const part of parts) part.refresh(editor);
    },
  };
}

function noteOf(editor: SceneEditor): string {
  const { mode, selected, marked } = editor;
  const following = marked === '' ? '' : ` It follows ${marked}.`;
  if (mode === 'target') return 'Click where the target is.';
  if (mode === 'route') {
    return selected?.kind === 'target'
      ? 'Click the next point of its route, or choose Select.'
      : 'Click where the target starts.';
  }
  if (mode === 'agent') return `Click where the agent starts.${following}`;
  if (mode === 'group') return `Click the middle of the group.${following}`;
  if (mode === 'goal') return 'Click where it goes.';
  if (selected?.kind === 'level') return `Level ${labelOfLevel(shownLevels(editor)[selected.index])}`;
  if (selected !== undefined) return '';
  const [targets, agents] = [targetsOf(editor), agentsOf(editor)];
  if (targets.length + agents.length === 0) return 'The scene is empty. Choose Target or Agent, and click the surface.';
  const count = agents.reduce((sum, agent) => sum + (agent.count ?? 1), 0);
  return `${plural(targets.length, 'target')}, ${plural(count, 'agent')}; click one to select it.`;
}
