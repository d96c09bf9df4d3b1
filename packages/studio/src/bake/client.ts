/**
 * The page's side of the worker: one task at a time; cancelling ends the worker, and the next task starts another. Where a worker
 * may not be started (a policy of the page's host, an old browser), the same code runs on the page, giving way between stages.
 */
import { messageOf } from '../app/message-of.ts';
import type { FromWorker, Outcome, Progress, Subject, Task, ToWorker } from './protocol.ts';
import type { TaskContext } from './run-task.ts';

/** What a cancelled task rejects with. */
export class CancelledError extends Error {
  override name = 'CancelledError';
}

export interface BakeClient {
  /** Rejects with the task's error, or a `CancelledError`. A task in hand is cancelled first. */
  run: (task: Task, onProgress: (progress: Progress) => void) => Promise<Outcome>;
  cancel: () => void;
  /** Where tasks run: 'page' when the worker is blocked. */
  place: () => 'worker' | 'page';
}

interface Running {
  id: number;
  resolve: (outcome: Outcome) => void;
  reject: (error: Error) => void;
  onProgress: (progress: Progress) => void;
}

/** `onBlocked` is called once, when there is no worker to be had. */
export function createBakeClient(onBlocked: (why: string) => void): BakeClient {
  let worker: Promise<Worker | undefined> | undefined;
  let isBlocked = false;
  let running: Running | undefined;
  let abort: AbortController | undefined;
  let nextId = 1;
  /** Id of the level the worker has. */
  let sentLevel = -1;
  let pageContext: TaskContext | undefined;

  const finish = (): Running | undefined => {
    const one = running;
    running = undefined;
    return one;
  };
  const start = (): Promise<Worker | undefined> =>
    startWorker().catch((error: unknown) => {
      isBlocked = true;
      onBlocked(messageOf(error));
      return undefined;
    });
  const receive = ({ data }: MessageEvent<FromWorker>): void => {
    if (data.type === 'ready' || data.id !== running?.id) return;
    if (data.type === 'progress') running.onProgress(data.progress);
    else if (data.type === 'done') finish()!.resolve(data.outcome);
    else finish()!.reject(new Error(data.message));
  };

  const cancel = (): void => {
    if (running === undefined) return;
    abort?.abort(new CancelledError('cancelled'));
    if (!isBlocked) {
      void worker?.then((one) => one?.terminate());
      worker = undefined;
      sentLevel = -1;
    }
    finish()?.reject(new CancelledError('cancelled'));
  };

  /** Leaves out of a bake what the worker has already. */
  const shorten = (task: Task): Task => {
    const level =
      task.type === 'bake-level'
        ? task.level
        : task.type === 'ask' && task.subject.kind === 'level'
          ? task.subject.level
          : undefined;
    if (level === undefined) return task;
    const { id } = level;
    const isKnown = sentLevel === id;
    sentLevel = id;
    if (!isKnown) return task;
    return task.type === 'ask'
      ? { ...task, subject: { ...task.subject, level: { id } } as Subject }
      : ({ ...task, level: { id } } as Task);
  };

  return {
    place: () => (isBlocked ? 'page' : 'worker'),
    cancel,
    async run(task, onProgress) {
      cancel();
      const id = nextId++;
      const outcome = new Promise<Outcome>((resolve, reject) => {
        running = { id, resolve, reject, onProgress };
      });
      // Who cancels before anyone waits must not leave a rejection behind.
      outcome.catch(() => undefined);
      const one = isBlocked ? undefined : await (worker ??= start());
      if (running?.id !== id) return outcome;
      if (one !== undefined) {
        one.onmessage = receive;
        one.onerror = (event) => {
          worker = undefined;
          sentLevel = -1;
          finish()?.reject(new Error(event.message || 'The worker has ended: most likely the memory did not suffice.'));
        };
        const message: ToWorker = { id, task: shorten(task) };
        one.postMessage(message);
        return outcome;
      }
      abort = new AbortController();
      const { runTask } = await import('./run-task.ts');
      pageContext ??= { onProgress: () => undefined, polite: true, held: undefined, baked: undefined };
      pageContext.onProgress = (progress) => (running?.id === id ? onProgress(progress) : undefined);
      pageContext.signal = abort.signal;
      runTask(task, pageContext).then(
        (result) => (running?.id === id ? finish()!.resolve(result) : undefined),
        (error: Error) => (running?.id === id ? finish()!.reject(error) : undefined),
      );
      return outcome;
    },
  };
}

const START_MS = 15_000;

/** Resolves once the worker has answered; rejects when it may not be started. */
function startWorker(): Promise<Worker> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    const timer = setTimeout(() => reject(new Error('it did not start in time')), START_MS);
    worker.onmessage = () => {
      clearTimeout(timer);
      resolve(worker);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      clearTimeout(timer);
      reject(new Error(event.message || 'the page may not start one'));
    };
  });
}
