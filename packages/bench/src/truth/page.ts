/** Writes docs/truth.md from the rows of a run of the truth matrix. */
import { verdictOf } from './judge.ts';
import type { TruthRow, Verdict } from './judge.ts';

/** A group of rows that becomes one line of a table. */
interface Group {
  name: string;
  rows: TruthRow[];
}

const percent = (share: number): string => {
  const value = 100 * share;
  return value === 0 || value === 100 ? String(value) : value.toFixed(2);
};

const worst = (rows: readonly TruthRow[], of: (row: TruthRow) => number, from: 'least' | 'most'): string => {
  const values = rows.filter((row) => row.error === undefined).map(of);
  if (values.length === 0) return '–';
  return percent(from === 'least' ? Math.min(...values) : Math.max(...values));
};

const count = (rows: readonly TruthRow[], is: (row: TruthRow) => boolean): number => rows.filter(is).length;

const verdicts = (rows: readonly TruthRow[], verdict: Verdict): number =>
  count(rows, (row) => verdictOf(row) === verdict);

/** Returns a table. Columns after the first one are aligned to the right unless they are texts. */
function table(head: readonly string[], lines: readonly (readonly string[])[], isText: boolean = false): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, k) => (isText || k === 0 ? '---' : '---:'))), ...lines.map(line)].join('\n');
}

/** One line: what a group of bakes by one builder met. */
function figures({ name, rows }: Group): string[] {
  const mean = rows.reduce((sum, row) => sum + row.coverage, 0) / rows.length;
  return [
    name,
    String(rows.length),
    percent(verdicts(rows, 'right') / rows.length),
    `${percent(mean)} (${worst(rows, (row) => row.coverage, 'least')})`,
    worst(rows, (row) => row.overreach, 'most'),
    String(count(rows, (row) => row.lost > 0)),
    String(count(rows, (row) => row.invented > 0)),
    String(count(rows, (row) => row.falseDoors > 0)),
    String(count(rows, (row) => row.invisibleWalls > 0)),
    String(count(rows, (row) => row.wrongWalks > 0)),
  ];
}

const HEAD = [
  'level',
  'bakes',
  'right, %',
  'coverage, mean (least), %',
  'overreach, most, %',
  'lost',
  'invented',
  'false doors',
  'invisible walls',
  'wrong walks',
];

/** Groups rows by a key, in the order of their first row. */
function groupsOf(rows: readonly TruthRow[], key: (row: TruthRow) => string): Group[] {
  const groups = new Map<string, TruthRow[]>();
  for (const row of rows) groups.set(key(row), [...(groups.get(key(row)) ?? []), row]);
  return [...groups].map(([name, list]) => ({ name, rows: list }));
}

/** A table with a line per group, and one for all. */
function matrix(rows: readonly TruthRow[], key: (row: TruthRow) => string): string {
  if (rows.length === 0) return 'No bakes.';
  const groups = groupsOf(rows, key).sort((a, b) => (a.name < b.name ? -1 : 1));
  return table(HEAD, [...groups, { name: '**all**', rows: [...rows] }].map(figures));
}

const isFixed = ({ kind }: TruthRow): boolean => kind === 'scene' || kind === 'file';
const isSurface = ({ setting }: TruthRow): boolean => setting.startsWith('surface');
const id = ({ kind, name, setting }: TruthRow): string => `${kind} ${name} ${setting}`;

/** Lists bakes that are not right, the worst of each kind first. */
function faults(rows: readonly TruthRow[], most: number): string {
  const wrong = rows.filter((row) => row.library === 'navkiln' && verdictOf(row) !== 'right');
  if (wrong.length === 0) return 'Every bake is right.';
  const lines: string[][] = [];
  for (const { name, rows: list } of groupsOf(
    wrong,
    (row) => `${isFixed(row) ? row.name : row.kind}, ${isSurface(row) ? 'surface' : 'voxel'}`,
  )) {
    const shown = list
      .sort((a, b) => b.lost + b.invented - a.lost - a.invented || a.coverage - b.coverage)
      .slice(0, most);
    for (const row of shown) {
      const place = row.error ?? row.places[0] ?? row.firstWrongWalk ?? '';
      lines.push([name, String(list.length), `\`${id(row)}\``, verdictOf(row), place.replaceAll('|', '/')]);
    }
  }
  return table(
    ['level', 'bakes', 'the worst one', 'report', 'its largest fault: square or plain units, place, cause'],
    lines,
    true,
  );
}

const INTRODUCTION = `# Truth

Written by \`npm run truth\`. Is there mesh where an agent can stand and walk, and only there? [\`verifyNavMesh\`](verify.md) answers it from the
triangles of a level, without voxels and without a stage of the bake. It judges every bake below, those of npm recast-navigation too.

## The figures

- **coverage**: the share of the places where an agent surely stands that have mesh. Promise: at least 99.5 %.
- **overreach**: the share of the mesh where no agent can stand: in the air, inside a solid, under a low ceiling. Promise: at most 0.1 %.
- **lost**, **invented**: bakes that miss a sure connection between random pairs of places, or have one that cannot be. Promise: none.
- **false doors**: bakes with a portal between surfaces that lie more than a step apart. Promise: none.
- **invisible walls**: bakes in which a ray stops on a straight walk over places where an agent surely stands. Promise: none.
- **wrong walks**: bakes with a wrong answer to a walk that is known by construction: up the stairs, into a closed box. This check does
  not use \`verifyNavMesh\`. Promise: none.
- **right**: the share of bakes that meet all of it.

Places within a cell of a limit are not sure, so they do not count. The limits are steps as high as the climb, doors as wide as an agent,
ceilings as high as one, slopes at the limit.`;

/** What a run was made with. */
export interface TruthRun {
  versions: string;
  first: number;
}

/** Returns the page. */
export function truthPage(rows: readonly TruthRow[], { versions, first }: TruthRun): string {
  const random = rows.filter((row) => !isFixed(row));
  const levels = groupsOf(random, ({ name }) => name).length;
  const fixed = rows.filter(isFixed);
  const ours = random.filter(({ library }) => library === 'navkiln');
  const peers = random.filter(({ library }) => library === 'recast');
  const shared = new Set(peers.map(id));
  const same = ours.filter((row) => shared.has(id(row)));
  const share = (list: readonly TruthRow[], kind?: string): string => {
    const of = kind === undefined ? list : list.filter((row) => row.kind === kind);
    return of.length === 0 ? '–' : percent(verdicts(of, 'right') / of.length);
  };
  const kinds = groupsOf(ours, (row) => row.kind)
    .map(({ name }) => name)
    .sort();
  const voxel = ours.filter((row) => !isSurface(row));
  const compared = [...kinds, undefined].map((kind) => [
    kind ?? '**all**',
    String(groupsOf(kind === undefined ? ours : ours.filter((row) => row.kind === kind), ({ name }) => name).length),
    share(same, kind),
    share(peers, kind),
    share(voxel, kind),
    share(ours.filter(isSurface), kind),
  ]);
  const silent = ours.filter((row) => verdictOf(row) === 'silent').length;
  const kindOf = ({ kind }: TruthRow): string => kind;
  const nameOf = ({ name }: TruthRow): string => name;
  const sections = [
    INTRODUCTION,
    `## Random levels

${levels} levels from seed ${first}, of ${kinds.length} kinds, turned by any angle; a third lie 10 km or 10,000 km from the origin. Agents have
radii of 0.05 to 0.6 m. Each level is baked with one of 18 voxel settings (watershed, monotone, layers; one tile, tiles of 20 and 80
radii; 2 and 3 cells per radius), and with another one or as a surface mesh with the agent's radius. recast-navigation bakes every fourth
level with its first setting, moved to the origin, since its coordinates are single floats. ${versions}.

Bakes that are right, in percent:

${table(['kind', 'levels', 'navkiln', 'recast-navigation, same settings', 'navkiln, all voxel settings', 'navkiln, surface'], compared)}

${verdicts(ours, 'reported')} of ${ours.length} bakes of navkiln are not right, and their report or \`explainFaults\` names the cause; ${silent} are not right and
nothing names it.

### Voxel bakes of navkiln

${matrix(voxel, kindOf)}

### recast-navigation

${matrix(peers, kindOf)}

### Surface bakes of navkiln

${matrix(ours.filter(isSurface), kindOf)}`,
    `## Scenes and files

All settings. \`nav_test\` and \`dungeon.obj\` are levels of RecastDemo, which this repository does not contain; without these files, their rows
are left out.

### Voxel bakes of navkiln

${matrix(
  fixed.filter((row) => row.library === 'navkiln' && !isSurface(row)),
  nameOf,
)}

### recast-navigation

${matrix(
  fixed.filter((row) => row.library === 'recast'),
  nameOf,
)}

### Surface bakes of navkiln

${matrix(
  fixed.filter((row) => row.library === 'navkiln' && isSurface(row)),
  nameOf,
)}`,
    `## Bakes that are not right

${faults(rows, 3)}

## Repeat it

\`\`\`sh
npm run truth                                # all levels, on two processes; half an hour
npm run truth -- --resume                    # goes on where a run was stopped
npm run truth -- --kinds stairs --levels 1 --first 27 --settings watershed-0-2  # one bake
npm run soak -- truth --levels 200 --first 5000 # other seeds; nothing is written
\`\`\`

A setting is named after its partition, the tile size in radii of the agent, and the cells per radius.`,
  ];
  return `${sections.join('\n\n')}\n`;
}
