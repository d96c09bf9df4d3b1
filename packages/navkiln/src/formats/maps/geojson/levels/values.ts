/**
 * Reads the levels that a feature lies on: "1", "0;1", "-1-2", "0,5", and the levels that it repeats on.
 *
 * Cost: linear in the levels.
 * Based on: OpenStreetMap's Simple Indoor Tagging; own code.
 */

/** Levels of a range at most. */
const MAX_RANGE = 500;

/** A value of the property: numbers of levels, or names that are no numbers. */
export interface LevelValues {
  /** In the order in which they are given. */
  values: (number | string)[];
  /** Whether some of them were given as a range. */
  isRange: boolean;
}

/** Returns the levels of a value; none for one that is no level. */
export function readLevelValues(given: unknown): LevelValues {
  const values: (number | string)[] = [];
  let isRange = false;
  const add = (value: number | string): void => void (values.includes(value) || values.push(value));
  const list = Array.isArray(given) ? given : typeof given === 'string' ? given.split(';') : [given];
  for (const one of list) {
    if (typeof one === 'number' && Number.isFinite(one)) add(one);
    if (typeof one !== 'string' || one.trim() === '') continue;
    const text = one.trim();
    const range = /^(-?\d+(?:[.,]\d+)?)\s*(?:-|–|to|\.\.)\s*(-?\d+(?:[.,]\d+)?)$/.exec(text);
    const number = (digits: string): number => Number(digits.replace(',', '.'));
    if (/^-?\d+(?:[.,]\d+)?$/.test(text)) add(number(text));
    else if (range !== null) {
      isRange = true;
      const [a, b] = [number(range[1]), number(range[2])];
      const step = a <= b ? 1 : -1;
      const count = Math.min(Math.floor(Math.abs(b - a) + 1e-9), MAX_RANGE);
      for (let k = 0; k <= count; k++) add(a + step * k);
      add(b);
    } else add(text);
  }
  return { values, isRange };
}

/**
 * Returns the sets of levels on which a feature lies, from its levels and those that it repeats on. One that joins levels, such
 * as stairs on "0-1", repeats as a whole: on "1;2" it also joins 1 with 2 and 2 with 3.
 */
export function repeated({ values }: LevelValues, repeats: LevelValues): (number | string)[][] {
  const numbers = values.filter((value) => typeof value === 'number');
  const least = numbers.reduce((a, b) => Math.min(a, b), Infinity);
  const sets = [values];
  for (const repeat of repeats.values) {
    if (typeof repeat === 'number' && numbers.length === values.length && values.length > 0) {
      if (repeat !== least) sets.push(numbers.map((value) => value - least + repeat));
    } else if (!values.includes(repeat)) sets.push([repeat]);
  }
  return sets;
}
