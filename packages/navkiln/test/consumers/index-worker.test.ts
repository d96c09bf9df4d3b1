/** The worker examples of docs/path-index.md run unchanged: in Node with threads, the browser's with its two messages. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { setFlags } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { buildNavMesh } from 'navkiln/build';
import { buildPathIndex, findIndexedPath, savePathIndex } from 'navkiln/index';
import type { PathIndex } from 'navkiln/index';
import { findLevelScene } from 'navkiln-scenes';
import { bundle } from '../browser/bundle.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
// Not in the system's folder for temporary files, where imports of packages would fail.
mkdirSync(join(ROOT, 'out'), { recursive: true });
const folder = mkdtempSync(join(ROOT, 'out', 'index-worker-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [thread, caller, webWorker] = [
  ...readFileSync(join(ROOT, 'docs', 'path-index.md'), 'utf8').matchAll(/^```js\n([^]*?)^```$/gm),
].map((match) => match[1]);

const scene = findLevelScene('house');
const bake = (): NavMesh => buildNavMesh(scene.create(), scene.options).navMesh;

interface Caller {
  buildIndexInWorker(navMesh: NavMesh, options?: { signal?: AbortSignal }): Promise<PathIndex>;
}

function importFile(name: string, text: string): Promise<unknown> {
  const file = join(folder, name);
  writeFileSync(file, text);
  return import(/* @vite-ignore */ pathToFileURL(file).href);
}

it('an index built by a thread is that of the mesh; a cancelled build leaves the mesh as it was', async () => {
  // A bundle, because a thread of this process would load the sources.
  writeFileSync(join(folder, 'index-worker.mjs'), await bundle(thread));
  const { buildIndexInWorker } = (await importFile('caller.mjs', caller)) as Caller;
  const mesh = bake();
  const { from, to } = scene.path;
  const want = buildPathIndex(mesh);
  const index = await buildIndexInWorker(mesh);
  expect(Buffer.compare(savePathIndex(index), savePathIndex(want))).toBe(0);
  expect(findIndexedPath(index, mesh, from, to)).toEqual(findIndexedPath(want, mesh, from, to));
  const controller = new AbortController();
  const cancelled = buildIndexInWorker(mesh, { signal: controller.signal });
  controller.abort();
  await expect(cancelled).rejects.toThrow('the build was cancelled');
  expect(findIndexedPath(index, mesh, from, to)).toEqual(findIndexedPath(want, mesh, from, to));
  // The mesh changes while a thread builds: the index is one of the earlier state, and not stale.
  const late = buildIndexInWorker(mesh);
  setFlags(mesh, findNearest(mesh, from).ref, 0);
  const path = findIndexedPath(await late, mesh, from, to);
  expect(path).toEqual({ ...findIndexedPath(want, mesh, from, to), source: path.source });
});

it("the browser's worker answers a mesh with its index, and hands its arrays over", async () => {
  const scope = globalThis as unknown as { self?: unknown };
  const answers: [PathIndex, ArrayBuffer[]][] = [];
  const self = {
    onmessage: undefined as ((event: { data: NavMesh }) => void) | undefined,
    postMessage: (index: PathIndex, transfer: ArrayBuffer[]) => answers.push([index, transfer]),
  };
  scope.self = self;
  await importFile('web-worker.mjs', webWorker);
  const mesh = bake();
  self.onmessage!({ data: structuredClone(mesh) });
  delete scope.self;
  const [index, transfer] = answers[0];
  const moved = structuredClone(index, { transfer });
  expect(index.points.length).toBe(0);
  expect(Buffer.compare(savePathIndex(moved), savePathIndex(buildPathIndex(mesh)))).toBe(0);
});
