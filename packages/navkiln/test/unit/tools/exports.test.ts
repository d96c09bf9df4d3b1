/** The number of names that users can import: a ceiling, which only falls. A group, such as `bakeStages`, is one name. */
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';

const ENTRIES = new URL('../../../src/entries/', import.meta.url);

it('the library exports at most 400 functions and constants', async () => {
  const names = new Set<string>();
  for (const file of readdirSync(ENTRIES).filter((name) => name.endsWith('.ts'))) {
    const entry = (await import(new URL(file, ENTRIES).href)) as Record<string, unknown>;
    for (const name of Object.keys(entry)) names.add(name);
  }
  expect(names.size).toBeGreaterThan(300);
  expect(names.size).toBeLessThanOrEqual(400);
});
