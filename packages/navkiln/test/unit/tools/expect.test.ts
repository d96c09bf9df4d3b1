/** `expect` of tests, whose assertions pass and fail as Vitest's do, with the same messages. */
import { expect, it } from 'vitest';
import { vitestExpect } from '../../expect.ts';

type Assert = (value: unknown, message?: string) => Record<string, unknown>;
const MATCHERS = [
  'toBe',
  'toEqual',
  'toBeLessThan',
  'toBeLessThanOrEqual',
  'toBeGreaterThan',
  'toBeGreaterThanOrEqual',
  'toBeCloseTo',
];
const OTHERS = ['toMatchObject', 'toStrictEqual', 'toBeDefined', 'toContain', 'toHaveLength', 'toThrow'];
/** Each call gives values of its own, so that none is equal because it is the same. */
const values = (): unknown[] => {
  const numbers = [0, -0, 1, 1.004, 1.005, NaN, Infinity, -Infinity, 2n];
  const plain = ['a', '1', true, null, undefined];
  const arrays = [[], [1], [undefined], Array(1), [[1, 2], [3]], [[1, 2], [4]], Object.assign([1], { name: 1 })];
  const records = [{ a: 1 }, { a: 1, b: undefined }, { a: [0] }, { a: [-0] }, { [MARK]: 1 }, { [MARK]: 2 }];
  const views = [Uint8Array.of(1), Int8Array.of(1), Float64Array.of(-0), Float64Array.of(0), new ArrayBuffer(1)];
  const objects = [
    new Map([[1, 2]]),
    new Map([[1, 3]]),
    new Set([1]),
    new Date(1),
    new Date(2),
    /a/,
    Object.create(null),
  ];
  return [
    numbers,
    plain,
    arrays,
    records,
    views,
    objects,
    [new Error('a'), new Error('b'), new Mark(), () => 1],
  ].flat();
};
const MARK = Symbol.for('mark');
class Mark {}

/** Returns the message of an assertion that fails, and an empty text of one that holds. */
function outcomeOf(call: () => unknown): string {
  try {
    call();
    return '';
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

it.each([...MATCHERS, ...OTHERS])('%s', (matcher) => {
  const [left, right] = [values(), values()];
  for (const isRefused of [false, true]) {
    for (const [i, a] of left.entries()) {
      for (const [k, b] of right.entries()) {
        if (OTHERS.includes(matcher) && i !== k) continue;
        const [own, theirs] = [expect, vitestExpect].map((one) =>
          outcomeOf(() => {
            const assertion = (one as unknown as Assert)(a, `${i}, ${k}`);
            const member = (isRefused ? assertion['not'] : assertion) as Record<string, (want: unknown) => unknown>;
            return member[matcher](b);
          }),
        );
        vitestExpect(own, `${isRefused ? 'not ' : ''}${matcher}, values ${i} and ${k}`).toBe(theirs);
      }
    }
  }
});

it('takes promises, asymmetric matchers and polls as Vitest does', async () => {
  await expect(Promise.resolve(1)).resolves.toBe(1);
  await expect(Promise.reject(new Error('no'))).rejects.toThrow('no');
  expect({ a: 1, b: 'x' }).toEqual({ a: expect.any(Number), b: expect.stringMatching(/x/) });
  await expect.poll(() => 2).toBe(2);
  expect(outcomeOf(() => expect({ a: 1 }).toEqual({ a: expect.any(String) }))).not.toBe('');
});
