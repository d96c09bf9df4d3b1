/** The current values of the crowd, for panels and for tests. */
import { isEnabled, listNames } from 'navkiln';
import { explainAgent, getAgent, hashCrowd } from 'navkiln/crowd';
import type { AgentExplanation, AgentId, Crowd } from 'navkiln/crowd';
import { refs } from 'navkiln/kernel';
import { findCrowdEntry } from '../scenes/crowd-scenes.ts';
import { countCrowd } from './numbers.ts';
import type { CrowdNumbers } from './numbers.ts';
import type { CrowdOptions } from './options.ts';
import { rangeOf } from './record.ts';
import { selectedSlot } from './run.ts';
import type { CrowdRun } from './run.ts';
import { median } from './timeline.ts';

export interface CrowdStatus {
  options: CrowdOptions;
  /** Name of the crowd scene; undefined: the user's own crowd. */
  scene: string | undefined;
  /** Name of the scene file. */
  file: string | undefined;
  seconds: number;
  tick: number;
  /** The range of ticks that the timeline covers. */
  first: number;
  last: number;
  numbers: CrowdNumbers;
  /** Median of the last ticks. */
  msPerTick: number;
  /** Number of path searches. */
  searches: number;
  selected: { id: AgentId; slot: number; explanation: AgentExplanation; isPaused: boolean } | undefined;
  /** The names in the mesh, and whether they are open. */
  doors: { name: string; isOpen: boolean }[];
  /** The state of the crowd as `navkiln crowd` prints it; while the crowd runs, undefined. */
  state: string | undefined;
  isFollowing: boolean;
  /** Obstacles of the live world, and tiles that wait to be rebuilt; undefined: there are none. */
  live: { obstacles: number; pending: number } | undefined;
  crowd: Crowd;
}

export function statusOf(run: CrowdRun): CrowdStatus | undefined {
  const { session, shown, record, options, isFollowing, context } = run;
  if (session === undefined) return undefined;
  const { crowd, tickMs, setup } = session;
  const { source } = context.store.get();
  const slot = shown === undefined ? selectedSlot(run) : -1;
  const id = slot < 0 ? undefined : refs.agentIdOf(crowd, slot);
  const tick = shown?.tick ?? crowd.tick;
  // An agent that has just been removed has no explanation.
  const explanation = id === undefined ? null : explainAgent(crowd, id);
  return {
    options,
    crowd,
    isFollowing,
    tick,
    seconds: tick * crowd.stepSeconds,
    ...(run.live === undefined ? rangeOf(record, crowd) : { first: tick, last: tick }),
    live:
      run.live === undefined
        ? undefined
        : { obstacles: run.live.live.obstacles.length, pending: run.live.live.pending },
    numbers: countCrowd(crowd),
    msPerTick: median(tickMs),
    searches: crowd.searchCount,
    scene: setup === undefined ? undefined : findCrowdEntry(source)?.name,
    file: session.scene === undefined ? undefined : (context.store.get().sceneFile?.name ?? 'The scene'),
    selected:
      id === undefined || explanation === null
        ? undefined
        : { id, slot, explanation, isPaused: getAgent(crowd, id)?.isPaused === true },
    doors: listNames(crowd.mesh).map((name) => ({ name, isOpen: isEnabled(crowd.mesh, name) })),
    state: options.isPlaying || shown !== undefined ? undefined : hashCrowd(crowd).toString(16).padStart(8, '0'),
  };
}
