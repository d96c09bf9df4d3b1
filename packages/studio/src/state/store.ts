/**
 * Holds the state and calls listeners when the keys they name change. Listeners run synchronously, in order
 * of registration.
 */
import type { StateKey, StudioState } from './state.ts';

export type Listener = (state: StudioState, changed: ReadonlySet<StateKey>) => void;

export interface Store {
  get: () => StudioState;
  /** Replaces the given values. A value that is identical to the old one is not a change. */
  update: (patch: Partial<StudioState>) => void;
  /**
   * Calls `listener` after each update that changes one of the keys. Returns a function that removes the
   * listener.
   */
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
      for (const entry of listeners.slice()) {
        if (entry.keys.some((key) => changed.has(key))) entry.listener(state, changed);
      }
    },
    listen(keys, listener) {
      const entry = { keys, listener };
      listeners.push(entry);
      return () => {
        const index = listeners.indexOf(entry);
        if (index >= 0) listeners.splice(index, 1);
      };
    },
  };
}
