/**
 * Options for drawing debug geometry that all engines share.
 *
 * Based on: own.
 */
import { checkFunction, checkKeys, checkRecord, refuse } from '../../base/data/refuse.ts';
import type { DebugGeometry } from '../../show/draw/geometry.ts';

/** Options of `drawGeometry`. */
export interface DrawGeometryOptions {
  /** Factor of the colors' alpha, 0 .. 1. Default 1. */
  opacity?: number;
  /** True: drawn in front of everything else. Default false. */
  onTop?: boolean;
}

/** Checks the arguments of a draw function and fills in defaults. */
export function resolveDraw(
  caller: string,
  geometry: DebugGeometry,
  options: DrawGeometryOptions,
): Required<DrawGeometryOptions> {
  checkRecord(caller, 'geometry', geometry, 'positions', 'debug geometry');
  checkKeys(caller, options, ['opacity', 'onTop'] satisfies (keyof DrawGeometryOptions)[]);
  const { opacity = 1, onTop = false } = options;
  if (typeof opacity !== 'number' || !(opacity >= 0 && opacity <= 1))
    refuse(caller, 'options.opacity', opacity, 'a number, 0 .. 1');
  if (typeof onTop !== 'boolean') refuse(caller, 'options.onTop', onTop, 'true or false');
  return { opacity, onTop };
}

/** Throws unless an object has the classes of an engine that drawing needs. `path` is its name in the message. */
export function checkClasses<C>(caller: string, path: string, classes: C, ...names: (keyof C & string)[]): void {
  for (const name of names) checkFunction(caller, `${path}.${name}`, classes?.[name]);
}
