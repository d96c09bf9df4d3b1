/**
 * The worker: runs tasks in order and reports progress. The page cancels a task by terminating the worker.
 */
import type { PolygonMap } from 'navkiln/polygon';
import { messageOf } from '../state/message-of.ts';
import type { TaskContext } from './context.ts';
import { NO_MAP, withMap } from './packed-task.ts';
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

/** The last 2D map. The page does not send it again. */
let heldMap: PolygonMap | undefined;

async function run({ id, task, map }: ToWorker): Promise<FromWorker> {
  if (map !== undefined && map !== 'held') {
    const { atOnce, unpacking } = await import('./packed-map.ts');
    heldMap = atOnce(unpacking(map));
  }
  const outcome = await runTask(map === undefined ? task : withMap(task, heldMap!), context);
  if (outcome.kind !== 'map') return { type: 'done', id, outcome };
  heldMap = outcome.map;
  const { atOnce, packing } = await import('./packed-map.ts');
  return { type: 'done', id, outcome: { ...outcome, map: NO_MAP }, map: atOnce(packing(heldMap)) };
}

scope.onmessage = ({ data }) => {
  const { id } = data;
  let last = -Infinity;
  context.onProgress = (progress) => {
    const now = performance.now();
    if (now - last < PROGRESS_INTERVAL_MS) return;
    last = now;
    scope.postMessage({ type: 'progress', id, progress });
  };
  run(data).then(
    (message) => {
      scope.postMessage(
        message,
        transferablesOf(message).filter((buffer) => !isShared(buffer)),
      );
    },
    (error: unknown) => {
      scope.postMessage({ type: 'failed', id, message: messageOf(error) });
    },
  );
};

scope.postMessage({ type: 'ready' });
