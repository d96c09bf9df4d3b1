/**
 * Files that version 0.1.0 wrote: later versions read them. A new version of a format adds files of its own, and never changes these.
 *
 * The mesh is a floor of 20 by 10 with a wall that leaves a gap of 3, in tiles of 8, and a link with the userId 7. One agent walks on it.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { findPath, listLinks, loadNavMesh, openNavMesh, saveNavMesh } from 'navkiln';
import { createCrowd, getAgent, restoreCrowd, stepCrowd } from 'navkiln/crowd';
import type { AgentId } from 'navkiln/crowd';
import { validateNavMesh } from 'navkiln/debug';
import { findIndexedPath, loadPathIndex } from 'navkiln/index';
import { replay } from 'navkiln/record';
import { findRoute, openRouteGraph } from 'navkiln/routes';
import { openWorld, stopStreaming, streamAround } from 'navkiln/world';
import type { BlobStore } from 'navkiln/world';

const read = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`files-0.1.0/${name}`, import.meta.url)));
/** The id of the agent. */
const AGENT = (2 ** 20) as AgentId;
const [FROM, TO] = [
  [2, 0, 6],
  [18, 0, 6],
];

describe('files of 0.1.0', () => {
  it.each([
    ['mesh.navmesh', loadNavMesh],
    ['mesh.packed', openNavMesh],
  ] as const)('%s', (name, load) => {
    const mesh = load(read(name));
    expect(validateNavMesh(mesh)).toEqual([]);
    expect(listLinks(mesh)).toHaveLength(1);
    const path = findPath(mesh, FROM, TO);
    expect(path.status).toBe('complete');
    // Straight over the link's row or around the wall: nothing is shorter than the beeline.
    expect(path.length).toBeGreaterThanOrEqual(16);
    expect(loadNavMesh(saveNavMesh(mesh)).polyCount).toBe(mesh.polyCount);
  });

  it('mesh.pathindex', () => {
    const mesh = loadNavMesh(read('mesh.navmesh'));
    const index = loadPathIndex(read('mesh.pathindex'), mesh);
    const path = findIndexedPath(index, mesh, FROM, TO);
    expect(path.status).toBe('complete');
    expect(path.length).toBeLessThanOrEqual(findPath(mesh, FROM, TO).length + 1e-6);
  });

  // Version 6 has refs of the mesh, version 7 refs to content.
  it.each(['agents.crowd', 'agents-7.crowd'])('%s', (name) => {
    const crowd = createCrowd(loadNavMesh(read('mesh.navmesh')), { maxAgents: 8 });
    restoreCrowd(crowd, read(name));
    const before = getAgent(crowd, AGENT)!;
    expect(before.goal![0]).toBeCloseTo(18, 1);
    for (let tick = 0; tick < 20; tick++) stepCrowd(crowd);
    expect(getAgent(crowd, AGENT)!.position).not.toEqual(before.position);
  });

  it('game.nkrec: 60 ticks and two orders', () => {
    const { tick, callCount, info, crowd } = replay(read('game.nkrec'), loadNavMesh(read('mesh.navmesh')));
    expect({ tick, callCount, info }).toEqual({ tick: 60, callCount: 2, info: { game: 'golden' } });
    // On its way; how it steers may change with the version, as docs/versions.md says.
    expect(getAgent(crowd, AGENT)!.position[0]).toBeGreaterThan(2.2);
  });

  it('world.json: a manifest, six tiles and their routes', async () => {
    const entries = JSON.parse(Buffer.from(read('world.json')).toString()) as Record<string, string>;
    expect(Object.keys(entries).filter((key) => key.startsWith('tiles/'))).toHaveLength(6);
    const store: BlobStore = {
      get: async (key) =>
        entries[key] === undefined ? undefined : new Uint8Array(Buffer.from(entries[key], 'base64')),
      set: async () => {},
      delete: async () => {},
      keys: async () => Object.keys(entries),
    };
    const world = await openWorld(store);
    const graph = await openRouteGraph(world);
    // No tile is loaded yet: the route comes from the records alone.
    expect(findRoute(graph, [2, 0, 3], [18, 0, 3]).status).toBe('complete');
    const loaded = (): boolean => {
      const { missingTiles, failures } = streamAround(world, [[10, 0, 5]], { radius: 30, maxBytes: 1e6 });
      expect(failures).toEqual([]);
      return missingTiles === 0;
    };
    await vi.waitFor(() => expect(loaded()).toBe(true));
    expect(validateNavMesh(world.navMesh)).toEqual([]);
    const path = findPath(world.navMesh, [2, 0, 3], [18, 0, 3]);
    expect(path.status).toBe('complete');
    // Around the end of the wall, which is 0.4 away from it.
    expect(path.length).toBeGreaterThan(2 * Math.hypot(8, 4));
    expect(path.length).toBeLessThan(2 * Math.hypot(8, 5.5));
    stopStreaming(world);
  });
});
