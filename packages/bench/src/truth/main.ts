/**
 * The truth matrix: bakes scenes, levels next to the repository and random levels, and judges each mesh against the triangles with
 * `verifyNavMesh` and against walks that are known by construction. `npm run truth` runs it in two processes.
 *
 * Arguments: --levels N --first SEED --kinds a,b --only random|fixed --settings a,b --part I/N --out FILE --resume --no-peer
 * Out: one line of JSON per bake in FILE, and faults as text. Cost: about a second per random level.
 * Based on: own.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { judge, verdictOf } from './judge.ts';
import type { TruthRow } from './judge.ts';
import { findSetting } from './settings.ts';
import { fixedSubjects, randomSubjects } from './subjects.ts';
import type { Subject } from './subjects.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

const OPTIONS = {
  levels: { type: 'string', default: '3100' },
  first: { type: 'string', default: '1' },
  kinds: { type: 'string', default: '' },
  only: { type: 'string', default: '' },
  settings: { type: 'string', default: '' },
  part: { type: 'string', default: '0/1' },
  out: { type: 'string', default: join(ROOT, 'out/truth.jsonl') },
  resume: { type: 'boolean', default: false },
  'no-peer': { type: 'boolean', default: false },
} as const;

const keyOf = (row: { kind: string; name: string; setting: string }): string =>
  `${row.kind} ${row.name} ${row.setting}`;

/** Returns the rows of a file of earlier runs; a line that a killed run left unfinished is skipped. */
export function readRows(file: string): TruthRow[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return line === '' ? [] : [JSON.parse(line) as TruthRow];
      } catch {
        return [];
      }
    });
}

/** Returns one line about a bake that is not right, and the command that repeats it. */
export function faultLine(row: TruthRow): string {
  const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;
  const figures =
    row.error ??
    `coverage ${percent(row.coverage)}, overreach ${percent(row.overreach)}, lost ${percent(row.lost)}, invented ${percent(row.invented)}, ` +
      `false doors ${row.falseDoors.toFixed(1)}, invisible walls ${row.invisibleWalls}, wrong walks ${row.wrongWalks}`;
  const more = [...(row.firstWrongWalk === undefined ? [] : [row.firstWrongWalk]), ...row.places.slice(0, 2)];
  const isRandom = row.kind !== 'scene' && row.kind !== 'file';
  const again = isRandom
    ? `npm run truth -- --kinds ${row.kind} --levels 1 --first ${row.name} --settings ${row.setting}`
    : `npm run truth -- --only fixed --kinds ${row.name} --settings ${row.setting}`;
  return `${verdictOf(row)}: ${keyOf(row)}: ${figures}\n${more.map((text) => `    ${text}\n`).join('')}    ${again}`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS });
  const kinds = values.kinds === '' ? [] : values.kinds.split(',');
  const [part, parts] = values.part.split('/').map(Number);
  const settings = values.settings === '' ? undefined : values.settings.split(',').map(findSetting);
  const fixed = fixedSubjects(ROOT).filter(({ name }) => kinds.length === 0 || kinds.includes(name));
  const random = randomSubjects(Number(values.levels), Number(values.first), kinds);
  const subjects: Subject[] = [...(values.only === 'fixed' ? [] : random), ...(values.only === 'random' ? [] : fixed)];
  const done = new Set(values.resume ? readRows(values.out).map(keyOf) : []);
  const jobs = subjects.flatMap((subject) =>
    (settings ?? subject.settings).map((setting, i) => ({ subject, setting, i })),
  );
  for (const [j, { subject, setting, i }] of jobs.entries()) {
    if (j % parts !== part || done.has(keyOf({ ...subject, setting: setting.name }))) continue;
    const isRandom = subject.kind !== 'scene' && subject.kind !== 'file';
    const hasPeer = !values['no-peer'] && subject.hasPeer && (isRandom ? i === 0 : setting.cells === 2);
    for (const row of await judge(subject, subject.create(), setting, hasPeer)) {
      appendFileSync(values.out, `${JSON.stringify(row)}\n`);
      if (row.library === 'navkiln' && verdictOf(row) !== 'right') console.log(faultLine(row));
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
