/**
 * The commands, with what `navkiln --help` says about them. The code of a command is loaded when it is run, so that the help and each
 * command start quickly.
 */
import type { Command } from 'commander';

/** Adds a command with its arguments, options and action to the program. `finish` takes the exit status. */
export type AddCommand = (program: Command, finish: (status: number) => void) => void;

export interface CommandEntry {
  name: string;
  /** Arguments and options in the list of commands. */
  usage: string;
  summary: string;
  load: () => Promise<AddCommand>;
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'bake',
    usage: '[options] [levels...]',
    summary: 'bake level files or 2D maps to a navigation mesh',
    load: async () => (await import('./bake.ts')).addBakeCommand,
  },
  {
    name: 'path',
    usage: '[options] <file>',
    summary: 'find a path on a navigation mesh',
    load: async () => (await import('./path.ts')).addPathCommand,
  },
  {
    name: 'inspect',
    usage: '[options] <file>',
    summary: 'report the contents of a navigation mesh or a level',
    load: async () => (await import('./inspect.ts')).addInspectCommand,
  },
  {
    name: 'validate',
    usage: '[options] <file>',
    summary: 'check a navigation mesh',
    load: async () => (await import('./validate.ts')).addValidateCommand,
  },
  {
    name: 'verify',
    usage: '[options] <files...>',
    summary: 'compare a navigation mesh with its level',
    load: async () => (await import('./verify.ts')).addVerifyCommand,
  },
  {
    name: 'convert',
    usage: '[options] <input> <output>',
    summary: 'write a navigation mesh in another format',
    load: async () => (await import('./convert.ts')).addConvertCommand,
  },
  {
    name: 'crowd',
    usage: '[options] <scene>',
    summary: 'run a crowd through a scene and measure it',
    load: async () => (await import('./crowd.ts')).addCrowdCommand,
  },
  {
    name: 'replay',
    usage: '[options] <file>',
    summary: 'repeat a recording of a crowd, and find where two of them differ',
    load: async () => (await import('./replay.ts')).addReplayCommand,
  },
  {
    name: 'schema',
    usage: '[kind]',
    summary: 'print the JSON Schema of configuration or scene files',
    load: async () => (await import('./schema.ts')).addSchemaCommand,
  },
  {
    name: 'world',
    usage: '<command>',
    summary: 'publish, report and tidy worlds of tiles that are loaded piece by piece',
    load: async () => (await import('./world.ts')).addWorldCommand,
  },
  {
    name: 'farm',
    usage: '<command>',
    summary: 'bake worlds on many machines, or on all cores of this one',
    load: async () => (await import('./farm.ts')).addFarmCommand,
  },
  {
    name: 'studio',
    usage: '[options] [files...]',
    summary: 'view levels and meshes in the browser',
    load: async () => (await import('./studio.ts')).addStudioCommand,
  },
];

/** Returns the name of the command that arguments run or ask help for; undefined when they name none. */
export function wantedCommand(args: readonly string[]): string | undefined {
  const [first, second] = args.filter((arg) => !arg.startsWith('-'));
  return first === 'help' ? second : first;
}
