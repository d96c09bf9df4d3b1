/**
 * Adds automatic links in a separate worker, whose code is a separate bundle. Otherwise the bundle of the other
 * worker would be split into more files for code that few pages load.
 *
 * In: a mesh, triangles, limits. Out: the mesh with links.
 * Cost: starting a worker, copying the mesh twice.
 * Based on: own.
 */
import type { NavMesh } from 'navkiln';
import { enableWideLinks } from 'navkiln/links';
import type { LinksAnswer, LinksTask } from './auto-links-worker.ts';

/** Lets meshes of this thread have links with segments as ends. It is here so that there are no more files. */
export function allowWideLinks(): void {
  enableWideLinks();
}

/** Returns a copy with automatic links. */
export function withAutoLinks(
  navMesh: NavMesh,
  { positions, indices }: LinksTask['level'],
  limits: LinksTask['limits'],
): Promise<NavMesh> {
  const task: LinksTask = { navMesh, level: { positions, indices }, limits };
  const worker = new Worker(new URL('./auto-links-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<NavMesh>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<LinksAnswer>) => {
      if (typeof data === 'string') reject(new Error(data));
      else resolve(data);
    });
    worker.addEventListener('error', ({ message }) => reject(new Error(message)));
    worker.postMessage(task);
  }).finally(() => worker.terminate());
}
