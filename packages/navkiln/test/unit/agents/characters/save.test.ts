/** Characters, targets and their crowd saved, restored and hashed: the same future at any frame rate, refusals, damage. */
import { describe, expect, it } from 'vitest';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { addAgent, removeAgent } from '../../../../src/agents/crowd/orders/agents.ts';
import { moveAgentTo } from '../../../../src/agents/crowd/orders/orders.ts';
import { saveCrowd } from '../../../../src/agents/crowd/save/save.ts';
import type { AgentId } from '../../../../src/agents/crowd/state/types.ts';
import { loadNavMesh } from '../../../../src/mesh/file/load.ts';
import { saveNavMesh } from '../../../../src/mesh/file/save.ts';
import { removeTile } from '../../../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import {
  advanceCharacters,
  interpolateCharacterInto,
  stepCharacters,
} from '../../../../src/agents/characters/advance.ts';
import {
  jumpCharacter,
  pushCharacter,
  setCharacterRunning,
  turnCharacterTo,
} from '../../../../src/agents/characters/body/actions.ts';
import {
  addCharacter,
  createCharacters,
  getCharacter,
  listCharacters,
  removeCharacter,
} from '../../../../src/agents/characters/body/characters.ts';
import { listCharacterEvents } from '../../../../src/agents/characters/body/events.ts';
import {
  CHARACTER_COLUMNS,
  TARGET_COLUMNS,
  hashCharacters,
  restoreCharacters,
  saveCharacters,
} from '../../../../src/agents/characters/save.ts';
import {
  addTarget,
  createTargets,
  followTarget,
  getTargetOf,
  listTargets,
  removeTarget,
  setTargetPosition,
} from '../../../../src/agents/characters/targets/targets.ts';
import type { CharacterSet } from '../../../../src/agents/characters/types/characters.ts';
import { gridTile, meshOf, seeded } from '../../meshes.ts';
import { squaresTile } from '../../mesh/tiled-meshes.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 1);

/** Nine tiles of 8 x 8, flat. */
function world(): NavMesh {
  const tiles = [0, 1, 2].flatMap((x) => [0, 1, 2].map((z) => tileAt(x, z)));
  return meshOf(...tiles);
}
const tileAt = (x: number, z: number): ReturnType<typeof squaresTile> =>
  squaresTile(
    x,
    z,
    0,
    8,
    () => true,
    () => 0,
  );

const createOn = (mesh: NavMesh): CharacterSet => createCharacters(createCrowd(mesh, { maxAgents: 40 }));

/** 20 characters and 5 targets; two of them are characters. */
function populate(set: CharacterSet, seed: number): void {
  const random = seeded(seed);
  const spot = (): [number, number, number] => [1 + 22 * random(), 3 * random(), 1 + 22 * random()];
  const ids = Array.from({ length: 20 }, (_, i) =>
    addCharacter(set, spot(), { radius: 0.3, walkSpeed: 1 + random(), respawn: i % 2 === 0 ? 'nearest' : 'spawn' }),
  );
  const targets = createTargets(set);
  const all = [spot(), spot(), spot(), { character: ids[0]! }, { character: ids[1]! }].map((at) =>
    addTarget(targets, at),
  );
  ids.slice(2, 14).forEach((id, i) => followTarget(set, id, all[i % 5]!));
  addAgent(set.crowd, [12, 0, 12], { radius: 0.3 });
}

/** Runs the actions before a tick, which its number alone decides. */
function order(set: CharacterSet, time: number): void {
  const tick = Math.round(time * 60);
  const random = seeded(SEED + 1000 * tick);
  const ids = listCharacters(set);
  const targets = createTargets(set);
  const rows = listTargets(targets);
  const spot = (): [number, number, number] => [1 + 22 * random(), 2 * random(), 1 + 22 * random()];
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  if (tick % 7 === 0) jumpCharacter(set, pick(ids), 3);
  if (tick % 31 === 0) pushCharacter(set, pick(ids), [6 * random() - 3, 4, 6 * random() - 3]);
  if (tick % 11 === 0) turnCharacterTo(set, pick(ids), spot());
  if (tick % 13 === 0) setCharacterRunning(set, pick(ids), random() < 0.5);
  if (tick % 3 === 0) setTargetPosition(targets, rows[0]!, spot());
  if (tick % 17 === 0) moveAgentTo(set.crowd, ids[ids.length - 1]!, spot());
  if (tick % 97 === 0) {
    removeTarget(targets, pick(rows.slice(1)));
    followTarget(set, pick(ids.slice(2)), addTarget(targets, spot()));
  }
  if (tick % 89 === 0) {
    removeCharacter(set, pick(ids.slice(2)));
    followTarget(set, addCharacter(set, spot(), { radius: 0.25 }), rows[0]!);
  }
}

/** Runs ticks at a frame rate; returns the hash before each tick and at the end. */
function run(set: CharacterSet, seconds: number, fps: number): number[] {
  const hashes: number[] = [];
  const until = set.crowd.tick + Math.round(seconds * 60);
  while (set.crowd.tick < until) {
    advanceCharacters(set, 1 / fps, (time) => {
      if (set.crowd.tick >= until) return;
      hashes.push(hashCharacters(set));
      order(set, time);
    });
  }
  return hashes;
}

describe('saved characters', () => {
  it('save, run, restore, run: the same at 30, 60 and 144 frames per second', () => {
    const all: number[][] = [];
    for (const fps of [30, 60, 144]) {
      const set = createOn(world());
      populate(set, SEED);
      run(set, 2.5, fps);
      const bytes = saveCharacters(set);
      const drawn = drawnOf(set);
      const future = run(set, 5, fps);
      restoreCharacters(set, bytes);
      expect(Buffer.compare(saveCharacters(set), bytes)).toBe(0);
      expect(drawnOf(set)).toEqual(drawn);
      expect(run(set, 5, fps), `${fps} fps, seed ${SEED}`).toEqual(future);
      const fresh = createOn(world());
      restoreCharacters(fresh, bytes);
      expect(run(fresh, 5, fps), `${fps} fps, fresh, seed ${SEED}`).toEqual(future);
      all.push(future.slice(0, 290));
    }
    expect(all[1]).toEqual(all[0]);
    expect(all[2]).toEqual(all[0]);
    expect(new Set(all[0]).size).toBe(290);
  });

  it('continue on their mesh saved and loaded', () => {
    const mesh = meshOf(gridTile(24, 24));
    const set = createOn(mesh);
    populate(set, SEED);
    run(set, 2, 60);
    const fresh = createOn(loadNavMesh(saveNavMesh(mesh)));
    restoreCharacters(fresh, saveCharacters(set));
    expect(run(fresh, 4, 60)).toEqual(run(set, 4, 60));
  });

  it('keep ids of characters and targets, and what each follows', () => {
    const set = createOn(world());
    populate(set, SEED);
    for (let i = 0; i < 90; i++) stepCharacters(set);
    const stateOf = (): unknown => [
      listCharacters(set).map((id) => [id, getCharacter(set, id), getTargetOf(set, id)]),
      listTargets(set.targets!),
    ];
    const [bytes, before] = [saveCharacters(set), stateOf()];
    const hash = hashCharacters(set);
    for (const id of listCharacters(set).slice(3, 9)) removeCharacter(set, id);
    for (const id of listTargets(set.targets!).slice(0, 2)) removeTarget(set.targets!, id);
    for (let i = 0; i < 40; i++) addTarget(set.targets!, [i % 20, 0, 1]);
    stepCharacters(set);
    restoreCharacters(set, bytes);
    expect(stateOf()).toEqual(before);
    expect(hashCharacters(set)).toBe(hash);
    expect(listCharacterEvents(set)).toEqual([]);
    // Without targets: those of the set go.
    const plain = createOn(set.crowd.mesh);
    addCharacter(plain, [3, 0, 3]);
    restoreCharacters(set, saveCharacters(plain));
    expect(listTargets(set.targets!)).toEqual([]);
    expect(hashCharacters(set)).not.toBe(hash);
  });

  it('follow a mesh that has changed since the last tick', () => {
    const set = createOn(world());
    const { mesh } = set.crowd;
    populate(set, SEED);
    for (let i = 0; i < 30; i++) stepCharacters(set);
    removeTile(mesh, 4);
    const bytes = saveCharacters(set);
    const future = Array.from({ length: 60 }, () => (stepCharacters(set), hashCharacters(set)));
    restoreCharacters(set, bytes);
    expect(Array.from({ length: 60 }, () => (stepCharacters(set), hashCharacters(set)))).toEqual(future);
  });

  it('have all columns of a set and of targets in their tables', () => {
    const set = createOn(world());
    const columns = (record: object): string[] =>
      Object.entries(record).flatMap(([key, value]) => (ArrayBuffer.isView(value) ? [key] : []));
    const names = CHARACTER_COLUMNS.map(([name]) => name as string);
    expect([...names, 'bounds', 'time'].sort()).toEqual(columns(set).sort());
    expect(TARGET_COLUMNS.map(([name]) => name as string).sort()).toEqual(columns(createTargets(set)).sort());
    for (const [name, stride] of CHARACTER_COLUMNS) expect(set[name].length, name).toBe(stride * 40);
    for (const [name, stride] of TARGET_COLUMNS) expect(set.targets![name].length, name).toBe(stride * 16);
  });

  it('hash every column, and not what removed characters leave behind', () => {
    const set = createOn(world());
    populate(set, SEED);
    for (let i = 0; i < 30; i++) stepCharacters(set);
    const hash = hashCharacters(set);
    for (const [name, stride] of CHARACTER_COLUMNS) {
      if (name === 'id') continue;
      const was = set[name][6 * stride]!;
      set[name][6 * stride] = was === 0 ? 1 : 0;
      expect(hashCharacters(set), name).not.toBe(hash);
      set[name][6 * stride] = was;
    }
    for (const [name, stride] of TARGET_COLUMNS) {
      // Of a polygon, only whether there is one counts.
      const row = name === 'groundPoly' ? set.targets!.groundPoly.findIndex((poly) => poly >= 0) : 1;
      const was = set.targets![name][row * stride]!;
      set.targets![name][row * stride] = name !== 'groundPoly' && (was === -1 || was === 0) ? 1 : -1;
      expect(hashCharacters(set), name).not.toBe(hash);
      set.targets![name][row * stride] = was;
    }
    expect(hashCharacters(set)).toBe(hash);
    const one = createOn(world());
    const two = createOn(world());
    for (const [other, facing] of [
      [one, [0, 1]],
      [two, [1, 0]],
    ] as const) {
      const id = addCharacter(other, [3, 0, 3], { facing });
      removeAgent(other.crowd, id);
    }
    expect(hashCharacters(one)).toBe(hashCharacters(two));
  });
});

describe('restoreCharacters refuses, and changes nothing', () => {
  const set = createOn(world());
  populate(set, SEED);
  for (let i = 0; i < 20; i++) stepCharacters(set);
  const bytes = saveCharacters(set);
  const hash = hashCharacters(set);
  const altered = (change: (copy: Uint8Array) => void): Uint8Array => {
    const copy = bytes.slice();
    change(copy);
    return copy;
  };

  it.each([
    ['a saved crowd', saveCrowd(set.crowd), /are a crowd without characters; pass the result of saveCharacters$/],
    ['nothing', new Uint8Array(0), /the 0 bytes are not saved characters/],
    ['a part', bytes.subarray(0, bytes.length - 16), /bytes\.length is \d+; must be \d+; pass all/],
    ['a version', altered((copy) => (copy[8] = 9)), /the format version is 9; must be 2 or 3/],
    ['damage', altered((copy) => (copy[200]! ^= 1)), /the checksum does not match/],
  ])('%s', (_, wrong, message) => {
    expect(() => restoreCharacters(set, wrong)).toThrow(message);
    expect(() => restoreCharacters(set, wrong)).toThrow(/^restoreCharacters: /);
    expect(hashCharacters(set)).toBe(hash);
  });

  it('another mesh or another crowd', () => {
    const other = createOn(meshOf(gridTile(24, 24)));
    expect(() => restoreCharacters(other, bytes)).toThrow(
      /^restoreCharacters: .*differ.*; must be as in the mesh that the crowd was saved on/,
    );
    const small = createCharacters(createCrowd(world(), { maxAgents: 30 }));
    expect(() => restoreCharacters(small, bytes)).toThrow(/^restoreCharacters: crowd\.maxAgents is 30; must be 40/);
    expect(listCharacters(small)).toEqual([]);
    restoreCharacters(set, bytes);
    expect(hashCharacters(set)).toBe(hash);
  });
});

function drawnOf(set: CharacterSet): number[][] {
  const out = new Float64Array(6);
  return listCharacters(set).flatMap((id: AgentId) =>
    [0, 0.3, 1].map((alpha) => (interpolateCharacterInto(out, set, id, alpha), [...out])),
  );
}
