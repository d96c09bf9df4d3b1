/**
 * Draws the stages from a 2D map to a mesh as SVG: a titled panel per stage, side by side. Mode 'diagonal' has outline
 * and holes, bridges, cuts, merged pieces, portals and path; mode 'delaunay' has triangles instead of bridges and cuts.
 *
 * In: the result of `buildFromPolygons`, and optionally a path. Out: an SVG document, 1200 wide, with y up or
 * down the page as the map's `yAxis` has it. The same input gives the same text everywhere.
 * Cost: linear in the map's corners.
 * Based on: own.
 */
import { checkOptions, checkPoints } from '../check-options.ts';
import { checkKeys, checkObject, checkRecord, checkString } from '../../base/data/refuse.ts';
import { readPoint2d } from '../../base/math/point-2d.ts';
import type { PointLike2d } from '../../base/math/point-2d.ts';
import type { PolygonMesh } from '../../build/polygon/options.ts';
import type { ConvexPieces, GridFrame, Rings, Triangulation } from '../../base/plane/types.ts';
import { escapeXml, grouped } from '../format.ts';
import {
  GROUND_EDGE,
  GROUND_FILL,
  INK,
  INK_SOFT,
  LINE_COLORS,
  PAPER,
  PAPER_EDGE,
  PATH_COLOR,
  areaFill,
} from '../palette.ts';

/** Input of `polygonSvg`. */
export interface PolygonSvgInput {
  build: PolygonMesh;
  /** Points [x, y] or { x, y }, as from `findPath2d`. Without a path, its panel is left out. */
  path?: { points: readonly PointLike2d[] };
  /** Further lines, drawn thinner under the path and named below it, such as those of `getCorridorLine`. */
  lines?: readonly { name: string; points: readonly PointLike2d[] }[];
  /** Default 'navkiln'. */
  title?: string;
}

/** A panel of the picture. */
interface Panel {
  title: string;
  note: string;
  markup: string;
}

/** Converts grid coordinates to a panel's pixels, with one decimal. */
interface View {
  x: (cells: number) => string;
  y: (cells: number) => string;
  frame: GridFrame;
}

const WIDTH = 1200;
const MARGIN = 40;
const GAP = 28;
const HEADER = 84;
const CAPTION = 44;
const COLUMNS = 3;
const BRIDGE_COLOR = areaFill(3);
const CUT_COLOR = areaFill(2);
const MAX_PANEL_HEIGHT = 420;

const KEYS: readonly (keyof PolygonSvgInput)[] = ['build', 'path', 'lines', 'title'];

/**
 * Draws the stages of a map that `buildFromPolygons` built as an SVG document.
 *
 * @throws RangeError, TypeError for unknown fields of `input`
 */
export function polygonSvg(input: PolygonSvgInput): string {
  checkObject('polygonSvg', 'input', input);
  checkKeys('polygonSvg', input, KEYS, 'input');
  checkOptions('polygonSvg', input, 'input');
  const { build, path, lines = [], title = 'navkiln' } = input;
  checkRecord(
    'polygonSvg',
    'input.build.stages.pieces',
    build?.stages?.pieces,
    'corner',
    'those of a result of buildFromPolygons',
  );
  if (path !== undefined) {
    checkObject('polygonSvg', 'input.path', path);
    checkPoints('polygonSvg', 'input.path.points', path.points, 2);
  }
  lines.forEach((line, i) => {
    checkOptions('polygonSvg', line ?? null, `input.lines[${i}]`);
    checkString('polygonSvg', `input.lines[${i}].name`, line.name);
    checkPoints('polygonSvg', `input.lines[${i}].points`, line.points, 2);
  });
  const { stages, report } = build;
  const { clean, ground, pieces, diagonal, triangulation, winding } = stages;
  const { view, width, height } = createView(clean, report.frame, report.config.yAxis === 'up');
  const stone = `<path d="${ringsPath(clean, view)}" fill="#e4e0d6" fill-rule="evenodd" stroke="#a9a69c" stroke-width=".8"/>`;
  const floorPath = `<path d="${ringsPath(ground, view)}" fill-rule="evenodd" `;
  const floor = `${floorPath}fill="${GROUND_FILL}" fill-opacity=".16"/>`;
  // Stone shows what erosion removed.
  const base = clean === ground ? floor : `${stone}${floorPath}fill="${PAPER}"/>${floor}`;
  const stroke = (d: string, color: string, wide: number): string =>
    `<path d="${d}" fill="none" stroke="${color}" stroke-width="${wide}" stroke-linecap="round" stroke-linejoin="round"/>`;
  const border = stroke(ringsPath(ground, view), GROUND_EDGE, 1.6);

  const panels: Panel[] = [
    {
      title: 'Outline and holes',
      note: `${count(ground.ringCount, 'ring')}, ${count(ground.x.length, 'corner')}`,
      markup: base + border,
    },
  ];
  if (diagonal !== undefined) {
    const { bridgeCount, lines, isGone } = diagonal;
    const lineCount = isGone.length;
    const kept = isGone.reduce((sum, gone) => sum + 1 - gone, 0);
    const bridges = linesPath(lines, 0, bridgeCount, view);
    const cuts = linesPath(lines, bridgeCount, lineCount, view);
    const drawn = stroke(bridges, BRIDGE_COLOR, 2.4);
    panels.push(
      { title: 'Bridges', note: `${count(bridgeCount, 'bridge')} to holes`, markup: base + border + drawn },
      {
        title: 'Cuts',
        note: `${count(lineCount - bridgeCount, 'cut')} at concave corners; ${count(kept, 'line')} will stay`,
        markup: base + stroke(cuts, CUT_COLOR, 1.3) + drawn + border,
      },
    );
  }
  if (triangulation !== undefined && winding !== undefined) {
    panels.push({
      title: 'Triangles',
      note: `${count(report.counts.triangles, 'triangle')}, constrained Delaunay`,
      markup: base + stroke(innerEdgesPath(triangulation, winding, view), CUT_COLOR, 0.9) + border,
    });
  }
  const mesh = base + piecesMarkup(pieces, view);
  const portals = portalsMarkup(pieces, view);
  panels.push(
    { title: 'Merged pieces', note: `${count(pieces.pieceCount, 'convex piece')}`, markup: mesh + border },
    {
      title: 'Portals',
      note: `${count(portals.count, 'portal')}; dots are their middles`,
      markup: mesh + portals.lines + border + portals.dots,
    },
  );
  if (path !== undefined) {
    const points = path.points.map((point, i) => readPoint2d(point, 'polygonSvg', `input.path.points[${i}]`));
    panels.push({
      title: 'Path',
      note: describePath(points),
      markup:
        mesh +
        border +
        lines.map((line, i) => lineMarkup(readLine(line.points, i), view, i)).join('') +
        pathMarkup(points, view) +
        lineNames(lines, height),
    });
  }
  return compose(title, `${report.config.mode}  ·  ${count(pieces.pieceCount, 'polygon')}`, panels, width, height);
}

/** Returns the points of a further line as [x, y]. */
function readLine(points: readonly PointLike2d[], line: number): [x: number, y: number][] {
  return points.map((point, i) => readPoint2d(point, 'polygonSvg', `input.lines[${line}].points[${i}]`));
}

function createView(clean: Rings, frame: GridFrame, isUp: boolean): { view: View; width: number; height: number } {
  let minX = Infinity;
  let minY = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  for (let i = 0; i < clean.x.length; i++) {
    minX = Math.min(minX, clean.x[i]);
    maxX = Math.max(maxX, clean.x[i]);
    minY = Math.min(minY, clean.y[i]);
    maxY = Math.max(maxY, clean.y[i]);
  }
  if (clean.x.length === 0) minX = minY = maxX = maxY = 0;
  const width = Math.floor((WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP) / COLUMNS);
  const across = Math.max(maxX - minX, 1);
  const down = Math.max(maxY - minY, 1);
  const scale = Math.min(width / across, MAX_PANEL_HEIGHT / down);
  const left = (width - across * scale) / 2;
  const view: View = {
    x: (cells) => (left + (cells - minX) * scale).toFixed(1),
    y: (cells) => ((isUp ? maxY - cells : cells - minY) * scale).toFixed(1),
    frame,
  };
  return { view, width, height: Math.max(40, Math.ceil(down * scale)) };
}

function ringsPath({ ringCount, start, x, y }: Rings, view: View): string {
  let d = '';
  for (let r = 0; r < ringCount; r++) {
    for (let i = start[r]; i < start[r + 1]; i++) d += `${i === start[r] ? 'M' : 'L'}${view.x(x[i])} ${view.y(y[i])}`;
    d += 'z';
  }
  return d;
}

function linesPath(lines: Int32Array, from: number, to: number, view: View): string {
  let d = '';
  for (let i = 4 * from; i < 4 * to; i += 4) {
    d += `M${view.x(lines[i])} ${view.y(lines[i + 1])}L${view.x(lines[i + 2])} ${view.y(lines[i + 3])}`;
  }
  return d;
}

function innerEdgesPath({ edgeCount, origin, xs, ys }: Triangulation, winding: Int32Array, view: View): string {
  let d = '';
  for (let h = 0; h < 2 * edgeCount; h += 2) {
    if (!(winding[h] > 0 && winding[h + 1] > 0)) continue;
    const a = origin[h];
    const b = origin[h + 1];
    d += `M${view.x(xs[a])} ${view.y(ys[a])}L${view.x(xs[b])} ${view.y(ys[b])}`;
  }
  return d;
}

/** Draws pieces in a few tints that differ from most of their neighbors'. */
function piecesMarkup({ pieceCount, start, corner, neighbor, x, y }: ConvexPieces, view: View): string {
  const tint = new Int32Array(pieceCount).fill(-1);
  const paths = TINTS.map(() => '');
  for (let p = 0; p < pieceCount; p++) {
    const free = TINTS.map(() => true);
    let d = '';
    for (let i = start[p]; i < start[p + 1]; i++) {
      const beyond = neighbor[i];
      if (beyond >= 0 && tint[beyond] >= 0) free[tint[beyond]] = false;
      d += `${i === start[p] ? 'M' : 'L'}${view.x(x[corner[i]])} ${view.y(y[corner[i]])}`;
    }
    const own = free.indexOf(true);
    tint[p] = own < 0 ? p % TINTS.length : own;
    paths[tint[p]] += `${d}z`;
  }
  const edge = `stroke="${GROUND_EDGE}" stroke-opacity=".55" stroke-width=".8"`;
  return paths
    .map((d, k) => (d === '' ? '' : `<path d="${d}" fill="${TINTS[k]}" fill-opacity=".5" ${edge}/>`))
    .join('');
}

const TINTS = [GROUND_FILL, areaFill(5), '#a9d3ec', '#2b7cb0', '#d3e9f5'] as const;

function portalsMarkup(pieces: ConvexPieces, view: View): { lines: string; dots: string; count: number } {
  const { pieceCount, start, corner, neighbor, x, y } = pieces;
  let d = '';
  let dots = '';
  let portals = 0;
  for (let p = 0; p < pieceCount; p++) {
    for (let i = start[p]; i < start[p + 1]; i++) {
      if (neighbor[i] <= p) continue;
      const a = corner[i];
      const b = corner[i + 1 < start[p + 1] ? i + 1 : start[p]];
      d += `M${view.x(x[a])} ${view.y(y[a])}L${view.x(x[b])} ${view.y(y[b])}`;
      dots += `M${view.x((x[a] + x[b]) / 2)} ${view.y((y[a] + y[b]) / 2)}h0`;
      portals++;
    }
  }
  const size = portals > 400 ? 2 : 4.5;
  const line = (path: string, color: string, wide: number): string =>
    `<path d="${path}" fill="none" stroke="${color}" stroke-width="${wide}" stroke-linecap="round"/>`;
  return { lines: line(d, '#fff', 0.4 * size), dots: line(dots, CUT_COLOR, size), count: portals };
}

/** Draws line i of the input, with a dot at each corner. */
function lineMarkup(points: readonly ArrayLike<number>[], view: View, i: number): string {
  const { gridSize, originX, originY } = view.frame;
  const at = points.map((p) => `${view.x((p[0] - originX) / gridSize)} ${view.y((p[1] - originY) / gridSize)}`);
  const dots = at.map((point) => `M${point}h0`).join('');
  return (
    `<g fill="none" stroke="${LINE_COLORS[i % LINE_COLORS.length]}" stroke-linejoin="round" stroke-linecap="round">` +
    `<path d="M${at.join('L')}" stroke-width="1.8"/><path d="${dots}" stroke-width="5"/></g>`
  );
}

/** Writes the names of lines below the panel, each in its color. */
function lineNames(lines: readonly { name: string }[], height: number): string {
  const names = lines.map(
    ({ name }, i) =>
      `<tspan fill="${LINE_COLORS[i % LINE_COLORS.length]}" dx="${i > 0 ? 14 : 0}">${escapeXml(name)}</tspan>`,
  );
  return names.length === 0 ? '' : `<text y="${height + 16}" font-size="13" font-weight="600">${names.join('')}</text>`;
}

function pathMarkup(points: readonly ArrayLike<number>[], view: View): string {
  const { gridSize, originX, originY } = view.frame;
  const at = points.map((p) => [view.x((p[0] - originX) / gridSize), view.y((p[1] - originY) / gridSize)] as const);
  if (at.length === 0) return '';
  const d = at.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  const dot = ([x, y]: readonly [string, string], radius: number, fill: string): string =>
    `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}" stroke="${PATH_COLOR}" stroke-width="2"/>`;
  return (
    `<g fill="none" stroke-linejoin="round" stroke-linecap="round"><path d="${d}" stroke="#fff" stroke-width="6.5" ` +
    `stroke-opacity=".9"/><path d="${d}" stroke="${PATH_COLOR}" stroke-width="3.2"/></g>` +
    at
      .slice(1, -1)
      .map((p) => dot(p, 2.2, '#fff'))
      .join('') +
    dot(at[0], 5, '#fff') +
    dot(at[at.length - 1], 5, PATH_COLOR)
  );
}

function describePath(points: readonly ArrayLike<number>[]): string {
  let length = 0;
  for (let i = 1; i < points.length; i++) {
    const dx = points[i][0] - points[i - 1][0];
    const dy = points[i][1] - points[i - 1][1];
    length += Math.sqrt(dx * dx + dy * dy);
  }
  return points.length === 0 ? 'none' : `${length.toPrecision(5)} long, ${count(points.length, 'point')}`;
}

function compose(title: string, line: string, panels: readonly Panel[], width: number, height: number): string {
  const rows = Math.ceil(panels.length / COLUMNS);
  const total = HEADER + rows * (CAPTION + height + GAP) + MARGIN - GAP;
  const name = escapeXml(title);
  const drawn = panels.map(({ title: caption, note, markup }, k) => {
    const x = MARGIN + (k % COLUMNS) * (width + GAP);
    const y = HEADER + Math.floor(k / COLUMNS) * (CAPTION + height + GAP) + CAPTION;
    return (
      `<g transform="translate(${x} ${y})"><title>${caption}</title>\n` +
      `<text y="-26" font-size="16" font-weight="600" fill="${INK}">${k + 1}. ${caption}</text>` +
      `<text y="-9" font-size="13" fill="${INK_SOFT}">${note}</text>\n${markup}</g>\n`
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${total}" width="${WIDTH}" height="${total}" `,
    `role="img" aria-label="${name}" font-family="system-ui,'Segoe UI','DejaVu Sans',sans-serif">\n`,
    `<title>${name}</title>\n<desc>${panels.map((panel) => `${panel.title}: ${panel.note}`).join('. ')}</desc>\n`,
    `<rect x="1" y="1" width="${WIDTH - 2}" height="${total - 2}" rx="14" fill="${PAPER}" stroke="${PAPER_EDGE}"/>\n`,
    `<text x="${MARGIN}" y="46" font-size="24" font-weight="600" fill="${INK}">${name}</text>\n`,
    `<text x="${MARGIN}" y="70" font-size="15" fill="${INK_SOFT}">${escapeXml(line)}</text>\n`,
    ...drawn,
    '</svg>\n',
  ].join('');
}

/** Returns a count with its noun: 'no cuts', '1 cut', '1,234 cuts'. */
function count(number: number, noun: string): string {
  return number === 0 ? `no ${noun}s` : `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`;
}
