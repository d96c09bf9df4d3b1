/**
 * Measures 2D maps: the constrained Delaunay triangulation against npm earcut (fast, not conforming) and
 * cdt2d (exact) on the same clean rings, in turns; and the whole of `buildFromPolygons`, with and without a
 * radius, against earcut alone. Throws when areas disagree.
 */
import cdt2d from 'cdt2d';
import earcut from 'earcut';
import type { NavMesh } from 'navkiln';
import { buildFromPolygons, mapStages } from 'navkiln/polygon';
import type { Rings } from 'navkiln/polygon';
import { findMapScene } from 'navkiln-scenes';
import { measureInterleaved, ratioOf, spreadOf } from './harness.ts';
import type { Contender, Spread } from './harness.ts';

export interface PolygonRow {
  map: string;
  points: number;
  triangles: number;
  polygons: number;
  ms: Record<string, number>;
  /** Time of navkiln's triangulation over that of each other library. */
  ratios: Record<string, Spread>;
  /** Time of the whole build over that of earcut's triangulation. */
  build: Spread;
}

/** Maps by name and scale. */
const MAPS: readonly (readonly [string, number])[] = [
  ['coast-map', 1],
  ['shapes-map', 40],
  ['grid-map', 60],
  ['comb-map', 25],
  ['spiral-map', 30],
  ['twenty-five-corners', 1],
];

/** When a round takes longer, it is repeated only a few times. */
const SLOW_MS = 1000;

/** Lists the maps that are measured; no names: all. */
export function polygonMaps(names: readonly string[]): string[] {
  return MAPS.map(([name]) => name).filter((name) => names.length === 0 || names.includes(name));
}

export function benchPolygons(name: string, rounds: number): PolygonRow {
  const known = MAPS.find((map) => map[0] === name);
  if (!known) throw new RangeError(`benchPolygons: no map ${name}`);
  return benchMap(known[0], known[1], rounds);
}

function benchMap(name: string, scale: number, rounds: number): PolygonRow {
  const scene = findMapScene(name),
    map = scene.create(undefined, scale);
  const {
    navMesh,
    stages: { ground },
    report: { counts, frame },
  } = buildFromPolygons(map);
  checkArea(name, 'navkiln', meshArea(navMesh) / frame.gridSize ** 2, ground);
  const groups = groupRings(ground);
  const points = Array.from(ground.x, (x, i) => [x, ground.y[i]]);
  const edges: number[][] = [];
  for (let r = 0; r < ground.ringCount; r++) {
    const first = ground.start[r],
      end = ground.start[r + 1];
    for (let i = first; i < end; i++) edges.push([i, i + 1 < end ? i + 1 : first]);
  }
  const contenders: Contender[] = [
    { name: 'navkiln', run: () => mapStages.findWindings(mapStages.triangulateRings(ground)) },
    { name: 'earcut', run: () => groups.map(({ flat, holes }) => earcut(flat, holes)) },
    { name: 'build', run: () => buildFromPolygons(map) },
    { name: 'build with radius', run: () => buildFromPolygons(map, { radius: scene.radius }) },
  ];
  // earcut takes seconds for a spiral.
  const begin = performance.now();
  for (const { run } of contenders) run();
  const isSlow = performance.now() - begin > SLOW_MS;
  if (isSlow) for (let k = 0; k < 10; k++) for (const { name: who, run } of contenders) if (who !== 'earcut') run();
  const times = measureInterleaved(
    contenders,
    isSlow ? { rounds: Math.min(rounds, 3), warmups: 0 } : { rounds, warmups: 10 },
  );
  // A few rounds are enough for work that takes a hundred times as long. cdt2d needs distinct points.
  const isClean = new Set(points.map(String)).size === points.length;
  const isSmall = points.length < 1000;
  const slow = isClean
    ? measureInterleaved([contenders[0], { name: 'cdt2d', run: () => cdt2d(points, edges, { exterior: false }) }], {
        rounds: isSmall ? rounds : 5,
        warmups: isSmall ? 50 : 1,
      })
    : undefined;
  if (isClean) checkArea(name, 'cdt2d', triangleArea(points, cdt2d(points, edges, { exterior: false })), ground);
  checkArea(
    name,
    'earcut',
    groups.reduce((sum, { flat, holes }) => sum + earcutArea(flat, earcut(flat, holes)), 0),
    ground,
  );
  const ms: Record<string, number> = {};
  contenders.forEach((one, k) => {
    ms[one.name] = spreadOf(times[k]).median;
  });
  if (slow) ms.cdt2d = spreadOf(slow[1]).median;
  return {
    map: name,
    points: points.length,
    triangles: counts.triangles,
    polygons: counts.polygons,
    ms,
    ratios: { earcut: ratioOf(times[0], times[1]), ...(slow ? { cdt2d: ratioOf(slow[0], slow[1]) } : {}) },
    build: ratioOf(times[2], times[1]),
  };
}

/** Returns twice the area of a ring. */
function ringArea({ start, x, y }: Rings, r: number): number {
  const first = start[r],
    end = start[r + 1];
  let sum = 0;
  for (let i = first; i < end; i++) {
    const j = i + 1 < end ? i + 1 : first;
    sum += x[i] * y[j] - x[j] * y[i];
  }
  return sum;
}

/**
 * Groups each outer ring with its holes, as earcut expects. A hole belongs to the smallest outer ring around
 * its first point.
 */
export function groupRings(rings: Rings): { flat: number[]; holes: number[] }[] {
  const { ringCount, start, x, y } = rings;
  const list = Array.from({ length: ringCount }, (_, r) => ({ r, area: ringArea(rings, r) }));
  const outers = list
    .filter((one) => one.area > 0)
    .map((one) => ({ ...one, flat: flatRing(rings, one.r), holes: [] as number[] }));
  for (const { r } of list.filter((one) => one.area < 0)) {
    const around = outers.filter((one) => isInside(rings, one.r, x[start[r]], y[start[r]]));
    const owner = around.sort((a, b) => a.area - b.area)[0] ?? outers[0];
    owner.holes.push(owner.flat.length / 2);
    owner.flat.push(...flatRing(rings, r));
  }
  return outers;
}

function flatRing({ start, x, y }: Rings, r: number): number[] {
  const flat: number[] = [];
  for (let i = start[r]; i < start[r + 1]; i++) flat.push(x[i], y[i]);
  return flat;
}

function isInside({ start, x, y }: Rings, r: number, px: number, py: number): boolean {
  const first = start[r],
    end = start[r + 1];
  let inside = false;
  for (let i = first; i < end; i++) {
    const j = i + 1 < end ? i + 1 : first;
    if (y[i] > py === y[j] > py) continue;
    if (px < x[i] + ((py - y[i]) / (y[j] - y[i])) * (x[j] - x[i])) inside = !inside;
  }
  return inside;
}

/** Returns twice the area of triangles. */
function triangleArea(points: readonly (readonly number[])[], triangles: readonly (readonly number[])[]): number {
  let sum = 0;
  for (const [a, b, c] of triangles) {
    const [[ax, ay], [bx, by], [cx, cy]] = [points[a!], points[b!], points[c!]];
    sum += Math.abs((bx! - ax!) * (cy! - ay!) - (by! - ay!) * (cx! - ax!));
  }
  return sum;
}

function earcutArea(flat: readonly number[], indices: readonly number[]): number {
  const points = Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i], flat[2 * i + 1]]);
  return triangleArea(
    points,
    Array.from({ length: indices.length / 3 }, (_, t) => indices.slice(3 * t, 3 * t + 3)),
  );
}

/** Returns twice the area of the pieces. */
function meshArea({ polyCount, polyEdgeStart, polyVertexCount, edgeVertex, vertices }: NavMesh): number {
  let sum = 0;
  for (let poly = 0; poly < polyCount; poly++) {
    const first = polyEdgeStart[poly],
      count = polyVertexCount[poly],
      apex = 3 * edgeVertex[first];
    for (let k = 1; k + 1 < count; k++) {
      const a = 3 * edgeVertex[first + k],
        b = 3 * edgeVertex[first + k + 1];
      sum +=
        (vertices[a] - vertices[apex]) * (vertices[b + 2] - vertices[apex + 2]) -
        (vertices[a + 2] - vertices[apex + 2]) * (vertices[b] - vertices[apex]);
    }
  }
  return Math.abs(sum);
}

function checkArea(map: string, who: string, area: number, ground: Rings): void {
  let exact = 0;
  for (let r = 0; r < ground.ringCount; r++) exact += ringArea(ground, r);
  if (!(Math.abs(area - exact) <= 1e-9 * exact))
    throw new Error(`${map}: ${who} covers ${area / 2}, the rings ${exact / 2}`);
}

/** Formats a table. */
export function polygonTable(rows: readonly PolygonRow[]): string[][] {
  const digits = (value: number | undefined): string => (value === undefined ? '-' : value.toPrecision(3));
  return [
    [
      '2D map',
      'points',
      'triangles',
      'pieces',
      'navkiln ms',
      'earcut ms',
      'cdt2d ms',
      '/ earcut',
      '/ cdt2d',
      'build / earcut',
      'build ms',
      'with radius',
    ],
    ...rows.map(({ map, points, triangles, polygons, ms, ratios, build }) => [
      map,
      String(points),
      String(triangles),
      (polygons / triangles).toFixed(3),
      digits(ms.navkiln),
      digits(ms.earcut),
      digits(ms.cdt2d),
      digits(ratios.earcut?.median),
      digits(ratios.cdt2d?.median),
      digits(build.median),
      digits(ms.build),
      digits(ms['build with radius']),
    ]),
  ];
}
