/** Turns zod's issues into one line per error: position, expected value, actual value. */
import type { z } from 'zod';
import { didYouMean, show } from '../errors.ts';
import { knownKeys } from './fields.ts';

export interface Fault {
  path: readonly (string | number)[];
  message: string;
  /** True when the key is wrong, not its value. */
  atKey: boolean;
}

/** How many errors are described. The others are only counted. */
export const MAX_FAULTS = 20;
const MORE: Fault = { path: [], message: '', atKey: false };

/**
 * Lists errors. `input` is the value that was checked; `keysAt` lists the keys allowed at a path. Entries behind the first
 * `MAX_FAULTS` have no text.
 */
export function listFaults(
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  keysAt: (path: readonly (string | number)[]) => string[] = knownKeys,
): Fault[] {
  const faults: Fault[] = [];
  for (const issue of issues) {
    if (faults.length >= MAX_FAULTS) {
      faults.push(MORE);
      continue;
    }
    const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
    if (issue.code === 'unrecognized_keys') {
      const known = keysAt(path);
      for (const key of issue.keys) {
        if (faults.length >= MAX_FAULTS) {
          faults.push(MORE);
          continue;
        }
        const guess = didYouMean(key, known);
        const remedy =
          guess === undefined
            ? known.length === 0
              ? ''
              : `; known: ${known.join(', ')}`
            : `; did you mean "${guess}"?`;
        faults.push({ path: [...path, key], message: `unknown key${remedy}`, atKey: true });
      }
      continue;
    }
    if (issue.code === 'invalid_key') {
      faults.push({ path, message: issue.issues[0]?.message ?? issue.message, atKey: true });
      continue;
    }
    const inner = issue.code === 'invalid_union' ? closest(issue, valueAt(input, path)) : undefined;
    if (inner !== undefined) {
      const deeper = inner.map((one) => ({ ...one, path: [...path, ...one.path] })) as z.core.$ZodIssue[];
      for (const fault of listFaults(deeper, input, keysAt)) faults.push(fault);
      continue;
    }
    const value = valueAt(input, path);
    const got = value === undefined ? (path.length > 0 ? 'it is missing' : 'there is nothing') : `got ${show(value)}`;
    faults.push({ path, message: `${describe(issue)} (${got})`, atKey: false });
  }
  return faults;
}

/** Returns the issues of the one union alternative that fits the value's kind, if there is exactly one. */
function closest(issue: z.core.$ZodIssueInvalidUnion, value: unknown): z.core.$ZodIssue[] | undefined {
  const fits = issue.errors.filter(
    (errors) => !errors.some((one) => one.path.length === 0 && one.code === 'invalid_type'),
  );
  if (value === undefined || fits.length !== 1) return undefined;
  return fits[0];
}

function describe(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'too_small':
      if (issue.origin === 'array') return `must have at least ${issue.minimum} entries`;
      if (issue.origin === 'string') return 'must not be empty';
      return `must be ${issue.inclusive === true ? '>=' : '>'} ${issue.minimum}`;
    case 'too_big':
      if (issue.origin === 'array') return `must have at most ${issue.maximum} entries`;
      return `must be ${issue.inclusive === true ? '<=' : '<'} ${issue.maximum}`;
    case 'invalid_type':
      return `must be ${withArticle(issue.expected)}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'invalid_union':
      return unionText(issue);
    default:
      return issue.message;
  }
}

function unionText(issue: z.core.$ZodIssueInvalidUnion): string {
  if (issue.discriminator !== undefined) return 'must be one of box, cylinder, prism';
  // The schema provides its own text.
  if (issue.message !== 'Invalid input') return issue.message;
  const kinds = issue.errors.flatMap((errors) =>
    errors.filter((one) => one.path.length === 0 && one.code === 'invalid_type'),
  );
  const names = kinds.map((one) => withArticle((one as z.core.$ZodIssueInvalidType).expected));
  return names.length > 0 ? `must be ${[...new Set(names)].join(' or ')}` : issue.message;
}

function withArticle(type: string): string {
  switch (type) {
    case 'tuple':
      return 'a list of numbers, such as [0, 0, 0]';
    case 'array':
      return 'a list';
    case 'object':
    case 'record':
      return 'a map of keys and values';
    case 'int':
      return 'a whole number';
    case 'string':
      return 'text';
    case 'boolean':
      return 'true or false';
    default:
      return `a ${type}`;
  }
}

export function valueAt(input: unknown, path: readonly (string | number)[]): unknown {
  let at: unknown = input;
  for (const part of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Record<string | number, unknown>)[part];
  }
  return at;
}
