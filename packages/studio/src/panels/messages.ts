/**
 * Messages in a corner of the view, announced by screen readers. Errors stay until the user closes them;
 * others disappear.
 */
import { h, icon } from '../dom/dom.ts';
import type { MessageKind, Say } from '../state/message.ts';

export interface Messages {
  element: HTMLElement;
  say: Say;
  /** Removes the message of a topic: its cause is gone. */
  forget: (topic: string) => void;
  /** Lists the visible messages, oldest first. */
  list: () => { kind: MessageKind; text: string }[];
}

const ICONS: Readonly<Record<MessageKind, string>> = {
  info: 'M12 8h.01M11 12h1v5h1M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  warning: 'M12 9v4M12 17h.01M10.3 4 2.5 18a2 2 0 0 0 1.7 3h15.6a2 2 0 0 0 1.7-3L13.7 4a2 2 0 0 0-3.4 0z',
  error: 'M8 8l8 8M16 8l-8 8M8 3h8l5 5v8l-5 5H8l-5-5V8z',
};
const CLOSE = 'M6 6l12 12M18 6L6 18';
const DURATION_MS: Readonly<Record<MessageKind, number>> = { info: 4000, warning: 12_000, error: Infinity };
const MAX_SHOWN = 4;

export function createMessages(): Messages {
  const element = h('div', { class: 'messages', role: 'status', 'aria-live': 'polite' });
  let shown: { kind: MessageKind; text: string; topic: string | undefined; card: HTMLElement }[] = [];
  const remove = (card: HTMLElement): void => {
    shown = shown.filter((message) => message.card !== card);
    card.remove();
  };
  return {
    element,
    list: () => shown.map(({ kind, text }) => ({ kind, text })),
    forget(topic) {
      for (const { card } of shown.filter((message) => message.topic === topic)) remove(card);
    },
    say(kind, text, topic) {
      const same = shown.find((message) => message.text === text || (topic !== undefined && message.topic === topic));
      if (same !== undefined) remove(same.card);
      const closing = { class: 'icon-button', title: 'Close', 'aria-label': 'Close', onclick: () => remove(card) };
      const role = kind === 'error' ? 'alert' : undefined;
      const parts = [icon(ICONS[kind]), h('p', {}, text), h('button', closing, icon(CLOSE))];
      const card = h('div', { class: `message ${kind}`, role }, ...parts);
      element.append(card);
      shown.push({ kind, text, topic, card });
      while (shown.length > MAX_SHOWN) remove(shown[0].card);
      if (Number.isFinite(DURATION_MS[kind])) setTimeout(() => remove(card), DURATION_MS[kind]);
    },
  };
}
