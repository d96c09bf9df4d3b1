/** Returns the method of a partition's name. Cost: constant. Based on: own. */
import type { Partition } from './bake-config.ts';
import type { BuildOptions } from './options.ts';
import { layersPartition } from './regions/layers.ts';
import { monotonePartition } from './regions/monotone.ts';

/** Returns the value of the option `partition` for a name. Returns any other value as it is. */
export function partitionOf(name: Partition | BuildOptions['partition']): BuildOptions['partition'] {
  return name === 'monotone' ? monotonePartition : name === 'layers' ? layersPartition : name;
}
