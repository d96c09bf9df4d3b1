/** The keyboard shortcuts of the studio. */
import type { Shortcuts } from '../dom/shortcuts.ts';
import { isOffered } from '../tools/tool.ts';
import { TOOLS } from './all-tools.ts';
import type { Core } from './core.ts';
import type { Fit } from './fit.ts';

/** Functions that the shortcuts run besides those of the core. */
export interface ShortcutActions {
  open: () => void;
  openSaveMenu: () => void;
  undo: () => void;
  redo: () => void;
  showKeys: () => void;
  togglePanel: () => void;
  fit: Fit;
}

export function addShortcuts(shortcuts: Shortcuts, core: Core, actions: ShortcutActions): void {
  const { store, work, layers, theme } = core;
  const { fit } = actions;
  for (const kind of TOOLS) {
    const run = (): void => {
      if (isOffered(kind, store.get())) store.update({ tool: kind.id });
    };
    shortcuts.add({ key: kind.shortcut, title: kind.title, group: 'Tools', run });
  }
  const table: readonly (readonly [group: string, key: string, title: string, run: () => void])[] = [
    ['Studio', 'o', 'open files', actions.open],
    ['Studio', 'ctrl+s', 'save', actions.openSaveMenu],
    ['Studio', 'ctrl+z', 'undo', actions.undo],
    ['Studio', 'ctrl+shift+z', 'redo', actions.redo],
    ['Studio', 'ctrl+y', 'redo', actions.redo],
    ['Studio', 'escape', 'cancel the bake', work.cancel],
    ['Studio', 'b', 'bake again', work.bake],
    ['Studio', '?', 'show this list', actions.showKeys],
    ['View', '[', 'previous stage', () => stepStage(core, -1)],
    ['View', ']', 'next stage', () => stepStage(core, 1)],
    ['View', 'f', 'show all', () => fit()],
    ['View', 't', 'view from the top', () => fit(true, true)],
    ['View', 'l', 'show or hide the level', () => layers.toggle('level')],
    ['View', 'q', 'show or hide the panel', actions.togglePanel],
    ['View', 'd', 'light or dark theme', () => store.update({ theme: theme.isDark() ? 'light' : 'dark' })],
  ];
  for (const [group, key, title, run] of table) shortcuts.add({ key, title, group, run });
}

/** Tools with steps of their own. */
const STEPPED = ['stages', 'draw'];

/** Moves through the stages; the first press chooses the tool. */
function stepStage({ store, host }: Core, by: -1 | 1): void {
  if (STEPPED.includes(store.get().tool)) host.active().tool.step?.(by);
  else store.update({ tool: 'stages' });
}
