/**
 * Refusals: one form for every message about a wrong argument, `function: path is value; must be remedy`.
 *
 * Based on: own. Shared by all convenience functions, so that a bundle carries each text once. Kernels do not check.
 */

/** Longest piece of a user's value that a message repeats, in characters. */
const MAX_SHOWN = 60;

/** Throws a RangeError: `caller: path is value; must be mustBe`. */
export function refuse(caller: string, path: string, value: unknown, mustBe: string): never {
  throw new RangeError(`${caller}: ${path} is ${showValue(value)}; must be ${mustBe}`);
}

/**
 * Throws unless `options` is undefined or an object whose keys are all in `known`. `path` is what messages call the object.
 * A key that is set to undefined counts as absent, but its name must be known. `remedies` has what messages
 * say about keys that another function takes.
 */
export function checkKeys(
  caller: string,
  options: unknown,
  known: readonly string[],
  path: string = 'options',
  remedies: Readonly<Record<string, string>> = {},
): void {
  if (options === undefined) return;
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`${caller}: ${path} is ${showValue(options)}; must be an object`);
  }
  for (const key in options) {
    if (known.includes(key)) continue;
    const remedy = Object.hasOwn(remedies, key) ? remedies[key] : nearKey(key, known);
    throw new RangeError(`${caller}: ${path}.${key} is unknown; ${remedy}`);
  }
}

function nearKey(key: string, known: readonly string[]): string {
  const near = known.find((name) => name.toLowerCase() === key.toLowerCase());
  return near === undefined ? `known keys: ${known.join(', ')}` : `did you mean ${near}?`;
}

/**
 * Throws a TypeError unless `value` is a number. Stale and unknown handles are expected outcomes, which functions report in their
 * result; a value of another type is misuse. `path` names the handle in the message.
 */
export function checkHandle(caller: string, path: string, value: unknown): void {
  if (typeof value !== 'number') throw new TypeError(`${caller}: ${path} is ${showValue(value)}; must be a number`);
}

/** Throws a TypeError unless `value` is a typed array of this kind (`'Float64Array'`), of any realm. `path` names it in the message. */
export function checkTyped(caller: string, path: string, value: unknown, kind: string): void {
  if (ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === `[object ${kind}]`) return;
  throw new TypeError(`${caller}: ${path} is ${showValue(value)}; must be a ${kind}`);
}

/** A value as messages show it: strings in quotes, arrays by their numbers, other objects by their kind, nothing long. */
export function showValue(value: unknown): string {
  const text =
    typeof value === 'string'
      ? JSON.stringify(value)
      : Array.isArray(value)
        ? `[${value.slice(0, 8).map(showValue).join(', ')}]`
        : typeof value === 'function'
          ? 'a function'
          : typeof value === 'object' && value !== null
            ? 'an object'
            : String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
