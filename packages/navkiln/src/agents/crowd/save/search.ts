/**
 * Saves and restores searches as their start and their progress. Restoring repeats them.
 *
 * In: the searches of a crowd; a tape.
 * Out: numbers on the tape; the searches as they were.
 * Cost: writing is linear in the fields; reading repeats the searches.
 * Based on: own.
 */
import { beginCorridor, runCorridor } from '../../../query/path/a-star.ts';
import { beginField, createGoalField, isFieldOf, runField } from '../search/goal-field.ts';
import { MAX_RESTARTS } from '../search/searches.ts';
import { PLACE, getAllIn } from './ranges.ts';
import { failTape, getHandle, getPoly, getWhole, put, putAll, refOrNone, reserve } from './tape.ts';
import type { Tape } from './tape.ts';
import {
  FIELD_COUNT,
  FIELD_TICKS,
  SEARCH_CORRIDOR,
  SEARCH_FIELD,
  SEARCH_NONE,
  UNREACHABLE_COUNT,
} from '../search/record.ts';
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

/** Reads the search in progress, and repeats it up to its saved progress. */
export function readSearch(crowd: Crowd, tape: Tape): void {
  const { mesh, searches, filters, slotCount } = crowd;
  const { current, state } = searches;
  current.slot = getWhole(tape, 'searches.current.slot', -1, slotCount - 1);
  current.kind = getWhole(tape, 'searches.current.kind', SEARCH_NONE, SEARCH_FIELD);
  current.field = getWhole(tape, 'searches.current.field', -1, FIELD_COUNT - 1);
  current.filter = getWhole(tape, 'searches.current.filter', 0, filters.length - 1);
  const isLive = getWhole(tape, 'searches.current.isLive', 0, 1) === 1;
  current.revision = mesh.revision - (isLive ? 0 : 1);
  current.startPoly = getPoly(tape, mesh, 'searches.current.startPoly');
  current.goalPoly = getPoly(tape, mesh, 'searches.current.goalPoly');
  if (isLive && (current.slot < 0 || current.startPoly < 0 || current.goalPoly < 0)) {
    failTape(tape, 'searches.current.slot', current.slot, 'an agent with a start and a goal on the mesh');
  }
  // A search that needs no algorithm ends in the tick in which it begins.
  if (isLive && current.kind !== SEARCH_CORRIDOR && current.kind !== SEARCH_FIELD) {
    failTape(tape, 'searches.current.kind', current.kind, `${SEARCH_CORRIDOR} or ${SEARCH_FIELD}`);
  }
  getAllIn(current.start, tape, 'searches.current.start', PLACE);
  getAllIn(current.wanted, tape, 'searches.current.wanted', PLACE);
  getAllIn(current.goal, tape, 'searches.current.goal', PLACE);
  const packed = getWhole(tape, 'searches.current.restarts', 0, DETOUR_COUNT * (MAX_RESTARTS + 2) - 1);
  current.detour = packed % DETOUR_COUNT;
  current.restarts = Math.floor(packed / DETOUR_COUNT);
  const expandedCount = getHandle(tape, 'searches.state.expandedCount');
  if (!isLive || current.kind !== SEARCH_CORRIDOR) return;
  const filter = filters[current.filter];
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
  const { mesh, searches, filters } = crowd;
  searches.nextUnreachable = getWhole(tape, 'searches.nextUnreachable', 0, UNREACHABLE_COUNT - 1);
  searches.unreachable.forEach((record, i) => {
    record.filter = getWhole(tape, `searches.unreachable[${i}].filter`, -1, filters.length - 1);
    record.goalPoly = getPoly(tape, mesh, `searches.unreachable[${i}].goalPoly`);
    record.poly = getPoly(tape, mesh, `searches.unreachable[${i}].poly`);
    record.revision = record.filter < 0 ? -1 : mesh.revision;
    if (record.filter >= 0 && (record.goalPoly < 0 || record.poly < 0)) {
      failTape(tape, `searches.unreachable[${i}].filter`, record.filter, '-1 without polygons');
    }
  });
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

/** Reads the shared fields, and repeats their searches up to their saved progress. */
export function readFields(crowd: Crowd, tape: Tape, count: number): void {
  const { mesh, searches, filters } = crowd;
  const { current, fields, fieldBegun, fieldUsed } = searches;
  for (let i = 0; i < count; i++) {
    const path = `searches.fields[${i}]`;
    const field = createGoalField();
    fields.push(field);
    fieldBegun[i] = getWhole(tape, `${path}.begun`, 0, crowd.tick);
    fieldUsed[i] = getWhole(tape, `${path}.used`, 0, crowd.tick);
    const filter = getWhole(tape, `${path}.filter`, -1, filters.length - 1);
    const goalPoly = getPoly(tape, mesh, `${path}.goalPoly`);
    getAllIn(goal, tape, `${path}.goal`, PLACE);
    const expandedCount = getHandle(tape, `${path}.expandedCount`);
    if (filter < 0) continue;
    if (goalPoly < 0) failTape(tape, `${path}.goalPoly`, goalPoly, 'a polygon');
    beginField(field, mesh, filters[filter], goalPoly, goal);
    runField(field, mesh, filters[filter], expandedCount);
  }
  const { field, kind, revision } = current;
  if (kind !== SEARCH_FIELD || revision !== mesh.revision) return;
  // A field is empty after a change of its filter; the search then continues without it.
  const isGood = field >= 0 && field < count && [-1, current.goalPoly].includes(fields[field].goalPoly);
  if (!isGood) failTape(tape, 'searches.current.field', field, 'a field that leads to the goal of the search');
}
