/** What a user does is never lost: clicks on a tool whose code is still loaded, corners of shapes that are not closed, and holes. */
import { findNearest } from 'navkiln';
import { buildFromPolygons } from 'navkiln/polygon';
import type { PolygonMap } from 'navkiln/polygon';
import { mapScenes } from 'navkiln-scenes';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readEdits } from '../src/files/edits-text.ts';
import { SCENES } from '../src/scenes/table.ts';
import { NO_EDITS } from '../src/state/state.ts';
import { mayStart, ringAt, ringsOf, withNewRing } from '../src/state/map-shapes.ts';
import type { RingKind } from '../src/state/map-shapes.ts';
import { createGestureQueue, endGesture, moveGesture } from '../src/tools/gestures.ts';
import type { Point2 } from '../src/state/map-point.ts';
import type { Tool, ToolPointer } from '../src/tools/tool.ts';
import { idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';

const square = (x: number, y: number, side: number): Point2[] => [
  [x, y],
  [x + side, y],
  [x + side, y + side],
  [x, y + side],
];

describe('new rings', () => {
  const MAP: PolygonMap = {
    polygons: [{ outline: square(0, 0, 20) }],
    layers: [
      { name: 'annex', polygons: [{ outline: square(30, 0, 10), holes: [square(31, 1, 2)] }] },
      { name: 'off', enabled: false, polygons: [{ outline: square(50, 0, 10) }] },
    ],
  };
  const KINDS: RingKind[] = ['outline', 'obstacle', 'area'];

  it('of each kind are added to the map and to each layer, and are where they say', () => {
    for (const layer of [-1, 0, 1]) {
      let map = MAP;
      for (const [i, kind] of [...KINDS, ...KINDS].entries()) {
        const ring = square(2 * i, 5, 1);
        const added = withNewRing(map, kind, ring, layer)!;
        expect(ringAt(added.map, added.at)).toEqual(ring);
        expect(ringsOf(added.map)).toHaveLength(ringsOf(map).length + 1);
        map = added.map;
      }
      const names = ringsOf(map).filter(({ at }) => at.kind === 'area');
      expect(new Set(names.map(({ title }) => title)).size).toBe(2);
    }
  });

  it('that are holes belong to the outline around them, on its layer', () => {
    for (const [x, layer, hole] of [
      [5, -1, 0],
      [35, 0, 1],
    ] as const) {
      // oxfmt-ignore
      const added = withNewRing(MAP, 'hole', square(x, 5, 2))!;
      expect(added.at).toEqual({ kind: 'hole', layer, index: 0, hole });
      expect(ringAt(added.map, added.at)).toEqual(square(x, 5, 2));
      expect(ringsOf(added.map)).toHaveLength(ringsOf(MAP).length + 1);
    }
    // Outside, and in a layer that is off.
    for (const x of [25, 55]) {
      expect(mayStart(MAP, 'hole', [x, 5])).toBe(false);
      expect(withNewRing(MAP, 'hole', square(x, 5, 2))).toBeUndefined();
      expect(mayStart(MAP, 'obstacle', [x, 5])).toBe(true);
    }
  });

  it('that are not closed are read from links, and damaged ones are not', () => {
    const draft = { kind: 'hole', points: [[1, 2]] };
    expect(readEdits(JSON.stringify({ draft })).draft).toEqual(draft);
    for (const bad of [
      {},
      { kind: 'hole', points: [] },
      { kind: 'x', points: [[1, 2]] },
      { kind: 'hole', points: [[1, null]] },
      5,
    ])
      // oxfmt-ignore
      expect(readEdits(JSON.stringify({ draft: bad }))).toEqual(NO_EDITS);
  });
});

describe('what is done while the code of a tool is loaded', () => {
  const at = (x: number): ToolPointer => ({ x, y: 0 }) as ToolPointer;
  const key = (name: string): KeyboardEvent => ({ key: name }) as KeyboardEvent;

  /** A tool that takes presses at positions above 100, and a log of what it receives. */
  function lateTool(): { tool: Tool; log: string[]; load: () => Promise<void> } {
    const log: string[] = [];
    let isReady = false;
    let resolve = (): void => undefined;
    const loading = new Promise<void>((done) => (resolve = done));
    const note =
      (name: string): ((pointer: ToolPointer) => void) =>
      (pointer) =>
        void log.push(`${name} ${pointer.x}`);
    const tool = {
      loading: () => (isReady ? undefined : loading),
      down: (pointer: ToolPointer) => (note('down')(pointer), pointer.x > 100),
      drag: note('drag'),
      up: note('up'),
      click: note('click'),
      key: (event: KeyboardEvent) => (log.push(event.key), true),
    } as unknown as Tool;
    const load = async (): Promise<void> => {
      isReady = true;
      resolve();
      await loading;
    };
    return { tool, log, load };
  }
  const gesture = (queue: ReturnType<typeof createGestureQueue>, tool: Tool, ...xs: number[]): void => {
    const made = queue.press(tool, at(xs[0]));
    for (const x of xs.slice(1, -1)) moveGesture(tool, made, at(x));
    endGesture(tool, made, at(xs.at(-1)!));
  };

  it('reaches it in order, as when the code had been there', async () => {
    const logs: string[][] = [];
    for (const isLate of [true, false]) {
      const { tool, log, load } = lateTool();
      const queue = createGestureQueue(() => tool);
      if (!isLate) await load();
      gesture(queue, tool, 10, 11, 12);
      expect(queue.key(tool, key('Enter'))).toBe(true);
      gesture(queue, tool, 200, 210, 220, 230);
      gesture(queue, tool, 10, 90);
      if (isLate) {
        expect(log).toEqual([]);
        // Shortcuts do not wait.
        expect(queue.key(tool, key('Escape'))).toBe(false);
        await load();
      }
      logs.push(log);
    }
    expect(logs[0]).toEqual(['down 10', 'click 12', 'Enter', 'down 200', 'drag 210', 'drag 220', 'up 230', 'down 10']);
    expect(logs[1]).toEqual(logs[0]);
  });

  it('goes on as it happens when the pointer is still down', async () => {
    const { tool, log, load } = lateTool();
    const queue = createGestureQueue(() => tool);
    const made = queue.press(tool, at(200));
    moveGesture(tool, made, at(210));
    await load();
    moveGesture(tool, made, at(220));
    endGesture(tool, made, at(230));
    expect(log).toEqual(['down 200', 'drag 210', 'drag 220', 'up 230']);
  });

  it('is dropped when another tool is active by then', async () => {
    const { tool, log, load } = lateTool();
    const queue = createGestureQueue(() => ({}) as Tool);
    gesture(queue, tool, 10, 10);
    await load();
    expect(log).toEqual([]);
  });
});

it('the ends of example paths of maps lie on their meshes', () => {
  for (const { name, create, radius } of mapScenes) {
    const { from, to } = SCENES.find((scene) => scene.name === name)!.path;
    const { navMesh } = buildFromPolygons(create(), { radius });
    for (const end of [from, to]) {
      const found = findNearest(navMesh, end, { halfExtents: [0.5, 1, 0.5] });
      expect(found.found, `${name}, ${end.join(', ')}`).toBe(true);
    }
  }
});

let studio: Studio;
beforeAll(async () => (studio = await startStudio()));
afterAll(() => studio?.close());
afterEach(() => studio.check());

interface Drawn {
  map: PolygonMap;
  mode: string;
  draft: Point2[];
}
const drawn = (page: Page): Promise<Drawn> => page.evaluate(() => globalThis.studio!.tool() as Drawn);
const placeOf = (page: Page, [x, y]: Point2): Promise<[number, number]> =>
  page.evaluate(([a, b]) => globalThis.studio!.project([a, 0, -b])!, [x, y] as const);
const clickAt = async (page: Page, point: Point2): Promise<void> => page.mouse.click(...(await placeOf(page, point)));

it('a map with a hole: drawn at once, drafts in undo, wrong starts refused, the first corner closes, all of it in the link', async () => {
  const page = await studio.show('#new=map', { width: 1440, height: 900 });
  const outline = square(-4, -6, 12);
  const places: [number, number][] = [];
  for (const point of outline) places.push(await placeOf(page, point));
  const camera = await page.evaluate(() => globalThis.studio!.state().camera);
  // The tool is chosen and used in the same turn: its code is not there yet.
  await page.evaluate((all) => {
    document.querySelector<HTMLElement>('[data-tool=draw]')!.click();
    const canvas = document.querySelector('.view-canvas')!;
    const send = (type: string, [clientX, clientY]: readonly [number, number]): void =>
      void canvas.dispatchEvent(
        new PointerEvent(type, { clientX, clientY, pointerId: 1, bubbles: true, isPrimary: true, button: 0 }),
      );
    // Pointers made by scripts cannot be captured.
    canvas.setPointerCapture = () => undefined;
    for (const place of all) {
      send('pointerdown', place);
      send('pointermove', [place[0] + 2, place[1]]);
      send('pointerup', place);
    }
    delete (canvas as Partial<Element>).setPointerCapture;
  }, places);
  await idle(page);
  expect((await drawn(page)).draft).toEqual(outline);
  expect(await page.evaluate(() => globalThis.studio!.state().camera)).toEqual(camera);

  // The draft stays when another kind is chosen, and undo takes back each step of it.
  await page.click('[data-mode=obstacle]');
  expect(await drawn(page)).toMatchObject({ draft: outline, mode: 'obstacle' });
  await page.click('[data-mode=move]');
  expect(await page.innerText('.map-panel')).toContain('4 corners of a shape that is not closed. Choose Obstacle');
  await page.click('[data-mode=hole]');
  expect(await page.evaluate(() => globalThis.studio!.messages().at(-1)!.text)).toContain(
    'must start inside an outline',
  );
  await page.click('[data-mode=outline]');
  await page.focus('.view-canvas');
  await page.keyboard.press('Escape');
  expect((await drawn(page)).draft).toEqual([]);
  await page.keyboard.press('Control+z');
  expect(await drawn(page)).toMatchObject({ draft: outline, mode: 'outline' });

  // A click beside the first corner, which the grid moves onto it, closes.
  const [x, y] = await placeOf(page, outline[0]);
  await page.mouse.click(x + 2, y - 2);
  await idle(page);
  expect((await drawn(page)).map.polygons).toEqual([{ outline }]);
  await page.keyboard.press('Control+z');
  expect(await drawn(page)).toMatchObject({ draft: outline, map: { polygons: [] } });
  await page.keyboard.press('Control+Shift+z');

  await page.click('[data-mode=hole]');
  await clickAt(page, [9, 0]);
  expect((await drawn(page)).draft).toEqual([]);
  const hole = square(-1, -2, 3);
  for (const point of hole) await clickAt(page, point);
  await page.getByRole('button', { name: 'Close shape' }).click();
  await idle(page);
  const { map } = await drawn(page);
  expect(map.polygons).toEqual([{ outline, holes: [hole] }]);
  const built = await page.evaluate(() => globalThis.studio!.state().mesh!.navMesh.polyCount);
  expect(built).toBe(buildFromPolygons(map).navMesh.polyCount);

  // A draft is in the link, too.
  await page.click('[data-mode=hole]');
  await clickAt(page, [4, 1]);
  await page.waitForFunction(() => location.hash.includes('draft'));
  const hash = await page.evaluate(() => location.hash);
  const again = await studio.show(hash);
  expect(await drawn(again)).toMatchObject({ draft: [[4, 1]], mode: 'hole', map: { polygons: [{ holes: [hole] }] } });
});
