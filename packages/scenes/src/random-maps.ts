/**
 * Seeded 2D maps: rectangles on a grid, shapes at any angle, a coastline, a spiral, a comb, islands in lakes. Obstacles touch,
 * overlap and stick out, as people draw them.
 */
import type { MapPoint, MapScene, SceneMap } from './map-scene.ts';
import { createRandom, nextFloat, nextInt, nextRange } from './random.ts';
import type { Random } from './random.ts';
import { cosTurn, sinTurn } from './turn.ts';

function box(x0: number, y0: number, x1: number, y1: number): MapPoint[] {
  return [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ];
}

/** Corners on a circle, with a radius each. */
function star(x: number, y: number, radii: readonly number[], turn: number): MapPoint[] {
  return radii.map((radius, k) => [
    x + radius * cosTurn(turn + k / radii.length),
    y + radius * sinTurn(turn + k / radii.length),
  ]);
}

/** Rectangles of whole cells on a square, touching and overlapping at will; each cell of the map is free or not. */
function gridMap(seed: number = 7, scale: number = 1): SceneMap {
  const random = createRandom(seed),
    count = Math.round(60 * scale),
    side = Math.ceil(Math.sqrt(count) * 4);
  const obstacles = Array.from({ length: count }, () => {
    const x = nextInt(random, -1, side - 1),
      y = nextInt(random, -1, side - 1);
    return box(x, y, x + nextInt(random, 1, 4), y + nextInt(random, 1, 4));
  });
  return { polygons: [{ outline: box(0, 0, side, side) }], obstacles };
}

function shapes(random: Random, count: number, side: number, size: number): MapPoint[][] {
  return Array.from({ length: count }, () => {
    const corners = nextInt(random, 3, 9),
      radius = nextRange(random, 0.4, 1) * size,
      isRound = nextFloat(random) < 0.6;
    const radii = Array.from({ length: corners }, () => (isRound ? radius : radius * nextRange(random, 0.3, 1)));
    const ring = star(nextRange(random, 0, side), nextRange(random, 0, side), radii, nextFloat(random));
    return nextFloat(random) < 0.5 ? ring : ring.reverse();
  });
}

/** Convex and pointed shapes at any angle, sparse enough that most do not meet. */
function shapesMap(seed: number = 3, scale: number = 1): SceneMap {
  const random = createRandom(seed),
    count = Math.round(40 * scale),
    side = Math.ceil(Math.sqrt(count) * 8);
  return { polygons: [{ outline: box(0, 0, side, side) }], obstacles: shapes(random, count, side, 2.2) };
}

/** The same, so dense that most overlap and many stick out. */
function rubbleMap(seed: number = 5, scale: number = 1): SceneMap {
  const random = createRandom(seed),
    count = Math.round(60 * scale),
    side = Math.ceil(Math.sqrt(count) * 5);
  return { polygons: [{ outline: box(0, 0, side, side) }], obstacles: shapes(random, count, side, 3) };
}

/** Displaces the middle of each edge, again and again. For some seeds the line meets itself; for the default one it does not. */
function fractalRing(random: Random, corners: MapPoint[], points: number, rough: number): MapPoint[] {
  let ring = corners;
  while (ring.length < points) {
    const finer: MapPoint[] = [];
    ring.forEach((a, i) => {
      const b = ring[(i + 1) % ring.length],
        shift = nextRange(random, -0.5, 0.5) * rough;
      finer.push(a);
      if (ring.length + finer.length - i - 1 < points) {
        finer.push([(a[0] + b[0]) / 2 + (b[1] - a[1]) * shift, (a[1] + b[1]) / 2 - (b[0] - a[0]) * shift]);
      }
    });
    ring = finer;
  }
  return ring;
}

/** A coast of 10,000 points a scale of 1. */
function coastMap(seed: number = 1, scale: number = 1): SceneMap {
  const random = createRandom(seed);
  const corners: MapPoint[] = [
    [1000, 0],
    [0, 1000],
    [-1000, 0],
    [0, -1000],
  ];
  const outline = fractalRing(random, corners, Math.max(4, Math.round(10000 * scale)), 0.35);
  return { polygons: [{ outline }] };
}

/** One corridor, wound up. */
function spiralMap(_seed: number = 0, scale: number = 1): SceneMap {
  const turns = Math.max(1, Math.round(6 * scale)),
    steps = 24 * turns;
  const outer: MapPoint[] = [],
    inner: MapPoint[] = [];
  for (let k = 0; k <= steps; k++) {
    const turn = k / 24,
      radius = 4 + 4 * turn;
    outer.push([radius * cosTurn(turn), radius * sinTurn(turn)]);
    inner.push([(radius - 3) * cosTurn(turn), (radius - 3) * sinTurn(turn)]);
  }
  return { polygons: [{ outline: [...outer, ...inner.reverse()] }] };
}

/** A hall with long, thin bays on both sides. */
function combMap(_seed: number = 0, scale: number = 1): SceneMap {
  const teeth = Math.max(2, Math.round(40 * scale));
  const up: MapPoint[] = [],
    down: MapPoint[] = [];
  for (let k = 0; k < teeth; k++) {
    up.push([2 * k, 60], [2 * k + 1, 60], [2 * k + 1, 2], [2 * k + 2, 2]);
    down.push([2 * k, 0], [2 * k + 1, 0], [2 * k + 1, -50], [2 * k + 1.5, -50], [2 * k + 1.5, 0]);
  }
  return { polygons: [{ outline: [...down, [2 * teeth, 0], ...up.reverse()] }] };
}

/** Land, in it lakes, in these islands, in these ponds; two lakes share a corner, two touch along a shore. */
function lakesMap(seed: number = 2): SceneMap {
  const random = createRandom(seed);
  const rough = (x: number, y: number, radius: number, corners: number): MapPoint[] =>
    star(
      x,
      y,
      Array.from({ length: corners }, () => radius * nextRange(random, 0.8, 1)),
      nextFloat(random),
    );
  return {
    polygons: [
      {
        outline: rough(0, 0, 100, 40),
        holes: [
          rough(-25, 10, 30, 17),
          rough(40, -30, 18, 12),
          [
            [20, 30],
            [40, 30],
            [40, 45],
          ],
          [
            [40, 45],
            [55, 45],
            [55, 60],
          ],
          box(-20, -60, 0, -40),
          box(0, -55, 12, -45),
        ],
      },
      { outline: rough(-25, 10, 16, 11), holes: [rough(-25, 10, 6, 7)] },
      { outline: rough(40, -30, 8, 6) },
    ],
  };
}

function mapScene(
  name: string,
  title: string,
  create: MapScene['create'],
  scalable: boolean,
  radius: number,
  from: MapPoint,
  to: MapPoint,
): MapScene {
  return { name, kind: 'map', title, create, scalable, radius, path: { from, to } };
}

export const gridMapScene: MapScene = mapScene(
  'grid-map',
  'Rectangles on a grid',
  gridMap,
  true,
  0.25,
  [0.5, 0.5],
  [29.5, 15.5],
);
export const shapesMapScene: MapScene = mapScene(
  'shapes-map',
  'Shapes at any angle',
  shapesMap,
  true,
  0.3,
  [0.5, 0.5],
  [50, 50],
);
export const rubbleMapScene: MapScene = mapScene('rubble-map', 'Rubble', rubbleMap, true, 0.2, [0.5, 0.5], [38, 38]);
export const coastMapScene: MapScene = mapScene('coast-map', 'Coastline', coastMap, true, 0.5, [-900, 0], [900, 0]);
export const spiralMapScene: MapScene = mapScene('spiral-map', 'Spiral', spiralMap, true, 0.4, [2.5, 0], [26.5, 0]);
export const combMapScene: MapScene = mapScene('comb-map', 'Comb', combMap, true, 0.1, [0.5, 59], [78.5, 59]);
export const lakesMapScene: MapScene = mapScene(
  'lakes-map',
  'Lakes with islands',
  lakesMap,
  false,
  1,
  [-70, 0],
  [70, 0],
);
