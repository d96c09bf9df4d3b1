/** Runs the code of docs/characters.md: the character lands and reaches a cone that moves. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as build from '../../../src/build.ts';
import * as crowd from '../../../src/crowd.ts';
import * as world from '../../../src/world.ts';

it('the guide to characters runs as written', () => {
  const text = readFileSync(new URL('../../../../../docs/characters.md', import.meta.url), 'utf8');
  const code = /```ts\n([^`]*)```/.exec(text)![1];
  const modules: Record<string, object> = { 'navkiln/build': build, 'navkiln/crowd': crowd, 'navkiln/world': world };
  const body = code
    .replace(/import \{([^}]*)\} from '([^']+)';/g, (_all, names: string, from: string) => {
      for (const name of names
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean))
        expect(modules[from]).toHaveProperty(name);
      return `const {${names}} = modules['${from}'];`;
    })
    .replace(/export function frame\([^)]*\)[^{]*\{/, 'return function (seconds, conePosition) {');
  const frame = new Function('modules', body)(modules) as (seconds: number, cone: number[]) => Float64Array;
  let drawn = new Float64Array(6) as Float64Array;
  for (let i = 0; i < 1200; i++) drawn = frame(1 / 60, [15, 0, Math.min(15, 5 + i / 60)]);
  expect(Math.hypot(drawn[0] - 15, drawn[2] - 15)).toBeLessThan(0.8);
  expect(drawn[1]).toBeCloseTo(0, 9);
  expect(drawn[5]).toBeCloseTo(0, 2);
});
