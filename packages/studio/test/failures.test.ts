/**
 * Faults outside of the page: files, no WebGL, a host that forbids workers. Each gives a sentence with a remedy, and
 * the page goes on.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { saveNavMesh } from 'navkiln';
import { findLevelScene } from 'navkiln-scenes';
import { buildNavMesh } from 'navkiln/build';
import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { drop, goTo, idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';

/** `npm run soak` sets NAVKILN_FULL. */
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;

let studio: Studio | undefined;
afterEach(async () => {
  await studio?.close();
  studio = undefined;
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const said = (page: Page): Promise<string> =>
  page.evaluate(() =>
    globalThis
      .studio!.messages()
      .map(({ kind, text }) => `${kind}: ${text}`)
      .join('\n'),
  );
const polygons = (page: Page): Promise<number | undefined> =>
  page.evaluate(() => globalThis.studio!.state().mesh?.report?.counts.polygons);

it('reports wrong, broken, empty and unknown files, and keeps what is open', async () => {
  studio = await startStudio({ draws: true });
  const page = await studio.show('#scene=courtyard');
  const before = await polygons(page);
  const mesh = saveNavMesh(
    buildNavMesh(findLevelScene('courtyard').create(), findLevelScene('courtyard').options).navMesh,
  );
  const glb = new Uint8Array(64);
  glb.set([0x67, 0x6c, 0x54, 0x46, 2, 0, 0, 0, 0, 1, 0, 0]);
  const cases: [string, Uint8Array, RegExp][] = [
    ['hall.fbx', bytes('Kaydara'), /hall\.fbx cannot be read: export it as GLB/],
    ['notes.txt', bytes('hello'), /notes\.txt is not a file that the studio can open\. The studio opens \.glb/],
    ['empty.obj', bytes(''), /empty\.obj is empty; export or copy it again\./],
    ['cut.glb', glb, /cut\.glb: truncated GLB: .*copy or export it again/],
    ['broken.gltf', bytes('{"asset":'), /broken\.gltf: .*not JSON either/],
    ['wrong.obj', bytes('v 0 0 0\nf 1 2 9\n'), /wrong\.obj:2.*9/],
    ['cut.navmesh', mesh.subarray(0, 200), /error: Cut\.navmesh: .+\.$|error: cut\.navmesh: .+\.$/m],
    ['photo.glb', new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46]), /error: photo\.glb is a JPEG picture/],
    ['odd.geojson', bytes('{"type":"Nothing"}'), /odd\.geojson: has the type "Nothing", must be Feature/],
    ['atlas.json', bytes('{"type":"Topology","objects":{},"arcs":[]}'), /atlas\.json: is TopoJSON, must be GeoJSON/],
    ['deep.json', bytes('[1,'), /deep\.json: is not valid JSON/],
    ['bad.yaml', bytes('cellSize: -3\n'), /bad\.yaml:1:11 cellSize: must be > 0/],
    ['flat.obj', bytes('v 0 0 0\nv 1 0 0\nv 0 0 1\n'), /flat\.obj/],
  ];
  for (const [name, content, sentence] of cases) {
    await drop(page, [{ name, bytes: content }]);
    expect(await said(page), name).toMatch(sentence);
    expect(await polygons(page), name).toBe(before);
    for (const close of await page.$$('.message button')) await close.click();
  }
  // Also while a card about the open level is shown.
  await studio.show('#scene=one-cell');
  expect(await page.isVisible('.result')).toBe(true);
  await drop(page, [{ name: 'other.obj', bytes: bytes('v 0 0 0\nf 1 2 9\n') }]);
  expect(await said(page)).toMatch(/other\.obj:2/);
  // File names are text, never markup.
  await drop(page, [{ name: '<img src=x onerror=alert(1)>.fbx', bytes: bytes('x') }]);
  expect(await said(page)).toContain('<img src=x');
  expect(await page.$('.message img')).toBeNull();
  studio.check();
});

it.runIf(IS_FULL)('opens files of the command line, and reports those that are gone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'navkiln-open-'));
  const file = join(folder, 'floor plan.obj');
  writeFileSync(file, 'v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3 4\n');
  studio = await startStudio({ files: [file], ignore: /404/ });
  const page = await studio.open('#open=floor%20plan.obj');
  expect(await page.evaluate(() => globalThis.studio!.text('status'))).toContain('floor plan.obj · 2 triangles');
  expect(await polygons(page)).toBeGreaterThan(0);
  rmSync(folder, { recursive: true });
  await page.reload();
  await page.waitForFunction(() =>
    globalThis.studio?.messages().some(({ text }) => /floor plan\.obj is no longer available/.test(text)),
  );
  studio.check();
});

it.runIf(IS_FULL)('reports why a level cannot be baked, and bakes with the next setting', async () => {
  studio = await startStudio({ draws: true });
  const page = await studio.open('#scene=courtyard&cellSize=0.0001');
  expect(await said(page)).toMatch(/error: .*cellSize/);
  const input = page.locator('[data-setting="cellSize"] input');
  await input.fill('0.2');
  await input.press('Enter');
  await idle(page);
  expect(await polygons(page)).toBeGreaterThan(3);
  await page.evaluate(() => void (location.hash = '#scene=atlantis'));
  await page.waitForFunction(() =>
    globalThis.studio!.messages().some(({ text }) => text.includes('no scene "atlantis"')),
  );
  studio.check();
});

it('reports missing WebGL, and still bakes and saves', async () => {
  studio = await startStudio({ withoutWebGl: true });
  const page = await studio.open('#scene=courtyard&tool=path');
  expect(await said(page)).toMatch(/error: WebGL is not available.*Enable hardware acceleration/);
  expect(await polygons(page)).toBeGreaterThan(3);
  expect(await page.evaluate(() => globalThis.studio!.text('tool'))).toMatch(/Funnel[^]*\d m/);
  await page.click('[data-menu=save]');
  expect(await page.isDisabled('.menu-item:has-text("Picture")')).toBe(true);
  expect(await page.isDisabled('.menu-item:has-text("Mesh for Detour")')).toBe(false);
  studio.check();
});

it('bakes on the page where workers are forbidden, and reports what to allow', async () => {
  const policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' blob: data:; worker-src 'none'";
  studio = await startStudio({ headers: { 'content-security-policy': policy }, ignore: /Content Security Policy/ });
  const page = await studio.open('#scene=courtyard');
  expect(await page.evaluate(() => globalThis.studio!.place())).toBe('page');
  expect(await said(page)).toMatch(/warning: This page may not start a worker.*worker-src/);
  const courtyard = findLevelScene('courtyard');
  expect(await polygons(page)).toBe(buildNavMesh(courtyard.create(), courtyard.options).report.counts.polygons);
  await goTo(page, '#scene=courtyard&agent.radius=0.9');
  studio.check();
});
