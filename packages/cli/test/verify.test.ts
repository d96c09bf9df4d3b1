import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt, islandsObj, roomObj, run } from './cli.ts';
import type { Run } from './cli.ts';

let folder = '';
const navkiln = (...args: string[]): Promise<Run> => run(args, folder);
const MAP = {
  polygons: [
    {
      outline: [
        [0, 0],
        [20, 0],
        [20, 10],
        [0, 10],
      ],
      holes: [
        [
          [9, 3],
          [11, 3],
          [11, 7],
          [9, 7],
        ],
      ],
    },
  ],
};

/** A room of four walls, each a little short of the next. */
const GAPS = {
  polygons: [{ outline: square(0, 0, 20, 15) }],
  obstacles: [square(5, 5, 9.996, 6), square(10, 5, 11, 10), square(5, 10.004, 11, 11), square(5, 6, 6, 10.004)],
};

function square(x0: number, y0: number, x1: number, y1: number): [number, number][] {
  return [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ];
}

/** Ground, a slab above it, and a cone below the slab that is open at the top, with its inner side up. */
function bowlObj(): string {
  const lines = ['v 0 0 0', 'v 0 0 9', 'v 9 0 9', 'v 9 0 0', 'f 1 2 3 4'];
  for (const y of [10, 12]) lines.push(`v 0 ${y} 0`, `v 0 ${y} 9`, `v 9 ${y} 9`, `v 9 ${y} 0`);
  lines.push('f 8 7 6 5', 'f 9 10 11 12', 'f 5 6 10 9', 'f 6 7 11 10', 'f 7 8 12 11', 'f 8 5 9 12', 'v 4.5 9 4.5');
  for (let k = 0; k < 24; k++) {
    const angle = (Math.PI * k) / 12;
    lines.push(`v ${4.5 + 3.4 * Math.cos(angle)} 10 ${4.5 + 3.4 * Math.sin(angle)}`);
  }
  for (let k = 0; k < 24; k++) lines.push(`f 13 ${14 + ((k + 1) % 24)} ${14 + k}`);
  return `${lines.join('\n')}\n`;
}

beforeAll(async () => {
  await ensureBuilt();
  folder = mkdtempSync(join(tmpdir(), 'navkiln-verify-'));
  writeFileSync(join(folder, 'room.obj'), roomObj());
  writeFileSync(join(folder, 'islands.obj'), islandsObj());
  writeFileSync(join(folder, 'map.json'), JSON.stringify(MAP));
  writeFileSync(join(folder, 'open.json'), JSON.stringify({ polygons: [{ outline: MAP.polygons[0].outline }] }));
  for (const [level, name] of [
    ['room.obj', 'room'],
    ['islands.obj', 'islands'],
    ['map.json', 'map'],
    ['open.json', 'open'],
  ]) {
    const { status, stderr } = await navkiln('bake', level, '-o', `${name}.navmesh`, '--agent-radius', '0.4');
    expect(status, stderr).toBe(0);
  }
}, 200_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('verify', () => {
  it('passes a mesh that fits its level, and prints its figures', async () => {
    const { status, stdout } = await navkiln('verify', 'room.obj', 'room.navmesh');
    expect(stdout).toMatch(/^room.navmesh: the mesh fits the level\n/);
    expect(stdout).toMatch(/\n {2}coverage +(100\.00|99\.\d+) % {2}of \d/);
    expect(status).toBe(0);
  });

  it('fails a mesh of another level with status 1, says why, and lists places', async () => {
    const { status, stdout, stderr } = await navkiln('verify', 'islands.obj', 'room.navmesh', '--json');
    const result = JSON.parse(stdout) as Record<string, any>;
    expect(status).toBe(1);
    expect(result).toMatchObject({ file: 'room.navmesh', passed: false, seed: 1, pairs: expect.any(Number) as number });
    expect(result['failures'][0]).toMatchObject({ figure: 'coverage', limit: 0.995 });
    expect(result['places'][0]).toEqual({
      kind: expect.any(String) as string,
      position: [expect.any(Number), expect.any(Number), expect.any(Number)],
      area: expect.any(Number) as number,
      cause: expect.stringMatching(/^level: the mesh reaches beyond it/) as string,
      remedy: null,
    });
    expect(stderr).toContain('beyond the level');
  });

  it('takes thresholds, a seed and pairs', async () => {
    const args = ['verify', 'islands.obj', 'room.navmesh', '--json', '--seed', '5', '--pairs', '10'];
    const loose = ['--min-coverage', '0', '--max-overreach', '1', '--max-lost', '1', '--max-invented', '1'];
    const { status, stdout } = await navkiln(...args, ...loose);
    expect(JSON.parse(stdout)).toMatchObject({ seed: 5, passed: true, failures: [] });
    expect(status).toBe(0);
    expect((await navkiln('verify', 'room.obj', 'room.navmesh', '--max-invisible-walls', '-1')).status).toBe(2);
  });

  it('fails where nothing was judged, with no coverage in JSON', async () => {
    const giant = ['verify', 'room.obj', 'room.navmesh', '--agent-radius', '50', '--max-overreach', '1'];
    const { status, stdout } = await navkiln(...giant, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      passed: false,
      coverage: null,
      sureArea: 0,
      failures: [{ figure: 'coverage', value: null, limit: 0.995 }],
    });
    expect(status).toBe(1);
    expect((await navkiln(...giant)).stdout).toMatch(/^room.navmesh: the mesh is not judged\n {2}coverage +not judged/);
    expect((await navkiln(...giant, '--min-coverage', '0')).status).toBe(0);
  });

  it('verifies 2D maps: their outlines are the level', async () => {
    expect((await navkiln('verify', 'map.json', 'map.navmesh')).status).toBe(0);
    const { status, stdout } = await navkiln('verify', 'map.json', 'open.navmesh', '--json');
    const { coverage, overreach, places } = JSON.parse(stdout) as {
      coverage: number;
      overreach: number;
      places: any[];
    };
    expect([status, coverage]).toEqual([1, 1]);
    // 9.2 by 19.2 are mesh; the hole is 2 by 4, less the columns beside its border.
    expect(Math.abs(overreach - 8 / (9.2 * 19.2))).toBeLessThan(0.01);
    expect(places[0].kind).toBe('overreach');
    expect(Math.abs(places[0].position[0] - 10)).toBeLessThan(0.2);
  });

  it('draws level, mesh and faults', async () => {
    await navkiln('verify', 'islands.obj', 'room.navmesh', '--svg', 'faults.svg');
    const svg = readFileSync(join(folder, 'faults.svg'), 'utf8');
    expect(svg).toMatch(/^<svg/);
    expect(svg).toContain('overreach');
  });

  it('adds a line to a bake, and a warning where the mesh does not fit', async () => {
    const { status, stdout } = await navkiln('bake', 'room.obj', '-o', 'a.navmesh', '--verify', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ verify: { passed: true, overreach: 0, lost: 0, invented: 0 } });
    expect(status).toBe(0);
    const text = await navkiln('bake', 'map.json', '-o', 'a.navmesh', '--verify');
    expect(text.stdout).toMatch(/\nverify: coverage 100.00 %, overreach 0.00 %, no connection lost or invented\n/);
  });

  it('names flags that make the mesh fit: mesh in the hollow of a slab, walls of a map that miss each other', async () => {
    writeFileSync(join(folder, 'bowl.obj'), bowlObj());
    writeFileSync(join(folder, 'gaps.json'), JSON.stringify(GAPS));
    for (const [level, ...own] of [['bowl.obj'], ['gaps.json', '--agent-radius', '0']]) {
      const first = await navkiln('bake', level, '-o', 'b.navmesh', '--verify', ...own);
      const flags = /(?:hollow of a solid|leave a gap).* Try (--(?:keep-reachable|map-precision) [-\d.,]+)\./.exec(
        first.stderr,
      );
      expect(flags, first.stderr).not.toBeNull();
      const again = await navkiln(
        'bake',
        level,
        '-o',
        'b.navmesh',
        '--verify',
        '--json',
        ...own,
        ...flags![1].split(' '),
      );
      const { verify } = JSON.parse(again.stdout) as { verify: unknown };
      expect(verify).toMatchObject({ passed: true, overreach: 0, lost: 0, invented: 0 });
    }
  });

  it('refuses what it cannot read with status 2', async () => {
    for (const args of [['room.navmesh'], ['missing.obj', 'room.navmesh'], ['room.obj', 'room.obj']]) {
      const { status, stderr } = await navkiln('verify', ...args);
      expect([status, stderr.length > 10]).toEqual([2, true]);
    }
    writeFileSync(join(folder, 'flat.obj'), 'v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n');
    const { status, stderr } = await navkiln('verify', 'flat.obj', 'room.navmesh');
    expect(status).toBe(2);
    expect(stderr).toContain('without area');
  });
});
