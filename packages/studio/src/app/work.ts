/**
 * From a source to a mesh on the screen: opens scenes and files, bakes when the level or the document has
 * changed, a moment after the last change, and cancels what has become idle work. All in the worker, through
 * one client.
 */
import { CancelledError, createBakeClient } from '../bake/client.ts';
import type { BakeClient } from '../bake/client.ts';
import type { Ask, Loaded, Outcome, Progress, Task } from '../bake/protocol.ts';
import type { Opened } from '../files/open.ts';
import type { History } from '../state/history.ts';
import { messageOf } from '../state/message-of.ts';
import type { Say } from '../state/message.ts';
import { bakeOptions, levelEdits, mapOptions } from '../state/settings.ts';
import { IDLE, NO_EDITS } from '../state/state.ts';
import type { Settings, Source, StudioState } from '../state/state.ts';
import type { Store } from '../state/store.ts';

/** Several changes in a row are one bake. */
const DEBOUNCE_MS = 220;

export interface Work {
  /**
   * `adjust` changes the settings the scene came with. Resolves to true when it is open; a failure is said.
   */
  openScene: (source: Extract<Source, { kind: 'scene' }>, adjust?: (base: Settings) => Settings) => Promise<boolean>;
  openFiles: (opened: Opened) => Promise<boolean>;
  /** Now, even when nothing has changed. */
  bake: () => void;
  cancel: () => void;
  /**
   * A question to the worker, when no bake is running. undefined: something newer has come, or it failed
   * (which is said).
   */
  ask: Ask;
  place: BakeClient['place'];
  /** Resolves when nothing is being done and nothing is due. */
  whenIdle: () => Promise<void>;
}

export function createWork(store: Store, history: History, say: Say): Work {
  const client = createBakeClient((why) => {
    say(
      'warning',
      `This page may not start a worker (${why}), so bakes run on the page itself, which may stand still for a ` +
        'moment. Allow workers from this address (worker-src in its content security policy) for smooth work.',
    );
  });
  let nextId = 1;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting: (() => void)[] = [];
  let busy = 0;

  /** Questions that wait for bakes to end. */
  let questions: (() => void)[] = [];
  const settle = (): void => {
    if (busy > 0 || timer !== undefined) return;
    if (questions.length > 0) {
      const [next, ...rest] = questions;
      questions = rest;
      return next!();
    }
    const done = waiting;
    waiting = [];
    done.forEach((resolve) => resolve());
  };
  const progressTo =
    (title: string) =>
    ({ stage, done, total }: Progress): void =>
      store.update({ job: { status: 'running', title, stage, done, total } });

  /** Runs a task and shows how far it is; undefined: it failed, which has been said, or was cancelled. */
  const run = async <T>(title: string, task: Task, use: (outcome: Outcome) => T): Promise<T | undefined> => {
    busy++;
    store.update({ job: { status: 'running', title, stage: '', done: 0, total: 0 } });
    try {
      const result = use(await client.run(task, progressTo(title)));
      store.update({ job: IDLE });
      return result;
    } catch (error) {
      // A newer task shows its own progress.
      if (error instanceof CancelledError) {
        if (busy === 1) store.update({ job: { ...IDLE, status: 'cancelled', title } });
      } else {
        store.update({ job: { ...IDLE, status: 'failed', title } });
        say('error', sentence(error));
      }
      return undefined;
    } finally {
      busy--;
      settle();
    }
  };

  const bake = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const { level, map, settings, edits } = store.get();
    const task: Task | undefined =
      level !== undefined
        ? {
            type: 'bake-level',
            options: bakeOptions(settings, edits),
            edits: levelEdits(edits),
            level: { id: level.id, positions: level.positions, indices: level.indices },
          }
        : map !== undefined
          ? { type: 'bake-map', map: map.map, options: mapOptions(settings) }
          : undefined;
    if (task === undefined) return settle();
    void run('Baking', task, (outcome) => {
      if (outcome.kind !== 'baked') return;
      const { navMesh, report, bounds, rebuilt } = outcome;
      store.update({ mesh: { id: nextId++, navMesh, report, bounds, rebuilt }, job: IDLE });
    });
  };
  const bakeSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(bake, DEBOUNCE_MS);
  };

  const take = (source: Source, loaded: Loaded, adjust: (base: Settings) => Settings): void => {
    const { title, warnings } = loaded;
    const before = store.get();
    // What came with a scene goes with it; what was set for files, or before anything was open, stays for the
    // next file.
    const isKept = source.kind === 'files' && before.source?.kind !== 'scene' && loaded.settings === undefined;
    const base = loaded.settings ?? (isKept ? before.baseSettings : {});
    const patch: Partial<StudioState> = {
      source,
      baseSettings: base,
      settings: isKept ? before.settings : adjust(base),
      selection: undefined,
      edits: isKept && before.source === undefined ? before.edits : NO_EDITS,
      level: undefined,
      map: undefined,
      sceneFile: undefined,
      mesh: undefined,
      cut: undefined,
    };
    const id = nextId++;
    if (loaded.kind === 'level') {
      const { positions, indices, display, origin, bounds, tree } = loaded;
      patch.level = { id, title, positions, indices, display, origin, bounds, tree, warnings };
      if (loaded.scene !== undefined) {
        patch.sceneFile = loaded.scene.file;
        patch.edits = { ...NO_EDITS, ...loaded.scene.edits };
      }
    } else if (loaded.kind === 'map') patch.map = { id, title, map: loaded.map, bounds: loaded.bounds, warnings };
    else patch.mesh = { id, navMesh: loaded.navMesh, bounds: loaded.bounds, report: undefined };
    if (before.source !== undefined) patch.toolStates = {};
    store.update(patch);
    history.clear();
    for (const warning of warnings) say('warning', warning);
    clearTimeout(timer);
    timer = undefined;
    if (loaded.kind !== 'mesh') bake();
  };

  /** Of all questions only the last is worth an answer. */
  let asked = 0;
  const ask: Work['ask'] = async (question, kind) => {
    const own = ++asked;
    while (busy > 0 || timer !== undefined) await new Promise<void>((resolve) => questions.push(resolve));
    const { level, map, settings, edits } = store.get();
    if (own !== asked || (level === undefined && map === undefined)) {
      settle();
      return undefined;
    }
    busy++;
    try {
      const subject: Extract<Task, { type: 'ask' }>['subject'] =
        level !== undefined
          ? {
              kind: 'level',
              options: bakeOptions(settings, edits),
              edits: levelEdits(edits),
              level: { id: level.id, positions: level.positions, indices: level.indices },
            }
          : { kind: 'map', map: map!.map, options: mapOptions(settings) };
      const outcome = await client.run({ type: 'ask', question, subject }, () => undefined);
      return own === asked && outcome.kind === kind ? (outcome as never) : undefined;
    } catch (error) {
      if (!(error instanceof CancelledError)) say('error', sentence(error));
      return undefined;
    } finally {
      busy--;
      settle();
    }
  };

  store.listen(['settings', 'edits'], (_state, changed) => {
    // Opening replaces the level too, and bakes by itself.
    if (!changed.has('source') && !changed.has('level')) bakeSoon();
  });

  return {
    async openScene(source, adjust = (base) => base) {
      const { name, seed, scale } = source;
      const isOpen = await run(`Making ${name}`, { type: 'scene', name, seed, scale }, (outcome) => {
        if (isLoaded(outcome)) take(source, outcome, adjust);
        return true;
      });
      return isOpen ?? false;
    },
    async openFiles({ main, kind, files }) {
      const task: Task = { type: 'files', kind: kind.id, main, files, map: store.get().settings.map ?? {} };
      const names = [main, ...files.map(({ name }) => name).filter((name) => name !== main)];
      const isOpen = await run(`Reading ${main}`, task, (outcome) => {
        if (isLoaded(outcome)) take({ kind: 'files', names }, outcome, (base) => base);
        return true;
      });
      return isOpen ?? false;
    },
    bake,
    ask,
    cancel() {
      clearTimeout(timer);
      timer = undefined;
      client.cancel();
      settle();
    },
    place: client.place,
    whenIdle: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        settle();
      }),
  };
}

function isLoaded(outcome: Outcome): outcome is Loaded {
  return outcome.kind === 'level' || outcome.kind === 'map' || outcome.kind === 'mesh';
}

/** An error's message as a sentence, without the name of the function that refused. */
function sentence(error: unknown): string {
  const text = messageOf(error).replace(/^[a-z]\w*: /, '');
  const capital =
    /^[a-z]+[\s:]/.test(text) && !/^\S+\.\w+[\s:]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}
