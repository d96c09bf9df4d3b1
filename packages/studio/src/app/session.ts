/**
 * Keeps opened files and new maps with their settings and edits over a reload. Bundled scenes and files of a link are in the link.
 * Where the browser stores nothing, leaving the page with edits asks first.
 */
import type { Opened } from '../files/open.ts';
import { createDelay } from '../tools/pending.ts';
import type * as SessionStore from '../files/session-store.ts';
import type { Session } from '../files/session-store.ts';
import type { Core } from './core.ts';

export interface SessionKeeper {
  /** Keeps files that were opened, or (undefined) a new map. */
  keep: (opened: Opened | undefined) => void;
  /** Returns the session of the last visit, or undefined. */
  last: () => Promise<Session | undefined>;
  /** Opens a session again. */
  resume: (session: Session) => Promise<void>;
  forget: () => Promise<void>;
}

const DELAY_MS = 500;
/** The name of the database of files/session-store.ts, whose code is loaded only when there is one. */
const DATABASE = 'navkiln-studio';
const load = (): Promise<typeof SessionStore> => import('../files/session-store.ts');

export function createSessionKeeper({ store, history, work, messages }: Core): SessionKeeper {
  const delay = createDelay();
  /** Whether the open content is kept: its changes are written. */
  let isKept = false;
  const isOwn = (): boolean => {
    const { source } = store.get();
    return source?.kind === 'new' || (source?.kind === 'files' && source.open === undefined);
  };
  const writeWork = (): void => {
    const { settings, edits, tool, toolStates } = store.get();
    if (!isKept || !isOwn()) return;
    load()
      .then((code) => code.storeWork({ settings, edits, tool, toolStates, time: Date.now() }))
      .catch(() => (isKept = false));
  };
  store.listen(['source'], () => (isKept = false));
  store.listen(['settings', 'edits', 'tool', 'toolStates'], () => delay.start(writeWork, DELAY_MS));
  globalThis.addEventListener('beforeunload', (event) => {
    if (!isKept && isOwn() && history.canUndo()) event.preventDefault();
  });
  return {
    keep(opened) {
      const { source } = store.get();
      if (!isOwn()) return;
      const files = opened === undefined ? undefined : { main: opened.main, kind: opened.kind.id, files: opened.files };
      const name = opened?.main ?? 'map';
      load()
        .then((code) => code.storeFiles(name, files))
        .then((isStored) => {
          isKept = isStored && store.get().source === source;
          writeWork();
        })
        .catch(() => (isKept = false));
    },
    async last() {
      try {
        const hasDatabase = (await indexedDB.databases()).some(({ name }) => name === DATABASE);
        return hasDatabase ? await (await load()).readSession() : undefined;
      } catch {
        return undefined;
      }
    },
    async resume({ name, opened, work: { settings, edits, tool, toolStates } }) {
      const kind = opened === undefined ? undefined : (await import('../files/kinds.ts')).kindById(opened.kind);
      const isOpen =
        opened === undefined
          ? work.openNewMap()
          : kind !== undefined && (await work.openFiles({ ...opened, files: [...opened.files], kind, others: [] }));
      if (!isOpen) return messages.say('error', `${name} could not be opened again; open the file.`);
      store.update({ settings, edits });
      store.update({ tool, toolStates });
      isKept = true;
    },
    forget: () => load().then((code) => code.forgetSession()),
  };
}
