/** What the tests do with the pages of examples/, and what is to be seen then. */
import type { Page } from 'playwright-core';

export interface ExampleAction {
  /** The status that the page shows in the end. */
  status: RegExp;
  /** Uses the page. */
  act?: (page: Page) => Promise<void>;
  /** Milliseconds before the picture. Default 2500. */
  wait?: number;
  /** Least number of colors in the picture. Default 12. */
  colors?: number;
  /** True: the page needs no bundler; it is served as it is. */
  isPlain?: boolean;
}

export const ACTIONS: Record<string, ExampleAction> = {
  babylon: { status: /^\d+ polygons\. Click to send the crowd\.$/ },
  playcanvas: { status: /^\d+ polygons, \d+ agents arrived\.$/ },
  'phaser-tiled': {
    status: /^\d+ polygons\. Click to call the villagers\.$/,
    act: (page) => page.mouse.click(600, 300),
    wait: 4000,
  },
  'worker-bake': {
    status: /^225 tiles: \d+ polygons in [\d.]+ s\.$/,
    isPlain: true,
    act: async (page) => {
      await page.click('[name=bake]');
      await page.waitForFunction(() => document.querySelector('#status')!.textContent!.startsWith('225 tiles'));
    },
  },
};
