/**
 * Keyboard shortcuts: one table, which the list behind `?` shows. Keys typed into form fields are not
 * shortcuts.
 */

export interface Shortcut {
  /** `KeyboardEvent.key` in lower case, after `ctrl+` (Cmd on a Mac) or `shift+`: 'p', 'ctrl+z', '?'. */
  key: string;
  title: string;
  /** The heading in the list. */
  group: string;
  run: () => void;
}

export interface Shortcuts {
  /** Throws for a key that is taken, so that a conflict shows when the page starts. */
  add: (shortcut: Shortcut) => void;
  list: () => readonly Shortcut[];
  /** Whether keys without Ctrl work, such as letters. Escape always does. */
  hasLetters: () => boolean;
  /** Turns keys without Ctrl on or off; the browser stores it. */
  setLetters: (areOn: boolean) => void;
}

const KEY = 'navkiln-studio-letters';

/** Listens to the keys of `target`. */
export function createShortcuts(target: EventTarget): Shortcuts {
  const table = new Map<string, Shortcut>();
  let hasLetters = readStored();
  target.addEventListener('keydown', (event) => {
    const pressed = event as KeyboardEvent;
    if (pressed.defaultPrevented || isTyping(pressed)) return;
    const shortcut = table.get(nameOfKey(pressed));
    if (shortcut === undefined || (!hasLetters && [...shortcut.key].length === 1)) return;
    pressed.preventDefault();
    shortcut.run();
  });
  return {
    add(shortcut) {
      if (table.has(shortcut.key)) throw new Error(`add: shortcut.key is '${shortcut.key}'; must not be in use`);
      table.set(shortcut.key, shortcut);
    },
    list: () => [...table.values()],
    hasLetters: () => hasLetters,
    setLetters(areOn) {
      hasLetters = areOn;
      try {
        if (areOn) localStorage.removeItem(KEY);
        else localStorage.setItem(KEY, 'off');
      } catch {
        // Storage is disabled: the choice lasts until the page is closed.
      }
    },
  };
}

function readStored(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
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
  // Some keyboards need Shift for characters such as ?, others do not.
  const withShift = event.shiftKey && (withCtrl || /^[a-z]$|^.{2,}$/.test(key));
  return `${withCtrl ? 'ctrl+' : ''}${withShift ? 'shift+' : ''}${event.altKey ? 'alt+' : ''}${key}`;
}
