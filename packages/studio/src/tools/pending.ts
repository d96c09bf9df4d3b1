/** Counts what tools wait for: code that is being loaded and tasks that are due. `window.studio.idle` waits for it. */
const pending = new Set<Promise<unknown>>();

/** Resolves when no tool waits for code or for a due task. */
export async function whenToolsReady(): Promise<void> {
  while (pending.size > 0) await Promise.allSettled(pending);
}

/** Counts a job until it settles. */
export function count(job: Promise<unknown>): void {
  pending.add(job);
  const drop = (): void => void pending.delete(job);
  job.then(drop, drop);
}

export interface Delay {
  /** Runs a task after a delay in ms; replaces the one that is due. */
  start: (task: () => void, ms: number) => void;
  stop: () => void;
}

/** Creates a timer whose due task is counted. */
export function createDelay(): Delay {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let end = (): void => undefined;
  const stop = (): void => {
    clearTimeout(timer);
    end();
  };
  return {
    start(task, ms) {
      stop();
      count(new Promise<void>((resolve) => void (end = resolve)));
      const ended = end;
      timer = setTimeout(() => {
        task();
        ended();
      }, ms);
    },
    stop,
  };
}
