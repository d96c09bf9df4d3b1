/** Shared by the tests of the farm: a small level, its publication by one process, and comparisons of worlds. */
import { createLinks } from 'navkiln/build';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { levelScenes } from 'navkiln-scenes';
import type { BuildOptions } from 'navkiln/build';
import { createMemoryCache } from 'navkiln/worker';
import { publishWorld } from 'navkiln/world';
import type { BlobStore } from 'navkiln/world';

const scene = levelScenes.find(({ name }) => name === 'courtyard')!;
export const level: ReturnType<typeof scene.create> = scene.create();
const link = { start: [-10, 1, -10], end: [10, 1, 10], bothWays: true, name: 'gate' };
export const options: BuildOptions = {
  ...scene.options,
  cellSize: 0.8,
  cellHeight: 0.4,
  tileSize: 12,
  links: createLinks([link]),
};

/** Returns the hashes of the files of a world by their names, without the id that names its queue. */
export async function filesOf(store: BlobStore): Promise<Record<string, string>> {
  const names = (await store.keys()).filter((name) => name !== 'farm/id.json').sort();
  const files: Record<string, string> = {};
  // One after the other: a system opens some thousand files at a time.
  for (const name of names)
    files[name] = createHash('sha256')
      .update((await store.get(name))!)
      .digest('base64');
  return files;
}

let expected: Promise<Record<string, string>> | undefined;

/** Returns the files that one process publishes. */
export function publishedFiles(): Promise<Record<string, string>> {
  expected ??= (async () => {
    const store = createMemoryCache();
    await publishWorld(store, level, options);
    return filesOf(store);
  })();
  return expected;
}

/** A worker that runs as a process. */
export interface WorkerProcess {
  child: ChildProcess;
  /** Resolves with the first event of this type. */
  saw: (type: string) => Promise<void>;
  ended: Promise<{ status: number | null; stderr: string }>;
}

/** Starts a worker as a process, from the build. */
export function startWorkerProcess(argument: Record<string, unknown>): WorkerProcess {
  const script = join(import.meta.dirname, 'worker.mjs');
  const child = spawn(process.execPath, [script, JSON.stringify(argument)], { stdio: ['ignore', 'pipe', 'pipe'] });
  const seen = new Set<string>();
  const waiting: { type: string; resolve: () => void }[] = [];
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const { type } = JSON.parse(line) as { type: string };
    seen.add(type);
    for (const one of waiting) if (one.type === type) one.resolve();
  });
  let stderr = '';
  child.stderr!.on('data', (text: Buffer) => (stderr += text.toString()));
  const ended = new Promise<{ status: number | null; stderr: string }>((resolve) =>
    child.once('close', (status) => resolve({ status, stderr })),
  );
  const saw = (type: string): Promise<void> =>
    seen.has(type) ? Promise.resolve() : new Promise((resolve) => waiting.push({ type, resolve }));
  return { child, saw, ended };
}
