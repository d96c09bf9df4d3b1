/** Opens files that the user chooses or drops, and files of the `navkiln studio` server. */
import { askForFiles, readFiles } from '../files/open.ts';
import type { Opened } from '../files/open.ts';
import { messageOf } from '../state/message-of.ts';
import type { Core } from './core.ts';
import { WORK_TOPIC } from './work.ts';

export interface Opening {
  /** Opens chosen files. Failures become messages. */
  openFiles: (chosen: readonly File[]) => Promise<void>;
  /** Lets the user choose files and opens them. */
  openDialog: () => void;
  /** Opens files that the server of `navkiln studio` provides. */
  openFromServer: (names: readonly string[]) => Promise<void>;
}

export function createOpening({ store, history, messages: { say }, work }: Core): Opening {
  const openSettings = async (bytes: Uint8Array, name: string): Promise<void> => {
    const { readSettingsText } = await import('../files/settings-text.ts');
    const { settings, edits } = readSettingsText(new TextDecoder().decode(bytes), name);
    history.edit(`settings of ${name}`, { settings, edits });
    const isEarly = store.get().source === undefined;
    say('info', isEarly ? `${name} applies to the next level that you open.` : `Applied the settings of ${name}.`);
  };
  const openFiles = async (chosen: readonly File[]): Promise<void> => {
    if (chosen.length === 0) return;
    try {
      const opened = await asMap(await readFiles(chosen));
      if (opened.kind.id === 'settings') await openSettings(opened.files[0].bytes, opened.main);
      else if (await work.openFiles(opened)) {
        if (opened.kind.id === 'scene') store.update({ tool: 'crowd' });
        const others = opened.others.slice(0, 3).join(', ') + (opened.others.length > 3 ? ', …' : '');
        if (others !== '') say('info', `Opened ${opened.main}, and not ${others}: the studio shows one at a time.`);
      }
    } catch (error) {
      say('error', messageOf(error), WORK_TOPIC);
    }
  };
  return {
    openFiles,
    openDialog: () => void askForFiles().then(openFiles),
    async openFromServer(names) {
      try {
        await openFiles(await Promise.all(names.map(fetchFile)));
      } catch (error) {
        say('error', messageOf(error), WORK_TOPIC);
      }
    },
  };
}

/** Turns an SVG picture into a map. Workers cannot read SVG. */
async function asMap(opened: Opened): Promise<Opened> {
  if (opened.kind.id !== 'svg') return opened;
  const [{ readSvg }, { mapJson }] = await Promise.all([import('../files/svg-map.ts'), import('../files/map-text.ts')]);
  const [{ name, bytes }] = opened.files;
  const text = mapJson(readSvg(new TextDecoder().decode(bytes), name));
  return { ...opened, kind: { ...opened.kind, id: 'map' }, files: [{ name, bytes: new TextEncoder().encode(text) }] };
}

async function fetchFile(name: string): Promise<File> {
  const response = await fetch(`./open/${encodeURIComponent(name)}`).catch(() => undefined);
  if (response?.ok !== true) {
    throw new Error(`${name} is no longer available; run \`navkiln studio ${name}\` again, or drop the file here.`);
  }
  return new File([await response.blob()], name);
}
