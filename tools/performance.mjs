/**
 * `npm run performance [-- --rounds N] [--levels a,b] [--node PATH,PATH] [--first-calls] [--written]`: measures first calls in
 * processes of their own, bakes by stage, paths and nearest points against npm recast-navigation (wasm) and npm
 * navcat, and how time and memory grow. Writes docs/performance.md with one plot per level. `--node` names
 * programs of other versions of Node for the first calls, which are measured in Chromium, too, if it is installed. `--first-calls` measures
 * only these, and replaces their section of the page; with `--calls bake,path` only these calls, and with `--keep` what it does not measure
 * is taken from the last run. `--worlds` measures only pools of workers and worlds, and replaces their section; `--bakes` only bakes and
 * paths. `--written` measures nothing and uses the results of the last run in out/.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from './arguments.mjs';
import { findChromium } from './chromium.mjs';
import { ROOT } from './files.mjs';
import { indexPlotSvg, replaceShortestPaths, shortestPathsSection } from './performance-index.mjs';
import { replaceWorlds, worldsSection } from './performance-worlds.mjs';
import {
  INK,
  INK_SOFT,
  NAVCAT,
  OURS,
  WASM,
  digits,
  escape,
  geometricMean,
  spread,
  table,
  whole,
} from './performance-text.mjs';
import { run } from './run.mjs';
import { build, install, requireNode } from './setup.mjs';

/** The purpose of each level. */
const LEVELS = {
  terrain: 'many small triangles',
  'terrain-coarse': 'few huge triangles',
  'terrain-detail': 'a fine detail mesh over a wavy slope',
  tower: 'many storeys',
  city: 'roofs, kerbs, ramps',
  dungeon: 'rooms, corridors, pillars',
  caves: 'floor and ceiling of noise',
  house: 'rooms and furniture, small cells',
  nav_test: "Recast's own test level",
  'dungeon.obj': "Recast's demo level: walls and stairs",
};

/** The last two are files next to the repository, measured if they exist. */
const hasFiles = existsSync(join(ROOT, '..', 'shared', 'levels', 'nav_test.obj'));
const MEASURED = Object.keys(LEVELS).filter((name) => hasFiles || !(name === 'nav_test' || name === 'dungeon.obj'));

const STAGE_TITLES = { input: 'input, slope', erode: 'erode, areas' };

/** Draws bars of one level: stages in percent of wasm's whole bake, then the whole bakes. */
export function plotSvg(row) {
  const stages = row.stages.filter((stage) => stage.recastMs > 0 || stage.ms > 0);
  const total = row.ms.recast;
  const longest = Math.max(...stages.map((stage) => Math.max(stage.ms, stage.recastMs)));
  const wholes = [
    ['navkiln', OURS],
    ['recast', WASM],
    ['navcat', NAVCAT],
  ].filter(([name]) => row.ms[name] !== undefined);
  const longestWhole = Math.max(...wholes.map(([name]) => row.ms[name]));
  const left = 150,
    room = 470,
    step = 34;
  const height = 108 + stages.length * step + 44 + wholes.length * 24 + 18;
  const what = `${row.level}: the bake by stage, navkiln and recast-navigation`;
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 ${height}" width="760" height="${height}" role="img" ` +
      `aria-label="${escape(what)}" font-family="system-ui,'Segoe UI','DejaVu Sans',sans-serif" font-size="13">`,
    `<title>${escape(what)}</title>`,
    // A background of its own, so that the plot looks the same on light and dark pages.
    `<rect x="1" y="1" width="758" height="${height - 2}" rx="14" fill="#fbfaf6" stroke="#d9d5ca"/>`,
    `<text x="28" y="40" font-size="20" font-weight="600" fill="${INK}">${escape(row.level)}</text>`,
    `<text x="28" y="60" fill="${INK_SOFT}">${escape(LEVELS[row.level] ?? '')}</text>`,
    `<text x="28" y="84" fill="${INK_SOFT}">Percent of the whole bake of recast-navigation (wasm)</text>`,
    `<rect x="500" y="28" width="14" height="12" fill="${OURS}"/><text x="520" y="39" fill="${INK}">navkiln</text>`,
    `<rect x="590" y="28" width="14" height="12" fill="${WASM}"/><text x="610" y="39" fill="${INK}">recast-navigation</text>`,
  ];
  const bar = (y, value, most, color, label) => {
    const width = Math.max(1, (value / most) * room).toFixed(1);
    out.push(`<rect x="${left}" y="${y}" width="${width}" height="11" fill="${color}"/>`);
    const end = left + Number(width) + 6;
    out.push(`<text x="${end}" y="${y + 10}" font-size="11" fill="${INK_SOFT}">${label}</text>`);
  };
  const percent = (ms) => `${((100 * ms) / total).toFixed(1)}`;
  stages.forEach((stage, k) => {
    const y = 104 + k * step;
    const name = STAGE_TITLES[stage.stage] ?? stage.stage;
    out.push(`<text x="${left - 10}" y="${y + 15}" text-anchor="end" fill="${INK}">${name}</text>`);
    bar(y, stage.ms, longest, OURS, percent(stage.ms));
    bar(y + 12, stage.recastMs, longest, WASM, percent(stage.recastMs));
  });
  const base = 104 + stages.length * step + 8;
  out.push(`<line x1="28" y1="${base}" x2="732" y2="${base}" stroke="#d9d5ca"/>`);
  out.push(`<text x="28" y="${base + 22}" fill="${INK_SOFT}">The whole bake, on its own scale</text>`);
  wholes.forEach(([name, color], k) => {
    const y = base + 32 + k * 24;
    out.push(`<text x="${left - 10}" y="${y + 10}" text-anchor="end" fill="${INK}">${name}</text>`);
    bar(y, row.ms[name], longestWhole, color, percent(row.ms[name]));
  });
  out.push('</svg>');
  return `${out.join('\n')}\n`;
}

function stageMeans(bakes) {
  const names = [...new Set(bakes.flatMap((row) => row.stages.map((stage) => stage.stage)))];
  return names.map((name) => {
    const rows = bakes.flatMap((row) => row.stages.filter((stage) => stage.stage === name));
    const share = (key, of) =>
      bakes.reduce((sum, row) => {
        const stage = row.stages.find((candidate) => candidate.stage === name);
        return sum + (stage ? stage[key] / row.ms[of] : 0);
      }, 0) / bakes.length;
    const ratios = rows.map((row) => row.ratio.median).filter(Number.isFinite);
    return [
      STAGE_TITLES[name] ?? name,
      digits(geometricMean(ratios)),
      digits(Math.min(...ratios)),
      digits(Math.max(...ratios)),
      `${(100 * share('ms', 'navkiln')).toFixed(0)}%`,
      `${(100 * share('recastMs', 'recast')).toFixed(0)}%`,
    ];
  });
}

function growthRows(growth) {
  return growth
    .filter((row) => !row.error)
    .map((row) => [
      `${row.level}, ${row.contender === 'recast' ? 'recast-navigation' : row.contender}`,
      whole(row.columns),
      whole(row.triangles),
      ((row.secondMs * 1e6) / row.columns).toFixed(0),
      (row.heldBytes / row.columns).toFixed(0),
    ]);
}

const PEER_NAMES = { recast: 'recast-navigation', navcat: 'navcat', earcut: 'earcut' };

/** Returns the table of one call in one version of Node: a row per level, and the geometric means. */
function firstCallTable(rows, columns) {
  const cells = columns.map(([, key, peer]) => rows.map((row) => row[key][peer]));
  return table(
    ['level', ...columns.map(([title]) => title)],
    [
      ...rows.map((row, k) => [row.level, ...cells.map((column) => spread(column[k]))]),
      [
        'geometric mean',
        ...cells.map((column) => `**${digits(geometricMean(column.map((cell) => cell?.median ?? NaN)))}**`),
      ],
    ],
  );
}

/** Returns the section about first calls, from the results of `--first-calls`. */
export function firstCallsSection({ rounds, rows }) {
  const peer = (key, name) => [`/ ${PEER_NAMES[name]}`, key, name];
  const columnsOf = {
    bake: [
      peer('ratios', 'recast'),
      ['with waits', 'wallRatios', 'recast'],
      ['second bake', 'secondRatios', 'recast'],
      peer('ratios', 'navcat'),
    ],
    path: [peer('ratios', 'recast'), peer('ratios', 'navcat')],
    crowd: [peer('ratios', 'recast'), peer('ratios', 'navcat')],
    map: [peer('ratios', 'earcut')],
  };
  const titles = {
    bake: 'The first bake',
    path: 'A first path on a mesh that was saved: import, load, search',
    crowd: 'A first tick of a crowd of 50 agents on a mesh that was saved',
    map: 'A first 2D map, over the import of earcut and its triangulation, which does not check the rings',
  };
  const versions = [...new Set(rows.map((row) => row.node))];
  const tables = Object.entries(titles).flatMap(([call, title]) =>
    versions.flatMap((version) => {
      const own = rows.filter((row) => row.call === call && row.node === version);
      // Pages do not measure waits.
      const columns = columnsOf[call].filter(([, key]) => key !== 'wallRatios' || version.startsWith('Node'));
      return own.length === 0 ? [] : [`${title}, ${version}:\n\n${firstCallTable(own, columns)}`];
    }),
  );
  return `## First calls

Most programs bake once. Here each library runs in a process of its own that has imported nothing: the times are those of import,
initialization and the first call together, as processes of all libraries take turns, ${rounds} each. The main thread's waits for a core, which
other work on the machine causes, are subtracted; "with waits" has them. "second bake" is that of the second call in the process. In
Chromium, each call has a browser with an empty profile. The times run from opening a page, which loads the library from a server on the
same machine, to the end of the call, without the time in which the level arrives. \`npm run performance -- --first-calls --node PATH,PATH\`
measures only this section, with further versions of Node.

${tables.join('\n\n')}
`;
}

/** Returns the page with another section about first calls, which is the first. */
export function replaceFirstCalls(page, section) {
  const without = page.replace(/^## First calls\n[^]*?(?=^## )/m, '');
  return without.replace(/^## /m, `${section.trimEnd()}\n\n## `);
}

/** Returns the page with the sections of these titles of another page in place of its own. */
export function replaceSections(page, titles, other) {
  return titles
    .reduce((text, title) => {
      const section = new RegExp(`^## ${title}\n[^]*?(?=^## |(?![^]))`, 'm');
      return text.replace(section, () => `${section.exec(other)[0].trimEnd()}\n\n`);
    }, page)
    .replace(/\n+$/, '\n');
}

/** Returns the page. The arguments are the results of the benchmark. */
export function performancePage(bench, growth, firstCalls) {
  const { machine, versions, rounds, bakes, paths } = bench;
  const mean = (rows, peer) => `**${digits(geometricMean(rows.map((row) => row[peer]?.median ?? NaN)))}**`;
  const means = (rows) => [mean(rows, 'recast'), mean(rows, 'navcat')];
  const plots = bakes.map((row) => `![${row.level}: bars of the bake by stage](performance/${row.level}.svg)`);
  return `# Performance

Written by \`npm run performance\`. Numbers are ratios, time(navkiln) / time(peer), below 1 when navkiln is faster. In each of ${rounds} rounds
every library runs once, in rotating order, and the ratio is computed within the round. A cell shows the median and the quartiles. Only
ratios count, and another machine or engine gives others; this machine was shared with other work. The benchmark first checks that the
answers agree: the same polygons for a bake, equally short paths for a search.

- machine: ${machine.cpu}, ${machine.cores} cores, ${Math.round(machine.memoryBytes / 2 ** 30)} GiB; Node ${machine.node}
- navkiln ${versions.navkiln}, recast-navigation ${versions['recast-navigation']} (C++ as wasm), navcat ${versions.navcat}
- one thread; a bake starts with triangles and ends with a mesh that answers queries; navkiln is called without a workspace, and reuses the
  memory of its last bake by itself
- \`nav_test\` and \`dungeon.obj\` are levels of RecastDemo, which this repository does not contain; without these files, their rows are left out
${firstCalls === undefined ? '' : `\n${firstCallsSection(firstCalls)}`}
## Bake

${table(
  ['level', 'for', 'triangles', 'columns', 'polygons', '/ recast-navigation', '/ navcat'],
  [
    ...bakes.map((row) => [
      row.level,
      LEVELS[row.level] ?? '',
      whole(row.triangles),
      whole(row.cells),
      whole(row.polygons),
      spread(row.ratios.recast),
      spread(row.ratios.navcat),
    ]),
    ['geometric mean', '', '', '', '', ...means(bakes.map((row) => row.ratios))],
  ],
)}

By stage, over all levels: geometric mean of the ratios to recast-navigation, smallest and largest ratio, and the stage's share of
the bake.

${table(['stage', 'mean', 'smallest', 'largest', 'share in navkiln', 'in recast-navigation'], stageMeans(bakes))}

${plots.join('\n\n')}

## Paths

Random pairs of points on the mesh, end to end: locate both ends, search the polygons, find the corners.

${table(
  ['level', 'polygons', '/ recast-navigation', '/ navcat'],
  [
    ...paths.map((row) => [row.level, whole(row.polygons), spread(row.ratios.recast), spread(row.ratios.navcat)]),
    ['geometric mean', '', ...means(paths.map((row) => row.ratios))],
  ],
)}

The nearest point on the mesh:

${table(
  ['level', '/ recast-navigation', '/ navcat'],
  [
    ...paths.map((row) => [row.level, spread(row.nearestRatios.recast), spread(row.nearestRatios.navcat)]),
    ['geometric mean', ...means(paths.map((row) => row.nearestRatios))],
  ],
)}
${
  growth === undefined
    ? ''
    : `
## Growth

Scenes at growing scale, each baked in a process of its own: nanoseconds per column of a second bake, and bytes per column that are held
after it (navkiln's workspace, or the wasm memory, which starts at 64 MiB and never shrinks).

${table(['level', 'columns', 'triangles', 'ns / column', 'bytes / column'], growthRows(growth))}
`
}`;
}

async function main() {
  const { values } = readArguments(fileURLToPath(import.meta.url), {
    options: {
      rounds: { type: 'string', default: '15' },
      levels: { type: 'string', default: MEASURED.join(',') },
      node: { type: 'string', default: '' },
      calls: { type: 'string' },
      keep: { type: 'boolean', default: false },
      'first-calls': { type: 'boolean', default: false },
      paths: { type: 'boolean', default: false },
      worlds: { type: 'boolean', default: false },
      bakes: { type: 'boolean', default: false },
      written: { type: 'boolean', default: false },
    },
  });
  requireNode();
  await install();
  const read = (name) => {
    const path = join(ROOT, 'out', name);
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  };
  if (!values.written) {
    await build();
    const bench = join(ROOT, 'packages', 'bench', 'dist', 'main.js');
    const first = ['--first-calls', '--node', values.node, '--chromium', findChromium() ?? ''];
    if (values.calls !== undefined) first.push('--calls', values.calls);
    if (values.keep) first.push('--keep');
    const attempts = [];
    const isWhole = !(values.paths || values.worlds || values.bakes || values['first-calls']);
    if (values.worlds || isWhole) {
      for (const only of ['pool', 'obstacles', 'crates'])
        attempts.push(['--only', only, '--rounds', values.rounds, '--levels', 'terrain,city']);
    }
    if (values['first-calls'] || isWhole)
      attempts.push([...first, '--rounds', values.rounds, '--levels', values.levels]);
    if (values.paths || isWhole) {
      const paths = ['--only', 'paths', '--rounds', values.rounds, '--levels', values.levels];
      attempts.push(paths, ['--index-growth', '--rounds', '5']);
    }
    if (values.bakes || isWhole) attempts.push(['--stages', '--rounds', values.rounds, '--levels', values.levels]);
    if (isWhole) attempts.push(['--growth', '--sizes', '1e5,1e6,1e7']);
    for (const args of attempts) {
      const { status } = await run(process.execPath, [bench, ...args]);
      if (status === 0) continue;
      process.exitCode = 1;
      return;
    }
  }
  const page = join(ROOT, 'docs', 'performance.md');
  if (values['first-calls']) {
    writeFileSync(page, replaceFirstCalls(readFileSync(page, 'utf8'), firstCallsSection(read('first-calls.json'))));
    return;
  }
  const worlds = ['pool.json', 'obstacles.json', 'crates.json'].map(read);
  const withWorlds = (text) =>
    worlds.some((rows) => rows !== undefined) ? replaceWorlds(text, worldsSection(...worlds)) : text;
  if (values.worlds) {
    writeFileSync(page, withWorlds(readFileSync(page, 'utf8')));
    return;
  }
  const index = [read('all-paths.json'), read('index-growth.json')];
  const folder = join(ROOT, 'docs', 'performance');
  const section = index.some((rows) => rows !== undefined) ? shortestPathsSection(...index) : undefined;
  const plotIndex = () => {
    if (index[1] !== undefined) writeFileSync(join(folder, 'path-index.svg'), indexPlotSvg(index[1]));
  };
  if (values.paths) {
    writeFileSync(page, replaceShortestPaths(readFileSync(page, 'utf8'), section));
    plotIndex();
    return;
  }
  const bench = read('bench.json');
  if (bench === undefined || bench.bakes.some((row) => row.stages === undefined)) {
    throw new Error('performance: out/bench.json holds no stages; run without --written');
  }
  mkdirSync(folder, { recursive: true });
  if (!values.bakes) for (const old of readdirSync(folder)) rmSync(join(folder, old));
  for (const row of bench.bakes) writeFileSync(join(folder, `${row.level}.svg`), plotSvg(row));
  if (values.bakes) {
    const own = performancePage(bench);
    writeFileSync(page, replaceSections(readFileSync(page, 'utf8'), ['Bake', 'Paths'], own));
    return;
  }
  plotIndex();
  const text = performancePage(bench, read('growth.json'), read('first-calls.json'));
  writeFileSync(page, withWorlds(section === undefined ? text : replaceShortestPaths(text, section)));
  console.log(`docs/performance.md: ${bench.bakes.length} levels`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
