import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadNavMesh } from 'navkiln';
import { crowdRuns, validateNavMesh } from 'navkiln/debug';
import { prepareScene } from '../src/scene/prepare.ts';
import { BINARY, CROWD_KEYS, ROOT, ensureBuilt, islandsObj, listFiles, roomObj, run } from './cli.ts';
import type { Run } from './cli.ts';

let root = '';
let folder = '';
let number = 0;
const crowd = (...args: string[]): Promise<Run> => run(['crowd', ...args], folder);
const write = (name: string, text: string | Uint8Array): void => writeFileSync(join(folder, name), text);
const read = (name: string): Buffer => readFileSync(join(folder, name));

beforeAll(async () => {
  await ensureBuilt();
  root = mkdtempSync(join(tmpdir(), 'navkiln-scene-'));
}, 200_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));
beforeEach(() => {
  folder = join(root, String(number++));
  mkdirSync(folder);
});

/** A room with a wall in it; three who cross it. */
const ROOM = `# a room
version: 1
levels:
  - file: room.obj
bake: { agent: { radius: 0.4 }, cellSize: 0.2, cellHeight: 0.1 }
targets:
  - { name: door, position: [5, 0, -5] }
agents:
  - { name: one, position: [-5, 0, -5], goal: door }
  - { count: 2, within: { center: [-6, 0, 3], radius: 2 }, follows: one }
seconds: 60
`;

interface Told {
  report: ReturnType<typeof crowdRuns.finishCrowdRun>;
  broken: string[];
  events: Record<string, number>;
  notes: string;
  stages: string[];
}

/** Runs the command in this process: starting another one takes a third of a second. */
async function runHere(
  name: string,
  { seed, agents, seconds, cache = true }: { seed?: number; agents?: number; seconds?: number; cache?: boolean } = {},
): Promise<Told> {
  const short = (text: string): string => text.replaceAll(`${folder}/`, '');
  const notes: string[] = [];
  const stages: string[] = [];
  try {
    const { setup, world, driver, listBroken } = await prepareScene(join(folder, name), {
      seed,
      agents,
      cache,
      note: (message) => void notes.push(short(message)),
      onProgress: ({ stage }) => void stages.push(stage),
    });
    const running = crowdRuns.startCrowdRun(setup, seconds === undefined ? {} : { seconds }, world, driver);
    while (crowdRuns.stepCrowdRun(running));
    const report = crowdRuns.finishCrowdRun(running);
    return { report, broken: listBroken(running, report), events: driver.events, notes: notes.join('\n'), stages };
  } catch (error) {
    (error as Error).message = short((error as Error).message);
    (error as Error & { notes: string }).notes = notes.join('\n');
    throw error;
  }
}

describe('keepReachable of a scene file', () => {
  const scene = (keepReachable: string, links: string = ''): string => `version: 1
levels: [{ file: islands.obj }]
${links}keepReachable: ${keepReachable}
agents:
  - { name: near, position: [-10, 0, 0] }
  - { name: far, position: [10, 0, 0] }
seconds: 1
`;

  it('leaves out an island, unless a link leads there, and reports positions off the mesh', async () => {
    write('islands.obj', islandsObj());
    write('one.yaml', scene('[[-10, 0, 1]]'));
    const one = await runHere('one.yaml');
    expect(one.report.agents).toBe(1);
    expect(one.notes).toMatch(/one\.yaml: keepReachable: \d+ polygons? that no position leads to left out/);
    expect(one.notes).toContain('far');
    write('linked.yaml', scene('[[-10, 0, 1]]', 'links: [{ start: [-6.6, 0, 0], end: [6.6, 0, 0] }]\n'));
    const linked = await runHere('linked.yaml');
    expect(linked.report.agents).toBe(2);
    expect(linked.notes).not.toContain('keepReachable');
    write('off.yaml', scene('[[-10, 0, 1], [0, 0, 0]]'));
    expect((await runHere('off.yaml')).notes).toContain(
      'off.yaml:3:30 keepReachable[1]: no mesh is within two radii of [0, 0, 0]',
    );
    write('none.yaml', scene('[[0, 0, 0]]'));
    await expect(runHere('none.yaml')).rejects.toThrow(
      'none.yaml: keepReachable: none of its positions is on the mesh',
    );
  });
});

describe('crowd with a scene file', () => {
  it('runs the example: all agents arrive, and the mesh is cached', async () => {
    for (const name of ['town.yaml', 'town.obj']) cpSync(join(ROOT, 'examples', name), join(folder, name));
    const { status, stdout, stderr } = await crowd('town.yaml', '--json');
    expect(status, stderr).toBe(0);
    expect(stdout.trimEnd().split('\n').length).toBe(1);
    const first = JSON.parse(stdout) as Record<string, any>;
    expect(Object.keys(first)).toEqual(CROWD_KEYS);
    expect(first).toMatchObject({
      scene: 'town.yaml',
      seed: 7,
      agents: 31,
      gaveUp: 0,
      stuck: 0,
      offMesh: 0,
      residualSpeed: 0,
    });
    expect(first['arrived'] + first['settled']).toBe(31);
    expect(first['searches'] / 31 / first['seconds']).toBeLessThanOrEqual(1);
    expect(stderr).toContain('rasterize');
    expect(listFiles(folder)).toEqual(['town.navmesh', 'town.navmesh.key', 'town.obj', 'town.yaml']);
    expect(validateNavMesh(loadNavMesh(read('town.navmesh')))).toEqual([]);
    const fresh = await runHere('town.yaml', { seconds: 5, cache: false });
    const kept = await runHere('town.yaml', { seconds: 5 });
    expect([fresh.stages.length > 0, kept.stages.length > 0]).toEqual([true, false]);
    expect(kept.report).toEqual(fresh.report);
  });

  it('runs a JSON file, and a surface mesh', async () => {
    write('room.obj', roomObj());
    write(
      'room.json',
      JSON.stringify({
        version: 1,
        levels: [{ file: 'room.obj' }],
        build: 'surface',
        bake: { agent: { radius: 0.4 } },
        agents: [
          { position: [-5, 0, -5], goal: [5, 0, -5] },
          { position: [5, 0, -4], goal: [-5, 0, -4], run: true },
        ],
      }),
    );
    const { report, broken, notes, stages } = await runHere('room.json');
    expect({ ...report, broken, notes }).toMatchObject({ agents: 2, arrived: 2, broken: [], notes: '' });
    expect(stages).toContain('conform');
    expect(listFiles(folder)).toContain('room.navmesh.key');
  });

  it('adds automatic links: agents jump, and the cache keeps the links', async () => {
    const boxes = [
      [0, 6],
      [7, 13],
    ];
    const lines = boxes.flatMap(([a, b]) => [`v ${a} 0 0`, `v ${a} 0 6`, `v ${b} 0 6`, `v ${b} 0 0`]);
    write('gap.obj', `${lines.join('\n')}\nf 1 2 3 4\nf 5 6 7 8\n`);
    const scene = (limits: string): string => `version: 1
levels: [{ file: gap.obj }]
bake: { agent: { radius: 0.4 }, cellSize: 0.2, cellHeight: 0.1, autoLinks: ${limits} }
agents:
  - { count: 4, within: { min: [1, 0, 1], max: [4, 0, 5] }, goal: [11, 0, 3] }
`;
    for (const round of ['baked', 'from the cache']) {
      write('gap.yaml', scene('{ jump: { maxDistance: 2.6 }, drop: {} }'));
      const { report, stages } = await runHere('gap.yaml');
      expect([round, stages.length > 0, report.arrived + report.settled]).toEqual([round, round === 'baked', 4]);
    }
    write('gap.yaml', scene('{ jump: { jumpSpeed: 4 } }'));
    await expect(runHere('gap.yaml')).rejects.toThrow('gap.yaml: bake.autoLinks: jump.runSpeed is undefined');
    write('gap.yaml', scene('{ hop: {} }'));
    await expect(runHere('gap.yaml')).rejects.toThrow('hop');
  });

  it('takes the number of agents, the duration and the seed', async () => {
    write('room.obj', roomObj());
    write('room.yaml', ROOM);
    const { report, broken } = await runHere('room.yaml');
    expect({ ...report, broken }).toMatchObject({ agents: 3, gaveUp: 0, broken: [] });
    const args = ['room.yaml', '--agents', '9', '--seed', '5', '--seconds', '1.5', '--json'];
    const { status, stdout, stderr } = await crowd(...args);
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ scene: 'room.yaml', agents: 9, seed: 5, seconds: 1.5, arrived: 0 });
    expect(stderr).toContain('failed: 0 of 9 reached their goals');
    expect((await runHere('room.yaml', { agents: 9 })).report).toMatchObject({ agents: 9, gaveUp: 0 });
    expect((await runHere('room.yaml', { agents: 1 })).report).toMatchObject({ agents: 1, arrived: 1 });
    const other = await runHere('room.yaml', { seed: 5 });
    expect(other.report.stateHash).not.toBe(report.stateHash);
    write('room.yaml', `${ROOM}seed: 5\n`);
    expect((await runHere('room.yaml')).report.stateHash).toBe(other.report.stateHash);
    write(
      'alone.yaml',
      ROOM.split('\n')
        .filter((line) => !line.includes('count'))
        .join('\n'),
    );
    await expect(runHere('alone.yaml', { agents: 9 })).rejects.toThrow(
      '--agents: must be at most 1: all agents of this scene have fixed positions',
    );
  });

  it('follows a target that loops, and one that is removed', async () => {
    write('room.obj', roomObj());
    write(
      'round.yaml',
      `${ROOM.slice(0, ROOM.indexOf('targets:'))}targets:
  - { name: cart, path: [[-8, 0, -8], [-2, 0, -8], [-2, 0, 8], [-8, 0, 8]], speed: 1, loop: true }
  - { name: ghost, position: [5, 0, 5], endsAt: 1 }
agents:
  - { position: [-7, 0, 0], follows: cart, distance: 1 }
  - { position: [5, 0, -5], goal: ghost }
seconds: 20
`,
    );
    const { report, broken, events } = await runHere('round.yaml');
    // Nobody has to come to what never rests.
    expect({ ...report, broken }).toMatchObject({ seconds: 20, stuck: 0, gaveUp: 0, broken: [] });
    expect(events).toMatchObject({ 'target-lost': 1 });
  });

  it('drops agents placed in the air, and reports it with --details', async () => {
    write('room.obj', roomObj());
    write(
      'fall.yaml',
      `${ROOM.slice(0, ROOM.indexOf('targets:'))}agents:
  - { position: [-5, 6, -5], goal: [-5, 0, 0] }
  - { position: [5, 30, 0] }
`,
    );
    const { status, stdout, stderr } = await crowd('fall.yaml', '--json', '--details');
    expect(status, stderr).toBe(0);
    const { arrived, settled, offMesh, details } = JSON.parse(stdout) as Record<string, any>;
    expect({ there: arrived + settled, offMesh }).toEqual({ there: 2, offMesh: 0 });
    expect(details.events).toMatchObject({ landed: 2 });
  });

  it('leaves out what is off the mesh, reports its position, and runs the rest', async () => {
    write('room.obj', roomObj());
    write(
      'off.yaml',
      `${ROOM.slice(0, ROOM.indexOf('targets:'))}links: [{ start: [0, 50, 0], end: [5, 0, 5] }]
targets:
  - { name: door, position: [5, 0, -5] }
  - { name: moon, position: [0, 400, 0] }
  - { name: track, path: [[-5, 0, 5], [-5, 0, 99]], speed: 5 }
agents:
  - { position: [-5, 0, -5], goal: door }
  - { name: lost, position: [99, 0, 0], goal: door }
  - { position: [-5, 0, -3], follows: lost }
  - { position: [-5, 0, -1], goal: moon }
  - { position: [-5, 0, 1], goal: [0, -77, 0] }
  - { count: 400, within: { center: [5, 0, 5], radius: 2 } }
`,
    );
    const {
      report: { agents, arrived, settled },
      broken,
      notes,
    } = await runHere('off.yaml');
    expect(broken).toEqual([]);
    expect(notes).toMatch(/^off\.yaml:6:9 links\[0\]: its start has no walkable surface nearby; it is not used/m);
    expect(notes).toMatch(
      /^off\.yaml:9:5 targets\[1\] \(moon\): it has no walkable surface nearby, the nearest is 400 away; it is left out$/m,
    );
    expect(notes).toMatch(
      /^off\.yaml:10:5 targets\[2\] \(track\): 1 of its 2 points have no walkable surface nearby, .*; no agent can reach it$/m,
    );
    expect(notes).toMatch(
      /^off\.yaml:13:5 agents\[1\] \(lost\): there is no walkable surface nearby, the nearest is 89\.\d away; it is left out$/m,
    );
    expect(notes).toMatch(/^off\.yaml:14:5 agents\[2\]: "lost" is left out; it stands still$/m);
    expect(notes).toMatch(/^off\.yaml:15:5 agents\[3\]: "moon" is left out; it stands still$/m);
    expect(notes).toMatch(
      /^off\.yaml:16:5 agents\[4\]: there is no walkable surface near its goal, the nearest is 7\d\.\d away; it stands still$/m,
    );
    expect(notes).toMatch(/^off\.yaml:17:27 agents\[5\]: there is space for \d+ of 400; the others are left out$/m);
    expect(agents).toBeGreaterThan(8);
    expect(arrived + settled).toBe(agents);
  });

  it('Ctrl-C stops it with a report so far', async () => {
    write('room.obj', roomObj());
    const round = 'path: [[5, 0, -5], [5, 0, 5]], speed: 1, loop: true }';
    write('long.yaml', ROOM.replace('seconds: 60', 'seconds: 100000').replace('position: [5, 0, -5] }', round));
    const child = spawn(process.execPath, [BINARY, 'crowd', 'long.yaml', '--json'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      if (stderr.includes('seconds') && !child.killed) child.kill('SIGINT');
    });
    const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
    expect(stderr).toContain('stopped before the end');
    expect(Object.keys(JSON.parse(stdout) as object)).toEqual(CROWD_KEYS);
    expect(status).toBe(0);
    expect(listFiles(folder).filter((name) => name.includes('tmp'))).toEqual([]);
  });

  it('Ctrl-C during the bake leaves no files', async () => {
    write(
      'big.yaml',
      'version: 1\nlevels: [{scene: terrain}]\nbake: {cellSize: 0.1}\nagents: [{position: [50, 5, 50]}]\n',
    );
    const child = spawn(process.execPath, [BINARY, 'crowd', 'big.yaml'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stderr.once('data', () => child.kill('SIGINT'));
    const [status, signal] = await new Promise<[number | null, string | null]>((resolve) => {
      child.on('close', (...end) => resolve(end));
    });
    expect([status, signal]).toEqual([null, 'SIGINT']);
    expect(listFiles(folder)).toEqual(['big.yaml']);
  });
});

describe('the cached mesh of a scene', () => {
  /** Runs, and returns whether the mesh was baked. */
  async function bakes(cache = true): Promise<{ baked: boolean; hash: string; notes: string }> {
    const { report, notes, stages } = await runHere('room.yaml', { seconds: 1, cache });
    return { baked: stages.length > 0, hash: report.stateHash, notes };
  }

  it('is used only for unchanged inputs', async () => {
    write('room.obj', roomObj());
    write('room.yaml', ROOM);
    const { baked, hash } = await bakes();
    expect(baked).toBe(true);
    // Without the option: neither read nor written.
    const kept = [read('room.navmesh'), read('room.navmesh.key')];
    const time = statSync(join(folder, 'room.navmesh')).mtimeMs;
    expect(await bakes(false)).toMatchObject({ baked: true, hash });
    expect(await bakes()).toMatchObject({ baked: false, hash });
    expect(statSync(join(folder, 'room.navmesh')).mtimeMs).toBe(time);
    // These changes do not affect the mesh.
    const link = 'links: [{start: [0, 0, 9], end: [5, 0, 5]}]';
    for (const text of [`# c\n${ROOM}`, ROOM.replace('[5, 0, -5]', '[5, 0, -4]'), `${ROOM}gravity: 5\n${link}\n`]) {
      write('room.yaml', text);
      expect((await bakes()).baked).toBe(false);
    }
    // These changes do.
    const texts = [
      ROOM.replace('cellSize: 0.2', 'cellSize: 0.25'),
      ROOM.replace('room.obj', 'room.obj\n    position: [0, 0, 0.5]'),
      `${ROOM}slope: 30\n`,
      ROOM.replace(
        'bake: { agent: { radius: 0.4 }, cellSize: 0.2, cellHeight: 0.1 }',
        'build: surface\nbake: { agent: { radius: 0.4 } }',
      ),
    ];
    for (const text of texts) {
      write('room.yaml', text);
      expect((await bakes()).baked).toBe(true);
    }
    write('room.yaml', ROOM);
    expect(await bakes()).toMatchObject({ baked: true, hash });
    expect(read('room.navmesh').equals(kept[0])).toBe(true);
    expect(read('room.navmesh.key').equals(kept[1])).toBe(true);
    write('room.obj', roomObj().replace('v 10 0 10', 'v 10 0 12'));
    expect((await bakes()).baked).toBe(true);
    expect(read('room.navmesh').equals(kept[0])).toBe(false);
    // The key of one and the mesh of another.
    const other = read('room.navmesh');
    write('room.obj', roomObj());
    write('room.navmesh.key', kept[1]);
    const again = await bakes();
    expect(again).toMatchObject({ baked: true, hash });
    expect(again.notes).toContain('room.navmesh: is not the mesh that was saved here; rebuilding it');
    expect(read('room.navmesh').equals(other)).toBe(false);
  });

  it('is rebuilt when it is damaged', async () => {
    write('room.obj', roomObj());
    write('room.yaml', ROOM);
    const { hash } = await bakes();
    const whole = read('room.navmesh');
    const damaged = Buffer.from(whole);
    damaged[whole.length >> 1] ^= 1;
    for (const bytes of [damaged, whole.subarray(0, 100), Buffer.from('')]) {
      write('room.navmesh', bytes);
      expect(await bakes()).toMatchObject({
        baked: true,
        hash,
        notes: expect.stringContaining('room.navmesh: is not the mesh'),
      });
      expect(read('room.navmesh').equals(whole)).toBe(true);
    }
    rmSync(join(folder, 'room.navmesh'));
    const again = await bakes();
    expect(again).toMatchObject({ baked: true, hash });
    expect(again.notes).toContain('room.navmesh: no such file or folder; rebuilding it');
    for (const text of ['', '{', '[]', '{"key": 1}', 'null']) {
      write('room.navmesh.key', text);
      const { baked, notes } = await bakes();
      expect(baked).toBe(true);
      expect(notes).toContain('room.navmesh.key: cannot be read; rebuilding the mesh');
    }
    expect((await bakes()).baked).toBe(false);
  });

  it('is never written over a foreign file', async () => {
    write('room.obj', roomObj());
    write('room.yaml', ROOM);
    write('room.navmesh', 'mine');
    for (let k = 0; k < 2; k++) {
      const { baked, notes } = await bakes();
      expect(baked).toBe(true);
      expect(notes).toContain('room.navmesh: was not written by this command and is not overwritten');
    }
    expect(read('room.navmesh').toString()).toBe('mine');
    expect(existsSync(join(folder, 'room.navmesh.key'))).toBe(false);
  });

  it('depends on the buffers next to a .gltf', async () => {
    const floor = (size: number): Buffer =>
      Buffer.from(new Float32Array([-size, 0, -size, -size, 0, size, size, 0, size, size, 0, -size]).buffer);
    write('floor.bin', floor(8));
    write(
      'floor.gltf',
      JSON.stringify({
        asset: { version: '2.0' },
        scene: 0,
        scenes: [{ nodes: [0, 1] }],
        buffers: [{ uri: 'floor.bin', byteLength: 48 }],
        nodes: [{ mesh: 0 }, { mesh: 0, name: 'flat', scale: [1, 0, 0], translation: [0, -3, 0] }],
        bufferViews: [{ buffer: 0, byteLength: 48 }],
        accessors: [{ bufferView: 0, componentType: 5126, count: 4, type: 'VEC3', min: [-8, 0, -8], max: [8, 0, 8] }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 }, mode: 6 }] }],
      }),
    );
    write('room.yaml', ROOM.replace('room.obj', 'floor.gltf'));
    const { baked, notes } = await bakes();
    expect(baked).toBe(true);
    expect(notes).toContain('"flat" is flattened by its transform');
    expect((await bakes()).baked).toBe(false);
    write('floor.bin', floor(9));
    expect((await bakes()).baked).toBe(true);
  });
});

describe('invalid scenes', () => {
  /** Returns a scene of one level, with one agent by default. */
  const one = (level: string, more = 'agents: [{position: [0, 0, 0]}]'): string =>
    `version: 1\nlevels: [{${level}}]\n${more}`;
  const WALL = 'v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n';
  const DOWN = 'v 0 0 0\nv 9 0 0\nv 0 0 9\nf 1 2 3\n';
  it.each([
    ['in an empty folder', {}, 'town.yaml', 'town.yaml: no such file or folder'],
    ['a folder', { 'town.yaml/x': '' }, 'town.yaml', 'town.yaml: is a folder, not a file'],
    ['no YAML', { 'town.yaml': 'a: [' }, 'town.yaml', /town\.yaml:\d:\d not valid YAML or JSON/],
    [
      'a configuration of a bake',
      { 'bake.yaml': 'levels: [a.obj]\noutput: b.navmesh\n' },
      'bake.yaml',
      'bake.yaml:1:1 version: missing',
    ],
    [
      'a file of another version',
      { 'new.yaml': 'version: 3\n' },
      'new.yaml',
      'new.yaml:1:10 version: this file has version 3; this navkiln reads version 1; update navkiln',
    ],
    [
      'a level that is not there',
      { 'a.yaml': 'version: 1\nlevels:\n  - file: b.obj\nagents: [{position: [0, 0, 0]}]' },
      'a.yaml',
      'a.yaml:3:5 levels[0] (b.obj): no such file or folder',
    ],
    [
      'a level of a kind unknown',
      { 'a.yaml': one('file: b.fbx'), 'b.fbx': '' },
      'a.yaml',
      'levels[0] (b.fbx): is not a level format that navkiln reads; use .glb, .gltf or .obj',
    ],
    ['a damaged level', { 'a.yaml': one('file: b.glb'), 'b.glb': 'glTF' }, 'a.yaml', 'a.yaml:2:10 levels[0] (b.glb): '],
    [
      'no bundled level',
      { 'a.yaml': one('scene: hause') },
      'a.yaml',
      'a.yaml:2:18 levels[0].scene: no level "hause"; did you mean "house"?',
    ],
    [
      'a flattened level',
      { 'a.yaml': one('file: room.obj, scale: [0, 0, 1]', '') },
      'a.yaml',
      'a.yaml:2:34 levels[0].scale: must not be 0 along more than one axis',
    ],
    [
      'no agents',
      { 'a.yaml': one('file: room.obj', ''), 'room.obj': roomObj() },
      'a.yaml',
      'a.yaml: agents: must list at least one agent',
    ],
    [
      'nobody on the ground',
      { 'off.yaml': one('file: room.obj', 'agents: [{position: [99, 0, 0]}]'), 'room.obj': roomObj() },
      'off.yaml',
      'off.yaml: agents: none of them is on the walkable surface',
    ],
    [
      'a level without ground',
      { 'a.yaml': one('file: wall.obj'), 'wall.obj': WALL },
      'a.yaml',
      'a.yaml: nothing is walkable',
    ],
    [
      'a level turned inside out',
      { 'a.yaml': one('file: down.obj'), 'down.obj': DOWN },
      'a.yaml',
      'a.yaml: nothing is walkable: the winding is flipped',
    ],
    [
      'the same as a surface',
      { 'a.yaml': `${one('file: down.obj')}\nbuild: surface`, 'down.obj': DOWN },
      'a.yaml',
      'nothing is walkable: the winding is flipped',
    ],
    [
      'settings that cannot be',
      { 'a.yaml': `${one('file: room.obj')}\nbake: {cellSize: 1e-9}`, 'room.obj': roomObj() },
      'a.yaml',
      'a.yaml: bake: ',
    ],
  ] as const)('%s', async (_, files, name, message) => {
    for (const [path, text] of Object.entries(files as Record<string, string>)) {
      if (path.includes('/')) mkdirSync(join(folder, path.slice(0, path.indexOf('/'))));
      write(path, text);
    }
    const before = listFiles(folder);
    const error = await runHere(name).catch((thrown: unknown) => thrown as Error);
    expect((error as Error).name, String((error as Error).stack)).toBe('InputError');
    expect((error as Error).message).toMatch(message);
    const kept = listFiles(folder).filter((file) => !/navmesh/.test(file) || name !== 'off.yaml');
    expect(kept).toEqual(before);
  });

  it('are reported by the command with exit status 2', async () => {
    const { status, stdout, stderr } = await crowd('town.yaml', '--json');
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: '',
      stderr: 'error: town.yaml: no such file or folder\n',
    });
    expect(listFiles(folder)).toEqual([]);
  });

  it('one flipped level of two is reported, and the other is used', async () => {
    write('room.obj', roomObj());
    write(
      'down.obj',
      islandsObj()
        .split('\n')
        .map((line) => line.replace(/^f (\d+) (\d+) (\d+) (\d+)$/, 'f $4 $3 $2 $1'))
        .join('\n'),
    );
    write('room.yaml', ROOM.replace('room.obj', 'room.obj\n  - { file: down.obj, position: [0, 20, 0] }'));
    const { broken, notes } = await runHere('room.yaml');
    expect(broken).toEqual([]);
    expect(notes).toContain(
      'room.yaml:5:5 levels[1] (down.obj): no triangle faces up, some face down: the winding is flipped; ' +
        'flip its faces, or set twoSided: true',
    );
    write(
      'room.yaml',
      ROOM.replace('room.obj', 'room.obj\n  - { file: down.obj, position: [0, 20, 0], twoSided: true }'),
    );
    expect((await runHere('room.yaml')).notes).not.toContain('flipped');
  });

  it('--no-cache only applies to scene files', async () => {
    const { status, stderr } = await crowd('circle', '--no-cache');
    expect(status).toBe(2);
    expect(stderr).toContain('--no-cache: only applies to a scene file');
  });

  it('schema scene prints its schema', async () => {
    const { status, stdout } = await run(['schema', 'scene'], folder);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ title: 'navkiln scene', required: ['version', 'levels'] });
  });
});
