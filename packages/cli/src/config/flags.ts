/**
 * Turns flags of the command line into a configuration. Values within the limits of their fields are accepted as they are; the schema
 * is loaded to explain the others.
 */
import { Option } from 'commander';
import type { Command } from 'commander';
import { InputError, show } from '../errors.ts';
import type { FieldFlag } from './fields.ts';
import { FLAGS } from './flag-list.ts';
import type { Config } from './settings.ts';

/** What the help calls values. */
const VALUE_NAMES = { number: 'number', bytes: 'size', boolean: '', list: 'names' };

/** Adds an option for each field of the schema that has a flag. */
export function addConfigFlags(command: Command): void {
  for (const { flag, kind, choices, description } of FLAGS) {
    const value = kind === 'choice' ? choices.join('|') : VALUE_NAMES[kind];
    command.addOption(new Option(kind === 'boolean' ? flag : `${flag} <${value}>`, description));
  }
}

/** Returns the given flags as a configuration. Errors name the flag. */
export async function readConfigFlags(
  values: Readonly<Record<string, unknown>>,
): Promise<Omit<Config, 'keepReachable'>> {
  const input: Record<string, unknown> = {};
  const names = new Map<string, string>();
  let isWithinLimits = true;
  for (const field of FLAGS) {
    const { flag, path, kind } = field;
    const found = values[attributeName(flag)];
    if (typeof found !== (kind === 'boolean' ? 'boolean' : 'string')) continue;
    names.set(path.join('.'), flag);
    let value = found;
    const given = String(found);
    if (kind === 'list') value = given.split(',').map((name) => name.trim());
    if (kind === 'number') {
      value = given.trim() === '' ? NaN : Number(given);
      if (!Number.isFinite(value)) throw new InputError(`${flag}: must be a finite number (got ${show(given)})`);
    } else if (kind === 'bytes') value = parseBytes(flag, given);
    let holder = input;
    for (const key of path.slice(0, -1)) holder = (holder[key] ??= {}) as Record<string, unknown>;
    holder[path[path.length - 1]] = value;
    isWithinLimits &&= fits(field, value);
  }
  if (isWithinLimits) return input as Config;
  const { listFaults } = await import('./issues.ts');
  const { parseConfig } = await import('./schema.ts');
  const result = parseConfig(input);
  if ('config' in result) return result.config;
  const faults = listFaults(result.issues, input);
  throw new InputError(
    faults.map(({ path, message }) => `${names.get(path.join('.')) ?? path.join('.')}: ${message}`).join('\n'),
  );
}

/** Powers of 1024. */
const BYTE_UNITS = ['', 'KIB', 'MIB', 'GIB', 'TIB'];

/** Returns a number of bytes that may have a unit, such as 2GiB. */
function parseBytes(flag: string, given: string): number {
  const [, number = given, unit = ''] = /^(.*?)\s*([kmgt]ib)\s*$/i.exec(given) ?? [];
  const value = number.trim() === '' ? NaN : Number(number) * 1024 ** BYTE_UNITS.indexOf(unit.toUpperCase());
  if (Number.isFinite(value)) return value;
  throw new InputError(`${flag}: must be a number of bytes, or a size such as 512MiB or 2GiB (got ${show(given)})`);
}

/** Returns whether the schema accepts a value of a field. */
function fits({ kind, choices, limits: { min, max, aboveMin, whole } }: FieldFlag, value: unknown): boolean {
  if (kind === 'list') return true;
  if (kind === 'choice') return choices.includes(value as string);
  if (kind === 'boolean') return typeof value === 'boolean';
  const number = value as number;
  if (whole && !Number.isSafeInteger(number)) return false;
  if (min !== undefined && (aboveMin ? !(number > min) : !(number >= min))) return false;
  return max === undefined || number <= max;
}

/** Returns commander's name of a flag's value: --agent-radius -> agentRadius. */
function attributeName(flag: string): string {
  return new Option(flag).attributeName();
}
