import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadNavMesh } from 'navkiln';
import { createCrowd, hashCrowd } from 'navkiln/crowd';
import { createRecorder, finishRecording } from 'navkiln/record';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { roomObj, run } from './cli.ts';
import type { Run } from './cli.ts';

let folder = '';
let hash = '';
const navkiln = (...args: string[]): Promise<Run> => run(args, folder);

/** Returns a recording of 90 ticks; with `flipped`, the crowd is changed after tick 50. */
function record(isFlipped: boolean): Uint8Array {
  const crowd = createCrowd(loadNavMesh(readFileSync(join(folder, 'room.navmesh'))), { maxAgents: 4 });
  const recorder = createRecorder(crowd, { info: { seed: 3 } });
  const { calls } = recorder;
  const ids = [1, 2, 3].map((x) => calls.addAgent(crowd, [x, 0, 1]));
  for (let tick = 0; tick < 90; tick++) {
    if (tick === 50 && isFlipped) crowd.agents.position[3]! += 0.001;
    if (tick === 10) calls.moveAgentTo(crowd, ids[1]!, [-8, 0, 8]);
    calls.stepCrowd(crowd);
  }
  hash = hashCrowd(crowd).toString(16).padStart(8, '0');
  return finishRecording(recorder);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'navkiln-replay-'));
  writeFileSync(join(folder, 'room.obj'), roomObj());
  await navkiln('bake', 'room.obj', '-o', 'room.navmesh');
  writeFileSync(join(folder, 'flipped.nkrec'), record(true));
  writeFileSync(join(folder, 'game.nkrec'), record(false));
  writeFileSync(join(folder, 'cut.nkrec'), readFileSync(join(folder, 'game.nkrec')).subarray(0, 3000));
}, 100_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('replay', () => {
  it('repeats a recording and verifies its hashes', async () => {
    const { status, stdout } = await navkiln('replay', 'game.nkrec', '--mesh', 'room.navmesh');
    expect(stdout).toBe('game.nkrec: 90 ticks, 4 calls\ninfo: {"seed":3}\ntick 90: 3 agents; 90 checks agreed\n');
    expect(status).toBe(0);
    const json = await navkiln('replay', 'game.nkrec', '--mesh', 'room.navmesh', '--json');
    const expected = { ticks: 90, calls: 4, tick: 90, agents: 3, hash, agreedChecks: 90, divergence: null };
    expect(JSON.parse(json.stdout)).toEqual({ file: 'game.nkrec', ...expected, info: { seed: 3 } });
    const early = await navkiln('replay', 'game.nkrec', '--mesh', 'room.navmesh', '--until', '20');
    expect(early.stdout).toContain('tick 20: 3 agents; 20 checks agreed');
  });

  it('names the tick, the agent and the field at which a recording differs, with exit status 1', async () => {
    const alone = await navkiln('replay', 'flipped.nkrec', '--mesh', 'room.navmesh');
    expect(alone.stdout).toMatch(/the replay differs from the recording at tick 51: agent \d+ in slot 1.*: position/);
    expect(alone.status).toBe(1);
    const { status, stdout } = await navkiln(
      'replay',
      'game.nkrec',
      '--mesh',
      'room.navmesh',
      '--compare',
      'flipped.nkrec',
      '--json',
    );
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      divergence: null,
      difference: { kind: 'replay', side: 1, tick: 51, field: 'position' },
    });
    const same = await navkiln('replay', 'game.nkrec', '--mesh', 'room.navmesh', '--compare', 'game.nkrec');
    expect([same.status, same.stdout.includes('game.nkrec: equal')]).toEqual([0, true]);
  });

  it('refuses what is no recording, cut off, or of another mesh, with exit status 2', async () => {
    for (const [file, message] of [
      ['room.obj', 'are no recording'],
      ['cut.nkrec', 'the recording has 3000 of'],
      ['none.nkrec', 'no such file'],
    ] as const) {
      const { status, stderr } = await navkiln('replay', file, '--mesh', 'room.navmesh');
      expect([status, stderr.includes(`${file}: `), stderr.includes(message)], stderr).toEqual([2, true, true]);
    }
    writeFileSync(join(folder, 'small.obj'), 'v 0 0 0\nv 0 0 5\nv 5 0 5\nf 1 2 3\n');
    await navkiln('bake', 'small.obj', '-o', 'small.navmesh');
    const { status, stderr } = await navkiln('replay', 'game.nkrec', '--mesh', 'small.navmesh');
    expect([status, stderr.includes('polygons, areas or flags differ in tile (0, 0)')], stderr).toEqual([2, true]);
    expect((await navkiln('replay', 'game.nkrec', '--mesh', 'room.navmesh', '--until', '-3')).status).toBe(2);
  });
});
