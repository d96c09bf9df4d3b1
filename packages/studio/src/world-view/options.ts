/** The amount of a world that is loaded, kept in links as the state of the tool. */
import type { StreamOptions } from 'navkiln/world';
import type { StudioState } from '../state/state.ts';

/** Tiles along the radius, unless the user chooses it. */
const RADIUS_TILES = 4;
const MEGABYTES = 64;

export function streamOptions({
  toolStates,
  world,
}: StudioState): Required<Pick<StreamOptions, 'radius' | 'maxBytes'>> {
  const { radius, megabytes } = toolStates['world'] ?? {};
  const tileSize = world?.streamed.manifest.settings.tileSize ?? 1;
  const positive = (value: unknown, usual: number): number => (typeof value === 'number' && value > 0 ? value : usual);
  return {
    radius: positive(radius, RADIUS_TILES * tileSize),
    maxBytes: Math.round(positive(megabytes, MEGABYTES) * 2 ** 20),
  };
}
