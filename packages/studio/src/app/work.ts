/**
 * Opens scenes and files, and bakes: a moment after the last change of the document, or immediately on demand.
 * Obsolete work is canceled. All tasks run in the worker, through one client.
 */
import { CanceledError, createBakeClient } from '../bake/client.ts';
import type { BakeClient } from '../bake/client.ts';
import type { Ask, Loaded, Outcome, Progress, Subject, Task } from '../bake/protocol.ts';
import type { FileBytes } from '../files/kinds.ts';
import type { Opened } from '../files/open.ts';
import type { History } from '../state/history.ts';
import { messageOf } from '../state/message-of.ts';
import { READ_TOPIC } from '../state/message.ts';
import type { Say } from '../state/message.ts';
import { needsAdvice } from '../state/needs-advice.ts';
import { FIELDS, bakeOptions, labelOf, levelEdits, mapOptions, nameOf, surfaceOptions } from '../state/settings.ts';
import { hasOtherLevels, levelsOf, sceneOf } from '../state/scene.ts';
import { IDLE, isSameCorrection, mapOf } from '../state/state.ts';
import type { StreamedWorld } from 'navkiln/world';
import type { Bounds, Settings, Source, StudioState } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import { loadPart } from '../tools/lazy.ts';
import { count } from '../tools/pending.ts';
import { createActivity } from './activity.ts';
import type { Activity } from './activity.ts';
import { patchOf } from './loaded.ts';

/** Changes within this time make one bake. */
const DEBOUNCE_MS = 220;

export interface Work {
  /** Opens a scene; `adjust` changes its settings. Resolves to false on failure, which it reports. */
  openScene: (source: Extract<Source, { kind: 'scene' }>, adjust?: (base: Settings) => Settings) => Promise<boolean>;
  /** `open` is what a link calls the files, when a link opens them. */
  openFiles: (opened: Opened, open?: readonly string[]) => Promise<boolean>;
  /** Opens a published world, whose tiles are loaded later. */
  openWorld: (source: Source, world: StreamedWorld, bounds: Bounds) => void;
  /** Opens an empty 2D map to draw on. */
  openNewMap: (adjust?: (base: Settings) => Settings) => true;
  /** Creates and bakes a bundled level without opening it. Resolves to undefined when something opens meanwhile. */
  bakeShown: (name: string) => Promise<Pick<StudioState, 'level' | 'mesh' | 'settings'> | undefined>;
  /** Keeps more files for the levels of a scene. */
  addFiles: (files: readonly FileBytes[]) => void;
  /** Bakes now, even without a change. */
  bake: () => void;
  cancel: () => void;
  ask: Ask;
  place: BakeClient['place'];
  /** Resolves when no task runs or is due. */
  whenIdle: () => Promise<void>;
}

/** The state that the functions of this file share. */
interface WorkParts {
  store: Store;
  say: Say;
  forget: (topic: string) => void;
  client: BakeClient;
  activity: Activity;
  /** Returns a new id for a level, a map or a mesh. */
  nextId: () => number;
  /** The files of the open content, which a scene may place again. */
  files: readonly FileBytes[];
  /** Reads the file of the open map again when the document asks for it, and returns whether it does; undefined: no map of a file is open. */
  readAgain: (() => boolean) | undefined;
  /** The inputs of the last bake that has started or is due. */
  inputs: readonly unknown[];
}

const BAKING = 'Baking';

/** The topic of messages about a task that failed. The next success removes them. */
export const WORK_TOPIC = 'work';

interface MessageFunctions {
  say: Say;
  forget: (topic: string) => void;
}

export function createWork(store: Store, history: History, { say, forget }: MessageFunctions): Work {
  const client = createBakeClient((why) => {
    say(
      'warning',
      `This page may not start a worker (${why}), so bakes run on the page itself and may block it for a moment. ` +
        'Allow workers from this address (worker-src in the content security policy) to avoid that.',
    );
  });
  const activity = createActivity();
  let lastId = 0;
  const worker: WorkParts = {
    store,
    say,
    forget,
    client,
    activity,
    nextId: () => ++lastId,
    files: [],
    readAgain: undefined,
    inputs: [],
  };
  const bake = (): void => {
    if (!changeInput(worker)) bakeNow(worker);
  };

  const take = (source: Source, outcome: Outcome, id: number, adjust: (base: Settings) => Settings): true => {
    if (!isLoaded(outcome)) return true;
    store.update(patchOf(store.get(), source, outcome, id, adjust));
    worker.readAgain = undefined;
    if (outcome.kind === 'map' && source.kind === 'files') count(watchMap(worker, source));
    history.clear();
    outcome.warnings.forEach((warning, i) => say('warning', warning, `${READ_TOPIC} ${i}`));
    activity.dropDue();
    if (outcome.kind !== 'mesh') bake();
    return true;
  };
  store.listen(['settings', 'edits'], (state, changed) => {
    // Opening content replaces the settings too, and bakes by itself.
    if (changed.has('source') || changed.has('level')) return;
    if (!changeInput(worker) && takeInputs(worker, state)) activity.runLater(bake, DEBOUNCE_MS);
  });

  return {
    async openScene(source, adjust = (base) => base) {
      const { name, seed, scale } = source;
      const holdAs = worker.nextId();
      const task: Task = { type: 'scene', name, seed, scale, holdAs };
      return (await run(worker, `Creating ${name}`, task, (outcome) => take(source, outcome, holdAs, adjust))) ?? false;
    },
    async openFiles({ main, kind, files }, open) {
      const holdAs = worker.nextId();
      // The choices for another file are not those for this one.
      const { source: before, settings } = store.get();
      const isOther = before !== undefined && (before.kind !== 'files' || before.names[0] !== main);
      const map = settings.map ?? {};
      const task: Task = { type: 'files', kind: kind.id, main, files, map, isOther, holdAs };
      const names = [main, ...files.map(({ name }) => name).filter((name) => name !== main)];
      const source: Source = { kind: 'files', names, ...(open === undefined ? {} : { open }) };
      worker.files = files;
      return (
        (await run(worker, `Reading ${main}`, task, (outcome) => take(source, outcome, holdAs, (base) => base))) ??
        false
      );
    },
    openNewMap(adjust = (base) => base) {
      const settings = { agent: { radius: 0 } };
      const bounds = { min: [-10, 0, -10], max: [10, 0, 10] } as const;
      const map = { polygons: [] };
      const outcome: Outcome = { kind: 'map', title: 'New map', settings, warnings: [], map, bounds };
      return take({ kind: 'new' }, outcome, worker.nextId(), adjust);
    },
    bakeShown: (name) => bakeShown(worker, name),
    openWorld(source, streamed, bounds) {
      const { navMesh } = streamed;
      take(
        source,
        { kind: 'mesh', title: 'world.json', settings: {}, warnings: [], navMesh, bounds },
        worker.nextId(),
        (base) => base,
      );
      store.update({ world: { streamed, result: undefined } });
    },
    addFiles: (files) => void (worker.files = [...worker.files, ...files]),
    bake,
    ask: createAsk(worker),
    cancel() {
      activity.dropDue();
      client.cancel();
      activity.settle();
    },
    place: client.place,
    whenIdle: activity.whenIdle,
  };
}

/**
 * Runs a task and shows its progress. Resolves to undefined when it is canceled or fails; a failure is
 * reported.
 */
async function run<T>(
  { store, say, forget, client, activity }: WorkParts,
  title: string,
  task: Task,
  use: (outcome: Outcome) => T,
): Promise<T | undefined> {
  const onProgress = (progress: Progress): void => store.update({ job: { status: 'running', title, ...progress } });
  activity.begin();
  store.update({ job: { status: 'running', title, stage: '', done: 0, total: 0 } });
  try {
    const result = use(await client.run(task, onProgress));
    store.update({ job: IDLE });
    forget(WORK_TOPIC);
    return result;
  } catch (error) {
    if (error instanceof CanceledError) {
      // A newer task shows its own progress.
      if (activity.running() === 1) store.update({ job: { ...IDLE, status: 'canceled', title } });
    } else {
      const fault = sentence(error);
      store.update({ job: { ...IDLE, status: 'failed', title, fault } });
      // The card in the view shows the fault of a bake where it has advice.
      if (title !== BAKING || !needsAdvice(store.get())) say('error', fault, WORK_TOPIC);
    }
    return undefined;
  } finally {
    activity.end();
  }
}

async function bakeShown({ store, client, activity, nextId }: WorkParts, name: string): ReturnType<Work['bakeShown']> {
  activity.begin();
  const source: Source = { kind: 'scene', name };
  try {
    const holdAs = nextId();
    const loaded = await client.run({ type: 'scene', name, holdAs }, () => undefined);
    // Another task may have started: running a second one would cancel it.
    if (loaded.kind !== 'level' || activity.running() > 1) return undefined;
    const { level, settings = {} } = patchOf(store.get(), source, loaded, holdAs, (base) => base);
    const subject = subjectOf({ ...store.get(), level, settings });
    if (subject?.kind !== 'level') return undefined;
    const { kind: _kind, ...content } = subject;
    const baked = await client.run({ type: 'bake-level', ...content }, () => undefined);
    if (baked.kind !== 'baked') return undefined;
    const { kind: _baked, ...mesh } = baked;
    return { level, settings, mesh: { id: nextId(), ...mesh } };
  } catch {
    return undefined;
  } finally {
    activity.end();
  }
}

/** Loads the code that reads the file of the open map again. */
async function watchMap(worker: WorkParts, source: Extract<Source, { kind: 'files' }>): Promise<void> {
  const { store, say, forget, files, nextId } = worker;
  const opened = store.get();
  const code = await loadPart(() => import('./read-again.ts'), say);
  if (code === undefined || store.get().source !== source) return;
  worker.readAgain = code.createMapReader(
    opened,
    store,
    { say, forget, files, nextId, main: source.names[0] },
    (main, task, use) => {
      worker.activity.dropDue();
      void run(worker, `Reading ${main}`, task, (outcome) => {
        use(outcome);
        if (!changeInput(worker)) bakeNow(worker);
      });
    },
  );
  changeInput(worker);
}

/** Corrects the level, or reads the map again, when the document asks for it. Returns whether it does. */
function changeInput(worker: WorkParts): boolean {
  const state = worker.store.get();
  if (isUncorrected(state)) {
    changeLevel(worker);
    return true;
  }
  return worker.readAgain?.() === true;
}

/** Checks whether the level lacks the correction of the document, or has other placements. */
function isUncorrected(state: StudioState): boolean {
  const { level, edits } = state;
  return level !== undefined && (!isSameCorrection(level.correction, edits.correction) || hasOtherLevels(state));
}

/** Places and corrects the level as the document says, then bakes. */
function changeLevel(worker: WorkParts): void {
  const { store, activity, nextId, files } = worker;
  activity.dropDue();
  const state = store.get();
  const { level, edits, source } = state;
  if (level === undefined) return;
  const { correction } = edits;
  const isPlaced = !hasOtherLevels(state);
  const from = source?.kind === 'files' ? source.names[0] : '';
  const holdAs = nextId();
  const task: Task = isPlaced
    ? { type: 'correct', level: { id: level.id, ...level.opened }, objects: level.objects, correction, holdAs }
    : { type: 'place', levels: levelsOf(state), from, files, holdAs };
  const { levels } = sceneOf(state);
  void run(worker, 'Changing the level', task, (outcome) => {
    if (outcome.kind !== 'corrected') return;
    const { kind: _kind, warnings = level.warnings, ...triangles } = outcome;
    const { positions, indices } = triangles;
    // The triangles of the opened file come first, while it is the first level.
    const objects = levels?.[0]?.file === from ? level.objects : undefined;
    const now = isPlaced
      ? { correction }
      : { opened: { positions, indices }, correction: undefined, objects, areas: undefined, levels, warnings };
    store.update({
      level: { ...level, ...triangles, ...now, id: holdAs },
      mesh: undefined,
      shell: undefined,
      cut: undefined,
    });
    if (!changeInput(worker)) bakeNow(worker);
  });
}

/** Stores the inputs of a bake. Returns false when nothing has changed: targets and agents need no bake. */
function takeInputs(worker: WorkParts, state: StudioState): boolean {
  const { settings, edits } = state;
  const { volumes, links, seeds, tiles, parts, map } = edits;
  const inputs = [settings, volumes, links, seeds, tiles, parts, map, sceneOf(state).build];
  const isChanged = inputs.some((input, i) => input !== worker.inputs[i]);
  worker.inputs = inputs;
  return isChanged;
}

function bakeNow(worker: WorkParts): void {
  const { store, activity, client, nextId } = worker;
  activity.dropDue();
  takeInputs(worker, store.get());
  const subject = subjectOf(store.get());
  if (subject === undefined) {
    if (store.get().map !== undefined) store.update({ mesh: undefined });
    return activity.settle();
  }
  const { kind, ...content } = subject;
  const task = { type: kind === 'level' ? 'bake-level' : 'bake-map', ...content } as Task;
  void run(worker, BAKING, task, (outcome) => {
    if (outcome.kind !== 'baked') return;
    const { kind: _baked, mayHaveIslands, ...mesh } = outcome;
    const id = nextId();
    store.update({ mesh: { id, ...mesh }, job: IDLE });
    if (mayHaveIslands === true && kind === 'level' && client.place() === 'worker')
      count(import('./diagnose.ts').then((code) => code.diagnoseLater(worker, subject, id)));
  });
}

/** Creates the function that asks the worker. Only the last question is answered. */
function createAsk({ store, say, client, activity }: WorkParts): Ask {
  let lastQuestion = 0;
  return async (question, kind) => {
    const own = ++lastQuestion;
    while (!activity.isFree()) await activity.questionTurn();
    const subject = own === lastQuestion ? subjectOf(store.get()) : undefined;
    if (subject === undefined) {
      activity.settle();
      return undefined;
    }
    activity.begin();
    try {
      const outcome = await client.run({ type: 'ask', question, subject }, () => undefined);
      return own === lastQuestion && outcome.kind === kind ? (outcome as never) : undefined;
    } catch (error) {
      if (!(error instanceof CanceledError)) say('error', sentence(error), WORK_TOPIC);
      return undefined;
    } finally {
      activity.end();
    }
  };
}

/** Returns the subject of a bake or a question, or undefined when there is no level and no map. */
function subjectOf(state: StudioState): Subject | undefined {
  const { level, settings, edits } = state;
  if (level !== undefined) {
    const { build, surface } = sceneOf(state);
    const isSurface = build === 'surface';
    return {
      kind: 'level',
      options: bakeOptions(settings, edits),
      edits: levelEdits(edits, settings),
      level: { id: level.id, positions: level.positions, indices: level.indices, areas: level.areas },
      ...(isSurface ? { surface: { options: surfaceOptions(settings, surface), starts: level.starts ?? [0] } } : {}),
    };
  }
  const map = mapOf(state);
  // An empty map has nothing to build.
  const lists = map === undefined ? [] : [map, ...(map.layers ?? [])];
  const levels = state.map?.levels;
  return map === undefined || lists.every(({ polygons = [] }) => polygons.length === 0)
    ? undefined
    : {
        kind: 'map',
        map,
        options: mapOptions(settings),
        ...(levels === undefined ? {} : { levels }),
        ...(settings.agentTypes === undefined ? {} : { agentTypes: settings.agentTypes }),
      };
}

function isLoaded(outcome: Outcome): outcome is Loaded {
  return outcome.kind === 'level' || outcome.kind === 'map' || outcome.kind === 'mesh';
}

/** Returns the message of an error as a sentence, without the name of the function that threw it. */
function sentence(error: unknown): string {
  const text = messageOf(error)
    .replace(/^[a-z]\w*: /, '')
    .replace(/^options\.([\w.]+)/, (path, name: string) => {
      const field = FIELDS.find((known) => nameOf(known) === name);
      return field === undefined ? path : `${labelOf(field)} (${name})`;
    });
  const capital =
    /^[a-z]+[\s:]/.test(text) && !/^\S+\.\w+[\s:]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}
