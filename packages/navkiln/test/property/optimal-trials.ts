/**
 * Random trials of path searches on meshes whose polygons are convex only up to rounding.
 *
 * Maps of cells are rotated, sheared, scaled and moved by any numbers, so that corners in a row no longer are; some are cut into tiles.
 * Paths are compared with the visibility graph of the map before all that. Surface meshes of rotated and moved levels have no such
 * graph: there a path is compared with that of findPath, and with the way back.
 */
import { levelScenes } from 'navkiln-scenes';
import { createRandom } from '../../src/base/data/random.ts';
import { createNavMesh } from '../../src/mesh/create.ts';
import { addTile } from '../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { createCorridorCorners, findCorridorCorners } from '../../src/agents/corridor/corners.ts';
import { resetCorridor, setCorridor } from '../../src/agents/corridor/corridor.ts';
import { createPathCorridor } from '../../src/agents/corridor/types.ts';
import { polyIndexOf } from '../../src/mesh/ref.ts';
import { createCorridor, findCrossing } from '../../src/query/path/corridor.ts';
import type { LocatedPath } from '../../src/query/path/result.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { findOptimalPath } from '../../src/query/optimal/optimal.ts';
import { findRandomPoint } from '../../src/query/random/random-point.ts';
import { buildFromSurface } from '../../src/build/surface/build.ts';
import { AGENT, seeded, tileOf } from '../unit/meshes.ts';
import { PARTS, createOracle, polysOf, randomMap } from '../unit/query/optimal-oracle.ts';
import type { PolySpec } from '../unit/meshes.ts';
import type { CellMap, Oracle, Shape } from '../unit/query/optimal-oracle.ts';

/** Pairs of positions on each mesh; each is asked in both directions. */
const PAIRS = 60;

type Place = readonly [number, number];

/** A mesh, its graph, and the transform from positions of the map to the mesh. */
export interface TrialMesh {
  mesh: NavMesh;
  map: CellMap;
  oracle: Oracle;
  world: (place: Place) => [number, number, number];
  /** Returns the position of a point, in parts of cells, not rounded. */
  placeOf: (point: readonly number[]) => [number, number];
  scale: number;
  /** Half extents of queries, and the difference of lengths that roundings of coordinates explain. */
  reach: number;
  slack: number;
  what: string;
}

const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)];

function shapeOf(random: () => number): Shape {
  const angle = 2 * Math.PI * random();
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const shear = pick(random, [0, 0, 2 * random() - 1, 1e-3]);
  const stretch = pick(random, [1, 1, 0.1 + random()]);
  return [cos, cos * shear - sin * stretch, sin, sin * shear + cos * stretch];
}

const WHOLE: readonly Shape[] = [
  [1, 0, 0, 1],
  [2, 1, 0, 1],
  [3, -4, 4, 3],
];

/**
 * Returns the mesh of a seed, or undefined where the map is closed everywhere. With slivers, the map is not scaled or moved, and
 * triangles without area lie along its straight walls, as bakes leave them.
 */
export function trialMesh(seed: number, hasSlivers = false): TrialMesh | undefined {
  const random = seeded(seed);
  const below = (n: number): number => Math.floor(random() * n);
  const isTiled = random() < 0.25;
  const map = randomMap(random, 3 + below(isTiled ? 9 : 6), 3 + below(isTiled ? 9 : 6), 0.5 + 0.4 * random());
  const shape = isTiled ? WHOLE[0] : random() < 0.5 && !hasSlivers ? shapeOf(random) : pick(random, WHOLE);
  const scale = hasSlivers ? 1 : pick(random, [1, 1e-3, 0.1, 1 / 3, 10 ** (8 * random() - 4)]);
  const shift: Place = hasSlivers
    ? [0, 0]
    : pick(random, [
        [0, 0],
        [0, 0],
        [1e3 * random(), -1e3 * random()],
        [-1e5, 1e5 * random()],
      ]);
  // Drawn, and not used: named seeds were found with it.
  if (!isTiled) random();
  const world = ([x, z]: Place): [number, number, number] => [
    ((shape[0] * x + shape[1] * z) / PARTS) * scale + shift[0],
    0,
    ((shape[2] * x + shape[3] * z) / PARTS) * scale + shift[1],
  ];
  const size = Math.abs(shift[0]) + Math.abs(shift[1]) + 100 * scale;
  const rounding = size * 1e-15;
  // Neighboring tiles are joined where they meet up to the rounding of float32.
  if (rounding > 1e-4 * scale || (isTiled && size * 2 ** -23 > 1e-2 * scale)) return trialMesh(seed + 1e9, hasSlivers);
  const [merge, cut] = [pick(random, [0, 0.5, 0.9]), pick(random, [0, 0.5])];
  const side = isTiled ? 2 + below(3) : 0;
  const mesh = createNavMesh({
    // Corners nearer to an agent than a fraction of its radius are left out.
    agent: { ...AGENT, radius: AGENT.radius * scale },
    cellSize: 0.2 * scale,
    cellHeight: 0.1,
    ...(isTiled && { tileSize: side * scale, origin: [shift[0], 0, shift[1]] }),
  });
  for (let tx = 0; tx * side < map.width; tx++) {
    for (let tz = 0; tz * side < map.depth; tz++) {
      const [x0, z0] = [tx * side, tz * side];
      const [w, d] = isTiled
        ? [Math.min(side, map.width - x0), Math.min(side, map.depth - z0)]
        : [map.width, map.depth];
      const part: CellMap = {
        width: w,
        depth: d,
        isOpen: (x, z) => x >= 0 && z >= 0 && x < w && z < d && map.isOpen(x0 + x, z0 + z),
      };
      const polys = polysOf(part, random, merge, cut);
      if (polys.length === 0) continue;
      if (hasSlivers) addSlivers(polys, part, isTiled, random);
      const vertices: number[][] = [];
      for (let z = 0; z <= d; z++)
        for (let x = 0; x <= w; x++) vertices.push(world([PARTS * (x0 + x), PARTS * (z0 + z)]));
      const tile = tileOf(vertices, polys, { x: tx, z: tz });
      if (isTiled) openSides(tile, w, side);
      addTile(mesh, tile);
      if (!isTiled) break;
    }
    if (!isTiled) break;
  }
  if (mesh.polyCount === 0) return undefined;
  const det = shape[0] * shape[3] - shape[1] * shape[2];
  const placeOf = (point: readonly number[]): [number, number] => {
    const [x, z] = [(point[0] - shift[0]) / scale, (point[2] - shift[1]) / scale];
    return [((shape[3] * x - shape[1] * z) / det) * PARTS, ((shape[0] * z - shape[2] * x) / det) * PARTS];
  };
  return {
    mesh,
    map,
    oracle: createOracle(map, shape),
    world,
    placeOf,
    scale,
    reach: 1e-6 * scale + 10 * rounding,
    slack: 100 * rounding,
    what: `seed ${seed}: shape ${shape}, scale ${scale}, shift ${shift}${isTiled ? `, tiles of ${side}` : ''}`,
  };
}

/**
 * Adds triangles without area where two edges of walls lie in one line: their long side is the wall then. In tiles, not on the border.
 */
function addSlivers(polys: PolySpec[], { width, depth }: CellMap, isTiled: boolean, random: () => number): void {
  const sides = new Map<number, number[]>();
  const all = new Set<string>();
  for (const { corners } of polys) corners.forEach((a, k) => all.add(`${a},${corners[(k + 1) % corners.length]}`));
  const at = (v: number): [number, number] => [v % (width + 1), Math.floor(v / (width + 1))];
  for (const { corners } of polys) {
    corners.forEach((a, k) => {
      const b = corners[(k + 1) % corners.length];
      if (!all.has(`${b},${a}`)) sides.set(a, [...(sides.get(a) ?? []), b]);
    });
  }
  const taken = new Set<string>();
  for (const [a, ends] of sides) {
    for (const b of ends) {
      for (const c of sides.get(b) ?? []) {
        const [[ax, az], [bx, bz], [cx, cz]] = [at(a), at(b), at(c)];
        const isStraight =
          (bx - ax) * (cz - bz) === (bz - az) * (cx - bx) && (bx - ax) * (cx - bx) + (bz - az) * (cz - bz) > 0;
        const isOnBorder =
          isTiled && ((ax === cx && (ax === 0 || ax === width)) || (az === cz && (az === 0 || az === depth)));
        if (!isStraight || isOnBorder || random() < 0.4) continue;
        if (taken.has(`${a},${b}`) || taken.has(`${b},${c}`)) continue;
        taken.add(`${a},${b}`).add(`${b},${c}`);
        polys.push({ corners: [a, c, b] });
      }
    }
  }
}

/** Marks edges on the border of a tile that is w cells wide. A tile that is not full has no neighbor there. */
function openSides(tile: ReturnType<typeof tileOf>, w: number, side: number): void {
  for (let p = 0; p < tile.polyCount; p++) {
    const [first, end] = [tile.polyEdgeStart[p], tile.polyEdgeStart[p + 1]];
    for (let e = first; e < end; e++) {
      const [a, b] = [tile.edgeVertex[e], tile.edgeVertex[e + 1 === end ? first : e + 1]];
      const [ax, az, bx, bz] = [a % (w + 1), Math.floor(a / (w + 1)), b % (w + 1), Math.floor(b / (w + 1))];
      if (ax === 0 && bx === 0) tile.edgeNeighbor[e] = -2;
      if (az === side && bz === side) tile.edgeNeighbor[e] = -3;
      if (ax === side && bx === side) tile.edgeNeighbor[e] = -4;
      if (az === 0 && bz === 0) tile.edgeNeighbor[e] = -5;
    }
  }
}

export interface TrialCounts {
  meshes: number;
  queries: number;
  exact: number;
  notExact: number;
  unreachable: number;
  tooLong: number;
  crossing: number;
  endless: number;
  wrongStatus: number;
  strings: number;
  stringsCrossing: number;
}

/** Returns how many outcomes of trials should not have been. */
export function failuresOf(counts: TrialCounts): number {
  return (
    counts.notExact + counts.tooLong + counts.crossing + counts.endless + counts.wrongStatus + counts.stringsCrossing
  );
}

export function noCounts(): TrialCounts {
  return {
    meshes: 0,
    queries: 0,
    exact: 0,
    notExact: 0,
    unreachable: 0,
    tooLong: 0,
    crossing: 0,
    endless: 0,
    wrongStatus: 0,
    strings: 0,
    stringsCrossing: 0,
  };
}

/** Runs trials on maps from a seed on, until there are enough queries or the time is up. */
export function runMapTrials(
  counts: TrialCounts,
  seed: number,
  queries: number,
  seconds: number,
  report: (problem: string) => void,
  hasSlivers = false,
): void {
  const end = Date.now() + 1000 * seconds;
  for (let at = seed; counts.queries < queries && Date.now() < end; at++) {
    const trial = trialMesh(at, hasSlivers);
    if (trial === undefined) continue;
    const invalid = validateNavMesh(trial.mesh);
    if (invalid.length > 0) throw new Error(`${trial.what}: ${invalid[0].message}`);
    counts.meshes++;
    runMesh(trial, seeded(at + 5e8), counts, report);
  }
}

const planar = (points: readonly (readonly number[])[]): number =>
  points.slice(1).reduce((sum, p, i) => sum + Math.hypot(p[0] - points[i][0], p[2] - points[i][2]), 0);

/** Runs queries in both directions on the surface mesh of a level that is rotated and moved. */
export function runLevelTrials(
  counts: TrialCounts,
  name: string,
  seed: number,
  queries: number,
  report: (problem: string) => void,
): void {
  const random = seeded(seed);
  const scene = levelScenes.find((one) => one.name === name)!;
  const level = scene.create(seed);
  const angle = 2 * Math.PI * random();
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const shift = pick(random, [0, 1e3, 1e5]);
  const positions = new Float64Array(level.positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    positions[i] = cos * level.positions[i] - sin * level.positions[i + 2] + shift;
    positions[i + 1] = level.positions[i + 1];
    positions[i + 2] = sin * level.positions[i] + cos * level.positions[i + 2] - shift;
  }
  const { navMesh } = buildFromSurface({ ...level, positions }, { agent: scene.options.agent });
  const draw = createRandom(seed);
  counts.meshes++;
  for (let i = 0; i < queries; i += 2) {
    const [a, b] = [0, 1].map(() => findRandomPoint(navMesh, draw)!.point);
    const what = `${name} ${seed}: ${a} to ${b}`;
    const [path, back] = [findOptimalPath(navMesh, a, b), findOptimalPath(navMesh, b, a)];
    const other = findPath(navMesh, a, b);
    counts.queries += 2;
    if (path.reason === 'budget' || back.reason === 'budget') {
      counts.endless++;
      report(`ENDLESS ${what}`);
      continue;
    }
    if (path.status !== other.status || back.status !== path.status) {
      counts.wrongStatus++;
      report(`WRONG STATUS ${what}: ${path.status}, back ${back.status}, findPath ${other.status}`);
      continue;
    }
    if (path.status !== 'complete') {
      counts.unreachable += 2;
      continue;
    }
    for (const { exact } of [path, back]) {
      if (exact) {
        counts.exact++;
        continue;
      }
      counts.notExact++;
      report(`NOT EXACT ${what}`);
    }
    const margin = 1e-9 * path.planarLength + 1e-12 * shift;
    const least = Math.min(planar(other.points), back.planarLength, path.planarLength);
    if (Math.max(path.planarLength, back.planarLength) > least + margin) {
      counts.tooLong++;
      report(`TOO LONG ${what}: ${path.planarLength}, back ${back.planarLength}, findPath ${planar(other.points)}`);
    }
  }
}

function runMesh(trial: TrialMesh, random: () => number, counts: TrialCounts, report: (problem: string) => void): void {
  const { mesh, map, oracle, world, scale, slack } = trial;
  const below = (n: number): number => Math.floor(random() * n);
  const place = (): Place => {
    const step = pick(random, [1, PARTS / 2, PARTS]);
    for (;;) {
      const [x, z] = [below(map.width * PARTS + 1), below(map.depth * PARTS + 1)].map((v) => v - (v % step));
      if (oracle.isOn(x, z)) return [x, z];
    }
  };
  for (let i = 0; i < PAIRS; i++) {
    const [a, b] = [place(), place()];
    const want = oracle.distance(...a, ...b) * scale;
    const margin = 1e-9 * want + slack;
    const options = { halfExtents: trial.reach };
    for (const [from, to] of [
      [a, b],
      [b, a],
    ]) {
      const what = `${trial.what}, ${from} to ${to}`;
      const path = findOptimalPath(mesh, world(from), world(to), options);
      counts.queries++;
      if (path.reason === 'budget') {
        counts.endless++;
        report(`ENDLESS ${what}`);
      } else if (want === Infinity) {
        counts.unreachable++;
        if (path.reason !== 'unreachable') {
          counts.wrongStatus++;
          report(`WRONG STATUS ${what}: ${path.status}, not unreachable`);
        }
      } else if (path.status !== 'complete') {
        counts.wrongStatus++;
        report(`WRONG STATUS ${what}: ${path.status} ${path.reason}, not complete`);
      } else {
        if (path.exact) counts.exact++;
        else {
          counts.notExact++;
          report(`NOT EXACT ${what}: ${path.length}, shortest ${want}`);
        }
        if (path.exact && path.length > want + margin) {
          counts.tooLong++;
          report(`TOO LONG ${what}: ${path.length}, not ${want}`);
        }
        if (path.length < want - margin || !isOpen(trial, path.points)) {
          counts.crossing++;
          report(`CROSSING ${what}: ${path.length}, not ${want}: ${JSON.stringify(path.points)}`);
        }
      }
      const other = findPath(mesh, world(from), world(to), options);
      if (other.status !== 'complete') continue;
      counts.strings++;
      for (const [name, points] of [
        ['STRING', other.points],
        ['CORNERS', cornersOf(mesh, other)],
      ] as const) {
        if (planar(points) >= want - margin && isOpen(trial, points)) continue;
        counts.stringsCrossing++;
        report(`${name} CROSSING ${what}: ${planar(points)}, shortest ${want}: ${JSON.stringify(points)}`);
      }
    }
  }
}

const pathCorridor = createPathCorridor();
const corners = createCorridorCorners();

/** Returns the corners that an agent on the path's corridor follows, and its position before them. */
export function cornersOf(mesh: NavMesh, { points, polys }: LocatedPath): number[][] {
  const found = createCorridor();
  found.polys = Int32Array.from(polys, (ref) => polyIndexOf(mesh, ref));
  found.count = polys.length;
  found.crossings = found.polys.map((poly, i) =>
    i + 1 < polys.length ? findCrossing(mesh, poly, found.polys[i + 1]) : 0,
  );
  resetCorridor(pathCorridor, mesh, found.polys[0], Float64Array.from(points[0]));
  setCorridor(pathCorridor, mesh, found, Float64Array.from(points.at(-1)!));
  findCorridorCorners(corners, pathCorridor, mesh, 2 * polys.length + 2);
  const list = [points[0].slice()];
  for (let i = 0; i < corners.count; i++) list.push([...corners.points.subarray(3 * i, 3 * i + 3)]);
  return list;
}

/**
 * Returns whether each leg of a path leads straight over open cells. Its corners are rounded to the nearest
 * positions.
 */
export function isOpen(trial: TrialMesh, points: readonly (readonly number[])[]): boolean {
  let before: number[] | undefined;
  for (const point of points) {
    const at = trial.placeOf(point).map(Math.round);
    const [x, , z] = trial.world([at[0], at[1]]);
    if (Math.abs(x - point[0]) + Math.abs(z - point[2]) > trial.slack + 1e-6 * trial.scale) return false;
    if (before !== undefined && !trial.oracle.isStraight(before[0], before[1], at[0], at[1])) return false;
    before = at;
  }
  return true;
}
