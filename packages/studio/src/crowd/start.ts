/** Starts the crowd tool: the runner, its card and its tab. Loaded when the tool is first chosen. */
import { enableWideLinks } from 'navkiln/links';
import './crowd.css';
import type { ToolContext } from '../tools/tool.ts';
import { createNumbers } from './numbers-panel.ts';
import { createCrowdPanel } from './panel.ts';
import { readOptions } from './options.ts';
import { createCrowdRunner } from './runner.ts';
import type { CrowdRunner } from './runner.ts';

export function startCrowd(context: ToolContext, card: HTMLElement, tab: HTMLElement): CrowdRunner {
  enableWideLinks();
  const runner = createCrowdRunner(context, readOptions(context.saved()));
  const panel = createCrowdPanel(runner, context.store.get);
  const numbers = createNumbers();
  card.replaceChildren(panel.element);
  tab.replaceChildren(numbers.element);
  runner.onStatus(() => {
    panel.refresh();
    numbers.refresh(runner.status());
  });
  return runner;
}
