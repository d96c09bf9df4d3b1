/**
 * Options of bakes as plain data, without the functions of those that carry code.
 *
 * In: options. Out: data for a worker or a file. Cost: constant. Based on: own.
 */
import type { LinkOptions } from '../../mesh/change/links.ts';
import type { Partition } from './bake-config.ts';
import type { AreaVolume, BuildOptions } from './options.ts';

/** Options of a bake as plain data; see `optionsFromSettings`. */
export interface BuildSettings extends Omit<BuildOptions, 'partition' | 'volumes' | 'links' | 'dynamic'> {
  /** Name of the method that divides the walkable surface into regions. Default 'watershed'. */
  partition?: Partition;
  /** Regions of space that set area ids or cut holes, after erosion. Default: none. */
  volumes?: readonly AreaVolume[];
  /** Off-mesh links that are added to the mesh; see `addLink`. Default: none. */
  links?: readonly LinkOptions[];
  /** Whether each tile's solid spans are kept for `openWorld`. Default false. */
  dynamic?: boolean;
}

/** Returns options as data. */
export function settingsOf<T extends BuildOptions>(options: T): BuildSettings {
  const { partition, volumes, links, dynamic, sizes, obstacles } = options;
  const settings = { ...options } as Record<string, unknown>;
  if (partition !== undefined && partition !== 'watershed') settings['partition'] = partition.name;
  if (volumes !== undefined) settings['volumes'] = volumes.list;
  if (links !== undefined) settings['links'] = links.list;
  if (dynamic !== undefined) settings['dynamic'] = true;
  if (sizes !== undefined) settings['sizes'] = { list: sizes.list };
  if (obstacles !== undefined) settings['obstacles'] = { placed: obstacles.placed };
  return settings as BuildSettings;
}
