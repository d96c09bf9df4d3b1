/**
 * Files that version 0.1.0 wrote: later versions read them. A new version of a format adds files of its own, and never changes these.
 *
 * The mesh is a floor of 20 by 10 with a wall that leaves a gap of 3, in tiles of 8, and a link with the userId 7. One agent walks on it.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findPath, listLinks, loadNavMesh, openNavMesh, saveNavMesh } from 'navkiln';
import { createCrowd, getAgent, restoreCrowd, stepCrowd } from 'navkiln/crowd';
import type { AgentId } from 'navkiln/crowd';
import { validateNavMesh } from 'navkiln/debug';
import { findIndexedPath, loadPathIndex } from 'navkiln/index';

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

  it('agents.crowd', () => {
    const crowd = createCrowd(loadNavMesh(read('mesh.navmesh')), { maxAgents: 8 });
    restoreCrowd(crowd, read('agents.crowd'));
    const before = getAgent(crowd, AGENT)!;
    expect(before.goal![0]).toBeCloseTo(18, 1);
    for (let tick = 0; tick < 20; tick++) stepCrowd(crowd);
    expect(getAgent(crowd, AGENT)!.position).not.toEqual(before.position);
  });
});
