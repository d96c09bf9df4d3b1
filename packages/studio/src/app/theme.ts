/** The theme, light or dark: that of the system, or the choice of the user, which the browser stores. */
import type { ThemeChoice } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import { DARK, LIGHT } from '../view/palette.ts';
import type { Palette } from '../view/palette.ts';

export interface Theme {
  isDark: () => boolean;
  palette: () => Palette;
  onChange: (listener: () => void) => void;
}

const KEY = 'navkiln-studio-theme';

export function createTheme(store: Store): Theme {
  const system = globalThis.matchMedia('(prefers-color-scheme: dark)');
  const listeners: (() => void)[] = [];
  const isDark = (): boolean => {
    const { theme } = store.get();
    return theme === 'system' ? system.matches : theme === 'dark';
  };
  const apply = (): void => {
    document.documentElement.dataset['theme'] = isDark() ? 'dark' : 'light';
    listeners.forEach((listener) => listener());
  };
  store.update({ theme: remembered() });
  store.listen(['theme'], ({ theme }) => {
    remember(theme);
    apply();
  });
  system.addEventListener('change', apply);
  apply();
  return { isDark, palette: () => (isDark() ? DARK : LIGHT), onChange: (listener) => void listeners.push(listener) };
}

/** Reads the stored choice. Where storage is disabled, the system decides. */
function remembered(): ThemeChoice {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : 'system';
  } catch {
    return 'system';
  }
}

function remember(theme: ThemeChoice): void {
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Storage is disabled: the choice lasts until the page is closed.
  }
}
