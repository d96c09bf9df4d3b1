/**
 * The worker: runs tasks in order and reports progress. The page cancels a task by terminating the worker.
 */
import { messageOf } from '../state/message-of.ts';
import type { TaskContext } from './context.ts';
import type { FromWorker, ToWorker } from './protocol.ts';
import { runTask } from './run-task.ts';
import { isShared, transferablesOf } from './transfer.ts';

const scope = globalThis as unknown as {
  postMessage: (message: FromWorker, transfer?: Transferable[]) => void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
};

const context: TaskContext = { onProgress: () => undefined, polite: false, held: undefined, baked: undefined };

/** Minimum time between progress messages, so that thousands of small tiles do not keep the page busy. */
const PROGRESS_INTERVAL_MS = 40;

scope.onmessage = ({ data: { id, task } }) => {
  let last = -Infinity;
  context.onProgress = (progress) => {
    const now = performance.now();
    if (now - last < PROGRESS_INTERVAL_MS) return;
    last = now;
    scope.postMessage({ type: 'progress', id, progress });
  };
  runTask(task, context).then(
    (outcome) => {
      scope.postMessage(
        { type: 'done', id, outcome },
        transferablesOf(outcome).filter((buffer) => !isShared(buffer)),
      );
    },
    (error: unknown) => {
      scope.postMessage({ type: 'failed', id, message: messageOf(error) });
    },
  );
};

scope.postMessage({ type: 'ready' });
