/** A tour of two minutes through the page, on the dungeon. It can be left at any step, and the page stays usable. */
import { h } from '../dom/dom.ts';
import type { Store } from '../state/store.ts';
import './tour.css';

interface Stop {
  title: string;
  text: string;
  /** The element that is marked. */
  target: string;
  /** The tool that is chosen. */
  tool: string;
  /** The step needs the side panel. */
  needsPanel?: boolean;
}

const STOPS: readonly Stop[] = [
  {
    title: 'The walkable surface',
    text: 'This dungeon was baked when it opened. Blue is where an agent can walk, dark lines are walls. Drag to rotate, use the wheel or two fingers to zoom, press F to see everything again.',
    target: '.view-canvas',
    tool: 'look',
  },
  {
    title: 'The agent',
    text: 'The mesh is made for an agent of this size. Change the radius, with the arrow keys or by typing: the mesh follows, and narrow passages close.',
    target: '[data-setting="agent.radius"]',
    tool: 'look',
    needsPanel: true,
  },
  {
    title: 'Paths',
    text: 'The Path tool finds a path between two points. Drag both ends. The card compares methods, shows times and the code, and says why there is no path.',
    target: '[data-tool=path]',
    tool: 'path',
  },
  {
    title: 'How the mesh was made',
    text: 'Stages shows every step of the bake. Move the slider, or press [ and ].',
    target: '[data-tool=stages]',
    tool: 'stages',
  },
  {
    title: 'Why not here?',
    text: 'Click a position without blue surface. The card names the step that removed it and the number that decided: a slope, a ceiling, a distance.',
    target: '[data-tool=why]',
    tool: 'why',
  },
  {
    title: 'Crowds',
    text: 'Add agents with clicks and send them somewhere. Scenes has crowds that are ready to run.',
    target: '[data-tool=crowd]',
    tool: 'crowd',
  },
  {
    title: 'Your own levels',
    text: 'Drop a GLB, an OBJ or a 2D map anywhere on the page. Save writes the mesh and the settings for the command line; Share copies a link.',
    target: '[data-menu=save]',
    tool: 'look',
  },
];

/** Distance between the card and the edge of the view, pixels. */
const GAP = 14;

export interface TourActions {
  store: Store;
  /** Shows or hides the side panel. */
  showPanel: (isShown: boolean) => void;
  /** Returns the focus to the page. */
  focusView: () => void;
}

/** Starts the tour. */
export function startTour(root: HTMLElement, { store, showPanel, focusView }: TourActions): void {
  root.querySelector('.tour')?.remove();
  let index = 0;
  const title = h('h2', {});
  const text = h('p', { role: 'status' });
  const count = h('span', { class: 'note' });
  const back = h('button', { class: 'button', onclick: () => go(index - 1) }, 'Back');
  const next = h('button', { class: 'button primary', onclick: () => go(index + 1) }, 'Next');
  const leave = h('button', { class: 'button', 'data-action': 'leave-tour', onclick: () => end() }, 'Leave the tour');
  const card = h(
    'section',
    { class: 'tour-card', role: 'dialog', 'aria-label': 'Tour' },
    h('div', { class: 'tour-head' }, title, count),
    text,
    h('div', { class: 'buttons' }, back, next, leave),
  );
  const ring = h('div', { class: 'tour-ring' });
  const element = h('div', { class: 'tour' }, ring, card);
  const place = (): void => {
    const boxOf = (selector: string): DOMRect =>
      document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
    const { left, top, width, height } = boxOf(STOPS[index].target);
    ring.hidden = width === 0 || STOPS[index].target === '.view-canvas';
    ring.style.cssText = `left:${left - 4}px;top:${top - 4}px;width:${width + 8}px;height:${height + 8}px`;
    // In a corner of the view where no card is: in narrow windows cards are at its lower end.
    const stage = boxOf('.stage');
    const isNarrow = stage.width < 2 * card.offsetWidth;
    card.style.left = `${isNarrow ? (stage.left + stage.right - card.offsetWidth) / 2 : stage.right - card.offsetWidth - GAP}px`;
    card.style.top = `${isNarrow ? stage.top + GAP : stage.bottom - card.offsetHeight - GAP}px`;
  };
  const go = (to: number): void => {
    if (to >= STOPS.length) return end();
    index = Math.max(0, to);
    const { title: name, text: sentence, tool, needsPanel = false } = STOPS[index];
    store.update({ tool });
    showPanel(needsPanel);
    title.textContent = name;
    text.textContent = sentence;
    count.textContent = `${index + 1} of ${STOPS.length}`;
    back.disabled = index === 0;
    next.textContent = index === STOPS.length - 1 ? 'Done' : 'Next';
    place();
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    end();
  };
  const end = (): void => {
    document.removeEventListener('keydown', keys, true);
    observer.disconnect();
    const hadFocus = element.contains(document.activeElement);
    element.remove();
    if (hadFocus) focusView();
  };
  const observer = new ResizeObserver(place);
  root.append(element);
  observer.observe(root);
  document.addEventListener('keydown', keys, true);
  go(0);
  next.focus();
}
