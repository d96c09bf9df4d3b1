/** The code of the pages runs as it stands there. A page whose code no test runs fails. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, expect, it, vi } from 'vitest';
import { buildNavMesh, createAgentSizes, createVolumes } from 'navkiln/build';
import { createCrowd, removeAgent } from 'navkiln/crowd';
import type { AgentId, Crowd } from 'navkiln/crowd';
import { validateNavMesh } from 'navkiln/debug';
import { parseDetourBin, writeDetourBin } from 'navkiln/io';
import { listLinks } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { findPath2d, parseTiled } from 'navkiln/polygon';
import { createRecorder, finishRecording } from 'navkiln/record';
import { createBakePool } from 'navkiln/worker';
import { boxLevel } from '../property/links-levels.ts';
import { babylonSquare, phaserLayer, place, playCanvasRoot } from '../unit/engines/shared/fakes.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..');
// Not in the system's folder for temporary files, from where packages could not be imported.
mkdirSync(join(ROOT, 'out'), { recursive: true });
const folder = mkdtempSync(join(ROOT, 'out', 'docs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Runs all code of a page as one module and returns what it declares.
 *
 * @param given what the page takes for granted
 * @param names the declarations to return
 * @param changes texts of the page that the test replaces
 */
async function runPage(
  page: string,
  given: object,
  names: string,
  changes: readonly (readonly [string, string])[] = [],
): Promise<Record<string, any>> {
  const text = changes.reduce(
    (before, [from, to]) => before.replaceAll(from, to),
    readFileSync(join(ROOT, 'docs', page), 'utf8'),
  );
  const imports = new Map<string, Set<string>>();
  const code = [...text.matchAll(/^```ts\n([^]*?)^```$/gm)]
    .map((match) => match[1]!)
    .join('\n')
    .replace(/^import \{([^}]*)\} from '([^']+)';$/gm, (_, list: string, from: string) => {
      const known = imports.get(from) ?? new Set();
      imports.set(from, known);
      for (const name of list.split(',').map((word) => word.trim())) if (name !== '') known.add(name);
      return '';
    });
  const lines = [...imports].map(([from, list]) => `import { ${[...list].join(', ')} } from '${from}';`);
  const key = `docs ${page}`;
  (globalThis as Record<string, unknown>)[key] = given;
  const file = join(folder, page.replace('.md', '.ts'));
  writeFileSync(
    file,
    [
      ...lines,
      `const { ${Object.keys(given).join(', ')} } = (globalThis as any)['${key}'];`,
      code.replace(/^export /gm, ''),
      `export { ${names} };`,
    ].join('\n'),
  );
  return import(/* @vite-ignore */ pathToFileURL(file).href);
}

function floorMesh(size: number): NavMesh {
  const positions = [0, 0, 0, 0, 0, size, size, 0, size, size, 0, 0];
  return buildNavMesh({ positions, indices: [0, 1, 2, 0, 2, 3] }).navMesh;
}

it('docs/which-path.md: the line of a path lies on the hill', async () => {
  const positions = [0, 0, 0, 0, 0, 4, 5, 3, 0, 5, 3, 4, 10, 0, 0, 10, 0, 4];
  const { navMesh } = buildNavMesh({ positions, indices: [0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5] });
  const page = await runPage('which-path.md', { navMesh, from: [1, 0.6, 2], to: [9, 0.6, 2] }, 'path, line');
  const top = (points: number[][]): number => Math.max(...points.map(([, y]) => y));
  expect(page['path'].points.length).toBe(2);
  expect([top(page['path'].points) < 1, top(page['line'].points) > 2.5]).toEqual([true, true]);
});

it('docs/crowd.md: draws every agent once a frame, none after its removal, and cheers at arrivals', async () => {
  const drawn = new Map<number, number[]>();
  const cheered: number[] = [];
  const page = await runPage(
    'crowd.md',
    {
      navMesh: floorMesh(20),
      distanceToCamera: 80,
      cheer: (agent: number) => cheered.push(agent),
      draw: (agent: number, point: Float64Array) => drawn.set(agent, [...point]),
    },
    'crowd, guard, scout, courier, squad, frame, addAgent, getAgent, remainingDistance, pathStatus, points, length, warnings',
  );
  const crowd = page['crowd'] as Crowd;
  expect([page['pathStatus'], page['warnings'], page['points'].length]).toEqual(['complete', [], 2]);
  expect(page['length']).toBeCloseTo(16, 6);
  expect(page['remainingDistance']).toBeCloseTo(16, 6);
  const second = page['addAgent'](crowd, [4, 0, 10]) as AgentId;
  for (let i = 0; i < 40; i++) page['frame'](1 / 40);
  expect([...drawn.keys()]).toEqual([page['guard'], page['courier'], ...page['squad'], page['scout'], second]);
  const [x, y, z, headingX, headingZ] = drawn.get(page['guard'])!;
  expect(x).toBeGreaterThan(2.5);
  expect([y!.toFixed(1), z! > 3]).toEqual(['0.1', true]);
  expect(Math.hypot(headingX!, headingZ!)).toBeCloseTo(1, 9);
  // From its start at (2, 3) it walks to the first point of its patrol, (4, 4).
  expect(headingX).toBeCloseTo(2 / Math.sqrt(5), 3);
  // A freed slot is not drawn at the origin.
  removeAgent(crowd, second);
  drawn.clear();
  for (let i = 0; i < 20 * 40; i++) page['frame'](1 / 40);
  expect([...drawn.keys()]).toEqual([page['guard'], page['courier'], ...page['squad'], page['scout']]);
  // It arrives at each point of its patrol.
  expect(new Set(cheered)).toEqual(new Set([page['guard'], page['courier'], ...page['squad'], page['scout']]));
  // It stops short of (18, 10) by 2.
  expect(page['getAgent'](crowd, page['scout']).position[0]).toBeCloseTo(16, 0);
  const { position, status } = page['getAgent'](crowd, page['courier']);
  expect([Math.round(position[0]), Math.round(position[2]), status]).toEqual([10, 14, 'arrived']);
  const [px, , pz] = drawn.get(page['guard'])!;
  const isOnRoute = Math.abs(pz! - 4) < 0.6 || Math.abs(px! - 16) < 0.6;
  expect([px, pz, isOnRoute, px! > 3.5 && px! < 16.5 && pz! > 3.5 && pz! < 12.5]).toEqual([px, pz, true, true]);
});

it('docs/streaming.md: a published world is streamed around a player', async () => {
  const positions = [0, 0, 0, 0, 0, 200, 200, 0, 200, 200, 0, 0];
  const before = process.cwd();
  process.chdir(folder);
  vi.stubGlobal('fetch', (address: string) =>
    Promise.resolve(new Response(readFileSync(join(folder, new URL(address).pathname)))),
  );
  try {
    const given = { positions, indices: [0, 1, 2, 0, 2, 3], player: [40, 0, 40], velocity: [1, 0, 0] };
    const page = await runPage('streaming.md', given, 'world, frame, bakedTiles, reusedTiles, graph, go, walk, path');
    expect([page['bakedTiles'], page['reusedTiles']]).toEqual([13 * 13, 0]);
    await vi.waitFor(() => {
      page['frame']();
      // Of 7 x 7 tiles, those within the radius.
      expect(page['world'].slots.size).toBe(42);
    });
    expect(page['go']([190, 0, 190])).toBe('complete');
    expect(page['path'].isWhole).toBe(false);
    page['walk']();
    expect(page['world'].requests.size).toBeGreaterThan(0);
    expect(validateNavMesh(page['world'].navMesh)).toEqual([]);
  } finally {
    process.chdir(before);
    vi.unstubAllGlobals();
  }
});

it('docs/worlds.md: the mesh is that of the level again after the crate was removed', async () => {
  const page = await runPage(
    'worlds.md',
    {
      positions: [0, 0, 0, 0, 0, 12, 12, 0, 12, 12, 0, 0],
      indices: [0, 1, 2, 0, 2, 3],
      pool: createBakePool({ workers: 0 }),
    },
    'world, navMesh, updateWorld, changedTileCount, mapWorld, around, moved, flooded, across, areaCosts',
  );
  // The update of 2 ms before may have left some tiles.
  expect(page['changedTileCount']).toBeGreaterThan(0);
  expect(page['updateWorld'](page['world'])).toMatchObject({ changedTileCount: 0, pendingTileCount: 0 });
  expect(validateNavMesh(page['navMesh'])).toEqual([]);
  // Around the turned box, and the tiles that the box has left and entered: of the grid's 5 x 3, those of x 40 .. 60.
  expect(page['around'].status).toBe('complete');
  expect(page['around'].length).toBeGreaterThan(80.5);
  expect(page['moved'].rebuiltTiles.length).toBeGreaterThan(1);
  expect(page['moved'].rebuiltTiles.length).toBeLessThan(9);
  expect(validateNavMesh(page['mapWorld'].navMesh)).toEqual([]);
  expect(validateNavMesh(page['flooded'])).toEqual([]);
  // Over the bridge, and out of the water.
  expect(page['areaCosts']).toEqual({ 1: 4 });
  expect(page['across'].status).toBe('complete');
  expect(page['across'].cost).toBeGreaterThan(page['across'].length + 3 * 10);
});

it('docs/doors.md: a disabled gate ends the path and is named', async () => {
  const page = await runPage(
    'doors.md',
    { positions: [0, 0, 0, 0, 0, 20, 20, 0, 20, 20, 0, 0], indices: [0, 1, 2, 0, 2, 3] },
    'path, message, closed, navMesh',
  );
  expect(page['path'].status).toBe('partial');
  expect(page['path'].points.at(-1)[0]).toBeCloseTo(9, 0);
  expect(page['message']).toMatch(/The route crosses "north gate" at \[.*\], which is disabled/);
  expect(page['closed']).toEqual(['bridge', 'north gate']);
  expect(validateNavMesh(page['navMesh'])).toEqual([]);
});

it('docs/three.md: the bound object walks with its agent', async () => {
  const page = await runPage(
    'three.md',
    {},
    'crowd, guard, bound, frame, lift, level, navMesh, mesh, rebuiltTiles, path, line',
  );
  const { object } = page['bound'];
  for (let i = 0; i < 144; i++) page['frame'](1 / 144);
  const before = object.position.toArray() as number[];
  page['frame'](1 / 144);
  expect(object.position.x).toBeGreaterThan(before[0]!);
  for (let i = 0; i < 40 * 144; i++) page['frame'](1 / 144);
  expect(object.position.x).toBeCloseTo(8, 0);
  expect(object.position.z).toBeCloseTo(8, 0);
  removeAgent(page['crowd'], page['guard']);
  page['frame'](1 / 144);
  expect(object.visible).toBe(false);
  expect(page['lift'].object.position.y).toBeCloseTo(0.55, 9);
  const { path, line, level, mesh, rebuiltTiles } = page;
  expect(path.status).toBe('complete');
  expect(level.report.triangleCount).toBe(12);
  expect(line.geometry.drawRange.count).toBe(2 * (path.points.length - 1));
  expect(mesh.tileSlotCount).toBeGreaterThan(1);
  expect(rebuiltTiles.length).toBeGreaterThan(0);
  for (const name of ['navMesh', 'mesh']) expect(validateNavMesh(page[name])).toEqual([]);
});

/** Replaces the import of an engine, which the tests do not install, by the name of what is given. */
const without = (line: string): [string, string][] => [[`${line}\n`, '']];
const SETTER = { set: (): void => {} };

it('docs/babylon.md: a node walks with its agent (with a stand-in for the engine; the soak has the real one)', async () => {
  const at: number[][] = [];
  const frames: (() => void)[] = [];
  class Drawn {
    position = SETTER;
  }
  const page = await runPage(
    'babylon.md',
    {
      BABYLON: {
        Mesh: Drawn,
        LinesMesh: Drawn,
        VertexData: class {
          applyToMesh(): void {}
        },
        StandardMaterial: class {
          emissiveColor = SETTER;
        },
      },
      scene: {
        meshes: [
          babylonSquare('floor', place([12, 1, 12], [0, 0, 0])),
          babylonSquare('player', place([9, 1, 9], [90, 0, 0])),
        ],
        onBeforeRenderObservable: { add: (frame: () => void) => frames.push(frame) },
        getEngine: () => ({ getDeltaTime: () => 1000 / 60 }),
      },
      player: {
        position: { set: (...to: number[]) => at.push(to) },
        setEnabled: () => {},
        setDirection: () => {},
      },
    },
    'level, navMesh',
    without("import * as BABYLON from '@babylonjs/core';"),
  );
  expect(page['level'].report.triangleCount).toBe(2);
  for (let i = 0; i < 60 * 6; i++) frames[0]!();
  expect(at.at(-1)!.map(Math.round)).toEqual([8, 0, 8]);
});

it('docs/playcanvas.md: an entity walks with its agent (with a stand-in for the engine; the soak has the real one)', async () => {
  let at: number[] = [];
  let frame = (_seconds: number): void => {};
  const calls = { clear() {}, setPositions() {}, setColors32() {}, setIndices() {}, update() {} };
  class Entity {
    render: object | undefined;
    addComponent(_type: string, data: object): void {
      this.render = data;
    }
    setPosition(): void {}
  }
  const root = playCanvasRoot([
    { matrix: place([12, 1, 12], [0, 0, 0]) },
    { matrix: place([9, 1, 9], [90, 0, 0]), name: 'player' },
  ]) as object;
  const page = await runPage(
    'playcanvas.md',
    {
      pc: {
        Entity,
        Mesh: class {
          constructor() {
            Object.assign(this, calls);
          }
        },
        MeshInstance: class {
          mesh: object;
          constructor(mesh: object) {
            this.mesh = mesh;
          }
        },
        StandardMaterial: class {
          emissive = SETTER;
          diffuse = SETTER;
          update(): void {}
        },
      },
      app: {
        root: { ...root, addChild: () => {} },
        graphicsDevice: {},
        on: (_name: string, update: typeof frame) => void (frame = update),
      },
      player: { enabled: true, setPosition: (...to: number[]) => void (at = to), setRotation: () => {} },
    },
    'level, navMesh',
    without("import * as pc from 'playcanvas';"),
  );
  expect(page['level'].report.triangleCount).toBe(2);
  for (let i = 0; i < 60 * 6; i++) frame(1 / 60);
  expect(at.map(Math.round)).toEqual([8, 0, 8]);
});

it('docs/phaser.md: a sprite walks around a wall of the layer', async () => {
  let at: number[] = [];
  let triangles = 0;
  const rows = Array.from({ length: 9 }, (_, y) => (y < 6 ? 'oooooo##oooooo' : 'oooooooooooooo'));
  const layer = { ...(phaserLayer(rows) as object), setCollisionByProperty: () => {} };
  const page = await runPage(
    'phaser.md',
    {
      map: { createLayer: () => layer },
      scene: {
        add: {
          graphics: () => ({ fillStyle() {}, lineStyle() {}, lineBetween() {}, fillTriangle: () => void triangles++ }),
        },
      },
      sprite: { rotation: 0, setVisible: () => {}, setPosition: (...to: number[]) => void (at = to) },
    },
    'path, update, navMesh',
  );
  expect(page['path'].status).toBe('complete');
  expect(page['path'].points.some(([, y]: number[]) => y! > 96)).toBe(true);
  for (let i = 0; i < 60 * 6; i++) page['update'](0, 1000 / 60);
  expect(at.map(Math.round)).toEqual([200, 120]);
  expect(triangles).toBeGreaterThan(2);
  expect(validateNavMesh(page['navMesh'])).toEqual([]);
});

it('docs/tiled.md: the program runs, and the page quotes the report of the maps in its pictures', async () => {
  const page = readFileSync(join(ROOT, 'docs', 'tiled.md'), 'utf8');
  const { TILED_MAPS } = (await import('../../../../tools/map-pictures.mjs' as string)) as {
    TILED_MAPS: Record<string, { map: object; options?: object }>;
  };
  for (const [name, { map, options }] of Object.entries(TILED_MAPS)) {
    expect(page).toContain(`pictures/maps/tiled-${name}.svg`);
    for (const { code, message } of parseTiled(map, { ...options, name: 'town.tmj' }).warnings) {
      // The command line adds the links.
      expect(page).toContain(code === 'one-way-links' ? '1 link over one-way tiles\n' : `warning: ${message}\n`);
    }
  }
  const given = { text: JSON.stringify(TILED_MAPS['door'].map), files: {} };
  const { path, navMesh } = await runPage('tiled.md', given, 'path, navMesh');
  expect(path.status).toBe('partial');
  // The last program of the page opens the door.
  expect(findPath2d(navMesh, [40, 88], [200, 88]).status).toBe('complete');
});

it('docs/no-path.md: the gap is explained, and the stage that removed a position', async () => {
  // Two floors, two meters apart.
  const floor = (x: number): number[] => [x, 0, 0, x, 0, 10, x + 8, 0, 10, x + 8, 0, 0];
  const page = await runPage(
    'no-path.md',
    { positions: [...floor(0), ...floor(10)], indices: [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7] },
    'path, report, stage, message',
  );
  expect(page['path'].status).toBe('partial');
  expect([page['stage'], page['message']]).toEqual(['filter', 'A ledge: nothing walkable is beside it.']);
});

it('docs/verify.md: a platform is missing, because regions must be larger', async () => {
  const up = (y: number, x0: number, z0: number, x1: number, z1: number): number[] => [
    x0,
    y,
    z0,
    x0,
    y,
    z1,
    x1,
    y,
    z1,
    x0,
    y,
    z0,
    x1,
    y,
    z1,
    x1,
    y,
    z0,
  ];
  const level = { positions: [...up(0, 0, 0, 14, 10), ...up(2.5, 5, 3, 9, 7)] };
  const options = { regionMinArea: 20, regionMergeArea: 0 };
  const { navMesh } = buildNavMesh(level, options);
  const page = await runPage('verify.md', { level, navMesh, options }, 'coverage, overreach, lost, cause, remedy');
  expect(page['coverage']).toBeLessThan(0.95);
  expect([page['overreach'], page['lost'], page['remedy']]).toEqual([0, 0, 'regionMinArea: 0']);
  expect(page['cause']).toMatch(/^regions: The separate walkable area is too small: 7.84 m² < 20 m²/);
});

it('docs/agent-sizes.md: the door is too narrow for the ogre, and the human walks around it', async () => {
  // Two rooms with a door of 1.4 m between them.
  const slab = (x0: number, z0: number, x1: number, z1: number): number[] => [
    x0,
    0,
    z0,
    x0,
    0,
    z1,
    x1,
    0,
    z1,
    x0,
    0,
    z0,
    x1,
    0,
    z1,
    x1,
    0,
    z0,
  ];
  const positions = [
    ...slab(0, 0, 9.8, 20),
    ...slab(10.2, 0, 20, 20),
    ...slab(9.8, 2.3, 10.2, 3.7),
    ...slab(9.8, 6, 10.2, 12),
  ];
  const indices = positions.slice(0, positions.length / 3).map((_, i) => i);
  const page = await runPage(
    'agent-sizes.md',
    { positions, indices },
    'humanPath, ogrePath, wolfPath, statuses, meshes, mapMeshes, tick, humans, human, ogres, ogre, getAgent',
  );
  const [human, ogre, wolf] = ['humanPath', 'ogrePath', 'wolfPath'].map((name) => page[name]);
  expect([human.size, ogre.size, wolf.size]).toEqual(['human', 'ogre', 'ogre']);
  expect(ogre.length).toBeGreaterThan(human.length);
  expect(wolf.length).toBe(ogre.length);
  expect(Object.keys(page['meshes'])).toEqual(['human', 'ogre']);
  expect(page['statuses']).toEqual([
    ['human', 'complete'],
    ['ogre', 'complete'],
  ]);
  expect(page['mapMeshes'].length).toBe(2);
  let closest = Infinity;
  for (let i = 0; i < 60 * 14; i++) {
    page['tick']();
    const [a, b] = [
      page['getAgent'](page['humans'], page['human']).position,
      page['getAgent'](page['ogres'], page['ogre']).position,
    ];
    closest = Math.min(closest, Math.hypot(a[0] - b[0], a[2] - b[2]));
  }
  expect(page['getAgent'](page['humans'], page['human']).position[0]).toBeCloseTo(2, 0);
  expect(page['getAgent'](page['ogres'], page['ogre']).position[0]).toBeCloseTo(18, 0);
  // Radii of 0.4 and 1.1.
  expect(closest).toBeGreaterThan(1.4);
});

it('docs/large-worlds.md: a level in tiles, and a stage on the way to a goal beyond it', async () => {
  const page = await runPage(
    'large-worlds.md',
    { positions: new Float32Array([0, 0, 0, 0, 0, 60, 60, 0, 60, 60, 0, 0]), indices: [0, 1, 2, 0, 2, 3] },
    'navMesh, report, path, stage, pool',
    [['workers: 2', 'workers: 0']],
  );
  expect(page['report'].counts.tiles).toBe(9);
  expect(page['path']).toMatchObject({ status: 'none', reason: 'end-off-mesh' });
  expect(page['stage'].status).toBe('complete');
  expect(page['stage'].points.at(-1)[0]).toBeCloseTo(22, 0);
});

it('docs/server.md: a room, and its mesh over HTTP', async () => {
  const page = await runPage(
    'server.md',
    {
      positions: new Float32Array([0, 0, 0, 0, 0, 20, 20, 0, 20, 20, 0, 0]),
      indices: new Uint32Array([0, 1, 2, 0, 2, 3]),
    },
    'room, state, path, file, loaded, statuses, move, player',
    [['workers: 2', 'workers: 0']],
  );
  expect(
    page['statuses'].map((status: string, i: number) => status === (i === 7 ? 'partial' : 'complete')),
  ).not.toContain(false);
  expect(page['state'].length).toBe(1);
  expect(page['path'].status).toBe('complete');
  expect(page['move']).toMatchObject({ status: 'accepted', point: page['player'].point });
  expect(validateNavMesh(page['loaded'])).toEqual([]);
  expect(page['loaded'].polyCount).toBe(page['room'].navMesh.polyCount);
});

it('docs/record.md: a game is recorded and replayed, and a lost order is named', async () => {
  const positions = [0, 0, 0, 0, 0, 20, 20, 0, 20, 20, 0, 0];
  const volumes = createVolumes([{ type: 'box', name: 'gate', min: [9, -1, 0], max: [11, 1, 20] }]);
  const loadMesh = (): NavMesh => buildNavMesh({ positions, indices: [0, 1, 2, 0, 2, 3] }, { volumes }).navMesh;
  const recordGame = (hasOrder: boolean): Uint8Array => {
    const crowd = createCrowd(loadMesh(), { maxAgents: 4 });
    const recorder = createRecorder(crowd);
    const { calls } = recorder;
    const id = calls.addAgent(crowd, [2, 0, 2]);
    for (let tick = 0; tick < 130; tick++) {
      if (tick === 40 && hasOrder) calls.moveAgentTo(crowd, id, [2, 0, 9]);
      calls.stepCrowd(crowd);
    }
    return finishRecording(recorder);
  };
  const lines = vi.spyOn(console, 'log').mockImplementation(() => {});
  const given = { navMesh: loadMesh(), loadMesh, fileOfA: recordGame(true), fileOfB: recordGame(false) };
  const page = await runPage('record.md', given, 'file, tick, divergence, info, difference, found');
  lines.mockRestore();
  expect(page).toMatchObject({ tick: 300, divergence: null, info: { seed: 7, game: '1.4.2' } });
  expect(page['difference']).toMatchObject({ kind: 'call', tick: 41, field: 'goalKind' });
  expect(page['difference'].values[1]).toBe('no call');
  expect(page['found'].field).toBe('goalKind');
});

it('docs/characters.md: the hero lands and reaches a cone that moves', async () => {
  const page = await runPage('characters.md', {}, 'frame');
  let drawn = page['frame'](0, [15, 0, 5]) as Float64Array;
  expect(drawn[1]).toBeCloseTo(5, 0);
  for (let i = 0; i < 20 * 60; i++) drawn = page['frame'](1 / 60, [15, 0, Math.min(15, 5 + i / 60)]);
  expect(Math.hypot(drawn[0]! - 15, drawn[2]! - 15)).toBeLessThan(0.8);
  expect(drawn[1]).toBeCloseTo(0, 9);
  expect(drawn[5]).toBeCloseTo(0, 2);
  expect(Math.hypot(drawn[3]!, drawn[4]!)).toBeCloseTo(1, 9);
});

it('docs/lockstep.md: a late order closes the gate for all ticks since', async () => {
  const level = { positions: [0, 0, 0, 0, 0, 20, 20, 0, 20, 20, 0, 0], indices: [0, 1, 2, 0, 2, 3] };
  const page = await runPage('lockstep.md', { level }, 'crowd, units, hash, receive, simulate, navMesh, orders');
  const { crowd, units, receive, simulate, orders } = page;
  expect(crowd.tick).toBe(60);
  expect(page['navMesh'].groups[0].isEnabled).toBe(false);
  // The same orders in time, on another machine.
  const prompt = await runPage('lockstep.md', { level }, 'crowd, hash', [
    ["receive(52, () => setEnabled(navMesh, 'gate', false));", ''],
    ['for (let tick = 0;', "orders.set(52, [() => setEnabled(navMesh, 'gate', false)]);\nfor (let tick = 0;"],
  ]);
  expect(page['hash']).toBe(prompt['hash']);
  const { position } = crowd.agents;
  for (let i = 0; i < 600; i++) simulate();
  // The gate is closed before they have reached it.
  for (let slot = 0; slot < units.length; slot++) expect(position[3 * slot]).toBeLessThan(9);
  expect(receive(600, () => {})).toBe(false);
  expect(orders.has(600)).toBe(false);
});

it('docs/routes.md: a path is found in parts while an agent walks', async () => {
  const { navMesh } = buildNavMesh(
    { positions: [0, 0, 0, 0, 0, 200, 200, 0, 200, 200, 0, 0], indices: [0, 1, 2, 0, 2, 3] },
    { cellSize: 0.5, tileSize: 8 },
  );
  const sizedMesh = buildNavMesh(
    { positions: [0, 0, 0, 0, 0, 200, 200, 0, 200, 200, 0, 0], indices: [0, 1, 2, 0, 2, 3] },
    {
      cellSize: 0.5,
      tileSize: 32,
      sizes: createAgentSizes([0.5, 1].map((radius, i) => ({ name: ['human', 'ogre'][i]!, radius, height: 2 }))),
    },
  ).navMesh;
  const page = await runPage(
    'routes.md',
    { navMesh, sizedMesh, from: [2, 0, 2], to: [190, 0, 180], console: { log: () => {} } },
    'path, onArrivalNear, ogrePath',
  );
  expect(page['ogrePath']).toMatchObject({ status: 'complete', size: 'ogre' });
  expect(page['path']).toMatchObject({ status: 'complete', isWhole: false });
  let path = page['path'];
  let parts = 1;
  for (; !path.isWhole && parts < 100; parts++) {
    const [a, b] = path.points.slice(-2);
    page['onArrivalNear'](a.map((value: number, k: number) => (value + b[k]) / 2));
    ({ path } = page);
  }
  expect(parts).toBeGreaterThan(3);
  expect(path.points.at(-1)).toEqual([190, path.points.at(-1)[1], 180]);
});

it('docs/path-index.md: an index is built, sliced, saved, and answers many queries', async () => {
  const page = await runPage(
    'path-index.md',
    {
      navMesh: floorMesh(20),
      sizedMesh: buildNavMesh(
        { positions: [0, 0, 0, 0, 0, 20, 20, 0, 20, 20, 0, 0], indices: [0, 1, 2, 0, 2, 3] },
        { sizes: createAgentSizes([0.4, 1].map((radius, i) => ({ name: ['human', 'ogre'][i]!, radius, height: 2 }))) },
      ).navMesh,
      positions: new Float32Array([0, 0, 0, 0, 0, 20, 20, 0, 20, 20, 0, 0]),
      indices: [0, 1, 2, 0, 2, 3],
      from: [2, 0, 2],
      to: [17, 0, 12],
      goals: [
        [18, 0, 18],
        [3, 0, 2],
        [9, 0, 9],
      ],
    },
    'path, isDone, loaded, index, ogrePath, ogreOnly, batch, order, lengths, pathIndex, isIndexCurrent, worldPath',
  );
  expect(page['ogrePath']).toMatchObject({ status: 'complete', exact: true, source: 'index', size: 'ogre' });
  expect(page['ogreOnly']).toMatchObject({ size: 1, others: [] });
  expect(page['path']).toMatchObject({ status: 'complete', exact: true, source: 'index' });
  // A first slice ends before the corners are joined.
  expect(page['isDone']).toBe(false);
  expect(page['loaded']).toEqual(page['index']);
  // How far an update gets in 2 ms depends on the machine.
  expect(page['isIndexCurrent']).toBeTypeOf('boolean');
  expect(page['pathIndex'].index.tier).not.toBe('none');
  expect(page['worldPath'].status).toBe('complete');
  expect(page['batch'].planarLength[1]).toBeCloseTo(Math.hypot(15, 10), 9);
  expect(page['order']).toEqual([1, 2, 0]);
  expect(page['lengths'][1]).toBeCloseTo(1, 9);
});

it('docs/workers.md: tiles are baked by workers and kept in a cache', () => {
  // With the built package, which has the script of the workers.
  const text = readFileSync(join(ROOT, 'docs', 'workers.md'), 'utf8');
  const code = [...text.matchAll(/^```ts\n([^]*?)^```$/gm)].map((match) => match[1]).join('\n');
  const given =
    'const positions = new Float32Array([0, 0, 0, 0, 0, 64, 64, 0, 64, 64, 0, 0]);\n' +
    'const indices = [0, 1, 2, 0, 2, 3];\nconst seen = [];\nconst show = (share, msLeft) => seen.push(share, msLeft);\n';
  const file = join(folder, 'workers.mjs');
  writeFileSync(
    file,
    `${given}${code}\nconsole.log(seen.at(-2), seen.at(-1), navMesh.polyCount, ownPool.workers > 0, path.status, inside[0].status, answered, meters[0] > 82);\n`,
  );
  const lines = execFileSync(process.execPath, [file], { encoding: 'utf8' }).trim().split('\n');
  expect(lines).toEqual(['{ hits: 16, misses: 0, damaged: 0, errors: 0 }', '1 0 28 true complete complete 5 true']);
});

it('docs/corridor.md: a character walks to its goal, by itself and by the kernels', async () => {
  const character = { position: [2, 0, 2] };
  const walkTowards = (who: typeof character, corner: readonly number[], length: number): void => {
    const d = Math.hypot(...corner.map((value, k) => value - who.position[k]!));
    if (d > 0) who.position = who.position.map((value, k) => value + (length / d) * (corner[k]! - value));
  };
  const page = await runPage(
    'corridor.md',
    {
      navMesh: floorMesh(20),
      character,
      goal: [17, 0, 12],
      jump: () => expect.unreachable(),
      walkTowards,
      speed: 4,
      from: Float64Array.of(2, 0, 2),
      to: Float64Array.of(17, 0, 12),
      halfExtents: Float64Array.of(1, 2, 1),
    },
    'frame, tick, corners, corridor',
  );
  for (let i = 0; i < 6 * 60; i++) page['frame'](1 / 60);
  expect(character.position.map((value) => Math.round(value))).toEqual([17, 0, 12]);
  page['tick'](Float64Array.of(3, 0, 2.5));
  expect([...(page['corridor'].position as Float64Array)][0]).toBe(3);
  expect([...page['corners'].points.subarray(0, 3)].map((value: number) => Math.round(value))).toEqual([17, 0, 12]);
});

it('docs/auto-links.md: a trench is jumped, and a link that was removed stays out', async () => {
  const level = boxLevel([
    [0, -1, 0, 7, 0, 12],
    [8.2, -1, 0, 20, 0, 12],
  ]);
  const page = await runPage('auto-links.md', { level }, 'path, links, report, added, navMesh');
  expect(page['path'].status).toBe('complete');
  expect(page['report'].links.jump).toBe(page['links'].length);
  expect(page['added']).toBe(0);
  expect(listLinks(page['navMesh'] as NavMesh).length).toBe(page['links'].length - 1);
});

/** Pages whose code other tests run. */
const ELSEWHERE: Record<string, string> = {
  'level-files.md': 'test/consumers/loaders.test.ts',
  'paths.md': 'test/consumers/examples.test.ts',
  'workers.md': 'test/consumers/docs.test.ts',
  'scene-file.md': '../cli/test/scene-people.test.ts',
  'farm.md': '../cli/test/farm.test.ts',
};

it('runs the code of every page', () => {
  const own = readFileSync(fileURLToPath(import.meta.url), 'utf8');
  const pages = readdirSync(join(ROOT, 'docs')).filter(
    (page) => page.endsWith('.md') && /^```ts$/m.test(readFileSync(join(ROOT, 'docs', page), 'utf8')),
  );
  expect(pages.length).toBeGreaterThan(8);
  for (const page of pages) {
    const file = ELSEWHERE[page];
    const test = file === undefined ? own : readFileSync(join(ROOT, 'packages', 'navkiln', file), 'utf8');
    expect(
      file === undefined ? new RegExp(`runPage\\(\\s*'${page}'`).test(test) : test.includes(`${page}'`),
      page,
    ).toBe(true);
  }
});

it('docs/maps-2d.md: finds a path around the obstacle, reads a map and a grid, and answers as its comments say', async () => {
  const text = JSON.stringify({
    type: 'FeatureCollection',
    features: [
      {
        properties: {},
        coordinates: [
          [
            [0, 0],
            [9, 0],
            [9, 9],
            [0, 9],
            [0, 0],
          ],
        ],
      },
      {
        properties: { building: 'yes' },
        coordinates: [
          [
            [3, 3],
            [5, 3],
            [5, 5],
            [3, 5],
            [3, 3],
          ],
        ],
      },
    ].map(({ properties, coordinates }) => ({
      type: 'Feature',
      properties,
      geometry: { type: 'Polygon', coordinates },
    })),
  });
  // A hall of 20 m on two levels, with a lift.
  const hall = [-9e-5, 9e-5].flatMap((x) => [
    [x, x],
    [-x, x],
  ]);
  const indoor = { indoor: 'corridor', level: '0;1' };
  const indoorText = JSON.stringify({
    type: 'FeatureCollection',
    features: [
      { type: 'Feature', properties: indoor, geometry: { type: 'Polygon', coordinates: [[...hall, hall[0]]] } },
      {
        type: 'Feature',
        properties: { highway: 'elevator', level: '0;1' },
        geometry: { type: 'Point', coordinates: [5e-5, 5e-5] },
      },
    ],
  });
  const pixels = { width: 2, height: 1, data: Uint8ClampedArray.of(255, 255, 255, 255, 0, 0, 0, 255) };
  const context = { getImageData: () => pixels };
  const page = await runPage(
    'maps-2d.md',
    { text, indoorText, context, cells: [1, 1, 0, 1], width: 2, height: 2 },
    'navMesh, path, walker, map, gridMap, maskMap, up, findNearest2d, raycast2d, moveAlongSurface2d',
  );
  expect(page['maskMap'].polygons.length).toBe(1);
  expect([page['up'].status, page['up'].points.at(-1)[1]]).toEqual(['complete', 3.5]);
  expect(page['path'].status).toBe('complete');
  // Around the obstacle's upper corners, 2 units away from them.
  expect(page['path'].length).toBeGreaterThan(4 + 2 * Math.hypot(30, 30));
  expect(page['walker'].position[0]).toBeGreaterThan(10);
  expect([page['map'].polygons.length, page['map'].obstacles.length]).toEqual([1, 1]);
  expect(page['gridMap'].polygons[0].outline.length).toBe(6);
  const source = readFileSync(join(ROOT, 'docs', 'maps-2d.md'), 'utf8');
  const answers = [...source.matchAll(/^(\w+2d)\(navMesh, (.*)\);\s+\/\/ \{ (.*), … \}$/gm)];
  expect(answers.length).toBe(3);
  for (const [, name, list, expected] of answers) {
    const given = new Function(`return [${list}]`)() as unknown[];
    const found = page[name!](page['navMesh'], ...given) as Record<string, unknown>;
    const wanted = new Function(`return { ${expected} }`)() as Record<string, unknown>;
    const round = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map((x: number) => Math.round(x) + 0)
        : typeof value === 'number'
          ? Math.round(value)
          : value;
    for (const [key, value] of Object.entries(wanted)) expect(round(found[key]), `${name} ${key}`).toEqual(value);
  }
});

it('docs/settings.md: leaves out a floor that no point leads to', async () => {
  const floor = (x: number): number[] => [x, 0, 0, x, 0, 10, x + 10, 0, 10, x + 10, 0, 0];
  const level = { positions: [...floor(0), ...floor(20)], indices: [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7] };
  const page = await runPage('settings.md', { level, ...level }, 'navMesh, report');
  const [warning, ...others] = page['report'].warnings;
  expect(others).toEqual([]);
  expect(warning.code).toBe('unreachable-left-out');
  // The floor without the agent's radius along its border, to a cell.
  expect(warning.area).toBeGreaterThan(9 * 9 - 4);
  expect(warning.area).toBeLessThan(9.4 * 9.4);
  expect(validateNavMesh(page['navMesh'] as NavMesh)).toEqual([]);
});

it('docs/surface.md: keeps a floor as it is, and moves a level', async () => {
  const positions = [0, 0, 0, 0, 0, 10, 10, 0, 10, 10, 0, 0];
  const page = await runPage('surface.md', { positions, indices: [0, 1, 2, 0, 2, 3] }, 'report, village, rebuiltTiles');
  expect(page['report'].warnings).toEqual([]);
  expect(page['rebuiltTiles'].length).toBeGreaterThan(0);
  expect(validateNavMesh(page['village'] as NavMesh)).toEqual([]);
});

it('docs/start.md: a level file gives a mesh and a path, in Node, in a page and for a crowd', async () => {
  const lines = ['v 0 0 0', 'v 12 0 0', 'v 12 0 10', 'v 0 0 10'];
  const before = process.cwd();
  process.chdir(folder);
  vi.stubGlobal('fetch', (address: string) => Promise.resolve(new Response(readFileSync(join(folder, address)))));
  try {
    // The page reads level.glb; a level of a few lines is easier to read as OBJ.
    writeFileSync(join(folder, 'level.obj'), [...lines, 'f 4 3 2', 'f 4 2 1', ''].join('\n'));
    const page = await runPage('start.md', {}, 'path, navMesh, guard, crowd, getAgent, showPath', [
      ['level.glb', 'level.obj'],
    ]);
    expect(page['path'].status).toBe('complete');
    expect(page['path'].length).toBeGreaterThan(3);
    expect(validateNavMesh(page['navMesh'])).toEqual([]);
    const scene = { objects: [] as unknown[], add: (...objects: unknown[]) => scene.objects.push(...objects) };
    expect(await page['showPath'](scene, 'level.navmesh')).toBe('complete');
    expect(scene.objects).toHaveLength(3);
    const { position, velocity } = page['getAgent'](page['crowd'], page['guard']);
    expect(Math.hypot(velocity[0], velocity[2])).toBeCloseTo(1.5, 2);
    const [x, , z] = page['path'].points[0];
    expect(Math.hypot(position[0] - x, position[2] - z)).toBeGreaterThan(0.8);
  } finally {
    process.chdir(before);
    vi.unstubAllGlobals();
  }
});

it('docs/migration.md: each task gives a path here', async () => {
  const page = await runPage(
    'migration.md',
    {},
    'pathLikeRecast, pathLikeNavcat, surfaceLikeThreePathfinding, pathLikeThreePathfinding, pathLikeNavmesh',
  );
  // A floor of 20 m by 10 m, and a wall across it that leaves a gap of 3 m.
  const positions = [0, 0, 0, 0, 0, 10, 20, 0, 10, 20, 0, 0, 10, 0, 0, 10, 0, 7, 10, 2, 7, 10, 2, 0];
  const indices = [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7];
  expect(page['pathLikeRecast'](positions, indices).length).toBeGreaterThan(2);
  expect(page['pathLikeNavcat']({ positions, indices }, [2, 0, 2], [18, 0, 2]).length).toBeGreaterThan(2);
  expect(page['pathLikeNavcat']({ positions, indices }, [2, 50, 2], [18, 0, 2])).toEqual([]);
  const surface = page['surfaceLikeThreePathfinding'](positions.slice(0, 12), indices.slice(0, 6)) as NavMesh;
  expect(validateNavMesh(surface)).toEqual([]);
  expect(page['pathLikeThreePathfinding'](surface, [2, 0, 2], [18, 0, 2])).toEqual([[18, 0, 2]]);
  const square = [
    [0, 0],
    [10, 0],
    [10, 10],
    [0, 10],
  ];
  expect(
    page['pathLikeNavmesh'](
      square.map(([x, y]) => [2 * x! - 5, 2 * y! - 5]),
      [],
    ),
  ).toHaveLength(2);
  // The mesh keeps the radius of 2 away from walls, and the ends move onto it.
  expect(page['pathLikeNavmesh'](square, [])[0][0]).toBeCloseTo(2, 5);
});

it('docs/interchange.md: reads and writes a mesh of Detour', async () => {
  const mesh = floorMesh(12);
  const { bytes } = writeDetourBin(mesh);
  const page = await runPage('interchange.md', { bytes }, 'navMesh, back, warnings');
  expect(validateNavMesh(page['navMesh'] as NavMesh)).toEqual([]);
  expect(page['warnings']).toEqual([]);
  expect(parseDetourBin(page['back'] as Uint8Array).navMesh).toEqual(page['navMesh']);
});
