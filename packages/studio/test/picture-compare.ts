/**
 * Measures how much two pictures differ: the share of blocks without a similar block nearby in the other
 * picture.
 *
 * Both pictures are averaged over blocks of 2 x 2 pixels. A block differs when one of its channels lies
 * outside the range of the 3 x 3 blocks at the same position of the other picture by more than a tolerance.
 * The comparison runs both ways. Antialiasing, letters that are half a pixel off and compression noise pass;
 * a missing layer, color or panel does not.
 *
 * In: two pictures as files.
 * Out: a share from 0 to 1, and the bounds of the difference.
 * Cost: linear in the pixels.
 * Based on: own.
 * Tried: the mean difference of pixels, which is larger for other antialiasing than for a missing layer of
 * thin lines.
 */
import type { Page } from 'playwright-core';

/** Tolerance of a channel, out of 255. */
const TOLERANCE = 16;

export interface PictureDifference {
  /** Share of blocks that differ. */
  share: number;
  /** Their bounds in pixels: left, top, right, bottom. */
  box: [number, number, number, number];
  /** The sizes when they differ, which are not compared; undefined: they are equal. */
  sizes: string | undefined;
}

/** Compares two pictures in the browser; `page` is any page. */
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
