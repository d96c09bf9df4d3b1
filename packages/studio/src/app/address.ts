/** Keeps the link in the address bar up to date, and restores the studio from a link. */
import { applySettings, readHash, writeHash } from '../state/hash.ts';
import type { LinkContent } from '../state/hash.ts';
import { NO_EDITS } from '../state/state.ts';
import type { CameraPose, Settings } from '../state/state.ts';
import { LAYERS } from '../view/all-layers.ts';
import { TOOLS } from './all-tools.ts';
import type { Core } from './core.ts';

const DEFAULT_TOOL = TOOLS[0].id;
const HASH_DELAY_MS = 250;

/** Opens files that a link names. Resolves to false when they cannot be opened. */
type OpenFromServer = (names: readonly string[]) => Promise<boolean>;

export interface Address {
  /** Writes the link now. */
  write: () => void;
  /**
   * Restores the state of a link, and follows later changes of the address. Resolves when the content is
   * open.
   */
  start: () => Promise<void>;
  /** Returns the camera of the link for the content that it opens, once. */
  takePose: () => CameraPose | undefined;
}

export function createAddress(core: Core, openFromServer: OpenFromServer): Address {
  const { store, view, host, messages } = core;
  let pose: LinkContent['camera'];
  let restored: LinkContent | undefined;

  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const hash = writeHash({ ...store.get(), camera: view.pose() }, DEFAULT_TOOL);
    // A link to files that are not open yet stays.
    if (hash === location.hash || (hash === '' && location.hash.startsWith('#open='))) return;
    globalThis.history.replaceState(null, '', hash === '' ? location.pathname + location.search : hash);
  };
  const writeSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(write, HASH_DELAY_MS);
  };
  view.onCamera((isAtRest) => {
    if (!isAtRest) return;
    store.update({ camera: view.pose() });
    writeSoon();
  });
  store.listen(['source', 'settings', 'edits', 'tool', 'toolStates', 'layers', 'cut', 'agentType'], writeSoon);

  const restore = async (hash: string): Promise<void> => {
    const link = readHash(hash);
    restored = link;
    for (const fault of link.faults) messages.say('warning', fault);
    const isKnown = TOOLS.some(({ id }) => id === link.tool);
    const tool = isKnown ? link.tool! : DEFAULT_TOOL;
    if (link.tool !== undefined && !isKnown) {
      const names = TOOLS.map(({ id }) => id).join(', ');
      messages.say('warning', `There is no tool "${link.tool}" as the link asks for; the tools are ${names}.`);
    }
    const known = Object.entries(link.layers).filter(([id]) => LAYERS.some((layer) => layer.id === id));
    store.update({ tool, layers: Object.fromEntries(known) });
    host.active().tool.enter?.();
    pose = link.camera;
    const isOpen = await open(core, link, openFromServer);
    if (isOpen && restored === link) {
      if (link.edits !== '') await restoreEdits(core, link.edits);
      // Other content may not have had this tool.
      // A world has a tool of its own, which it chooses when it opens.
      const chosen = link.tool === undefined && store.get().world !== undefined ? {} : { tool };
      store.update({ ...chosen, toolStates: link.toolStates, cut: link.cut, agentType: link.agentType ?? '' });
      host.active().tool.enter?.();
    }
  };
  return {
    write,
    start() {
      // The link of the event: `write` may have replaced that of the page before the event arrived.
      globalThis.addEventListener('hashchange', ({ newURL }) => {
        clearTimeout(timer);
        void restore(new URL(newURL).hash);
      });
      return restore(location.hash);
    },
    takePose() {
      const taken = pose;
      pose = undefined;
      return taken;
    },
  };
}

/** Opens the content of a link with its settings. */
async function open({ work, store }: Core, link: LinkContent, openFromServer: OpenFromServer): Promise<boolean> {
  const { source } = link;
  const adjust = (base: Settings): Settings => applySettings(base, link);
  if (source?.kind === 'new') return work.openNewMap(adjust);
  if (source !== undefined) return work.openScene(source, adjust);
  if (link.open.length === 0 || !(await openFromServer(link.open))) return false;
  if (link.settings.length > 0) store.update({ settings: adjust(store.get().settings) });
  return true;
}

async function restoreEdits({ store, messages }: Core, text: string): Promise<void> {
  const { readEdits } = await import('../files/edits-text.ts');
  const edits = readEdits(text);
  if (edits === NO_EDITS) messages.say('warning', 'The edits in the link are damaged and were ignored.');
  else store.update({ edits });
}
