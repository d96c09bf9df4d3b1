/**
 * The layout of `AgentArrays` in one table. The functions that create, save, restore, hash and clear agents read it.
 *
 * The order, names, types and strides are part of the format of saved crowds: save/fingerprint.ts hashes
 * them.
 */
import { MAX_NEIGHBORS, MAX_WALLS, NARROW_AHEAD, SAMPLED_NUMBERS, WAY_POINTS } from './types.ts';
import type { AgentArrays } from './types.ts';

type ArrayOf = Uint8Array | Uint16Array | Int32Array | Float64Array;
type Maker = new (length: number) => ArrayOf;

/** For each column: name, element type, elements per slot. */
export const AGENT_LAYOUT: readonly (readonly [keyof AgentArrays, Maker, number])[] = [
  ['generation', Uint16Array, 1],
  ['state', Uint8Array, 1],
  ['goalKind', Uint8Array, 1],
  ['status', Uint8Array, 1],
  ['flags', Uint8Array, 1],
  ['avoidance', Uint8Array, 1],
  ['filter', Uint8Array, 1],
  ['layers', Uint16Array, 1],
  ['mask', Uint16Array, 1],
  ['radius', Float64Array, 1],
  ['height', Float64Array, 1],
  ['maxSpeed', Float64Array, 1],
  ['maxAcceleration', Float64Array, 1],
  ['maxTurn', Float64Array, 1],
  ['priority', Float64Array, 1],
  ['horizon', Float64Array, 1],
  ['sampled', Float64Array, SAMPLED_NUMBERS],
  ['separationWeight', Float64Array, 1],
  ['queryRange', Float64Array, 1],
  ['pathOptimizationRange', Float64Array, 1],
  ['ownArriveDistance', Float64Array, 1],
  ['arriveDistance', Float64Array, 1],
  ['modes', Uint8Array, 1],
  ['resumeSpeed', Float64Array, 1],
  ['position', Float64Array, 3],
  ['previous', Float64Array, 3],
  ['velocity', Float64Array, 2],
  ['heading', Float64Array, 2],
  ['desired', Float64Array, 2],
  ['chosen', Float64Array, 2],
  ['poly', Int32Array, 1],
  ['polyRef', Float64Array, 1],
  ['goal', Float64Array, 3],
  ['goalPoly', Int32Array, 1],
  ['goalRef', Float64Array, 1],
  ['goalAgent', Float64Array, 1],
  ['followDistance', Float64Array, 1],
  ['patrolPoint', Int32Array, 1],
  ['patrolBack', Uint8Array, 1],
  ['patrolTick', Int32Array, 1],
  ['group', Int32Array, 1],
  ['corners', Float64Array, 6],
  ['cornerKind', Uint8Array, 1],
  ['cornerLinkEnd', Int32Array, 1],
  ['pathLeft', Float64Array, 1],
  ['sight', Float64Array, 4],
  ['sightPortals', Uint8Array, 1],
  ['walls', Float64Array, 4 * MAX_WALLS],
  ['wallCount', Uint8Array, 1],
  ['wallCenter', Float64Array, 2],
  ['wallPoly', Int32Array, 1],
  ['neighbors', Int32Array, MAX_NEIGHBORS],
  ['neighborCount', Uint8Array, 1],
  ['neighborDistanceSq', Float64Array, MAX_NEIGHBORS],
  ['progressTick', Int32Array, 1],
  ['progressLeft', Float64Array, 1],
  ['progressFar', Float64Array, 1],
  ['orderTick', Int32Array, 1],
  ['retryTick', Int32Array, 1],
  ['searchTick', Int32Array, 1],
  ['targetDrift', Float64Array, 1],
  ['yieldUntil', Int32Array, 1],
  ['yieldTo', Int32Array, 1],
  ['yieldPoint', Float64Array, 2],
  ['restPoint', Float64Array, 2],
  ['restTick', Int32Array, 1],
  ['settledBy', Int32Array, 1],
  ['settledGap', Float64Array, 1],
  ['settledPushes', Uint8Array, 1],
  ['way', Float64Array, 2 * WAY_POINTS],
  ['wayCount', Uint8Array, 1],
  ['wayTick', Int32Array, 1],
  ['linkEnd', Int32Array, 1],
  ['linkRef', Float64Array, 1],
  ['linkTime', Float64Array, 1],
  ['linkDuration', Float64Array, 1],
  ['queueLinkEnd', Int32Array, 1],
  ['queueTick', Int32Array, 1],
  ['linkFrom', Float64Array, 3],
  ['counterTick', Int32Array, 1],
  ['narrow', Int32Array, NARROW_AHEAD],
  ['narrowAt', Float64Array, 2],
  ['passage', Uint8Array, 1],
  ['passageTick', Int32Array, 1],
];

/** Creates the columns for `capacity` slots, all 0. */
export function createAgentArrays(capacity: number): AgentArrays {
  const arrays: Record<string, ArrayOf> = {};
  for (const [name, Maker, stride] of AGENT_LAYOUT) arrays[name] = new Maker(capacity * stride);
  // V8 uses slow look-ups by name for an object to which so many properties were added one by one; a copy is fast.
  return { ...arrays } as unknown as AgentArrays;
}

/** Sets every column of a slot to 0, except its generation. */
export function clearSlot(agents: AgentArrays, slot: number): void {
  for (const [name, , stride] of AGENT_LAYOUT) {
    if (name !== 'generation') agents[name].fill(0, slot * stride, (slot + 1) * stride);
  }
}
