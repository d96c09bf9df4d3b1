/** Agent types on the command line and in scene files: bake, inspect, path, crowd, messages. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgentTypes, loadNavMesh, typeFilter } from 'navkiln';
import { openWorld } from 'navkiln/world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolderStore } from '../src/cache/folder.ts';
import { run } from './cli.ts';
import type { Run } from './cli.ts';

let folder = '';
const navkiln = (...args: string[]): Promise<Run> => run(args, folder);
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);

/** Two rooms of 8, a passage of 2 between them, and a way around of 4. */
const FLOORS = [
  [0, 0, 8, 8],
  [8, 1, 10, 3],
  [10, 0, 18, 8],
  [2, 8, 6, 12],
  [2, 12, 16, 16],
  [12, 8, 16, 12],
];
const ROOMS = FLOORS.map(([x, z, x1, z1], i) => {
  const corners = [
    [x, z],
    [x, z1],
    [x1, z1],
    [x1, z],
  ].map(([a, b]) => `v ${a} 0 ${b}\n`);
  return `${corners.join('')}f ${[1, 2, 3, 4].map((k) => 4 * i + k).join(' ')}\n`;
}).join('');
const TYPES = `agentTypes:
  - { name: ogre, radius: 1.25, height: 3, maxSlopeDegrees: 30, areaCosts: { 5: 4 } }
  - { name: human, radius: 0.5, height: 1.8 }
  - { name: cat, radius: 0.5, height: 1, closedAreas: [5], closedLinks: [jump, other] }
`;
const WATER = '{ type: box, area: 5, min: [8.5, -1, 0], max: [9.5, 1, 4] }';
const CONFIG = `levels: [rooms.obj]\noutput: rooms.navmesh\ncellSize: 0.25\nvolumes:\n  - ${WATER}\n${TYPES}`;
const SCENE = `version: 1
levels: [{ file: rooms.obj }]
bake: { cellSize: 0.25, volumes: [${WATER}] }
${TYPES}agents:
  - { name: h, type: human, position: [4, 0, 2], goal: [14, 0, 2] }
  - { type: cat, count: 2, within: { center: [4, 0, 5], radius: 2 }, goal: [14, 0, 4] }
  - { type: ogre, position: [2, 0, 6], goal: [14, 0, 6] }
  - { radius: 0.7, position: [6, 0, 6], goal: [13, 0, 14] }
seconds: 60
`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'navkiln-types-'));
  write('rooms.obj', ROOMS);
  write('bake.yaml', CONFIG);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('bake with agent types', () => {
  it('keeps them in the mesh, and reports the polygons of each', async () => {
    const { status, stdout } = await navkiln('bake', '--config', 'bake.yaml', '--json');
    expect(status).toBe(0);
    const { agentTypes, polygons } = JSON.parse(stdout);
    const ogre = {
      name: 'ogre',
      radius: 1.25,
      height: 3,
      maxClimb: 0.4,
      maxSlopeDegrees: 30,
      closedAreas: [],
      closedLinks: [],
    };
    expect(agentTypes).toMatchObject([
      { name: 'cat', closedAreas: [5], closedLinks: ['other', 'jump'] },
      { name: 'human' },
      ogre,
    ]);
    const mesh = loadNavMesh(readFileSync(join(folder, 'rooms.navmesh')));
    for (const [k, { polygons: count }] of agentTypes.entries()) {
      const fits = mesh.polySizes.filter((mask) => ((mask >> k) & 1) === 1).length;
      expect(count).toBe(fits);
    }
    expect(agentTypes[2].polygons).toBeLessThan(polygons);
    const types = createAgentTypes(mesh);
    expect([typeFilter(types, 'cat').areaCosts[5], typeFilter(types, 'ogre').areaCosts[5]]).toEqual([Infinity, 4]);
    const inspected = await navkiln('inspect', 'rooms.navmesh', '--json');
    expect(JSON.parse(inspected.stdout).agentTypes).toEqual(agentTypes);
    const text = await navkiln('inspect', 'rooms.navmesh');
    expect(text.stdout).toContain('  agent types\n    cat    ');
    expect(text.stdout).toContain('slopes to 45 degrees, not in areas 5, not over links: other, jump\n');
  });

  it('takes them from flags, which take precedence', async () => {
    const flags = ['--agent-type', 'a=0.4,1.8', '--agent-type', 'b=1,2,0.3,20'];
    const { stdout } = await navkiln('bake', '--config', 'bake.yaml', '-o', 'flags.navmesh', ...flags, '--json');
    expect(JSON.parse(stdout).agentTypes).toMatchObject([
      { name: 'a', radius: 0.4, maxClimb: 0.4, maxSlopeDegrees: 45 },
      { name: 'b', radius: 1, height: 2, maxClimb: 0.3, maxSlopeDegrees: 20 },
    ]);
  });

  it('refuses wrong ones, with position and remedy', async () => {
    const say = async (text: string, ...flags: string[]): Promise<string> => {
      write('bad.yaml', text);
      const { status, stderr } = await navkiln('bake', '--config', 'bad.yaml', ...flags);
      expect(status).toBe(2);
      return stderr;
    };
    expect(await say(CONFIG.replace('closedAreas', 'closedArea'))).toContain(
      'bad.yaml:9:42 agentTypes[2].closedArea: unknown key; did you mean "closedAreas"?',
    );
    expect(await say(CONFIG.replace('5: 4', '99: 4'))).toContain('areaCosts.99: must be an area id, 1 to 63');
    expect(await say(CONFIG.replace('name: human', 'name: cat'))).toContain('must not be the name of entry 1 as well');
    expect(await say(CONFIG.replace('[5]', '[0]'))).toContain('agentTypes[2].closedAreas[0]: must be >= 1');
    expect(await say(CONFIG.replace('[jump', '[jmp'))).toContain('agentTypes[2].closedLinks[0]: must be one of');
    expect(await say(CONFIG.replace(', height: 3', ''))).toContain(
      'agentTypes[0].height: must be a number (it is missing)',
    );
    expect(await say(CONFIG.replace('maxSlopeDegrees: 30', 'maxClimb: 2'))).toContain(
      'agentTypes: maxClimb is 2; must be less',
    );
    expect(await say(CONFIG, '--agent-radius', '1')).toContain('--agent-radius: agent types have their own radius');
    expect(await say(CONFIG.replace('cellSize: 0.25\n', '').replace(/volumes:\n.*\n/, ''), '--surface')).toContain(
      'agent types: a surface mesh has one agent, so all types need the same radius',
    );
    for (const flag of ['a', 'a=1', '=1,2', 'a=1,x', 'a=1,2,3,4,5', 'a=-1,2'])
      expect(await say(CONFIG, '--agent-type', flag), flag).toContain('--agent-type: must be NAME=RADIUS,HEIGHT');
    expect(await say(CONFIG, '--agent-type', 'a=1,2', '--agent-type', 'a=2,2')).toContain(
      '--agent-type a: is given twice',
    );
  });
});

describe('path --type', () => {
  const find = async (type: string): Promise<{ length: number; type: string }> =>
    JSON.parse(
      (await navkiln('path', 'rooms.navmesh', '--from', '4,0,2', '--to', '14,0,2', '--type', type, '--json')).stdout,
    );
  it('takes size and rules of the type', async () => {
    expect((await find('human')).length).toBeCloseTo(10, 1);
    for (const name of ['cat', 'ogre']) {
      const { length, type } = await find(name);
      expect([length > 25, type]).toEqual([true, name]);
    }
  });

  it('explains what is closed, and refuses unknown types', async () => {
    const ask = (...flags: string[]): Promise<Run> =>
      navkiln('path', 'rooms.navmesh', '--from', '9,0,2', '--to', '14,0,2', '--half-extents', '0.2', ...flags);
    const closed = await ask('--type', 'cat');
    expect([closed.status, closed.stderr]).toEqual([
      1,
      expect.stringContaining('The start is in area 5, which is closed'),
    ]);
    const narrow = await ask('--type', 'ogre');
    expect(narrow.stderr).toMatch(/"ogre" does not: it needs 2.5 and has [12]/);
    expect((await ask('--type', 'ogr')).stderr).toBe('error: --type: no agent type "ogr"; did you mean "ogre"?\n');
    expect((await ask('--type', 'dragon')).stderr).toContain('known: cat, human, ogre');
  });
});

describe('crowd --type', () => {
  it('runs agents of the types of a mesh, in turn', async () => {
    const few = ['crowd', 'rooms.navmesh', '--agents', '4', '--seed', '2', '--json'];
    const { status, stdout } = await navkiln(...few, '--details', '--type', 'cat', '--type', 'ogre');
    const report = JSON.parse(stdout);
    expect([status, report.agents, report.arrived + report.settled, report.offMesh]).toEqual([0, 4, 4, 0]);
    // Measured for each type: an ogre walks around.
    expect(report.details.pathOverhead).toBeLessThan(1.1);
    const alone = await navkiln(...few, '--seconds', '5');
    expect(JSON.parse(alone.stdout).hash).not.toBe(report.hash);
  });

  it('refuses types that are unknown, or have no meaning', async () => {
    const say = async (...args: string[]): Promise<string> => {
      const { status, stderr } = await navkiln('crowd', ...args);
      expect(status).toBe(2);
      return stderr;
    };
    expect(await say('rooms.navmesh', '--type', 'cad')).toContain('no agent type "cad"; did you mean "cat"?');
    expect(await say('bottleneck', '--type', 'cat')).toContain('--type: only applies to a .navmesh file');
    write('town.yaml', SCENE);
    expect(await say('town.yaml', '--type', 'cat')).toContain('agents of a scene file have a type of their own');
  });
});

describe('world publish with agent types', () => {
  it('publishes tiles of all types, from a configuration or flags', async () => {
    const settings = CONFIG.replace('output: rooms.navmesh', 'tileSize: 8');
    write('world.yaml', settings);
    const typesOf = async (world: string, ...flags: string[]): Promise<unknown> => {
      const { status, stderr } = await navkiln(
        'world',
        'publish',
        '--world',
        world,
        '--config',
        'world.yaml',
        ...flags,
      );
      expect(status, stderr).toBe(0);
      const { navMesh } = await openWorld(createFolderStore(join(folder, world)));
      return createAgentTypes(navMesh).map(({ name, filter }) => [name, filter.areaCosts[5], filter.closedLinks]);
    };
    expect(await typesOf('town')).toEqual([
      ['cat', Infinity, 17],
      ['human', 1, 0],
      ['ogre', 4, 0],
    ]);
    expect(await typesOf('flags', '--agent-type', 'a=0.4,1.8')).toEqual([['a', 1, 0]]);
    const twice = await navkiln('world', 'publish', '--world', 'x', '--config', 'world.yaml', '--agent-radius', '1');
    expect(twice.stderr).toContain('agent types have their own radius');
  });
});

describe('types of meshes with one agent', () => {
  const RULES = `agentTypes:
  - { name: walker, radius: 0.5, height: 1.8, closedAreas: [1] }
  - { name: boat, radius: 0.5, height: 1.8 }
`;
  it('are kept by 2D maps', async () => {
    const box = (x: number, y: number, w: number, h: number): number[][] => [
      [x, y],
      [x + w, y],
      [x + w, y + h],
      [x, y + h],
    ];
    const yard = {
      polygons: [{ outline: box(0, 0, 100, 60) }],
      areas: [{ name: 'pond', outline: box(40, -1, 20, 51) }],
    };
    write('yard.json', JSON.stringify(yard));
    write('yard.yaml', `levels: [yard.json]\noutput: yard.navmesh\n${RULES}`);
    const { status, stdout, stderr } = await navkiln('bake', '--config', 'yard.yaml', '--json');
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout).agentTypes).toMatchObject([{ name: 'walker', closedAreas: [1] }, { name: 'boat' }]);
    expect(loadNavMesh(readFileSync(join(folder, 'yard.navmesh'))).agent.radius).toBe(0.5);
    const lengthOf = async (type: string): Promise<number> =>
      JSON.parse(
        (await navkiln('path', 'yard.navmesh', '--from', '10,10', '--to', '90,10', '--type', type, '--json')).stdout,
      ).length;
    expect([await lengthOf('walker'), await lengthOf('boat')]).toEqual([120, 80]);
    write(
      'yard.yaml',
      `levels: [yard.json]\noutput: yard.navmesh\n${RULES.replace('boat, radius: 0.5', 'boat, radius: 1')}`,
    );
    const refused = await navkiln('bake', '--config', 'yard.yaml');
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('so all types need the same radius')]);
    expect(refused.stderr).toContain('findClearPath2d');
  });

  it('are kept by surface meshes, also of scenes', async () => {
    write('surface.yaml', `levels: [rooms.obj]\noutput: surface.navmesh\nsurface: {}\n${RULES}`);
    const { status, stdout, stderr } = await navkiln('bake', '--config', 'surface.yaml', '--json');
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout).agentTypes).toMatchObject([{ name: 'walker', maxClimb: 0.4 }, { name: 'boat' }]);
    const scene = `version: 1\nlevels: [{ file: rooms.obj }]\nbuild: surface\n${RULES}agents:
  - { type: walker, position: [4, 0, 4], goal: [6, 0, 6] }
  - { type: boat, position: [2, 0, 4], goal: [6, 0, 2] }
seconds: 20
`;
    write('surface-scene.yaml', scene);
    const run2 = await navkiln('crowd', 'surface-scene.yaml', '--json');
    expect(run2.status, run2.stderr).toBe(0);
    expect(JSON.parse(run2.stdout)).toMatchObject({ agents: 2, arrived: 2 });
    write('surface-scene.yaml', scene.replace('boat, radius: 0.5, height: 1.8', 'boat, radius: 0.5, height: 2'));
    const refused = await navkiln('crowd', 'surface-scene.yaml', '--json');
    expect(refused.stderr).toContain(
      'surface-scene.yaml:5:3 agentTypes: a surface mesh has one agent, so all types need the same height',
    );
  });
});

describe('a scene with agent types', () => {
  it('leads each agent by its type, and bakes again when types change', async () => {
    write('town.yaml', SCENE);
    const first = await navkiln('crowd', 'town.yaml', '--json');
    expect(first.status, first.stderr).toBe(0);
    const report = JSON.parse(first.stdout);
    expect([report.agents, report.arrived + report.settled, report.offMesh]).toEqual([5, 5, 0]);
    const again = await navkiln('crowd', 'town.yaml', '--json');
    expect(again.stderr).not.toContain('rasterize');
    expect(JSON.parse(again.stdout).hash).toBe(report.hash);
    write('town.yaml', SCENE.replace('closedAreas: [5]', 'closedAreas: [6]'));
    const changed = await navkiln('crowd', 'town.yaml', '--json', '--seconds', '1');
    expect(changed.stderr).toContain('rasterize');
    expect(JSON.parse(changed.stdout).hash).not.toBe(report.hash);
  });

  it('refuses unknown types and agents that fit into none', async () => {
    write('bad.yaml', SCENE.replace('type: ogre, pos', 'type: ogr, pos').replace('radius: 0.7', 'radius: 2'));
    const { status, stderr } = await navkiln('crowd', 'bad.yaml');
    expect(status).toBe(2);
    expect(stderr).toMatch(/bad\.yaml:\d+:\d+ agents\[2\]\.type: no agent type "ogr"; did you mean "ogre"\?/);
    expect(stderr).toContain('agents[3]: its radius 2 and height 1 fit into none of agentTypes; give it a type');
    write('bad.yaml', SCENE.replace('bake: {', 'build: surface\nbake: {'));
    expect((await navkiln('crowd', 'bad.yaml')).stderr).toContain(
      'agentTypes: a surface mesh has one agent, so all types need the same radius',
    );
    write('bad.yaml', SCENE.replace('bake: {', 'bake: { agent: { radius: 1 },'));
    expect((await navkiln('crowd', 'bad.yaml')).stderr).toContain('agent types have their own; remove it');
  });
});
