/** The first page: own files, examples with pictures, the last session, and a village with people who walk beside them. */
import { h, icon } from '../../dom/dom.ts';
import type { Session } from '../../files/session-store.ts';
import { FEATURED } from '../../scenes/featured.ts';
import { VILLAGE } from '../../scenes/crowd-scenes.ts';
import type { Say } from '../../state/message.ts';
import type { Store } from '../../state/store.ts';
import { loadPart } from '../../tools/lazy.ts';
import { count } from '../../tools/pending.ts';
import type { FitOptions, View } from '../../view/view.ts';
import type { Palette } from '../../view/palette.ts';
import type { People } from './people.ts';
import { startShowcase } from './showcase.ts';
import type { Showcase, Shown } from './showcase.ts';
import './welcome.css';

const DROP = 'M12 3v11M7.5 9.5 12 14l4.5-4.5M4 15v5h16v-5';

/** The formats that the studio opens. */
const FORMATS =
  'GLB, glTF with its files, OBJ · .navmesh, Detour .bin · GeoJSON, Tiled, SVG, JSON maps · scenes and settings in YAML. ' +
  'Files stay on this computer.';

export interface WelcomeActions {
  open: () => void;
  openScene: (name: string) => void;
  openNewMap: () => void;
  startTour: () => void;
}

export interface WelcomeParts {
  store: Store;
  view: View;
  palette: () => Palette;
  onTheme: (listener: () => void) => void;
  sessions: LastSession;
  say: Say;
  /** Bakes a level without opening it. */
  bakeShown: (name: string) => Promise<Shown | undefined>;
}

/** The session of the last visit. */
export interface LastSession {
  last: () => Promise<Session | undefined>;
  resume: (session: Session) => Promise<void>;
  forget: () => Promise<void>;
}

/** Fills the first page. It is removed when something opens. Returns a function that returns the link of what is seen. */
export function showWelcome(
  element: HTMLElement,
  parts: WelcomeParts,
  actions: WelcomeActions,
): () => string | undefined {
  const { store, view, palette, sessions } = parts;
  const resume = h('div', { class: 'welcome-resume', hidden: true });
  const card = createCard(resume, actions);
  element.replaceChildren(card);
  const covered = (): Pick<FitOptions, 'card' | 'sheetHeight'> => {
    const { right, height, width } = card.getBoundingClientRect();
    const stage = view.canvas.getBoundingClientRect();
    const isSheet = width > 0.75 * stage.width;
    return isSheet
      ? { card: { width: 0, height: 0 }, sheetHeight: height }
      : { card: { width: right - stage.left, height: stage.height }, sheetHeight: 0 };
  };
  let showcase: Showcase | undefined;
  let people: People | undefined;
  const isGone = (): boolean => store.get().source !== undefined;
  let isChosen = false;
  card.addEventListener('click', () => (isChosen = true));
  const stop = store.listen(['source'], () => {
    people?.stop();
    showcase?.stop();
    people = undefined;
    element.replaceChildren();
    // What had the focus is gone. The keys are those of the view now.
    if (isChosen) view.canvas.focus({ preventScroll: true });
    stop();
  });
  parts.onTheme(() => {
    if (isGone()) return;
    showcase?.setPalette(palette());
    people?.setPalette(palette());
  });
  void sessions.last().then((session) => session !== undefined && offer(resume, session, sessions));
  const start = async (): Promise<void> => {
    const shown = await parts.bakeShown(VILLAGE.name);
    if (shown === undefined || isGone()) return;
    showcase = startShowcase(view, shown, palette(), covered);
    const code = await loadPart(() => import('./people.ts'), parts.say);
    if (code === undefined || isGone()) return;
    const started = await code.startPeople({ view, shown, showcase, palette: palette(), element });
    if (isGone()) started.stop();
    else people = started;
  };
  count(start());
  return () => people?.link();
}

function createCard(resume: HTMLElement, { open, openScene, openNewMap, startTour }: WelcomeActions): HTMLElement {
  const button = (title: string, run: () => void, action?: string, look = 'button'): HTMLElement =>
    h('button', { class: look, 'data-action': action, onclick: run }, title);
  const scenes = FEATURED.map(({ name, title, line, hash }) =>
    h(
      'button',
      {
        class: 'welcome-scene',
        'data-action': `open-${name}`,
        onclick: () => (hash === undefined ? openScene(name) : void (location.hash = hash)),
      },
      h('img', { src: `./scenes/${name}.jpg`, alt: '', width: 400, height: 250 }),
      h('strong', {}, title),
      h('small', {}, line),
    ),
  );
  return h(
    'div',
    { class: 'welcome-card' },
    h('h1', {}, 'Drop a level here to see where agents can walk'),
    h(
      'div',
      { class: 'buttons' },
      h('button', { class: 'button primary', 'data-action': 'open', onclick: open }, icon(DROP), 'Choose a file …'),
      button('Draw a 2D map', openNewMap, 'new-map'),
      button('Two-minute tour', startTour, 'tour'),
    ),
    resume,
    h('h2', {}, 'Examples'),
    h('div', { class: 'welcome-scenes' }, ...scenes),
    h('p', { class: 'hint' }, FORMATS),
  );
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
