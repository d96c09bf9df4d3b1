/**
 * A slow line with losses, as TCP and so WebSockets show it: a packet that is lost is sent again, and what was sent after it waits. The
 * caller keeps the time, so a test runs a minute in a second.
 */
import { createRandom, nextRandom } from 'navkiln';
import type { Data } from './messages.ts';

export interface LineOptions {
  /** Time that a message takes. */
  seconds: number;
  /** Share of messages that are lost, 0 to 1. */
  loss: number;
  seed: number;
}

/** Seconds until a message that was lost is sent again. */
const AGAIN_SECONDS = 0.3;

/** One direction of a connection. */
export function createLine(options: LineOptions) {
  const random = createRandom(options.seed);
  const waiting: { at: number; data: Data }[] = [];
  let last = 0;
  return {
    options,
    lost: 0,
    send(data: Data, now: number): void {
      const { seconds, loss } = options;
      let at = now + seconds * (0.9 + 0.2 * nextRandom(random));
      for (; nextRandom(random) < loss; at += AGAIN_SECONDS) this.lost++;
      last = Math.max(last, at);
      waiting.push({ at: last, data });
    },
    /** Returns the messages that arrive by now, in the order in which they were sent. */
    receive(now: number): Data[] {
      let count = 0;
      while (count < waiting.length && waiting[count].at <= now) count++;
      return waiting.splice(0, count).map(({ data }) => data);
    },
  };
}

export type Line = ReturnType<typeof createLine>;
