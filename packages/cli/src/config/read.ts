/** Reads a configuration file to settings of a bake, with paths that can be opened. */
import { dirname, resolve } from 'node:path';
import { MAX_SETTINGS_BYTES, readGivenText } from '../loaders/given-file.ts';
import { parseLevelSpec } from '../loaders/placement.ts';
import { parseConfigText } from './parse.ts';
import type { BakeSettings, Config } from './settings.ts';

export function readConfig(path: string): BakeSettings {
  return toSettings(parseConfigText(readGivenText(path, MAX_SETTINGS_BYTES), path), path);
}

/** Resolves paths, which are relative to the configuration's folder. */
function toSettings(config: Config, path: string): BakeSettings {
  const folder = dirname(path);
  const local = (file: string): string => (folder === '.' ? file : resolve(folder, file));
  const { $schema, levels = [], output, map, surface, autoLinks, keepReachable, agentTypes, ...options } = config;
  void $schema;
  return {
    levels: levels.map((entry) => {
      const spec = typeof entry === 'string' ? parseLevelSpec(entry) : entry;
      return { ...spec, file: local(spec.file) };
    }),
    output: output === undefined ? undefined : local(output),
    options,
    ...(map === undefined
      ? {}
      : { map: map.obstacleFiles === undefined ? map : { ...map, obstacleFiles: map.obstacleFiles.map(local) } }),
    ...(surface === undefined ? {} : { surface }),
    ...(autoLinks === undefined ? {} : { autoLinks }),
    ...(keepReachable === undefined ? {} : { keepReachable }),
    ...(agentTypes === undefined ? {} : { agentTypes }),
  };
}
