/**
 * Plays a game twice, changes one bit of the second crowd at a random tick, and compares what the recording of the second
 * one says with the crowds themselves, for tests.
 */
import { createRandom, nextRandom } from 'navkiln';
import type { Random } from 'navkiln';
import type { AgentArrays } from 'navkiln/kernel';
import type { Crowd } from 'navkiln/crowd';
import { compareRecordings, finishRecording, replay } from 'navkiln/record';
import { beginGame, makeMesh, playTick } from './town.ts';

const AGENTS = 7;
const TICKS = 14;
/** Columns that a check covers only through others: places in memory. */
const PLACES = ['poly', 'goalPoly', 'wallPoly', 'narrow', 'cornerLinkEnd', 'linkEnd', 'linkRef', 'queueLinkEnd'];

type Column = Float64Array | Int32Array | Uint16Array | Uint8Array;

/** What became of a changed bit. */
export interface Flip {
  /** The changed column. */
  column: string;
  /** `'named'`: tick, agent and field are right; `'gone'`: the crowds never differed after a tick; else what is wrong. */
  outcome: string;
}

/** Changes a random bit of a random column of an agent. Returns the name of the column. */
function flip(crowd: Crowd, random: Random): string {
  const slot = Math.floor(nextRandom(random) * crowd.slotCount);
  const names = Object.keys(crowd.agents) as (keyof AgentArrays)[];
  const name = names[Math.floor(nextRandom(random) * names.length)]!;
  const column = crowd.agents[name] as Column;
  const stride = column.length / crowd.maxAgents;
  const width = stride * column.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(column.buffer, column.byteOffset + width * slot, width);
  bytes[Math.floor(nextRandom(random) * width)]! ^= 1 << Math.floor(nextRandom(random) * 8);
  return name;
}

/** Returns slots and columns in which two crowds differ, by their bits: an oracle that shares no code with the library. */
function truth(a: Crowd, b: Crowd): { slots: number[]; columns: string[] } {
  const slots = new Set<number>();
  const columns = new Set<string>();
  for (const [name, column] of Object.entries(a.agents) as [string, Column][]) {
    if (PLACES.includes(name)) continue;
    const [left, right] = [column, (b.agents as unknown as Record<string, Column>)[name]!].map(
      ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
    ) as [Uint8Array, Uint8Array];
    const width = left.length / a.maxAgents;
    left.forEach((byte, i) => {
      if (byte === right[i]) return;
      slots.add(Math.floor(i / width));
      columns.add(name);
    });
  }
  return { slots: [...slots].sort((x, y) => x - y), columns: [...columns] };
}

/** Plays two games by one seed, changes a bit of the second, and judges the answers. */
export function flipOne(seed: number, isCompared: boolean): Flip {
  const random = createRandom(seed);
  const options = { check: 'full' as const };
  const games = [beginGame(seed, AGENTS, options), beginGame(seed, AGENTS, options)] as const;
  const [a, b] = games.map(({ crowd }) => crowd) as [Crowd, Crowd];
  const at = Math.floor(nextRandom(random) * TICKS);
  let column = '';
  let first: { tick: number; slots: number[]; columns: string[] } | undefined;
  for (let tick = 1; tick <= TICKS; tick++) {
    if (tick === at + 1) column = flip(b, random);
    try {
      games.forEach(playTick);
    } catch {
      // A changed number may be one that no crowd can have.
      break;
    }
    const now = truth(a, b);
    if (first === undefined && now.columns.length > 0) first = { tick, ...now };
  }
  const file = finishRecording(games[1].recorder);
  const { divergence } = replay(file, makeMesh());
  // A path that differs has no column; the oracle sees it when it moves the agent.
  const isPathOnly = divergence !== null && divergence.fields.every((field) => !(field in a.agents));
  if (divergence === null || (isPathOnly && divergence.tick < (first?.tick ?? Infinity)))
    return { column, outcome: first === undefined || isPathOnly ? 'gone' : `not seen, since tick ${first.tick}` };
  if (first === undefined) return { column, outcome: `a divergence at tick ${divergence.tick} that is none` };
  const slot = divergence.agent === null ? -1 : divergence.agent % 2 ** 20;
  const fields = divergence.fields.filter((field) => field in a.agents);
  const isRight =
    divergence.tick === first.tick &&
    divergence.agreedTick === first.tick - 1 &&
    slot === first.slots[0] &&
    divergence.agentCount === first.slots.length &&
    fields.join() === first.columns.filter((name) => fields.includes(name)).join() &&
    first.columns.every((name) => fields.includes(name));
  if (!isRight)
    return { column, outcome: `named ${JSON.stringify({ ...divergence, slot })}, is ${JSON.stringify(first)}` };
  if (isCompared) {
    const other = compareRecordings(finishRecording(games[0].recorder), file, makeMesh);
    const { kind, tick, side, agent, field } = other ?? {};
    const isSame = kind === 'replay' && tick === first.tick && side === 1 && agent === divergence.agent;
    if (!isSame || field !== divergence.fields[0]) return { column, outcome: `compared ${JSON.stringify(other)}` };
  }
  return { column, outcome: 'named' };
}
