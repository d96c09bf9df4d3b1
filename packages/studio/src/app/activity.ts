/** Counts running tasks, delays a due task, and lets callers wait until nothing runs and nothing is due. */

export interface Activity {
  /** Number of running tasks. */
  running: () => number;
  begin: () => void;
  end: () => void;
  /** Runs a task after a delay; replaces the one that is due. */
  runLater: (task: () => void, delayMs: number) => void;
  /** Drops the task that is due. */
  dropDue: () => void;
  /** Resumes waiting callers if nothing runs and nothing is due; the oldest question comes first. */
  settle: () => void;
  /** Returns whether nothing runs and nothing is due. */
  isFree: () => boolean;
  /** Resolves at the turn of a question. It checks `isFree` again, then begins a task or calls `settle`. */
  questionTurn: () => Promise<void>;
  /** Resolves when nothing runs, nothing is due and no question waits. */
  whenIdle: () => Promise<void>;
}

export function createActivity(): Activity {
  let count = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting: (() => void)[] = [];
  let questions: (() => void)[] = [];
  const isFree = (): boolean => count === 0 && timer === undefined;
  const dropDue = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const settle = (): void => {
    if (!isFree()) return;
    if (questions.length > 0) {
      const [next, ...rest] = questions;
      questions = rest;
      return next!();
    }
    const done = waiting;
    waiting = [];
    done.forEach((resolve) => resolve());
  };
  return {
    running: () => count,
    begin: () => void count++,
    end() {
      count--;
      settle();
    },
    runLater(task, delayMs) {
      clearTimeout(timer);
      timer = setTimeout(task, delayMs);
    },
    dropDue,
    settle,
    isFree,
    questionTurn: () => new Promise((resolve) => questions.push(resolve)),
    whenIdle: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        settle();
      }),
  };
}
