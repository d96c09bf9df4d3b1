/**
 * The welcome card, visible until something is open, and the overlay while files are dragged over the page.
 */
import { h, icon } from '../dom/dom.ts';
import type { Session } from '../files/session-store.ts';
import type { Store } from '../state/store.ts';

const DROP = 'M12 3v11M7.5 9.5 12 14l4.5-4.5M4 15v5h16v-5';

/** The formats that the studio opens. */
const FORMATS =
  'GLB, glTF with its files, OBJ · .navmesh, Detour .bin · GeoJSON, Tiled, SVG, JSON maps · scenes and settings in YAML. ' +
  'Files stay on this computer.';

export interface WelcomeActions {
  open: () => void;
  openDungeon: () => void;
  openNewMap: () => void;
}

/** The session of the last visit. */
interface LastSession {
  last: () => Promise<Session | undefined>;
  resume: (session: Session) => Promise<void>;
  forget: () => Promise<void>;
}

export function createWelcome(
  store: Store,
  sessions: LastSession,
  { open, openDungeon, openNewMap }: WelcomeActions,
): { welcome: HTMLElement; over: HTMLElement } {
  const resume = h('div', { class: 'welcome-resume', hidden: true });
  void sessions.last().then((session) => session !== undefined && offer(resume, session, sessions));
  const welcome = h(
    'section',
    { class: 'welcome' },
    h(
      'div',
      { class: 'welcome-card' },
      icon(DROP),
      h('h1', {}, 'Drop a level here to see where agents can walk'),
      h(
        'div',
        { class: 'buttons' },
        h(
          'button',
          { class: 'button primary', 'data-action': 'open-dungeon', onclick: openDungeon },
          'Open the dungeon',
        ),
        h('button', { class: 'button', onclick: open }, 'Choose a file …'),
        h('button', { class: 'button', 'data-action': 'new-map', onclick: openNewMap }, 'Draw a 2D map'),
      ),
      resume,
      h('p', { class: 'hint' }, FORMATS),
    ),
  );
  const over = h('div', { class: 'drop-over', hidden: true, 'aria-hidden': 'true' }, h('p', {}, 'Drop to open'));
  const refresh = (): void => {
    const { source, job } = store.get();
    welcome.hidden = source !== undefined || job.status === 'running';
  };
  store.listen(['source', 'job'], refresh);
  refresh();
  return { welcome, over };
}

/** Asks whether to continue with the files of the last visit. */
function offer(element: HTMLElement, session: Session, { resume, forget }: LastSession): void {
  const close = (): void => void (element.hidden = true);
  const date = new Date(session.work.time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  const buttons = [
    h(
      'button',
      { class: 'button primary', 'data-action': 'resume', onclick: () => void resume(session).then(close) },
      'Continue',
    ),
    h('button', { class: 'button', 'data-action': 'forget', onclick: () => void forget().then(close) }, 'Forget it'),
  ];
  element.replaceChildren(
    h('p', {}, `Continue with ${session.name}, last changed ${date}?`),
    h('div', { class: 'buttons' }, ...buttons),
  );
  element.hidden = false;
}
