/**
 * How long a question takes, in microseconds: the median of five batches, as a page's clock ticks in steps of up to 0.1 ms.
 * One question at a time, with turns of the event loop in between, and only when nothing has been asked for a moment.
 */

const REST_MS = 180;
const BATCHES = 5;
/** A batch lasts this long at least, ms, unless one call does. */
const BATCH_MS = 1.5;
/** The page waits while a question is timed: no longer than about this, ms. */
const LONGEST_MS = 40;

export interface Stopwatch {
  /** Measures these anew after a rest; what was due before is forgotten. */
  ask: (runs: ReadonlyMap<string, () => void>) => void;
  stop: () => void;
}

export function createStopwatch(say: (id: string, us: number) => void): Stopwatch {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    stop,
    ask(runs) {
      stop();
      const queue = [...runs];
      const next = (): void => {
        const one = queue.shift();
        if (one === undefined) return;
        say(one[0], measure(one[1]));
        timer = setTimeout(next, 0);
      };
      timer = setTimeout(next, REST_MS);
    },
  };
}

function measure(run: () => void): number {
  const batch = (count: number): number => {
    const start = performance.now();
    for (let i = 0; i < count; i++) run();
    return performance.now() - start;
  };
  let spent = batch(1);
  let count = 1;
  // The first calls are slow, and tell little.
  let ms = batch(1);
  while (ms < BATCH_MS && count < 4096) {
    spent += ms;
    count *= ms < BATCH_MS / 8 ? 4 : 2;
    ms = batch(count);
  }
  const times = [ms];
  for (spent += ms; times.length < BATCHES && spent < LONGEST_MS; spent += times.at(-1)!) times.push(batch(count));
  times.sort((a, b) => a - b);
  return (1000 * times[times.length >> 1]!) / count;
}

export function formatUs(us: number): string {
  return us < 10 ? `${us.toFixed(1)} µs` : us < 1000 ? `${Math.round(us)} µs` : `${(us / 1000).toFixed(1)} ms`;
}
