/**
 * Measures what recording a crowd costs: ticks with a recorder, compared with ticks of the same crowd without one, on the town of the
 * rollback benchmark.
 *
 * Agreement: the crowds have equal hashes at the end, and the recordings replay to them.
 */
import { createRandom, findRandomPoint, loadNavMesh, saveNavMesh } from 'navkiln';
import { addAgent, createCrowd, hashCrowd, moveAgentTo, stepCrowd } from 'navkiln/crowd';
import type { AgentId, Crowd } from 'navkiln/crowd';
import { createRecorder, finishRecording, replay } from 'navkiln/record';
import type { Recorder } from 'navkiln/record';
import { spreadOf } from './harness.ts';
import type { Spread } from './harness.ts';
import { createTown, timeOf } from './rollback.ts';

const AGENTS = 500;
/** Ticks before the first round, and ticks of a round: a multiple of the turns of quick checks. */
const WARM_TICKS = 600;
const ROUND_TICKS = 48;
/** Ticks from one order to an agent to its next one. */
const ORDER_TICKS = 600;

export interface RecordRow {
  check: string;
  polygons: number;
  agents: number;
  /** Ticks with a recorder, in ticks without one. */
  tick: Spread;
  /** Bytes of the recording a tick, orders included, without details. */
  bytesPerTick: number;
}

interface Side {
  crowd: Crowd;
  recorder: Recorder | null;
  /** Gives the orders of a tick, and advances the crowd. */
  step: () => void;
}

/** Measures recorders with each kind of check. */
export function benchRecord(rounds: number, seed: number): RecordRow[] {
  const mesh = saveNavMesh(createTown(seed).navMesh);
  const sides = [null, 'quick', 'full'].map((check) => createSide(mesh, seed, check as 'quick' | 'full' | null));
  const times = sides.map((): number[] => []);
  for (const { step } of sides) for (let tick = 0; tick < WARM_TICKS; tick++) step();
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < 3; i++) {
      const which = (i + round) % 3;
      const { step } = sides[which];
      const run = (): void => {
        for (let tick = 0; tick < ROUND_TICKS; tick++) step();
      };
      times[which].push(timeOf(run));
    }
  }
  const hash = hashCrowd(sides[0].crowd);
  return [1, 2].map((i) => {
    const { crowd, recorder } = sides[i];
    const again = replay(finishRecording(recorder!), loadNavMesh(mesh));
    if (hashCrowd(crowd) !== hash || hashCrowd(again.crowd) !== hash || again.divergence !== null)
      throw new Error('record: a recorded crowd or its replay is another one');
    return {
      check: i === 1 ? 'quick' : 'full',
      polygons: crowd.mesh.polyCount,
      agents: AGENTS,
      tick: spreadOf(times[i].map((ms, round) => ms / times[0][round])),
      bytesPerTick: recorder!.byteCount / recorder!.tickCount,
    };
  });
}

function createSide(bytes: Uint8Array, seed: number, check: 'quick' | 'full' | null): Side {
  const mesh = loadNavMesh(bytes);
  const crowd = createCrowd(mesh, { maxAgents: 1024 });
  const recorder = check === null ? null : createRecorder(crowd, { check });
  const calls = recorder?.calls ?? { addAgent, moveAgentTo, stepCrowd };
  const random = createRandom(seed);
  const somewhere = (): [number, number, number] => findRandomPoint(mesh, random)!.point;
  const ids: AgentId[] = [];
  while (ids.length < AGENTS) {
    const id = calls.addAgent(crowd, somewhere(), { radius: 0.35 });
    calls.moveAgentTo(crowd, id, somewhere());
    ids.push(id);
  }
  let due = 0;
  const step = (): void => {
    for (due += AGENTS / ORDER_TICKS; due >= 1; due--) calls.moveAgentTo(crowd, ids[crowd.tick % AGENTS], somewhere());
    calls.stepCrowd(crowd);
  };
  return { crowd, recorder, step };
}

export function recordTable(rows: readonly RecordRow[]): string[][] {
  const show = ({ q1, median, q3 }: Spread): string => `${median.toFixed(3)} (${q1.toFixed(3)}-${q3.toFixed(3)})`;
  return [
    ['check', 'polygons', 'agents', 'tick, recorded / not', 'bytes a tick'],
    ...rows.map(({ check, polygons, agents, tick, bytesPerTick }) => [
      check,
      String(polygons),
      String(agents),
      show(tick),
      bytesPerTick.toFixed(0),
    ]),
  ];
}
