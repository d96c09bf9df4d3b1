/** The stages tool and "why not?" in Chromium, compared with the library's own records. */
import { mkdirSync } from 'node:fs';
import { findLevelScene, findMapScene } from 'navkiln-scenes';
import { buildNavMesh, prepareTiles } from 'navkiln/build';
import { explainPosition, recordStages, stageDrawings } from 'navkiln/debug';
import { buildFromPolygons } from 'navkiln/polygon';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';

/** `npm run soak` sets NAVKILN_FULL. */
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;

let studio: Studio;
beforeAll(async () => (studio = await startStudio({ draws: true })));
afterAll(() => studio?.close());
afterEach(() => studio.check());

interface Seen {
  stage: string;
  counts: Record<string, number>;
  note: string;
  tile?: [number, number];
  stages: string[];
}

const seen = (page: Page): Promise<Seen> => page.evaluate(() => globalThis.studio!.tool() as Seen);
const counts = (page: Page): Promise<{ triangles: number; lines: number }> =>
  page.evaluate(() => globalThis.studio!.toolCounts());
const text = (page: Page): Promise<string> => page.evaluate(() => globalThis.studio!.text('tool'));

/** Writes screenshots to the folder NAVKILN_PICTURES. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['NAVKILN_PICTURES'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png` });
}

/** Returns the number of triangles and lines of a list of debug geometry. */
function sizeOf(lists: readonly { kind: string; positions: Float32Array; indices?: Uint32Array }[]): {
  triangles: number;
  lines: number;
} {
  const size = { triangles: 0, lines: 0 };
  for (const { kind, positions, indices } of lists) {
    if (kind === 'lines') size.lines += positions.length / 6;
    else size.triangles += (indices?.length ?? positions.length / 3) / 3;
  }
  return size;
}

/** In a large window the card covers less of the view. */
const big = { width: 1280, height: 800 };

describe('stages', () => {
  it.runIf(IS_FULL)('draw the debug geometry of the library for each stage; [ and ] step', async () => {
    const name = process.env['NAVKILN_PICTURES'] === undefined ? 'slope-limits' : 'dungeon';
    // The tool remembers its stage, also that of tests before this one.
    const page = await studio.show(`#scene=${name}&tool=stages&tool.stages={"stage":"triangles"}`, big);
    const scene = findLevelScene(name);
    const records = recordStages(prepareTiles(scene.create(), scene.options));
    const { navMesh } = buildNavMesh(scene.create(), scene.options);
    const ids = stageDrawings.listStages().map(({ id }) => id);
    expect((await seen(page)).stages).toEqual(ids);
    for (const [number, id] of ids.entries()) {
      const view = stageDrawings.viewStage(records, id, { navMesh });
      const { stage, counts: shown } = await seen(page);
      expect(stage).toBe(id);
      expect(shown).toEqual(view.counts);
      expect(await counts(page), id).toMatchObject(sizeOf(view.lists));
      expect(await text(page)).toContain(`${number + 1} of ${ids.length}: ${view.title}`);
      await picture(page, `stage-${number + 1}-${id}`);
      await page.keyboard.press(']');
      await idle(page);
    }
    // The last stage stays; [ goes back. Mesh layers are hidden, and return with another tool.
    expect((await seen(page)).stage).toBe('links');
    await page.keyboard.press('[');
    await idle(page);
    expect((await seen(page)).stage).toBe('tree');
    expect(await page.evaluate(() => globalThis.studio!.state().solo)).toContain('level');
    await page.waitForFunction(() => location.hash.includes('tool=stages'));
    await page.keyboard.press('v');
    expect(await page.evaluate(() => globalThis.studio!.state().solo)).toBeUndefined();
  });

  it('show the tile that is clicked', async () => {
    const page = await studio.show(
      '#scene=headroom-limits&tileSize=6&tool=stages&tool.stages={"stage":"regions"}',
      big,
    );
    const scene = findLevelScene('headroom-limits');
    const prepared = prepareTiles(scene.create(), { ...scene.options, tileSize: 6 });
    const at = scene.path.to;
    const [x, y] = (await page.evaluate((p) => globalThis.studio!.project(p), at as [number, number, number]))!;
    await page.mouse.click(x, y);
    await idle(page);
    const hit = await page.evaluate((p) => globalThis.studio!.pick(p[0], p[1])!.point, [x, y]);
    const tile = stageDrawings.tileOfPlace(prepared, hit);
    const view = stageDrawings.viewStage(recordStages(prepared, ...tile), 'regions', { center: hit });
    const found = await seen(page);
    expect([found.stage, found.tile, found.counts]).toEqual(['regions', tile, view.counts]);
    expect((await counts(page)).lines).toBe(4);
    await picture(page, 'stage-tile');
  });

  it.runIf(IS_FULL).each(['diagonal', 'delaunay'] as const)('of the map sixteen-corners, mode %s', async (mode) => {
    const name = 'sixteen-corners';
    const page = await studio.open(`#scene=${name}&map.mode=${mode}&agent.radius=0.1&tool=stages`, { viewport: big });
    const scene = findMapScene(name);
    const build = buildFromPolygons(scene.create(), { mode, agent: { radius: 0.1 } });
    for (const { id } of stageDrawings.listMapStages(mode)) {
      const view = stageDrawings.viewMapStage(build, id);
      expect((await seen(page)).stage).toBe(id);
      expect(await counts(page), id).toMatchObject(sizeOf(view.lists));
      await picture(page, `map-${mode}-${id}`);
      await page.keyboard.press(']');
      await idle(page);
    }
    await page.context().close();
  });
});

describe('why not?', () => {
  it('a click shows the stage and the value that decided', async () => {
    const page = await studio.show('#scene=slope-limits&tool=why&camera=21,40,-38,21,1,7', big);
    const scene = findLevelScene('slope-limits');
    const prepared = prepareTiles(scene.create(), scene.options);
    for (const [i, expected] of [
      [1, /Walkable: polygon \d+/],
      [4, /Too steep: slope 46° > 45°/],
      [5, /slope 60° > 45°/],
    ] as const) {
      const rise = [1.4558809, 2.3094011, 3.8627551, 4, 4.1421213, 6.9282032][i];
      const [x, y] = (await page.evaluate((p) => globalThis.studio!.project(p), [i * 5 + 2.25, rise / 2, 8] as [
        number,
        number,
        number,
      ]))!;
      await page.mouse.click(x, y);
      await idle(page);
      expect(await text(page)).toMatch(expected);
      const hit = await page.evaluate((p) => globalThis.studio!.pick(p[0], p[1])!.point, [x, y]);
      const own = explainPosition(recordStages(prepared), hit);
      expect(await page.evaluate(() => globalThis.studio!.tool())).toMatchObject({
        code: own.code,
        stage: own.stage,
        numbers: own.numbers,
      });
      expect((await page.evaluate(() => globalThis.studio!.toolCounts())).points).toBeGreaterThanOrEqual(2);
    }
    await picture(page, 'why');
  });

  it.runIf(IS_FULL)('works for 2D maps', async () => {
    const page = await studio.show('#scene=sixteen-corners&tool=why&agent.radius=0.2', big);
    const bounds = await page.evaluate(() => globalThis.studio!.state().map!.bounds);
    const corner: [number, number, number] = [bounds.min[0] - 1, 0, bounds.min[2] - 1];
    const [x, y] = (await page.evaluate((p) => globalThis.studio!.project(p), corner))!;
    await page.mouse.click(x, y);
    await idle(page);
    expect(await text(page)).toContain('Outside all outlines of the map.');
  });
});
