/**
 * Runs tasks in a worker, one at a time. Canceling terminates the worker; the next task starts a new one.
 * Where the page may not start a worker (content security policy, old browser), the same code runs on the
 * page and yields between stages.
 */
import type { PolygonMap } from 'navkiln/polygon';
import { messageOf } from '../state/message-of.ts';
import type { TaskContext } from './context.ts';
import type { PackedMap } from './packed-map.ts';
import { NO_MAP, mapOfTask, withMap } from './packed-task.ts';
import type { FromWorker, LevelToBake, Outcome, Progress, Subject, Task, ToWorker } from './protocol.ts';

/** The rejection of a canceled task. */
export class CanceledError extends Error {
  override name = 'CanceledError';
}

export interface BakeClient {
  /** Cancels the running task and starts this one. Rejects with the task's error or a `CanceledError`. */
  run: (task: Task, onProgress: (progress: Progress) => void) => Promise<Outcome>;
  cancel: () => void;
  /** Where tasks run: 'page' when workers are blocked. */
  place: () => 'worker' | 'page';
}

interface Running {
  id: number;
  resolve: (outcome: Outcome) => void;
  reject: (error: Error) => void;
  onProgress: (progress: Progress) => void;
  /** The id of a level that the worker will hold when the task is done. */
  holdAs: number | undefined;
}

/** Creates the client. Calls `onBlocked` once when no worker can be started. */
export function createBakeClient(onBlocked: (why: string) => void): BakeClient {
  let worker: Promise<Worker | undefined> | undefined;
  let isBlocked = false;
  let running: Running | undefined;
  let abort: AbortController | undefined;
  let nextId = 1;
  /** Id of the level that the worker holds. */
  let sentLevel = -1;
  /** The 2D map that the worker holds. */
  let sentMap: PolygonMap | undefined;
  let pageContext: TaskContext | undefined;

  const finish = (): Running | undefined => {
    const finished = running;
    running = undefined;
    return finished;
  };
  const forgetWorker = (): void => {
    worker = undefined;
    sentLevel = -1;
    sentMap = undefined;
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
    else if (data.type === 'done') {
      const { outcome, map, id } = data;
      const { holdAs } = running;
      if (holdAs !== undefined && (outcome.kind === 'level' || outcome.kind === 'corrected')) sentLevel = holdAs;
      if (outcome.kind !== 'map' || map === undefined) return finish()!.resolve(outcome);
      unpackedOf(map).then(
        (unpacked) => {
          if (running?.id !== id) return;
          sentMap = unpacked;
          finish()!.resolve({ ...outcome, map: unpacked });
        },
        (error: Error) => (running?.id === id ? finish()!.reject(error) : undefined),
      );
    } else finish()!.reject(new Error(data.message));
  };

  const cancel = (): void => {
    if (running === undefined) return;
    abort?.abort(new CanceledError('canceled'));
    if (!isBlocked) {
      void worker?.then((started) => started?.terminate());
      forgetWorker();
    }
    finish()?.reject(new CanceledError('canceled'));
  };

  const sendTo = async (target: Worker, id: number, task: Task): Promise<void> => {
    target.onmessage = receive;
    target.onerror = (event) => {
      forgetWorker();
      finish()?.reject(new Error(event.message || 'The worker stopped, most likely because it ran out of memory.'));
    };
    const map = mapOfTask(task);
    if (map !== undefined) {
      const packed = map === sentMap ? 'held' : await packedOf(map);
      if (running?.id !== id) return;
      sentMap = map;
      const transfer = packed === 'held' ? [] : [packed.points.buffer, packed.sizes.buffer];
      return target.postMessage(
        { id, task: withMap(task, NO_MAP), map: packed } satisfies ToWorker,
        transfer as ArrayBuffer[],
      );
    }
    const level = levelOf(task);
    const isKnown = level !== undefined && level.id === sentLevel;
    if (level !== undefined) sentLevel = level.id;
    const message: ToWorker = { id, task: isKnown ? withoutTriangles(task, level.id) : task };
    target.postMessage(message);
  };

  const runOnPage = async (id: number, task: Task, onProgress: Running['onProgress']): Promise<void> => {
    abort = new AbortController();
    const { runTask } = await import('./run-task.ts');
    pageContext ??= { onProgress: () => undefined, polite: true, held: undefined, baked: undefined };
    pageContext.onProgress = (progress) => (running?.id === id ? onProgress(progress) : undefined);
    pageContext.signal = abort.signal;
    runTask(task, pageContext).then(
      (result) => (running?.id === id ? finish()!.resolve(result) : undefined),
      (error: Error) => (running?.id === id ? finish()!.reject(error) : undefined),
    );
  };

  return {
    place: () => (isBlocked ? 'page' : 'worker'),
    cancel,
    async run(task, onProgress) {
      cancel();
      const id = nextId++;
      const outcome = new Promise<Outcome>((resolve, reject) => {
        const holdAs = 'holdAs' in task ? task.holdAs : undefined;
        running = { id, resolve, reject, onProgress, holdAs };
      });
      // A task may be canceled before a caller awaits it; that rejection must not be reported as unhandled.
      outcome.catch(() => undefined);
      const target = isBlocked ? undefined : await (worker ??= start());
      if (running?.id !== id) return outcome;
      if (target !== undefined) await sendTo(target, id, task);
      else await runOnPage(id, task, onProgress);
      const made = await outcome;
      // Code that few pages need.
      if ('navMesh' in made && made.navMesh.linkCount > 0) (await import('./auto-links.ts')).allowWideLinks();
      return made;
    },
  };
}

/** Packs a map without blocking the page. Pages without 2D maps do not load the code. */
async function packedOf(map: PolygonMap): Promise<PackedMap> {
  const { inSlices, packing } = await import('./packed-map.ts');
  return inSlices(packing(map));
}

async function unpackedOf(map: PackedMap): Promise<PolygonMap> {
  const { inSlices, unpacking } = await import('./packed-map.ts');
  return inSlices(unpacking(map));
}

function levelOf(task: Task): LevelToBake | undefined {
  if (task.type === 'bake-level' || task.type === 'diagnose') return task.level;
  return task.type === 'ask' && task.subject.kind === 'level' ? task.subject.level : undefined;
}

/** Returns the task with only the id of a level that the worker already holds. */
function withoutTriangles(task: Task, id: number): Task {
  return task.type === 'ask'
    ? { ...task, subject: { ...task.subject, level: { id } } as Subject }
    : ({ ...task, level: { id } } as Task);
}

const START_MS = 15_000;

/** Resolves when the worker reports that it is ready; rejects when it cannot start. */
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
