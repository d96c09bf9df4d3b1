/**
 * A 2D map as two flat arrays, for messages between the page and its worker. A message copies each object and each array of a map, which
 * blocks the page for seconds when a map has a million corners. Flat arrays are moved, and read in slices.
 *
 * In: a map. Out: its packed form, and the same map again.
 * Cost: linear in the number of corners.
 * Based on: own.
 */
import type { MapArea, MapLayer, MapPolygon, PolygonMap } from 'navkiln/polygon';
import { pointOf } from '../state/map-point.ts';
import type { Point2 } from '../state/map-point.ts';

type Ring = MapPolygon['outline'];
type Lists = Pick<MapLayer, 'polygons' | 'obstacles' | 'areas'>;

export interface PackedMap {
  /** The map without polygons, obstacles and areas, also those of its layers. */
  rest: Partial<PolygonMap>;
  /** The lists of the map, then those of each layer. */
  lists: PackedLists[];
  /** x and y of all corners, ring by ring. */
  points: Float64Array;
  /** Number of corners of each ring. */
  sizes: Uint32Array;
}

interface PackedLists {
  /** Number of holes of each polygon, plus one; 0: it has no list of holes. */
  polygons?: Uint32Array;
  obstacleCount?: number;
  /** Areas without their rings, and their holes as above. */
  areas?: { about: Partial<MapArea>; holes: number }[];
}

/** How long a slice takes, ms, and how many rings are read before the time is looked at. */
const SLICE_MS = 8;
const RINGS = 256;

/** Packs a map. Yields often, so that the page can do it in slices. */
export function* packing(map: PolygonMap): Generator<void, PackedMap> {
  const { polygons, obstacles, areas, ...rest } = map;
  const layers = map.layers?.map(({ polygons: _p, obstacles: _o, areas: _a, ...about }) => about);
  const rings: Ring[] = [];
  const lists = [{ polygons, obstacles, areas }, ...(map.layers ?? [])].map((own) => packLists(own, rings));
  const sizes = Uint32Array.from(rings, ({ length }) => length);
  yield;
  const points = new Float64Array(2 * sizes.reduce((sum, size) => sum + size, 0));
  let at = 0;
  for (const [index, ring] of rings.entries()) {
    for (const point of ring) {
      const [x, y] = pointOf(point);
      points[at++] = x;
      points[at++] = y;
    }
    if (index % RINGS === 0) yield;
  }
  return { rest: { ...rest, ...(layers === undefined ? {} : { layers }) }, lists, points, sizes };
}

/** Lists the polygons, obstacles and areas of a map or a layer, and adds their rings to `rings`. */
function packLists({ polygons, obstacles, areas }: Lists, rings: Ring[]): PackedLists {
  const holesOf = ({ outline, holes }: MapPolygon): number => {
    rings.push(outline);
    for (const hole of holes ?? []) rings.push(hole);
    return holes === undefined ? 0 : holes.length + 1;
  };
  return {
    ...(polygons === undefined ? {} : { polygons: Uint32Array.from(polygons, holesOf) }),
    ...(obstacles === undefined
      ? {}
      : { obstacleCount: obstacles.reduce((count, ring) => rings.push(ring) && count + 1, 0) }),
    ...(areas === undefined
      ? {}
      : {
          areas: areas.map((area) => {
            const { outline: _outline, holes: _holes, ...about } = area;
            return { about, holes: holesOf(area) };
          }),
        }),
  };
}

/** Unpacks a map. Yields often. */
export function* unpacking({ rest, lists, points, sizes }: PackedMap): Generator<void, PolygonMap> {
  let ring = 0;
  let at = 0;
  const next = (): Point2[] => {
    const out = new Array<Point2>(sizes[ring++]);
    for (let i = 0; i < out.length; i++, at += 2) out[i] = [points[at], points[at + 1]];
    return out;
  };
  const shape = (holes: number): MapPolygon => {
    const outline = next();
    return holes === 0 ? { outline } : { outline, holes: Array.from({ length: holes - 1 }, next) };
  };
  const read: Lists[] = [];
  for (const own of lists) {
    const { obstacleCount } = own;
    const polygons: MapPolygon[] = [];
    for (const holes of own.polygons ?? []) {
      polygons.push(shape(holes));
      if (ring % RINGS === 0) yield;
    }
    const obstacles: Ring[] = [];
    while (obstacles.length < (obstacleCount ?? 0)) {
      obstacles.push(next());
      if (ring % RINGS === 0) yield;
    }
    const areas: MapArea[] = [];
    for (const { about, holes } of own.areas ?? []) {
      areas.push({ ...about, ...shape(holes) } as MapArea);
      if (ring % RINGS === 0) yield;
    }
    read.push({
      ...(own.polygons === undefined ? {} : { polygons }),
      ...(obstacleCount === undefined ? {} : { obstacles }),
      ...(own.areas === undefined ? {} : { areas }),
    });
  }
  const [own, ...layers] = read;
  const all = rest.layers?.map((layer, i) => ({ ...layer, ...layers[i] }));
  return { ...rest, ...own, ...(all === undefined ? {} : { layers: all }) } as PolygonMap;
}

/** Runs the work at once. */
export function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/** Runs the work in slices, between which the page draws and answers. */
export async function inSlices<T>(work: Generator<void, T>): Promise<T> {
  let start = performance.now();
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (performance.now() - start < SLICE_MS) continue;
    await new Promise((resolve) => setTimeout(resolve));
    start = performance.now();
  }
}
