/**
 * The welcome card, visible until something is open, and the overlay while files are dragged over the page.
 */
import { h, icon } from '../dom/dom.ts';
import type { Store } from '../state/store.ts';

const DROP = 'M12 3v11M7.5 9.5 12 14l4.5-4.5M4 15v5h16v-5';

/** The formats that the studio opens. */
const FORMATS =
  'GLB, glTF with its files, OBJ · .navmesh, Detour .bin · GeoJSON, Tiled, SVG, JSON maps · scenes and settings in YAML. ' +
  'Files stay on this computer.';

export function createWelcome(
  store: Store,
  open: () => void,
  openDungeon: () => void,
  openNewMap: () => void,
): { welcome: HTMLElement; over: HTMLElement } {
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
