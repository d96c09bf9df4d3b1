/**
 * The tables of bakes, paths, queries and growth.
 *
 * In: rows of measurements. Out: text. Based on: own.
 */
import type { BakeRow } from './bake.ts';
import type { GrowthRow } from './growth.ts';
import { formatTable, geometricMean } from './harness.ts';
import type { Spread } from './harness.ts';
import type { PathRow } from './paths.ts';
import type { QueryRow } from './query-rows.ts';

const digits = (value: number): string => (Number.isFinite(value) ? value.toPrecision(3) : '-');
const showSpread = (s: Spread | undefined): string =>
  s ? `${digits(s.median)} (${digits(s.q1)}-${digits(s.q3)})` : '-';
const meanOf = (rows: readonly Record<string, Spread>[], peer: string): string => {
  const medians = rows.flatMap((row) => (row[peer] ? [row[peer].median] : []));
  return medians.length > 0 ? digits(geometricMean(medians)) : '-';
};

/** Prints the times of bakes, and of their stages if they were measured. */
export function printBakes(rows: readonly BakeRow[]): void {
  const table = [
    [
      'bake',
      'triangles',
      'cells',
      'polygons',
      'navcat',
      'navkiln ms',
      'recast ms',
      'navcat ms',
      '/ recast',
      '/ navcat',
    ],
  ];
  for (const row of rows) {
    table.push([
      `${row.level} ${row.partition}`,
      String(row.triangles),
      String(row.cells),
      String(row.polygons),
      row.navcatPolygons < 0 ? '-' : String(row.navcatPolygons),
      digits(row.ms.navkiln!),
      digits(row.ms.recast!),
      row.ms.navcat === undefined ? '-' : digits(row.ms.navcat),
      showSpread(row.ratios.recast),
      showSpread(row.ratios.navcat),
    ]);
  }
  const ratios = rows.map((row) => row.ratios);
  table.push(['geometric mean', '', '', '', '', '', '', '', meanOf(ratios, 'recast'), meanOf(ratios, 'navcat')]);
  console.log(`\n${formatTable(table)}`);
  for (const row of rows) {
    if (!row.stages) continue;
    const stages = [[`${row.level} ${row.partition}`, 'navkiln ms', 'recast ms', '/ recast']];
    for (const stage of row.stages)
      stages.push([stage.stage, digits(stage.ms), digits(stage.recastMs), showSpread(stage.ratio)]);
    console.log(`\n${formatTable(stages)}`);
  }
}

/** Prints the times of paths and of nearest points. */
export function printPaths(rows: readonly PathRow[]): void {
  const table = [
    [
      'path',
      'polygons',
      'complete',
      'shorter',
      'longer',
      '/ navcat length',
      'navkiln us',
      'recast us',
      'navcat us',
      '/ recast',
      '/ navcat',
    ],
  ];
  const nearest = [['nearest', 'navkiln us', 'recast us', 'navcat us', '/ recast', '/ navcat']];
  const time = (value: number | undefined): string => (value === undefined ? '-' : digits(value));
  for (const row of rows) {
    table.push([
      row.level,
      String(row.polygons),
      `${row.complete}/${row.pairs}`,
      String(row.shorter),
      String(row.longer),
      Number.isNaN(row.navcatLength) ? '-' : row.navcatLength.toFixed(5),
      time(row.us.navkiln),
      time(row.us.recast),
      time(row.us.navcat),
      showSpread(row.ratios.recast),
      showSpread(row.ratios.navcat),
    ]);
    const us = row.nearestUs;
    const ratios = row.nearestRatios;
    nearest.push([
      row.level,
      time(us.navkiln),
      time(us.recast),
      time(us.navcat),
      showSpread(ratios.recast),
      showSpread(ratios.navcat),
    ]);
  }
  const mean = (ratios: Record<string, Spread>[]): string[] => [meanOf(ratios, 'recast'), meanOf(ratios, 'navcat')];
  table.push(['geometric mean', '', '', '', '', '', '', '', '', ...mean(rows.map((row) => row.ratios))]);
  nearest.push(['geometric mean', '', '', '', ...mean(rows.map((row) => row.nearestRatios))]);
  console.log(`\n${formatTable(table)}\n\n${formatTable(nearest)}`);
}

/** Prints the times of queries, and how many answers differ. */
export function printQueries(rows: readonly QueryRow[]): void {
  const table = [
    ['query', 'differ', 'navkiln us', 'kernel us', 'recast us', 'navcat us', '/ recast', '/ navcat', 'kernel / recast'],
  ];
  const time = (value: number | undefined): string => (value === undefined ? '-' : digits(value));
  for (const { level, query, compared, different, us, ratios } of rows) {
    table.push([
      `${query}, ${level}`,
      compared === 0 ? '-' : `${different}/${compared}`,
      time(us.navkiln),
      time(us.kernel),
      time(us.recast),
      time(us.navcat),
      showSpread(ratios.recast),
      showSpread(ratios.navcat),
      us.recast === undefined ? '-' : digits(us.kernel! / us.recast),
    ]);
  }
  for (const query of new Set(rows.map((row) => row.query))) {
    const ratios = rows.filter((row) => row.query === query).map((row) => row.ratios);
    table.push([
      `${query}, geometric mean`,
      '',
      '',
      '',
      '',
      '',
      meanOf(ratios, 'recast'),
      meanOf(ratios, 'navcat'),
      '',
    ]);
  }
  console.log(`\n${formatTable(table)}`);
}

/** Prints time and memory for each column as scenes grow. */
export function printGrowth(rows: readonly GrowthRow[]): void {
  const table = [
    [
      'growth',
      'columns',
      'spans',
      'triangles',
      'polygons',
      'ns/column',
      'second',
      'peak B/column',
      'held B/column',
      'second/first bytes',
    ],
  ];
  const each = (value: number, row: GrowthRow): string =>
    Number.isNaN(value) ? '-' : (value / row.columns).toFixed(1);
  for (const row of rows) {
    if (row.error) table.push([`${row.level} ${row.contender}`, row.error]);
    else {
      table.push([
        `${row.level} ${row.contender}`,
        String(row.columns),
        String(row.spans),
        String(row.triangles),
        String(row.polygons),
        each(row.firstMs * 1e6, row),
        each(row.secondMs * 1e6, row),
        each(row.peakBytes, row),
        each(row.heldBytes, row),
        row.contender === 'recast' ? '-' : `${((100 * row.secondBytes) / row.firstBytes).toFixed(1)}%`,
      ]);
    }
  }
  console.log(`\n${formatTable(table)}`);
  const names = [...new Set(rows.flatMap((row) => row.stages.map((stage) => stage.name)))];
  const stages = [['ns/column', ...names]];
  for (const row of rows) {
    stages.push([
      `${row.level} ${row.contender} ${row.columns}`,
      ...names.map((name) => {
        const stage = row.stages.find((candidate) => candidate.name === name);
        return stage ? ((stage.ms * 1e6) / row.columns).toFixed(1) : '-';
      }),
    ]);
  }
  console.log(`\n${formatTable(stages)}`);
}
