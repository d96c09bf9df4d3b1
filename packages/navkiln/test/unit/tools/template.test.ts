/** Examples as projects of their own: no file and no package of the repository is missing. */
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ROOT } from '../../../../../tools/files.mjs';
import { writeTemplate } from '../../../../../tools/template.mjs';

const EXAMPLES = join(ROOT, 'examples');
const names = readdirSync(EXAMPLES).filter((name) => name !== 'shared' && statSync(join(EXAMPLES, name)).isDirectory());
const home = mkdtempSync(join(tmpdir(), 'navkiln-templates-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

it.each(names)('%s has all that it imports', (name) => {
  const folder = join(home, name);
  const command = writeTemplate(name, folder, { navkiln: '1.2.3', 'navkiln-loaders': '1.2.3' });
  const { dependencies, devDependencies, scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
    devDependencies?: Record<string, string>;
    scripts: Record<string, string>;
  };
  expect(dependencies['navkiln']).toBe('1.2.3');
  expect(scripts[command.replace(/^npm (?:run )?/, '')]).toBeDefined();
  expect(existsSync(join(folder, devDependencies === undefined ? 'main.mjs' : 'vite.config.js'))).toBe(true);
  let imports = 0;
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:[jt]sx?|mjs|html)$/.test(path)) continue;
    const text = readFileSync(join(folder, path), 'utf8');
    expect(text, path).not.toMatch(/["'](?:\.\.\/){2}/);
    for (const [, source, named = ''] of text.matchAll(/(?:from|(src)=|new URL\()\s?['"]([^'"]+)['"]/g)) {
      imports++;
      const file = named.replace(/\?url$/, '');
      const from = source === undefined ? file : file.replace(/^(?=[a-z])/, './');
      if (from.startsWith('.')) expect(existsSync(join(folder, path, '..', from)), `${path}: ${from}`).toBe(true);
      else if (/^[@a-z]/.test(from) && !from.startsWith('node:'))
        expect(Object.keys(dependencies), path).toContain(/^(?:@[^/]+\/)?[^/]+/.exec(from)![0]);
    }
  }
  expect(imports).toBeGreaterThan(1);
});
