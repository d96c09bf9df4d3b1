/**
 * Draws a level, its mesh and a path as SVG: the level as pale stone, the mesh in translucent color above it, the path
 * in bold on top. Walls of the mesh that the level hides are faint lines; hidden parts of the path are dashed. A title,
 * counts, a legend and a scale bar complete the picture. It has its own light background, so it is also readable on
 * dark pages.
 *
 * In: any of a level, a mesh and a path. Out: an SVG document, 1200 wide, usually 50 to 500 KB for levels of any size.
 * The same input gives the same text everywhere.
 * Cost: linear in triangles, polygons and pixels.
 * Based on: own.
 */
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { checkOptions, checkPoints } from '../check-options.ts';
import { AREA_GROUND } from '../../base/constants.ts';
import { checkHandle, checkKeys, checkNumbers, checkObject, checkString, refuse } from '../../base/data/refuse.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { escapeXml, grouped } from '../format.ts';
import { areaFill, GROUND_EDGE, INK, INK_SOFT, LINE_COLORS, PAPER, PAPER_EDGE, PATH_COLOR } from '../palette.ts';
import { emptyViewBounds, growViewBounds, pageX, pageY } from './projection.ts';
import type { Projection, ViewBounds } from './projection.ts';
import { createRaster, isPointVisible } from './raster.ts';
import type { Raster } from './raster.ts';
import { drawLevel } from './level.ts';
import type { LevelTriangles } from './level.ts';
import { drawMesh, MESH_STYLE, visitMeshVertices } from './mesh.ts';
import { runCount, runPath, visibleRuns } from './visible-runs.ts';

/** Input of `sceneSvg`. */
export interface SceneSvgInput {
  level?: LevelTriangles;
  navMesh?: NavMesh;
  /** A result of `findPath`, or any record with points in world units. */
  path?: { points: readonly (readonly number[])[]; status?: string };
  /**
   * Further lines, drawn thinner under the path and named in the legend, such as those of `getCorridorLine`. Lines with
   * the same name have the same color.
   */
  lines?: readonly { name: string; points: readonly (readonly number[])[] }[];
  /** Default 'navkiln'. */
  title?: string;
  /** Height in world units above which triangles and polygons are left out: a cutaway view. Default: none. */
  cutAbove?: number;
  /** Size limit of the level's part in bytes. A larger limit keeps finer details. Default 400,000. */
  maxLevelBytes?: number;
}

const KEYS: readonly (keyof SceneSvgInput)[] = [
  'level',
  'navMesh',
  'path',
  'lines',
  'title',
  'cutAbove',
  'maxLevelBytes',
];

const WIDTH = 1200;
const MARGIN = 40;
const HEADER = 84;
const FOOTER = 64;
const MIN_DRAWING_HEIGHT = 260;
const MAX_DRAWING_HEIGHT = 860;
/** Maximum number of pieces into which a partly hidden segment of the path is cut. */
const MAX_RUNS = 512;

/**
 * Draws a level, a mesh and a path as an SVG document.
 *
 * @throws RangeError, TypeError for unknown or invalid fields of `input`
 */
export function sceneSvg(input: SceneSvgInput): string {
  checkObject('sceneSvg', 'input', input);
  checkKeys('sceneSvg', input, KEYS, 'input');
  checkOptions('sceneSvg', input, 'input');
  const { level, navMesh, path, lines = [], title = 'navkiln', cutAbove = Infinity, maxLevelBytes = 400_000 } = input;
  if (typeof maxLevelBytes !== 'number' || !(maxLevelBytes >= 1))
    refuse('sceneSvg', 'input.maxLevelBytes', maxLevelBytes, 'a number of at least 1');
  if (level !== undefined) {
    checkObject('sceneSvg', 'input.level', level);
    checkNumbers('sceneSvg', 'input.level.positions', level.positions);
    if (level.indices !== undefined) checkNumbers('sceneSvg', 'input.level.indices', level.indices);
  }
  if (navMesh !== undefined) checkNavMesh('sceneSvg', navMesh, 'input.navMesh');
  checkHandle('sceneSvg', 'input.cutAbove', cutAbove);
  if (path !== undefined) {
    checkObject('sceneSvg', 'input.path', path);
    checkPoints('sceneSvg', 'input.path.points', path.points, 3);
    if (path.status !== undefined) checkString('sceneSvg', 'input.path.status', path.status);
  }
  lines.forEach((line, i) => {
    checkOptions('sceneSvg', line ?? null, `input.lines[${i}]`);
    checkString('sceneSvg', `input.lines[${i}].name`, line.name);
    checkPoints('sceneSvg', `input.lines[${i}].points`, line.points, 3);
  });
  const names = [...new Set(lines.map(({ name }) => name))];
  const bounds = findBounds(input, cutAbove);
  const { projection, height } = fitToPage(bounds);

  const raster = createRaster(WIDTH, height);
  const levelMarkup = level === undefined ? '' : drawLevel(level, projection, raster, cutAbove, maxLevelBytes);
  const meshPicture = navMesh === undefined ? undefined : drawMesh(navMesh, projection, raster, cutAbove);
  const counts: string[] = [];
  if (level !== undefined) {
    const triangles = Math.floor((level.indices === undefined ? level.positions.length / 3 : level.indices.length) / 3);
    counts.push(`${grouped(triangles)} triangle${triangles === 1 ? '' : 's'}`);
  }
  if (meshPicture !== undefined)
    counts.push(`${grouped(meshPicture.polyCount)} polygon${meshPicture.polyCount === 1 ? '' : 's'}`);
  if (path !== undefined) counts.push(describePath(path));

  const name = escapeXml(title);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" `,
    `role="img" aria-label="${name}" font-family="system-ui,'Segoe UI','DejaVu Sans',sans-serif">\n`,
    `<title>${name}</title>\n<desc>${escapeXml(counts.join(', '))}</desc>\n`,
    `<style>${MESH_STYLE}</style>\n`,
    `<rect x="1" y="1" width="${WIDTH - 2}" height="${height - 2}" rx="14" fill="${PAPER}" stroke="${PAPER_EDGE}"/>\n`,
    `<text x="${MARGIN}" y="46" font-size="24" font-weight="600" fill="${INK}">${name}</text>\n`,
    `<text x="${MARGIN}" y="70" font-size="15" fill="${INK_SOFT}">${escapeXml(counts.join('  ·  '))}</text>\n`,
    '<g transform="scale(.1)">\n',
    `<g fill="currentColor" stroke="currentColor" stroke-width="8" stroke-linejoin="round">\n${levelMarkup}</g>\n`,
    meshPicture === undefined ? '' : meshPicture.markup,
    ...lines.map((line) => drawLine(line.points, projection, names.indexOf(line.name))),
    path === undefined ? '' : drawPath(path.points, projection, raster, navMesh?.agent.height ?? 1.8),
    '</g>\n',
    drawLegend(height - 26, meshPicture?.areas ?? [], path !== undefined, level !== undefined, names),
    drawScaleBar(projection, height - 26),
    '</svg>\n',
  ].join('');
}

function findBounds(input: SceneSvgInput, cutAbove: number): ViewBounds {
  const bounds = emptyViewBounds();
  const { level, navMesh, path, lines = [] } = input;
  if (level !== undefined) {
    const { positions } = level;
    for (let i = 0; i + 2 < positions.length; i += 3) {
      growViewBounds(bounds, positions[i], Math.min(positions[i + 1], cutAbove), positions[i + 2]);
    }
  }
  if (navMesh !== undefined) visitMeshVertices(navMesh, cutAbove, (x, y, z) => growViewBounds(bounds, x, y, z));
  for (const { points } of lines) for (const point of points) growViewBounds(bounds, point[0], point[1], point[2]);
  for (const point of path?.points ?? []) growViewBounds(bounds, point[0], point[1], point[2]);
  if (bounds[0] <= bounds[2] && bounds[1] <= bounds[3]) return bounds;
  return [0, 0, 1, 1];
}

function fitToPage(bounds: ViewBounds): { projection: Projection; height: number } {
  const across = Math.max(bounds[2] - bounds[0], 1e-6);
  const down = Math.max(bounds[3] - bounds[1], 1e-6);
  const drawingWidth = WIDTH - 2 * MARGIN;
  const pixels = Math.min(drawingWidth / across, MAX_DRAWING_HEIGHT / down);
  const drawingHeight = Math.max(MIN_DRAWING_HEIGHT, Math.ceil(down * pixels));
  const scale = pixels * 10;
  return {
    projection: {
      scale,
      offsetX: (WIDTH * 10) / 2 - ((bounds[0] + bounds[2]) / 2) * scale,
      offsetY: HEADER * 10 + drawingHeight * 5 - ((bounds[1] + bounds[3]) / 2) * scale,
    },
    height: HEADER + drawingHeight + FOOTER,
  };
}

function describePath(path: { points: readonly (readonly number[])[]; status?: string }): string {
  let length = 0;
  for (let i = 1; i < path.points.length; i++) {
    const [a, b] = [path.points[i - 1], path.points[i]];
    const [dx, dy, dz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    length += Math.sqrt(dx * dx + dy * dy + dz * dz);
  }
  const status = path.status === undefined || path.status === 'complete' ? '' : ` (${path.status})`;
  return `path of ${length.toFixed(1)} m, ${path.points.length} points${status}`;
}

/** Draws a line in color i, with a dot at each corner. */
function drawLine(points: readonly (readonly number[])[], p: Projection, i: number): string {
  const color = LINE_COLORS[i % LINE_COLORS.length];
  const at = points.map((q) => `${pageX(p, q[0], q[2])} ${pageY(p, q[0], q[1], q[2])}`);
  const dots = at.map((point) => `M${point}h0`).join('');
  return [
    `<g fill="none" stroke="${color}" stroke-linejoin="round" stroke-linecap="round">`,
    `<path d="M${at.join('L')}" stroke-width="24"/><path d="${dots}" stroke-width="60"/></g>\n`,
  ].join('');
}

/** Draws a path: solid where it is visible, dashed where the level hides it. */
function drawPath(points: readonly (readonly number[])[], p: Projection, raster: Raster, slack: number): string {
  if (points.length === 0) return '';
  const at = points.map((q) => [pageX(p, q[0], q[2]), pageY(p, q[0], q[1], q[2])] as const);
  const shown: string[] = [];
  const hidden: string[] = [];
  const isVisible = (point: readonly number[]): boolean => isPointVisible(raster, p, point, slack);
  for (let i = 1; i < points.length; i++) {
    const pieces = runCount(p, points[i - 1], points[i], MAX_RUNS);
    for (const run of visibleRuns(points[i - 1], points[i], pieces, isVisible)) {
      (run.isVisible ? shown : hidden).push(runPath(p, run));
    }
  }
  const [sx, sy] = at[0];
  const [ex, ey] = at[at.length - 1];
  const corners = at.slice(1, -1).map(([x, y]) => `<circle cx="${x}" cy="${y}" r="32"/>`);
  return [
    '<g fill="none" stroke-linejoin="round" stroke-linecap="round">\n',
    `<path d="${hidden.join('')}" stroke="${PATH_COLOR}" stroke-width="26" stroke-dasharray="10 62"/>\n`,
    `<path d="${shown.join('')}" stroke="#fff" stroke-width="80" stroke-opacity=".92"/>\n`,
    `<path d="${shown.join('')}" stroke="${PATH_COLOR}" stroke-width="44"/>\n</g>\n`,
    `<g fill="#fff" stroke="${PATH_COLOR}" stroke-width="18">${corners.join('')}</g>\n`,
    `<circle cx="${sx}" cy="${sy}" r="85" fill="#fff" stroke="${PATH_COLOR}" stroke-width="44"/>\n`,
    `<g transform="translate(${ex} ${ey})">${PIN}</g>\n`,
  ].join('');
}

/** A map pin with its tip at (0, 0). */
const PIN =
  `<path d="M0 0c-30-95-120-150-120-255a120 120 0 0 1 240 0c0 105-90 160-120 255z" fill="${PATH_COLOR}" stroke="#fff" ` +
  'stroke-width="22"/><circle cy="-255" r="46" fill="#fff"/>';

const SWATCH = 'y="-12" width="26" height="15" rx="2"';

function drawLegend(
  y: number,
  areas: readonly number[],
  hasPath: boolean,
  hasLevel: boolean,
  names: readonly string[],
): string {
  const parts: string[] = [];
  let x = MARGIN;
  const put = (mark: string, text: string): void => {
    parts.push(
      `<g transform="translate(${x} ${y})">${mark}<text x="34" font-size="14" fill="${INK}">${text}</text></g>\n`,
    );
    x += 34 + Math.ceil(text.length * 7.6) + 26;
  };
  for (const area of areas.slice(0, 6)) {
    const name = area === AREA_GROUND ? 'walkable ground' : `area ${area}`;
    put(`<rect ${SWATCH} fill="${areaFill(area)}" fill-opacity=".55" stroke="${GROUND_EDGE}"/>`, name);
  }
  if (areas.length > 6) put('', `and ${areas.length - 6} more areas`);
  if (areas.length > 0) put(`<path d="M0-4.5h26" stroke="${GROUND_EDGE}" stroke-width="2"/>`, 'edge of the mesh');
  if (hasPath) {
    const line = `<path d="M0-4.5h26" stroke="${PATH_COLOR}" stroke-width="4.6" stroke-linecap="round"/>`;
    put(`${line}<circle cx="13" cy="-4.5" r="3.4" fill="#fff" stroke="${PATH_COLOR}" stroke-width="1.8"/>`, 'path');
  }
  names.forEach((name, i) => {
    const color = LINE_COLORS[i % LINE_COLORS.length];
    put(`<path d="M0-4.5h26M13-4.5h0" stroke="${color}" stroke-width="3" stroke-linecap="round"/>`, escapeXml(name));
  });
  if (hasLevel && areas.length === 0) put(`<rect ${SWATCH} fill="#d8d5cc" stroke="#a9a69c"/>`, 'level');
  return parts.join('');
}

/** Draws a scale bar: 1, 2 or 5 times a power of ten, at most 180 pixels long. */
function drawScaleBar(p: Projection, y: number): string {
  const pixels = p.scale / 10;
  let length = 1;
  while (length * pixels > 180) length /= 10;
  while (length * 10 * pixels <= 180) length *= 10;
  const steps = length * 5 * pixels <= 180 ? 5 : length * 2 * pixels <= 180 ? 2 : 1;
  const world = length * steps;
  const width = Math.round(world * pixels * 10) / 10;
  const x = WIDTH - MARGIN - width;
  const label = world >= 1 ? String(Math.round(world)) : world.toPrecision(1);
  return [
    `<g transform="translate(${x} ${y - 6})"><path d="M0-6v6h${width}v-6" fill="none" stroke="${INK}" stroke-width="1.6"/>`,
    `<text x="${width / 2}" y="-6" font-size="14" text-anchor="middle" fill="${INK}">${label} m</text></g>\n`,
  ].join('');
}
