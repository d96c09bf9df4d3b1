/** The crowd tool: moving agents. The rest of its code is loaded when the tool is first chosen. */
import { h } from '../dom/dom.ts';
import { count } from '../tools/pending.ts';
import type { ToolKind } from '../tools/tool.ts';
import type { CrowdRunner } from './runner.ts';

const OWN_TAB = 'tab-crowd';
let tab: HTMLElement | undefined;

/** Returns the content of the side panel's tab, which the tool fills. */
export function crowdTab(): HTMLElement {
  return (tab ??= h('div', {}, h('p', { class: 'hint report' }, 'Choose the Crowd tool (C) to move agents.')));
}

export const crowdTool: ToolKind = {
  id: 'crowd',
  title: 'Crowd',
  shortcut: 'c',
  needs: 'mesh',
  icon: 'M8 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM16.5 11a2.5 2.5 0 1 0 0-5M2.5 20a5.5 5.5 0 0 1 11 0M15.5 14.2a5 5 0 0 1 6 5.8',
  keys: [
    ['Space', 'run or pause'],
    ['.', 'run one tick'],
    ['Delete', 'remove the selected agent'],
  ],
  hint: 'Click an agent to select it, then click the surface to send it there. Targets can be dragged.',
  create(context) {
    const panel = h('div', {}, h('p', { class: 'hint' }, 'Loading …'));
    let runner: CrowdRunner | undefined;
    let isIn = false;
    let loading: Promise<void> | undefined;
    /** The tab of the side panel that was open before. */
    let before: HTMLElement | null = null;
    const load = async (): Promise<void> => {
      try {
        const { startCrowd } = await import('./start.ts');
        runner = startCrowd(context, panel, crowdTab());
        if (isIn) runner.enter();
      } catch (error) {
        panel.replaceChildren(
          h('p', {}, 'The crowd could not be loaded. Check the connection, then choose the tool again.'),
        );
        context.say(
          'error',
          `The crowd could not be loaded (${error instanceof Error ? error.message : String(error)}).`,
        );
      } finally {
        loading = undefined;
      }
    };
    return {
      panel,
      loading: () => loading ?? runner?.loading(),
      enter() {
        isIn = true;
        if (runner !== undefined) runner.enter();
        else if (loading === undefined) count((loading = load()));
        const shown = document.querySelector<HTMLElement>('.tab[aria-selected=true]');
        if (shown?.id !== OWN_TAB) before = shown;
        document.getElementById(OWN_TAB)?.click();
      },
      leave() {
        isIn = false;
        runner?.leave();
        if (document.querySelector('.tab[aria-selected=true]')?.id === OWN_TAB) before?.click();
      },
      changed: (state, keys) => runner?.changed(state, keys),
      click: (pointer) => runner?.click(pointer),
      down: (pointer) => runner?.down(pointer) ?? false,
      drag: (pointer) => runner?.drag(pointer),
      up: () => runner?.up(),
      hover: (pointer) => runner?.hover(pointer),
      key(event) {
        if (runner === undefined || event.ctrlKey || event.metaKey || event.altKey) return false;
        if (event.key === ' ') runner.play(runner.status()?.options.isPlaying !== true);
        else if (event.key === '.') runner.step();
        else if (event.key === 'Delete') runner.removeSelected();
        else return false;
        return true;
      },
      inspect: () => runner?.inspect(),
    };
  },
};
