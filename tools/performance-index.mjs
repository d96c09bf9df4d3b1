/** The section of docs/performance.md about shortest paths and the path index, and its plot. */
import { INK, INK_SOFT, OURS, WASM, digits, geometricMean, spread, table, whole } from './performance-text.mjs';

const TITLE = '## Shortest paths';
const OTHERS = [
  ['/ findPath', 'findPath'],
  ['/ findOptimalPath', 'optimal'],
  ['/ recast-navigation', 'recast'],
  ['/ navcat', 'navcat'],
  ['/ three-pathfinding', 'three'],
];
const percent = (value) => (Number.isFinite(value) ? `${(100 * value).toFixed(2)} %` : '–');

/** Returns the section, from the results of `--only paths` and `--index-growth`; either may be undefined. */
export function shortestPathsSection(paths, growth) {
  return [TITLE, ...(paths === undefined ? [] : pathTexts(paths)), ...(growth === undefined ? [] : growthTexts(growth))]
    .join('\n\n')
    .concat('\n');
}

function pathTexts(rows) {
  const mean = (name) => `**${digits(geometricMean(rows.map((row) => row.ratios[name].median)))}**`;
  return [
    `\`findIndexedPath\`, with the [index](path-index.md) that \`buildPathIndex\` builds by default, against other functions and libraries, over the
same random pairs that have a path. Each locates both ends and returns points. Time in which the process waits for a core is subtracted.
The benchmark fails unless each indexed path is as long as the shortest one, within 1e-9.`,
    table(
      ['level', 'polygons', ...OTHERS.map(([title]) => title)],
      [
        ...rows.map((row) => [row.level, whole(row.polygons), ...OTHERS.map(([, name]) => spread(row.ratios[name]))]),
        ['geometric mean', '', ...OTHERS.map(([, name]) => mean(name))],
      ],
    ),
    'How much longer paths are than the shortest, on average, seen from above:',
    table(
      ['level', 'findIndexedPath', 'findPath', 'recast-navigation', 'navcat', 'three-pathfinding'],
      rows.map((row) => [
        row.level,
        ...['indexed', 'findPath', 'recast', 'navcat', 'three'].map((name) => percent(row.excess[name])),
      ]),
    ),
    'The indexes:',
    table(
      ['level', 'tier', 'corners', 'KB / polygon', 'answered by the index'],
      rows.map((row) => [
        row.level,
        row.tier,
        whole(row.corners),
        digits(row.indexBytes / row.polygons / 1000),
        `${row.indexed} of ${row.pairs}`,
      ]),
    ),
  ];
}

function growthTexts(rows) {
  const fields = rows.filter((row) => row.scene === 'field').map((row) => row.polygons);
  const [least, most] = [Math.min(...fields), Math.max(...fields)].map(whole);
  const isLabeled = rows.some((row) => row.tier === 'labels' && row.scene !== 'field');
  return [
    `As the mesh grows: fields of uneven squares with blocks in them, from ${least} to ${most} polygons, and the tier that is built by
default.${isLabeled ? ' The last row has labels on a terrain, which are built only if asked for.' : ''} Paths between random positions grow with the field. Excess over the
shortest path: the mean, that of the path longer than 95 % of all, and the mean of \`findPath\`.`,
    table(
      [
        'scene',
        'polygons',
        'tier',
        'build, s',
        'bytes / polygon',
        'µs / path',
        '/ findPath',
        '/ findOptimalPath',
        'excess',
        '95 %',
        'findPath',
      ],
      rows.map((row) => [
        row.scene,
        whole(row.polygons),
        row.tier,
        digits(row.buildMs / 1000),
        digits(row.bytes / row.polygons),
        digits(row.us),
        spread(row.findPath),
        digits(row.optimal),
        percent(row.meanExcess),
        percent(row.p95Excess),
        percent(row.findPathExcess),
      ]),
    ),
    '![Microseconds a path over polygons of the mesh, with the index and by findPath](performance/path-index.svg)',
  ];
}

/** Returns the page with another section, which comes before "Growth", or last. */
export function replaceShortestPaths(page, section) {
  const without = page.replace(/^## Shortest paths\n[^]*?(?=^## |$(?![^]))/m, '');
  const at = without.search(/^## Growth$/m);
  if (at < 0) return `${without.trimEnd()}\n\n${section}`;
  return `${without.slice(0, at).trimEnd()}\n\n${section}\n${without.slice(at)}`;
}

/** Draws the time of a path over the number of polygons, both on logarithmic axes. */
export function indexPlotSvg(rows) {
  const fields = rows.filter((row) => row.scene === 'field');
  const what = 'Microseconds a path over polygons of the mesh: findIndexedPath and findPath';
  const times = fields.flatMap((row) => [row.us, row.us / row.findPath.median]);
  const decades = (values) => [
    Math.floor(Math.log10(Math.min(...values))),
    Math.ceil(Math.log10(Math.max(...values) * 1.001)),
  ];
  const [left, right, top, bottom] = [90, 640, 100, 380];
  const [x0, x1] = decades(fields.map((row) => row.polygons));
  const [y0, y1] = decades(times);
  const x = (polygons) => (left + ((Math.log10(polygons) - x0) / (x1 - x0)) * (right - left)).toFixed(1);
  const y = (us) => (bottom - ((Math.log10(us) - y0) / (y1 - y0)) * (bottom - top)).toFixed(1);
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 440" width="760" height="440" role="img" aria-label="${what}" ` +
      `font-family="system-ui,'Segoe UI','DejaVu Sans',sans-serif" font-size="13">`,
    `<title>${what}</title>`,
    `<rect x="1" y="1" width="758" height="438" rx="14" fill="#fbfaf6" stroke="#d9d5ca"/>`,
    `<text x="28" y="40" font-size="20" font-weight="600" fill="${INK}">Path index</text>`,
    `<text x="28" y="62" fill="${INK_SOFT}">Microseconds a path, over polygons of the mesh</text>`,
    `<rect x="470" y="28" width="14" height="12" fill="${OURS}"/><text x="490" y="39" fill="${INK}">findIndexedPath</text>`,
    `<rect x="620" y="28" width="14" height="12" fill="${WASM}"/><text x="640" y="39" fill="${INK}">findPath</text>`,
  ];
  for (let k = x0; k <= x1; k++) {
    const at = x(10 ** k);
    out.push(`<line x1="${at}" y1="${top}" x2="${at}" y2="${bottom}" stroke="#e4e0d6"/>`);
    out.push(`<text x="${at}" y="${bottom + 22}" text-anchor="middle" fill="${INK_SOFT}">${whole(10 ** k)}</text>`);
  }
  for (let k = y0; k <= y1; k++) {
    const at = y(10 ** k);
    out.push(`<line x1="${left}" y1="${at}" x2="${right}" y2="${at}" stroke="#e4e0d6"/>`);
    out.push(
      `<text x="${left - 10}" y="${Number(at) + 4}" text-anchor="end" fill="${INK_SOFT}">${whole(10 ** k)}</text>`,
    );
  }
  const curve = (color, us, labelOf) => {
    const points = fields.map((row) => `${x(row.polygons)},${y(us(row))}`);
    out.push(`<polyline points="${points.join(' ')}" fill="none" stroke="${color}" stroke-width="2.5"/>`);
    for (const row of fields) {
      out.push(`<circle cx="${x(row.polygons)}" cy="${y(us(row))}" r="4.5" fill="${color}"/>`);
      const label = labelOf(row);
      if (label !== '')
        out.push(
          `<text x="${x(row.polygons)}" y="${Number(y(us(row))) + 20}" text-anchor="middle" font-size="11" fill="${color}">${label}</text>`,
        );
    }
  };
  curve(
    WASM,
    (row) => row.us / row.findPath.median,
    () => '',
  );
  curve(
    OURS,
    (row) => row.us,
    (row) => row.tier,
  );
  out.push('</svg>');
  return `${out.join('\n')}\n`;
}
