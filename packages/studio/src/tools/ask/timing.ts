/**
 * How long a question takes, in microseconds: the median of five batches, as a page's clock ticks in steps of
 * up to 0.1 ms; after as many calls as make code warm. One question at a time, in turns of a few ms that
 * leave the page free, and only when nothing has been asked for a moment.
 */

const REST_MS = 180;
const WARM_MS = 30;
const WARM_CALLS = 300;
const BATCHES = 5;
/** A batch lasts this long at least, ms, unless one call does. */
const BATCH_MS = 1.5;
/** A turn lasts this long at most, ms, unless one call does. */
const TURN_MS = 8;

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
      const queue = [...runs].map(([id, run]) => ({ id, work: measure(run) }));
      const turn = (): void => {
        const one = queue[0];
        if (one === undefined) return;
        const end = performance.now() + TURN_MS;
        let step = one.work.next();
        while (step.done !== true && performance.now() < end) step = one.work.next();
        if (step.done === true) {
          say(one.id, step.value);
          queue.shift();
        }
        timer = setTimeout(turn, 0);
      };
      timer = setTimeout(turn, REST_MS);
    },
  };
}

/** Gives way after each batch. */
function* measure(run: () => void): Generator<undefined, number> {
  const batch = (count: number): number => {
    const start = performance.now();
    for (let i = 0; i < count; i++) run();
    return performance.now() - start;
  };
  let calls = 0;
  for (let spent = 0; spent < WARM_MS && calls < WARM_CALLS;) {
    spent += batch(4);
    calls += 4;
    yield;
  }
  let count = 1;
  while (batch(count) < BATCH_MS && count < 65_536) {
    count *= 2;
    yield;
  }
  const times: number[] = [];
  while (times.length < BATCHES) {
    times.push(batch(count));
    yield;
  }
  times.sort((a, b) => a - b);
  return (1000 * times[times.length >> 1]) / count;
}

export function formatUs(us: number): string {
  if (us < 0.05) return '< 0.1 µs';
  if (us < 10) return `${us.toFixed(1)} µs`;
  return us < 1000 ? `${Math.round(us)} µs` : `${(us / 1000).toFixed(1)} ms`;
}
