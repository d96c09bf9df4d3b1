/** Numbers, tables and colors of the pages that tools/performance.mjs writes. */
export const OURS = '#0072b2';
export const WASM = '#e69f00';
export const NAVCAT = '#009e73';
export const INK = '#26323a';
export const INK_SOFT = '#6b747a';

export const digits = (value) => (Number.isFinite(value) ? String(Number(value.toPrecision(2))) : '–');
export const spread = (s) =>
  s && Number.isFinite(s.median) ? `${digits(s.median)} (${digits(s.q1)}–${digits(s.q3)})` : '–';
export const whole = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ',');
export const escape = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

export function geometricMean(values) {
  const known = values.filter(Number.isFinite);
  return known.length === 0 ? NaN : Math.exp(known.reduce((sum, value) => sum + Math.log(value), 0) / known.length);
}

export function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, k) => (k === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}
