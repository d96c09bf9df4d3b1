/** Compares plain data, and lists the differences. */

export type Path = readonly (string | number)[];

/**
 * Returns whether keys, values and the order of lists are equal. 0 and -0 differ. Keys that hold `undefined`
 * count as absent.
 */
export function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((value, i) => isSame(value, b[i]));
  }
  if (!isRecord(a) || !isRecord(b)) return Object.is(a, b);
  const keys = keysOf(a);
  return keys.length === keysOf(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]));
}

export type Change =
  | { path: Path; kind: 'set'; value: unknown }
  /** A new key of a map. */
  | { path: Path; kind: 'add'; value: unknown }
  /** Inserts before the item of that number, or at the end of the list. */
  | { path: Path; kind: 'insert'; value: unknown }
  | { path: Path; kind: 'remove' };

/** Lists the edits that turn `from` into `to`, to be applied in order. */
export function listChanges(from: unknown, to: unknown, path: Path = []): Change[] {
  if (isSame(from, to)) return [];
  if (isRecord(from) && isRecord(to)) return changesOfMap(from, to, path);
  if (Array.isArray(from) && Array.isArray(to)) return changesOfList(from, to, path);
  return [{ path, kind: 'set', value: to }];
}

function changesOfMap(from: Record<string, unknown>, to: Record<string, unknown>, path: Path): Change[] {
  const kept = keysOf(to);
  const gone = keysOf(from).filter((key) => !kept.includes(key));
  const changes: Change[] = gone.map((key) => ({ path: [...path, key], kind: 'remove' }));
  for (const key of kept) {
    if (from[key] === undefined) changes.push({ path: [...path, key], kind: 'add', value: to[key] });
    else for (const change of listChanges(from[key], to[key], [...path, key])) changes.push(change);
  }
  return changes;
}

/** Keeps equal items at both ends, pairs those in between, and adds or removes the rest. */
function changesOfList(from: readonly unknown[], to: readonly unknown[], path: Path): Change[] {
  let head = 0;
  while (head < from.length && head < to.length && isSame(from[head], to[head])) head++;
  let tail = 0;
  const most = Math.min(from.length, to.length) - head;
  while (tail < most && isSame(from[from.length - 1 - tail], to[to.length - 1 - tail])) tail++;
  const paired = most - tail;
  const changes: Change[] = [];
  for (let i = head; i < head + paired; i++) {
    for (const change of listChanges(from[i], to[i], [...path, i])) changes.push(change);
  }
  for (let i = from.length - tail - 1; i >= head + paired; i--) changes.push({ path: [...path, i], kind: 'remove' });
  for (let i = head + paired; i < to.length - tail; i++)
    changes.push({ path: [...path, i], kind: 'insert', value: to[i] });
  return changes;
}

function keysOf(map: Record<string, unknown>): string[] {
  return Object.keys(map).filter((key) => map[key] !== undefined);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
