/**
 * Changes of a 2D map ring by ring: corners are moved, inserted and deleted, rings are added and removed.
 *
 * In: a map and the address of a ring. Out: a new map; the given one stays as it is.
 * Cost: linear in the number of corners.
 * Based on: own.
 */
import type { MapArea, MapLayer, MapPolygon, PointLike2d, PolygonMap } from 'navkiln/polygon';
import { pointOf } from './map-point.ts';
import type { Point2 } from './map-point.ts';

/** The kind of a ring. Holes belong to an outline. */
export type RingKind = 'outline' | 'hole' | 'obstacle' | 'area';

/** The address of a ring. It is valid until rings are added or removed. */
export interface RingAt {
  kind: RingKind;
  /** Index of the layer, or -1 for rings that belong to no layer. */
  layer: number;
  /** Index of the polygon, the obstacle or the area. */
  index: number;
  /** Index of the hole; 0 for other kinds. */
  hole: number;
}

export interface RingInfo {
  at: RingAt;
  points: readonly Point2[];
  /** 'Outline 1', 'Hole 2 of outline 1', 'Obstacle 3', 'Area "mud"'. */
  title: string;
}

/** The lists of rings that a map and its layers have. */
type RingLists = Pick<MapLayer, 'polygons' | 'obstacles' | 'areas'>;

const FEWEST_CORNERS = 3;

/** Maps are never changed in place, so the rings of a map are listed once. */
const listed = new WeakMap<PolygonMap, readonly RingInfo[]>();

/** Lists all rings of a map and of its layers. */
export function ringsOf(map: PolygonMap): readonly RingInfo[] {
  const known = listed.get(map) ?? listRings(map);
  listed.set(map, known);
  return known;
}

/** Returns the number of corners of a map. */
export function cornersOf(map: PolygonMap): number {
  return ringsOf(map).reduce((sum, { points }) => sum + points.length, 0);
}

const isPair = (point: PointLike2d): point is Point2 => !('x' in point);

function listRings(map: PolygonMap): RingInfo[] {
  const rings: RingInfo[] = [];
  const add = (at: RingAt, ring: readonly PointLike2d[], title: string): void => {
    const layer = map.layers?.[at.layer];
    const points = ring.every(isPair) ? ring : ring.map(pointOf);
    rings.push({ at, points, title: layer === undefined ? title : `${title} in "${layer.name}"` });
  };
  const addLists = ({ polygons = [], obstacles = [], areas = [] }: RingLists, layer: number): void => {
    polygons.forEach(({ outline, holes = [] }, index) => {
      add({ kind: 'outline', layer, index, hole: 0 }, outline, `Outline ${index + 1}`);
      holes.forEach((ring, hole) =>
        add({ kind: 'hole', layer, index, hole }, ring, `Hole ${hole + 1} of outline ${index + 1}`),
      );
    });
    obstacles.forEach((ring, index) => add({ kind: 'obstacle', layer, index, hole: 0 }, ring, `Obstacle ${index + 1}`));
    areas.forEach(({ outline, name }, index) =>
      add({ kind: 'area', layer, index, hole: 0 }, outline, `Area "${name}"`),
    );
  };
  addLists(map, -1);
  map.layers?.forEach(addLists);
  return rings;
}

export function isSameRing(a: RingAt | undefined, b: RingAt | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.kind === b.kind && a.layer === b.layer && a.index === b.index && a.hole === b.hole;
}

/** Returns the corners of a ring, or undefined when it is not there. */
export function ringAt(map: PolygonMap, at: RingAt): readonly Point2[] | undefined {
  const { polygons = [], obstacles = [], areas = [] }: RingLists = at.layer < 0 ? map : (map.layers?.[at.layer] ?? {});
  const rings = {
    outline: polygons[at.index]?.outline,
    hole: polygons[at.index]?.holes?.[at.hole],
    obstacle: obstacles[at.index],
    area: areas[at.index]?.outline,
  };
  return rings[at.kind]?.map(pointOf);
}

/** Returns the map with the corners of a ring replaced. */
export function withRing(map: PolygonMap, at: RingAt, points: readonly Point2[]): PolygonMap {
  return changeLists(map, at.layer, (lists) => {
    if (at.kind === 'obstacle') return { ...lists, obstacles: replaced(lists.obstacles, at.index, () => points) };
    if (at.kind === 'area') {
      return { ...lists, areas: replaced(lists.areas, at.index, (area: MapArea) => ({ ...area, outline: points })) };
    }
    const change = (polygon: MapPolygon): MapPolygon =>
      at.kind === 'outline'
        ? { ...polygon, outline: points }
        : { ...polygon, holes: replaced(polygon.holes, at.hole, () => points) };
    return { ...lists, polygons: replaced(lists.polygons, at.index, change) };
  });
}

/** Returns the map without a ring. The holes of an outline go with it. */
export function withoutRing(map: PolygonMap, at: RingAt): PolygonMap {
  const without = <T>(list: readonly T[] | undefined, index: number): T[] =>
    (list ?? []).filter((_, other) => other !== index);
  return changeLists(map, at.layer, (lists) => {
    if (at.kind === 'obstacle') return { ...lists, obstacles: without(lists.obstacles, at.index) };
    if (at.kind === 'area') return { ...lists, areas: without(lists.areas, at.index) };
    if (at.kind === 'outline') return { ...lists, polygons: without(lists.polygons, at.index) };
    const change = (polygon: MapPolygon): MapPolygon => ({ ...polygon, holes: without(polygon.holes, at.hole) });
    return { ...lists, polygons: replaced(lists.polygons, at.index, change) };
  });
}

/**
 * Adds a ring to the map, or to one of its layers. A hole belongs to the smallest outline around its first corner, on whichever layer
 * that is. Returns undefined for a hole outside every outline.
 */
export function withNewRing(
  map: PolygonMap,
  kind: RingKind,
  points: readonly Point2[],
  layer = -1,
): { map: PolygonMap; at: RingAt } | undefined {
  const at: RingAt = { kind, layer, index: 0, hole: 0 };
  if (kind === 'hole') {
    const around = outlineAround(map, points[0]);
    if (around === undefined) return undefined;
    const add = ({ holes = [], ...polygon }: MapPolygon): MapPolygon => {
      around.hole = holes.length;
      return { ...polygon, holes: [...holes, points] };
    };
    const changed = changeLists(map, around.layer, (lists) => ({
      ...lists,
      polygons: replaced(lists.polygons, around.index, add),
    }));
    return { map: changed, at: { ...around, kind } };
  }
  const changed = changeLists(map, layer, (lists) => {
    const { polygons = [], obstacles = [], areas = [] } = lists;
    at.index = { outline: polygons, obstacle: obstacles, area: areas }[kind].length;
    if (kind === 'outline') return { ...lists, polygons: [...polygons, { outline: points }] };
    if (kind === 'obstacle') return { ...lists, obstacles: [...obstacles, points] };
    return { ...lists, areas: [...areas, { name: freeName(map), cost: 3, outline: points }] };
  });
  return { map: changed, at };
}

/** Returns whether a point may be the first corner of a ring: a hole begins inside an outline. */
export function mayStart(map: PolygonMap, kind: RingKind, point: Point2): boolean {
  return kind !== 'hole' || outlineAround(map, point) !== undefined;
}

/** Returns the ring with a corner moved. */
export function withCorner(ring: readonly Point2[], corner: number, to: Point2): Point2[] {
  return ring.map((point, index) => (index === corner ? to : point));
}

/** Returns the ring with a new corner after `corner`. */
export function withCornerAfter(ring: readonly Point2[], corner: number, at: Point2): Point2[] {
  return [...ring.slice(0, corner + 1), at, ...ring.slice(corner + 1)];
}

/** Returns the ring without a corner, or undefined when fewer than three would be left. */
export function withoutCorner(ring: readonly Point2[], corner: number): Point2[] | undefined {
  return ring.length <= FEWEST_CORNERS ? undefined : ring.filter((_, index) => index !== corner);
}

/** Returns the area at an address, with its name and cost. */
export function areaAt(map: PolygonMap, at: RingAt | undefined): MapArea | undefined {
  if (at?.kind !== 'area') return undefined;
  return (at.layer < 0 ? map.areas : map.layers?.[at.layer]?.areas)?.[at.index];
}

/** Returns the map with the name or the cost of an area changed. */
export function withArea(map: PolygonMap, at: RingAt, patch: Partial<Pick<MapArea, 'name' | 'cost'>>): PolygonMap {
  return changeLists(map, at.layer, (lists) => ({
    ...lists,
    areas: replaced(lists.areas, at.index, (area: MapArea) => ({ ...area, ...patch })),
  }));
}

/** Returns the map with a layer switched on or off. */
export function withLayer(map: PolygonMap, index: number, enabled: boolean): PolygonMap {
  return { ...map, layers: replaced(map.layers, index, (layer: MapLayer) => ({ ...layer, enabled })) };
}

/** Returns the signed area of a ring: positive when it runs counter-clockwise with y up. */
export function signedArea(ring: readonly Point2[]): number {
  let double = 0;
  for (let i = 0; i < ring.length; i++) {
    const [ax, ay] = ring[i];
    const [bx, by] = ring[(i + 1) % ring.length];
    double += ax * by - ay * bx;
  }
  return double / 2;
}

/** Checks whether a point lies inside a ring. */
export function isInside(ring: readonly Point2[], [x, y]: Point2): boolean {
  let inside = false;
  for (let i = 0; i < ring.length; i++) {
    const [ax, ay] = ring[i];
    const [bx, by] = ring[(i + 1) % ring.length];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) inside = !inside;
  }
  return inside;
}

/** Returns the smallest outline around a point. Layers that are off have none. */
function outlineAround(map: PolygonMap, point: Point2): RingAt | undefined {
  let best: RingAt | undefined;
  let bestArea = Infinity;
  for (const { at, points } of ringsOf(map)) {
    if (at.kind !== 'outline' || map.layers?.[at.layer]?.enabled === false) continue;
    const area = Math.abs(signedArea(points));
    if (area < bestArea && isInside(points, point)) [best, bestArea] = [{ ...at }, area];
  }
  return best;
}

/** Returns a name that no area of the map and its layers has: areas of one name are one. */
function freeName({ areas = [], layers = [] }: PolygonMap): string {
  const all = [...areas, ...layers.flatMap((layer) => layer.areas ?? [])];
  for (let number = all.length + 1; ; number++) {
    const name = `area ${number}`;
    if (!all.some((area) => area.name === name)) return name;
  }
}

function replaced<T>(list: readonly T[] | undefined, index: number, change: (item: T) => T): T[] {
  return (list ?? []).map((item, other) => (other === index ? change(item) : item));
}

function changeLists(map: PolygonMap, layer: number, change: (lists: RingLists) => RingLists): PolygonMap {
  if (layer < 0) {
    const { polygons = [], ...lists } = change(map);
    return { ...map, ...lists, polygons };
  }
  return { ...map, layers: replaced(map.layers, layer, (own: MapLayer) => ({ ...own, ...change(own) })) };
}
