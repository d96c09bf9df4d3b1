/**
 * Saves and restores searches: where they began, and how far they have come. Restoring repeats them.
 *
 * In: the searches of a crowd; a tape.
 * Out: numbers on the tape; the searches as they were.
 * Cost: writing is linear in the fields; reading costs the searches.
 * Based on: own.
 */
import { beginCorridor, runCorridor } from '../../query/path/a-star.ts';
import { beginField, createGoalField, isFieldOf, runField } from '../search/goal-field.ts';
import { get, getAll, indexOrNone, put, putAll, refOrNone, reserve } from './tape.ts';
import type { Tape } from './tape.ts';
import { UNREACHABLE_COUNT, FIELD_TICKS, SEARCH_CORRIDOR } from '../search/record.ts';
import type { Crowd } from '../state/types.ts';

const goal = new Float64Array(3);

/** `detour` and `restarts` share one number: the lower bits are `detour`. */
const DETOUR_COUNT = 4;

/** Writes the search in progress. */
export function writeSearch(crowd: Crowd): void {
  const { mesh, searches } = crowd;
  const { current, state } = searches;
  const isLive = current.slot >= 0 && current.revision === mesh.revision;
  reserve(17);
  put(current.slot);
  put(current.kind);
  put(current.field);
  put(current.filter);
  put(isLive ? 1 : 0);
  put(isLive ? refOrNone(mesh, current.startPoly) : -1);
  put(isLive ? refOrNone(mesh, current.goalPoly) : -1);
  putAll(current.start, 0, 3);
  putAll(current.wanted, 0, 3);
  putAll(current.goal, 0, 3);
  put(current.detour + DETOUR_COUNT * current.restarts);
  put(isLive && current.kind === SEARCH_CORRIDOR ? state.expandedCount : 0);
}

/** Reads the search in progress, and repeats it as far as it had come. */
export function readSearch(crowd: Crowd, tape: Tape): void {
  const { mesh, searches } = crowd;
  const { current, state } = searches;
  current.slot = get(tape);
  current.kind = get(tape);
  current.field = get(tape);
  current.filter = get(tape);
  const isLive = get(tape) === 1;
  current.revision = mesh.revision - (isLive ? 0 : 1);
  current.startPoly = indexOrNone(mesh, get(tape));
  current.goalPoly = indexOrNone(mesh, get(tape));
  getAll(current.start, tape);
  getAll(current.wanted, tape);
  getAll(current.goal, tape);
  const packed = get(tape);
  current.detour = packed % DETOUR_COUNT;
  current.restarts = Math.floor(packed / DETOUR_COUNT);
  const expandedCount = get(tape);
  if (!isLive || current.kind !== SEARCH_CORRIDOR) return;
  const filter = crowd.filters[current.filter];
  beginCorridor(state, mesh, filter, current.startPoly, current.start, current.goalPoly, current.goal);
  runCorridor(state, mesh, filter, Infinity, expandedCount);
}

/** Writes the remembered unreachable goals. */
export function writeUnreachable(crowd: Crowd): void {
  const { mesh, searches } = crowd;
  reserve(1 + 3 * UNREACHABLE_COUNT);
  put(searches.nextUnreachable);
  for (const { revision, filter, goalPoly, poly } of searches.unreachable) {
    const isLive = revision === mesh.revision;
    put(isLive ? filter : -1);
    put(isLive ? refOrNone(mesh, goalPoly) : -1);
    put(isLive ? refOrNone(mesh, poly) : -1);
  }
}

/** Reads the remembered unreachable goals. */
export function readUnreachable(crowd: Crowd, tape: Tape): void {
  const { mesh, searches } = crowd;
  searches.nextUnreachable = get(tape);
  for (const record of searches.unreachable) {
    record.filter = get(tape);
    record.goalPoly = indexOrNone(mesh, get(tape));
    record.poly = indexOrNone(mesh, get(tape));
    record.revision = record.filter < 0 ? -1 : mesh.revision;
  }
}

/** Writes the shared fields; those that are no longer used are written as empty. */
export function writeFields(crowd: Crowd): void {
  const { mesh, searches, filters, tick } = crowd;
  const { fields, fieldBegun, fieldUsed } = searches;
  reserve(8 * fields.length);
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i];
    let filter = -1;
    if (field.goalPoly >= 0 && tick - fieldUsed[i] <= FIELD_TICKS) {
      for (let k = filters.length - 1; k >= 0; k--) if (isFieldOf(field, mesh, filters[k], field.goalPoly)) filter = k;
    }
    put(fieldBegun[i]);
    put(fieldUsed[i]);
    put(filter);
    put(filter < 0 ? -1 : refOrNone(mesh, field.goalPoly));
    for (let k = 0; k < 3; k++) put(filter < 0 ? 0 : field.goal[k]);
    put(filter < 0 ? 0 : field.expandedCount);
  }
}

/** Reads the shared fields, and repeats their searches as far as they had come. */
export function readFields(crowd: Crowd, tape: Tape, count: number): void {
  const { mesh, searches } = crowd;
  const { fields, fieldBegun, fieldUsed } = searches;
  while (fields.length < count) fields.push(createGoalField());
  fields.length = count;
  for (let i = 0; i < count; i++) {
    const field = fields[i];
    fieldBegun[i] = get(tape);
    fieldUsed[i] = get(tape);
    const filter = get(tape);
    const goalPoly = indexOrNone(mesh, get(tape));
    getAll(goal, tape);
    const expandedCount = get(tape);
    field.goalPoly = -1;
    if (filter < 0) continue;
    beginField(field, mesh, crowd.filters[filter], goalPoly, goal);
    runField(field, mesh, crowd.filters[filter], expandedCount);
  }
}
