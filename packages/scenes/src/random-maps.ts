/**
 * Seeded 2D maps: rectangles on a grid, shapes at any angle, a coastline, a spiral, a comb, islands in lakes.
 * Obstacles touch, overlap and stick out, as in maps drawn by hand.
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

/** Returns corners around a circle, with a radius each. */
function star(x: number, y: number, radii: readonly number[], turn: number): MapPoint[] {
  return radii.map((radius, k) => [
    x + radius * cosTurn(turn + k / radii.length),
    y + radius * sinTurn(turn + k / radii.length),
  ]);
}

/**
 * Rectangles of whole cells on a square that touch and overlap freely. Each cell of the map is either free or
 * blocked.
 */
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

/** Convex and pointed shapes at any angle, so sparse that most do not meet. */
function shapesMap(seed: number = 3, scale: number = 1): SceneMap {
  const random = createRandom(seed),
    count = Math.round(40 * scale),
    side = Math.ceil(Math.sqrt(count) * 8);
  return { polygons: [{ outline: box(0, 0, side, side) }], obstacles: shapes(random, count, side, 2.2) };
}

/** The same shapes, so dense that most overlap and many stick out. */
function rubbleMap(seed: number = 5, scale: number = 1): SceneMap {
  const random = createRandom(seed),
    count = Math.round(60 * scale),
    side = Math.ceil(Math.sqrt(count) * 5);
  return { polygons: [{ outline: box(0, 0, side, side) }], obstacles: shapes(random, count, side, 3) };
}

/**
 * Displaces the middle of each edge repeatedly. For some seeds the line crosses itself; for the default seed
 * it does not.
 */
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

/** A coast of 10,000 points times the scale. */
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

/** One corridor, wound up to a spiral. */
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

/** Land with lakes, islands in them and ponds on these. Two lakes share a corner, two touch along a shore. */
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

export const gridMapScene: MapScene = {
  name: 'grid-map',
  kind: 'map',
  title: 'Rectangles on a grid',
  create: gridMap,
  scalable: true,
  radius: 0.25,
  path: { from: [0.5, 0.5], to: [29.5, 15.5] },
};

export const shapesMapScene: MapScene = {
  name: 'shapes-map',
  kind: 'map',
  title: 'Shapes at any angle',
  create: shapesMap,
  scalable: true,
  radius: 0.3,
  path: { from: [0.5, 0.5], to: [50, 50] },
};

export const rubbleMapScene: MapScene = {
  name: 'rubble-map',
  kind: 'map',
  title: 'Rubble',
  create: rubbleMap,
  scalable: true,
  radius: 0.2,
  path: { from: [0.5, 0.5], to: [38, 38] },
};

export const coastMapScene: MapScene = {
  name: 'coast-map',
  kind: 'map',
  title: 'Coastline',
  create: coastMap,
  scalable: true,
  radius: 0.5,
  path: { from: [-900, 0], to: [900, 0] },
};

export const spiralMapScene: MapScene = {
  name: 'spiral-map',
  kind: 'map',
  title: 'Spiral',
  create: spiralMap,
  scalable: true,
  radius: 0.4,
  path: { from: [2.5, 0], to: [26.5, 0] },
};

export const combMapScene: MapScene = {
  name: 'comb-map',
  kind: 'map',
  title: 'Comb',
  create: combMap,
  scalable: true,
  radius: 0.1,
  path: { from: [0.5, 59], to: [78.5, 59] },
};

export const lakesMapScene: MapScene = {
  name: 'lakes-map',
  kind: 'map',
  title: 'Lakes with islands',
  create: lakesMap,
  scalable: false,
  radius: 1,
  path: { from: [-70, 0], to: [70, 0] },
};
