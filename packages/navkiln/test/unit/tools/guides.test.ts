/** Each exported function is named in a guide, so that a reader of the guides can find it. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../../../../tools/files.mjs';

const folder = (path: string, end: string): string[] =>
  readdirSync(join(ROOT, path))
    .filter((name) => name.endsWith(end))
    .map((name) => join(ROOT, path, name));
const read = (path: string): string => readFileSync(path, 'utf8');

/** Returns the functions of the API reports of all entries but the kernel, which has a page of the reference for itself. */
function exported(): string[] {
  const reports = folder('packages/navkiln/api', '.txt').filter((path) => !path.endsWith('kernel.txt'));
  const names = reports.flatMap((path) => [...read(path).matchAll(/^ *function (\w+)/gm)].map(([, name]) => name!));
  return [...new Set(names)].sort();
}

it('guides name each exported function', () => {
  const guides = [join(ROOT, 'README.md'), ...folder('docs', '.md')].map(read).join('\n');
  const words = new Set(guides.match(/\w+/g));
  const names = exported();
  expect(names.length).toBeGreaterThan(300);
  expect(names.filter((name) => !words.has(name))).toEqual([]);
});
