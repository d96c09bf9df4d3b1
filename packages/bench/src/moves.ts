/**
 * Measures `validateMove`: microseconds of a move by kind of move, the mean and the worst of many random ones, next to
 * `moveAlongSurface`.
 *
 * Each move is measured in several rounds, and its least time counts, so that the worst time is that of a move and not of the machine.
 */
import { createRandom, findRandomPoint, moveAlongSurface, nextRandom, validateMove } from 'navkiln';
import type { NavMesh, PolyRef } from 'navkiln';
import { buildNavMesh } from 'navkiln/build';
import { buildFromPolygons } from 'navkiln/polygon';
import type { BenchLevel } from './levels.ts';

const MOVES = 5000;
const KINDS = ['1 m', '10 m', '100 m', '1e308 m', 'NaN'] as const;
/** A thin wall each so many square meters of the map. */
const AREA_PER_WALL = 6;
const SIDE = 40;

export interface MovesRow {
  level: string;
  kind: (typeof KINDS)[number];
  accepted: number;
  meanUs: number;
  worstUs: number;
  /** Mean time of `moveAlongSurface`. */
  slideUs: number;
}

type Point = [number, number, number];

/** Measures all kinds of moves on levels and on a map full of thin walls. */
export function benchMoves(levels: readonly BenchLevel[], rounds: number, seed: number): MovesRow[] {
  const meshes: [string, NavMesh][] = levels.map((level) => [level.name, buildNavMesh(level, level.options).navMesh]);
  meshes.push(['thin-walls', thinWalls(seed)]);
  return meshes.flatMap(([name, mesh]) => KINDS.map((kind) => benchKind(name, mesh, kind, rounds, seed)));
}

function benchKind(level: string, mesh: NavMesh, kind: MovesRow['kind'], rounds: number, seed: number): MovesRow {
  const random = createRandom(seed);
  const length = kind.endsWith(' m') ? Number(kind.slice(0, -2)) : NaN;
  const near = (at: number): number => at + length * (2 * nextRandom(random) - 1);
  const starts = Array.from({ length: MOVES }, () => findRandomPoint(mesh, random) as { ref: PolyRef; point: Point });
  const ends = starts.map(({ point }): Point => [near(point[0]), 0, near(point[2])]);
  const options = { maxDistance: Math.min(1.5 * length || 1, 1e6) };
  const times = new Float64Array(MOVES).fill(Infinity);
  const slides = new Float64Array(MOVES).fill(Infinity);
  const isPoint = !Number.isNaN(length);
  let accepted = 0;
  for (let round = 0; round < rounds; round++) {
    accepted = 0;
    for (let i = 0; i < MOVES; i++) {
      const { ref, point } = starts[i];
      const from = performance.now();
      const { status } = validateMove(mesh, ref, point, ends[i], options);
      const to = performance.now();
      if (isPoint) moveAlongSurface(mesh, point, ends[i], { startRef: ref });
      times[i] = Math.min(times[i], 1000 * (to - from));
      slides[i] = Math.min(slides[i], 1000 * (performance.now() - to));
      if (status === 'accepted') accepted++;
    }
  }
  const mean = (of: Float64Array): number => of.reduce((sum, us) => sum + us, 0) / MOVES;
  return {
    level,
    kind,
    accepted: accepted / MOVES,
    meanUs: mean(times),
    worstUs: times.reduce((most, us) => Math.max(most, us), 0),
    slideUs: isPoint ? mean(slides) : NaN,
  };
}

/** Returns a square full of walls a millimeter thick, in all directions. */
function thinWalls(seed: number): NavMesh {
  const random = createRandom(seed);
  const next = (): number => nextRandom(random);
  const obstacles = Array.from({ length: (SIDE * SIDE) / AREA_PER_WALL }, () => {
    const [x, y, u, v] = [SIDE * next(), SIDE * next(), next() - 0.5, next() - 0.5];
    const scale = 2 / Math.sqrt(u * u + v * v);
    const [a, b, c, d] = [u * scale, v * scale, -5e-4 * v * scale, 5e-4 * u * scale];
    return [
      [x, y],
      [x + a, y + b],
      [x + a + c, y + b + d],
      [x + c, y + d],
    ] as [number, number][];
  });
  const outline = [0, 1, 2, 3].map((k): [number, number] => [k === 1 || k === 2 ? SIDE : 0, k > 1 ? SIDE : 0]);
  return buildFromPolygons({ polygons: [{ outline }], obstacles }).navMesh;
}

export function movesTable(rows: readonly MovesRow[]): string[][] {
  return [
    ['level', 'move', 'accepted', 'mean us', 'worst us', 'slide us'],
    ...rows.map((row) => [
      row.level,
      row.kind,
      `${Math.round(100 * row.accepted)} %`,
      ...[row.meanUs, row.worstUs, row.slideUs].map((us) => (Number.isNaN(us) ? '-' : us.toPrecision(3))),
    ]),
  ];
}
