/**
 * Calls every exported function with wrong arguments and judges the results.
 *
 * A valid call of each function is in calls.mjs. A fault replaces one argument, or one field of it at any depth, by a wrong
 * value. The outcome is a result, a refusal in the library's words, or a failure: text of the engine, a record changed by
 * a call that threw, an invalid mesh, NaN in a result, a call that takes too long, or a valid call that fails afterwards.
 */
import { HOSTILE_ERROR, NOT_NUMBERS, WRONG_VALUES, throughJson } from './values.mjs';
import { fingerprintOf, countNaN } from './fingerprint.mjs';

/** Longest time of one call, milliseconds of the processor: other processes may be busy. */
const SLOW_MS = 2000;
/** Faults that kernels are not given, since they check nothing: lengths to loop to, and records that cannot change. */
const UNCHECKED = new Set([
  'Infinity',
  '1e300',
  'array-like of claimed length',
  'sparse array',
  'list of sparse arrays',
  'frozen',
]);
const MAX_DEPTH = 5;
const MAX_ELEMENTS = 2;
/** Longest list that a fault is put into. */
const MAX_COPIED = 1e6;
/** Text of engines that no message may contain. */
const ENGINE_TEXT =
  /Cannot (read|convert|set|mix|assign|destructure|use|create|delete|add|define|perform)|is not (iterable|a function|a constructor|defined|extensible|callable|an object)|Invalid (typed array|array|string|count|time)|Maximum call stack|incompatible (receiver|object)|before initialization|Array buffer allocation|out of bounds|too large an? |must not be (shared|a detached)|of (undefined|null)\b.*reading/;

/** Names of callbacks that messages may begin with, in place of the function that was called. */
const CALLBACKS = ['QueryFilter', 'random', 'color'];
/** Names that messages may begin with in place of the function: faults of a file name the file or its parser, as in `a.obj:3`. */
const OTHER_NAMES = {
  readLevelFile: ['a.obj', 'parseObj'],
  // A pool sends the options of a bake as plain data.
  bakeNavMesh: ['optionsFromSettings'],
};
/** Arguments whose text messages begin with: the name of a function or a file. */
const NAMING_ARGUMENTS = {
  markBySlope: 2,
  placementMatrix: 1,
  prepareInput: 2,
  readLevelFile: 1,
  readPolygonMap: 3,
  resolveConfig: 2,
  resolvePolygonOptions: 1,
};
/** Wrong values whose results may hold NaN: what the caller gave, and coordinates that overflow. */
const NAN_FAULTS = new Set(['NaN', 'Infinity', '1e300', '() => NaN', 'plain array with undefined']);
/** Results that hold NaN by their documentation. */
const isDocumentedNaN = {
  raycast: ({ cost, status }, [, , , options]) =>
    cost !== cost && (options?.withCost !== true || status === 'off-mesh'),
  raycast2d: ({ cost, status }, [, , , options]) =>
    cost !== cost && (options?.withCost !== true || status === 'off-mesh'),
  // The corridor of a follower without a path has no cost.
  followPath: ({ status }) => status === 'none',
  findRandomPoint: ({ found }) => found === false,
  findRandomPointInCircle: ({ found }) => found === false,
  // Measurements of agents that never rest, and of a missing gate or clock.
  runCrowdScene: () => true,
  startCrowdRun: () => true,
};

/** Returns the names of the functions that a module exports. */
export function functionsOf(module) {
  return Object.keys(module)
    .filter(
      (name) => typeof module[name] === 'function' && !/^class\b/.test(Function.prototype.toString.call(module[name])),
    )
    .sort();
}

/** Returns one fault for each place of the arguments and each wrong value that fits there. */
function listFaults(args, fixtures) {
  const faults = [];
  const visit = (value, path, depth) => {
    const isRecord = typeof value === 'object' && value !== null && fixtures.isRecord(value);
    for (const [name, make] of WRONG_VALUES) faults.push({ path, name, make, was: value });
    if (isRecord) {
      faults.push({ path, name: 'through JSON', make: () => throughJson(value), was: value });
      if (isPlain(value)) faults.push({ path, name: 'frozen', make: () => Object.freeze({ ...value }), was: value });
      for (const [name, make] of otherRecords(fixtures)) faults.push({ path, name, make, was: value });
      return;
    }
    if (typeof value === 'function' && path.length > 0) {
      const lies = { NaN, undefined, null: null, "'x'": 'x', '{}': {}, '-1': -1, Symbol: Symbol('s'), '1n': 1n };
      for (const [name, lie] of Object.entries(lies)) {
        faults.push({ path, name: `() => ${name}`, make: () => () => lie, was: value });
      }
      const thrower = () => () => {
        throw HOSTILE_ERROR;
      };
      faults.push({ path, name: '() => throw', make: thrower, was: value });
      return;
    }
    if (ArrayBuffer.isView(value)) {
      faults.push({ path, name: 'empty array of its type', make: () => new value.constructor(0), was: value });
      faults.push({ path, name: 'through JSON', make: () => throughJson(value), was: value });
      faults.push({
        path,
        name: 'plain array with undefined',
        make: () => [undefined, ...value].slice(0, value.length),
        was: value,
      });
      return;
    }
    if (!isPlain(value) || depth >= MAX_DEPTH) return;
    if (!Array.isArray(value)) faults.push({ path: [...path, 'noSuchKey'], name: '1', make: () => 1, was: undefined });
    const keys = Object.keys(value).slice(0, Array.isArray(value) ? MAX_ELEMENTS : undefined);
    for (const key of keys) visit(value[key], [...path, key], depth + 1);
  };
  args.forEach((arg, i) => visit(arg, [i], 0));
  return faults;
}

function isPlain(value) {
  if (typeof value !== 'object' || value === null) return false;
  try {
    const prototype = Object.getPrototypeOf(value);
    return prototype === Object.prototype || prototype === Array.prototype;
  } catch {
    // The hostile proxy.
    return false;
  }
}

function otherRecords(fixtures) {
  return [
    ['a mesh', fixtures.mesh],
    ['a crowd', fixtures.crowd],
    ['a tile', fixtures.tile],
    ['a map build', fixtures.mapBuild],
    ['a typed array', () => new Float64Array(8)],
    ['a corridor', () => fixtures.corridorOn(fixtures.mesh())],
  ];
}

/** Returns the arguments with the values at some paths replaced. Containers on the way are copied. */
function withFaults(args, faults) {
  const copy = [...args];
  for (const { path, value } of faults) {
    let at = copy;
    for (let i = 0; i + 1 < path.length; i++) {
      const inner = at[path[i]];
      // An earlier fault may have replaced a list by one that only claims its length.
      if (!isPlain(inner) || (typeof inner.length === 'number' && inner.length > MAX_COPIED)) return copy;
      at[path[i]] = Array.isArray(inner) ? [...inner] : { ...inner };
      at = at[path[i]];
    }
    const key = path[path.length - 1];
    // An earlier fault may have replaced an object by an array, whose length cannot be set.
    if (Array.isArray(at) && key === 'length') return copy;
    at[key] = value;
  }
  return copy;
}

function describe(call, faults, args) {
  const places = faults.map(({ path, name }) => {
    const text = path.map((key, i) => (i === 0 ? `argument ${key}` : `.${key}`)).join('');
    return `${text} = ${name}`;
  });
  return `${call.subpath === '' ? 'navkiln' : call.subpath} ${call.name}/${args.length}: ${places.join(', ')}`;
}

/** Returns whether a message is the library's: begins with the function's name, and has a remedy or a reason. */
function isOwnMessage(call, message, mustBeNamed) {
  const isNamed =
    !mustBeNamed ||
    [call.name, ...CALLBACKS, ...(OTHER_NAMES[call.name] ?? [])].some((name) => message.startsWith(name));
  return isNamed && !ENGINE_TEXT.test(message);
}

/** Returns what kind of own message this is: 'refused' in the common form, 'refused otherwise' in another. */
function kindOfRefusal(message) {
  return /^[\w]+: [^;]+ (is|are|has|have) [\s\S]*; /.test(message) ? 'refused' : 'refused otherwise';
}

/** Creates a runner: `run(call, faults)` returns { outcome, text }. Outcomes that begin with FAIL are failures. */
export function createRunner(modules, fixtures) {
  const { '': navkiln, debug } = modules;
  const probeMesh = fixtures.mesh();
  const probe = () => JSON.stringify(navkiln.findPath(probeMesh, [1, 0, 2], [10, 0, 10]).points);
  const expected = probe();
  let cached;

  const freshArgs = (call) => {
    if (cached?.call !== call) {
      const args = call.args(fixtures);
      cached = { call, args };
    }
    return cached;
  };

  /** Checks records after a call that changed them. */
  const checkRecords = (args) => {
    for (const arg of args) {
      const mesh = meshOf(arg);
      if (mesh === undefined) continue;
      const violations = debug.validateNavMesh(mesh);
      if (violations.length > 0) return `FAIL invalid mesh`;
    }
    return '';
  };
  /** Runs what usually follows, such as the next step of a crowd. */
  const checkAfter = (call, args) => {
    try {
      const problem = call.after?.(fixtures, args);
      return problem === undefined ? '' : `FAIL afterwards: ${problem}`;
    } catch (error) {
      return `FAIL afterwards: ${error?.message}`;
    }
  };

  const invoke = async (call, args) => {
    try {
      const result = call.call(...args);
      return { result: typeof result?.then === 'function' ? await result : result };
    } catch (error) {
      return { error, hasThrown: true };
    }
  };

  return {
    faultsOf: (call) =>
      listFaults(freshArgs(call).args, fixtures).filter(({ name }) => !call.isKernel || !UNCHECKED.has(name)),
    /** Runs the valid call. Returns a text when it fails. */
    async runValid(call) {
      cached = undefined;
      const { args } = freshArgs(call);
      const { error, hasThrown, result } = await invoke(call, args);
      cached = undefined;
      if (hasThrown) return `${call.subpath}/${call.name}: the valid call throws ${error?.stack ?? error}`;
      call.nan = countNaN(result);
      const after = checkRecords(args) || checkAfter(call, args);
      return after === '' ? '' : `${call.subpath}/${call.name}: after the valid call: ${after}`;
    },
    /** Returns the text of a trial. */
    describe: (call, faults) => describe(call, faults, freshArgs(call).args),
    async run(call, faults) {
      const fresh = freshArgs(call);
      const set = faults.map((fault) => ({ ...fault, value: fault.make() }));
      const args = withFaults(fresh.args, set);
      const before = fingerprintOf(args);
      const start = process.cpuUsage();
      const { error, hasThrown, result } = await invoke(call, args);
      const used = process.cpuUsage(start);
      const ms = (used.user + used.system) / 1000;
      const after = fingerprintOf(args);
      const changed = before !== after;
      if (changed) cached = undefined;
      const text = describe(call, faults, args);
      const fail = (outcome, more = '') => ({ outcome, text: `${text} -> ${outcome.replace('FAIL ', '')} ${more}` });
      if (ms > SLOW_MS) return fail('FAIL slow', `${Math.round(ms)} ms`);
      if (call.isKernel) {
        if (!changed) return { outcome: 'kernel', text };
        const bad = checkRecords(args);
        return bad === '' ? { outcome: 'kernel', text } : fail(bad);
      }
      if (hasThrown) {
        // A callback that throws ends the call. Its earlier changes stay.
        if (faults.some(({ name }) => name === '() => throw')) {
          const bad = checkRecords(args);
          return bad === '' ? { outcome: 'thrown by the value', text } : fail(bad);
        }
        if (changed) return fail('FAIL state changed', `by a call that threw ${error?.message}`);
        if (error?.message === HOSTILE_ERROR.message) return { outcome: 'thrown by the value', text };
        const message = error?.message;
        const isNamed = !faults.some(({ path }) => path[0] === NAMING_ARGUMENTS[call.name]);
        if (typeof message !== 'string' || !isOwnMessage(call, message, isNamed)) {
          return fail('FAIL engine text', `${message}${process.env.MISUSE_STACK ? error.stack : ''}`);
        }
        if (probe() !== expected) return fail('FAIL broken after');
        return { outcome: kindOfRefusal(message), text: `${text} -> ${message}` };
      }
      const isNaNGiven = faults.some(({ name }) => NAN_FAULTS.has(name));
      const mayHoldNaN = isNaNGiven || isDocumentedNaN[call.name]?.(result, args) === true;
      if (!mayHoldNaN && countNaN(result) > call.nan) return fail('FAIL NaN in the result');
      if (changed) {
        // A frozen crowd cannot go on.
        const isFrozen = faults.some(({ name }) => name === 'frozen');
        const bad = checkRecords(args) || (isFrozen ? '' : checkAfter(call, args));
        if (bad !== '') return fail(bad);
      }
      const isLenient = faults.some((fault) => typeof fault.was === 'number' && NOT_NUMBERS.has(fault.name));
      return { outcome: isLenient ? 'lenient' : 'returned', text };
    },
  };
}

function meshOf(arg) {
  if (typeof arg !== 'object' || arg === null) return undefined;
  try {
    for (const mesh of [arg, arg.mesh, arg.navMesh, arg.crowd?.mesh]) {
      if (mesh?.polyPortal instanceof Int32Array && mesh.vertices instanceof Float64Array) return mesh;
    }
  } catch {
    // The hostile proxy.
  }
  return undefined;
}
