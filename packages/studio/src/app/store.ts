/** Holds the state, tells who has asked for a key that it has changed. Listeners run at once, in the order they came. */
import type { StateKey, StudioState } from './state.ts';

export type Listener = (state: StudioState, changed: ReadonlySet<StateKey>) => void;

export interface Store {
  get: () => StudioState;
  /** Replaces values. Those that are the same are no change. */
  update: (patch: Partial<StudioState>) => void;
  /** Called after each update that changes one of the keys. Returns how to stop it. */
  listen: (keys: readonly StateKey[], listener: Listener) => () => void;
}

export function createStore(initial: StudioState): Store {
  let state = initial;
  const listeners: { keys: readonly StateKey[]; listener: Listener }[] = [];
  return {
    get: () => state,
    update(patch) {
      const changed = new Set<StateKey>();
      for (const key of Object.keys(patch) as StateKey[]) if (patch[key] !== state[key]) changed.add(key);
      if (changed.size === 0) return;
      state = { ...state, ...patch };
      for (const entry of listeners.slice())
        if (entry.keys.some((key) => changed.has(key))) entry.listener(state, changed);
    },
    listen(keys, listener) {
      const entry = { keys, listener };
      listeners.push(entry);
      return () => {
        const at = listeners.indexOf(entry);
        if (at >= 0) listeners.splice(at, 1);
      };
    },
  };
}
