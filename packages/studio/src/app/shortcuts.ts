/** Keys and what they do: one table, from which the list behind `?` is made. Keys typed into fields stay there. */

export interface Shortcut {
  /** As `KeyboardEvent.key`, lower case, with `ctrl+` (Cmd on a Mac) or `shift+` before it: 'p', 'ctrl+z', '?'. */
  key: string;
  title: string;
  /** Heading in the list. */
  group: string;
  run: () => void;
}

export interface Shortcuts {
  add: (shortcut: Shortcut) => void;
  list: () => readonly Shortcut[];
}

/** Throws when a key is taken: that is found when the page starts. */
export function createShortcuts(target: EventTarget): Shortcuts {
  const table = new Map<string, Shortcut>();
  target.addEventListener('keydown', (event) => {
    const pressed = event as KeyboardEvent;
    if (pressed.defaultPrevented || isTyping(pressed)) return;
    const shortcut = table.get(nameOfKey(pressed));
    if (shortcut === undefined) return;
    pressed.preventDefault();
    shortcut.run();
  });
  return {
    add(shortcut) {
      if (table.has(shortcut.key)) throw new Error(`createShortcuts: key '${shortcut.key}' is taken; choose another`);
      table.set(shortcut.key, shortcut);
    },
    list: () => [...table.values()],
  };
}

function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  if (target === null || typeof target.closest !== 'function') return false;
  if (target.closest('dialog[open]') !== null) return true;
  const field = target.closest('input, textarea, select, [contenteditable]');
  return field !== null && !(field instanceof HTMLInputElement && ['checkbox', 'button', 'radio'].includes(field.type));
}

function nameOfKey(event: KeyboardEvent): string {
  const key = event.key.toLowerCase();
  const withCtrl = event.ctrlKey || event.metaKey;
  // Signs such as ? need shift on some keyboards and not on others.
  const withShift = event.shiftKey && (withCtrl || /^[a-z]$|^.{2,}$/.test(key));
  return `${withCtrl ? 'ctrl+' : ''}${withShift ? 'shift+' : ''}${event.altKey ? 'alt+' : ''}${key}`;
}
