/**
 * Options of bakes for other threads: those that carry functions are sent as data, and get their functions back.
 *
 * In: options. Out: options that can be sent; or options that a bake takes. Cost: constant. Based on: own.
 */
import { obstaclesOf } from './obstacles/create-obstacles.ts';
import type { BuildOptions } from './options.ts';
import { withPlainSizes, withSizes } from './sizes/create.ts';

/** Returns the options as data that can be sent to a worker. */
export function toSentOptions<T extends BuildOptions>(options: T): T {
  const { obstacles } = options;
  const plain = withPlainSizes(options);
  return obstacles === undefined ? plain : { ...plain, obstacles: { placed: obstacles.placed } };
}

/** Returns options that a worker received, with the functions of their sizes and obstacles. */
export function fromSentOptions<T extends BuildOptions>(options: T): T {
  const { obstacles } = options;
  const full = withSizes(options);
  return obstacles === undefined ? full : { ...full, obstacles: obstaclesOf(obstacles.placed) };
}
