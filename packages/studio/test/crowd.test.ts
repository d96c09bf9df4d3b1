/**
 * The crowd in the studio: it runs as in Node, draws its agents, goes back in time, and explains what agents
 * do.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { findPath } from 'navkiln';
import { crowdScenes, findCrowdScene, findLevelScene } from 'navkiln-scenes';
import { buildNavMesh } from 'navkiln/build';
import { explainAgent } from 'navkiln/crowd';
import { crowdRuns } from 'navkiln/debug';
import type { NavkilnDriver } from 'navkiln/debug';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LOOKS } from '../src/crowd/looks.ts';
import { CROWD_SCENES, agentsOf, crowdSceneHash } from '../src/scenes/crowd-scenes.ts';
import { readHash } from '../src/state/hash.ts';
import type { CrowdProbe } from './crowd-probe.ts';
import { idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';

/** `npm run soak` sets NAVKILN_FULL. */
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;

let studio: Studio;
beforeAll(async () => (studio = await startStudio()));
afterAll(() => studio?.close());
afterEach(() => studio.check());

declare global {
  /** The tests define it in the page. */
  var probe: () => CrowdProbe;
}

const PAUSED = '&tool.crowd={"play":false}';

/** Opens a crowd scene, paused at its start. */
async function openCrowd(name: string, agents: number, more = PAUSED): Promise<Page> {
  const entry = CROWD_SCENES.find((one) => one.name === name)!;
  const page = await studio.show(`${crowdSceneHash(entry, agents)}${more}`);
  await page.waitForFunction(() => globalThis.studio!.tool() !== undefined);
  await page.evaluate(() => void (globalThis.probe = () => globalThis.studio!.tool() as CrowdProbe));
  await idle(page);
  return page;
}

const text = (page: Page, panel: string): Promise<string> => page.evaluate((id) => globalThis.studio!.text(id), panel);
const tickOf = (page: Page): Promise<number> => page.evaluate(() => globalThis.probe().tick);
const hashOf = (page: Page): Promise<number> => page.evaluate(() => globalThis.probe().hash());
const step = (page: Page, ticks: number): Promise<void> =>
  page.evaluate((count) => globalThis.probe().step(count), ticks);
const frame = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));
const setTime = (page: Page, tick: number, isFinal: boolean): Promise<void> =>
  page.locator('[data-crowd=time]').evaluate(
    (input, [value, last]) => {
      (input as HTMLInputElement).value = String(value);
      input.dispatchEvent(new Event(last === true ? 'change' : 'input'));
    },
    [tick, isFinal] as [number, boolean],
  );

/** Runs the scene in Node for a number of ticks with the library's own runner. */
function runInNode(name: string, agents: number, ticks: number): NavkilnDriver {
  const setup = findCrowdScene(name).create(undefined, agents);
  const world = crowdRuns.createCrowdWorld(setup);
  const driver = crowdRuns.createCrowdDriver(world, 1 / 60);
  const run = crowdRuns.startCrowdRun(setup, { unmeasured: true }, world, driver);
  for (let i = 0; i < ticks; i++) crowdRuns.stepCrowdRun(run);
  expect(run.tick).toBe(ticks);
  return driver;
}

/** Returns positions and statuses on the page, and how far the drawn bodies are from them. */
function readCrowd(page: Page): Promise<{ positions: number[]; statuses: number[]; drawn: number; worst: number }> {
  return page.evaluate(() => {
    const { crowd, bodies } = globalThis.probe();
    const { position, heading, status, radius, height } = crowd.agents;
    let worst = 0;
    for (let i = 0; i < bodies.count; i++) {
      const slot = bodies.slots[i];
      const m = bodies.mesh.instanceMatrix.array.subarray(16 * i, 16 * i + 16);
      const [x, z] = [heading[2 * slot], heading[2 * slot + 1]];
      const r = radius[slot];
      const wanted = [
        r * z,
        0,
        -r * x,
        0,
        0,
        height[slot],
        0,
        0,
        r * x,
        0,
        r * z,
        0,
        position[3 * slot],
        position[3 * slot + 1],
        position[3 * slot + 2],
        1,
      ];
      wanted.forEach((value, k) => (worst = Math.max(worst, Math.abs(Math.fround(value) - m[k]))));
    }
    const { slotCount } = crowd;
    return {
      positions: [...position.subarray(0, 3 * slotCount)],
      statuses: [...status.subarray(0, slotCount)],
      drawn: bodies.mesh.count,
      worst,
    };
  });
}

describe('the list of crowd scenes', () => {
  it('equals that of navkiln-scenes', () => {
    expect(CROWD_SCENES).toEqual(crowdScenes.map(({ name, title, agents }) => ({ name, title, agents })));
    for (const entry of CROWD_SCENES) {
      for (const agents of [2, 37, entry.agents, 10_000]) {
        const { source, tool } = readHash(crowdSceneHash(entry, agents));
        if (source?.kind !== 'scene') throw new Error(`the link of ${entry.name} opens no scene`);
        expect([source.name, tool, agentsOf(entry, source.scale)]).toEqual([entry.name, 'crowd', agents]);
      }
    }
    // Statuses are distinguishable without color: no two signs are equal, except for the empty one.
    const signs = LOOKS.map(({ sign }) => sign).filter((sign) => sign !== '');
    expect(new Set(signs).size).toBe(signs.length);
    expect(LOOKS.filter(({ sign }) => sign === '').map(({ id }) => id)).toEqual(['idle', 'moving']);
  });
});

describe('a scene', () => {
  it('moves as in Node, bit for bit; bodies are drawn at agents; the panel counts them', async () => {
    const ticks = 1500;
    const page = await openCrowd('crossroads', 80, '&tool.crowd={"play":false,"speed":8}');
    expect(await tickOf(page)).toBe(0);
    await step(page, ticks);
    await frame(page);
    const { crowd } = runInNode('crossroads', 80, ticks);
    const { positions, statuses, drawn, worst } = await readCrowd(page);
    expect(positions).toEqual([...crowd.agents.position.subarray(0, 3 * crowd.slotCount)]);
    expect(statuses).toEqual([...crowd.agents.status.subarray(0, crowd.slotCount)]);
    expect([drawn, worst]).toEqual([80, 0]);
    const arrived = statuses.filter((status) => LOOKS[status].id === 'arrived').length;
    expect(arrived).toBeGreaterThan(20);
    const panel = await text(page, 'crowd');
    expect(panel).toContain(`arrived\n${arrived}\n`);
    expect(panel).toContain(`tick ${ticks}`);
    expect(panel).toContain(`Path searches\n${crowd.searchCount}`);
    expect(panel).toContain(`Deepest overlap\n${overlapOf(crowd)}`);
    // When all agents are at rest, it pauses and says so.
    const isRestful = (): Promise<boolean> =>
      page.evaluate(() => {
        const { status } = globalThis.probe().crowd.agents;
        return status.subarray(0, 80).every((value) => value === 5 || value === 6);
      });
    for (let i = 0; i < 30 && !(await isRestful()); i++) await step(page, 200);
    await page.evaluate(() => globalThis.probe().play(true));
    await page.waitForFunction(() => !globalThis.probe().isPlaying);
    expect(
      await page.evaluate(() =>
        globalThis
          .studio!.messages()
          .map((message) => message.text)
          .join(),
      ),
    ).toContain('All agents are at rest after');
  });

  it.runIf(IS_FULL)('plays, pauses, steps and changes speed; after going back the future is the same', async () => {
    const page = await openCrowd('crossroads', 80);
    await page.click('[data-crowd=play]');
    await page.waitForFunction(() => globalThis.probe().tick > 20);
    await page.click('[data-crowd=play]');
    const stopped = await tickOf(page);
    await frame(page);
    expect(await tickOf(page)).toBe(stopped);
    const { worst } = await readCrowd(page);
    expect(worst).toBe(0);
    await page.click('[data-crowd=step]');
    expect(await tickOf(page)).toBe(stopped + 1);
    await step(page, 199 - stopped);
    const [at200, hash200] = [await readCrowd(page), await hashOf(page)];
    await step(page, 300);
    const hash500 = await hashOf(page);
    await setTime(page, 200, true);
    await frame(page);
    expect([await tickOf(page), await hashOf(page)]).toEqual([200, hash200]);
    const back = await readCrowd(page);
    expect(back.positions).toEqual(at200.positions);
    expect(back.worst).toBe(0);
    await setTime(page, 500, true);
    expect(await hashOf(page)).toBe(hash500);
    await page.click('[data-crowd=restart]');
    expect(await tickOf(page)).toBe(0);
    await step(page, 500);
    expect(await hashOf(page)).toBe(hash500);
  });

  it.runIf(IS_FULL)('restores the tiles that its script rebuilds', async () => {
    const page = await openCrowd('tile-swap', 40);
    await step(page, 100);
    const hash100 = await hashOf(page);
    const ground = (): Promise<number> =>
      page.evaluate(() => globalThis.studio!.layers().find(({ id }) => id === 'ground')!.triangles);
    const before = await ground();
    await step(page, 400);
    const hash500 = await hashOf(page);
    const { crowd } = runInNode('tile-swap', 40, 500);
    expect((await readCrowd(page)).positions).toEqual([...crowd.agents.position.subarray(0, 3 * crowd.slotCount)]);
    await frame(page);
    expect(await ground()).not.toBe(before);
    await setTime(page, 100, true);
    expect(await hashOf(page)).toBe(hash100);
    await frame(page);
    expect(await ground()).toBe(before);
    await setTime(page, 500, true);
    expect(await hashOf(page)).toBe(hash500);
  });
});

describe('the selected agent', () => {
  it.runIf(IS_FULL)('is explained, drawn with its path, neighbors and walls, and followed', async () => {
    const page = await openCrowd('link-jam', 40);
    await step(page, 600);
    const driver = runInNode('link-jam', 40, 600);
    const places = (await readCrowd(page)).positions;
    // The agent nearest to the camera, so that no other one covers it.
    const eye = await page.evaluate(() => globalThis.studio!.state().camera.position);
    const slots = Array.from({ length: 40 }, (_, slot) => slot);
    const distance = (slot: number): number => Math.hypot(...eye.map((value, k) => value - places[3 * slot + k]));
    const nearest = slots.sort((a, b) => distance(a) - distance(b))[0];
    const [x, y] = (await page.evaluate(
      (p) => globalThis.studio!.project(p as [number, number, number]),
      [places[3 * nearest], places[3 * nearest + 1] + 0.9, places[3 * nearest + 2]],
    ))!;
    await page.mouse.click(x, y);
    await frame(page);
    const { message: sentence } = explainAgent(driver.crowd, driver.ids[nearest]);
    expect(await page.textContent('.crowd-sentence')).toBe(`Agent ${nearest} ${sentence}`);
    expect(await text(page, 'crowd')).toContain(`Agent ${nearest}\n`);
    for (const id of ['neighbors', 'walls'])
      await page.locator(`[data-overlay=${id}]`).evaluate((box) => (box as HTMLInputElement).click());
    await frame(page);
    const counts = await page.evaluate(() => globalThis.probe().overlays);
    const { agents } = driver.crowd;
    expect(counts).toMatchObject({ walls: agents.wallCount[nearest], neighbors: agents.neighborCount[nearest] });
    expect(counts.ring).toBe(20);
    expect(counts.corners).toBeGreaterThan(0);
    expect(counts.corridor).toBeGreaterThan(0);
    expect(await text(page, 'crowd')).toMatch(/queueing\n[1-9]/);
    await page.click('[data-crowd=follow]');
    await step(page, 60);
    await frame(page);
    const now = (await readCrowd(page)).positions.slice(3 * nearest, 3 * nearest + 3);
    const target = await page.evaluate(() => globalThis.probe().target());
    target.forEach((value, k) => expect(value).toBeCloseTo(now[k], 3));
  });
});

// `npm run soak` sets NAVKILN_FULL.
describe.runIf(process.env['NAVKILN_FULL'] !== undefined)('dragging the timeline of a large crowd', () => {
  it('shows recorded frames, and restores the crowd on release', async () => {
    const page = await openCrowd('town', 2000);
    await step(page, 120);
    const [at40, hash] = await page.evaluate(() => {
      globalThis.probe().seek(40, true);
      return [[...globalThis.probe().crowd.agents.position.subarray(0, 6000)], globalThis.probe().hash()] as const;
    });
    await setTime(page, 120, true);
    // As on a slow machine, where the time of a drag is exceeded.
    const shown = await page.evaluate(async () => {
      const { seek } = globalThis.probe();
      seek(40, false);
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const { isPicture, bodies, tick } = globalThis.probe();
      const { array } = bodies.mesh.instanceMatrix;
      const places = [...bodies.slots.subarray(0, bodies.count)].map((slot, i) => [
        slot,
        ...array.subarray(16 * i + 12, 16 * i + 15),
      ]);
      return { isPicture, tick, places };
    });
    console.log(`dragging ${shown.isPicture ? 'shows a recorded frame' : 'restores at once'}`);
    expect(shown.places).toHaveLength(2000);
    for (const [slot, ...place] of shown.places)
      expect(place).toEqual(at40.slice(3 * slot!, 3 * slot! + 3).map(Math.fround));
    expect(await text(page, 'crowd')).toContain('tick 40');
    await setTime(page, 40, true);
    expect([await tickOf(page), await hashOf(page)]).toEqual([40, hash]);
  });
});

describe('a free crowd', () => {
  it('is added and sent by clicks, survives a rebake, and keeps its commands when going back', async () => {
    const page = await studio.show(`#scene=courtyard&tool=crowd${PAUSED}`);
    await page.waitForFunction(() => globalThis.studio!.tool() !== undefined);
    await page.evaluate(() => void (globalThis.probe = () => globalThis.studio!.tool() as CrowdProbe));
    // Points along the longest leg of a path, which is open space.
    const { path, create, options } = findLevelScene('courtyard');
    const { points } = findPath(buildNavMesh(create(), options).navMesh, path.from, path.to);
    const legs = points.slice(1).map((point, k) => [points[k], point] as const);
    const [a, b] = legs.sort((one, other) => distanceOf(...other) - distanceOf(...one))[0];
    const along = (t: number): [number, number, number] =>
      [0, 1, 2].map((k) => a[k] + t * (b[k] - a[k])) as [number, number, number];
    const [near, far] = [along(0.3), along(0.7)];
    await page.addStyleTag({ content: '.card { pointer-events: none; }' });
    const setMode = (mode: string): Promise<void> =>
      page.locator(`[data-crowd=${mode}]`).evaluate((button) => (button as HTMLElement).click());
    const clickAt = async (point: [number, number, number]): Promise<void> => {
      const [x, y] = (await page.evaluate((p) => globalThis.studio!.project(p), point))!;
      await page.mouse.click(x, y);
    };
    await setMode('add');
    await clickAt(near);
    expect(await page.evaluate(() => globalThis.probe().ids.length)).toBe(10);
    await step(page, 30);
    await page.evaluate(() => globalThis.probe().select(undefined));
    await setMode('send');
    await clickAt(far);
    await step(page, 200);
    const [hash230, tick] = [await hashOf(page), await tickOf(page)];
    expect(await text(page, 'crowd')).toMatch(/moving\n[1-9]/);
    await setTime(page, 10, true);
    expect(await text(page, 'crowd')).toMatch(/idle\n10/);
    await setTime(page, tick, true);
    expect(await hashOf(page)).toBe(hash230);
    const input = page.locator('[data-setting="agent.radius"] input').last();
    await page.click('#tab-settings');
    await input.fill('0.3');
    await input.press('Enter');
    await idle(page);
    expect(await page.evaluate(() => globalThis.probe().ids.length)).toBe(10);
    await step(page, 100);
    expect(await text(page, 'crowd')).toMatch(/moving\n[1-9]/);
    await page.keyboard.press('v');
    await frame(page);
    await page.keyboard.press('c');
    await frame(page);
    expect(await page.evaluate(() => globalThis.probe().ids.length)).toBe(10);
  });
});

interface FrameTimes {
  /** Frame times with and without the agents, in turns, ms. */
  withMs: number;
  withoutMs: number;
  /** Frame time while the crowd runs, ms. */
  runMs: number;
  tickMs: number;
}

async function measureFrames(page: Page): Promise<FrameTimes> {
  return page.evaluate(async () => {
    const next = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
    // The fastest fifth of the frames, because other processes use the machine too.
    const least = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 5)];
    const { bodies, redraw, play } = globalThis.probe();
    const times: [number[], number[]] = [[], []];
    for (let turn = 0; turn < 12; turn++) {
      bodies.object.visible = turn % 2 === 0;
      let last = 0;
      for (let i = 0; i < 8; i++) {
        redraw();
        const now = await next();
        // The first frames of a turn still belong to the previous turn.
        if (i > 2) times[(turn % 2) as 0 | 1].push(now - last);
        last = now;
      }
    }
    bodies.object.visible = true;
    play(true);
    const run: number[] = [];
    for (let i = 0, last = await next(); i < 30; i++) {
      const now = await next();
      run.push(now - last);
      last = now;
    }
    play(false);
    return {
      withMs: least(times[0]),
      withoutMs: least(times[1]),
      runMs: least(run),
      tickMs: globalThis.probe().msPerTick,
    };
  });
}

// Numbers for docs/studio.md: NAVKILN_STUDIO_FRAMES=1 npm test -- packages/studio/test/crowd
describe.runIf(process.env['NAVKILN_STUDIO_FRAMES'] === '1')('frames', () => {
  it('with 10,000 agents, compared with the scene without them', async () => {
    const rows: string[] = [];
    for (const agents of [1000, 10_000]) {
      const page = await openCrowd('town', agents, `${PAUSED}&layers=-level,-walls,-seams`);
      await step(page, 600);
      const { withMs, withoutMs, runMs, tickMs } = await measureFrames(page);
      const times = [withoutMs, withMs, tickMs, runMs].map((ms) => ms.toFixed(1));
      const cells = [agents.toLocaleString('en-US'), ...times, (withMs / withoutMs).toFixed(2)];
      rows.push(`| ${cells.join(' | ')} |`);
    }
    const table = [
      '| agents | ms a frame without them | with them | ms a tick | ms a frame, running | with by without |',
      '| ---: | ---: | ---: | ---: | ---: | ---: |',
      ...rows,
    ].join('\n');
    console.log(table);
    const path = new URL('../../../docs/studio.md', import.meta.url);
    const before = readFileSync(path, 'utf8');
    const after = before.replace(
      /(<!-- frames -->\n)[^]*?(\n<!-- \/frames -->)/,
      (_, start: string, end: string) => `${start}${table}${end}`,
    );
    expect(after).toContain(table);
    writeFileSync(path, after);
  }, 300_000);
});

function distanceOf(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((value, k) => value - b[k]));
}

/** The deepest overlap as the panel writes it, found by comparing all pairs. */
function overlapOf({ agents: { position, radius }, slotCount }: NavkilnDriver['crowd']): string {
  let deepest = 0;
  for (let a = 0; a < slotCount; a++) {
    for (let b = 0; b < a; b++) {
      const distance = Math.hypot(position[3 * a] - position[3 * b], position[3 * a + 2] - position[3 * b + 2]);
      deepest = Math.max(deepest, (radius[a] + radius[b] - distance) / Math.min(radius[a], radius[b]));
    }
  }
  return deepest === 0 ? 'none' : `${deepest.toFixed(3)} radii`;
}
