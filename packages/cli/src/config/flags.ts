/** Turns flags of the command line into a configuration, checked by the same schema. */
import { Option } from 'commander';
import type { Command } from 'commander';
import { InputError } from '../errors.ts';
import { listFaults, show } from './issues.ts';
import { listFlags } from './fields.ts';
import { parseConfig } from './schema.ts';
import type { Config } from './settings.ts';

/** Adds an option for each field of the schema that has a flag. */
export function addConfigFlags(command: Command): void {
  for (const { flag, kind, choices, description } of listFlags()) {
    const value = kind === 'choice' ? choices.join('|') : 'number';
    command.addOption(new Option(`${flag} <${value}>`, description));
  }
}

/** Returns the given flags as a configuration. Errors name the flag. */
export function readConfigFlags(values: Readonly<Record<string, unknown>>): Config {
  const input: Record<string, unknown> = {};
  const names = new Map<string, string>();
  for (const { flag, path, kind } of listFlags()) {
    const given = values[attributeName(flag)];
    if (typeof given !== 'string') continue;
    names.set(path.join('.'), flag);
    let value: unknown = given;
    if (kind === 'number') {
      value = given.trim() === '' ? NaN : Number(given);
      if (!Number.isFinite(value)) throw new InputError(`${flag}: must be a finite number (got ${show(given)})`);
    }
    let holder = input;
    for (const key of path.slice(0, -1)) holder = (holder[key] ??= {}) as Record<string, unknown>;
    holder[path[path.length - 1]] = value;
  }
  const result = parseConfig(input);
  if ('config' in result) return result.config;
  const faults = listFaults(result.issues, input);
  throw new InputError(
    faults.map(({ path, message }) => `${names.get(path.join('.')) ?? path.join('.')}: ${message}`).join('\n'),
  );
}

/** Returns commander's name of a flag's value: --agent-radius -> agentRadius. */
function attributeName(flag: string): string {
  return new Option(flag).attributeName();
}
