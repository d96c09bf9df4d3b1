/**
 * Runs the command line for tests: in this process, from the sources (`run`), or as a process of its own, from the build
 * (`runProcess`), which is built first when it is stale (`ensureBuilt`). Starting a process takes most of a second, so only tests of
 * the process itself (signals, pipes, what the package contains) do it.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { main } from '../src/main.ts';

export const ROOT: string = fileURLToPath(new URL('../../../', import.meta.url));
export const BINARY: string = join(ROOT, 'packages/cli/bin/navkiln.js');
const STAMP = join(ROOT, 'node_modules/.navkiln-built-for-tests');
const LOCK = join(ROOT, 'node_modules/.navkiln-building-for-tests');
const SOURCES = [
  'packages/navkiln/src',
  'packages/loaders/src',
  'packages/farm/src',
  'packages/scenes/src',
  'packages/cli/src',
];

/** The fields that `crowd --json` prints, in this order. */
export const CROWD_KEYS: readonly string[] = [
  'scene',
  'seed',
  'agents',
  'seconds',
  'arrived',
  'settled',
  'gaveUp',
  'stuck',
  'offMesh',
  'maxOverlap',
  'residualSpeed',
  'msPerTick',
  'searches',
  'hash',
];

export interface Run {
  status: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
}

function newestChange(folder: string): number {
  let newest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    newest = Math.max(newest, entry.isDirectory() ? newestChange(path) : statSync(path).mtimeMs);
  }
  return newest;
}

function isFresh(): boolean {
  const newest = Math.max(...SOURCES.map((folder) => newestChange(join(ROOT, folder))));
  return existsSync(STAMP) && statSync(STAMP).mtimeMs > newest && existsSync(join(ROOT, 'packages/cli/dist/main.js'));
}

/** Builds the binary when it is stale. Several test files may ask at once: one builds, the others wait. */
export async function ensureBuilt(): Promise<void> {
  for (let waited = 0; !isFresh(); waited += 100) {
    try {
      mkdirSync(LOCK);
    } catch {
      // A lock older than any build takes was left behind by a run that was killed.
      const age = Date.now() - (statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      if (age > 120_000) rmdirSync(LOCK);
      if (waited > 150_000) throw new Error('another test run has been building for too long');
      await new Promise((resolve) => setTimeout(resolve, 100));
      continue;
    }
    const started = new Date();
    try {
      execFileSync(process.execPath, ['tools/build.mjs'], {
        cwd: ROOT,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      writeFileSync(STAMP, '');
      utimesSync(STAMP, started, started);
    } catch (error) {
      throw new Error(`the build failed:\n${String((error as { stderr?: unknown }).stderr ?? error)}`);
    } finally {
      rmdirSync(LOCK);
    }
    return;
  }
}

/** Runs a command in this process, in a folder. Calls take turns: they share the working directory and the output streams. */
export function run(args: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<Run> {
  const result = lastRun.then(() => runHere(args, cwd, env));
  lastRun = result.catch(() => undefined);
  return result;
}

let lastRun: Promise<unknown> = Promise.resolve();

async function runHere(args: readonly string[], cwd: string, env: Record<string, string>): Promise<Run> {
  const folder = process.cwd();
  const before = { ...process.env };
  const restore: (() => void)[] = [];
  const capture = (stream: NodeJS.WriteStream): (() => string) => {
    const chunks: Buffer[] = [];
    const { write } = stream;
    restore.push(() => (stream.write = write));
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
      chunks.push(Buffer.from(chunk as string));
      const done = rest.find((value) => typeof value === 'function') as (() => void) | undefined;
      if (done !== undefined) queueMicrotask(done);
      return true;
    };
    return () => Buffer.concat(chunks).toString();
  };
  const stdout = capture(process.stdout);
  const stderr = capture(process.stderr);
  try {
    process.chdir(cwd);
    Object.assign(process.env, env);
    const status = await main(args);
    return { status, signal: null, stdout: stdout(), stderr: stderr() };
  } finally {
    process.chdir(folder);
    for (const key of Object.keys(process.env)) if (!(key in before)) delete process.env[key];
    Object.assign(process.env, before);
    for (const undo of restore) undo();
  }
}

/** Runs the built command line as a process of its own. */
export function runProcess(args: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BINARY, ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (status, signal) => resolve({ status, signal, stdout, stderr }));
  });
}

/** Returns every file under a folder, with its length, so that a test can check that a run left nothing behind. */
export function listFiles(folder: string, prefix = ''): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory() ? listFiles(join(folder, entry.name), `${prefix}${entry.name}/`) : [`${prefix}${entry.name}`],
    )
    .sort();
}

/** A floor of 20 x 20 with a wall across its middle that leaves a gap of 4 at its +z end. */
export function roomObj(): string {
  const lines = ['usemtl floor', 'v -10 0 -10', 'v -10 0 10', 'v 10 0 10', 'v 10 0 -10', 'f 1 2 3 4', 'usemtl wall'];
  const box = [-0.5, 0, -10, 0.5, 3, 6];
  for (const y of [box[1], box[4]])
    for (const [x, z] of [
      [0, 2],
      [0, 5],
      [3, 5],
      [3, 2],
    ])
      lines.push(`v ${box[x!]} ${y} ${box[z!]}`);
  for (const face of ['9 10 11 12', '5 6 10 9', '6 7 11 10', '7 8 12 11', '8 5 9 12']) lines.push(`f ${face}`);
  return `${lines.join('\n')}\n`;
}

/** Two floors too far apart to walk from one to the other. */
export function islandsObj(): string {
  const lines: string[] = [];
  for (const [i, x] of [-10, 10].entries()) {
    for (const [dx, dz] of [
      [-4, -4],
      [-4, 4],
      [4, 4],
      [4, -4],
    ])
      lines.push(`v ${x + dx!} 0 ${dz}`);
    lines.push(`f ${4 * i + 1} ${4 * i + 2} ${4 * i + 3} ${4 * i + 4}`);
  }
  return `${lines.join('\n')}\n`;
}
