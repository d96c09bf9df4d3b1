/** The parts of the studio that do not depend on its panels: state, work, view, layers and tools. */
import { h } from '../dom/dom.ts';
import { createMessages } from '../panels/messages.ts';
import type { Messages } from '../panels/messages.ts';
import { createHistory } from '../state/history.ts';
import type { History } from '../state/history.ts';
import { createState } from '../state/state.ts';
import { createStore } from '../state/store.ts';
import type { Store } from '../state/store.ts';
import { createToolHost } from '../tools/host.ts';
import type { ToolHost } from '../tools/host.ts';
import { count } from '../tools/pending.ts';
import { LAYERS } from '../view/all-layers.ts';
import { sampleObjects } from '../view/drawing.ts';
import { createLayers } from '../view/layers.ts';
import type { Layers } from '../view/layers.ts';
import { createPicking } from '../view/picking.ts';
import type { Picking } from '../view/picking.ts';
import { createView } from '../view/view.ts';
import type { View } from '../view/view.ts';
import { TOOLS } from './all-tools.ts';
import { createTheme } from './theme.ts';
import type { Theme } from './theme.ts';
import { createWork } from './work.ts';
import type { Work } from './work.ts';

export interface Core {
  store: Store;
  history: History;
  messages: Messages;
  work: Work;
  theme: Theme;
  /** The element that holds the view, the card and the messages. */
  stage: HTMLElement;
  view: View;
  picking: Picking;
  layers: Layers;
  host: ToolHost;
}

/** Runs a task soon; `window.studio.idle` waits for it. */
function later(task: () => void): void {
  count(
    new Promise<void>((resolve) => {
      setTimeout(() => {
        task();
        resolve();
      });
    }),
  );
}

export function createCore(): Core {
  const store = createStore(createState());
  const history = createHistory(store);
  const messages = createMessages();
  const { say } = messages;
  const work = createWork(store, history, messages);
  const theme = createTheme(store);
  const stage = h('main', { class: 'stage' });
  const view = createView(stage);
  const picking = createPicking();
  const { invalidate, castShadows } = view;
  const layers = createLayers(LAYERS, store, view.root, theme.palette(), { invalidate, castShadows, later });
  const host = createToolHost(TOOLS, {
    store,
    history,
    view,
    picking,
    palette: theme.palette,
    ask: work.ask,
    say,
    addFiles: work.addFiles,
  });
  theme.onChange(() => {
    view.setPalette(theme.palette());
    layers.setPalette(theme.palette());
    host.repaint();
  });
  view.setPalette(theme.palette());
  view.prepare(sampleObjects());
  return { store, history, messages, work, theme, stage, view, picking, layers, host };
}
