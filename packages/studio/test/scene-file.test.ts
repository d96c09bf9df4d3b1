/** Scene files in the studio: opened with their levels, baked, run as by the command line, and saved. */
import { readFileSync } from 'node:fs';
import { castScene, createSceneRun, parseSceneText } from 'navkiln-cli/scene';
import { buildNavMesh } from 'navkiln/build';
import { crowdRuns } from 'navkiln/debug';
import { parseObj } from 'navkiln/io';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { chooseMain } from '../src/files/kinds.ts';
import { sceneEdits, sceneSettings, sceneText } from '../src/files/scene-text.ts';
import { NO_EDITS } from '../src/state/state.ts';
import type { CrowdProbe } from './crowd-probe.ts';
import { drop, idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';

const example = (name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(new URL(`../../../examples/${name}`, import.meta.url)));
const town = new TextDecoder().decode(example('town.yaml'));

describe('the text of a scene', () => {
  const { scene } = parseSceneText(town, 'town.yaml');
  const settings = sceneSettings(scene);
  const edits = { ...NO_EDITS, ...sceneEdits(scene) };
  const file = { name: 'town.yaml', text: town };

  it('stays the same without changes; a change is written in its place', () => {
    expect(sceneText(file, settings, edits)).toBe(town);
    const wider = sceneText(
      file,
      { ...settings, cellSize: 0.2, agent: { ...settings.agent, maxSlopeDegrees: 35 } },
      edits,
    );
    expect(wider).toBe(town.replace('cellSize: 0.175', 'cellSize: 0.2').replace('slope: 40', 'slope: 35'));
    const volume = { type: 'cylinder' as const, area: 3, center: [1, 0, 2], radius: 2, height: 2 };
    const link = { start: [0, 0, 0] as const, end: [5, 0, 0] as const };
    const more = sceneText(file, settings, {
      ...edits,
      volumes: [volume as never],
      links: [...edits.links, link as never],
    });
    const again = parseSceneText(more, 'town.yaml').scene;
    expect(again.bake?.volumes).toEqual([volume]);
    expect(again.links).toEqual([...scene.links!, link]);
    expect(again.agents).toEqual(scene.agents);
    expect(more).toContain('# A jump off the deck');
  });

  it('is distinguished from settings and maps by its first bytes', () => {
    const head = (text: string): Uint8Array => new TextEncoder().encode(text);
    const kindOf = (name: string, text: string): string => {
      const found = chooseMain([{ name, head: head(text) }]);
      return typeof found === 'string' ? found : found.kind.id;
    };
    expect(kindOf('a.yaml', town)).toBe('scene');
    expect(kindOf('a.yaml', 'agent:\n  radius: 1\n')).toBe('settings');
    expect(kindOf('a.json', '{ "version": 1, "levels": [] }')).toBe('scene');
    expect(kindOf('a.json', '{ "version": "1.10", "type": "map", "layers": [] }')).toBe('map');
    const both = chooseMain([
      { name: 'town.obj', head: head('v 0 0 0') },
      { name: 'town.yaml', head: head(town) },
    ]);
    expect(both).toMatchObject({ index: 1, kind: { id: 'scene' } });
  });
});

describe('in the page', () => {
  let studio: Studio;
  let page: Page;
  beforeAll(async () => {
    studio = await startStudio();
    page = await studio.show('#scene=one-cell&tool=crowd&tool.crowd={"play":false}');
  });
  afterAll(() => studio?.close());
  afterEach(() => studio.check());
  const messages = (): Promise<string> =>
    page.evaluate(() =>
      globalThis
        .studio!.messages()
        .map((one) => one.text)
        .join('\n'),
    );
  const probe = <T>(read: (crowd: CrowdProbe) => T): Promise<T> =>
    page.evaluate((source) => {
      const run = new Function(`return (${source})`)() as (crowd: unknown) => unknown;
      return run(globalThis.studio!.tool()) as never;
    }, read.toString());

  it('agents move as on the command line, bit for bit, also after going back', async () => {
    await drop(page, [
      { name: 'town.obj', bytes: example('town.obj') },
      { name: 'town.yaml', bytes: example('town.yaml') },
    ]);
    await page.waitForFunction(() => ((globalThis.studio!.tool() as CrowdProbe | undefined)?.ids.length ?? 0) > 1);
    await page.evaluate(() => (globalThis.studio!.tool() as CrowdProbe).play(false));
    await page.evaluate(() => (globalThis.studio!.tool() as CrowdProbe).seek(0, true));
    const document = parseSceneText(town, 'town.yaml');
    const { positions, indices } = parseObj(example('town.obj'), 'town.obj');
    const { navMesh } = buildNavMesh(
      { positions: Float64Array.from(positions), indices },
      sceneSettings(document.scene) as never,
    );
    const cast = castScene(document, navMesh, { seed: document.scene.seed!, note: () => undefined });
    const { setup, world, createDriver } = createSceneRun(document.scene, navMesh, cast);
    const driver = createDriver(1 / 60);
    const run = crowdRuns.startCrowdRun(setup, { unmeasured: true }, world, driver);
    const places = (): Promise<number[]> =>
      probe(({ crowd }) => [...crowd.agents.position.subarray(0, 3 * crowd.slotCount)]);
    const inNode = (): number[] => [...driver.crowd.agents.position.subarray(0, 3 * driver.crowd.slotCount)];
    const hash = (): Promise<number> => probe((crowd) => crowd.hash());
    const tick = (to: number): void => {
      while (run.tick < to) crowdRuns.stepCrowdRun(run);
    };
    expect(await probe((crowd) => crowd.ids.length)).toBe(cast.people.length);
    expect(await places()).toEqual(inNode());
    await probe((crowd) => crowd.step(250));
    tick(250);
    expect(await places()).toEqual(inNode());
    const hash250 = await hash();
    await probe((crowd) => crowd.step(350));
    tick(600);
    expect(await places()).toEqual(inNode());
    const hash600 = await hash();
    await probe((crowd) => crowd.seek(250, true));
    expect(await hash()).toBe(hash250);
    await probe((crowd) => crowd.seek(600, true));
    expect(await hash()).toBe(hash600);
    // A command is repeated when the same time is simulated again.
    await probe((crowd) => crowd.select(crowd.ids[3]));
    await page.locator('.crowd-selected button:has-text("Stop")').press('Enter');
    await probe((crowd) => crowd.step(60));
    const hash660 = await hash();
    await probe((crowd) => crowd.seek(100, true));
    await probe((crowd) => crowd.seek(660, true));
    expect(await hash()).toBe(hash660);
  });

  it('is saved with the changes only; its agents return after a rebake', async () => {
    const input = page.locator('[data-setting="cellSize"] input').last();
    await page.click('#tab-settings');
    await input.fill('0.2');
    await input.press('Enter');
    await idle(page);
    expect(await probe((crowd) => crowd.ids.length)).toBeGreaterThan(20);
    expect(await probe((crowd) => crowd.tick)).toBe(0);
    await page.click('[data-menu=save]');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('.menu-item:has-text("Levels, targets and agents")'),
    ]);
    expect(download.suggestedFilename()).toBe('town.yaml');
    expect(readFileSync(await download.path(), 'utf8')).toBe(town.replace('cellSize: 0.175', 'cellSize: 0.2'));
  });

  it('reports mistakes with line and column, and missing levels by name', async () => {
    const bytes = new TextEncoder().encode(town.replace('respawn: nearest', 'respawn: nearst'));
    await drop(page, [
      { name: 'town.yaml', bytes },
      { name: 'town.obj', bytes: example('town.obj') },
    ]);
    expect(await messages()).toMatch(/town\.yaml:\d+:10 respawn/);
    await drop(page, [{ name: 'town.yaml', bytes: example('town.yaml') }]);
    expect(await messages()).toMatch(
      /town\.yaml:7:5 levels\[0\] \(town\.obj\): the file is missing; drop it together with the scene\./,
    );
  });
});
