/**
 * The part of a saved crowd that is searches under way: where they began, and how far they have come. Reading does them again.
 *
 * Cost: linear; reading: that of the searches.
 * Based on: own.
 */
import { beginCorridor, runCorridor } from '../../query/path/a-star.ts';
import { beginField, createGoalField, isFieldOf, runField } from '../search/goal-field.ts';
import { get, getAll, indexOrNone, put, putAll, refOrNone, reserve } from './tape.ts';
import type { Tape } from './tape.ts';
import { UNREACHABLE_COUNT, FIELD_TICKS, SEARCH_CORRIDOR } from '../search/record.ts';
import type { Crowd } from '../state/types.ts';

const goal = new Float64Array(3);

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
  put(current.detour + 4 * current.restarts);
  put(isLive && current.kind === SEARCH_CORRIDOR ? state.expandedCount : 0);
}

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
  current.detour = packed & 3;
  current.restarts = packed >> 2;
  const expandedCount = get(tape);
  if (!isLive || current.kind !== SEARCH_CORRIDOR) return;
  const filter = crowd.filters[current.filter];
  beginCorridor(state, mesh, filter, current.startPoly, current.start, current.goalPoly, current.goal);
  runCorridor(state, mesh, filter, Infinity, expandedCount);
}

export function writeBarred(crowd: Crowd): void {
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

export function readBarred(crowd: Crowd, tape: Tape): void {
  const { mesh, searches } = crowd;
  searches.nextUnreachable = get(tape);
  for (const one of searches.unreachable) {
    one.filter = get(tape);
    one.goalPoly = indexOrNone(mesh, get(tape));
    one.poly = indexOrNone(mesh, get(tape));
    one.revision = one.filter < 0 ? -1 : mesh.revision;
  }
}

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
