/** Checks lists of agents' sizes. */
import { MAX_SIZES } from '../../../base/constants.ts';
import { checkArray, checkKeys, checkName, checkObject, refuse } from '../../../base/data/refuse.ts';
import type { AgentSize } from '../options.ts';

const SIZE_KEYS = ['name', 'radius', 'height', 'maxClimb', 'maxSlopeDegrees'];
const isPositiveOrZero = (value: number): boolean => value >= 0;

/** Throws unless the list has 1 to 16 sizes with different names. `more`: allowed keys besides those of bodies. */
export function checkSizes(caller: string, sizes: readonly AgentSize[], more: readonly string[] = []): void {
  checkArray(caller, 'sizes', sizes);
  if (sizes.length === 0 || sizes.length > MAX_SIZES) {
    refuse(caller, 'sizes.length', sizes.length, `1 .. ${MAX_SIZES}`);
  }
  const names = new Set<string>();
  sizes.forEach((size, i) => {
    const path = `sizes[${i}]`;
    checkObject(caller, path, size);
    checkKeys(caller, size, [...SIZE_KEYS, ...more], path);
    checkName(caller, `${path}.name`, size.name);
    if (names.has(size.name)) refuse(caller, `${path}.name`, size.name, 'a name of its own');
    names.add(size.name);
    const check = (
      key: 'radius' | 'height' | 'maxClimb' | 'maxSlopeDegrees',
      isAllowed: (value: number) => boolean,
      mustBe: string,
    ): void => {
      const value: unknown = size[key];
      if (typeof value !== 'number' || !(value < Infinity) || !isAllowed(value))
        refuse(caller, `${path}.${key}`, value, mustBe);
    };
    check('radius', isPositiveOrZero, 'a number >= 0');
    check('height', (value) => value > 0, 'a number > 0');
    if (size.maxClimb !== undefined) check('maxClimb', isPositiveOrZero, 'a number >= 0');
    if (size.maxSlopeDegrees !== undefined)
      check('maxSlopeDegrees', (value) => value >= 0 && value <= 90, 'a number 0 .. 90');
  });
}
