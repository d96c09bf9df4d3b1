/** Checks of a page for screen readers and keyboards: axe-core, and the order of Tab. */
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

/**
 * Tabs through a part of the page. Returns what is not reached in the order of the page, or has no visible focus, and how many controls
 * there are.
 */
export async function tabFaults(page: Page, where: string): Promise<{ faults: string[]; count: number }> {
  const count = await page.evaluate((selector) => {
    const all = [
      ...document
        .querySelector(selector)!
        .querySelectorAll<HTMLElement>('button, input, select, summary, textarea, [tabindex], a[href]'),
    ];
    const reached = all.filter(
      (one) => one.tabIndex >= 0 && !one.matches(':disabled') && one.checkVisibility({ visibilityProperty: true }),
    );
    document.querySelectorAll<HTMLElement>('[data-order]').forEach((one) => delete one.dataset['order']);
    reached.forEach((one, i) => (one.dataset['order'] = String(i)));
    reached[0]?.focus();
    return reached.length;
  }, where);
  // There and back: the focus is marked when a key has moved it.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  const faults: string[] = [];
  for (let i = 0; i < count; i++) {
    if (i > 0) await page.keyboard.press('Tab');
    const fault = await page.evaluate((wanted) => {
      const { activeElement: one } = document;
      const text = `${one?.outerHTML.slice(0, 120) ?? ''}`;
      if ((one as HTMLElement | null)?.dataset['order'] !== String(wanted)) return `${wanted} is not next, but ${text}`;
      const { outlineStyle, outlineWidth } = getComputedStyle(one!);
      return outlineStyle === 'none' || outlineWidth === '0px' ? `no focus on ${text}` : undefined;
    }, i);
    if (fault !== undefined) faults.push(fault);
  }
  return { faults, count };
}
