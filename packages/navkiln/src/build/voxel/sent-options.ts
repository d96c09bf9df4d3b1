/**
 * Options of bakes that were written to a file or sent to a worker, with the functions of all of them.
 *
 * In: settings from `settingsOf`. Out: options. Cost: linear in volumes, links and sizes. Based on: own.
 */
import { obstaclesOf } from './obstacles/create-obstacles.ts';
import type { BuildOptions } from './options.ts';
import type { BuildSettings } from './plain-options.ts';
import { optionsFromSettings } from './settings.ts';
import { createAgentSizes } from './sizes/create.ts';

/** Returns the options of settings that `settingsOf` gave. */
export function optionsFromSent<T extends BuildSettings>(settings: T): BuildOptions & Omit<T, keyof BuildSettings> {
  const options = optionsFromSettings(settings);
  const { sizes, obstacles } = settings;
  if (sizes !== undefined) options.sizes = createAgentSizes(sizes.list);
  if (obstacles !== undefined) options.obstacles = obstaclesOf(obstacles.placed);
  return options;
}
