/**
 * `node tools/studio-pictures.mjs`: takes the screenshots of docs/studio*.jpg from the studio in headless Chromium.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { CONTAINER_FLAGS, requireChromium } from './chromium.mjs';
import { ROOT } from './files.mjs';
import { build, install, requireNode } from './setup.mjs';
import { buildStudio } from './studio.mjs';

requireNode();
await install();
await build();
const { serveStudio } = await import('navkiln-cli/studio-server');

/** A picture: its file, size in pixels, link, and what to do on the page before it is taken. */
const PICTURES = [
  { file: 'studio.jpg', width: 1360, height: 800, hash: '#scene=dungeon&tool=path' },
  {
    file: 'studio-ask.jpg',
    width: 1360,
    height: 800,
    hash: '#scene=dungeon&tool=path',
    prepare: async (page) => {
      await page.click('[data-part=search] summary');
      await page.locator('[data-part=search] input[type=range]').fill('170');
    },
  },
  {
    file: 'studio-stages.jpg',
    width: 1360,
    height: 800,
    hash: '#scene=dungeon&tool=stages&tool.stages={"stage":"walkable"}',
  },
  {
    file: 'studio-crowd.jpg',
    width: 1360,
    height: 800,
    hash: '#scene=link-jam&tool=crowd',
    prepare: (page) => page.evaluate(() => globalThis.studio.tool().step(1500)),
  },
];

const server = await serveStudio(await buildStudio());
const args = [...CONTAINER_FLAGS, '--disable-gpu', '--enable-unsafe-swiftshader'];
const browser = await chromium.launch({ executablePath: requireChromium(), args });
try {
  for (const { file, width, height, hash, prepare } of PICTURES) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme: 'light' });
    page.setDefaultTimeout(120_000);
    await page.goto(server.url + hash);
    await page.waitForFunction(() => globalThis.studio !== undefined);
    await page.evaluate(() => globalThis.studio.idle());
    await prepare?.(page);
    await page.evaluate(() => globalThis.studio.idle());
    // An ellipsis stands for a time that is still measured.
    await page.waitForFunction(() => !/^(…|\.\.\.)$/m.test(document.body.innerText));
    const bytes = await page.screenshot({ type: 'jpeg', quality: 80, animations: 'disabled', caret: 'hide' });
    writeFileSync(join(ROOT, 'docs', file), bytes);
    console.log(`docs/${file}: ${Math.round(bytes.length / 1024)} KB`);
    await page.close();
  }
} finally {
  await browser.close();
  await server.close();
}
