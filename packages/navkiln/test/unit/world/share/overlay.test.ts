/** An overlay answers as a whole copy of its base with the same doors would, and leaves base and other overlays as they are. */
import { describe, expect, it } from 'vitest';
import { isEnabled, setEnabled } from '../../../../src/mesh/change/enable.ts';
import { addLink, getLink, listLinks, setLinkEnabled } from '../../../../src/mesh/change/links.ts';
import { addTile, removeTile } from '../../../../src/mesh/change/tiles.ts';
import { saveNavMesh } from '../../../../src/mesh/file/save.ts';
import { areOnOneIsland } from '../../../../src/mesh/islands.ts';
import { refOf } from '../../../../src/mesh/ref.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { addAgent } from '../../../../src/agents/crowd/orders/agents.ts';
import { moveAgentTo } from '../../../../src/agents/crowd/orders/orders.ts';
import { hashCrowd } from '../../../../src/agents/crowd/save/save.ts';
import { stepCrowd } from '../../../../src/agents/crowd/step.ts';
import { getFlags, setArea, setFlags } from '../../../../src/query/area.ts';
import { buildPathIndex } from '../../../../src/query/index/build.ts';
import { findIndexedPath } from '../../../../src/query/index/find.ts';
import { findOptimalPath } from '../../../../src/query/optimal/optimal.ts';
import { findPath } from '../../../../src/query/path/find-path.ts';
import { createMeshOverlay } from '../../../../src/world/share/overlay.ts';
import {
  openSharedNavMesh,
  refreshSharedNavMesh,
  shareNavMesh,
  updateSharedNavMesh,
} from '../../../../src/world/share/share.ts';
import { seeded } from '../../meshes.ts';
import { SIDE, changeShape, changeState, createTown, townTile } from './town.ts';

const SEED = Number(process.env['NAVKILN_SEED'] ?? 1);
const RUNS = Number(process.env['NAVKILN_SHARED_RUNS'] ?? 1);
const SEEDS = Array.from({ length: RUNS }, (_, i) => SEED + i);

const bytesOf = (mesh: NavMesh): string => Buffer.from(saveNavMesh(mesh)).toString('base64');
const randomPoint = (next: () => number): number[] => [SIDE * next(), 0, SIDE * next()];

describe('createMeshOverlay', () => {
  it.each(SEEDS)('gives rooms that answer as copies of the base do (seed %i)', (seed) => {
    const next = seeded(seed);
    const base = createTown();
    setEnabled(base, 'door 0 1', false);
    const index = buildPathIndex(base);
    const before = bytesOf(base);
    const rooms = Array.from({ length: 3 }, () => ({ mesh: createMeshOverlay(base), copy: structuredClone(base) }));
    let unreachable = 0;
    for (let step = 0; step < 160; step++) {
      const { mesh, copy } = rooms[Math.floor(3 * next())];
      if (next() < 0.4) {
        const change = Math.floor(1e9 * next());
        changeState(mesh, seeded(change));
        changeState(copy, seeded(change));
      }
      const [a, b] = [randomPoint(next), randomPoint(next)];
      const path = findPath(mesh, a, b);
      expect(path).toEqual(findPath(copy, a, b));
      if (path.reason === 'unreachable') unreachable++;
      if (step % 4 === 0) expect(findOptimalPath(mesh, a, b)).toEqual(findOptimalPath(copy, a, b));
      if (step % 4 === 1) {
        const found = findIndexedPath(index, mesh, a, b);
        expect(found).toEqual(findIndexedPath({ ...index }, copy, a, b));
        expect(found.status === 'complete').toBe(path.status === 'complete');
      }
      const [p, q] = [0, 1].map(() => Math.floor(base.polyCount * next()));
      const [one, two] = [areOnOneIsland(mesh, p, q), areOnOneIsland(copy, p, q)];
      // Not both may know; those that know agree.
      if (one >= 0 && two >= 0) expect(one).toBe(two);
      if (step % 40 === 0) {
        expect(validateNavMesh(mesh)).toEqual([]);
        expect(bytesOf(mesh)).toBe(bytesOf(copy));
      }
    }
    expect(unreachable).toBeGreaterThan(10);
    expect(bytesOf(base)).toBe(before);
    expect(validateNavMesh(base)).toEqual([]);
  });

  it('moves the agents of a room as a copy does', () => {
    const base = createTown();
    const hashes = [createMeshOverlay(base), createMeshOverlay(base), structuredClone(base)].map((mesh, i) => {
      if (i !== 1) setEnabled(mesh, 'door 1 1', false);
      const crowd = createCrowd(mesh, { maxAgents: 8 });
      const next = seeded(SEED);
      for (let k = 0; k < 6; k++) moveAgentTo(crowd, addAgent(crowd, randomPoint(next)), randomPoint(next));
      for (let tick = 0; tick < 200; tick++) {
        if (tick === 100) setEnabled(mesh, 'door 2 1', false);
        stepCrowd(crowd);
      }
      return hashCrowd(crowd);
    });
    expect(hashes[0]).toBe(hashes[2]);
    expect(hashes[1]).not.toBe(hashes[0]);
  });

  it('shares geometry, and takes 2 bytes a polygon', () => {
    const base = createTown();
    const room = createMeshOverlay(base);
    const own = Object.entries(room).filter(
      ([key, value]) => ArrayBuffer.isView(value) && value !== base[key as keyof NavMesh] && key !== 'islandParent',
    );
    expect(own.map(([key]) => key)).toEqual(['polyFlags', 'linkState']);
    expect(room.polyFlags.byteLength).toBe(2 * base.polyCount);
    expect(room.islandParent).toBe(createMeshOverlay(base).islandParent);
    expect(room.islandParent).not.toBe(base.islandParent);
  });

  it('fixes tiles, links and areas of base and rooms', () => {
    const base = createTown();
    const before = bytesOf(base);
    const room = createMeshOverlay(base);
    for (const mesh of [base, room]) {
      const changes = [
        () => setArea(mesh, refOf(mesh, 0), 3),
        () => addLink(mesh, { start: [1, 0, 1], end: [5, 0, 5] }),
        () => removeTile(mesh, 0),
        () => addTile(mesh, townTile(5, 5, 0)),
      ];
      for (const change of changes) expect(change).toThrow(/mesh is an object; must be not frozen or shared/);
      expect(bytesOf(mesh)).toBe(before);
    }
    // Doors of the base are its own.
    setEnabled(base, 'door 0 0', false);
    expect(isEnabled(room, 'door 0 0')).toBe(true);
    expect(() => createMeshOverlay(room)).toThrow('must be a mesh that is no overlay');
    expect(() => createMeshOverlay(Object.freeze(createTown()))).toThrow(TypeError);
    expect(() => createMeshOverlay({} as never)).toThrow(TypeError);
    expect(() => refreshSharedNavMesh(room)).toThrow('the base of the overlay');
  });
});

describe('overlays of a shared mesh', () => {
  it('keep their doors, links and flags when tiles change', () => {
    const mesh = createTown();
    const shared = shareNavMesh(mesh);
    const reader = openSharedNavMesh(shared);
    const [a, b] = [createMeshOverlay(reader), createMeshOverlay(reader)];
    const [link] = listLinks(mesh);
    const ref = refOf(reader, 0);
    setEnabled(a, 'door 1 1', false);
    setEnabled(a, 'link 2', false);
    setLinkEnabled(b, link, false);
    setFlags(a, ref, 6);
    removeTile(mesh, 4);
    addTile(mesh, townTile(1, 1, 13));
    setEnabled(mesh, 'door 2 2', false);
    setFlags(mesh, refOf(mesh, 5), 9);
    const added = addLink(mesh, { start: [3, 0, 3], end: [30, 0, 30], name: 'link 2' });
    updateSharedNavMesh(shared, mesh);
    refreshSharedNavMesh(reader);
    for (const room of [a, b]) expect(validateNavMesh(room)).toEqual([]);
    expect([a, b, reader].map((room) => isEnabled(room, 'door 1 1'))).toEqual([false, true, true]);
    expect([a, b, reader].map((room) => isEnabled(room, 'door 2 2'))).toEqual([true, true, false]);
    expect([a, b, reader].map((room) => getLink(room, added)!.enabled)).toEqual([false, true, true]);
    expect([a, b, reader].map((room) => getLink(room, link)!.enabled)).toEqual([true, false, true]);
    expect([a, b, reader].map((room) => getFlags(room, ref))).toEqual([6, 1, 1]);
    expect([a, b, reader].map((room) => getFlags(room, refOf(mesh, 5)))).toEqual([9, 9, 9]);
  });

  it.each(SEEDS)('follow it through random changes (seed %i)', (seed) => {
    const next = seeded(seed);
    const mesh = createTown();
    const shared = shareNavMesh(mesh);
    const reader = openSharedNavMesh(shared);
    const room = createMeshOverlay(reader);
    const doors = new Map<string, boolean>();
    for (let step = 0; step < 60; step++) {
      if (next() < 0.5) {
        changeShape(mesh, next);
        updateSharedNavMesh(shared, mesh);
        refreshSharedNavMesh(reader);
      }
      const name = `door ${Math.floor(3 * next())} ${Math.floor(3 * next())}`;
      const isOpen = next() < 0.5;
      setEnabled(room, name, isOpen);
      doors.set(name, isOpen);
      // The oracle: the writer's mesh with the doors of the room.
      const copy = structuredClone(mesh);
      for (const [door, state] of doors) setEnabled(copy, door, state);
      const [a, b] = [randomPoint(next), randomPoint(next)];
      expect(findPath(room, a, b)).toEqual(findPath(copy, a, b));
      if (step % 20 === 0) expect(bytesOf(room)).toBe(bytesOf(copy));
    }
    expect(validateNavMesh(room)).toEqual([]);
  });
});
