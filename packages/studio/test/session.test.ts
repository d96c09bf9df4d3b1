/**
 * State that outlives a page: files and edits over a reload, links to files on the web, and the page itself offline.
 */
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { drop, goTo, idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';

/** `npm run soak` sets NAVKILN_FULL. */
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;

const MAP = {
  polygons: [
    {
      outline: [
        [0, 0],
        [20, 0],
        [20, 10],
        [0, 10],
      ],
    },
  ],
};
const bytes = new TextEncoder().encode(JSON.stringify(MAP));

let studio: Studio;
let web: Server;
let address: string;
beforeAll(async () => {
  studio = await startStudio({ headers: { 'content-security-policy': '' }, ignore: /404|ERR_INTERNET_DISCONNECTED/ });
  web = createServer((request, response) => {
    const isThere = request.url === '/maps/yard%20one.json';
    response.writeHead(isThere ? 200 : 404, { 'access-control-allow-origin': '*' }).end(isThere ? bytes : '');
  });
  await new Promise<void>((done) => void web.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(web.address() as AddressInfo).port}/maps/yard%20one.json`;
});
afterAll(async () => {
  await studio?.close();
  web?.close();
});
afterEach(() => studio.check());

const setRadius = async (page: Page, value: string): Promise<void> => {
  const input = page.locator('[data-setting="agent.radius"] input').last();
  await input.fill(value);
  await input.press('Enter');
  await idle(page);
};
const stateOf = (page: Page): Promise<{ radius?: number; names: unknown; polygons?: number; tool: string }> =>
  page.evaluate(() => {
    const { settings, source, mesh, tool } = globalThis.studio!.state();
    const names = source?.kind === 'files' ? source.names : source?.kind;
    return { radius: settings.agent?.radius, names, polygons: mesh?.navMesh.polyCount, tool };
  });
/** Waits until the session in the database has the radius. */
const whenStored = (page: Page, radius: number): Promise<unknown> =>
  page.waitForFunction(
    (wanted) =>
      new Promise((resolve) => {
        const request = indexedDB.open('navkiln-studio');
        request.onsuccess = () => {
          const all = request.result.transaction('tiles').objectStore('tiles').get('work');
          all.onsuccess = () =>
            resolve(
              all.result !== undefined &&
                JSON.parse(new TextDecoder().decode(all.result as Uint8Array)).settings.agent?.radius === wanted,
            );
        };
      }),
    radius,
    { polling: 200 },
  );

it('a dropped file and its changes are there after a reload, when the user wants them', async () => {
  const page = await studio.open();
  expect(await page.isVisible('[data-action=resume]')).toBe(false);
  await drop(page, [{ name: 'yard.json', bytes }]);
  await setRadius(page, '1.5');
  await page.keyboard.press('p');
  const before = await stateOf(page);
  await whenStored(page, 1.5);
  await page.reload();
  await page.waitForSelector('[data-action=resume]');
  expect(await page.innerText('.welcome-resume')).toMatch(/^Continue with yard\.json, last changed /);
  await page.click('[data-action=resume]');
  await page.waitForFunction(() => globalThis.studio!.state().settings.agent?.radius === 1.5);
  await idle(page);
  expect(await stateOf(page)).toEqual(before);
  // A change after it is kept as well; forgetting removes all of it.
  await setRadius(page, '2');
  await whenStored(page, 2);
  await page.reload();
  await page.click('[data-action=forget]');
  await page.waitForSelector('.welcome-resume', { state: 'hidden' });
  await page.reload();
  await page.waitForFunction(() => globalThis.studio !== undefined);
  await idle(page);
  expect(await page.isVisible('[data-action=resume]')).toBe(false);
  await page.context().close();
});

it.runIf(IS_FULL)('a link opens a file on the web with settings, and says why it cannot', async () => {
  const page = await studio.open(`#open=${encodeURIComponent(address)}&agent.radius=1`);
  expect(await stateOf(page)).toMatchObject({ radius: 1, names: ['yard one.json'], polygons: 1 });
  await setRadius(page, '2.5');
  await page.waitForFunction(() => location.hash.includes('agent.radius=2.5'));
  const other = await studio.open(await page.evaluate(() => location.hash));
  expect(await stateOf(other)).toEqual(await stateOf(page));
  await goTo(other, `#open=${encodeURIComponent(`${address}x`)}`);
  expect(await other.evaluate(() => globalThis.studio!.messages().at(-1)!.text)).toMatch(
    /one\.jsonx cannot be read: its host answers 404\. Download/,
  );
  await Promise.all([page, other].map((one) => one.context().close()));
});

it.runIf(IS_FULL)('opens, bakes and finds a path offline after the first visit', async () => {
  const page = await studio.open('?offline');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.waitForFunction(
    async () => (await caches.keys()).length === 1 && navigator.serviceWorker.controller !== null,
  );
  await page.context().setOffline(true);
  await page.reload();
  await page.waitForFunction(() => globalThis.studio !== undefined);
  await drop(page, [{ name: 'yard.json', bytes }]);
  await page.keyboard.press('j');
  await idle(page);
  await page.keyboard.press('p');
  await idle(page);
  expect(await stateOf(page)).toMatchObject({ polygons: 1, tool: 'path' });
  await page.context().close();
});
