/**
 * `expect` of the tests: what tests import from 'vitest' (tools/test-modules.mjs). An assertion of Vitest takes 15 µs, which is most of the
 * work of loops with many. The common ones that hold are decided here. Those that fail, and all others, are Vitest's, as are their messages.
 */
import { expect as vitestExpect } from 'vitest';

export * from 'vitest';
export { vitestExpect };

const PLAIN: ReadonlySet<string> = new Set(['number', 'string', 'boolean', 'undefined']);
/** Records and arrays in one another. Those that are deeper are left to Vitest. */
const MAX_DEPTH = 5;

/** Returns true if both are arrays or records with the same numbers, texts or truth values, and false if that takes a closer look. */
export function areSame(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return PLAIN.has(typeof a) || a === null;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || depth > MAX_DEPTH) return false;
  const kind: unknown = Object.getPrototypeOf(a);
  if (kind !== Object.getPrototypeOf(b)) return false;
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) {
    if (a.byteLength !== b.byteLength) return false;
    const [left, right] = [a, b].map((one) => new Uint8Array(one.buffer, one.byteOffset, one.byteLength));
    return Buffer.compare(left!, right!) === 0;
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!(i in a && i in b && areSame(a[i], b[i], depth + 1))) return false;
    return true;
  }
  if (kind !== Object.prototype || Object.getOwnPropertySymbols(a).length + Object.getOwnPropertySymbols(b).length > 0)
    return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  for (const name of names) {
    if (!Object.hasOwn(b, name)) return false;
    if (!areSame((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name], depth + 1)) return false;
  }
  return true;
}

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** An assertion of Vitest that is created when it is needed. */
class Lazy {
  readonly value: unknown;
  readonly message: string | undefined;

  constructor(value: unknown, message: string | undefined) {
    this.value = value;
    this.message = message;
  }
}

/** Lets a class take the members that it lacks from an assertion of Vitest. */
function takeOthers(prototype: Lazy, assertionOf: (lazy: Lazy) => unknown): void {
  const get = (_: object, name: string | symbol, lazy: Lazy): unknown => {
    const assertion = assertionOf(lazy);
    const member = (assertion as Record<string | symbol, unknown>)[name];
    return typeof member === 'function'
      ? (...args: unknown[]) => Reflect.apply(member, assertion, args) as unknown
      : member;
  };
  Object.setPrototypeOf(prototype, new Proxy(Object.prototype, { get }));
}

takeOthers(Lazy.prototype, ({ value, message }) => vitestExpect(value, message));

class Assertion extends Lazy {
  toBe(want: unknown): void {
    if (!Object.is(this.value, want)) vitestExpect(this.value, this.message).toBe(want);
  }
  toEqual(want: unknown): void {
    if (!areSame(this.value, want)) vitestExpect(this.value, this.message).toEqual(want);
  }
  toBeLessThan(limit: number): void {
    if (!(isNumber(this.value) && isNumber(limit) && this.value < limit))
      vitestExpect(this.value, this.message).toBeLessThan(limit);
  }
  toBeLessThanOrEqual(limit: number): void {
    if (!(isNumber(this.value) && isNumber(limit) && this.value <= limit))
      vitestExpect(this.value, this.message).toBeLessThanOrEqual(limit);
  }
  toBeGreaterThan(limit: number): void {
    if (!(isNumber(this.value) && isNumber(limit) && this.value > limit))
      vitestExpect(this.value, this.message).toBeGreaterThan(limit);
  }
  toBeGreaterThanOrEqual(limit: number): void {
    if (!(isNumber(this.value) && isNumber(limit) && this.value >= limit))
      vitestExpect(this.value, this.message).toBeGreaterThanOrEqual(limit);
  }
  toBeCloseTo(want: number, digits = 2): void {
    if (!(isNumber(this.value) && isNumber(want) && Math.abs(this.value - want) < 10 ** -digits / 2))
      vitestExpect(this.value, this.message).toBeCloseTo(want, digits);
  }
  get not(): unknown {
    return new Refusal(this.value, this.message);
  }
}

class Refusal extends Lazy {
  toBe(other: unknown): void {
    if (Object.is(this.value, other)) vitestExpect(this.value, this.message).not.toBe(other);
  }
}
takeOthers(Refusal.prototype, ({ value, message }) => vitestExpect(value, message).not);

/** `expect.any`, `expect.getState` and the like are Vitest's. */
export const expect: typeof vitestExpect = Object.setPrototypeOf(
  (value: unknown, message?: string) => new Assertion(value, message),
  vitestExpect,
) as typeof vitestExpect;
