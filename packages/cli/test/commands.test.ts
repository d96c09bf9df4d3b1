import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { findIslands, findNearest, loadNavMesh } from 'navkiln';
import { addObstacle, openWorld, updateWorld } from 'navkiln/world';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ROOT, ensureBuilt, islandsObj, listFiles, roomObj, run, runProcess } from './cli.ts';
import type { Run } from './cli.ts';

let folder = '';
let files: string[] = [];
const navkiln = (...args: string[]): Promise<Run> => run(args, folder);

beforeAll(async () => {
  await ensureBuilt();
  folder = mkdtempSync(join(tmpdir(), 'navkiln-commands-'));
  writeFileSync(join(folder, 'room.obj'), roomObj());
  writeFileSync(join(folder, 'islands.obj'), islandsObj());
  for (const name of ['room', 'islands']) {
    const { status, stderr } = await navkiln('bake', `${name}.obj`, '-o', `${name}.navmesh`);
    expect(status, stderr).toBe(0);
  }
  const bytes = readFileSync(join(folder, 'room.navmesh'));
  writeFileSync(join(folder, 'cut.navmesh'), bytes.subarray(0, bytes.length - 100));
  writeFileSync(join(folder, 'noise.navmesh'), 'this is not a mesh');
  writeFileSync(join(folder, 'empty.navmesh'), '');
  files = listFiles(folder);
}, 200_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('bake --dynamic', () => {
  it('keeps the layers of each tile, reports their bytes, and a world opens the file', async () => {
    const output = join(folder, 'dynamic.navmesh');
    const { status, stdout } = await navkiln(
      'bake',
      'room.obj',
      '-o',
      output,
      '--dynamic',
      '--tile-size',
      '6',
      '--json',
    );
    expect(status).toBe(0);
    const { layerBytes, tiles, bytes } = JSON.parse(stdout) as Record<string, number>;
    const navMesh = loadNavMesh(readFileSync(output));
    expect(navMesh.layers.length).toBe(layerBytes);
    expect([tiles! > 2, layerBytes! < bytes!]).toEqual([true, true]);
    const world = openWorld(navMesh);
    addObstacle(world, { type: 'box', size: [1, 2, 1], position: [-5, 1, -5] });
    expect(updateWorld(world).changedTileCount).toBeGreaterThan(0);
    const text = await navkiln('bake', 'room.obj', '-o', output, '--dynamic', '--tile-size', '6');
    expect(text.stdout).toMatch(/\nlayers: \d.* per tile\n/);
    rmSync(output);
  });

  it('needs tiles', async () => {
    const { status, stderr } = await navkiln('bake', 'room.obj', '-o', 'x.navmesh', '--dynamic');
    expect(status).toBe(2);
    expect(stderr).toContain('--dynamic: needs --tile-size');
  });
});

describe('path', () => {
  const ends = ['--from', '-5,0,-5', '--to', '5,0,-5'];

  it('prints the path around the wall', async () => {
    const { status, stdout, stderr } = await runProcess(['path', 'room.navmesh', ...ends], folder);
    expect(status, stderr).toBe(0);
    expect(stderr).toBe('');
    const [head, ...points] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^complete: \d+ points, length [\d.]+, \d+ polygons$/);
    expect(points.length).toBeGreaterThanOrEqual(3);
    expect(points[0]).toMatch(/^-5 \S+ -5$/);
    expect(points[points.length - 1]).toMatch(/^5 \S+ -5$/);
    expect(Number(/length ([\d.]+)/.exec(head!)![1])).toBeGreaterThan(22);
  });

  it('--mode optimal uses the index that bake --index has written, and says when it does not fit', async () => {
    const baked = await navkiln('bake', 'room.obj', '-o', 'indexed.navmesh', '--index', '--json');
    expect(baked.status, baked.stderr).toBe(0);
    expect(JSON.parse(baked.stdout).index).toMatchObject({ output: 'indexed.navindex', tier: 'table' });
    const plain = await navkiln('path', 'room.navmesh', ...ends, '--mode', 'optimal', '--json');
    const indexed = await navkiln('path', 'indexed.navmesh', ...ends, '--mode', 'optimal', '--json');
    expect([indexed.status, indexed.stderr]).toEqual([0, '']);
    const [want, found] = [plain, indexed].map(({ stdout }) => JSON.parse(stdout) as Record<string, any>);
    expect(Math.abs(found!['length'] - want!['length'])).toBeLessThan(1e-9);
    expect(found!['polygons']).toBeGreaterThan(1);
    writeFileSync(join(folder, 'indexed.navmesh'), readFileSync(join(folder, 'islands.navmesh')));
    const other = await navkiln('path', 'indexed.navmesh', ...ends, '--mode', 'optimal');
    expect(other.stderr).toContain('note: indexed.navindex is not used: the index is not of this mesh');
    for (const name of ['indexed.navmesh', 'indexed.navindex']) rmSync(join(folder, name));
  });

  it('bake --auto-links adds links and counts them', async () => {
    const boxes = [
      [0, 6],
      [7, 12],
    ];
    const lines = boxes.flatMap(([a, b]) => [`v ${a} 0 0`, `v ${a} 0 6`, `v ${b} 0 6`, `v ${b} 0 0`]);
    writeFileSync(join(folder, 'gap.obj'), `${lines.join('\n')}\nf 1 2 3 4\nf 5 6 7 8\n`);
    const bake = ['bake', 'gap.obj', '-o', 'gap.navmesh'];
    const baked = await navkiln(...bake, '--auto-links', '--json', '--svg', 'gap.svg');
    expect(baked.status, baked.stderr).toBe(0);
    const { jump } = JSON.parse(baked.stdout).autoLinks.links;
    expect(jump).toBeGreaterThan(0);
    const inspected = await navkiln('inspect', 'gap.navmesh', '--json');
    const counts = { count: jump, kinds: { jump }, bothWays: jump, disabled: 0, unattached: 0 };
    expect(JSON.parse(inspected.stdout).links).toEqual(counts);
    expect((await navkiln('inspect', 'gap.navmesh')).stdout).toMatch(/ links +\d+: \d+ jumps? \(\d+ both ways\)\n/);
    expect(readFileSync(join(folder, 'gap.svg'), 'utf8')).toContain('>jump<');
    rmSync(join(folder, 'gap.svg'));
    const path = await navkiln('path', 'gap.navmesh', '--from', '1,0,3', '--to', '11,0,3', '--json');
    expect(JSON.parse(path.stdout).status).toBe('complete');
    expect((await navkiln(...bake, '--auto-links', '--auto-link-limits', 'jump=1')).stdout).toContain('links: none');
    for (const [limits, message] of [
      ['hop', '--auto-link-limits: "hop" is not valid; must be'],
      ['jump=-1', '--auto-link-limits: jump must be a number > 0 (got "-1")'],
      ['jump,jump', '--auto-link-limits: "jump" is not valid; must be'],
    ]) {
      const refused = await navkiln(...bake, '--auto-links', '--auto-link-limits', limits!);
      expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining(message!)]);
    }
    writeFileSync(join(folder, 'gap.yaml'), 'autoLinks: { jump: { maxDistance: 2.6 } }\n');
    const configured = await navkiln(...bake, '--config', 'gap.yaml', '--json');
    expect(JSON.parse(configured.stdout).autoLinks.links.jump).toBeGreaterThan(0);
    // Each agent type has links of its own.
    const types = 'agentTypes: [{ name: human, radius: 0.4, height: 1.8 }, { name: giant, radius: 0.4, height: 2.5 }]';
    const limits = 'autoLinks: { jump: { maxDistance: 2.6 }, sizes: { giant: {} } }';
    writeFileSync(join(folder, 'gap.yaml'), `${types}\n${limits}\n`);
    expect((await navkiln(...bake, '--config', 'gap.yaml')).status).toBe(0);
    for (const [type, status] of [
      ['human', 'complete'],
      ['giant', 'partial'],
    ]) {
      const found = await navkiln(
        'path',
        'gap.navmesh',
        '--from',
        '1,0,3',
        '--to',
        '11,0,3',
        '--type',
        type!,
        '--json',
      );
      expect(JSON.parse(found.stdout).status, type).toBe(status);
    }
    rmSync(join(folder, 'gap.yaml'));
    const alone = await navkiln(...bake, '--auto-link-limits', 'jump');
    expect(alone.stderr).toContain('--auto-link-limits: only applies with --auto-links');
    for (const name of ['gap.obj', 'gap.navmesh']) rmSync(join(folder, name));
  });

  it('path --level names the limit that closes the route', async () => {
    const lines = [
      [0, 6, 0],
      [6, 12, 0.7],
    ].flatMap(([a, b, y]) => [`v ${a} ${y} 0`, `v ${a} ${y} 6`, `v ${b} ${y} 6`, `v ${b} ${y} 0`]);
    writeFileSync(join(folder, 'step.obj'), `${lines.join('\n')}\nf 1 2 3 4\nf 5 6 7 8\n`);
    expect((await navkiln('bake', 'step.obj', '-o', 'step.navmesh')).status).toBe(0);
    const ask = ['path', 'step.navmesh', '--from', '2,0,3', '--to', '10,0.7,3'];
    const asked = await navkiln(...ask, '--level', 'step.obj');
    expect([asked.status, asked.stderr]).toEqual([
      1,
      expect.stringMatching(/a path with maxClimb 0\.7 instead of 0\.4, past \[6/),
    ]);
    const json = JSON.parse((await navkiln(...ask, '--level', 'step.obj', '--json')).stdout);
    expect(json.explanation.message).toContain('maxClimb 0.7 instead of 0.4');
    const refused = await navkiln(...ask, '--level', 'gone.obj');
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('gone.obj: no such file')]);
    for (const name of ['step.obj', 'step.navmesh']) rmSync(join(folder, name));
  });

  it('bake --auto-links adds links over the gaps of a 2D map', async () => {
    const islands = [
      [0, 6],
      [7, 12],
    ].map(([a, b]) => ({
      outline: [
        [a, 0],
        [b, 0],
        [b, 6],
        [a, 6],
      ],
    }));
    writeFileSync(join(folder, 'river.json'), JSON.stringify({ polygons: islands }));
    const bake = ['bake', 'river.json', '-o', 'river.navmesh', '--auto-links'];
    const baked = await navkiln(...bake, '--auto-link-limits', 'jump=1.5', '--json');
    expect(baked.status, baked.stderr).toBe(0);
    expect(JSON.parse(baked.stdout).autoLinks.links.jump).toBeGreaterThan(0);
    const path = await navkiln('path', 'river.navmesh', '--from', '1,3', '--to', '11,3', '--json');
    expect(JSON.parse(path.stdout).status).toBe('complete');
    for (const [limits, message] of [
      [['--auto-link-limits', 'jump=1.5,drop=2'], 'drop has no meaning'],
      [['--auto-link-limits', 'jump'], 'their distance is not given; use --auto-link-limits jump=LENGTH'],
    ] as const) {
      const refused = await navkiln(...bake, ...limits);
      expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining(message)]);
    }
    for (const name of ['river.json', 'river.navmesh']) rmSync(join(folder, name));
  });

  it('bake and path note an index that is empty because of --index-max-bytes', async () => {
    const note = 'small.navindex: the index is empty and paths are searched: its limit of bytes is too low';
    const limited = ['bake', 'room.obj', '-o', 'small.navmesh', '--index-max-bytes'];
    const baked = await navkiln(...limited, '100', '--index', '--json');
    expect(baked.status, baked.stderr).toBe(0);
    expect(baked.stderr).toContain(`warning: ${note} (raise --index-max-bytes)\n`);
    expect(JSON.parse(baked.stdout).index).toMatchObject({ tier: 'none', reason: 'max-bytes', corners: 0 });
    const path = await navkiln('path', 'small.navmesh', ...ends, '--mode', 'optimal');
    expect([path.status, path.stderr]).toEqual([0, `note: ${note} (raise --index-max-bytes)\n`]);
    expect(await navkiln(...limited, '0', '--index')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--index-max-bytes 0: must be a number > 0'),
    });
    expect((await navkiln(...limited, '100')).stderr).toContain('--index-max-bytes: only applies with --index');
    for (const name of ['small.navmesh', 'small.navindex']) rmSync(join(folder, name));
  });

  it('--json prints one object of exactly this shape', async () => {
    const { status, stdout } = await navkiln('path', 'room.navmesh', ...ends, '--json');
    expect(status).toBe(0);
    const found = JSON.parse(stdout) as Record<string, any>;
    expect(Object.keys(found)).toEqual(['status', 'reason', 'length', 'points', 'polygons']);
    expect(found['status']).toBe('complete');
    let length = 0;
    const points = found['points'] as number[][];
    points.forEach((point, i) => {
      expect(point.length).toBe(3);
      if (i > 0) length += Math.hypot(...point.map((value, axis) => value - points[i - 1][axis]));
    });
    expect(found['length']).toBeCloseTo(length, 6);
    expect(found['polygons']).toBeGreaterThan(1);
  });

  it('--svg draws the path', async () => {
    const mesh = join(folder, 'room.navmesh');
    expect((await navkiln('path', mesh, ...ends, '--svg', 'path.svg')).status).toBe(0);
    expect(readFileSync(join(folder, 'path.svg'), 'utf8')).toContain('<title>room.navmesh</title>');
    expect(readFileSync(join(folder, 'path.svg'), 'utf8')).toMatch(/^<svg [\s\S]*<\/svg>\s*$/);
    rmSync(join(folder, 'path.svg'));
  });

  it('--mode smooth: a point on the surface at every step', async () => {
    const [funnel, smooth] = await Promise.all(
      [[], ['--mode', 'smooth', '--step', '0.25']].map(async (flags) => {
        const { status, stdout } = await navkiln('path', 'room.navmesh', ...ends, '--json', ...flags);
        expect(status).toBe(0);
        return JSON.parse(stdout) as { status: string; length: number; points: number[][]; polygons: number };
      }),
    );
    expect([smooth!.status, smooth!.polygons]).toEqual([funnel!.status, funnel!.polygons]);
    expect(smooth!.points.length).toBeGreaterThanOrEqual(funnel!.length / 0.25);
    expect(smooth!.length / funnel!.length).toBeCloseTo(1, 2);
    smooth!.points.slice(1).forEach(([x, , z], i) => {
      expect(Math.hypot(x! - smooth!.points[i][0], z! - smooth!.points[i][2])).toBeLessThan(0.25 + 1e-9);
    });
    for (const flags of [
      ['--mode', 'best'],
      ['--step', '1'],
      ['--half-extents', '0'],
      ['--half-extents', 'x'],
      ['--mode', 'smooth', '--step', '0'],
      ['--mode', 'smooth', '--step', 'x'],
      ['--mode', 'smooth', '--step', '1e-15'],
    ]) {
      const { status, stdout, stderr } = await navkiln('path', 'room.navmesh', ...ends, ...flags);
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^error: --(mode|step|half-extents): /);
    }
  });

  it('--half-extents: an end off the mesh is moved onto it, and the message names the flag', async () => {
    const far = ['--from', '-40,0,-5', ends[2]!, ends[3]!];
    const refused = await navkiln('path', 'room.navmesh', ...far);
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining('A larger --half-extents would include'),
    ]);
    const found = await navkiln('path', 'room.navmesh', ...far, '--half-extents', '60');
    expect([found.status, found.stdout]).toEqual([0, expect.stringContaining('complete')]);
  });

  it('--mode midpoints: the path over midpoints of edges', async () => {
    const { status, stdout } = await navkiln('path', 'room.navmesh', ...ends, '--json', '--mode', 'midpoints');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'complete' });
  });

  it('no complete path: status 1, partial, unreachable', async () => {
    const { status, stdout } = await navkiln(
      'path',
      'islands.navmesh',
      '--from',
      '-10,0,0',
      '--to',
      '10,0,0',
      '--json',
    );
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'partial', reason: 'unreachable' });
    const text = await navkiln('path', 'islands.navmesh', '--from', '-10,0,0', '--to', '10,0,0');
    expect(text.status).toBe(1);
    expect(text.stdout).toMatch(/^partial \(unreachable\): /);
  });

  it('ends off the mesh: status 1, none, and which end', async () => {
    const start = await navkiln('path', 'room.navmesh', '--from', '500,0,0', '--to', '0,0,8', '--json');
    expect([start.status, JSON.parse(start.stdout)]).toMatchObject([
      1,
      { status: 'none', reason: 'start-off-mesh', points: [], length: 0, polygons: 0 },
    ]);
    const { explanation } = JSON.parse(start.stdout) as { explanation: { cause: string; message: string } };
    expect(explanation.cause).toBe('start-off-mesh');
    expect(explanation.message).toMatch(
      /^The start is off the mesh: the nearest point of the mesh, \[9\.\d+, .*\], is 49\d\.?\d* away towards -x/,
    );
    const words = await navkiln('path', 'room.navmesh', '--from', '500,0,0', '--to', '0,0,8');
    expect(words.stderr).toBe(`why: ${explanation.message}\n`);
    const end = await navkiln('path', 'room.navmesh', '--from', '0,0,8', '--to', '0,500,8', '--json');
    expect([end.status, JSON.parse(end.stdout)]).toMatchObject([1, { status: 'none', reason: 'end-off-mesh' }]);
  });

  it.each([
    [['path', 'room.navmesh', '--to', '0,0,0'], "error: required option '--from <x,y,z>' not specified"],
    [
      ['path', 'room.navmesh', '--from', '0,0', '--to', '0,0,0'],
      'error: --from: must be three numbers "x,y,z" (got "0,0")',
    ],
    [
      ['path', 'room.navmesh', '--from', '0,0,0', '--to', '0,0,up'],
      'error: --to: must be three numbers "x,y,z" (got "0,0,up")',
    ],
    [['path', '--from', '0,0,0', '--to', '0,0,0'], "error: missing required argument 'file'"],
    [['path', 'gone.navmesh', '--from', '0,0,0', '--to', '0,0,0'], 'error: gone.navmesh: no such file or folder'],
    [['path', '.', '--from', '0,0,0', '--to', '0,0,0'], 'error: .: is a folder, not a file'],
    [
      ['path', 'room.obj', '--from', '0,0,0', '--to', '0,0,0'],
      'error: room.obj: is a level, not a navigation mesh; bake it first: navkiln bake room.obj -o room.navmesh',
    ],
    [['path', 'cut.navmesh', '--from', '0,0,0', '--to', '0,0,0'], 'error: cut.navmesh: '],
    [['path', 'noise.navmesh', '--from', '0,0,0', '--to', '0,0,0'], 'error: noise.navmesh: '],
    [['path', 'empty.navmesh', '--from', '0,0,0', '--to', '0,0,0'], 'error: empty.navmesh: '],
    [
      ['path', 'room.navmesh', '--from', '0,0,0', '--to', '0,0,0', '--svg', 'gone/a.svg'],
      'error: --svg gone/a.svg: the folder gone does not exist',
    ],
    [['inspect', 'gone.obj'], 'error: gone.obj: no such file or folder'],
    [['inspect', 'noise.navmesh'], 'error: noise.navmesh: '],
    [['validate', 'gone.navmesh'], 'error: gone.navmesh: no such file or folder'],
    [['inspct'], "error: unknown command 'inspct'\n(Did you mean inspect?)"],
    [['--bogus'], "error: unknown option '--bogus'"],
    [['validate', 'room.navmesh', 'islands.navmesh'], 'error: too many arguments'],
    [[], 'Usage: navkiln'],
  ])('%j is refused', async (args, message) => {
    const { status, stdout, stderr } = await navkiln(...args);
    expect(stderr).toContain(message);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).not.toMatch(/defect|\n\s+at /);
    expect(listFiles(folder)).toEqual(files);
  });
});

it('a bug ends with status 70 and says what to report', async () => {
  const parse = vi.spyOn(Command.prototype, 'parseAsync').mockRejectedValue(new TypeError('oops'));
  try {
    const { status, stderr } = await navkiln('inspect', 'room.navmesh');
    expect(status).toBe(70);
    expect(stderr).toContain('error: this is a bug in navkiln: TypeError: oops');
    expect(stderr).toMatch(/\nPlease report it .*\(navkiln \S+, Node v\S+, \w+\)\n$/);
  } finally {
    parse.mockRestore();
  }
});

describe('inspect', () => {
  it('reports a mesh', async () => {
    const { status, stdout } = await navkiln('inspect', 'room.navmesh');
    expect(status).toBe(0);
    for (const part of [
      'navigation mesh',
      'radius 0.4, height 1.8, climbs 0.4, slopes to 45 degrees',
      'polygons',
      'bounds',
      '63: ',
      'vertices',
    ]) {
      expect(stdout).toContain(part);
    }
    const report = JSON.parse((await navkiln('inspect', 'room.navmesh', '--json')).stdout) as Record<string, any>;
    // The file's own version: the number after its eight magic bytes.
    const version = readFileSync(join(folder, 'room.navmesh')).readUInt32LE(8);
    expect(version).toBe(2);
    expect(report).toMatchObject({ kind: 'navmesh', version, tiles: 1, agent: { radius: 0.4 } });
    expect(stdout).toContain(`navigation mesh, version ${version},`);
    expect(report['bytes']).toBe(readFileSync(join(folder, 'room.navmesh')).length);
    expect(report['areas']).toEqual([{ area: 63, polygons: report['polygons'] }]);
    expect(
      report['sections'].find((section: { name: string }) => section.name === 'vertices').bytes,
    ).toBeGreaterThanOrEqual(24 * report['vertices']);
    // The floor less a strip of a radius along its border and around the wall, give or take cells.
    expect(report['groundArea']).toBeGreaterThan(19 * 19 - 2.4 * 17 - 10);
    expect(report['groundArea']).toBeLessThan(400 - 16 - 20);
  });

  it('lists the islands of a mesh by area, each with a position on it', async () => {
    const report = JSON.parse((await navkiln('inspect', 'islands.navmesh', '--json')).stdout) as Record<string, any>;
    const navMesh = loadNavMesh(readFileSync(join(folder, 'islands.navmesh')));
    const { islands } = findIslands(navMesh);
    expect(islands.length).toBeGreaterThan(1);
    expect(report['islands']).toHaveLength(islands.length);
    report['islands'].forEach((island: { area: number; polygons: number; position: number[] }, i: number) => {
      expect(island.area).toBe(islands[i]!.area);
      expect(island.polygons).toBe(islands[i]!.polys.length);
      expect(islands[i]!.polys).toContain(findNearest(navMesh, island.position as [number, number, number]).ref);
    });
    const { stdout } = await navkiln('inspect', 'islands.navmesh');
    expect(stdout).toMatch(/islands +\d+, by area\n +[\d.]+ \([\d.]+ %\) +\d+ polygons? +at /);
    expect((await navkiln('inspect', 'room.navmesh')).stdout).toMatch(/islands +1\n/);
  });

  it('reports a level', async () => {
    const { status, stdout } = await navkiln('inspect', 'room.obj');
    expect(status).toBe(0);
    expect(stdout).toMatch(/triangles +12\n +vertices +12\n +bounds +-10 0 -10 {2}to {2}10 3 10\n/);
    const report = JSON.parse((await navkiln('inspect', 'room.obj', '--json')).stdout) as Record<string, any>;
    expect(report).toMatchObject({
      kind: 'level',
      triangles: 12,
      vertices: 12,
      bounds: { min: [-10, 0, -10], max: [10, 3, 10] },
      materials: [
        { name: 'wall', triangles: 10 },
        { name: 'floor', triangles: 2 },
      ],
    });
  });
});

describe('validate', () => {
  it('a valid mesh: status 0', async () => {
    expect(await navkiln('validate', 'room.navmesh')).toMatchObject({
      status: 0,
      stdout: 'room.navmesh: valid\n',
      stderr: '',
    });
    const { stdout } = await navkiln('validate', 'room.navmesh', '--json');
    expect(JSON.parse(stdout)).toEqual({ file: 'room.navmesh', valid: true, violations: [] });
  });

  it('a file that cannot be loaded: status 1 and the reason', async () => {
    for (const name of ['cut.navmesh', 'noise.navmesh', 'empty.navmesh', 'room.obj']) {
      const { status, stdout } = await navkiln('validate', name);
      expect(status).toBe(1);
      expect(stdout).toMatch(new RegExp(`^${name}: 1 violation\n {2}file: \\S`));
      expect(JSON.parse((await navkiln('validate', name, '--json')).stdout)).toMatchObject({
        valid: false,
        violations: [{ code: 'file' }],
      });
    }
  });

  it('a mesh with any byte changed: status 0 or 1, never a crash', async () => {
    const good = readFileSync(join(folder, 'room.navmesh'));
    const statuses = new Set<number | null>();
    for (let i = 0; i < 12; i++) {
      const bytes = Buffer.from(good);
      const at = Math.floor(((i + 0.5) / 12) * good.length);
      bytes[at] = bytes[at] ^ 0xff;
      writeFileSync(join(folder, 'changed.navmesh'), bytes);
      const { status, stderr } = await navkiln('validate', 'changed.navmesh');
      expect([0, 1], `byte ${at}: ${stderr}`).toContain(status);
      statuses.add(status);
    }
    rmSync(join(folder, 'changed.navmesh'));
    expect(statuses.has(1)).toBe(true);
  });
});

describe('other commands', () => {
  it('help and version: on standard output, status 0', async () => {
    const help = await navkiln('--help');
    expect(help.status).toBe(0);
    for (const command of ['bake', 'path', 'inspect', 'validate', 'convert', 'schema'])
      expect(help.stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
    const bake = await navkiln('bake', '--help');
    expect(bake.status).toBe(0);
    for (const part of [
      '--agent-radius <number>',
      '--partition <watershed|monotone|layers>',
      '(default: half the radius)',
      'FILE::key=value',
      '--config <file>',
      '--surface',
    ]) {
      expect(bake.stdout).toContain(part);
    }
    expect(bake.stdout).toContain('--workers <n>');
    expect((await navkiln('help', 'path')).stdout).toContain('--from <x,y,z>');
    const { version } = JSON.parse(readFileSync(join(ROOT, 'packages/cli/package.json'), 'utf8')) as {
      version: string;
    };
    expect(await navkiln('--version')).toMatchObject({ status: 0, stdout: `${version}\n` });
  });

  it('schema prints a JSON Schema', async () => {
    const { status, stdout } = await navkiln('schema');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      type: 'object',
      additionalProperties: false,
      properties: { cellSize: { type: 'number' } },
    });
  });
});
