/**
 * What has been, so that one can go back to it: pictures of where all were, many, and whole saved crowds,
 * few.
 *
 * Dragging back through time shows pictures; where the drag ends the crowd itself is brought back: the last
 * save before is restored and the ticks since are done again, which comes to the same state bit by bit
 * (`hashCrowd`). A save is taken every second, and after each order of the user, so that doing ticks again
 * never lacks one. The oldest give way: a bound in bytes.
 */
import type { NavMesh } from 'navkiln';
import { restoreCrowd, saveCrowd } from 'navkiln/crowd';
import type { Crowd } from 'navkiln/crowd';
import { lookOf } from './looks.ts';
import { replayScene, stepSession } from './session.ts';
import type { CrowdSession } from './session.ts';

/** x, y, z of the place, x and z of the heading. */
export const PICTURE_STRIDE = 5;
const PICTURE_BYTES = 96 << 20;
const SAVE_BYTES = 192 << 20;
/** Agents up to which there is a picture a tick and a save a second; of more there are fewer. */
const MANY = 1200;

export interface Picture {
  tick: number;
  slotCount: number;
  /** By slot. */
  poses: Float32Array;
  looks: Uint8Array;
}

interface Save {
  tick: number;
  bytes: Uint8Array;
  nextStep: number;
  /** As it was then: a copy where the script changes it, else the one there is. */
  mesh: NavMesh;
  meshRevision: number;
}

export interface CrowdRecord {
  pictures: Picture[];
  saves: Save[];
  pictureBytes: number;
  saveBytes: number;
}

export function createRecord(): CrowdRecord {
  return { pictures: [], saves: [], pictureBytes: 0, saveBytes: 0 };
}

/** Call before the first tick and after each; `isForced`: after an order, which makes another future. */
export function noteTick(record: CrowdRecord, session: CrowdSession, isForced: boolean = false): void {
  const { crowd } = session;
  const share = Math.max(1, Math.ceil(crowd.agentCount / MANY));
  if (isForced) forgetFrom(record, crowd.tick, session.scene === undefined);
  const lastPicture = record.pictures.at(-1)?.tick ?? -Infinity;
  if (isForced || crowd.tick >= lastPicture + share) takePicture(record, crowd);
  const lastSave = record.saves.at(-1)?.tick ?? -Infinity;
  const every = share * Math.round(1 / crowd.stepSeconds);
  if (session.scene !== undefined) {
    // A save would lack what characters hold: one at the beginning, for the range and the cost of going back.
    if (record.saves.length === 0) takeSave(record, session);
    return;
  }
  if (isForced || crowd.tick >= lastSave + every) takeSave(record, session);
}

/** Ticks one can go back to. */
export function rangeOf({ saves, pictures }: CrowdRecord, crowd: Crowd): { first: number; last: number } {
  return { first: saves[0]?.tick ?? crowd.tick, last: Math.max(crowd.tick, pictures.at(-1)?.tick ?? 0) };
}

/** The picture nearest before a tick. */
export function pictureAt({ pictures }: CrowdRecord, tick: number): Picture | undefined {
  return pictures[lastUpTo(pictures, tick)];
}

/** How many ticks `goTo` would have to do. */
export function ticksTo({ saves }: CrowdRecord, crowd: Crowd, tick: number): number {
  const from = saves[lastUpTo(saves, tick)]?.tick ?? 0;
  return tick - (crowd.tick <= tick && crowd.tick >= from ? crowd.tick : from);
}

/** Makes the crowd what it was at a tick, or (later than there is) lets it go on to it. */
export function goTo(record: CrowdRecord, session: CrowdSession, tick: number): void {
  const { crowd } = session;
  if (session.scene !== undefined && crowd.tick > tick) return replayScene(session, tick);
  const save = record.saves[lastUpTo(record.saves, tick)] ?? record.saves[0];
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

function forgetFrom(record: CrowdRecord, tick: number, withSaves: boolean): void {
  const { pictures, saves } = record;
  while (pictures.length > 0 && pictures.at(-1)!.tick >= tick) record.pictureBytes -= sizeOf(pictures.pop()!);
  while (withSaves && saves.length > 0 && saves.at(-1)!.tick >= tick) record.saveBytes -= saves.pop()!.bytes.length;
}

function takePicture(record: CrowdRecord, crowd: Crowd): void {
  const {
    slotCount,
    agents: { position, heading },
  } = crowd;
  const picture: Picture = {
    tick: crowd.tick,
    slotCount,
    poses: new Float32Array(PICTURE_STRIDE * slotCount),
    looks: new Uint8Array(slotCount),
  };
  for (let slot = 0; slot < slotCount; slot++) {
    const at = PICTURE_STRIDE * slot;
    for (let k = 0; k < 3; k++) picture.poses[at + k] = position[3 * slot + k];
    picture.poses[at + 3] = heading[2 * slot];
    picture.poses[at + 4] = heading[2 * slot + 1];
    picture.looks[slot] = lookOf(crowd, slot);
  }
  record.pictures.push(picture);
  record.pictureBytes += sizeOf(picture);
  while (record.pictureBytes > PICTURE_BYTES && record.pictures.length > 1) {
    record.pictureBytes -= sizeOf(record.pictures.shift()!);
  }
}

function takeSave(record: CrowdRecord, { crowd, nextStep, setup }: CrowdSession): void {
  const bytes = saveCrowd(crowd);
  const { mesh } = crowd;
  const before = record.saves.at(-1);
  const isChanging = setup?.script?.some((step) => step.do === 'rebuild-tile') === true;
  const kept = !isChanging ? mesh : before?.meshRevision === mesh.revision ? before.mesh : structuredClone(mesh);
  record.saves.push({ tick: crowd.tick, bytes, nextStep, mesh: kept, meshRevision: mesh.revision });
  record.saveBytes += bytes.length;
  // The first stays: one can always begin again.
  while (record.saveBytes > SAVE_BYTES && record.saves.length > 2)
    record.saveBytes -= record.saves.splice(1, 1)[0].bytes.length;
}

function sizeOf({ poses, looks }: Picture): number {
  return poses.byteLength + looks.byteLength;
}

/** Index of the last entry up to a tick, or -1. */
function lastUpTo(list: readonly { tick: number }[], tick: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle].tick <= tick) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
