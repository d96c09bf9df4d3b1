/** The card of recorded searches before its code is loaded: it is loaded when the card opens. */
import { h } from '../../dom/dom.ts';
import type { Say } from '../../state/message.ts';
import { loadPart } from '../lazy.ts';
import type { Marks } from '../../view/marks.ts';
import type { View } from '../../view/view.ts';
import type { SearchQuery } from '../../search-replay/kind.ts';
import type { SearchPlayer } from '../../search-replay/player.ts';

export interface LazyPlayer {
  element: HTMLDetailsElement;
  /** Shows the search for a path; undefined: there is none. */
  show: (query: SearchQuery | undefined) => void;
  /** Whether the drawing of a search stands in place of the path. */
  hidesPath: () => boolean;
  draw: (marks: Marks) => void;
  key: (event: KeyboardEvent) => boolean;
  stop: () => void;
}

/** Creates the card. `redraw` draws the tool again. */
export function createLazyPlayer(view: View, redraw: () => void, say: Say): LazyPlayer {
  let player: SearchPlayer | undefined;
  let query: SearchQuery | undefined;
  const element = h(
    'details',
    { class: 'query-more query-replay', 'data-part': 'search', ontoggle: () => void refresh() },
    h('summary', {}, 'Search, node by node'),
  );
  const refresh = async (): Promise<void> => {
    player?.stop();
    if (element.open && player === undefined) {
      const code = await loadPart(() => import('../../search-replay/player.ts'), say);
      player ??= code?.createSearchPlayer(element, view, redraw);
    }
    player?.show(element.open ? query : undefined);
    redraw();
  };
  return {
    element,
    show(next) {
      query = next;
      if (element.open) player?.show(query);
    },
    hidesPath: () => element.open && player?.isDone() === false,
    draw: (marks) => void (element.open && player?.draw(marks)),
    key: (event) => element.open && player?.key(event) === true,
    stop: () => player?.stop(),
  };
}
