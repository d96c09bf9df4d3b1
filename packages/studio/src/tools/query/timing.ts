/**
 * Measures how long queries take, in microseconds, after a warm-up. Each result is the median of five
 * batches, because a page's clock ticks in steps of up to 0.1 ms. Measuring starts after a rest and runs in
 * turns of a few ms, so that the page stays responsive.
 */

const REST_MS = 180;
const WARM_MS = 30;
const WARM_CALLS = 300;
const BATCHES = 5;
/** Minimum duration of a batch, ms. */
const BATCH_MS = 1.5;
/** Maximum duration of a turn, ms. A single batch may take longer. */
const TURN_MS = 8;

export interface Stopwatch {
  /** Measures these calls after a rest. Drops all that were due before. */
  measure: (runs: ReadonlyMap<string, () => void>) => void;
  stop: () => void;
}

export function createStopwatch(onTime: (id: string, us: number) => void): Stopwatch {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    stop,
    measure(runs) {
      stop();
      const queue = [...runs].map(([id, run]) => ({ id, work: medianTime(run) }));
      const turn = (): void => {
        const first = queue[0];
        if (first === undefined) return;
        const end = performance.now() + TURN_MS;
        let step = first.work.next();
        while (step.done !== true && performance.now() < end) step = first.work.next();
        if (step.done === true) {
          onTime(first.id, step.value);
          queue.shift();
        }
        timer = setTimeout(turn, 0);
      };
      timer = setTimeout(turn, REST_MS);
    },
  };
}

/** Returns the median time of a call, us. Yields after each batch. */
function* medianTime(run: () => void): Generator<undefined, number> {
  const batch = (count: number): number => {
    const start = performance.now();
    for (let i = 0; i < count; i++) run();
    return performance.now() - start;
  };
  let calls = 0;
  for (let spent = 0; spent < WARM_MS && calls < WARM_CALLS;) {
    // Long calls have turns of their own.
    const size = spent > 2 * calls ? 1 : 4;
    const warm = calls === 0 ? 1 : size;
    spent += batch(warm);
    calls += warm;
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
