/**
 * Options of bakes from plain data: settings files and scene files.
 *
 * In: settings. Out: the same as options, with the functions that they need. Cost: linear in volumes and links. Based on: own.
 */
import { checkObject } from '../../base/data/refuse.ts';
import { createLinks } from './link-list.ts';
import { dynamicLayers } from './obstacles/baked-layers.ts';
import type { BuildOptions } from './options.ts';
import { partitionOf } from './partition-of.ts';
import type { BuildSettings } from './plain-options.ts';
import { volumesOf } from './volumes.ts';

/**
 * Returns the options of `buildNavMesh` for settings that are plain data, such as a parsed settings file: the name of a partition, lists of
 * volumes and links, `dynamic: true`. Other values stay as they are. This function contains the code of all these options.
 *
 * @throws TypeError, RangeError for invalid volumes, and for values that are no lists
 */
export function optionsFromSettings<T extends BuildSettings>(settings: T): BuildOptions & Omit<T, keyof BuildSettings> {
  const caller = 'optionsFromSettings';
  checkObject(caller, 'settings', settings);
  const options = { ...settings } as Record<string, unknown>;
  const { partition, volumes, links, dynamic } = settings;
  if (partition !== undefined) options['partition'] = partitionOf(partition);
  if (Array.isArray(volumes)) options['volumes'] = volumesOf(caller, volumes, 'settings.volumes');
  if (Array.isArray(links)) options['links'] = createLinks(links);
  if (typeof dynamic === 'boolean') options['dynamic'] = dynamic ? dynamicLayers : undefined;
  return options as BuildOptions & Omit<T, keyof BuildSettings>;
}
