/** Formats numbers, names and tables as text. */
export { formatBytes } from 'navkiln-loaders/files';

/** Characters that control terminals or the direction of text, except line ends and tabs. */
// oxlint-disable-next-line no-control-regex -- the expression matches control characters to replace them
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Replaces control characters by their code, such as '\\u{1b}': names of files and objects may contain them. */
export function visible(text: string): string {
  return text.replace(CONTROLS, (letter) => `\\u{${letter.charCodeAt(0).toString(16)}}`);
}

/** Returns a value as a line of JSON, in which control characters are escapes. */
export function jsonLine(value: unknown, indent: number = 0): string {
  const escape = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${JSON.stringify(value, null, indent).replace(CONTROLS, escape)}\n`;
}

/** Returns the message of a warning, with its count unless the message begins with it, as in "town.geojson: 12 buildings are …". */
export function withCount({ message, count }: { message: string; count: number }): string {
  const isCounted = count < 2 || new RegExp(`(?:^|[:,;] )${count} \\p{L}`, 'u').test(message);
  return isCounted ? message : `${message} (${count} times)`;
}

export function formatMs(ms: number): string {
  return ms < 1000 ? `${ms.toFixed(1)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

/** Formats a number with at most six decimals, without trailing zeros or "-0". */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  return String(Number(value.toFixed(6)) + 0);
}

export function formatPoint(point: ArrayLike<number>): string {
  return Array.from(point, formatNumber).join(' ');
}

/** Formats rows as columns. All columns but the first are right-aligned. */
export function formatTable(rows: readonly (readonly string[])[], indent: string): string {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, cell.length)));
  return rows
    .map(
      (row) =>
        indent +
        row
          .map((cell, i) => (i === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[i])))
          .join('  ')
          .trimEnd(),
    )
    .join('\n');
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
