/**
 * The baked mesh of a scene, kept beside its file: `town.navmesh`, and `town.navmesh.key`, which says what it was baked of.
 *
 * The key is a hash of all that decides the mesh: the levels' bytes, their places, the settings, and the code that bakes. A mesh
 * is taken only when the key is that of now and the mesh is, to the byte, the one the key was written for; so a pair that was
 * torn apart, or a mesh that something else has written, is never taken. A mesh without a key is not ours, and is left alone.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { explainSystemError, messageOf } from '../errors.ts';
import { loadNavMesh } from '../library.ts';
import type { NavMesh } from '../library.ts';
import { writeFiles } from '../output/write-file.ts';
import { digestLevel } from './levels.ts';
import type { SceneDocument } from './parse.ts';

/** To be raised when what is kept, or how it is made of a scene, changes here. */
const CACHE_REVISION = 1;
/** Folders of the library whose code decides what a bake gives. */
const BUILDER_FOLDERS = ['math', 'data', 'navmesh', 'voxel', 'surface', 'world'];

type Note = (message: string) => void;

export interface SceneCache {
  meshFile: string;
  keyFile: string;
  /** Of the scene as it is now. */
  key: string;
}

/** Throws an `InputError` when a level is not there. */
export function openCache(document: SceneDocument): SceneCache {
  const { path } = document;
  const meshFile = join(dirname(path), `${basename(path, extname(path))}.navmesh`);
  return { meshFile, keyFile: `${meshFile}.key`, key: keyOfScene(document) };
}

export function keyOfScene(document: SceneDocument): string {
  const { levels, build = 'voxel', slope, step, bake } = document.scene;
  const hash = createHash('sha256');
  hash.update(JSON.stringify({ CACHE_REVISION, build, slope, step, bake: sorted(bake) })).update(builderHash());
  levels.forEach(({ position, rotation, scale, swapYZ }, i) => {
    hash.update(JSON.stringify({ position, rotation, scale, swapYZ })).update(digestLevel(document, i));
  });
  return hash.digest('hex');
}

/** The mesh as it was kept, or undefined: there is none, it is of something else, or it cannot be read (which is noted). */
export function readCache({ meshFile, keyFile, key }: SceneCache, note: Note): NavMesh | undefined {
  const kept = readKey(keyFile, note);
  if (kept === undefined || kept.key !== key) return undefined;
  try {
    const bytes = readFileSync(meshFile);
    if (hashOf(bytes) !== kept.mesh) {
      note(`${meshFile}: is not the mesh that was kept here; it is baked again`);
      return undefined;
    }
    return loadNavMesh(bytes);
  } catch (error) {
    note(`${meshFile}: ${explainSystemError(error).replace(/^loadNavMesh: /, '')}; it is baked again`);
    return undefined;
  }
}

/** Keeps a mesh. Failing is noted, and no more: it is baked again another time. */
export async function writeCache({ meshFile, keyFile, key }: SceneCache, bytes: Uint8Array, note: Note): Promise<void> {
  const isOurs = statSync(keyFile, { throwIfNoEntry: false }) !== undefined;
  if (!isOurs && statSync(meshFile, { throwIfNoEntry: false }) !== undefined) {
    note(
      `${meshFile}: was not made by this command and is left as it is; rename it, and the mesh of the scene is kept there`,
    );
    return;
  }
  try {
    const text = `${JSON.stringify({ key, mesh: hashOf(bytes) })}\n`;
    await writeFiles([
      { path: keyFile, bytes: text },
      { path: meshFile, bytes },
    ]);
  } catch (error) {
    note(`the mesh is not kept: ${messageOf(error)}`);
  }
}

function readKey(file: string, note: Note): { key: string; mesh: string } | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  try {
    const { key, mesh } = JSON.parse(text) as { key: unknown; mesh: unknown };
    if (typeof key === 'string' && typeof mesh === 'string') return { key, mesh };
  } catch {
    // Told below.
  }
  note(`${file}: cannot be read; the mesh is baked again`);
  return undefined;
}

let codeHash: string | undefined;

/** Of the library's code, so that a mesh does not outlive what has baked it, whatever the version says. */
function builderHash(): string {
  if (codeHash !== undefined) return codeHash;
  const hash = createHash('sha256');
  const entry = fileURLToPath(import.meta.resolve('navkiln/build'));
  for (const folder of BUILDER_FOLDERS) {
    const path = join(dirname(entry), folder);
    for (const name of readdirSync(path)
      .filter((one) => /\.[jt]s$/.test(one) && !one.endsWith('.d.ts'))
      .sort()) {
      hash.update(name).update(readFileSync(join(path, name)));
    }
  }
  return (codeHash = hash.digest('hex'));
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The same whatever the order of keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  );
}
