/**
 * Names that come from files of others: markup, scripts, quotes, characters that turn the direction of text, and very
 * long ones, as names of files, nodes, materials, scenes, targets, areas and links. The page shows them as text.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBeside } from '../src/files/beside.ts';
import { readHash } from '../src/state/hash.ts';
import { visible } from '../src/state/format.ts';
import { drop, goTo, idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';

/** `npm run soak` sets NAVKILN_FULL. */
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;

declare global {
  var pwned: unknown;
}

const NAMES: Readonly<Record<string, string>> = {
  markup: `<img src=x onerror=pwned=1>"><script>pwned=1</script><svg onload=pwned=1>'" onmouseover='pwned=1' x=\\"`,
  template: 'javascript:pwned=1//{{constructor.constructor("pwned=1")()}}${pwned=1}%s&lt;script&gt;pwned=1&#60;b&#62;',
  direction: '\u202ejbo.exe\u2066\u200f אבג\u2069 a\u0007\u001b[31m\u009b2Jb\u2028c',
  prototype: '__proto__',
  long: `${'x'.repeat(3000)} ${'<b>'.repeat(500)}`,
};

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const floor = 'v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3 4\n';

/** A floor whose reader warns and names the node and the file. */
function gltf(name: string): Uint8Array {
  const positions = new Float32Array([0, 0, 0, 0, 0, 20, 20, 0, 20, 20, 0, 0, 0, 0, 0, 20, 0, 20]);
  const uri = `data:application/octet-stream;base64,${Buffer.from(positions.buffer).toString('base64')}`;
  const accessor = { bufferView: 0, componentType: 5126, count: 6, type: 'VEC3', min: [0, 0, 0], max: [20, 0, 20] };
  return bytes(
    JSON.stringify({
      asset: { version: '2.0', generator: name },
      scene: 0,
      scenes: [{ name, nodes: [0] }],
      nodes: [{ name, mesh: 0 }],
      materials: [{ name }],
      meshes: [
        { name, primitives: [{ attributes: { POSITION: 0 }, targets: [{ POSITION: 0 }], material: 0, mode: 4 }] },
      ],
      accessors: [accessor],
      bufferViews: [{ buffer: 0, byteLength: 72 }],
      buffers: [{ uri, byteLength: 72, name }],
    }),
  );
}

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await startStudio({ draws: true, ignore: /404/ });
  page = await studio.show('#scene=courtyard');
  page.on('dialog', (dialog) => {
    void dialog.dismiss();
    void page.evaluate(() => void (globalThis.pwned = 'dialog'));
  });
});
afterAll(() => studio?.close());

const said = (): Promise<string> => page.evaluate(() => document.querySelector('.messages')!.textContent ?? '');

/** Throws when a name became more than text, and removes all messages. */
async function checkPage(what: string): Promise<void> {
  const found = await page.evaluate(() => ({
    pwned: globalThis.pwned,
    elements: document.querySelectorAll(
      'script:not([src]), iframe, object, embed, base, form, img:not(.brand img), b, svg[onload]',
    ).length,
    handlers: [...document.querySelectorAll('*')].flatMap(({ attributes }) =>
      [...attributes]
        .filter(({ name, value }) => /^on/i.test(name) || /^\s*javascript:/i.test(value))
        .map(({ name }) => name),
    ),
    directions: /[\u202a-\u202e\u2066-\u2069]/.test(document.body.textContent ?? ''),
    isWide: document.documentElement.scrollWidth > innerWidth,
    polluted: Object.keys(Object.prototype).length + Number('x' in {}),
    covered: [...document.querySelectorAll('.message')].some((card) => {
      const { width, height } = card.getBoundingClientRect();
      return width > innerWidth || height > innerHeight;
    }),
  }));
  expect(found, what).toEqual({
    pwned: undefined,
    elements: 0,
    handlers: [],
    directions: false,
    isWide: false,
    polluted: 0,
    covered: false,
  });
  for (const close of await page.$$('.message button')) await close.click();
  studio.check();
}

/** `npm run soak` sets NAVKILN_FULL and tries all names. */
const SHORT = ['markup', 'direction', 'prototype'];
const TRIED = Object.entries(NAMES).filter(
  ([kind]) => process.env['NAVKILN_FULL'] !== undefined || SHORT.includes(kind),
);

describe.each(TRIED)('%s', (kind, name) => {
  it('is text as the name of a file', async () => {
    const file = name.replaceAll('/', '_');
    await drop(page, [{ name: `${file}.obj`, bytes: bytes(floor) }]);
    expect(await page.evaluate(() => globalThis.studio!.text('status'))).toContain(
      `${visible(file)}.obj · 2 triangles`.replace(/\s+/g, ' ').slice(0, 60),
    );
    await checkPage('a level');
    await drop(page, [{ name: `${file}.fbx`, bytes: bytes('x') }]);
    expect(await said()).toContain(visible(`${file}.fbx`));
    await checkPage('an unknown file');
    await drop(page, [{ name: `${file}.obj`, bytes: bytes('v 0 0 0\nf 1 2 9\n') }]);
    // Sentences begin with a capital.
    expect(await said()).toContain(visible(`${file}.obj:2`).slice(1));
    await checkPage('a damaged level');
    await page.hover('.status-title');
    if (kind === 'long') return;
    await page.click('[data-menu=save]');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('.menu-item:has-text("Mesh as OBJ")'),
    ]);
    expect(download.suggestedFilename()).toMatch(/^[^/\\]+\.obj$/);
    await checkPage('a saved mesh');
  });

  it('is text as the name of a node, a material and a scene of a .gltf', async () => {
    await drop(page, [{ name: 'level.gltf', bytes: gltf(name) }]);
    expect(await said()).toContain(visible(`"${name}" has morph targets`));
    await page.click('#tab-report');
    expect(await page.evaluate(() => document.querySelector('.report')!.textContent)).toContain(
      visible(`"${name}" has morph targets`),
    );
    await checkPage('a .gltf');
    await page.click('#tab-settings');
  });

  it('is text as the name of a target, an agent and a level of a scene file', async () => {
    const scene = {
      version: 1,
      title: name,
      levels: [{ file: 'floor.obj' }],
      targets: [{ name, position: [10, 0, 10] }],
      agents: [{ name: `${name} `, position: [5, 0, 5], goal: name }],
    };
    const drops = (content: object): Promise<void> =>
      drop(page, [
        { name: 'scene.json', bytes: bytes(JSON.stringify(content)) },
        { name: 'floor.obj', bytes: bytes(floor) },
      ]);
    await drops(scene);
    await checkPage('a scene');
    await drops({ ...scene, agents: [{ ...scene.agents[0], goal: `no ${name}` }] });
    expect(await said()).toContain(visible(`no ${name}`).slice(0, 40));
    await checkPage('an unknown goal');
    await drops({ ...scene, levels: [{ file: `${name}.obj` }, { scene: name }] });
    expect(await said()).not.toBe('');
    await checkPage('a missing level');
    await drops({ ...scene, [name === '__proto__' ? '__proto__ ' : name]: 1 });
    expect(await said()).not.toBe('');
    await checkPage('an unknown key');
  });

  it('is text as the name of an area of a map', async () => {
    const ring = [
      [0, 0],
      [20, 0],
      [20, 20],
      [0, 20],
      [0, 0],
    ];
    const feature = (coordinates: unknown): object => ({
      type: 'Feature',
      id: name,
      properties: { name, [name]: name },
      geometry: { type: 'Polygon', coordinates },
    });
    const map = (coordinates: unknown): Uint8Array =>
      bytes(JSON.stringify({ type: 'FeatureCollection', name, features: [feature(coordinates)] }));
    await drop(page, [{ name: 'map.geojson', bytes: map([ring]) }]);
    await checkPage('a map');
    await drop(page, [
      {
        name: 'map.geojson',
        bytes: map([
          [
            [0, 0],
            ['x', 1],
          ],
        ]),
      },
    ]);
    expect(await said()).toContain(visible(name).slice(0, 40));
    await checkPage('a damaged map');
  });

  it('is text as a part of a link', async () => {
    const value = encodeURIComponent(name);
    await goTo(page, `#scene=${value}`);
    await page.waitForFunction(() => globalThis.studio!.messages().length > 0);
    expect(await said()).toContain(visible(name).slice(0, 40));
    await checkPage('a scene of a link');
    await goTo(
      page,
      `#scene=courtyard&tool=${value}&layers=${value},-${value}&${value}=1&cellSize=${value}&tool.${value}=${value}`,
    );
    await idle(page);
    await checkPage('a tool of a link');
    await goTo(page, `#open=${value}`);
    await page.waitForFunction(() => globalThis.studio!.messages().length > 0);
    expect(await said()).toContain(visible(name).slice(0, 40));
    await checkPage('a file of a link');
  });
});

it.runIf(IS_FULL)('a file of the server is never a page or a script', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'navkiln-hostile-'));
  const served = ['page.html', 'code.js', 'image.svg'].map((name) => join(folder, name));
  writeFileSync(served[0], '<script src="/open/code.js"></script><script>globalThis.pwned = 1</script>');
  writeFileSync(served[1], 'globalThis.pwned = 1');
  writeFileSync(served[2], '<svg xmlns="http://www.w3.org/2000/svg" onload="globalThis.pwned=1"/>');
  const own = await startStudio({ files: served, ignore: /Refused to execute|MIME type/ });
  try {
    const { url } = own.server;
    for (const name of ['page.html', 'code.js', 'image.svg']) {
      const answer = await fetch(`${url}open/${name}`);
      expect(answer.headers.get('content-type')).toBe('application/octet-stream');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    }
    const victim = await own.open();
    const loaded = await victim.evaluate(async () => {
      const run = (code: string | undefined, src: string | undefined): Promise<string> =>
        new Promise((resolve) => {
          const script = document.createElement('script');
          if (src !== undefined) script.src = src;
          if (code !== undefined) script.textContent = code;
          script.onload = () => resolve('loaded');
          script.onerror = () => resolve('refused');
          document.body.append(script);
          setTimeout(() => resolve('nothing'), 3000);
        });
      return [
        await run(undefined, './open/code.js'),
        await run('globalThis.pwned = 1', undefined),
        String(globalThis.pwned),
      ];
    });
    expect(loaded[0]).toBe('refused');
    expect(loaded[2]).toBe('undefined');
    // The page cannot be framed.
    const framed = await victim.evaluate(async (address) => {
      const frame = document.createElement('iframe');
      frame.src = address;
      const isLoaded = new Promise((resolve) => frame.addEventListener('load', resolve));
      document.body.append(frame);
      await isLoaded;
      try {
        return frame.contentDocument?.querySelector('#studio') === null || frame.contentDocument === null;
      } catch {
        return true;
      }
    }, url);
    expect(framed).toBe(true);
  } finally {
    await own.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

it.runIf(IS_FULL)('two files of one name are both served, and belong to their own folders', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'navkiln-two-'));
  for (const [i, name] of ['A', 'B'].entries()) {
    mkdirSync(join(folder, name));
    const shifted = floor.replaceAll('20', String(10 * (i + 1)));
    writeFileSync(join(folder, name, 'level.obj'), i === 0 ? shifted : `${shifted}f 1 2 3\n`);
  }
  const scene = ['version: 1', 'levels:', '  - file: A/level.obj', '  - file: B/level.obj', '    position: [30, 0, 0]'];
  writeFileSync(join(folder, 'two, both.yaml'), [...scene, 'agents:', '  - position: [5, 0, 5]', ''].join('\n'));
  const levels = ['A', 'B'].map((name) => join(folder, name, 'level.obj'));
  const own = await startStudio({ files: [...levels, join(folder, 'two, both.yaml')] });
  try {
    const status = (one: Page): Promise<string> => one.evaluate(() => globalThis.studio!.text('status'));
    const both = await own.open('#open=A%2Flevel.obj,B%2Flevel.obj');
    expect(await status(both)).toContain('A/level.obj · 2 triangles');
    expect(await both.evaluate(() => globalThis.studio!.messages().map(({ text }) => text))).toEqual([
      'Opened A/level.obj, and not B/level.obj: the studio shows one at a time.',
    ]);
    const second = await own.open('#open=B%2Flevel.obj');
    expect(await status(second)).toContain('B/level.obj · 3 triangles');
    const all = await own.open('#open=A%2Flevel.obj,B%2Flevel.obj,two%2C%20both.yaml');
    expect(await status(all)).toContain('two, both.yaml · 5 triangles');
    own.check();
  } finally {
    await own.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

it('a file is found by the path that another one names it by', () => {
  const files = ['A/level.bin', 'B/level.bin', 'other.bin'].map((name) => ({ name, bytes: new Uint8Array() }));
  const find = (from: string, path: string): string | undefined => findBeside(files, from, path)?.name;
  expect(find('A/level.gltf', 'level.bin')).toBe('A/level.bin');
  expect(find('B/level.gltf', './level.bin')).toBe('B/level.bin');
  expect(find('B/level.gltf', '../A/level.bin')).toBe('A/level.bin');
  expect(find('town.yaml', 'levels\\B\\level.bin')).toBe('B/level.bin');
  expect(find('town.yaml', 'levels/other.bin')).toBe('other.bin');
  expect(find('town.yaml', 'level.bin')).toBe('A/level.bin');
  expect(find('town.yaml', 'evel.bin')).toBeUndefined();
  expect(find('town.yaml', '')).toBeUndefined();
});

it('names of files in a link may contain commas', () => {
  expect(readHash('#open=a%2Cb.obj,c%20d.obj').open).toEqual(['a,b.obj', 'c d.obj']);
  expect(readHash('#open=%E0%A4%A').faults).toHaveLength(1);
});
