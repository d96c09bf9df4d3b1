/** Random damage to saved meshes. The outcome is a clear Error, or a mesh without violations. */
import { expect, it } from 'vitest';
import { CHECKSUM_WORD, FILE_HEADER_BYTES, SCALAR_COUNT, fileChecksum } from '../../src/navmesh/file-format.ts';
import { setEnabled } from '../../src/navmesh/enable.ts';
import { loadNavMesh } from '../../src/navmesh/load.ts';
import { saveNavMesh } from '../../src/navmesh/save.ts';
import { validateNavMesh } from '../../src/navmesh/validate.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { addLink, listLinks, removeLink } from '../../src/navmesh/links.ts';
import { addTile } from '../../src/navmesh/tiles.ts';
import type { NavMesh } from '../../src/navmesh/types.ts';
import { bumpTile, gridTile, meshOf, ringMesh, seeded, wornMesh } from '../unit/meshes.ts';
import { squaresTile, tiledMesh } from '../unit/navmesh/tiled-meshes.ts';

const SEED = 20261121;
/** `npm run soak` raises it. */
const ROUNDS = Number(process.env['NAVKILN_FUZZ'] ?? 2000);
const EDGE_VALUES = [0, 1, 2, 3, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x7ff00000, 0x7ff80000];

/** Returns the mesh of `linkedMesh` with three names, one of them disabled. */
function namedMesh(): NavMesh {
  const mesh = linkedMesh();
  const tile = squaresTile(
    2,
    0,
    0,
    3,
    () => true,
    () => 0,
  );
  addTile(mesh, {
    ...tile,
    groups: [
      { name: 'door', polys: [0, 4] },
      { name: 'gate', polys: [2, 5, 7] },
    ],
  });
  for (const name of ['door', 'lift']) addLink(mesh, { start: [1, 0, 1], end: [20, 0, 1], name });
  setEnabled(mesh, 'gate', false);
  return mesh;
}

/** Returns two tiles with a border between them, and three links, one of which is removed. */
function linkedMesh(): NavMesh {
  const mesh = tiledMesh();
  for (let x = 0; x < 2; x++)
    addTile(
      mesh,
      squaresTile(
        x,
        0,
        0,
        2 + x,
        () => true,
        () => 0,
      ),
    );
  for (let i = 0; i < 3; i++) addLink(mesh, { start: [1, 0, 1 + i], end: [20, 0, 1 + i], bothWays: i === 2, cost: 3 });
  removeLink(mesh, listLinks(mesh)[1]);
  return mesh;
}

it(`survives ${ROUNDS} damaged files, seed ${SEED}`, () => {
  const random = seeded(SEED);
  const below = (n: number): number => Math.floor(random() * n);
  const files = [wornMesh(), ringMesh(), meshOf(bumpTile(), gridTile(3, 2)), meshOf(), linkedMesh(), namedMesh()].map(
    saveNavMesh,
  );
  const scalarsEnd = FILE_HEADER_BYTES + 8 * SCALAR_COUNT;
  const outcomes = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    let bytes = files[below(files.length)].slice();
    const words = new Uint32Array(bytes.buffer);
    const kind = below(6);
    for (let i = 1 + below(kind === 5 ? 8 : 2); i > 0; i--) {
      if (kind === 0) bytes[below(bytes.length)] ^= 1 << below(8);
      if (kind === 1)
        words[below(scalarsEnd / 4)] = random() < 0.5 ? EDGE_VALUES[below(EDGE_VALUES.length)] : below(bytes.length);
      if (kind === 2) words[below(words.length)] = EDGE_VALUES[below(EDGE_VALUES.length)];
      if (kind >= 3) bytes[scalarsEnd + below(bytes.length - scalarsEnd)] ^= 1 << below(8);
    }
    if (random() < 0.1) {
      bytes = bytes.slice(0, below(bytes.length / 8 + 1) * (random() < 0.5 ? 8 : 1));
      if (bytes.length % 8 === 0 && bytes.length > 24) new Uint32Array(bytes.buffer)[4] = bytes.length / 8;
    }
    if (random() < 0.9 && bytes.length >= 24) {
      const all = new Uint32Array(bytes.buffer, 0, bytes.length >>> 2);
      all[CHECKSUM_WORD] = fileChecksum(all);
    }
    const message = `seed ${SEED}, round ${round}`;
    let outcome = 'loaded';
    try {
      const mesh = loadNavMesh(bytes);
      expect(validateNavMesh(mesh), message).toEqual([]);
      expect(() => findPath(mesh, [0.5, 0, 0.5], [2.5, 0, 2.5]), message).not.toThrow();
    } catch (error) {
      expect((error as Error).message, message).toMatch(/^loadNavMesh: /);
      outcome =
        /bad (\w+)/.exec((error as Error).message)?.[1] ??
        (error as Error).message.replaceAll(/[0-9]+/g, '').slice(13, 40);
    }
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  // The damage reaches every stage of the reader.
  expect(outcomes.size, JSON.stringify([...outcomes])).toBeGreaterThan(20);
  expect(outcomes.get('loaded')).toBeGreaterThan(100);
  expect(outcomes.get('groups')).toBeGreaterThan(10);
});
