/** The verdict of `verify` and `bake --verify`: figures against thresholds, as JSON and as text. */
import type { VerifyResult } from 'navkiln/debug';
import { FLAGS } from '../config/flag-list.ts';
import { InputError } from '../errors.ts';
import { formatNumber, formatPoint, formatTable, plural } from '../output/text.ts';

/** A figure that has a threshold. */
type Key = 'coverage' | 'overreach' | 'lost' | 'invented' | 'falseDoors' | 'invisibleWalls';
export type Limits = Record<Key, number>;

/** The flags and defaults of thresholds. That of `coverage` is a least value, the others are most ones. */
export const THRESHOLDS: readonly { key: Key; flag: string; limit: number }[] = [
  { key: 'coverage', flag: '--min-coverage', limit: 0.995 },
  { key: 'overreach', flag: '--max-overreach', limit: 0.001 },
  { key: 'lost', flag: '--max-lost', limit: 0 },
  { key: 'invented', flag: '--max-invented', limit: 0 },
  { key: 'falseDoors', flag: '--max-false-doors', limit: 0 },
  { key: 'invisibleWalls', flag: '--max-invisible-walls', limit: Infinity },
];

/** A figure that is below or above its threshold. */
export interface Failure {
  figure: Key;
  /** Null for a coverage that was not judged. */
  value: number | null;
  limit: number;
}

/** Reads the thresholds from flags by their names, such as `minCoverage`. */
export function readLimits(flags: Readonly<Record<string, unknown>>): Limits {
  const limits = {} as Limits;
  for (const { key, flag, limit } of THRESHOLDS) {
    const given = flags[attributeOf(flag)];
    const value = given === undefined ? limit : Number(given);
    if (given !== undefined && (String(given).trim() === '' || !(value >= 0)))
      throw new InputError(`${flag} ${String(given)}: must be a number >= 0`);
    limits[key] = value;
  }
  return limits;
}

/** Returns commander's name of a flag's value: --min-coverage -> minCoverage. */
function attributeOf(flag: string): string {
  return flag.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the figures that are beyond their thresholds. A coverage that was not judged is below each threshold but 0. */
export function failuresOf(result: VerifyResult, limits: Limits): Failure[] {
  return THRESHOLDS.flatMap(({ key }): Failure[] => {
    const value = result[key];
    const limit = limits[key];
    if (key === 'coverage' && result.sureArea === 0) return limit > 0 ? [{ figure: key, value: null, limit }] : [];
    return (key === 'coverage' ? value < limit : value > limit) ? [{ figure: key, value, limit }] : [];
  });
}

/** A result as JSON: `coverage` is null where nothing was judged. */
export type Verdict = Omit<VerifyResult, 'coverage' | 'sizes'> & {
  passed: boolean;
  failures: readonly Failure[];
  coverage: number | null;
  sizes: (Omit<VerifyResult['sizes'][number], 'coverage'> & { coverage: number | null })[];
};

/** Returns what JSON has of a result. */
export function verdictOf(result: VerifyResult, failures: readonly Failure[]): Verdict {
  const judged = <T extends { coverage: number; sureArea: number }>(
    one: T,
  ): Omit<T, 'coverage'> & { coverage: number | null } => (one.sureArea > 0 ? one : { ...one, coverage: null });
  return { passed: failures.length === 0, failures, ...judged(result), sizes: result.sizes.map(judged) };
}

/** Returns the figures in one line. */
export function lineOf(result: VerifyResult): string {
  const { lost, invented, falseDoors, invisibleWalls } = result;
  const parts = [`coverage ${coverageOf(result)}`, `overreach ${percent(result.overreach)}`];
  if (lost > 0) parts.push(`${percent(lost)} of connections lost`);
  if (invented > 0) parts.push(`${percent(invented)} of connections invented`);
  if (lost + invented === 0) parts.push('no connection lost or invented');
  if (falseDoors > 0) parts.push(`false doors of ${formatNumber(round(falseDoors))}`);
  if (invisibleWalls > 0) parts.push(plural(invisibleWalls, 'invisible wall'));
  return parts.join(', ');
}

function coverageOf({ coverage, sureArea }: VerifyResult): string {
  return sureArea > 0 ? percent(coverage) : 'not judged';
}

/** Returns a share as percents that never round a fault away. */
function percent(share: number): string {
  const value = 100 * share;
  const text = value.toFixed(2);
  if (share < 1 && text === '100.00') return `${Math.floor(value * 10000) / 10000} %`;
  if (share > 0 && text === '0.00') return `${Number(value.toPrecision(2))} %`;
  return `${text} %`;
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}

/** Returns options such as `cellSize: 0.1, filterLedges: false` as flags; those without a flag as settings of --config. */
export function flagsOf(remedy: string): string {
  return remedy
    .split(', ')
    .map((option) => {
      const [key, value] = option.split(': ');
      const flag =
        key === 'keepReachable'
          ? '--keep-reachable'
          : FLAGS.find(({ path }) => [key, `surface.${key}`].includes(path.join('.')))?.flag;
      return flag === undefined ? `"${option}" in --config` : `${flag} ${value.replaceAll(/['[\]]/g, '')}`;
    })
    .join(' ');
}

/** Returns the whole result as text. */
export function textOf(result: VerifyResult, failures: readonly Failure[], title: string, listed: number): string {
  const rows = [
    ['  coverage', coverageOf(result), `of ${round(result.sureArea)} square units where an agent surely stands`],
    ['  overreach', percent(result.overreach), `of ${round(result.meshArea)} square units of mesh`],
    ['  lost', percent(result.lost), `of ${plural(result.pairs, 'random pair')}`],
    ['  invented', percent(result.invented), `of ${plural(result.pairs, 'random pair')}`],
    ['  false doors', formatNumber(round(result.falseDoors)), 'units of portals'],
    ['  invisible walls', String(result.invisibleWalls), `in ${plural(result.straightWalks, 'straight walk')}`],
  ].map(([name, value, rest]) => `${name.padEnd(18)}${value.padStart(10)}  ${rest}`);
  const verdict =
    failures.length === 0
      ? 'the mesh fits the level'
      : failures.every(({ value }) => value === null)
        ? 'the mesh is not judged'
        : `the mesh does not fit the level: ${failures.map(({ figure }) => figure).join(', ')}`;
  const { radius, height, maxClimb, maxSlopeDegrees } = result.agent;
  const lines = [
    `${title}: ${verdict}`,
    ...rows,
    `  agent of radius ${formatNumber(radius)}, height ${formatNumber(height)}, climb ${formatNumber(maxClimb)}, ` +
      `slope ${formatNumber(maxSlopeDegrees)}; lines ${formatNumber(round(result.spacing))} apart; seed ${result.seed}`,
    ...result.sizes.map((size) => `  ${size.name}: ${lineOf({ ...result, ...size })}`),
  ];
  if (result.places.length > 0) {
    lines.push('  places, the largest first');
    const shown = result.places.slice(0, listed);
    lines.push(
      formatTable(
        shown.map(({ kind, size, area, position }) => [
          size === undefined ? kind : `${kind} (${size})`,
          formatNumber(round(area)),
          formatPoint(position.map((value) => Number(value.toFixed(2)))),
        ]),
        '    ',
      ),
    );
    for (const { kind, position, cause, remedy } of shown) {
      if (cause === null) continue;
      const at = formatPoint(position.map((value) => Number(value.toFixed(2))));
      lines.push(`    ${kind} at ${at}: ${cause}${remedy === null ? '' : ` Try ${flagsOf(remedy)}.`}`);
    }
    const more = result.places.length - shown.length;
    if (more > 0) lines.push(`    … and ${more} more (--json lists them)`);
  }
  return `${lines.join('\n')}\n`;
}
