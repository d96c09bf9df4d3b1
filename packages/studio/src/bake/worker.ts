/** The worker: does one task after the other, tells how far it is. Who started it ends it: that is how tasks are cancelled. */
import { messageOf } from '../app/message-of.ts';
import type { FromWorker, ToWorker } from './protocol.ts';
import { runTask } from './run-task.ts';
import type { TaskContext } from './run-task.ts';
import { isShared, transferablesOf } from './transfer.ts';

const scope = globalThis as unknown as {
  postMessage: (message: FromWorker, transfer?: Transferable[]) => void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
};

const context: TaskContext = { onProgress: () => undefined, polite: false, held: undefined, baked: undefined };

/** Progress is told at most so often: thousands of small tiles would only make the page busy. */
const EVERY_MS = 40;

scope.onmessage = ({ data: { id, task } }) => {
  let last = -Infinity;
  context.onProgress = (progress) => {
    const now = performance.now();
    if (now - last < EVERY_MS) return;
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
