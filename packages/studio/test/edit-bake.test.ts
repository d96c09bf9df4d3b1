/**
 * Edits of a level: the incremental bake compared with a full bake, outlines, shapes, and the settings file.
 */
import type { LinkOptions } from 'navkiln';
import type { AreaVolume, BuildSettings } from 'navkiln/build';
import { getLink, listLinks } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { findLevelScene } from 'navkiln-scenes';
import { validateNavMesh } from 'navkiln/debug';
import { expect, it } from 'vitest';
import type { TaskContext } from '../src/bake/context.ts';
import { bakeEdited, changedOf } from '../src/bake/edit-bake.ts';
import type { Baked, Diagnosed } from '../src/bake/protocol.ts';
import { runTask } from '../src/bake/run-task.ts';
import { readSettingsText, settingsText } from '../src/files/settings-text.ts';
import { partTriangles } from '../src/state/parts.ts';
import { createState, hasTile } from '../src/state/state.ts';
import type { LevelEdits, LevelPart } from '../src/state/state.ts';
import { convexHull } from '../src/tools/edit/volume-shape.ts';

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
  let options = {
    ...(scene.options as BuildSettings),
    tileSize: 5,
    volumes: [] as readonly AreaVolume[],
    links: [] as readonly LinkOptions[],
  };
  let edits: LevelEdits = NOTHING;
  const before: { options: typeof options; edits: LevelEdits }[] = [];
  let rebuilt = 0;
  let baked = 0;
  let all = 0;
  for (let round = 0; round < Number(process.env['NAVKILN_EDITS'] ?? 14); round++) {
    const kind = random();
    before.push({ options, edits });
    if (round > 3 && kind < 0.2) ({ options, edits } = before[Math.floor(random() * before.length)]);
    else if (kind < 0.45) {
      const [x, z, size] = [within(0), within(2), 0.5 + 2 * random()];
      const volume = {
        type: 'box' as const,
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
    expect([polygons, tiles], label).toEqual([own.navMesh.polyCount - holesOf(own.navMesh), tilesOf(own.navMesh).size]);
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
  const options = { ...(scene.options as BuildSettings), tileSize: 5 };
  const first = await bakeEdited(level, options, NOTHING, context);
  expect(first.rebuilt).toBeUndefined();
  const [x, z] = [min[0] + 7.5, min[2] + 7.5];
  const volume = { type: 'cylinder' as const, area: 3, center: [x, min[1], z], radius: 1, height: 20 };
  const second = await bakeEdited(level, { ...options, volumes: [volume] }, NOTHING, context);
  expect(second.rebuilt).toEqual([[1, 1]]);
  const third = await bakeEdited(level, { ...options, volumes: [volume] }, { ...NOTHING, seeds: [[x, 0, z]] }, context);
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

it('are not diagnosed with each bake; islands are diagnosed by a task of their own, with the causes that a bake with it has', async () => {
  // Two floors whose heights differ by more than the agent climbs.
  const floor = (x: number, y: number): number[] => [x, y, 0, x, y, 6, x + 6, y, 6, x, y, 0, x + 6, y, 6, x + 6, y, 0];
  const corners = Float32Array.from([...floor(0, 0), ...floor(6, 0.6)]);
  const held = { id: 7, positions: corners, indices: Uint32Array.from({ length: corners.length / 3 }, (_, i) => i) };
  const settings: BuildSettings = { agent: { radius: 0.2, height: 1.8, maxClimb: 0.4 }, cellSize: 0.1 };
  for (const [tileSize, edits] of [
    [0, NOTHING],
    [3, NOTHING],
    [3, { ...NOTHING, seeds: [[1, 0, 1]] }],
  ] as const) {
    const context = contextOf();
    const task = { level: held, options: { ...settings, tileSize }, edits: edits as LevelEdits };
    const baked = (await runTask({ type: 'bake-level', ...task }, context)) as Baked;
    const hasIslands = edits.seeds.length === 0;
    expect(baked.mayHaveIslands).toBe(hasIslands);
    expect(baked.report.warnings).toEqual([]);
    if (!hasIslands) continue;
    const { warnings } = (await runTask({ type: 'diagnose', ...task, level: { id: 7 } }, context)) as Diagnosed;
    expect([...new Set(warnings.map(({ code }) => code as string))]).toEqual(['island-gaps']);
    for (const { message } of warnings) expect(message).toContain('maxClimb');
  }
});
