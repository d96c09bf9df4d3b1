/**
 * `node tools/studio-pictures.mjs`: takes the screenshots of docs/studio*.jpg and the pictures of the examples on the
 * studio's first page from the studio in headless Chromium. `--examples` takes only the latter, `--guide` only the former.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { CONTAINER_FLAGS, requireChromium } from './chromium.mjs';
import { ROOT } from './files.mjs';
import { build, install, requireNode } from './setup.mjs';
import { STUDIO, buildStudio } from './studio.mjs';

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
    file: 'studio-verify.jpg',
    width: 1360,
    height: 800,
    hash: '#scene=courtyard&maxEdgeError=2&tool=verify',
    prepare: async (page) => {
      await page.waitForFunction(() => globalThis.studio.tool()?.places[0]?.cause?.length !== undefined);
      await page.locator('.verify-place').first().click();
    },
  },
  {
    file: 'studio-crowd.jpg',
    width: 1360,
    height: 800,
    hash: '#scene=link-jam&tool=crowd',
    prepare: (page) => page.evaluate(() => globalThis.studio.tool().step(1500)),
  },
];

/** The pictures of examples, in pixels. */
const EXAMPLE = { width: 400, height: 250 };
const EXAMPLES = join(STUDIO, 'public', 'scenes');
/** Only the view, and the content in all of it. */
const ONLY_VIEW = `.stage { position: fixed !important; inset: 0; z-index: 99; } .stage > :not(canvas) { display: none !important; }`;

const server = await serveStudio(await buildStudio());
const args = [...CONTAINER_FLAGS, '--disable-gpu', '--enable-unsafe-swiftshader'];
const browser = await chromium.launch({ executablePath: requireChromium(), args });
try {
  if (!process.argv.includes('--guide')) await takeExamples();
  const wanted = process.argv.includes('--examples') ? [] : PICTURES;
  for (const { file, width, height, hash, prepare } of wanted) {
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

/** Takes the picture of each example as it opens from the first page. */
async function takeExamples() {
  mkdirSync(EXAMPLES, { recursive: true });
  const page = await browser.newPage({ viewport: EXAMPLE, colorScheme: 'light', reducedMotion: 'reduce' });
  page.setDefaultTimeout(120_000);
  const openFirstPage = async () => {
    await page.goto('about:blank');
    await page.goto(server.url);
    await page.waitForSelector('[data-action^=open-]', { state: 'attached' });
    await page.evaluate(() => globalThis.studio.idle());
  };
  await openFirstPage();
  const names = await page.$$eval('[data-action^=open-]', (all) => all.map((one) => one.dataset.action.slice(5)));
  for (const name of names) {
    await openFirstPage();
    await page.evaluate((of) => document.querySelector(`[data-action=open-${of}]`).click(), name);
    await page.waitForFunction(() => globalThis.studio.state().source !== undefined);
    await page.evaluate(() => globalThis.studio.idle());
    if (name === 'crossroads') await page.evaluate(() => globalThis.studio.tool().step(240));
    await page.addStyleTag({ content: ONLY_VIEW });
    await page.evaluate(() => globalThis.studio.idle());
    await page.evaluate(() => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', bubbles: true })));
    await page.waitForTimeout(1500);
    await page.evaluate(() => globalThis.studio.idle());
    const bytes = await page.screenshot({ type: 'jpeg', quality: 72, animations: 'disabled' });
    writeFileSync(join(EXAMPLES, `${name}.jpg`), bytes);
    console.log(`packages/studio/public/scenes/${name}.jpg: ${Math.round(bytes.length / 1024)} KB`);
  }
  await page.close();
}
