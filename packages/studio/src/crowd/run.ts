/**
 * The run of a crowd on the page: its session, its record, and the position in time. All parts of the crowd
 * tool share it.
 */
import type { NavMesh } from 'navkiln';
import type { AgentId } from 'navkiln/crowd';
import { refs } from 'navkiln/kernel';
import type { SceneContent } from '../state/scene-content.ts';
import type { StudioState, Vec3 } from '../state/state.ts';
import type { ToolContext } from '../tools/tool.ts';
import { savedOptions } from './options.ts';
import type { CrowdOptions } from './options.ts';
import { createRecord, noteTick } from './record.ts';
import type { CrowdFrame, CrowdRecord } from './record.ts';
import type { LiveObstacle, LiveRun } from './live/types.ts';
import type { startSceneSession } from './scene-session.ts';
import type { CrowdSession } from './session.ts';

/** A target of the scene that the user drags, with its current position, or an obstacle. */
export type Grabbed = { target: number; at: Vec3 | undefined } | { obstacle: LiveObstacle };

export interface CrowdRun {
  context: ToolContext;
  options: CrowdOptions;
  /** The saved options as JSON, to notice those that a link restores. */
  savedKey: string;
  session: CrowdSession | undefined;
  record: CrowdRecord;
  /** The inputs that the session was created from. */
  madeFrom: { mesh: NavMesh; source: StudioState['source']; scene: SceneContent | undefined } | undefined;
  /** The scene has changed while it runs: starts it again from the beginning. */
  isSceneChanged: boolean;
  /** The user has replaced the scene's crowd by an empty one. */
  isFree: boolean;
  /** The code that runs scene files, once it is loaded. */
  sceneCode: { startSceneSession: typeof startSceneSession } | undefined;
  /** Resolves when that code is there; undefined: it is not being loaded. */
  loading: Promise<void> | undefined;
  /** The live world with its obstacles, once there is one. */
  live: LiveRun | undefined;
  isStartingLive: boolean;
  /** The moment of a link that has been taken, or that a link carries. */
  moment: unknown;
  /** The target or obstacle that the user drags. */
  grabbed: Grabbed | undefined;
  /** The recorded frame that is shown instead of the crowd, while the user drags the timeline. */
  shown: CrowdFrame | undefined;
  isActive: boolean;
  /** The next frame of the view needs a new drawing. */
  isStale: boolean;
  /** The camera follows the selected agent. */
  isFollowing: boolean;
  /** Simulation time that is due, seconds. */
  time: number;
  /** Position between the last two ticks: 0 is the older, 1 the newer. */
  alpha: number;
  /** Ticks since all agents are at rest. */
  restTicks: number;
  /** The run has paused by itself, because all agents are at rest. The next order lets it go on. */
  isResting: boolean;
  /** When the listeners were last called, ms. */
  notifiedAt: number;
  listeners: (() => void)[];
}

export function createRun(context: ToolContext, options: CrowdOptions): CrowdRun {
  return {
    context,
    options,
    savedKey: JSON.stringify(context.saved()),
    session: undefined,
    record: createRecord(),
    madeFrom: undefined,
    isSceneChanged: false,
    isFree: false,
    sceneCode: undefined,
    loading: undefined,
    live: undefined,
    isStartingLive: false,
    moment: undefined,
    grabbed: undefined,
    shown: undefined,
    isActive: false,
    isStale: true,
    isFollowing: false,
    time: 0,
    alpha: 1,
    restTicks: 0,
    isResting: false,
    notifiedAt: 0,
    listeners: [],
  };
}

/** Tells the panels that there is something new to show. */
export function notify(run: CrowdRun): void {
  run.notifiedAt = performance.now();
  run.listeners.forEach((listener) => listener());
}

/** Requests a new drawing. */
export function refresh(run: CrowdRun): void {
  run.isStale = true;
  run.context.view.invalidate();
}

/** Returns the slot of the selected agent, or -1. */
export function selectedSlot({ session, context }: CrowdRun): number {
  const { selection } = context.store.get();
  if (session === undefined || selection?.kind !== 'agent') return -1;
  return refs.agentSlotOf(session.crowd, selection.id as AgentId);
}

/** Replaces the session and starts a new record. */
export function setSession(run: CrowdRun, session: CrowdSession | undefined): void {
  const wasEmpty = (run.session?.crowd.agentCount ?? 0) === 0;
  run.session = session;
  run.isSceneChanged = false;
  run.record = createRecord();
  run.shown = undefined;
  run.time = run.restTicks = 0;
  run.isResting = false;
  run.alpha = 1;
  // Without agents, there is none to send; with the first ones, clicks send them.
  const { mode } = run.options;
  const isEmpty = (session?.crowd.agentCount ?? 0) === 0;
  if (session !== undefined && mode !== 'obstacle' && (isEmpty || wasEmpty))
    run.options = { ...run.options, mode: isEmpty ? 'add' : 'send' };
  if (session !== undefined) noteTick(run.record, session, true);
  publishMesh(run);
  refresh(run);
  notify(run);
}

/** Shows layers and tools the mesh of the crowd, which differs after a scene has changed a tile or a link. */
export function publishMesh({ session, madeFrom, context: { store } }: CrowdRun): void {
  const { mesh } = store.get();
  if (session === undefined || mesh === undefined) return;
  if (session.crowd.mesh !== madeFrom?.mesh) store.update({ mesh: { ...mesh, navMesh: session.crowd.mesh } });
}

export function setOptions(run: CrowdRun, patch: Partial<CrowdOptions>): void {
  run.options = { ...run.options, ...patch };
  const saved = savedOptions(run.options);
  run.savedKey = JSON.stringify(saved);
  run.context.save(saved);
  refresh(run);
  notify(run);
}
