/** The bar at the top: open, scenes, undo, redo, save, share, theme and help. */
import { h, icon } from '../dom/dom.ts';
import { canSave, isOffered } from '../files/save.ts';
import { SAVE_KINDS } from '../files/save-kinds.ts';
import type { SaveKind } from '../files/save-kinds.ts';
import { ALL_CROWDS, crowdSceneHash, findCrowdEntry } from '../scenes/crowd-scenes.ts';
import type { SceneEntry } from '../scenes/list-scenes.ts';
import { scenesOf } from '../scenes/list.ts';
import type { History } from '../state/history.ts';
import type { ThemeChoice } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import type { View } from '../view/view.ts';
import { createMenu } from './menu.ts';
import type { MenuItem } from './menu.ts';

export interface TopBarActions {
  open: () => void;
  openScene: (name: string) => void;
  /** Opens an empty 2D map to draw on. */
  openNewMap: () => void;
  save: (kind: SaveKind) => void;
  share: () => void;
  undo: () => void;
  redo: () => void;
  setTheme: (theme: ThemeChoice) => void;
  showKeys: () => void;
  togglePanel: () => void;
}

const ICONS = {
  open: 'M3 7v12h18V8h-9L9.5 5H3z',
  scenes: 'M12 3 3 8l9 5 9-5zM3 13l9 5 9-5',
  save: 'M12 3v12M7 10l5 5 5-5M4 20h16',
  share: 'M10 14a4 4 0 0 0 5.7 0l3.6-3.6a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0l-3.6 3.6a4 4 0 0 0 5.7 5.7l1-1',
  undo: 'M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6',
  redo: 'M15 7l5 5-5 5M20 12H10a6 6 0 0 0-6 6',
  theme: 'M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16',
  docs: 'M12 6.5C10 5 7 5 4 5.5V19c3-.5 6-.5 8 1 2-1.5 5-1.5 8-1V5.5C17 5 14 5 12 6.5zV20',
  help: 'M9.2 9a3 3 0 1 1 4.3 2.7c-.9.5-1.5 1.1-1.5 2.3M12 17.5h.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  panel: 'M4 5h16v14H4zM14.5 5v14',
} as const;

export function createTopBar(store: Store, history: History, view: View, actions: TopBarActions): HTMLElement {
  const button = (name: keyof typeof ICONS, title: string, run: () => void, label?: string): HTMLButtonElement =>
    h(
      'button',
      {
        class: label === undefined ? 'icon-button' : 'button',
        title,
        'aria-label': label === undefined ? title : undefined,
        onclick: run,
      },
      icon(ICONS[name]),
      label === undefined ? undefined : h('span', { class: 'label' }, label),
    );
  const undo = button('undo', 'Undo (Ctrl+Z)', actions.undo);
  const redo = button('redo', 'Redo (Ctrl+Shift+Z)', actions.redo);
  const refresh = (): void => {
    undo.disabled = !history.canUndo();
    redo.disabled = !history.canRedo();
  };
  history.onChange(refresh);
  refresh();
  const sceneItem = ({ name, title }: SceneEntry): MenuItem => {
    const { source } = store.get();
    const isChecked = source?.kind === 'scene' && source.name === name;
    return { title: name, help: title, isChecked, run: () => actions.openScene(name) };
  };
  const crowdItem = (entry: (typeof ALL_CROWDS)[number]): MenuItem => {
    const isChecked = findCrowdEntry(store.get().source) === entry;
    return { title: entry.name, help: entry.title, isChecked, run: () => void (location.hash = crowdSceneHash(entry)) };
  };
  const scenes = createMenu(
    'Scenes',
    ICONS.scenes,
    () => [
      { title: 'Levels', items: scenesOf('levels').map(sceneItem) },
      {
        title: '2D maps',
        items: [
          { title: 'New map', help: 'An empty map to draw on', run: actions.openNewMap },
          ...scenesOf('maps').map(sceneItem),
        ],
      },
      { title: 'Crowds', items: ALL_CROWDS.map((entry) => crowdItem(entry)) },
      { title: 'Tests', items: scenesOf('tests').map(sceneItem) },
    ],
    { 'data-menu': 'scenes', title: 'Bundled levels, maps and crowds' },
  );
  const save = createMenu(
    'Save',
    ICONS.save,
    () => [
      {
        items: SAVE_KINDS.filter((kind) => isOffered(kind, store.get())).map((kind) => ({
          title: kind.title,
          help: kind.help,
          note: kind.extension,
          isDisabled: !canSave(kind, store.get(), view),
          run: () => actions.save(kind),
        })),
      },
    ],
    { 'data-menu': 'save', title: 'Save the mesh, the settings or a picture' },
  );
  const themes: readonly [ThemeChoice, string][] = [
    ['system', 'System'],
    ['light', 'Light'],
    ['dark', 'Dark'],
  ];
  const theme = createMenu(
    'Theme',
    ICONS.theme,
    () => [
      {
        items: themes.map(([id, title]) => ({
          title,
          isChecked: store.get().theme === id,
          run: () => actions.setTheme(id),
        })),
      },
    ],
    { 'data-menu': 'theme', title: 'Light or dark' },
  );
  theme.classList.add('menu-right', 'menu-compact');
  return h(
    'header',
    { class: 'top' },
    h('h1', { class: 'unseen' }, 'navkiln studio'),
    h(
      'span',
      { class: 'brand', 'aria-hidden': 'true' },
      h('img', { src: './icon.svg', alt: '', width: 24, height: 24 }),
      h('strong', {}, 'navkiln'),
      ' studio',
    ),
    button('open', 'Open files (O)', actions.open, 'Open'),
    scenes,
    undo,
    redo,
    h('span', { class: 'spring' }),
    save,
    button('share', 'Copy a link to this view', actions.share, 'Share'),
    theme,
    docsLink(),
    button('help', 'Keyboard shortcuts (?)', actions.showKeys),
    button('panel', 'Show or hide the panel (Q)', actions.togglePanel),
  );
}

/** Returns a link to the documentation where the page names its address, as on the documentation site. */
function docsLink(): HTMLElement | undefined {
  const address = document.querySelector<HTMLLinkElement>('link[rel="help"]')?.href;
  if (address === undefined) return undefined;
  return h(
    'a',
    { class: 'icon-button', href: address, title: 'Documentation', 'aria-label': 'Documentation' },
    icon(ICONS.docs),
  );
}
