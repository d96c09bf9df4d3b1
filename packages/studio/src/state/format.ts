/** Formats numbers and names for people to read. */

/** Returns a whole number with thousands separators: '12,345'. */
export function formatCount(value: number): string {
  // `toLocaleString` takes 16 ms at its first call.
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Returns a duration with its unit: '1.5 ms', '320 ms', '12.3 s'. */
export function formatMs(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Returns coordinates with two decimals: '1.00, 0.25, -3.00'. */
export function formatPoint(point: ArrayLike<number>): string {
  return Array.from(point, (value) => value.toFixed(2)).join(', ');
}

/**
 * Replaces characters that are invisible or change the direction of what follows by their code, so that a name from
 * a file cannot rearrange the sentence around it: 'hall\\u{202e}jbo.exe'. Line ends stay.
 */
export function visible(text: string): string {
  return text.replace(
    // oxlint-disable-next-line no-control-regex -- the expression matches control characters to replace them
    /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (letter) => `\\u{${letter.charCodeAt(0).toString(16)}}`,
  );
}

/** Splits a camel-case name into words: 'maxSlope' gives 'max slope'. */
export function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Returns a count with its noun: '1 node', '12 nodes'. */
export function plural(count: number, singular: string, several = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : several}`;
}

/** Returns a number with three significant digits, without trailing zeros: '0.024', '1,230'. */
export function formatNumber(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString('en-US', { maximumSignificantDigits: 3 });
}
