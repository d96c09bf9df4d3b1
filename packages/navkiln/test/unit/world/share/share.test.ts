/** Shared meshes: a reader has exactly one version of the writer's mesh, old or new, and nobody can change or misuse it. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { setEnabled } from '../../../../src/mesh/change/enable.ts';
import { addLink } from '../../../../src/mesh/change/links.ts';
import { addTile, removeTile } from '../../../../src/mesh/change/tiles.ts';
import { loadNavMesh } from '../../../../src/mesh/file/load.ts';
import { saveNavMesh } from '../../../../src/mesh/file/save.ts';
import { refOf } from '../../../../src/mesh/ref.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import { setArea, setFlags } from '../../../../src/query/area.ts';
import { buildPathIndex } from '../../../../src/query/index/build.ts';
import { findIndexedPath } from '../../../../src/query/index/find.ts';
import { findPath } from '../../../../src/query/path/find-path.ts';
import { sharePathIndex } from '../../../../src/world/share/arrays.ts';
import {
  closeSharedNavMesh,
  getSharedStatus,
  openSharedNavMesh,
  refreshSharedNavMesh,
  shareNavMesh,
  updateSharedNavMesh,
} from '../../../../src/world/share/share.ts';
import { seeded } from '../../meshes.ts';
import { SIDE, changeShape, changeState, createTown, townTile } from './town.ts';

const SEED = Number(process.env['NAVKILN_SEED'] ?? 1);
const RUNS = Number(process.env['NAVKILN_SHARED_RUNS'] ?? 1);

const bytesOf = (mesh: NavMesh): string => Buffer.from(saveNavMesh(mesh)).toString('base64');
const randomPath = (mesh: NavMesh, next: () => number): unknown =>
  findPath(mesh, [SIDE * next(), 0, SIDE * next()], [SIDE * next(), 0, SIDE * next()]);

afterEach(() => vi.unstubAllGlobals());

describe('openSharedNavMesh', () => {
  it('gives the mesh that loadNavMesh gives, over the shared memory', () => {
    const mesh = createTown();
    setEnabled(mesh, 'door 1 1', false);
    setEnabled(mesh, 'link 2', false);
    const shared = shareNavMesh(mesh);
    const reader = openSharedNavMesh(structuredClone(shared));
    const loaded = loadNavMesh(saveNavMesh(mesh));
    expect(reader.vertices.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(validateNavMesh(reader)).toEqual([]);
    expect(bytesOf(reader)).toBe(bytesOf(mesh));
    const next = seeded(SEED);
    const again = seeded(SEED);
    for (let i = 0; i < 50; i++) expect(randomPath(reader, next)).toEqual(randomPath(loaded, again));
  });

  it.each(Array.from({ length: RUNS }, (_, i) => SEED + i))(
    'gives each reader whole versions, old ones until it is refreshed (seed %i)',
    (seed) => {
      const next = seeded(seed);
      const mesh = createTown();
      const shared = shareNavMesh(mesh, { maxBytes: 1 << 20 });
      // By version: the bytes of the mesh, and a path on it.
      const versions = [
        { bytes: '', path: undefined as unknown },
        { bytes: bytesOf(mesh), path: randomPath(mesh, seeded(1)) },
      ];
      const readers = Array.from({ length: 3 }, () => ({ mesh: openSharedNavMesh(shared), version: 1 }));
      for (let step = 0; step < 50; step++) {
        const before = mesh.revision;
        if (next() < 0.5) changeState(mesh, next);
        else changeShape(mesh, next);
        if (next() < 0.6) {
          const { version } = updateSharedNavMesh(shared, mesh);
          if (version === versions.length)
            versions.push({ bytes: bytesOf(mesh), path: randomPath(mesh, seeded(version)) });
          expect(version).toBe(versions.length - 1);
          expect(updateSharedNavMesh(shared, mesh)).toEqual({ version, writtenBytes: 0 });
        }
        expect(mesh.revision).toBeGreaterThanOrEqual(before);
        for (const reader of readers) {
          if (next() < 0.3) {
            const isNews = refreshSharedNavMesh(reader.mesh);
            expect(isNews).toBe(reader.version !== versions.length - 1);
            reader.version = versions.length - 1;
          }
          // Each query writes at most what was there: the other readers and versions must stay as they are.
          expect(randomPath(reader.mesh, seeded(reader.version))).toEqual(versions[reader.version].path);
          if (next() < 0.1) {
            expect(bytesOf(reader.mesh)).toBe(versions[reader.version].bytes);
            expect(validateNavMesh(reader.mesh)).toEqual([]);
          }
        }
        if (next() < 0.1) {
          closeSharedNavMesh(readers[0].mesh);
          readers[0] = { mesh: openSharedNavMesh(shared), version: versions.length - 1 };
        }
      }
      expect(getSharedStatus(shared).readers).toBe(3);
      for (const reader of readers) closeSharedNavMesh(reader.mesh);
      expect(getSharedStatus(shared)).toMatchObject({ readers: 0, readersBehind: 0, isWriterOpen: true });
    },
  );

  it('keeps views of arrays that have not changed, and writes only those that have', () => {
    const mesh = createTown();
    const shared = shareNavMesh(mesh);
    const reader = openSharedNavMesh(shared);
    const { vertices, polyFlags } = reader;
    setEnabled(mesh, 'door 0 0', false);
    const { writtenBytes } = updateSharedNavMesh(shared, mesh);
    expect(writtenBytes).toBeGreaterThan(0);
    expect(writtenBytes).toBeLessThan(4 * mesh.nodeCount + 2 * mesh.polyCount + 100);
    expect(getSharedStatus(shared)).toMatchObject({ readers: 1, readersBehind: 1 });
    refreshSharedNavMesh(reader);
    expect(reader.vertices).toBe(vertices);
    expect(reader.polyFlags).not.toBe(polyFlags);
    expect(getSharedStatus(shared).readersBehind).toBe(0);
  });

  it('uses memory again that no reader needs, and reports when readers keep it', () => {
    const mesh = createTown();
    const shared = shareNavMesh(mesh, { maxBytes: 400_000 });
    const reader = openSharedNavMesh(shared);
    const next = seeded(SEED);
    for (let i = 0; i < 150; i++) {
      changeShape(mesh, next);
      updateSharedNavMesh(shared, mesh);
      refreshSharedNavMesh(reader);
    }
    const known = bytesOf(reader);
    const grow = (): void => {
      for (let i = 0; i < 150; i++) {
        changeShape(mesh, next);
        updateSharedNavMesh(shared, mesh);
      }
    };
    expect(grow).toThrow(
      /^updateSharedNavMesh: the shared memory of 400000 bytes is full, and 1 of 1 readers read an older version; call/,
    );
    expect(bytesOf(reader)).toBe(known);
    // The refused version is published once there is room.
    refreshSharedNavMesh(reader);
    updateSharedNavMesh(shared, mesh);
    refreshSharedNavMesh(reader);
    expect(bytesOf(reader)).toBe(bytesOf(mesh));
  });
});

describe('a shared mesh refuses', () => {
  it('changes of a reader', () => {
    const mesh = createTown();
    const reader = openSharedNavMesh(shareNavMesh(mesh));
    const before = bytesOf(reader);
    const ref = refOf(reader, 0);
    const changes = [
      () => setEnabled(reader, 'door 0 0', false),
      () => setFlags(reader, ref, 0),
      () => setArea(reader, ref, 3),
      () => addLink(reader, { start: [1, 0, 1], end: [5, 0, 5] }),
      () => removeTile(reader, 0),
      () => addTile(reader, townTile(5, 5, 0)),
    ];
    for (const change of changes) expect(change).toThrow(/mesh is an object; must be not frozen/);
    expect(bytesOf(reader)).toBe(before);
  });

  it('two writers, and updates after the end', () => {
    const mesh = createTown();
    const shared = shareNavMesh(mesh);
    expect(() => updateSharedNavMesh(structuredClone(shared), mesh)).toThrow(
      'the writer of this mesh is another thread',
    );
    expect(() => updateSharedNavMesh(shared, createTown())).toThrow('mesh is not the one that was shared');
    const reader = openSharedNavMesh(shared);
    const path = findPath(reader, [1, 0, 1], [30, 0, 30]);
    closeSharedNavMesh(shared);
    closeSharedNavMesh(shared);
    expect(() => updateSharedNavMesh(shared, mesh)).toThrow('the shared mesh is closed');
    // Readers outlive the writer.
    expect(getSharedStatus(shared).isWriterOpen).toBe(false);
    expect(refreshSharedNavMesh(reader)).toBe(false);
    expect(findPath(reader, [1, 0, 1], [30, 0, 30])).toEqual(path);
    expect(findPath(openSharedNavMesh(shared), [1, 0, 1], [30, 0, 30])).toEqual(path);
  });

  it('records of other versions and other values', () => {
    const shared = shareNavMesh(createTown());
    expect(() => openSharedNavMesh({ ...shared, version: 2 })).toThrow(
      'openSharedNavMesh: shared.version is 2; must be 1: all threads must run the same version of navkiln',
    );
    for (const bad of [null, undefined, 7, {}, createTown(), { ...shared, data: new ArrayBuffer(8) }])
      expect(() => openSharedNavMesh(bad as never)).toThrow(TypeError);
    expect(() => shareNavMesh({} as never)).toThrow(TypeError);
    expect(() => shareNavMesh(createTown(), { maxBytes: 4096 })).toThrow('the shared memory of 4096 bytes is full');
    expect(() => shareNavMesh(createTown(), { maxBytes: NaN })).toThrow(RangeError);
    expect(() => refreshSharedNavMesh(createTown())).toThrow(
      'must be a mesh of openSharedNavMesh() that is not closed',
    );
  });

  it('queries on a reader that is closed', () => {
    const reader = openSharedNavMesh(shareNavMesh(createTown()));
    closeSharedNavMesh(reader);
    closeSharedNavMesh(reader);
    expect(() => findPath(reader, [1, 0, 1], [5, 0, 5])).toThrow('must be a NavMesh');
    expect(() => refreshSharedNavMesh(reader)).toThrow('that is not closed');
  });

  it('more readers than it has room for', () => {
    const shared = shareNavMesh(createTown());
    const readers = Array.from({ length: 1024 }, () => openSharedNavMesh(shared));
    expect(() => openSharedNavMesh(shared)).toThrow('1024 readers are open');
    closeSharedNavMesh(readers[500]);
    expect(openSharedNavMesh(shared).polyCount).toBeGreaterThan(0);
  });

  it('pages that may not share memory, and names the headers', () => {
    vi.stubGlobal('crossOriginIsolated', false);
    const headers = /"Cross-Origin-Opener-Policy: same-origin" and "Cross-Origin-Embedder-Policy: require-corp"/;
    expect(() => shareNavMesh(createTown())).toThrow(headers);
    vi.stubGlobal('crossOriginIsolated', undefined);
    vi.stubGlobal('SharedArrayBuffer', undefined);
    expect(() => shareNavMesh(createTown())).toThrow(headers);
  });
});

describe('sharePathIndex', () => {
  it('answers with a reader as the index does with the mesh', () => {
    const mesh = createTown();
    const index = buildPathIndex(mesh);
    const shared = structuredClone(sharePathIndex(index));
    expect(shared.polyCone.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(shared).toEqual(index);
    const reader = openSharedNavMesh(shareNavMesh(mesh));
    const next = seeded(SEED);
    for (let i = 0; i < 50; i++) {
      const [a, b] = [
        [SIDE * next(), 0, SIDE * next()],
        [SIDE * next(), 0, SIDE * next()],
      ];
      expect(findIndexedPath(shared, reader, a, b)).toEqual(findIndexedPath(index, mesh, a, b));
    }
    expect(() => sharePathIndex({} as never)).toThrow(TypeError);
  });
});
