/**
 * Measures paths for any radius from one clearance, and from one for radii up to twice the agent's, against paths on a map that was built for
 * the radius, in turns, and how long both take to build. Paths must have the same length, up to the arcs of the built map. Throws when one finds a path and the other does not.
 */
import { createClearance, findClearPath2d } from 'navkiln/clearance';
import { buildFromPolygons, findPath2d } from 'navkiln/polygon';
import { findMapScene } from 'navkiln-scenes';
import { measureInterleaved, ratioOf, spreadOf } from './harness.ts';
import type { Spread } from './harness.ts';

export interface ClearanceRow {
  map: string;
  triangles: number;
  polygons: number;
  /** Microseconds a query: clearance, clearance for radii up to twice this one, map built for the radius. */
  micros: [number, number, number];
  query: Spread;
  bounded: Spread;
  /** Time of createClearance over that of the build with the radius. */
  build: Spread;
  /** Longest path of the clearance over that of the built map, and shortest. */
  length: [number, number];
}

/** Maps by name and scale. */
const MAPS: readonly (readonly [string, number])[] = [
  ['twenty-five-corners', 1],
  ['grid-map', 10],
  ['shapes-map', 10],
  ['rubble-map', 4],
  ['coast-map', 1],
  ['spiral-map', 3],
  ['comb-map', 3],
  ['lakes-map', 4],
];

const PAIRS = 50;
/** Sides of arcs in the built map: within half a percent of the circle, where lengths are compared. */
const ARC_TOLERANCE = 0.005;

export function benchClearance(names: readonly string[], rounds: number): ClearanceRow[] {
  return MAPS.filter(([name]) => names.length === 0 || names.includes(name)).map(([name, scale]) =>
    benchMap(name, scale, rounds),
  );
}

function benchMap(name: string, scale: number, rounds: number): ClearanceRow {
  const scene = findMapScene(name);
  const map = scene.create(undefined, scale);
  const { radius } = scene;
  const plain = buildFromPolygons(map).navMesh;
  const built = buildFromPolygons(map, { radius }).navMesh;
  const fine = buildFromPolygons(map, { radius: radius * (1 + 1e-5), arcTolerance: ARC_TOLERANCE }).navMesh;
  const clearance = createClearance(plain);
  const bounded = createClearance(plain, { maxRadius: 2 * radius });
  const pairs = pairsOn(plain, radius, fine);
  const length: [number, number] = [0, Infinity];
  for (const [a, b] of pairs) {
    const clear = findClearPath2d(clearance, a, b, radius);
    const known = findPath2d(fine, a, b);
    if (clear.status !== 'complete') throw new Error(`benchClearance: ${name}: no path from ${a} to ${b}`);
    const ratio = known.length === 0 ? 1 : clear.length / known.length;
    length[0] = Math.max(length[0], ratio);
    length[1] = Math.min(length[1], ratio);
    const other = findClearPath2d(bounded, a, b, radius).length;
    if (!(Math.abs(other - clear.length) <= 1e-9 * clear.length)) {
      throw new Error(`benchClearance: ${name}: lengths are ${clear.length} and, with maxRadius, ${other}`);
    }
  }
  if (length[0] > 1 + 1e-6) throw new Error(`benchClearance: ${name}: a path is ${length[0]} times as long`);
  const run = (find: (a: [number, number], b: [number, number]) => unknown) => (): void => {
    for (const [a, b] of pairs) find(a, b);
  };
  const times = measureInterleaved(
    [
      { name: 'clearance', run: run((a, b) => findClearPath2d(clearance, a, b, radius)) },
      { name: 'bounded', run: run((a, b) => findClearPath2d(bounded, a, b, radius)) },
      { name: 'built', run: run((a, b) => findPath2d(built, a, b)) },
    ],
    { rounds: Math.max(rounds, 15), warmups: 20 },
  );
  const builds = measureInterleaved(
    [
      { name: 'clearance', run: () => createClearance(plain) },
      { name: 'built', run: () => buildFromPolygons(map, { radius }) },
    ],
    { rounds: Math.min(rounds, 7), warmups: 3 },
  );
  const microsOf = (k: number): number => (1000 * spreadOf(times[k]).median) / pairs.length;
  return {
    map: name,
    triangles: clearance.triangleCount,
    polygons: built.polyCount,
    micros: [microsOf(0), microsOf(1), microsOf(2)],
    query: ratioOf(times[0], times[2]),
    bounded: ratioOf(times[1], times[2]),
    build: ratioOf(builds[0], builds[1]),
    length,
  };
}

type Mesh = ReturnType<typeof buildFromPolygons>['navMesh'];

/** Returns seeded pairs of points that are connected for the radius. */
function pairsOn(plain: Mesh, radius: number, fine: Mesh): [[number, number], [number, number]][] {
  let seed = 7;
  const random = (): number => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) / 0x80000000;
  let [minX, maxX, minY, maxY] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let v = 0; v < plain.vertexCount; v++) {
    minX = Math.min(minX, plain.vertices[3 * v]);
    maxX = Math.max(maxX, plain.vertices[3 * v]);
    minY = Math.min(minY, plain.mapYSign * plain.vertices[3 * v + 2]);
    maxY = Math.max(maxY, plain.mapYSign * plain.vertices[3 * v + 2]);
  }
  const pairs: [[number, number], [number, number]][] = [];
  for (let tries = 0; tries < 20000 && pairs.length < PAIRS; tries++) {
    const point = (): [number, number] => [minX + (maxX - minX) * random(), minY + (maxY - minY) * random()];
    const [a, b] = [point(), point()];
    const path = findPath2d(fine, a, b, { halfExtents: 0 });
    if (path.status === 'complete' && path.length > 10 * radius) pairs.push([a, b]);
  }
  return pairs;
}

const HEAD = [
  'map',
  'triangles',
  'polygons',
  'µs',
  'µs maxRadius',
  'µs built',
  'query',
  'with maxRadius',
  'build',
  'length',
];

export function clearanceTable(rows: readonly ClearanceRow[]): string[][] {
  const spread = ({ q1, median, q3 }: Spread): string => `${median.toFixed(2)} (${q1.toFixed(2)} .. ${q3.toFixed(2)})`;
  return [
    HEAD,
    ...rows.map((row) => [
      row.map,
      String(row.triangles),
      String(row.polygons),
      ...row.micros.map((micros) => micros.toFixed(0)),
      spread(row.query),
      spread(row.bounded),
      spread(row.build),
      `${row.length[1].toFixed(4)}-${row.length[0].toFixed(4)}`,
    ]),
  ];
}
