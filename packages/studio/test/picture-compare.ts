/**
 * How much two pictures differ, for tests: the share of places that have in the other no like nearby.
 *
 * In: two pictures as files. Out: a share, 0 .. 1. Based on: own. Both are averaged over blocks of 2 x 2
 * pixels. A block is at odds when, in one of its channels, it lies outside what the 3 x 3 blocks around the
 * same place of the other picture span by more than a tolerance; both ways round, so that what is missing
 * counts as what is too much. Edges that are smoothed otherwise, letters that are half a pixel off and noise
 * of a lossy format pass; a layer, a colour or a panel that is not there does not.
 *
 * Tried and lost: the mean difference of pixels (a missing layer of thin lines is 0.4 % of it, other
 * smoothing of edges 0.6 %).
 */
import type { Page } from 'playwright-core';

/** Of 255. */
const TOLERANCE = 16;

export interface PictureDifference {
  /** Share of blocks at odds. */
  share: number;
  /** The box around them, pixels: left, top, right, bottom. */
  box: [number, number, number, number];
  /** Different sizes are not compared; undefined: they are the same. */
  sizes: string | undefined;
}

/** `page` is any page: the browser reads the files. */
export function comparePictures(page: Page, one: Buffer, other: Buffer): Promise<PictureDifference> {
  const inputs = [one, other].map((bytes) => bytes.toString('base64'));
  return page.evaluate(
    async ([a, b, tolerance]) => {
      const read = async (base64: string): Promise<{ width: number; height: number; blocks: Float32Array }> => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes]));
        const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', {
          willReadFrequently: true,
        })!;
        context.drawImage(bitmap, 0, 0);
        const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
        const width = bitmap.width >> 1;
        const height = bitmap.height >> 1;
        const blocks = new Float32Array(3 * width * height);
        for (let y = 0; y < 2 * height; y++) {
          for (let x = 0; x < 2 * width; x++) {
            for (let k = 0; k < 3; k++)
              blocks[3 * ((y >> 1) * width + (x >> 1)) + k] += data[4 * (y * bitmap.width + x) + k] / 4;
          }
        }
        return { width, height, blocks };
      };
      const [p, q] = [await read(a as string), await read(b as string)];
      const box: [number, number, number, number] = [Infinity, Infinity, -1, -1];
      if (p.width !== q.width || p.height !== q.height) {
        return { share: 1, box, sizes: `${2 * p.width} x ${2 * p.height} and ${2 * q.width} x ${2 * q.height}` };
      }
      const { width, height } = p;
      const isOdd = (from: Float32Array, to: Float32Array, x: number, y: number): boolean => {
        for (let k = 0; k < 3; k++) {
          let low = 255;
          let high = 0;
          for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
            for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
              const value = to[3 * (v * width + u) + k];
              low = Math.min(low, value);
              high = Math.max(high, value);
            }
          }
          const own = from[3 * (y * width + x) + k];
          if (own < low - (tolerance as number) || own > high + (tolerance as number)) return true;
        }
        return false;
      };
      let odd = 0;
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          if (!isOdd(p.blocks, q.blocks, x, y) && !isOdd(q.blocks, p.blocks, x, y)) continue;
          odd++;
          box[0] = Math.min(box[0], 2 * x);
          box[1] = Math.min(box[1], 2 * y);
          box[2] = Math.max(box[2], 2 * x + 2);
          box[3] = Math.max(box[3], 2 * y + 2);
        }
      }
      return { share: odd / (width * height), box, sizes: undefined };
    },
    [...inputs, TOLERANCE] as const,
  );
}
