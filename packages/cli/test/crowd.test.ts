import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BINARY, CROWD_KEYS, ensureBuilt, listFiles, roomObj, run } from './cli.ts';
import type { Run } from './cli.ts';

let folder = '';
const navkiln = (...args: string[]): Promise<Run> => run(['crowd', ...args], folder);

beforeAll(async () => {
  await ensureBuilt();
  folder = mkdtempSync(join(tmpdir(), 'navkiln-crowd-'));
  writeFileSync(join(folder, 'room.obj'), roomObj());
  const { status, stderr } = await run(['bake', 'room.obj', '-o', 'room.navmesh'], folder);
  expect(status, stderr).toBe(0);
}, 200_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('crowd', () => {
  it('--json prints one object of exactly this shape, equal in every run except for times', async () => {
    const args = ['circle', '--agents', '12', '--seed', '4', '--json'];
    const [first, again] = await Promise.all([navkiln(...args), navkiln(...args)]);
    expect(first.status, first.stderr).toBe(0);
    expect(first.stdout.trimEnd().split('\n').length).toBe(1);
    const report = JSON.parse(first.stdout) as Record<string, any>;
    expect(Object.keys(report)).toEqual(CROWD_KEYS);
    expect(report).toMatchObject({
      scene: 'circle',
      seed: 4,
      agents: 12,
      arrived: 12,
      settled: 0,
      gaveUp: 0,
      stuck: 0,
      offMesh: 0,
      residualSpeed: 0,
    });
    expect(report['hash']).toMatch(/^[0-9a-f]{8}$/);
    expect(report['searches']).toBeGreaterThanOrEqual(12);
    expect(Object.keys(report['msPerTick'] as object)).toEqual(['median', 'p99']);
    const { msPerTick: _times, ...rest } = JSON.parse(again.stdout) as Record<string, any>;
    const { msPerTick: _others, ...same } = report;
    expect(rest).toEqual(same);
  });

  it('--details adds all measurements', async () => {
    const { stdout } = await navkiln('bottleneck', '--agents', '8', '--json', '--details');
    const report = JSON.parse(stdout) as Record<string, any>;
    expect(Object.keys(report)).toEqual([...CROWD_KEYS, 'details']);
    expect(report['details'].passed).toBe(8);
    expect(report['details'].throughput).toBeGreaterThan(0.3);
    expect((await navkiln('circle', '--details')).status).toBe(2);
  });

  it('prints a table', async () => {
    const { status, stdout } = await navkiln('same-goal', '--agents', '10');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^same-goal, seed 1: [\d.]+ seconds\n {2}agents +10\n {2}arrived +\d+\n {2}settled +\d+\n/);
  });

  it('fails with the reason when agents do not arrive in time', async () => {
    const { status, stdout, stderr } = await navkiln('circle', '--agents', '12', '--seconds', '2', '--json');
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ arrived: 0, seconds: 2 });
    expect(stderr).toContain('failed: 0 arrived and 0 settled of 12');
  });

  it('takes a mesh in place of a scene', async () => {
    const { status, stdout, stderr } = await navkiln('room.navmesh', '--agents', '15', '--seed', '3', '--json');
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ scene: 'room.navmesh', agents: 15, gaveUp: 0, stuck: 0, offMesh: 0 });
  });

  it('--svg draws the paths of all agents', async () => {
    expect((await navkiln('circle', '--agents', '6', '--svg', 'circle.svg')).status).toBe(0);
    const drawing = readFileSync(join(folder, 'circle.svg'), 'utf8');
    expect(drawing).toMatch(/^<svg [^>]*>/);
    expect(drawing.match(/<circle /g)!.length).toBe(12);
  });

  it.each([
    [['circl'], /no scene "circl"; did you mean circle\?\n.*scenes: circle, blocks, .*town/],
    [['missing.navmesh'], /missing\.navmesh: no such file/],
    [['circle', '--agents', '1'], /--agents: must be a whole number from 2 to 20000 \(got "1"\)/],
    [['circle', '--seconds', '0'], /--seconds: must be a number of seconds above 0/],
    [['circle', '--seed', '-1'], /--seed: must be a whole number/],
    [['room.navmesh', '--agents', '5000'], /room\.navmesh: no space for 5000 agents/],
  ])('refuses %j', async (args, message) => {
    const before = listFiles(folder);
    const { status, stdout, stderr } = await navkiln(...args);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(message);
    expect(listFiles(folder)).toEqual(before);
  });

  it('Ctrl-C stops it with a report so far', async () => {
    const child = spawn(process.execPath, [BINARY, 'crowd', 'town', '--json'], {
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
    expect(status).toBe(1);
    expect(stderr).toContain('stopped before the end');
    const report = JSON.parse(stdout) as Record<string, any>;
    expect(Object.keys(report)).toEqual(CROWD_KEYS);
    expect(report['seconds']).toBeLessThan(100);
  });
});
