/** Puts the page together: state, work, view, tools, panels, keys, the link in the address. */
import { crowdTab } from '../crowd/crowd-tool.ts';
import { h } from '../dom/dom.ts';
import { createShortcuts } from '../dom/shortcuts.ts';
import { acceptDrops, askForFiles, readFiles } from '../files/open.ts';
import { saveAs } from '../files/save.ts';
import type { SaveKind } from '../files/save.ts';
import { createKeysDialog } from '../panels/keys-dialog.ts';
import { createLayersPanel } from '../panels/layers-panel.ts';
import { createMessages } from '../panels/messages.ts';
import { createReportPanel } from '../panels/report-panel.ts';
import { createSettingsPanel } from '../panels/settings-panel.ts';
import { createSidePanel } from '../panels/side-panel.ts';
import { createStatusBar } from '../panels/status-bar.ts';
import { createToolBar } from '../panels/tool-bar.ts';
import { createTopBar } from '../panels/top-bar.ts';
import { createWelcome } from '../panels/welcome.ts';
import { applySettings, readHash, writeHash } from '../state/hash.ts';
import type { LinkContent } from '../state/hash.ts';
import { createHistory } from '../state/history.ts';
import { messageOf } from '../state/message-of.ts';
import { boundsOf, createState, originOf } from '../state/state.ts';
import type { ThemeChoice } from '../state/state.ts';
import { createStore } from '../state/store.ts';
import { createToolHost } from '../tools/host.ts';
import { LAYERS } from '../view/all-layers.ts';
import { sampleObjects } from '../view/drawing.ts';
import { createLayers } from '../view/layers.ts';
import { createPicking } from '../view/picking.ts';
import { createView } from '../view/view.ts';
import { TOOLS } from './all-tools.ts';
import { createHook } from './hook.ts';
import type { StudioHook } from './hook.ts';
import { createTheme } from './theme.ts';
import { createWork } from './work.ts';

const DEFAULT_TOOL = TOOLS[0].id;
const HASH_DELAY_MS = 250;

export function startStudio(root: HTMLElement): StudioHook {
  const store = createStore(createState());
  const history = createHistory(store);
  const messages = createMessages();
  const { say } = messages;
  const work = createWork(store, history, say);
  const theme = createTheme(store);
  const stage = h('main', { class: 'stage' });
  const view = createView(stage);
  const picking = createPicking();
  const layers = createLayers(LAYERS, store, view.root, theme.palette(), view.invalidate);
  const host = createToolHost(TOOLS, { store, history, view, picking, palette: theme.palette, ask: work.ask, say });
  const shortcuts = createShortcuts(globalThis.document);
  const keys = createKeysDialog(shortcuts, TOOLS);

  // What a step of the history is called, when it is taken.
  const undo = (): void => said(history.undo(), 'Undone');
  const redo = (): void => said(history.redo(), 'Done again');
  const said = (name: string | undefined, what: string): void => {
    if (name !== undefined) say('info', `${what}: ${name}.`);
  };

  // A link's camera is for the level it opens; without one the whole level is shown.
  let pose: LinkContent['camera'];
  let restored: LinkContent | undefined;
  const fit = (isSmooth = true, fromTop = store.get().map !== undefined): void => {
    const bounds = boundsOf(store.get());
    if (bounds === undefined) return;
    // The card stays where it is; what is shown does not lie below it.
    const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = card;
    // On narrow windows the panel lies on the view, too.
    const panel = side.element.getBoundingClientRect();
    const covered = panel.width > 0 ? Math.max(0, stage.getBoundingClientRect().right - panel.left) : 0;
    view.fit(bounds, fromTop, isSmooth, { width: offsetLeft + offsetWidth, height: offsetTop + offsetHeight }, covered);
  };
  const openChosen = async (chosen: readonly File[]): Promise<void> => {
    if (chosen.length === 0) return;
    try {
      const opened = await readFiles(chosen);
      if (opened.kind.id === 'settings') {
        const { readSettingsText } = await import('../files/settings-text.ts');
        const { settings, edits } = readSettingsText(new TextDecoder().decode(opened.files[0].bytes), opened.main);
        history.edit(`settings of ${opened.main}`, { settings, edits });
        const isEarly = store.get().source === undefined;
        say('info', `Settings of ${opened.main}${isEarly ? ' are for the level you open next' : ''}.`);
      } else if ((await work.openFiles(opened)) && opened.kind.id === 'scene') store.update({ tool: 'crowd' });
    } catch (error) {
      say('error', messageOf(error));
    }
  };
  const openDialog = (): void => void askForFiles().then(openChosen);
  const openScene = (name: string): void => void work.openScene({ kind: 'scene', name });
  const save = (kind: SaveKind): void =>
    void saveAs(kind, store, view).then(
      (name) => say('info', `Saved ${name}.`),
      (error: unknown) => say('error', messageOf(error)),
    );
  const share = async (): Promise<void> => {
    writeAddress();
    if (store.get().source?.kind !== 'scene') {
      say(
        'info',
        'A link brings back bundled scenes only: files stay on this computer. Save the settings and send both.',
      );
      return;
    }
    try {
      await navigator.clipboard.writeText(location.href);
      say('info', 'The link is in the clipboard: level, settings, tool and camera.');
    } catch {
      say('info', 'The link is in the address bar: copy it there.');
    }
  };

  const side = createSidePanel([
    { id: 'settings', title: 'Settings', element: createSettingsPanel(store, history, say) },
    { id: 'layers', title: 'Layers', element: createLayersPanel(layers, store) },
    { id: 'report', title: 'Report', element: createReportPanel(store) },
    { id: 'crowd', title: 'Crowd', element: crowdTab() },
  ]);
  const top = createTopBar(store, history, view, {
    open: openDialog,
    openScene,
    save,
    share: () => void share(),
    undo,
    redo,
    setTheme: (choice: ThemeChoice) => store.update({ theme: choice }),
    showKeys: () => keys.showModal(),
    togglePanel: side.toggle,
  });
  const { bar, card } = createToolBar(store, host, TOOLS);
  // After the card, which is there from the first level on.
  store.listen(['source'], (state) => {
    view.setOrigin(originOf(state));
    isUntouched = pose === undefined;
    if (pose === undefined) fit(false);
    else view.setPose(pose, false);
    pose = undefined;
  });
  // Until somebody does something, what is shown gives way to a card that grows.
  let isUntouched = false;
  for (const type of ['pointerdown', 'wheel', 'keydown']) {
    root.addEventListener(type, () => void (isUntouched = false), { capture: true, passive: true });
  }
  new ResizeObserver(() => isUntouched && fit(false)).observe(card);
  const { welcome, over } = createWelcome(store, openDialog, () => openScene('dungeon'));
  stage.append(card, welcome, messages.element, over);
  root.append(top, bar, stage, side.element, createStatusBar(store, work.cancel), keys);
  acceptDrops(
    document.body,
    (isOver) => (over.hidden = !isOver),
    (files) => void openChosen(files),
  );

  for (const { id, title, shortcut } of TOOLS) {
    shortcuts.add({ key: shortcut, title, group: 'Tools', run: () => store.update({ tool: id }) });
  }
  const general: [string, string, () => void][] = [
    ['o', 'open files', openDialog],
    ['ctrl+s', 'save', () => top.querySelector<HTMLElement>('[data-menu=save]')?.click()],
    ['ctrl+z', 'undo', undo],
    ['ctrl+shift+z', 'redo', redo],
    ['ctrl+y', 'redo', redo],
    ['escape', 'end the bake', work.cancel],
    ['b', 'bake again', work.bake],
    ['?', 'this list', () => keys.showModal()],
  ];
  for (const [key, title, run] of general) shortcuts.add({ key, title, group: 'Studio', run });
  for (const [key, by, title] of [
    ['[', -1, 'a stage back'],
    [']', 1, 'a stage on'],
  ] as const) {
    shortcuts.add({
      key,
      title,
      group: 'View',
      run: () => {
        if (store.get().tool === 'stages') host.active().tool.step?.(by);
        else store.update({ tool: 'stages' });
      },
    });
  }
  shortcuts.add({ key: 'f', title: 'show all', group: 'View', run: () => fit() });
  shortcuts.add({ key: 't', title: 'from above', group: 'View', run: () => fit(true, true) });
  shortcuts.add({ key: 'l', title: 'the level on or off', group: 'View', run: () => layers.toggle('level') });
  shortcuts.add({ key: 'tab', title: 'the panel on or off', group: 'View', run: side.toggle });
  const changeTheme = (): void => store.update({ theme: theme.isDark() ? 'light' : 'dark' });
  shortcuts.add({ key: 'd', title: 'light or dark', group: 'View', run: changeTheme });

  theme.onChange(() => {
    view.setPalette(theme.palette());
    layers.setPalette(theme.palette());
  });
  view.setPalette(theme.palette());
  view.prepare(sampleObjects());

  let hashTimer: ReturnType<typeof setTimeout> | undefined;
  const writeAddress = (): void => {
    clearTimeout(hashTimer);
    hashTimer = undefined;
    const hash = writeHash({ ...store.get(), camera: view.pose() }, DEFAULT_TOOL);
    // Files of the command line come back when the page is loaded again.
    if (hash === location.hash || (hash === '' && location.hash.startsWith('#open='))) return;
    globalThis.history.replaceState(null, '', hash === '' ? location.pathname + location.search : hash);
  };
  const writeSoon = (): void => {
    clearTimeout(hashTimer);
    hashTimer = setTimeout(writeAddress, HASH_DELAY_MS);
  };
  view.onCamera((isAtRest) => {
    if (!isAtRest) return;
    store.update({ camera: view.pose() });
    writeSoon();
  });
  store.listen(['source', 'settings', 'tool', 'toolStates', 'layers', 'cut'], writeSoon);
  store.listen(['cut', 'source'], ({ cut }) => view.setCut(cut));

  const restore = async (hash: string): Promise<void> => {
    const link = readHash(hash);
    restored = link;
    for (const fault of link.faults) say('warning', fault);
    const tool = TOOLS.some(({ id }) => id === link.tool) ? link.tool! : DEFAULT_TOOL;
    const known = Object.entries(link.layers).filter(([id]) => LAYERS.some((layer) => layer.id === id));
    store.update({ tool, layers: Object.fromEntries(known) });
    pose = link.camera;
    if (link.source !== undefined) {
      const isOpen = await work.openScene(link.source, (base) => applySettings(base, link));
      if (isOpen && restored === link) {
        store.update({ toolStates: link.toolStates, cut: link.cut });
        host.active().tool.enter?.();
      }
    } else if (link.open.length > 0) {
      try {
        await openChosen(await Promise.all(link.open.map(fetchFile)));
      } catch (error) {
        say('error', messageOf(error));
      }
    }
  };
  globalThis.addEventListener('hashchange', () => void restore(location.hash));
  if (view.trouble !== undefined) say('error', view.trouble);
  const isRestored = restore(location.hash);
  return createHook({ store, layers, host, view, picking, work, messages, root, isRestored });
}

/** From the server of `navkiln studio`. */
async function fetchFile(name: string): Promise<File> {
  const answer = await fetch(`./open/${encodeURIComponent(name)}`).catch(() => undefined);
  if (answer?.ok !== true) {
    throw new Error(`${name} is not there any more; start \`navkiln studio ${name}\` again, or drop the file here.`);
  }
  return new File([await answer.blob()], name);
}
