/** Agent types in the studio: the panel of the bake, the path tool, the view, the crowd, links and saved settings. */
import { createAgentTypes, findPath, loadNavMesh, saveNavMesh, typeFilter } from 'navkiln';
import { findLevelScene } from 'navkiln-scenes';
import { buildNavMesh, createAgentSizes } from 'navkiln/build';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readScene } from '../src/bake/read-scene.ts';
import { readSettingsText, settingsText } from '../src/files/settings-text.ts';
import { newSceneText } from '../src/files/scene-text.ts';
import { fitsType, withTypes } from '../src/state/agent-types.ts';
import { nextType, readFlags } from '../src/state/type-edits.ts';
import { deriveConfig } from '../src/state/settings.ts';
import { createState } from '../src/state/state.ts';
import type { LevelData } from '../src/state/state.ts';
import { viewCode } from '../src/code/view-code.ts';
import { axeFaults, loadAxe } from './axe.ts';
import { idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';

const courtyard = findLevelScene('courtyard');
const { from, to } = courtyard.path as { from: number[]; to: number[] };
const TYPES = [
  { name: 'human', radius: 0.3, height: 1.8 },
  {
    name: 'ogre',
    radius: 0.9,
    height: 2,
    areaCosts: { 7: 2.5 },
    closedAreas: [5],
    includeFlags: 0xff,
    excludeFlags: 2,
    closedLinks: ['climb' as const],
  },
];
const HASH = `#scene=courtyard&agentTypes=${encodeURIComponent(JSON.stringify(TYPES))}`;

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await startStudio();
});
afterAll(() => studio?.close());
afterEach(() => studio.check());

const typesNow = (): Promise<unknown> => page.evaluate(() => globalThis.studio!.state().settings.agentTypes);
const sizesNow = (): Promise<string[]> =>
  page.evaluate(() => globalThis.studio!.state().mesh!.navMesh.sizes.map(({ name }) => name));

it('settings with types are saved as YAML and as scenes, read again, and derive cells from the smallest', async () => {
  const settings = { ...withTypes({ agent: { radius: 1, height: 3, maxClimb: 0.3 } }, TYPES), cellHeight: 0.1 };
  expect(settings).toEqual({ agent: { maxClimb: 0.3 }, agentTypes: TYPES, cellHeight: 0.1 });
  expect(deriveConfig(settings)?.agent.radius).toBe(0.3);
  const text = await settingsText({ ...createState(), settings });
  expect(readSettingsText(text, 'settings.yaml').settings).toEqual(settings);
  const scene = newSceneText({ ...createState(), source: { kind: 'scene', name: 'courtyard' }, settings });
  const read = await readScene({ name: 'a.yaml', bytes: new TextEncoder().encode(scene) }, [], () => {
    throw new Error('there is no file');
  });
  expect(read.settings).toEqual(settings);
});

it('the code of the bake has the types', () => {
  const state = { ...createState(), settings: { cellSize: 0.2, agentTypes: TYPES }, level: {} as LevelData };
  const code = viewCode(state, 'look', undefined);
  expect(code).toContain("import { buildNavMesh, createAgentSizes } from 'navkiln/build';");
  const options = /buildNavMesh\(\{ positions, indices \}, ([^;]*)\);/s.exec(code)![1];
  // oxlint-disable-next-line no-new-func -- the options as the page shows them
  const made = new Function('createAgentSizes', `return (${options});`)((list: unknown) => ({ list }));
  expect(made).toEqual({ cellSize: 0.2, sizes: { list: TYPES } });
});

it('names and flags are made and read', () => {
  const person = { radius: 0.4, height: 1.8 };
  const first = nextType([], person);
  expect([first, nextType([first], person)]).toEqual([
    { name: 'small', ...person },
    { name: 'large', radius: 0.8, height: 1.8 },
  ]);
  expect(nextType([{ ...first, name: 'large' }], person).name).toBe('huge');
  const shared = nextType([{ ...first, maxClimb: 0.2, closedAreas: [3] }], person, true);
  expect(shared).toEqual({ name: 'type 1', ...person, maxClimb: 0.2 });
  expect([readFlags('0xFF'), readFlags(' 12 '), readFlags('65536'), readFlags('x'), readFlags('-1')]).toEqual([
    255,
    12,
    undefined,
    undefined,
    undefined,
  ]);
});

describe('the panel of agent types', () => {
  it('adds, renames, changes, undoes and removes types by keyboard, and the mesh follows', async () => {
    page = await studio.show('#scene=courtyard');
    const focus = (label: string): Promise<void> => page.getByLabel(label, { exact: true }).focus();
    await page.click('summary:has-text("Agent types")');
    await page.getByRole('button', { name: 'Add agent type' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Add agent type' }).focus();
    await page.keyboard.press('Enter');
    await idle(page);
    expect(await sizesNow()).toEqual(['small', 'large']);
    expect(await page.locator('[data-setting="agent.radius"]').isVisible()).toBe(false);
    const type = async (label: string, text: string): Promise<void> => {
      await focus(label);
      await page.keyboard.press('Control+a');
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    };
    await type('name of agent type 2', 'ogre');
    await type('radius of ogre', '0,9');
    await type('max slope of ogre', '30');
    await page.focus('[data-type=ogre] .type-rules summary');
    await page.keyboard.press('Enter');
    const add = async (area: string): Promise<void> => {
      await type('further area of ogre', area);
      await focus('Add area to ogre');
      await page.keyboard.press('Enter');
    };
    await add('5');
    await add('7');
    await focus('Area 5 is open to ogre');
    await page.keyboard.press('Space');
    expect(await page.getByLabel('cost of Area 5 for ogre', { exact: true }).isDisabled()).toBe(true);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Area 5 is open to ogre',
    );
    await type('cost of Area 7 for ogre', '2,5');
    for (const kind of ['climbs', 'other links']) {
      await focus(`${kind} are open to ogre`);
      await page.keyboard.press('Space');
    }
    await type('required flags of ogre', '0xff');
    await type('excluded flags of ogre', '2');
    await idle(page);
    const { agent } = courtyard.options as { agent: { radius: number; height: number } };
    const ogre = {
      name: 'ogre',
      radius: 0.9,
      height: agent.height,
      areaCosts: { 7: 2.5 },
      closedAreas: [5],
      closedLinks: ['other', 'climb'],
      includeFlags: 0xff,
      excludeFlags: 2,
      maxSlopeDegrees: 30,
    };
    expect(await typesNow()).toEqual([{ name: 'small', radius: agent.radius, height: agent.height }, ogre]);
    expect(await sizesNow()).toEqual(['small', 'ogre']);
    await type('name of agent type 2', 'small');
    expect(await page.textContent('[data-part=types] [role=status]')).toBe('The name "small" is taken.');
    await type('required flags of ogre', '65536');
    expect(await page.textContent('[data-part=types] [role=status]')).toContain('Flags are 16 bits');
    expect(await typesNow()).toMatchObject([{}, ogre]);
    const rules = await page.evaluate(() => globalThis.studio!.state().mesh!.navMesh.sizes[1].rules);
    expect(rules).toEqual([0xff, 2, 0, 0b101, 5, 0, 7, 2.5]);
    // What Save writes is read as the same settings, and the command line bakes the same types.
    const settings = await page.evaluate(() => globalThis.studio!.state().settings);
    const text = await settingsText({ ...createState(), settings });
    expect(readSettingsText(text, 'settings.yaml').settings).toEqual(settings);
    await page.locator('body').press('Control+z');
    expect(await typesNow()).toMatchObject([{}, { includeFlags: 0xff }]);
    await page.getByRole('button', { name: 'Remove agent type ogre' }).click();
    await page.getByRole('button', { name: 'Remove agent type small' }).click();
    await idle(page);
    expect([await typesNow(), await sizesNow()]).toEqual([undefined, []]);
  });
});

describe('a mesh with agent types', () => {
  it('is that of the library, and the path tool asks for the chosen type', async () => {
    page = await studio.show(
      `${HASH}&tool=path&tool.path=${encodeURIComponent(JSON.stringify({ from, to }))}&type=ogre`,
    );
    const bytes = await page.evaluate(() => {
      const { navMesh } = globalThis.studio!.state().mesh!;
      return { sizes: navMesh.sizes, polySizes: [...navMesh.polySizes.subarray(0, navMesh.polyCount)] };
    });
    const options = { ...courtyard.options, agent: {}, sizes: createAgentSizes(TYPES) };
    const { maxClimb, maxSlopeDegrees } = courtyard.options.agent as { maxClimb: number; maxSlopeDegrees: number };
    const { navMesh } = buildNavMesh(courtyard.create(), { ...options, agent: { maxClimb, maxSlopeDegrees } });
    expect(bytes.polySizes).toEqual([...navMesh.polySizes.subarray(0, navMesh.polyCount)]);
    expect(bytes.sizes).toEqual(navMesh.sizes);
    expect(loadNavMesh(saveNavMesh(navMesh)).sizes).toEqual(navMesh.sizes);
    const types = createAgentTypes(navMesh);
    const fits = [...navMesh.polySizes.subarray(0, navMesh.polyCount)].filter((_, poly) =>
      fitsType(types[1], navMesh, poly),
    );
    expect(fits.length).toBeLessThan(navMesh.polyCount);
    const path = findPath(navMesh, from, to, { filter: typeFilter(types, 'ogre') });
    const human = findPath(navMesh, from, to);
    const card = (): Promise<string> => page.textContent('.card') as Promise<string>;
    await page.waitForFunction((wanted) => document.querySelector('.card')?.textContent?.includes(wanted), path.status);
    expect(path.status === 'complete' && path.length === human.length).toBe(false);
    expect(await page.getByLabel('Agent type', { exact: true }).inputValue()).toBe('ogre');
    const code = await page.textContent('.card pre, .card code').catch(() => '');
    if (code !== null && code !== '') expect(code).toContain('typeFilter(createAgentTypes(navMesh), "ogre")');
    await page.getByLabel('Agent type', { exact: true }).selectOption('human');
    await page.waitForFunction(
      (wanted) => document.querySelector('.card')?.textContent?.includes(wanted),
      human.status,
    );
    expect(await card()).not.toContain('none');
    await page.waitForFunction(() => location.hash.includes('type=human'));
    // The link opens the same.
    await page.reload();
    await idle(page);
    expect([await typesNow(), await page.getByLabel('Agent type', { exact: true }).inputValue()]).toEqual([
      TYPES,
      'human',
    ]);
  });

  it.skipIf(process.env['NAVKILN_FULL'] === undefined)('has panels without faults of accessibility', async () => {
    page = await studio.show(`${HASH}&tool=path`);
    await loadAxe(page);
    await page.click('[data-type=ogre] .type-rules summary');
    for (const where of ['.settings', '.card']) expect(await axeFaults(page, where), where).toEqual([]);
    await page.click('[role=tab]:has-text("Layers")');
    expect(await axeFaults(page, '.layers')).toEqual([]);
    await page.getByLabel('Show for', { exact: true }).selectOption('ogre');
    expect(await page.getByLabel('Agent type', { exact: true }).inputValue()).toBe('ogre');
  });

  it('is a 2D map, too: types share its radius, and the mesh and the code have their rules', async () => {
    const types = [
      { name: 'walker', radius: 2, height: 1.8, closedLinks: ['jump'] },
      { name: 'boat', radius: 2, height: 1.8 },
    ];
    page = await studio.show(`#scene=lakes-map&agentTypes=${encodeURIComponent(JSON.stringify(types))}&tool=path`);
    const rulesNow = (): Promise<unknown> =>
      page.evaluate(() => globalThis.studio!.state().mesh!.navMesh.sizes.map(({ name, rules }) => [name, ...rules]));
    expect(await rulesNow()).toEqual([['walker', 0xffff, 0, 0, 16], ['boat']]);
    const radius = page.getByLabel('radius of boat', { exact: true });
    expect(await page.getByLabel('height of boat', { exact: true }).count()).toBe(0);
    await radius.fill('3');
    await radius.press('Enter');
    await idle(page);
    await page.click('[data-type=boat] .type-rules summary');
    await page.getByLabel('Ground is open to boat', { exact: true }).click();
    await idle(page);
    expect(await typesNow()).toMatchObject([{ radius: 3 }, { radius: 3, closedAreas: [63] }]);
    expect(await rulesNow()).toEqual([
      ['walker', 0xffff, 0, 0, 16],
      ['boat', 0xffff, 0, 63, 0],
    ]);
    expect(await page.evaluate(() => globalThis.studio!.state().mesh!.navMesh.agent.radius)).toBe(3);
    const state = await page.evaluate(() => globalThis.studio!.state());
    const code = viewCode(state, 'look', undefined);
    expect(code).toContain('setAgentTypes(navMesh, [');
    expect(code).toContain("{ name: 'walker', closedLinks: ['jump'] }");
    await page.getByLabel('Agent type', { exact: true }).selectOption('boat');
    await page.waitForFunction(() => document.querySelector('.card')?.textContent?.includes('none'));
  });

  it('has agents of each type in the crowd', async () => {
    page = await studio.show(`${HASH}&tool=crowd`);
    await page.click('.card summary:has-text("Parameters")');
    await page.getByLabel('agent type', { exact: true }).selectOption('ogre');
    expect(await page.getByLabel('radius', { exact: false }).last().inputValue()).toBe('0.9');
  });

  it('refuses damaged types in a link with a message', async () => {
    page = await studio.show('#scene=courtyard&agentTypes=[{"name":"a","radius":-1,"height":2}]');
    await page.waitForFunction(() => document.body.textContent?.includes('The agent types in the link are damaged'));
    expect(await typesNow()).toBeUndefined();
  });
});
