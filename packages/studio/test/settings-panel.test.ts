/** The settings panel: Basic and Advanced, presets, the drawing of the agent, names. */
import { buildNavMesh, optionsFromSettings } from 'navkiln/build';
import type { BuildSettings } from 'navkiln/build';
import { findLevelScene } from 'navkiln-scenes';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { AGENT_PRESETS, isPreset, precisionPresets, withPreset } from '../src/state/presets.ts';
import { FIELDS, deriveConfig, helpOf, labelOf, nameOf } from '../src/state/settings.ts';
import { idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await startStudio();
  page = await studio.show('#scene=courtyard');
});
afterAll(() => studio?.close());
afterEach(() => studio.check());

const shown = (): Promise<string[]> =>
  page.$$eval('[data-setting]', (rows) =>
    rows.filter((row) => row.checkVisibility()).map((row) => row.getAttribute('data-setting')!),
  );

it('Basic shows few settings and those that were changed, Advanced shows all', async () => {
  const basic = ['agent.radius', 'agent.height', 'agent.maxClimb', 'agent.maxSlopeDegrees', 'cellSize', 'tileSize'];
  expect(await shown()).toEqual(basic);
  await page.click('.settings-level .button:has-text("Advanced")');
  const all = await shown();
  expect(all.length).toBeGreaterThan(18);
  const field = page.locator('[data-setting=regionMinArea] input');
  await field.fill('3');
  await field.press('Enter');
  await page.click('.settings-level .button:has-text("Basic")');
  expect(await shown()).toEqual([...basic, 'regionMinArea']);
  // The link is written a moment after the change.
  await page.waitForFunction(() => location.hash.includes('regionMinArea'));
  await page.reload();
  await idle(page);
  expect(await shown()).toEqual([...basic, 'regionMinArea']);
  await page.keyboard.press('Control+z');
});

it('a preset sets the agent, is shown while it holds, and the drawing follows', async () => {
  await page.selectOption('[data-preset=agent]', 'Person');
  await idle(page);
  const { create, options } = findLevelScene('courtyard');
  const person = AGENT_PRESETS.find(({ title }) => title === 'Person')!;
  const settings = await page.evaluate(() => globalThis.studio!.state().settings);
  const { agent } = settings;
  expect(agent).toEqual(person.settings.agent);
  const { regionMinArea: _min, ...others } = settings;
  const wanted = buildNavMesh(create(), optionsFromSettings({ ...(options as BuildSettings), ...others, ...settings }))
    .report.counts.polygons;
  expect(await page.evaluate(() => globalThis.studio!.state().mesh!.report!.counts.polygons)).toBe(wanted);
  expect(await page.inputValue('[data-preset=agent]')).toBe('Person');
  expect(await page.$$eval('.agent-diagram text', (all) => all.map((one) => one.textContent))).toEqual([
    '1.8',
    '0.3',
    '0.4',
    '45°',
  ]);
  const field = page.locator('[data-setting="agent.height"] input');
  await field.focus();
  expect(await page.$$eval('.is-marked', (all) => all.map((one) => one.getAttribute('data-part')))).toEqual([
    'agent.height',
  ]);
  await field.fill('2');
  await field.press('Enter');
  expect(await page.inputValue('[data-preset=agent]')).toBe('');
});

it('presets are settings that can be baked', () => {
  for (const preset of [...AGENT_PRESETS, ...precisionPresets(0.3)]) {
    const settings = withPreset({ agent: { radius: 0.2 }, cellSize: 0.5 }, preset);
    expect(isPreset(settings, preset), preset.title).toBe(true);
    expect(deriveConfig(settings), preset.title).toBeDefined();
  }
});

it('a plain name keeps the one in code in its tooltip', () => {
  const climb = FIELDS.find((field) => nameOf(field) === 'agent.maxClimb')!;
  expect(labelOf(climb)).toBe('step height');
  expect(helpOf(climb)).toContain('In Recast: walkableClimb. In code: agent.maxClimb.');
  const labels = FIELDS.map(labelOf);
  expect(new Set(labels).size).toBe(labels.length);
});
