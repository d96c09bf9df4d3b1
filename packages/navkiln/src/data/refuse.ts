/**
 * What is said of a number that cannot be meant: which function, which option, its value, and what would do.
 *
 * Based on: own. One sentence for all, as a bundle has each text once.
 */

/** Throws a RangeError: `caller: name is value; give remedy`. */
export function refuse(caller: string, name: string, value: unknown, remedy: string): never {
  throw new RangeError(`${caller}: ${name} is ${String(value)}; give ${remedy}`);
}
