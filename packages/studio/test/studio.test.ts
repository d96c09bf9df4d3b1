/**
 * The studio in Chromium: opening, baking, asking, settings, undo, links, saving, and what is in the scene
 * after each.
 */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { findPath, loadNavMesh, saveNavMesh } from 'navkiln';
import { parseConfigText } from 'navkiln-cli/config-text';
import { findLevelScene } from 'navkiln-scenes';
import { buildNavMesh } from 'navkiln/build';
import { validateNavMesh } from 'navkiln/debug';
import { parseDetourBin, parseObj, writeDetourBin } from 'navkiln/io';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TRIANGLES, createIo, draco, makeScene } from './levels.ts';
import { drop, idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';

/** `npm run soak` sets NAVKILN_FULL. */
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;

let studio: Studio;
beforeAll(async () => (studio = await startStudio({ draws: true })));
afterAll(() => studio?.close());
afterEach(() => studio.check());

const dungeon = findLevelScene('dungeon');

const openCourtyard = (): Promise<Page> => studio.show('#scene=courtyard');

interface Scene {
  layers: Record<string, { triangles: number; lines: number }>;
  tool: { lines: number; points: number };
}

/** Returns the content of the scene: layers that are shown. */
function sceneOf(page: Page): Promise<Scene> {
  return page.evaluate(() => ({
    layers: Object.fromEntries(
      globalThis
        .studio!.layers()
        .filter(({ isShown }) => isShown)
        .map((layer) => [layer.id, layer]),
    ),
    tool: globalThis.studio!.toolCounts(),
  }));
}

const text = (page: Page, panel: string): Promise<string> => page.evaluate((id) => globalThis.studio!.text(id), panel);
const messages = (page: Page): Promise<string[]> =>
  page.evaluate(() => globalThis.studio!.messages().map(({ kind, text: words }) => `${kind}: ${words}`));
const project = async (page: Page, point: readonly number[]): Promise<[number, number]> =>
  (await page.evaluate((p) => globalThis.studio!.project(p), point as [number, number, number]))!;

/** The file that an entry of the save menu makes. */
async function save(page: Page, title: string): Promise<{ name: string; bytes: Uint8Array }> {
  await page.click('[data-menu=save]');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(`.menu-item:has-text("${title}")`)]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

async function setNumber(page: Page, name: string, value: number): Promise<void> {
  const input = page.locator(`[data-setting="${name}"] input`).last();
  await input.fill(String(value));
  await input.press('Enter');
}

describe('opening', () => {
  it('the first screen offers a level in one click', async () => {
    const page = await studio.open();
    expect(await page.textContent('.welcome h1')).toBe('Drop a level here to see where agents can walk');
    expect(await page.isVisible('.card')).toBe(false);
    await page.click('[data-action=open-dungeon]');
    await page.waitForFunction(() => globalThis.studio!.state().source !== undefined);
    await idle(page);
    const { navMesh, report } = buildNavMesh(dungeon.create(), dungeon.options);
    const { layers } = await sceneOf(page);
    expect(layers['level'].triangles).toBe(report.counts.triangles);
    expect(layers['ground'].triangles).toBe(navMesh.detailTriCount);
    expect(await text(page, 'status')).toContain(`${report.counts.polygons} polygons`);
    expect(await text(page, 'report')).toMatch(/rasterize[^]*polygons/);
    expect(await page.isVisible('.welcome')).toBe(false);
    // The mesh of the page is equal to the one baked here, byte for byte.
    const { name, bytes } = await save(page, 'Mesh');
    expect(name).toBe('dungeon.navmesh');
    expect(Buffer.compare(bytes, saveNavMesh(navMesh))).toBe(0);
    const picture = await save(page, 'Picture');
    expect(Buffer.from(picture.bytes).subarray(1, 4).toString()).toBe('PNG');
    // A picture of a single color would have a few hundred bytes.
    expect(picture.bytes.length).toBeGreaterThan(10_000);
    await page.context().close();
  });

  it('reads, bakes and draws a dropped GLB, also with Draco and as .gltf with its buffer', async () => {
    const page = await studio.show('#scene=one-cell&tool=path');
    const io = createIo();
    await drop(page, [{ name: 'hall.glb', bytes: await io.writeBinary(makeScene()) }]);
    const plain = await sceneOf(page);
    expect(plain.layers['level'].triangles).toBe(TRIANGLES);
    expect(plain.layers['ground'].triangles).toBeGreaterThan(0);
    expect(await text(page, 'status')).toContain('hall.glb · 74 triangles');
    await drop(page, [{ name: 'packed.glb', bytes: await draco() }]);
    expect(await messages(page)).toEqual([]);
    expect((await sceneOf(page)).layers['level'].triangles).toBe(TRIANGLES);
    const { json, resources } = await io.writeJSON(makeScene(), { basename: 'hall' });
    const [[buffer, bytes]] = Object.entries(resources) as [[string, Uint8Array]];
    const gltf = { name: 'hall.gltf', bytes: new TextEncoder().encode(JSON.stringify(json)) };
    await drop(page, [gltf]);
    expect((await messages(page)).join()).toContain('error: hall.gltf');
    expect((await messages(page)).join()).toContain('drop both files together');
    await drop(page, [{ name: buffer, bytes }, gltf]);
    expect(await text(page, 'status')).toContain('hall.gltf · 74 triangles');
  });

  it('opens OBJ, meshes, maps and settings', async () => {
    const page = await studio.open();
    const obj = 'v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3 4\n';
    await drop(page, [{ name: 'floor.yaml', bytes: new TextEncoder().encode('agent:\n  radius: 1\ncellSize: 0.5\n') }]);
    expect(await messages(page)).toEqual(['info: floor.yaml applies to the next level that you open.']);
    await drop(page, [{ name: 'floor.obj', bytes: new TextEncoder().encode(obj) }]);
    expect((await sceneOf(page)).layers['level'].triangles).toBe(2);
    expect(await page.evaluate(() => globalThis.studio!.state().mesh!.navMesh.agent.radius)).toBe(1);
    const { navMesh } = buildNavMesh(dungeon.create(), dungeon.options);
    await drop(page, [{ name: 'd.navmesh', bytes: saveNavMesh(navMesh) }]);
    expect((await sceneOf(page)).layers['ground'].triangles).toBe(navMesh.detailTriCount);
    await drop(page, [{ name: 'd.bin', bytes: writeDetourBin(navMesh).bytes }]);
    expect((await sceneOf(page)).layers['walls'].lines).toBeGreaterThan(100);
    const square = [
      [0, 0],
      [40, 0],
      [40, 40],
      [0, 40],
    ];
    const map = {
      polygons: [
        {
          outline: square,
          holes: [
            [
              [10, 10],
              [10, 20],
              [20, 20],
              [20, 10],
            ],
          ],
        },
      ],
    };
    await drop(page, [{ name: 'town.json', bytes: new TextEncoder().encode(JSON.stringify(map)) }]);
    const { layers } = await sceneOf(page);
    expect([layers['map-outline'].lines, layers['ground'].triangles]).toEqual([8, 8]);
    await page.context().close();
  });
});

describe('inspecting', () => {
  it('the path follows its dragged ends within a frame', async () => {
    const page = await studio.show('#scene=dungeon&tool=path');
    const { navMesh } = buildNavMesh(dungeon.create(), dungeon.options);
    const { from, to } = dungeon.path;
    expect(await text(page, 'tool')).toContain(`${findPath(navMesh, from, to).length.toFixed(2)} m`);
    const before = await sceneOf(page);
    expect(before.tool.lines).toBeGreaterThan(4);
    const [x, y] = await project(page, to);
    const other = findPath(navMesh, from, to).points[2];
    const [x2, y2] = await project(page, other);
    const aim = await page.evaluate((at) => globalThis.studio!.pick(at[0], at[1])!.point, [x2, y2]);
    const hash = await page.evaluate(() => location.hash);
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let step = 1; step <= 8; step++) await page.mouse.move(x + ((x2 - x) * step) / 8, y + ((y2 - y) * step) / 8);
    await page.mouse.up();
    await idle(page);
    const state = await page.evaluate(
      () => globalThis.studio!.state().toolStates['path'] as { from: number[]; to: number[] },
    );
    expect(Math.hypot(state.to[0] - aim[0], state.to[1] - aim[1], state.to[2] - aim[2])).toBeLessThan(0.01);
    expect(await text(page, 'tool')).toContain(`${findPath(navMesh, state.from, state.to).length.toFixed(2)} m`);
    expect((await sceneOf(page)).tool.lines).not.toBe(before.tool.lines);
    // The camera stayed: the gesture was the tool's. The link has the ends.
    await page.waitForFunction((old) => location.hash !== old && location.hash.includes('tool.path'), hash);
    expect(await project(page, to)).toEqual([x, y]);
    if (process.env['NAVKILN_STRICT_TIMES'] !== undefined) {
      expect(await page.evaluate(() => globalThis.studio!.lastDragMs())).toBeLessThan(50);
    }
  });

  it.runIf(IS_FULL)('a cut hides everything above from view and pointer', async () => {
    const page = await studio.open('#scene=house');
    const bounds = await page.evaluate(() => globalThis.studio!.state().level!.bounds);
    const middle = bounds.min.map((value, axis) => (value + bounds.max[axis]) / 2) as [number, number, number];
    const [x, y] = await project(page, middle);
    const heightThere = (): Promise<number> =>
      page.evaluate((at) => globalThis.studio!.pick(at[0], at[1])!.point[1], [x, y]);
    expect(await heightThere()).toBeGreaterThan(5);
    await page.click('#tab-layers');
    await page.locator('.cut input').fill('2.5');
    await idle(page);
    expect(await heightThere()).toBeLessThanOrEqual(2.5);
    await page.waitForFunction(() => location.hash.includes('cut=2.5'));
    await page.context().close();
  });

  it('a click shows what is there', async () => {
    const page = await openCourtyard();
    const [x, y] = await project(page, findLevelScene('courtyard').path.from);
    await page.mouse.click(x, y);
    await idle(page);
    expect(await text(page, 'tool')).toMatch(/Position\n[-\d., ]+\n/);
    expect((await sceneOf(page)).tool.points).toBeGreaterThanOrEqual(2);
  });
});

describe('settings', () => {
  it('rebake when they change, and work with undo and links', async () => {
    const page = await openCourtyard();
    const scene = findLevelScene('courtyard');
    const polygonsAt = (radius: number): number =>
      buildNavMesh(scene.create(), { ...scene.options, agent: { ...scene.options.agent, radius } }).report.counts
        .polygons;
    const shown = (): Promise<number> => page.evaluate(() => globalThis.studio!.state().mesh!.report!.counts.polygons);
    const first = await shown();
    await setNumber(page, 'agent.radius', 1.1);
    await idle(page);
    expect(await shown()).toBe(polygonsAt(1.1));
    expect(await shown()).not.toBe(first);
    expect(await page.isVisible('[data-setting="agent.radius"].is-changed')).toBe(true);
    await page.waitForFunction(() => location.hash.includes('agent.radius=1.1'));
    const link = await page.evaluate(() => location.hash);
    await page.click('[aria-label^=Undo]');
    await idle(page);
    expect(await shown()).toBe(first);
    await page.keyboard.press('Control+Shift+z');
    await idle(page);
    expect(await shown()).toBe(polygonsAt(1.1));
    const settings = await save(page, 'Settings');
    expect(settings.name).toBe('courtyard.yaml');
    const config = parseConfigText(new TextDecoder().decode(settings.bytes), 'x');
    expect(config).toEqual({ ...scene.options, agent: { ...scene.options.agent, radius: 1.1 } });
    await studio.show('#scene=one-cell');
    const again = await studio.show(`${link}&layers=-level`);
    expect(await again.evaluate(() => globalThis.studio!.state().mesh!.report!.counts.polygons)).toBe(polygonsAt(1.1));
    expect((await sceneOf(again)).layers['level']).toBeUndefined();
    expect(await again.evaluate(() => location.hash)).toContain('camera=');
  });

  it('out of range are refused with a message and keep their values', async () => {
    const page = await openCourtyard();
    await setNumber(page, 'cellSize', -1);
    await idle(page);
    expect((await messages(page)).join()).toMatch(/warning: Cell size must be above 0; it stays at 0\.\d+\./);
    expect(await page.evaluate(() => globalThis.studio!.state().settings)).toEqual(findLevelScene('courtyard').options);
  });
});

describe('saving', () => {
  it('writes the mesh in each format', async () => {
    const page = await openCourtyard();
    const detour = parseDetourBin((await save(page, 'Mesh for Detour')).bytes).navMesh;
    expect(validateNavMesh(detour)).toEqual([]);
    expect(
      Buffer.from((await save(page, 'Mesh as a model')).bytes)
        .subarray(0, 4)
        .toString(),
    ).toBe('glTF');
    expect(parseObj((await save(page, 'Mesh as OBJ')).bytes).indices.length).toBeGreaterThan(30);
    const mesh = loadNavMesh((await save(page, 'Mesh')).bytes);
    expect(mesh.polyCount).toBe(detour.polyCount);
  });
});

describe('work', () => {
  it.runIf(IS_FULL)('the page stays responsive during a large bake, which can be canceled', async () => {
    const page = await studio.open('#scene=courtyard');
    // The longest gap between turns of the event loop is the longest time that input waits.
    const isStrict = process.env['NAVKILN_STRICT_TIMES'] !== undefined;
    const { gap, stage } = await page.evaluate(
      async (scale) => {
        const turns: number[] = [];
        let isOn = true;
        const channel = new MessageChannel();
        channel.port1.onmessage = () => {
          turns.push(performance.now());
          if (isOn) setTimeout(() => channel.port2.postMessage(0), 1);
        };
        location.hash = `#scene=terrain&scale=${scale}&cellSize=0.06`;
        while (globalThis.studio!.state().level?.title.startsWith('Terrain') !== true)
          await new Promise((resolve) => requestAnimationFrame(resolve));
        // A few frames, so that the arrival of the level is not measured.
        for (let frame = 0; frame < 6; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
        channel.port2.postMessage(0);
        while (turns.length < 150) await new Promise((resolve) => requestAnimationFrame(resolve));
        isOn = false;
        const job = globalThis.studio!.state().job;
        return {
          gap: Math.max(...turns.slice(1).map((time, i) => time - turns[i])),
          stage: `${job.status} ${job.title}`,
        };
      },
      isStrict ? 8 : 4,
    );
    expect(stage).toBe('running Baking');
    console.log(
      `${isStrict ? 'a million' : '290,000'} triangles: the longest the page was busy while the worker baked: ${gap.toFixed(1)} ms`,
    );
    if (isStrict) expect(gap).toBeLessThan(50);
    await page.click('.status button');
    await page.waitForFunction(() => globalThis.studio!.state().job.status === 'canceled');
    expect(await text(page, 'status')).toContain('canceled');
    expect(await page.evaluate(() => globalThis.studio!.state().mesh)).toBeUndefined();
    await setNumber(page, 'cellSize', 1);
    await idle(page);
    expect((await sceneOf(page)).layers['ground'].triangles).toBeGreaterThan(100);
    await page.context().close();
  });

  it('automatic links are a switch and a layer of their own, and stay in saved settings', async () => {
    const page = await studio.show('#scene=headroom-limits');
    expect((await sceneOf(page)).layers['auto-links'].lines).toBe(0);
    const links = page.getByLabel('Automatic links: jumps, drops, climbs');
    await links.check();
    await idle(page);
    expect(await messages(page)).toEqual([]);
    expect((await sceneOf(page)).layers['auto-links'].lines).toBeGreaterThan(50);
    expect((await sceneOf(page)).layers['links'].lines).toBe(0);
    expect(await page.evaluate(() => globalThis.studio!.state().settings.autoLinks)).toEqual({
      jump: {},
      drop: {},
      climb: {},
    });
    if (process.env['NAVKILN_SHOW'] !== undefined) await page.screenshot({ path: process.env['NAVKILN_SHOW'] });
    await links.uncheck();
    await idle(page);
    expect((await sceneOf(page)).layers['auto-links'].lines).toBe(0);
  });

  it('the first load is at most 342 KB of JavaScript, gzipped, the worker included', async () => {
    const loaded = new Map<string, number>();
    const page = await studio.open('#scene=dungeon&tool=path', {}, (opening) =>
      opening.on('response', (response) => {
        if (!response.url().endsWith('.js')) return;
        void response.body().then((body) => loaded.set(response.url(), gzipSync(body, { level: 9 }).length));
      }),
    );
    const fetched = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    const scripts = fetched.filter((name) => name.endsWith('.js'));
    for (const url of scripts) {
      if (!loaded.has(url))
        loaded.set(url, gzipSync(Buffer.from(await (await fetch(url)).arrayBuffer()), { level: 9 }).length);
    }
    const total = [...loaded.values()].reduce((sum, bytes) => sum + bytes, 0);
    console.log(
      `first load: ${[...loaded].map(([url, bytes]) => `${url.split('/').pop()} ${bytes}`).join(', ')}; together ${total}`,
    );
    expect([...loaded.keys()].some((url) => url.includes('worker'))).toBe(true);
    expect(total).toBeLessThanOrEqual(342 * 1024);
    await page.context().close();
  });
});

describe('the page', () => {
  it('lists all shortcuts, and changes tool and theme by key', async () => {
    const page = await openCourtyard();
    await page.keyboard.press('?');
    expect(await page.textContent('.keys')).toMatch(/undo.*redo.*show all/s);
    await page.keyboard.press('Escape');
    await page.keyboard.press('p');
    expect(await page.getAttribute('[data-tool=path]', 'aria-pressed')).toBe('true');
    await page.keyboard.press('d');
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    await page.keyboard.press('l');
    expect((await sceneOf(page)).layers['level']).toBeUndefined();
  });

  it.runIf(IS_FULL)('works on a tablet: touch drags ends, targets are large enough, nothing overflows', async () => {
    const page = await studio.open('#scene=courtyard&tool=path', {
      viewport: { width: 768, height: 1024 },
      hasTouch: true,
      isMobile: true,
    });
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('.top button, .tools button, .card button')]
        .filter((button) => {
          const { width, height } = button.getBoundingClientRect();
          return width > 0 && (width < 40 || height < 40);
        })
        .map((button) => button.outerHTML.slice(0, 80)),
    );
    expect(small).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    const { to, from } = findLevelScene('courtyard').path;
    const [x, y] = await project(page, to);
    const [x2, y2] = await project(
      page,
      from.map((value, axis) => (value + 2 * to[axis]) / 3),
    );
    const client = await page.context().newCDPSession(page);
    const touch = (
      type: 'touchStart' | 'touchMove' | 'touchEnd',
      points: { x: number; y: number }[],
    ): Promise<unknown> => client.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    await touch('touchStart', [{ x: x + 18, y: y + 12 }]);
    for (let step = 1; step <= 4; step++)
      await touch('touchMove', [{ x: x + ((x2 - x) * step) / 4, y: y + ((y2 - y) * step) / 4 }]);
    await touch('touchEnd', []);
    await idle(page);
    const state = await page.evaluate(
      () => globalThis.studio!.state().toolStates['path'] as { to: number[] } | undefined,
    );
    expect(Math.hypot(state!.to[0] - to[0], state!.to[2] - to[2])).toBeGreaterThan(1);
    await page.context().close();
  });
});
