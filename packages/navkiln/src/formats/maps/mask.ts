/**
 * Reads the pixels of a picture as a 2D map: white is free, black and transparent pixels block. Outlines follow the sides of pixels
 * exactly (grid-polygons.ts).
 *
 * In: pixels, row by row from the top: gray, gray and alpha, RGB or RGBA, with 8 or 16 bits.
 * Out: a 2D map with y down.
 * Cost: linear in pixels; 6 bytes a pixel.
 * Based on: the luma of ITU-R BT.709; own code.
 */
import { checkKeys, checkObject, refuse } from '../../base/data/refuse.ts';
import { plural } from '../../base/data/plural.ts';
import { isPoint2d } from '../../base/math/point-2d.ts';
import type { PointLike2d } from '../../base/math/point-2d.ts';
import { cutOf, polygonsFromGrid } from './grid-polygons.ts';
import { createSource, fail, warn } from './json-source.ts';
import type { ParsedMap } from './map.ts';

/** Pixels of a picture, as `ImageData` of a canvas has them. */
export interface MaskPixels {
  width: number;
  height: number;
  /** 1 to 4 numbers a pixel: gray; gray and alpha; red, green, blue; these and alpha. */
  data: Uint8Array | Uint8ClampedArray | Uint16Array;
}

/** Options of `polygonsFromMask`. */
export interface MaskOptions {
  /** Brightness from which on a pixel is free, 0 .. 1 of white. Default 0.5. */
  threshold?: number;
  /** World units per pixel. Default 1. */
  scale?: number;
  /** [x, y] or { x, y } of the upper left corner of the picture, world units. Default [0, 0]. */
  origin?: PointLike2d;
  /** As in `polygonsFromGrid`. Default false. */
  diagonal?: boolean | number;
  /** Name of the file in messages. Default 'mask'. */
  name?: string;
}

/** Brightness of pixels that are neither white nor black, 0 .. 1. */
const GRAY = [0.25, 0.75] as const;
/** Share of gray pixels from which on a warning is given. */
const MAX_GRAY = 0.02;

/**
 * Converts a mask image to a 2D map with y down. A pixel is free if it is as bright as the threshold, and no more than half transparent.
 *
 * @throws Error when no pixel is free; TypeError, RangeError for sizes that do not fit and for wrong options
 */
export function polygonsFromMask(pixels: MaskPixels, options: MaskOptions = {}): ParsedMap {
  const caller = 'polygonsFromMask';
  checkObject(caller, 'pixels', pixels);
  checkKeys(caller, options, ['threshold', 'scale', 'origin', 'diagonal', 'name']);
  const { threshold = 0.5, scale = 1, origin = [0, 0], diagonal = false, name = 'mask' } = options;
  const { width, height, data } = pixels;
  if (!(typeof threshold === 'number' && threshold > 0 && threshold <= 1))
    refuse(caller, 'options.threshold', threshold, 'a share of white, above 0 and at most 1');
  if (!(typeof scale === 'number' && scale > 0 && scale < Infinity))
    refuse(caller, 'options.scale', scale, 'a finite length > 0');
  if (!isPoint2d(origin)) refuse(caller, 'options.origin', origin, 'two finite numbers');
  cutOf(caller, diagonal);
  const isBytes = data instanceof Uint8Array || data instanceof Uint8ClampedArray;
  if (!isBytes && !(data instanceof Uint16Array)) refuse(caller, 'pixels.data', data, 'a Uint8Array or Uint16Array');
  for (const [key, size] of Object.entries({ width, height })) {
    if (!(Number.isSafeInteger(size) && size >= 1)) refuse(caller, `pixels.${key}`, size, 'an integer >= 1');
  }
  const channels = data.length / (width * height);
  if (channels !== 1 && channels !== 2 && channels !== 3 && channels !== 4)
    refuse(caller, 'pixels.data.length', data.length, `1 to 4 numbers for each of ${width} x ${height} pixels`);
  const source = createSource(caller, name);
  const white = isBytes ? 255 : 65535;
  const cells = new Uint8Array(width * height);
  let [free, gray, transparent] = [0, 0, 0];
  for (let i = 0; i < cells.length; i++) {
    const at = i * channels;
    const light = channels < 3 ? data[at] : 0.2126 * data[at] + 0.7152 * data[at + 1] + 0.0722 * data[at + 2];
    const isSeen = channels % 2 === 1 || data[at + channels - 1] >= white / 2;
    const share = light / white;
    // The sum of the weights is not quite 1.
    if (isSeen && share >= threshold - 1e-9) {
      cells[i] = 1;
      free++;
    }
    if (!isSeen) transparent++;
    else if (share > GRAY[0] && share < GRAY[1]) gray++;
  }
  if (free === 0) {
    const what = transparent > 0 ? `, ${transparent} of them since they are transparent` : '';
    fail(
      source,
      '',
      `has no free pixel: all ${cells.length} block${what}; white is free from the threshold ${threshold} on (--map-threshold)`,
    );
  }
  const percent = (count: number): string => `${Math.round((1000 * count) / cells.length) / 10} %`;
  if (gray > MAX_GRAY * cells.length) {
    const what = `${plural(gray, 'pixel')} (${percent(gray)}) are neither white nor black`;
    warn(
      source,
      'mask-gray',
      '',
      `${what}; those brighter than the threshold ${threshold} are free, ${percent(free)} of all; another threshold (--map-threshold) may fit better`,
    );
    source.warnings.get('mask-gray')!.count = gray;
  }
  if (free === cells.length)
    warn(
      source,
      'nothing-blocks',
      '',
      `all ${free} pixels are free, so nothing blocks; a higher threshold (--map-threshold) blocks darker pixels`,
    );
  const map = polygonsFromGrid(cells, width, height, { cellSize: scale, origin, diagonal });
  return { ...map, warnings: [...source.warnings.values()] };
}
