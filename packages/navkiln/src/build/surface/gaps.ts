/**
 * Collects gaps between edges, those that were joined and those that were not, and warns of them.
 *
 * In: gaps of all tiles.
 * Out: warnings with the number of gaps, the widest ones, and a `maxGap` that joins them, tried by another build.
 * Cost: linear in the gaps; a build for each value that is tried.
 * Based on: own.
 */
import { plural } from '../../base/data/plural.ts';
import type { OnGap } from './bridge.ts';
import type { SurfaceConfig, SurfaceWarning } from './options.ts';

type Place = NonNullable<SurfaceWarning['gaps']>[number];

/** Maximum number of gaps that a warning lists. */
const MOST_PLACES = 16;

export interface GapList {
  count: number;
  /** The largest distance between two edges. */
  widest: number;
  /** The ground triangle next to the first gap, -1 without one, and its position. */
  first: number;
  at: Place['at'];
  /** The widest gaps, in no order. */
  places: Place[];
}

export function createGapList(): GapList {
  return { count: 0, widest: 0, first: -1, at: [0, 0, 0], places: [] };
}

/** Returns a function that adds gaps to a list. */
export function collectGaps(list: GapList): OnGap {
  return (x, y, z, width, source) => {
    list.count++;
    list.widest = Math.max(list.widest, width);
    if (list.first < 0 || source < list.first) {
      list.first = source;
      list.at = [x, y, z];
    }
    list.places.push({ at: [x, y, z], width });
    if (list.places.length >= 8 * MOST_PLACES) list.places = widestOf(list);
  };
}

/** Returns the widest gaps, widest first. */
export function widestOf({ places }: GapList): Place[] {
  return places.sort((a, b) => b.width - a.width).slice(0, MOST_PLACES);
}

const show = (value: number): number => Number(value.toPrecision(3));
const showPlace = (at: Place['at']): string => `[${at.map((value) => Number(value.toFixed(3))).join(', ')}]`;

export function describeJoined({ widest, at }: GapList, { maxGap = 0 }: SurfaceConfig, count: number): string {
  return (
    `${plural(count, 'gap')} of up to ${show(widest)} in the surface ${count === 1 ? 'was' : 'were'} joined; the first is at ` +
    `${showPlace(at)}. A maxGap below ${show(maxGap)} leaves wider gaps open`
  );
}

/** Returns values of `maxGap` that may join all gaps, with two digits: more than the widest. */
export function gapsToTry({ widest }: GapList): number[] {
  return [1.06, 1.5].map((factor) => Number((factor * widest).toPrecision(2)));
}

/** `remedy`: what joins the gaps. */
export function describeMisses(
  { widest, at }: GapList,
  { maxGap = 0, weldTolerance }: SurfaceConfig,
  count: number,
  triangle: number,
  remedy: string,
): string {
  const option = maxGap > weldTolerance ? `maxGap of ${show(maxGap)}` : `weldTolerance of ${weldTolerance}`;
  return (
    `${plural(count, 'edge misses the one next to it', 'edges miss the ones next to them')} by more than the ` +
    `${option}, the widest by ${show(widest)}; no path crosses there. The first is triangle ${triangle}, at ` +
    `${showPlace(at)}. Move the edges together${remedy}`
  );
}
