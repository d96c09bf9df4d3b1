/**
 * Writes a 2D map as JSON, GeoJSON or SVG. The text opens again as the same map.
 *
 * In: a map. Out: text. Numbers are written in full.
 * Cost: linear in the number of corners.
 * Based on: RFC 7946 (GeoJSON): rings are closed, outlines run counter-clockwise.
 */
import { unprojectPoint } from 'navkiln/polygon';
import type { MapProjection, ParsedLink, PointLike2d, PolygonMap, YAxis } from 'navkiln/polygon';
import { ringsOf, signedArea } from '../state/map-shapes.ts';
import { pointOf } from '../state/map-point.ts';
import type { Point2 } from '../state/map-point.ts';

type Properties = Record<string, string | number | boolean>;

/** Returns the map as the command line reads it, one ring a line. */
export function mapJson(map: PolygonMap & { links?: readonly ParsedLink[] }): string {
  const { polygons, obstacles = [], areas = [], layers = [], links = [], yAxis, precision = 0 } = map;
  const content = {
    ...(yAxis === 'down' ? { yAxis } : {}),
    ...(precision > 0 ? { precision } : {}),
    polygons,
    ...(obstacles.length > 0 ? { obstacles } : {}),
    ...(areas.length > 0 ? { areas } : {}),
    ...(layers.length > 0 ? { layers } : {}),
    ...(links.length > 0 ? { links } : {}),
  };
  // Strings have no line ends in JSON, so only points match.
  const text = JSON.stringify(content, null, 1).replace(
    /\[\n\s+([^\s[\]{}"]+),\n\s+([^\s[\]{}"]+)\n\s+\]/g,
    '[$1, $2]',
  );
  return `${text.replace(/(\[-?\d[^[\]]*\],?)\n\s+(?=\[)/g, '$1 ')}\n`;
}

/**
 * Returns the map as GeoJSON: longitudes and latitudes for a map that was read from them, else coordinates in the map's units
 * and the member `projection: "none"`, which says so.
 */
export function mapGeoJson(map: PolygonMap & { projection?: MapProjection }): string {
  const { projection } = map;
  const features: object[] = [];
  const written = (point: PointLike2d): Point2 =>
    projection === undefined ? pointOf(point) : unprojectPoint(projection, point);
  const feature = (rings: readonly (readonly PointLike2d[])[], properties: Properties): void => {
    const coordinates = rings.map((ring, index) => closedRing(ring.map(written), index === 0));
    features.push({ type: 'Feature', properties, geometry: { type: 'Polygon', coordinates } });
  };
  const lists = ({ polygons = [], obstacles = [], areas = [] }: Partial<PolygonMap>, own: Properties): void => {
    for (const { outline, holes = [] } of polygons) feature([outline, ...holes], own);
    for (const ring of obstacles) feature([ring], { ...own, obstacle: true });
    for (const { outline, holes = [], name, cost } of areas) {
      feature([outline, ...holes], { ...own, area: name, ...(cost === undefined ? {} : { cost }) });
    }
  };
  lists(map, {});
  for (const { name, enabled, ...own } of map.layers ?? []) {
    lists(own, { layer: name, ...(enabled === false ? { enabled } : {}) });
  }
  const own = projection === undefined ? { projection: 'none' } : {};
  return `${JSON.stringify({ type: 'FeatureCollection', ...own, features })}\n`;
}

function closedRing(ring: readonly Point2[], isOutline: boolean): Point2[] {
  const isCounterClockwise = signedArea(ring) > 0;
  const turned = isCounterClockwise === isOutline ? [...ring] : [...ring].reverse();
  return [...turned, turned[0]];
}

const SVG_COLORS = { outline: '#9fc9e4', obstacle: '#8a5a00', area: '#e5b1d7' } as const;

/** Returns the map as SVG. Its y axis points down in the picture, as it lies on the screen. */
export function mapSvg(map: PolygonMap, yAxis: YAxis): string {
  const sign = yAxis === 'down' ? 1 : -1;
  const rings = ringsOf(map);
  const xs = rings.flatMap(({ points }) => points.map(([x]) => x));
  const ys = rings.flatMap(({ points }) => points.map(([, y]) => sign * y));
  const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), -Infinity);
  const [x0, y0, x1, y1] = rings.length === 0 ? [0, 0, 1, 1] : [least(xs), least(ys), most(xs), most(ys)];
  const rim = Math.max(x1 - x0, y1 - y0) / 50;
  const path = (points: readonly PointLike2d[]): string =>
    `M${points
      .map((point) => pointOf(point))
      .map(([x, y]) => `${x} ${sign * y + 0}`)
      .join('L')}Z`;
  const shape = (kind: keyof typeof SVG_COLORS, all: readonly (readonly PointLike2d[])[], more: Properties): string => {
    const attributes = Object.entries({ class: kind === 'outline' ? 'walkable' : kind, ...more });
    const text = attributes.map(([name, value]) => ` ${name}="${escaped(String(value))}"`).join('');
    return `  <path${text} fill="${SVG_COLORS[kind]}" fill-rule="evenodd" d="${all.map(path).join('')}"/>`;
  };
  const lists = ({ polygons = [], obstacles = [], areas = [] }: Partial<PolygonMap>): string[] => [
    ...polygons.map(({ outline, holes = [] }) => shape('outline', [outline, ...holes], {})),
    ...areas.map(({ outline, holes = [], name, cost }) =>
      shape('area', [outline, ...holes], { 'data-name': name, ...(cost === undefined ? {} : { 'data-cost': cost }) }),
    ),
    ...obstacles.map((ring) => shape('obstacle', [ring], {})),
  ];
  const layers = (map.layers ?? []).flatMap(({ name, enabled, ...own }) => [
    `  <g data-layer="${escaped(name)}"${enabled === false ? ' display="none"' : ''}>`,
    ...lists(own).map((line) => `  ${line}`),
    '  </g>',
  ]);
  const box = [x0 - rim, y0 - rim, x1 - x0 + 2 * rim, y1 - y0 + 2 * rim].map((value) => Number(value.toPrecision(9)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box.join(' ')}" data-y-axis="${yAxis}">`,
    ...lists(map),
    ...layers,
    '</svg>',
    '',
  ].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
