/**
 * The baked mesh of a scene, saved next to its file: `town.navmesh`, and `town.navmesh.key`, which identifies
 * its inputs.
 *
 * The key is a hash of everything that decides the mesh: bytes of the levels, their placements, the settings,
 * and the code of the bake. A mesh is used only when its key equals the current one and its bytes are those
 * the key was written for. A mesh without a key was not written by this cache, and is never overwritten.
 */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadNavMesh } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { enableWideLinks } from 'navkiln/links';
import { explainSystemError, messageOf } from '../errors.ts';
import { readRegularFile } from '../loaders/given-file.ts';
import type { ReadLimits } from '../loaders/level.ts';
import { writeFiles } from '../output/write-file.ts';
import { digestLevel } from './levels.ts';
import type { SceneDocument } from './parse.ts';

/** Raised when the format of the cache, or the way a scene becomes a mesh, changes here. */
const CACHE_REVISION = 3;
/** Largest files that are read from a cache, bytes. */
const MAX_MESH_BYTES = 2 ** 32;
const MAX_KEY_BYTES = 4096;
/** Entries of the library whose code decides the result of a bake. */
const BUILDER_ENTRIES = ['navkiln/build', 'navkiln/world', 'navkiln/links'];

type Note = (message: string) => void;

export interface SceneCache {
  meshFile: string;
  keyFile: string;
  /** Key of the scene in its current state. */
  key: string;
}

/** Computes the key of a scene. Throws an `InputError` when a level is missing. */
export function openCache(document: SceneDocument, limits: ReadLimits = {}): SceneCache {
  const { path } = document;
  const meshFile = join(dirname(path), `${basename(path, extname(path))}.navmesh`);
  return { meshFile, keyFile: `${meshFile}.key`, key: keyOfScene(document, limits) };
}

export function keyOfScene(document: SceneDocument, limits: ReadLimits = {}): string {
  const { levels, build = 'voxel', slope, step, bake, agentTypes } = document.scene;
  const hash = createHash('sha256');
  hash
    .update(JSON.stringify({ CACHE_REVISION, build, slope, step, bake: sorted(bake), agentTypes: sorted(agentTypes) }))
    .update(builderHash());
  levels.forEach(({ position, rotation, scale, swapYZ, twoSided }, i) => {
    hash
      .update(JSON.stringify({ position, rotation, scale, swapYZ, twoSided }))
      .update(digestLevel(document, i, limits));
  });
  return hash.digest('hex');
}

/**
 * Returns the cached mesh, or undefined when there is none, its key differs, or it cannot be read (which is
 * reported).
 */
export function readCache({ meshFile, keyFile, key }: SceneCache, note: Note): NavMesh | undefined {
  const kept = readKey(keyFile, note);
  if (kept === undefined || kept.key !== key) return undefined;
  try {
    const bytes = readRegularFile(meshFile, MAX_MESH_BYTES);
    if (hashOf(bytes) !== kept.mesh) {
      note(`${meshFile}: is not the mesh that was saved here; rebuilding it`);
      return undefined;
    }
    enableWideLinks();
    return loadNavMesh(bytes);
  } catch (error) {
    note(`${meshFile}: ${explainSystemError(error).replace(/^loadNavMesh: /, '')}; rebuilding it`);
    return undefined;
  }
}

/** Saves a mesh. A failure is only reported: the next run rebuilds the mesh. */
export async function writeCache({ meshFile, keyFile, key }: SceneCache, bytes: Uint8Array, note: Note): Promise<void> {
  const isOurs = statSync(keyFile, { throwIfNoEntry: false }) !== undefined;
  if (!isOurs && statSync(meshFile, { throwIfNoEntry: false }) !== undefined) {
    note(`${meshFile}: was not written by this command and is not overwritten; rename it to enable the cache`);
    return;
  }
  try {
    const text = `${JSON.stringify({ key, mesh: hashOf(bytes) })}\n`;
    await writeFiles([
      { path: keyFile, bytes: text },
      { path: meshFile, bytes },
    ]);
  } catch (error) {
    note(`the mesh is not saved: ${messageOf(error)}`);
  }
}

function readKey(file: string, note: Note): { key: string; mesh: string } | undefined {
  let text: string;
  try {
    text = Buffer.from(readRegularFile(file, MAX_KEY_BYTES)).toString('utf8');
  } catch {
    return undefined;
  }
  try {
    const { key, mesh } = JSON.parse(text) as { key: unknown; mesh: unknown };
    if (typeof key === 'string' && typeof mesh === 'string') return { key, mesh };
  } catch {
    // Reported below.
  }
  note(`${file}: cannot be read; rebuilding the mesh`);
  return undefined;
}

let codeHash: string | undefined;

/**
 * Hashes the library's code, so that a mesh is rebuilt after any change to it, whatever the version number.
 */
function builderHash(): string {
  if (codeHash !== undefined) return codeHash;
  const hash = createHash('sha256');
  const known = new Set<string>();
  const visit = (file: string): void => {
    if (known.has(file)) return;
    known.add(file);
    const text = readFileSync(file, 'utf8');
    hash.update(text);
    for (const [, path] of text.matchAll(/\b(?:from|import)\s*["'](\.[^"'\n]+)["']/g)) visit(join(dirname(file), path));
  };
  for (const entry of BUILDER_ENTRIES) visit(fileURLToPath(import.meta.resolve(entry)));
  return (codeHash = hash.digest('hex'));
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Formats data independently of the order of keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  );
}
