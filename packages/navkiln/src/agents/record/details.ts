/**
 * The details of the last checks: a hash for each agent and each field, which tell where a check differs.
 *
 * In: checks. Out: numbers in a recording; the agents and fields that differ.
 * Cost: 2 bytes for each agent and 4 for each field of a check.
 * Based on: own.
 */
import type { Crowd } from '../crowd/state/types.ts';
import { CHECK_FIELDS } from './check.ts';
import type { Check } from './check.ts';
import { getBytes, getVarint, putBytes, putVarint } from './values.ts';
import type { ByteReader, ByteWriter } from './values.ts';

/** The details of one check. */
export interface Detail {
  /** Ticks of the recording at the check. */
  tick: number;
  /** 16 bits for each slot. */
  agents: Uint16Array;
  /** 32 bits for each of `CHECK_FIELDS`. */
  fields: Int32Array;
  /** Bit k of byte i: the check covers field 8 i + k. */
  covered: Uint8Array;
}

/** A ring of details. */
export interface Details {
  limit: number;
  ring: Detail[];
  /** Index of the oldest one, once the ring is full. */
  next: number;
}

const COVERED_BYTES = Math.ceil(CHECK_FIELDS.length / 8);

export function createDetails(limit: number): Details {
  return { limit, ring: [], next: 0 };
}

/** Keeps the details of a check, and forgets the oldest ones. */
export function noteDetails(details: Details, check: Check, { slotCount }: Crowd, tick: number): void {
  const { ring, limit } = details;
  if (limit === 0) return;
  let detail: Detail;
  if (ring.length < limit) {
    detail = emptyDetail();
    ring.push(detail);
  } else {
    detail = ring[details.next];
    details.next = (details.next + 1) % limit;
  }
  if (detail.agents.length !== slotCount) detail.agents = new Uint16Array(slotCount);
  fillDetail(detail, check, tick);
}

function emptyDetail(): Detail {
  return {
    tick: 0,
    agents: new Uint16Array(0),
    fields: new Int32Array(CHECK_FIELDS.length),
    covered: new Uint8Array(COVERED_BYTES),
  };
}

function fillDetail(detail: Detail, { agents, fields, isCovered }: Check, tick: number): void {
  detail.tick = tick;
  for (let slot = 0; slot < detail.agents.length; slot++) {
    const hash = Math.imul(agents[slot] ^ (agents[slot] >>> 15), 0x2c1b3c6d);
    detail.agents[slot] = hash >>> 16;
  }
  detail.fields.set(fields);
  detail.covered.fill(0);
  for (let i = 0; i < isCovered.length; i++) if (isCovered[i] === 1) detail.covered[i >> 3] |= 1 << (i & 7);
}

/** Returns the details of a check of a crowd with `slotCount` slots. */
export function detailOf(check: Check, slotCount: number, tick: number): Detail {
  const detail = emptyDetail();
  detail.agents = new Uint16Array(slotCount);
  fillDetail(detail, check, tick);
  return detail;
}

/** Returns whether a check covers a field. */
function isCoveredBy({ covered }: Detail, field: number): boolean {
  return (covered[field >> 3] & (1 << (field & 7))) !== 0;
}

/** Writes the details, the oldest first. */
export function writeDetails(w: ByteWriter, { ring, next }: Details): void {
  putVarint(w, CHECK_FIELDS.length);
  putVarint(w, ring.length);
  for (let i = 0; i < ring.length; i++) {
    const detail = ring[(next + i) % ring.length];
    const { tick, agents, fields, covered } = detail;
    putVarint(w, tick);
    putVarint(w, agents.length);
    putBytes(w, bytesOf(agents));
    putBytes(w, covered);
    const known = fields.filter((_, field) => isCoveredBy(detail, field));
    putBytes(w, bytesOf(known));
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint16Array | Int32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Reads details, by their ticks. Returns none when they are of another version of navkiln. */
export function readDetails(r: ByteReader): Map<number, Detail> {
  const details = new Map<number, Detail>();
  if (getVarint(r) !== CHECK_FIELDS.length) return details;
  for (let left = getVarint(r); left > 0; left--) {
    const detail = emptyDetail();
    detail.tick = getVarint(r);
    detail.agents = new Uint16Array(getBytes(r, 2 * getVarint(r)).slice().buffer);
    detail.covered.set(getBytes(r, COVERED_BYTES));
    for (let field = 0; field < CHECK_FIELDS.length; field++) {
      if (!isCoveredBy(detail, field)) continue;
      const bytes = getBytes(r, 4);
      detail.fields[field] = bytes[0] | (bytes[1] << 8) | (bytes[2] << 16) | (bytes[3] << 24);
    }
    details.set(detail.tick, detail);
  }
  return details;
}

/** The agents and fields that differ in a check. */
export interface DetailDifference {
  /** Slots, ascending. */
  slots: number[];
  /** Names of `CHECK_FIELDS`, in their order. */
  fields: string[];
}

/** Returns where two details of one tick differ. */
export function compareDetails(a: Detail, b: Detail): DetailDifference {
  const slots: number[] = [];
  const count = Math.max(a.agents.length, b.agents.length);
  for (let slot = 0; slot < count; slot++) if (a.agents[slot] !== b.agents[slot]) slots.push(slot);
  const fields = CHECK_FIELDS.filter(
    (_, field) => isCoveredBy(a, field) && isCoveredBy(b, field) && a.fields[field] !== b.fields[field],
  );
  return { slots, fields };
}
