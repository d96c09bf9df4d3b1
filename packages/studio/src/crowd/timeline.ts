/**
 * Moves the crowd in time: plays, steps, and goes back.
 *
 * The simulation uses a fixed time step of 1/60 s; the view draws between the last two ticks. When ticks are
 * slow, a frame runs as many as fit into its budget. Simulation time then passes more slowly, and the page
 * stays responsive.
 */
import { isRest } from './looks.ts';
import { frameAt, goTo, noteTick, rangeOf, ticksTo } from './record.ts';
import { notify, publishMesh, refresh, setOptions } from './run.ts';
import type { CrowdRun } from './run.ts';
import { isAllDone, stepSession } from './session.ts';

/** Time that ticks may take in a frame, ms. */
const FRAME_BUDGET = 28;
/** Time that going back may take during a drag, ms. Beyond it a recorded frame is shown. */
const DRAG_BUDGET = 30;
/** Estimated time to restore an agent from a save, ms. */
const RESTORE_MS = 0.004;
/** Ticks at rest after which a scene pauses. */
const REST_TICKS = 120;

/** Runs the ticks that are due after some seconds of real time. */
export function advance(run: CrowdRun, seconds: number): void {
  const { stepSeconds } = run.session!.crowd;
  run.time += seconds * run.options.speed;
  const end = performance.now() + FRAME_BUDGET;
  while (run.time >= stepSeconds && run.options.isPlaying) {
    run.time -= stepSeconds;
    tick(run);
    // Ticks that do not fit are dropped.
    if (performance.now() > end) run.time = Math.min(run.time, 0.999 * stepSeconds);
  }
  run.alpha = run.options.isPlaying ? run.time / stepSeconds : 1;
}

function tick(run: CrowdRun): void {
  const session = run.session!;
  const { scene } = session;
  const hadEnded = scene?.hasEnded;
  const isMeshChanged = stepSession(session);
  if (scene !== undefined && hadEnded === false && scene.hasEnded) return endScene(run);
  noteTick(run.record, session);
  if (isMeshChanged) publishMesh(run);
  const { crowd } = session;
  run.restTicks = isAllDone(session, (slot) => isRest(crowd, slot)) ? run.restTicks + 1 : 0;
  if (run.restTicks === REST_TICKS && session.setup !== undefined && scene === undefined && run.options.isPlaying) {
    play(run, false);
    run.isResting = true;
    const seconds = (crowd.tick * crowd.stepSeconds).toFixed(0);
    run.context.say(
      'info',
      `All agents are at rest after ${seconds} s. Give an order, drag the timeline back, or start again.`,
    );
  }
}

/** Pauses at the end of the run of a scene. */
function endScene(run: CrowdRun): void {
  if (!run.options.isPlaying) return;
  play(run, false);
  const { crowd } = run.session!;
  const seconds = Number((crowd.tick * crowd.stepSeconds).toFixed(2));
  run.context.say('info', `The scene ends after ${seconds} s, as in navkiln crowd.`);
}

export function play(run: CrowdRun, isPlaying: boolean): void {
  if (isPlaying) settle(run);
  run.restTicks = 0;
  run.isResting = false;
  run.alpha = 1;
  run.time = 0;
  setOptions(run, { isPlaying });
}

/** Runs a number of ticks and pauses. */
export function step(run: CrowdRun, ticks: number): void {
  if (run.session === undefined) return;
  settle(run);
  if (run.options.isPlaying) play(run, false);
  for (let i = 0; i < ticks; i++) tick(run);
  refresh(run);
  notify(run);
}

/**
 * Goes to a tick and pauses. While the user drags (`isFinal` is false), a recorded frame may stand in for the
 * crowd.
 */
export function seek(run: CrowdRun, target: number, isFinal: boolean): void {
  const { session, record } = run;
  // A live world cannot be taken back.
  if (session === undefined || run.live !== undefined) return;
  const { crowd, tickMs } = session;
  if (run.options.isPlaying) play(run, false);
  run.isResting = false;
  const { first, last } = rangeOf(record, crowd);
  const to = Math.round(Math.min(last, Math.max(first, target)));
  const cost = ticksTo(record, crowd, to) * median(tickMs) + crowd.agentCount * RESTORE_MS;
  if (!isFinal && cost > DRAG_BUDGET) run.shown = frameAt(record, to);
  else {
    run.shown = undefined;
    const { mesh } = crowd;
    const { revision } = mesh;
    goTo(record, session, to);
    if (crowd.mesh !== mesh || crowd.mesh.revision !== revision) publishMesh(run);
  }
  run.alpha = 1;
  run.time = 0;
  refresh(run);
  notify(run);
}

/** Restores the crowd to the recorded frame that is shown. */
export function settle(run: CrowdRun): void {
  if (run.shown !== undefined) seek(run, run.shown.tick, true);
}

/** Starts a new future after a command of the user. */
export function branch(run: CrowdRun): void {
  noteTick(run.record, run.session!, true);
  if (run.isResting) play(run, true);
  run.restTicks = 0;
  refresh(run);
  notify(run);
}

export function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = values.slice().sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}
