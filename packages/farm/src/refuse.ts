/** Checks of options, with the messages of navkiln. */

/** Throws a RangeError unless `value` is a whole number from `least` to `most`. */
export function checkCount(caller: string, name: string, value: unknown, least: number, most: number): void {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return;
  throw new RangeError(`${caller}: options.${name} is ${String(value)}; must be a whole number ${least} .. ${most}`);
}

/** Throws a TypeError unless `store` has the methods of a store. */
export function checkStore(caller: string, store: unknown): void {
  const methods = store as Record<string, unknown> | null | undefined;
  if (['get', 'set', 'delete', 'keys'].every((name) => typeof methods?.[name] === 'function')) return;
  throw new TypeError(`${caller}: store is not a store; must have the methods get, set, delete and keys`);
}
