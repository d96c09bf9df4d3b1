/** The wrong values that faults put into a call, each with a name for messages. */

/** The error that the hostile proxy throws. A function that lets it through has not failed: the value itself threw. */
export const HOSTILE_ERROR = new Error('thrown by the value itself');

function hostileProxy() {
  const refuse = () => {
    throw HOSTILE_ERROR;
  };
  return new Proxy(
    {},
    {
      get: refuse,
      has: refuse,
      ownKeys: refuse,
      getOwnPropertyDescriptor: refuse,
      getPrototypeOf: refuse,
      set: refuse,
    },
  );
}

/** Returns an array of three numbers that claims to be long. */
function sparseArray() {
  const list = [0, 0, 0];
  list.length = 1e9;
  return list;
}

/** Returns a value nested deeper than any stack. */
function nested(wrap) {
  let value = wrap(0);
  for (let depth = 0; depth < 1e5; depth++) value = wrap(value);
  return value;
}

/** Name and maker of each wrong value. */
export const WRONG_VALUES = [
  ['undefined', () => undefined],
  ['null', () => null],
  ["''", () => ''],
  ["'x'", () => 'x'],
  ["'5'", () => '5'],
  ['NaN', () => NaN],
  ['-1', () => -1],
  ['0.5', () => 0.5],
  ['1e300', () => 1e300],
  ['Infinity', () => Infinity],
  ['true', () => true],
  ['{}', () => ({})],
  ['[]', () => []],
  ['[undefined]', () => [undefined]],
  ['[null, null, null]', () => [null, null, null]],
  ["['1', '0', '1']", () => ['1', '0', '1']],
  ['[1n, 1n, 1n]', () => [1n, 1n, 1n]],
  ['[Symbol]', () => [Symbol('s'), Symbol('s'), Symbol('s')]],
  ['{ x: Symbol }', () => ({ x: Symbol('s'), y: 0, z: 0 })],
  ['Symbol', () => Symbol('s')],
  ['1n', () => 1n],
  ['function', () => () => {}],
  ['Date', () => new Date(0)],
  ['frozen object', () => Object.freeze({})],
  ['object without prototype', () => Object.create(null)],
  ['array of nothing', () => ({ length: 3 })],
  ['hostile proxy', hostileProxy],
  ['array-like of claimed length', () => ({ 0: 0, 1: 0, 2: 0, length: 1e9 })],
  ['sparse array', sparseArray],
  ['list of sparse arrays', () => [sparseArray(), sparseArray(), sparseArray()]],
  ['nested arrays', () => nested((inner) => [inner])],
  ['nested objects', () => nested((inner) => ({ name: inner }))],
];

/** Values of a wrong type in place of a number. Functions that take them as numbers are counted as lenient. */
export const NOT_NUMBERS = new Set(["''", "'x'", "'5'", 'true', '[]', 'Date', '1n', 'null']);

/** Returns the record as it is after JSON: typed arrays are plain objects. */
export function throughJson(value) {
  const seen = new WeakSet();
  const text = JSON.stringify(value, (_, part) => {
    if (typeof part === 'bigint' || typeof part === 'function') return undefined;
    if (typeof part !== 'object' || part === null) return part;
    if (seen.has(part)) return undefined;
    seen.add(part);
    return part;
  });
  return text === undefined ? undefined : JSON.parse(text);
}
