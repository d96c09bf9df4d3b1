/**
 * Copies the fields of a record and of the records in it to a tape, and back: numbers, references, and typed arrays as
 * a whole. Both directions walk the fields of the record itself, so a new field is copied without being listed.
 *
 * In: a record of numbers, typed arrays, flat records and lists; rules by field name.
 * Out: the tape, or the record as it was.
 * Cost: linear in the fields and elements. No allocation while the record keeps its arrays.
 * Based on: own.
 */

/** A typed array of a record. */
export type StateArray = Float64Array | Float32Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;

/** How fields are copied, by name. All others are copied by value. */
export interface StateRules {
  /** Fields that keep their value: it never changes, or the caller copies it. */
  skipped: ReadonlySet<string>;
  /** Fields whose value is replaced and never changed: the reference is copied. */
  references: ReadonlySet<string>;
  /** Lists whose elements are replaced and never changed. */
  lists: ReadonlySet<string>;
}

/** A copied array. */
interface SavedArray {
  source: StateArray;
  /** The part of `source` that is copied. */
  view: StateArray;
  copy: StateArray;
}

/** Copies of the fields of a record, in the order of the walk. */
export interface StateTape {
  numbers: Float64Array;
  numberAt: number;
  values: unknown[];
  valueAt: number;
  arrays: SavedArray[];
  arrayAt: number;
  /** Copies of the elements of each list of records. */
  lists: object[][];
  listAt: number;
  /** Arrays with a multiple of this many elements have a row per slot; 0: no array has rows. */
  maxRows: number;
  /** The number of copied rows. */
  rowCount: number;
}

/**
 * Rows are copied in groups of this many, so that few changes of their number need other arrays. Arrays that are shorter are
 * copied as a whole, so a point is not taken for three rows.
 */
const ROW_GROUP = 64;

/** Creates an empty tape for records of up to `maxRows` rows. */
export function createStateTape(maxRows: number): StateTape {
  return {
    numbers: new Float64Array(64),
    numberAt: 0,
    values: [],
    valueAt: 0,
    arrays: [],
    arrayAt: 0,
    lists: [],
    listAt: 0,
    maxRows,
    rowCount: 0,
  };
}

/** Copies a record to a tape. Only the first `rowCount` rows are in use; all others must be 0. */
export function copyToTape(tape: StateTape, record: object, rules: StateRules, rowCount: number): void {
  tape.rowCount = Math.min(Math.max(1, Math.ceil(rowCount / ROW_GROUP)) * ROW_GROUP, tape.maxRows);
  tape.numberAt = tape.valueAt = tape.arrayAt = tape.listAt = 0;
  copyFields(tape, record as Record<string, unknown>, rules);
}

function copyFields(tape: StateTape, record: Record<string, unknown>, rules: StateRules): void {
  for (const key in record) {
    if (rules.skipped.has(key)) continue;
    const value = record[key];
    if (typeof value === 'number') putNumber(tape, value);
    else if (typeof value !== 'object' || value === null || rules.references.has(key)) putValue(tape, value);
    else if (ArrayBuffer.isView(value)) putArray(tape, value as StateArray);
    else if (Array.isArray(value)) putList(tape, value, rules.lists.has(key));
    else copyFields(tape, value as Record<string, unknown>, rules);
  }
}

function putNumber(tape: StateTape, value: number): void {
  if (tape.numberAt === tape.numbers.length) {
    const { numbers } = tape;
    tape.numbers = new Float64Array(2 * numbers.length);
    tape.numbers.set(numbers);
  }
  tape.numbers[tape.numberAt++] = value;
}

function putValue(tape: StateTape, value: unknown): void {
  tape.values[tape.valueAt++] = value;
}

/** Copies a list: its elements, or if they are flat records, their fields. */
function putList(tape: StateTape, list: readonly unknown[], isShared: boolean): void {
  putNumber(tape, list.length);
  const copies = (tape.lists[tape.listAt++] ??= []);
  for (let i = 0; i < list.length; i++) {
    const element = list[i];
    if (isShared || !isRecord(element)) putValue(tape, element);
    else copies[i] = Object.assign(copies[i] ?? {}, element);
  }
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Returns the number of elements of an array that are copied. */
function copiedLength({ maxRows }: StateTape, array: StateArray, rows: number): number {
  const hasRows = maxRows > 0 && array.length % maxRows === 0;
  return hasRows ? (array.length / maxRows) * rows : array.length;
}

function putArray(tape: StateTape, source: StateArray): void {
  const length = copiedLength(tape, source, tape.rowCount);
  const index = tape.arrayAt++;
  let saved = tape.arrays[index];
  if (saved?.source !== source || saved.view.length !== length) {
    const view = length === source.length ? source : source.subarray(0, length);
    const isUsable = saved?.copy.length === length && saved.copy.constructor === source.constructor;
    saved = tape.arrays[index] = { source, view, copy: isUsable ? saved.copy : source.slice(0, length) };
  }
  saved.copy.set(saved.view);
}

/**
 * Copies a tape back to its record. Revisions (fields whose name ends in 'revision') that were `before` become `now`,
 * and all others become older than `now`. The record uses its first `rowCount` rows; those that the tape does not have
 * become 0.
 */
export function copyFromTape(
  tape: StateTape,
  record: object,
  rules: StateRules,
  rowCount: number,
  before: number,
  now: number,
): void {
  revisions.before = before;
  revisions.now = now;
  tape.numberAt = tape.valueAt = tape.arrayAt = tape.listAt = 0;
  restoreFields(tape, record as Record<string, unknown>, rules, rowCount);
}

const revisions = { before: 0, now: 0 };

/** Returns the number of a revision after a rewind. */
function numberOf(key: string, value: number): number {
  if (revisions.before === revisions.now || !key.endsWith('evision')) {
    // V8 stores a small integer in a record without allocating it, unlike the same number as a double.
    const whole = value | 0;
    return Object.is(whole, value) ? whole : value;
  }
  return value === revisions.before ? revisions.now : revisions.now - 1;
}

function restoreFields(tape: StateTape, record: Record<string, unknown>, rules: StateRules, rowCount: number): void {
  for (const key in record) {
    if (rules.skipped.has(key)) continue;
    const value = record[key];
    if (typeof value === 'number') record[key] = numberOf(key, tape.numbers[tape.numberAt++]);
    else if (typeof value !== 'object' || value === null || rules.references.has(key))
      record[key] = tape.values[tape.valueAt++];
    else if (ArrayBuffer.isView(value)) record[key] = restoreArray(tape, value as StateArray, rowCount);
    else if (Array.isArray(value)) restoreList(tape, value, rules.lists.has(key));
    else restoreFields(tape, value as Record<string, unknown>, rules, rowCount);
  }
}

function restoreList(tape: StateTape, list: unknown[], isShared: boolean): void {
  const length = tape.numbers[tape.numberAt++];
  const copies = tape.lists[tape.listAt++];
  list.length = length;
  for (let i = 0; i < length; i++) {
    if (isShared || copies[i] === undefined) {
      list[i] = tape.values[tape.valueAt++];
      continue;
    }
    const record = Object.assign((list[i] ??= {}) as Record<string, unknown>, copies[i]);
    for (const key in record) if (typeof record[key] === 'number') record[key] = numberOf(key, record[key]);
  }
}

/** Restores an array, and returns it; a new one if the record has a shorter one now. */
function restoreArray(tape: StateTape, array: StateArray, rowCount: number): StateArray {
  const { source, view, copy } = tape.arrays[tape.arrayAt++];
  if (array === source) view.set(copy);
  else if (array.length < copy.length) return copy.slice();
  else array.set(copy);
  const end = copiedLength(tape, array, Math.min(rowCount, tape.maxRows));
  if (end > copy.length) array.fill(0, copy.length, end);
  return array;
}
