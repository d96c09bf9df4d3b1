/** Opens files that the user chooses or drops, and files of the `navkiln studio` server. Loaded with the first of them. */
import { askForFiles, readFiles } from '../files/open.ts';
import type { Opened } from '../files/open.ts';
import { loadPart } from '../tools/lazy.ts';
import { messageOf } from '../state/message-of.ts';
import type { Core } from './core.ts';
import { WORK_TOPIC } from './work.ts';

export interface Opening {
  /** Opens chosen files. Failures become messages. */
  openFiles: (chosen: readonly File[]) => Promise<void>;
  /** Lets the user choose files and opens them. */
  openDialog: () => void;
  /** Opens files that the server of `navkiln studio` provides, or files on the web. Resolves to false on failure. */
  openFromServer: (names: readonly string[]) => Promise<boolean>;
}

/**
 * Creates the functions that open files. `mayLeave` asks before edits are lost. `onFiles` is called with files that
 * the user opened.
 */
export function createOpening(
  core: Core,
  mayLeave: () => Promise<boolean>,
  onFiles: (opened: Opened) => void,
): Opening {
  const { store, history, work } = core;
  const { say } = core.messages;
  const openSettings = async (bytes: Uint8Array, name: string): Promise<void> => {
    const { readSettingsText } = await import('../files/settings-text.ts');
    const { settings, edits } = readSettingsText(new TextDecoder().decode(bytes), name);
    history.edit(`settings of ${name}`, { settings, edits });
    const isEarly = store.get().source === undefined;
    say('info', isEarly ? `${name} applies to the next level that you open.` : `Applied the settings of ${name}.`);
  };
  const openAll = async (chosen: readonly File[], open?: readonly string[]): Promise<boolean> => {
    if (chosen.length === 0) return false;
    try {
      if (chosen.some(({ name }) => name === 'world.json')) {
        if (open === undefined && !(await mayLeave())) return false;
        const code = await loadPart(() => import('./open-world.ts'), say);
        return (await code?.openWorldFiles(core, chosen, open)) ?? false;
      }
      const opened = await readFiles(chosen);
      if (opened.kind.id === 'settings') await openSettings(opened.files[0].bytes, opened.main);
      else if (open === undefined && !(await mayLeave())) return false;
      else if (await work.openFiles(opened, open)) {
        if (open === undefined) onFiles(opened);
        if (opened.kind.id === 'scene') store.update({ tool: 'crowd' });
        const others = opened.others.slice(0, 3).join(', ') + (opened.others.length > 3 ? ', …' : '');
        if (others !== '') say('info', `Opened ${opened.main}, and not ${others}: the studio shows one at a time.`);
      } else return false;
      return true;
    } catch (error) {
      say('error', messageOf(error), WORK_TOPIC);
      return false;
    }
  };
  const openFiles = async (chosen: readonly File[]): Promise<void> => void (await openAll(chosen));
  return {
    openFiles,
    openDialog: () => void askForFiles().then(openFiles),
    async openFromServer(names) {
      try {
        return await openAll(await Promise.all(names.map(fetchFile)), names);
      } catch (error) {
        say('error', messageOf(error), WORK_TOPIC);
        return false;
      }
    },
  };
}

async function fetchFile(name: string): Promise<File> {
  const isOnWeb = /^https?:/i.test(name);
  const address = isOnWeb ? name : `./open/${encodeURIComponent(name)}`;
  const response = await fetch(address, isOnWeb ? { credentials: 'omit', referrerPolicy: 'no-referrer' } : {}).catch(
    () => undefined,
  );
  if (response?.ok === true)
    return new File([await response.blob()], isOnWeb ? nameOfAddress(response.url || name) : name);
  if (!isOnWeb) {
    throw new Error(`${name} is no longer available; run \`navkiln studio ${name}\` again, or drop the file here.`);
  }
  const why =
    response === undefined ? 'its host does not allow other pages to read it' : `its host answers ${response.status}`;
  throw new Error(`${name} cannot be read: ${why}. Download the file and drop it here.`);
}

function nameOfAddress(address: string): string {
  const last = new URL(address).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last) || 'level';
  } catch {
    return last;
  }
}
