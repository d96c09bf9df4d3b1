/** axe-core in a page of the studio. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

interface Axe {
  run: (where: string, options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

export async function loadAxe(page: Page): Promise<void> {
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
}

/** Returns what axe finds in a part of the page, in each theme. The colors of panels depend on nothing but this attribute. */
export function axeFaults(page: Page, where: string): Promise<string[]> {
  return page.evaluate(async (selector) => {
    const found: string[] = [];
    for (const theme of ['dark', 'light']) {
      document.documentElement.dataset['theme'] = theme;
      const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(selector, {
        preload: false,
        resultTypes: ['violations'],
        // The theme changes colors only.
        ...(theme === 'dark' ? { runOnly: ['color-contrast'] } : {}),
      });
      for (const { id, nodes } of violations) found.push(`${theme} ${id}: ${nodes.map(({ html }) => html).join('\n')}`);
    }
    return found;
  }, where);
}
