import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BINARY, ensureBuilt, islandsObj, listFiles, roomObj, run, runProcess } from './cli.ts';
import { createIo, makeScene } from './scene.ts';

let folder = '';

beforeAll(async () => {
  await ensureBuilt();
  folder = mkdtempSync(join(tmpdir(), 'navkiln-bake-'));
  writeFileSync(join(folder, 'room.obj'), roomObj());
  writeFileSync(join(folder, 'islands.obj'), islandsObj());
  await (await createIo()).write(join(folder, 'scene.glb'), makeScene());
}, 200_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Summary {
  output: string;
  tiles: number;
  polygons: number;
  vertices: number;
  detailTriangles: number;
  bytes: number;
  totalMs: number;
  stages: { name: string; ms: number }[];
  warnings: { code: string; stage: string; count: number; reason?: object }[];
}

/** Bakes and returns the output of --json; fails unless the status is 0. */
async function bake(...args: string[]): Promise<Summary> {
  const { status, stdout, stderr } = await run(['bake', ...args, '--json'], folder);
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout) as Summary;
}

describe('bake', () => {
  it('writes a mesh and reports it', async () => {
    const { status, stdout, stderr } = await runProcess(['bake', 'room.obj', '-o', 'room.navmesh'], folder);
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(/^room\.navmesh: 1 tile, \d+ polygons, \d+ vertices, \d+ detail triangles?, [\d.]+ K?B\n/);
    expect(stdout).toMatch(/\n {2}total +[\d.]+ m?s\n$/);
    // Not a terminal: a line a stage, in order, and no control characters.
    expect(stderr).toMatch(/^bake: read room\.obj\nbake: 1\/(\d+) \S+\n(bake: \d+\/\1 \S+\n)+$/);
    expect(stderr).not.toContain('\u001b');
    expect(listFiles(folder).filter((name) => name.includes('tmp'))).toEqual([]);
  });

  it('--json prints one object of exactly this shape and nothing else', async () => {
    const { status, stdout } = await run(['bake', 'room.obj', '--output', 'json.navmesh', '--json'], folder);
    expect(status).toBe(0);
    expect(stdout.trimEnd().split('\n').length).toBe(1);
    const summary = JSON.parse(stdout) as Summary;
    expect(Object.keys(summary)).toEqual([
      'output',
      'tiles',
      'polygons',
      'vertices',
      'detailTriangles',
      'bytes',
      'totalMs',
      'stages',
      'warnings',
    ]);
    expect(summary.output).toBe('json.navmesh');
    expect(summary.tiles).toBe(1);
    for (const key of ['polygons', 'vertices', 'detailTriangles', 'totalMs'] as const)
      expect(summary[key]).toBeGreaterThan(0);
    expect(summary.bytes).toBe(statSync(join(folder, 'json.navmesh')).size);
    expect(summary.stages.length).toBeGreaterThan(3);
    for (const stage of summary.stages) expect(Object.keys(stage)).toEqual(['name', 'ms']);
    expect(summary.warnings).toEqual([]);
  });

  it('gives the same bytes again, and overwrites an existing file', async () => {
    await bake('room.obj', '-o', 'same-a.navmesh');
    await bake('room.obj', '-o', 'same-b.navmesh');
    writeFileSync(join(folder, 'same-c.navmesh'), 'old');
    chmodSync(join(folder, 'same-c.navmesh'), 0o640);
    symlinkSync('same-c.navmesh', join(folder, 'same-link.navmesh'));
    await bake('room.obj', '-o', 'same-link.navmesh');
    const bytes = readFileSync(join(folder, 'same-a.navmesh'));
    expect(readFileSync(join(folder, 'same-b.navmesh')).equals(bytes)).toBe(true);
    expect(readFileSync(join(folder, 'same-c.navmesh')).equals(bytes)).toBe(true);
    expect(statSync(join(folder, 'same-c.navmesh')).mode & 0o777).toBe(0o640);
  });

  it.each([
    ['its stages', []],
    ['tiles', ['--tile-size', '4']],
    ['monotone regions', ['--partition', 'monotone']],
    ['a surface', ['--surface']],
    ['a surface without radius and clearance', ['--surface', '--agent-radius', '0']],
  ])('progress of %s counts every number up to the total', async (_, flags) => {
    const { status, stderr } = await run(['bake', 'room.obj', '-o', 'counted.navmesh', ...flags], folder);
    expect(status, stderr).toBe(0);
    const counts = [...stderr.matchAll(/^bake: (\d+)\/(\d+) /gm)].map(([, done, total]) => [
      Number(done),
      Number(total),
    ]);
    const total = counts[0][1];
    const first = counts[0][0];
    expect(first).toBeLessThanOrEqual(3);
    expect(counts).toEqual(Array.from({ length: total - first + 1 }, (__, i) => [first + i, total]));
  });

  it('names the object and the material of a triangle that it warns of', async () => {
    const flat = `${roomObj()}\no shelf\nusemtl wood\nv 0 1 0\nv 1 1 0\nv 2 1 0\nf -3 -2 -1\n`;
    writeFileSync(join(folder, 'flat.obj'), flat);
    const { status, stderr } = await run(['bake', 'flat.obj', '-o', 'flat.navmesh'], folder);
    expect(status, stderr).toBe(0);
    expect(stderr).toContain(
      'warning: 1 triangle has no area; the first is triangle 12 (number 0 of "shelf", material "wood")\n',
    );
  });

  it('--svg writes a drawing', async () => {
    const { status, stderr } = await run(['bake', 'room.obj', '-o', 'svg.navmesh', '--svg', 'room.svg'], folder);
    expect(status, stderr).toBe(0);
    expect(readFileSync(join(folder, 'room.svg'), 'utf8')).toMatch(/^<svg [\s\S]*<\/svg>\s*$/);
  });

  it('--tile-size bakes tiles, and inspect reports them', async () => {
    const summary = await bake('room.obj', '-o', 'tiles.navmesh', '--tile-size', '3');
    expect(summary.tiles).toBeGreaterThan(1);
    const { status, stdout } = await run(['inspect', 'tiles.navmesh'], folder);
    expect([status, new RegExp(`^ {2}tiles +${summary.tiles} of \\d`, 'm').test(stdout)]).toEqual([0, true]);
    expect((await run(['validate', 'tiles.navmesh'], folder)).status).toBe(0);
    const refused = await run(['bake', 'room.obj', '-o', 'tiles.navmesh', '--tile-size', '0.5'], folder);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('tileSize is 0.5; must be')]);
  });

  it('each option reaches the bake', async () => {
    const inspect = async (...args: string[]): Promise<Record<string, any>> => {
      await bake('room.obj', '-o', 'option.navmesh', ...args);
      return JSON.parse((await run(['inspect', 'option.navmesh', '--json'], folder)).stdout) as Record<string, any>;
    };
    const plain = await inspect();
    expect(plain['agent']).toEqual({ radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 });
    const shaped = await inspect(
      '--agent-radius',
      '0.75',
      '--agent-height',
      '2.5',
      '--agent-max-climb',
      '0.25',
      '--agent-max-slope',
      '30',
    );
    expect(shaped['agent']).toEqual({ radius: 0.75, height: 2.5, maxClimb: 0.25, maxSlopeDegrees: 30 });
    expect(shaped['groundArea']).toBeLessThan(plain['groundArea']);
    const cells = await inspect('--cell-size', '0.5', '--cell-height', '0.125');
    expect([cells['cellSize'], cells['cellHeight']]).toEqual([0.5, 0.125]);
    const split = await inspect('--max-edge-length', '2');
    expect(split['vertices']).toBeGreaterThan(plain['vertices']);
    const polygons = async (...args: string[]): Promise<number> =>
      (await bake('room.obj', '-o', 'option.navmesh', ...args)).polygons;
    expect(await polygons('--region-min-area', '1000', '--allow-empty')).toBe(0);
    for (const option of [
      ['--partition', 'watershed', '--max-edge-error', '0'],
      ['--partition', 'monotone', '--region-merge-area', '0'],
      ['--partition', 'layers', '--detail-sample-distance', '0', '--detail-max-error', '0.5'],
    ]) {
      expect(await polygons(...option), option.join(' ')).toBeGreaterThan(0);
    }
  }, 60_000);

  it('joins several levels of different formats, each with its placement', async () => {
    const one = await bake('room.obj', '-o', 'one.navmesh');
    const two = await bake(
      'room.obj',
      'room.obj::position=40,0,0::rotation=90',
      'scene.glb::position=0,0,60',
      '-o',
      'two.navmesh',
    );
    expect(two.polygons).toBeGreaterThan(2 * one.polygons - 1);
    const report = JSON.parse((await run(['inspect', 'two.navmesh', '--json'], folder)).stdout) as Record<string, any>;
    expect(report['bounds'].max[0]).toBeGreaterThan(45);
    expect(report['bounds'].max[2]).toBeGreaterThan(60);
    const mirrored = await bake('room.obj::scale=-1,1,1', '-o', 'mirrored.navmesh');
    expect(mirrored.polygons).toBeGreaterThan(0);
    // The same room in a file with z up.
    writeFileSync(
      join(folder, 'z-up.obj'),
      roomObj().replace(/^v (\S+) (\S+) (\S+)$/gm, (_, x, y, z) => `v ${x} ${-z} ${y}`),
    );
    await bake('z-up.obj::up=z', '-o', 'z-up.navmesh');
    expect(readFileSync(join(folder, 'z-up.navmesh')).equals(readFileSync(join(folder, 'one.navmesh')))).toBe(true);
  });

  it('--config in YAML and in JSON: paths are relative to its folder, flags take precedence', async () => {
    mkdirSync(join(folder, 'conf'));
    writeFileSync(
      join(folder, 'conf/bake.yaml'),
      'levels:\n  - ../room.obj\n  - file: ../room.obj\n    position: [30, 0, 0]\noutput: out.navmesh\n' +
        'agent: { radius: 0.6, height: 2 }\ncell-size: 0.25\n',
    );
    const summary = await bake('--config', 'conf/bake.yaml', '--agent-radius', '0.5');
    expect(existsSync(join(folder, 'conf/out.navmesh'))).toBe(true);
    expect(summary.output).toMatch(/conf[/\\]out\.navmesh$/);
    const report = JSON.parse((await run(['inspect', 'conf/out.navmesh', '--json'], folder)).stdout) as Record<
      string,
      any
    >;
    expect(report['agent']).toEqual({ radius: 0.5, height: 2, maxClimb: 0.4, maxSlopeDegrees: 45 });
    expect(report['cellSize']).toBe(0.25);
    expect(report['bounds'].max[0]).toBeGreaterThan(35);
    writeFileSync(join(folder, 'bake.json'), JSON.stringify({ cellSize: 0.5 }));
    await bake('room.obj', '--config', 'bake.json', '-o', 'config.navmesh');
    const other = JSON.parse((await run(['inspect', 'config.navmesh', '--json'], folder)).stdout) as Record<
      string,
      any
    >;
    expect(other['cellSize']).toBe(0.5);
  });

  it('--config: volumes and bounds, which have no flags', async () => {
    const volumes = [
      { type: 'box', area: 0, min: [4, -1, 4], max: [8, 1, 8] },
      { type: 'cylinder', area: 7, center: [-5, -1, 5], radius: 2, height: 3 },
      {
        type: 'prism',
        area: 9,
        outline: [
          [2, -8],
          [8, -8],
          [5, -2],
        ],
        minY: -1,
        maxY: 1,
      },
    ];
    writeFileSync(join(folder, 'volumes.json'), JSON.stringify({ volumes, regionMergeArea: 0 }));
    writeFileSync(join(folder, 'bounds.yaml'), 'bounds: { min: [-9, -1, -9], max: [-2, 3, 9] }\n');
    const inspect = async (...args: string[]): Promise<Record<string, any>> => {
      await bake('room.obj', '-o', 'volume.navmesh', ...args);
      return JSON.parse((await run(['inspect', 'volume.navmesh', '--json'], folder)).stdout) as Record<string, any>;
    };
    const plain = await inspect();
    const marked = await inspect('--config', 'volumes.json');
    expect(marked['areas'].map((entry: { area: number }) => entry.area).sort()).toEqual([63, 7, 9]);
    expect(marked['groundArea']).toBeLessThan(plain['groundArea'] - 14);
    expect((await inspect('--config', 'bounds.yaml'))['bounds'].max[0]).toBeLessThan(-2);
  });

  it('a mesh without polygons is status 1 and no file, with the reason in words and in the summary', async () => {
    writeFileSync(join(folder, 'wall.obj'), 'v 0 0 0\nv 0 5 0\nv 5 0 0\nf 1 2 3\n');
    const before = listFiles(folder);
    const { status, stdout, stderr } = await run(
      ['bake', 'wall.obj', '-o', 'wall.navmesh', '--svg', 'wall.svg', '--json'],
      folder,
    );
    expect(status).toBe(1);
    expect(listFiles(folder)).toEqual(before);
    const summary = JSON.parse(stdout) as Summary;
    expect(summary).toMatchObject({ output: null, tiles: 0, polygons: 0, bytes: 0 });
    expect(summary.warnings.find(({ code }) => code === 'empty-result')).toMatchObject({
      reason: { cause: 'wrong-up-axis', size: [5, 5, 0], radius: 0.4, height: 1.8, value: 90 },
    });
    expect(stderr).toMatch(
      /warning: the mesh is empty.*level is 5 × 5 × 0 units, agent radius 0\.4, height 1\.8: -z up\?/,
    );
    expect(stderr).toMatch(
      /\nerror: the mesh has no polygons, so wall\.navmesh is not written \(--allow-empty writes it\)\n/,
    );
    expect(stderr).toMatch(/\ntry: ::up=-z after the name of the level\n$/);
    const plain = await run(['bake', 'wall.obj', '-o', 'wall.navmesh'], folder);
    expect([plain.status, plain.stdout]).toEqual([1, '']);
  });

  it('a level with z up, in centimeters or inside out is named, with the change that covers most of it', async () => {
    // Closed boxes, z up: a slab of 40 x 40 and crates.
    const box = (min: readonly number[], max: readonly number[], flip: boolean, first: number): string => {
      const lines = [0, 1, 2, 3, 4, 5, 6, 7].map(
        (k) => `v ${[0, 1, 2].map((i) => (k & (1 << i) ? max[i] : min[i])).join(' ')}`,
      );
      const faces = ['0 4 6 2', '1 3 7 5', '0 1 5 4', '2 6 7 3', '0 2 3 1', '4 5 7 6'].map((face) => {
        const corners = face.split(' ').map((k) => Number(k) + first);
        return `f ${(flip ? corners.reverse() : corners).join(' ')}`;
      });
      return [...lines, ...faces].join('\n');
    };
    const level = (scale: number, isZUp: boolean, flip: boolean): string =>
      [
        [
          [0, -1, 0],
          [40, 0, 40],
        ],
        [
          [5, 0, 5],
          [8, 3, 8],
        ],
        [
          [20, 0, 30],
          [22, 2, 33],
        ],
      ]
        .map(([min, max], i) => {
          const place = (p: readonly number[]): number[] =>
            (isZUp ? [p[0]!, -p[2]!, p[1]!] : [...p]).map((value) => value * scale);
          const [a, b] = [place(min!), place(max!)];
          const sorted = [0, 1, 2].map((k) => [Math.min(a[k]!, b[k]!), Math.max(a[k]!, b[k]!)]);
          return box(
            sorted.map(([low]) => low!),
            sorted.map(([, high]) => high!),
            flip,
            1 + 8 * i,
          );
        })
        .join('\n');
    writeFileSync(join(folder, 'zup.obj'), level(1, true, false));
    writeFileSync(join(folder, 'centimeters.obj'), level(100, false, false));
    writeFileSync(join(folder, 'inside-out.obj'), level(1, false, true));
    const zUp = await run(['bake', 'zup.obj', '-o', 'odd.navmesh', '--json'], folder);
    expect(zUp.stderr).toMatch(/warning: z up\? .*try: ::up=z after the name of the level/);
    const [found] = (JSON.parse(zUp.stdout) as Summary).warnings.filter(({ code }) => code === 'wrong-up-axis');
    expect(found).toMatchObject({ stage: 'diagnosis', advice: '::up=z after the name of the level' });
    writeFileSync(join(folder, 'xup.obj'), level(1, true, false).replace(/^v (\S+) (\S+) (\S+)$/gm, 'v $3 $1 $2'));
    const xUp = await run(['bake', 'xup.obj', '-o', 'odd.navmesh'], folder);
    expect(xUp.stderr).toMatch(/warning: x up\? .*try: ::up=x after the name of the level/);
    const sideways = await run(['bake', 'xup.obj::up=x', '-o', 'odd.navmesh'], folder);
    expect([sideways.status, sideways.stderr]).toEqual([0, expect.not.stringMatching(/warning/)]);
    const turned = await run(['bake', 'zup.obj::up=z', '-o', 'odd.navmesh'], folder);
    expect([turned.status, turned.stderr]).toEqual([0, expect.not.stringMatching(/warning/)]);
    const large = await run(['bake', 'centimeters.obj', '-o', 'odd.navmesh'], folder);
    expect(large.status).toBe(2);
    expect(large.stderr).toMatch(
      /400 million columns: centimeters\? ::scale=0\.01 after the name of the level makes it 40 × 4 × 40 \(inches: ::scale=0\.0254\)\./,
    );
    const small = await run(['bake', 'centimeters.obj::scale=0.01', '-o', 'odd.navmesh'], folder);
    expect([small.status, small.stderr]).toEqual([0, expect.not.stringMatching(/warning/)]);
    const flipped = await run(['bake', 'inside-out.obj', '-o', 'odd.navmesh'], folder);
    expect(flipped.stderr).toMatch(/warning: faces flipped\? closed solids of .* try: flip the faces/);
  });

  it('names the step that keeps a floor apart, and the climb that joins it', async () => {
    const floor = (x: number, y: number, first: number): string =>
      `v ${x} ${y} 0\nv ${x} ${y} 8\nv ${x + 8} ${y} 8\nv ${x + 8} ${y} 0\nf ${[0, 1, 2, 3].map((k) => first + k).join(' ')}`;
    writeFileSync(join(folder, 'missed.obj'), `${floor(0, 0, 1)}\n${floor(8, 0.6, 5)}\n`);
    const args = ['bake', 'missed.obj', '-o', 'missed.navmesh', '--json'];
    const { stdout, stderr } = await run(args, folder);
    expect(stderr).toMatch(
      /warning: a step of 0\.6 at 8,0\.3,\S+ keeps a part of \S+ square units apart, .* try: --agent-max-climb 0\.6 \(the same or more at \d more places/,
    );
    const [found] = (JSON.parse(stdout) as Summary).warnings.filter(({ code }) => code === 'island-gaps');
    expect(found).toMatchObject({
      stage: 'diagnosis',
      gaps: expect.arrayContaining([expect.objectContaining({ kind: 'step', changes: { 'agent.maxClimb': 0.6 } })]),
    });
    const joined = await run([...args, '--agent-max-climb', '0.6'], folder);
    expect([joined.status, joined.stderr]).toEqual([0, expect.not.stringMatching(/warning/)]);
  });

  it('--keep-reachable leaves out mesh that the position does not lead to', async () => {
    const floorAt = (x: number, first: number): string =>
      `v ${x} 0 0\nv ${x} 0 10\nv ${x + 10} 0 10\nv ${x + 10} 0 0\nf ${[0, 1, 2, 3].map((k) => first + k).join(' ')}`;
    writeFileSync(
      join(folder, 'apart.obj'),
      `${floorAt(0, 1)}\n${floorAt(20, 5)}\nv 19 4 -1\nv 31 4 -1\nv 31 4 11\nv 19 4 11\nf 9 10 11 12\n`,
    );
    const args = ['bake', 'apart.obj', '-o', 'apart.navmesh', '--json'];
    expect((await run(args, folder)).stderr).toMatch(
      /note: nothing leads to 1 part .* at 25,0\.1,5\. --keep-reachable/,
    );
    const { stdout } = await run([...args, '--keep-reachable', '5,0,5'], folder);
    const { reachable, polygons } = JSON.parse(stdout) as Summary & { reachable: { kept: number; leftOut: number } };
    expect(reachable.kept + reachable.leftOut).toBe(polygons);
    expect(reachable.leftOut).toBeGreaterThan(0);
    const both = await run([...args, '--keep-reachable', '5,0,5', '--keep-reachable', '25,0,5'], folder);
    expect(JSON.parse(both.stdout)).toMatchObject({ reachable: { leftOut: 0 } });
    const missed = await run([...args, '--keep-reachable', '5,9,5'], folder);
    expect([missed.status, missed.stderr]).toEqual([
      2,
      expect.stringContaining('--keep-reachable 5,9,5: no mesh within'),
    ]);
    expect((await run([...args, '--keep-reachable', '5,0'], folder)).stderr).toContain('must be three numbers x,y,z');
    writeFileSync(join(folder, 'apart.yaml'), 'keepReachable: [[5, 0, 5]]\n');
    const config = await run([...args, '--config', 'apart.yaml', '--verify'], folder);
    const { verify, ...kept } = JSON.parse(config.stdout) as { verify: { passed: boolean; sureArea: number } };
    expect([kept, verify.passed]).toEqual([expect.objectContaining({ reachable }), true]);
    // Only the room that the position leads to counts.
    expect(verify.sureArea).toBeLessThan(100);
    const dynamic = await run([...args, '--keep-reachable', '5,0,5', '--dynamic', '--tile-size', '6'], folder);
    expect([dynamic.status, dynamic.stderr]).toEqual([
      2,
      expect.stringContaining('--keep-reachable: not with --dynamic'),
    ]);
  });

  it('a mesh without polygons leaves the file of an earlier bake', async () => {
    writeFileSync(join(folder, 'kept.navmesh'), 'earlier');
    expect((await run(['bake', 'wall.obj', '-o', 'kept.navmesh'], folder)).status).toBe(1);
    expect(readFileSync(join(folder, 'kept.navmesh'), 'utf8')).toBe('earlier');
  });

  it('--allow-empty writes a mesh without polygons, with status 0', async () => {
    const args = ['bake', 'wall.obj', '-o', 'wall.navmesh', '--svg', 'wall.svg', '--allow-empty'];
    const { status, stdout, stderr } = await run([...args, '--json'], folder);
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ output: 'wall.navmesh', tiles: 0, polygons: 0 });
    expect(stderr).toContain('warning: the mesh is empty');
    expect(stderr).not.toMatch(/error|try:/);
    expect(readFileSync(join(folder, 'wall.svg'), 'utf8')).toMatch(/^<svg/);
    expect((await run(args, folder)).stdout).toMatch(/^wall\.navmesh: 0 tiles, 0 polygons/);
    expect((await run(['inspect', 'wall.navmesh'], folder)).stdout).toContain('bounds      empty');
    const path = await run(['path', 'wall.navmesh', '--from', '0,0,0', '--to', '1,0,0'], folder);
    expect([path.status, path.stderr]).toEqual([1, 'why: The mesh is empty.\n']);
  });

  const quad = 'f 1 2 3 4\n';
  it.each([
    ['in centimeters', `v 0 0 0\nv 0 0 .16\nv .06 0 .16\nv .06 0 0\n${quad}`, [], '::scale=100'],
    ['z up', `v 0 0 0\nv 16 0 0\nv 16 6 0\nv 0 6 0\n${quad}`, [], '::up=z'],
    ['-z up', `v 0 0 0\nv 0 6 0\nv 16 6 0\nv 16 0 0\n${quad}`, [], '::up=-z'],
    ['narrow', `v 0 0 0\nv 0 0 .6\nv 16 0 .6\nv 16 0 0\n${quad}`, [], '--agent-radius'],
    ['narrow, in tiles', `v 0 0 0\nv 0 0 .6\nv 16 0 .6\nv 16 0 0\n${quad}`, ['--tile-size', '5'], '--agent-radius'],
    ['small', `v 0 0 0\nv 0 0 6\nv 6 0 6\nv 6 0 0\n${quad}`, ['--region-min-area', '99'], '--region-min-area 0'],
  ])('the remedy that it names gives polygons: %s', async (name, obj, flags, remedy) => {
    writeFileSync(join(folder, 'odd.obj'), obj);
    const { status, stderr } = await run(['bake', 'odd.obj', '-o', 'odd.navmesh', ...flags], folder);
    expect(status).toBe(1);
    const advice = /^try: (.*)$/m.exec(stderr)![1];
    expect(advice).toContain(remedy);
    const word = advice.replace(' after the name of the level', '');
    const [level, more] = word.startsWith('::') ? [`odd.obj${word}`, []] : ['odd.obj', word.split(' ')];
    const kept = flags.filter((_, i) => !more.includes(flags[i - (i % 2)]));
    const fixed = await run(['bake', level, '-o', 'odd.navmesh', ...kept, ...more], folder);
    expect([name, fixed.status, fixed.stderr.match(/error.*/)]).toEqual([name, 0, null]);
  });

  it('says what is wrong with flipped faces and with a map that the radius closes', async () => {
    writeFileSync(join(folder, 'down.obj'), `v 0 0 0\nv 6 0 0\nv 6 0 6\nv 0 0 6\n${quad}`);
    const flipped = await run(['bake', 'down.obj', '-o', 'x.navmesh'], folder);
    expect(flipped.status).toBe(1);
    expect(flipped.stderr).toMatch(/faces flipped\? 36 square units face down and 0 up/);
    expect(flipped.stderr).toMatch(/\ntry: --two-sided, or flip the faces/);
    expect((await run(['bake', 'down.obj', '-o', 'both.navmesh', '--two-sided'], folder)).status).toBe(0);
    const ring = [
      [0, 0],
      [4, 0],
      [4, 4],
      [0, 4],
      [0, 0],
    ];
    writeFileSync(
      join(folder, 'small.geojson'),
      JSON.stringify({ type: 'Polygon', coordinates: [ring.map((point) => point.map((degrees) => degrees / 1e5))] }),
    );
    const map = await run(['bake', 'small.geojson', '-o', 'x.navmesh', '--agent-radius', '3'], folder);
    expect(map.status).toBe(1);
    expect(map.stderr).toMatch(/nearer to a wall than the radius of 3/);
    expect(existsSync(join(folder, 'x.navmesh'))).toBe(false);
  });

  it('reports warnings in the summary and on standard error, and still bakes', async () => {
    writeFileSync(join(folder, 'odd.obj'), `${roomObj()}banana\n`);
    const { status, stdout, stderr } = await run(['bake', 'odd.obj', '-o', 'odd.navmesh', '--json'], folder);
    expect(status).toBe(0);
    expect((JSON.parse(stdout) as Summary).warnings).toContainEqual({
      code: 'unknown-statement',
      stage: 'load',
      count: 1,
    });
    expect(stderr).toContain('warning: odd.obj: statement "banana"');
  });
});

describe('bake refuses, with status 2, a message and no file', () => {
  const refuse = async (args: string[], message: string | RegExp): Promise<void> => {
    const before = listFiles(folder);
    const { status, stdout, stderr } = await run(['bake', ...args], folder);
    expect(stderr).toMatch(
      message instanceof RegExp ? message : new RegExp(message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')),
    );
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).not.toMatch(/defect|\n\s+at /);
    expect(listFiles(folder)).toEqual(before);
  };

  it('usage', async () => {
    await refuse([], 'error: no level given; pass .glb, .gltf or .obj files');
    await refuse(['room.obj'], 'error: no output given; pass -o FILE.navmesh');
    await refuse(
      ['room.obj', '-o', 'x.navmesh', '--agent-radus', '1'],
      "error: unknown option '--agent-radus'\n(Did you mean --agent-radius?)",
    );
    // Names of other libraries, and names without their first word.
    for (const [given, meant] of [
      ['--radius', '--agent-radius'],
      ['--maxSlope', '--agent-max-slope'],
      ['--agent_radius', '--agent-radius'],
      ['--cs=1', '--cell-size'],
      ['--walkable-climb', '--agent-max-climb'],
    ])
      await refuse(
        ['room.obj', '-o', 'x.navmesh', given],
        `error: unknown option '${given}'\n(Did you mean ${meant}?)`,
      );
    await refuse(
      ['room.obj', '-o', 'x.navmesh', '--agent-radius', '-1'],
      'error: --agent-radius: must be >= 0 (got -1)',
    );
    await refuse(['room.obj', '-o', 'x.navmesh', '--cell-size', '0'], 'error: --cell-size: must be > 0 (got 0)');
    await refuse(
      ['room.obj', '-o', 'x.navmesh', '--cell-size', 'small'],
      'error: --cell-size: must be a finite number (got "small")',
    );
    await refuse(
      ['room.obj', '-o', 'x.navmesh', '--cell-size'],
      "error: option '--cell-size <number>' argument missing",
    );
    await refuse(
      ['room.obj', '-o', 'x.navmesh', '--agent-max-slope', '91'],
      'error: --agent-max-slope: must be <= 90 (got 91)',
    );
    await refuse(
      ['room.obj', '-o', 'x.navmesh', '--partition', 'water'],
      'error: --partition: must be one of watershed, monotone, layers (got "water")',
    );
    await refuse(['room.obj::postion=1,2,3', '-o', 'x.navmesh'], 'unknown key "postion", did you mean "position"?');
  });

  it('missing levels and other files', async () => {
    writeFileSync(join(folder, 'empty.obj'), '');
    writeFileSync(join(folder, 'no-faces.obj'), 'v 0 0 0\n');
    writeFileSync(join(folder, 'range.obj'), 'v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 4\n');
    writeFileSync(join(folder, 'nan.obj'), 'v 0 nan 0\n');
    writeFileSync(join(folder, 'level.fbx'), '');
    writeFileSync(join(folder, 'cut.glb'), readFileSync(join(folder, 'scene.glb')));
    truncateSync(join(folder, 'cut.glb'), 500);
    const json = {
      asset: { version: '2.0' },
      extensionsUsed: ['KHR_meshopt_compression'],
      extensionsRequired: ['KHR_meshopt_compression'],
    };
    writeFileSync(join(folder, 'khr.gltf'), JSON.stringify(json));
    mkdirSync(join(folder, 'dir.obj'));
    await refuse(['gone.obj', '-o', 'x.navmesh'], 'error: gone.obj: no such file or folder');
    await refuse(['dir.obj', '-o', 'x.navmesh'], 'error: dir.obj: is a folder; pass the level files in it');
    await refuse(
      ['level.fbx', '-o', 'x.navmesh'],
      'error: level.fbx: ".fbx" is not a level format that navkiln reads; open it in Blender (File, Import) and export it as glTF 2.0 (.glb); use .glb, .gltf, .obj; 2D maps are .geojson, .tmx, .tmj, .svg, .png, .json',
    );
    await refuse(['empty.obj', '-o', 'x.navmesh'], 'error: empty.obj has no vertices and no faces; export');
    await refuse(['no-faces.obj', '-o', 'x.navmesh'], 'error: no-faces.obj has 1 vertex but no faces; export');
    await refuse(
      ['range.obj', '-o', 'x.navmesh'],
      'error: range.obj:4: face index 4 is out of range: the file has 3 vertices',
    );
    await refuse(['nan.obj', '-o', 'x.navmesh'], 'error: nan.obj:1: vertex coordinate "nan" is not a finite number');
    await refuse(
      ['cut.glb', '-o', 'x.navmesh'],
      /error: cut\.glb: truncated GLB: its header says \d+ bytes, there are 500; .*export it again/,
    );
    await refuse(
      ['khr.gltf', '-o', 'x.navmesh'],
      'error: khr.gltf: requires the glTF extension KHR_meshopt_compression, which navkiln cannot read; export it without',
    );
  });

  it('outputs that cannot be written', async () => {
    mkdirSync(join(folder, 'taken.navmesh'));
    await refuse(
      ['room.obj', '-o', 'missing/x.navmesh'],
      'error: -o missing/x.navmesh: the folder missing does not exist; create it first',
    );
    await refuse(['room.obj', '-o', 'taken.navmesh'], 'error: -o taken.navmesh: is a folder; choose a file, such as');
    await refuse(
      ['room.obj', '-o', 'room.obj/x.navmesh'],
      /error: -o room\.obj\/x\.navmesh: room\.obj is a file, not a folder/,
    );
    await refuse(
      ['room.obj', '-o', 'room.obj'],
      'error: -o room.obj: would overwrite the level room.obj; choose another file',
    );
    await refuse(
      ['room.obj', '-o', 'x.navmesh', '--svg', 'x.navmesh'],
      'error: --svg x.navmesh: would overwrite -o x.navmesh',
    );
    await refuse(
      ['room.obj', '-o', 'x.navmesh', '--svg', 'missing/x.svg'],
      'error: --svg missing/x.svg: the folder missing does not exist',
    );
  });

  it('invalid configurations, with the position of every error', async () => {
    writeFileSync(join(folder, 'bad.yaml'), 'agent:\n  height: 2\n  radius: -1\ncel-size: 1\n');
    await refuse(
      ['room.obj', '-o', 'x.navmesh', '--config', 'bad.yaml'],
      /error: bad\.yaml:3:11 agent\.radius: must be >= 0 \(got -1\)\nerror: bad\.yaml:4:1 cel-size: unknown key; did you/,
    );
    await refuse(['room.obj', '-o', 'x.navmesh', '--config', 'gone.yaml'], 'error: gone.yaml: no such file or folder');
  });

  it('bakes that need too much memory', async () => {
    await refuse(
      ['room.obj', '-o', 'x.navmesh', '--cell-size', '0.00001'],
      /error: cellSize is .*, which makes .*; must be >= /,
    );
  });

  it('strict bakes stop at the first warning', async () => {
    writeFileSync(join(folder, 'strict.yaml'), 'strict: true\n');
    await refuse(['wall.obj', '-o', 'x.navmesh', '--config', 'strict.yaml'], /error: .*no triangle is walkable/);
  });

  it('a signal during a bake ends it at once and leaves no files', async () => {
    const before = listFiles(folder);
    const args = [BINARY, 'bake', 'room.obj', '-o', 'signal.navmesh', '--cell-size', '0.01', '--cell-height', '0.1'];
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('bake: 1/')) child.kill('SIGINT');
    });
    const signal = await new Promise((resolve) => child.on('close', (_, by) => resolve(by)));
    expect(signal).toBe('SIGINT');
    expect(listFiles(folder)).toEqual(before);
  });
});
