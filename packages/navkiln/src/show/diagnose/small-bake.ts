/** Options of bakes that only tell what is connected: without detail, tiles, links, sizes and whatever else a caller passes. */
import type { BuildOptions } from '../../build/voxel/options.ts';

/** Returns the options of a bake for a trial of its connections. */
export function trialOptionsOf(options: BuildOptions): BuildOptions {
  const { sizes: _s, autoLinks: _a, keepReachable: _k, onProgress: _p, workspace: _w, links: _l, ...rest } = options;
  return { ...rest, tileSize: 0, detailSampleDistance: 0, dynamic: undefined, strict: false };
}
