/**
 * Small files that need much memory or work (hostile.ts), in a process with a small heap. Each is refused with the figure, or baked,
 * within two seconds of CPU time on a machine of its own (NAVKILN_STRICT_TIMES=1) and 256 MB. A loaded machine counts up to three times as
 * much time, so that the limit without it only catches work without a bound. All run in one process, so that none leaves memory behind
 * either.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT, ensureBuilt } from './cli.ts';
import { hostileCases } from './hostile.ts';

const CHILD = fileURLToPath(new URL('hostile-child.mjs', import.meta.url));
const MAX_HEAP_MB = 192;
const MAX_MEMORY_MB = 256;
const MAX_CPU_MS = process.env['NAVKILN_STRICT_TIMES'] === undefined ? 20_000 : 2000;

interface Outcome {
  status: number | string;
  text: string;
  cpuMs: number;
  maxRssMb: number;
}

/** `npm run soak` sets NAVKILN_FULL: all files. Otherwise every third one, so that each format has some. */
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;

const cases = hostileCases().filter((_, i) => IS_FULL || i % 3 === 0);
const outcomes = new Map<string, Outcome>();
let folder = '';
let lastStarted = '';

beforeAll(async () => {
  await ensureBuilt();
  folder = mkdtempSync(join(tmpdir(), 'navkiln-bounded-'));
  const list = cases.map(({ name, file, contents, beside = {}, args = [] }, i) => {
    const cwd = join(folder, String(i));
    mkdirSync(cwd);
    for (const [one, bytes] of Object.entries({ ...beside, [file]: contents })) writeFileSync(join(cwd, one), bytes);
    return { name, cwd, args: ['bake', ...args, file, '-o', 'out.navmesh', '--allow-empty'] };
  });
  // Groups, so that what the engine keeps for later does not add up over fifty files.
  for (let i = 0; i < list.length; i += 4) await runGroup(list.slice(i, i + 4));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function runGroup(list: readonly object[]): Promise<void> {
  const listFile = join(folder, 'list.json');
  writeFileSync(listFile, JSON.stringify(list));
  const main = join(ROOT, 'packages/cli/dist/main.js');
  const child = spawn(process.execPath, [`--max-old-space-size=${MAX_HEAP_MB}`, '--expose-gc', CHILD, main, listFile], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    timeout: 240_000,
  });
  let text = '';
  child.stdio[3]!.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await new Promise((resolve) => child.on('close', resolve));
  for (const line of text.trim().split('\n')) {
    const { started, name, ...outcome } = JSON.parse(line) as { started?: string; name: string } & Outcome;
    if (started === undefined) outcomes.set(name, outcome);
    else lastStarted = started;
  }
}

it.each(cases.map((one) => [one.name, one] as const))('%s', (name, { says }) => {
  const outcome = outcomes.get(name);
  expect(outcome, `the process ended in "${lastStarted}"`).toBeDefined();
  const { status, text, cpuMs, maxRssMb } = outcome!;
  expect(text).not.toMatch(/bug in navkiln|call stack|allocation|undefined|array length/i);
  if (says === undefined) expect(status, text).toBe(0);
  else {
    expect(text).toMatch(says);
    expect(status, text).toBe(2);
  }
  expect(text.length).toBeLessThan(20_000);
  expect(cpuMs, `${name}: CPU time`).toBeLessThan(MAX_CPU_MS);
  expect(maxRssMb, `${name}: memory`).toBeLessThan(MAX_MEMORY_MB);
});
