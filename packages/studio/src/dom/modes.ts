/** Buttons for the actions of a click, one of which is pressed. */
import { h } from './dom.ts';

export interface ModeButtons<T extends string> {
  element: HTMLElement;
  /** Shows which mode is chosen. */
  set: (mode: T | undefined) => void;
}

/** Creates a button for each mode: its id, its title, and a sentence about it. */
export function modeButtons<T extends string>(
  label: string,
  modes: readonly (readonly [id: T, title: string, help: string])[],
  onChoose: (mode: T) => void,
): ModeButtons<T> {
  const buttons = modes.map(([id, title, help]) =>
    h(
      'button',
      {
        class: 'button small',
        title: help,
        'data-mode': id,
        'aria-pressed': 'false',
        onclick: () => onChoose(id),
      },
      title,
    ),
  );
  return {
    element: h('div', { class: 'buttons', role: 'group', 'aria-label': label }, ...buttons),
    set: (mode) => buttons.forEach((button, i) => button.setAttribute('aria-pressed', String(modes[i][0] === mode))),
  };
}
