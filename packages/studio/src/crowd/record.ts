/**
 * Records a crowd, so that the user can go back in time: many frames with the positions of all agents, and
 * few saves of the whole crowd.
 *
 * While the user drags the timeline, frames are shown. At the end of the drag the last save before the tick
 * is restored, and the ticks since are simulated again, which gives the same state bit by bit (`hashCrowd`).
 * A save is made every second and after each command of the user, so that the repeated ticks never miss a
 * command.
 *
 * In: a session after each tick.
 * Out: frames and saves; the oldest are dropped to keep a limit in bytes.
 * Cost: a frame is linear in the agents; going back costs a restore and up to a second of ticks.
 * Based on: own.
 */
import type { NavMesh } from 'navkiln';
import { restoreCrowd, saveCrowd } from 'navkiln/crowd';
import type { Crowd } from 'navkiln/crowd';
import { lookOf } from './looks.ts';
import { replayScene, stepSession } from './session.ts';
import type { CrowdSession } from './session.ts';

/** Numbers of an agent in a frame: x, y, z of its position, x and z of its heading. */
export const FRAME_STRIDE = 5;
const MAX_FRAME_BYTES = 96 << 20;
const MAX_SAVE_BYTES = 192 << 20;
/**
 * Up to this number of agents there is a frame for each tick and a save for each second. Larger crowds have
 * fewer.
 */
const MANY = 1200;

/** The positions of all agents at a tick. */
export interface CrowdFrame {
  tick: number;
  slotCount: number;
  /** FRAME_STRIDE numbers for each slot. */
  poses: Float32Array;
  looks: Uint8Array;
}

interface Save {
  tick: number;
  bytes: Uint8Array;
  nextStep: number;
  /** The mesh at that tick: a copy for scenes whose script changes tiles, otherwise the mesh of the crowd. */
  mesh: NavMesh;
  meshRevision: number;
}

export interface CrowdRecord {
  frames: CrowdFrame[];
  saves: Save[];
  frameBytes: number;
  saveBytes: number;
}

export function createRecord(): CrowdRecord {
  return { frames: [], saves: [], frameBytes: 0, saveBytes: 0 };
}

/**
 * Records a tick. Call it before the first tick and after each; `isForced` after a command, which starts a
 * new future.
 */
export function noteTick(record: CrowdRecord, session: CrowdSession, isForced: boolean = false): void {
  const { crowd } = session;
  const interval = Math.max(1, Math.ceil(crowd.agentCount / MANY));
  if (isForced) forgetFrom(record, crowd.tick, session.scene === undefined);
  const lastFrame = record.frames.at(-1)?.tick ?? -Infinity;
  if (isForced || crowd.tick >= lastFrame + interval) recordFrame(record, crowd);
  const lastSave = record.saves.at(-1)?.tick ?? -Infinity;
  const saveInterval = interval * Math.round(1 / crowd.stepSeconds);
  if (session.scene !== undefined) {
    // Saves do not contain the state of characters. The one at the beginning only marks the range.
    if (record.saves.length === 0) recordSave(record, session);
    return;
  }
  if (isForced || crowd.tick >= lastSave + saveInterval) recordSave(record, session);
}

/** Returns the range of ticks that can be restored. */
export function rangeOf({ saves, frames }: CrowdRecord, crowd: Crowd): { first: number; last: number } {
  return { first: saves[0]?.tick ?? crowd.tick, last: Math.max(crowd.tick, frames.at(-1)?.tick ?? 0) };
}

/** Returns the last frame up to a tick. */
export function frameAt({ frames }: CrowdRecord, tick: number): CrowdFrame | undefined {
  return frames[lastIndexUpTo(frames, tick)];
}

/** Returns the number of ticks that `goTo` would simulate. */
export function ticksTo({ saves }: CrowdRecord, crowd: Crowd, tick: number): number {
  const from = saves[lastIndexUpTo(saves, tick)]?.tick ?? 0;
  return tick - (crowd.tick <= tick && crowd.tick >= from ? crowd.tick : from);
}

/** Restores the crowd at a tick, or simulates it up to a later one. */
export function goTo(record: CrowdRecord, session: CrowdSession, tick: number): void {
  const { crowd } = session;
  if (session.scene !== undefined && crowd.tick > tick) return replayScene(session, tick);
  const save = record.saves[lastIndexUpTo(record.saves, tick)] ?? record.saves[0];
  const isElsewhere = save !== undefined && (crowd.tick > tick || crowd.tick < save.tick);
  if (session.scene === undefined && isElsewhere) {
    if (crowd.mesh !== save.mesh || crowd.mesh.revision !== save.meshRevision) crowd.mesh = structuredClone(save.mesh);
    restoreCrowd(crowd, save.bytes);
    session.nextStep = save.nextStep;
  }
  while (crowd.tick < tick) {
    stepSession(session);
    for (const order of session.scene?.orders ?? []) if (order.tick === crowd.tick) order.run(session);
    noteTick(record, session);
  }
}

/** Drops everything from a tick on. */
function forgetFrom(record: CrowdRecord, tick: number, withSaves: boolean): void {
  const { frames, saves } = record;
  while (frames.length > 0 && frames.at(-1)!.tick >= tick) record.frameBytes -= sizeOf(frames.pop()!);
  while (withSaves && saves.length > 0 && saves.at(-1)!.tick >= tick) record.saveBytes -= saves.pop()!.bytes.length;
}

function recordFrame(record: CrowdRecord, crowd: Crowd): void {
  const {
    slotCount,
    agents: { position, heading },
  } = crowd;
  const frame: CrowdFrame = {
    tick: crowd.tick,
    slotCount,
    poses: new Float32Array(FRAME_STRIDE * slotCount),
    looks: new Uint8Array(slotCount),
  };
  for (let slot = 0; slot < slotCount; slot++) {
    const offset = FRAME_STRIDE * slot;
    for (let k = 0; k < 3; k++) frame.poses[offset + k] = position[3 * slot + k];
    frame.poses[offset + 3] = heading[2 * slot];
    frame.poses[offset + 4] = heading[2 * slot + 1];
    frame.looks[slot] = lookOf(crowd, slot);
  }
  record.frames.push(frame);
  record.frameBytes += sizeOf(frame);
  while (record.frameBytes > MAX_FRAME_BYTES && record.frames.length > 1) {
    record.frameBytes -= sizeOf(record.frames.shift()!);
  }
}

function recordSave(record: CrowdRecord, { crowd, nextStep, setup }: CrowdSession): void {
  const bytes = saveCrowd(crowd);
  const { mesh } = crowd;
  const before = record.saves.at(-1);
  const isChanging = setup?.script?.some((step) => step.do === 'rebuild-tile') === true;
  const kept = !isChanging ? mesh : before?.meshRevision === mesh.revision ? before.mesh : structuredClone(mesh);
  record.saves.push({ tick: crowd.tick, bytes, nextStep, mesh: kept, meshRevision: mesh.revision });
  record.saveBytes += bytes.length;
  // The first save stays, so that the user can always return to the start.
  while (record.saveBytes > MAX_SAVE_BYTES && record.saves.length > 2) {
    record.saveBytes -= record.saves.splice(1, 1)[0].bytes.length;
  }
}

function sizeOf({ poses, looks }: CrowdFrame): number {
  return poses.byteLength + looks.byteLength;
}

/** Returns the index of the last entry up to a tick, or -1. */
function lastIndexUpTo(list: readonly { tick: number }[], tick: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle].tick <= tick) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
