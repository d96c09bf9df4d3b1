/** Snapshots contain every field: each is changed, and must be back after a rewind. */
import { beforeAll, describe, expect, it } from 'vitest';
import { isEnabled, loadNavMesh, saveNavMesh, setEnabled } from 'navkiln';
import { createMeshOverlay } from 'navkiln/share';
import {
  addAgent,
  createCrowd,
  hashCrowd,
  listAgents,
  moveAgentTo,
  removeAgent,
  restoreCrowd,
  saveCrowd,
  stepCrowd,
} from 'navkiln/crowd';
import type { Crowd } from 'navkiln/crowd';
import {
  captureCharacters,
  captureCrowd,
  captureMesh,
  captureWorld,
  createSnapshotRing,
  rewindCharacters,
  rewindCrowd,
  rewindMesh,
  rewindWorld,
} from 'navkiln/rollback';
import { createCharacters } from 'navkiln/world';
import { SEARCH_CORRIDOR } from '../../../../src/agents/crowd/search/record.ts';
import { advance, createGame, hashGame } from '../../../browser/rollbacks.ts';
import type { Game } from '../../../browser/rollbacks.ts';

type Fields = Record<string, any>;
type Column = Float64Array | Int32Array | Uint8Array;

/** Fields that are not part of a state, by path: the caller's, memory of searches, and what follows from other fields. */
const NO_STATE = [
  /^crowd\.(mesh|behaviors|types|filters|pathIndex|stepSeconds|maxAgents)\b/,
  /^crowd\.searches\.goalCount/,
  /^crowd\.searches\.state\.(capacity|stamp|nodeStamp)/,
  /^crowd\.corridors\.\d+\.version/,
  /^crowd\.searches\.fields\.\d+\.(stamp|polyStamp|polyNode)/,
  /^set\.crowd\b/,
];

/** Elements of arrays that are in use, by path. */
function usedLength(path: string, array: Column, { crowd, set }: Game): number {
  const { searches, slotCount, maxAgents, events } = crowd;
  if (path.startsWith('crowd.events.')) return events.count;
  if (path === 'crowd.searches.queue') return searches.queueCount;
  const field = /^crowd\.searches\.fields\.(\d+)\.(.*)/.exec(path);
  if (field !== null) {
    const { nodePoly, nodeCount, heap } = searches.fields[Number(field[1])];
    if (field[2].startsWith('node')) return (array.length / nodePoly.length) * nodeCount;
    return field[2].startsWith('heap.') ? heap.count : array.length;
  }
  if (path.startsWith('crowd.searches.state.heap')) return searches.state.heapSize;
  const corridor = /^crowd\.corridors\.(\d+)\.(corridor\.|refs|left)/.exec(path);
  if (corridor !== null) {
    const { count } = crowd.corridors[Number(corridor[1])].corridor;
    return path.endsWith('crossings') ? Math.max(0, count - 1) : count;
  }
  if (path.startsWith('set.targets.')) return (array.length / set.targets!.kind.length) * set.targets!.rowCount;
  if (path.startsWith('set.events.')) return set.events.count;
  return array.length % maxAgents === 0 ? (array.length / maxAgents) * slotCount : array.length;
}

/** Calls `visit` with the path of each number, text, reference and array of a record. */
function walk(path: string, record: Fields, visit: (path: string, record: Fields, key: string) => void): void {
  for (const key of Object.keys(record)) {
    const at = `${path}.${key}`;
    if (NO_STATE.some((pattern) => pattern.test(at))) continue;
    const value = record[key];
    const isLeaf = typeof value !== 'object' || value === null || ArrayBuffer.isView(value);
    if (isLeaf || /^crowd\.((patrols|sampledParams)\.\d+|searches\.fields\.\d+\.filter)$/.test(at))
      visit(at, record, key);
    else walk(at, value, visit);
  }
}

/** Returns everything that a game's crowd and characters contain, by path. */
function describeState(game: Game): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const { nodeStamp, stamp } = game.crowd.searches.state;
  const visit = (path: string, record: Fields, key: string): void => {
    let value = record[key];
    if (key.endsWith('evision')) value = value === game.mesh.revision;
    else if (ArrayBuffer.isView(value)) {
      const array = value as Column;
      const node = path.startsWith('crowd.searches.state.node') ? array.length / nodeStamp.length : 0;
      value = Array.from(array)
        .slice(0, node > 0 ? array.length : usedLength(path, array, game))
        .filter((_, i) => node === 0 || nodeStamp[Math.floor(i / node)] === stamp)
        .join();
    }
    found.set(path, value);
  };
  walk('crowd', game.crowd, visit);
  walk('set', game.set, visit);
  return found;
}

/** Changes everything. Returns the paths. */
function spoil(game: Game): string[] {
  const spoilt: string[] = [];
  const visit = (path: string, record: Fields, key: string): void => {
    const value = record[key];
    spoilt.push(path);
    if (ArrayBuffer.isView(value)) {
      const array = value as Column;
      for (let i = 0; i < array.length; i++) array[i] = array[i] === 1 ? 2 : 1;
    } else if (typeof value === 'number') record[key] = value + 1;
    else if (typeof value === 'boolean') record[key] = !value;
    else if (typeof value === 'string') record[key] = `${value}?`;
    else record[key] = value === null || value === undefined ? {} : null;
  };
  // Counts last, since they limit what is changed.
  walk('crowd', game.crowd, visit);
  walk('set', game.set, visit);
  // As every change of a corridor does.
  for (const corridor of game.crowd.corridors) corridor.version++;
  return spoilt;
}

let game: Game;
beforeAll(() => {
  game = createGame();
  // A state with a search and fields in progress.
  const isRich = (): boolean =>
    game.crowd.searches.current.kind === SEARCH_CORRIDOR &&
    game.crowd.searches.fields.some(({ nodeCount }) => nodeCount > 0) &&
    game.crowd.patrols.some((patrol) => patrol !== null && patrol !== undefined) &&
    game.set.targets!.count > 0;
  for (let tick = 0; tick < 400 && !(tick > 20 && isRich()); tick++) advance(game, 3, 0);
  expect(isRich()).toBe(true);
});

describe('snapshots', () => {
  it('bring back every field of a crowd, of characters and of targets', () => {
    // Hashing brings the starts of corridors up to date.
    const hash = hashGame(game);
    const before = describeState(game);
    const snapshot = captureCharacters(game.set);
    const spoilt = spoil(game);
    expect(spoilt.length).toBeGreaterThan(400);
    const changed = [...describeState(game)].filter(([path, value]) => before.get(path) !== value);
    expect(changed.length).toBeGreaterThan(300);
    rewindCharacters(game.set, snapshot);
    const after = describeState(game);
    expect([...before].filter(([path, value]) => after.get(path) !== value).map(([path]) => path)).toEqual([]);
    const isThere = ([, value]: [string, unknown]): boolean => value !== undefined;
    expect([...after].filter(isThere).length).toBe([...before].filter(isThere).length);
    expect(hashGame(game)).toBe(hash);
  });

  it('a corridor whose version stays the same has not changed', () => {
    const known: string[] = [];
    let same = 0;
    for (let tick = 0; tick < 60; tick++) {
      game.crowd.corridors.forEach((c, slot) => {
        const { polys, crossings, count } = c.corridor;
        const columns = [polys, c.refs, c.left].map((column) => column.subarray(0, count).join());
        const text = `${c.version} ${count} ${columns.join(' ')} ${crossings.subarray(0, Math.max(0, count - 1)).join()}`;
        const before = known[slot];
        if (before?.split(' ')[0] === String(c.version) && count > 0) {
          same++;
          expect(text).toBe(before);
        }
        known[slot] = text;
      });
      advance(game, 5, 0);
    }
    expect(same).toBeGreaterThan(100);
  });

  it('bring back every field of a mesh', () => {
    const { mesh } = game;
    const bytes = saveNavMesh(mesh);
    const fields = Object.entries(mesh).filter(([key]) => key !== 'revision' && key !== 'layers');
    const copy = structuredClone(Object.fromEntries(fields));
    const snapshot = captureMesh(mesh);
    const record = mesh as unknown as Fields;
    for (const [key, value] of fields) {
      if (ArrayBuffer.isView(value)) for (let i = 0; i < (value as Column).length; i++) (value as Column)[i] ^= 5;
      else if (typeof value === 'number') record[key] = value + 1;
    }
    for (const group of mesh.groups) {
      group.isEnabled = !group.isEnabled;
      group.polys.clear();
      group.links.add(5);
    }
    mesh.polyGroup.clear();
    mesh.revision++;
    rewindMesh(mesh, snapshot);
    expect(Object.fromEntries(Object.entries(mesh).filter(([key]) => key in copy))).toEqual(copy);
    expect(saveNavMesh(mesh)).toEqual(bytes);
  });

  it('share what has not changed, and give a mesh a new revision when they change it', () => {
    const { mesh } = game;
    const first = captureMesh(mesh);
    expect(captureMesh(mesh)).toBe(first);
    mesh.polyArea[0] ^= 1;
    mesh.revision++;
    const second = captureMesh(mesh);
    const pagesOf = (snapshot: Fields): [string, { pages: unknown[] }][] => [...snapshot['arrays']];
    const now = new Map(pagesOf(second));
    const shared = pagesOf(first).filter(([key, { pages }]) =>
      now.get(key)!.pages.every((page, i) => page === pages[i]),
    );
    expect(shared.length).toBe(now.size - 1);
    const { revision } = mesh;
    rewindMesh(mesh, second);
    expect(mesh.revision).toBe(revision);
    rewindMesh(mesh, first);
    expect(mesh.revision).toBe(revision + 1);
  });

  it('of an overlay contain its doors, and leave its base alone', () => {
    const base = loadNavMesh(saveNavMesh(game.mesh));
    setEnabled(base, 'door', true);
    const room = createMeshOverlay(base);
    const flags = base.polyFlags.slice();
    const open = captureMesh(room);
    setEnabled(room, 'door', false);
    const closed = captureMesh(room);
    for (const [snapshot, isOpen] of [
      [open, true],
      [closed, false],
      [open, true],
    ] as const) {
      rewindMesh(room, snapshot);
      expect(isEnabled(room, 'door')).toBe(isOpen);
      expect(room.polyFlags.join() === flags.join()).toBe(isOpen);
      expect(base.polyFlags).toEqual(flags);
    }
  });

  it('bring back every field of a world', () => {
    const { world } = createGame();
    /** How each field is changed; a new field needs a line. */
    const changes: Record<string, () => void> = {
      nextId: () => world.nextId++,
      nextObstacleId: () => world.nextObstacleId++,
      strict: () => (world.strict = true),
      areLinksPending: () => (world.areLinksPending = true),
      levels: () => world.levels.delete(1),
      seenBy: () => world.seenBy.values().next().value!.push(7),
      obstacles: () => world.obstacles.set(9, {} as never),
      carvedBy: () => world.carvedBy.set(9, [9]),
      waiting: () => world.waiting.add(9),
      layers: () => world.layers.clear(),
      base: () => world.base.set(1, new Uint8Array(0)),
      marked: () => world.marked.add(1),
      queued: () => world.queued.add(1),
      warnings: () => world.warnings.push({} as never),
      building: () => world.building.set(1, 1),
      partial: () => (world.partial = {} as never),
    };
    /** The mesh and its followers have tests of their own; times of stages are no state. */
    const others = [
      'navMesh',
      'pathIndex',
      'worldLinks',
      'provisional',
      'keepReachable',
      'builder',
      'grid',
      'stageMs',
      'isBaking',
    ];
    expect([...Object.keys(changes), ...others].sort()).toEqual(Object.keys(world).sort());
    const show = (): string =>
      JSON.stringify(
        Object.keys(changes).map((key) => (world as unknown as Fields)[key]),
        (_, value) => (value instanceof Map || value instanceof Set ? [...value].map(String) : value),
      );
    const before = show();
    const snapshot = captureWorld(world);
    for (const change of Object.values(changes)) change();
    expect(show()).not.toBe(before);
    rewindWorld(world, snapshot);
    expect(show()).toBe(before);
  });

  it('of another crowd, another size or something else are refused in words', () => {
    const mesh = loadNavMesh(saveNavMesh(game.mesh));
    const [a, b, c] = [4, 4, 8].map((maxAgents) => createCrowd(mesh, { maxAgents }));
    const snapshot = captureCrowd(a);
    expect(() => rewindCrowd(b, snapshot)).toThrow(
      'rewindCrowd: snapshot.crowd is "another crowd"; must be the crowd that was captured; move the state of a crowd to another one with saveCrowd and restoreCrowd',
    );
    expect(() => rewindCrowd(c, snapshot)).toThrow(
      'rewindCrowd: crowd.maxAgents is 8; must be 4, as when the snapshot was captured; capture this crowd in a snapshot of its own',
    );
    expect(() => captureCrowd(b, snapshot)).toThrow('captureCrowd: snapshot.crowd is "another crowd"');
    expect(() => rewindCrowd(a, saveCrowd(a) as never)).toThrow('must be a CrowdSnapshot of captureCrowd');
    expect(() => rewindMesh(game.mesh, captureMesh(mesh))).toThrow('rewindMesh: snapshot.mesh is "another mesh"');
    expect(() => rewindWorld(game.world, captureWorld(createGame().world))).toThrow(
      'rewindWorld: snapshot.world is "another world"; must be the world that was captured',
    );
    const others = createCharacters(a);
    expect(() => rewindCharacters(game.set, captureCharacters(others))).toThrow(
      'rewindCharacters: snapshot.set is "another set of characters"',
    );
    const ring = createSnapshotRing({ ticks: 2 });
    ring.capture(a);
    expect(() => ring.capture(b)).toThrow('ring.capture: crowd is "another one"');
    expect(() => ring.rewind(b, 0)).toThrow('ring.rewind: crowd is "another one"');
    expect(() => createSnapshotRing({ ticks: 0 })).toThrow('createSnapshotRing: options.ticks is 0; must be whole');
  });

  it('hashes do not depend on earlier hashes, also after an agent was removed', () => {
    const crowds = [0, 1].map(() => createCrowd(loadNavMesh(saveNavMesh(game.mesh)), { maxAgents: 4 }));
    const [often, once] = crowds.map((crowd, k) => {
      const ids = [2, 4, 6].map((x) => addAgent(crowd, [x, 0, 2]));
      for (const id of ids) moveAgentTo(crowd, id, [3, 0, 20]);
      for (let tick = 0; tick < 30; tick++) {
        stepCrowd(crowd);
        if (k === 0) hashCrowd(crowd);
      }
      stepCrowd(crowd);
      removeAgent(crowd, ids[1]);
      return hashCrowd(crowd);
    });
    expect(often).toBe(once);
  });

  it('survive agents that come and go, and a crowd that was restored from bytes', () => {
    const mesh = loadNavMesh(saveNavMesh(game.mesh));
    const crowd = createCrowd(mesh, { maxAgents: 300 });
    const add = (count: number): void => {
      for (let i = 0; i < count; i++) {
        const id = addAgent(crowd, [1 + (i % 20), 0, 1 + i / 20]);
        if (id !== 0) moveAgentTo(crowd, id, [3, 0, 20]);
      }
    };
    const run = (): number => {
      add(80);
      for (let i = 0; i < 5; i++) stepCrowd(crowd);
      return hashCrowd(crowd);
    };
    add(20);
    stepCrowd(crowd);
    const snapshot = captureCrowd(crowd);
    const bytes = saveCrowd(crowd);
    const expected = run();
    rewindCrowd(crowd, snapshot);
    expect(run()).toBe(expected);
    for (const id of listAgents(crowd)) removeAgent(crowd, id);
    rewindCrowd(crowd, snapshot);
    expect(run()).toBe(expected);
    restoreCrowd(crowd, bytes);
    expect(captureCrowd(crowd, snapshot)).toBe(snapshot);
    expect(run()).toBe(expected);
    rewindCrowd(crowd, snapshot);
    expect(run()).toBe(expected);
  });

  it('do not allocate when warm', () => {
    const crowd: Crowd = createCrowd(loadNavMesh(saveNavMesh(game.mesh)), { maxAgents: 100 });
    for (let i = 0; i < 60; i++) moveAgentTo(crowd, addAgent(crowd, [1 + (i % 20), 0, 1 + i / 20]), [3, 0, 20]);
    for (let i = 0; i < 60; i++) stepCrowd(crowd);
    const snapshot = captureCrowd(crowd);
    const round = (): void => {
      captureCrowd(crowd, snapshot);
      rewindCrowd(crowd, snapshot);
    };
    for (let i = 0; i < 500; i++) round();
    const least = Array.from({ length: 5 }, () => {
      const before = process.memoryUsage().heapUsed;
      for (let i = 0; i < 100; i++) round();
      return (process.memoryUsage().heapUsed - before) / 100;
    }).reduce((a, b) => (b < 0 ? a : Math.min(a, b)), Infinity);
    // A new snapshot takes 200 KB. Code that is not compiled yet allocates some numbers.
    expect(least).toBeLessThan(4000);
  });
});
