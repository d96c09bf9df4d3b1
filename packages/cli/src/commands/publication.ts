/** Shared by commands that publish a level as a world: flags, options, and the level itself. */
import type { Command } from 'commander';
import { createAgentSizes, optionsFromSettings } from 'navkiln/build';
import type { BuildOptions, TriangleInput } from 'navkiln/build';
import { addConfigFlags, readConfigFlags } from '../config/flags.ts';
import type { BakeSettings } from '../config/settings.ts';
import { InputError } from '../errors.ts';
import { loadLevels } from '../loaders/level.ts';
import { parseLevelSpec } from '../loaders/placement.ts';
import type { Progress } from '../output/progress.ts';
import { addTypeFlag, readAgentTypes, refuseOwnBody } from './agent-types.ts';
import { checkLevelFiles, machineMemory, noteAll, readLimit } from './level-input.ts';

export interface PublicationFlags extends Record<string, unknown> {
  config?: string;
  twoSided?: boolean;
  allowOutside?: boolean;
  routes?: boolean;
  agentType?: string[];
}

/** Adds the options of a publication to a command. */
export function addPublicationFlags(command: Command): Command {
  command.option('--config <file>', 'read options from a YAML or JSON file; flags take precedence');
  addConfigFlags(command);
  return addTypeFlag(command)
    .option(
      '--two-sided',
      'triangles count from both sides (default: those of double-sided glTF materials, where they are sheets)',
    )
    .option('--no-two-sided', 'triangles count only from the front, also those of double-sided materials')
    .option('--allow-outside', 'level files may name files outside of their folder')
    .option('--routes', 'store a record of each tile, so that clients find routes over tiles that are not loaded');
}

/** Returns the options and levels of a publication from flags and the configuration file. Throws an InputError for what is missing or wrong. */
export async function readPublication(
  files: readonly string[],
  flags: PublicationFlags,
): Promise<Pick<BakeSettings, 'options' | 'levels'>> {
  const { map, surface, ...own } = await readConfigFlags(flags);
  const base: BakeSettings =
    flags.config === undefined
      ? { levels: [], output: undefined, options: {} }
      : (await import('../config/read.ts')).readConfig(flags.config);
  if ([map, surface, base.map, base.surface].some((one) => one !== undefined))
    throw new InputError('worlds are published from levels; remove the options of 2D maps and surfaces');
  if (base.autoLinks !== undefined) throw new InputError(`${flags.config}: autoLinks: not for worlds; remove it`);
  if (base.keepReachable !== undefined)
    throw new InputError(`${flags.config}: keepReachable: not for worlds; remove it`);
  const options: BakeSettings['options'] = { ...base.options, ...own };
  const types = readAgentTypes(flags.agentType) ?? base.agentTypes;
  if (base.options.agent !== undefined || own.agent !== undefined)
    options.agent = { ...base.options.agent, ...own.agent };
  if (types !== undefined) {
    refuseOwnBody(options);
    options.sizes = createAgentSizes(types);
  }
  if (!((options.tileSize ?? 0) > 0)) {
    throw new InputError('--tile-size: must be given for a world, in units of the level, usually 32 to 128 cells');
  }
  const levels = files.length > 0 ? files.map(parseLevelSpec) : base.levels;
  if (levels.length === 0)
    throw new InputError('no level given; pass .glb, .gltf or .obj files, or a --config file that lists levels');
  checkLevelFiles(levels);
  return { options, levels };
}

/** Reads the levels of a publication. Notes their warnings. */
export async function loadPublication(
  { options, levels }: Pick<BakeSettings, 'options' | 'levels'>,
  flags: PublicationFlags,
  progress: Progress,
): Promise<{ input: TriangleInput; bakeOptions: BuildOptions }> {
  (await import('navkiln/links')).enableWideLinks();
  const level = await loadLevels(levels, {
    onFile: (file) => progress.note(`publish: read ${file}`),
    memoryLimitBytes: readLimit({ options }),
    ...(flags.twoSided === undefined ? {} : { twoSided: flags.twoSided }),
    ...(flags.allowOutside === true ? { allowOutside: true } : {}),
  });
  noteAll(level.warnings, progress);
  const { positions, indices } = level;
  const heldBytes = positions.byteLength + indices.byteLength;
  const memoryLimitBytes = Math.max(1, (options.memoryLimitBytes ?? machineMemory()) - heldBytes);
  return { input: { positions, indices }, bakeOptions: optionsFromSettings({ ...options, memoryLimitBytes }) };
}
