/**
 * Runs the crowd on the page. There is one runner for the page, created when the crowd tool is first chosen.
 *
 * Ticks run on the page and not in a worker: a tick of a thousand agents takes a small part of a frame, and
 * selection, explanations and the timeline read the arrays of the crowd directly.
 */
import { hashCrowd, listAgents } from 'navkiln/crowd';
import type { AgentId, AgentOptions } from 'navkiln/crowd';
import type { StateKey, StudioState } from '../state/state.ts';
import { loadPart } from '../tools/lazy.ts';
import { count } from '../tools/pending.ts';
import type { ToolContext, ToolPointer } from '../tools/tool.ts';
import {
  centerSelected,
  click,
  removeSelected,
  select,
  setDoor,
  setParameters,
  stopSelected,
  toggleNavigation,
} from './commands.ts';
import { dragGrabbed, drop, grab, grabbable, obstacleAt } from './grab.ts';
import { applyMoment, momentOf, readMoment } from './moment.ts';
import { readOptions, savedOptions } from './options.ts';
import type { CrowdOptions } from './options.ts';
import { paint, slotUnder, unpaint } from './painter.ts';
import type { Painter } from './painter.ts';
import { prepare } from './prepare.ts';
import { rangeOf } from './record.ts';
import { createRun, notify, refresh, setOptions, setSession } from './run.ts';
import type { CrowdRun } from './run.ts';
import { startSession } from './session.ts';
import { statusOf } from './status.ts';
import type { CrowdStatus } from './status.ts';
import { advance, median, play, seek, step } from './timeline.ts';

/** Minimum time between updates of the panels while the crowd plays, ms. */
const PANEL_MS = 150;

export interface CrowdRunner {
  /** Resolves when the code of the scene is there; undefined: it is. */
  loading: () => Promise<void> | undefined;
  enter: () => void;
  leave: () => void;
  changed: (state: StudioState, keys: ReadonlySet<StateKey>) => void;
  click: (pointer: ToolPointer) => void;
  /** Takes a target or an obstacle under the pointer. */
  down: (pointer: ToolPointer) => boolean;
  drag: (pointer: ToolPointer) => void;
  up: () => void;
  hover: (pointer: ToolPointer) => string | undefined;
  setOptions: (patch: Partial<CrowdOptions>) => void;
  play: (isPlaying: boolean) => void;
  /** Runs ticks and pauses. Default 1. */
  step: (ticks?: number) => void;
  /**
   * Goes to a tick. While the user drags (`isFinal` is false), a recorded frame may stand in for the crowd.
   */
  seek: (tick: number, isFinal: boolean) => void;
  restart: () => void;
  /** Replaces the crowd by an empty one on the same mesh. */
  clear: () => void;
  select: (id: AgentId | undefined) => void;
  /** Makes the camera follow the selected agent. */
  follow: (isFollowing: boolean) => void;
  removeSelected: () => void;
  stopSelected: () => void;
  /** Pauses or resumes the navigation of the selected agent. */
  toggleNavigation: () => void;
  /** Moves the camera to the selected agent. */
  centerSelected: () => void;
  /** Opens or closes the surface and links of a name, such as a door. */
  setDoor: (name: string, isOpen: boolean) => void;
  /** Changes parameters of the selected agent or of all, or those of new agents. */
  setParameters: (patch: AgentOptions) => void;
  /** Makes links carry the moment: where agents and obstacles are. */
  share: () => void;
  /** Calls the listeners of the status. */
  refresh: () => void;
  status: () => CrowdStatus | undefined;
  /** Returns data for tests and the browser's console. */
  inspect: () => object | undefined;
  /** Calls the listener when the status has changed. */
  onStatus: (listener: () => void) => void;
}

export function createCrowdRunner(context: ToolContext, options: CrowdOptions): CrowdRunner {
  const run = createRun(context, options);
  const painter: Painter = { bodies: undefined, overlays: undefined, targets: undefined, followed: undefined };
  context.view.onFrame((seconds) => frame(run, painter, seconds));
  const runner: CrowdRunner = {
    loading: () => run.loading,
    enter: () => enter(run),
    leave() {
      run.isActive = false;
      run.isFollowing = false;
      unpaint(painter, context.view);
      run.live?.hide();
      context.view.invalidate();
    },
    changed(_state, keys) {
      if (keys.has('mesh') || keys.has('source') || keys.has('edits')) {
        prepare(run);
        takeMoment(run);
      }
      if (keys.has('theme'))
        for (const part of [painter.overlays, painter.targets, run.live?.bodies]) part?.setPalette(context.palette());
      if (keys.has('selection')) notify(run);
      refresh(run);
    },
    click: (pointer) => click(run, pointer),
    down: (pointer) => grab(run, pointer),
    drag: (pointer) => dragGrabbed(run, pointer),
    up: () => drop(run),
    hover(pointer) {
      if (obstacleAt(run, pointer) !== undefined) return 'grab';
      if (run.options.mode !== 'send') return 'copy';
      if (grabbable(run, pointer) !== undefined) return 'grab';
      return slotUnder(run, pointer) >= 0 ? 'pointer' : 'crosshair';
    },
    setOptions: (patch) => setOptions(run, patch),
    play: (isPlaying) => play(run, isPlaying),
    step: (ticks = 1) => step(run, ticks),
    seek: (tick, isFinal) => seek(run, tick, isFinal),
    restart: () => restart(run),
    clear() {
      const { mesh } = context.store.get();
      if (mesh === undefined) return;
      run.isFree = true;
      setSession(run, startSession(mesh.navMesh));
    },
    select: (id) => select(run, id),
    follow(isFollowing) {
      run.isFollowing = isFollowing;
      painter.followed = undefined;
      refresh(run);
      notify(run);
    },
    removeSelected: () => removeSelected(run),
    stopSelected: () => stopSelected(run),
    toggleNavigation: () => toggleNavigation(run),
    centerSelected: () => centerSelected(run),
    setDoor: (name, isOpen) => setDoor(run, name, isOpen),
    setParameters: (patch) => setParameters(run, patch),
    refresh: () => notify(run),
    share() {
      const { session, live } = run;
      const at = session === undefined ? undefined : momentOf(session, live?.live.obstacles);
      run.moment = at;
      context.save({ ...savedOptions(run.options), ...(at === undefined ? {} : { at }) });
      run.savedKey = JSON.stringify(context.saved());
    },
    status: () => statusOf(run),
    inspect: () => inspect(run, painter, runner),
    onStatus: (listener) => void run.listeners.push(listener),
  };
  return runner;
}

/** Goes to the start; a scene that has changed while it ran starts as it is now. */
function restart(run: CrowdRun): void {
  if (!run.isSceneChanged && run.live === undefined) return seek(run, 0, true);
  if (run.options.isPlaying) play(run, false);
  run.madeFrom = { ...run.madeFrom!, scene: undefined };
  const { setup } = run.session ?? {};
  // A scene that changes the mesh itself goes on: the mesh is that of the obstacles.
  const isPlain = setup !== undefined && setup.links === undefined && (setup.script ?? []).length === 0;
  if (run.live !== undefined && isPlain) run.session = undefined;
  prepare(run);
}

function enter(run: CrowdRun): void {
  const { context } = run;
  run.isActive = true;
  const savedKey = JSON.stringify(context.saved());
  // A link has restored other options.
  if (savedKey !== run.savedKey) run.options = readOptions(context.saved());
  run.savedKey = savedKey;
  prepare(run);
  takeMoment(run);
  refresh(run);
  notify(run);
}

/** Brings the scene to the moment of a link, once its mesh is there. */
function takeMoment(run: CrowdRun): void {
  const { session, context } = run;
  const { at } = context.saved();
  if (at === undefined || session?.setup === undefined || run.moment === at) return;
  run.moment = at;
  const moment = readMoment(at);
  if (moment === undefined) return context.say('warning', 'The moment in the link is damaged and was ignored.');
  if (moment.obstacles.length === 0) return applyMoment(run, moment);
  const job = loadPart(() => import('./run-live.ts'), context.say).then(async (code) => {
    await code?.putObstacles(run, moment.obstacles);
    applyMoment(run, moment);
  });
  count(job);
}

/** Runs before each frame of the view. Returns whether the next frame must be drawn too. */
function frame(run: CrowdRun, painter: Painter, seconds: number): boolean {
  if (!run.isActive || run.session === undefined) {
    if (run.isStale) paint(painter, run);
    return false;
  }
  const { isPlaying } = run.options;
  const isRebuilding = run.live?.frame(seconds) === true;
  if (!isPlaying && !run.isStale) return isRebuilding;
  if (isPlaying) advance(run, seconds);
  paint(painter, run);
  if (!isPlaying || performance.now() - run.notifiedAt > PANEL_MS) notify(run);
  return isPlaying || isRebuilding;
}

function inspect(run: CrowdRun, { bodies, overlays }: Painter, runner: CrowdRunner): object | undefined {
  const { session, record, options, shown, alpha, context } = run;
  if (session === undefined) return undefined;
  const { crowd, tickMs } = session;
  const { play: playNow, step: stepNow, seek: seekNow, select: selectNow, clear } = runner;
  return {
    crowd,
    ids: listAgents(crowd),
    tick: crowd.tick,
    hash: () => hashCrowd(crowd),
    ...rangeOf(record, crowd),
    msPerTick: median(tickMs),
    isPlaying: options.isPlaying,
    isPicture: shown !== undefined,
    alpha,
    live: run.live?.live,
    isScene: session.scene !== undefined,
    overlays: overlays?.counts(),
    bodies,
    target: () => context.view.pose().target,
    redraw: context.view.invalidate,
    play: playNow,
    step: stepNow,
    seek: seekNow,
    select: selectNow,
    clear,
  };
}
