/** Creates the crowd tool: the runner, its card and its tab. Loaded when the tool is first chosen. */
import { enableWideLinks } from 'navkiln/links';
import './crowd.css';
import type { Tool, ToolContext } from '../tools/tool.ts';
import { crowdTab } from './tab.ts';
import { createNumbers } from './numbers-panel.ts';
import { createCrowdPanel } from './panel.ts';
import { readOptions } from './options.ts';
import { createCrowdRunner } from './runner.ts';

const OWN_TAB = 'tab-crowd';

export function createCrowdTool(context: ToolContext): Tool {
  enableWideLinks();
  const runner = createCrowdRunner(context, readOptions(context.saved()));
  const panel = createCrowdPanel(runner, context.store.get);
  const numbers = createNumbers();
  crowdTab().replaceChildren(numbers.element);
  runner.onStatus(() => {
    panel.refresh();
    numbers.refresh(runner.status());
  });
  /** The tab of the side panel that was open before. */
  let before: HTMLElement | null = null;
  return {
    panel: panel.element,
    loading: runner.loading,
    enter() {
      runner.enter();
      const shown = document.querySelector<HTMLElement>('.tab[aria-selected=true]');
      if (shown?.id !== OWN_TAB) before = shown;
      document.getElementById(OWN_TAB)?.click();
    },
    leave() {
      runner.leave();
      if (document.querySelector('.tab[aria-selected=true]')?.id === OWN_TAB) before?.click();
    },
    changed: runner.changed,
    click: runner.click,
    down: runner.down,
    drag: runner.drag,
    up: runner.up,
    hover: runner.hover,
    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return false;
      if (event.key === ' ') runner.play(runner.status()?.options.isPlaying !== true);
      else if (event.key === '.') runner.step();
      else if (event.key === 'Delete') runner.removeSelected();
      else return false;
      return true;
    },
    share: runner.share,
    inspect: runner.inspect,
  };
}
