/**
 * Each command of README, CONTRIBUTING, the README of each package and the guides: scripts, files, options and names exist, and the commands of
 * navkiln run on a small level. Commands that take minutes are checked, not run.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listExamples } from '../../../tools/example.mjs';
import { explainFilters, filtersOf, listTests } from '../../../tools/test-filter.mjs';
import { COMMANDS } from '../src/commands/list.ts';
import { ROOT, run } from './cli.ts';

const inFolder = (folder: string, end: string): string[] =>
  readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}${end}`);
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...inFolder('packages', '/README.md'),
  ...inFolder('docs', '').filter((path) => path.endsWith('.md')),
].filter((path) => existsSync(join(ROOT, path)));
const SCRIPTS = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> })
  .scripts;

interface Found {
  page: string;
  line: number;
  text: string;
}

/** Returns the commands of shell blocks and of code in lines that begin with npm, npx, node or navkiln. */
function commandsOf(page: string): Found[] {
  const found: Found[] = [];
  let isShell = false;
  readFileSync(join(ROOT, page), 'utf8')
    .split('\n')
    .forEach((line, i) => {
      if (line.startsWith('```')) isShell = /^```(sh|bash)$/.test(line.trim());
      const codes = isShell ? [line] : [...line.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
      for (const code of codes) {
        const text = code.replace(/ +#.*$/, '').trim();
        // Guides also have commands for a folder of the reader, which tests of consumers follow.
        const isOurs = page.startsWith('docs/')
          ? /^(npm (run|test|start)\b|node tools\/|npx vitest run |(npx )?navkiln [a-z])/.test(text)
          : /^(npm|npx|node|navkiln) \S/.test(text);
        if (isOurs) found.push({ page, line: i + 1, text });
      }
    });
  return found;
}

const ALL = PAGES.flatMap(commandsOf);
const at = ({ page, line, text }: Found): string => `${page}:${line} ${text}`;
const source = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
/** A word in capitals, or a list of them, stands for what the reader fills in. */
const isBlank = (word: string): boolean => /^\[?[A-Z][A-Z,…]*\]?$/.test(word);

/** Returns what is wrong with a command of npm or node, or ''. */
function faultOf(text: string): string {
  const [program, ...words] = text.split(/\s+/);
  if (program === 'node') {
    const [file, ...flags] = words as [string, ...string[]];
    if (!existsSync(join(ROOT, file))) return `no file ${file}`;
    return unknownFlags(flags, source(file));
  }
  if (program === 'npx')
    return words[0] === 'vitest' ? vitestFault(words) : words[0] === 'navkiln' ? '' : `npx ${words[0]}?`;
  const [verb, ...rest] = words as [string, ...string[]];
  if (['install', 'ci', 'pack', 'publish'].includes(verb)) return '';
  const script = verb === 'run' ? (rest.shift() ?? '') : verb;
  if (!Object.hasOwn(SCRIPTS, script)) return `no script ${script}`;
  const file = /^node (tools\/[\w-]+\.mjs)$/.exec(SCRIPTS[script]!)?.[1];
  if (file === undefined) return '';
  if (!existsSync(join(ROOT, file))) return `no file ${file}`;
  return argumentFault(
    script,
    file,
    rest.filter((word) => word !== '--'),
  );
}

function vitestFault(words: string[]): string {
  return explainFilters(filtersOf(words.slice(2)), listTests()).join();
}

function argumentFault(script: string, file: string, words: string[]): string {
  const [first = ''] = words;
  if (script === 'test') return explainFilters(filtersOf(words), listTests()).join();
  if (script === 'check') return first === '' || source(file).includes(`['${first}',`) ? '' : `no check ${first}`;
  if (script === 'example')
    return first === '' || isBlank(first) || listExamples().includes(first) ? '' : `no example ${first}`;
  if (script === 'soak' && /^[a-z]/.test(first)) {
    const family = `tools/soak/${first}.mjs`;
    return existsSync(join(ROOT, family)) ? unknownFlags(words.slice(1), source(family)) : `no family ${first}`;
  }
  // The benchmark is a program of its own.
  const texts = [file, ...(script === 'bench' ? ['packages/bench/src/main.ts'] : [])].map(source).join('\n');
  const only = words[words.indexOf('--only') + 1];
  if (words.includes('--only') && !only!.split(',').every((name) => new RegExp(`['" {,]${name}['":, }]`).test(texts)))
    return `--only ${only}?`;
  return unknownFlags(words, texts);
}

function unknownFlags(words: readonly string[], text: string): string {
  const flags = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2).split('=')[0]!);
  return flags
    .filter((flag) => !text.includes(flag))
    .map((flag) => `no option --${flag}`)
    .join();
}

describe('commands of npm and node', () => {
  const commands = ALL.filter(({ text }) => !/^(npx )?navkiln /.test(text));

  it('are found', () => {
    expect(commands.length).toBeGreaterThan(60);
  });

  it('name scripts, files, options, checks and examples that exist', () => {
    expect(
      commands.flatMap((found) => faultOf(found.text) && `${at(found)}: ${faultOf(found.text)}`).filter(Boolean),
    ).toEqual([]);
  });

  it('that do not exist are found', () => {
    expect(faultOf('npm run nope')).toBe('no script nope');
    expect(faultOf('npm test -- funnel')).toMatch(/no test file has 'funnel' in its path/);
    expect(faultOf('npm run soak -- nope')).toBe('no family nope');
    expect(faultOf('npm run bench -- --only nope')).toBe('--only nope?');
    expect(faultOf('npm run check nope')).toBe('no check nope');
    expect(faultOf('npm run example -- nope')).toBe('no example nope');
    expect(faultOf('node tools/nope.mjs')).toBe('no file tools/nope.mjs');
    expect(faultOf('npm run bench -- --nope')).toBe('no option --nope');
  });

  it('`npm test -- FILTER` names near files and ends with 2 before it builds anything', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'tools/test.mjs'), 'find-pth'], {
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^error: no test file has 'find-pth' in its path; near names: .*\bfind-path\b/);
  });

  it('filters match as Vitest matches them', () => {
    const tests = ['packages/a/test/unit/find-path.test.ts', 'packages/a/test/walk.test.ts'];
    for (const filters of [
      ['walk'],
      ['Find-Path'],
      ['./packages/a/test/walk.test.ts'],
      ['walk.test.ts:12'],
      ['nope', 'walk'],
      [],
    ])
      expect(explainFilters(filters, tests), filters.join()).toEqual([]);
    expect(filtersOf(['-t', 'title', 'walk', '--maxWorkers', '1', '--bail=1'])).toEqual(['walk']);
  });
});

describe('commands of navkiln', () => {
  const commands = ALL.filter(({ text }) => /^(npx )?navkiln [a-z]/.test(text)).map((found) => ({
    ...found,
    words: found.text.replace(/^(npx )?navkiln /, '').split(/\s+/),
  }));
  /** They take long, serve pages, need servers, or read a recording of a game. */
  const CHECKED = new Set(['studio', 'farm', 'crowd', 'bench', 'replay']);
  /** `npm run soak` sets NAVKILN_FULL: all others run. Those of the README run in consumers/examples.test.ts. */
  const isFull = process.env['NAVKILN_FULL'] !== undefined;
  let folder = '';

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'navkiln-documented-'));
    writeFileSync(join(folder, 'level.obj'), 'v 0 0 0\nv 0 0 9\nv 22 0 9\nv 22 0 0\nf 1 2 3 4\n');
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('have names and options that exist', async () => {
    const faults: string[] = [];
    for (const { words, ...found } of commands) {
      const [name = '', ...rest] = words;
      const entry = COMMANDS.find((one) => one.name === name);
      if (entry === undefined) {
        faults.push(`${at(found)}: no command ${name}`);
        continue;
      }
      // It loads the clients of servers, which takes seconds; its own tests call it.
      if (name === 'farm') continue;
      const program = new Command();
      (await entry.load())(program, () => undefined);
      const leaf = program.commands[0]!;
      const known = [leaf, ...leaf.commands].flatMap(({ options }) => options.flatMap(({ long }) => long ?? []));
      for (const word of rest)
        if (word.startsWith('--') && word !== '--help' && !known.includes(word))
          faults.push(`${at(found)}: no option ${word}`);
    }
    expect(commands.length).toBeGreaterThan(10);
    expect(faults).toEqual([]);
  });

  it.runIf(isFull)('of the README run, in their order', async () => {
    const failed: string[] = [];
    let count = 0;
    for (const { words, ...found } of commands) {
      const name = words[0]!;
      const isRun = found.page === 'README.md' && !CHECKED.has(name);
      if (!isRun || words.some((word) => isBlank(word) || word === '--help')) continue;
      const { status, stderr } = await run(words, folder);
      if (status !== 0) failed.push(`${at(found)}: ${stderr}`);
      count++;
    }
    expect(failed).toEqual([]);
    expect(count).toBeGreaterThan(6);
  });
});
