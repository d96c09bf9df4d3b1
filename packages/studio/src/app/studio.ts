/** Assembles the page: core, panels, shortcuts and the link in the address bar. */
import { crowdTab } from '../crowd/tab.ts';
import { h } from '../dom/dom.ts';
import { createShortcuts } from '../dom/shortcuts.ts';
import { REFUSED } from '../dom/number-input.ts';
import { acceptDrops } from '../files/drop.ts';
import { saveAs } from '../files/save.ts';
import type { SaveKind } from '../files/save-kinds.ts';
import { createAnnouncer } from '../panels/announcer.ts';
import { createLayersPanel } from '../panels/layers-panel.ts';
import { createReportPanel, warningsOf } from '../panels/report-panel.ts';
import { createResultCard } from '../panels/result-card.ts';
import { createSettingsPanel } from '../panels/settings-panel.ts';
import { NARROW, createSidePanel } from '../panels/side-panel.ts';
import { createStatusBar } from '../panels/status-bar.ts';
import { createToolBar } from '../panels/tool-bar.ts';
import { createViewAids } from '../panels/view-aids.ts';
import { createTopBar } from '../panels/top-bar.ts';
import { messageOf } from '../state/message-of.ts';
import { visible } from '../state/format.ts';
import { areLong, isLinked } from '../state/hash.ts';
import type { ThemeChoice } from '../state/state.ts';
import { loadPart } from '../tools/lazy.ts';
import { count } from '../tools/pending.ts';
import { createAddress } from './address.ts';
import { TOOLS } from './all-tools.ts';
import { createCore } from './core.ts';
import type { Core } from './core.ts';
import { createFit } from './fit.ts';
import { createHook } from './hook.ts';
import type { StudioHook } from './hook.ts';
import { createLeaving } from './leave.ts';
import { registerOffline } from './offline.ts';
import { createOnDemandElements, loadOnDemand } from './on-demand.ts';
import type { Opening } from './open.ts';
import { createSessionKeeper } from './session.ts';
import { addShortcuts } from './shortcut-table.ts';
import { createWelcome } from './welcome.ts';

/** Builds the studio into `root` and opens what the link names. */
export function startStudio(root: HTMLElement): StudioHook {
  const core = createCore();
  const { store, history, messages, work, stage, view, layers, host } = core;
  const { say } = messages;
  const leave = createLeaving(core, root);
  const keeper = createSessionKeeper(core);
  let opening: Opening | undefined;
  const opener = async (): Promise<Opening | undefined> => {
    const code = await loadPart(() => import('./open.ts'), say);
    return (opening ??= code?.createOpening(core, leave.mayLeave, keeper.keep));
  };
  const openDialog = (): void => void opener().then((own) => own?.openDialog());
  const openFromServer: Opening['openFromServer'] = async (names) =>
    (await (await opener())?.openFromServer(names)) ?? false;
  const address = createAddress(core, openFromServer);
  const shortcuts = createShortcuts(globalThis.document);
  const openScene = async (name: string): Promise<void> => {
    if (await leave.mayLeave()) await work.openScene({ kind: 'scene', name });
  };
  const openNewMap = async (): Promise<void> => {
    if (!(await leave.mayLeave())) return;
    work.openNewMap();
    keeper.keep(undefined);
    store.update({ tool: 'draw' });
  };
  const report = (name: string | undefined, what: string): void => {
    if (name !== undefined) say('info', `${what}: ${name}.`);
  };
  const undo = (): void => report(history.undo(), 'Undone');
  const redo = (): void => report(history.redo(), 'Redone');
  let keys: HTMLDialogElement | undefined;
  const showKeys = async (): Promise<void> => {
    const code = keys === undefined ? await loadPart(() => import('../panels/keys-dialog.ts'), say) : undefined;
    if (code !== undefined) root.append((keys ??= code.createKeysDialog(shortcuts, TOOLS)));
    if (keys?.open === false) keys.showModal();
  };

  const { legend, importing } = createOnDemandElements();
  const side = createSidePanel([
    { id: 'settings', title: 'Settings', element: createSettingsPanel(store, history, importing) },
    { id: 'layers', title: 'Layers', element: createLayersPanel(layers, store) },
    { id: 'report', title: 'Report', element: createReportPanel(store), count: () => warningsOf(store.get()).length },
    { id: 'crowd', title: 'Crowd', element: crowdTab() },
  ]);
  store.listen(['mesh', 'level', 'map'], side.refresh);
  loadOnDemand(core, legend, importing);
  const top = createTopBar(store, history, view, {
    open: openDialog,
    openScene: (name) => void openScene(name),
    openNewMap: () => void openNewMap(),
    save: (kind) => save(core, kind, leave.markSaved),
    share: () => void share(core, address.write, welcome.link()),
    undo,
    redo,
    setTheme: (choice: ThemeChoice) => store.update({ theme: choice }),
    showKeys: () => void showKeys(),
    togglePanel: side.toggle,
  });
  const { bar, card } = createToolBar(store, host, TOOLS, say);
  // After the toolbar, whose listener shows the card: the card's size decides where the content fits.
  const fit = createFit(core, { root, card, side: side.element }, address.takePose);
  const showPanel = (isShown: boolean): void => void (side.isShown() === isShown || side.toggle());
  const startTour = async (): Promise<void> => {
    await openScene('dungeon');
    const code = await loadPart(() => import('../panels/tour.ts'), say);
    const focusView = (): void => view.canvas.focus({ preventScroll: true });
    const isWide = globalThis.innerWidth >= NARROW;
    code?.startTour(root, { store, showPanel: (isShown) => isWide || showPanel(isShown), focusView });
  };
  const welcome = createWelcome(core, keeper, {
    open: openDialog,
    openScene: (name) => void openScene(name),
    openNewMap: () => void openNewMap(),
    startTour: () => void startTour(),
  });
  const over = h('div', { class: 'drop-over', hidden: true, 'aria-hidden': 'true' }, h('p', {}, 'Drop to open'));
  const announcer = createAnnouncer(store);
  const result = createResultCard(store, history, {
    focusView: () => view.canvas.focus({ preventScroll: true }),
    announce: (text) => void (announcer.textContent = visible(text)),
    say,
  });
  const aids = createViewAids(view, { showAll: () => fit(), showTop: () => fit(true, true) });
  aids.append(legend);
  stage.append(aids, welcome.element, result, announcer, messages.element, over);
  aids.before(card);
  // Windows that begin wide have room for the card beside the view.
  if (matchMedia('(min-width: 1200px)').matches)
    count(import('./dock.ts').then((code) => code.dockCard(card, stage, side.element)));
  root.append(top, bar, stage, side.element, createStatusBar(store, work.cancel));
  acceptDrops(
    document.body,
    (isOver) => (over.hidden = !isOver),
    (files) => void opener().then((own) => own?.openFiles(files)),
  );
  root.addEventListener(REFUSED, (event) => say('warning', (event as CustomEvent<string>).detail, REFUSED));
  addShortcuts(shortcuts, core, {
    open: openDialog,
    openSaveMenu: () => top.querySelector<HTMLElement>('[data-menu=save]')?.click(),
    undo,
    redo,
    showKeys: () => void showKeys(),
    togglePanel: side.toggle,
    fit,
  });
  if (view.trouble !== undefined) say('error', view.trouble);
  const isRestored = address.start();
  registerOffline();
  return createHook(core, root, isRestored);
}

/** Files of formats with these needs hold the edits. */
const EDITABLE: readonly SaveKind['needs'][] = ['settings', 'scene', 'map'];

function save({ store, view, messages: { say } }: Core, kind: SaveKind, markSaved: () => void): void {
  void saveAs(kind, store, view).then(
    (name) => {
      const isWhole = kind.needs !== 'map' || store.get().edits.draft === undefined;
      if (EDITABLE.includes(kind.needs) && isWhole) markSaved();
      if (!isWhole) say('warning', 'The shape that is not closed is not in the file.');
      say('info', `Saved ${name}.`);
    },
    (error: unknown) => say('error', messageOf(error)),
  );
}

/** Copies the link to the clipboard. `shown` is that of what the first page shows. */
async function share(
  { store, host, messages: { say } }: Core,
  writeAddress: () => void,
  shown: string | undefined,
): Promise<void> {
  host.active().tool.share?.();
  writeAddress();
  const { source, edits } = store.get();
  if (shown === undefined && !isLinked(source)) {
    say(
      'info',
      'A link can only open bundled scenes, new maps and files on the web, because files stay on this computer. Save the settings and send them with the file.',
    );
    return;
  }
  if (areLong(edits))
    say('warning', 'The edits are too long for a link, so it does not carry them. Save them instead.');
  try {
    await navigator.clipboard.writeText(shown === undefined ? location.href : new URL(shown, location.href).href);
    say('info', 'Copied a link with the level, the settings, the tool and the camera.');
  } catch {
    say('info', 'The clipboard is not available: copy the link from the address bar.');
  }
}
