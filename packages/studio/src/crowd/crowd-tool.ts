/** The crowd tool: agents that move. What it does is in src/crowd/, loaded when it is first chosen. */
import { h } from '../dom/dom.ts';
import type { ToolKind } from '../tools/tool.ts';
import type { CrowdStage } from './stage.ts';

const OWN_TAB = 'tab-crowd';
let tab: HTMLElement | undefined;

/** The contents of the panel's tab, which the tool fills. */
export function crowdTab(): HTMLElement {
  return (tab ??= h('div', {}, h('p', { class: 'hint report' }, 'Choose the tool Crowd (C) to move agents.')));
}

export const crowdTool: ToolKind = {
  id: 'crowd',
  title: 'Crowd',
  shortcut: 'c',
  needs: 'mesh',
  icon: 'M8 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM16.5 11a2.5 2.5 0 1 0 0-5M2.5 20a5.5 5.5 0 0 1 11 0M15.5 14.2a5 5 0 0 1 6 5.8',
  keys: [
    ['Space', 'run or pause'],
    ['.', 'one tick'],
    ['Delete', 'take the selected one out'],
  ],
  hint: 'Click an agent to select it, the ground to send it there.',
  create(context) {
    const panel = h('div', {}, h('p', { class: 'hint' }, 'Loading …'));
    let stage: CrowdStage | undefined;
    let isIn = false;
    let isLoading = false;
    /** The tab of the panel that was open before. */
    let before: HTMLElement | null = null;
    const load = async (): Promise<void> => {
      isLoading = true;
      try {
        const { startCrowd } = await import('./start.ts');
        stage = startCrowd(context, panel, crowdTab());
        if (isIn) stage.enter();
      } catch (error) {
        panel.replaceChildren(
          h('p', {}, 'The crowd could not be loaded; choose the tool again when the page can be reached.'),
        );
        context.say(
          'error',
          `The crowd could not be loaded (${error instanceof Error ? error.message : String(error)}).`,
        );
      } finally {
        isLoading = false;
      }
    };
    return {
      panel,
      enter() {
        isIn = true;
        if (stage !== undefined) stage.enter();
        else if (!isLoading) void load();
        const shown = document.querySelector<HTMLElement>('.tab[aria-selected=true]');
        if (shown?.id !== OWN_TAB) before = shown;
        document.getElementById(OWN_TAB)?.click();
      },
      leave() {
        isIn = false;
        stage?.leave();
        if (document.querySelector('.tab[aria-selected=true]')?.id === OWN_TAB) before?.click();
      },
      changed: (state, keys) => stage?.changed(state, keys),
      click: (pointer) => stage?.click(pointer),
      hover: (pointer) => stage?.hover(pointer),
      key(event) {
        if (stage === undefined || event.ctrlKey || event.metaKey || event.altKey) return false;
        if (event.key === ' ') stage.play(stage.view()?.options.isPlaying !== true);
        else if (event.key === '.') stage.step();
        else if (event.key === 'Delete') stage.removeSelected();
        else return false;
        return true;
      },
      inspect: () => stage?.inspect(),
    };
  },
};
