/** The content of the side panel's tab of the crowd. */
import { h } from '../dom/dom.ts';

let tab: HTMLElement | undefined;

/** Returns the content of the side panel's tab, which the tool fills. */
export function crowdTab(): HTMLElement {
  return (tab ??= h('div', {}, h('p', { class: 'hint report' }, 'Choose the Crowd tool (C) to move agents.')));
}
