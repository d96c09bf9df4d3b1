import { createRandom, nextRandom, setEnabled } from 'navkiln';
import type { LinkRef, Random } from 'navkiln';
import { buildPreparedTile, prepareTiles } from 'navkiln/build';
import {
  addAgent,
  createCoreCrowd,
  createCrowd,
  hashCrowd,
  links,
  moveAgentTo,
  restoreCrowd,
  sampling,
  saveCrowd,
  stepCrowd,
} from 'navkiln/crowd';
import type { AgentId } from 'navkiln/crowd';
import { findTile } from 'navkiln/kernel';
import {
  compareRecordings,
  continueReplay,
  createRecorder,
  diffCrowds,
  finishRecording,
  replay,
  rewindRecording,
} from 'navkiln/record';
import { createSnapshotRing } from 'navkiln/rollback';
import { addLevel, addObstacle, createWorld, moveObstacle, updateWorld } from 'navkiln/world';
import type { World } from 'navkiln/world';
import { findLevelScene } from 'navkiln-scenes';
import { describe, expect, it } from 'vitest';
import { flipOne } from './flips.ts';
import { beginGame, makeMesh, playTick } from './town.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 7);
const FLIPS = Number(process.env.NAVKILN_FLIPS ?? 30);
const DAMAGES = Number(process.env.NAVKILN_DAMAGES ?? 40);

/** Returns the recording of a game. */
function recordGame(ticks: number, agents = 10): Uint8Array {
  const game = beginGame(SEED, agents);
  for (let tick = 0; tick < ticks; tick++) playTick(game);
  return finishRecording(game.recorder);
}

describe('replay', () => {
  it(`gives the state of each tick that the game had (seed ${SEED})`, () => {
    const game = beginGame(SEED, 10);
    const hashes: number[] = [];
    for (let tick = 0; tick < 80; tick++) {
      playTick(game);
      if (tick % 20 === 19) hashes.push(hashCrowd(game.crowd));
    }
    const file = finishRecording(game.recorder);
    expect(game.recorder.callCount).toBeGreaterThan(40);
    const replayed = replay(file, makeMesh(), { until: 0 });
    expect(replayed).toMatchObject({
      info: { seed: SEED },
      tick: 0,
      tickCount: 80,
      callCount: game.recorder.callCount,
    });
    const found: number[] = [];
    for (let tick = 20; tick <= 80; tick += 20) {
      expect(continueReplay(replayed, tick)).toBe(tick < 80);
      found.push(hashCrowd(replayed.crowd));
    }
    expect(found).toEqual(hashes);
    expect(replayed).toMatchObject({ tick: 80, agreedChecks: 80, divergence: null });
    expect(diffCrowds(game.crowd, replayed.crowd)).toBe(null);
  });

  it('starts from the middle of a game, and goes on over ticks and states that the recorder did not see', () => {
    const navMesh = makeMesh();
    const before = beginGame(SEED, 8, {}, navMesh);
    for (let tick = 0; tick < 50; tick++) playTick(before);
    const { crowd, ids } = before;
    const recorder = createRecorder(crowd, { checkTicks: 5 });
    const { calls } = recorder;
    for (let tick = 0; tick < 20; tick++) calls.stepCrowd(crowd);
    const snapshot = saveCrowd(crowd);
    calls.advanceCrowd(crowd, 3.5 / 60);
    for (let tick = 0; tick < 7; tick++) stepCrowd(crowd);
    calls.moveAgentTo(crowd, ids[0]!, [0, 0, 0]);
    calls.stepCrowd(crowd);
    restoreCrowd(crowd, snapshot);
    calls.stopAgent(crowd, ids[1]!);
    calls.stepCrowd(crowd);
    calls.restoreCrowd(crowd, snapshot);
    calls.stepCrowd(crowd);
    expect(recorder).toMatchObject({ restateCount: 1, tickCount: 33, callCount: 2 });
    // No call has changed the mesh since the start.
    const replayed = replay(finishRecording(recorder), navMesh);
    expect(replayed).toMatchObject({ tick: 33, divergence: null });
    expect(replayed.crowd.agents.position).toEqual(crowd.agents.position);
  });

  it(`goes back with a crowd, and is then the recording of a game that never went back (seed ${SEED})`, () => {
    const plain = beginGame(SEED, 8);
    for (let tick = 0; tick < 40; tick++) playTick(plain);
    const game = beginGame(SEED, 8);
    const { crowd, recorder, random } = game;
    const ring = createSnapshotRing({ ticks: 16 });
    const states: [Random, AgentId[], LinkRef[]][] = [];
    const luck = createRandom(SEED);
    // Before it goes back, the game has a call that the plain game does not have.
    for (let turn = 0; turn < 8; turn++) {
      while (crowd.tick < 5 * (turn + 1)) {
        ring.capture(crowd);
        states[crowd.tick] = [structuredClone(random), [...game.ids], [...game.links]];
        playTick(game);
      }
      const back = crowd.tick - 1 - Math.floor(nextRandom(luck) * 5);
      recorder.calls.setAgentPosition(crowd, game.ids[0]!, [0, 0, turn]);
      recorder.calls.stepCrowd(crowd);
      expect(ring.rewind(crowd, back)).toBe(true);
      expect(rewindRecording(recorder)).toBe(true);
      const [state, ids, links] = states[back]!;
      Object.assign(random, structuredClone(state));
      [game.ids, game.links] = [[...ids], [...links]];
      while (crowd.tick < 5 * (turn + 1)) {
        states[crowd.tick] = [structuredClone(random), [...game.ids], [...game.links]];
        playTick(game);
        ring.capture(crowd);
      }
    }
    expect(hashCrowd(crowd)).toBe(hashCrowd(plain.crowd));
    const [file, wanted] = [finishRecording(recorder), finishRecording(plain.recorder)];
    expect(recorder).toMatchObject({ tickCount: 40, restateCount: 0, callCount: plain.recorder.callCount });
    expect(compareRecordings(file, wanted, makeMesh)).toBe(null);
    expect(replay(file, makeMesh())).toMatchObject({ tick: 40, agreedChecks: 40, divergence: null });
    crowd.tick = 2000;
    expect(rewindRecording(recorder)).toBe(false);
  });

  it('repeats tiles, which it stores once for each content', () => {
    const scene = findLevelScene('tower');
    const options = { ...scene.options, tileSize: 48 * scene.options.cellSize };
    const level = prepareTiles(scene.create(), options);
    const game = beginGame(SEED, 10);
    const { navMesh, crowd, recorder } = game;
    const { calls } = recorder;
    const sizes: number[] = [];
    for (let i = 0; i < 3; i++) {
      const { byteCount } = recorder;
      calls.removeTile(navMesh, findTile(navMesh, 2, 2, 0));
      calls.addTile(navMesh, buildPreparedTile(level, 2, 2)!);
      sizes.push(recorder.byteCount - byteCount);
      for (let tick = 0; tick < 2; tick++) calls.stepCrowd(crowd);
    }
    expect(sizes[0]).toBeGreaterThan(1000);
    expect(Math.max(...sizes.slice(1))).toBeLessThan(30);
    const replayed = replay(finishRecording(recorder), makeMesh());
    expect(replayed.divergence).toBe(null);
    expect(hashCrowd(replayed.crowd)).toBe(hashCrowd(crowd));
  });

  it('repeats obstacles of a world, and functions of the caller', () => {
    const floor = { positions: [0, 0, 0, 0, 0, 20, 20, 0, 20, 20, 0, 0], indices: [0, 1, 2, 0, 2, 3] };
    const make = (): World => {
      const world = createWorld({ tileSize: 8 });
      addLevel(world, floor);
      updateWorld(world);
      return world;
    };
    const world = make();
    const crowd = createCrowd(world.navMesh, { maxAgents: 8 });
    const wave = (of: typeof crowd, count: number): void => {
      for (let i = 0; i < count; i++) moveAgentTo(of, addAgent(of, [2 + i, 0, 2]), [18 - i, 0, 18]);
    };
    const calls = { addObstacle, moveObstacle, updateWorld, wave };
    const recorder = createRecorder(crowd, { world, calls });
    recorder.calls.wave(crowd, 5);
    const crate = recorder.calls.addObstacle(world, { type: 'box', size: [4, 2, 4], position: [10, 1, 10] });
    for (let tick = 0; tick < 60; tick++) {
      if (tick % 20 === 0) recorder.calls.moveObstacle(world, crate, { position: [10 + tick / 10, 1, 10] });
      if (tick % 10 === 0) recorder.calls.updateWorld(world, { maxTiles: 2 });
      recorder.calls.stepCrowd(crowd);
    }
    const file = finishRecording(recorder);
    const replayed = replay(file, make(), { calls });
    expect(replayed).toMatchObject({ tick: 60, divergence: null });
    expect(hashCrowd(replayed.crowd)).toBe(hashCrowd(crowd));
    expect(() => replay(file, make())).toThrow('calls "wave"; pass this function in options.calls');
    expect(() => recorder.calls.updateWorld(world, { maxMs: 2 })).toThrow('use maxTiles');
    expect(() => recorder.calls.wave(crowd, (() => 3) as never)).toThrow('must be data');
    // A call that throws is not recorded.
    expect(finishRecording(recorder)).toEqual(file);
  });

  it('makes core crowds and filters, and asks for what a recording cannot contain', () => {
    const filter = { ...createCrowd(makeMesh()).filters[0]!, excludeFlags: 2 };
    const other = makeMesh();
    setEnabled(other, 'link 1', false);
    expect(() => replay(recordGame(1), other)).toThrow(/links differ|flags differ/);
    const custom = createRecorder(createCrowd(makeMesh(), { filters: [{ ...filter, passes: () => true }] }));
    expect(() => replay(finishRecording(custom), makeMesh())).toThrow('pass options.crowd.filters');
    const same = createRecorder(createCrowd(makeMesh(), { maxAgents: 4, filters: [filter] }));
    const { crowd } = replay(finishRecording(same), makeMesh());
    expect(crowd.filters[0]).toMatchObject({ excludeFlags: 2 });
    const large = createRecorder(createCrowd(makeMesh(), { maxAgents: 30_000 }));
    expect(() => replay(finishRecording(large), makeMesh())).toThrow('at most options.maxAgents, 20000');
    const core = createCoreCrowd(makeMesh(), { maxAgents: 4, behaviors: [links, sampling] });
    const recorder = createRecorder(core);
    recorder.calls.moveAgentTo(core, recorder.calls.addAgent(core, [0, 0, 0], { avoidance: 'sampled' }), [3, 0, 3]);
    for (let tick = 0; tick < 20; tick++) recorder.calls.stepCrowd(core);
    const again = replay(finishRecording(recorder), makeMesh());
    expect(again).toMatchObject({ divergence: null, agreedChecks: 20 });
    expect([again.crowd.behaviors.keepLanes, again.crowd.agentCount]).toEqual([undefined, core.agentCount]);
  });
});

describe('where recordings differ', () => {
  it(`names tick, agent and field after one changed bit, in ${FLIPS} games (seed ${SEED})`, { timeout: 1e7 }, () => {
    const outcomes = new Map<string, number>();
    const wrong: string[] = [];
    for (let i = 0; i < FLIPS; i++) {
      const { column, outcome } = flipOne(1000 * SEED + i, i % 5 === 0);
      const kind = outcome === 'named' || outcome === 'gone' ? outcome : 'wrong';
      outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
      if (kind === 'wrong') wrong.push(`seed ${1000 * SEED + i}, ${column}: ${outcome}`);
    }
    if (FLIPS > 100) console.info(`changed bits: ${JSON.stringify([...outcomes])}`);
    expect(wrong).toEqual([]);
    expect(outcomes.get('named')).toBeGreaterThan(FLIPS / 5);
  });

  it('names an order that one side has lost, and its effect', () => {
    const [a, b] = [beginGame(SEED, 8), beginGame(SEED, 8)];
    let id = 0;
    for (let tick = 1; tick <= 60; tick++) {
      if (tick === 31) a.recorder.calls.moveAgentTo(a.crowd, (id = a.ids[2]!) as never, [1, 0, 1]);
      for (const game of [a, b]) playTick(game);
    }
    const files = [a, b].map(({ recorder }) => finishRecording(recorder)) as [Uint8Array, Uint8Array];
    const found = compareRecordings(...files, makeMesh)!;
    expect(found).toMatchObject({ kind: 'call', tick: 31, field: expect.stringMatching(/./) as unknown });
    expect(found.values[0]).toBe(`moveAgentTo(crowd, ${id}, [1,0,1])`);
    expect(found.message).toContain('the calls before tick 31 differ: moveAgentTo');
    expect(compareRecordings(files[0], files[0], makeMesh)).toBe(null);
  });

  it('tells a shorter recording and another start from a difference', () => {
    const [short, long] = [recordGame(20), recordGame(30)];
    expect(compareRecordings(short, long, makeMesh)).toMatchObject({ kind: 'length', tick: 20 });
    const options = { maxAgents: 10, searchBudget: 500, passingSide: 'left' } as const;
    const fresh = createRecorder(createCrowd(makeMesh(), options));
    const found = compareRecordings(recordGame(1), finishRecording(fresh), makeMesh);
    expect(found).toMatchObject({ kind: 'start', tick: 0, field: 'passingSide', values: ['-1', '1'] });
  });

  it('names each field of two crowds with both values', () => {
    const [a, b] = [beginGame(SEED, 6), beginGame(SEED, 6)].map(({ crowd }) => crowd) as [
      ReturnType<typeof createCrowd>,
      ReturnType<typeof createCrowd>,
    ];
    expect(diffCrowds(a, b)).toBe(null);
    b.agents.position[3 * 4 + 1]! += 1;
    b.agents.status[5] = 5;
    expect(diffCrowds(a, b)).toMatchObject({ slot: 4, field: 'position', index: 1, agentCount: 2 });
    expect(diffCrowds(a, b)!.fields).toEqual(['position', 'status']);
    b.agents.position.set(a.agents.position);
    expect(diffCrowds(a, b)!.message).toMatch(/^agent \d+ in slot 5: status is 'searching' and 'arrived'$/);
    expect(diffCrowds(a, createCrowd(a.mesh))!.values).toEqual(['an agent', 'no agent']);
  });
});

describe('damaged recordings', () => {
  const file = recordGame(40, 6);

  it(`are refused with the place: ${DAMAGES} damages (seed ${SEED})`, { timeout: 1e7 }, () => {
    const random = createRandom(SEED);
    const mesh = makeMesh();
    for (let i = 0; i < DAMAGES; i++) {
      const bad = file.slice(0, i % 3 === 0 ? Math.floor(nextRandom(random) * file.length) : undefined);
      if (i % 3 !== 0) bad[Math.floor(nextRandom(random) * bad.length)]! ^= 1 << Math.floor(nextRandom(random) * 8);
      expect(() => replay(bad, mesh, { until: 1 }), `damage ${i}`).toThrow(
        /^replay: (the recording (is damaged|has \d+ of \d+ bytes)|the \d+ bytes are no recording|the format version)/,
      );
    }
  });

  it(
    `with a right checksum give an error with the byte, or a replay: ${DAMAGES} damages (seed ${SEED})`,
    { timeout: 1e7 },
    () => {
      const random = createRandom(SEED + 1);
      const messages = new Set<string>();
      for (let i = 0; i < DAMAGES; i++) {
        const bad = forge(file, random);
        try {
          replay(bad, makeMesh(), { maxTicks: 1000 });
        } catch (error) {
          const { message } = error as Error;
          messages.add(message.replaceAll(/[\d.]+/g, '#'));
          expect(message, `damage ${i}`).toMatch(/^replay: (the recording|the crowd)/);
        }
      }
      expect(messages.size).toBeGreaterThan(5);
    },
  );
});

/** Changes a few bytes of one section of a recording, and its checksum. */
function forge(file: Uint8Array, random: ReturnType<typeof createRandom>): Uint8Array {
  const out = file.slice();
  const view = new DataView(out.buffer);
  const starts: number[] = [];
  for (let at = 16; at < out.length; at += 12 + view.getUint32(at + 4, true)) starts.push(at);
  const at = starts[Math.floor(nextRandom(random) * starts.length)]!;
  const length = view.getUint32(at + 4, true);
  for (let i = 0; i < 3; i++)
    out[at + 12 + Math.floor(nextRandom(random) * length)] = Math.floor(nextRandom(random) * 256);
  const words = new Uint32Array(2 + Math.ceil(length / 4));
  words[0] = view.getUint32(at, true);
  words[1] = length;
  new Uint8Array(words.buffer).set(out.subarray(at + 12, at + 12 + length), 8);
  let hash = 0;
  for (const word of words) {
    hash = Math.imul(hash ^ word, 0x2127599b);
    hash = (hash << 13) | (hash >>> 19);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x4cf5ad43);
  view.setUint32(at + 8, (hash ^ (hash >>> 15)) >>> 0, true);
  return out;
}
