/** Actions of the tests on the pages of examples/, and the results that the pages must show. */
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

/** Clicks, given in shares of the page. */
const click = (x: number, y: number) => (page: Page) => page.mouse.click(960 * x, 600 * y);

export const ACTIONS: Record<string, ExampleAction> = {
  babylon: { status: /^\d+ polygons\. Click to send the crowd\.$/ },
  'crowd-worker': {
    status: /^1500 agents, [1-9]\d* ticks of the worker, [1-9]\d* frames of the page\./,
    act: click(0.7, 0.3),
    wait: 6000,
  },
  'doors-and-keys': {
    status: /^Red door: open to its keys; Blue door: locked\. Click/,
    act: click(0.5, 0.565),
    wait: 5000,
  },
  'first-person': {
    status: /^At .*, 0\.\d, [3-9]\.\d\. Walk with W/,
    act: async (page) => {
      // Along the heading of the start, up the stairs, and back for the picture.
      await page.keyboard.down('KeyW');
      await page.waitForFunction(
        () => Number(/At [^,]+, ([\d.]+)/.exec(document.querySelector('#status')!.textContent!)![1]) > 1,
        null,
        { timeout: 60_000 },
      );
      await page.keyboard.up('KeyW');
      await page.keyboard.down('KeyS');
      await page.waitForFunction(
        () => / [3-9]\.\d\. Walk/.test(document.querySelector('#status')!.textContent!),
        null,
        {
          timeout: 60_000,
        },
      );
      await page.keyboard.up('KeyS');
    },
  },
  'jump-links': { status: /^[1-9]\d+ links found, [1-9]\d* crossed\.$/, wait: 8000 },
  lockstep: {
    status: /^Tick \d+, [1-9]\d* rollbacks of \d+ ticks, [1-9]\d* hashes equal\. Blue is played by the page\./,
    act: click(0.7, 0.4),
    wait: 6000,
    colors: 8,
  },
  'many-units': {
    status: /^3000 units, [1-9]\d* at the goal\. Click/,
    // The streams have met around the goal.
    act: async (page) => {
      await page.waitForFunction(
        () => Number(/, (\d+) at the goal/.exec(document.querySelector('#status')!.textContent!)![1]) > 0,
        null,
        { timeout: 180_000 },
      );
    },
    wait: 0,
  },
  'moving-obstacles': { status: /^\d+ trips, [1-9]\d* tiles rebuilt\./, wait: 6000 },
  'optimal-2d': {
    status: /^Shortest \(blue\) [\d.]+, funnel \(orange\) [\d.]+: [\d.]+ % longer\./,
  },
  'phaser-tiled': {
    status: /^\d+ polygons\. Click to call the villagers\.$/,
    act: (page) => page.mouse.click(600, 300),
    wait: 4000,
  },
  pixi: { status: /^\d+ polygons, 120 ants\. Click to call them\.$/, act: click(0.2, 0.3), wait: 4000 },
  'plain-html': { status: /^\d+ points, [\d.]+ long\./, isPlain: true, act: (page) => page.mouse.move(780, 500) },
  playcanvas: { status: /^\d+ polygons\. Arrivals: \d+\.$/ },
  'point-and-click': { status: /^Walk to the chest\.$/, act: click(0.78, 0.85), wait: 700 },
  'rapier-character': {
    status: /^Feet at [012]\.\d\d, goals: [1-9]\.$/,
    act: async (page) => {
      // The first goal is on the platform, which stairs lead to.
      await page.waitForFunction(
        () => /^Feet at 2.* goals: [1-9]/.test(document.querySelector('#status')!.textContent!),
        null,
        {
          timeout: 90_000,
        },
      );
    },
    wait: 0,
  },
  'react-three-fiber': { status: /^\d+ polygons, 30 agents\.$/, wait: 3000 },
  'streaming-world': { status: /^[1-9]\d* of \d+ tiles loaded, [1-9]\d? % of the bytes\./, wait: 6000 },
  'three-crowd': { status: /^All agents walk to polygon \d+\.$/, act: click(0.31, 0.75), wait: 4000 },
  'tower-defence': { status: /^[1-9]\d* shot, \d+ got through\. Click to build towers\.$/, wait: 12_000 },
  'worker-bake': {
    status: /^225 tiles: \d+ polygons in [\d.]+ s\.$/,
    isPlain: true,
    act: async (page) => {
      await page.click('[name=bake]');
      await page.waitForFunction(() => document.querySelector('#status')!.textContent!.startsWith('225 tiles'));
    },
  },
};
