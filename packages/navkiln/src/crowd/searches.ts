/** Searches of a crowd: who waits for a path, and how much of the searching is done in a tick. */

export interface Searches {
  /** Slots that wait, first come first. */
  queue: Int32Array;
  queueCount: number;
}
