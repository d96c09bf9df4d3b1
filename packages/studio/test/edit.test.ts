/** Edits: the incremental bake compared with a full bake, and the edit tools in Chromium. */
import { mkdirSync } from 'node:fs';
import { getLink, listLinks } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { findLevelScene } from 'navkiln-scenes';
import { validateNavMesh } from 'navkiln/debug';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TaskContext } from '../src/bake/context.ts';
import { bakeEdited, changedOf } from '../src/bake/edit-bake.ts';
import { readSettingsText, settingsText } from '../src/files/settings-text.ts';
import { partTriangles } from '../src/state/parts.ts';
import { createState, hasTile } from '../src/state/state.ts';
import type { LevelPart } from '../src/state/state.ts';
import type { LevelEdits } from '../src/state/state.ts';
import { convexHull } from '../src/tools/edit/volume-shape.ts';
import { idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';

function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

/** Returns the content of each tile, independent of the order in which tiles were added. */
function tilesOf(mesh: NavMesh): Map<string, string> {
  const found = new Map<string, string>();
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    const polys: string[] = [];
    const first = mesh.tilePolyStart[slot];
    for (let poly = first; poly < first + mesh.tilePolyCount[slot]; poly++) {
      const corners: number[] = [];
      const edge = mesh.polyEdgeStart[poly];
      for (let k = edge; k < edge + mesh.polyVertexCount[poly]; k++) {
        const at = 3 * mesh.edgeVertex[k];
        corners.push(...mesh.vertices.subarray(at, at + 3));
      }
      polys.push(`${mesh.polyArea[poly]} ${mesh.polyFlags[poly]} ${corners.join(' ')}`);
    }
    found.set(`${mesh.tileX[slot]},${mesh.tileZ[slot]}`, polys.join('\n'));
  }
  return found;
}

const linksOf = (mesh: NavMesh): unknown[] =>
  listLinks(mesh).map((ref) => {
    const { start, end, bothWays, area } = getLink(mesh, ref)!;
    return { start, end, bothWays, area };
  });

const contextOf = (): TaskContext => ({
  onProgress: () => undefined,
  polite: false,
  held: undefined,
  baked: undefined,
});
const NOTHING: LevelEdits = { seeds: [], tiles: undefined, parts: [] };

describe('edits in the worker', () => {
  const scene = findLevelScene('slope-limits');
  const { positions, indices } = scene.create();
  const level = { id: 1, positions, indices };
  const min = [0, 1, 2].map((k) => Math.min(...positions.filter((_, i) => i % 3 === k)));
  const max = [0, 1, 2].map((k) => Math.max(...positions.filter((_, i) => i % 3 === k)));

  it('give the mesh of a full bake, in any order', async () => {
    const seed = 20261121;
    const random = randomOf(seed);
    const within = (k: number): number => min[k] + random() * (max[k] - min[k]);
    const context = contextOf();
    let options = { ...scene.options, tileSize: 5, volumes: [] as object[], links: [] as object[] };
    let edits: LevelEdits = NOTHING;
    const before: { options: typeof options; edits: LevelEdits }[] = [];
    let rebuilt = 0,
      baked = 0,
      all = 0;
    for (let round = 0; round < Number(process.env['NAVKILN_EDITS'] ?? 14); round++) {
      const kind = random();
      before.push({ options, edits });
      if (round > 3 && kind < 0.2) ({ options, edits } = before[Math.floor(random() * before.length)]);
      else if (kind < 0.45) {
        const [x, z, size] = [within(0), within(2), 0.5 + 2 * random()];
        const volume = {
          type: 'box',
          area: Math.floor(5 * random()),
          min: [x, min[1], z],
          max: [x + size, max[1], z + size],
        };
        options = { ...options, volumes: random() < 0.3 ? options.volumes.slice(1) : [...options.volumes, volume] };
      } else if (kind < 0.6) {
        const link = {
          start: [within(0), 0, within(2)],
          end: [within(0), 0, within(2)],
          bothWays: random() < 0.5,
          radius: 2,
        };
        options = { ...options, links: random() < 0.3 ? [] : [...options.links, link] };
      } else if (kind < 0.75) {
        const except = Array.from({ length: 3 }, () => [Math.floor(6 * random()), Math.floor(3 * random())] as const);
        edits = { ...edits, tiles: random() < 0.3 ? undefined : { all: random() < 0.7, except } };
      } else {
        const part: LevelPart = {
          id: round,
          shape: (['box', 'ramp', 'stairs'] as const)[round % 3],
          position: [within(0), 0, within(2)],
          rotation: [0, 360 * random(), 0],
          scale: [2, 1.5, 3],
        };
        edits = { ...edits, parts: [...edits.parts, part] };
      }
      const own = await bakeEdited(level, options as never, edits, context);
      const fresh = await bakeEdited(level, options as never, edits, contextOf());
      const label = `seed ${seed}, round ${round}`;
      expect(validateNavMesh(own.navMesh), label).toEqual([]);
      expect(tilesOf(own.navMesh), label).toEqual(tilesOf(fresh.navMesh));
      expect(linksOf(own.navMesh), label).toEqual(linksOf(fresh.navMesh));
      const { polygons, tiles } = own.report.counts;
      expect([polygons, tiles], label).toEqual([
        own.navMesh.polyCount - holesOf(own.navMesh),
        tilesOf(own.navMesh).size,
      ]);
      const { tileCountX, tileCountZ } = own.report.config;
      if (own.rebuilt !== undefined) {
        rebuilt++;
        baked += own.rebuilt.length;
        all += tileCountX * tileCountZ;
      }
    }
    console.log(`edits: ${rebuilt} of the rounds baked ${baked} of ${all} tiles`);
    expect(rebuilt).toBeGreaterThan(6);
    expect(baked).toBeLessThan(all / 2);
  });

  /** Returns the number of polygon slots that no tile uses. */
  function holesOf(mesh: NavMesh): number {
    let used = 0;
    for (let slot = 0; slot < mesh.tileSlotCount; slot++)
      if (mesh.tileState[slot] === 1) used += mesh.tilePolyCount[slot];
    return mesh.polyCount - used;
  }

  it('rebuild only the tiles that they touch', async () => {
    const context = contextOf();
    const options = { ...scene.options, tileSize: 5 };
    const first = await bakeEdited(level, options, NOTHING, context);
    expect(first.rebuilt).toBeUndefined();
    const [x, z] = [min[0] + 7.5, min[2] + 7.5];
    const volume = { type: 'cylinder' as const, area: 3, center: [x, min[1], z], radius: 1, height: 20 };
    const second = await bakeEdited(level, { ...options, volumes: [volume] }, NOTHING, context);
    expect(second.rebuilt).toEqual([[1, 1]]);
    const third = await bakeEdited(
      level,
      { ...options, volumes: [volume] },
      { ...NOTHING, seeds: [[x, 0, z]] },
      context,
    );
    expect(third.rebuilt).toEqual([]);
    const [a, b] = [tilesOf(first.navMesh), tilesOf(second.navMesh)];
    expect([...a.keys()].filter((key) => a.get(key) !== b.get(key))).toEqual(['1,1']);
    const back = await bakeEdited(level, options, NOTHING, context);
    expect(tilesOf(back.navMesh)).toEqual(a);
    expect((await bakeEdited(level, { ...options, cellSize: 0.4 }, NOTHING, context)).rebuilt).toBeUndefined();
  });

  it('find the changed items between the common ends of two lists', () => {
    expect(changedOf([1, 2, 3], [1, 2, 3])).toEqual([]);
    expect(changedOf([1, 2, 3], [1, 3])).toEqual([2]);
    expect(changedOf([1, 2], [1, 5, 2])).toEqual([5]);
    expect(changedOf([1, 2], [2, 1])).toEqual([1, 2, 2, 1]);
    expect(changedOf([1, 1], [1])).toEqual([1]);
    expect([
      hasTile(undefined, 1, 2),
      hasTile({ all: true, except: [[1, 2]] }, 1, 2),
      hasTile({ all: false, except: [[1, 2]] }, 1, 2),
    ]).toEqual([true, false, true]);
  });

  it.each(['box', 'ramp', 'stairs'] as const)('a %s fits the unit cube and has outward faces', (shape) => {
    const points = partTriangles({ id: 1, shape, position: [0, 0, 0], rotation: [0, 0, 0], scale: [1, 1, 1] });
    let volume = 0;
    for (let i = 0; i < points.length; i += 9) {
      const [a, b, c] = [0, 3, 6].map((k) => [...points.subarray(i + k, i + k + 3)]) as [number[], number[], number[]];
      volume +=
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    // The missing bottom at y = 0 adds nothing to the volume.
    expect(volume / 6).toBeCloseTo({ box: 1, ramp: 0.5, stairs: 0.6 }[shape], 9);
    expect([Math.min(...points), Math.max(...points)]).toEqual([-0.5, 1]);
  });

  it('make outlines convex', () => {
    expect(
      convexHull([
        [0, 0],
        [4, 0],
        [2, 1],
        [4, 4],
        [0, 4],
        [2, 2],
      ]),
    ).toEqual([
      [0, 0],
      [4, 0],
      [4, 4],
      [0, 4],
    ]);
  });

  it('survive a round trip through the settings file', async () => {
    const part: LevelPart = { id: 3, shape: 'ramp', position: [1, 0, 2.5], rotation: [0, 45, 0], scale: [2, 1, 3] };
    const edits = {
      volumes: [
        {
          type: 'prism' as const,
          area: 2,
          outline: [
            [0, 0],
            [1, 0],
            [1, 1],
          ],
          minY: -1,
          maxY: 2,
        },
      ],
      links: [],
      seeds: [[1, 2, 3] as const],
      tiles: { all: true, except: [[0, 1] as const] },
      parts: [part],
    };
    const text = await settingsText({ ...createState(), edits, settings: { tileSize: 8 } });
    expect(readSettingsText(text, 'x.yaml')).toMatchObject({ edits, settings: { tileSize: 8 } });
    expect(readSettingsText(text.replace('#studio {', '#studio {{'), 'x.yaml').edits.seeds).toEqual([]);
  });
});

describe('edits in the page', () => {
  let studio: Studio;
  beforeAll(async () => (studio = await startStudio()));
  afterAll(() => studio?.close());
  afterEach(() => studio.check());

  /** In a large window the card covers less of the view. */
  const big = {
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: process.env['NAVKILN_PICTURES'] === undefined ? 0.4 : 1,
  };

  async function picture(page: Page, name: string): Promise<void> {
    const folder = process.env['NAVKILN_PICTURES'];
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: `${folder}/${name}.png` });
  }

  const project = async (page: Page, point: readonly number[]): Promise<[number, number]> =>
    (await page.evaluate((p) => globalThis.studio!.project(p), point as [number, number, number]))!;
  const clickAt = async (page: Page, point: readonly number[], modifiers: 'Shift'[] = []): Promise<void> => {
    const [x, y] = await project(page, point);
    for (const key of modifiers) await page.keyboard.down(key);
    await page.mouse.click(x, y);
    for (const key of modifiers) await page.keyboard.up(key);
    await idle(page);
  };
  const tool = <T>(page: Page): Promise<T> => page.evaluate(() => globalThis.studio!.tool() as T);
  /** Counts polygons by area, and those with flags of 0. */
  const areas = (page: Page): Promise<Record<string, number>> =>
    page.evaluate(() => {
      const { navMesh } = globalThis.studio!.state().mesh!;
      const found: Record<string, number> = {};
      for (let slot = 0; slot < navMesh.tileSlotCount; slot++) {
        if (navMesh.tileState[slot] !== 1) continue;
        const first = navMesh.tilePolyStart[slot];
        for (let poly = first; poly < first + navMesh.tilePolyCount[slot]; poly++) {
          const key = navMesh.polyFlags[poly] === 0 ? 'closed' : `${navMesh.polyArea[poly]}`;
          found[key] = (found[key] ?? 0) + 1;
        }
      }
      return found;
    });
  const rebuilt = (page: Page): Promise<[number, number][] | undefined> =>
    page.evaluate(() => globalThis.studio!.state().mesh!.rebuilt as [number, number][] | undefined);
  const drag = async (page: Page, from: readonly number[], to: readonly number[]): Promise<void> => {
    const [x, y] = await project(page, from),
      [u, v] = await project(page, to);
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let i = 1; i <= 4; i++) await page.mouse.move(x + ((u - x) * i) / 4, y + ((v - y) * i) / 4);
    await page.mouse.up();
    await idle(page);
  };
  /** A visible point on the floor. */
  const [cx, cz] = [11, 1.5];

  it('area: clicks add a volume, a drag moves it, undo restores it; only its tiles are rebuilt', async () => {
    const page = await studio.open('#scene=slope-limits&tileSize=5&tool=volume&camera=15,26,-12,15,0,7', big);
    const before = await areas(page);
    const corners = [
      [cx, 0, cz],
      [cx + 3, 0, cz],
      [cx + 3, 0, cz + 3],
      [cx, 0, cz + 3],
    ];
    for (const corner of corners) await clickAt(page, corner);
    expect(await tool<{ draft: number }>(page)).toMatchObject({ draft: 4, volumes: 0 });
    await clickAt(page, corners[0]);
    expect(await tool(page)).toMatchObject({ draft: 0, volumes: 1, selected: 0 });
    const first = await areas(page);
    expect(first['2']).toBeGreaterThan(0);
    expect(before['2']).toBeUndefined();
    expect((await rebuilt(page))!.length).toBeLessThanOrEqual(4);
    await picture(page, 'edit-volume');
    const {
      middles: [middle],
    } = await tool<{ middles: number[][] }>(page);
    await drag(page, middle!, [middle![0] + 5, middle![1], middle![2]]);
    const moved = await page.evaluate(
      () => globalThis.studio!.state().edits.volumes[0] as unknown as { outline: number[][] },
    );
    expect(Math.min(...moved.outline.map(([x]) => x!))).toBeGreaterThan(cx + 1);
    await page.keyboard.press('Control+z');
    await idle(page);
    expect(await areas(page)).toEqual(first);
    await page.keyboard.press('Control+z');
    await idle(page);
    expect(await areas(page)).toEqual(before);
    expect(await page.evaluate(() => globalThis.studio!.state().edits.volumes.length)).toBe(0);
    await page.context().close();
  });

  it('link: two clicks add it, Shift-click removes it', async () => {
    const page = await studio.open('#scene=slope-limits&tileSize=5&camera=15,26,-12,15,0,7&tool=link', big);
    await clickAt(page, [cx, 0, cz]);
    await clickAt(page, [8.25, 2.31, 12]);
    const mesh = await page.evaluate(() => globalThis.studio!.state().edits.links);
    expect(mesh).toMatchObject([{ bothWays: true, area: 63 }]);
    expect(await rebuilt(page)).toEqual([]);
    const links = (): Promise<number> =>
      page.evaluate(() => globalThis.studio!.layers().find(({ id }) => id === 'links')!.lines);
    expect(await links()).toBe(12);
    await picture(page, 'edit-link');
    await clickAt(page, [cx, 0, cz], ['Shift']);
    expect(await links()).toBe(0);
    await page.context().close();
  });

  it('prune removes polygons that cannot be reached', async () => {
    const page = await studio.open('#scene=slope-limits&tileSize=5&camera=15,26,-12,15,0,7&tool=prune', big);
    await clickAt(page, [15, 0, 2]);
    const { lost, kept } = await tool<{ lost: number; kept: number }>(page);
    expect(lost).toBeGreaterThan(0);
    expect(kept).toBeGreaterThan(0);
    expect((await page.evaluate(() => globalThis.studio!.toolCounts())).triangles).toBeGreaterThanOrEqual(lost);
    await picture(page, 'edit-prune');
    await page.click('.card button:has-text("Prune")');
    await idle(page);
    expect((await areas(page))['closed']).toBe(lost);
    await page.keyboard.press('Control+z');
    await idle(page);
    expect((await areas(page))['closed']).toBeUndefined();
    await page.context().close();
  });

  it('tiles: remove all, bake one, remove one', async () => {
    const page = await studio.open('#scene=slope-limits&camera=15,26,-12,15,0,7&tool=tiles', big);
    await page.click('.card button:has-text("Divide")');
    await idle(page);
    const tiles = (): Promise<number> =>
      page
        .evaluate(() => globalThis.studio!.state().mesh!.report!.counts)
        .then((counts) => (counts as { tiles: number }).tiles);
    const all = await tiles();
    expect(all).toBeGreaterThan(3);
    await clickAt(page, [cx, 0, cz], ['Shift']);
    expect([await tiles(), await rebuilt(page)]).toEqual([all - 1, []]);
    await picture(page, 'edit-tiles');
    await page.keyboard.press('y');
    await idle(page);
    await clickAt(page, [cx, 0, cz]);
    expect(await page.evaluate(() => globalThis.studio!.text('tool'))).toMatch(/tile \d, 0 was removed/);
    await page.keyboard.press('i');
    await idle(page);
    await page.click('.card button:has-text("Remove all")');
    await idle(page);
    expect(await tiles()).toBe(0);
    expect(await areas(page)).toEqual({});
    await clickAt(page, [cx, 0, cz]);
    expect([await tiles(), (await rebuilt(page))!.length]).toEqual([1, 1]);
    await page.click('.card button:has-text("Bake all")');
    await idle(page);
    expect(await tiles()).toBe(all);
    await page.context().close();
  });

  it('shapes: add, move by the gizmo, delete', async () => {
    const page = await studio.open('#scene=slope-limits&tileSize=5&camera=15,26,-12,15,0,7&tool=parts', big);
    const before = await areas(page);
    await page.click('.card button:has-text("Box")');
    await clickAt(page, [cx + 1, 0, cz + 1]);
    const put = await tool<{ parts: LevelPart[]; selected: number }>(page);
    expect(put).toMatchObject({ selected: 1, parts: [{ shape: 'box', scale: [2, 1, 2] }] });
    expect(await page.evaluate(() => globalThis.studio!.layers().find(({ id }) => id === 'parts')!.triangles)).toBe(10);
    const there = await areas(page);
    expect(there).not.toEqual(before);
    await picture(page, 'edit-parts');
    // The red arrow is on the x axis, a little away from the center.
    const {
      position: [x, y, z],
    } = put.parts[0];
    const at = await project(page, [x, y, z]);
    const on = await project(page, [x + 1, y, z]);
    const length = Math.hypot(on[0] - at[0], on[1] - at[1]);
    const along = (pixels: number): [number, number] => [
      at[0] + ((on[0] - at[0]) * pixels) / length,
      at[1] + ((on[1] - at[1]) * pixels) / length,
    ];
    let start: [number, number] | undefined;
    for (let pixels = 20; pixels < 120 && start === undefined; pixels += 6) {
      await page.mouse.move(...along(pixels));
      if ((await tool<{ axis: string | null }>(page)).axis === 'X') start = along(pixels);
    }
    expect(start).toBeDefined();
    await page.mouse.move(...start!);
    await page.mouse.down();
    await page.mouse.move(start![0] + 2 * (on[0] - at[0]), start![1] + 2 * (on[1] - at[1]), { steps: 4 });
    await page.mouse.up();
    await idle(page);
    const {
      parts: [moved],
    } = await tool<{ parts: LevelPart[] }>(page);
    expect(moved!.position[0]).toBeGreaterThan(x + 1);
    expect([moved!.position[1], moved!.position[2]]).toEqual([expect.closeTo(y, 3), expect.closeTo(z, 3)]);
    expect((await rebuilt(page))!.length).toBeLessThan(8);
    await page.keyboard.press('Control+z');
    await idle(page);
    expect((await tool<{ parts: LevelPart[] }>(page)).parts).toEqual(put.parts);
    await page.click('.card button:has-text("Delete")');
    await idle(page);
    expect((await tool<{ parts: LevelPart[] }>(page)).parts).toEqual([]);
    expect(await areas(page)).toEqual(before);
    await page.context().close();
  });
});
