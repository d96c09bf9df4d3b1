/**
 * The crowd on the page: runs it, shows it, takes it back in time, lets people tell it things. One for the
 * page, made when the tool is first chosen.
 *
 * Ticks are fixed (1/60 s) and drawn between the last two. They run on the page itself and not in a worker: a
 * tick of a thousand agents is a small part of a frame, and so selection, explanations and going back read
 * the very arrays that move. Where ticks are slow, a frame does as many as fit into its budget, and time goes
 * slower, not the page.
 */
import type { NavMesh } from 'navkiln';
import { explainAgent, hashCrowd, listAgents, removeAgent, stopAgent } from 'navkiln/crowd';
import type { AgentExplanation, AgentId, Crowd } from 'navkiln/crowd';
import { STATE_FREE, agentIdOf, agentSlotOf } from 'navkiln/kernel';
import { findCrowdEntry } from '../scenes/crowd-scenes.ts';
import { createSetup } from '../scenes/crowd-setup.ts';
import { originOf } from '../state/state.ts';
import type { StateKey, StudioState, Vec3 } from '../state/state.ts';
import type { ToolContext, ToolPointer } from '../tools/tool.ts';
import { createBodies } from './bodies.ts';
import type { Bodies } from './bodies.ts';
import { isRest } from './looks.ts';
import { countCrowd } from './numbers.ts';
import type { CrowdNumbers } from './numbers.ts';
import { OVERLAYS, createOverlays } from './overlays.ts';
import type { OverlayId, Overlays } from './overlays.ts';
import { createRecord, goTo, noteTick, pictureAt, rangeOf, ticksTo } from './record.ts';
import type { CrowdRecord, Picture } from './record.ts';
import type { startSceneSession } from './scene-session.ts';
import { addGroup, isAllDone, moveSession, sendAgents, startSession, stepSession, tellSession } from './session.ts';
import type { CrowdSession } from './session.ts';

/** What is fetched for scene files. */
interface SceneCode {
  startSceneSession: typeof startSceneSession;
}

export const MIN_SPEED = 0.1;
export const MAX_SPEED = 8;
/** Ms of a frame that ticks may take. */
const FRAME_BUDGET = 28;
/** Ms that going back may take while it is dragged; else a picture is shown. */
const DRAG_BUDGET = 30;
/** Agents whose overlays are drawn when they are for all. */
const MAX_OVERLAID = 400;
/** Ticks at rest after which a scene stops by itself. */
const REST_TICKS = 120;
const PANEL_MS = 150;

export type ClickMode = 'send' | 'add';

/** What people have chosen; goes into links. */
export interface StageOptions {
  isPlaying: boolean;
  speed: number;
  mode: ClickMode;
  group: number;
  overlays: ReadonlySet<OverlayId>;
  isForAll: boolean;
  hasSigns: boolean;
}

export interface StageView {
  options: StageOptions;
  /** The crowd scene it is of; undefined: a free crowd. */
  scene: string | undefined;
  /** The scene file it is of. */
  file: string | undefined;
  seconds: number;
  /** Ticks. */
  tick: number;
  first: number;
  last: number;
  numbers: CrowdNumbers;
  /** Median of the last ticks. */
  msPerTick: number;
  searches: number;
  selected: { id: AgentId; slot: number; explanation: AgentExplanation } | undefined;
  isFollowing: boolean;
  crowd: Crowd;
}

export interface CrowdStage {
  enter: () => void;
  leave: () => void;
  changed: (state: StudioState, keys: ReadonlySet<StateKey>) => void;
  click: (pointer: ToolPointer) => void;
  hover: (pointer: ToolPointer) => string | undefined;
  setOptions: (patch: Partial<StageOptions>) => void;
  play: (isPlaying: boolean) => void;
  step: (ticks?: number) => void;
  /** While it is dragged (`isFinal` false) a picture may do. */
  seek: (tick: number, isFinal: boolean) => void;
  restart: () => void;
  /** Gives up the scene for a crowd of one's own on the same mesh. */
  clear: () => void;
  select: (id: AgentId | undefined) => void;
  follow: (isFollowing: boolean) => void;
  removeSelected: () => void;
  stopSelected: () => void;
  view: () => StageView | undefined;
  /** For tests and the console. */
  inspect: () => object | undefined;
  /** Told when there is something new to read. */
  onView: (listener: () => void) => void;
}

export function createStage(context: ToolContext, first: StageOptions): CrowdStage {
  const { store, view, palette, say } = context;
  let options = first;
  let savedLast = JSON.stringify(context.saved());
  let session: CrowdSession | undefined;
  let record: CrowdRecord = createRecord();
  /** What the session was made of. */
  let madeFrom: { mesh: NavMesh; source: StudioState['source'] } | undefined;
  let isFree = false;
  let scenes: SceneCode | undefined;
  let bodies: Bodies | undefined;
  let overlays: Overlays | undefined;
  let shown: Picture | undefined;
  let isIn = false;
  let isStale = true;
  let isFollowing = false;
  let followed: Vec3 | undefined;
  let time = 0;
  let alpha = 1;
  let restTicks = 0;
  let toldAt = 0;
  const listeners: (() => void)[] = [];
  const tell = (): void => {
    toldAt = performance.now();
    listeners.forEach((listener) => listener());
  };
  const refresh = (): void => {
    isStale = true;
    view.invalidate();
  };

  const selectedSlot = (): number => {
    const { selection } = store.get();
    if (session === undefined || selection?.kind !== 'agent') return -1;
    return agentSlotOf(session.crowd, selection.id as AgentId);
  };
  const take = (next: CrowdSession | undefined): void => {
    session = next;
    record = createRecord();
    shown = undefined;
    time = restTicks = 0;
    alpha = 1;
    if (next !== undefined) noteTick(record, next, true);
    publish();
    refresh();
    tell();
  };
  /** What runs scene files is fetched when one is open. */
  const loadScenes = (): void => {
    madeFrom = undefined;
    void import('./scene-session.ts').then(
      (code) => {
        scenes = code;
        if (isIn) prepare();
      },
      () => say('error', 'A part of the studio could not be loaded. Check the connection, then choose the tool again.'),
    );
  };
  /** Makes the session that the state asks for, when it is not there. */
  const prepare = (): void => {
    const { mesh, source } = store.get();
    if (mesh === undefined) {
      madeFrom = undefined;
      if (session !== undefined) take(undefined);
      return;
    }
    if (session !== undefined && (mesh.navMesh === session.crowd.mesh || mesh.navMesh === madeFrom?.mesh)) return;
    const before = madeFrom;
    madeFrom = { mesh: mesh.navMesh, source };
    if (before?.source !== source) isFree = false;
    const { sceneFile, edits } = store.get();
    if (sceneFile !== undefined && !isFree) {
      if (scenes === undefined) return loadScenes();
      const notes: string[] = [];
      const people = scenes.startSceneSession(sceneFile, edits, mesh.navMesh, (message) => notes.push(message));
      if (notes.length > 0) say('warning', notes.slice(0, 5).join('\n'));
      if (people !== undefined) return take(people);
    }
    const entry = isFree ? undefined : findCrowdEntry(source);
    const made =
      entry === undefined || source?.kind !== 'scene' ? undefined : createSetup(entry.name, source.seed, source.scale);
    const isSame = session !== undefined && session.setup === undefined && before?.source === source;
    take(
      made !== undefined
        ? startSession(mesh.navMesh, made.setup)
        : isSame
          ? moveSession(session!, mesh.navMesh)
          : startSession(mesh.navMesh),
    );
  };
  /**
   * Layers and tools see the mesh that the crowd walks on, after a tile or a link of the scene has changed
   * it.
   */
  const publish = (): void => {
    const { mesh } = store.get();
    if (session === undefined || mesh === undefined) return;
    const isOwn = session.crowd.mesh !== madeFrom?.mesh;
    if (isOwn) store.update({ mesh: { ...mesh, navMesh: session.crowd.mesh } });
  };

  const tick = (): void => {
    const isChanged = stepSession(session!);
    noteTick(record, session!);
    if (isChanged) publish();
    const { crowd } = session!;
    restTicks = isAllDone(session!, (slot) => isRest(crowd, slot)) ? restTicks + 1 : 0;
    if (restTicks === REST_TICKS && session!.setup !== undefined && options.isPlaying) {
      stage.play(false);
      const seconds = (crowd.tick * crowd.stepSeconds).toFixed(0);
      say('info', `All have come to rest after ${seconds} s. Drag the time back, or begin again.`);
    }
  };
  const paint = (): void => {
    isStale = false;
    if (session === undefined) {
      if (bodies !== undefined) bodies.object.visible = overlays!.object.visible = false;
      return;
    }
    bodies ??= createBodies();
    overlays ??= createOverlays(palette());
    for (const { object } of [bodies, overlays]) {
      object.visible = true;
      if (object.parent === null) view.root.add(object);
    }
    const { crowd } = session;
    const origin = originOf(store.get());
    bodies.setSigns(options.hasSigns);
    const { position, target } = view.pose();
    const far = Math.hypot(position[0] - target[0], position[1] - target[1], position[2] - target[2]);
    // The camera sees 0.93 m a metre away.
    bodies.setSize((1.8 * view.canvas.clientHeight) / (0.93 * far));
    if (shown !== undefined) bodies.showPicture(shown, crowd, origin);
    else bodies.showCrowd(crowd, origin, alpha);
    const slot = shown === undefined ? selectedSlot() : -1;
    const all = crowd.active.subarray(0, Math.min(crowd.activeCount, MAX_OVERLAID));
    const slots = shown !== undefined ? [] : options.isForAll ? [...all] : slot >= 0 ? [slot] : [];
    overlays.show(crowd, origin, slots, slot, options.overlays);
    if (isFollowing && slot >= 0) followAgent(crowd, slot);
  };
  const followAgent = ({ agents: { position, previous } }: Crowd, slot: number): void => {
    const along = (k: number): number => previous[k] + alpha * (position[k] - previous[k]);
    const at: Vec3 = [along(3 * slot), along(3 * slot + 1), along(3 * slot + 2)];
    const pose = view.pose();
    const from = followed ?? pose.target;
    const moved = (point: Vec3): Vec3 => [
      point[0] + at[0] - from[0],
      point[1] + at[1] - from[1],
      point[2] + at[2] - from[2],
    ];
    const isElsewhere = from.some((value, k) => value !== at[k as 0]);
    if (isElsewhere) view.setPose({ position: moved(pose.position), target: moved(pose.target) }, false);
    followed = at;
  };

  view.onFrame((seconds) => {
    if (!isIn || session === undefined) {
      if (isStale) paint();
      return false;
    }
    const isMoving = options.isPlaying;
    if (isMoving) {
      const { stepSeconds } = session.crowd;
      time += seconds * options.speed;
      const end = performance.now() + FRAME_BUDGET;
      while (time >= stepSeconds && options.isPlaying) {
        time -= stepSeconds;
        tick();
        // What does not fit is dropped.
        if (performance.now() > end) time = Math.min(time, 0.999 * stepSeconds);
      }
      alpha = options.isPlaying ? time / stepSeconds : 1;
    }
    if (isMoving || isStale) {
      paint();
      if (!isMoving || performance.now() - toldAt > PANEL_MS) tell();
      return isMoving;
    }
    return false;
  });

  /** Index of the agent under a pointer, by its place in the picture. */
  const slotUnder = (pointer: ToolPointer): number => {
    if (session === undefined || shown !== undefined) return -1;
    const { origin, direction } = pointer.ray();
    const { position, radius, height } = session.crowd.agents;
    let best = -1;
    let bestAlong = Infinity;
    for (let i = 0; i < session.crowd.slotCount; i++) {
      if (session.crowd.agents.state[i] === STATE_FREE) continue;
      const half = height[i] / 2;
      const to = [0, 1, 2].map((k) => position[3 * i + k] + (k === 1 ? half : 0) - origin[k as 0]) as [
        number,
        number,
        number,
      ];
      const along = to[0] * direction[0] + to[1] * direction[1] + to[2] * direction[2];
      const awaySq = to[0] ** 2 + to[1] ** 2 + to[2] ** 2 - along * along;
      // Far ones are small: a finger needs more of the page.
      const reach = Math.max(radius[i] * 1.3, half * 0.75) + along * (pointer.isTouch ? 0.016 : 0.004);
      if (along > 0 && along < bestAlong && awaySq < reach * reach) [best, bestAlong] = [i, along];
    }
    return best;
  };
  /** After something was told: another future begins here. */
  const ordered = (): void => {
    noteTick(record, session!, true);
    restTicks = 0;
    refresh();
    tell();
  };
  const settle = (): void => {
    if (shown === undefined) return;
    stage.seek(shown.tick, true);
  };

  const stage: CrowdStage = {
    enter() {
      isIn = true;
      // A link has put back what was chosen.
      const saved = JSON.stringify(context.saved());
      if (saved !== savedLast) options = defaultOptions(context.saved());
      savedLast = saved;
      prepare();
      refresh();
      tell();
    },
    leave() {
      isIn = false;
      isFollowing = false;
      bodies?.object.removeFromParent();
      overlays?.object.removeFromParent();
      view.invalidate();
    },
    changed(_state, keys) {
      if (keys.has('mesh') || keys.has('source')) prepare();
      if (keys.has('theme')) overlays?.setPalette(palette());
      if (keys.has('selection')) tell();
      refresh();
    },
    click(pointer) {
      if (session === undefined) return;
      settle();
      const slot = options.mode === 'add' ? -1 : slotUnder(pointer);
      if (slot >= 0) return stage.select(agentIdOf(session.crowd, slot));
      const point = pointer.hit()?.point;
      if (point === undefined) return stage.select(undefined);
      if (options.mode === 'add') {
        const added = addGroup(session, point, options.group);
        if (added.length === 0) say('info', 'There is no ground here for an agent, or the crowd is full.');
        else if (added.length < options.group) say('info', `Only ${added.length} of ${options.group} have room here.`);
        if (added.length > 0) ordered();
        return;
      }
      const own = selectedSlot();
      const isOne = own >= 0 && !pointer.shift;
      if (session.crowd.agentCount === 0)
        return say('info', 'There is nobody to send: choose Add and click the ground first.');
      const ids = isOne ? [agentIdOf(session.crowd, own)] : listAgents(session.crowd);
      let sent = 0;
      tellSession(session, (told) => void (sent = sendAgents(told, point, ids)));
      if (sent === 0) return say('info', 'There is no ground here to go to.');
      ordered();
    },
    hover: (pointer) => (options.mode === 'add' ? 'copy' : slotUnder(pointer) >= 0 ? 'pointer' : 'crosshair'),
    setOptions(patch) {
      options = { ...options, ...patch };
      const saved = savedOptions(options);
      savedLast = JSON.stringify(saved);
      context.save(saved);
      refresh();
      tell();
    },
    play(isPlaying) {
      if (isPlaying) settle();
      restTicks = 0;
      alpha = 1;
      time = 0;
      stage.setOptions({ isPlaying });
    },
    step(ticks = 1) {
      if (session === undefined) return;
      settle();
      if (options.isPlaying) stage.play(false);
      for (let i = 0; i < ticks; i++) tick();
      refresh();
      tell();
    },
    seek(target, isFinal) {
      if (session === undefined) return;
      const { crowd, tickMs } = session;
      if (options.isPlaying) stage.play(false);
      const { first: from, last } = rangeOf(record, crowd);
      const to = Math.round(Math.min(last, Math.max(from, target)));
      const cost = ticksTo(record, crowd, to) * median(tickMs) + crowd.agentCount * 0.004;
      if (!isFinal && cost > DRAG_BUDGET) shown = pictureAt(record, to);
      else {
        shown = undefined;
        const { mesh } = crowd;
        const { revision } = mesh;
        goTo(record, session, to);
        if (crowd.mesh !== mesh || crowd.mesh.revision !== revision) publish();
      }
      alpha = 1;
      time = 0;
      refresh();
      tell();
    },
    restart: () => stage.seek(0, true),
    clear() {
      const { mesh } = store.get();
      if (mesh === undefined) return;
      isFree = true;
      take(startSession(mesh.navMesh));
    },
    select(id) {
      store.update({ selection: id === undefined ? undefined : { kind: 'agent', id } });
      if (id === undefined) stage.follow(false);
      refresh();
      tell();
    },
    follow(isOn) {
      isFollowing = isOn;
      followed = undefined;
      refresh();
      tell();
    },
    removeSelected() {
      const slot = selectedSlot();
      if (session === undefined || slot < 0) return;
      settle();
      const id = agentIdOf(session.crowd, slot);
      tellSession(session, (told) => {
        told.scene?.release(id);
        removeAgent(told.crowd, id);
      });
      stage.select(undefined);
      ordered();
    },
    stopSelected() {
      const slot = selectedSlot();
      if (session === undefined || slot < 0) return;
      settle();
      const id = agentIdOf(session.crowd, slot);
      tellSession(session, (told) => {
        told.scene?.release(id);
        stopAgent(told.crowd, id);
      });
      ordered();
    },
    view() {
      if (session === undefined) return undefined;
      const { crowd, tickMs, setup } = session;
      const { source, sceneFile } = store.get();
      const slot = shown === undefined ? selectedSlot() : -1;
      const id = slot < 0 ? undefined : agentIdOf(crowd, slot);
      const at = shown?.tick ?? crowd.tick;
      return {
        options,
        crowd,
        isFollowing,
        tick: at,
        seconds: at * crowd.stepSeconds,
        ...rangeOf(record, crowd),
        numbers: countCrowd(crowd),
        msPerTick: median(tickMs),
        searches: crowd.searchCount,
        scene: setup === undefined ? undefined : findCrowdEntry(source)?.name,
        file: session.scene === undefined ? undefined : sceneFile?.name,
        selected: id === undefined ? undefined : { id, slot, explanation: explainAgent(crowd, id) },
      };
    },
    inspect() {
      if (session === undefined) return undefined;
      const { crowd, tickMs } = session;
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
        overlays: overlays?.counts(),
        bodies,
        target: () => view.pose().target,
        redraw: view.invalidate,
        play: stage.play,
        step: stage.step,
        seek: stage.seek,
        select: stage.select,
        clear: stage.clear,
      };
    },
    onView: (listener) => void listeners.push(listener),
  };
  return stage;
}

export function defaultOptions(saved: Readonly<Record<string, unknown>>): StageOptions {
  const { play = true, speed = 1, show, signs = true } = saved;
  const names = Array.isArray(show) ? show : ['corridor', 'corners', 'avoidance'];
  return {
    isPlaying: play !== false,
    mode: 'send',
    group: 10,
    isForAll: false,
    hasSigns: signs !== false,
    speed: typeof speed === 'number' && speed >= MIN_SPEED && speed <= MAX_SPEED ? speed : 1,
    overlays: new Set(OVERLAYS.map(({ id }) => id).filter((id) => names.includes(id))),
  };
}

function savedOptions({ isPlaying, speed, overlays, hasSigns }: StageOptions): Record<string, unknown> {
  return { ...(isPlaying ? {} : { play: false }), speed, show: [...overlays], ...(hasSigns ? {} : { signs: false }) };
}

function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = values.slice().sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}
