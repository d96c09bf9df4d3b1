/** What the crowd tool loads when it is chosen: the stage, its card, its tab. */
import './crowd.css';
import type { ToolContext } from '../tools/tool.ts';
import { createNumbers } from './numbers-panel.ts';
import { createCrowdPanel } from './panel.ts';
import { createStage, defaultOptions } from './stage.ts';
import type { CrowdStage } from './stage.ts';

export function startCrowd(context: ToolContext, card: HTMLElement, tab: HTMLElement): CrowdStage {
  const stage = createStage(context, defaultOptions(context.saved()));
  const panel = createCrowdPanel(stage, context.store.get);
  const numbers = createNumbers();
  card.replaceChildren(panel.element);
  tab.replaceChildren(numbers.element);
  stage.onView(() => {
    panel.refresh();
    numbers.refresh(stage.view());
  });
  return stage;
}
