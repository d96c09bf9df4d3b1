/**
 * Rows of the query benchmarks: contenders measured in turns over the same positions, and answers compared.
 */
import { measureInterleaved, ratioOf, spreadOf } from './harness.ts';
import type { Contender, Spread } from './harness.ts';

export interface QueryRow {
  level: string;
  query: string;
  /** Number of answers compared with Recast's, and of those that differ. */
  compared: number;
  different: number;
  us: Record<string, number>;
  ratios: Record<string, Spread>;
}

export interface QueryBenchOptions {
  rounds: number;
  pairs: number;
  seed: number;
  navcat: boolean;
}

/** The rows of one level. */
export interface QueryTable {
  level: string;
  rounds: number;
  /** Number of queries in a run. */
  count: number;
  /** Share of the answers that may differ from Recast's. */
  maxDifferent: number;
  rows: QueryRow[];
}

/**
 * Measures contenders and adds a row; absent contenders are skipped. `differs` compares one answer with
 * Recast's. Throws when too many differ.
 */
export function addQueryRow(
  { level, rounds, count, maxDifferent, rows }: QueryTable,
  query: string,
  contenders: readonly (Contender | undefined)[],
  differs?: (i: number) => boolean,
): void {
  const present = contenders.filter((contender) => contender !== undefined);
  const times = measureInterleaved(present, { rounds, warmups: 3 });
  const row: QueryRow = { level, query, compared: 0, different: 0, us: {}, ratios: {} };
  present.forEach(({ name }, k) => {
    row.us[name] = (spreadOf(times[k]).median * 1000) / count;
    if (k > 0) row.ratios[name] = ratioOf(times[0], times[k]);
  });
  if (differs !== undefined) {
    row.compared = count;
    for (let i = 0; i < count; i++) if (differs(i)) row.different++;
    if (row.different > maxDifferent * count) {
      throw new Error(`${level}: ${row.different} of ${count} answers of ${query} differ`);
    }
  }
  rows.push(row);
}

/** Returns a contender that asks one question about each item of a list. */
export function askAll<Item>(
  name: string,
  items: readonly Item[],
  ask: (item: Item, index: number) => unknown,
): Contender {
  return {
    name,
    run: () => {
      for (let i = 0; i < items.length; i++) ask(items[i], i);
    },
  };
}

export const xyz = (p: ArrayLike<number>): { x: number; y: number; z: number } => ({ x: p[0], y: p[1], z: p[2] });
